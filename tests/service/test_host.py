"""The host's commands: how it stands, backup and restore, an old database, what is thrown away."""

import json
import shutil
import sqlite3

import pytest
from sqlite_utils import Database

from pbem import cli
from pbem.service.host import retention
from pbem.service.play import outages
from pbem.service.play.referee_mail import examine
from pbem.store import backup
from pbem.store.api import StoreError
from pbem.store.schema import migrations, open_store
from tests.service.conftest import ANN, BOB, text

ORDERS = "game p1\nplace 5-1 at B1\nend\n"


@pytest.fixture
def run(club, capsys, monkeypatch):
    """Runs a command on the club's database; gives exit code, stdout and stderr."""
    monkeypatch.chdir(club.path.parent)

    def command(*words):
        code = cli.main([*words, "--db", str(club.path)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def test_the_list_of_games_says_whose_turn_until_when_and_what_is_wrong(club, run):
    club.game("p2", zone="Europe/Rome", grace_hours=6)
    club.game("p3")
    with club.store.transaction():
        for letter in [x for x in club.store.outbox.unsent() if x.game == "p3"]:
            club.store.outbox.claim(letter.id, club.context.now)
            club.store.outbox.retry(letter.id, "2026-03-20T00:00:00Z", "no route")
    code, out, _ = run("game", "list")
    lines = {line.split()[0]: " ".join(line.split()) for line in out.splitlines()}
    assert code == 0 and lines["game"] == "game scenario status phase waits for since due health"
    assert "allied 2026-03-14T09:15:00Z Tue 17 Mar 10:15 CET" in lines["p2"]
    assert "Tue 17 Mar 09:15 UTC" in lines["p1"] and "mail to allied does not leave" in lines["p3"]
    assert len(run("game", "list", "--status", "halted")[1].splitlines()) == 1


def test_status_and_resume(club, run):
    club.put(ANN, ORDERS)
    code, out, _ = run("status")
    said = " ".join(out.split())
    assert code == 0 and "inbox 1 new" in said and "outbox 2 queued" in said and "last tick never" in said
    assert "reminder of allied in p1" in said and "deadlines pass as usual" in said
    assert run("resume")[0] == 2
    with club.store.transaction():
        club.store.notes.set_value(outages.HOLD, json.dumps(
            {"kind": "silence", "since": "2026-03-13T09:15:00Z", "at": "2026-03-14T09:15:00Z", "why": "nobody wrote"}
        ))
    assert "held since 2026-03-14T09:15:00Z: nobody wrote" in " ".join(run("status")[1].split())
    code, out, _ = run("doctor")
    assert code == 1 and "FAIL  deadlines: held: nobody wrote; when all is well, 'pbem resume' goes on" in out
    code, out, _ = run("resume", "--as-they-stand")
    assert code == 0 and "they pass as they stand" in out and outages.hold(club.context) is None


def test_health_needs_no_database_and_fails_when_the_daemon_hangs(club, run):
    assert run("health")[:2] == (1, "no tick has written yet how things stand: is the daemon running?\n")
    assert run("tick")[0] == 0
    code, out, _ = run("health")
    assert code == 0 and "all is well" in out
    found = json.loads(run("health", "--format", "json")[1])
    assert found["wrong"] == [] and found["games"] == 1 and found["failed"] == {}
    found["at"] = "2026-03-14T09:15:00Z"
    club.config.health.write_text(json.dumps(found))
    code, out, _ = run("health")
    assert code == 1 and "the daemon has stopped, or hangs" in out


def test_the_clock_of_a_game_from_the_command_line(club, run):
    assert "Time for an answer: 3 days" in run("game", "clock", "p1")[1]
    code, out, _ = run("game", "clock", "p1", "--set", "deadline_hours=36", "--set", "zone=Europe/Rome", "--reason", "agreed")
    assert code == 0 and "Time for an answer: 1 day 12 hours" in out and "Europe/Rome" in out
    code, _, err = run("game", "clock", "p1", "--set", "tempo=1")
    assert code == 2 and "clock_hours" in err
    code, _, err = run("game", "clock", "p1", "--set", "zone=Rome")
    assert code == 2 and "Europe/Rome" in err


def test_a_game_is_made_with_its_clock(club, run):
    seats = ["--seat", f"allied={ANN}", "--seat", f"axis={BOB}"]
    times = ["--deadline", "2 days", "--clock", "mon-fri 08-22", "--zone", "Europe/Rome", "--grace", "12", "--remind", "24 6"]
    code, _, _ = run("game", "new", "fab_sicily/primosole_bridge", "--id", "p9", *seats, *times, "--early", "ready")
    assert code == 0
    assert dict(club.store.games.get("p9").options) == {
        "deadline_hours": 48, "clock_hours": "mon-fri 08-22", "zone": "Europe/Rome", "grace_hours": 12, "reminder_hours": "24 6",
        "early": "ready",
    }
    code, _, err = run("game", "new", "fab_sicily/primosole_bridge", "--id", "p10", *seats, "--clock", "at night")
    assert code == 2 and "the days are mon tue" in err


# -- copies ----------------------------------------------------------------------------------------------


def test_a_backup_is_made_while_others_write_and_restored(club, run, tmp_path):
    club.write(ANN, ORDERS)
    head, copy = club.store.games.get("p1").head, tmp_path / "copy.db"
    with club.store.transaction():
        club.store.notes.set_value("half", "done")
        code, out, _ = run("backup", str(copy))
        assert code == 0 and "whole, 1 games" in out
    assert open_store(copy).notes.value("half") == ""
    club.play(until=lambda g: g.waiting == ("axis",))
    assert club.store.games.get("p1").head != head
    club.app.close()
    code, out, err = run("restore", str(copy))
    assert code == 0 and "restored" in out and "Processed" in out, err
    club.open()
    *_, last = club.store.journal.rows("p1")
    assert (last.payload["act"], last.prev) == ("restore", head) and examine(club.context, club.store.games.get("p1")) is None
    [kept] = [p for p in tmp_path.iterdir() if ".before-" in p.name and p.name[-1].isdigit()]
    assert open_store(kept).games.get("p1").head != head


def test_restoring_is_refused_while_the_daemon_runs_or_if_the_copy_is_bad(club, run, tmp_path):
    from pbem import daemon

    copy = tmp_path / "copy.db"
    run("backup", str(copy))
    with daemon.only_one(club.path):
        code, _, err = run("restore", str(copy))
        assert code == 1 and "stop it first" in err
    (tmp_path / "bad.db").write_bytes(b"no database" * 1000)
    assert run("restore", str(tmp_path / "bad.db"))[0] == 1
    assert run("restore", str(tmp_path / "none.db"))[0] == 1
    assert club.store.games.count() == 1


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("update journal set payload = '{}' where seq = (select max(seq) from journal)", "its hash does not fit"),
        ("delete from journal where seq = (select max(seq) from journal)", "but the game stands at row"),
        ("update games set head = 'ff'", "but the game stands at row"),
        ("insert into _sqlite_migrations (migration_set, name, applied_at) values ('pbem', 'm999_later', '')", "newer pbem"),
        ("drop table games", "no games of pbem"),
    ],
)
def test_a_copy_that_is_not_whole_is_found_out(club, tmp_path, harm, said):
    copy = tmp_path / "copy.db"
    backup.copy(club.path, copy)
    assert backup.examine(copy) == [] == backup.examine(copy, full=True)
    with sqlite3.connect(copy) as db:
        db.execute("PRAGMA foreign_keys=off")
        db.execute(harm)
    assert any(said in line for line in backup.examine(copy))


