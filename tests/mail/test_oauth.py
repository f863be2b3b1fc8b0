"""Mailboxes that take no password: a token endpoint on loopback, Dovecot with XOAUTH2, an SMTP server that asks for it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from imapclient.exceptions import LoginError

from pbem.config import Config
from pbem.mail.imap import ImapMailbox
from pbem.mail.oauth import MARGIN, OAuthError, Tokens, sasl
from pbem.mail.smtp import Sender, Temporary
from pbem.service.host.servers import imap_mailbox, smtp_sender
from tests.mail.dovecot import Dovecot, free_port, need_dovecot

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

GOOD = {"grant_type": ["refresh_token"], "client_id": ["us"], "client_secret": ["s3cret"], "refresh_token": ["r3fresh"]}


class Endpoint:
    """Gives access tokens and says whose they are; ``answer`` replaces what it gives."""

    def __init__(self) -> None:
        self.asked: list[dict[str, list[str]]] = []
        self.good: set[str] = set()
        self.answer: tuple[int, bytes] | None = None
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                endpoint.asked.append(form)
                token = f"token-{len(endpoint.asked)}"
                if endpoint.answer is not None:
                    self.reply(*endpoint.answer)
                elif all(form.get(k) == v for k, v in GOOD.items()):
                    endpoint.good.add(token)
                    self.reply(200, json.dumps({"access_token": token, "expires_in": 3600, "token_type": "Bearer"}).encode())
                else:
                    self.reply(400, b'{"error": "invalid_grant", "error_description": "r3fresh is no longer good"}')

            def do_GET(self) -> None:
                token = parse_qs(urlsplit(self.path).query).get("access_token", [""])[0]
                if token in endpoint.good:
                    self.reply(200, b'{"email": "judge@example.org", "active": "true"}')
                else:
                    self.reply(400, b'{"error": "invalid_token"}')

            def reply(self, code: int, body: bytes) -> None:
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if code == 302:
                    self.send_header("Location", "http://127.0.0.1:9/elsewhere")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/token"
        self.info = f"http://127.0.0.1:{self.server.server_address[1]}/info?access_token="
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tokens(self, **more: Any) -> Tokens:
        return Tokens(self.url, **{"client_id": "us", "client_secret": "s3cret", "refresh_token": "r3fresh", **more})

    def config(self, **more: Any) -> Config:
        given = {
            "address": "judge@example.org", "oauth_token_url": self.url, "oauth_client_id": "us", "oauth_client_secret": "s3cret",
            "oauth_refresh_token": "r3fresh",
        }
        return Config(**{**given, **more})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    found = Endpoint()
    yield found
    found.server.shutdown()
    found.server.server_close()


def test_a_token_is_kept_until_shortly_before_its_end(endpoint: Endpoint) -> None:
    now = [1000.0]
    tokens = endpoint.tokens(clock=lambda: now[0], scope="mail")
    assert (tokens(), tokens()) == ("token-1", "token-1")
    assert endpoint.asked[0]["scope"] == ["mail"]
    now[0] += 3600 - MARGIN
    assert tokens() == "token-2"
    tokens.forget()
    assert tokens() == "token-3"
    assert "token-3" not in repr(tokens)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((400, b'{"error": "invalid_grant"}'), "400: invalid_grant"), ((500, b"<html>"), "500"), ((200, b"<html>"), "not JSON"),
        ((200, b"[]"), "no access_token"), ((200, b'{"access_token": "a\\r\\nb"}'), "no access_token"), ((302, b""), "302"),
    ],
)
def test_what_an_endpoint_may_answer(endpoint: Endpoint, answer: tuple[int, bytes], said: str) -> None:
    endpoint.answer = answer
    with pytest.raises(OAuthError, match=said) as error:
        endpoint.tokens()()
    assert "r3fresh" not in str(error.value) and "s3cret" not in str(error.value)


def test_an_endpoint_that_is_not_there() -> None:
    with pytest.raises(OAuthError, match="cannot be reached"):
        Tokens("http://127.0.0.1:9/token", "us", "", "r")()


def test_imap(endpoint: Endpoint) -> None:
    need_dovecot()
    with Dovecot(token_info=endpoint.info) as server:
        server.deliver(b"From: ann@example.org\r\nSubject: no 1\r\n\r\nstatus\r\n", sender="ann@example.org")
        config = endpoint.config(imap_host="127.0.0.1", imap_port=server.imap_port, imap_security="none")
        with imap_mailbox(config) as mailbox:
            assert [b"no 1" in mail.raw for mail in mailbox.fetch()] == [True]
        assert len(endpoint.asked) == 1


def test_imap_when_the_token_has_been_withdrawn(endpoint: Endpoint) -> None:
    need_dovecot()
    with Dovecot(token_info=endpoint.info) as server:
        tokens = endpoint.tokens()
        tokens()
        endpoint.good.clear()
        mailbox = ImapMailbox("127.0.0.1", "judge@example.org", "", port=server.imap_port, tls="none", tokens=tokens)
        with mailbox:
            with pytest.raises(LoginError):
                list(mailbox.fetch())
            assert list(mailbox.fetch()) == []
    assert len(endpoint.asked) in (2, 3)


@contextmanager
def smtp_server(endpoint: Endpoint) -> Iterator[tuple[Controller, list[bytes]]]:
    """An SMTP server that takes mail after XOAUTH2 only."""
    taken: list[bytes] = []

    class Handler:
        async def auth_XOAUTH2(self, server: Any, args: list[str]) -> Any:
            said = base64.b64decode(args[1])
            if said in [sasl("judge@example.org", token).encode() for token in endpoint.good]:
                return AuthResult(success=True, auth_data=b"judge")
            await server.challenge_auth(b'{"status":"401"}', encode_to_b64=True)
            return AuthResult(success=False, handled=False)

        async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
            taken.append(envelope.content)
            return "250 taken"

    controller = Controller(Handler(), hostname="127.0.0.1", port=free_port(), auth_require_tls=False, auth_required=True)
    controller.start()
    try:
        yield controller, taken
    finally:
        controller.stop()


def test_smtp(endpoint: Endpoint) -> None:
    with smtp_server(endpoint) as (server, taken):
        config = endpoint.config(smtp_host="127.0.0.1", smtp_port=server.port, smtp_security="none")
        with smtp_sender(config) as sender:
            for number in range(2):
                sender.send("judge@example.org", "ann@example.org", f"Subject: {number}\r\n\r\nx\r\n".encode())
        assert [b"Subject: 0" in taken[0], b"Subject: 1" in taken[1]] == [True, True]
        assert len(endpoint.asked) == 1
        endpoint.good.clear()
        with smtp_sender(config) as sender:
            sender.tokens.clock = lambda: 0  # type: ignore[union-attr]
            sender.send("judge@example.org", "ann@example.org", b"Subject: 2\r\n\r\nx\r\n")
        assert len(taken) == 3


def test_smtp_when_no_token_is_given_the_mail_waits(endpoint: Endpoint) -> None:
    endpoint.answer = (400, b'{"error": "invalid_grant"}')
    with smtp_server(endpoint) as (server, taken):
        sender = Sender("127.0.0.1", server.port, "judge@example.org", tls="none", tokens=endpoint.tokens())
        with sender, pytest.raises(Temporary, match="invalid_grant"):
            sender.send("judge@example.org", "ann@example.org", b"Subject: x\r\n\r\nx\r\n")
    assert taken == []


def test_the_endpoint_is_reached_over_https_or_on_this_machine() -> None:
    with pytest.raises(ValueError, match="no https address"):
        Config(oauth_token_url="http://example.org/token")
