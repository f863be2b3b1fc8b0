"""Orders that take others out of force: 'cancel', and standing orders for a case that has one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.core.standing import STANDING, Directive
from pbem.orders.drafts import Draft, numbered
from pbem.orders.grammar import Trouble


def cancelled(words: Sequence[str], in_force: Sequence[Directive], scope: Callable[[], str]) -> list[Directive]:
    """What ``words`` behind 'cancel' take back; ``scope`` reads them as a phase ('' if they are none)."""
    standing = [d for d in in_force if d.mode == STANDING]
    if list(words) == ["all"]:
        return [d for d in in_force if d.mode != STANDING]
    if list(words) == ["standing", "all"]:
        return standing
    if len(words) == 2 and words[0] == "standing" and words[1].isdecimal():
        texts, number = numbered(in_force, STANDING), int(words[1][:9])
        if not 1 <= number <= len(texts):
            have = f"{len(texts) or 'no'} standing order{'' if len(texts) == 1 else 's'}"
            raise Trouble("number", f"you have {have}; 'orders' lists them", 2)
        return [d for d in standing if d.text == texts[number - 1]]
    by_id = [d for d in in_force if len(words) == 1 and d.id == words[0]]
    phase = scope() if words and not by_id else ""
    found = by_id or [d for d in in_force if phase and d.scope == phase]
    if not found:
        usage = "'all', a phase, 'standing' and a number, or an order's number is expected here"
        raise Trouble("cancel", f"you have no orders for {phase}" if phase else usage, 1, max(1, len(words)))
    return found


def supersede(draft: Draft, in_force: Sequence[Directive]) -> tuple[list[Directive], list[Directive]]:
    """The standing orders that a new one replaces, as they are for just the same case; and the wider ones that it stands
    behind, so that it is never reached."""
    same_kind = [d for d in in_force if d.mode == STANDING and d.kind == draft.kind]
    same = [d for d in same_kind if draft.same_case(d)]
    wider = [d for d in same_kind if d not in same and d.where in ("", draft.where) and set(d.tests) <= set(draft.tests)]
    return same, wider
