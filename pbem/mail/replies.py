"""What a mail server means by refusing: whether the address is bad, the letter, the moment, or we.

The first digit of a reply does not tell.  Gmail says '550 5.4.5 Daily user sending limit exceeded', Exchange Online '554 5.2.0 …
SubmissionQuotaExceeded', others '554 5.7.0 … Try again later': all mean 'not now', for every letter.  So the enhanced code
(RFC 3463) and the words are asked first, and the digit last.
"""

from __future__ import annotations

import re

MAIL, RCPT, DATA = "mail", "rcpt", "data"
"""The command that was answered: who we are, whom it is for, the letter itself."""


class SendError(Exception):
    """A mail could not be sent for certain."""


class Temporary(SendError):
    """Not taken now; nothing was accepted, so it may be sent again later."""


class Unavailable(Temporary):
    """Nothing is taken now, whomever it is for: the server is down or busy, or we have sent too much.

    ``general``: that is beyond doubt; else a server said so of one letter, and may mean it alone.
    """

    general = True


class NotAllowed(Unavailable):
    """Nothing is taken from us before a person mends it: the login is refused, or the sender's address."""


class Permanent(SendError):
    """Refused for good: sending the same again to the same address is of no use."""


class Unknown(SendError):
    """The line dropped between the end of the mail and the server's answer: it may or may not have been taken."""


_LOGIN = {530, 534, 535, 538}
_ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.(\d{1,3})\b")

_NOT_ALLOWED = re.compile(
    r"authenticat\w* (is )?(required|needed|failed)|not (been )?authenticated|not logged in|must issue a starttls|"
    r"relay(ing)?( access)? (is )?(denied|not|prohibited)|unable to relay|not permitted to relay|"
    r"(permissions?|allowed|authori[sz]ed|rights?) to (send|use)|send ?as\b|not owned by|"
    r"sender (address )?(rejected|denied|refused)",
    re.I,
)
_THEIRS = re.compile(
    r"mailbox[^.]{0,30}(full|quota|limit|size)|(user|recipient|account|inbox)[^.]{0,40}(over[ -]?quota|quota|full)|over ?quota|"
    r"(user|recipient|account)[^.]{0,60}receiving mail|insufficient (system )?storage",
    re.I,
)
_OURS = re.compile(
    r"(sending|sent|outgoing|outbound|submission|daily|hourly|user|message|rate|connection|recipient)s?\b[^.]{0,40}\b(limit|quota)|"
    r"(limit|quota|rate)s?\b[^.]{0,60}\b(exceed|reach|hit|over)|exceed[^.]{0,60}\b(limit|quota|rate|number)|submissionquota|"
    r"quotaexceeded|too many (messages|mails|e-?mails|connections|requests|recipients|sessions|errors)|throttl|rate[ -]?limit|"
    r"too fast|slow down|(account|sending|sender|you)[^.]{0,40}(suspended|disabled|blocked|restricted|locked)|"
    r"unusual(ly high)? (rate|activity|sending)|spamhaus|block ?list|black ?list|client host[^.]{0,60}(blocked|rejected)|"
    r"bad reputation|poor reputation|ip (address )?[^ ]* ?(is )?blocked|service (is )?(not |un)available|"
    r"system[^.]{0,20}(not accepting|capacity)|server (is )?(busy|overloaded)",
    re.I,
)
_LATER = re.compile(r"(try|retry|send|sent|come)[^.]{0,30}\b(again|back|later)|later\b|temporar|greylist|graylist|defer", re.I)


def judged(code: int, text: str, command: str) -> type[SendError]:
    """The kind of error that a reply stands for; ``command`` is one of `MAIL`, `RCPT` and `DATA`."""
    match = _ENHANCED.search(text)
    subject, detail = (int(match[2]), int(match[3])) if match else (0, 0)
    if code in _LOGIN or (subject == 7 and detail in (8, 9, 57, 60)) or _NOT_ALLOWED.search(text):
        return NotAllowed
    if subject == 1 and code >= 500 and command == RCPT and not _OURS.search(text):
        return Permanent
    ours, theirs = bool(_OURS.search(text)), bool(_THEIRS.search(text)) or (subject, detail) in ((2, 1), (2, 2))
    if theirs and command != MAIL and not re.search(r"submission|sending|outgoing|daily", text, re.I):
        full = detail == 2 or bool(_THEIRS.search(text)) or code < 500
        return Temporary if full else Permanent
    if ours or code in (421, 454) or (subject, detail) == (4, 5) or subject == 3 and detail not in (3, 4) and code < 500:
        return Unavailable
    if command == MAIL:
        return Permanent if (subject, detail) in ((3, 4), (2, 3)) or code == 552 else Unavailable
    if _LATER.search(text):
        return Temporary if command == RCPT or code < 500 else Unavailable
    return Permanent if code >= 500 else Temporary
