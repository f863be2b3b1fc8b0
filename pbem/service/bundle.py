"""A game in one file: its journal, its data and, after the end, the seed of its dice; and checking such a file.

While a game runs, the bundle of a side holds the rows that the side may know; of the others it holds the hashes alone, so
that the chain can be followed and nothing be changed afterwards.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem.audit.verify import audit
from pbem.core.dice import FIRST_BINDING, seeded_face
from pbem.core.engine import INPUTS
from pbem.core.journal import GENESIS, BrokenChain, Row, canonical, check_chain, digest
from pbem.core.ruleset import Ruleset
from pbem.service.desk import Desk
from pbem.store.api import OVER

FORMAT = 1
MANIFEST, JOURNAL, DATASET = "manifest.json", "journal.jsonl", "dataset.json"
LARGEST = 200_000_000
"""Bytes that a part of a bundle may unpack to."""


class BadBundle(ValueError):
    """A file is no bundle; says which part is wrong."""


@dataclass(frozen=True)
class Verified:
    """What a check of a bundle found: ``wrong`` is '' or the first thing that is not as it must be."""

    game: str
    rows: int
    hidden: int
    rolls: int
    seed: bool
    wrong: str = ""


# -- writing -------------------------------------------------------------------------------------------


def export(desk: Desk, name: str, path: Path, side: str = "") -> int:
    """Write a game's bundle; ``side`` '' is for everybody once it is over, before that for the referee.  Gives the rows."""
    game = desk.store.games.get(name)
    over = game.status == OVER
    rows = list(desk.store.journal.rows(name))
    shown = [r.as_dict() if over or not side or visible(r, side) else _hidden(r) for r in rows]
    manifest = {
        "format": FORMAT, "game": game.id, "title": game.title, "scenario": game.scenario, "options": dict(game.options),
        "dataset": game.dataset, "commitment": game.commitment, "status": game.status, "side": "" if over else side,
        "rows": len(rows), "head": game.head, "seed": desk.store.games.seed(name).hex() if over else "",
    }
    part = path.with_name(path.name + ".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True) + "\n")
        bundle.writestr(JOURNAL, "".join(canonical(row) + "\n" for row in shown))
        bundle.writestr(DATASET, canonical(desk.store.games.dataset(game.dataset)) + "\n")
    part.replace(path)
    return len(rows)


def visible(row: Row, side: str) -> bool:
    """Whether a side may read a row while the game runs."""
    payload = row.payload
    if row.kind in ("game", "step", "control"):
        return True
    if row.kind == "event":
        return bool(payload["open"]) or payload["side"] == side
    if row.kind == "roll":
        return not payload["secret"] or payload["side"] == side
    return bool(payload["side"] == side)


def _hidden(row: Row) -> dict[str, Any]:
    return {"seq": row.seq, "prev": row.prev, "hash": row.hash}


# -- checking ------------------------------------------------------------------------------------------


def verify(path: Path, rules: Callable[[str], Ruleset]) -> Verified:
    """Check a bundle without a database: chain and data, with the seed the dice, with all rows the rules run again."""
    manifest, rows, data = _read(path)
    whole = [_row(r) for r in rows if "payload" in r]
    rolls = sum(r.kind == "roll" for r in whole)
    found = Verified(str(manifest["game"]), len(rows), len(rows) - len(whole), rolls, bool(manifest["seed"]))
    wrong = next(_faults(manifest, rows, whole, data, rules), "")
    return Verified(found.game, found.rows, found.hidden, found.rolls, found.seed, wrong)


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], Any]:
    try:
        with zipfile.ZipFile(path) as bundle:
            for part in (MANIFEST, JOURNAL, DATASET):
                if bundle.getinfo(part).file_size > LARGEST:
                    raise BadBundle(f"{path}: {part} is larger than a game can be")
            manifest = json.loads(bundle.read(MANIFEST))
            rows = [json.loads(line) for line in bundle.read(JOURNAL).splitlines() if line]
            data = json.loads(bundle.read(DATASET))
    except (KeyError, zipfile.BadZipFile, ValueError) as error:
        raise error if isinstance(error, BadBundle) else BadBundle(f"{path}: this is no bundle of a game ({error})") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise BadBundle(f"{path}: this bundle is of another format than {FORMAT}")
    return manifest, rows, data


def _row(plain: Mapping[str, Any]) -> Row:
    try:
        return Row(**plain)
    except TypeError:
        raise BadBundle(f"row {plain.get('seq')} has other fields than a row") from None


def _faults(
    manifest: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], whole: Sequence[Row], data: Any,
    rules: Callable[[str], Ruleset],
) -> Iterator[str]:
    """Everything that is wrong, the first first."""
    yield from _chain_faults(manifest, rows)
    if not whole or whole[0].kind != "game":
        yield "row 0 does not begin a game"
        return
    first = whole[0].payload
    for name in ("title", "scenario", "dataset", "commitment", "options"):
        if first.get(name) != manifest.get(name):
            yield f"the manifest's {name} is not that of row 0"
    if digest(data) != first.get("dataset"):
        yield "the data set is not the one that row 0 names"
    complete = len(whole) == len(rows)
    if manifest["seed"]:
        seed = bytes.fromhex(manifest["seed"])
        yield from _dice_faults(whole, seed, complete)
        if complete:
            difference = audit(whole, rules(str(first["title"])), data, first["options"], seed)
            if difference:
                yield difference.why


def _chain_faults(manifest: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    prev = GENESIS
    for seq, row in enumerate(rows):
        if "payload" in row:
            try:
                check_chain([_row(row)], prev, seq)
            except BrokenChain as broken:
                yield str(broken)
                return
        elif row.get("seq") != seq or row.get("prev") != prev:
            yield f"row {seq} is missing or does not follow row {seq - 1}"
            return
        prev = str(row["hash"])
    if (len(rows), prev) != (manifest["rows"], manifest["head"]):
        yield f"the journal ends with row {len(rows) - 1}, but the manifest says row {manifest['rows'] - 1}, or with another hash"


def _dice_faults(whole: Sequence[Row], seed: bytes, complete: bool) -> Iterator[str]:
    """Every die from the seed; with all rows also that it was bound to the orders before it."""
    binding = FIRST_BINDING
    for row in whole:
        payload = row.payload
        if row.kind in INPUTS:
            binding = digest([binding, row.kind, payload])
        if row.kind != "roll":
            continue
        if complete and payload["binding"] != binding:
            yield f"row {row.seq}: the dice are not bound to the orders before them"
        place = (row.game, row.step, payload["attempt"])
        for i, face in enumerate(payload["faces"]):
            due = seeded_face(seed, *place, payload["n"] + i, payload["sides"], payload["binding"])
            if face != due:
                yield f"row {row.seq}: a die for {payload['purpose']} shows {face}, the seed gives {due}"


