"""Every rule of the index is carried out somewhere, tested somewhere, and told in our own words."""

from __future__ import annotations

import csv

from pbem.scenarios import catalog
from pbem.service.play import help_pages
from pbem.service.records.coverage import coverage

FOLDER = catalog.root() / "invasion_sicily"


def numbers() -> list[str]:
    with (FOLDER / "rules.csv").open(encoding="utf-8") as file:
        return [r["rule"] for r in csv.DictReader(file) if r["kind"] != "info"]


def test_every_rule_has_code_and_a_test() -> None:
    found = coverage("invasion_sicily", FOLDER)
    assert [c.rule for c in found] == numbers()
    assert [c.rule for c in found if not c.code] == []
    assert [c.rule for c in found if not c.tests] == []


def test_every_rule_is_told_in_our_own_words() -> None:
    with (FOLDER / "rules_help.csv").open(encoding="utf-8") as file:
        rows = {r["rule"]: r["words"] for r in csv.DictReader(file)}
    assert sorted(rows) == sorted(numbers())
    assert all(words.endswith(".") and len(words) < 240 for words in rows.values())


def test_the_switches_are_rulings_that_the_help_tells() -> None:
    from pbem.games.invasion_sicily import RULESET

    page = " ".join(help_pages.page(RULESET, ["rulings"]).replace("\n| ", "\n").split())
    for switch in ("ersatz_return", "counter_chain", "rome_storm", "counter_interdict", "port_flip", "trace_counts_goal"):
        assert f"'{switch}'" in page, switch
