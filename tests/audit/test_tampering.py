"""Ways to tamper with a game, a line each, and what both verifiers must say of it.

The forger is as strong as can be: in the ways called 'sealed' he has the seed, and makes chain, salts and manifest fit again.
What then still agrees with itself only a kept mail can refute (or, without one, the rules run again).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.audit import standalone
from pbem.core.dice import FIRST_BINDING, bind, row_salt, seeded_face
from pbem.games import find_title
from pbem.service.records import bundle
from tests.audit.conftest import Parts

Forge = Callable[[Parts], int]
"""Changes the parts and gives the number of the first row that is not as it was."""


def library(path: Path, kept: list[Path]) -> str:
    return bundle.verify(path, find_title, kept).wrong


def script(path: Path, kept: list[Path]) -> str:
    try:
        standalone.check(str(path), [str(k) for k in kept])
    except standalone.Wrong as wrong:
        return str(wrong)
    return ""


VERIFIERS = {"pbem verify": library, "standalone.py": script}


def dice(p: Parts, **more: object) -> list[dict]:
    return p.all("roll", sides=10, **more)


def rebind(p: Parts, faces: bool = False) -> None:
    """Salt the orders and bind all rolls to them as they are now; ``faces``: and throw the dice again."""
    binding, seed = FIRST_BINDING, bytes.fromhex(p.manifest["seeds"][0])
    for r in p.rows:
        roll = r["payload"]
        if r["kind"] in ("orders", "control"):
            if r["kind"] == "orders":
                roll["salt"] = row_salt(seed, r["game"], binding)
            binding = bind(binding, r["kind"], roll)
        elif r["kind"] == "roll":
            roll["binding"] = binding
            if faces:
                place = (r["game"], r["step"], roll["attempt"])
                roll["faces"] = [seeded_face(seed, *place, roll["n"] + i, roll["sides"], binding) for i in range(roll["count"])]


# -- a row changed, and nothing else -------------------------------------------------------------------------


def a_die(p: Parts) -> int:
    row = dice(p)[3]
    row["payload"]["faces"][0] = row["payload"]["faces"][0] % 10 + 1
    return row["seq"]


def a_modifier(p: Parts) -> int:
    row = next(r for r in dice(p) if r["payload"]["mods"])
    row["payload"]["mods"][0][1] += 1
    return row["seq"]


def a_target(p: Parts) -> int:
    row = next(r for r in dice(p) if r["payload"]["target"] is not None)
    row["payload"]["target"] += 1
    return row["seq"]


def an_order(p: Parts) -> int:
    row = next(r for r in p.all("orders") if r["payload"]["directives"])
    row["payload"]["directives"][0]["choices"] = ["blow"]
    return row["seq"]


def a_standing_order(p: Parts) -> int:
    row = next(r for r in p.all("orders") if any(d["tests"] for d in r["payload"]["directives"]))
    next(d for d in row["payload"]["directives"] if d["tests"])["tests"][0]["value"] = 9
    return row["seq"]


def an_answer(p: Parts) -> int:
    row = [r for r in p.all("answer") if r["payload"]["how"] == "default"][2]
    row["payload"]["how"] = "mailed"
    return row["seq"]


def an_event(p: Parts) -> int:
    row = [r for r in p.all("event") if r["payload"]["event"]["type"] == "StatusSet"][0]
    row["payload"]["event"]["status"] = "recovering"
    return row["seq"]


def who_may_know(p: Parts) -> int:
    row = [r for r in p.all("event") if not r["payload"]["open"]][0]
    row["payload"]["side"] = "allied" if row["payload"]["side"] == "axis" else "axis"
    return row["seq"]


def where_an_order_came_from(p: Parts) -> int:
    row = p.all("orders")[0]
    row["source"] = "mail 99"
    return row["seq"]


def the_time(p: Parts) -> int:
    row = p.rows[40]
    row["at"] = "2026-03-15T00:00:00Z"
    return row["seq"]


def the_reason_of_the_referee(p: Parts) -> int:
    row = p.rows[p.rewind()]
    row["payload"]["reason"] = "both players asked for it"
    return row["seq"]


def a_dropped_row(p: Parts) -> int:
    return p.rows.pop(50)["seq"]


def swapped_rows(p: Parts) -> int:
    at = next(i for i in range(30, len(p.rows)) if p.rows[i]["kind"] == p.rows[i + 1]["kind"] == "event")
    p.rows[at], p.rows[at + 1] = p.rows[at + 1], p.rows[at]
    return at


def a_doubled_row(p: Parts) -> int:
    p.rows.insert(61, p.rows[60])
    return 61


def a_row_of_another_game(p: Parts) -> int:
    p.rows[70] = {**p.rows[70], "game": "p2"}
    return 70


def the_end_cut_off(p: Parts) -> int:
    p.rows = p.rows[:-3]
    return len(p.rows)


# -- sealed again: what the dice, the bindings, the numbers show -----------------------------------------------


def fewer_dice(p: Parts) -> int:
    row = next(r for r in dice(p) if len(r["payload"]["faces"]) > 1)
    row["payload"]["faces"].pop()
    return row["seq"]


def fewer_dice_counted(p: Parts) -> int:
    """The count changed as well: what repeats the dice does not fit, or the next roll has another number."""
    row = next(r for r in dice(p) if len(r["payload"]["faces"]) > 1 and next_roll(p, r)["step"] == r["step"])
    row["payload"]["faces"].pop()
    row["payload"]["count"] -= 1
    return row["seq"]


def next_roll(p: Parts, row: dict) -> dict:
    return next((r for r in p.rows[row["seq"] + 1 :] if r["kind"] == "roll"), {"step": -1})


def a_die_of_other_sides(p: Parts) -> int:
    seed = bytes.fromhex(p.manifest["seeds"][0])

    def due(r: dict) -> list[int]:
        roll = r["payload"]
        place = (r["game"], r["step"], roll["attempt"])
        return [seeded_face(seed, *place, roll["n"] + i, 12, roll["binding"]) for i in range(roll["count"])]

    row = next(r for r in dice(p) if due(r) != r["payload"]["faces"])
    row["payload"]["sides"] = 12
    return row["seq"]


def a_dropped_roll(p: Parts) -> int:
    row = next(r for r in dice(p) if next_roll(p, r)["step"] == r["step"])
    after = next_roll(p, row)["seq"]
    p.rows.pop(row["seq"])
    return after - 1


def swapped_rolls(p: Parts) -> int:
    row = next(r for r in dice(p) if next_roll(p, r)["step"] == r["step"])
    other = next_roll(p, row)
    p.rows[row["seq"]], p.rows[other["seq"]] = other, row
    return row["seq"]


def a_second_throw(p: Parts) -> int:
    """The same roll once more, as if the first had not been liked."""
    row = dice(p)[5]
    again = {**row, "payload": {**row["payload"], "n": row["payload"]["n"] + row["payload"]["count"]}}
    p.rows.insert(row["seq"] + 1, again)
    return row["seq"] + 1


def a_roll_from_elsewhere(p: Parts) -> int:
    """A good roll of one fight put in the place of a bad one of another."""
    row = dice(p)[8]
    other = next(r for r in dice(p)[12:] if r["payload"]["count"] == row["payload"]["count"] and r["step"] != row["step"])
    row["payload"]["faces"], row["payload"]["binding"] = other["payload"]["faces"], other["payload"]["binding"]
    return row["seq"]


def orders_changed(p: Parts) -> int:
    at = an_order(p)
    return next_roll(p, p.rows[at])["seq"]


def orders_dropped(p: Parts) -> int:
    at = p.all("orders")[0]["seq"]
    p.rows.pop(at)
    return next_roll(p, p.rows[at - 1])["seq"] - 1


def orders_made_up(p: Parts) -> int:
    row = p.all("orders")[0]
    p.rows.insert(row["seq"], row)
    return next_roll(p, row)["seq"] + 1


def orders_after_the_roll(p: Parts) -> int:
    """Orders moved behind the dice that fell after them."""
    row = p.all("orders")[0]
    roll = next_roll(p, row)
    p.rows.remove(row)
    p.rows.insert(roll["seq"], row)
    return roll["seq"] - 1


def orders_with_bindings_to_fit(p: Parts) -> int:
    at = an_order(p)
    rebind(p)
    seed = bytes.fromhex(p.manifest["seeds"][0])
    for r in p.all("roll"):
        roll, place = r["payload"], (r["game"], r["step"], r["payload"]["attempt"])
        due = [seeded_face(seed, *place, roll["n"] + i, roll["sides"], roll["binding"]) for i in range(roll["count"])]
        if roll["faces"] != due:
            assert r["seq"] > at
            return r["seq"]
    raise AssertionError("all dice the same")


def a_deadline_made_up(p: Parts) -> int:
    row = p.all("control", act="deadline")[1]
    p.rows.insert(row["seq"], row)
    return next_roll(p, row)["seq"] + 1


def a_rewind_hidden(p: Parts) -> int:
    """The rewind's own row taken out: the steps after it still count the attempt."""
    p.rows.pop(p.rewind())
    return p.rewind_was


