"""A game in one file: its journal, its data and, after the end, the seed of its dice; and checking such a file.

While a game runs, the bundle of a side holds the rows that the side may know; of the others it holds the hashes alone, so
that the chain can be followed and nothing be changed afterwards.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any
from typing import TYPE_CHECKING

from pbem.audit.check import Check, Cut, Sealed, sealed
from pbem.audit.verify import audit
from pbem.audit.witness import LARGEST, NoWitness, Said, witnesses
from pbem.core.dice import seeds_of
from pbem.core.journal import Row, canonical, digest
from pbem.service.context import ServiceContext
from pbem.service.records.sent_mails import SentMails
from pbem.store.api import CLOSED, OVER, Game

if TYPE_CHECKING:
    from pbem.games.contract import Title

FORMAT = 2
MANIFEST, JOURNAL, DATASET, VERIFIER, READ_ME = "manifest.json", "journal.jsonl", "dataset.json", "standalone.py", "README.txt"

class BadBundle(ValueError):
    """A file is no bundle; says which part is wrong."""


TOLD = """This is the journal of a game played by mail, and what is needed to check it.

  python3 standalone.py THIS.zip              (take standalone.py out of this file; it needs nothing but Python)
  python3 standalone.py THIS.zip MAIL.eml ... (mails that you have kept, or older bundles, as witnesses)
  pbem verify THIS.zip [MAIL.eml ...]         (the rules of the game are run again as well)

manifest.json  the game, the side it was made for, the head of the chain, the seeds that have been opened
journal.jsonl  one row a line; of rows that the side may not know, the hash alone
dataset.json   map, forces and tables as they were when the game began
How the dice are committed, and how to check them with a program of your own: deploy/DICE.md in pbem's sources.
"""


@dataclass(frozen=True)
class Verified:
    """What a check of a bundle found: ``wrong`` is '' or the first thing that is not as it must be; ``checked``: dice that
    were thrown again; ``witnesses``: hashes of kept mails that agree; ``lost``: how many more are of a stretch of play that
    went when the host put an older copy back; ``rules``: whether the rules were run again; ``cuts``: such copies, a line each."""

    game: str
    rows: int = 0
    hidden: int = 0
    rolls: int = 0
    checked: int = 0
    witnesses: int = 0
    lost: int = 0
    rules: bool = False
    cuts: tuple[str, ...] = ()
    head: str = ""
    wrong: str = ""


@dataclass(frozen=True)
class Contents:
    """What a bundle holds."""

    manifest: Mapping[str, Any]
    rows: Sequence[Row | Sealed]
    data: Mapping[str, Any]

    @property
    def seeds(self) -> list[bytes]:
        """The seeds that have been opened."""
        return [bytes.fromhex(s) for s in self.manifest["seeds"]]

    @property
    def complete(self) -> bool:
        """Whether no row is held back."""
        return all(isinstance(r, Row) for r in self.rows)


def ended(game: Game) -> bool:
    """Whether nobody can play a game any more, so that everything about it may be told: it is over.  One that was closed
    before its end can be opened again, and keeps its secrets."""
    return game.status == OVER or game.status == CLOSED and not game.waiting


# -- writing -------------------------------------------------------------------------------------------


def contents(context: ServiceContext, name: str, side: str = "") -> Contents:
    """What a side may have of a game; ``side`` '' is for everybody once it is over, before that for the referee."""
    game = context.store.games.get(name)
    over = ended(game)
    rows = context.store.journal.rows(name)
    shown = [r if over or not side or visible(r, side) else Sealed(r.seq, r.prev, r.hash) for r in rows]
    manifest = {
        "format": FORMAT, "game": game.id, "title": game.title, "scenario": game.scenario, "options": dict(game.options),
        "dataset": game.dataset, "commitment": game.commitment, "status": OVER if over else game.status,
        "side": "" if over else side, "rows": len(shown), "head": game.head, "seeds": [s.hex() for s in opened(context, game)],
    }
    return Contents(manifest, shown, context.store.games.dataset(game.dataset))


def opened(context: ServiceContext, game: Game) -> list[bytes]:
    """The seeds that both players have been mailed: all of a game that is over, none but earlier ones of one that runs."""
    seeds = seeds_of(context.store.games.seed(game.id))
    return seeds if ended(game) else seeds[:-1]


def export(context: ServiceContext, name: str, path: Path, side: str = "") -> int:
    """Write a game's bundle (see :func:`contents`).  Gives the number of rows."""
    found = contents(context, name, side)
    part = path.with_name(path.name + ".part")
    _write(found, part)
    part.replace(path)
    return len(found.rows)