def test_a_change_in_the_middle_of_a_journal_is_found_by_the_full_check(club, tmp_path):
    copy = tmp_path / "copy.db"
    backup.copy(club.path, copy)
    with sqlite3.connect(copy) as db:
        db.execute("update journal set at = '2020-01-01T00:00:00Z' where seq = 1")
    assert backup.examine(copy) == [] and "row 1 " in backup.examine(copy, full=True)[0]


def test_a_broken_page_is_found(club, tmp_path):
    copy = tmp_path / "copy.db"
    backup.copy(club.path, copy)
    raw = bytearray(copy.read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 4096] = b"\x55" * 4096
    copy.write_bytes(raw)
    assert backup.examine(copy)


def test_a_database_of_a_newer_pbem_is_not_touched(club):
    with sqlite3.connect(club.path) as db:
        db.execute("insert into _sqlite_migrations (migration_set, name, applied_at) values ('pbem', 'm999_later', '')")
    with pytest.raises(StoreError, match="newer pbem.*m999_later"):
        open_store(club.path)


@pytest.mark.parametrize("since", ["m004_reports", "m005_people", "m006_clock", "m007_drafts"])
def test_a_database_of_an_earlier_version_is_brought_up_to_date_and_its_games_go_on(club, make_club, tmp_path, since):
    """The tables of that version, made by its own migrations, with what a game of it had in them."""
    club.write(ANN, ORDERS)
    club.play(until=lambda g: g.step_name == "1 allied admin")
    head = club.store.games.get("p1").head
    club.app.close()
    old = Database(tmp_path / "old.db")
    migrations.apply(old, stop_before=since)
    old.execute("attach ? as new", [str(club.path)])
    for play in ("datasets", "games", "positions", "seats", "drafts", "dues", "journal", "inbox", "outbox", "notes", "settings"):
        columns = ", ".join(f"[{c.name}]" for c in old.table(play).columns)
        old.execute(f"insert into {play} ({columns}) select {columns} from new.{play}")
    old.conn.commit()
    old.close()
    shutil.move(tmp_path / "old.db", club.path)
    for end in ("-wal", "-shm"):
        club.path.with_name(club.path.name + end).unlink(missing_ok=True)
    club.open()
    game = club.store.games.get("p1")
    assert game.head == head and examine(club.context, game) is None and backup.examine(club.path, full=True) == []
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert examine(club.context, club.store.games.get("p1")) is None


