"""What counts as a player's own words: every mail in living/, as ``pbem deliver --explain`` reads it, and as it is handled."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.bootstrap import bootstrap
from pbem.config import Config
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.mailroom.explain import explain
from pbem.service.play import game_session
from pbem.service.play.game_session import Player
from pbem.store.schema import open_store

LIVING = Path(__file__).parent / "living"
ANN, BOB = "ann@example.org", "bob@example.org"

with (LIVING / "index.csv").open(newline="", encoding="utf-8") as index:
    ROWS = list(csv.DictReader(index))


@pytest.fixture
def world(tmp_path):
    """One game under the policy 'token', in which Ann is Allied."""
    config = Config(db=tmp_path / "world.db", address="judge@example.org", policy="token", pictures=False)
    app = bootstrap(
        config, store=open_store(tmp_path / "world.db", create=True), clock=lambda: datetime(2026, 11, 30, 22, 30, tzinfo=UTC)
    )
    with app.store.transaction():
        players = {"allied": Player(ANN, "Ann"), "axis": Player(BOB, "Bob")}
        play = game_session.create(app.context, "fab_sicily", "primosole_bridge", "p1", players, None, {})
        mailing.send(play, game_session.store_rows(play))
    yield app
    app.close()


def raw(app, file: str) -> bytes:
    """A mail of the folder, with the word of Ann's seat in it."""
    return (LIVING / file).read_bytes().replace(b"@TOKEN@", app.store.games.seat("p1", "allied").token.encode())


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_what_becomes_of_it(world, row):
    [told] = explain(world.context, [raw(world, row["file"])])
    assert told["disposition"] in row["dispositions"].split(), told
    before = len(list(world.store.outbox.unsent()))
    mail, _ = intake.file(world.context, raw(world, row["file"]), world.context.now, "test")
    outcome = intake.handle(world.context, mail.id)
    assert outcome.disposition in row["dispositions"].split(), outcome
    answers = [letter.recipient for letter in world.store.outbox.unsent()][before:]
    assert answers == ([] if outcome.disposition == "ignore-auto" else [ANN])
    ordered = list(world.store.journal.rows("p1", kinds=["orders"]))
    draft = world.store.games.draft("p1", "allied")
    assert (bool(ordered) or draft is not None) == outcome.disposition.startswith("accept"), outcome


def test_every_file_has_its_row():
    assert sorted(row["file"] for row in ROWS) == sorted(path.name for path in LIVING.glob("*.eml"))
