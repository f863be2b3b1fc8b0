"""Reports as they are mailed: settings by mail, files, pictures on demand, and reports once more."""

from __future__ import annotations

import csv
import io
import json
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import icalendar
import pytest

from pbem.audit import standalone
from pbem.audit.witness import witnesses
from pbem.games import find_title
from pbem.reports import render, schema
from pbem.service.letters import pictures
from pbem.service.play import referee
from pbem.service.letters.mail_preferences import BadWish, MailPreferences, wish
from tests.service.conftest import ANN, BOB, Club, text


def parts(mail: EmailMessage) -> dict[str, Any]:
    """Content by type, of all parts."""
    return {p.get_content_type(): p.get_payload(decode=True) for p in mail.walk() if not p.is_multipart()}


def sent(club: Club) -> list[EmailMessage]:
    """The new mails with their pictures."""
    ids = [x.id for x in club.store.outbox.unsent() if x.id > club.seen]
    club.seen = max([club.seen, *ids])
    return [message_from_bytes(pictures.drawn(club.context, i).raw, policy=policy.default) for i in ids]  # type: ignore[misc]


def ask(club: Club, *lines: str, who: str = ANN) -> EmailMessage:
    """The answer to a mail; of those that came before it no pictures are drawn."""
    club.post()
    club.write(who, "\n".join(["game p1", *lines, "end", ""]))
    return sent(club)[-1]


# -- settings --------------------------------------------------------------------------------------------


