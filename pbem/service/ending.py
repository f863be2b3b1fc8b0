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
from pbem.service import accounts, bundle, members, observing, options, post, turns
from pbem.service.accounts import Unclear
from pbem.service.chronicle import chronicle
from pbem.service.counter import At, Denied
from pbem.service.lobby import find
from pbem.service.post import Answered
from pbem.service.pressing import ALL
from pbem.service.turns import Table
from pbem.store.api import OVER, REFEREE, Seat

STANDS = 1
"""An offer still stands so many turns after the one in which it was made."""

LARGE = 200_000
"""Bytes of a text from which on it is mailed packed."""


# -- giving up, and draws --------------------------------------------------------------------------------


def concede(table: Table, side: str) -> None:
    """A side gives the game up: it ends here, the seed is opened, both are told."""
    _end(table, {"act": "concede", "side": side}, f"{side} conceded", f"{side.capitalize()} gives the game up: it is over.")


def _end(table: Table, act: Mapping[str, Any], note: str, line: str) -> None:
    table.session.submit("control", act, "")
    rows = turns.store_rows(table)
    table.game = turns.stop(table.desk, table.game.id, OVER, note)
    post.send(table, rows, lines=[line])


def draw(table: Table, side: str, what: str, answered: Answered) -> None:
    """'draw offer', 'draw withdraw', 'draw'; ``what`` is '' for the last.  Nobody is told but the side itself, until all
    sides have offered."""
    now = str(observing.turn(table.session.step_name))
    if what:
        table.seats[side] = replace(table.seats[side], draw=now if what == "offer" else "")
        table.keep_seats()
    if all(_stands(table, s) for s in table.rules.sides):
        _end(table, {"act": "draw"}, "draw agreed", "All sides have offered a draw: the game is over, without a winner.")
        return
    doc = mails.note(table.game.id, "A draw", [_own(table, side, withdrawn=what == "withdraw")])
    post.queue(table.desk, table.game, table.seats[side], doc, post.NOTICE, answered=answered)


def _own(table: Table, side: str, withdrawn: bool) -> str:
    if not _stands(table, side):
        return f"{'Your offer is withdrawn.' if withdrawn else 'No offer of yours stands.'} Nobody was told of any."
    last = int(table.seats[side].draw) + STANDS
    return (
        f"You have offered a draw. It stands until the end of turn {last}, or 'draw withdraw'. Nobody is told; if the other side"
        " offers one, too, the game is over."
    )


def _stands(table: Table, side: str) -> bool:
    offered = table.seats[side].draw
    return offered != "" and observing.turn(table.session.step_name) - int(offered) <= STANDS


# -- what is told at the end -----------------------------------------------------------------------------


def files(table: Table) -> list[Attachment]:
    """What goes with the last mail: the bundle, with the seed; the story; all that each side was told."""
    game = table.game.id
    whole = Attachment(f"{game}.zip", "application/zip", bundle.packed(table.desk, game))
    read = [_text(f"{game}-{side}.txt", told(table, side)) for side in table.rules.sides]
    return [whole, _text(f"{game}-story.txt", story(table)), *read]


def _text(name: str, text: str) -> Attachment:
    data = text.encode()
    if len(data) <= LARGE:
        return Attachment(name, "text/plain", data)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return Attachment(f"{name}.zip", "application/zip", packed.getvalue())


def told(table: Table, side: str) -> str:
    """Every report that a side was mailed, and the last position as it sees it."""
    games, rule = table.desk.store.games, "=" * render.WIDTH
    found = [games.report(table.game.id, side, number) for number, _ in games.reports(table.game.id, side)]
    doc = table.rules.report({**post.facts(table, side), "deadline": None}, table.session.state, side, [], [])
    last = render.text_report({**doc, "kind": "report", "occasion": "the end"})
    return f"\n{rule}\n\n".join([*(accounts.unaddressed(r.text) for r in found if r), last])


def story(table: Table) -> str:
    """The game turn by turn, and the battles that decided it, with nothing hidden."""
    found = chronicle(replace(table.desk, geometry=lambda title: None), table.game.id)
    lines = [f"THE STORY OF GAME {table.game.id}", ""]
    for each in found["turns"]:
        points = ", ".join(f"{s.capitalize()} {n}" for s, n in each["points"].items())
        lost = ", ".join(f"{s.capitalize()} {counted(n['steps'], 'step')}, {counted(n['blocks'], 'block')}"
                         for s, n in each["lost"].items())
        lines.append(f"{each['label']}: points {points}; lost {lost}.")
    for battle in found["battles"]:
        lines += ["", f"{battle['turn']}: {battle['text']}", *(f"  * {line['text']}" for line in battle["lines"])]
    return "\n".join(textwrap.fill(line, render.WIDTH, subsequent_indent="    ") for line in lines) + "\n"


def full(at: At, request: ClubRequest) -> None:
    """'report full p1': after the end, for everybody who was in the game or observed it."""
    member = at.member
    game = find(at, request.args[0] if request.args else request.game or _only(at))
    mine: Seat | None = next((s for s in members.seats(at.desk, member) if s.game == game.id), None)
    watched = [o.game for o in at.desk.store.people.observed(member.id)]
    if mine is None and game.id not in watched and not members.held(at.desk, game.id, member):
        raise Denied(f"you have no part in game {game.id}")
    if game.status not in bundle.ENDED or not game.head:
        raise Denied(f"game {game.id} is {game.status}: the full reports of both sides are for after the end")
    table = turns.take(at.desk, game.id)
    doc = mails.note(game.id, "The full reports of both sides", [
        "With this mail: the journal with the seed of its dice ('pbem verify' checks it), the story, and what each side read.",
        *_press(table),
    ])
    if mine is not None:
        post.queue(at.desk, game, mine, doc, post.NOTICE, answered=at.answered, files=files(table))
    else:
        post.loose(at.desk, member.address, f"[{game.id}] The full reports", doc, game=game.id, answered=at.answered,
                   attachments=files(table))


def _only(at: At) -> str:
    """The game that is meant where none is named."""
    watched = [o.game for o in at.desk.store.people.observed(at.member.id)]
    if len(watched) == 1 and not at.person.seats:
        return watched[0]
    try:
        return accounts.game_of(at.desk, at.person, "").game
    except Unclear as why:
        raise Denied(f"{why}; or 'report full' and its name") from None


def _press(table: Table) -> Sequence[str]:
    """What was said to all and, if the game was made so, between the sides; what the referee was told is between him and them."""
    read = {ALL, *(table.rules.sides if options.of(table.game.options, "release") == "all" else ())}
    found = [p for p in table.desk.store.people.press(table.game.id) if p.to in read and p.side != REFEREE or p.to == ALL]
    names = {s.side: s.name or s.side.capitalize() for s in table.seats.values()}
    said = [
        f"{'Not named' if p.anonymous else names.get(p.side, p.side)} to {p.to if p.to == ALL else p.to.capitalize()}, {p.step}:"
        f" {' '.join(p.text.split())}"
        for p in found
    ]
    return ["Press:", *said] if said and options.of(table.game.options, "press") != "no" else []
