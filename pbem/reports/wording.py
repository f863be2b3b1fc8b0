"""What templates print beside the bare facts of a view: parts of sentences joined, counts in words, classes of the page.

Templates only loop, include and print; where words hang together with a condition or a number they are made here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

View = dict[str, Any]

ECHO_INDENT = 6
"""Blanks before a line that is sent back."""


def worded(doc: Mapping[str, Any]) -> View:
    """A view with all that its template prints; parts that a kind of mail lacks stay away."""
    words = {key: words(doc[key], doc) for key, words in WORDS.items() if key in doc}
    return {**doc, "rolls_note": "", "battles_note": "", "dice_note": doc.get("dice_note", ""), **words, **_addressee(doc)}


def narrowed(page: View, width: int) -> View:
    """A text page for so many columns: hashes in lines, and of a line that is sent back no more than fits."""
    lines = {f"{key}_lines": hash_lines(page[key], width) for key in ("head", "seed", "commitment") if key in page}
    found = {**page, **lines}
    if "findings" in page:
        found["findings"] = [_fitting(f, width) for f in page["findings"]]
    if page.get("receipt"):
        found["receipt"] = {**page["receipt"], "findings": [_fitting(f, width) for f in page["receipt"]["findings"]]}
    if "reply" in page:
        found["reply"] = [part for line in page["reply"] for part in _comment(line, width)]
    return found


def hash_lines(text: str, width: int) -> list[str]:
    """Hashes, a line each; in two if there is no room for one."""
    whole = text.split()
    return [part for h in whole for part in ((h,) if len(h) <= width else (h[: len(h) // 2], h[len(h) // 2 :]))]


def _comment(line: str, width: int) -> list[str]:
    """A line of the reply block; comments are filled anew."""
    if len(line) <= width or not line.startswith("#"):
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="#     ", break_on_hyphens=False)


def _fitting(finding: View, width: int) -> View:
    """A finding with as much of its line as fits behind its indentation."""
    text, mark, room = finding["text"], finding["mark"], width - ECHO_INDENT
    if len(text) <= room:
        return finding
    start = max(0, min(mark.find("^") - room // 3, len(text) - room))
    return {**finding, "text": text[start : start + room], "mark": mark[start : start + room].rstrip()}


def without_rolls(page: View) -> View:
    """A page too long for a mail: the list of dice, which is in the text part and attached as a table, is left out."""
    note = f"{counted(len(page['rolls']), 'roll')}: see the plain text of this mail, the attached table, or send 'rolls'."
    return {**page, "rolls": [], "rolls_note": note}


def without_shots(page: View) -> View:
    """A page that is still too long: of each battle only how it began and how it ended."""
    told = [{**p, "told": [{**i, "battle": i["battle"][-1:]} for i in p["told"]]} for p in page["happened"]]
    return {**page, "happened": told, "battles_note": "The battles in full are in the plain text of this mail."}


def para(parts: Iterable[str], joint: str = ", ") -> str:
    """The parts that are not empty, joined."""
    return joint.join(p for p in parts if p)


def cited(text: str, rule: str) -> str:
    """'Rome [14] is taken. (2.4)'."""
    return f"{text} ({rule})" if rule else text


def _addressee(doc: Mapping[str, Any]) -> View:
    """'Ann (Allied)': whom the mail is for."""
    if "side_name" not in doc:
        return {}
    return {"addressee": f"{doc['player']} ({doc['side_name']})" if doc["player"] else doc["side_name"]}


def _deadline(deadline: Mapping[str, Any] | None, doc: Mapping[str, Any]) -> View | None:
    """A deadline, and ``then``: what happens when it has passed, by the game's policy."""
    return {**deadline, "then": THEN[_missed(deadline)]} if deadline else None


def _missed(deadline: Mapping[str, Any]) -> str:
    """What becomes of a missed turn; reports from before there was a choice do not say."""
    return str(deadline.get("missed", "defaults"))


THEN = {
    "defaults": "What is open then takes its default.",
    "wait": "If you miss it, the game waits for you, and its referee is asked.",
    "substitute": "If you miss it, others are asked to take your seat; if nobody does, defaults play.",
}


def _wanted(asks: Sequence[Mapping[str, Any]], doc: Mapping[str, Any]) -> list[View]:
    return [_ask(ask, doc["deadline"]) for ask in asks]


