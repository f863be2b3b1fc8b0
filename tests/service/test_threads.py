"""The mails of a game hold together in every mail program, by the rule that each goes by.

mutt, Thunderbird and Apple Mail follow References (Jamie Zawinski's algorithm): one thread a seat.  Outlook groups by
Thread-Topic and the name in Thread-Index: the same.  Gmail wants a known reference and the same subject: a conversation a
turn, and what must not be overlooked, or was asked for, by itself (:func:`pbem.service.letters.mailing.subject_of` says why).
"""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest

from pbem.config import Config
from pbem.mail.compose import thread_index
from tests.service.conftest import ANN, BOB, JUDGE, Club

ASKED = {3: "help move", 5: "status", 7: "check", 9: "report 1", 11: "orders", 13: "rolls", 15: "mvoe 50-1 to 4", 17: "wait"}
"""What Ann and Bob write besides, by the number of the mail."""


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[EmailMessage]]:
    """All mails of a whole game by seat, those of its holder among them: each answers the last that came."""
    db = tmp_path_factory.mktemp("threads") / "club.db"
    config = Config(db=db, address=JUDGE, policy="token", pictures=False, operator="host@example.org", replies_per_hour=10_000)
    club = Club(config.db, config)
    club.game()
    found: dict[str, list[EmailMessage]] = {ANN: [], BOB: []}
    collect(club, found)
    number = 0
    while (game := club.store.games.get("p1")).status != "over":
        who = ANN if game.waiting[0] == "allied" else BOB
        number += 1
        club.later(hours=3)
        if asked := ASKED.get(number):
            reply(club, found[who], who, asked)
            collect(club, found)
        reply(club, found[who], who, "ready")
        collect(club, found)
    club.app.close()
    return found


def collect(club: Club, found: dict[str, list[EmailMessage]]) -> None:
    for mail in club.post():
        found.setdefault(str(mail["To"]), []).append(mail)


def reply(club: Club, box: list[EmailMessage], who: str, line: str) -> None:
    """Answer the last mail, as mail programs do."""
    last = box[-1]
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = who, f"<answer{len(box)}.{who}>"
    mail["Subject"] = "Re: " + re.sub(r"^(Re: )+", "", str(last["Subject"]))
    mail["In-Reply-To"], mail["References"] = str(last["Message-ID"]), f"{last['References'] or ''} {last['Message-ID']}".strip()
    box.append(mail)
    fields = {k.replace("-", "_"): str(v) for k, v in mail.items() if k != "From"}
    club.write(who, f"{line}\nend\n", **fields)


def threads(box: list[EmailMessage]) -> list[list[EmailMessage]]:
    """By References: mails whose references touch are one thread."""
    found: list[tuple[set[str], list[EmailMessage]]] = []
    for mail in box:
        ids = {str(mail["Message-ID"]), *str(mail["References"] or "").split(), *str(mail["In-Reply-To"] or "").split()}
        touched = [t for t in found if t[0] & ids]
        found = [t for t in found if not t[0] & ids]
        found.append((ids.union(*(t[0] for t in touched)), [m for t in touched for m in t[1]] + [mail]))
    return [mails for _, mails in found]


def bare(mail: EmailMessage) -> str:
    """The subject as Gmail compares it."""
    return re.sub(r"^((re|fwd?|aw):\s*)+", "", str(mail["Subject"]), flags=re.IGNORECASE)


def conversations(box: list[EmailMessage]) -> list[list[EmailMessage]]:
    """By Gmail's rule: the same subject, and a reference to a mail (or to what a mail refers to) of the conversation."""
    found: list[list[EmailMessage]] = []
    for mail in box:
        refers = {*str(mail["References"] or "").split(), *str(mail["In-Reply-To"] or "").split()}
        for conversation in found:
            known = {id for m in conversation for id in (str(m["Message-ID"]), *str(m["References"] or "").split())}
            if bare(conversation[0]) == bare(mail) and refers & known:
                conversation.append(mail)
                break
        else:
            found.append([mail])
    return found


def ours(box: list[EmailMessage]) -> list[EmailMessage]:
    return [m for m in box if m["To"]]


@pytest.mark.parametrize("who", [ANN, BOB])
def test_by_references_a_seat_is_one_thread(mails: dict[str, list[EmailMessage]], who: str) -> None:
    assert len(mails[who]) > 20
    assert len(threads(mails[who])) == 1
    root = str(mails[who][0]["Message-ID"])
    for mail in ours(mails[who])[1:]:
        references = str(mail["References"]).split()
        assert references[0] == root and str(mail["In-Reply-To"]) == references[-1] and len(references) <= 21


def test_the_seats_are_no_one_thread(mails: dict[str, list[EmailMessage]]) -> None:
    assert len(threads([*mails[ANN], *mails[BOB]])) == 2


@pytest.mark.parametrize("who", [ANN, BOB])
def test_in_outlook_a_seat_is_one_conversation(mails: dict[str, list[EmailMessage]], who: str) -> None:
    topics = {str(m["Thread-Topic"]) for m in ours(mails[who])}
    heads = {b64decode(str(m["Thread-Index"]))[:22] for m in ours(mails[who])}
    assert len(topics) == len(heads) == 1
    indexes = [b64decode(str(m["Thread-Index"])) for m in ours(mails[who])]
    assert indexes == sorted(indexes) and {len(i) for i in indexes} == {22, 27}


@pytest.mark.parametrize("who", [ANN, BOB])
def test_in_gmail_a_turn_is_one_conversation(mails: dict[str, list[EmailMessage]], who: str) -> None:
    found = conversations(mails[who])
    turns = [c for c in found if re.search(r"\] Turn \d", str(c[0]["Subject"]))]
    assert len({bare(c[0]) for c in turns}) == len(turns) == 4
    assert all(len(c) < 100 for c in turns), "Gmail breaks a conversation off there"
    alone = {re.sub(r"^.*?\] ", "", bare(c[0])).split(":")[0].split(" (")[0] for c in found if c not in turns}
    assert alone <= {"NOT ACCEPTED", "Help", "Where the game stands", "Report 1 again", "Your orders", "The dice"}


def test_a_receipt_is_told_from_a_report_and_one_with_mistakes_from_both(mails: dict[str, list[EmailMessage]]) -> None:
    subjects = [str(m["Subject"]) for m in ours(mails[ANN]) + ours(mails[BOB])]
    assert sum(s.startswith("Re: [p1/") for s in subjects) >= 2
    assert any("NOT ACCEPTED" in s and not s.startswith("Re:") for s in subjects)


def test_where_a_mail_stands_in_its_conversation() -> None:
    """The time is as an Outlook 2007 wrote it on 12 February 2015, 8:22:43 in New York."""
    begun = datetime(2015, 2, 12, 13, 22, 43, 952_000, tzinfo=UTC)
    first, later = (b64decode(thread_index("<r@x.org>", begun, begun + timedelta(days=d))) for d in (0, 3))
    assert first.hex().startswith("01d046c6fc06") and len(first) == 22
    assert later[:22] == first and len(later) == 27
    units = int.from_bytes(later[22:26], "big") << 18
    assert abs(units / 10_000_000 - 3 * 86_400) < 1
    old = b64decode(thread_index("<r@x.org>", begun, begun + timedelta(days=1000)))
    late = int.from_bytes(old[22:26], "big")
    assert late >> 31 == 1 and abs(((late & 0x7FFFFFFF) << 23) / 10_000_000 - 1000 * 86_400) < 1
    assert b64decode(thread_index("<other@x.org>", begun, begun))[6:] != first[6:]
