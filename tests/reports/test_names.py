"""Whatever a player is called, or a host calls his game, is words and nothing else in every form of a mail."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import icalendar
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.audit.history import cell
from pbem.bootstrap import geometry
from pbem.config import Config
from pbem.games.fab_sicily.telling.report import ORDER_WORDS, report
from pbem.games.fab_sicily.position.view import view
from pbem.games.fab_sicily import RULESET
from pbem.mail.compose import Attachment, Image, Outgoing, compose
from pbem.orders.source import blocks
from pbem.reports import schema
from pbem.reports.archive import write_archive
from pbem.reports.maps.paint import map_svg
from pbem.reports.render import WIDTH, html_report, text_report
from pbem.service.letters import attachments
from tests.games.fab_sicily.mid_game import asks, mid_game

NASTY = [
    "<script>alert(1)</script>", "Ann\r\nBcc: eve@example.org", "=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "{{ 7*7 }}",
    "Ann\x00\x1b[31m", 'Ann" onload="x', "]]>", "&lt;b&gt;", "\u202eBob", "a\u2028b", "=?utf-8?q?=0ABcc:_x?=",
    "../../etc/passwd", "> move 5-1 to 13", "end\ngame p1", "move 5-1 to 13\nend", "BEGIN:VALARM\r\nEND:VCALENDAR", "x" * 300,
    "Ann;\\,:", "', ''", "%s %(x)s {0}", "\x02Ann\x03", "\x02", "--", "cid:map", "\ud800",
]  # fmt: skip
NAMES = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=60))
ELEMENTS = """html head meta title style body div h1 h2 a p table tr td b iframe pre img br span svg path text circle rect figure
    figcaption details summary ul li"""
"""Of the archive's pages."""
STORED = NAMES.filter(lambda n: n.isprintable() or n.encode("utf-8", "ignore").decode() == n)
"""Names that a database can hold: no halves of characters."""
BAD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@cache
def plain() -> dict[str, Any]:
    """A report with quite ordinary names."""
    return report(mid_game().game(players={"allied": "Ann", "axis": "Bob"}), mid_game().state, "allied", mid_game().rows, asks())


def named(name: str) -> dict[str, Any]:
    """The same with that name wherever people or hosts choose one."""
    tale = mid_game()
    doc = report(tale.game(players={"allied": name, "axis": name}), tale.state, "allied", tale.rows, asks())
    return {**doc, "scenario": name, "news": [name], "pictures": []}


