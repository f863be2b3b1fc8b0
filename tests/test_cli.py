"""The commands, as a user types them: what they print, where, and their exit codes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem import cli

ROOT = Path(__file__).parents[1]
ORDERS = "From: ann@example.org\nTo: judge@localhost\nSubject: Re: [p1]\nMessage-ID: <{}@example.org>\n\n{}"
NEW = (
    "game", "new", "fab_sicily/primosole_bridge", "--id", "p1", "--seat", "allied=Ann <ann@example.org>", "--seat",
    "axis=bob@example.org", "--referee", "referee@example.org",
)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """In an empty folder, with no settings from outside."""
    monkeypatch.chdir(tmp_path)
    for name in [n for n in os.environ if n.startswith("PBEM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PBEM_PICTURES", "false")
    return tmp_path


@pytest.fixture
def pbem(capsys):
    """Runs a command; gives its exit code, what it printed, and its errors."""

    def run(*words):
        code = cli.main([str(w) for w in words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def game(pbem):
    """A new game."""
    assert pbem(*NEW)[0] == 0
    return pbem


def mail(path, body, number=1):
    path.write_text(ORDERS.format(f"c{number}", body))
    return path


def test_init_writes_settings_and_a_database_once(pbem, tmp_path):
    code, out, _ = pbem("init")
    assert code == 0 and "an empty database" in out
    text = (tmp_path / ".env").read_text()
    assert "#PBEM_IMAP_HOST=" in text
    (tmp_path / ".env").write_text("PBEM_DB=other.db\n")
    assert pbem("init")[1].startswith("other.db")
    assert (tmp_path / ".env").read_text() == "PBEM_DB=other.db\n"


def test_the_settings_in_deploy_are_those_of_the_program():
    from pbem.config import example

    assert (ROOT / "deploy" / ".env.example").read_text(encoding="utf-8") == example()


def test_doctor_says_what_is_wrong_and_how_to_mend_it(pbem, monkeypatch):
    code, out, _ = pbem("doctor")
    assert code == 1 and re.search(r"FAIL +database: .*pbem init", out)
    pbem("init")
    assert pbem("doctor")[0] == 0
    monkeypatch.setenv("PBEM_IMAP_HOST", "127.0.0.1")
    monkeypatch.setenv("PBEM_IMAP_PORT", "1")
    code, out, _ = pbem("doctor")
    assert code == 1 and "FAIL  imap: 127.0.0.1:1" in out and "FAIL  smtp: PBEM_SMTP_HOST is empty" in out


def test_a_game_by_files_alone(pbem, tmp_path):
    code, out, err = pbem(*NEW)
    assert code == 0 and not err
    assert "waits for allied" in out and re.search(r"[0-9a-f]{64}", out)
    code, out, _ = pbem("outbox", "export", "mails")
    assert code == 0 and len(out.splitlines()) == 3, "both players and the referee"
    first = [message_from_bytes(p.read_bytes(), policy=policy.default) for p in sorted((tmp_path / "mails").glob("*.eml"))]
    assert [m["To"] for m in first] == ["ann@example.org", "bob@example.org", "referee@example.org"]
    good = mail(tmp_path / "good.eml", "game p1\nplace 5-1 at B1\nend\n", 1)
    odd = mail(tmp_path / "odd.eml", "game p1\nplace 5-2 at nowhere\nend\n", 2)
    code, out, err = pbem("deliver", good, odd, good)
    lines = out.splitlines()
    assert code == 0 and len(lines) == 3 and not err
    assert lines[0].startswith(f"{good}: accept [p1 allied]: 1 order")
    assert lines[1].startswith(f"{odd}: accept-with-errors [p1 allied]: 0 orders, 1 line not taken")
    assert lines[2].startswith(f"{good}: ignore-auto [p1 allied]: handled before")
    assert len(pbem("outbox", "export", "mails")[1].splitlines()) == 5


@pytest.fixture
def played(game, tmp_path):
    """A game with some dice."""
    for n in range(2):
        assert game("deliver", mail(tmp_path / f"{n}.eml", "game p1\nready\nend\n", n))[0] == 0
    return game


def test_show_as_text_html_json_and_png(played, monkeypatch):
    code, out, _ = played("show", "p1", "--as", "allied")
    assert code == 0 and "THE SITUATION" in out and "Ann" in out
    assert played("show", "p1", "--as", "axis", "--format", "html")[1].lstrip().lower().startswith("<!doctype html")
    assert json.loads(played("show", "p1", "--as", "axis", "--format", "json")[1])["side"] == "axis"
    png = subprocess.run(
        [sys.executable, "-m", "pbem", "show", "p1", "--as", "axis", "--format", "png"], stdout=subprocess.PIPE, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert png.stdout.startswith(b"\x89PNG")
    assert played("show", "p1", "--as", "public")[0] == 2
    assert played("show", "p1", "--as", "axis", "--format", "pdf")[0] == 2


def test_rolls_in_three_formats_and_statistics(played):
    play = played("rolls", "p1")[1].splitlines()
    rows = list(csv.DictReader(io.StringIO(played("rolls", "p1", "--format", "csv")[1])))
    plain = json.loads(played("rolls", "p1", "--format", "json")[1])
    assert len(rows) == len(plain) == sum(line[:5].strip().isdecimal() for line in play) > 10
    assert plain[0]["faces"] == [int(f) for f in rows[0]["faces"].split()]
    assert max(map(len, play)) <= 72
    axis = json.loads(played("rolls", "p1", "axis", "--format", "json")[1])
    assert 0 < len(axis) < len(plain) and {r["side"] for r in axis} == {"axis"}
    assert "dice are too few" in played("rolls", "p1", "--stats")[1]
    assert [r["side"] for r in json.loads(played("rolls", "p1", "--stats", "--format", "json")[1])] == ["all", "allied", "axis"]
    assert played("rolls", "p1", "--picture", "dice.png")[0] == 0 and Path("dice.png").read_bytes().startswith(b"\x89PNG")


def test_audit_says_whole_or_names_the_first_row(played, tmp_path):
    code, out, _ = played("audit", "p1")
    assert code == 0 and "is whole" in out
    from pbem.store.schema import open_store

    store = open_store(tmp_path / "pbem.db")
    store._db.execute("update journal set payload = replace(payload, '\"faces\":[', '\"faces\":[1') where kind = 'roll'")
    store.close()
    code, out, err = played("audit", "p1")
    assert code == 1 and not out and re.fullmatch(r"pbem: game p1: row \d+ .*\n", err)


def test_a_journal_cut_short_is_found(played, tmp_path):
    from pbem.store.schema import open_store

    store = open_store(tmp_path / "pbem.db")
    store._db.execute("delete from journal where game = 'p1' and seq = (select max(seq) from journal)")
    store.close()
    code, _, err = played("audit", "p1")
    assert code == 1 and "row" in err


def test_export_and_verify(played, tmp_path):
    code, _, err = played("export", "p1", "x.zip")
    assert code == 2 and "--as allied or axis" in err
    assert played("export", "p1", "x.zip", "--as", "axis")[0] == 0
    code, out, _ = played("verify", "x.zip")
    assert code == 0 and "known by their hash alone" in out
    with zipfile.ZipFile("x.zip") as old, zipfile.ZipFile("y.zip", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"turn":1', b'"turn":2'))
    code, _, err = played("verify", "y.zip")
    assert code == 1 and err.startswith("pbem: y.zip: row ")
    (tmp_path / "z.zip").write_bytes(b"no")
    assert played("verify", "z.zip")[0] == 2
    assert played("verify", "none.zip")[0] == 2


def test_the_referees_acts(game):
    assert game("game", "pause", "p1", "--reason", "holidays")[0] == 0
    code, _, err = game("game", "pause", "p1")
    assert code == 2 and "paused" in err
    assert game("game", "resume", "p1")[0] == 0
    code, out, _ = game("game", "extend", "p1", "--hours", "24")
    assert code == 0 and re.match(r"allied: \w+day \d+ \w+ \d{4}, \d\d:\d\d UTC", out)
    assert game("game", "extend", "p1", "--hours", "-1")[0] == 2
    assert "back in setup, waits for allied and axis" in game("game", "rewind", "p1", "--to", "setup", "--reason", "a slip")[1]
    assert game("game", "rewind", "p1", "--to", "9 allied movement", "--reason", "x")[0] == 2
    assert game("game", "substitute", "p1", "--seat", "axis=carol@example.org")[0] == 0
    assert game("game", "substitute", "p1", "--seat", "axis=nonsense")[0] == 2
    assert "carol@example.org" in game("game", "show", "p1")[1]
    assert game("audit", "p1")[0] == 0
    assert game("game", "close", "p1", "--reason", "no time")[0] == 0
    assert re.search(r"p1 +fab_sicily/primosole_bridge +closed", game("game", "list")[1])


def test_status_notes_and_boxes(game, tmp_path):
    (tmp_path / "eve.eml").write_text("From: eve@example.org\nSubject: x\n\ngame p1\nready\nend\n")
    game("deliver", "eve.eml")
    assert "3 queued" in game("status")[1]
    assert "eve@example.org holds no seat" in game("notes")[1]
    assert "reject-auth" in game("inbox", "list")[1]
    assert "[p1]" in game("outbox", "list")[1]
    assert game("inbox", "show", "77")[0] == 2


def test_a_tick_sends_through_the_embedded_server(game, tmp_path, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PBEM_LISTEN", f"127.0.0.1:{free.getsockname()[1]}")
    assert game("tick")[:2] == (0, "fetched 0, handled 0, due 0, sent 3\n")
    assert game("outbox", "flush") == (0, "sent 0, 0 left\n", "")
    assert len(list((tmp_path / "mail" / "ann@example.org" / "new").iterdir())) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("frob",), "No such command"), (("game", "new"), "Missing"), (("game", "show", "p7"), "there is no game p7"),
        (("show", "p1"), "Missing option"), (("rolls", "p7"), "there is no game p7"), (("audit", "p7"), "there is no game p7"),
        (("deliver", "none.eml"), "there is no such file"), (("rules", "chess"), "there is no list of rules"),
        (("game", "new", "fab_sicily", *NEW[3:]), "write it like fab_sicily/primosole_bridge"),
        (("game", "new", "fab_sicily/none", *NEW[3:]), "no scenario fab_sicily/none"),
        (("game", "new", "chess/none", *NEW[3:]), "chess"),
        ((*NEW[:5], "--seat", "allied=a@example.org"), "sides allied and axis"), ((*NEW[:5], "--seat", "allied"), "side=address"),
        ((*NEW, "--set", "colour=red"), "no option colour"), (NEW, "already a game p1"),
        (("game", "list", "--db", "none.db"), "pbem init"),
    ],
)
def test_bad_use_is_one_line_on_stderr_and_exit_code_2(game, words, why):
    code, out, err = game(*words)
    assert code == 2 and not out
    assert err.startswith("pbem: ") and err.count("\n") == 1 and why in err


@pytest.mark.parametrize(
    ("name", "value"), [("PBEM_ADDRESS", "nonsense"), ("PBEM_TICK_SECONDS", "often"), ("PBEM_POLICY", "none")]
)
def test_a_wrong_setting_is_named(pbem, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    code, _, err = pbem("game", "list")
    assert code == 2 and err.startswith(f"pbem: {name}: ")


def test_a_slip_in_the_settings_file_is_named(pbem, tmp_path):
    (tmp_path / ".env").write_text("PBEM_ADRESS=judge@example.org\n")
    code, _, err = pbem("game", "list")
    assert code == 2 and "PBEM_ADRESS" in err


def test_every_command_takes_db(pbem):
    from typer.main import get_command

    without = {"demo"}  # its folder holds the database
    found = {}

    def walk(command, name):
        for sub, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{name} {sub}".strip())
        if not getattr(command, "commands", None):
            found[name] = "--db" in [o for p in command.params for o in p.opts]

    walk(get_command(cli.application()), "")
    assert {n for n, has in found.items() if not has} == without


def test_scenarios_and_rules_are_listed(pbem):
    assert "fab_sicily/primosole_bridge" in pbem("scenario", "list")[1]
    code, out, err = pbem("scenario", "check")
    assert code == 0 and "reconstructed" in out and not err
    rows = list(csv.DictReader(io.StringIO(pbem("rules", "fab_sicily", "--format", "csv")[1])))
    assert {"rule", "kind", "code", "tests"} <= set(rows[0])
    assert any(r["rule"] == "6.42" and r["code"] for r in rows)


def test_members_are_listed_and_mail_can_be_denied(game, tmp_path):
    code, out, _ = game("people", "list")
    assert code == 0 and re.search(r"Ann\s+ann@example\.org\s+no deadlines so far", out) and "bob@example.org" in out
    assert game("people", "deny", "@Example.ORG")[0] == 0 and "denied: example.org" in game("people", "list")[1]
    orders = mail(tmp_path / "orders.eml", "game p1\nready\nend\n")
    assert "reject-auth: ann@example.org is on the deny list" in game("deliver", orders)[1]
    assert game("people", "allow", "example.org")[0] == 0
    assert "accept" in game("deliver", mail(tmp_path / "more.eml", "game p1\nready\nend\n", 2))[1]
    code, _, err = game("people", "allow", "example.org")
    assert code == 2 and "is not on the list" in err
    assert game("people", "deny", "not an address")[0] == 2
