"""Access tokens for mail servers that take no password (Gmail, Outlook): XOAUTH2.

The operator authorises us once and gives us a refresh token; with it we get access tokens, which live for an hour or so.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

MARGIN = 60
"""Seconds before its end at which a token is no longer used."""

LONGEST = 100_000


class OAuthError(OSError):
    """No access token was given; says what the token endpoint answered, without secrets.

    ``refused``: the endpoint knows us no longer (the refresh token was withdrawn, or the application), and a person must act.
    """

    refused = False


class _NoRedirect(HTTPRedirectHandler):
    """The refresh token is sent to the address that was set and nowhere else."""

    def redirect_request(self, *args: object, **more: object) -> None:
        """Not followed."""
        return None


_OPENER = build_opener(_NoRedirect)


@dataclass
class Tokens:
    """Gives access tokens for one mailbox; a token is kept until shortly before its end."""

    url: str
    client_id: str
    client_secret: str
    refresh_token: str
    scope: str = ""
    timeout: float = 15
    clock: Callable[[], float] = time.monotonic
    _token: str = field(default="", repr=False)
    _until: float = field(default=0, repr=False)

    def __call__(self) -> str:
        """An access token."""
        if not self._token or self.clock() >= self._until:
            self._token, lives = self._refresh()
            self._until = self.clock() + lives - MARGIN
        return self._token

    def forget(self) -> None:
        """The token was not taken: the next one is a new one."""
        self._token = ""

    def _refresh(self) -> tuple[str, float]:
        asked = {"grant_type": "refresh_token", "client_id": self.client_id, "refresh_token": self.refresh_token}
        asked |= {"client_secret": self.client_secret} if self.client_secret else {}
        asked |= {"scope": self.scope} if self.scope else {}
        if urlsplit(self.url).scheme not in ("https", "http"):
            raise OAuthError("the token endpoint is no http address")
        request = Request(self.url, urlencode(asked).encode("ascii"), {"Accept": "application/json"})
        try:
            with _OPENER.open(request, timeout=self.timeout) as answer:
                told = json.loads(answer.read(LONGEST))
        except HTTPError as error:
            found = OAuthError(f"the token endpoint answers {error.code}{_why(error)}")
            found.refused = error.code in (400, 401, 403)
            raise found from None
        except ValueError:
            raise OAuthError("the token endpoint's answer is not JSON") from None
        except OSError as error:
            raise OAuthError(f"the token endpoint cannot be reached: {error}") from None
        token = told.get("access_token") if isinstance(told, dict) else None
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise OAuthError("the token endpoint gives no access_token")
        lives = told.get("expires_in")
        return token, float(lives) if isinstance(lives, int | float) or str(lives).isdecimal() else 300


def _why(error: HTTPError) -> str:
    """The error's name ('invalid_grant': the refresh token is no longer good)."""
    try:
        told = json.loads(error.read(LONGEST))
        return f": {str(told['error'])[:80]}"
    except (ValueError, KeyError, TypeError, OSError):
        return ""


def sasl(user: str, token: str) -> str:
    """The initial response of XOAUTH2."""
    return f"user={user}\x01auth=Bearer {token}\x01\x01"
