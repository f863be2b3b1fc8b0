"""Whether a server is set up right: each check says what it found and, if it is wrong, how to mend it."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4
from pathlib import Path

from imapclient.exceptions import LoginError

from pbem.config import Config
from pbem.mail.imap import ImapMailbox
from pbem.mail.limits import TooSlow
from pbem.mail.mailbox import BadFolder, Later
from pbem.mail.oauth import OAuthError
from pbem.mail.smtp import NotAllowed, SendError
from pbem.games import find_title
from pbem.service.host import breaker, integrity
from pbem.service.host.servers import imap_mailbox, smtp_sender
from pbem.service.play.outages import HOLD
from pbem.service.times import moment
from pbem.store.api import HALTED, Store, StoreError
from pbem.store.schema import open_store

HOURS_UNSENT = 2

NAMED = 5
"""So many games are named."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    ok: bool
    found: str
    mend: str = ""


def examine(config: Config, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Iterator[Check]:
    """All checks, one after the other."""
    yield from _settings(config)
    yield from _database(config, now())
    yield from _mail_in(config)
    yield from _mail_out(config)


def _settings(config: Config) -> Iterator[Check]:
    yield Check("address", True, config.address)
    yield Check("senders are believed by", True, config.trust)
    if config.trust in ("dkim", "both"):
        mend = "set PBEM_AUTHSERV_ID to your mail server's id"
        yield Check("authserv_id", bool(config.authserv_id), config.authserv_id or "not set: signatures are checked here", mend)
    if config.trust == "open" and not config.embedded:
        yield Check("policy", False, "open: anybody can write in a player's name", "set PBEM_POLICY=token")
    said = config.operator or "nobody hears of trouble"
    yield Check("operator", bool(config.operator) or config.embedded, said, "set PBEM_OPERATOR to your own address")
    readable = [str(p) for p in (config.db, Path(".env")) if p.is_file() and p.stat().st_mode & 0o077]
    found = f"others on this machine may read {' and '.join(readable)}" if readable else "for this user only"
    yield Check("files", not readable, found, f"chmod 600 {' '.join(readable)}")


def _database(config: Config, now: datetime) -> Iterator[Check]:
    try:
        store = open_store(config.db)
    except StoreError as error:
        yield Check("database", False, str(error), "run 'pbem init' where the database shall be")
        return
    yield Check("database", True, f"{config.db}, {store.games.count()} games")
    last = store.notes.value("last_tick")
    ahead = bool(last) and moment(last) > now + timedelta(minutes=5)
    found = f"it is {now:%Y-%m-%d %H:%M} UTC" + (f", the last tick was at {last}" if last else ", there was no tick yet")
    yield Check("clock", not ahead, found, "the clock goes wrong, or went wrong at the last tick: set it before the daemon runs")
    yield from _games(config.db, store)
    oldest = store.outbox.oldest()
    late = bool(oldest) and moment(oldest) < now - timedelta(hours=HOURS_UNSENT)
    yield Check("outbox", not late, f"oldest unsent mail: {oldest or 'none'}", "'pbem outbox list' tells why it is still there")
    held = json.loads(store.notes.value(HOLD) or "{}").get("why", "")
    mend = "when all is well, 'pbem resume' goes on"
    yield Check("deadlines", not held, f"held: {held}" if held else "they pass as usual", mend)
    yield Check("inbox", True, ", ".join(f"{n} {s}" for s, n in store.inbox.counts().items()) or "nothing waits")
    store.close()


def _games(db: Path, store: Store) -> Iterator[Check]:
    """Games that stand still for trouble, and those whose stored data are damaged."""
    halted = {g.id: g.note for g in store.games.in_status(HALTED)}
    broken = dict(integrity.damaged(db, find_title))
    wrong = {**{g: f"halted: {why}" for g, why in halted.items()}, **{g: f"damaged: {why}" for g, why in broken.items()}}
    said = "; ".join(f"{game} is {why}" for game, why in list(wrong.items())[:NAMED])
    if len(wrong) > NAMED:
        said += f"; and {len(wrong) - NAMED} more"
    mend = "'pbem audit GAME' names the row that differs; of damaged data 'pbem restore' brings back a copy that is whole"
    yield Check("games", not wrong, said or "all as they were stored", mend)
    trouble = {"mail in": breaker.FETCH, "moving mails": breaker.MOVE, "mail out": breaker.SEND}
    for what, part in trouble.items():
        text = store.notes.value(f"trouble {part}")
        found = json.loads(text) if text else {}
        if found and not found["ended"]:
            yield Check(what, False, f"fails since {found['since']}: {found['why']}", f"it is tried again at {found['until']}")


def _mail_in(config: Config) -> Iterator[Check]:
    if not config.imap_host:
        folder = config.maildir
        yield Check("mail in", _writable(folder), f"Maildirs in {folder}", f"make {folder} a folder that this user may write to")
        return
    yield _safe("imap_security", config.imap_host, config.imap_security)
    box = imap_mailbox(config)
    place = f"{config.imap_host}:{config.imap_port}, folder {config.imap_folder}"
    try:
        with box:
            list(_first(box))
        yield Check("imap", True, place)
    except (OSError, IMAP4.error, ValueError) as error:
        yield Check("imap", False, f"{place}: {' '.join(str(error).split())}", _cause(config, "IMAP", error))


def _cause(config: Config, kind: str, error: Exception) -> str:
    """What to do about an error of a mail server."""
    secret = "PBEM_OAUTH_..." if config.oauth_token_url else f"PBEM_{kind}_PASSWORD"
    if isinstance(error, (LoginError, NotAllowed)):
        return f"it does not let us in: check PBEM_{kind}_USER and {secret}; some providers want an app password"
    if isinstance(error, OAuthError):
        return "no access token is given: check PBEM_OAUTH_...; the refresh token may have been withdrawn"
    if isinstance(error, BadFolder):
        return "check the folders: PBEM_IMAP_FOLDER, PBEM_IMAP_PROCESSED and PBEM_IMAP_QUARANTINE"
    if isinstance(error, (Later, TooSlow)) or kind == "SMTP" and re.match(r"[45]\d\d ", str(error)):
        return "the settings are in order: wait, it is tried again by itself"
    if isinstance(error, ssl.SSLError) or "SSL" in str(error):
        return f"check PBEM_{kind}_PORT and PBEM_{kind}_SECURITY, and that the name in the certificate is PBEM_{kind}_HOST"
    return f"nobody answers there: check PBEM_{kind}_HOST, PBEM_{kind}_PORT and PBEM_{kind}_SECURITY, and the network"


def _first(box: ImapMailbox) -> Iterator[str]:
    """The key of the first mail, if there is one: that the folder can be read."""
    for mail in box.fetch():
        yield mail.key
        return


def _mail_out(config: Config) -> Iterator[Check]:
    if config.embedded:
        host, port = config.listen_at
        try:
            loopback = ipaddress.ip_address(host).is_loopback
        except ValueError:
            loopback = host == "localhost"
        yield Check("mail out", loopback, f"the embedded server at {host}:{port}", "set PBEM_LISTEN to 127.0.0.1 and a port")
        return
    if not config.smtp_host:
        yield Check("smtp", False, "PBEM_SMTP_HOST is empty, but there is an IMAP server", "set PBEM_SMTP_HOST")
        return
    yield _safe("smtp_security", config.smtp_host, config.smtp_security)
    place = f"{config.smtp_host}:{config.smtp_port}"
    try:
        with smtp_sender(config, timeout=15) as sender:
            sender.probe()
        yield Check("smtp", True, place)
    except (SendError, OSError) as error:
        yield Check("smtp", False, f"{place}: {error}", _cause(config, "SMTP", error))


def _safe(name: str, host: str, security: str) -> Check:
    """Passwords go in the clear to this machine only."""
    try:
        near = all(ipaddress.ip_address(a[4][0]).is_loopback for a in socket.getaddrinfo(host, None))
    except (OSError, ValueError):
        near = False
    return Check(name, security != "none" or near, security, f"set PBEM_{name.upper()} to tls or starttls")


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return folder.is_dir()
