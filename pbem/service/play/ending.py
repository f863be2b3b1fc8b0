"""How a game ends by its players' will: one gives it up, or both want a draw; and what is told when it is over.

A draw is offered in secret: the other side reads nothing of it, before it has offered one itself.  An offer stands for the turn
in which it is made and the next one, or until it is withdrawn.
"""

from __future__ import annotations

import textwrap
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

from pbem.mail.compose import Attachment
from pbem.orders.club_verbs import ClubRequest
from pbem.reports import mails, render
from pbem.reports.wording import counted
from pbem.service.club import members, observing, options
from pbem.service.letters import mailing
from pbem.service.mailroom import identity
from pbem.service.play import game_session
from pbem.service.records import bundle
from pbem.service.mailroom.identity import Unclear
from pbem.service.records.game_story import chronicle
from pbem.service.club.club_requests import RequestContext, Denied
from pbem.service.club.lobby import find
from pbem.service.letters.mailing import Answered
from pbem.service.club.press import ALL
from pbem.service.play.game_session import GameSession
from pbem.store.api import OVER, REFEREE, Seat

STANDS = 1
"""An offer still stands so many turns after the one in which it was made."""

LARGE = 200_000
"""Bytes of a text from which on it is mailed packed."""


# -- giving up, and draws --------------------------------------------------------------------------------


def concede(play: GameSession, side: str) -> None:
    """A side gives the game up: it ends here, the seed is opened, both are told."""
    _end(play, {"act": "concede", "side": side}, f"{side} conceded", f"{side.capitalize()} gives the game up: it is over.")


def _end(play: GameSession, act: Mapping[str, Any], note: str, line: str) -> None:
    play.session.submit("control", act, "")
    rows = game_session.store_rows(play)
    play.game = game_session.stop(play.context, play.game.id, OVER, note)
    mailing.send(play, rows, lines=[line])


def draw(play: GameSession, side: str, what: str, answered: Answered) -> None:
    """'draw offer', 'draw withdraw', 'draw'; ``what`` is '' for the last.  Nobody is told but the side itself, until all
    sides have offered."""
    now = str(observing.turn(play.session.step_name))
    if what:
        play.seats[side] = replace(play.seats[side], draw=now if what == "offer" else "")
        play.keep_seats()
    if all(_stands(play, s) for s in play.rules.sides):
        _end(play, {"act": "draw"}, "draw agreed", "All sides have offered a draw: the game is over, without a winner.")
        return
    doc = mails.note(play.game.id, "A draw", [_own(play, side, withdrawn=what == "withdraw")])
    mailing.queue(play.context, play.game, play.seats[side], doc, mailing.NOTICE, answered=answered)


def _own(play: GameSession, side: str, withdrawn: bool) -> str:
    if not _stands(play, side):
        return f"{'Your offer is withdrawn.' if withdrawn else 'No offer of yours stands.'} Nobody was told of any."
    last = int(play.seats[side].draw) + STANDS
    return (
        f"You have offered a draw. It stands until the end of turn {last}, or 'draw withdraw'. Nobody is told; if the other side"
        " offers one, too, the game is over."
    )


def _stands(play: GameSession, side: str) -> bool:
    offered = play.seats[side].draw
    return offered != "" and observing.turn(play.session.step_name) - int(offered) <= STANDS


# -- what is told at the end -----------------------------------------------------------------------------


def files(play: GameSession) -> list[Attachment]:
    """What goes with the last mail: the bundle, with the seed; the story; all that each side was told."""
    game = play.game.id
    whole = Attachment(f"{game}.zip", "application/zip", bundle.packed(play.context, game))
    read = [_text(f"{game}-{side}.txt", told(play, side)) for side in play.rules.sides]
    return [whole, _text(f"{game}-story.txt", story(play)), *read]


def _text(name: str, text: str) -> Attachment:
    data = text.encode()
    if len(data) <= LARGE:
        return Attachment(name, "text/plain", data)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return Attachment(f"{name}.zip", "application/zip", packed.getvalue())


