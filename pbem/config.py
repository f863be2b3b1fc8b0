"""The settings: environment variables or a ``.env`` file, each with its default and what it is for.

``deploy/.env.example`` is made of this table (``example()``); every setting is also listed by ``pbem doctor``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator


PREFIX = "PBEM_"


class ConfigError(ValueError):
    """A setting is wrong; one line for each."""


def _setting(default: Any, what: str, **limits: Any) -> Any:
    return Field(default, description=what, **limits)


class Config(BaseModel):
    """All settings.  The environment variable is ``PBEM_`` and the name in capitals."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    db: Path = _setting(Path("pbem.db"), "The database file.")
    address: str = _setting("judge@localhost", "Our own mail address: orders go there, reports come from there.")
    name: str = _setting("pbem", "The name shown beside that address.")
    operator: str = _setting("", "Who hears of mail that cannot be handled and of games without a referee. Empty: nobody.")

    imap_host: str = _setting("", "Read mail from this IMAP server. Empty: from the Maildir named below.")
    imap_port: int = _setting(993, "Its port.", ge=1, le=65535)
    imap_user: str = _setting("", "Login name; empty: the address.")
    imap_password: SecretStr = _setting(SecretStr(""), "Password (an app password for Gmail).")
    imap_security: Literal["tls", "starttls", "none"] = _setting("tls", "tls, starttls or none (none on loopback only).")
    imap_folder: str = _setting("INBOX", "The folder that is read.")
    imap_processed: str = _setting(
        "Processed", "Where mails are moved to once they are stored. A prefix of the server's (INBOX.) is found by itself.",
        min_length=1,
    )

    imap_quarantine: str = _setting("Quarantine", "Where mails are moved to that the server will not hand out.", min_length=1)

    smtp_host: str = _setting("", "Send mail by this SMTP server. Empty, and no IMAP server: the embedded mail server.")
    smtp_port: int = _setting(587, "Its port.", ge=1, le=65535)
    smtp_user: str = _setting("", "Login name; empty: the address, if there is a password.")
    smtp_password: SecretStr = _setting(SecretStr(""), "Password; empty: no login.")
    smtp_security: Literal["tls", "starttls", "none"] = _setting("starttls", "tls, starttls or none (none on loopback only).")

    oauth_token_url: str = _setting(
        "",
        "For mailboxes that take no password: where access tokens are given. Gmail: https://oauth2.googleapis.com/token;"
        " Outlook: https://login.microsoftonline.com/common/oauth2/v2.0/token. Empty: passwords.",
    )
    oauth_client_id: str = _setting("", "The id of the application that you registered there.")
    oauth_client_secret: SecretStr = _setting(SecretStr(""), "Its secret, if it has one.")
    oauth_refresh_token: SecretStr = _setting(SecretStr(""), "The refresh token that you were given for the mailbox.")
    oauth_scope: str = _setting(
        "",
        "The scopes, where the endpoint wants them named. Outlook: https://outlook.office.com/IMAP.AccessAsUser.All"
        " https://outlook.office.com/SMTP.Send",
    )

    maildir: Path = _setting(Path("mail"), "The folder with one Maildir an address, where the embedded mail server delivers.")
    listen: str = _setting("127.0.0.1:2525", "Where the embedded mail server takes mail. Keep it on loopback.")

    policy: Literal["", "token", "dkim", "both", "open"] = _setting(
        "",
        "How a sender is believed: token (a secret that only we mailed to the seat), dkim, both, or open (the address alone,"
        " for a trusted network). Empty: dkim if an authserv_id is given, else open with the embedded mail server, else token.",
    )
    authserv_id: str = _setting("", "For dkim: your own mail server's id in Authentication-Results; no other is believed.")
    dkim_may_lack: str = _setting(
        "",
        "For dkim: header fields that a signature need not cover ('content-type'), where players' providers do not sign them."
        " Who intercepts a mail could then change that field in a copy of it.",
    )
    dns_fixture: Path | None = _setting(
        None, "For tests: a JSON file of TXT records ({name: text}) that is asked for the keys of signatures instead of DNS."
    )
    allow: str = _setting("", "Who may register by mail: addresses and domains (example.org). Empty: all who are not denied.")
    deny: str = _setting("", "Whose mail is not taken: addresses and domains; 'pbem people deny' adds to them.")
    new_games: Literal["members", "consent", "host"] = _setting(
        "members", "Who may make games by mail: members; consent (members, each time the operator is asked); host (the operator)."
    )
    referee: str = _setting("", "The referee of the games that are made by mail. Empty: none; the operator hears of trouble.")
    replies_per_hour: int = _setting(30, "At most so many answers an hour to one address, then silence and a note.", ge=1)
    max_mail_bytes: int = _setting(2_000_000, "Bigger mails are not read; the sender is told.", ge=10_000)

    tick_seconds: int = _setting(60, "How often the daemon looks for mail.", ge=1)
    outage_minutes: float = _setting(
        60, "If mail could not be read for so long, that was an outage: deadlines move. More than the time between ticks.", gt=0
    )
    jump_days: float = _setting(
        7, "If the clock has gone on by more than that since the last tick, it is not believed before 'pbem resume'.", gt=0
    )
    silence_hours: float = _setting(
        24, "If hardly anybody wrote for so long while deadlines were missed, that is mail trouble: they are held.", gt=0
    )
    silence_misses: int = _setting(3, "So many missed deadlines are needed for that; 0: they are never held.", ge=0)
    keep_sent_days: float = _setting(
        90, "The bytes of sent mails are kept so long; reports can be mailed again even then. 0: for ever.", ge=0
    )
    health_file: str = _setting("", "Where each tick says how things stand (JSON). Empty: beside the database, NAME.health.")
    deadline_hours: float = _setting(72, "Time for an answer, unless the game has its own (--set deadline_hours=24).", gt=0)
    phase_hours: str = _setting("", "Other times for some phases ('setup 120, 1 96, axis movement 48'): the first that fits.")
    grace_hours: float = _setting(0, "So long after a missed deadline a game still waits, once that has been said.", ge=0)
    extension_hours: float = _setting(0, "Who misses a deadline gets so much more time, once in a game; 0: never.", ge=0)
    reminder_hours: str = _setting("24", "Remind so long before the deadline, once or several times ('48 24 6'); 0: never.")
    clock_hours: str = _setting("always", "Days and hours in which the time for an answer runs: 'mon-fri 08-22, sat 10-18'.")
    early: Literal["yes", "ready", "no"] = _setting(
        "yes", "Whether orders are carried out before the deadline: as they come, when their side says 'ready', or never."
    )
    cache: Path = _setting(
        Path("cache"), "The grounds of maps are kept here once they are drawn. It may be deleted at any time. If not a full path:"
        " beside the database."
    )
    pictures: bool = _setting(True, "Whether reports have a picture of the map.")
    timezone: str = _setting("UTC", "The zone in which times are shown (Europe/Rome).")

    log_level: Literal["debug", "info", "warning", "error"] = _setting("info", "debug, info, warning or error.")
    log_json: bool = _setting(False, "Log lines as JSON, for a collector.")

    @field_validator("address")
    @classmethod
    def _is_address(cls, value: str) -> str:
        if not is_address(value):
            raise ValueError(f"{value!r} is no mail address; write it like judge@example.org")
        return value.lower()

    @field_validator("operator", "referee")
    @classmethod
    def _may_be_address(cls, value: str) -> str:
        if value and not is_address(value):
            raise ValueError(f"{value!r} is no mail address; write it like judge@example.org, or leave it empty")
        return value.lower()

    @field_validator("reminder_hours", mode="before")
    @classmethod
    def _may_be_number(cls, value: Any) -> Any:
        return f"{value:g}" if isinstance(value, (int, float)) else value

    @field_validator("dns_fixture", mode="before")
    @classmethod
    def _may_be_empty(cls, value: Any) -> Any:
        return value or None

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, LookupError):
            raise ValueError(f"{value!r} is no time zone; write it like Europe/Rome") from None
        return value

    @field_validator("listen")
    @classmethod
    def _is_listener(cls, value: str) -> str:
        host, _, port = value.rpartition(":")
        if not host or not port.isdigit() or int(port) > 65535:
            raise ValueError(f"{value!r} is no place to listen at; write it like 127.0.0.1:2525")
        return value

    @field_validator("oauth_token_url")
    @classmethod
    def _may_be_endpoint(cls, value: str) -> str:
        near = ("http://127.0.0.1:", "http://localhost:")
        if value and not value.startswith(("https://", *near)):
            raise ValueError(f"{value!r} is no https address")
        return value

    @property
    def embedded(self) -> bool:
        """Whether mail comes and goes through the embedded server."""
        return not self.imap_host and not self.smtp_host

    @property
    def trust(self) -> str:
        """The policy in force."""
        return self.policy or ("dkim" if self.authserv_id else "open" if self.embedded else "token")

    @property
    def domain(self) -> str:
        """The part of our address after the @, for Message-IDs."""
        return self.address.rpartition("@")[2]

    @property
    def listen_at(self) -> tuple[str, int]:
        """Host and port of the embedded server."""
        host, _, port = self.listen.rpartition(":")
        return host, int(port)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are shown."""
        return ZoneInfo(self.timezone)

    @property
    def health(self) -> Path:
        """Where each tick says how things stand."""
        return Path(self.health_file) if self.health_file else self.db.with_name(self.db.name + ".health")


def is_address(text: str) -> bool:
    """Whether ``text`` is one plain mail address and nothing else."""
    local, at, domain = text.rpartition("@")
    plain = bool(local and at and domain) and text.isascii() and text.isprintable()
    plain = plain and not any(c in text for c in ' \t"<>(),;:\\[]')
    return plain and parseaddr(text)[1] == text and ".." not in text and not domain.startswith(".") and not domain.endswith(".")


def load(env: Mapping[str, str] | None = None, file: Path | str | None = ".env", **given: Any) -> Config:
    """The settings: ``given`` before the environment before the file before the defaults."""
    known = {PREFIX + name.upper(): name for name in Config.model_fields}
    found = {}
    for source in (_file(file), os.environ if env is None else env):
        found.update({known[k]: v for k, v in source.items() if k in known and v is not None})
    try:
        return Config(**{**found, **{k: v for k, v in given.items() if v is not None}})
    except ValidationError as error:
        raise ConfigError("\n".join(_wrong(e) for e in error.errors())) from None


def _file(file: Path | str | None) -> Mapping[str, str | None]:
    """The file's settings; a name in it that we do not know is most likely a slip."""
    if file is None or not Path(file).is_file():
        return {}
    values = dotenv_values(file)
    known = {PREFIX + name.upper() for name in Config.model_fields}
    odd = [k for k in values if k.startswith(PREFIX) and k not in known]
    if odd:
        raise ConfigError(f"{file}: there is no setting {odd[0]}; 'pbem doctor' lists them all")
    return values


def _wrong(error: Any) -> str:
    name = PREFIX + ".".join(str(p) for p in error["loc"]).upper()
    said = error["msg"].removeprefix("Value error, ")
    return f"{name}: {said}"


def settings() -> list[tuple[str, str, str]]:
    """Every setting: its variable, its default as text, what it is for."""
    rows = []
    for name, field in Config.model_fields.items():
        default = field.default.get_secret_value() if isinstance(field.default, SecretStr) else field.default
        shown = "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
        rows.append((PREFIX + name.upper(), shown, field.description or ""))
    return rows


def example() -> str:
    """The text of an ``.env`` file with every setting at its default."""
    lines = ["# Settings of pbem. A line that starts with # is a comment; what is commented out has the value shown."]
    for name, default, what in settings():
        lines += ["", f"# {what}", f"#{name}={default}"]
    return "\n".join(lines) + "\n"
