"""Outages, a clock that jumps, and silence: deadlines are held and moved, the host is told once, nothing passes in haste."""

from email import message_from_bytes, policy

import pytest

from pbem.daemon import tick
from pbem.mail.mailbox import Fetched
from pbem.service.host import health
from pbem.service.play import outages
from pbem.service.play.outages import NothingHeld
from pbem.service.times import moment
from pbem.store.api import DEADLINE
from tests.service.conftest import ANN, BOB, text

HOST = "host@example.org"
DAY = 24
START = "2026-03-17T09:15:00Z"
"""The first deadline of a game that begins with the club."""


class Box:
    """A mailbox that can be out of reach."""

    def __init__(self, club):
        self.club, self.mails, self.reachable, self.count = club, [], True, 0

    def put(self, sender, body):
        self.count += 1
        head = f"From: {sender}\r\nTo: judge@example.org\r\nSubject: orders\r\nMessage-ID: <b{self.count}@example.org>\r\n\r\n"
        self.mails.append(Fetched(f"{self.count:06d}", (head + body.replace("\n", "\r\n")).encode(), self.club.now))

    def fetch(self, after=""):
        if not self.reachable:
            raise ConnectionError("no route to host")
        yield from [m for m in self.mails if m.key > after]

    def done(self, key, read=True):
        self.mails = [m for m in self.mails if m.key != key]


class Sent(list):
    """A mail server that takes everything."""

    def send(self, mail_from, rcpt, raw):
        self.append(rcpt)


class Served:
    """A club with games p1, p2, … whose daemon ticks every hour, as long as it is up."""

    def __init__(self, club, games):
        self.club, self.box, self.sent = club, Box(club), Sent()
        for n in range(1, games + 1):
            club.game(f"p{n}")
        self.tick()
        club.post()

    def tick(self):
        return tick(self.club.app, self.box, self.sent)

    def run(self, hours):
        """Ticks for so many hours."""
        for _ in range(hours):
            self.club.later(hours=1)
            self.tick()

    def deadlines(self):
        games = [g.id for g in self.club.store.games.page()]
        return {g: d.at for g in games for d in self.club.store.games.dues(g) if d.kind == DEADLINE}

    def notes(self, kind):
        return [n for n in self.club.store.notes.last(100) if n.kind == kind]

    def to_host(self):
        """What the host was told."""
        found = [x for x in self.letters() if x.recipient == HOST]
        return [x.subject for x in found]

    def letters(self):
        out = self.club.store.outbox
        found = []
        for game in ["", *(g.id for g in self.club.store.games.page())]:
            found += list(out.sent_to(game))
        return found


@pytest.fixture
def serve(make_club):
    def make(games=1, **settings):
        return Served(make_club(**settings), games)

    return make


def test_a_short_stop_moves_nothing(serve):
    at = serve()
    at.club.later(minutes=50)
    at.tick()
    assert at.deadlines() == {"p1": START} and not at.to_host()


def test_a_server_that_seldom_looks_for_mail_is_not_out_of_order(serve):
    at = serve(tick_seconds=7200)
    at.club.later(hours=5)
    at.tick()
    assert at.deadlines() == {"p1": START} and not at.to_host()


def test_after_an_outage_deadlines_have_moved_by_it_and_all_are_told_once(serve):
    at = serve(games=2)
    at.run(12)
    at.club.later(hours=30)
    at.tick()
    assert at.deadlines() == {"p1": "2026-03-18T15:15:00Z", "p2": "2026-03-18T15:15:00Z"}
    assert at.to_host() == ["Mail could not be read for a while"]
    told = [x for x in at.letters() if x.kind == "reminder"]
    assert sorted((x.game, x.side) for x in told) == [("p1", "allied"), ("p2", "allied")]
    assert b"the time lost is given back" in b" ".join(told[0].raw.split())
    assert not at.notes("deadline")
    at.run(2)
    assert len(at.to_host()) == 1 and at.deadlines()["p1"] == "2026-03-18T15:15:00Z"
    [row] = [r for r in at.club.store.journal.rows("p1", kinds=["control"]) if r.payload["act"] == "moved"]
    assert row.payload["hours"] == 30 and row.payload["sides"] == ["allied"]


def test_a_deadline_that_passed_during_the_outage_has_its_time_again(serve):
    at = serve()
    at.run(12)
    at.club.later(hours=100)
    at.tick()
    assert not at.notes("deadline") and at.deadlines() == {"p1": "2026-03-21T13:15:00Z"}  # 60 hours were left


def test_mail_that_could_not_be_read_is_an_outage_too_and_the_answer_in_it_counts(serve):
    at = serve()
    at.run(70)
    at.box.reachable = False
    at.box.put(ANN, "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n")
    at.run(10)
    assert not at.notes("deadline")
    at.box.reachable = True
    at.club.later(minutes=30)
    at.tick()
    assert not at.notes("deadline") and len(at.notes("outage")) == 1
    assert list(at.club.store.journal.rows("p1", kinds=["orders"]))