def a_rewound_step_hidden(p: Parts) -> int:
    """Everything taken out that was undone: the steps have a gap."""
    back = p.rows[p.rewind()]
    start = next(i for i, r in enumerate(p.rows) if r["kind"] == "step" and r["step"] == back["payload"]["step"])
    del p.rows[start : back["seq"] + 1]
    return start


def a_rewound_step_hidden_well(p: Parts) -> int:
    """The same with steps and attempts numbered anew: the dice do not fit their new place."""
    back = p.rows[p.rewind()]
    start = next(i for i, r in enumerate(p.rows) if r["kind"] == "step" and r["step"] == back["payload"]["step"])
    shift = p.rows[back["seq"] + 1]["step"] - back["payload"]["step"]
    del p.rows[start : back["seq"] + 1]
    for r in p.rows[start:]:
        r["step"] -= shift
        if "attempt" in r["payload"]:
            r["payload"]["attempt"] = 1
    rebind(p)
    return next(r for r in p.rows[start:] if r["kind"] == "roll")["seq"] - (back["seq"] + 1 - start)


def an_attempt(p: Parts) -> int:
    row = dice(p)[4]
    row["payload"]["attempt"] = 2
    return row["seq"]


def a_step_skipped(p: Parts) -> int:
    row = p.all("step")[6]
    for r in p.rows[row["seq"] :]:
        r["step"] += 1
    return row["seq"]


