"""HTML mail to the text its reader saw, quotes marked with '> '; text that is hidden or struck out is left out.

An own tokenizer that is linear in its input whatever the input is, since mail comes from anybody.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html import unescape

from pbem.mail import css
from pbem.mail.css import HIDDEN, STRUCK

_SKIPPED = {
    "script", "style", "title", "template", "noscript", "object", "svg", "math", "iframe", "select", "textarea", "audio",
    "video",
}
_RAW = {"script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes"}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
_BLOCK = {
    "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li",
    "listing", "main", "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "tr",
    "ul", "xmp",
}
_PARAGRAPH = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre"}
_CLOSES_ITSELF = {
    "li": {"li"},
    "tr": {"tr", "td", "th"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
}
_QUOTE_CLASSES = {"yahoo_quoted", "zmail_extra", "protonmail_quote", "tutanota_quote", "isreplycontent"}
_QUOTE_IDS = {"mail-editor-reference-message-container", "isreplycontent", "mail-app-auto-quote", "composer_original_message"}
_QUOTE_BELOW = ("divrplyfwdmsg", "zwchr", "replysplit")
"""Ids of what Outlook, Zimbra and others put above a quote: all below it is quoted."""
_STRUCK_TAGS = {"s", "strike", "del"}
_INDENT = re.compile(r"border\s{0,5}:\s{0,5}(?:none|medium none|0(?:px)?)\s{0,5}(?:;|$)", re.IGNORECASE)

_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_ATTRIBUTE = re.compile(r"""([^\s=>/"']{1,60})\s{0,20}(?:=\s{0,20}("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_STOP = re.compile(r"[>\"']")
_PRE = re.compile(r"white-space\s{0,20}:\s{0,20}(?:pre|break-spaces)", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MAX_ATTRIBUTES = 4000


@dataclass(frozen=True, slots=True)
class Rendered:
    """``text``: block elements on lines of their own, quoted lines after '> '; ``struck``, ``hidden``: whether letters of the
    page were left out of it as struck out, or as hidden."""

    text: str
    struck: bool = False
    hidden: bool = False


def to_text(source: str) -> str:
    """The text of ``source`` that counts as its sender's."""
    return render(source).text


def render(source: str, shown: frozenset[str] = frozenset()) -> Rendered:
    """The text of a page.  ``shown``: what is to be in it all the same, of :data:`pbem.mail.css.STRUCK`, ``HIDDEN``."""
    writer = _Writer(css.sheets(source), shown)
    scan = _Scanner(source)
    at = 0
    while at < len(source):
        start = source.find("<", at)
        if start < 0:
            start = len(source)
        writer.text(source[at:start])
        at = scan.markup(start, writer) if start < len(source) else start
    return Rendered(writer.result(), STRUCK in writer.left_out, HIDDEN in writer.left_out)


class _Scanner:
    """Finds where markup ends; what was sought in vain once is not sought again further on."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.gone: set[str] = set()
        self.quotes_balance = True

    def markup(self, start: int, writer: _Writer) -> int:
        """Handle what begins with the '<' at ``start``; returns where to go on."""
        source = self.source
        if source.startswith("<!--", start):
            return self._past("-->", start + 4)
        name = _NAME.match(source, start + 1)
        if name is None and source[start + 1 : start + 2] in ("!", "?", "/"):
            return self._past(">", start)
        if name is None or source.startswith(("://", "@"), name.end()):
            writer.text("<")
            return start + 1
        end = self._tag_end(name.end())
        tag = name.group(1).lower()
        if source[start + 1] == "/":
            writer.close(tag)
            return end + 1
        writer.open(tag, _attributes(source[name.end() : min(end, name.end() + _MAX_ATTRIBUTES)]))
        return self._before(f"</{tag}", end + 1) if tag in _RAW else end + 1

    def _find(self, what: str, at: int) -> int:
        if what not in self.gone:
            found = re.compile(re.escape(what), re.IGNORECASE).search(self.source, at)
            if found:
                return found.start()
            self.gone.add(what)
        return -1

    def _before(self, what: str, at: int) -> int:
        position = self._find(what, at)
        return len(self.source) if position < 0 else position

    def _past(self, what: str, at: int) -> int:
        return self._before(what, at) + len(what)

    def _tag_end(self, begin: int) -> int:
        """Position of the '>' that ends a tag; those in quoted values are passed over while quotes balance."""
        at = begin
        while self.quotes_balance and (stop := _STOP.search(self.source, at)) is not None:
            if stop.group() == ">":
                return stop.start()
            closing = self._find(stop.group(), stop.end()) if self.source[stop.start() - 1] in "= " else stop.start()
            self.quotes_balance = closing >= 0
            at = closing + 1
        return self._before(">", begin)


def _attributes(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape(value.strip("\"'")))
    return found


@dataclass(frozen=True, slots=True)
class _Tag:
    """An open element and what it does to its text; ``backed``: it has a background of its own."""

    name: str
    skipped: bool
    hidden: bool
    struck: bool
    quoted: bool
    pre: bool
    backed: bool


def _looks(tag: str, attributes: dict[str, str], sheets: css.Sheets, backed: bool) -> _Tag:
    """What an element does to its text, by its name, its attributes and the page's style sheets."""
    style = attributes.get("style", "")
    classes = frozenset(attributes.get("class", "").lower().split())
    named = attributes.get("id", "").lower()
    kinds = css.kinds(style) | sheets.kinds(tag, classes, named)
    own = "background" in style.lower() or "bgcolor" in attributes or "background" in attributes
    white = css.white(style) or tag == "font" and css.white(f"color:{attributes.get('color', '')}")
    quoted = tag == "blockquote" and not _indented(attributes) or bool(_QUOTE_CLASSES & classes) or named in _QUOTE_IDS
    return _Tag(
        tag,
        skipped=tag in _SKIPPED,
        hidden=HIDDEN in kinds or "hidden" in attributes or tag == "dialog" and "open" not in attributes
        or white and not (own or backed),
        struck=STRUCK in kinds or tag in _STRUCK_TAGS,
        quoted=quoted or tag == "div" and attributes.get("name", "").lower() == "quote",
        pre=tag in ("pre", "listing", "xmp") or bool(style and _PRE.search(style)),
        backed=own,
    )


def _indented(attributes: dict[str, str]) -> bool:
    """Whether a blockquote is what the indent button of a mail program makes of its writer's own text: without a bar, and
    without anything that says that it cites."""
    cites = {"class", "cite", "type", "id"} & set(attributes)
    return not cites and _INDENT.search(attributes.get("style", "")) is not None


class _Writer:
    """Collects lines; knows which elements are open and what they do to their text."""

    def __init__(self, sheets: css.Sheets, shown: frozenset[str]) -> None:
        self.sheets = sheets
        self.shown = shown
        self.left_out: set[str] = set()
        self.lines: list[str] = []
        self.now: list[str] = []
        self.open_tags: list[_Tag] = []
        self.count: Counter[str] = Counter()
        self.skipped = self.hidden = self.struck = self.quoted = self.pre = self.backed = 0

    def text(self, text: str) -> None:
        if self.skipped or not text:
            return
        for kind, depth in ((HIDDEN, self.hidden), (STRUCK, self.struck)):
            if depth and kind not in self.shown:
                if kind not in self.left_out and any(c.isalnum() for c in unescape(text)):
                    self.left_out.add(kind)
                return
        text = unescape(text)
        if not self.pre:
            self.now.append(_BLANKS.sub(" ", text))
            return
        first, *rest = text.splitlines() or [""]
        self.now.append(first)
        for line in rest:
            self.line()
            self.now.append(line)
        if text.endswith(("\n", "\r")):
            self.line()

    def line(self, only_if_used: bool = False) -> None:
        """End the line; ``only_if_used``: unless nothing stands on it yet."""
        text = "".join(self.now)
        if not self.pre:
            signature = text.strip("\u00a0 ") == "--" and text.endswith((" ", "\u00a0"))
            text = "-- " if signature else re.sub(" {2,}", " ", text).strip(" ")
        if text.strip() or not only_if_used:
            self.lines.append("> " + text if self.quoted else text)
        self.now = []

    def open(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _BLOCK:
            self.line(only_if_used=True)
            if self.open_tags and self.open_tags[-1].name == "p":
                self._pop()
        for sibling in _CLOSES_ITSELF.get(tag, ()):
            if self.open_tags and self.open_tags[-1].name == sibling:
                self._pop()
        if tag == "br":
            if not self._invisible():
                self.line()
            return
        if tag in ("td", "th"):
            self.now.append(" ")
        if tag == "img" and not self._invisible() and len(attributes.get("alt", "")) <= 2:
            self.now.append(attributes.get("alt", ""))
        if tag in _PARAGRAPH and self.lines and self.lines[-1].strip("> "):
            self.line()
        if attributes.get("id", "").lower().endswith(_QUOTE_BELOW):
            self.line(only_if_used=True)
            self.quoted += 1
        if tag in _VOID:
            return
        self._push(_looks(tag, attributes, self.sheets, bool(self.backed)))

    def _push(self, tag: _Tag) -> None:
        self.open_tags.append(tag)
        self.count[tag.name] += 1
        self._turn(tag, 1)

    def _turn(self, tag: _Tag, step: int) -> None:
        self.skipped += step * tag.skipped
        self.hidden += step * tag.hidden
        self.struck += step * tag.struck
        self.quoted += step * tag.quoted
        self.pre += step * tag.pre
        self.backed += step * tag.backed

    def _invisible(self) -> bool:
        return bool(self.skipped or self.hidden and HIDDEN not in self.shown)

    def close(self, tag: str) -> None:
        if tag in _BLOCK:
            self.line(only_if_used=True)
        if tag == "br":
            self.line()
        if self.count[tag]:
            while self._pop() != tag:
                pass

    def _pop(self) -> str:
        tag = self.open_tags.pop()
        self.count[tag.name] -= 1
        if tag.quoted:
            self.line(only_if_used=True)
        self._turn(tag, -1)
        return tag.name

    def result(self) -> str:
        self.line(only_if_used=True)
        return "\n".join(self.lines)
