"""Views of the mails that are not turn reports.  Each starts from a title's ``brief``: who, what is wanted, what is in force.

Texts that came from a player are shown to that player only, cleaned of control characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.documents import Accepted, Finding, Severity, Taken

ECHO = 60
"""Columns of a player's line that are shown."""

STANDING = "standing"
"""The word of orders that belong to no phase."""

STATUS = {
    "none": "No orders of yours are in force for what is asked now.",
    "incomplete": "Not everything that is asked of you is answered yet.",
    "complete": "All that is asked of you is answered.",
}


def finding(
    severity: Severity,
    message: str,
    *,
    no: int = 0,
    text: str = "",
    column: int = 0,
    length: int = 1,
    rule: str = "",
    suggestions: Sequence[str] = (),
) -> Finding:
    """Something wrong with a line: 'error' (not understood), 'refused' (not legal) or 'warning' (odd)."""
    shown, at = _window("".join(c if c.isprintable() else " " for c in text), column)
    mark = " " * at + "^" * max(1, min(length, len(shown) - at)) if shown else ""
    word = {"error": "Not understood", "refused": "Refused", "warning": "Warning"}[severity]
    return {
        "severity": severity, "word": word, "no": no, "text": shown, "mark": mark, "message": message, "rule": rule,
        "suggestions": list(suggestions),
    }  # fmt: skip


def _window(text: str, column: int) -> tuple[str, int]:
    """The part of a long line around ``column``, and where the column is in it."""
    start = max(0, min(column - ECHO // 2, len(text) - ECHO))
    return text[start : start + ECHO], min(column - start, ECHO)


def receipt(
    brief: Mapping[str, Any], status: str, *, accepted: Sequence[str], findings: Sequence[Mapping[str, Any]], check: bool = False,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """What was understood of a mail with orders, what not and why.  ``status``: 'none', 'incomplete' or 'complete';
    ``accepted``: the good lines in canonical form; ``check``: nothing was put in force; ``notes``: more lines."""
    bad = [f for f in findings if f["severity"] != "warning"]
    kind = "refusal" if bad and not accepted else "receipt"
    if kind == "refusal":
        headline = "NOT ACCEPTED: none of your lines is in force"
    elif check:
        headline = "Checked only: nothing was put in force"
    else:
        headline = f"Accepted, but for {len(bad)} of your lines" if bad else "Accepted"
    return {
        **brief, "kind": kind, "occasion": "check of orders" if check else "receipt", "headline": headline, "status": status,
        "status_text": STATUS[status], "accepted": list(accepted), "notes": list(notes), "findings": list(findings),
        "check": check,
    }  # fmt: skip


def taken(accepted: Sequence[str], findings: Sequence[Finding], lines: Sequence[str]) -> Taken:
    """What a report says of the mail that it answers: how much was accepted, phase by phase, standing orders by themselves,
    what was not and why, and other lines."""
    phases: list[Accepted] = []
    standing: Accepted = {"phase": STANDING, "orders": []}
    for line in accepted:
        if line.startswith(f"{STANDING} "):
            standing["orders"].append(line)
            continue
        if line.startswith("phase "):
            phases.append({"phase": line.removeprefix("phase "), "orders": []})
            continue
        if not phases:
            phases.append({"phase": "", "orders": []})
        phases[-1]["orders"].append(line)
    phases.append(standing)
    count = sum(len(p["orders"]) for p in phases)
    return {
        "count": count, "accepted": [p for p in phases if p["orders"]], "findings": list(findings), "lines": list(lines),
    }  # fmt: skip


def refusal(brief: Mapping[str, Any], reason: str, *, findings: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """A whole mail refused: a stale turn, nothing that looks like orders."""
    return {
        **brief, "kind": "refusal", "occasion": "refusal", "headline": f"NOT ACCEPTED: {reason}", "status": "none",
        "status_text": "", "accepted": [], "notes": [], "findings": list(findings), "check": False,
    }  # fmt: skip


def reminder(brief: Mapping[str, Any], status: str = "none") -> dict[str, Any]:
    """The deadline comes near and answers are missing.  ``status``: 'none' or 'incomplete'."""
    missing = "not all that is asked of you is answered yet" if status == "incomplete" else "the game waits for you"
    return {**brief, "kind": "reminder", "occasion": "reminder", "headline": f"A reminder: {missing}"}


def late(brief: Mapping[str, Any]) -> dict[str, Any]:
    """The deadline has passed without an answer; the game waits a little longer."""
    until = brief["deadline"]["text"]
    then = "it goes on without you" if brief["deadline"]["missed"] == "defaults" else "your turn counts as missed"
    headline = f"Your deadline has passed. The game still waits until {until}, then {then}."
    return {**brief, "kind": "reminder", "occasion": "late notice", "headline": headline}


def moved(brief: Mapping[str, Any], side: str, until: Mapping[str, Any], why: str) -> dict[str, Any]:
    """The deadline of ``side`` is another one now, and what was said of it before no longer holds."""
    whose = "Your deadline" if brief["side"] == side else f"The deadline of {side.capitalize()}"
    headline = f"{whose} has moved to {until['text']}. {why}."
    return {**brief, "kind": "reminder", "occasion": "new deadline", "headline": headline}


def silent(brief: Mapping[str, Any], taken: Sequence[str]) -> dict[str, Any]:
    """A deadline passed without an answer: what was taken in its place."""
    headline = "The deadline passed without an answer of yours"
    return {**brief, "kind": "silent", "occasion": "notice", "headline": headline, "taken": list(taken)}


def note(game: str, subject: str, lines: Sequence[str]) -> dict[str, Any]:
    """A few lines to the referee or to a player, outside the course of the game."""
    return {"kind": "note", "ruleset": "base", "game": {"id": game}, "headline": subject, "lines": list(lines)}


def press(game: str, heading: str, words: Sequence[str], lines: Sequence[str], order_words: Sequence[str]) -> dict[str, Any]:
    """A message of one player to another: its paragraphs as ``words``, what we say about it as ``lines``.  What a player wrote
    may look like orders, so the words that an order begins with are marked."""
    return {
        "kind": "press", "ruleset": "base", "game": {"id": game}, "headline": heading, "words": list(words), "lines": list(lines),
        "order_words": tuple(order_words),
    }  # fmt: skip
