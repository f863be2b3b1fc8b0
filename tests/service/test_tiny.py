"""A title that the program does not know, played by mail: its own package is all that it needs."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from email import message_from_bytes
from typing import Any

import pytest

from pbem import cli
from pbem.bootstrap import geometry
from pbem.core.dice import FlatDice
from pbem.core.engine import Session
from pbem.core.stage import Stage
from pbem.games import UnknownTitle, find_title
from pbem.orders.source import Line
from pbem.reports import schema
from pbem.reports.maps.paint import map_svg
from pbem.scenarios import catalog
from pbem.service.letters import mailing, pictures
from pbem.service.play import deadlines, game_session
from pbem.service.play.game_session import Player
from pbem.service.records import audit_site, bundle, game_story
from pbem.title_packages import SETTING
from tests.service.conftest import ANN, BOB, REFEREE, Club, text

PACKAGE = "tests.titles.tiny"
SIDES = {"blue": ANN, "red": BOB}
OF_OTHERS = r"Sortino|50/1|\bchit|artillery|axis|allied|\barea|Special Action|breakthrough|division"
"""What only other titles say."""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """The server is told of the title."""
    monkeypatch.setenv(SETTING, PACKAGE)
    monkeypatch.delenv("PBEM_DB", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def club(make_club: Any) -> Club:
    """A game between Ann (Blue) and Bob (Red), whose first mails are out."""
    found: Club = make_club()
    players = {"blue": Player(ANN, "Ann"), "red": Player(BOB, "Bob")}
    with found.store.transaction():
        play = game_session.create(found.context, "tiny", "crossing", "t1", players, Player(REFEREE), {})
        mailing.send(play, game_session.store_rows(play))
    return found


def write(club: Club, side: str, *lines: str) -> str:
    """A mail of a side; gives the text of what it is mailed back."""
    club.post()
    club.write(SIDES[side], "\n".join(["game t1", *lines, "end", ""]))
    return mailed(club, side)


def mailed(club: Club, side: str) -> str:
    return "\n".join(text(m) for m in club.post() if SIDES[side] in str(m["To"]))


def said(mail: str) -> str:
    return " ".join(mail.split())


def session(club: Club) -> Any:
    with club.store.transaction():
        return game_session.take(club.context, "t1").session


def played(club: Club) -> None:
    """Both sides play to the end, by what the planner writes."""
    players = find_title("tiny").players
    for _ in range(60):
        now = session(club)
        if now.over:
            return
        side = now.waiting()[0]
        write(club, side, *players.order_lines(now, side), *([] if now.step > 1 else players.standing_orders(side)), "ready")
    raise AssertionError(f"no end: {session(club).step_name}")


def test_the_program_knows_it_only_when_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_title("tiny").title == "Tiny"
    assert [e.scenario for e in catalog.catalog() if e.title == "tiny"] == ["crossing"]
    assert catalog.check() == []
    monkeypatch.delenv(SETTING)
    with pytest.raises(UnknownTitle):
        find_title("tiny")
    assert not [e for e in catalog.catalog(every=True) if e.title == "tiny"]


def test_the_first_mails_ask_both_sides(club: Club) -> None:
    mails = {str(m["To"]): said(text(m)) for m in club.post()}
    ann, bob = (next(t for to, t in mails.items() if who in to) for who in (ANN, BOB))
    assert "Tiny -- The Crossing" in ann and "Where does your reserve wait?" in ann and "BR (2, unseen)" in ann
    assert "RR (2, unseen)" in bob and "BR" not in bob and "The reserve of blue has not appeared." in bob


@pytest.mark.rule("tiny", "2.1")
def test_a_reserve_is_seen_by_its_own_side_until_it_appears(club: Club) -> None:
    mine = write(club, "blue", "reserve 0102")
    assert "reserve 0102" in mine
    write(club, "red", "reserve Eastford")
    assert session(club).step_name == "1 blue movement"
    state, rules = session(club).state, find_title("tiny")
    assert [u["place"] for u in rules.view(state, "blue")["units"] if u["id"] == "BR"] == ["0102"]  # type: ignore[typeddict-item]
    club.write(BOB, "game t1\nreport\nend\n")
    assert "0102" in mine and not re.search(r"\bBR\b", mailed(club, "red"))
    with club.store.transaction():
        cut = bundle.contents(club.context, "t1", "red")
    assert "reserve 0102" not in json.dumps([dict(r.payload) for r in cut.rows if hasattr(r, "payload")])
    told = write(club, "blue", "appear", "pass", "pass combat")
    assert "BR appears in 0102" in said(told) and session(club).step_name == "1 red movement"
    assert "BR appears in 0102" in said(write(club, "red", "report"))


@pytest.mark.rule("tiny", "2.1")
def test_nothing_that_leaves_for_the_other_side_tells_of_a_reserve(club: Club, tmp_path: Any) -> None:
    """Every part of every mail, the bundle, the audit's pages, what an observer sees."""
    mails = club.post()
    for side, lines in (
        ("blue", ("reserve 0102", "move B1 to 0202", "pass")), ("red", ("pass", "standing when retreat then first")),
        ("blue", ("phase combat", "pass")), ("red", ("report", "status", "orders", "map", "rolls", "help names")),
        ("red", ("move R1 to 0201", "pass", "phase combat", "pass")), ("blue", ("reserve 0101",)), ("red", ("pass",)),
    ):
        club.write(SIDES[side], "\n".join(["game t1", *lines, "end", ""]))
        mails += club.post()
    to = {who: [m for m in mails if who in str(m["To"])] for who in (ANN, BOB)}
    ann, bob = ([p.get_payload(decode=True) for m in to[who] for p in m.walk() if not p.is_multipart()] for who in (ANN, BOB))
    with club.store.transaction():
        play = game_session.take(club.context, "t1")
        assert play.session.step_name == "2 blue movement"
        bundle.export(club.context, "t1", tmp_path / "red.zip", "red")
        audit_site.write(club.context, "t1", tmp_path / "audit", "red")
        watched = mailing.facts(play, "red")
        seen = play.rules.telling.report(watched, play.session.state, "", list(club.store.journal.rows("t1")), [])
    bob += [zipfile.ZipFile(tmp_path / "red.zip").read("journal.jsonl"), json.dumps(seen).encode()]
    bob += [p.read_bytes() for p in sorted((tmp_path / "audit").glob("*.*")) if p.suffix in (".html", ".js")]
    secret = rb"\bBR\b|Blue Reserve|reserve 0102|reserve 0101"
    told = [[p for p in parts if isinstance(p, bytes) and re.search(secret, p)] for parts in (ann, bob)]
    assert len(to[BOB]) > 6 and told[0] and not told[1]