def packed(context: ServiceContext, name: str) -> bytes:
    """The bundle of a game that is over, to be mailed."""
    found = BytesIO()
    _write(contents(context, name), found)
    return found.getvalue()


def _write(found: Contents, to: Path | BytesIO) -> None:
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr(MANIFEST, json.dumps(found.manifest, indent=1, sort_keys=True) + "\n")
        bundle.writestr(JOURNAL, "".join(canonical(_plain(row)) + "\n" for row in found.rows))
        bundle.writestr(DATASET, canonical(found.data) + "\n")
        bundle.writestr(VERIFIER, (files("pbem.audit") / VERIFIER).read_text(encoding="utf-8"))
        bundle.writestr(READ_ME, TOLD)


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


def _plain(row: Row | Sealed) -> dict[str, Any]:
    return row.as_dict() if isinstance(row, Row) else {"seq": row.seq, "prev": row.prev, "hash": row.hash}


# -- checking ------------------------------------------------------------------------------------------


def verify(
    path: Path, rules: Callable[[str], Title], kept: Sequence[Path] = (),
    sent: Mapping[str, Sequence[Path]] = MappingProxyType({}),
) -> Verified:
    """Check a bundle without a database: chain and data, with the seeds the dice, with all rows the rules run again.

    ``kept``: mails of the game and older bundles, which bear witness of the chain as it was; ``sent``: by side, all mails that
    it sent about the game, which bear witness of what it ordered.
    """
    found = read(path)
    game = str(found.manifest["game"])
    try:
        said = witnesses(kept, game)
    except NoWitness as error:
        raise BadBundle(str(error)) from None
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise BadBundle(f"{', '.join(p.name for p in kept)}: these are no mails or bundles ({error})") from None
    rerun = found.complete and found.manifest["status"] == OVER
    if sent and not rerun:
        raise BadBundle(f"{path}: what a player sent can be held against the orders when the game is over and all rows are here")
    done = Check(found.seeds, found.complete, game)
    wrong = next(_faults(found, done, said, rules, sent), "")
    hashes = {r.seq: r.hash for r in found.rows}
    lost = sum(hashes.get(s.seq) != s.hash and any(c.lost(s.seq, s.at) for c in done.cuts) for s in said)
    cuts = tuple(f"row {c.seq}: the host put a copy back that ends with row {c.kept}, {c.at}" for c in done.cuts)
    return Verified(
        game, len(found.rows), done.hidden, done.rolls, done.checked, len(said) - lost, lost, rerun, cuts, done.head, wrong,
    )


