"""What a mailbox offers, whichever kind it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from pbem.mail.parse import SIZE_HEADER, Limits

LARGEST = Limits().mail
"""Of a larger mail only the header is fetched, with its size put on top."""

PROCESSED, QUARANTINE = "Processed", "Quarantine"
"""The folders that handled mail is moved to."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A mail as it lay in the mailbox: ``key`` names it there, ``received`` (aware, UTC) is when it arrived.

    ``raw`` is empty if the server would not hand it out, and ``refused`` says why.
    """

    key: str
    raw: bytes
    received: datetime
    refused: str = ""


class Later(OSError):
    """The server does not do now what it is asked: it is throttling, or in trouble.  Ask again after a pause."""


class BadFolder(OSError):
    """A folder cannot be used: the settings or the server are to be mended."""


class Mailbox(Protocol):
    """An inbox and the folders beside it."""

    def fetch(self, after: str = "") -> Iterator[Fetched]:
        """The mails that came after the one with key ``after``, in their order of arrival, one at a time.

        The same mail may come again after a crash or when the server numbers its mails anew: who keeps them must know
        them by their content.
        """
        ...

    def done(self, key: str, ok: bool) -> None:
        """Move a mail out of the inbox (``ok``: to Processed, else to Quarantine); harmless if it is gone already."""
        ...

    def wait(self, seconds: float, stop: Callable[[], bool] = ...) -> bool:
        """Wait for news; True as soon as there may be some, False if there was none or ``stop`` said so."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...


def header_only(head: bytes, size: int) -> bytes:
    """What stands for a mail of ``size`` bytes of which only the beginning was fetched."""
    for blank in (b"\r\n\r\n", b"\n\n"):
        if blank in head:
            head = head[: head.index(blank)]
            break
    return f"{SIZE_HEADER}: {size}\r\n".encode() + head.rstrip(b"\r\n") + b"\r\n\r\n"