def with_maps(make_club: Any) -> Club:
    """A game on a server that draws maps; its first mails are out."""
    found: Club = make_club(pictures=True)
    players = {"blue": Player(ANN, "Ann"), "red": Player(BOB, "Bob")}
    with found.store.transaction():
        play = game_session.create(found.context, "tiny", "crossing", "t1", players, Player(REFEREE), {})
        mailing.send(play, game_session.store_rows(play))
    return found


def drawn(club: Club) -> list[tuple[str, bytes]]:
    """Name and bytes of the pictures of the letters that wait."""
    mails = [message_from_bytes(pictures.drawn(club.context, x.id).raw) for x in club.store.outbox.unsent()]
    parts = [p for mail in mails for p in mail.walk() if p.get_content_maintype() == "image"]
    return [(str(p.get_filename()), p.get_payload(decode=True)) for p in parts]  # type: ignore[misc]


def test_reports_have_a_map(make_club: Any) -> None:
    club = with_maps(make_club)
    found = drawn(club)
    assert [name for name, _ in found] == ["t1-map.png"] * 2 and all(data.startswith(b"\x89PNG") for _, data in found)
    club.write(ANN, "game t1\nmap around Westford as svg\nend\n")
    svg = drawn(club)[-1][1].decode()
    assert {">0102<", ">Westford<", ">Crossing<"} <= set(re.findall(r">[^<>]+<", svg))
    club.post()
    club.write(ANN, "game t1\nmap Nowhere\nend\n")
    assert "no place is called 'nowhere'" in said(text(club.post()[0]))


@pytest.mark.rule("tiny", "2.1")
def test_the_other_sides_map_is_the_same_wherever_a_reserve_waits(club: Club) -> None:
    write(club, "blue", "reserve 0101")
    write(club, "red", "reserve Eastford")
    rules, ground, state = find_title("tiny"), geometry("tiny"), session(club).state
    assert ground is not None
    drawn = []
    for where in ("0101", "0102"):
        state.units["BR"].place = where
        drawn.append([map_svg(rules.view(state, side), ground) for side in ("blue", "red", "")])
    assert drawn[0][0] != drawn[1][0] and drawn[0][1:] == drawn[1][1:]


