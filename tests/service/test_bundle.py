"""Bundles: what is in them, and that tampering is found."""

import zipfile

import pytest

from pbem.audit import standalone
from pbem.core.dice import FIRST_BINDING, bind
from pbem.core.journal import Row, private, seal
from pbem.games import find_title
from pbem.service.records import bundle
from pbem.service.records.bundle import BadBundle
from tests.service.conftest import ANN


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The parts of the bundle of a game that was conceded after a turn."""
    from pbem.config import Config
    from tests.service.conftest import JUDGE, Club

    folder = tmp_path_factory.mktemp("bundle")
    config = Config(db=folder / "club.db", address=JUDGE, policy="open", pictures=False, replies_per_hour=1000)
    club = Club(folder / "club.db", config)
    club.game()
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    club.write(ANN, "concede p1\n")
    path = folder / "p1.zip"
    bundle.export(club.context, "p1", path)
    club.app.close()
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def verdict(parts, tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return bundle.verify(path, find_title)


def test_a_finished_game_verifies_in_full(finished, tmp_path):
    found = verdict(finished, tmp_path)
    assert found.wrong == "" and found.rules and not found.hidden and found.rolls > 20 and found.checked >= found.rolls
    assert {"standalone.py", "README.txt"} <= set(finished)


def test_what_is_no_bundle_is_said(tmp_path, finished):
    (tmp_path / "a.zip").write_bytes(b"no zip")
    with pytest.raises(BadBundle, match="no bundle"):
        bundle.verify(tmp_path / "a.zip", find_title)
    with pytest.raises(BadBundle):
        verdict({"manifest.json": b"{}"}, tmp_path)
    with pytest.raises(BadBundle):
        verdict({**finished, "journal.jsonl": b"not json\n"}, tmp_path)
    with pytest.raises(BadBundle, match="lacks"):
        verdict({**finished, "manifest.json": b'{"format": 2}'}, tmp_path)


def test_while_a_game_runs_a_side_gets_what_it_may_know(club, tmp_path):
    club.write(ANN, "game p1\nplace 5-1 at B1\nstanding when bridge then blow\nend\n")
    club.play(until=lambda g: g.step_name == "1 allied movement")
    for side, other in (("allied", "axis"), ("axis", "allied")):
        path = tmp_path / f"{side}.zip"
        bundle.export(club.context, "p1", path, side)
        found = bundle.verify(path, find_title)
        assert found.wrong == "" and found.hidden > 0 and not found.checked
        assert f"{found.hidden} of them known by their hash alone; {found.rolls} rolls, 0 dice" in standalone.check(str(path))
        with zipfile.ZipFile(path) as file:
            everything = "".join(file.read(n).decode() for n in file.namelist())
        assert club.store.games.seed("p1").hex() not in everything
        rows = list(club.store.journal.rows("p1"))
        shown = [r for r in bundle.read(path).rows if isinstance(r, Row)]
        hidden = {r.seq for r in rows} - {r.seq for r in shown}
        assert not [r for r in shown if r.kind in ("orders", "answer", "skip") and r.payload["side"] == other]
        assert not [r for r in shown if r.kind == "event" and not r.payload["open"] and r.payload["side"] == other]
        salts = [r.payload["salt"] for r in rows if r.seq in hidden]
        assert len(salts) == found.hidden and len(set(salts)) == len(salts) and not any(salt in everything for salt in salts)


def test_what_is_held_back_cannot_be_guessed(club):
    """Who tries all likely contents of a hidden row on its hash, or of hidden orders on a binding, needs the salt for it."""
    club.write(ANN, "game p1\nstanding when bridge then blow\nend\n")
    rows = list(club.store.journal.rows("p1"))
    orders = next(r for r in rows if r.kind == "orders")
    assert len(orders.payload["salt"]) == 32
    guess = {k: v for k, v in orders.payload.items() if k != "salt"}
    assert seal("p1", orders.seq, orders.step, "orders", guess, orders.source, orders.at, orders.prev).hash != orders.hash
    assert bind(FIRST_BINDING, "orders", guess) != bind(FIRST_BINDING, "orders", orders.payload)
    assert all("salt" in r.payload for r in rows if private(r.kind, r.payload))
    assert not any("salt" in r.payload for r in rows if not private(r.kind, r.payload))
