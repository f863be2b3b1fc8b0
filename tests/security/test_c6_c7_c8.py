"""C6 a copy that is put back, C7 who has a part in the seed and who wrote an order, C8 what heads tell."""

from __future__ import annotations

import re
import shutil
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from pbem.audit import check as checking
from pbem.audit import standalone
from pbem.audit.check import Finding
from pbem.audit.verify import audit
from pbem.core import dice as dice_module
from pbem.core.dice import SeededDice, mixed
from pbem.games import find_title
from pbem.service.letters import mailing
from pbem.service.play import nonces
from pbem.service.records import bundle, restoring
from pbem.store import backup
from tests.service.conftest import ANN, BOB, Club, text

NONCE = "seven grey herons and a bell"


def control(club: Club, act: str) -> list[dict[str, Any]]:
    return [dict(r.payload) for r in club.store.journal.rows("p1", kinds=("control",)) if r.payload.get("act") == act]


def faces(club: Club) -> list[list[int]]:
    return [r.payload["faces"] for r in club.store.journal.rows("p1", kinds=("roll",))]


def audited(club: Club) -> Finding | None:
    """The first thing that the rules, run again, find wrong."""
    game = club.store.games.get("p1")
    rows, data = list(club.store.journal.rows("p1")), club.context.data(game.dataset)
    return audit(rows, find_title("fab_sicily"), data, game.options, club.store.games.seed("p1"))


def finish(club: Club, path: Path) -> Path:
    club.write(ANN, "concede p1\n")
    bundle.export(club.context, "p1", path)
    return path


def put_back(club: Club, copy: Path, mark: bool = True) -> list[str]:
    """What 'pbem restore' does."""
    club.app.close()
    kept = club.path.with_name("kept.db")
    shutil.move(club.path, kept)
    for end in ("-wal", "-shm"):
        part = club.path.with_name(club.path.name + end)
        if part.exists():
            part.unlink()
    backup.copy(copy, club.path)
    club.open()
    club.seen = 0
    return restoring.mark(club.context, restoring.heads(kept)) if mark else []


def played(club: Club, count: int) -> None:
    for _ in range(count):
        game = club.store.games.get("p1")
        club.write(ANN if game.waiting[0] == "allied" else BOB, "game p1\nready\nend\n")


# -- C6 ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def restored(club: Club, tmp_path: Path) -> tuple[Club, Path]:
    """A club whose host put a copy back, and the last mail that Ann was sent before."""
    played(club, 4)
    backup.copy(club.path, tmp_path / "copy.db")
    played(club, 4)
    kept = tmp_path / "kept.eml"
    kept.write_bytes([m for m in club.post() if m["To"] == ANN][-1].as_bytes())
    club.later(hours=3)
    said = put_back(club, tmp_path / "copy.db")
    assert len(said) == 1 and "both sides are told" in said[0]
    return club, kept


def test_c6_a_restore_is_a_row_and_both_sides_are_told(restored: tuple[Club, Path]) -> None:
    club, _ = restored
    [act] = control(club, "restore")
    row = next(r for r in club.store.journal.rows("p1", kinds=("control",)) if r.payload.get("act") == "restore")
    assert (act["row"], act["head"]) == (row.seq - 1, row.prev) and act["was"] > act["row"] and len(act["lost"]) == 64
    told = {str(m["To"]) for m in club.post() if "put back a copy" in " ".join(text(m).split())}
    assert {ANN, BOB} <= told


