"""Sends a mail to one receiver and says what became of it."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from pbem.mail import faults
from pbem.mail.limits import Limit
from pbem.mail.oauth import OAuthError, Tokens, sasl
from pbem.mail.replies import DATA, MAIL, RCPT, NotAllowed, Permanent, SendError, Temporary, Unavailable, Unknown, judged

__all__ = ["NotAllowed", "Permanent", "SendError", "Sender", "Temporary", "Unavailable", "Unknown"]


SESSION_SECONDS = 300
"""So long may it take to send one letter, connecting included."""


class _Watched(smtplib.SMTP):
    """A connection that a :class:`Limit` can hang up from its first byte on."""

    limit: Limit

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        found: socket.socket = super()._get_socket(host, port, timeout)  # type: ignore[misc]
        self.limit.watch(found)
        return found


class _Plain(_Watched):
    def __init__(self, limit: Limit, *args: Any, **more: Any) -> None:
        self.limit = limit
        super().__init__(*args, **more)


class _Tls(smtplib.SMTP_SSL, _Watched):
    def __init__(self, limit: Limit, *args: Any, **more: Any) -> None:
        self.limit = limit
        super().__init__(*args, **more)


class Sender:
    """A connection to a mail server, kept open between mails and made anew when it has gone.

    ``tls``: 'starttls', 'ssl' or 'none' (for a server on the same machine); ``tokens``: log in with them (XOAUTH2) instead
    of the password; ``timeout``: seconds for one answer, ``session``: for all that it takes to send a letter.
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
        session: float = SESSION_SECONDS,
    ) -> None:
        if tls not in ("starttls", "ssl", "none"):
            raise ValueError(f"tls must be starttls, ssl or none, not {tls!r}")
        self.host, self.port, self.user, self.password = host, port, user, password
        self.tls, self.timeout, self.local_hostname, self.context = tls, timeout, local_hostname, context
        self.tokens = tokens
        self.limit = Limit(session)
        self._smtp: smtplib.SMTP | None = None

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Hand ``raw`` over for ``rcpt``; raises a `SendError` of the kind that tells what to do unless it was taken."""
        mail_from, rcpt = _address(mail_from), _address(rcpt)
        with self.limit.running():
            self._send(mail_from, rcpt, _wire(raw))

    def _send(self, mail_from: str, rcpt: str, data: bytes) -> None:
        try:
            smtp = self._envelope(mail_from, rcpt, len(data))
            self._command(smtp.docmd("DATA"), 354, DATA)
            faults.point("smtp.envelope")
            smtp.send(data[: len(data) // 2])
            faults.point("smtp.half")
            smtp.send(data[len(data) // 2 :])
            faults.point("smtp.whole")
        except SendError:
            raise
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            raise self._trouble(error) from error
        try:
            smtp.send(b".\r\n")
            faults.point("smtp.dot")
            answer = smtp.getreply()
        except (OSError, smtplib.SMTPException) as error:
            self.close()
            why = self.limit.error() if self.limit.passed else _said(error)
            raise Unknown(f"no answer after the mail was sent: {why}") from error
        self._command(answer, 250, DATA)
        faults.point("smtp.answered")

    def _trouble(self, error: Exception) -> Unavailable:
        """What went wrong with the connection or the login, which is nobody's letter's fault."""
        if self.limit.passed:
            return Unavailable(str(self.limit.error()))
        if isinstance(error, smtplib.SMTPAuthenticationError) and error.smtp_code >= 500:
            return NotAllowed(f"the login as {self.user} is refused: {_said(error)}")
        if isinstance(error, OAuthError) and error.refused:
            return NotAllowed(_said(error))
        return Unavailable(_said(error))

    def _envelope(self, mail_from: str, rcpt: str, size: int) -> smtplib.SMTP:
        """MAIL and RCPT, on a new connection if the old one has gone in the meantime."""
        kept = self._smtp is not None
        try:
            smtp = self._smtp or self._connect()
            self._command(_mail(smtp, mail_from, size), 250, MAIL)
        except (OSError, smtplib.SMTPException, Temporary):
            self.close()
            if not kept or self.limit.passed:
                raise
            smtp = self._connect()
            self._command(_mail(smtp, mail_from, size), 250, MAIL)
        self._command(smtp.rcpt(rcpt), 250, RCPT)
        return smtp

    def _connect(self) -> smtplib.SMTP:
        options: dict[str, Any] = {"local_hostname": self.local_hostname, "timeout": self.timeout}
        context = self.context or ssl.create_default_context()
        if self.tls == "ssl":
            smtp: smtplib.SMTP = _Tls(self.limit, self.host, self.port, context=context, **options)
        else:
            smtp = _Plain(self.limit, self.host, self.port, **options)
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

    def _command(self, answer: tuple[int, bytes], wanted: int, command: str) -> None:
        """Raise what an answer of the server means, unless it is the one wanted."""
        code, text = answer
        if code // 10 == wanted // 10:
            return
        said = f"{code} {' '.join(text.decode('utf-8', 'replace').split())}"[:300]
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.rset()
        if code == 421 or code < 0:
            self.close()
        found = (Unavailable if code < 0 else judged(code, said, command))(said)
        if isinstance(found, Unavailable):
            found.general = code in (421, -1) or command == MAIL
        raise found

    def probe(self) -> None:
        """Connect and log in, to see whether it works; raises `Unavailable` with what the server says if it does not."""
        try:
            with self.limit.running():
                self._connect()
        except (OSError, smtplib.SMTPException) as error:
            raise self._trouble(error) from error

    def close(self) -> None:
        """End the connection."""
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                smtp.quit()
            smtp.close()
        self.limit.forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _address(text: str) -> str:
    """An address as it goes on the line: the domain in ASCII letters (IDNA).  `Permanent` if it is none we can write to."""
    local, at, domain = text.rpartition("@")
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            raise Permanent(f"{text!r}: there can be no such domain") from None
    found = f"{local}{at}{domain}"
    if not re.fullmatch(r"[!-~]*", found) or re.search(r"[<>\s]", found):
        raise Permanent(f"{text!r} is no address this server can write to")
    return found


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
