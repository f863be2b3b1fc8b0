"""A Maildir as mailbox, and delivery into one."""

from __future__ import annotations

import itertools
import os
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pbem.mail.mailbox import LARGEST, PROCESSED, QUARANTINE, Fetched, header_only

_POLL = 0.2
_HEAD = 65_536
_counter = itertools.count()


class Maildir:
    """The Maildir at ``root``, made if it is not there; handled mail goes to the folders .Processed and .Quarantine."""

    def __init__(self, root: Path | str, largest: int = LARGEST) -> None:
        self.root = Path(root)
        self.largest = largest
        for folder in (self.root, self.root / f".{PROCESSED}", self.root / f".{QUARANTINE}"):
            make(folder)

    def fetch(self, after: str = "") -> Iterator[Fetched]:
        """Every mail still in new/ and cur/, oldest first; ``after`` does not matter, since handled mail is moved out."""
        for stamp, key, path in sorted(self._waiting()):
            try:
                with path.open("rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    raw = file.read() if size <= self.largest else header_only(file.read(_HEAD), size)
            except FileNotFoundError:
                continue
            yield Fetched(key, raw, datetime.fromtimestamp(stamp / 1e9, UTC))

    def _waiting(self) -> Iterator[tuple[int, str, Path]]:
        for name in ("new", "cur"):
            with os.scandir(self.root / name) as entries:
                for entry in entries:
                    if not entry.name.startswith("."):
                        with suppress(FileNotFoundError):
                            yield entry.stat().st_mtime_ns, _key(entry.name), Path(entry.path)

    def done(self, key: str, ok: bool) -> None:
        """Move the mail to .Processed or .Quarantine, in one rename."""
        target = self.root / f".{PROCESSED if ok else QUARANTINE}" / "cur" / f"{key}:2,S"
        for name in ("new", "cur"):
            for path in (self.root / name).glob(f"{_globbed(key)}*"):
                if _key(path.name) == key:
                    with suppress(FileNotFoundError):
                        path.rename(target)

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Look into new/ again and again."""
        end = time.monotonic() + seconds
        while True:
            if any((self.root / "new").iterdir()):
                return True
            left = end - time.monotonic()
            if left <= 0 or stop():
                return False
            time.sleep(min(_POLL, left))

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def make(folder: Path) -> Path:
    """Make a Maildir at ``folder`` if there is none."""
    for name in ("tmp", "new", "cur"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def deliver(folder: Path, raw: bytes) -> str:
    """Put a mail into a Maildir so that it is there whole or not at all; its key."""
    host = re.sub(r"[^\w.-]", "_", socket.gethostname())
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    key = f"{seconds}.M{nanoseconds // 1000:06d}P{os.getpid()}Q{next(_counter):08d}.{host}"
    temporary = folder / "tmp" / key
    with temporary.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    temporary.rename(folder / "new" / key)
    return key


def _key(name: str) -> str:
    return name.partition(":")[0]


def _globbed(text: str) -> str:
    return re.sub(r"([\[*?])", r"[\1]", text)
