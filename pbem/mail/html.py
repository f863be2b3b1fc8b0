"""HTML mail to the text its reader saw, quotes marked with '> '.

An own tokenizer that is linear in its input whatever the input is, since mail comes from anybody.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

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
_QUOTE_CLASSES = {"yahoo_quoted", "zmail_extra"}

_NAME = re.compile(r"/?([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_ATTRIBUTE = re.compile(r"""([^\s=>/"']{1,60})\s{0,20}(?:=\s{0,20}("[^"]*"|'[^']*'|[^\s"'>]+))?""")
_STOP = re.compile(r"[>\"']")
_HIDDEN = re.compile(
    r"(?:^|;)\s{0,20}(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}(?:hidden|collapse)|mso-hide\s{0,20}:\s{0,20}all"
    r"|(?:font-size|max-height|max-width|opacity)\s{0,20}:\s{0,20}0*(?:\.0*)?0(?![.\d])(?:[a-z%]{0,5})\s{0,20}(?:!|;|$))",
    re.IGNORECASE,
)
_PRE = re.compile(r"white-space\s{0,20}:\s{0,20}(?:pre|break-spaces)", re.IGNORECASE)
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MAX_ATTRIBUTES = 4000


def to_text(source: str) -> str:
    """The visible text of ``source``, block elements on lines of their own, quoted lines after '> '."""
    writer = _Writer()
    scan = _Scanner(source)
    at = 0
    while at < len(source):
        start = source.find("<", at)
        if start < 0:
            start = len(source)
        writer.text(source[at:start])
        at = scan.markup(start, writer) if start < len(source) else start
    return writer.result()


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


class _Writer:
    """Collects lines; knows which elements are open and what they do to their text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.now: list[str] = []
        self.open_tags: list[tuple[str, bool, bool, bool]] = []
        self.count: Counter[str] = Counter()
        self.hidden = self.quoted = self.pre = 0

    def text(self, text: str) -> None:
        if self.hidden or not text:
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
            if self.open_tags and self.open_tags[-1][0] == "p":
                self._pop()
        for sibling in _CLOSES_ITSELF.get(tag, ()):
            if self.open_tags and self.open_tags[-1][0] == sibling:
                self._pop()
        if tag == "br":
            if not self.hidden:
                self.line()
            return
        if tag in ("td", "th"):
            self.now.append(" ")
        if tag == "img" and not self.hidden and len(attributes.get("alt", "")) <= 2:
            self.now.append(attributes.get("alt", ""))
        if tag in _PARAGRAPH and self.lines and self.lines[-1].strip("> "):
            self.line()
        if tag in _VOID:
            return
        style = attributes.get("style", "")
        hidden = tag in _SKIPPED or "hidden" in attributes or bool(style and _HIDDEN.search(style))
        pre = tag in ("pre", "listing", "xmp") or bool(style and _PRE.search(style))
        quoted = tag == "blockquote" or bool(_QUOTE_CLASSES & set(attributes.get("class", "").lower().split()))
        self.open_tags.append((tag, hidden, quoted, pre))
        self.count[tag] += 1
        self.hidden += hidden
        self.quoted += quoted
        self.pre += pre

    def close(self, tag: str) -> None:
        if tag in _BLOCK:
            self.line(only_if_used=True)
        if tag == "br":
            self.line()
        if self.count[tag]:
            while self._pop() != tag:
                pass

    def _pop(self) -> str:
        tag, hidden, quoted, pre = self.open_tags.pop()
        self.count[tag] -= 1
        if quoted:
            self.line(only_if_used=True)
        self.hidden -= hidden
        self.quoted -= quoted
        self.pre -= pre
        return tag

    def result(self) -> str:
        self.line(only_if_used=True)
        return "\n".join(self.lines)
