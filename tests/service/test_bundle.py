"""Bundles: what is in them, and that tampering is found."""

import json
import zipfile

import pytest

from pbem.core.journal import Row, seal
from pbem.core.ruleset import ruleset
from pbem.service import bundle
from pbem.service.bundle import BadBundle
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
    bundle.export(club.desk, "p1", path)
    club.app.close()
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def verdict(parts, tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as file:
        for name, data in parts.items():
            file.writestr(name, data)
    return bundle.verify(path, ruleset)


def rows(parts):
    return [json.loads(line) for line in parts["journal.jsonl"].splitlines()]


def with_rows(parts, found, **manifest):
    text = "".join(json.dumps(r) + "\n" for r in found)
    changed = {**json.loads(parts["manifest.json"]), "rows": len(found), "head": found[-1]["hash"], **manifest}
    return {**parts, "journal.jsonl": text.encode(), "manifest.json": json.dumps(changed).encode()}


def resealed(found):
    """The rows with their chain made good again, as a clever forger would."""
    made, prev = [], "0" * 64
    for i, r in enumerate(found):
        row = seal(r["game"], i, r["step"], r["kind"], r["payload"], r["source"], r["at"], prev)
        prev = row.hash
        made.append(row.as_dict())
    return made


def test_a_finished_game_verifies_in_full(finished, tmp_path):
    found = verdict(finished, tmp_path)
    assert found.wrong == "" and found.seed and not found.hidden and found.rolls > 20


def change_die(found):
    roll = next(r for r in found if r["kind"] == "roll" and r["payload"]["sides"] == 10)
    roll["payload"]["faces"][0] = roll["payload"]["faces"][0] % 10 + 1
    return roll["seq"]


def change_target(found):
    roll = next(r for r in found if r["kind"] == "roll" and r["payload"]["target"] is not None)
    roll["payload"]["target"] += 1
    return roll["seq"]


def change_orders(found):
    row = next(r for r in found if r["kind"] in ("orders", "control"))
    row["payload"]["note"] = "another order"
    return None


def drop_row(found):
    return found.pop(len(found) // 2)["seq"]


def swap_rows(found):
    at = next(i for i in range(5, len(found)) if found[i]["kind"] == found[i - 1]["kind"] == "event")
    found[at - 1], found[at] = found[at], found[at - 1]
    return at - 1


def cut_end(found):
    found.pop()
    return None


@pytest.mark.parametrize("how", [change_die, change_target, change_orders, drop_row, swap_rows, cut_end])
@pytest.mark.parametrize("clever", [False, True])
def test_tampering_is_found(finished, tmp_path, how, clever):
    found = rows(finished)
    seq = how(found)
    if clever:
        if how is cut_end:
            return
        found = resealed(found)
        wrong = verdict(with_rows(finished, found), tmp_path).wrong
        assert wrong
    else:
        wrong = verdict({**finished, "journal.jsonl": "".join(json.dumps(r) + "\n" for r in found).encode()}, tmp_path).wrong
        assert wrong and (seq is None or f"row {seq}" in wrong or f"row {seq + 1}" in wrong)


def test_another_seed_another_data_set_or_other_options_are_found(finished, tmp_path):
    manifest = json.loads(finished["manifest.json"])
    for change, words in (
        ({"seed": "00" * 32}, "seed gives"), ({"commitment": "00"}, "commitment"), ({"options": {"x": 1}}, "options"),
    ):
        assert words in verdict({**finished, "manifest.json": json.dumps({**manifest, **change}).encode()}, tmp_path).wrong
    data = json.loads(finished["dataset.json"])
    data["turns"] += 1
    assert "data set" in verdict({**finished, "dataset.json": json.dumps(data).encode()}, tmp_path).wrong


def test_what_is_no_bundle_is_said(tmp_path, finished):
    (tmp_path / "a.zip").write_bytes(b"no zip")
    with pytest.raises(BadBundle, match="no bundle"):
        bundle.verify(tmp_path / "a.zip", ruleset)
    with pytest.raises(BadBundle):
        verdict({"manifest.json": b"{}"}, tmp_path)
    with pytest.raises(BadBundle):
        verdict({**finished, "journal.jsonl": b"not json\n"}, tmp_path)


def test_while_a_game_runs_a_side_gets_what_it_may_know(club, tmp_path):
    club.write(ANN, "game p1\nplace 5-1 at B1\nstanding when bridge then blow\nend\n")
    club.play(until=lambda g: g.step_name == "1 allied movement")
    for side, other in (("allied", "axis"), ("axis", "allied")):
        path = tmp_path / f"{side}.zip"
        bundle.export(club.desk, "p1", path, side)
        found = bundle.verify(path, ruleset)
        assert found.wrong == "" and found.hidden > 0 and not found.seed
        with zipfile.ZipFile(path) as file:
            assert club.store.games.seed("p1").hex() not in "".join(file.read(n).decode() for n in file.namelist())
            shown = [Row(**r) for r in map(json.loads, file.read("journal.jsonl").splitlines()) if "payload" in r]
        assert not [r for r in shown if r.kind in ("orders", "answer", "skip") and r.payload["side"] == other]
        assert not [r for r in shown if r.kind == "event" and not r.payload["open"] and r.payload["side"] == other]
