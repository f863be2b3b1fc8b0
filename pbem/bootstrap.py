"""Where the edges are wired in: clock, mailbox, sender, seeds.  Tests and the demo give their own."""

from __future__ import annotations

import csv
import gc
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.config import Config, ConfigError
from pbem.games import find_title
from pbem.service.play.clock import BadClock, option
from pbem.service.play.clock import defaults as clock_defaults
from pbem.service.context import ServiceContext
from pbem.scenarios import catalog
from pbem.store.api import Store
from pbem.store.schema import open_store

if TYPE_CHECKING:
    from pbem.games.contract import MapStyle, Title
    from pbem.mail.auth import DnsFunc
    from pbem.mail.mailbox import Mailbox
    from pbem.service.letters.outgoing import Sender


COLLECT = 10_000
"""New objects after which Python looks for cycles: a mail makes thousands of objects, and hardly a cycle."""


@dataclass
class App:
    """Everything a command works with.  The mailbox and the sender are made when they are first needed."""

    context: ServiceContext
    new_mailbox: Callable[[], Mailbox]
    new_sender: Callable[[], Sender]

    @property
    def store(self) -> Store:
        """The database."""
        return self.context.store

    def close(self) -> None:
        """Let go of the database."""
        self.context.store.close()


def bootstrap(
    config: Config, *, store: Store | None = None, clock: Callable[[], datetime] | None = None,
    secret: Callable[[int], bytes] = secrets.token_bytes, mailbox: Callable[[], Mailbox] | None = None,
    sender: Callable[[], Sender] | None = None, rules: Callable[[str], Title] = find_title,
    scenario: Callable[[str, str], Mapping[str, Any]] = catalog.load,
) -> App:
    """Wire an application; what is not given is the real thing."""
    gc.set_threshold(COLLECT)
    for name, value in clock_defaults(config).items():
        try:
            option(name, value)
        except BadClock as why:
            raise ConfigError(f"PBEM_{name.upper()}: {why}") from None
    context = ServiceContext(
        store if store is not None else open_store(config.db), config, clock or _now, secret, rules, scenario, _dns(config),
        (lambda title: geometry(title, cache_folder(config))) if config.pictures else lambda title: None,
    )
    return App(context, mailbox or (lambda: _mailbox(config)), sender or (lambda: _sender(config)))


def _now() -> datetime:
    return datetime.now(UTC)


GROUND = ("areas", "rivers", "relief")
"""The parts of a title's map: shapes of the areas, streams, shaded slopes."""


def cache_folder(config: Config) -> Path:
    """What may be deleted."""
    return config.db.parent / config.cache


@cache
def geometry(title: str, keep: Path | None = None) -> Mapping[str, Any] | None:
    """A title's map as shapes (GeoJSON by name, see :data:`GROUND`), and its style, for pictures; None if it has none.

    ``keep``: the folder in which what is drawn of it once and for all is kept, if any.
    """
    folder = catalog.folder(title) / "map"
    style = find_title(title).map_style
    if "hexes" in style:
        return _hex_map(folder, style, keep)
    files = {name: folder / f"{name}.geojson" for name in GROUND}
    if not files["areas"].is_file():
        return None
    shapes = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in files.items() if path.is_file()}
    found = {**shapes, "style": style}
    return found if keep is None else {**found, "cache": str(keep)}


def _hex_map(folder: Path, style: MapStyle, keep: Path | None) -> Mapping[str, Any]:
    """The rows of a map of hexes."""
    hexes, sides = (_rows(folder / name) for name in style["hexes"].get("files", ("hexes.csv", "hexsides.csv")))
    found = {"hexes": hexes, "hexsides": sides, "style": style}
    return found if keep is None else {**found, "cache": str(keep)}


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a file; none of a file that is not there (a map need not have anything on its hexsides)."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def _mailbox(config: Config) -> Mailbox:
    if config.imap_host:
        from pbem.service.host.servers import imap_mailbox

        return imap_mailbox(config)
    from pbem.mail.embedded import folder_name
    from pbem.mail.maildir import Maildir

    return Maildir(config.maildir / folder_name(config.address), config.max_mail_bytes)


def _sender(config: Config) -> Sender:
    if config.smtp_host:
        from pbem.service.host.servers import smtp_sender

        return smtp_sender(config)
    from pbem.mail.smtp import Sender as SmtpSender

    host, port = config.listen_at
    return SmtpSender(host, port, tls="none")


def _dns(config: Config) -> DnsFunc | None:
    """Where the keys of signatures are looked up, if the policy asks for signatures."""
    if config.trust not in ("dkim", "both"):
        return None
    if config.dns_fixture is not None:
        return _records(config.dns_fixture)
    from dkim.dnsplug import get_txt

    found: DnsFunc = get_txt
    return found


def _records(path: Path) -> DnsFunc:
    """TXT records from a file, in place of DNS."""
    try:
        known = {name.rstrip(".").lower(): text for name, text in json.loads(path.read_text(encoding="utf-8")).items()}
    except (OSError, ValueError, AttributeError) as error:
        raise ConfigError(f"PBEM_DNS_FIXTURE: {path} cannot be read as a JSON file of names and texts ({error})") from None

    def ask(name: bytes, timeout: int = 5) -> bytes | None:
        text = known.get(name.decode("ascii", "replace").rstrip(".").lower())
        return text.encode() if text else None

    return ask
