"""What a side is answered does not depend on what it cannot know.

Two games are alike in all that the Axis may know, and differ in which Allied unit is where.  Whatever the Axis player
writes, good or bad, he is answered the same in both, byte for byte but for the end of the chain (the dice fall otherwise
after other orders, so that there may be a row more or less).
"""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.conftest import ANN, BOB

HEX = re.compile(r"[0-9a-f]{18,64}|journal\s+row\s+\d+")
FALLEN = re.compile(r"[\d\s]+")
"""The dice themselves: bound to the orders, so rightly others where the hidden orders were others."""
SWAPPED = ("place 5-1 at B1\nplace 5-2 at B2\n", "place 5-2 at B1\nplace 5-1 at B2\n")

UNITS = ["5-1", "5-2", "50-1", "51-1", "51-2", "1C-1", "HG-1", "1-1", "2-1", "any", "5/1", "50.1", "99-9", ""]
PLACES = ["B1", "B2", "P1", "4", "12", "14", "Sortino", "Lentini", "Catania", "Nowhere", "sea", "12-15", ""]
LINES = st.builds(
    lambda form, unit, other, place, more: form.format(u=unit, v=other, p=place, q=more),
    st.sampled_from([
        "move {u} to {p}", "move {u} {v} to {p} via {q}", "place {u} at {p}", "reserve {u}", "battle {p}; point {u}",
        "battle {p} with {u}", "standing when bridge at {p} then blow", "standing when retreat at {p} then retreat {u} to {q}",
        "blow {p} from {q} with {u}", "works {p} with {u}", "dig {u}", "rally {p} with {u}", "spy {p} with {u}", "hold {u}",
        "answer q1.1 place {u} at {p}", "answer {u}", "cancel {u}", "cancel standing {p}", "phase {p}", "phase 1 axis movement",
        "phase 9 axis movement", "pass {p}", "check", "ready", "wait", "status", "orders", "rolls {p}", "report {p}",
        "help {u}", "map",
        "turn 1 axis {p}", "{u} {p}", "attack {p} with {u} {v}", "strat {u} to {p}", "invade {p} with {u}", "drop {u} at {p}",
    ]),
    st.sampled_from(UNITS), st.sampled_from(UNITS), st.sampled_from(PLACES), st.sampled_from(PLACES),
)


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """The two games, each on its server."""
    from pbem.config import Config
    from tests.service.conftest import JUDGE, Club

    found = []
    for name, hidden in zip("ab", SWAPPED, strict=True):
        path = tmp_path_factory.mktemp(name) / "club.db"
        club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False, replies_per_hour=10**6))
        club.game()
        assert club.write(ANN, f"game p1\n{hidden}ready\nend\n").disposition == "accept"
        club.post()
        found.append(club)
    yield found
    for club in found:
        club.app.close()


def plain(club) -> list[str]:
    """What has been mailed to the Axis player, part by part, without the digests that differ by nature."""
    found = []
    for mail in club.post():
        if mail["To"] == BOB:
            parts = [part.get_content() for part in mail.walk() if not part.is_multipart()]
            text = HEX.sub("", "\n".join([str(mail["Subject"]), str(mail["References"]), *map(str, parts)]))
            found.append(FALLEN.sub(" ", text) if "The dice" in str(mail["Subject"]) else text)
    return found


def answered_alike(twins, body: str) -> None:
    """A mail of the Axis player comes to the same in both games, and is answered in the same words."""
    outcomes, answers = [], []
    for club in twins:
        found = club.write(BOB, body)
        outcomes.append((found.disposition, found.reason))
        answers.append(plain(club))
    assert outcomes[0] == outcomes[1]
    assert answers[0] == answers[1]


def test_they_differ_in_what_is_hidden(twins):
    where = []
    for club in twins:
        from pbem.service.play import game_session

        with club.store.transaction():
            state = game_session.take(club.context, "p1").session.state
        where.append({u: state.blocks[u].area for u in ("5-1", "5-2")})
    assert where[0] != where[1]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=1, max_size=6), st.booleans())
def test_answers_are_the_same(twins, lines, end):
    body = "game p1\n" + "check\n" + "\n".join(lines) + ("\nend\n" if end else "\n")
    answered_alike(twins, body)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=1, max_size=4))
def test_drafts_are_answered_the_same(twins, lines):
    """Not only tried: kept lines, standing orders and what is in force."""
    body = "game p1\n" + "\n".join(line for line in lines if line not in ("ready", "check")) + "\nwait\nend\n"
    answers = []
    for club in twins:
        club.write(BOB, body)
        answers.append(plain(club))
    assert answers[0] == answers[1]
