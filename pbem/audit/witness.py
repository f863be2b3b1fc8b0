"""What kept mails and older bundles say of a game's chain: which hash stood at its head when they were sent."""

from __future__ import annotations

import email
import email.policy
import json
import re
import zipfile
from collections.abc import Iterable
from email.message import EmailMessage
from pathlib import Path

_HEAD = re.compile(r"Chain\s+head\s+after\s+journal\s+row\s+(\d+),\s+for\s+your\s+records:[\s>|]*((?:[0-9a-f]{32}[\s>|]*){2})")
"""A narrow mail has the hash in two lines."""
_TAG = re.compile(r"<[^>]*>")

Witness = dict[int, tuple[str, str]]
"""Row number to its hash and the name of the file that says so."""


def witnesses(paths: Iterable[Path], game: str) -> Witness:
    """What the files say of ``game``: bundles of it by all their rows, mails by the head each one names."""
    found: Witness = {}
    for path in paths:
        for seq, hash_ in _of_bundle(path, game) if zipfile.is_zipfile(path) else _of_mail(path.read_bytes(), game):
            found[seq] = (hash_, path.name)
    return found


def _of_bundle(path: Path, game: str) -> list[tuple[int, str]]:
    with zipfile.ZipFile(path) as bundle:
        if json.loads(bundle.read("manifest.json"))["game"] != game:
            return []
        rows = [json.loads(line) for line in bundle.read("journal.jsonl").splitlines() if line]
    return [(int(r["seq"]), str(r["hash"])) for r in rows]


def _of_mail(raw: bytes, game: str) -> list[tuple[int, str]]:
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    body = mail.get_body(("plain", "html")) if isinstance(mail, EmailMessage) else None
    text = _TAG.sub(" ", str(body.get_content())) if body else ""
    if not re.search(rf"(?i)game\s+{re.escape(game)}\b", text):
        return []
    return [(int(seq), re.sub(r"[^0-9a-f]", "", head)) for seq, head in _HEAD.findall(text)]