def another_seed(p: Parts) -> int:
    p.manifest["seeds"] = ["ab" * 32]
    return 0


def another_commitment(p: Parts) -> int:
    p.rows[0]["payload"]["commitment"] = p.manifest["commitment"] = "ab" * 32
    return 0


def no_seed(p: Parts) -> int:
    p.manifest["seeds"] = []
    return 0


def other_options(p: Parts) -> int:
    p.rows[0]["payload"]["options"] = {"deadline_hours": 1}
    return 0


def other_data(p: Parts) -> int:
    p.data["turns"] += 1
    return 0


def a_withheld_row(p: Parts) -> int:
    row = p.rows[80]
    p.rows[80] = {k: row[k] for k in ("seq", "prev", "hash")}
    return 80


def the_fire_told_otherwise(p: Parts) -> int:
    """A modifier of a roll changed; the event that tells of the fire repeats it."""
    at = next(r["seq"] for r in dice(p) if r["payload"]["mods"] and p.rows[r["seq"] + 1]["payload"].get("event", {}).get("mods"))
    p.rows[at]["payload"]["mods"][0][1] += 1
    return at + 1


# -- sealed again, and at one with itself: only a kept mail (or the rules) can tell -------------------------------


def a_modifier_everywhere(p: Parts) -> int:
    at = the_fire_told_otherwise(p) - 1
    p.rows[at + 1]["payload"]["event"]["mods"][0][1] += 1
    return at


def an_event_sealed(p: Parts) -> int:
    return an_event(p)


def a_dropped_event(p: Parts) -> int:
    row = [r for r in p.all("event") if r["payload"]["event"]["type"] == "StatusSet"][0]
    p.rows.pop(row["seq"])
    return row["seq"]


