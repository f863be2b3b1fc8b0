"""Mail that is meant to do harm: bounded time and memory, an answer where one is due, and nothing raised."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.service.mailroom import classification
from pbem.service.mailroom.explain import explain
from pbem.store.schema import open_store
from tests.mail.test_explain import ROWS, world  # noqa: F401  (the world of the case mails)
from tests.mail.test_fuzz import DISPOSITIONS, mutant
from tests.service import hostile
from tests.service.conftest import ANN, text

MUTANTS = int(os.environ.get("PBEM_MUTANTS", "600"))


@pytest.fixture(scope="module")
def handled(tmp_path_factory):
    """What became of each hostile mail, in a process of its own."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, raw in hostile.mails().items():
        (folder / f"{name}.eml").write_bytes(raw)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, hostile.__file__, str(folder)], env=env, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_time_and_memory_are_bounded(handled):
    for name, each in handled.items():
        assert each["seconds"] < 2, name
        assert each["megabytes"] <= 200, name
        assert each["bytes"] < 300_000, name


def test_each_is_answered_or_put_aside(handled):
    for name, each in handled.items():
        assert each["disposition"] in DISPOSITIONS - {"reject-auth"}, name
        assert each["answers"] <= classification.MOST_BLOCKS, name
        if each["disposition"] in ("accept", "accept-with-errors", "ask-resend") and name != "nothing yet":
            assert each["to"] == [ANN], name


@pytest.mark.parametrize("block", range(4))
def test_mutants_through_the_service(world, block):  # noqa: F811
    """PBEM_MUTANTS=5000 for all of them."""
    for start in range(block * 50, MUTANTS, 200):
        numbers = range(start, start + 50)
        for number, told in zip(numbers, explain(world.context, map(mutant, numbers)), strict=True):
            assert told["disposition"] in DISPOSITIONS, number
            assert not told["lines"] or told["disposition"] in ("accept", "accept-with-errors", "ask-resend")


@pytest.mark.parametrize("block", range(2))
def test_mutants_are_handled(make_club, block):
    """Not only explained: nothing of a damaged mail makes the handling fail."""
    from pbem.service.letters import mailing
    from pbem.service.mailroom import intake
    from pbem.service.play import game_session
    from pbem.service.play.game_session import Player

    club = make_club(policy="open")
    with club.store.transaction():
        players = {"allied": Player("alice@example.org", "Ann"), "axis": Player("bob@example.org", "Bob")}
        play = game_session.create(club.context, "fab_sicily", "primosole_bridge", "primosole-1", players)
        mailing.send(play, game_session.store_rows(play))
    for number in range(10_000 + block, 10_000 + MUTANTS // 4, 2):
        mail, _ = intake.file(club.context, mutant(number), club.context.now, "test")
        assert intake.handle(club.context, mail.id).disposition in DISPOSITIONS, number
    assert {m["To"] for m in club.post()} <= {"alice@example.org", "bob@example.org", "host@example.org"}


def test_a_header_cannot_be_put_into_the_answer(club):
    body = "game p1\nplace 5-1 at Bxx\nend\n"
    injected = ("a\r\n Bcc: eve@example.org", "=?utf-8?q?a=0D=0ABcc:_eve@example.org?=", "=?utf-8?b?YQ0KQmNjOiBlQGU=?=")
    for number, bad in enumerate(injected):
        chain = f"<a@b\r\n Bcc: eve@example.org> <c{number}@d>"
        club.write(f"=?utf-8?q?Ann=0ABcc:_eve@example.org?= <{ANN}>", body, Subject=bad, References=chain)
        [mail] = club.post()
        assert mail["Bcc"] is None and mail["To"] == ANN and "eve@" not in mail.as_string().partition("\n\n")[0]


# -- the disk and the database ---------------------------------------------------------------------------


def test_a_full_disk_loses_nothing(club):
    from sqlite3 import OperationalError

    from pbem.service.mailroom import intake

    ids = [club.put(ANN, f"game p1\nplace {unit} at B1\nend\n") for unit in ("5-1", "5-2")]
    pages = club.store._db.execute("pragma page_count").fetchone()[0]
    before = club.store.games.get("p1")
    club.store._db.execute(f"pragma max_page_count = {pages}")
    for _ in range(5):
        with pytest.raises(OperationalError, match="full"):
            intake.work(club.context, ids)
    assert club.store.games.get("p1") == before and club.post() == []
    assert club.store.inbox.get(ids[0]).tries <= 1
    club.store._db.execute("pragma max_page_count = 1000000")
    assert intake.work(club.context, club.store.inbox.waiting()) == 2
    assert [club.store.inbox.get(i).disposition for i in ids] == ["accept", "accept"]
    assert len(club.post()) == 2


def test_a_locked_database_loses_nothing(club, monkeypatch):
    from sqlite3 import OperationalError

    from pbem.service.mailroom import intake
    from pbem.store import schema

    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.05)
    id = club.put(ANN, "game p1\nplace 5-1 at B1\nend\n")
    other = open_store(club.path)
    ours = open_store(club.path)
    club.context.__dict__["store"] = ours
    with other.transaction():
        other.notes.set_value("x", "y")
        for _ in range(5):
            with pytest.raises(OperationalError, match="locked"):
                intake.work(club.context, [id])
    assert ours.inbox.get(id).tries == 0
    assert intake.work(club.context, [id]) == 1 and ours.inbox.get(id).disposition == "accept"
    other.close()
    ours.close()


def test_a_receipt_lists_no_more_than_anybody_reads(club):
    club.write(ANN, "game p1\n" + "nonsense 1\n" * 60 + "end\n")
    [mail] = club.post()
    assert text(mail).count("nonsense 1") < 90 and "20 more lines" in " ".join(text(mail).split())


def test_the_case_mails_are_all_there():
    assert len(ROWS) > 100
