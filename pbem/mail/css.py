"""What styles hide or strike out: those of an element and those of the page's style sheets.

Not a whole CSS: of a selector only the last part counts ('p .note span.x' is 'span.x'), and nothing is ever shown again by
a later rule.  So too much may be taken for hidden, never too little; what was hidden is asked about, not obeyed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HIDDEN, STRUCK = "hidden", "struck"

_ZERO = r"0*(?:\.0*)?0(?![.\d])(?:[a-z%]{0,5})\s{0,20}(?:!|;|$)"
_HIDES = re.compile(
    r"(?:^|;)\s{0,20}(?:display\s{0,20}:\s{0,20}none|visibility\s{0,20}:\s{0,20}(?:hidden|collapse)|mso-hide\s{0,20}:\s{0,20}all"
    rf"|(?:font-size|max-height|max-width|opacity)\s{{0,20}}:\s{{0,20}}{_ZERO}"
    r"|font-size\s{0,20}:\s{0,20}[01](?:\.\d{1,4})?(?:px|pt)"
    r"|(?:text-indent|left|right|top|bottom)\s{0,20}:\s{0,20}-\d{3,}|margin(?:-left|-top)?\s{0,20}:\s{0,20}-\d{4,}"
    r"|clip\s{0,20}:\s{0,20}rect\(\s{0,5}[01](?:px)?[ ,]|clip-path\s{0,20}:\s{0,20}inset\(\s{0,5}(?:50|100)%"
    r"|transform\s{0,20}:\s{0,20}scale\w{0,2}\(\s{0,5}0(?:\.0+)?\s{0,5}[,)]"
    r"|(?:color|-webkit-text-fill-color)\s{0,20}:\s{0,20}transparent|content-visibility\s{0,20}:\s{0,20}hidden)",
    re.IGNORECASE,
)
_FLAT = re.compile(rf"(?:^|;)\s{{0,20}}(?:height|width)\s{{0,20}}:\s{{0,20}}{_ZERO}", re.IGNORECASE)
_CLIPPED = re.compile(r"overflow(?:-[xy])?\s{0,20}:\s{0,20}(?:hidden|clip)", re.IGNORECASE)
_STRIKES = re.compile(r"text-decoration(?:-line)?\s{0,20}:[^;]{0,80}line-through", re.IGNORECASE)
_WHITE = re.compile(
    r"(?:^|;)\s{0,20}color\s{0,20}:\s{0,20}(?:white\b|#f{3,4}\b|#f{6}(?:ff)?\b"
    r"|rgba?\(\s{0,5}255\s{0,5}[, ]\s{0,5}255\s{0,5}[, ]\s{0,5}255\b)",
    re.IGNORECASE,
)
_SHEET, _SHEET_END = re.compile(r"<style\b", re.IGNORECASE), re.compile(r"</style", re.IGNORECASE)
_REMARK = re.compile(r"<!--|-->")
_BRACE = re.compile(r"([{}])")
_COMPOUND = re.compile(r"([a-zA-Z][\w-]{0,40}|\*)?((?:[.#][\w-]{1,80})*)(?:\[[^\]]{0,80}\])*")
_MARKED = re.compile(r"([.#])([\w-]{1,80})")
_MOST_RULES = 200
_LONGEST = 200_000
"""Characters of style sheets that are read."""


def kinds(style: str) -> frozenset[str]:
    """What a list of declarations does to text."""
    if not style:
        return frozenset()
    hides = _HIDES.search(style) or _FLAT.search(style) and _CLIPPED.search(style)
    return frozenset(kind for kind, found in ((HIDDEN, hides), (STRUCK, _STRIKES.search(style))) if found)


def white(style: str) -> bool:
    """Whether text is white, which is hidden where nothing has a background."""
    return bool(style) and _WHITE.search(style) is not None


@dataclass(frozen=True, slots=True)
class _Rule:
    """Elements of a name ('' for any), with all of these classes, and this id."""

    tag: str
    classes: frozenset[str]
    named: str
    kinds: frozenset[str]


@dataclass
class Sheets:
    """The rules of a page that hide or strike out."""

    rules: list[_Rule] = field(default_factory=list)

    def kinds(self, tag: str, classes: frozenset[str], named: str) -> frozenset[str]:
        """What they do to an element."""
        found: frozenset[str] = frozenset()
        for rule in self.rules:
            if rule.tag in ("", tag) and rule.classes <= classes and rule.named in ("", named):
                found |= rule.kinds
        return found


def sheets(source: str) -> Sheets:
    """The style sheets within a page."""
    found = Sheets()
    at, left = 0, _LONGEST
    while left > 0 and (start := _SHEET.search(source, at)) is not None:
        begin = source.find(">", start.end())
        if begin < 0:
            break
        close = _SHEET_END.search(source, begin)
        at = close.start() if close else len(source)
        text = source[begin + 1 : at][:left]
        left -= len(text) + 1
        _read(text, found)
    return found


def _read(text: str, found: Sheets) -> None:
    """Add the rules of one sheet; those for paper or for screens of one size do not count."""
    text = _REMARK.sub(" ", _without_comments(text))
    open_: list[bool] = []
    selectors = ""
    pieces = _BRACE.split(text)
    for said, brace in zip(pieces[::2], pieces[1::2], strict=False):
        if brace == "{":
            selectors = said.rpartition(";")[2].strip()
            open_.append(not selectors.startswith("@") or not ("(" in selectors or "print" in selectors.lower()))
            continue
        if open_ and all(open_) and selectors and not selectors.startswith("@") and (what := kinds(said.strip())):
            for selector in selectors[:2000].split(","):
                if len(found.rules) < _MOST_RULES and (rule := _rule(selector, what)) is not None:
                    found.rules.append(rule)
        selectors = ""
        if open_:
            open_.pop()


def _without_comments(text: str) -> str:
    parts, at = [], 0
    while (start := text.find("/*", at)) >= 0:
        parts.append(text[at:start])
        end = text.find("*/", start + 2)
        at = len(text) if end < 0 else end + 2
    return "".join([*parts, text[at:]])


def _rule(selector: str, what: frozenset[str]) -> _Rule | None:
    """The rule of one selector; None if it is for a passing state (':hover') or cannot be read."""
    words = re.split(r"[\s>+~]+", selector.strip())
    match = _COMPOUND.fullmatch(words[-1]) if words[-1] else None
    if match is None:
        return None
    marks = _MARKED.findall(match[2] or "")
    tag = (match[1] or "").lower()
    return _Rule(
        "" if tag == "*" else tag,
        frozenset(name.lower() for mark, name in marks if mark == "."),
        next((name.lower() for mark, name in marks if mark == "#"), ""),
        what,
    )