def test_set_lists_and_keeps_what_a_player_wants(club: Club) -> None:
    assert "set width 72" in text(ask(club, "set"))
    assert "set html off" in text(ask(club, "set html off"))
    assert "set width 60" in text(ask(club, "set width = 60"))
    assert MailPreferences.of(club.store.games.seat("p1", "allied")) == MailPreferences(html=False, width=60)
    assert MailPreferences.of(club.store.games.seat("p1", "axis")) == MailPreferences()
    club.write(ANN, "game p1\nready\nend\n")
    mail = next(m for m in sent(club) if m["To"] == ANN)
    assert "text/html" not in parts(mail)
    assert max(len(line) for line in text(mail).split("\n")) <= 60


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("set width 500", "from 40 to 100"), ("set width wide", "from 40 to 100"), ("set colour on", "what can be set is"),
        ("set html maybe", "'on' or 'off'"), ("set html", "'on' or 'off'"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused(club: Club, line: str, why: str) -> None:
    answer = " ".join(text(ask(club, line)).split())
    assert "NOT ACCEPTED" in answer and why in answer


def test_a_wish_changes_nothing_else() -> None:
    assert wish({"width": 60}, ["map", "off"]) == {"width": 60, "map": False}
    with pytest.raises(BadWish):
        wish({}, [])


@pytest.mark.parametrize("width", [40, 60, 72])
def test_no_mail_of_a_game_is_broader_than_was_asked_for(make_club: Any, width: int) -> None:
    club = make_club()
    club.game()
    ask(club, f"set width {width}")
    longest = {}
    for line in ("status", "help", "help move", "help 6.42", "orders", "rolls", "check", "move 50-1 to Sortin", "set"):
        longest[line] = max(map(len, text(ask(club, line)).split("\n")))
    for _ in range(14):
        waiting = club.store.games.get("p1").waiting
        club.write(ANN if waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
        for mail in sent(club):
            if mail["To"] == ANN:
                longest[str(mail["Subject"])] = max(map(len, text(mail).split("\n")))
    assert not {k: n for k, n in longest.items() if n > width}


def test_a_narrow_mail_is_a_witness_of_the_chain_as_well(club: Club, tmp_path: Path) -> None:
    ask(club, "set width 50")
    for line in ("status", "help move"):
        file = tmp_path / "mail.eml"
        file.write_bytes(ask(club, line).as_bytes())
        rows = list(club.store.journal.rows("p1"))
        assert [(s.seq, s.hash) for s in witnesses([file], "p1")] == [(rows[-1].seq, rows[-1].hash)]
        assert [s[:2] for s in standalone.witnesses([str(file)], "p1")] == [(rows[-1].seq, rows[-1].hash)]


def test_without_html_the_map_is_attached_and_without_the_map_there_is_none(make_club: Any) -> None:
    club = make_club(pictures=True)
    club.game()
    found = {}
    for wish_ in ("html on", "html off", "map off"):
        ask(club, f"set {wish_}")
        club.write(ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
        while not (reports := [m for m in sent(club) if m["To"] == ANN and "application/json" in parts(m)]):
            club.write(ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
        found[wish_] = reports[-1]
    assert "cid:map" in parts(found["html on"])["text/html"].decode()
    assert "text/html" not in parts(found["html off"]) and "image/png" in parts(found["html off"])
    assert "p1-map.png" in [p.get_filename() for p in found["html off"].iter_attachments()]
    assert not {"text/html", "image/png"} & set(parts(found["map off"]))


def test_files_and_map_can_be_left_out(make_club: Any) -> None:
    club = make_club(pictures=True)
    club.game()
    ask(club, "set map off", "set files off")
    ask(club, "set html on")
    club.write(ANN, "game p1\nready\nend\n")
    mail = next(m for m in sent(club) if m["To"] == ANN)
    assert set(parts(mail)) == {"text/plain", "text/html"} and "cid:" not in parts(mail)["text/html"].decode()


def test_a_digest_brings_only_what_wants_an_answer(club: Club) -> None:
    ask(club, "set digest on", who=BOB)
    mails: list[EmailMessage] = []
    for _ in range(12):
        waiting = club.store.games.get("p1").waiting
        club.write(ANN if waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
        mails += sent(club)
    reports = [m for m in mails if m["To"] == BOB and "application/json" in parts(m)]
    assert reports and all(json.loads(parts(m)["application/json"])["wanted"] for m in reports)


def test_with_a_digest_there_are_fewer_reports_and_nothing_is_left_out(club: Club) -> None:
    club.game("p2")
    club.write(BOB, "game p2\nset digest on\nend\n")
    counted = {}
    for name in ("p1", "p2"):
        while (game := club.store.games.get(name)).status != "over":
            club.write(ANN if game.waiting[0] == "allied" else BOB, f"game {name}\nready\nend\n")
        counted[name] = club.store.games.seat(name, "axis").report
        reports = [club.store.games.report(name, "axis", n) for n in range(1, counted[name] + 1)]
        assert all(a and b and b.first == a.last + 1 for a, b in zip(reports, reports[1:], strict=False))
    assert counted["p2"] < counted["p1"]


# -- files -----------------------------------------------------------------------------------------------


def test_the_json_of_every_report_is_as_the_schema_says_and_the_dice_are_a_table(club: Club) -> None:
    view_type, seen = find_title("fab_sicily").view_type, 0
    for _ in range(14):
        for mail in sent(club):
            found = parts(mail)
            if "application/json" in found:
                report = schema.check(found["application/json"], view_type)
                assert report["kind"] in ("welcome", "report") and report["head"]
                rows = list(csv.DictReader(io.StringIO(found.get("text/csv", b"").decode())))
                assert [int(r["row"]) for r in rows] == [r["seq"] for r in report["rolls"]]
                seen += 1
        waiting = club.store.games.get("p1").waiting
        club.write(ANN if waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
    assert seen > 8


def entry(mail: EmailMessage) -> Any:
    calendar = icalendar.Calendar.from_ical(parts(mail)["text/calendar"])
    return calendar["method"], calendar.walk("VEVENT")[0]


def test_a_deadline_that_moves_is_the_same_entry_and_one_that_is_met_goes(make_club: Any) -> None:
    club = make_club()
    club.game()
    first = entry(next(m for m in sent(club) if m["To"] == ANN))[1]
    referee.extend(club.context, "p1", 24, "allied", "")
    method, moved = entry(next(m for m in sent(club) if m["To"] == ANN))
    assert (moved["UID"], method) == (first["UID"], "PUBLISH")
    assert moved["SEQUENCE"] > first["SEQUENCE"] and moved["DTSTART"].dt > first["DTSTART"].dt
    club.play(until=lambda g: g.waiting == ("axis",))
    method, gone = entry([m for m in sent(club) if m["To"] == ANN][-1])
    assert (method, gone["STATUS"], gone["UID"]) == ("CANCEL", "CANCELLED", first["UID"])


def test_a_game_without_deadlines_speaks_of_none(make_club: Any) -> None:
    club = make_club()
    club.game(deadline_hours="never")
    for _ in range(6):
        for mail in sent(club):
            assert "text/calendar" not in parts(mail)
            assert "from this mail" not in text(mail) and "Default, on" not in text(mail)
        club.later(hours=1000)
        assert club.store.games.dues("p1") == []
        club.write(ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB, "game p1\nready\nend\n")


def test_dice_on_request_come_as_a_table_too(club: Club) -> None:
    club.play(until=lambda g: g.step_name == "1 axis movement")
    found = parts(ask(club, "rolls"))
    assert list(csv.DictReader(io.StringIO(found["text/csv"].decode())))[0]["rule"]


# -- pictures --------------------------------------------------------------------------------------------


@pytest.fixture
def painters(make_club: Any) -> Club:
    """A club that draws maps, with a game."""
    club: Club = make_club(pictures=True)
    club.game()
    return club


def test_a_map_on_demand_whole_around_a_place_and_to_scale(painters: Club) -> None:
    whole, part = parts(ask(painters, "map")), parts(ask(painters, "map around Lentini"))
    assert whole["image/png"][:4] == part["image/png"][:4] == b"\x89PNG" and whole["image/png"] != part["image/png"]
    drawing = parts(ask(painters, "map svg Val di Catania"))
    assert drawing["image/svg+xml"].startswith(b"<svg") and "image/png" not in drawing
    assert "cid:map" in whole["text/html"].decode()


def test_a_place_that_is_none_is_refused(painters: Club) -> None:
    assert "no area is called 'lentimi'; did you mean Lentini?" in " ".join(text(ask(painters, "map around Lentimi")).split())


def test_without_maps_there_is_none(club: Club) -> None:
    assert "draws no maps" in text(ask(club, "map"))


def test_pictures_are_drawn_after_the_change_of_the_game(painters: Club) -> None:
    letters = list(painters.store.outbox.unsent())
    assert all(b"image/png" not in x.raw and x.drawing for x in letters)
    first = pictures.drawn(painters.context, letters[0].id)
    assert b"image/png" in first.raw and painters.store.outbox.get(letters[0].id).raw == first.raw
    assert pictures.drawn(painters.context, letters[0].id).raw == first.raw


def test_a_picture_that_fails_holds_no_report_up(painters: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.service.letters.pictures.draw", lambda context, letter: 1 / 0)
    mails = sent(painters)
    assert len(mails) == 2 and all("image/png" not in parts(m) for m in mails)
    assert all(not x.drawing for x in painters.store.outbox.unsent())


# -- once more -------------------------------------------------------------------------------------------


def test_a_report_again_is_the_same_bytes(painters: Club) -> None:
    first = next(m for m in sent(painters) if m["To"] == ANN)
    painters.play(until=lambda g: g.step_name == "1 axis movement")
    painters.later(hours=30)
    again = ask(painters, "report 1")
    assert parts(again) == parts(first)
    assert again["Message-ID"] != first["Message-ID"] and again["Date"] != first["Date"]
    assert again["References"].split()[0] == first["Message-ID"] and "Report 1 again" in again["Subject"]


def test_a_report_again_is_the_same_after_the_templates_have_changed(
    painters: Club, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    painters.play(until=lambda g: g.step_name == "1 axis movement")
    letters = painters.store.games.seat("p1", "allied").report
    reports = [painters.store.games.report("p1", "allied", n) for n in range(1, letters + 1)]
    fought = next(r for r in reports if r and "== Allied Combat Phase, turn 1" in r.text)
    assert reports[0]
    changed = tmp_path / "templates"
    shutil.copytree(render.template_dir(), changed)
    for file in changed.rglob("*.j2"):
        file.write_text(file.read_text(encoding="utf-8").replace("Your orders in force", "What you said"), encoding="utf-8")
    monkeypatch.setattr(render, "template_dir", lambda: changed)
    assert "WHAT YOU SAID" in text(ask(painters, "status"))
    for words, then in (("report 1", reports[0]), ("report 1 allied combat", fought)):
        first = painters.store.outbox.named(then.letter)
        assert first
        raw = pictures.drawn(painters.context, first.id).raw
        again = ask(painters, words)
        assert parts(again) == parts(message_from_bytes(raw, policy=policy.default)), words  # type: ignore[arg-type]
        assert "image/png" in parts(again)


def test_of_a_report_whose_mail_is_no_longer_kept_the_text_is_still_as_then(
    painters: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = next(m for m in sent(painters) if m["To"] == ANN)
    for letter in painters.store.outbox.unsent():
        painters.store.outbox.claim(letter.id, painters.context.now)
        painters.store.outbox.sent(letter.id, painters.context.now)
    painters.later(days=100)
    assert painters.store.outbox.forget(painters.context.now, 1000)
    monkeypatch.setattr(render, "text_report", lambda view: "changed")
    again = ask(painters, "report 1")
    assert text(again) == text(first) and parts(again)["application/json"] == parts(first)["application/json"]


def test_a_report_is_found_by_the_phase_it_tells_of(club: Club) -> None:
    club.play(until=lambda g: g.step_name == "1 axis movement")
    mail = ask(club, "report 1 allied combat")
    assert "== Allied Combat Phase, turn 1" in text(mail)
    assert "no report of yours tells of '9 axis move'" in " ".join(text(ask(club, "report 9 axis move")).split())
    assert "there is no report 99" in text(ask(club, "report 99"))


def test_the_mails_of_a_turn_are_one_conversation_and_those_of_a_game_one_thread(make_club: Any) -> None:
    club = make_club(policy="token")
    club.game()
    mails = club.post()
    root = next(m for m in mails if m["To"] == ANN)
    newest, reports = {str(m["To"]): str(m["Message-ID"]) for m in mails}, []
    for _ in range(8):
        seat = club.store.games.seat("p1", club.store.games.get("p1").waiting[0])
        club.write(seat.address, "game p1\nready\nend\n", Subject=f"Re: [p1/{seat.token}]", In_Reply_To=newest[seat.address])
        mails = club.post()
        newest |= {str(m["To"]): str(m["Message-ID"]) for m in mails}
        reports += [m for m in mails if m["To"] == ANN and "application/json" in parts(m)]
    assert len(reports) >= 4
    for mail in reports:
        assert mail["Subject"] == root["Subject"] and str(mail["Subject"]).endswith("] Turn 1: The Primosole Bridge")
        references = mail["References"].split()
        assert references[0] == root["Message-ID"] and mail["In-Reply-To"] == references[-1]
    assert len({m["Message-ID"] for m in reports}) == len(reports)
