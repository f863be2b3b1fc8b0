"""Pictures in mails.  A letter is queued with the change of the game; its pictures are drawn afterwards, outside the
transaction, from the view that is kept with it: drawing holds nobody up, and a failed picture never holds up a report."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any

from pbem.core.documents import Picture
from pbem.mail.compose import POLICY
from pbem.reports.maps import paint
from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.store.api import Letter

MAP = "map"
"""Content-ID of the picture of the whole map."""


def wanted(context: ServiceContext, title: str, game: str, doc: Mapping[str, Any]) -> list[Picture]:
    """The pictures of a report: Content-ID, file name, words in its place, and the areas around which it is drawn
    (none: the whole map)."""
    ground = context.geometry(title)
    if ground is None:
        return []
    view, battles = doc["view"], [b["area"] for b in doc.get("battles", [])]
    asked = [ask["place"] for ask in doc.get("wanted", []) if ask["place"]]
    found: list[Picture] = [{"cid": MAP, "name": f"{game}-map.png", "alt": paint.alt_text(view, ground), "around": []}]
    for number, around in enumerate(paint.sectors(view, ground, battles, asked), 1):
        alt = paint.alt_text(view, ground, around)
        found.append({"cid": f"sector{number}", "name": f"{game}-sector{number}.png", "alt": alt, "around": list(around)})
    return found


def plan(pictures: Sequence[Mapping[str, Any]], title: str, **source: Any) -> str:
    """What is kept with a letter until its pictures are drawn.  ``source``: report=number, or doc= what is drawn."""
    return json.dumps({"title": title, "pictures": list(pictures), **source}, sort_keys=True) if pictures else ""


def drawn(context: ServiceContext, id: int) -> Letter:
    """A letter with its pictures in it; they are drawn now if they are not there yet."""
    letter = context.store.outbox.get(id)
    if not letter.drawing:
        return letter
    try:
        raw = illustrated(letter, draw(context, letter))
    except Exception:  # a report without a picture is better than none
        log.exception("picture failed", letter=id, game=letter.game)
        raw = letter.raw
    with context.store.transaction():
        context.store.outbox.drawn(id, raw)
    return replace(letter, raw=raw, drawing="")


def draw(context: ServiceContext, letter: Letter) -> list[tuple[Mapping[str, Any], bytes]]:
    """The pictures of a letter and what they are."""
    told = json.loads(letter.drawing)
    if "report" in told:
        report = context.store.games.report(letter.game, letter.side, told["report"])
        assert report is not None
        doc = report.doc
    else:
        doc = told["doc"]
    ground = context.geometry(told["title"])
    if ground is None:
        return []
    return [(p, picture(doc, ground, p["around"], p["name"])) for p in told["pictures"]]


def picture(doc: Mapping[str, Any], ground: Mapping[str, Any], around: Sequence[str] = (), name: str = "") -> bytes:
    """One picture of a report; as SVG if its name says so."""
    moves, battles = doc.get("moves", []), [b["area"] for b in doc.get("battles", [])]
    if name.endswith(".svg"):
        return paint.map_svg(doc["view"], ground, around=around, moves=moves, battles=battles).encode()
    return paint.map_png(doc["view"], ground, around=around, moves=moves, battles=battles)


def illustrated(letter: Letter, pictures: Sequence[tuple[Mapping[str, Any], bytes]]) -> bytes:
    """A letter's bytes with pictures: within its HTML by Content-ID, attached where there is none to show them.

    The boundaries come from the Message-ID, as those of :func:`pbem.mail.compose.compose` do.
    """
    message = message_from_bytes(letter.raw, policy=POLICY)
    assert isinstance(message, EmailMessage)
    html = message.get_body(("html",))
    for what, data in pictures:
        kind = "svg+xml" if what["name"].endswith(".svg") else "png"
        if what["cid"] and isinstance(html, EmailMessage):
            html.add_related(data, "image", kind, cid=f"<{what['cid']}>", filename=what["name"], disposition="inline")
        else:
            message.add_attachment(data, "image", kind, filename=what["name"])
    mark = hashlib.sha256(letter.message_id.encode()).hexdigest()[:24]
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{mark}_{number}")
    return message.as_bytes()