def _ask(ask: Mapping[str, Any], deadline: Mapping[str, Any] | None) -> View:
    """An open question: ``line`` its heading; ``known``, ``rest``, ``default_label`` as they are printed."""
    return {
        **ask,
        "line": cited(f"{ask['number']}. {ask['heading']}", ask["rule"]),
        "known": ", ".join(ask["facts"]),
        "labels": [{**o, "line": para([o["key"], o["label"]], " -- ")} for o in ask["labels"]],
        "rest": f"and {ask['more']} more sorts of order" if ask["more"] else "",
        "default_label": f"Default, on {deadline['short']}" if deadline and _missed(deadline) == "defaults" else "Default",
    }


def _orders(orders: Mapping[str, Any], doc: Mapping[str, Any]) -> View:
    """Orders in force; ``mark`` the number of a standing one, ``nothing`` when there is none of either sort."""
    return {
        "phases": [{**p, "line": " / ".join(p["lines"])} for p in orders["phases"]],
        "standing": [{**o, "mark": f"{o['number']:3d}"} for o in orders["standing"]],
        "nothing": not orders["phases"] and not orders["standing"],
    }


def _findings(findings: Sequence[Mapping[str, Any]], doc: Mapping[str, Any]) -> list[View]:
    return [_finding(f) for f in findings]


def _finding(finding: Mapping[str, Any]) -> View:
    """What is wrong with a line: ``label`` and ``line`` in words, ``maybe`` what may have been meant, ``look`` of the box."""
    label = f"{finding['word']}, line {finding['no']}" if finding["no"] else finding["word"]
    return {
        **finding,
        "label": label,
        "line": cited(f"{label}: {finding['message']}", finding["rule"]),
        "maybe": ", ".join(finding["suggestions"]),
        "look": "wanted" if finding["severity"] == "warning" else "trouble",
    }


def _receipt(receipt: Mapping[str, Any] | None, doc: Mapping[str, Any]) -> View | None:
    """What became of the mail that a report answers."""
    if receipt is None:
        return None
    return {
        "heading": "Your mail" if receipt["count"] or receipt["findings"] else "Notes",
        "findings": _findings(receipt["findings"], doc),
        "accepted": [
            {"label": f"Accepted, {p['title']}" if p["title"] else "Accepted", "line": " / ".join(p["orders"])}
            for p in receipt["accepted"]
        ],
        "lines": receipt["lines"],
    }


def _happened(phases: Sequence[Mapping[str, Any]], doc: Mapping[str, Any]) -> list[View]:
    return [{**p, "heading": cited(p["title"], p["rule"]), "told": [_item(i) for i in p["items"]]} for p in phases]


def _item(item: Mapping[str, Any]) -> View:
    """A line of the story: ``line`` with rule and source; ``shots`` (one, or none) its dice; ``battle`` the lines of one."""
    line = cited(item["text"], item["rule"])
    return {
        **item,
        "line": f"{line} [{item['source']}]" if item["source"] else line,
        "shots": [_shot(item)] if "faces" in item else [],
        "battle": [_item(i) for i in item.get("lines", [])],
    }


def _shot(item: Mapping[str, Any]) -> View:
    """A firer's dice: a hit stands in brackets, bold; 'score' '2 hits'."""
    faces = [{**f, "text": f"[{f['n']}]" if f["hit"] else str(f["n"])} for f in item["faces"]]
    return {**item, "faces": faces, "score": counted(item["hits"], "hit")}


def counted(number: int, word: str) -> str:
    """'1 hit', '2 hits'."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _rolls(rolls: Sequence[Mapping[str, Any]], doc: Mapping[str, Any]) -> list[View]:
    return [{**r, "line": cited(f"row {r['seq']}: {r['text']}", r["rule"])} for r in rolls]


def _over(over: Mapping[str, Any] | None, doc: Mapping[str, Any]) -> View | None:
    """The end: ``points`` 'Allied 5, Axis 15'."""
    if over is None:
        return None
    return {**over, "points": ", ".join(f"{side.capitalize()} {n}" for side, n in over["vp"].items())}


WORDS: Mapping[str, Callable[[Any, Mapping[str, Any]], Any]] = {
    "wanted": _wanted, "orders": _orders, "findings": _findings, "receipt": _receipt, "happened": _happened, "rolls": _rolls,
    "over": _over, "deadline": _deadline,
}  # fmt: skip
"""By what a view calls its parts."""
