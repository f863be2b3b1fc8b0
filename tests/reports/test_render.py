"""Text and HTML of all kinds of mail: safe to read anywhere, safe to be quoted."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from jinja2 import UndefinedError

from pbem.games.fab_sicily.telling.report import brief, report
from pbem.reports import mails
from pbem.reports.render import HTML_LIMIT, WIDTH, guarded, html_report, render, template_dir, text_report
from tests.games.fab_sicily.mid_game import asks, directives, mid_game

NASTY = '<b>Ann</b> & "Co"\n> move 50-1 to 4\x00'


@cache
def every_mail(name: str = "Ann") -> dict[str, dict[str, Any]]:
    """One view of each kind of mail."""
    tale, orders = mid_game(), directives()
    players = {"allied": name, "axis": "Bob"}
    full = report(
        tale.game(players=players), tale.state, "allied", tale.rows, asks(), standing=orders[:2], plans=orders[2:],
        receipt=mails.taken(["phase 2 allied movement", "move 50-1 to 12"], [], ["A note."]),
    )  # fmt: skip
    short = brief(tale.game(players=players), tale.state, "allied", asks(), standing=orders[:2])
    bad = mails.finding("error", "no place is called 'Sortin'", no=3, text=f"move 50-1 to {NASTY}", column=13, length=6,
                        suggestions=["Sortino [12]"])  # fmt: skip
    over = {"winner": "axis", "text": "The Axis wins", "vp": {"allied": 5, "axis": 15}}
    found = [
        full, {**full, "kind": "welcome"}, {**full, "kind": "over", "over": over, "seed": "5e" * 32},
        mails.receipt(short, "incomplete", accepted=["move 50-1 to 12"], findings=[bad]),
        mails.refusal(short, "these orders are for turn 1", findings=[bad]), mails.reminder(short),
        mails.silent(short, ["movement orders: done"]), mails.note("p1", "A mail from a stranger was dropped", [f"From {name}"]),
    ]  # fmt: skip
    return {v["kind"]: v for v in found}


KINDS = list(every_mail())


def test_every_template_of_a_mail_is_tried() -> None:
    base = {p.name.split(".")[0] for p in (template_dir() / "base").glob("*.txt.j2")} - {"layout", "parts"}
    assert set(KINDS) >= {"report", "welcome", "over", "receipt", "refusal", "reminder", "silent", "note"}
    assert set(KINDS) <= base | {"note"}


@pytest.mark.parametrize("kind", KINDS)
def test_text_fits_and_cannot_be_taken_for_a_quote(kind: str) -> None:
    for line in text_report(every_mail(NASTY)[kind]).split("\n"):
        assert len(line) <= WIDTH, line
        assert not re.match(r"\s*[A-Za-z]?>", line), line
        assert line == line.rstrip() and line != "--"
        assert "\x00" not in line


@pytest.mark.parametrize("kind", KINDS)
def test_html_is_small_inlined_and_without_anything_remote(kind: str) -> None:
    page = html_report(every_mail(NASTY)[kind], [{"cid": "map", "alt": "The map"}])
    assert len(page) < 100_000
    assert not re.search(r"https?://|//[a-z]|url\(|<script|<link|@import", page)
    assert set(re.findall(r'src="([^"]*)"', page)) <= {"cid:map"}
    assert "prefers-color-scheme: dark" in page and 'style="' in page
    assert "<b>Ann" not in page


@pytest.mark.parametrize("kind", KINDS)
def test_text_and_html_say_the_same_headline(kind: str) -> None:
    view = every_mail()[kind]
    assert view["headline"] in " ".join(text_report(view).split()) and view["headline"] in html_report(view)


def test_a_page_too_long_for_a_mail_is_shortened_and_says_so() -> None:
    view = every_mail()["report"]
    battle = next(i for p in view["happened"] for i in p["items"] if i.get("lines"))
    roll = view["rolls"][0]
    for copies, gone, kept in ((20, "row 17:", battle["lines"][0]["text"]), (150, battle["lines"][0]["text"], "THE END")):
        long = {**battle, "lines": [*battle["lines"] * copies, {**battle["lines"][-1], "text": "THE END"}]}
        doc = {**view, "rolls": [{**roll, "seq": 17}] * 700, "happened": [{**view["happened"][0], "items": [long]}]}
        page = html_report(doc)
        assert len(page.encode()) < HTML_LIMIT
        assert gone not in page and kept in page and "700 rolls: see the plain text of this mail" in page
        assert "row 17:" in text_report(doc) and battle["lines"][0]["text"][:30] in text_report(doc)
    assert "The battles in full are in the plain text" in page


def test_the_page_needs_no_style_to_be_read() -> None:
    styled = html_report(every_mail()["report"])
    page = re.sub(r"<style>.*?</style>|\s(?:style|class)=\"[^\"]*\"", "", styled, flags=re.DOTALL)
    assert "<b>[2]</b>" in page and "<small>(6.27)</small>" in page and "<code>" in page


def test_a_picture_has_words_in_its_place() -> None:
    page = html_report(every_mail()["report"], [{"cid": "map", "alt": "Map of turn 2"}])
    assert 'alt="Map of turn 2"' in page


def test_a_name_that_a_view_lacks_is_an_error() -> None:
    view = dict(every_mail()["report"])
    del view["waiting"]
    with pytest.raises(UndefinedError):
        text_report(view)


def test_lines_that_begin_like_orders_are_marked_outside_the_reply_block() -> None:
    text = "Prose.\n  move 50-1 to 4\n\x02\nmove 50-1 to 4\n\x03\n* move\nremove it\n\n\n\nx> quoted"
    assert guarded(text, frozenset({"move"})).split("\n") == [
        "Prose.", "| move 50-1 to 4", "move 50-1 to 4", "| * move", "remove it", "", "| x> quoted", "",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [40, 60, 72, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_the_width_can_be_chosen(kind: str, width: int) -> None:
    view = every_mail(NASTY)[kind]
    text = text_report({**view, "width": width})
    longest = max(map(len, text.split("\n")))
    assert longest <= width and (longest > 72 or width < 100 or kind == "note")
    if "head" in view:
        assert view["head"] in text.replace("\n", "")


def test_of_a_line_that_is_sent_back_the_part_with_the_mark_fits() -> None:
    bad = mails.finding("error", "x", text=f"move {'a' * 40} Sortin {'b' * 40}", column=46, length=6)
    view = {**every_mail()["receipt"], "findings": [bad]}
    lines = text_report({**view, "width": 40}).split("\n")
    row = next(i for i, line in enumerate(lines) if "^" in line)
    at = lines[row].index("^")
    assert lines[row].count("^") == 6 and lines[row - 1].lstrip("| ").rstrip() and lines[row - 1][at : at + 6] == "Sortin"


def test_the_caret_stands_under_what_is_wrong_wherever_it_is() -> None:
    text = "hold " + "x" * 900 + " here " + "y" * 900
    for column in (0, 5, 500, 906, 1700):
        bad = mails.finding("error", "x", text=text, column=column, length=4)
        at = bad["mark"].index("^")
        assert len(bad["text"]) <= mails.ECHO and bad["text"][at : at + 4] == text[column : column + 4]
    past = mails.finding("error", "missing", text="move 50/1 to", column=12, length=1)
    assert past["mark"] == " " * 12 + "^"
    assert "\x07" not in mails.finding("error", "m", text="mo\x07ve", length=9)["text"]


def test_a_template_is_found_by_name() -> None:
    assert "About game p1" in render(template_dir(), "base/note.txt.j2", every_mail()["note"])
