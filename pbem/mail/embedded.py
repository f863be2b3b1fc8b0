"""A small mail server for one machine: takes mail on a loopback port and puts it into Maildirs."""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.mail import maildir

MAX_SIZE = 33_554_432


class EmbeddedServer:
    """Listens on ``host`` (loopback only); mail for ann@example.org lands in ``root``/ann@example.org.

    ``port`` 0 picks a free one; `port` tells which, from the beginning on.
    """

    def __init__(self, root: Path | str, port: int = 0, host: str = "127.0.0.1") -> None:
        if not ipaddress.ip_address("127.0.0.1" if host == "localhost" else host).is_loopback:
            raise ValueError(f"the embedded mail server takes mail from anybody, so it listens on loopback only, not on {host}")
        self.root = Path(root)
        self.host = host
        self._socket = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        self.port: int = self._socket.getsockname()[1]
        self._controller: Controller | None = None

    def start(self) -> Self:
        """Begin to take mail."""
        self._controller = _Controller(self._socket, _Delivery(self), hostname=self.host, port=self.port)
        self._controller.start()
        return self

    def stop(self) -> None:
        """Stop, letting go of the port."""
        controller, self._controller = self._controller, None
        if controller is not None:
            controller.stop(no_assert=True)
        self._socket.close()

    def maildir(self, address: str) -> Path:
        """The Maildir of ``address``, made if it is not there."""
        return maildir.make(self.root / folder_name(address))

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def folder_name(address: str) -> str:
    """The name of the Maildir of ``address``: the address itself, in lower case, safe as a file name."""
    return re.sub(r"[^a-z0-9@._+-]", "_", address.strip("<> ").lower()).lstrip(".")[:200] or "nobody"


class _Controller(Controller):
    """A controller on a socket that is bound already."""

    def __init__(self, bound: socket.socket, handler: Any, **options: Any) -> None:
        self._bound = bound
        super().__init__(handler, data_size_limit=MAX_SIZE, ident="pbem", enable_SMTPUTF8=False, **options)

    def _create_server(self) -> Any:
        return self.loop.create_server(self._factory_invoker, sock=self._bound)


class _Delivery:
    """Puts each mail into the Maildir of each of its receivers."""

    def __init__(self, server: EmbeddedServer) -> None:
        self.server = server

    async def handle_DATA(self, smtp: SMTP, session: Session, envelope: Envelope) -> str:
        """Deliver; the answer to the client."""
        sender = (envelope.mail_from or "").strip("<>")
        content = envelope.content if isinstance(envelope.content, bytes) else str(envelope.content).encode()
        for rcpt in envelope.rcpt_tos:
            head = f"Return-Path: <{sender}>\r\nDelivered-To: {rcpt}\r\n".encode()
            try:
                maildir.deliver(self.server.maildir(rcpt), head + content)
            except OSError as error:
                return f"452 4.3.1 cannot store the mail: {error.strerror}"
        return "250 2.0.0 taken"
