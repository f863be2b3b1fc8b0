"""C4 verifiers that are lied to, C5 what looks like a witness and is none."""

from __future__ import annotations

import email
import email.policy
import json
import re
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.audit import check as checking
from pbem.audit import standalone, verify, witness
from pbem.audit.witness import NoWitness, witnesses
from pbem.games import find_title
from pbem.service.play import game_session
from pbem.service.records import bundle
from pbem.service.records.bundle import BadBundle
from tests.audit.conftest import Parts
from tests.service.conftest import ANN, BOB, REFEREE, Club, text

Patch = pytest.MonkeyPatch


def library(path: Path, kept: list[Path]) -> str:
    """What 'pbem verify' finds wrong; '' for nothing."""
    try:
        return bundle.verify(path, find_title, kept).wrong
    except BadBundle as why:
        return f"refused: {why}"


def script(path: Path, kept: list[Path]) -> str:
    """What standalone.py finds wrong; '' for nothing."""
    try:
        standalone.check(str(path), [str(k) for k in kept])
    except standalone.Wrong as wrong:
        return str(wrong)
    except (OSError, KeyError, TypeError, ValueError, RecursionError, zipfile.BadZipFile) as error:
        return f"refused: {error}"
    return ""


VERIFIERS = {"pbem verify": library, "standalone.py": script}
both = pytest.mark.parametrize("verifier", VERIFIERS.values(), ids=VERIFIERS)

# -- C4 ----------------------------------------------------------------------------------------------------------


NAMES = {
    "a mark that nobody sees": "p1\u200b", "another name": "p9", "a letter that looks alike": "\u0440" + "1", "capitals": "P1",
    "a blank": "p1 ",
}


@both
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_c4_a_manifest_that_names_another_game_is_found(
    game: Parts, verifier: Any, name: str, tmp_path: Path, monkeypatch: Patch,
) -> None:
    """So that no kept mail is taken for a witness: all times are forged, and the name is one that only looks like the game's."""
    parts = game.copy()
    for row in parts.rows:
        row["at"] = "2020-01-01T00:00:00Z"
    parts.seal()
    parts.manifest["game"] = name
    path = parts.write(tmp_path / "forged.zip")
    assert "of game" in verifier(path, []) and "of game" in verifier(path, game.mails)
    if verifier is library:
        real = checking.Check
        monkeypatch.setattr(bundle, "Check", lambda seeds, complete, game: real(seeds, complete))
        assert library(path, []) == "", "nothing else shows it"


@both
def test_c4_rows_of_another_game_are_found(game: Parts, verifier: Any, tmp_path: Path) -> None:
    parts = game.copy()
    for row in parts.rows:
        row["game"] = "p9"
    parts.seal()
    assert "of game 'p9'" in verifier(parts.write(tmp_path / "forged.zip"), [])


ORDERS: dict[str, Callable[..., list[Path]]] = {
    "lie, truth": lambda lie, true: [lie, true], "truth, lie": lambda lie, true: [true, lie],
    "lie alone": lambda lie, true: [lie],
}


def lying(true: Path, folder: Path) -> Path:
    """A mail that names another hash for the same row."""
    mail = email.message_from_bytes(true.read_bytes(), policy=email.policy.SMTP)
    seq = str(mail["X-PBEM-Head"]).split()[1]
    mail.replace_header("X-PBEM-Head", f"p1 {seq} {'b' * 64}")
    (folder / "lie.eml").write_bytes(mail.as_bytes())
    return folder / "lie.eml"


@both
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_c4_two_hashes_for_a_row_cannot_both_be_right(
    game: Parts, verifier: Any, order: Callable[..., list[Path]], tmp_path: Path,
) -> None:
    """Of two witnesses for a row none is left out, in whatever order they are given."""
    path = game.copy().write(tmp_path / "p1.zip")
    kept = order(lying(game.mails[3], tmp_path), game.mails[3])
    said = verifier(path, kept)
    assert "another hash than" in said and "lie.eml" in said
    by_row = {s.seq: s for s in witnesses(kept, "p1")}
    fooled = kept[-1] == game.mails[3]
    assert all(game.rows[s.seq]["hash"] == s.hash for s in by_row.values()) is fooled, "kept by row, the last one would win"


