"""Damaged data are the trouble of one game (A7), alarms reach the operator (A8), files are for their owner (C10), letters and
mails are taken up again by hand."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from datetime import UTC, datetime, timedelta

import pytest

from pbem import cli
from pbem.games import find_title
from pbem.service import context as service_context
from pbem.service.host import integrity
from pbem.service.host.doctor import examine
from pbem.service.letters import mailing, outgoing
from pbem.service.mailroom import intake
from pbem.service.play.game_session import Stopped
from pbem.store import backup
from pbem.store.api import FAILED, HALTED, RUNNING, SHELVED
from pbem.store.damage import of_the_disk
from pbem.store.schema import open_store
from tests.service.conftest import ANN, BOB
from tests.service.test_outgoing import Sink

HOST = "host@example.org"
ORDERS = "game {}\nplace 5-1 at B1\nend\n"


@pytest.fixture
def run(club, capsys, monkeypatch):
    """Runs a command on the club's database; gives exit code, stdout and stderr."""
    monkeypatch.chdir(club.path.parent)
    monkeypatch.setenv("PBEM_PICTURES", "false")

    def command(*words):
        code = cli.main([*words, "--db", str(club.path)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def harm(club, sql, *values):
    """Change the file behind the program's back, as a failing disk would."""
    club.store._db.conn.execute("PRAGMA foreign_keys=off")
    with club.store.transaction():
        club.store._db.execute(sql, list(values))
    service_context._DATA.clear()


def bytes_in_the_middle(text: str) -> bytes:
    raw = bytearray(text.encode())
    raw[len(raw) // 2 : len(raw) // 2 + 10] = b"\xff" * 10
    return bytes(raw)


def damage_dataset(club):
    """Game p2 gets a copy of its data of its own, whose bytes are no text any more."""
    data = club.store._db.execute("select data from datasets").fetchone()[0]
    harm(club, "insert into datasets (digest, data) values ('d2', cast(? as text))", bytes_in_the_middle(data))
    harm(club, "update games set dataset = 'd2' where id = 'p2'")


def change_dataset(club):
    """Readable, but not what it was."""
    data = club.store._db.execute("select data from datasets").fetchone()[0]
    harm(club, "insert into datasets (digest, data) values ('d2', ?)", data.replace('"Sortino"', '"Sortina"', 1))
    harm(club, "update games set dataset = 'd2' where id = 'p2'")


def lose_dataset(club):
    harm(club, "update games set dataset = 'none' where id = 'p2'")


def change_seed(club):
    seed = club.store.games.seed("p2")
    harm(club, "update games set seed = ? where id = 'p2'", bytes([seed[0] ^ 1, *seed[1:]]).hex())


def unreadable_seed(club):
    harm(club, "update games set seed = 'zz' where id = 'p2'")


def unreadable_position(club):
    text = club.store._db.execute("select snapshot from positions where game = 'p2'").fetchone()[0]
    harm(club, "update positions set snapshot = cast(? as text) where game = 'p2'", bytes_in_the_middle(text))


def lose_position(club):
    harm(club, "delete from positions where game = 'p2'")


DAMAGES = [damage_dataset, change_dataset, lose_dataset, change_seed, unreadable_seed, unreadable_position, lose_position]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda f: f.__name__)
def test_a7_a_damaged_game_is_halted_alone(club, damage):
    club.game("p2")
    club.post()
    damage(club)
    ids = [club.put(sender, ORDERS.format(game)) for sender, game in ((ANN, "p2"), (ANN, "p1"), (BOB, "p2"))]
    assert intake.work(club.context, ids) == 3 and not club.store.inbox.waiting()
    assert club.store.games.get("p2").status == HALTED and club.store.games.get("p1").status == RUNNING
    assert club.store.inbox.get(ids[1]).disposition == "accept"
    alarms = [x for x in club.store.outbox.unsent() if x.kind == mailing.ALARM]
    assert [x.subject for x in alarms if "halted" in x.subject] == ["[p2] the game is halted"]
    assert any(b"damaged" in x.raw for x in alarms)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda f: f.__name__)
def test_a7_backup_restore_and_doctor_name_the_damaged_game(club, run, tmp_path, damage):
    club.game("p2")
    assert run("backup", str(tmp_path / "good.db"), "--full")[0] == 0
    damage(club)
    code, _, err = run("backup", str(tmp_path / "copy.db"), "--full")
    assert code == 1 and "game p2" in err and "p1" not in err.replace("copy.db", "")
    code, _, err = run("restore", str(tmp_path / "copy.db"))
    assert code == 1 and "game p2" in err and club.store.games.count() == 2
    [check] = [c for c in examine(club.config, lambda: club.now) if c.what == "games"]
    assert not check.ok and "p2 is damaged" in check.found and "p1" not in check.found


def test_a7_a_position_that_its_journal_does_not_lead_to_is_found_by_the_full_check(club, run, tmp_path):
    club.write(ANN, ORDERS.format("p1"))
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert run("backup", str(tmp_path / "good.db"), "--full")[0] == 0
    text = club.store._db.execute("select snapshot from positions").fetchone()[0]
    assert '"5-1"' in text
    swapped = text.replace('"5-1"', '"5-x"').replace('"5-2"', '"5-1"').replace('"5-x"', '"5-2"')
    harm(club, "update positions set snapshot = ?", swapped)
    code, _, err = run("backup", str(tmp_path / "copy.db"), "--full")
    assert code == 1 and "game p1" in err


def test_a7_every_stored_position_of_a_game_is_the_one_its_journal_leads_to(club):
    for step in ("1 allied admin", "1 axis", "2 allied"):
        club.play(until=lambda g, s=step: g.step_name.startswith(s))
        assert list(integrity.damaged(club.path, find_title, full=True)) == [], step


def test_a7_a_copy_of_an_older_version_is_checked_without_being_changed(club, tmp_path):
    copy = tmp_path / "copy.db"
    backup.copy(club.path, copy)
    with sqlite3.connect(copy) as db:
        db.execute("drop index people_named")
        db.execute("delete from _sqlite_migrations where name = 'm008_names'")
    before = copy.read_bytes()
    assert list(integrity.damaged(copy, find_title, full=True)) == [] and copy.read_bytes() == before


@pytest.mark.parametrize(
    ("code", "trouble"),
    [("BUSY", True), ("FULL", True), ("IOERR_WRITE", True), ("READONLY", True), ("LOCKED", True), ("CORRUPT", False),
     ("NOTADB", False), ("ERROR", False)],
)
def test_a7_only_the_disk_and_locks_are_trouble_of_the_disk(code, trouble):
    error = sqlite3.OperationalError("x")
    error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_{code}")
    assert of_the_disk(error) is trouble
    assert not of_the_disk(sqlite3.OperationalError("Could not decode to UTF-8 column 'data'")) and not of_the_disk(ValueError())


def test_a7_a_full_disk_counts_no_try_of_a_mail(club, monkeypatch):
    id = club.put(ANN, ORDERS.format("p1"))
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL

    def fails(*args):
        raise full

    with monkeypatch.context() as patched:
        patched.setattr(intake, "_outcome", fails)
        for _ in range(5):
            with pytest.raises(sqlite3.OperationalError):
                intake.work(club.context, [id])
    assert intake.work(club.context, [id]) == 1 and club.store.inbox.get(id).disposition == "accept"


# -- A8: alarms ------------------------------------------------------------------------------------------


def to_host(club):
    return [str(m["Subject"]) for m in club.post() if m["To"] == HOST]


@pytest.mark.parametrize("trust", ["token", "dkim", "both", "open"])
def test_a8_strangers_never_cause_a_letter_to_the_operator(make_club, trust):
    club = make_club(policy=trust)
    club.game()
    club.post()
    for number in range(60):
        club.write(f"s{number}@junk.example", "buy now\n", Subject="offer")
        club.write(f"s{number}@junk.example", "game p1\nready\nend\n", Subject="[p1]", X_Number=str(number))
        club.later(seconds=50)
    assert to_host(club) == []


def test_a8_an_alarm_gets_through_whatever_has_come_before(make_club, monkeypatch):
    club = make_club(replies_per_hour=5)
    with club.store.transaction():
        for number in range(12):
            mailing.note(club.context, HOST, f"an answer {number}", ["text"])
    assert len(to_host(club)) == 5
    monkeypatch.setattr(intake, "_outcome", lambda *args: 1 / 0)
    for number in range(8):  # mails that make the program fail, from anybody
        id = club.put(f"s{number}@junk.example", "x\n")
        for _ in range(3):
            intake.handle(club.context, id)
        assert club.store.inbox.get(id).status == SHELVED
    assert len(to_host(club)) == 1, "one letter a day about shelved mails"
    club.game()
    with club.store.transaction():
        intake.halt(club.context, Stopped("p1", "the rules and the journal differ"))
    alarms = [str(m["Subject"]) for m in club.post() if "halted" in str(m["Subject"])]
    assert alarms == ["[p1] the game is halted"]


def test_a8_alarms_beyond_their_allowance_are_on_record_and_one_letter_says_so(make_club):
    club = make_club()
    with club.store.transaction():
        for number in range(mailing.ALARMS_PER_HOUR + 15):
            mailing.alarm(club.context, "", f"alarm {number}", ["look"])
    told = to_host(club)
    assert len(told) == mailing.ALARMS_PER_HOUR + 1 and told[-1] == "more alarms"
    dropped = [n for n in club.store.notes.last(100) if n.kind == "alarm"]
    assert len(dropped) == 15 and "alarm 34: look" in dropped[0].text
    club.later(hours=2)
    with club.store.transaction():
        mailing.alarm(club.context, "", "alarm again", ["look"])
    assert to_host(club) == ["alarm again"]


def test_a8_an_alarm_for_nobody_is_on_record(make_club):
    club = make_club(operator="")
    with club.store.transaction():
        mailing.alarm(club.context, "", "the disk is full", ["look"])
    [note] = club.store.notes.last()
    assert note.kind == "alarm" and "PBEM_OPERATOR is empty" in note.text and "the disk is full" in note.text


# -- C10, N18, N27: the host -----------------------------------------------------------------------------


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_c10_what_holds_secrets_is_for_its_owner_only(run, club, tmp_path):
    (tmp_path / "new").mkdir()
    assert run("init")[0] == 0
    made = open_store(tmp_path / "new" / "x.db", create=True)
    made.notes.set_value("a", "b")
    run("backup", str(tmp_path / "copy.db"))
    run("outbox", "export", str(tmp_path / "mails"))
    files = [tmp_path / ".env", tmp_path / "copy.db", *(tmp_path / "new").iterdir(), *(tmp_path / "mails").iterdir()]
    assert len(files) >= 6 and {mode(p) for p in files} == {0o600}
    made.close()
    shutil.copy(tmp_path / "copy.db", tmp_path / "open.db")
    (tmp_path / "open.db").chmod(0o644)
    [check] = [c for c in examine(club.config.model_copy(update={"db": tmp_path / "open.db"})) if c.what == "files"]
    assert not check.ok and "chmod 600" in check.mend


def test_n18_a_missing_operator_is_not_fine(club):
    real = {"operator": "", "imap_host": "127.0.0.1", "imap_port": 9, "smtp_host": "127.0.0.1", "smtp_port": 9}
    [check] = [c for c in examine(club.config.model_copy(update=real)) if c.what == "operator"]
    assert not check.ok and "PBEM_OPERATOR" in check.mend


@pytest.mark.parametrize(("referee", "count"), [((), 2), (("--referee", "referee@example.org"), 3)])
def test_n18_the_mails_of_a_new_game_are_counted(club, run, referee, count):
    seats = ["--seat", f"allied={ANN}", "--seat", f"axis={BOB}"]
    code, out, _ = run("game", "new", "fab_sicily/primosole_bridge", "--id", "p9", *seats, *referee)
    assert code == 0 and f"\n{count} mails are in the outbox" in out


def test_a3_letters_that_were_given_up_are_listed_and_sent_again(club, run):
    from pbem.mail.smtp import Permanent

    club.write(ANN, "game p1\nstatus\nend\n")
    outgoing.send_ready(club.context, Sink(ann=Permanent("550 5.1.1 no such user")))
    failed = [x for x in club.store.outbox.sent_to("p1", "allied") if x.status == FAILED]
    assert failed
    code, out, _ = run("outbox", "list")
    assert code == 0 and "failed" in out and "no such user" in out and ANN in out
    assert run("outbox", "retry")[0] == 2 and run("outbox", "retry", "999")[0] == 2
    code, out, _ = run("outbox", "retry", str(failed[0].id))
    assert code == 0 and ANN in out
    assert run("outbox", "retry", "--all")[0] == 0 and not list(club.store.outbox.failures())
    sink = Sink()
    outgoing.send_ready(club.context, sink)
    club.now = datetime.now(UTC) + timedelta(minutes=1)  # the command has the clock of this machine
    outgoing.send_ready(club.context, sink)
    taken = [raw for to, raw in sink.taken if to == ANN]
    assert len(taken) == len(failed) and taken[0] == failed[0].raw and club.store.outbox.counts() == {}


def test_n27_a_shelved_mail_is_released(club, run, monkeypatch):
    id = club.put(ANN, ORDERS.format("p1"))
    with monkeypatch.context() as patched:
        patched.setattr(intake, "_outcome", lambda *args: 1 / 0)
        for _ in range(3):
            intake.handle(club.context, id)
    assert club.store.inbox.get(id).status == SHELVED and f"shelved {id}" in run("status")[1]
    assert run("inbox", "release", "999")[0] == 2
    code, out, _ = run("inbox", "release", str(id))
    assert code == 0 and f"mail {id}" in out
    assert intake.work(club.context, intake.waiting(club.context)) == 1
    assert club.store.inbox.get(id).disposition == "accept"
    assert run("inbox", "release", str(id))[0] == 2
