"""Requests to the service, which can stand in any mail beside orders of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.orders.grammar import Form, Verb, VerbTable
from pbem.orders.lexer import SEP, Token, fold, tokenise
from pbem.orders.source import Line

PLAYER, REFEREE = "player", "referee"


@dataclass(frozen=True)
class ServiceRequest:
    """One request: the verb's name, the words after it as written, and the line."""

    verb: str
    args: tuple[str, ...]
    line: Line


SERVICE = VerbTable((
    Verb(
        "help", (Form("help"), Form("help TOPIC")), "help move",
        "Mails the list of topics, or one of them. Some titles also tell what you know of a place, of a unit or of 'victory'.",
    ),
    Verb("status", (Form("status"),), "status", "Whom the game waits for, and until when."),
    Verb(
        "report", (Form("report"), Form("report NUMBER"), Form("report TURN PHASE"), Form("report full GAME")),
        "report 2 {side} {phase}",
        "Mails a report again, as it was then: your latest one, that of a number, or the one that tells of a phase. After the"
        " end 'report full' mails all that both sides were told.",
    ),
    Verb(
        "map", (Form("map"), Form("map around PLACE"), Form("map svg")), "map around {place}",
        "Mails a picture of the map as you see it now, or of what lies round a place; with 'svg' as a drawing to scale.",
    ),
    Verb(
        "set",
        (Form("set"), Form("set NAME VALUE"), Form("set all NAME VALUE"), Form("set address shown"), Form("set zone ZONE")),
        "set width 60",
        "How you want your mails: html, map, files and digest are on or off, width is a number of columns; alone it lists them.",
    ),
    Verb("orders", (Form("orders"),), "orders", "Lists your orders in force, standing orders with their numbers."),
    Verb("check", (Form("check"),), "check", "The orders of this mail are only tried, without any effect."),
    Verb(
        "rolls", (Form("rolls"), Form("rolls WORDS"), Form("rolls fairness")), "rolls 2 {side} {phase}",
        "Mails every roll so far, or those of a turn, side, phase, rule or purpose, as a table, CSV and JSON; 'fairness': how the"
        " dice have fallen, with a picture.",
    ),
    Verb(
        "ready", (Form("ready"),), "ready",
        "You have no more to say: orders that were kept are carried out, and what is still open takes its default at once.",
    ),
    Verb(
        "nonce", (Form("nonce WORDS"),), "nonce seven grey herons and a bell",
        "Once, in your first mail with orders or before it: any words of yours, which have a part in every die from then on, so"
        " that the host cannot have chosen the dice.",
    ),
    Verb("wait", (Form("wait"),), "wait", "The orders of this mail are kept, and carried out at 'ready' or at the deadline."),
    Verb(
        "regardless", (Form("regardless"),), "regardless",
        "The orders of this mail go on whatever fails: else a phase stays open, and you are asked, if one of your orders for it"
        " could not be carried out.",
    ),
    Verb(
        "draw", (Form("draw offer"), Form("draw withdraw"), Form("draw")), "draw offer",
        "Offers a draw in secret: nobody reads of it, unless the other side offers one too, which ends the game. An offer stands"
        " until the end of the next turn.",
    ),
    Verb("concede", (Form("concede GAME"),), "concede p1", "Gives the game up; it must be named."),
    Verb(
        "resign", (Form("resign GAME"), Form("resign GAME withdraw")), "resign p1",
        "Gives your seat up: others may ask for it, the referee is told. It is yours until somebody has it; up to then,"
        " 'resign p1 withdraw' takes it back.",
    ),
))
"""The words that only the service understands; 'add' and 'cancel' are read with the orders."""

REFEREE_VERBS = {
    "help": "help",
    "status": "status",
    "notes": "notes",
    "audit": "audit",
    "rolls": "rolls 3 {side} {phase} (or: rolls fairness)",
    "pause": "pause because …",
    "resume": "resume",
    "extend": "extend {side} 48 (hours; without a side: all who are asked)",
    "clock": "clock deadline 48, clock grace 12, clock runs mon-fri 08-22 …; alone: how it stands",
    "rewind": "rewind turn 3 {first} {phase} because …",
    "substitute": "substitute {side} new@example.org",
    "rule": "rule a ruling, put on record and mailed to both",
    "adjust": "{correction} because …",
    "as": "as {side} {order} (a line for each of that side's orders)",
}
"""What a referee may ask for, and how it is written; names in braces are of the title (:class:`pbem.orders.help.Examples`)."""

ALONE = ("check", "ready", "wait", "regardless", "orders", "status")
"""Verbs that mean the service only if nothing follows; otherwise the line is an order of the game, or wrong."""

ACTS = ("ready", "concede", "resign", "draw")
"""Verbs that cannot be taken back: 'ready?' is somebody else's question, not a request."""

POLITE = ("please", "thanks", "thank", "you")
"""Words that may stand behind a request."""


def take(lines: Sequence[Line]) -> tuple[list[ServiceRequest], list[Line]]:
    """The requests among ``lines``, and the lines that are left for the game."""
    requests, rest = [], []
    for line in lines:
        words = tokenise(line.text)
        while len(words) > 1 and (words[-1].kind == SEP or words[-1].text in POLITE):
            words.pop()
        verb = SERVICE.find(words[0].text) if words else None
        asked = line.text.rstrip().endswith("?")
        if verb is None or (verb.name in ALONE and len(words) > 1) or (verb.name in ACTS and asked) or _prose(verb, words[1:]):
            rest.append(line)
        else:
            args = tuple(fold(line.text[w.start : w.end]).strip(".!?") for w in words[1:])
            requests.append(ServiceRequest(verb.name, args, line))
    return requests, rest


def _prose(verb: Verb, words: Sequence[Token]) -> bool:
    """Whether a line begins like a request, but goes on like something else: 'draw back to Rome'."""
    return verb.name == "draw" and [w.text for w in words] not in ([], ["offer"], ["withdraw"])
