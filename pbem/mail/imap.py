"""An IMAP folder as mailbox.

The cursor is (UIDVALIDITY, UID), never a flag that another program might set; mail is only peeked at.  A connection that
breaks is made anew once.  A server that says NO or BAD is not asked again at once: whoever fetches does that, after a pause.
"""

from __future__ import annotations

import re
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

from pbem.mail.connect import Client
from pbem.mail.limits import Limit
from pbem.mail.mailbox import LARGEST, PROCESSED, QUARANTINE, BadFolder, Fetched, Later, header_only
from pbem.mail.oauth import Tokens

_T = TypeVar("_T")

_AT_ONCE = 200
_IDLE_SLICE = 1.0
_IDLE_LONGEST = 600.0
"""IDLE is renewed after ten minutes: some servers end it silently."""

_POLL = 15.0

SESSION_SECONDS = 300
"""So long may one fetch take, whatever it finds."""

_BUSY = re.compile(
    r"\[(UNAVAILABLE|INUSE|LIMIT|THROTTLED|SERVERBUG|CONTACTADMIN)\]|later|too many|temporar|throttl|try again|limit|busy|"
    r"overload|unavailable|timed? ?out|maintenance|internal error|lock",
    re.I,
)
"""What a server says by refusing a login that may be in order."""


class Gone(Exception):
    """The folder's messages were numbered anew: keys from before mean nothing any more."""


class ImapMailbox:
    """``folder`` on an IMAP server; the folders for handled mail are made if they are not there.

    ``tls``: 'ssl', 'starttls' or 'none' (for a server on the same machine); ``tokens``: log in with them (XOAUTH2)
    instead of the password.  ``read_timeout``: seconds for one answer, ``session``: for all of a fetch.  Folders may be named
    without the prefix that a server keeps personal folders under ('INBOX.').
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
        session: float = SESSION_SECONDS,
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
        self.limit = Limit(session)
        self._names: dict[str, str] = {}
        self._client: IMAPClient | None = None
        self._validity = 0
        self._last = 0

    def fetch(self, after: str = "") -> Iterator[Fetched]:
        """See `Mailbox`; all mail of the folder if its numbers are other ones than at ``after``."""
        with self.limit.running():
            yield from self._fetched(after)

    def _fetched(self, after: str) -> Iterator[Fetched]:
        self._ask(lambda client: client.noop())
        validity = self._validity
        last = _uid(after, validity)
        self._last = max(self._last, last)
        uids = self._ask(lambda client: self._newer(client, last))
        for start in range(0, len(uids), _AT_ONCE):
            some = uids[start : start + _AT_ONCE]
            try:
                about = self._about(some, validity)
                for uid in some:
                    fetched = self._one(uid, about.get(uid, {}), validity)
                    if fetched is not None:
                        yield fetched
                    self._last = max(self._last, uid)
            except Gone:
                return

    def _newer(self, client: IMAPClient, last: int) -> list[int]:
        """The UIDs above ``last``: 'n:*' always names the newest one too, so they are compared once more."""
        return sorted(uid for uid in client.search(["UID", f"{last + 1}:*"]) if uid > last)

    def _about(self, uids: list[int], validity: int) -> dict[int, dict[bytes, object]]:
        """Size and time of arrival; without the time where the server gives one that is none."""
        try:
            return self._ask(partial(_fetch, uids=uids, items=["RFC822.SIZE", "INTERNALDATE"]), validity)
        except ValueError:
            self._drop()
            return self._ask(partial(_fetch, uids=uids, items=["RFC822.SIZE"]), validity)

    def _one(self, uid: int, about: dict[bytes, object], validity: int) -> Fetched | None:
        """One mail, alone; None if it vanished meanwhile, without bytes if it is there and is not handed out."""
        size = about.get(b"RFC822.SIZE")
        whole = not isinstance(size, int) or size <= self.largest
        item, answer = ("BODY.PEEK[]", b"BODY[]") if whole else ("BODY.PEEK[HEADER]", b"BODY[HEADER]")
        received = about.get(b"INTERNALDATE")
        key = f"{validity}:{uid}"
        when = received.astimezone(UTC) if isinstance(received, datetime) else datetime.now(UTC)
        try:
            got = self._ask(partial(_fetch, uids=[uid], items=[item]), validity)
        except Later as error:
            return Fetched(key, b"", when, str(error))
        raw = got.get(uid, {}).get(answer)
        if isinstance(raw, bytes) and raw:
            return Fetched(key, raw if whole else header_only(raw, size if isinstance(size, int) else 0), when)
        if self._ask(lambda client: client.search(["UID", str(uid)]), validity):
            return Fetched(key, b"", when, "the server hands out nothing of it")
        return None

    def done(self, key: str, ok: bool) -> None:
        """Move the mail; a repetition or a server that forgot it is no error."""
        with self.limit.running(), suppress(Gone):
            try:
                self._ask(lambda client: self._move(client, key, self.processed if ok else self.quarantine))
            except Later:
                self._drop()  # the folder may have been removed: a new session makes it again
                raise

    def _move(self, client: IMAPClient, key: str, folder: str) -> None:
        uid = _uid(key, self._validity)
        if not uid:
            return
        target = self._names.get(folder, folder)
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
        """Whether there is mail above the last one fetched.  A connection that has died counts as news, since fetching will
        tell; one that cannot be made is an error."""
        kept = self._client is not None
        try:
            with self.limit.running():
                validity = self._validity
                client = self._connected()
                client.noop()
                return validity not in (0, self._validity) or bool(self._newer(client, self._last))
        except (OSError, IMAP4.error):
            self._drop()
            if not kept:
                raise
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
        """The answer to ``question``, on a new connection if the old one breaks; `Gone` if ``validity`` is no longer so, `Later`
        if the server refuses."""
        for attempt in (1, 2):
            try:
                client = self._connected()
                if validity and validity != self._validity:
                    raise Gone
                return question(client)
            except (LoginError, Later, BadFolder):
                raise
            except (OSError, IMAP4.abort) as error:
                self._drop()
                if self.limit.passed:
                    raise self.limit.error() from error
                if attempt == 2:
                    raise
            except IMAP4.error as error:
                raise Later(f"the server says: {_words(error)}") from error
        raise AssertionError("unreachable")

    def _connected(self) -> IMAPClient:
        """The client, logged in, with the folder open."""
        if self._client is None:
            ssl_only = self.tls == "ssl"
            context = self.context if ssl_only else None
            client = Client(self.limit.watch, self.host, self.port, ssl_only, context, self.timeout)
            try:
                client.normalise_times = False
                if self.tls == "starttls":
                    client.starttls(self.context)
                self._login(client)
                prefix, mark = _namespace(client)
                for name in (self.processed, self.quarantine):
                    self._names[name] = _folder(client, name, prefix, mark)
                validity = _opened(client, self.folder, prefix)
            except BaseException:
                with suppress(OSError, IMAP4.error):
                    client.shutdown()
                raise
            if validity != self._validity:
                self._last = 0
            self._client, self._validity = client, validity
        return self._client

    def _login(self, client: IMAPClient) -> None:
        try:
            if self.tokens is None:
                client.login(self.user, self.password)
            else:
                client.oauth2_login(self.user, self.tokens())
        except LoginError as error:
            if self.tokens is not None:
                self.tokens.forget()
            if _BUSY.search(str(error)):
                raise Later(f"the server does not let us in now: {_words(error)}") from error
            raise

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, IMAP4.error):
                client.shutdown()
        self.limit.forget()

    def close(self) -> None:
        """Log out."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, IMAP4.error):
                client.logout()
        self.limit.forget()

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