def test_c6_the_same_orders_give_other_dice_after_a_restore(club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not as if nothing had been: the attempt is part of every die.  Without the row the dice are those of before."""
    def again(mark: bool) -> list[list[int]]:
        put_back(club, tmp_path / "copy.db", mark)
        played(club, 6)
        return faces(club)[before:]

    played(club, 4)
    before = len(faces(club))
    backup.copy(club.path, tmp_path / "copy.db")
    played(club, 6)
    first = faces(club)[before:]
    assert first and again(mark=False) == first
    assert again(mark=True) != first


def test_c6_verifiers_know_the_cut(restored: tuple[Club, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    club, kept = restored
    played(club, 8)
    path = finish(club, tmp_path / "p1.zip")
    found = bundle.verify(path, find_title, [kept])
    assert found.wrong == "" and found.lost == 1 and len(found.cuts) == 1 and found.checked
    assert "1 are of what was lost with it" in standalone.check(str(path), [str(kept)])
    monkeypatch.setattr(checking.Cut, "lost", lambda self, seq, at: False)
    assert "has another hash than kept.eml says" in bundle.verify(path, find_title, [kept]).wrong


def test_c6_a_cut_does_not_excuse_what_was_told_after_it(restored: tuple[Club, Path], tmp_path: Path) -> None:
    """A host who restored once cannot use the row for a journal that he rewrites later."""
    club, kept = restored
    played(club, 4)
    later = kept.read_bytes().replace(b"Date: Sat, 14 Mar", b"Date: Sun, 15 Mar")
    assert later != kept.read_bytes()
    kept.write_bytes(later)
    path = finish(club, tmp_path / "p1.zip")
    assert re.search("though kept.eml names row|another hash than kept.eml says", bundle.verify(path, find_title, [kept]).wrong)
    with pytest.raises(standalone.Wrong, match="kept.eml"):
        standalone.check(str(path), [str(kept)])


def test_c6_a_restore_row_that_names_another_row_is_found(restored: tuple[Club, Path], tmp_path: Path) -> None:
    from tests.audit.conftest import take_apart

    club, _ = restored
    parts = take_apart(finish(club, tmp_path / "p1.zip"))
    row = parts.all("control", act="restore")[0]
    row["payload"]["row"] -= 3
    parts.seal()
    path = parts.write(tmp_path / "forged.zip")
    assert "does not name the row that it follows" in bundle.verify(path, find_title).wrong
    with pytest.raises(standalone.Wrong, match="does not name the row"):
        standalone.check(str(path))


def test_c6_a_restored_game_audits_and_goes_on(restored: tuple[Club, Path]) -> None:
    club, _ = restored
    played(club, 6)
    assert audited(club) is None


def test_c6_a_game_that_lost_nothing_is_not_marked(club: Club, tmp_path: Path) -> None:
    backup.copy(club.path, tmp_path / "copy.db")
    assert put_back(club, tmp_path / "copy.db") == [] and control(club, "restore") == []


# -- C7: the seed ------------------------------------------------------------------------------------------------


def test_c7_a_nonce_has_a_part_in_every_die(club: Club, tmp_path: Path) -> None:
    """Host and player each bring a part: the seed that is opened at the end gives the dice only with the nonce."""
    club.write(ANN, f"game p1\nnonce {NONCE}\nready\nend\n")
    [act] = control(club, "nonce")
    seed = club.store.games.seed("p1")
    assert (act["side"], act["nonce"]) == ("allied", NONCE)
    assert act["mixed"] == SeededDice(seed, 0, (("allied", NONCE),)).commitment != SeededDice(seed).commitment
    receipt = [" ".join(text(m).split()) for m in club.post() if m["To"] == ANN]
    assert any(act["mixed"][:20] in said for said in receipt)
    played(club, 8)
    path = finish(club, tmp_path / "p1.zip")
    found = bundle.verify(path, find_title)
    assert found.wrong == "" and found.checked and "OK" and standalone.check(str(path))


@pytest.mark.parametrize("what", ["nonce", "side", "mixed"])
def test_c7_a_nonce_changed_afterwards_is_found(club: Club, tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.audit.conftest import take_apart

    club.write(ANN, f"game p1\nnonce {NONCE}\nready\nend\n")
    played(club, 4)
    parts = take_apart(finish(club, tmp_path / "p1.zip"))
    parts.all("control", act="nonce")[0]["payload"][what] = {"nonce": "another one", "side": "axis", "mixed": "ab" * 32}[what]
    parts.seal()
    path = parts.write(tmp_path / "forged.zip")
    assert "commits to another seed" in bundle.verify(path, find_title).wrong
    with pytest.raises(standalone.Wrong, match="commits to another seed"):
        standalone.check(str(path))


def test_c7_the_host_cannot_draw_seeds_until_the_dice_please_him(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice that he can work out beforehand are not those that fall; they would be if nonces did not count."""
    seed = club.store.games.seed("p1")
    foreseen = SeededDice(seed)
    real = foreseen.mixed("allied", NONCE)
    place = ("p1", 3, 1, 0, 10, "b" * 64, "")
    thrown = [real.face(*place[:3], n, *place[4:]) for n in range(40)]
    assert thrown != [foreseen.face(*place[:3], n, *place[4:]) for n in range(40)]
    assert real.key == mixed(seed, "allied", NONCE)
    monkeypatch.setattr(dice_module, "mixed", lambda key, side, nonce: key)
    assert [SeededDice(seed, 0, (("allied", NONCE),)).face(*place[:3], n, *place[4:]) for n in range(40)] == [
        foreseen.face(*place[:3], n, *place[4:]) for n in range(40)
    ]


REFUSED = {
    "a second one": ["nonce one of twelve letters", "nonce another of twelve letters"],
    "one that is too short": ["nonce abc"],
    "two in a mail": ["nonce one of twelve letters\nnonce another of twelve letters"],
    "one after his orders": ["place 5-1 at B1\nstanding when bridge then blow", "nonce one of twelve letters"],
}


@pytest.mark.parametrize("mails", REFUSED.values(), ids=REFUSED)
def test_c7_a_nonce_comes_once_and_first(club: Club, mails: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Who could give nonces again and again, or late, could try them out with the help of the host."""
    for lines in mails:
        club.write(ANN, f"game p1\n{lines}\nend\n")
    given = len(control(club, "nonce"))
    assert given == (mails[0].startswith("nonce one") and len(mails) > 1)
    assert any("Not done, 'nonce" in " ".join(text(m).split()) for m in club.post() if m["To"] == ANN)
    monkeypatch.setattr(nonces, "_objection", lambda *args: "")
    club.write(ANN, f"game p1\n{mails[-1]} once more\nend\n")
    assert len(control(club, "nonce")) == given + 1


def test_c7_a_nonce_that_is_checked_is_not_given(club: Club) -> None:
    club.write(ANN, f"game p1\nnonce {NONCE}\ncheck\nend\n")
    assert control(club, "nonce") == []


def test_c7_the_game_is_taken_up_again_with_its_nonces(club: Club) -> None:
    """From the store, in the middle of a step, after corrections and rewinds: the audit finds the same dice."""
    from pbem.service.play import referee

    club.write(ANN, f"game p1\nnonce {NONCE}\nready\nend\n")
    club.play(until=lambda g: g.step_name.startswith("1 axis admin"))
    referee.rewind(club.context, "p1", "1 allied combat", "a slip in the ruling")
    club.play(until=lambda g: g.step_name.startswith("2 allied"))
    assert audited(club) is None
    club.write(BOB, f"game p1\nnonce {NONCE} of Bob\nend\n")
    assert len(control(club, "nonce")) == 1, "Bob has locked orders or was ready: no longer"


# -- C7: who wrote an order -----------------------------------------------------------------------------------------


ORDERS = "game p1\nstanding when bridge then leave\nstanding when abort if hits >= 3 then abort\nend\n"


@pytest.fixture
def told(club: Club, tmp_path: Path) -> tuple[Club, Path]:
    """A club, and a folder with what Bob sent."""
    sent = tmp_path / "sent"
    sent.mkdir()

    def write(body: str) -> None:
        (sent / f"{len(list(sent.iterdir())):03d}.eml").write_text(f"From: {BOB}\nSubject: orders\n\n{body}")
        club.write(BOB, body)

    write(ORDERS)
    for _ in range(300):
        game = club.store.games.get("p1")
        if game.step_name.startswith("1 axis"):
            break
        write("game p1\nready\nend\n") if game.waiting[0] == "axis" else club.write(ANN, "game p1\nready\nend\n")
    return club, sent


def test_c7_orders_that_the_player_sent_are_found_in_his_mails(told: tuple[Club, Path], tmp_path: Path) -> None:
    club, sent = told
    path = finish(club, tmp_path / "p1.zip")
    assert bundle.verify(path, find_title, (), {"axis": sorted(sent.iterdir())}).wrong == ""


@pytest.mark.parametrize("body", [
    "game p1\nstanding when before-battle then stand\nend\n", "game p1\ncancel standing 1\nend\n",
], ids=["an order", "a cancellation"])
def test_c7_an_order_that_nobody_wrote_is_found(told: tuple[Club, Path], tmp_path: Path, body: str) -> None:
    """The host slips a harmless order in, as if Bob had sent it: journal, dice and heads agree, Bob's mailbox does not."""
    club, sent = told
    mails = sorted(sent.iterdir())
    assert club.write(BOB, body).disposition == "accept"
    path = finish(club, tmp_path / "p1.zip")
    assert bundle.verify(path, find_title).wrong == "", "without his mails nothing shows it"
    wrong = bundle.verify(path, find_title, (), {"axis": mails}).wrong
    assert re.search(r"row \d+: none of the mails that axis sent has '", wrong), wrong


def test_c7_a_concession_that_nobody_wrote_is_found(told: tuple[Club, Path], tmp_path: Path) -> None:
    club, sent = told
    club.write(BOB, "concede p1\n")
    bundle.export(club.context, "p1", tmp_path / "p1.zip")
    assert "has 'concede'" in bundle.verify(tmp_path / "p1.zip", find_title, (), {"axis": sorted(sent.iterdir())}).wrong


def test_c7_a_ready_that_nobody_wrote_is_found(told: tuple[Club, Path], tmp_path: Path) -> None:
    club, sent = told
    path = finish(club, tmp_path / "p1.zip")
    without = [p for p in sorted(sent.iterdir()) if "ready" not in p.read_text()]
    assert "has 'ready'" in bundle.verify(path, find_title, (), {"axis": without}).wrong


# -- C8 ----------------------------------------------------------------------------------------------------------


def numbers(club: Club, to: str) -> list[int]:
    """The rows that the mails to somebody name, since the last look, in text, page, files and header."""
    found = []
    for mail in club.post():
        if mail["To"] != to:
            continue
        found += [int(str(mail["X-PBEM-Head"]).split()[1])]
        for part in message_from_bytes(mail.as_bytes(), policy=policy.default).walk():
            if part.get_content_maintype() == "text":
                found += [int(n) for n in re.findall(r"journal\s+row\s+(\d+)", part.get_content())]
    return found


BLOW = "game p1\nstanding when bridge then blow\nend\n"
SILENT = {
    "locks orders": BLOW,
    "locks orders twice": f"{BLOW}|game p1\nadd\nstanding when before-battle then stand\nend\n",
    "sends an order that is void": f"{BLOW}|game p1\ncancel standing 1\nend\n",
    "keeps orders back": BLOW.replace("p1\n", "p1\nwait\n"),
}


@pytest.mark.parametrize("mails", SILENT.values(), ids=SILENT)
def test_c8_heads_do_not_tell_that_the_other_side_has_written(club: Club, mails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    club.write(ANN, "game p1\nstatus\nend\n")
    before = numbers(club, ANN)
    for body in mails.split("|"):
        club.write(BOB, body)
    club.post()
    club.later(hours=1)
    club.write(ANN, "game p1\nstatus\nrolls\nhelp\nend\n")
    assert before and set(numbers(club, ANN)) == set(before)
    if "wait" not in mails:
        monkeypatch.setattr(mailing, "WITNESSED", ("event", "answer", "roll", "step", "orders"))
        club.write(ANN, "game p1\nstatus\nend\n")
        assert set(numbers(club, ANN)) != set(before), "a head of every row would tell"


def test_c8_what_was_locked_is_witnessed_when_play_moves_on(club: Club, tmp_path: Path) -> None:
    club.write(BOB, "game p1\nstanding when bridge then blow\nend\n")
    locked = max(r.seq for r in club.store.journal.rows("p1"))
    club.post()
    played(club, 2)
    assert max(numbers(club, ANN)) > locked


def test_c8_the_last_mail_names_the_very_last_row(club: Club) -> None:
    club.write(ANN, "concede p1\n")
    assert max(numbers(club, ANN)) == club.store.games.get("p1").seq - 1


