"""Receipts, refusals and what they say of a line."""

from __future__ import annotations

from pbem.reports import mails

BRIEF = {"ruleset": "base"}


def test_a_mail_without_a_good_line_is_not_accepted() -> None:
    bad = mails.finding("error", "not understood", no=1, text="mvoe 50-1")
    view = mails.receipt(BRIEF, "none", accepted=[], findings=[bad])
    assert view["kind"] == "refusal" and view["headline"].startswith("NOT ACCEPTED")


def test_good_lines_stand_when_bad_ones_fail() -> None:
    bad = mails.finding("refused", "too far", no=2, text="move 50-1 to 26", rule="5.22")
    view = mails.receipt(BRIEF, "incomplete", accepted=["move 5-1 to 6"], findings=[bad])
    assert view["kind"] == "receipt" and view["headline"] == "Accepted, but for 1 of your lines"


def test_a_warning_refuses_nothing() -> None:
    odd = mails.finding("warning", "it stays where it is", no=2, text="move 50-1 to 4")
    assert mails.receipt(BRIEF, "complete", accepted=["move 50-1 to 4"], findings=[odd])["headline"] == "Accepted"


def test_a_check_says_that_nothing_is_in_force() -> None:
    view = mails.receipt(BRIEF, "none", accepted=["move 5-1 to 6"], findings=[], check=True)
    assert view["headline"] == "Checked only: nothing was put in force"


def test_standing_orders_belong_to_no_phase() -> None:
    view = mails.taken(["move 1 to 2", "phase 2 axis combat", "battle 3", "standing when loss then lose", "battle 4"], [], [])
    assert view["count"] == 4 and [(p["phase"], p["orders"]) for p in view["accepted"]] == [
        ("", ["move 1 to 2"]), ("2 axis combat", ["battle 3", "battle 4"]), ("standing", ["standing when loss then lose"]),
    ]  # fmt: skip


def test_the_mark_stands_under_the_words_meant() -> None:
    found = mails.finding("error", "x", text="move 50-1 to Sortin", column=13, length=6)
    assert found["text"][found["mark"].index("^") :] == "Sortin" and found["mark"].count("^") == 6


def test_of_a_long_line_the_part_around_the_mark_is_shown() -> None:
    text = "a " * 200 + "Sortin " + "b " * 200
    found = mails.finding("error", "x", text=text, column=400, length=6)
    at = found["mark"].index("^")
    assert len(found["text"]) == mails.ECHO and found["text"][at : at + 6] == "Sortin"


def test_control_characters_of_a_line_are_not_sent_back() -> None:
    assert mails.finding("error", "x", text="move\x1b[31m\r\n>50")["text"].isprintable()
