"""Sends a mail to one receiver and says what became of it."""

from __future__ import annotations

import re
import smtplib
import ssl
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from pbem.mail import faults
from pbem.mail.oauth import Tokens, sasl


class SendError(Exception):
    """A mail could not be sent for certain."""


class Temporary(SendError):
    """Not taken now; nothing was accepted, so it may be sent again later."""


class Permanent(SendError):
    """Refused for good: sending the same again to the same address is of no use."""


class Unknown(SendError):
    """The line dropped between the end of the mail and the server's answer: it may or may not have been taken."""


_CONFIGURATION = {421, 454, 530, 534, 535, 538}


class Sender:
    """A connection to a mail server, kept open between mails and made anew when it has gone.

    ``tls``: 'starttls', 'ssl' or 'none' (for a server on the same machine); ``tokens``: log in with them (XOAUTH2) instead
    of the password.
    """

    def __init__(
        self,
        host: str,
        port: int = 587,
        user: str = "",
        password: str = "",
        *,
        tls: str = "starttls",
        timeout: float = 30,
        local_hostname: str | None = None,
        context: ssl.SSLContext | None = None,
        tokens: Tokens | None = None,
    ) -> None:
        if tls not in ("starttls", "ssl", "none"):
            raise ValueError(f"tls must be starttls, ssl or none, not {tls!r}")
        self.host, self.port, self.user, self.password = host, port, user, password
        self.tls, self.timeout, self.local_hostname, self.context = tls, timeout, local_hostname, context
        self.tokens = tokens
        self._smtp: smtplib.SMTP | None = None

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Hand ``raw`` over for ``rcpt``; raises `Temporary`, `Permanent` or `Unknown` unless it was taken."""
        for address in (mail_from, rcpt):
            if not re.fullmatch(r"[!-~]*", address) or re.search(r"[<>\s]", address):
                raise Permanent(f"{address!r} is no address this server can write to")
        data = _wire(raw)
        try:
            smtp = self._envelope(mail_from, rcpt, len(data))
            self._command(smtp.docmd("DATA"), 354)
            faults.point("smtp.envelope")
            smtp.send(data[: len(data) // 2])
            faults.point("smtp.half")
            smtp.send(data[len(data) // 2 :])
            faults.point("smtp.whole")
        except SendError:
            raise
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise Temporary(_said(error)) from error
        try:
            smtp.send(b".\r\n")
            faults.point("smtp.dot")
            answer = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise Unknown(f"no answer after the mail was sent: {_said(error)}") from error
        self._command(answer, 250)
        faults.point("smtp.answered")

    def _envelope(self, mail_from: str, rcpt: str, size: int) -> smtplib.SMTP:
        """MAIL and RCPT, on a new connection if the old one has gone in the meantime."""
        kept = self._smtp is not None
        try:
            smtp = self._smtp or self._connect()
            self._command(_mail(smtp, mail_from, size), 250)
        except (OSError, smtplib.SMTPException, Temporary):
            self.close()
            if not kept:
                raise
            smtp = self._connect()
            self._command(_mail(smtp, mail_from, size), 250)
        self._command(smtp.rcpt(rcpt), 250)
        return smtp

    def _connect(self) -> smtplib.SMTP:
        options: dict[str, Any] = {"local_hostname": self.local_hostname, "timeout": self.timeout}
        context = self.context or ssl.create_default_context()
        if self.tls == "ssl":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, context=context, **options)
        else:
            smtp = smtplib.SMTP(self.host, self.port, **options)
        try:
            if self.tls == "starttls":
                smtp.starttls(context=context)
            self._login(smtp)
            smtp.ehlo_or_helo_if_needed()
        except BaseException:
            smtp.close()
            raise
        self._smtp = smtp
        faults.point("smtp.connected")
        return smtp

    def _login(self, smtp: smtplib.SMTP) -> None:
        if self.tokens is not None:
            tokens = self.tokens
            smtp.ehlo_or_helo_if_needed()
            try:
                smtp.auth("XOAUTH2", lambda challenge=None: sasl(self.user, tokens()) if challenge is None else "")
            except smtplib.SMTPAuthenticationError:
                tokens.forget()
                raise
        elif self.user:
            smtp.login(self.user, self.password)

    def _command(self, answer: tuple[int, bytes], wanted: int) -> None:
        """Raise what an answer of the server means, unless it is the one wanted."""
        code, text = answer
        if code // 10 == wanted // 10:
            return
        said = f"{code} {text.decode('utf-8', 'replace')}"[:300]
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.rset()
        if code == 421:
            self.close()
        raise (Permanent if code >= 500 and code not in _CONFIGURATION else Temporary)(said)

    def probe(self) -> None:
        """Connect and log in, to see whether it works; raises `Temporary` with what the server says if it does not."""
        try:
            self._connect()
        except (OSError, smtplib.SMTPException) as error:
            raise Temporary(_said(error)) from error

    def close(self) -> None:
        """End the connection."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                smtp.quit()
            smtp.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _mail(smtp: smtplib.SMTP, mail_from: str, size: int) -> tuple[int, bytes]:
    """MAIL FROM, with the size for servers that want to refuse by it."""
    return smtp.mail(mail_from, [f"size={size}"] if smtp.has_extn("size") else [])


def _wire(raw: bytes) -> bytes:
    """CRLF line ends only, and leading dots doubled, so that nothing within a mail can end it."""
    text = re.sub(rb"\r\n|\r|\n", b"\r\n", raw)
    if not text.endswith(b"\r\n"):
        text += b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", text)


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        text = error.smtp_error
        return f"{error.smtp_code} {text.decode('utf-8', 'replace') if isinstance(text, bytes) else text}"[:300]
    return f"{type(error).__name__}: {error}"[:300]
