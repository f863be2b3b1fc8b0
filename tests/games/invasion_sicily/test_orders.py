"""Order lines: what is read, what is refused, what is odd; every option can be written as a line."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import play_out
from pbem.core.chooser import Chooser
from pbem.games.invasion_sicily.words import orders
from pbem.games.invasion_sicily.words.asks import CATALOGUE
from pbem.games.invasion_sicily.words.verbs import VERBS
from pbem.orders.drafts import Parsed
from pbem.orders.replying import text_of
from pbem.orders.source import Line
from tests.games.invasion_sicily.play import board
from tests.games.invasion_sicily.test_fuzz import new_game, random_bot


def read(*lines: str, side: str = "allied", step: str = "2 allied movement", state: Any = None, asks: Any = ()) -> Parsed:
    at = state or board("at 1823 US-16 US-26 US-CCA \n at 1924 GE-1HG")
    return orders.parse(at, side, step, [Line(n, text) for n, text in enumerate(lines, 1)], asks)


def choices(parsed: Parsed, kind: str) -> list[list[str]]:
    return [d["choices"] for d in parsed.directives if d["kind"] == kind and d["mode"] == "once"]


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("move US-16 to 1822", "move US-16 to 1822"),
        ("MOVE us16 > 1822, 1922", "move US-16 to 1922 via 1822"),
        ("move 16 Infantry to 1822 via 1722", "move US-16 to 1822 via 1722"),
        ("go US-CCA to Niscemi", "move US-CCA to 2024"),
        ("attack 1924 with US-16, US-26", "attack 1924 with US-16 US-26"),
        ("attack 1924 with US-16 and US-CCA; lead US-CCA", "attack 1924 with US-16 US-CCA"),
        ("evacuate US-16", "evacuate US-16"),
    ],
)
def test_lines_of_the_movement_phase(line: str, choice: str) -> None:
    parsed = read(line)
    assert not parsed.diagnostics, [d.message for d in parsed.diagnostics]
    assert choices(parsed, "movement") == [[choice]]


def test_a_stack_is_moved_unit_by_unit() -> None:
    assert choices(read("move stack 1823 to 1822"), "movement") == [
        [f"move {u} to 1822"] for u in ("US-16", "US-26", "US-CCA")
    ]


def test_a_plan_goes_with_the_attack_and_answers_the_questions_of_its_combat() -> None:
    plan = "lead US-26; guns all; air 2; naval 3; lose weakest; advance US-26; counter at 2:1"
    parsed = read(f"attack 1924 with US-16, US-26; {plan}")
    assert not parsed.diagnostics, [d.message for d in parsed.diagnostics]
    plans = {d["kind"]: (d["where"], d["choices"]) for d in parsed.directives if d["scope"] == "2 allied combat"}
    assert plans["lead"] == ("1924", ["lead US-26"])
    assert plans["air"] == ("1924", ["air 2", "air 1", "air 0"])
    assert plans["advance"] == ("1924", ["advance US-26", "done"])
    assert plans["battle"][1] == ["fight 1924"]


def test_the_defender_plans_too() -> None:
    parsed = read("battle any; guns none; stand at 3 steps; retreat to 2024, 2123", side="axis")
    kinds = {d["kind"] for d in parsed.directives}
    assert {"guns", "no-retreat", "retreat"} <= kinds and "battle" not in kinds


@pytest.mark.parametrize(
    ("line", "severity", "part"),
    [
        ("muve US-16 to 1822", "error", "no order"),
        ("move US-99 to 1822", "error", "no unit of yours"),
        ("move GE-1HG to 1822", "error", "no unit of yours"),
        ("move US-16 to 9999", "error", "no place"),
        ("move US-16", "error", "missing"),
        ("ship US-16 to Africa", "refused", "no phase left"),
        ("attack 1924 with US-16; wibble 3", "error", "battle plan"),
        ("attack 1924 with US-16; air 2; air 3", "error", "twice"),
        ("standing when loss then nobody", "error", "does not answer"),
        ("standing when nothing then first", "error", "no question"),
        ("answer q1.1 stand", "error", "not open"),
        ("pass nowhere", "error", "no phase"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(line: str, severity: str, part: str) -> None:
    found = read(line, "move US-26 to 1822")
    assert [d.severity for d in found.diagnostics] == [severity]
    assert part in found.diagnostics[0].message
    assert choices(found, "movement")[-1] == ["move US-26 to 1822"], "good lines stand"


def test_a_unit_out_of_play_takes_no_orders() -> None:
    found = read("move US-16 to 1822", state=board("at eliminated US-16"))
    assert [d.code for d in found.diagnostics] == ["gone"]


def test_orders_for_a_phase_that_is_over_are_refused() -> None:
    found = orders.parse(board(""), "allied", "2 allied combat", [Line(1, "move US-16 to 1822")], guard="2 allied movement")
    assert {d.code for d in found.diagnostics} == {"stale"}


def test_orders_ahead_wait_for_their_phase() -> None:
    found = read("phase motorized", "move US-CCA to 1822")
    assert [d["scope"] for d in found.directives if d["mode"] == "once"] == ["2 allied motorized"]


def test_every_verb_has_an_example_that_is_read() -> None:
    """Each in a phase in which somebody may write it."""
    state = board("at 1823 US-16 US-26 US-CCA US-20 US-36B US-505 BR-3C BR-13 BR-5A US-30 \n at 2224 GE-1HG GE-15 GE-104 GE-PzHG")
    phases = ["events", "readiness", "allied transport", "axis transport", "allied movement", "axis movement", "allied reaction",
              "axis reaction", "allied combat", "axis combat", "allied motorized", "replacements", "special", "engineering"]
    for verb in VERBS.verbs:
        if verb.name in ("answer", "cancel", "phase", "pass", "add"):
            continue
        good = False
        for side in ("allied", "axis"):
            for phase in phases:
                found = orders.parse(state, side, f"2 {phase}", [Line(1, verb.example)])
                errors = [d for d in found.diagnostics if d.severity == "error"]
                good = good or not errors and bool(found.directives or found.canonical)
        assert good, verb.example


def test_every_question_has_an_example_that_is_read() -> None:
    for kind in CATALOGUE.kinds:
        if kind.example:
            found = read(kind.example)
            assert not found.diagnostics, (kind.example, [d.message for d in found.diagnostics])


@pytest.mark.parametrize("scenario", ["gela", "husky"])
def test_every_option_offered_parses_back_from_its_text_form(scenario: str) -> None:
    session = new_game("lines", scenario=scenario)
    bot, turns = random_bot(Chooser("lines")), 0
    seen: dict[str, int] = {}

    def checked(state: Any, ask: Ask) -> Option:
        nonlocal turns
        if seen.get(ask.kind, 0) < 400:
            for option in islice(ask.each(), 40):
                line = text_of(option, ask, CATALOGUE)
                got = orders.parse(state, ask.side, ask.scope, [Line(1, f"phase {ask.scope}"), Line(2, line)], [ask])
                assert got.good, f"{line}: {[d.message for d in got.diagnostics]}"
                keys = [c for d in got.directives for c in d["choices"]]
                assert option.key in keys or set(keys) & set(option.tags), (option.key, keys)
                seen[ask.kind] = seen.get(ask.kind, 0) + 1
        return bot(state, ask)

    if scenario == "gela":
        play_out(session, {"allied": checked, "axis": checked})
    else:
        from pbem.core.autoplay import answer

        while session.run() and session.stage.turn < 3:
            for ask in list(session.open):
                if session.pending(ask):
                    answer(session, ask, checked(session.state, ask).key)
    assert len(seen) >= 8
