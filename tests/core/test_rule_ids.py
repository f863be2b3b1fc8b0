"""The numbers of rulebooks: FAB's decimals, dotted ones, letters."""

import pytest

from pbem.core.rule_ids import RuleIds

DECIMAL = RuleIds(["6.0", "6.1", "6.2", "6.21", "6.22", "6.4", "6.41", "6.42", "14.0", "14.2", "14.27", "E1"])
DOTTED = RuleIds(["3", "3.4", "3.4.1", "3.4.2", "3.4.10", "3.10", "S1", "1.3", "1.3a", "1.3b"])
LONG = RuleIds(["1.0", *(f"1.{n}" for n in range(1, 12))])


@pytest.mark.parametrize(
    ("ids", "text", "found"),
    [
        (DECIMAL, "6.42 Hits (see 6.4, 14.27a) and not 16.42, 6.421 or 6.42.1", ["6.42", "6.4", "14.27"]),
        (DECIMAL, "6.41b, E1: 6.2.", ["6.41", "E1", "6.2"]),
        (DOTTED, "3.4.10 before 3.4.1, 3.4 and 1.3a; S1, XS1, S12", ["3.4.10", "3.4.1", "3.4", "1.3a", "S1"]),
        (DOTTED, "1.3c", ["1.3"]),
        (RuleIds([]), "6.42", []),
    ],
)
def test_citations_are_found_longest_first(ids: RuleIds, text: str, found: list[str]) -> None:
    assert list(ids.cited(text)) == found


@pytest.mark.parametrize(
    ("ids", "id", "head"),
    [
        (DECIMAL, "6.42", "6.4"), (DECIMAL, "6.4", "6.0"), (DECIMAL, "14.27", "14.2"), (DECIMAL, "6.0", ""), (DECIMAL, "E1", ""),
        (DOTTED, "3.4.1", "3.4"), (DOTTED, "3.4.10", "3.4"), (DOTTED, "3.10", "3"), (DOTTED, "1.3b", "1.3"), (DOTTED, "S1", ""),
        (LONG, "1.10", "1.0"), (LONG, "1.11", "1.0"), (LONG, "1.1", "1.0"),
    ],
)
def test_which_rule_heads_which(ids: RuleIds, id: str, head: str) -> None:
    assert ids.heads[id] == head
    assert not head or id in ids.parts(head)


@pytest.mark.parametrize(
    ("ids", "text", "id"),
    [(DECIMAL, "6.42", "6.42"), (DECIMAL, "6.42b", "6.42"), (DECIMAL, "e1", "E1"), (DOTTED, "s1", "S1"), (DOTTED, "1.3A", "1.3a"),
     (DECIMAL, "6.49", ""), (DECIMAL, "6.42 please", ""), (DECIMAL, "", "")],
)
def test_a_rule_is_named(ids: RuleIds, text: str, id: str) -> None:
    assert ids.named(text) == id
