"""Whether a line is its mail's own, rather than part of a paragraph: what cannot be undone is only done for such a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SHORT = 4
"""Words at most of a greeting or a farewell that may stand right beside it."""


def own(lines: Sequence[str], at: int, command: Callable[[str], bool], *, first: bool = False) -> bool:
    """Whether ``lines[at]`` stands by itself.  ``command``: whether another line is one, too; ``first``: nothing may stand
    above it but a greeting and commands, as a quote that nothing marks comes below something."""
    above = [line for line in lines[:at] if line.strip()] if first else lines[max(0, at - 1) : at]
    below = lines[at + 1 : at + 2]
    greeted = all(_beside(line, command) and line.rstrip()[-1:] in (*",!", "") or command(line.strip()) for line in above)
    return greeted and all(_beside(line, command) for line in below)


def _beside(line: str, command: Callable[[str], bool]) -> bool:
    """Whether a line may stand beside one that counts: blank, a command, or a few words."""
    said = line.strip()
    return not said or command(said) or len(said.split()) <= _SHORT and said[-1] != "?"
