"""IMAP connections that can be hung up from their first byte on: before the greeting, and before TLS is agreed."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable

from imapclient import IMAPClient, SocketTimeout
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.tls import IMAP4_TLS, wrap_socket


class Client(IMAPClient):
    """An IMAP client; ``watch`` is told of its socket as soon as there is one."""

    def __init__(
        self, watch: Callable[[socket.socket], None], host: str, port: int, tls: bool, context: ssl.SSLContext | None,
        timeout: SocketTimeout,
    ) -> None:
        self._watch, self._connecting = watch, timeout.connect
        super().__init__(host, port=port, ssl=tls, ssl_context=context, timeout=timeout)

    def _create_IMAP4(self) -> IMAP4WithTimeout | IMAP4_TLS:  # noqa: N802
        if self.ssl:
            return _Tls(self._watch, self.host, self.port, self.ssl_context, self._connecting)
        return _Plain(self._watch, self.host, self.port, self._connecting)


class _Plain(IMAP4WithTimeout):
    def __init__(self, watch: Callable[[socket.socket], None], host: str, port: int, timeout: float) -> None:
        self._watch = watch
        super().__init__(host, port, timeout)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        found = super()._create_socket(timeout)
        self._watch(found)
        return found


class _Tls(IMAP4_TLS):
    def __init__(
        self, watch: Callable[[socket.socket], None], host: str, port: int, context: ssl.SSLContext | None, timeout: float
    ) -> None:
        self._watch, self._longest = watch, timeout
        super().__init__(host, port, context, timeout)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        found = socket.create_connection((self.host, self.port), timeout=timeout or self._longest)
        self._watch(found)
        return wrap_socket(found, self.ssl_context, self.host)
