"""The mail archive: every mail as its receiver saw it, as plain files that need nothing but a browser."""

from __future__ import annotations

import email
import email.policy
import re
import shutil
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pbem.reports import storychart
from pbem.reports.render import render, template_dir
from pbem.reports.wording import counted

SHOWN = ("From", "To", "Date", "Subject", "Message-ID", "In-Reply-To", "Auto-Submitted")
"""Headers on a mail's page."""


def write_archive(
    folder: Path, mails: Sequence[Mapping[str, Any]], summary: Mapping[str, Any], story: Mapping[str, Any] | None = None
) -> Path:
    """Write ``folder``/index.html and a page a mail; with a ``story`` (:mod:`pbem.service.records.game_story`) a page of it, too.

    ``mails``, in the order they were sent: 'raw' (bytes), 'recipient' (whose copy it is: a name), 'direction'
    ('to' him or 'from' him).  ``summary``: title, lines (a few sentences), facts (pairs of words), perhaps
    audit (where the audit's pages are).  Returns index.html.
    """
    pages = folder / "mails"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    shown = [_write_mail(pages, number, mail, len(mails)) for number, mail in enumerate(mails, 1)]
    people = list(dict.fromkeys(m["person"] for m in shown))
    mine = {p: [m for m in shown if m["person"] == p] for p in people}
    groups = [
        {"person": p, "anchor": f"p{n}", "mails": m, "count": counted(len(m), "mail")} for n, (p, m) in enumerate(mine.items(), 1)
    ]
    index = folder / "index.html"
    told = _write_story(folder, story, summary) if story else ""
    view = {**{k: summary[k] for k in ("title", "lines", "facts")}, "groups": groups, "count": len(shown), "story": told}
    view["audit"] = summary.get("audit", "")
    index.write_text(render(template_dir(), "base/archive.html.j2", view), encoding="utf-8")
    return index


WAYS = {"to": {"way": "← got", "did": "got"}, "from": {"way": "→ sent", "did": "sent"}}
"""How a mail's direction is shown in the list and on its page."""

OUTCOMES = {"attacker-holds": "The attackers take it.", "defender-holds": "The defenders hold.", "contested": "Both hold on."}


def _write_story(folder: Path, story: Mapping[str, Any], summary: Mapping[str, Any]) -> str:
    """The page of the game's story and its pictures; gives its file name."""
    turns, sides, labels = story["turns"], story["sides"], [t["label"] for t in story["turns"]]
    pictures = folder / "story"
    shutil.rmtree(pictures, ignore_errors=True)
    shown = []
    for number, turn in enumerate(turns):
        if turn["picture"]:
            pictures.mkdir(exist_ok=True)
            (pictures / f"turn{number}.png").write_bytes(turn["picture"])
            score = ", ".join(f"{s.capitalize()} {turn['points'].get(s, 0)}" for s in sides)
            shown.append({"label": turn["label"], "picture": f"story/turn{number}.png", "score": score})
    unit = next((u for t in turns for lost in t["lost"].values() for u in lost), "units")
    points = [(s.capitalize(), [t["points"].get(s, 0) for t in turns]) for s in sides]
    lost = [(s.capitalize(), [t["lost"].get(s, {}).get(unit, 0) for t in turns[1:]]) for s in sides]
    view = {
        "title": f"{summary['title']}: the story", "lines": summary["lines"], "turns": shown,
        "points": Markup(storychart.lines(labels, points)), "lost": f"{unit.capitalize()} lost",
        "losses": Markup(storychart.bars(labels[1:], lost)),
        "battles": [{**b, "outcome": OUTCOMES.get(b["result"], ""), "open": not n} for n, b in enumerate(story["battles"])],
    }  # fmt: skip
    (folder / "story.html").write_text(render(template_dir(), "base/story.html.j2", view), encoding="utf-8")
    return "story.html"


def _write_mail(pages: Path, number: int, mail: Mapping[str, Any], last: int) -> dict[str, Any]:
    """One page, its pictures and attachments beside it; returns what the index tells of it."""
    message = email.message_from_bytes(mail["raw"], policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    name = f"{number:04d}"
    files = _save_parts(message, pages / name)
    (pages / f"{name}.eml").write_bytes(mail["raw"])
    html, text = _body(message, "html"), _body(message, "plain")
    view = {
        "number": number, "person": mail["recipient"], **WAYS[mail["direction"]],
        "subject": " ".join(str(message["Subject"] or "(no subject)").split()),
        "headers": [(h, str(message[h])) for h in SHOWN if message[h]], "text": text, "page": f"mails/{name}.html",
        "text_title": "The text part" if html else "The text",
        "html": _with_pictures(html, files, name), "files": [{**f, "path": f"{name}/{f['name']}"} for f in files],
        "before": f"{number - 1:04d}.html" if number > 1 else "", "after": f"{number + 1:04d}.html" if number < last else "",
    }  # fmt: skip
    (pages / f"{name}.html").write_text(render(template_dir(), "base/archive_mail.html.j2", view), encoding="utf-8")
    shown = {k: view[k] for k in ("number", "person", "way", "subject", "page")}
    return {**shown, "date": str(message["Date"] or ""), "about": _about(html, text)}


def _about(html: str, text: str) -> str:
    """What a mail is about: the headline of ours; of a player's its first order."""
    if titled := re.search(r"<title>(.*?)</title>", html, re.DOTALL):
        return unescape(titled[1]).strip()
    lines = (line.strip() for line in text.splitlines())
    return next((f"{line[:60]} ..." for line in lines if line and not line.lower().startswith(("game ", "turn ", ">"))), "")


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body(preferencelist=(kind,))
    if part is None:
        return ""
    content = part.get_content()
    return content if isinstance(content, str) else ""


def _save_parts(message: EmailMessage, folder: Path) -> list[dict[str, Any]]:
    """Pictures and attachments as files, under names of our own making."""
    saved: list[dict[str, Any]] = []
    bodies = {id(message.get_body(preferencelist=(k,))) for k in ("plain", "html")}
    for part in message.walk():
        if part.is_multipart() or id(part) in bodies:
            continue
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes):
            continue
        folder.mkdir(exist_ok=True)
        name = f"{len(saved) + 1}-{_plain_name(part.get_filename() or part.get_content_subtype())}"
        (folder / name).write_bytes(data)
        cid = str(part["Content-ID"] or "").strip("<> ")
        saved.append({"name": name, "cid": cid, "size": len(data), "picture": part.get_content_maintype() == "image"})
    return saved


def _plain_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._")[-60:] or "part"


def _with_pictures(html: str, files: Sequence[Mapping[str, Any]], folder: str) -> str:
    """References by Content-ID become references to the saved files."""
    for saved in files:
        if saved["cid"]:
            html = html.replace(f"cid:{saved['cid']}", f"{folder}/{saved['name']}")
    return html
