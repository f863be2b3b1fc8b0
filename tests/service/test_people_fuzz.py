"""Whatever people write to the club is answered or left alone; no mail of theirs fails, and none moves what is not theirs."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.config import Config
from pbem.service.play import deadlines
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, Club
from tests.service.people import CAROL, DAVE, HOST, member

EVE = "eve@example.org"
WORDS = [
    "p1", "lion", "axis", "allied", "referee", "all", "open", "consent", "private", "as", "named", "id=p1", "seats=private",
    "missed=wait", "observers=delayed 99", "zone=Mars/Base", "12 Dec to 20 Dec", "2026-02-30", "cancel", "name", "add", "change",
    "remove", BOB, "eve@example.net", "<ann@example.org>", "bcdf2345", "yes", "no", "shown", "all width 60", "zone UTC",
    "offer", "withdraw", "full", "fab_sicily/primosole_bridge", "primosole_bridge", "x" * 300, "\u202eelgnam", "<b>&amp;\"'",
    "%s{0}{{7*7}}",
    "\x00\x1b", "", "9" * 30, "-", "'; drop table people; --",
]
VERBS = [
    "register", "confirm", "account", "address", "games", "list", "scenarios", "new", "join", "accept", "decline", "observe",
    "leave", "absence", "available", "substitute me", "press to", "press anonymous to", "end press", "set", "draw", "resign",
    "concede", "report", "help", "game", "end", "turn", "status",
]
WHOLE = [
    "new primosole_bridge as axis", "new primosole_bridge as allied consent observers=open", "join primosole-1", "join p1 axis",
    "join primosole-2 allied", "leave primosole-1", "resign p1", "resign p2", "observe p1", "leave p1", "draw offer", "game p1",
    "end", "press to axis: Hello", "available", "absence 20 Mar to 25 Mar", "report full p1", "register Eve", "ready",
]
PARTS = st.builds(lambda verb, args: " ".join([verb, *args]).strip(), st.sampled_from(VERBS),
                  st.lists(st.sampled_from(WORDS), max_size=4))
LINES = st.one_of(st.sampled_from(WHOLE), PARTS)


@pytest.fixture(scope="module")
def open_club(tmp_path_factory):
    """A club with games of several kinds, in which the tests go on where the last one stopped."""
    path = tmp_path_factory.mktemp("fuzz") / "club.db"
    club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False, operator=HOST, replies_per_hour=10**6))
    for name, chosen in (("p1", {"observers": "open", "press": "anonymous", "missed": "wait"}), ("p2", {"missed": "substitute"})):
        club.game(name, **chosen)
    member(club, CAROL, "Carol")
    member(club, DAVE, "Dave")
    yield club
    club.app.close()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([ANN, BOB, CAROL, DAVE, EVE, HOST, REFEREE]), st.lists(LINES, min_size=1, max_size=5), st.booleans())
def test_nothing_fails_and_nobody_gets_what_is_not_his(open_club, sender, lines, subject):
    club = open_club
    before = {s.address for g in club.store.games.page() for s in club.store.games.seats(g.id) if s.address}
    headers = {"Subject": lines[0][:60].replace("\x00", " ").replace("\x1b", " ")} if subject else {}
    outcome = club.write(sender, "\n".join(lines) + "\n", **headers)
    assert outcome.disposition not in ("failed", "quarantine"), outcome
    club.later(hours=7)
    deadlines.sweep(club.context)
    after = {s.address for g in club.store.games.page() for s in club.store.games.seats(g.id) if s.address}
    assert after - before <= {sender}
    assert club.store.people.at(EVE) is None and all(EVE not in m.addresses for m in club.store.people.page())
    assert not [n for n in club.store.notes.last(20) if n.kind in ("failed", "shelved", "halted")]