def told(play: GameSession, side: str) -> str:
    """Every report that a side was mailed, and the last position as it sees it."""
    games, rule = play.context.store.games, "=" * render.WIDTH
    found = [games.report(play.game.id, side, number) for number, _ in games.reports(play.game.id, side)]
    facts = mailing.facts(play, side)
    facts["deadline"] = None
    doc = play.rules.telling.report(facts, play.session.state, side, [], [])
    last = render.text_report({**doc, "kind": "report", "occasion": "the end"})
    return f"\n{rule}\n\n".join([*(identity.unaddressed(r.text) for r in found if r), last])


def story(play: GameSession) -> str:
    """The game turn by turn, and the battles that decided it, with nothing hidden."""
    found = chronicle(replace(play.context, geometry=lambda title: None), play.game.id)
    lines = [f"THE STORY OF GAME {play.game.id}", ""]
    for each in found["turns"]:
        points = ", ".join(f"{s.capitalize()} {n}" for s, n in each["points"].items())
        lost = ", ".join(
            f"{s.capitalize()} {', '.join(counted(n, what.removesuffix('s')) for what, n in lost.items())}"
            for s, lost in each["lost"].items()
        )
        lines.append(f"{each['label']}: points {points}; lost {lost}.")
    for battle in found["battles"]:
        lines += ["", f"{battle['turn']}: {battle['text']}", *(f"  * {line['text']}" for line in battle["lines"])]
    return "\n".join(textwrap.fill(line, render.WIDTH, subsequent_indent="    ") for line in lines) + "\n"


def full(at: RequestContext, request: ClubRequest) -> None:
    """'report full p1': after the end, for everybody who was in the game or observed it."""
    member = at.member
    game = find(at, request.args[0] if request.args else request.game or _only(at))
    mine: Seat | None = next((s for s in members.seats(at.context, member) if s.game == game.id), None)
    watched = [o.game for o in at.context.store.people.observed(member.id)]
    if mine is None and game.id not in watched and not members.held(at.context, game.id, member):
        raise Denied(f"you have no part in game {game.id}")
    if not bundle.ended(game) or not game.head:
        raise Denied(f"game {game.id} is {game.status}: the full reports of both sides are for after the end")
    play = game_session.take(at.context, game.id)
    doc = mails.note(game.id, "The full reports of both sides", [
        "With this mail: the journal with the seed of its dice ('pbem verify' checks it), the story, and what each side read.",
        *_press(play),
    ])
    if mine is not None:
        mailing.queue(at.context, game, mine, doc, mailing.NOTICE, answered=at.answered, files=files(play))
    else:
        mailing.send_text(at.context, member.address, f"[{game.id}] The full reports", doc, game=game.id, answered=at.answered,
                   attachments=files(play))


def _only(at: RequestContext) -> str:
    """The game that is meant where none is named."""
    watched = [o.game for o in at.context.store.people.observed(at.member.id)]
    if len(watched) == 1 and not at.person.seats:
        return watched[0]
    try:
        return identity.game_of(at.context, at.person, "").game
    except Unclear as why:
        raise Denied(f"{why}; or 'report full' and its name") from None


def _press(play: GameSession) -> Sequence[str]:
    """What was said to all and, if the game was made so, between the sides; what the referee was told is between him and them."""
    read = {ALL, *(play.rules.sides if options.of(play.game.options, "release") == "all" else ())}
    found = [p for p in play.context.store.people.press(play.game.id) if p.to in read and p.side != REFEREE or p.to == ALL]
    names = {s.side: s.name or s.side.capitalize() for s in play.seats.values()}
    said = [
        f"{'Not named' if p.anonymous else names.get(p.side, p.side)} to {p.to if p.to == ALL else p.to.capitalize()}, {p.step}:"
        f" {' '.join(p.text.split())}"
        for p in found
    ]
    return ["Press:", *said] if said and options.of(play.game.options, "press") != "no" else []