class Page(HTMLParser):
    """Tags and attributes of a page, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(" ".join([tag, *sorted(k for k, _ in attrs if k not in ("style",))]))

    def handle_data(self, data: str) -> None:
        self.words += data


def squeezed(text: str) -> str:
    return " ".join("".join(c if c.isprintable() and c != "|" else " " for c in text).split())


@settings(max_examples=60, deadline=None)
@given(NAMES)
def test_text(name: str) -> None:
    text = text_report(named(name))
    assert not BAD.search(text.replace("\n", ""))
    assert all(len(line) <= WIDTH or len(name) > WIDTH - 4 for line in text.split("\n"))
    assert ordered(text) == ordered(text_report(plain()))


def ordered(text: str) -> list[list[str]]:
    """What would be taken for orders, if the mail came back as it is."""
    return [[line.text for line in block.lines] for block in blocks(text, ORDER_WORDS).blocks]


@settings(max_examples=60, deadline=None)
@given(NAMES)
def test_html(name: str) -> None:
    page = html_report(named(name))
    assert not BAD.search(page.replace("\n", ""))
    assert Page(page).tags == Page(html_report({**plain(), "news": ["x"]})).tags
    assert squeezed(name) in squeezed(Page(page).words)


@settings(max_examples=40, deadline=None)
@given(STORED)
def test_json(name: str) -> None:
    raw = attachments.as_json(named(name))
    assert json.loads(raw)["player"] == name and schema.check(raw)["player"] == name


@settings(max_examples=40, deadline=None)
@given(NAMES)
def test_svg(name: str) -> None:
    seen, ground = view(mid_game().state, "allied"), geometry("fab_sicily")
    assert ground is not None
    areas = [{**a, "name": name} if a["id"] == "14" else a for a in seen["areas"]]
    drawn = map_svg({**seen, "title": name, "areas": areas}, ground, around=("14",))
    elements = {e.tag.rpartition("}")[2] for e in ElementTree.fromstring(drawn).iter()}
    assert elements <= {"svg", "rect", "path", "text", "circle", "g"}


@settings(max_examples=60, deadline=None)
@given(STORED)
def test_calendar(name: str) -> None:
    store = SimpleNamespace(games=SimpleNamespace(clock=lambda game: {}))
    context: Any = SimpleNamespace(now="2026-03-14T09:15:00Z", config=Config(address="judge@example.org"), store=store)
    game: Any = SimpleNamespace(id=name, seq=7, options={})
    doc = {**named(name), "headline": name, "title": name, "deadline": {"at": "2026-03-15T09:15:00Z"}}
    found = icalendar.Calendar.from_ical(attachments.calendar(context, game, doc))
    assert [c.name for c in found.walk()] == ["VCALENDAR", "VEVENT", "VALARM"]


@settings(max_examples=100, deadline=None)
@given(STORED)
@example("-1")
def test_table(name: str) -> None:
    words = dict.fromkeys(("step", "side", "purpose", "rule"), name)
    roll = {**words, "seq": 1, "sides": 10, "faces": [1], "mods": [[name, 1]], "target": 5}
    game: Any = SimpleNamespace(id="p1")
    play = list(csv.reader(io.StringIO(attachments.rolls(RULESET, game, [roll]).data.decode(), newline="")))
    assert len(play) == 2 and len(play[1]) == len(play[0])
    assert not [c for c in play[1] if c.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert cell(-1) == -1 and cell(None) == ""


@settings(max_examples=100, deadline=None)
@given(NAMES)
def test_headers_and_file_names(name: str) -> None:
    letter = Outgoing(
        sender="judge@example.org", sender_name=name, to="ann@example.org", subject=f"[p1] {name}", text=name, html="<p>x</p>",
        message_id="<a@example.org>", date=datetime(2026, 3, 14, tzinfo=UTC), topic=name, images=[Image("map", name, b"x")],
        attachments=[Attachment(name, "application/json", b"{}")],
    )  # fmt: skip
    raw = compose(letter)
    mail = message_from_bytes(raw, policy=policy.default)
    assert sorted(mail.keys()) == sorted(message_from_bytes(compose(plain_letter()), policy=policy.default).keys())
    assert all("/" not in (p.get_filename() or "") and "\n" not in (p.get_filename() or "") for p in mail.walk())


def plain_letter() -> Outgoing:
    return Outgoing(
        sender="judge@example.org", sender_name="pbem", to="ann@example.org", subject="[p1] x", text="x", html="<p>x</p>",
        message_id="<a@example.org>", date=datetime(2026, 3, 14, tzinfo=UTC), topic="x", images=[Image("map", "a.png", b"x")],
        attachments=[Attachment("a.json", "application/json", b"{}")],
    )  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(STORED)
def test_archive(name: str) -> None:
    with TemporaryDirectory() as where:
        folder = Path(where)
        raw = compose(plain_letter())
        story = {
            "sides": ["allied"], "battles": [{"turn": name, "text": name, "result": "", "lines": [{"text": name, "rule": name}]}],
            "turns": [{"label": name, "points": {}, "lost": {}, "picture": picture} for picture in (b"x", None)],
        }  # fmt: skip
        summary = {"title": name, "lines": [name], "facts": [(name, name)]}
        write_archive(folder, [{"raw": raw, "recipient": name, "direction": "to"}], summary, story)
        for page in folder.rglob("*.html"):
            tags = Page(page.read_text(encoding="utf-8")).tags
            assert not {t.split(" ")[0] for t in tags} - set(ELEMENTS.split()), page
            assert not [t for t in tags if re.search(r"\bon\w+", t)]
        assert {p.suffix for p in folder.rglob("*") if p.is_file()} <= {".html", ".png", ".eml", ".json"}
