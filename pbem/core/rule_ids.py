"""The numbers of a rulebook: which there are, where a text cites one, and which heads which.

What a rule's number looks like is the rulebook's business ('6.42', '3.4.1', '1.3a', 'S1'): the ids come from the title's
``rules.csv``, and nothing here knows a pattern for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property


class RuleIds:
    """The ids of a title in the order of its rulebook."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(dict.fromkeys(ids))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.ids, key=len, reverse=True)
        either = "|".join(map(re.escape, longest_first)) or r"(?!)"
        return re.compile(rf"(?<![\w.])({either})([a-z]?)(?!\w|\.\d)")

    def cited(self, text: str) -> Iterator[str]:
        """The rules that a text cites, in its order: the longest id that fits, also with the letter of a paragraph
        behind it ('6.41b' cites 6.41)."""
        for match in self._pattern.finditer(text):
            yield match[1]

    def named(self, text: str) -> str:
        """The rule that a text names and nothing else, '' if it is none; letters of either case, a paragraph's letter may
        follow."""
        said = text.strip()
        exact = self._by_name.get(said.lower(), "")
        return exact or (self._by_name.get(said[:-1].lower(), "") if said[-1:].isalpha() else "")

    @cached_property
    def _by_name(self) -> Mapping[str, str]:
        return {id.lower(): id for id in self.ids}

    def parts(self, id: str) -> list[str]:
        """The rules just below that one."""
        return [part for part, head in self.heads.items() if head == id]

    @cached_property
    def heads(self) -> Mapping[str, str]:
        """Each id and the id that heads it, '' for a chapter.  '3.4' heads '3.4.1' and '3.4a'; '6.0' heads '6.4', and where
        the book counts so, '6.4' heads '6.41' (but not '1.1' the tenth paragraph '1.10', which stands behind '1.9')."""
        found: dict[str, str] = {}
        before = ""
        for id in self.ids:
            found[id] = max((h for h in found if self._heads(h, id, before, found)), key=lambda h: len(_stem(h)), default="")
            before = id
        return found

    def _heads(self, head: str, id: str, before: str, found: Mapping[str, str]) -> bool:
        stem = _stem(head)
        if head == id or not id.startswith(stem):
            return False
        rest = id[len(stem) :]
        if head.endswith(".0"):
            return rest.isdigit()
        if rest[0].isdigit():
            return len(rest) == 1 and "." in head and (before == head or found.get(before) == head)
        return True


def _stem(head: str) -> str:
    """What the ids below a rule begin with."""
    return head.removesuffix("0") if head.endswith(".0") else head
