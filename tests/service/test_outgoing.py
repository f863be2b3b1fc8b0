"""Sending: what is certain, what is not, and never twice with another Message-ID."""

import pytest

from pbem.mail.smtp import Permanent, Temporary, Unknown
from pbem.service.letters import outgoing
from pbem.store.api import FAILED, QUEUED, SENT
from tests.service.conftest import ANN, BOB, REFEREE


class Sink:
    """A sender that remembers, and fails as it is told: an exception for each address."""

    def __init__(self, **fails):
        self.taken, self.fails = [], fails

    def send(self, mail_from, rcpt, raw):
        error = self.fails.get(rcpt.split("@")[0])
        if isinstance(error, Unknown):
            self.taken.append((rcpt, raw))
        if error:
            raise error
        self.taken.append((rcpt, raw))


@pytest.fixture
def fresh(make_club):
    club = make_club()
    club.game()
    return club


def test_everything_is_sent_once(fresh):
    sink = Sink()
    assert outgoing.send_ready(fresh.context, sink) == 2
    assert [r for r, _ in sink.taken] == [ANN, BOB]
    assert outgoing.send_ready(fresh.context, sink) == 0
    assert all(fresh.store.outbox.get(i).status == SENT for i in (1, 2))


def test_a_busy_server_is_asked_again_later_and_later(fresh):
    sink = Sink(ann=Temporary("451 later"))
    assert outgoing.send_ready(fresh.context, sink) == 1
    waits = []
    for _ in range(12):
        letter = fresh.store.outbox.get(1)
        waits.append(letter.next_try)
        fresh.later(hours=4)
        outgoing.send_ready(fresh.context, sink)
    assert waits[0] == "2026-03-14T09:16:00Z" and letter.status == QUEUED and letter.error == "451 later"
    sink.fails.clear()
    fresh.later(hours=4)
    assert outgoing.send_ready(fresh.context, sink) == 1


def test_it_gives_up_in_the_end_and_tells_the_referee(fresh):
    sink = Sink(ann=Temporary("451 later"))
    for _ in range(40):
        outgoing.send_ready(fresh.context, sink)
        fresh.later(hours=4)
    assert fresh.store.outbox.get(1).status == FAILED
    told = [raw for r, raw in sink.taken if r == REFEREE]
    assert len(told) == 1 and b"could not be delivered" in told[0]


def test_a_refused_address_does_not_hold_up_the_others(fresh):
    sink = Sink(ann=Permanent("550 no such user"))
    assert outgoing.send_ready(fresh.context, sink) == 1
    assert fresh.store.outbox.get(1).status == FAILED and "550" in fresh.store.outbox.get(1).error
    assert any(n.kind == "not sent" for n in fresh.store.notes.last())


def test_nor_does_a_letter_that_makes_the_sender_fail(fresh):
    assert outgoing.send_ready(fresh.context, Sink(ann=ValueError("odd"))) == 1
    assert fresh.store.outbox.get(1).status == FAILED


def test_an_unknown_outcome_is_tried_again_with_the_same_bytes(fresh):
    sink = Sink(ann=Unknown("no answer"))
    outgoing.send_ready(fresh.context, sink)
    sink.fails.clear()
    fresh.later(hours=1)
    outgoing.send_ready(fresh.context, sink)
    mine = [raw for r, raw in sink.taken if r == ANN]
    assert len(mine) == 2 and mine[0] == mine[1]


def test_a_process_that_dies_while_sending_sends_the_same_letter_again(fresh):
    class Killed(BaseException):
        pass

    sink = Sink(ann=Killed())
    with pytest.raises(Killed):
        outgoing.send_ready(fresh.context, sink)
    assert fresh.store.outbox.interrupted() == [1]
    sink.fails.clear()
    assert outgoing.send_ready(fresh.context, sink) == 2
    assert fresh.store.outbox.get(1).attempts == 2