# -- what is thrown away ---------------------------------------------------------------------------------


def test_the_bytes_of_old_mails_go_and_reports_are_mailed_again_all_the_same(club):
    with club.store.transaction():
        for letter in list(club.store.outbox.unsent()):
            club.store.outbox.claim(letter.id, club.context.now)
            club.store.outbox.sent(letter.id, club.context.now)
    first = next(x for x in club.store.outbox.sent_to("p1", "allied"))
    size = club.path.stat().st_size
    club.later(days=89)
    assert retention.tidy(club.context) == 0
    club.later(days=2)
    assert retention.tidy(club.context) == 2 and retention.tidy(club.context) == 0
    kept = club.store.outbox.get(first.id)
    assert (kept.raw, kept.subject, kept.message_id) == (b"", first.subject, first.message_id)
    club.post()
    club.write(ANN, "game p1\nreport 1\nend\n")
    [mail] = club.post()
    old = first.raw.decode()
    assert "report 1" in text(mail) and "THE SITUATION" in text(mail)
    assert [a.get_filename() for a in mail.iter_attachments()] == ["p1-report-1.json", "p1-deadline.ics"]
    assert "SEQUENCE:" in old and next(x for x in old.split("\r\n") if x.startswith("SEQUENCE")) in str(mail)
    assert size


def test_sent_mails_can_be_kept_for_ever(make_club):
    club = make_club(keep_sent_days=0)
    club.game()
    with club.store.transaction():
        for letter in list(club.store.outbox.unsent()):
            club.store.outbox.claim(letter.id, club.context.now)
            club.store.outbox.sent(letter.id, club.context.now)
    club.later(days=3650)
    assert retention.tidy(club.context) == 0


# -- the log ---------------------------------------------------------------------------------------------


def test_each_line_of_the_log_is_json_with_what_when_and_which_game(club, run, monkeypatch):
    monkeypatch.setenv("PBEM_LOG_JSON", "true")
    monkeypatch.setenv("PBEM_PICTURES", "false")
    club.put(ANN, ORDERS)
    code, _, err = run("tick")
    lines = [json.loads(line) for line in err.splitlines()]
    said = {line["event"]: line for line in lines}
    assert {"mail", "tick"} <= set(said), err
    assert (said["mail"]["game"], said["mail"]["side"], said["mail"]["disposition"]) == ("p1", "allied", "accept")
    assert all(line["timestamp"].endswith("Z") and line["level"] in ("info", "error", "warning") for line in lines)
    assert "place 5-1" not in err and "@example.org" not in err
