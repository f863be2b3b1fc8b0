"""What 'help' mails back: every verb, kind of question, rule and sort of error has its text, and none is stale."""

from __future__ import annotations

import ast
import csv
import re
from pathlib import Path

import pytest

import pbem
from pbem.games import find_title
from pbem.orders.service_verbs import SERVICE
from pbem.service.play import help_pages
from pbem.scenarios import catalog
from tests.service.conftest import ANN, text

RULES = find_title("fab_sicily")
LANGUAGE = RULES.words.language
ROOT = Path(pbem.__file__).parent


def numbers(kind: str) -> list[str]:
    with (catalog.root() / "fab_sicily" / "rules.csv").open(encoding="utf-8") as file:
        return [r["rule"] for r in csv.DictReader(file) if r["kind"] == kind]


def codes(folder: Path) -> set[str]:
    """The codes that the parsers of a folder give to what they find."""
    found = set()
    for node in (n for path in folder.rglob("*.py") for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = {"Trouble": 0, "Refused": 0, "tell": 3}.get(name)
            if place is not None and len(node.args) > place and isinstance(node.args[place], ast.Constant):
                found.add(str(node.args[place].value))
    return found


@pytest.mark.parametrize("title", ["fab_sicily", "invasion_sicily"])
def test_every_sort_of_error_of_a_title_has_a_text_and_no_text_is_left_over(title: str) -> None:
    own = find_title(title).words.language.errors
    found = codes(ROOT / "games" / title / "words")
    assert found - set(help_pages.ERRORS) == set(own)


def test_every_sort_of_error_has_a_text_and_no_text_is_left_over() -> None:
    assert codes(ROOT / "orders") == set(help_pages.ERRORS)
    page = " ".join(help_pages.page(RULES, ["errors"]).replace("| ", "").split())
    assert all(f"{code}: {said}" in page for code, said in help_pages.ERRORS.items())
    assert "stale:" in help_pages.page(RULES, ["error", "stale"]) and "junk:" not in help_pages.page(RULES, ["error", "stale"])


@pytest.mark.parametrize("name", [*LANGUAGE.verbs.words, *SERVICE.words, *LANGUAGE.catalogue.by_name])
def test_every_verb_and_question_has_a_page(name: str) -> None:
    page = help_pages.page(RULES, [name])
    assert "no help on" not in page and ("THE ORDER" in page or "THE QUESTION" in page or page.isupper() or "\n\n" in page)


@pytest.mark.parametrize("id", numbers("rule"))
def test_every_rule_is_told_in_our_own_words(id: str) -> None:
    view = help_pages.rule(RULES, id)
    assert view and 20 < len(view["words"]) < 240 and view["words"].endswith(".")
    page = help_pages.page(RULES, [id])
    assert page.startswith(f"RULE {id}: ") and all(len(line) <= 72 for line in page.split("\n"))


def test_no_word_is_kept_for_a_rule_that_is_none() -> None:
    with (catalog.root() / "fab_sicily" / "rules_help.csv").open(encoding="utf-8") as file:
        assert [r["rule"] for r in csv.DictReader(file)] == numbers("rule")


def test_a_rule_names_its_orders_questions_rulings_and_code() -> None:
    view = help_pages.rule(RULES, "6.42")
    assert view and view["questions"] == ["disorder", "retreat-or-loss"] and "hits.against_defender" in view["code"]
    drawn = help_pages.rule(RULES, "5.23")
    assert drawn and "dig" in drawn["orders"]
    whole = help_pages.rule(RULES, "6.0")
    assert whole and [p["id"] for p in whole["parts"]][:2] == ["6.1", "6.2"]
    assert help_pages.rule(RULES, "99.9") is None and "no help on '99.9'" in help_pages.page(RULES, ["99.9"])


def test_rulings_are_those_of_the_code() -> None:
    page = " ".join(help_pages.page(RULES, ["rulings"]).replace("\n| ", "\n").split())
    said = help_pages.rulings("fab_sicily")
    assert len(said) > 40 and all(ruling[:40] in page for ruling in said)
    for ruling in said:
        assert not re.search(r"``|\bNone\b|\bTrue\b|''|\*\w|  ", ruling) and re.search(r"Ruling: [A-Z0-9\"']", ruling), ruling


def test_help_is_as_broad_as_the_player_wants_his_mails(club) -> None:
    club.write(ANN, "game p1\nset width 50\nhelp 6.42\nend\n")
    page = text(club.post()[-1])
    assert page.startswith("RULE 6.42") and max(map(len, page.split("\n"))) <= 50


@pytest.mark.parametrize(("asked", "begins"), [("Lentini", "Lentini [14]: "), ("50-1", "50-1 "), ("victory", "Allied: ")])
def test_help_looks_a_thing_of_the_position_up(club, asked: str, begins: str) -> None:
    club.write(ANN, f"game p1\nhelp {asked}\nend\n")
    [mail] = club.post()
    assert any(line.removeprefix("| ").startswith(begins) for line in text(mail).splitlines()), text(mail)


def test_a_topic_of_the_help_goes_before_a_thing_of_that_name(club) -> None:
    club.write(ANN, "game p1\nhelp orders\nend\n")
    assert "Borders: " not in text(club.post()[-1])
    club.write(ANN, "game p1\nhelp zebra\nend\n")
    assert "There is no help on 'zebra'." in text(club.post()[-1])
