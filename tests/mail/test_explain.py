"""Every mail in cases/ through the service itself, as ``pbem deliver --explain`` reads it."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime

import pytest
import structlog

from pbem import cli
from pbem.bootstrap import bootstrap
from pbem.config import Config
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.mailroom.explain import explain
from pbem.service.play.game_session import Player
from pbem.store.schema import open_store
from tests.mail.world import CASES

with (CASES / "index.csv").open(newline="", encoding="utf-8") as index:
    ROWS = list(csv.DictReader(index))

@pytest.fixture(autouse=True)
def logging_as_before():
    """Commands of the command line set their own logging up."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


ALICE, BOB, CAROL, DAN = (f"{name}@example.org" for name in ("alice", "bob", "carol", "dan"))


def new_game(context, name, allied, axis):
    players = {"allied": Player(allied, "Ann"), "axis": Player(axis, "Bob")}
    with context.store.transaction():
        table = game_session.create(context, "fab_sicily", "primosole_bridge", name, players, None, {})
        mailing.send(table, game_session.store_rows(table))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The world of cases/README.md, with a second game in which neither plays."""
    path = tmp_path_factory.mktemp("explain") / "world.db"
    config = Config(
        db=path, address="judge@example.org", authserv_id="mx.example.org", dns_fixture=CASES / "dkim_dns.json", pictures=False,
    )
    app = bootstrap(config, store=open_store(path, create=True), clock=lambda: datetime(2026, 3, 14, 9, 15, tzinfo=UTC))
    new_game(app.context, "primosole-1", ALICE, BOB)
    new_game(app.context, "primosole-2", CAROL, DAN)
    yield app
    app.close()


@pytest.fixture(scope="module")
def told(world):
    """All of them at once, in the order of their arrival."""
    counts = lambda: [list(world.store._db.query(f"select count(*) n from {t}")) for t in ("inbox", "outbox", "journal", "notes")]  # noqa: E731
    before = counts()
    found = explain(world.context, [(CASES / row["file"]).read_bytes() for row in ROWS])
    assert counts() == before
    return {row["case"]: each for row, each in zip(ROWS, found, strict=True)}


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_case(told, row):
    found = told[row["case"]]
    expected = row["order_lines"].split("|") if row["order_lines"] else []
    assert (found["disposition"], found["lines"]) == (row["disposition"], expected), found["reasons"]
    assert found["reasons"] and all(isinstance(reason, str) for reason in found["reasons"])


def test_the_command_prints_json_and_files_nothing(world, monkeypatch, capsys):
    for name in ("address", "authserv_id", "dns_fixture"):
        monkeypatch.setenv(f"PBEM_{name.upper()}", str(getattr(world.context.config, name)))
    monkeypatch.setenv("PBEM_DB", str(world.context.config.db))
    [file] = CASES.glob("113_*.eml")
    assert cli.main(["deliver", "--explain", str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == ["disposition", "lines", "reasons"] and found["disposition"] == "accept"
    assert world.store.inbox.waiting() == [] and world.store.inbox.handled() == []
    assert cli.main(["deliver", str(file)]) == 0
    capsys.readouterr()
    assert cli.main(["deliver", "--explain", *map(str, sorted(CASES.glob("11[3-5]_*.eml")))]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["disposition"] for line in lines] == ["accept", "ignore-auto", "quarantine"]
    assert any("filed already as mail 1" in reason for reason in lines[0]["reasons"])


def test_a_fixture_that_cannot_be_read_is_a_wrong_setting(world, monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PBEM_AUTHSERV_ID", "mx.example.org")
    monkeypatch.setenv("PBEM_DNS_FIXTURE", str(tmp_path / "none.json"))
    assert cli.main(["deliver", "--explain", str(CASES / "index.csv"), "--db", str(world.context.config.db)]) == 2
    assert "PBEM_DNS_FIXTURE" in capsys.readouterr().err