def read(path: Path) -> Contents:
    """What stands in a bundle; :class:`BadBundle` if it is none."""
    try:
        with zipfile.ZipFile(path) as bundle:
            for part in (MANIFEST, JOURNAL, DATASET):
                if bundle.getinfo(part).file_size > LARGEST:
                    raise BadBundle(f"{path}: {part} is larger than a game can be")
            manifest = _json(bundle.read(MANIFEST))
            rows = [_json(line) for line in bundle.read(JOURNAL).splitlines() if line]
            data = _json(bundle.read(DATASET))
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise BadBundle(f"{path}: this bundle is of another format than {FORMAT}")
        missing = [k for k in MUST if k not in manifest]
        if missing:
            raise BadBundle(f"{path}: its manifest lacks {', '.join(missing)}")
        found = Contents(manifest, [sealed(r) for r in rows], data)
        if any(len(s) != 32 for s in found.seeds):
            raise BadBundle(f"{path}: a seed has 32 bytes")
        return found
    except RecursionError:
        raise BadBundle(f"{path}: its JSON is nested deeper than that of any game") from None
    except (KeyError, TypeError, zipfile.BadZipFile, ValueError, zlib.error) as error:
        raise error if isinstance(error, BadBundle) else BadBundle(f"{path}: this is no bundle of a game ({error})") from None


def _json(text: bytes) -> Any:
    """A part as it stands: a number that is none (NaN), or a key that stands twice, could be read in two ways."""
    return json.loads(text, parse_constant=_unreadable, object_pairs_hook=_once)


def _unreadable(word: str) -> Any:
    raise ValueError(f"{word} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


MUST = ("game", "title", "scenario", "options", "dataset", "commitment", "status", "side", "rows", "head", "seeds")


def _faults(
    found: Contents, done: Check, said: Sequence[Said], rules: Callable[[str], Title], sent: Mapping[str, Sequence[Path]],
) -> Iterator[str]:
    """Everything that is wrong, the first first."""
    manifest, rows = found.manifest, found.rows
    faults = sorted(done.faults(rows), key=lambda f: f.row)
    yield from _told_otherwise(rows, said, done.cuts)
    differs = None
    first = rows[0] if rows else None
    if not isinstance(first, Row) or first.kind != "game":
        yield "row 0 does not begin a game"
        return
    whole = [r for r in rows if isinstance(r, Row)]
    if found.complete and manifest["status"] == OVER and not any(f.broken for f in faults) and len(found.seeds) > done.epoch:
        heard = SentMails(str(manifest["game"]), sent) if sent else None
        title, options, seeds = rules(str(first.payload["title"])), first.payload["options"], b"".join(found.seeds)
        differs = audit(whole, title, found.data, options, seeds, over=True, heard=heard)
    yield from (f.why for f in sorted([*faults, *([differs] if differs else [])], key=lambda f: f.row))
    for name in ("title", "scenario", "dataset", "commitment", "options"):
        if first.payload.get(name) != manifest[name]:
            yield f"the manifest's {name} is not that of row 0"
    if digest(found.data) != first.payload["dataset"]:
        yield "the data set is not the one that row 0 names"
    if (len(rows), done.head) != (manifest["rows"], manifest["head"]):
        yield f"row {len(rows) - 1} is the last one here, but the manifest says row {manifest['rows'] - 1}, or another hash"
    if manifest["status"] == OVER and not found.complete:
        withheld = next(r.seq for r in rows if isinstance(r, Sealed))
        yield f"row {withheld} is withheld, though the game is over"
    if manifest["status"] == OVER and len(found.seeds) <= done.epoch:
        yield "the game is over, but the seed that row 0 commits to is not here"


def _told_otherwise(rows: Sequence[Row | Sealed], said: Sequence[Said], cuts: Sequence[Cut]) -> Iterator[str]:
    """Where kept mails and older bundles name another hash than the bundle.  Two that name two hashes for a row cannot both be
    right."""
    last = -1
    for each in sorted(said, key=lambda s: s.seq):
        there = rows[each.seq].hash if each.seq < len(rows) else ""
        if there != each.hash and any(c.lost(each.seq, each.at) for c in cuts):
            continue
        if not there:
            yield f"rows {len(rows)} to {each.seq} are missing, though {each.name} names row {each.seq}"
        elif there != each.hash:
            yield f"row {each.seq} has another hash than {each.name} says: rows {last + 1} to {each.seq} are not what they were"
        last = each.seq
