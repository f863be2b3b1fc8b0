"""An IMAP folder as mailbox.

The cursor is (UIDVALIDITY, UID), never a flag that another program might set; mail is only peeked at; every answer of
the server is expected to fail once and is asked for again on a new connection.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from imaplib import IMAP4
from types import TracebackType
from typing import Self, TypeVar

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import LoginError

from pbem.mail.mailbox import LARGEST, PROCESSED, QUARANTINE, Fetched, header_only
from pbem.mail.oauth import Tokens

_T = TypeVar("_T")

_AT_ONCE = 200
_IDLE_SLICE = 1.0
_IDLE_LONGEST = 600.0
"""IDLE is renewed after ten minutes: some servers end it silently."""

_POLL = 15.0


class Gone(Exception):
    """The folder's messages were numbered anew: keys from before mean nothing any more."""


class ImapMailbox:
    """``folder`` on an IMAP server; the folders for handled mail are made if they are not there.

    ``tls``: 'ssl', 'starttls' or 'none' (for a server on the same machine); ``tokens``: log in with them (XOAUTH2)
    instead of the password.
    """

    def __init__(
        self,
        host: str,
        user: str,
        password: str,
        *,
        port: int = 0,
        tls: str = "ssl",
        folder: str = "INBOX",
        processed: str = PROCESSED,
        quarantine: str = QUARANTINE,
        connect_timeout: float = 15,
        read_timeout: float = 60,
        largest: int = LARGEST,
        context: ssl.SSLContext | None = None,
        tokens: Tokens | None = None,
    ) -> None:
        if tls not in ("ssl", "starttls", "none"):
            raise ValueError(f"tls must be ssl, starttls or none, not {tls!r}")
        self.host, self.port = host, port or (993 if tls == "ssl" else 143)
        self.user, self.password, self.tls = user, password, tls
        self.folder, self.processed, self.quarantine, self.largest = folder, processed, quarantine, largest
        self.timeout = SocketTimeout(connect=connect_timeout, read=read_timeout)
        self.context, self.tokens = context, tokens
        self._client: IMAPClient | None = None
        self._validity = 0
        self._last = 0

    def fetch(self, after: str = "") -> Iterator[Fetched]:
        """See `Mailbox`; all mail of the folder if its numbers are other ones than at ``after``."""
        self._ask(lambda client: client.noop())
        validity = self._validity
        last = _uid(after, validity)
        self._last = max(self._last, last)
        uids = self._ask(lambda client: self._newer(client, last))
        for start in range(0, len(uids), _AT_ONCE):
            some = uids[start : start + _AT_ONCE]
            try:
                about = self._ask(partial(_fetch, uids=some, items=["RFC822.SIZE", "INTERNALDATE"]), validity)
                for uid in some:
                    fetched = self._one(uid, about[uid], validity) if uid in about else None
                    if fetched is not None:
                        yield fetched
                    self._last = max(self._last, uid)
            except Gone:
                return

    def _newer(self, client: IMAPClient, last: int) -> list[int]:
        """The UIDs above ``last``: 'n:*' always names the newest one too, so they are compared once more."""
        return sorted(uid for uid in client.search(["UID", f"{last + 1}:*"]) if uid > last)

    def _one(self, uid: int, about: dict[bytes, object], validity: int) -> Fetched | None:
        """One mail, alone; None if it vanished meanwhile."""
        size = about.get(b"RFC822.SIZE")
        whole = not isinstance(size, int) or size <= self.largest
        item, answer = ("BODY.PEEK[]", b"BODY[]") if whole else ("BODY.PEEK[HEADER]", b"BODY[HEADER]")
        received = about.get(b"INTERNALDATE")
        key = f"{validity}:{uid}"
        when = received.astimezone(UTC) if isinstance(received, datetime) else datetime.now(UTC)
        try:
            got = self._ask(partial(_fetch, uids=[uid], items=[item]), validity)
        except (LoginError, IMAP4.abort):
            raise
        except IMAP4.error:
            return Fetched(key, b"", when)
        raw = got.get(uid, {}).get(answer)
        if not isinstance(raw, bytes):
            return None
        return Fetched(key, raw if whole else header_only(raw, size if isinstance(size, int) else 0), when)

    def done(self, key: str, ok: bool) -> None:
        """Move the mail; a repetition or a server that forgot it is no error."""
        target = self.processed if ok else self.quarantine
        with suppress(Gone):
            self._ask(lambda client: self._move(client, key, target))

    def _move(self, client: IMAPClient, key: str, target: str) -> None:
        uid = _uid(key, self._validity)
        if not uid:
            return
        if client.has_capability("MOVE"):
            client.move([uid], target)
        elif client.search(["UID", str(uid)]):
            client.copy([uid], target)
            client.delete_messages([uid], silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge([uid])

    def wait(self, seconds: float, stop: Callable[[], bool] = lambda: False) -> bool:
        """Wait with IDLE where the server has it, and look for mail afterwards in any case.

        On a connection that died, IDLE looks like silence; only the look afterwards tells.
        """
        end = time.monotonic() + seconds
        while True:
            if self._news():
                return True
            left = end - time.monotonic()
            if left <= 0 or stop():
                return False
            try:
                self._idle(min(left, _IDLE_LONGEST), stop)
            except (OSError, IMAP4.error):
                self._drop()
                return True

    def _news(self) -> bool:
        """Whether there is mail above the last one fetched; trouble counts as news, since fetching will tell."""
        try:
            validity = self._validity
            client = self._connected()
            client.noop()
            return validity not in (0, self._validity) or bool(self._newer(client, self._last))
        except (OSError, IMAP4.error):
            self._drop()
            return True

    def _idle(self, seconds: float, stop: Callable[[], bool]) -> None:
        """Return on the first word of the server, when ``stop`` says so, or after ``seconds``."""
        client = self._connected()
        end = time.monotonic() + seconds
        if not client.has_capability("IDLE"):
            end = min(end, time.monotonic() + _POLL)
            while time.monotonic() < end and not stop():
                time.sleep(min(_IDLE_SLICE, max(0.0, end - time.monotonic())))
            return
        client.idle()
        while (left := end - time.monotonic()) > 0 and not stop():
            begun = time.monotonic()
            said = client.idle_check(timeout=min(_IDLE_SLICE, left))
            news = any(len(line) > 1 and line[1] in (b"EXISTS", b"RECENT") for line in said)
            dead = not said and time.monotonic() - begun < min(_IDLE_SLICE, left) / 2
            if news or dead:
                break
        client.idle_done()

    def _ask(self, question: Callable[[IMAPClient], _T], validity: int = 0) -> _T:
        """The answer to ``question``, on a new connection if the old one fails; `Gone` if ``validity`` is no longer so."""
        for attempt in (1, 2):
            client = self._connected()
            if validity and validity != self._validity:
                raise Gone
            try:
                return question(client)
            except (OSError, IMAP4.error):
                self._drop()
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def _connected(self) -> IMAPClient:
        """The client, logged in, with the folder open."""
        if self._client is None:
            ssl_only = self.tls == "ssl"
            context = self.context if ssl_only else None
            client = IMAPClient(self.host, port=self.port, ssl=ssl_only, ssl_context=context, timeout=self.timeout)
            try:
                client.normalise_times = False
                if self.tls == "starttls":
                    client.starttls(self.context)
                self._login(client)
                for name in (self.processed, self.quarantine):
                    if not client.folder_exists(name):
                        client.create_folder(name)
                validity = int(client.select_folder(self.folder)[b"UIDVALIDITY"])
            except BaseException:
                with suppress(OSError, IMAP4.error):
                    client.shutdown()
                raise
            if validity != self._validity:
                self._last = 0
            self._client, self._validity = client, validity
        return self._client

    def _login(self, client: IMAPClient) -> None:
        if self.tokens is None:
            client.login(self.user, self.password)
            return
        try:
            client.oauth2_login(self.user, self.tokens())
        except LoginError:
            self.tokens.forget()
            raise

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, IMAP4.error):
                client.shutdown()

    def close(self) -> None:
        """Log out."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, IMAP4.error):
                client.logout()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _fetch(client: IMAPClient, uids: list[int], items: list[str]) -> dict[int, dict[bytes, object]]:
    return dict(client.fetch(uids, items))


def _uid(key: str, validity: int) -> int:
    """The UID in ``key``, 0 if it was given under another UIDVALIDITY."""
    stated, _, uid = key.partition(":")
    return int(uid) if stated == str(validity) and uid.isdecimal() else 0
