"""Views to text and HTML.  Templates get a view and nothing else; what they print, a side may know.  They hold words and
layout but no logic: :mod:`.wording` makes what depends on a value (tests/reports/test_templates.py holds them to it).

A mail's kind names its template: 'report', 'welcome', 'over', 'receipt', 'refusal', 'reminder', 'note'.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context

from pbem import title_packages
from pbem.reports.inlined import Inlined
from pbem.reports.wording import narrowed, without_rolls, without_shots, worded

WIDTH = 72
HTML_LIMIT = 100_000
"""Bytes; Gmail cuts a page off a little behind that."""

REPORT_PREFIX = "| "
"""Lines that could be taken for orders begin so, and the order parser passes them over."""

START_REPLY, END_REPLY = "\x02", "\x03"
"""Around the reply block in a text template; they do not reach the mail."""

GLUE = "\x04"
"""Stands for a blank at which no line may break."""

_ROOT = Path(__file__).resolve().parents[1]
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Characters that no name may bring into a mail: controls, and what turns the direction of writing."""
_QUOTE_LIKE = re.compile(r"\s*[A-Za-z]{0,3}[>|]")
_BEFORE = re.compile(r" (?=(?:/ |[^\w ]?)(\w+))")
_FIRST = re.compile(r"[^\w=]*([\w-]+)")


@cache
def template_dir() -> Path:
    """Where the templates are: inside the wheel, else at the top of the tree."""
    inside = _ROOT / "_data" / "templates"
    return inside if inside.is_dir() else _ROOT.parent / "templates"


@cache
def _environment(*folders: Path) -> Environment:
    env = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
    )
    env.filters |= {"wrap": wrap, "fill": fill, "heading": heading}
    return env


def render(folder: Path, name: str | Sequence[str], view: Mapping[str, Any]) -> str:
    """One template (of several names the first that there is) with one view; a name the view lacks is an error."""
    return _environment(*_with_titles(folder)).get_or_select_template(name if isinstance(name, str) else list(name)).render(view)


def _with_titles(folder: Path) -> tuple[Path, ...]:
    """The folder and those of titles from elsewhere."""
    return (folder, *title_packages.folders("templates"))


def _find(view: Mapping[str, Any], ending: str) -> str:
    """The title's own template of the kind, else the common one."""
    return _found(_with_titles(template_dir()), view["ruleset"], view["kind"], ending)


@cache
def _found(folders: tuple[Path, ...], title: str, kind: str, ending: str) -> str:
    common = f"base/{kind}{ending}"
    return _environment(*folders).select_template([f"{title}/{kind}{ending}", common]).name or common


def _parts(view: Mapping[str, Any], ending: str) -> dict[str, str]:
    """The title's own templates that a report includes."""
    return {f"{part}_part": f"{view['ruleset']}/{part}{ending}" for part in ("situation", "boxes")}


# -- text -----------------------------------------------------------------------------------------------


def text_report(view: Mapping[str, Any]) -> str:
    """The text part of a mail: complete on its own, :data:`WIDTH` columns, safe to be quoted."""
    words = frozenset(view.get("order_words", ()))
    width = view.get("width", WIDTH)
    full = {**narrowed(worded(view), width), **_parts(view, ".txt.j2"), "order_words": words, "width": width}
    return guarded(render(template_dir(), _find(full, ".txt.j2"), full), words)


def guarded(text: str, words: frozenset[str]) -> str:
    """Mark lines outside the reply block that begin like an order or a quote, so that a quoted report is never
    taken for orders; no blank line twice."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line in (START_REPLY, END_REPLY):
            inside = line == START_REPLY
            continue
        line = _cleaned(line).rstrip()
        if line and not inside and (_QUOTE_LIKE.match(line) or _first_word(line) in words):
            line = REPORT_PREFIX + line.removeprefix("  ")
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


def _cleaned(text: str) -> str:
    """``text`` without controls, among them the marks of the reply block."""
    return text if text.isprintable() else _CONTROL.sub(" ", text)


def _first_word(line: str) -> str:
    """The first word as the order parser reads it: dashes, stars and brackets do not count, '=' does."""
    found = _FIRST.match(line)
    return found[1].lower() if found else ""


@pass_context
def wrap(context: Context, text: str, first: str = "", rest: str | None = None, label: str = "", room: int = 0) -> str:
    """Fill to the view's width, less the room that :func:`guarded` may need; ``first`` and ``rest`` indent; ``label`` stands
    in a column of ``room`` before the text.

    A line does not begin with an order word if it can be helped."""
    first += label.ljust(room)
    rest = " " * len(first) if rest is None else rest
    plain = " ".join(_cleaned(str(text)).split())
    width = context.get("width", WIDTH) - len(REPORT_PREFIX)
    if plain and len(first) + len(plain) <= width:
        return first + plain
    if words := context.get("order_words"):
        glued = _BEFORE.sub(lambda blank: GLUE if blank[1].lower() in words else " ", plain).split(" ")
        plain = " ".join(w if len(w) <= width // 2 else w.replace(GLUE, " ") for w in glued)  # a list of nothing but such words
    return "\n".join(filled(plain, width, first, rest)).replace(GLUE, " ") or first.rstrip()


def filled(plain: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Words with single blanks between them as lines of at most ``width``; ``first`` and ``rest`` indent."""
    words = plain.split(" ")
    if max(map(len, words)) > width - max(len(first), len(rest)):
        return textwrap.wrap(plain, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    lines, line = [], first + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = rest + word
        else:
            line = f"{line} {word}"
    return [*lines, line]


@pass_context
def fill(context: Context, text: str, first: str = "", rest: str | None = None) -> str:
    """:func:`wrap` for a block of a template: words and values between ``{% filter fill %}`` and its end, as lines."""
    return wrap(context, text, first, rest) + "\n"


def heading(title: str) -> str:
    """A title in capitals, underlined, and a blank line."""
    return f"{title.upper()}\n{'-' * len(title)}\n"


# -- HTML -----------------------------------------------------------------------------------------------


LAYOUT = "base/layout.html.j2"
"""The template with the style sheet of all mails."""


@cache
def _mail_pages(*folders: Path) -> Environment:
    """The templates of mails' pages, with the styles on their elements."""
    env = _environment(*folders).overlay(loader=(loader := Inlined(folders, LAYOUT)))
    env.filters = {**env.filters, "style": loader.sheet.of_class}
    return env


def html_report(view: Mapping[str, Any], pictures: Sequence[Mapping[str, str]] = ()) -> str:
    """The HTML part: styles inlined, nothing remote, less than :data:`HTML_LIMIT`.  ``pictures``: cid and alt text of each."""
    full = {**worded(view), **_parts(view, ".html.j2"), "pictures": list(pictures)}
    page = _page(full)
    for shorter in (without_rolls, without_shots) if "happened" in full else ():
        if len(page.encode()) < HTML_LIMIT:
            break
        full = shorter(full)
        page = _page(full)
    return page


def _page(view: Mapping[str, Any]) -> str:
    page = _mail_pages(*_with_titles(template_dir())).get_template(_find(view, ".html.j2")).render(view)
    return "\n".join(filter(None, (_cleaned(line.strip()) for line in page.split("\n")))) + "\n"
