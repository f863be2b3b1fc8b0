"""Games as earlier versions of pbem left them: databases with a game in the middle, packed.

A game that has begun must load, audit and go on for ever, so nothing here is ever made anew: a version that
changes the schema, the journal or the rules is tested against these.  To add one that today's version makes:

    python -m tests.games.fab_sicily.saved NAME SCENARIO STEPS [OPTION=VALUE ...]     -> NAME.db.xz

plays SCENARIO by mail between two scripted players up to step number STEPS or just past it, and packs the database
without its mails.
"""

from __future__ import annotations

import lzma
import sqlite3
from pathlib import Path
from typing import Any

from pbem.config import Config
from pbem.games.fab_sicily.players import scripted
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.play.game_session import Player
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, Club

HERE = Path(__file__).parent
GAME = "saved"
ADDRESSES = {"allied": ANN, "axis": BOB}
MAILS = ("outbox", "inbox", "notes")
"""Tables that are left out: large, and no part of a game."""


def club(path: Path) -> Club:
    """A server on the database at ``path``."""
    return Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False, replies_per_hour=10**6))


def unpack(name: str, path: Path) -> Club:
    """The saved database ``name`` at ``path``, opened by today's version (which brings its schema up to date)."""
    path.write_bytes(lzma.decompress((HERE / f"{name}.db.xz").read_bytes()))
    return club(path)


def play(found: Club, mails: int = 10**6, steps: int = 10**6) -> int:
    """Scripted players write by mail until so many mails are in, so many steps played or the game is over; gives the mails."""
    for sent in range(mails):
        with found.store.transaction():
            session = game_session.take(found.context, GAME).session
        if session.over or session.step >= steps:
            return sent
        side = session.waiting()[0]
        standing = [] if session.plans.of(side) else scripted.standing_orders(side)
        lines = [f"game {GAME}", *standing, *scripted.order_lines(session, side), "end"]
        outcome = found.write(ADDRESSES[side], "\n".join(lines) + "\n")
        assert outcome.disposition == "accept", outcome
    return mails


def make(path: Path, scenario: str, steps: int, options: dict[str, Any]) -> None:
    """Play a new game up to step number ``steps`` into the database ``path``."""
    found = club(path)
    with found.store.transaction():
        players = {side: Player(address, address.split("@")[0].capitalize()) for side, address in ADDRESSES.items()}
        table = game_session.create(found.context, "fab_sicily", scenario, GAME, players, Player(REFEREE), options)
        mailing.send(table, game_session.store_rows(table))
    play(found, steps=steps)
    found.app.close()


def pack(path: Path, name: str) -> Path:
    """The database without its mails, as small as it gets."""
    with sqlite3.connect(path) as db:
        for table in MAILS:
            db.execute(f"delete from {table}")
        last = "select max(number) from reports other where other.game = reports.game and other.side = reports.side"
        db.execute(f"delete from reports where number < ({last})")
        db.commit()
        db.execute("vacuum")
    packed = HERE / f"{name}.db.xz"
    packed.write_bytes(lzma.compress(path.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    return packed