def test_no_deadline_passes_while_mails_are_still_to_be_read(serve):
    at = serve(outage_minutes=10_000)
    at.club.later(hours=73)
    for _ in range(120):
        at.box.put(BOB, "help\n")
    at.box.put(ANN, "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n")
    assert at.tick().handled == 100 and not at.notes("deadline")
    done = at.tick()
    assert done.handled == 21 and not at.notes("deadline") and at.deadlines()["p1"] > START


def test_an_outage_that_is_interrupted_moves_each_deadline_once(serve):
    at = serve(games=3)
    at.run(1)
    at.club.later(hours=10)
    asked = []
    tick(at.club.app, at.box, at.sent, stop=lambda: len(asked) > 2 or bool(asked.append(1)))
    moved = [g for g, d in at.deadlines().items() if d != START]
    assert 0 < len(moved) < 3 and not at.notes("deadline")
    at.club.later(minutes=1)
    at.tick()
    assert set(at.deadlines().values()) == {"2026-03-17T19:15:00Z"}
    assert len([x for x in at.letters() if x.kind == "reminder"]) == 3


@pytest.mark.parametrize("days", [-2, 300])
def test_a_clock_that_jumps_is_not_believed_until_it_is_right_again(serve, days):
    at = serve()
    at.run(1)
    at.club.later(days=days)
    at.box.put(ANN, "game p1\nplace 5-1 at B1\nend\n")
    for _ in range(3):
        at.tick()
    assert at.to_host() == ["All deadlines are held"] and at.deadlines() == {"p1": START}
    assert not list(at.club.store.journal.rows("p1", kinds=["orders"]))
    found = health.read(at.club.config.health)
    assert "clock of this machine has gone" in found["held"] and health.wrong(found, at.club.now)
    at.club.later(days=-days, minutes=5)
    at.tick()
    assert list(at.club.store.journal.rows("p1", kinds=["orders"])) and outages.hold(at.club.context) is None
    assert not at.notes("deadline")


def test_the_host_lets_a_long_stop_count_as_an_outage(serve):
    at = serve()
    at.run(1)
    at.club.later(days=20)
    at.tick()
    outages.resume(at.club.context)
    at.tick()
    assert at.deadlines() == {"p1": "2026-04-06T09:15:00Z"} and not at.notes("deadline")
    with pytest.raises(NothingHeld):
        outages.resume(at.club.context)


def test_silence_holds_the_deadlines_until_somebody_is_heard(serve):
    at = serve(games=4)
    at.run(73)
    assert at.to_host() == ["All deadlines are held"]
    assert not at.notes("deadline") and set(at.deadlines().values()) == {START}
    at.run(5)
    assert len(at.to_host()) == 1
    at.box.put(BOB, "game p1\nstatus\nend\n")
    at.run(1)
    assert not at.notes("deadline") and len(set(at.deadlines().values())) == 1
    left = moment(at.deadlines()["p1"]) - at.club.now
    assert 23 * 3600 < left.total_seconds() < 25 * 3600  # a day of the silence is given back
    at.box.put(BOB, "game p2\nstatus\nend\n")
    at.run(25)
    assert len(at.notes("deadline")) == 4


def test_the_host_lets_the_deadlines_pass_as_they_stand(serve):
    at = serve(games=4)
    at.run(74)
    outages.resume(at.club.context, as_they_stand=True)
    at.run(1)
    assert len(at.notes("deadline")) == 4 and len(at.to_host()) == 1


def test_no_silence_where_others_write_or_few_are_due(serve):
    at = serve(games=4)
    at.run(70)
    at.box.put(BOB, "game p1\nstatus\nend\n")
    at.run(4)
    assert len(at.notes("deadline")) == 4 and not at.to_host()


def test_two_missed_deadlines_are_no_silence(serve):
    at = serve(games=2)
    at.run(74)
    assert len(at.notes("deadline")) == 2 and not at.to_host()


def test_health_says_what_is_wrong(serve):
    at = serve()
    at.tick()
    config, now = at.club.config, at.club.now
    found = health.read(config.health)
    assert found["games"] == 1 and found["next_due"] == "2026-03-16T09:15:00Z" and health.wrong(found, now) == []
    assert "daemon has stopped" in health.wrong(found, now.replace(hour=23))[0]
    assert "is the daemon running" in health.wrong(None, now)[0]
    at.box.reachable = False
    at.tick()
    assert "fetch failed in the last tick: ConnectionError" in health.wrong(health.read(config.health), now)[0]
    config.health.write_text("{")
    assert health.read(config.health) is None


def test_players_read_why(serve):
    at = serve()
    at.run(1)
    at.club.later(hours=10)
    at.tick()
    [letter] = [x for x in at.letters() if x.kind == "reminder"]
    mail = message_from_bytes(letter.raw, policy=policy.default)
    said = " ".join(text(mail).split())
    assert "Your deadline has moved to Tuesday 17 March 2026, 19:15 UTC" in said and "deadline.ics" in str(mail)
