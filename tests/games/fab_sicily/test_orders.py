"""Order lines to directives, and words to options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.autoplay import answer
from pbem.core.chooser import Chooser
from pbem.core.standing import directive
from pbem.games.fab_sicily.players import scripted
from pbem.games.fab_sicily.words import orders
from pbem.games.fab_sicily.words.asks import ASKED, CATALOGUE
from pbem.games.fab_sicily.players.bots import random_bot
from pbem.games.fab_sicily.words.names import Names
from pbem.games.fab_sicily.words.questions import QUESTIONS
from pbem.games.fab_sicily.words.scopes import SCOPES
from pbem.games.fab_sicily.words.verbs import VERBS
from pbem.reports import mails
from pbem.orders.drafts import Parsed
from pbem.orders.lexer import tokenise
from pbem.orders.replying import guard_of, text_of, wanted
from pbem.orders.source import Line
from tests.games.fab_sicily.play import board
from tests.games.fab_sicily.test_fuzz import new_game

MOVE = "2 allied movement"


@cache
def position() -> Any:
    """A position in the middle of a game; the parser must not need more of it than names."""
    text = "at 12 5-2\nat 14 51-1\nat 15 50-1 50-2\nat 16 HG-1\nat eliminated 231\navailable ENG-2 24ART"
    return board(text, "primosole_bridge")


def parse(*lines: str, side: str = "allied", step: str = MOVE, **more: Any) -> Parsed:
    return orders.parse(position(), side, step, [Line(i, text) for i, text in enumerate(lines, 1)], **more)


def good(*lines: str, **more: Any) -> list[tuple[str, str, list[str]]]:
    """Scope, kind and choices of all directives but the closing ones."""
    parsed = parse(*lines, **more)
    assert parsed.good, parsed.diagnostics
    return [(d["scope"], d["kind"], d["choices"]) for d in parsed.directives if d["choices"] != ["done"]]


def first(*lines: str, **more: Any) -> str:
    [(_, _, [choice])] = good(*lines, **more)
    return choice


def wrong(*lines: str, **more: Any) -> tuple[str, str, str]:
    """Severity, code and marked text of the only finding."""
    parsed = parse(*lines, **more)
    [d] = parsed.diagnostics
    return d.severity, d.code, d.line.text[d.column : d.column + d.length]


def ask(kind: str, *keys: str, where: str = "", side: str = "allied", scope: str = MOVE, id: str = "q3.1", **facts: Any) -> Ask:
    return Ask(side, kind, "6.0", scope, lambda: [Option(k) for k in keys], keys[0], "", where, facts, id)


# -- single orders --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("move 50/1 to 12", "move 50-1 to 12"),
        ("MOVE 50.1 TO Sortino.", "move 50-1 to 12"),
        ("move 50-1 > sort", "move 50-1 to 12"),
        ("mv 50/1 -> Sortino [12]", "move 50-1 to 12"),
        ("move 50/1 50th Infantry to 12 Sortino", "move 50-1 to 12"),
        ("move 50th Infantry 1, 12", "move 50-1 to 12"),
        ("move 50/1 to Sortino, Val di Catania", "move 50-1 to 15 via 12"),
        ("move 50/1 > 12 > 14 > 15", "move 50-1 to 15 via 12 14"),
        ("move 50/1 to 15 via 12 14", "move 50-1 to 15 via 12 14"),
        ("move 4th Armored Brigade to Syracuse", "move 4A to 5"),
        ("move 50/1 to 12 # hush", "move 50-1 to 12"),
        ("move 50/1 to 12 ; hush", "move 50-1 to 12"),
        ("dig 5/1", "dig 5-1"),
        ("reserve 51/1", "reserve 51-1"),
    ],
)
def test_movement_orders(line: str, choice: str) -> None:
    assert good(line) == [(MOVE, "movement", [choice])]


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("blow 12-15", "blow 12-15 from * with engineers"),
        ("blow Sortino-15, 14/15 from Val di Catania with ENG-2", "blow 12-15 14-15 from 15 with ENG-2"),
        ("demolish 15-12 with engineers", "blow 12-15 from * with engineers"),
        ("repair 12-15 from 12", "repair 12-15 from 12 with engineers"),
        ("works Lentini", "works 14 with engineers"),
        ("roadblock 14 with ENG-1", "roadblock 14 with ENG-1"),
        ("defend 14", "defend 14 with engineers"),
        ("mend Siracusa", "mend P1 with engineers"),
        ("damage P2 with engineer", "damage P2 with engineers"),
        ("rally 14", "rally 14 with sa"),
        ("rally 14 with Special Action 8th Army", "rally 14 with SAE-8A|SAE-8B|SAE-8C|SAE-8D"),
        ("replace 50/1 with infantry replacement", "replace 50-1 with IREP-8A|IREP-8B|IREP-8C"),
        ("replace 50/1 with staff", "replace 50-1 with staff"),
        ("spy 14", "spy 14 with staff"),
        ("spy P2 with command staff", "spy P2 with staff"),
        ("reserve 50/1 with staff", "reserve 50-1 with staff"),
        ("release 51, 231 with SA-ALLIED", "release 51 231 with SA-ALLIED"),
        ("release 51st", "release 51 with sa"),
        ("interdict Catania with air support", "interdict 26 with air"),
        ("invade 26 with 3rd Commando", "invade 26 with 3CDO"),
        ("recycle 24th Artillery, 5BA with AREP-8A", "recycle 24ART 5BA with AREP-8A"),
    ],
)
def test_admin_orders(line: str, choice: str) -> None:
    assert good(line, step="2 allied admin") == [("2 allied admin", "admin", [choice])]


@pytest.mark.parametrize(
    ("line", "step", "kind", "choice"),
    [
        ("place 50/1 at B3", "2 reinforcement", "arrival", "place 50-1 at B3"),
        ("place 50/1 at Avola", "2 reinforcement", "arrival", "place 50-1 at 4"),
        ("recover NAV-1", "2 reinforcement", "recover", "recover NAV-1"),
        ("recover naval support", "2 reinforcement", "recover", "recover naval"),
        ("strat 4A to 13", "2 allied strategic", "strategic", "strat 4A to 13"),
        ("drop 1AB/1 at 6", "2 allied drop", "drop", "drop 1AB-1 at 6"),
        ("exploit 4A to 15", "2 allied breakthrough", "breakthrough", "exploit 4A to 15"),
        ("exploit 4A to 15 with special action", "2 allied breakthrough", "breakthrough", "exploit 4A to 15 with sa"),
        ("resupply Palazzolo", "2 allied supply", "resupply", "resupply 6 with air"),
        ("move 51/1 to 14", "2 axis reaction", "reaction", "move 51-1 to 14"),
    ],
)
def test_orders_of_other_phases(line: str, step: str, kind: str, choice: str) -> None:
    assert good(line, step=step) == [(step, kind, [choice])]


def test_the_examples_of_the_help_are_orders() -> None:
    for verb in VERBS.verbs:
        if verb.name in ("answer", "cancel", "play"):  # this scenario has nothing to play
            continue
        side = "axis" if verb.name in ("damage", "restore", "garrison") else "allied"
        lines = [re.sub(r"\bwith special action\b", "with SA-ALLIED", verb.example)]
        step = "setup" if verb.name in ("garrison", "plan", "beachhead") else "2 reinforcement"
        parsed = parse(*lines, side=side, step=step)
        assert parsed.good, parsed.diagnostics


def test_hold_is_accepted_and_closes_the_phase() -> None:
    parsed = parse("hold 51/1")
    assert [d["choices"] for d in parsed.directives] == [["done"]]
    assert parsed.canonical == [f"phase {MOVE}", "hold 51-1"]


# -- phases ---------------------------------------------------------------------------------------------


def test_each_line_goes_to_its_phase_and_every_phase_is_closed() -> None:
    parsed = parse("strat 4A to 13", "move 50/1 to 12", "battle 15", "exploit 4A to 15", "pass reaction")
    assert parsed.phases == [MOVE, "2 allied strategic", "2 allied combat", "2 allied breakthrough", "2 axis reaction"]
    closing = [(d["scope"], d["kind"], d["mode"]) for d in parsed.directives if d["choices"] == ["done"]]
    assert closing == [
        (MOVE, "movement", "plan"), ("2 allied strategic", "strategic", "plan"), ("2 allied combat", "battle", "plan"),
        ("2 allied breakthrough", "breakthrough", "plan"), ("2 axis reaction", "reaction", "plan"),
    ]


def test_a_phase_line_sets_the_phase_of_the_lines_below() -> None:
    assert good("move 50/1 to 12", "phase breakthrough", "move 51/1 to 12", "phase 3 allied move", "move 5/1 to 12") == [
        (MOVE, "movement", ["move 50-1 to 12"]),
        ("2 allied breakthrough", "breakthrough", ["move 51-1 to 12"]),
        ("3 allied movement", "movement", ["move 5-1 to 12"]),
    ]


@pytest.mark.parametrize(
    ("words", "side", "step", "scope"),
    [
        ("combat", "allied", MOVE, "2 allied combat"), ("combat", "axis", MOVE, "2 allied combat"),
        ("movement", "axis", MOVE, "2 axis movement"), ("admin", "axis", "2 allied admin", "2 allied counter-admin"),
        ("admin", "axis", MOVE, "2 axis admin"), ("reinforcements", "axis", MOVE, "3 reinforcement"),
        ("axis battle", "allied", MOVE, "2 axis combat"), ("breakthrough combat", "allied", MOVE, "2 allied breakthrough-combat"),
        ("turn 3 strat", "allied", MOVE, "3 allied strategic"), ("reaction phase", "axis", MOVE, "2 allied reaction"),
    ],
)  # fmt: skip
def test_phases_by_their_names(words: str, side: str, step: str, scope: str) -> None:
    assert parse(f"phase {words}", "pass", side=side, step=step).canonical[:1] in ([f"phase {scope}"], [])
    assert SCOPES.read(words.split(), side, step) == scope


def test_after_a_pass_the_lines_are_for_later_phases() -> None:
    assert good("move 50/1 to 12", "phase strategic", "pass", "battle 15")[1][0] == "2 allied combat"
    parsed = parse("pass", "move 4A to 12")
    assert [d["scope"] for d in parsed.directives if d["mode"] == "once"] == ["2 allied breakthrough"]
    assert [d.code for d in parsed.diagnostics] == ["later"]


def test_pass_rest_closes_the_player_turn() -> None:
    assert parse("pass rest").phases == [
        MOVE, "2 allied strategic", "2 allied drop", "2 allied combat", "2 allied breakthrough", "2 allied breakthrough-combat",
        "2 allied supply",
    ]  # fmt: skip
    assert "2 allied reaction" in parse("pass rest", side="axis").phases


def test_a_set_replaces_the_earlier_one_of_its_phases_only() -> None:
    replaced = parse("move 50/1 to 12").replace
    assert {scope for scope, _ in replaced} == {MOVE}
    assert {"movement", "crossing"} <= {kind for _, kind in replaced}
    assert parse("add", "move 50/1 to 12").replace == []
    assert parse("standing when bridge then blow").replace == []


@pytest.mark.parametrize(
    ("lines", "side", "step", "found"),
    [
        (["strat 4A to 13"], "allied", "2 allied combat", ("refused", "wrong-phase", "strat")),
        (["rally 14"], "axis", MOVE, ("refused", "wrong-phase", "rally")),
        (["phase movement", "rally 14"], "allied", MOVE, ("refused", "wrong-phase", "rally")),
        (["phase 1 allied movement"], "allied", MOVE, ("refused", "past", "1 allied movement")),
        (["phase moovement"], "allied", MOVE, ("error", "phase", "moovement")),
        (["pass combat"], "axis", MOVE, ("refused", "nothing-to-pass", "pass")),
        (["pass"], "axis", "2 allied combat", ("refused", "nothing-to-pass", "pass")),
        (["move 231 to 12"], "allied", MOVE, ("refused", "gone", "231")),
    ],
)
def test_wrong_phases(lines: list[str], side: str, step: str, found: tuple[str, str, str]) -> None:
    assert wrong(*lines, side=side, step=step) == found


def test_a_wrong_phase_says_how_to_order_beforehand() -> None:
    [d] = parse("strat 4A to 13", step="2 allied combat").diagnostics
    assert "phase 3 allied strategic" in d.message


# -- what is wrong with a line ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("move 50/1 to Sortno", ("error", "unknown", "Sortno")),
        ("move 50/9 to 12", ("error", "unknown", "50/9")),
        ("move 1st to 12", ("error", "ambiguous", "1st")),
        ("move 50/1 to", ("error", "missing", "")),
        ("dig 50/1 tomorrow", ("error", "junk", "tomorrow")),
        ("this is a feint, do not tell", ("error", "unknown-verb", "this")),
        ("mvoe 50/1 to 12", ("error", "unknown-verb", "mvoe")),
        ("blow 12-26", ("error", "border", "12-26")),
        ("battle 15; pint 50/1", ("error", "clause", "pint")),
        ("battle 15; abort sometimes", ("error", "number", "sometimes")),
        ("battle 15; point 50/1; point 50/2", ("error", "twice", "15")),
        ("answer q9.9 blow", ("error", "no-question", "q9.9")),
        ("press", ("error", "no-question", "press")),
        ("x" * 2000, ("error", "long", "x")),
    ],
)
def test_errors_have_a_place_and_a_code(line: str, found: tuple[str, str, str]) -> None:
    assert wrong(line) == found


def test_good_lines_stand_beside_bad_ones() -> None:
    parsed = parse("move 50/1 to 12", "move 50/2 to Nowhere", "dig 5/1", "hello")
    assert [d["choices"][0] for d in parsed.directives if d["mode"] == "once"] == ["move 50-1 to 12", "dig 5-1"]
    assert [d.line.no for d in parsed.diagnostics] == [2, 4]


def test_a_line_broken_in_two_is_shown_whole() -> None:
    first_half, second_half = parse("move 50/1 to", "sortino").diagnostics
    assert (first_half.code, second_half.code) == ("missing", "broken")
    assert second_half.suggestions == ("move 50/1 to sortino",)


def test_suggestions_are_legal_names_only() -> None:
    [d] = parse("move 50/1 to Sortno").diagnostics
    assert d.suggestions[0] == "Sortino [12]"
    [d] = parse("move HG/1 to 14").diagnostics
    assert not any("HG" in s or "Goering" in s for s in d.suggestions)


def test_units_of_the_other_side_do_not_exist() -> None:
    for strange in ("HG/1", "XY/1", "Hermann Goering"):
        [d] = parse(f"move {strange} to 14").diagnostics
        assert d.message == f"no unit of yours is called '{strange}'; 'help names' tells how to name them"
    [d] = parse("battle 15 with LUFT-1").diagnostics
    assert d.message == "no asset or event of yours is called 'LUFT-1'; 'help names' tells how to name them"


def test_a_foreign_letter_is_named_and_the_town_suggested() -> None:
    [d] = parse("move 50/1 to sоrtino").diagnostics
    assert "cyrillic small letter o" in d.message and d.suggestions == ("Sortino [12]",)


def test_two_orders_for_a_unit_are_odd() -> None:
    [d] = parse("move 50/1 to 12", "dig 50/1").diagnostics
    assert (d.severity, d.code, d.line.no) == ("warning", "twice", 2)


@pytest.mark.parametrize("lines", [("move 50/1 to 12", "hold 50/1"), ("hold 50/1", "move 50/1 to 12"), ("hold 50/1",) * 2])
def test_b11_to_move_and_to_hold_a_unit_is_odd(lines: tuple[str, str]) -> None:
    [d] = parse(*lines).diagnostics
    assert (d.severity, d.code, d.line.no) == ("warning", "twice", 2)


# -- the guard ------------------------------------------------------------------------------------------


def test_a_stale_guard_refuses_all_but_standing_orders() -> None:
    turn = Line(2, "turn 1 axis move")
    parsed = parse("move 50/1 to 12", "standing when bridge then blow", guard="1 axis move", guard_line=turn)
    assert [(d.severity, d.code, d.line.no) for d in parsed.diagnostics] == [("refused", "stale", 2), ("refused", "stale", 1)]
    assert "now: turn 2 allied movement" in parsed.diagnostics[0].message
    assert [d["kind"] for d in parsed.directives] == ["bridge"]
    assert not parse("move 50/1 to 12", guard="1").directives


def test_a_turn_line_further_down_guards_the_lines_below() -> None:
    parsed = parse("move 50/1 to 12", "turn 1 allied move", "dig 5/1")
    assert [d["choices"][0] for d in parsed.directives if d["mode"] == "once"] == ["move 50-1 to 12"]
    assert [d.line.no for d in parsed.diagnostics] == [2, 3]


def test_a_guard_for_now_or_later() -> None:
    assert first("move 50/1 to 12", guard="2 allied move") == "move 50-1 to 12"
    assert good("move 50/1 to 12", guard="2 allied breakthrough")[0][0] == "2 allied breakthrough"
    assert first("move 50/1 to 12", guard="2") == "move 50-1 to 12"


def test_a_guard_that_names_no_phase() -> None:
    assert [d.code for d in parse("move 50/1 to 12", guard="2 allied lunch").diagnostics] == ["guard", "stale"]


def test_guard_lines_of_reply_blocks_are_understood() -> None:
    for scope in ("setup", "1 reinforcement", "2 allied counter-admin", "2 axis breakthrough-combat"):
        guard = guard_of(scope).removeprefix("turn ")
        assert SCOPES.read(guard.split(), "allied", "setup") == scope


# -- battles --------------------------------------------------------------------------------------------


def plans(*lines: str, **more: Any) -> list[tuple[str, str, list[str], str]]:
    parsed = parse(*lines, **more)
    assert parsed.good, parsed.diagnostics
    tests = [(d, "&".join(f"{t['fact']}{t['op']}{t['value']}" for t in d["tests"])) for d in parsed.directives]
    return [(d["kind"], d["where"], d["choices"], said) for d, said in tests if d["kind"] != "battle"]


def test_the_battle_of_the_design_page() -> None:
    line = "battle 15 with 24th, 98th artillery; point 50/1; support 50/2; abort at 3 hits"
    line += "; lose 50BA, 50/1; retreat never; clear yes"
    assert plans(line) == [
        ("assets", "15", ["add 24ART"], ""),
        ("assets", "15", ["add 98ART"], ""),
        ("assets", "15", ["done"], ""),
        ("point-unit", "15", ["point 50-1"], ""),
        ("air-role", "15", ["support 50-2", "artillery"], ""),
        ("abort", "15", ["abort"], "hits>=3"),
        ("abort", "15", ["press"], ""),
        ("loss", "15", ["lose 50BA", "lose 50-1"], ""),
        ("retreat-or-loss", "15", ["lose"], ""),
        ("clear-works", "", ["clear", "fire"], "area=15"),
    ]
    fights = [d for d in parse(line).directives if d["kind"] == "battle" and d["mode"] == "once"]
    assert [d["choices"] for d in fights] == [["fight 15"]]


def test_the_defender_plans_and_does_not_fight() -> None:
    line = "battle 14 with 12th; before reinforce with HG/1; retreat at 2 hits to Catania, 16"
    line += "; disorder no; exploit no; intercept yes"
    parsed = parse(line, side="axis")
    assert {d["scope"] for d in parsed.directives} == {"2 allied combat"}
    assert not [d for d in parsed.directives if d["kind"] == "battle"]
    assert plans(line, side="axis")[2:] == [
        ("before-battle", "14", ["reinforce with HG-1 using sa", "stand"], ""),
        ("retreat-or-loss", "14", ["retreat"], "hits>=2"),
        ("retreat-or-loss", "14", ["lose"], ""),
        ("retreat-to", "", ["retreat to 26", "retreat to 16"], "area=14"),
        ("disorder", "14", ["lose"], ""),
        ("exploit-check", "", ["decline"], "area=14"),
        ("intercept", "14", ["intercept with air", "none"], ""),
    ]


def test_a_plan_for_any_battle_fights_none() -> None:
    parsed = parse("battle any with any artillery, naval support as shock; lose asset, weakest; point strongest")
    assert not [d for d in parsed.directives if d["kind"] == "battle" and d["mode"] == "once"]
    assert [(d["kind"], d["where"], d["choices"]) for d in parsed.directives if d["kind"] != "battle"] == [
        ("assets", "", ["add any-artillery", "add naval as shock", "done"]),
        ("loss", "", ["asset", "weakest"]),
        ("point-unit", "", ["strongest"]),
    ]


def test_a_special_action_pays_for_fighting_again() -> None:
    found = good("phase breakthrough-combat", "battle 15 with special action, 24ART")
    assert found[0] == ("2 allied breakthrough-combat", "battle", ["fight 15 with sa"])
    assert wrong("battle 15 with special action", side="axis")[1] == "special"


def test_battles_of_a_drop_that_is_being_played() -> None:
    state = board("at 15 1AB-1\nat 14 51-1\nassault 15 airborne", "primosole_bridge")

    def scope(line: str) -> str:
        return orders.parse(state, "allied", "1 allied drop", [Line(1, line)]).phases[0]

    assert scope("battle 15; point 1AB/1") == "1 allied drop"
    assert scope("battle 14; point 51/1") == "1 allied combat"


# -- answers --------------------------------------------------------------------------------------------


def answers(*lines: str, asks: Sequence[Ask], **more: Any) -> list[tuple[str, str, list[str]]]:
    return good(*lines, open_asks=asks, **more)


BRIDGE = ask("bridge", "blow", "leave", where="12-15", side="axis")


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        ("blow", "blow"), ("Leave.", "leave"), ("answer q3.1 leave", "leave"), ("yes", "blow"), ("no", "leave"),
        ("default", "default"), ("answer Q3.1: blow", "blow"),
    ],
)  # fmt: skip
def test_answers_to_an_open_question(line: str, choice: str) -> None:
    parsed = parse(line, side="axis", open_asks=[BRIDGE])
    assert parsed.good, parsed.diagnostics
    [d] = parsed.directives
    assert (d["kind"], d["scope"], d["choices"], d["mode"]) == ("bridge", "q3.1", [choice], "once")
    assert parsed.replace == [("q3.1", "bridge")]
    assert parsed.phases == []


def test_an_answer_and_orders_in_one_mail() -> None:
    retreat = ask("retreat-to", "retreat 50-1 to 12", "retreat 50-1 to 14 via 12", where="50-1", scope="2 allied combat")
    assert answers("retreat 50/1 to 14", "phase breakthrough", "move 4A to 12", asks=[retreat], step="2 allied combat") == [
        ("2 allied breakthrough", "breakthrough", ["move 4A to 12"]), ("q3.1", "retreat-to", ["retreat 50-1 to 14"]),
    ]


def test_several_losses_may_be_answered_at_once() -> None:
    loss = ask("loss", "lose 50-1", "lose 50BA", where="15", scope="2 allied combat", hits=2)
    assert answers("lose 50BA", "lose 50/1", asks=[loss], step="2 allied combat") == [
        ("q3.1", "loss", ["lose 50BA"]), ("2 allied combat", "loss", ["lose 50-1"]),
    ]


def test_the_canonical_answers_say_the_same() -> None:
    loss = ask("loss", "lose 50-1", "lose 50BA", where="15", scope="2 allied combat", hits=2)
    once = parse("move 4A to 12", "lose 50BA", "lose 50/1", step="2 allied combat", open_asks=[loss])
    assert once.canonical == ["answer q3.1 lose 50BA", "lose 50-1", "phase 2 allied breakthrough", "move 4A to 12"]
    again = parse(*once.canonical, step="2 allied combat", open_asks=[loss])
    assert fields(again) == fields(once)


def test_a_short_answer_that_fits_two_questions_is_asked_back() -> None:
    other = ask("bridge", "blow", "leave", where="14-15", side="axis", id="q3.2")
    assert wrong("blow", side="axis", open_asks=[BRIDGE, other])[1] == "ambiguous"
    assert answers("answer q3.2 blow", "leave", asks=[BRIDGE, other], side="axis") == [
        ("q3.2", "bridge", ["blow"]), ("q3.1", "bridge", ["leave"]),
    ]


def test_what_is_not_offered_is_refused_with_what_is() -> None:
    retreat = ask("retreat-to", "retreat 50-1 to 12", where="50-1")
    parsed = parse("retreat 50/1 to 26", open_asks=[retreat])
    [d] = parsed.diagnostics
    assert (d.severity, d.code) == ("refused", "refused") and "retreat 50-1 to 12" in d.message
    assert wrong("blow", "blow", side="axis", open_asks=[BRIDGE])[1] == "answered"


def test_a_question_of_the_other_side_is_not_open() -> None:
    assert wrong("answer q3.1 blow", open_asks=[BRIDGE])[1] == "no-question"
    [d] = parse("answer q3.1 blow", open_asks=[BRIDGE]).diagnostics
    assert "bridge" not in d.message


def test_blow_with_a_border_is_an_admin_order_even_while_a_bridge_is_asked_about() -> None:
    assert first("phase admin", "blow 12-15", side="axis", open_asks=[BRIDGE]) == "blow 12-15 from * with engineers"


# -- choosing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "key"),
    [
        ("blow 12-15 from * with engineers", "blow 12-15 from 15 with ENG-2"),
        ("blow 14-15 12-15 from 15 with ENG-2", "blow 12-15 14-15 from 15 with ENG-2"),
        ("rally 14 with sa", "rally 14 with SA-ALLIED"),
        ("rally 14 with SAE-8A|SAE-8B", "rally 14 with SAE-8B"),
        ("RALLY 14 WITH SA-ALLIED", "rally 14 with SA-ALLIED"),
    ],
)
def test_words_for_any_one_of_mine(choice: str, key: str) -> None:
    asked = ask(
        "admin", "blow 12-15 from 15 with ENG-2", "blow 12-15 14-15 from 15 with ENG-2", "rally 14 with SAE-8B",
        "rally 14 with SA-ALLIED", "done",
    )
    got = orders.choose(position(), asked, choice)
    assert isinstance(got, Option) and got.key == key


@pytest.mark.parametrize(
    ("kind", "where", "keys", "choice", "key"),
    [
        ("assets", "15", ["add NAV-1 as artillery", "done"], "add NAV-1", "add NAV-1 as artillery"),
        ("assets", "15", ["add 24ART", "done"], "add 24ART as artillery", "add 24ART"),
        ("retreat-to", "50-1", ["retreat 50-1 to 4 via 6"], "retreat to 4", "retreat 50-1 to 4 via 6"),
        ("before-battle", "15", ["stand", "retreat using SA-ALLIED"], "retreat using sa", "retreat using SA-ALLIED"),
        ("intercept", "15", ["intercept with AIR-2", "none"], "intercept with air", "intercept with AIR-2"),
        ("arrival", "", ["place 50-1 at B3"], "place 50-1 at 4", "place 50-1 at B3"),
        ("breakthrough", "", ["exploit 4A to 15", "done"], "move 4A to 15", "exploit 4A to 15"),
    ],
)
def test_readings(kind: str, where: str, keys: list[str], choice: str, key: str) -> None:
    got = orders.choose(position(), ask(kind, *keys, where=where), choice)
    assert isinstance(got, Option) and got.key == key


def test_a_tag_may_follow_the_verb() -> None:
    asked = Ask("allied", "loss", "6.43", "", lambda: [Option("lose 50-1"), Option("lose 50-2", tags=("weakest",))], "lose 50-1")
    got = orders.choose(position(), asked, "lose weakest")
    assert isinstance(got, Option) and got.key == "lose 50-2"


@pytest.mark.rule("fab_sicily", "7.42")
def test_a_special_action_is_never_spent_unasked() -> None:
    got = orders.choose(position(), ask("battle", "fight 15 with SA-ALLIED", "done"), "fight 15")
    assert isinstance(got, Refusal) and got.rule == "7.42"


def test_refusals_name_the_reason() -> None:
    got = orders.choose(position(), ask("assets", "done", "add 98ART", where="15"), "add 66ART")
    assert isinstance(got, Refusal) and "not in your Available Box" in got.reason
    got = orders.choose(position(), ask("loss", "lose 50-1", "lose 50-2", where="15"), "lose 51-1")
    assert isinstance(got, Refusal) and "lose 50-1, lose 50-2" in got.reason


# -- the language as a whole -----------------------------------------------------------------------------


def test_every_kind_of_question_is_in_the_catalogue() -> None:
    assert set(CATALOGUE.by_name) == set(QUESTIONS) == set(ASKED)
    for kind in CATALOGUE.kinds:
        assert kind.choices and kind.prompt and kind.default and kind.help, kind.name
        assert kind.phase_orders or kind.example, kind.name


def test_every_name_finds_its_own_thing() -> None:
    for scenario in ("full", "primosole_bridge"):
        data = board("", scenario).data
        for side in ("allied", "axis"):
            names = Names(data, side)
            for lexicon in (names.areas, names.places, names.units, names.chits, names.divisions):
                for entry in lexicon.entries:
                    for said in (entry.id, entry.id.replace("-", "/"), entry.label):
                        found = lexicon.find(tokenise(said)).entries
                        assert entry in found and len({e.kin or e.id for e in found}) == 1, f"{said}: {found}"


def fields(parsed: orders.Parsed) -> list[dict[str, Any]]:
    return [{k: v for k, v in d.items() if k != "source"} for d in parsed.directives]


def test_the_canonical_lines_say_the_same() -> None:
    lines = [
        "move 50/1 to Sortino, Val di Catania", "hold 51/1", "strat 4A to 13",
        "battle 15 with 24th, NAV-1 as shock; abort at 3 hits; retreat always to 12, 4; before stand; air artillery",
        "battle any; lose asset, 50/1; point strongest", "exploit 4A to 15 with special action", "pass reaction",
        "standing when retreat-or-loss at 14, Lentini if steps = 1 and hits >= 2 then retreat or lose",
        "standing when bridge at 14 then yes", "standing battle 15; point 50/1; intercept yes",
        "phase 3 allied admin", "blow 12-15", "rally 14 with sa",
    ]  # fmt: skip
    once = parse(*lines)
    assert once.good
    again = parse(*once.canonical)
    assert again.good
    assert fields(again) == fields(once)
    assert again.canonical == once.canonical


def test_directives_are_what_the_engine_takes() -> None:
    for data in parse("battle 15 with 24ART; abort at 2 hits", "standing when abort then press").directives:
        made = directive({**data, "id": "1.0", "side": "allied"})
        assert made.text


def parses_back(state: Any, asked: Ask, step: str, open_asks: Sequence[Ask]) -> None:
    """Every option of a question is taken by its own order line."""
    for option in asked.options[:: max(1, len(asked.options) // 20)]:
        line = text_of(option, asked, CATALOGUE)
        parsed = orders.parse(state, asked.side, step, [Line(1, line)], open_asks)
        assert parsed.good, (line, parsed.diagnostics)
        given = next(d for d in parsed.directives if d["kind"] == asked.kind)
        got = orders.choose(state, asked, given["choices"][0])
        assert got == option, f"{asked.kind}: {line} gives {got}"
        made = directive({**given, "id": "1.0", "side": asked.side})
        assert made.fits(asked), f"{asked.kind}: {line} gives {made}"


def test_every_option_offered_parses_back_from_its_order_line() -> None:
    session, bot = new_game("order lines"), random_bot(Chooser("order lines"))
    seen = set()
    while session.run():
        for asked in list(session.open):
            if session.pending(asked):
                parses_back(session.state, asked, session.step_name, session.open)
                assert all(line.startswith("#") for line in wanted(asked, CATALOGUE))
                seen.add(asked.kind)
                answer(session, asked, bot(session.state, asked).key)
    assert {"arrival", "admin", "movement", "battle", "assets", "point-unit", "loss"} <= seen


def test_what_scripted_players_write_is_understood() -> None:
    for side in ("allied", "axis"):
        parsed = parse(*scripted.standing_orders(side), side=side)
        assert not [d for d in parsed.diagnostics if d.severity != "warning"]


WORDS = [
    "move", "dig", "battle", "standing", "when", "then", "if", "or", "and", "at", "to", "with", ";", ",", ">", "->", "=",
    ">=", "50/1", "50th", "4A", "HG/1", "12", "12-15", "Sortino", "Val", "di", "Catania", "24th", "artillery", "engineers",
    "phase", "combat", "pass", "bridge", "loss", "hits", "3", "abort", "retreat", "never", "answer", "q3.1", "blow",
    "cancel", "all", "*", "a|b", "#", "(", "]", "é", "", "\x00", "via",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.text(max_size=60), max_size=4))
def test_no_line_ends_the_parser_and_what_it_takes_it_says(lines: list[str]) -> None:
    parsed = parse(*lines, side="axis", open_asks=[BRIDGE])
    for d in parsed.diagnostics:
        shown = mails.finding(d.severity, d.message, text=d.line.text, column=d.column, length=d.length)
        assert len(shown["text"]) <= mails.ECHO and len(shown["mark"]) <= mails.ECHO + 1
    once = [line for line in parsed.canonical if not line.startswith("cancel")]
    again = parse(*once, side="axis", open_asks=[BRIDGE])
    assert not [d for d in again.diagnostics if d.severity != "warning"]
    assert again.canonical == once


@pytest.mark.parametrize(
    "line",
    ["place 5/1, 5/2 at B1", "place 5/1 and 5/2 at B1", "place 5/1, 5/2 > B1", "place 5-1, 5-2 to B1"],
)
def test_several_units_are_placed_in_one_line(line: str) -> None:
    assert [c for _, _, c in good(line, step="2 reinforcement")] == [["place 5-1 at B1"], ["place 5-2 at B1"]]


@pytest.mark.parametrize("line", ["place 5/1 at B1", "place 5/1 B1", "place 5/1, B1", "place 5/1 > B1", "land 5/1 to B1"])
def test_one_unit_is_placed_however_it_is_put(line: str) -> None:
    assert first(line, step="2 reinforcement") == "place 5-1 at B1"


@pytest.mark.parametrize(
    "line", ["place 5/1, 5/2", "place 5/1, nobody at B1", "place", "place 5/1 at", "place 5/1, 5/2 at B1 B2"]
)
def test_a_placing_that_is_not_understood_places_nobody(line: str) -> None:
    parsed = parse(line, step="2 reinforcement")
    assert not parsed.good and not parsed.directives


def test_garrisons_and_beachheads_come_in_lists() -> None:
    assert [c for _, _, c in good("garrison 14, Catania and 12", side="axis", step="setup")] == [
        ["garrison 14"], ["garrison 26"], ["garrison 12"],
    ]  # fmt: skip
    assert [c for _, _, c in good("beachhead B1, B2 Avola", step="setup")] == [
        ["beachhead B1"], ["beachhead B2"], ["beachhead 4"],
    ]  # fmt: skip
    assert not parse("garrison 14, nowhere", side="axis", step="setup").good
