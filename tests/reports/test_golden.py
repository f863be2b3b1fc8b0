"""Whole reports of a whole game, for both sides, word for word.

The game is played by a chooser of its own, from fixed dice, so that only a change of the rules or of the reports changes
them.  ``PBEM_GOLDEN=write pytest tests/reports/test_golden.py`` writes them anew; read the difference before you keep it.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import answer
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games import find_title
from pbem.reports import mails, schema, when
from pbem.reports.render import html_report, text_report
from pbem.scenarios.catalog import load

GOLDEN = Path(__file__).with_name("golden")
NOW = "2026-08-12T13:00:00Z"
RULES = find_title("fab_sicily")
SIDES = RULES.sides
PLAYERS = {"allied": "Ann", "axis": "Bob <b>& Co</b>"}
IN_HTML = 4
"""The report that is kept as HTML too."""


def choice(ask: Ask, number: int) -> Option:
    """A choice that depends on the question alone: three times out of five not the default."""
    throw = zlib.crc32(f"{ask.scope} {ask.kind} {ask.where} {number}".encode())
    if throw % 5 < 2 or len(ask.options) == 1:
        return ask.option(ask.default) or ask.options[0]
    return ask.options[throw // 5 % len(ask.options)]


@cache
def reports() -> dict[str, list[dict[str, Any]]]:
    """The reports of a game, by side: one at the end of each player turn, and the last one."""
    dice = SeededDice(b"golden".ljust(32, b"."))
    start = {"commitment": dice.commitment}
    session = Session.start("g1", RULES, load("fab_sicily", "primosole_bridge"), {}, dice, NOW, start)
    found: dict[str, list[dict[str, Any]]] = {s: [] for s in SIDES}
    told, player_turn, number = 0, "", 0
    while session.run():
        here = RULES.player_turn(session.step_name)
        if here != player_turn or not told:
            told = add(found, session, told)
            player_turn = here
        for ask in list(session.open):
            if session.pending(ask):
                number += 1
                answer(session, ask, choice(ask, number).key, "mail 7 line 2")
    add(found, session, told)
    return found


def add(found: dict[str, list[dict[str, Any]]], session: Session, told: int) -> int:
    """A report for each side of what has happened since row ``told``."""
    rows = [r for r in session.new_rows if r.seq >= told]
    asks = [a for a in session.open if session.pending(a)]
    for side in SIDES:
        number = len(found[side]) + 1
        game = {
            "id": "g1", "players": PLAYERS, "number": number, "step": session.step_name, "head": session.head,
            "seq": session.seq - 1, "commitment": "c0" * 32, "seed": "5e" * 32 if session.over else "",
            "deadline": when.deadline("2026-08-15T13:00:00Z", "Europe/Rome", NOW),
        }  # fmt: skip
        bad = mails.finding("refused", "it has moved already", no=2, text="move 50-1 to 26", length=15, rule="5.22")
        mail = (
            mails.taken(["phase 1 allied movement", "move 5-1 to 6"], [bad], ["4 quoted lines were ignored."])
            if number == 3
            else None
        )
        found[side].append(RULES.telling.report(game, session.state, side, rows, asks, receipt=mail))
    return session.seq


def cases() -> Iterator[tuple[str, int]]:
    for side in SIDES:
        yield from ((side, number) for number in range(len(reports()[side])))


def compare(name: str, text: str) -> None:
    """With the file that is kept."""
    path = GOLDEN / name
    if os.environ.get("PBEM_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; see the top of this test"


def test_the_game_is_a_whole_one() -> None:
    for side in SIDES:
        kinds = [doc["kind"] for doc in reports()[side]]
        assert len(kinds) > 8 and kinds[0] == "welcome" and kinds[-1] == "over" and set(kinds[1:-1]) == {"report"}
    assert len(list(GOLDEN.glob("*.txt"))) == len(list(cases()))


@pytest.mark.parametrize(("side", "number"), list(cases()))
def test_text(side: str, number: int) -> None:
    text = text_report(reports()[side][number])
    assert all(len(line) <= 72 for line in text.split("\n"))
    compare(f"{side}-{number + 1:02d}.txt", text)


@pytest.mark.parametrize("side", SIDES)
def test_html(side: str) -> None:
    doc = reports()[side][IN_HTML]
    compare(f"{side}-{IN_HTML + 1:02d}.html", html_report(doc, [{"cid": "map", "alt": "Map of turn 2"}]) + "\n")


@pytest.mark.parametrize(("side", "number"), list(cases()))
def test_other_forms(side: str, number: int) -> None:
    doc = reports()[side][number]
    schema.check(json.dumps(schema.data(doc)).encode())
    page = html_report(doc, [])
    assert (
        len(page.encode()) < 100_000
        and "<b>& Co" not in page
        and "Bob &lt;b&gt;&amp; Co&lt;/b&gt;" in html_report(reports()["axis"][0])
    )
