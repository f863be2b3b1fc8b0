"""The mail archive: everything is there, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

from pbem.reports.archive import write_archive

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55"
    "0000000a49444154789c6360000000020001e221bc330000000049454e44ae426082"
)


def letter(subject: str = "[p1] Your report") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "pbem <judge@example.org>", "ann@example.org", subject
    message.set_content("Plain <words>\n")
    message.add_alternative('<p>Hello</p><img src="cid:map">', subtype="html")
    message.get_payload()[1].add_related(PIXEL, "image", "png", cid="<map>", filename="map.png")  # type: ignore[union-attr, index]
    message.add_attachment("{}", subtype="json", filename="../../re port.json")
    return message.as_bytes()


def written(folder: Path, *raws: bytes) -> Path:
    mails = [{"raw": r, "recipient": "Ann <Allied>", "direction": "to"} for r in raws]
    return write_archive(folder, mails, {"title": "A game", "lines": ["One line."], "facts": [("Result", "a draw")]})


def test_a_page_a_mail_and_an_index(tmp_path: Path) -> None:
    index = written(tmp_path, letter(), letter("[p1] <Second>"))
    text = index.read_text()
    assert "Ann &lt;Allied&gt; (2 mails)" in text and "[p1] &lt;Second&gt;" in text
    for link in re.findall(r'href="(mails/[^"]+)"', text):
        assert (tmp_path / link).is_file()


def test_the_list_says_what_a_mail_is_about(tmp_path: Path) -> None:
    ours, theirs = EmailMessage(), EmailMessage()
    ours["Subject"], theirs["Subject"] = "[p1] Turn 1", "Re: [p1] Turn 1"
    ours.set_content("words")
    ours.add_alternative("<html><head><title>Allied Combat Phase: 2 answers &amp; more</title></head></html>", subtype="html")
    theirs.set_content("game p1\nturn 1 allied combat\n\nbattle 15; point 5-1 <b>\nend\n")
    text = written(tmp_path, ours.as_bytes(), theirs.as_bytes()).read_text()
    assert "<div>Allied Combat Phase: 2 answers &amp; more</div>" in text
    assert "<div>battle 15; point 5-1 &lt;b&gt; ...</div>" in text


def test_pictures_and_attachments_lie_beside_the_page(tmp_path: Path) -> None:
    written(tmp_path, letter())
    page = (tmp_path / "mails/0001.html").read_text()
    assert "src=&#34;0001/1-map.png&#34;" in page and "cid:" not in page
    assert (tmp_path / "mails/0001/1-map.png").read_bytes() == PIXEL
    assert (tmp_path / "mails/0001/2-re_port.json").is_file()
    assert "Plain &lt;words&gt;" in page


def test_nothing_comes_from_outside(tmp_path: Path) -> None:
    written(tmp_path, letter())
    for page in tmp_path.rglob("*.html"):
        assert not re.search(r"https?://", page.read_text())


def test_a_second_writing_replaces_the_first(tmp_path: Path) -> None:
    written(tmp_path, letter(), letter())
    written(tmp_path, letter())
    assert [p.name for p in sorted((tmp_path / "mails").glob("*.html"))] == ["0001.html"]


def test_a_text_mail_with_odd_headers(tmp_path: Path) -> None:
    written(tmp_path, b"From: a@example.org\r\nX: y\r\n\r\ngame p1\r\nend\r\n")
    page = (tmp_path / "mails/0001.html").read_text()
    assert "(no subject)" in page and "game p1" in page and "<iframe" not in page