@both
@pytest.mark.parametrize("file", ["stray mail", "sent mail", "other game", "empty", "older bundle of another game"])
def test_c4_a_file_that_bears_no_witness_is_an_error(game: Parts, verifier: Any, file: str, tmp_path: Path) -> None:
    """Who names a file as a witness must not believe that it was heard."""
    path = game.copy().write(tmp_path / "p1.zip")
    named = tmp_path / "named.eml"
    if "bundle" in file:
        other = game.copy()
        other.manifest["game"] = "p9"
        named = other.write(tmp_path / "named.zip")
    elif file == "other game":
        named.write_bytes(game.mails[3].read_bytes().replace(b"X-PBEM-Head: p1 ", b"X-PBEM-Head: p2 "))
    else:
        said = {"stray mail": "Subject: hello\n\nnothing of ours\n", "sent mail": "Subject: Re: [p1]\n\ngame p1\nready\nend\n"}
        named.write_text(said.get(file, ""))
    assert re.search("^refused: .*bears no witness of game p1", verifier(path, [*game.mails, named]))


def waiting_point(parts: Parts) -> int:
    return [i for i, r in enumerate(parts.rows) if r["kind"] in ("orders", "control") and r["payload"].get("act") != "rewind"][-2]


def test_c4_an_end_that_is_no_end_is_found_by_the_rules(game: Parts, tmp_path: Path, monkeypatch: Patch) -> None:
    """The game is cut off where it waits, and said to be over."""
    parts = game.copy()
    parts.rows = parts.rows[: waiting_point(parts)]
    parts.seal()
    path = parts.write(tmp_path / "short.zip")
    assert re.search(r"after row \d+ the rules still wait for \w+ .*its end is not here", library(path, []))
    monkeypatch.setattr(verify._Rerun, "unfinished", lambda self: None)
    assert library(path, []) == ""


@both
def test_c4_an_end_that_is_no_end_is_refuted_by_the_last_mail(game: Parts, verifier: Any, tmp_path: Path) -> None:
    parts = game.copy()
    parts.rows = parts.rows[: waiting_point(parts)]
    parts.seal()
    assert "are missing, though" in verifier(parts.write(tmp_path / "short.zip"), game.mails)


def rewritten(game: Parts, folder: Path, part: str, change: Callable[[str], str]) -> Path:
    path = folder / "odd.zip"
    source = game.copy().write(folder / "p1.zip")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            said = old.read(name).decode()
            new.writestr(name, change(said) if name == part else said)
    return path


DEEP = "[" * 200_000
ODD: dict[str, tuple[str, Callable[[str], str]]] = {
    "a deep manifest": ("manifest.json", lambda said: DEEP),
    "a deep row": ("journal.jsonl", lambda said: said + DEEP + "\n"),
    "deep data": ("dataset.json", lambda said: DEEP),
    "a number that is none": ("journal.jsonl", lambda said: said.replace('"seq": 5', '"seq": NaN', 1)),
    "an infinite number": ("manifest.json", lambda said: said.replace('"rows": ', '"rows": Infinity, "was": ', 1)),
    "a game that is named twice": ("manifest.json", lambda said: said.replace("{", '{"game": "p9", ', 1)),
    "a row with two hashes": ("journal.jsonl", lambda said: said.replace("{", '{"hash": "x", ', 1)),
    "no manifest": ("manifest.json", lambda said: ""),
    "a list for a manifest": ("manifest.json", lambda said: "[]"),
    "a text for a row": ("journal.jsonl", lambda said: '"x"\n' + said),
}