def _words(error: Exception) -> str:
    """What a server said, on one line."""
    return " ".join(str(error).split())[:200]


def _namespace(client: IMAPClient) -> tuple[str, str]:
    """The prefix of personal folders ('INBOX.' with Courier and many a Dovecot, mostly none), and what parts their names."""
    if not client.has_capability("NAMESPACE"):
        return "", ""
    try:
        personal = client.namespace().personal
    except (IMAP4.abort, OSError):
        raise
    except (IMAP4.error, ValueError, LookupError):
        return "", ""
    return (str(personal[0][0] or ""), str(personal[0][1] or "")) if personal else ("", "")


def _full(name: str, prefix: str) -> str:
    """A folder's name as the server knows it."""
    bare = prefix.rstrip("./\\").upper()
    if name.upper() in ("INBOX", bare) or name.startswith(prefix):
        return name
    return prefix + name


def _folder(client: IMAPClient, name: str, prefix: str, mark: str) -> str:
    """The folder for handled mail, made if it is not there; its full name.  Where a server does not tell its prefix, and has
    no place for folders beside the inbox, within it."""
    tried = [_full(name, prefix)]
    if not prefix:
        tried.append(f"INBOX{mark or _mark(client)}{name}")
    why = ""
    for full in tried:
        try:
            if client.folder_exists(full):
                return full
            client.create_folder(full)
            return full
        except (IMAP4.abort, OSError):
            raise
        except IMAP4.error as error:
            why = why or _words(error)
    if _BUSY.search(why):
        raise Later(f"the server does not give us the folder {tried[0]!r} now: {why}")
    raise BadFolder(f"the folder {tried[0]!r} is not there and cannot be made: {why}")


def _mark(client: IMAPClient) -> str:
    """What parts the names of folders."""
    found = client.list_folders("", "")
    mark = found[0][1] if found else None
    return mark.decode("ascii", "replace") if isinstance(mark, bytes) else "."


def _opened(client: IMAPClient, name: str, prefix: str) -> int:
    """Open the folder that is read; its UIDVALIDITY."""
    full = _full(name, prefix)
    try:
        said = client.select_folder(full)
    except (IMAP4.abort, OSError):
        raise
    except IMAP4.error as error:
        if _BUSY.search(str(error)):
            raise Later(f"the server does not open the folder {full!r} now: {_words(error)}") from error
        raise BadFolder(f"the folder {full!r} cannot be opened: {_words(error)}") from error
    validity = said.get(b"UIDVALIDITY")
    if validity is None:
        validity = dict(client.folder_status(full, ["UIDVALIDITY"])).get(b"UIDVALIDITY")
    if validity is None:
        raise BadFolder(f"the server gives no UIDVALIDITY for the folder {full!r}, so its mails cannot be told apart")
    return int(validity)