def the_purpose_of_a_roll(p: Parts) -> int:
    row = next(r for r in dice(p) if r["payload"]["target"] is not None)
    row["payload"]["purpose"] = "something harmless"
    return row["seq"]


def the_side_of_a_roll(p: Parts) -> int:
    row = dice(p)[2]
    row["payload"]["side"] = "allied" if row["payload"]["side"] == "axis" else "axis"
    return row["seq"]


def the_last_rows_cut_off(p: Parts) -> int:
    at = p.rewind()
    p.rows = p.rows[:at]
    return at


def a_second_seed(p: Parts) -> int:
    """Another game altogether: another seed, its commitment, and all dice thrown with it."""
    seed = bytes(range(32))
    p.manifest["seeds"] = [seed.hex()]
    p.rows[0]["payload"]["commitment"] = p.manifest["commitment"] = standalone.hashlib.sha256(seed).hexdigest()
    rebind(p, faces=True)
    for r in p.all("event"):
        before = p.rows[r["seq"] - 1]["payload"]
        if "faces" in r["payload"]["event"]:
            r["payload"]["event"]["faces"] = before["faces"]
    return 0


PLAIN: dict[Forge, str] = {
    **dict.fromkeys(
        (a_die, a_modifier, a_target, an_order, a_standing_order, an_answer, an_event, who_may_know, where_an_order_came_from,
         the_time, the_reason_of_the_referee, a_row_of_another_game), "was changed",
    ),
    **dict.fromkeys((a_dropped_row, swapped_rows, a_doubled_row), "is missing"),
    the_end_cut_off: "is the last one here|ends before it",
    another_seed: "another seed", no_seed: "the seed|a seed", other_data: "data set", a_withheld_row: "withheld",
}  # fmt: skip

SEALED: dict[Forge, str] = {
    a_die: "the seed gives", fewer_dice: "are shown", fewer_dice_counted: "other dice|numbered from|the die for",
    a_die_of_other_sides: "the seed gives",
    a_dropped_roll: "numbered from|other dice", swapped_rolls: "numbered from", a_second_throw: "the seed gives",
    a_roll_from_elsewhere: "the seed gives|not bound", orders_changed: "not bound", orders_dropped: "not bound",
    orders_made_up: "not bound", orders_after_the_roll: "not bound", orders_with_bindings_to_fit: "the seed gives",
    a_deadline_made_up: "not bound", a_rewind_hidden: "taken back", a_rewound_step_hidden: "begins after step",
    a_rewound_step_hidden_well: "the seed gives", an_attempt: "attempt 2", a_step_skipped: "begins after step",
    another_commitment: "another seed", other_options: "manifest's options|rules give",
    the_fire_told_otherwise: "repeats other dice",
}  # fmt: skip

AT_ONE: tuple[Forge, ...] = (
    a_modifier_everywhere, a_target, an_answer, an_event_sealed, a_dropped_event, the_purpose_of_a_roll, the_side_of_a_roll,
    the_last_rows_cut_off, a_second_seed, where_an_order_came_from, the_time, the_reason_of_the_referee,
)


def forged(game: Parts, forge: Forge, sealed: bool) -> tuple[Parts, int]:
    parts = game.copy()
    parts.rewind_was = next(r["seq"] for r in parts.rows[parts.rewind() :] if r["kind"] == "step") - 1  # type: ignore[attr-defined]
    at = forge(parts)
    if sealed:
        parts.seal()
    return parts, at


def rows_named(said: str) -> set[int]:
    named = {int(n) for n in re.findall(r"row (\d+)", said)}
    for first, last in re.findall(r"rows (\d+) to (\d+)", said):
        named |= set(range(int(first), int(last) + 1))
    return named


def test_there_are_more_than_thirty_ways() -> None:
    assert len(PLAIN) + len(SEALED) + len(AT_ONE) >= 50
    assert len({*PLAIN, *SEALED, *AT_ONE}) >= 30


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_the_game_as_it_was_is_whole(game: Parts, verifier: str, tmp_path: Path) -> None:
    path = game.copy().write(tmp_path / "p1.zip")
    assert VERIFIERS[verifier](path, []) == ""
    assert len(game.mails) > 5 and VERIFIERS[verifier](path, game.mails) == ""
    parts = game.copy()
    parts.seal()
    assert parts.rows == game.rows


