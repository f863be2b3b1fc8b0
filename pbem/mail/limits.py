"""An end to what a server may take: a limit for a whole piece of work, beside the one for a single read.

A server that sends one byte every few seconds never exceeds the limit of a read.  So a timer hangs up when the whole takes too
long; whoever reads then finds the line dead, and :attr:`Limit.passed` tells why.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class TooSlow(TimeoutError):
    """The server took longer over a piece of work than it may."""


class Limit:
    """Hangs up a connection ``seconds`` after the work on it has begun."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.passed = False
        self._line: socket.socket | None = None
        self._timer: threading.Timer | None = None

    def watch(self, sock: socket.socket) -> None:
        """This is the connection now.  (A duplicate is kept: TLS takes the socket itself over.)"""
        self.forget()
        self._line = sock.dup()
        if self.passed:
            self._hang_up()

    def forget(self) -> None:
        """The connection is gone."""
        line, self._line = self._line, None
        if line is not None:
            line.close()

    @contextmanager
    def running(self) -> Iterator[None]:
        """The time runs while this is open; within itself it is nothing new."""
        if self._timer is not None:
            yield
            return
        self.passed = False
        self._timer = threading.Timer(self.seconds, self._pass)
        self._timer.daemon = True
        self._timer.start()
        try:
            yield
        finally:
            self._timer.cancel()
            self._timer = None

    def _pass(self) -> None:
        self.passed = True
        self._hang_up()

    def _hang_up(self) -> None:
        line = self._line
        if line is not None:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def error(self) -> TooSlow:
        """What to raise once the time has passed."""
        return TooSlow(f"the server was too slow: hung up after {self.seconds:g} seconds")
