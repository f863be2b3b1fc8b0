"""The roll history and what is said about the dice."""

import csv
import io
import json
import random
import re

import pytest

from pbem.audit import charts, history, stats
from pbem.audit.history import Roll
from tests.audit.conftest import Parts
from pbem.core.journal import Row
from pbem.games.fab_sicily import RULESET as RULES


DICE = ("d10", "2d6")


def rolls_of(game: Parts, side: str = "") -> list[Roll]:
    return history.history([Row(**r) for r in game.rows], side, RULES.succeeds)


def made(n: int, side: str = "allied", faces: int = 1, target: int | None = 5, seed: int = 1) -> list[Roll]:
    """Rolls with good dice."""
    dice = random.Random(seed)
    found = []
    for i in range(n):
        thrown = tuple(dice.randint(1, 10) for _ in range(faces))
        hits = None if target is None else sum(f == 1 or (f != 10 and f <= target) for f in thrown)
        found.append(Roll(i + 1, i, 1 + i // 50, f"{side} combat", side, "fire", "6.27", 10, thrown, (), target, hits, 1))
    return found


def test_each_roll_of_the_journal_is_told_once_and_numbered(game: Parts) -> None:
    found = rolls_of(game)
    rolls = game.all("roll")
    assert [r.row for r in found] == [r["seq"] for r in rolls]
    assert [r.number for r in found] == list(range(1, len(rolls) + 1))
    assert all(list(r.faces) == x["payload"]["faces"] for r, x in zip(found, rolls, strict=True))
    back = game.rewind()
    undone = [r for r in found if r.undone]
    assert undone and all(r.row < back and r.attempt == 1 for r in undone)
    assert all(r.attempt == 2 for r in found if r.row > back)


def test_a_secret_roll_is_a_gap_for_the_other_side() -> None:
    rows = [
        Row("g", 0, 1, "step", {"name": "2 axis admin", "attempt": 1}, "", "", "", ""),
        *(
            Row("g", i, 1, "roll", {
                "purpose": "p", "rule": "8.32", "side": "axis", "sides": 3, "faces": [i], "mods": [], "target": None,
                "attempt": 1, "secret": i == 2,
            }, "", "", "", "") for i in (1, 2, 3)
        ),
    ]  # fmt: skip
    assert [r.number for r in history.history(rows, "axis")] == [1, 2, 3]
    assert [r.number for r in history.history(rows, "allied")] == [1, 3]
    assert [r.turn for r in history.history(rows)] == [2, 2, 2]


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ("1", lambda r: r.turn == 1), ("axis combat", lambda r: r.side == "axis" and "combat" in r.phase),
        ("6.27", lambda r: r.rule == "6.27"),
        ("morale", lambda r: "morale" in r.purpose), ("turn 1 draw", lambda r: "draw" in r.phase), ("", lambda r: True),
    ],
)  # fmt: skip
def test_words_choose_rolls(game: Parts, words: str, fits) -> None:
    found = history.matching(rolls_of(game), words.split())
    assert found and all(fits(r) for r in found)


def test_the_table_is_narrow_and_the_files_hold_all(game: Parts) -> None:
    found = rolls_of(game)
    lines = history.table(found)
    assert max(map(len, lines)) <= 72
    assert sum(bool(re.match(r" {0,4}\d+  ", line)) for line in lines) == len(found)
    rows = list(csv.DictReader(io.StringIO(history.as_csv(found))))
    plain = json.loads(history.as_json(found))
    assert len(rows) == len(plain) == len(found)
    with_mods = next(r for r in found if len(r.mods) > 1)
    row = next(r for r in rows if r["number"] == str(with_mods.number))
    assert row["mods"] == "; ".join(f"{n} {v:+d}" for n, v in with_mods.mods)
    assert row["faces"] == " ".join(map(str, with_mods.faces))


# -- fairness ----------------------------------------------------------------------------------------


def test_fair_dice_pass() -> None:
    found = stats.all_sides([*made(300), *made(300, "axis", seed=2)], ["allied", "axis"], DICE, RULES.succeeds)
    assert [f.n for f in found] == [600, 300, 300]
    assert all("Nothing here" in f.verdict for f in found)
    assert all(abs(f.sigma) < 3 for f in found)


def test_loaded_dice_are_noticed() -> None:
    loaded = [Roll(i, i, 1, "axis combat", "axis", "fire", "6.27", 10, (1 + i % 3,), (), 5, 1, 1) for i in range(120)]
    found = stats.all_sides(loaded, ["allied", "axis"], DICE, RULES.succeeds)[2]
    assert found.faces.corrected is not None and found.faces.corrected < 0.001
    assert "Worth a look: the faces" in found.verdict and "the luck" in found.verdict


