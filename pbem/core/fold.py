"""A stored game without its rules: the position at the start of a step, folded from the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.dice import FIRST_BINDING, NONCE, bind
from pbem.core.engine import INPUTS, Snapshot
from pbem.core.journal import Row
from pbem.core.ruleset import Ruleset
from pbem.core.standing import STANDING, Plans, directive
from pbem.core.undone import LAID_OPEN, REWIND, standing


class NoSuchStep(LookupError):
    """The journal has no start of that step."""


def snapshot(
    rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], rows: Sequence[Row], step: int
) -> Snapshot:
    """The snapshot that was taken at the start of step number ``step``."""
    marks = [i for i, row in enumerate(rows) if row.kind == "step" and row.step == step]
    if not marks:
        raise NoSuchStep(f"step {step} was never played")
    start = marks[0]
    state = rules.new_state(data, options)
    plans = Plans()
    for row in standing(rows[: start + 1]):
        _fold(rules, state, plans, row)
    mark, binding, epoch = rows[start], FIRST_BINDING, 0
    nonces: list[list[str]] = []
    for row in rows[:start]:
        if row.kind in INPUTS:
            binding = bind(binding, row.kind, row.payload)
            if "commitment" in row.payload:
                epoch, nonces = epoch + 1, []
            elif row.payload.get("act") == NONCE:
                nonces.append([row.payload["side"], row.payload["nonce"]])
    directives = [d.as_dict() for d in plans.directives]
    name, attempt = mark.payload["name"], mark.payload["attempt"]
    return Snapshot(mark.seq + 1, step, name, mark.hash, binding, attempt, rules.dump(state), directives, epoch, nonces)


def _fold(rules: Ruleset, state: Any, plans: Plans, row: Row) -> None:
    payload = row.payload
    if row.kind == "event":
        rules.apply(state, rules.event_from(payload["event"]))
    elif row.kind == "step":
        for scope in sorted({d.scope for d in plans.directives if d.scope}):
            if scope.startswith("q") or rules.scope_over(payload["name"], scope):
                plans.expire(scope)
    elif row.kind == "orders":
        side = payload["side"]
        new = [directive({**d, "id": f"{row.seq}.{i}", "side": side}) for i, d in enumerate(payload["directives"])]
        plans.add(new, [(side, scope, kind) for scope, kind in payload.get("replace", [])])
        owned = {d.id for d in plans.of(side)}
        plans.drop([d for d in payload.get("cancel", []) if d in owned])
    elif row.kind == "control" and row.payload.get("act") == REWIND and row.payload.get(LAID_OPEN):
        plans.drop([d.id for d in plans.directives if d.mode != STANDING])
    elif row.kind == "skip" or (row.kind == "answer" and payload["how"] == "mailed"):
        plans.drop([payload["id"]])
