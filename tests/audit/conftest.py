"""A game with a rewind, played by mail to its end; its bundle and the mails a player has kept."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from pbem.config import Config
from pbem.core.dice import FIRST_BINDING, bind, row_salt
from pbem.core.journal import GENESIS, private, seal
from pbem.service.play import referee
from pbem.service.records import bundle
from tests.service.conftest import ANN, BOB, JUDGE, Club


SEALED_WITH = "00" * 32
"""What a forger salts with who has no seed."""


@dataclass
class Parts:
    """A bundle taken apart."""

    manifest: dict[str, Any]
    rows: list[dict[str, Any]]
    data: dict[str, Any]
    mails: list[Path] = field(default_factory=list)

    def copy(self) -> Parts:
        return replace(self, **{k: json.loads(json.dumps(getattr(self, k))) for k in ("manifest", "rows", "data")})

    def seal(self) -> None:
        """Make the chain, the salts and the manifest fit, as a forger would who has the seed."""
        made: list[dict[str, Any]] = []
        seed, binding = bytes.fromhex((self.manifest["seeds"] or [SEALED_WITH])[0]), FIRST_BINDING
        for i, r in enumerate(self.rows):
            if "payload" not in r:
                made.append({**r, "seq": i, "prev": made[-1]["hash"]})
                continue
            if private(r["kind"], r["payload"]):
                r["payload"]["salt"] = row_salt(seed, r["game"], binding if r["kind"] == "orders" else i)
            binding = bind(binding, r["kind"], r["payload"])
            prev = made[-1]["hash"] if made else GENESIS
            made.append(seal(r["game"], i, r["step"], r["kind"], r["payload"], r["source"], r["at"], prev).as_dict())
        self.rows = made
        self.manifest |= {"rows": len(made), "head": made[-1]["hash"]}

    def write(self, path: Path) -> Path:
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("manifest.json", json.dumps(self.manifest))
            file.writestr("journal.jsonl", "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in self.rows))
            file.writestr("dataset.json", json.dumps(self.data))
        return path

    def all(self, kind: str, **more: Any) -> list[dict[str, Any]]:
        """Rows of a kind whose payload has these values (of an event: the event)."""
        def has(r: dict[str, Any]) -> bool:
            payload = {**r["payload"], **r["payload"].get("event", {})}
            return all(payload.get(k) == v for k, v in more.items())

        return [r for r in self.rows if r["kind"] == kind and has(r)]

    def rewind(self) -> int:
        """The number of the row that took the game back."""
        return int(self.all("control", act="rewind")[0]["seq"])


def take_apart(path: Path) -> Parts:
    with zipfile.ZipFile(path) as file:
        rows = [json.loads(line) for line in file.read("journal.jsonl").splitlines()]
        return Parts(json.loads(file.read("manifest.json")), rows, json.loads(file.read("dataset.json")))


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    """The whole bundle, and what was mailed to Ann."""
    folder = tmp_path_factory.mktemp("bundle")
    config = Config(db=folder / "club.db", address=JUDGE, policy="open", pictures=False, replies_per_hour=10**6)
    club = Club(folder / "club.db", config)
    club.game()
    for sender in (ANN, BOB):
        club.write(sender, "game p1\nstanding when bridge then leave\nstanding when abort if hits >= 3 then abort\nend\n")
    club.play(until=lambda g: g.step_name.startswith("1 axis admin"))
    referee.rewind(club.context, "p1", "1 allied combat", "a slip in the ruling")
    club.play(until=lambda g: g.step_name.startswith("2 allied"))
    club.write(ANN, "concede p1\n")
    bundle.export(club.context, "p1", folder / "p1.zip")
    found = take_apart(folder / "p1.zip")
    for i, mail in enumerate(m for m in club.post() if m["To"] == ANN):
        found.mails.append(folder / f"ann-{i:03d}.eml")
        found.mails[-1].write_bytes(mail.as_bytes())
    club.app.close()
    return found