def test_dice_that_alternate_are_noticed() -> None:
    faces = [(1 + i // 2 % 5 if i % 2 else 6 + i // 2 % 5,) for i in range(200)]
    rolls = [Roll(i, i, 1, "c", "axis", "", "", 10, f, (), None, None, 1) for i, f in enumerate(faces)]
    found = stats.all_sides(rolls, ["axis"], DICE, RULES.succeeds)[1]
    assert found.faces.p is not None and found.faces.p > 0.9
    assert found.order.corrected is not None and found.order.corrected < 0.001 and "their order" in found.verdict


def test_few_dice_say_nothing() -> None:
    found = stats.fairness(made(12), "d10", RULES.succeeds)
    assert found.faces.p is None and found.order.p is None and found.luck.p is None and "too few" in found.verdict
    assert stats.fairness([], "d10", RULES.succeeds).n == 0


def test_corrected_for_many_looks() -> None:
    """Of many fair games hardly any is under suspicion, however often it is looked at."""
    alarms = 0
    for seed in range(60):
        rolls = [*made(100, seed=seed), *made(100, "axis", seed=1000 + seed)]
        alarms += any("Worth" in f.verdict for f in stats.all_sides(rolls, ["allied", "axis"], DICE, RULES.succeeds))
    assert alarms <= 2
    [one] = [f for f in stats.all_sides(made(100), ["allied"], DICE, RULES.succeeds) if f.side == "allied"]
    assert one.faces.p is not None and one.faces.corrected is not None and one.faces.corrected >= one.faces.p


def test_the_words_are_narrow_and_say_how_p_was_corrected(game: Parts) -> None:
    lines = stats.text(stats.all_sides(rolls_of(game), ["allied", "axis"], DICE, RULES.succeeds), 2)
    assert max(map(len, lines)) <= 72 and "Holm" in " ".join(lines) and "2 looks" in " ".join(lines)


def test_luck_is_the_balance_of_successes() -> None:
    rolls = made(40, faces=3)
    number, balance, error = stats.luck_over_time(rolls, RULES.succeeds, "allied")[-1]
    f = stats.fairness(rolls, "d10", RULES.succeeds, "allied")
    assert number == 40 and balance == pytest.approx(f.actual - f.expected) and error == pytest.approx(f.error)


def test_the_picture_is_well_formed_even_without_dice(game: Parts) -> None:
    from xml.etree import ElementTree

    for rolls in (rolls_of(game), []):
        tested = stats.all_sides(rolls, ["allied", "axis"], DICE, RULES.succeeds)
        ElementTree.fromstring(charts.chart(rolls, tested, RULES.succeeds, "a <title> & more"))


# -- other dice ---------------------------------------------------------------------------------------


def summed(n: int, side: str = "allied", seed: int = 1, loaded: bool = False) -> list[Roll]:
    """Rolls of two six-sided dice that are added up."""
    dice, found = random.Random(seed), []
    for i in range(n):
        faces = (6, 6) if loaded and i % 3 == 0 else (dice.randint(1, 6), dice.randint(1, 6))
        found.append(Roll(i, i, 1, "c", side, "combat", "9.1", 6, faces, (), None, None, 1, outcome={"sum": sum(faces)}))
    return found


def test_the_sums_of_dice_have_their_own_chances() -> None:
    due = stats.chances("2d6")
    assert list(due) == list(range(2, 13)) and due[7] == pytest.approx(1 / 6) and due[2] == pytest.approx(1 / 36)
    assert stats.chances("d10") == dict.fromkeys(range(1, 11), 0.1)


def test_each_kind_of_die_is_counted_by_itself() -> None:
    found = stats.all_sides([*made(100), *summed(200)], ["allied", "axis"], DICE, RULES.succeeds)
    assert [(f.die, f.side, f.n) for f in found] == [
        ("d10", "all", 100), ("d10", "allied", 100), ("d10", "axis", 0),
        ("2d6", "all", 200), ("2d6", "allied", 200), ("2d6", "axis", 0),
    ]
    lines = stats.text(found, 1)
    assert max(map(len, lines)) <= 72 and any(line.startswith("Sum 2d6") for line in lines)


def test_loaded_sums_are_noticed_and_fair_ones_are_not() -> None:
    for loaded in (False, True):
        f = stats.all_sides(summed(300, loaded=loaded), ["allied"], ("2d6",), RULES.succeeds)[0]
        assert f.faces.corrected is not None and (f.faces.corrected < 0.001) == loaded


@pytest.mark.parametrize(
    ("freedom", "chi2", "p"),
    [(9, 16.919, 0.05), (9, 21.666, 0.01), (10, 18.307, 0.05), (1, 3.841, 0.05), (5, 1.145, 0.95), (9, 0, 1)],
)
def test_the_p_of_chi_square_is_that_of_the_tables(freedom: int, chi2: float, p: float) -> None:
    assert stats.upper_gamma(freedom / 2, chi2 / 2) == pytest.approx(p, abs=2e-4)


def test_a_table_roll_is_told_with_row_column_shifts_and_cell() -> None:
    look_up = {"table": "CRT", "row": "6", "column": "4:1", "shifts": [["armor", 1]], "cell": "D2", "status": "reconstructed"}
    roll = Roll(1, 5, 2, "axis combat", "axis", "attack on 2407", "9.1", 10, (6,), (), None, None, 1, outcome=look_up)
    assert roll.result == "CRT row 6, column 4:1 (armor +1): D2 (reconstructed)"
    lines = history.table([roll])
    assert max(map(len, lines)) <= 72 and "CRT row 6" in " ".join(lines)
    assert next(csv.DictReader(io.StringIO(history.as_csv([roll]))))["result"] == roll.result
