"""Games that an earlier version left in the middle load, audit whole and go on (see :mod:`.saved`)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from pbem.audit.verify import audit
from pbem.core.fold import snapshot
from pbem.core.journal import canonical
from pbem.games.fab_sicily import RULESET
from pbem.service.play import game_session
from tests.games.fab_sicily import saved
from tests.games.fab_sicily.saved import GAME
from tests.service.conftest import Club

STOOD = {"primosole_turn_3": "3 allied admin", "campaign_turn_3": "3 axis counter-admin"}
"""Where each game waited when it was saved."""


def whole(club: Club) -> None:
    """The audit finds nothing, and the position kept is the one that the journal gives."""
    games = club.store.games
    game = games.get(GAME)
    rows, data = list(club.store.journal.rows(GAME)), games.dataset(game.dataset)
    assert len(rows) == game.seq and rows[-1].hash == game.head
    assert audit(rows, RULESET, data, game.options, games.seed(GAME)) is None
    kept = games.position(GAME).snapshot
    assert canonical(asdict(snapshot(RULESET, data, game.options, rows, kept.step))) == canonical(asdict(kept))


def test_every_saved_game_is_known() -> None:
    assert {path.name.removesuffix(".db.xz") for path in saved.HERE.glob("*.db.xz")} == set(STOOD)


@pytest.mark.parametrize(("name", "step"), STOOD.items())
def test_it_loads_and_audits_whole(name: str, step: str, tmp_path: Path) -> None:
    club = saved.unpack(name, tmp_path / "club.db")
    with club.store.transaction():
        table = game_session.take(club.context, GAME)
    assert table.session.step_name == step and table.session.waiting() and not table.session.new_rows
    whole(club)
    club.app.close()


@pytest.mark.parametrize(("name", "mails"), [("primosole_turn_3", 100), ("campaign_turn_3", 4)])
def test_it_can_be_played_on(name: str, mails: int, tmp_path: Path) -> None:
    """The first scenario to its end, the campaign for a while, by mail."""
    club = saved.unpack(name, tmp_path / "club.db")
    before = club.store.games.get(GAME)
    club.post()
    saved.play(club, mails=mails)
    after = club.store.games.get(GAME)
    assert after.seq > before.seq and after.step > before.step
    assert (after.status == "over") == (name == "primosole_turn_3")
    assert {mail["To"] for mail in club.post()} >= {"ann@example.org", "bob@example.org"}
    whole(club)
    club.app.close()
