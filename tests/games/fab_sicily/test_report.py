"""The turn report: its blocks, the story in words, where decisions came from, and the reply block."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.telling import sentences
from pbem.games.fab_sicily.telling.report import ORDER_WORDS, in_short, report
from pbem.orders.source import blocks
from pbem.mail.html import to_text
from pbem.reports import mails
from pbem.reports.render import html_report, text_report
from tests.games.fab_sicily.mid_game import asks, directives, mid_game
from tests.games.fab_sicily.play import board
from tests.games.fab_sicily.tale import Tale


def told(side: str = "allied", **more: Any) -> dict[str, Any]:
    """The made-up middle of a game as that side is told of it."""
    tale, orders = mid_game(), directives()
    mine = orders if side == "allied" else []
    return report(tale.game(**more), tale.state, side, tale.rows, asks(), standing=mine[:2], plans=mine[2:])


def lines(view: dict[str, Any]) -> list[str]:
    """All sentences, those of battles too."""
    items = [i for p in view["happened"] for i in p["items"]]
    return [i["text"] for item in items for i in [item, *item.get("lines", [])]]


def sources(view: dict[str, Any]) -> dict[str, str]:
    items = [i for p in view["happened"] for i in p["items"]]
    return {i["text"]: i["source"] for item in items for i in [item, *item.get("lines", [])]}


def test_blocks_come_in_the_same_order() -> None:
    heads = ["WANTED OF YOU", "OPEN QUESTIONS", "YOUR REPLY", "WHAT HAPPENED", "YOUR ORDERS IN FORCE", "THE SITUATION",
             "YOUR BOXES", "THE ENEMY'S BOXES", "VICTORY POINTS"]  # fmt: skip
    for side in ("allied", "axis"):
        found = [line for line in text_report(told(side)).split("\n") if line in heads]
        assert found == heads


def test_what_is_wanted_comes_with_rule_default_and_example() -> None:
    first, second = told()["wanted"]
    assert (first["heading"], first["rule"], first["default"]) == ("Movement orders", "5.2", "pass movement")
    assert first["choices"][0] == "move 50-1, 50-2, 5-1, 5-2 to 3, 6, 12, 13, 14"
    assert (second["heading"], second["default"]) == ("Retreat or loss, Lentini [14]", "lose")
    assert second["example"] == "answer q4.2 retreat"
    assert "hits 2" in second["facts"]


def test_of_the_other_side_only_that_it_is_waited_for() -> None:
    view = told("axis")
    assert [w["kind"] for w in view["wanted"]] == ["battle"]
    assert view["waiting"] == "The game waits for you and Ann (Allied)."
    assert "retreat" not in text_report(view).split("WHAT HAPPENED")[0].lower()


def test_decisions_name_their_source() -> None:
    found = sources(told())
    assert found["5th Infantry (5-1) moved from Siracusa [5] to Augusta [13] (1 MP)."] == "mail 3, line 2"
    assert found["The point units: 5th Infantry (5-1) attacks, Coastal Garrison (S-3) defends."] == "by your standing order 1"
    assert found["Lost: 5th Infantry asset (5BA)."] == "by default at the deadline"
    refused = "Not carried out: 'move 50-2 to 3': disordered units may only move one area, and not into one that the enemy holds."
    assert found[refused] == "mail 3, line 4"


def test_the_other_sides_decisions_and_refused_orders_are_not_told() -> None:
    text = text_report(told("axis"))
    assert "Not carried out" not in text and "mail 3" not in text and "standing order" not in text


def test_a_battle_has_its_dice_in_one_line_each() -> None:
    [battle] = told()["battles"]
    fire = [line for line in battle["lines"] if line["tone"] == "fire"]
    assert [f["text"] for f in fire] == [
        "Attacking artillery, 24th Artillery (24ART): needs 4 (field works -1): 8 = 0 hits.",
        "Defensive fire, Coastal Garrison (S-3): needs 4 (quality -1): [2] 10 = 1 hit.",
        "Offensive fire, 5th Infantry (5-1): needs 6 (quality +1): [1] [5] 9 [3] = 3 hits.",
    ]
    assert battle["result"] == "attacker-holds"


def test_equal_things_are_told_together() -> None:
    assert "Recovering: 2 Axis blocks in Vizzini [11]." in lines(told("allied"))
    assert "Recovering: Napoli (NAP-1, NAP-2)." in lines(told("axis"))


def test_a_line_that_comes_again_is_counted() -> None:
    tale = Tale(board("at 14 SCH\nat 14 50-1", "primosole_bridge"))
    tale.step("2 allied combat")
    tale.tell(e.BattleBegan("14", "allied", False, True))
    for _ in range(3):
        tale.tell(e.StepLost("SCH", "6.43"))
    tale.tell(e.StepLost("50-1", "6.41"), e.StepLost("SCH", "6.43"))
    battle = report(tale.game(), tale.state, "axis", tale.rows, [])["battles"][0]
    assert [i["text"] for i in battle["lines"]] == [
        "Kampfgruppe Schmalz (SCH) loses a step, 3 times.", "An Allied block in Lentini [14] loses a step.",
        "Kampfgruppe Schmalz (SCH) loses a step.",
    ]  # fmt: skip


def test_blocks_that_nobody_can_tell_apart_move_together() -> None:
    tale = Tale(board("at 12 50-1 50-2", "primosole_bridge"))
    tale.step("2 allied movement")
    for unit in ("50-1", "50-2"):
        tale.tell(e.Moved(unit, ("13", "12"), "operational", 1, "5.22"))
    told_ = lines(report(tale.game(), tale.state, "axis", tale.rows, []))
    assert told_ == ["2 Allied blocks moved from Augusta [13] to Sortino [12]."]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("16.21", "The naval guns remove the Axis field works in Lentini [14]."),
        ("6.33", "Engineers clear the Axis field works in Lentini [14]."),
        ("16.22", "Rangers clear the Axis field works in Lentini [14]."),
        ("16.23", "Commandos clear the Axis field works in Lentini [14]."),
        ("6.42", None),
    ],
)
@pytest.mark.parametrize("side", ["allied", "axis"])
def test_who_removes_field_works_in_a_battle_is_told(rule: str, said: str | None, side: str) -> None:
    tale = Tale(board("at 14 SCH\nat 14 50-1\nworks 14 axis", "primosole_bridge"))
    tale.step("2 allied combat")
    tale.tell(e.BattleBegan("14", "allied", False, True), e.Works("14", "axis", False, rule))
    battle = report(tale.game(), tale.state, side, tale.rows, [])["battles"][0]
    assert [i["text"] for i in battle["lines"]] == ([said] if said else [])


def test_an_order_that_was_impossible_is_not_told_as_accepted_too() -> None:
    tale = mid_game()
    mail = mails.taken(["phase 2 allied movement", "move 5-1 to 13", "move 50-2 to 3"], [], [])
    view = report(tale.game(), tale.state, "allied", tale.rows, asks(), receipt=mail)
    [accepted] = view["receipt"]["accepted"]
    assert accepted == {"phase": "2 allied movement", "title": "Allied Movement Phase, turn 2", "orders": ["move 5-1 to 13"]}
    assert text_report(view).count("move 50-2 to 3") == 1


def test_a_morale_check_shows_its_die() -> None:
    assert "Morale check of 4th Armoured Brigade (4A) for exploitation: passed ([3] against 5)." in lines(told())


@pytest.mark.parametrize("name", sorted(e.TYPES))
def test_every_event_is_told_or_left_out_on_purpose(name: str) -> None:
    assert (name in sentences.SENTENCES) != (name in sentences.UNTOLD)


def test_a_decision_without_an_event_is_told_by_itself() -> None:
    tale = Tale(board("at 14 SCH\nat 14 50-1", "primosole_bridge"))
    tale.step("2 allied combat")
    tale.tell(e.BattleBegan("14", "allied", False, True))
    tale.answer("allied", "abort", "press", where="14", how="standing", order="standing when abort then press", id="9.9")
    tale.tell(e.BattleEnded("14", "contested"))
    view = report(tale.game(), tale.state, "allied", tale.rows, [])
    assert sources(view)["Your choice at Lentini [14], press on or break off: press."] == (
        "by your standing order 'standing when abort then press'"
    )


def test_a_battle_left_in_the_middle_goes_on_in_the_next_report() -> None:
    tale = mid_game()
    half = next(i for i, r in enumerate(tale.rows) if r.kind == "event" and r.payload["event"]["type"] == "Fired") - 1
    view = report(tale.game(), tale.state, "axis", tale.rows[half:], [])
    [battle] = view["battles"]
    assert battle["text"] == "The battle in Augusta [13] goes on:"
    assert (battle["attacker"], battle["result"]) == ("allied", "attacker-holds")


def test_secret_dice_are_shown_to_their_side_alone() -> None:
    tale = Tale(board("at 14 SCH", "primosole_bridge"))
    tale.step("2 allied admin")
    tale.roll("allied", "identity of what the staff saw", "8.32", [7], secret=True)
    assert report(tale.game(), tale.state, "allied", tale.rows, [])["rolls"]
    assert not report(tale.game(), tale.state, "axis", tale.rows, [])["rolls"]


def test_the_reply_block_holds_the_guard_and_does_nothing_as_it_is() -> None:
    reply = told()["reply"]
    assert reply[:2] == ["game p1", "turn 2 allied combat"] and reply[-1] == "end"
    assert all(line.startswith("#") for line in reply[2:-1])


@pytest.mark.parametrize("side", ["allied", "axis"])
@pytest.mark.parametrize("quote", ["", "> ", "| "])
def test_a_report_sent_back_holds_no_orders(side: str, quote: str) -> None:
    text = "\n".join(quote + line for line in text_report(told(side)).split("\n"))
    found = blocks(text, ORDER_WORDS)
    assert [b.lines for b in found.blocks] in ([], [[]])
    assert found.stray == []


def test_lines_uncommented_in_the_reply_block_are_orders() -> None:
    text = text_report(told()).replace("#   move 50-1 to 3", "move 50-1 to 3")
    [block] = blocks(text, ORDER_WORDS).blocks
    assert (block.game, block.guard) == ("p1", "2 allied combat")
    assert [line.text for line in block.lines] == ["move 50-1 to 3"]


def test_numbers_of_standing_orders_count_each_text_once() -> None:
    tale, orders = mid_game(), directives()
    view = report(tale.game(), tale.state, "allied", tale.rows, [], standing=[orders[0], orders[0], orders[1]])
    assert [(o["number"], o["text"]) for o in view["orders"]["standing"]] == [
        (1, "standing point-unit strongest"), (2, "standing bridge blow"),
    ]  # fmt: skip


def test_long_lists_of_choices_are_folded() -> None:
    keys = [f"move {b} to {d}" for b in ("A", "B") for d in ("1", "2")] + ["move B to 3 via 2", "dig A", "dig B", "done"]
    assert in_short(keys) == ["move A to 1, 2", "move B to 1, 2, 3", "dig A, B", "done"]
    assert in_short([f"spy {i} with STAFF-8" for i in range(1, 4)]) == ["spy 1, 2, 3 with STAFF-8"]
    assert in_short(["blow 12-15 from 15 with ENG-1", "blow 12-15 14-15 from 15 with ENG-1"]) == [
        "blow 12-15, 12-15 14-15 from 15 with ENG-1"
    ]
    assert in_short([f"interdict {i} with AIR-1" for i in range(20)])[0].endswith("and 4 more with AIR-1")
    assert in_short([f"{verb} {i} with {chit}" for verb in ("rally", "spy") for chit in ("A", "B") for i in (1, 2)]) == [
        "rally 1, 2 with A or B", "spy 1, 2 with A or B",
    ]  # fmt: skip


def test_the_end_of_a_game_gives_the_seed_and_asks_nothing() -> None:
    tale = mid_game()
    tale.tell(e.Won("axis", "victory points", "22.17"))
    view = report(tale.game(seed="5e" * 32), tale.state, "axis", tale.rows, [])
    text = text_report(view)
    assert view["kind"] == "over" and view["headline"] == "The game is over: the Axis wins"
    assert "5e" * 32 in text and "YOUR REPLY" not in text


def test_the_first_mail_commits_the_dice() -> None:
    view = told(number=1)
    assert view["kind"] == "welcome"
    text = text_report(view)
    assert "c0" * 32 in text and re.search(r"seed\s+was drawn before the\s+game began", text)
    assert "c0" * 32 not in text_report(told(number=2))


def test_a_seed_does_not_leave_while_the_game_goes_on() -> None:
    assert "5e" * 32 not in str(told(seed="5e" * 32))


def test_an_unknown_kind_of_place_is_named_in_words() -> None:
    tale = mid_game()
    options = [Option("blow"), Option("leave")]
    ask = Ask("allied", "bridge", "5.35d", "2 axis movement", lambda: options, "blow", where="12-15", id="q1.1")
    [found] = report(tale.game(), tale.state, "allied", [], [ask])["wanted"]
    assert found["heading"] == "Blow the bridge, the bridge Sortino [12] - Val di Catania [15]"


@pytest.mark.parametrize("side", ["allied", "axis"])
def test_the_html_part_turned_into_text_holds_no_orders(side: str) -> None:
    found = blocks(to_text(html_report(told(side))), ORDER_WORDS)
    assert [b.lines for b in found.blocks] in ([], [[]])


@pytest.mark.parametrize(("side", "source"), [("axis", "mail 3, line 2"), ("allied", "")])
def test_air_combat_over_a_battle_is_told_with_who_decided_it(side: str, source: str) -> None:
    tale = Tale(board("at 15 50-1/3\nat 15 NAP-1/3\nnewly 15\navailable AIR-1 LUFT-1", "primosole_bridge"))
    tale.step("2 allied combat")
    tale.tell(e.BattleBegan("15", "allied", False, True), e.AssetCommitted("15", "allied", "AIR-1", "air"))
    tale.tell(e.ChitMoved("AIR-1", "map", "15", "air", "6.22"))
    tale.answer("axis", "intercept", "intercept with LUFT-1", where="15", rule="16.31")
    tale.tell(e.ChitMoved("AIR-1", "used", "", "", "16.31"), e.ChitMoved("LUFT-1", "used", "", "", "16.31"))
    seen = report(tale.game(), tale.state, side, tale.rows, [])
    text = "Air combat: Luftwaffe (LUFT-1) turns Air Support (AIR-1) back; both go to their Used Boxes."
    assert sources(seen)[text] == source
    assert not any("Into the" in line for line in lines(seen))


@pytest.mark.parametrize(("side", "over"), [("axis", " over Gela [19]"), ("allied", " over Gela [19]"), ("", "")])
def test_air_combat_over_an_interdiction_names_the_place_to_those_who_decided(side: str, over: str) -> None:
    tale = Tale(board("available AIR-1 LUFT-1"))
    tale.step("2 axis admin")
    tale.answer("axis", "admin", "interdict 19 with LUFT-1", source="mail 4, line 1", data={"area": "19"})
    tale.answer("allied", "intercept", "intercept with AIR-1", where="19", rule="16.31", source="mail 4, line 1")
    tale.tell(e.ChitMoved("LUFT-1", "used", "", "", "16.31"), e.ChitMoved("AIR-1", "used", "", "", "16.31"))
    seen = report(tale.game(), tale.state, side, tale.rows, [])
    [(text, source)] = sources(seen).items()
    assert text == f"Air combat{over}: Air Support (AIR-1) turns Luftwaffe (LUFT-1) back; both go to their Used Boxes."
    assert source == ("mail 4, line 1" if side else "")


@pytest.mark.rule("fab_sicily", "22.37")
@pytest.mark.parametrize("side", ["allied", "axis", ""])
def test_every_report_names_the_optional_rules_in_force(side: str) -> None:
    names = ("optional_airborne", "optional_artillery", "optional_artillery_loss", "optional_works", "historical")
    tale = Tale(board("at 6 NAP-1", "campaign", **dict.fromkeys(names, True)))
    tale.step("2 allied movement")
    seen = report(tale.game(), tale.state, side, tale.rows, [])
    for text in (text_report(seen), to_text(html_report(seen))):
        assert all(number in " ".join(text.split()) for number in ("18.1 ", "18.2 ", "18.3 ", "18.4 ", "22.37 "))
    without = Tale(board("at 6 NAP-1", "campaign"))
    without.step("2 allied movement")
    assert "18.1" not in text_report(report(without.game(), without.state, side, without.rows, []))


@pytest.mark.parametrize("face", [8, 3])
def test_a_try_at_a_bridge_is_told_once_with_who_decided_it(face: int) -> None:
    tale = Tale(board("at 12 50-1\nat 15 NAP-1", "primosole_bridge"))
    tale.step("2 allied movement")
    tale.answer("axis", "bridge", "blow", where="12-15", rule="5.35d", source="mail 3, line 2")
    tale.tell(e.BridgeTried("12-15"))
    tale.roll("axis", "blowing the bridge 12-15", "5.35d", [face], 5)
    if face <= 5:
        tale.tell(e.BridgeBlown("12-15", True, "axis", "5.35d"))
    seen = report(tale.game(), tale.state, "axis", tale.rows, [])
    assert not any("choice" in line for line in lines(seen))
    assert list(sources(seen).values()).count("mail 3, line 2") == 1
