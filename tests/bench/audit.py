"""What a check of chain and dice costs, as a multiple of the bare HMAC and SHA-256 on the same bytes.

    python -m tests.bench.audit [ROLLS]

Both sides work on what they need: the check on rows as the store gives them, the bare hashes on the bytes, made beforehand.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
from time import perf_counter

from pbem.audit.check import Check
from pbem.core.dice import FIRST_BINDING, SeededDice, bind
from pbem.core.journal import GENESIS, Row, canonical, seal

SEED = bytes(range(32))
ORDERS = {"side": "axis", "directives": [], "replace": [], "cancel": []}


def journal(rolls: int) -> list[Row]:
    """A game of nothing but rolls (a step each hundred, orders before it), honest in chain and dice."""
    dice, rows, head, binding = SeededDice(SEED), [], GENESIS, FIRST_BINDING

    def add(step: int, kind: str, payload: dict[str, object]) -> None:
        nonlocal head
        rows.append(seal("bench", len(rows), step, kind, payload, "", "2026-01-01T00:00:00Z", head))
        head = rows[-1].hash

    add(0, "game", {"commitment": dice.commitment})
    for n in range(rolls):
        step, place = n // 100 + 1, n % 100
        if not place:
            add(step, "step", {"name": f"{step} axis combat", "attempt": 1})
            orders = {**ORDERS, "salt": dice.salt("bench", binding)}
            binding = bind(binding, "orders", orders)
            add(step, "orders", orders)
        add(step, "roll", {
            "n": place, "count": 1, "sides": 10, "purpose": f"defensive fire of 50th Infantry (50-{n % 7}) at Sortino [12]",
            "rule": "6.27", "side": "axis", "target": 5, "mods": [["disordered", -1]], "secret": False, "attempt": 1,
            "binding": binding, "faces": [dice.face("bench", step, 1, place, 10, binding, "6.27")],
        })  # fmt: skip
    return rows


def checked(rows: list[Row]) -> float:
    """Seconds for the whole check."""
    began = perf_counter()
    check = Check([SEED])
    assert next(check.faults(rows), None) is None
    assert check.checked == check.rolls
    return perf_counter() - began


def bare(rows: list[Row]) -> float:
    """Seconds for the hashes alone."""
    sealed = [
        canonical([r.game, r.seq, r.step, r.kind, r.payload, r.source, r.at, r.prev]).encode() for r in rows
    ]  # fmt: skip
    thrown = [
        canonical([r.game, r.step, 1, r.payload["n"], 10, r.payload["binding"]]).encode() for r in rows if r.kind == "roll"
    ]
    began = perf_counter()
    for text in sealed:
        hashlib.sha256(text).hexdigest()
    for text in thrown:
        hmac.digest(SEED, text, "sha256")
    return perf_counter() - began


def measure(rolls: int, rounds: int = 3) -> tuple[float, float]:
    """The best of some rounds: seconds for the check, seconds for the bare hashes."""
    rows = journal(rolls)
    return min(checked(rows) for _ in range(rounds)), min(bare(rows) for _ in range(rounds))


def main() -> None:
    rolls = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    whole, hashes = measure(rolls)
    print(
        f"{rolls} rolls: chain and dice checked in {whole:.2f} s ({rolls / whole:,.0f} a second), "
        f"bare HMAC and SHA-256 {hashes:.2f} s: {whole / hashes:.2f} times"
    )


if __name__ == "__main__":
    main()
