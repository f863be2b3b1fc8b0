"""Every way to forge a journal (tests/audit/test_tampering.py) passes as soon as what is to find it is taken away: no test there
succeeds by chance, and no defence is there for nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.audit.check import Check
from pbem.games import find_title
from pbem.service.records import bundle
from tests.audit.conftest import Parts
from tests.audit.test_tampering import (
    AT_ONE,
    PLAIN,
    SEALED,
    Forge,
    a_withheld_row,
    another_commitment,
    another_seed,
    forged,
    no_seed,
    other_data,
    other_options,
)

OF_THE_MANIFEST = (another_seed, no_seed, other_data, a_withheld_row, another_commitment, other_options)
"""What is found by comparing the parts of a bundle with each other."""

CONTENT = ("_roll", "_event", "_step", "_control", "_commitment")


def without_content(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that rows say is looked at, and the rules are not run again."""
    for name in CONTENT:
        monkeypatch.setattr(Check, name, lambda *args: "")
    monkeypatch.setattr(Check, "_salted", lambda *args: True)
    monkeypatch.setattr(bundle, "audit", lambda *args, **more: None)


def found(parts: Parts, folder: Path, kept: list[Path]) -> str:
    return bundle.verify(parts.write(folder / "p1.zip"), find_title, kept).wrong


@pytest.mark.parametrize("forge", [f for f in PLAIN if f not in OF_THE_MANIFEST], ids=lambda f: f.__name__)
def test_c4_a_row_changed_without_sealing_is_found_by_the_chain(
    game: Parts, forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts, _ = forged(game, forge, sealed=False)
    assert found(parts, tmp_path, [])
    parts.manifest |= {"rows": len(parts.rows), "head": parts.rows[-1]["hash"]}
    without_content(monkeypatch)
    monkeypatch.setattr(Check, "_link", lambda self, row: "")
    assert found(parts, tmp_path, []) == ""


@pytest.mark.parametrize("forge", [f for f in SEALED if f not in OF_THE_MANIFEST], ids=lambda f: f.__name__)
def test_c4_a_journal_sealed_anew_is_found_by_its_dice_and_by_the_rules(
    game: Parts, forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts, _ = forged(game, forge, sealed=True)
    assert found(parts, tmp_path, [])
    without_content(monkeypatch)
    assert found(parts, tmp_path, []) == ""


@pytest.mark.parametrize("forge", AT_ONE, ids=lambda f: f.__name__)
def test_c4_a_journal_at_one_with_itself_is_found_by_kept_mails(
    game: Parts, forge: Forge, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts, _ = forged(game, forge, sealed=True)
    without_content(monkeypatch)
    assert "ann-" in found(parts, tmp_path, game.mails)
    monkeypatch.setattr(bundle, "_told_otherwise", lambda *args: iter(()))
    assert found(parts, tmp_path, game.mails) == ""
