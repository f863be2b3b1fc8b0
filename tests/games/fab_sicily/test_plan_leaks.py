"""22.24 The landing plan stays hidden until the beachheads lie: nothing that reaches the Axis depends on it before.

Two games are alike but for what the Allies have chosen after the Axis set-up: in one the historical plan and three
beachheads in zone B, in the other the alternate plan and three in zone A.
"""

import json
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.config import Config
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.records import audit_site, bundle
from pbem.service.play.game_session import Player
from tests.service.conftest import ANN, BOB, JUDGE, Club
from tests.service.test_intake_leaks import HEX, LINES, plain, answered_alike

CHOSEN = ("plan historical\nbeachhead B1\nbeachhead B2\nbeachhead B3", "plan alternate\nbeachhead A2\nbeachhead A3\nbeachhead A4")
GARRISONS = "\n".join(f"garrison {area}" for area in (19, 20, 57, 65, 13, 5, 50))

pytestmark = pytest.mark.rule("fab_sicily", "22.24")


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """The two games, each on its server; the mails to the Axis up to here are compared first of all."""
    found, mailed = [], []
    for name, chosen in zip("ab", CHOSEN, strict=True):
        path = tmp_path_factory.mktemp(name) / "club.db"
        club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False, replies_per_hour=10**6))
        with club.store.transaction():
            players = {"allied": Player(ANN, "Ann"), "axis": Player(BOB, "Bob")}
            table = game_session.create(club.context, "fab_sicily", "campaign", "p1", players)
            mailing.send(table, game_session.store_rows(table))
        assert club.write(BOB, f"game p1\n{GARRISONS}\npass\nend\n").disposition == "accept"
        assert club.write(ANN, f"game p1\n{chosen}\nend\n").disposition == "accept"
        mailed.append(plain(club))
        found.append(club)
    assert mailed[0] == mailed[1]
    yield found
    for club in found:
        club.app.close()


def table_of(club):
    with club.store.transaction():
        return game_session.take(club.context, "p1")


def test_they_differ_in_the_plan_and_the_allies_are_still_choosing(twins):
    tables = [table_of(club) for club in twins]
    keys = [[r.payload["key"] for r in club.store.journal.rows("p1", kinds=["answer"])] for club in twins]
    assert "plan historical" in keys[0] and "plan alternate" in keys[1]
    assert all(t.session.step_name == "setup" and t.session.waiting() == ["allied"] for t in tables)


def test_the_view_of_the_axis_is_the_same(twins):
    views = [t.rules.view(t.session.state, "axis") for t in map(table_of, twins)]
    assert json.dumps(views[0]) == json.dumps(views[1]) and views[0]["plan"] == ""


def test_bundle_and_audit_pages_of_the_axis_are_the_same(twins, tmp_path):
    told = []
    for club, name in zip(twins, "ab", strict=True):
        bundle.export(club.context, "p1", tmp_path / f"{name}.zip", "axis")
        with ZipFile(tmp_path / f"{name}.zip") as file:
            parts = [HEX.sub("", file.read(n).decode()) for n in sorted(file.namelist())]
        audit_site.write(club.context, "p1", tmp_path / name, "axis")
        pages = [HEX.sub("", p.read_text()) for p in sorted((tmp_path / name).rglob("*.html"))]
        told.append((parts, pages))
    assert told[0] == told[1]


CHOICES = st.sampled_from(["plan historical", "plan alternate", "beachhead B1", "beachhead A2", "garrison 50"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES | CHOICES, min_size=1, max_size=6))
def test_answers_to_the_axis_are_the_same(twins, lines):
    answered_alike(twins, "game p1\ncheck\n" + "\n".join(lines) + "\nend\n")


def test_reminders_and_reports_asked_for_are_the_same(twins):
    for lines in ("status", "report", "map", "orders", "rolls", "help rulings", "standing when bridge then blow"):
        answers = []
        for club in twins:
            club.write(BOB, f"game p1\n{lines}\nend\n")
            answers.append(plain(club))
        assert answers[0] == answers[1] and answers[0], lines