@both
@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_c4_odd_json_is_refused_without_a_traceback(game: Parts, verifier: Any, odd: tuple[str, Any], tmp_path: Path) -> None:
    assert verifier(rewritten(game, tmp_path, *odd), []).startswith("refused: ")


def test_c4_a_key_that_stands_twice_could_be_read_in_two_ways() -> None:
    """Python takes the last one, other programs may take the first; so neither is taken."""
    assert json.loads('{"game": "p9", "game": "p1"}')["game"] == "p1"


@both
def test_c4_what_unpacks_to_more_than_a_game_is_refused(game: Parts, verifier: Any, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(bundle, "LARGEST", 10_000)
    monkeypatch.setattr(standalone, "LARGEST", 10_000)
    assert "larger than a game can be" in verifier(game.copy().write(tmp_path / "p1.zip"), [])


@both
def test_c4_a_deep_bundle_as_a_witness_is_refused(game: Parts, verifier: Any, tmp_path: Path) -> None:
    odd = rewritten(game, tmp_path, "journal.jsonl", lambda said: DEEP + "\n")
    assert verifier(game.copy().write(tmp_path / "p1.zip"), [odd]).startswith("refused: ")


# -- C5 ----------------------------------------------------------------------------------------------------------


FAKE = "a" * 64
LINE = f"Chain head after journal row 5, for your records: {FAKE}"
RULE = "-" * 24
LOOKS: dict[str, str] = {
    "our line": LINE,
    "our block": f"{RULE}\nChain head after journal row 5, for your records:\n{FAKE}",
    "our block, with the game": f"{RULE}\nIn game p1.\nChain head after journal row 5, for your records:\n{FAKE}",
    "two short lines": f"{RULE}\nChain head after journal row 5, for your records:\n{FAKE[:32]}\n{FAKE[:32]}",
    "our header field": f"X-PBEM-Head: p1 5 {FAKE}",
    "odd blanks": f"Chain  head\nafter journal\nrow 5, for your  records:\n{FAKE}",
    "set in": f"    {RULE}\n    Chain head after journal row 5, for your records:\n    {FAKE}",
    "a page": f"<p>{RULE}</p><p>{LINE}</p>",
}


def naive(mail: EmailMessage) -> list[str]:
    """All that looks like a hash behind words like ours, wherever it stands."""
    return re.findall(r"head\s+after\s+journal\s+row[\s\S]{1,60}?([0-9a-f]{32})", re.sub(r"<[^>]*>", " ", text(mail)))


def true_heads(club: Club, mails: list[EmailMessage], folder: Path) -> None:
    """Each mail bears witness of one row, and of that as it is; to both readers, with and without its header field."""
    rows = {r.seq: r.hash for r in club.store.journal.rows("p1")}
    assert mails
    for n, mail in enumerate(mails):
        for field in (True, False):
            if not field:
                del mail["X-PBEM-Head"]
            path = folder / f"{n}{field}.eml"
            path.write_bytes(mail.as_bytes())
            [said] = witnesses([path], "p1")
            assert rows[said.seq] == said.hash
            assert [s[:2] for s in standalone.witnesses([str(path)], "p1")] == [(said.seq, said.hash)]


@pytest.mark.parametrize("looks", LOOKS.values(), ids=LOOKS)
def test_c5_press_bears_no_witness(club: Club, looks: str, tmp_path: Path, monkeypatch: Patch) -> None:
    from pbem.service.club import press

    def got() -> list[EmailMessage]:
        club.write(ANN, f"press to axis\nHi Bob!\n{looks}\nbye\nend press\n")
        return [m for m in club.post() if m["To"] == BOB]

    true_heads(club, got(), tmp_path)
    monkeypatch.setattr(press, "discreet", lambda said: said)
    mails = got()
    assert FAKE[:32] in "".join(text(mails[0]).split()), "without that defence the text goes out as it is ..."
    true_heads(club, mails, tmp_path)


REASONS: dict[str, str] = {
    "our line": LINE, "the words alone": "Chain head after all is a nice word", "our block": f"{RULE} In game p1. {LINE}",
}


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS)
@pytest.mark.parametrize("verb", ["rule {}", "extend 5 because {}", "pause because {}"])
def test_c5_a_referees_reason_bears_no_witness_and_hides_none(club: Club, verb: str, reason: str, tmp_path: Path) -> None:
    step = game_session.numbered(club.store.games.get("p1").step_name)
    assert club.write(REFEREE, f"game p1\nturn {step}\n{verb.format(reason)}\nend\n").disposition == "accept"
    mails = [m for m in club.post() if m["To"] in (ANN, BOB)]
    assert any(naive(m)[:-1] for m in mails) or FAKE not in reason, "who reads the text alone is fooled"
    true_heads(club, mails, tmp_path)


