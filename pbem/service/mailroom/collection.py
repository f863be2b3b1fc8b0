"""Mails from the mailbox into the database: each is stored, then moved out of the inbox.

A mail that the server does not hand out is neither moved nor passed over.  The fetch ends there, since most likely the server
is throttling, and is tried again after a pause.  Only a mail that is refused for hours, alone, is shelved: it goes to the
folder for such mails, and the operator is told.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from imaplib import IMAP4
from typing import Any

from pbem.mail import faults
from pbem.mail.mailbox import Fetched, Later, Mailbox
from pbem.service.context import ServiceContext
from pbem.service.host import breaker
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.times import later, stamp

TOGETHER, TOGETHER_BYTES = 50, 1_000_000
"""So many mails at most are stored in one transaction."""

LOOK_PAST_HOURS, LOOK_PAST = 1, 3
"""A mail that is refused for so long may be the only one: then those behind it are asked for, up to so many refusals."""

SHELVED_HOURS, SHELVED_ALONE_HOURS = 3, 12
"""A mail is shelved that is refused for so long while others are handed out; while there are no others to compare."""

UNMOVED_KEPT = 500
"""So many mails that could not be moved are remembered; the others are moved when the daemon starts again."""


@dataclass
class Collected:
    """How many mails were stored."""

    count: int = 0


def collect(
    context: ServiceContext, mailbox: Mailbox, found: Collected, stop: Callable[[], bool] = lambda: False, afresh: bool = False
) -> None:
    """Store what is new in the mailbox, counting in ``found``; raises what goes wrong with the server, `Later` if it refuses a
    mail.  ``afresh``: look through the whole mailbox, not only behind the last one stored."""
    folder = context.config.imap_folder if context.config.imap_host else "maildir"
    mails = mailbox.fetch("" if afresh else context.store.inbox.cursor(folder))
    faults.point("fetch.begun")
    refused: list[Fetched] = []
    others = False
    known = _known(context, folder)
    while some := _some(mails, stop):
        whole = [m for m in some if not m.refused]
        if whole:
            _store(context, mailbox, folder, whole, cursor=not refused)
            found.count += len(whole)
            others = others or bool(refused)
        if some[-1].refused:
            refused.append(some[-1])
            if context.now < later(_since(context, known, refused[0]), hours=LOOK_PAST_HOURS):
                break
            if len(refused) == LOOK_PAST and not others:
                break
    state = {m.key: {"since": _since(context, known, m), "alone": _alone(known, m) and not others} for m in refused}
    if refused or known and not stop():
        _remember(context, folder, {**known, **state} if refused else {})
    if refused:
        _not_handed_out(context, mailbox, folder, refused, state)


def _store(context: ServiceContext, mailbox: Mailbox, folder: str, mails: Sequence[Fetched], *, cursor: bool) -> None:
    """Store a few mails in one transaction, then move them.  ``cursor``: all mail before them is dealt with."""
    with context.store.transaction():
        for mail in mails:
            if mail.raw:
                intake.file(context, mail.raw, stamp(mail.received), f"{folder} {mail.key}")
            else:
                context.note("unreadable", f"mail {mail.key} of {folder} is empty")
        if cursor:
            context.store.inbox.set_cursor(folder, mails[-1].key)
        faults.point("store.filed")
    faults.point("store.committed")
    for mail in mails:
        _move(context, mailbox, mail.key, bool(mail.raw))
        faults.point("move.done")


def _some(mails: Iterator[Fetched], stop: Callable[[], bool]) -> list[Fetched]:
    """The next few mails, to be stored together, up to one that is refused; none when told to stop."""
    found: list[Fetched] = []
    while len(found) < TOGETHER and sum(len(m.raw) for m in found) < TOGETHER_BYTES and not stop():
        mail = next(mails, None)
        if mail is None:
            break
        faults.point("fetch.got")
        found.append(mail)
        if mail.refused:
            break
    return found


# -- mails that the server keeps to itself -----------------------------------------------------------------


def _name(folder: str) -> str:
    return f"refused {folder}"


def _known(context: ServiceContext, folder: str) -> dict[str, Any]:
    """The mails that were refused before: since when, and whether no mail behind them was handed out meanwhile."""
    known: dict[str, Any] = json.loads(context.store.notes.value(_name(folder)) or "{}")
    return known


def _remember(context: ServiceContext, folder: str, known: Mapping[str, Any]) -> None:
    with context.store.transaction():
        context.store.notes.set_value(_name(folder), json.dumps(known) if known else "")


def _since(context: ServiceContext, known: Mapping[str, Any], mail: Fetched) -> str:
    return str(known.get(mail.key, {}).get("since", context.now))


def _alone(known: Mapping[str, Any], mail: Fetched) -> bool:
    return bool(known.get(mail.key, {}).get("alone", True))


def _not_handed_out(
    context: ServiceContext, mailbox: Mailbox, folder: str, refused: Sequence[Fetched], state: Mapping[str, Any]
) -> None:
    """Shelve the first of these mails, if it has been refused for so long that it must be the mail's own fault; else, and if
    there are more, `Later`."""
    first, since = refused[0], state[refused[0].key]["since"]
    compared = not state[first.key]["alone"]
    if context.now >= later(since, hours=SHELVED_HOURS if compared else SHELVED_ALONE_HOURS) and (compared or len(refused) == 1):
        with context.store.transaction():
            context.store.inbox.set_cursor(folder, first.key)
            why = f"mail {first.key} of {folder}, received {stamp(first.received)}: {first.refused}"
            context.note("unreadable", why)
            mailing.alarm(context, "", "a mail in the mailbox cannot be read", [
                f"Since {since} the mail server does not hand out {why}.",
                f"It is in the folder {context.config.imap_quarantine!r} now, and nothing of it was carried out.",
                "If you can read it there, move it back to the inbox, or ask its writer to send it again.",
            ], once=f"unreadable {folder} {first.key}")
            _remember(context, folder, {k: v for k, v in state.items() if k != first.key})
        _move(context, mailbox, first.key, False)
        refused = refused[1:]
    if refused:
        raise Later(refused[0].refused)


# -- moving ------------------------------------------------------------------------------------------------

UNMOVED = "unmoved"


def _move(context: ServiceContext, mailbox: Mailbox, key: str, ok: bool) -> None:
    """Move a mail that is safe in the database.  If that fails, it is done later: nothing waits for it."""
    if breaker.open_now(context, breaker.MOVE) is None:
        try:
            mailbox.done(key, ok)
            return
        except (OSError, IMAP4.error) as error:
            breaker.failed(context, breaker.MOVE, f"{error}"[:300])
    with context.store.transaction():
        left = [*_unmoved(context), [key, ok]]
        context.store.notes.set_value(UNMOVED, json.dumps(left[-UNMOVED_KEPT:]))


def _unmoved(context: ServiceContext) -> list[tuple[str, bool]]:
    return [(key, ok) for key, ok in json.loads(context.store.notes.value(UNMOVED) or "[]")]


def move_rest(context: ServiceContext, mailbox: Mailbox) -> None:
    """Move what could not be moved before, if it is time to try again."""
    left = _unmoved(context)
    if breaker.paused(context, breaker.MOVE):
        return
    count = 0
    try:
        for key, ok in left:
            mailbox.done(key, ok)
            count += 1
        breaker.works(context, breaker.MOVE)
    except (OSError, IMAP4.error) as error:
        breaker.failed(context, breaker.MOVE, f"{error}"[:300], progress=bool(count))
    if count:
        with context.store.transaction():
            context.store.notes.set_value(UNMOVED, json.dumps(left[count:]) if left[count:] else "")
