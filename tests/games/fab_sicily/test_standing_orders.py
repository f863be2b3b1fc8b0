"""Standing orders: how they are written, numbered, replaced and cancelled, and that the engine follows them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.dice import NoSecret
from pbem.core.standing import Directive, directive
from pbem.core.standing import Test as Condition
from pbem.games.fab_sicily.players import scripted
from pbem.games.fab_sicily.words.asks import CATALOGUE
from tests.games.fab_sicily.play import Play, board
from tests.games.fab_sicily.test_orders import MOVE, parse, position


def standing(line: str, **more: Any) -> list[tuple[str, str, list[str], list[tuple[str, str, Any]]]]:
    """Kind, where, choices and tests of the directives of one standing order."""
    parsed = parse(line, **more)
    assert parsed.good, parsed.diagnostics
    assert all(d["mode"] == "standing" and d["scope"] == "" for d in parsed.directives)
    return [
        (d["kind"], d["where"], d["choices"], [(t["fact"], t["op"], t["value"]) for t in d["tests"]]) for d in parsed.directives
    ]


def in_force(*lines: str, side: str = "allied") -> list[Directive]:
    """Directives as the engine would keep them."""
    data = [d for line in lines for d in parse(line, side=side).directives]
    return [directive({**d, "id": f"7.{i}", "side": side}) for i, d in enumerate(data)]


STEPS_1, HITS_2 = ("steps", "=", 1), ("hits", ">=", 2)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("standing when retreat-or-loss if steps = 1 then retreat", [("retreat-or-loss", "", ["retreat"], [STEPS_1])]),
        (
            "standing when retreat-or-loss at 14, Sortino if steps = 1 and hits >= 2 then retreat or lose",
            [("retreat-or-loss", "14", ["retreat", "lose"], [STEPS_1, HITS_2]),
             ("retreat-or-loss", "12", ["retreat", "lose"], [STEPS_1, HITS_2])],
        ),
        ("standing retreat if hits is at least 2 then yes", [("retreat-or-loss", "", ["retreat"], [HITS_2])]),
        ("standing when abort if hits more than 2 then abort", [("abort", "", ["abort"], [("hits", ">", 2)])]),
        ("standing when abort if hits not 2 then no", [("abort", "", ["press"], [("hits", "!=", 2)])]),
        ("standing when assets if role = defence then any artillery or battle or done",
         [("assets", "", ["battle", "done"], [("role", "=", "defence")])]),
        ("standing when losses then lose 50BA or asset or lose weakest", [("loss", "", ["lose 50BA", "asset", "weakest"], [])]),
        ("standing when bridge at 12-15 then blow", [("bridge", "12-15", ["blow"], [])]),
        ("standing when interception if mission = support then intercept or none",
         [("intercept", "", ["intercept", "none"], [("mission", "=", "support")])]),
        ("standing when crossing at 50/1 then stay", [("crossing", "50-1", ["stay"], [])]),
        ("standing when crossing at Lentini then stay", [("crossing", "", ["stay"], [("area", "=", "14")])]),
        ("standing when retreat-to at 14 then retreat to 12 or first",
         [("retreat-to", "", ["retreat to 12", "first"], [("area", "=", "14")])]),
        ("standing when clear-works at 3CDO then fire", [("clear-works", "3CDO", ["fire"], [])]),
        ("standing when before-battle if enemies > 1 then reinforce with 51/1 or retreat or stand",
         [("before-battle", "", ["reinforce with 51-1 using sa", "retreat", "stand"], [("enemies", ">", 1)])]),
        ("standing when reaction then pass", [("reaction", "", ["done"], [])]),
        ("standing when battle at 15 then fight 15", None),
        ("standing when point-unit then point 50/1 or strongest", [("point-unit", "", ["point 50-1", "strongest"], [])]),
        ("standing when overstack at 14 then leave 50/1 or default", [("overstack", "14", ["leave 50-1", "default"], [])]),
    ],
)  # fmt: skip
def test_standing_orders(line: str, expected: Any) -> None:
    if expected is None:
        assert parse(line).diagnostics[0].code == "nowhere"
        return
    if "any artillery or" in line:
        expected = [(k, w, ["add any-artillery", *c], t) for k, w, c, t in expected]
        line = line.replace("any artillery", "add any artillery")
    assert standing(line) == expected


def test_an_area_means_all_its_rivers() -> None:
    data = position().data
    rivers = {b.id for b in data.borders.values() if b.river and "14" in (b.a, b.b)}
    assert {where for _, where, _, _ in standing("standing when bridge at Lentini then blow")} == rivers
    assert parse("standing when bridge at Modica then blow").diagnostics[0].code == "river"


def test_a_standing_battle_plan() -> None:
    found = standing("standing battle any with any artillery; lose weakest; abort at 3 hits; exploit no")
    assert found == [
        ("assets", "", ["add any-artillery", "done"], []),
        ("loss", "", ["weakest"], []),
        ("abort", "", ["abort"], [("hits", ">=", 3)]),
        ("abort", "", ["press"], []),
        ("exploit-check", "", ["decline"], []),
    ]


def test_every_kind_has_an_example_that_is_one_standing_order_for_it() -> None:
    for kind in CATALOGUE.kinds:
        if kind.example:
            side = "axis" if "LIV/1" in kind.example else "allied"
            parsed = parse(kind.example.replace("LIV/1", "NAP/1"), side=side)
            assert parsed.good, parsed.diagnostics
            assert {d["kind"] for d in parsed.directives} == {kind.name}


@pytest.mark.parametrize(
    ("line", "code", "marked"),
    [
        ("standing when bridg then blow", "no", "bridg"),
        ("standing when retreat-or-losss then retreat", "unknown", "retreat-or-losss"),
        ("standing when bridge then explode", "choice", "explode"),
        ("standing when bridge blow", "missing", "blow"),
        ("standing when bridge then", "missing", ""),
        ("standing when abort if hitz > 3 then abort", "fact", "hitz"),
        ("standing when abort if hits > many then abort", "number", "many"),
        ("standing when abort if hits then abort", "operator", "then"),
        ("standing when abort if hits > 3 or steps = 1 then abort", "or", "or"),
        ("standing when intercept if mission = supply then none", "value", "supply"),
        ("standing when loss then lose HG/1", "unknown", "HG/1"),
        ("standing battle any", "standing", "battle"),
    ],
)
def test_what_is_wrong_with_a_standing_order(line: str, code: str, marked: str) -> None:
    parsed = parse(line)
    if code == "no":
        assert parsed.directives[0]["kind"] == "bridge", "a part of a name is enough"
        return
    [d] = parsed.diagnostics
    assert (d.code, d.line.text[d.column : d.column + d.length]) == (code, marked)
    assert not parsed.directives


# -- numbers, cancelling, replacing ---------------------------------------------------------------------

KEPT = ("standing when bridge at Lentini then blow", "standing when abort then press", "standing when loss then weakest")


def test_cancelling_by_number_all_phase_and_id() -> None:
    force = in_force(*KEPT, "move 50/1 to 12")
    bridges = [d.id for d in force if d.kind == "bridge"]
    assert len(bridges) > 1
    assert parse("cancel standing 1", in_force=force).cancel == bridges
    assert parse("cancel standing 2", in_force=force).cancel == [d.id for d in force if d.kind == "abort"]
    assert parse("cancel standing all", in_force=force).cancel == [d.id for d in force if d.mode == "standing"]
    assert parse("cancel all", in_force=force).cancel == [d.id for d in force if d.mode != "standing"]
    assert parse("cancel movement", in_force=force).cancel == [d.id for d in force if d.scope == MOVE]
    assert parse("cancel 7.0", in_force=force).cancel == ["7.0"]


@pytest.mark.parametrize(
    "line", ["cancel standing 4", "cancel standing 0", "cancel", "cancel 9.9", "cancel combat", "cancel nonsense"]
)
def test_what_is_not_there_cannot_be_cancelled(line: str) -> None:
    parsed = parse(line, in_force=in_force(*KEPT))
    assert [d.severity for d in parsed.diagnostics] == ["error"]
    assert not parsed.cancel


def test_nobody_cancels_the_orders_of_the_other_side() -> None:
    force = in_force("standing when bridge then blow", side="axis")
    parsed = parse("cancel standing all", "cancel 7.0", in_force=force)
    assert parsed.cancel == []


def test_a_new_order_for_the_same_case_replaces_the_old_one() -> None:
    force = in_force(*KEPT)
    parsed = parse("standing when abort then abort", in_force=force)
    assert parsed.cancel == [d.id for d in force if d.kind == "abort"]
    assert not parse("standing when abort at 14 then abort", in_force=in_force("standing when abort at 12 then press")).cancel


def test_an_order_behind_a_wider_one_is_warned_of() -> None:
    parsed = parse("standing when abort if hits >= 3 then abort", in_force=in_force(*KEPT))
    assert [d.code for d in parsed.diagnostics] == ["behind"]
    assert parsed.directives


# -- followed by the engine -------------------------------------------------------------------------------

BATTLE = "at 15 50-1 50-2\nat 15 HG-1\ncontrol allied 4 6 12 15\nbeachhead B3\navailable 24ART 98ART"


def test_a_mail_with_plans_plays_a_battle_without_a_question() -> None:
    play = Play(
        board(BATTLE), "2 allied combat",
        dice=_Fours(),
        orders={
            "allied": ["battle 15 with 24th, 98th artillery; point 50/1; abort at 2 hits", "standing when loss then strongest"],
            "axis": scripted.standing_orders("axis"),
        },
    )  # fmt: skip
    assert not [d for d in play.diagnostics if d.severity != "warning"]
    assert not play.skips
    committed = [e["chit"] for e in play.of("AssetCommitted") if e["side"] == "allied"]
    assert committed == ["24ART", "98ART"]
    assert play.of("PointUnits")[0]["attacker"] == "50-1"


def test_an_asset_that_is_not_available_is_skipped_with_the_reason() -> None:
    play = Play(
        board(BATTLE), "2 allied combat", dice=_Fours(),
        orders={"allied": ["battle 15 with 66ART, 24ART; point 50/1; abort never"], "axis": scripted.standing_orders("axis")},
        default=True,
    )  # fmt: skip
    [skip] = play.skips
    assert skip["text"].startswith("battle 15 with 66ART, 24ART;") and "Available Box" in skip["reason"]
    assert [e["chit"] for e in play.of("AssetCommitted") if e["side"] == "allied"] == ["24ART"]


@pytest.mark.rule("fab_sicily", "5.22")
def test_a_spelled_way_is_gone_and_a_wrong_one_refused_by_rule() -> None:
    text = "at 5 50-1\ncontrol allied 4 5 6 12 13 14"
    play = Play(board(text), MOVE, orders={"allied": ["move 50/1 to Augusta, Lentini"]})
    assert play.of("Moved")[0]["path"] == ["5", "13", "14"] and not play.skips
    play = Play(board(text), MOVE, orders={"allied": ["move 50/1 to 12, 25"]})
    assert len(play.skips) == 1 and play.skips[0]["rule"]


def test_the_tests_of_a_standing_order_are_the_engines() -> None:
    [d] = in_force("standing when abort if hits >= 3 then abort")
    assert d.tests == (Condition("hits", ">=", 3),)


class _Fours(NoSecret):
    """Every die shows four."""

    def face(self, *args: Any) -> int:
        return 4