def test_lines_are_refused_with_their_rule(club: Club) -> None:
    write(club, "blue", "pass")
    write(club, "red", "pass")
    told = said(write(club, "blue", "move B1 to 0302", "move R1 to 0202", "mvoe B1 to 0202"))
    assert "0302 is not next to 0101" in told and "R1 is not yours" in told and "(3.1)" in told
    assert "Did you mean: move" in told and session(club).step_name == "1 blue movement"


def ready_to_fight(club: Club) -> None:
    """Blue is in the town, Red beside it; Blue's turn 2 combat comes."""
    write(club, "blue", "standing when advance then stay", "pass")
    write(club, "red", "pass")
    write(club, "blue", "move B1 to Crossing", "move B2 to 0203", "pass", "phase combat", "pass")
    write(club, "red", "pass", "phase combat", "pass")
    assert session(club).step_name == "2 reserve"
    write(club, "blue", "pass")
    write(club, "red", "pass")


@pytest.mark.rule("tiny", "4.1", "4.2", "4.3")
def test_a_combat_is_told_with_table_column_and_shifts(club: Club) -> None:
    ready_to_fight(club)
    told = said(write(club, "blue", "pass", "attack 0302"))
    row = next(r for r in club.store.journal.rows("t1") if r.kind == "roll")
    result = row.payload["result"]
    assert (row.payload["sides"], len(row.payload["faces"])) == (6, 2) and result["sum"] == sum(row.payload["faces"])
    assert f"Combat Table row {result['row']}, column {result['column']}" in told and "(4.3)" in told
    assert "ten-sided" not in told


def test_a_deadline_takes_the_defaults(club: Club) -> None:
    club.later(hours=200)
    assert deadlines.sweep(club.context) > 0
    assert session(club).step_name == "1 red movement"
    assert "Default" in mailed(club, "red")


def test_help_speaks_of_this_title_alone(club: Club) -> None:
    topics = (
        "", "orders", "questions", "standing", "names", "phases", "move", "advance", "3.1", "rulings", "errors", "service",
        "club", "mail", "report", "rolls", "press",
    )
    for topic in topics:
        told = write(club, "blue", f"help {topic}".strip())
        found = said(told)
        assert told and not re.search(OF_OTHERS, found, re.I), (topic, found)
    assert "A unit moves one hex." in said(write(club, "blue", "help move"))
    assert "Movement" in said(write(club, "blue", "help 3.1"))


def test_the_referee_reads_of_this_title_alone(club: Club) -> None:
    club.write(REFEREE, "game t1\nhelp\nend\n")
    told = said("\n".join(text(m) for m in club.post() if REFEREE in str(m["To"])))
    assert "rewind turn 3 blue movement because" in told and "adjust place UNIT HEX" in told and "as red move B1 to 0202" in told
    assert not re.search(OF_OTHERS, told, re.I)


def test_a_whole_game_with_all_that_is_made_of_it(club: Club, tmp_path: Any) -> None:
    played(club)
    now = session(club)
    assert now.state.winner in ("blue", "red", "draw") and Stage.parse(now.step_name).turn == 3
    with club.store.transaction():
        story = game_story.chronicle(club.context, "t1")
        file = bundle.export(club.context, "t1", tmp_path / "t1.zip")
        index = audit_site.write(club.context, "t1", tmp_path / "audit")
    assert [t["label"] for t in story["turns"]][-1] == "Turn 3" and story["sides"] == ["blue", "red"]
    assert "2d6" in index.read_text("utf-8")
    assert zipfile.ZipFile(tmp_path / "t1.zip").testzip() is None, file
    found = bundle.verify(tmp_path / "t1.zip", find_title)
    assert (found.wrong, found.rules) == ("", True) and found.rolls > 0


def test_the_attached_report_has_the_shape_of_its_view(club: Club) -> None:
    mail = next(m for m in club.post() if ANN in str(m["To"]))
    part = next(p for p in mail.walk() if p.get_content_type() == "application/json")
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    found = schema.check(data, find_title("tiny").view_type)
    assert found["view"]["reserves"] == ["blue", "red"]


