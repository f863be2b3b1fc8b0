"""No byte that leaves for a side tells what only the other side may know.

The strongest form first: two games that differ in nothing but a side's secrets must look the same, to the
byte, to the other one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbem.bootstrap import geometry
from pbem.core.autoplay import answer
from pbem.core.chooser import Chooser
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.core.standing import STANDING
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.players import bots
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.board import known_to
from pbem.games.fab_sicily.position.data import SIDES, other
from pbem.games.fab_sicily.telling.report import report
from pbem.reports.maps.paint import map_svg
from pbem.reports.render import html_report, text_report
from pbem.scenarios.catalog import load
from tests.games.fab_sicily.mid_game import asks
from tests.games.fab_sicily.play import board
from tests.games.fab_sicily.tale import Tale


def outputs(view: dict[str, Any]) -> dict[str, str]:
    """All forms in which a report leaves, without the chain's head (it must differ)."""
    plain = {**view, "head": "0" * 64}
    return {
        "text": text_report(plain), "html": html_report(plain), "json": json.dumps(plain, sort_keys=True),
        "map": map_svg(plain["view"], geometry("fab_sicily"), moves=plain["moves"]),
    }  # fmt: skip


def shadow_game(first: str, second: str, third: str, steps: int) -> Tale:
    """A phase in which three hidden Axis blocks do what they do, whoever they are."""
    tale = Tale(board(
        f"""
        at 16 {first}/{steps} reserve
        at 17 {second} disordered
        at 15 {third}
        garrison 13 S-3
        at 13 50-1
        control allied 1 2 4 5
        available SA-ALLIED SA-AXIS 12ART
        """,
        "primosole_bridge",
    ))  # fmt: skip
    tale.step("2 axis movement")
    tale.tell(e.PhaseBegan(2, "axis", "movement", ("13",)))
    tale.answer("axis", "movement", f"move {first} to 11", scope="2 axis movement")
    tale.tell(e.Moved(first, ("16", "17", "11"), "operational", steps, "5.22"), e.Reserve(first, False, "5.21"))
    tale.tell(e.StatusSet(second, "recovering", "9.35"), e.SupplySet(third, False), e.Reserve(third, True, "5.21"), e.Dug(second))
    tale.answer("axis", "point-unit", f"point {third}", how="standing", scope="2 axis movement")
    skip = {"side": "axis", "id": "3.1", "text": f"move {third} to 14", "reason": f"{third} is slow", "rule": "5.2"}
    tale.add("skip", skip, "mail 4")
    tale.roll("axis", "secret look", "8.32", [steps], sides=10, secret=True)
    tale.tell(e.StepGained(third, "8.26"), e.StepLost(third, "9.4"))
    return tale


SECRETS = [("HG-1", "NAP-1", "SCH", 3), ("NAP-2", "HG-2", "HG-1", 2), ("SCH", "HG-2", "NAP-1", 1)]


@pytest.mark.parametrize("secrets", SECRETS[1:])
def test_other_secrets_same_bytes(secrets: tuple[str, str, str, int]) -> None:
    def seen(which: tuple[str, str, str, int]) -> dict[str, str]:
        tale = shadow_game(*which)
        return outputs(report(tale.game(), tale.state, "allied", tale.rows, asks()))

    assert seen(secrets) == seen(SECRETS[0])


def test_the_owner_does_see_them() -> None:
    tale = shadow_game(*SECRETS[0])
    told = outputs(report(tale.game(), tale.state, "axis", tale.rows, asks()))
    assert all("HG-1" in told[k] for k in told)


# -- whole games ----------------------------------------------------------------------------------------


def played(seed: int, bot: Callable[[Any, Any], Any], scenario: str = "primosole_bridge") -> Iterator[tuple[Session, int]]:
    """A game by bots; stops at the start of each player turn and at the end, with the row of the last stop."""
    session = Session.start(
        "leak", RULESET, load("fab_sicily", scenario), {}, SeededDice(bytes([seed]) * 32), "2026-01-01T00:00:00Z", {}
    )  # fmt: skip
    player_turn, last = "", 0
    while session.run():
        if RULESET.player_turn(session.step_name) != player_turn:
            yield session, last
            player_turn, last = RULESET.player_turn(session.step_name), session.seq
        for ask in list(session.open):
            if session.pending(ask):
                answer(session, ask, bot(session.state, ask).key)
    yield session, last


def named(text: str, block: str) -> bool:
    return bool(re.search(rf"(?<![\w.-]){re.escape(block)}(?![\w.-])", text))


@pytest.mark.parametrize(
    ("seed", "scenario"), [(1, "primosole_bridge"), (2, "primosole_bridge"), (1, "tournament")], ids=["1", "2", "tournament"]
)
@pytest.mark.parametrize("kind", ["planner", "random"])
def test_no_report_of_a_game_names_a_block_that_its_rows_do_not_show(seed: int, scenario: str, kind: str) -> None:
    bot = bots.planner if kind == "planner" else bots.random_bot(Chooser(f"leaks {seed}"))
    for session, last in played(seed, bot, scenario):
        rows = [r for r in session.new_rows if r.seq >= last]
        events = [r.payload for r in rows if r.kind == "event"]
        shown = {v for p in events if p["open"] for v in p["event"].values() if isinstance(v, str)}
        shown |= set(session.state.released)  # 14.61: the status of a formation is public
        for side in SIDES:
            mine = session.plans.of(side)
            told = report(
                {
                    "id": "leak", "players": {"allied": "Ann", "axis": "Bob"}, "number": 2, "step": session.step_name,
                    "deadline": None, "head": session.head, "seq": session.seq, "commitment": "",
                    "seed": "00" if session.over else "",
                },
                session.state, side, rows, [a for a in session.open if session.pending(a)],
                standing=[d for d in mine if d.mode == STANDING], plans=mine,
            )  # fmt: skip
            hidden = [
                b for b in session.state.data.blocks.values()
                if b.side == other(side) and not known_to(session.state, side, b.id) and b.id not in shown and not b.id.isdigit()
                and b.id not in session.state.data.borders
            ]  # fmt: skip
            text = text_report(told) + html_report(told) + json.dumps(told)
            assert not [b.id for b in hidden if named(text, b.id)]


@pytest.mark.rule("fab_sicily", "22.24")
def test_the_axis_is_not_told_the_plan_while_the_allies_still_place_beachheads() -> None:
    dice = SeededDice(b"p" * 32)
    session = Session.start("plan", RULESET, load("fab_sicily", "campaign"), {}, dice, "2026-01-01T00:00:00Z", {})
    for key in ("done", "plan alternate", "beachhead A2", "beachhead B2"):
        session.run()
        answer(session, session.open[0], key)
    session.run()
    assert [a.kind for a in session.open] == ["beachhead"]
    game = {**Tale(session.state).game(), "step": session.step_name}
    told = outputs(report(game, session.state, "axis", session.new_rows, session.open))
    for form, text in told.items():
        words = text if form != "json" else json.dumps({**json.loads(text), "order_words": []})
        assert not re.search(r"alternate|22\.26|beachhead A2|'A2'|\"A2\"", words.replace('"landing": "A2"', "")), form
