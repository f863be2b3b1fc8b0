"""Order blocks in the text of a mail."""

from __future__ import annotations

import time

import pytest

from pbem.orders.source import blocks

VERBS = ("move", "hold", "standing", "battle")


def found(text: str) -> list[tuple[str, list[str], bool]]:
    return [(b.game, [line.text for line in b.lines], b.ended) for b in blocks(text, VERBS).blocks]


def test_a_block_from_game_to_end() -> None:
    source = blocks("Hello,\n\nGame P1\nmove 50/1 to 4\n\n  hold 51/1\nEND.\nSee you!", VERBS)
    [block] = source.blocks
    assert (block.game, block.ended, block.guard) == ("p1", True, "")
    assert [(line.no, line.text) for line in block.lines] == [(4, "move 50/1 to 4"), (6, "hold 51/1")]
    assert source.ignored == 2
    assert source.stray == []


def test_the_turn_line_is_the_guard() -> None:
    [block] = blocks("game p1\nTurn 2 Allied Move\nmove 5/2 > 14\nend").blocks
    assert block.guard == "2 allied move"
    assert block.guard_line is not None and block.guard_line.no == 2
    assert [line.text for line in block.lines] == ["move 5/2 > 14"]


def test_without_end_the_block_is_not_ended() -> None:
    assert found("game p1\nmove 50/1 to 4") == [("p1", ["move 50/1 to 4"], False)]


def test_without_known_verbs_nothing_is_taken_for_prose() -> None:
    assert [b.game for b in blocks("game p1\nmove 50/1 to 4").blocks] == ["p1"]


def test_the_next_game_line_ends_a_block_that_has_no_end() -> None:
    assert found("game p1\nmove 50/1 to 4\ngame p2\nhold 5/1\nend") == [
        ("p1", ["move 50/1 to 4"], False), ("p2", ["hold 5/1"], True),
    ]


def test_the_same_block_twice_counts_once() -> None:
    block = "game p1\nmove 50/1 to 4\nend\n"
    assert len(found(block + block.upper())) == 1
    assert len(found(block + block.replace("4", "5"))) == 2


def test_two_games() -> None:
    assert [b[0] for b in found("game p1\nhold 5/1\nend\ngame p2\nhold 5/1\nend")] == ["p1", "p2"]


def test_a_reply_needs_no_game_line() -> None:
    assert found("Here we go\nmove 50/1 to 4\nhold 51/1\nend") == [("", ["move 50/1 to 4", "hold 51/1"], True)]
    assert found("turn 2 allied movement\nmove 50/1 to 4\nend") == [("", ["move 50/1 to 4"], True)]


def test_text_after_end_is_ignored() -> None:
    source = blocks("move 50/1 to 4\nend\n-- \nmove along\nhold the line", VERBS)
    assert len(source.blocks) == 1
    assert [line.text for line in source.stray] == ["move along", "hold the line"]


def test_prose_that_begins_like_an_order_does_not_spoil_the_block_that_follows() -> None:
    source = blocks("hold on, this is hard\n\ngame p1\nmove 50/1 to 4\nend", VERBS)
    assert [(b.game, [line.text for line in b.lines]) for b in source.blocks] == [("p1", ["move 50/1 to 4"])]
    assert [line.text for line in source.stray] == ["hold on, this is hard"]


def test_prose_about_a_game_is_no_block() -> None:
    assert found("What a\ngame indeed\nthat was") == []
    assert found("game over, Ann!\n") == []


def test_quotes_and_lines_of_our_reports_are_passed_over() -> None:
    assert found("| move 50/1 to 4\n> game p1\n>move 5/1 to 4\n> end") == []
    assert found("game p1\n> move 50/1 to 4\nhold 5/1\nend") == [("p1", ["hold 5/1"], True)]


def test_b4_a_line_of_ours_that_was_copied_into_a_block_is_one_of_its_lines() -> None:
    assert found("game p1\n| move 50/1 to 4\n|  hold 5/1\nend") == [("p1", ["move 50/1 to 4", "hold 5/1"], True)]
    assert found("| game p1\n| move 50/1 to 4\n| end") == []


def test_b4_a_block_of_comments_is_no_block() -> None:
    source = blocks("game p1\nturn 1 move\nmove 5/1 to 4\nend\ngame p1\nturn 2 move\n# move 5/1 to 6\nend", VERBS)
    assert [b.guard for b in source.blocks] == ["1 move"] and [b.guard for b in source.empty] == ["2 move"]


def test_comments_are_no_lines() -> None:
    assert found("game p1\n# move 50/1 to 4\n; so\nhold 5/1 # yes\nend") == [("p1", ["hold 5/1 # yes"], True)]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends(newline: str) -> None:
    assert found(newline.join(["game p1", "hold 5/1", "end"])) == [("p1", ["hold 5/1"], True)]


def test_dashes_in_the_game_name() -> None:
    assert found("game primosole–7\nhold 5/1\nend")[0][0] == "primosole-7"


def test_long_texts_take_linear_time() -> None:
    start = time.perf_counter()
    blocks("x" * 300_000 + "\n" + "move " * 40_000 + "\n" + "game a\nhold 5/1\n" * 3000 + "end", VERBS)
    assert time.perf_counter() - start < 3