def test_a_game_is_taken_back(club: Club) -> None:
    ready_to_fight(club)
    club.write(REFEREE, "game t1\nturn 2 blue movement\nrewind turn 1 blue movement because of a slip\nend\n")
    now = session(club)
    assert now.step_name == "1 blue movement" and now.state.units["B1"].place == "0101"
    assert "a slip" in said(mailed(club, "red"))


def test_at_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("pass\nend\nready\nend\nquit\n"))
    assert cli.main(["play", "tiny/crossing", "--side", "blue"]) == 0
    out, err = capsys.readouterr()
    assert "game solo: report 2" in out and err == ""


def test_its_rules_are_counted(capsys: Any) -> None:
    assert cli.main(["rules", "tiny", "--format", "csv"]) == 0
    out = capsys.readouterr().out
    assert "2.1" in out and "rules.reserve" in out and "test_a_reserve_is_seen_by_its_own_side_until_it_appears" in out


# -- its rules, where the mails above do not come to them --------------------------------------------


def fight(face: int, *orders: str) -> Session:
    """Blue's first turn with these orders; every die shows ``face``."""
    rules, data = find_title("tiny"), catalog.load("tiny", "crossing")
    found = Session.start("x", rules, data, {}, FlatDice(lambda sides: face), "2026-03-14T09:15:00Z", {})
    found.run()
    for side in rules.sides:
        lines = [Line(n, line) for n, line in enumerate(("pass", *(orders if side == "blue" else ())), 1)]
        parsed = rules.words.parse(found.state, side, found.step_name, lines, found.open)
        assert parsed.good, parsed.diagnostics
        found.submit("orders", {"side": side, "directives": parsed.directives, "replace": [], "cancel": []}, "")
    found.run()
    assert rules.check(found.state) == []
    return found


MARCH = ("move B1 to 0202", "move B2 to 0203", "pass", "attack 0302")


@pytest.mark.rule("tiny", "1.2")
def test_each_side_begins_with_two_units_and_a_reserve() -> None:
    rules = find_title("tiny")
    seen: Any = rules.everything(fight(6, "pass", "pass").state)
    assert {u["id"]: u["place"] for u in seen["units"]} == {
        "B1": "0101", "B2": "0102", "BR": "0101", "R1": "0301", "R2": "0302", "RR": "0301"
    }


@pytest.mark.rule("tiny", "4.4")
def test_a_unit_that_must_retreat_chooses_where() -> None:
    found = fight(4, *MARCH)
    moved = [r.payload["event"] for r in found.new_rows if r.kind == "event" and r.payload["event"]["type"] == "retreated"]
    assert [(e["unit"], e["start"], e["hex"], e["rule"]) for e in moved] == [("R2", "0302", "0301", "4.4")]


@pytest.mark.rule("tiny", "4.5")
def test_the_attacker_may_enter_the_hex_that_was_emptied() -> None:
    found = fight(4, *MARCH)
    [ask] = found.open
    assert (ask.side, ask.kind, [o.key for o in ask.options]) == ("blue", "advance", ["advance B1", "advance B2", "stay"])
    stays: Any = find_title("tiny").everything(fight(4, "standing when advance then stay", *MARCH).state)
    goes: Any = find_title("tiny").everything(fight(4, "standing when advance then advance B2", *MARCH).state)
    assert [{u["id"]: u["place"] for u in seen["units"]}["B2"] for seen in (stays, goes)] == ["0203", "0302"]


@pytest.mark.rule("tiny", "4.3")
def test_the_lowest_roll_at_double_odds_does_nothing() -> None:
    found = fight(1, *MARCH)
    roll = next(r.payload["result"] for r in found.new_rows if r.kind == "roll")
    assert (roll["sum"], roll["row"], roll["column"], roll["cell"]) == (2, "2-4", "2:1", "NE")
    assert found.state.units["R2"].place == "0302"


def test_the_demo_plays_it_by_real_mail(tmp_path: Any) -> None:
    assert cli.main(["demo", str(tmp_path / "demo"), "--scenario", "tiny/crossing", "--seed", "3"]) == 0
    assert (tmp_path / "demo" / "story.html").read_text("utf-8").count("<h2>Units lost</h2>") == 1
    assert cli.main(["audit", "demo", "--db", str(tmp_path / "demo" / "pbem.db")]) == 0
