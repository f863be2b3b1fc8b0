"""What kept mails and older bundles say of a game's chain: which hash stood at which row when they were sent.

A mail of ours says it in a header field, where nothing that anybody writes can get to, and once more in the last block of its
text, for the reader; older mails have that block alone.  Nothing else in a mail counts.
"""

from __future__ import annotations

import email
import email.policy
import email.utils
import json
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from email.message import EmailMessage
from pathlib import Path

HEAD_FIELD = "X-PBEM-Head"
"""The header field of our mails: the game, the number of a row, and its hash."""

_FIELD = re.compile(r"([a-z0-9][a-z0-9.-]*) (\d{1,9}) ([0-9a-f]{64})")
_FOOT = re.compile(
    r"^[\s>|]*-{24}[\s>|]+(?:In\s+game\s+(?P<game>[a-z0-9.-]*[a-z0-9])\.[\s>|]+)?Chain\s+head\s+after\s+journal\s+row"
    r"\s+(?P<row>\d{1,9}),\s+for\s+your\s+records:[\s>|]*(?P<hash>(?:[0-9a-f]{32}[\s>|]*){2})", re.MULTILINE
)
"""Our own block, below a line of 24 dashes; a narrow mail has the hash in two lines."""
_TAG = re.compile(r"\[([a-z0-9][a-z0-9.-]*)(?:/[a-z0-9]{8})?\]")

LARGEST = 200_000_000
"""Bytes that a part of a bundle may unpack to."""


class NoWitness(ValueError):
    """A file says nothing of the game; names it."""


@dataclass(frozen=True, slots=True)
class Said:
    """That row ``seq`` had this hash, by the file ``name``, at a time (UTC, '' if it does not say)."""

    seq: int
    hash: str
    name: str
    at: str = ""


def witnesses(paths: Iterable[Path], game: str) -> list[Said]:
    """What the files say of ``game``: bundles of it by all their rows, mails by the head each one names.

    :class:`NoWitness` for a file that says nothing of it: who names a witness wants it heard."""
    found: list[Said] = []
    for path in paths:
        said = _of_bundle(path, game) if zipfile.is_zipfile(path) else _of_mail(path.read_bytes(), game, path.name)
        if not said:
            raise NoWitness(f"{path.name} bears no witness of game {game}: give mails that the server sent about it, or bundles")
        found += said
    return found


def _of_bundle(path: Path, game: str) -> list[Said]:
    with zipfile.ZipFile(path) as bundle:
        if any(bundle.getinfo(part).file_size > LARGEST for part in ("manifest.json", "journal.jsonl")):
            raise NoWitness(f"{path.name} is larger than a game can be")
        if json.loads(bundle.read("manifest.json"))["game"] != game:
            return []
        rows = [json.loads(line) for line in bundle.read("journal.jsonl").splitlines() if line]
    made = max((str(r["at"]) for r in rows if "at" in r), default="")
    return [Said(int(r["seq"]), str(r["hash"]), path.name, made) for r in rows]


def _of_mail(raw: bytes, game: str, name: str) -> list[Said]:
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    if not isinstance(mail, EmailMessage):
        return []
    at = _date(str(mail.get("Date", "")))
    for value in mail.get_all(HEAD_FIELD, [])[:1]:
        found = _FIELD.fullmatch(" ".join(str(value).split()))
        return [Said(int(found[2]), found[3], name, at)] if found and found[1] == game else []
    body = mail.get_body(("plain",))
    feet = list(_FOOT.finditer(str(body.get_content()))) if body else []
    tag = _TAG.search(str(mail.get("Subject", "")))
    if not feet or (feet[-1]["game"] or (tag[1] if tag else "")) != game:
        return []
    return [Said(int(feet[-1]["row"]), re.sub(r"[^0-9a-f]", "", feet[-1]["hash"]), name, at)]


def _date(value: str) -> str:
    """When a mail was sent, in UTC; '' if it does not say."""
    try:
        return email.utils.parsedate_to_datetime(value).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (TypeError, ValueError, OverflowError):
        return ""