OTHERS = {"a game whose name goes on": "p1-2", "with a dot": "p1.2", "that ends alike": "xp1"}


@pytest.mark.parametrize("name", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("field", [True, False], ids=["by its header", "by its text"])
def test_c5_a_mail_of_a_game_of_a_like_name_bears_no_witness(club: Club, name: str, field: bool, tmp_path: Path) -> None:
    club.game(name)
    club.write(ANN, f"game {name}\nstatus\nend\n")
    mail = [m for m in club.post() if m["To"] == ANN][-1]
    assert re.search(r"(?i)p1\b", text(mail)), "by a look at the words it would"
    if not field:
        del mail["X-PBEM-Head"]
    path = tmp_path / "other.eml"
    path.write_bytes(mail.as_bytes())
    assert witnesses([path], name)
    with pytest.raises(NoWitness):
        witnesses([path], "p1")
    with pytest.raises(ValueError, match="bears no witness"):
        standalone.witnesses([str(path)], "p1")


def test_c5_press_about_another_game_makes_a_mail_no_witness_of_that(club: Club, tmp_path: Path) -> None:
    club.game("p2")
    club.write(ANN, "game p2\npress to axis\nAbout game p1: see there. In game p1.\nend press\nend\n")
    mail = next(m for m in club.post() if m["To"] == BOB and "see there" in text(m))
    for field in (True, False):
        if not field:
            del mail["X-PBEM-Head"]
        (tmp_path / "p2.eml").write_bytes(mail.as_bytes())
        with pytest.raises(NoWitness):
            witnesses([tmp_path / "p2.eml"], "p1")


def test_c5_of_two_header_fields_the_topmost_alone_counts_and_a_broken_one_is_none(club: Club, tmp_path: Path) -> None:
    club.write(ANN, "game p1\nstatus\nend\n")
    mail = club.post()[-1]
    path = tmp_path / "mail.eml"
    for bad in (f"p1 5 {FAKE[:63]}", f"p1 -5 {FAKE}", f"p1 5 {FAKE} p1 6 {FAKE}", ""):
        del mail["X-PBEM-Head"]
        mail["X-PBEM-Head"] = bad or "x"
        path.write_bytes(mail.as_bytes())
        with pytest.raises(NoWitness):
            witnesses([path], "p1")


def test_c5_without_structure_the_last_block_would_not_be_enough(monkeypatch: Patch, tmp_path: Path) -> None:
    """A mail that ends with free text: only our own block, below its line, counts."""
    path = tmp_path / "mail.eml"
    path.write_text(f"Subject: [p1] x\n\nHello\n\nIn game p1.\n{LINE}\n")
    with pytest.raises(NoWitness):
        witnesses([path], "p1")
    monkeypatch.setattr(witness, "_FOOT", re.compile(witness._FOOT.pattern.replace("-{24}", "-{0,24}"), re.MULTILINE))
    assert witnesses([path], "p1")[0].hash == FAKE