@pytest.mark.parametrize("verifier", VERIFIERS)
@pytest.mark.parametrize("forge", PLAIN, ids=lambda f: f.__name__)
def test_a_change_is_found_and_named(game: Parts, forge: Forge, verifier: str, tmp_path: Path) -> None:
    parts, at = forged(game, forge, sealed=False)
    said = VERIFIERS[verifier](parts.write(tmp_path / "p1.zip"), [])
    assert re.search(PLAIN[forge], said), said
    assert {at, at - (forge is the_end_cut_off)} & rows_named(said), said


@pytest.mark.parametrize("verifier", VERIFIERS)
@pytest.mark.parametrize("forge", SEALED, ids=lambda f: f.__name__)
def test_a_change_that_was_sealed_is_found_by_the_dice(game: Parts, forge: Forge, verifier: str, tmp_path: Path) -> None:
    parts, at = forged(game, forge, sealed=True)
    path = parts.write(tmp_path / "p1.zip")
    said = VERIFIERS[verifier](path, [])
    # the rules, run again, may see the change some rows before the dice do
    by_rules = verifier == "pbem verify" and bool(re.search("the rules|the journal says|the die for", said))
    assert by_rules or re.search(SEALED[forge], said), said
    if by_rules:
        assert min(rows_named(said)) <= at, (at, said)
    else:
        assert rows_named(said) & {at, at + (forge is fewer_dice_counted)}, (at, said)
    assert re.search("another hash|another seed|is missing", VERIFIERS[verifier](path, game.mails) or "") or said


@pytest.mark.parametrize("verifier", VERIFIERS)
@pytest.mark.parametrize("forge", AT_ONE, ids=lambda f: f.__name__)
def test_a_journal_at_one_with_itself_is_refuted_by_kept_mails(game: Parts, forge: Forge, verifier: str, tmp_path: Path) -> None:
    parts, at = forged(game, forge, sealed=True)
    said = VERIFIERS[verifier](parts.write(tmp_path / "p1.zip"), game.mails)
    assert "ann-" in said and at in rows_named(said), said


RULES_TELL = (
    a_modifier_everywhere, a_target, an_answer, an_event_sealed, a_dropped_event, the_purpose_of_a_roll, the_side_of_a_roll,
    a_second_seed,
)


@pytest.mark.parametrize("forge", RULES_TELL, ids=lambda f: f.__name__)
def test_the_rules_run_again_refute_it_without_any_mail(game: Parts, forge: Forge, tmp_path: Path) -> None:
    parts, _ = forged(game, forge, sealed=True)
    assert "row " in library(parts.write(tmp_path / "p1.zip"), [])


@pytest.mark.parametrize("verifier", VERIFIERS)
def test_an_older_bundle_is_a_witness_too(game: Parts, verifier: str, tmp_path: Path) -> None:
    older = game.copy().write(tmp_path / "older.zip")
    parts, at = forged(game, a_target, sealed=True)
    said = VERIFIERS[verifier](parts.write(tmp_path / "p1.zip"), [older])
    assert f"row {at} has another hash than" in said and "older.zip" in said


def test_the_script_is_short_and_needs_nothing(game: Parts, tmp_path: Path) -> None:
    source = Path(standalone.__file__)
    assert len(source.read_text(encoding="utf-8").splitlines()) <= 300
    path = game.copy().write(tmp_path / "p1.zip")
    (tmp_path / "standalone.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")

    def run(*args: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-I", "-S", *map(str, args)], capture_output=True, text=True, cwd=tmp_path)

    done = run("standalone.py", path, *game.mails)
    assert done.returncode == 0 and done.stdout.startswith("OK p1:"), done
    parts, at = forged(game, a_die, sealed=True)
    done = run("standalone.py", parts.write(tmp_path / "bad.zip"))
    assert done.returncode == 1 and f"WRONG row {at}: a die" in done.stdout
    assert run("standalone.py", source).returncode == 2


def test_the_bundle_carries_it(tmp_path: Path) -> None:
    assert "standalone.py" in bundle.TOLD and "https://" not in bundle.TOLD
