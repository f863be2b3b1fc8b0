"""What can be asked of the club rather than of a game: accounts, seats, absences.

Such a line may stand in any mail, in a block of orders too.  It counts only if it is written as a whole like one of the
shapes below, so that prose which begins with the same word is not taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from pbem.orders.grammar import Form, Verb, VerbTable
from pbem.orders.source import END, GAME, REPORT_PREFIX, Line

CLUB = VerbTable((
    Verb(
        "register", (Form("register NAME"),), "register Ann",
        "Makes you a member, under the name that others will read. You are mailed a word; send it back with 'confirm'.",
    ),
    Verb("confirm", (Form("confirm WORD"),), "confirm bcdf2345", "Sends a word back that was mailed to you, from that address."),
    Verb(
        "account", (Form("account"), Form("account name NAME")), "account",
        "Mails what is kept of you: name, addresses, settings, how often you answered in time. With 'name' it changes the name.",
    ),
    Verb(
        "address", (Form("address"), Form("address add ADDRESS"), Form("address change ADDRESS"), Form("address remove ADDRESS")),
        "address add ann@example.net",
        "'add': you may write from that address, too, once it has confirmed. 'change': your mail goes there from now on, once"
        " the new address and then the old one have confirmed. 'remove' takes one off.",
    ),
    Verb(
        "token", (Form("token new"),), "token new",
        "New secret words for your account and all your seats, if somebody may have read the old ones. Mails that you were sent"
        " before no longer show that an answer is yours.",
    ),
    Verb(
        "games", (Form("games"), Form("games GAME")), "games",
        "Lists your games and those with a free seat, or tells of one game.", aliases=("list",),
    ),
    Verb("scenarios", (Form("scenarios"),), "scenarios", "Lists what can be played here."),
    Verb(
        "new", (Form("new SCENARIO as SIDE"), Form("new SCENARIO as SIDE open named GAME OPTION")),
        "new {scenario} as {side} open deadline_hours=48",
        "Makes a game, with the other seat free: 'open' (anybody may take it), 'consent' (you are asked first) or 'private' (the"
        " same, and it is not listed). It begins when all seats are taken. Options are written name=value; 'help options' lists"
        " them.",
    ),
    Verb(
        "join", (Form("join GAME SIDE"), Form("join GAME")), "join p1 {side}",
        "Takes a free seat; where the game asks for it, once its host or referee has agreed.",
    ),
    Verb("accept", (Form("accept WORD"),), "accept bcdf2345", "Agrees to what you were asked about; that mail has the word."),
    Verb("decline", (Form("decline WORD"),), "decline bcdf2345", "Does not agree to it."),
    Verb(
        "observe", (Form("observe GAME"),), "observe p1",
        "Mails you what lies open on the table after each turn, where the game has observers.", aliases=("watch",),
    ),
    Verb("leave", (Form("leave GAME"),), "leave p1", "You observe it no more; a game of yours that has not begun is given up."),
    Verb(
        "unsubscribe", (Form("unsubscribe GAME"),), "unsubscribe p1",
        "Fewer mails: a player gets a report only when he is asked something, an observer none. It gives no seat up.",
    ),
    Verb(
        "absence", (Form("absence FROM to UNTIL"), Form("absence"), Form("absence cancel")), "absence 12 Dec to 20 Dec",
        "You cannot play from the first day to the last, both included: deadlines move, where the game allows it.",
        aliases=("absent",),
    ),
    Verb(
        "available", (Form("available"), Form("available no")), "available",
        "Puts you on the list of substitutes: you are asked when a seat is to be taken over.", aliases=("substitute",),
    ),
    Verb(
        "press", (Form("press to SIDE"), Form("press anonymous to SIDE")), "press to {side}",
        "A message, in the lines below, up to 'end press': to a side, to the 'referee' or to 'all'. Anonymous where the game"
        " has it.",
    ),
))
"""The verbs, as the help shows them."""

WORD = "[2-9bcdfghjkmnpqrstvwxz]{8}"
"""How a word to confirm with looks."""

_NAME, _ID = r"[a-z0-9][a-z0-9.-]{0,39}", r"[a-z0-9_]{1,40}"
_SHAPES: tuple[tuple[str, str], ...] = (
    ("register", r"register(?: me)?(?: as)? (?P<a>.{1,80})"),
    ("confirm", rf"confirm (?P<a>{WORD})"),
    ("account", r"(?:my )?account(?: (?P<a>name) (?P<b>.{1,80}))?"),
    ("address", r"(?:my )?address(?:es)?(?: (?P<a>add|change|remove) <?(?:mailto:)?(?P<b>[^\s<>]{1,250}@[^\s<>]{1,250})>?)?"),
    ("token", r"(?:new token|token new)"),
    ("games", rf"(?:games|list)(?: (?P<a>{_NAME}))?"),
    ("games", r"(?:list|my) games"),
    ("scenarios", r"(?:list )?scenarios"),
    ("new", rf"new(?: game)? (?P<a>{_ID}/{_ID})(?P<b>(?: .{{1,400}})?)"),
    ("new", rf"new(?: game)? (?P<a>{_ID})(?P<b> as .{{1,400}})"),
    ("join", rf"join(?: game)? (?P<a>{_NAME})(?: as| the)? (?P<b>{_NAME})"),
    ("join", rf"join(?: game)? (?P<a>{_NAME})"),
    ("accept", rf"accept (?P<a>{WORD})"),
    ("decline", rf"decline (?P<a>{WORD})"),
    ("observe", rf"(?:observe|watch)(?: game)? (?P<a>{_NAME})"),
    ("unsubscribe", rf"unsubscribe(?: from)?(?: game)? (?P<a>{_NAME})"),
    ("leave", rf"leave(?: game)? (?P<a>{_NAME})"),
    ("absence", r"(?:absence|absent)(?: (?P<a>cancel|(?:from )?.{0,10}\d.{2,60}))?"),
    ("available", r"available(?: (?P<a>yes|no|off|on))?"),
    ("available", r"substitute(?: me)?(?: (?P<a>yes|no|off|on))?"),
    ("full", rf"report full(?: (?P<a>{_NAME}))?"),
    ("set", r"set (?P<a>all|address|zone)(?: (?P<b>.{1,80}))?"),
)
_PATTERNS = tuple((verb, re.compile(shape, re.IGNORECASE)) for verb, shape in _SHAPES)
LASTING = ("confirm", "accept", "decline")
"""Requests that a word makes: whoever quotes our mail without marks, as machines do, must not make them."""

_TALK = re.compile(r"\s*(?:[.!]|,? ?please[.!]?|,? ?thanks?[.!]?)+$", re.IGNORECASE)


@dataclass(frozen=True)
class ClubRequest:
    """One request: the verb, what follows it, the line, and the game in whose block it stands ('' for none)."""

    verb: str
    args: tuple[str, ...]
    line: Line
    game: str = ""


def request(line: Line, game: str = "", leaving: Collection[str] = ()) -> ClubRequest | None:
    """What a line asks for; None if it is no request.  ``leaving``: the games that 'leave' may be about."""
    said = _TALK.sub("", " ".join(line.text[:600].split()))
    for verb, pattern in _PATTERNS:
        found = pattern.fullmatch(said)
        if found:
            args = tuple(a.strip() for a in found.groups() if a)
            if verb == "leave" and args[0].lower() not in leaving:
                return None
            return ClubRequest(verb, args, line, game)
    return None


def take(text: str, leaving: Collection[str] = ()) -> tuple[list[ClubRequest], str]:
    """The requests in a mail's text, each once, and the text with blank lines in their place."""
    found: dict[tuple[str, tuple[str, ...], str], ClubRequest] = {}
    lines, game = re.split(r"\r\n|\r|\n", text), ""
    for at, raw in enumerate(lines):
        if raw.startswith(REPORT_PREFIX.strip()) or raw.lstrip().startswith(">"):
            continue
        if named := GAME.match(raw):
            game = named[1].lower()
        elif END.match(raw):
            game = ""
        elif asked := request(Line(at + 1, raw.strip()), game, leaving):
            found.setdefault((asked.verb, asked.args, asked.game), asked)
            lines[at] = ""
    return list(found.values()), "\n".join(lines)


def near_misses(text: str) -> list[Line]:
    """Lines that begin like a request but are not written like one."""
    found = []
    for no, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        first = raw.strip().split(" ")[0].lower().rstrip(":")
        if CLUB.find(first) and request(Line(no, raw.strip())) is None:
            found.append(Line(no, raw.strip()))
    return found
