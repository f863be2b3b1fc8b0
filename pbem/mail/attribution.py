"""How mail programs head the mail that they quote: by shape, with the words of many languages as a help.

A heading is one of: an attribution ('On 14 March, NAME <address> wrote:'), with or without a colon, between dashes or not, on
a line with the text that it heads or not; a line 'Original Message'; a block of header fields, each on its line or all on one.
"""

from __future__ import annotations

import re

from pbem.mail import languages

LONGEST = 400
"""A longer line is no attribution and no header line."""

_PREFIXED = re.compile(r"\s{0,3}(?:[>\u203a\u00bb|]|[A-Za-z]{1,4}>)")
_RULE = re.compile(r"\s{0,3}[-_=*\u2013\u2014]{5,}\s{0,3}$")
_PHRASES = "|".join(map(re.escape, languages.ORIGINAL_MESSAGE))
_ORIGINAL = re.compile(rf"[-_=*\s]*(?:{_PHRASES})\s?:?[-_=*\s]*", re.IGNORECASE)
_ORIGINAL_WITHIN = re.compile(rf"[-_=]{{3,}}\s?(?:{_PHRASES})\s?[-_=]{{3,}}", re.IGNORECASE)
_BETWEEN_DASHES = re.compile(r"[-_=*]{3,}\s?[^\W\d_][^-_=*]{2,40}[-_=*]{3,}")
_WROTE = re.compile(
    r"(?<!\w)(?:" + "|".join(map(re.escape, languages.WROTE)) + r")(?!\w)|" + "|".join(languages.WROTE_UNSPACED), re.IGNORECASE
)
_WHEN = re.compile(r"\d{1,2}[./:-]\s?\d{1,2}|\b(?:19|20)\d\d\b|\d{1,2}[.,]? ?[^\W\d_]{3,9}|\d[年년]")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)")
_OF_OLD = re.compile(r"(?<!\d)1[0-8]\d\d(?!\d)|(?<!\d)19[0-8]\d(?!\d)")
"""A year in which nobody wrote mails: the date is one of the war."""

_CLOCK = re.compile(r"(?<!\d)\d{1,2}\s?[:.h]\s?\d\d(?!\d)")
_STAMP = re.compile(r"(?<!\d)\d{1,2}:\d\d:\d\d(?!\d)")
"""The time of day with seconds, which nobody types."""

_BARE_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"|]{1,100}@[^\s<>()\[\],;:\"|]{1,100}\.[^\s<>()\[\],;:\"|]{2,20}")
_ADDRESS = re.compile(r"[<\[(][^<>\s]{1,100}@[^<>\s]{1,100}[>\])]")
_BEGINS = re.compile(r"(?:on|am|le|el|il|op|den|em|w dniu|dne|dňa|a|la|på|kl|ma|ti|ke|to|pe|su|at|zitat von|\d)\b", re.IGNORECASE)
_I_WROTE = re.compile(r"\b(?:i|we|you|ich|wir|du|je|j'ai|nous|yo|io|ik|wij|jag|jeg)\b", re.IGNORECASE)
_OURS = re.compile(r"(?:turn|game|orders?|due|deadline)\b", re.IGNORECASE)
_DECORATION = re.compile(r"^(?:[-_=*~#>\u2013\u2014]{2,}|>)[\s>]*|\s*[-_=*~#\u2013\u2014>]{2,}:?$")
_LABEL = re.compile(r"(?:^|[\s>*_-])\*?([^\W\d_][^\W\d_]{0,15}(?:[ -][^\W\d_]{1,12})?)\s?\*?\s?[:：]\*?(?=\s|$|<)")
_ANY_LABEL = re.compile(r"\*?[^\W\d_][\w .'-]{0,20}?\s?\*?\s?[:：]")
_LABELLED = re.compile(r"\*?[^\W\d_][\w .'-]{0,20}?\s?\*?\s?[:：]\*?\s{0,3}\S")

_KINDS = {name: kind for kind, names in languages.FIELDS.items() for name in names}
_FIELD = re.compile(r"\*?([^\s:*][^:*]{0,20}?)\s?\*?\s?:\*?\s?(.{0,300})")


def heading(lines: list[str], plain: list[str], i: int) -> int | None:
    """If a quote's heading begins on line ``i``: the line after the heading; else None.

    ``plain`` are the ``lines`` with typography made plain.  Text on the line of a heading belongs to the quote.
    """
    line = plain[i]
    if not line or len(lines[i]) > LONGEST:
        return None
    fields = _header_block(plain, i) or _unknown_block(plain, i)
    if fields is not None:
        return fields
    if _RULE.match(lines[i]):
        below = next_filled(plain, i + 1)
        return None if below is None else _header_block(plain, below, least=1)
    if _ORIGINAL.fullmatch(line) and (line[0] in "-_=*" or line[-1] == ":" or _after_marker(plain, i + 1)):
        return _after_marker(plain, i + 1) or i + 1
    if _one_line(line):
        return i + 1
    if _BETWEEN_DASHES.fullmatch(line) and (below := next_filled(plain, i + 1)) is not None:
        return _unknown_block(plain, below, least=2) or attribution(plain, i)
    return attribution(plain, i)


def next_filled(plain: list[str], start: int) -> int | None:
    """The first line from ``start`` on that is not blank, if it is near."""
    for i in range(start, min(len(plain), start + 8)):
        if plain[i]:
            return i
    return None


def _after_marker(plain: list[str], i: int) -> int | None:
    """Header lines or an attribution below 'Original Message': the line after them."""
    below = next_filled(plain, i)
    if below is None:
        return None
    return _header_block(plain, below, least=1) or attribution(plain, below)


# -- header fields -------------------------------------------------------------------------------------


def _header_block(plain: list[str], i: int, least: int = 2) -> int | None:
    """From, Sent, To, Subject in any language (Outlook quotes so): the line after them, None if they are not.

    A dateline typed in play ('From: HQ', 'Sent: 10 July 1943, 04:30') is none: besides the sender there must be a date of our
    days with the time of day, or one of any days and another field, or an address and two more fields.
    """
    if _field(plain[i])[0] != "from":
        return None
    seen: dict[str, str] = {}
    end = i
    for j in range(i, min(len(plain), i + 8)):
        kind, value = _field(plain[j])
        if kind == "from" and j > i:
            break
        if not kind and plain[j] and (j == i or not (_continues(plain[j]) or len(seen) > 1 and _ANY_LABEL.match(plain[j]))):
            break
        if kind or plain[j] and len(seen) > 1:
            seen.setdefault(kind, value)
            end = j
        if not plain[j] and (j + 1 >= len(plain) or not _field(plain[j + 1])[0]):
            break
    sent = seen.get("sent", "")
    dated = _CLOCK.search(sent) is not None and _OF_OLD.search(sent) is None
    others = len([kind for kind in seen if kind]) - 1
    if dated and _YEAR.search(sent):
        return end + 1
    if (dated and others >= min(least, 2)) or ("@" in seen["from"] and others >= least) or (least == 1 and "@" in seen["from"]):
        return end + 1
    return None


def _unknown_block(plain: list[str], i: int, least: int = 3) -> int | None:
    """Header fields in a language that is not known here: lines 'word: value', with an address and a date among them."""
    if not _LABELLED.match(plain[i]):
        return None
    found: list[str] = []
    end = i
    for j in range(i, min(len(plain), i + 12)):
        if _LABELLED.match(plain[j]):
            found.append(plain[j])
            end = j
        elif plain[j]:
            break
    values = " ".join(found)
    dated = _WHEN.search(values) and (_CLOCK.search(values) or _YEAR.search(values))
    return end + 1 if len(found) >= least and _BARE_ADDRESS.search(values) and dated else None


def _one_line(line: str) -> bool:
    """Header fields on one line, or 'Original message' between dashes with something before or behind it."""
    if ":" not in line and "：" not in line:
        return _ORIGINAL_WITHIN.search(line) is not None
    labels = len(_LABEL.findall(line)) >= 3
    return labels and bool(_BARE_ADDRESS.search(line) and _WHEN.search(line)) or _ORIGINAL_WITHIN.search(line) is not None


def _continues(line: str) -> bool:
    """Whether a line can be the rest of a wrapped list of receivers."""
    return "@" in line or line.endswith((";", ">"))


def _field(line: str) -> tuple[str, str]:
    """('from', value) for a line like 'Von: …'; ('', '') for any other."""
    match = _FIELD.match(line)
    if match:
        name = match.group(1).strip().lower()
        if name in _KINDS:
            return _KINDS[name], match.group(2)
    return "", ""


# -- attributions --------------------------------------------------------------------------------------


def attribution(plain: list[str], i: int) -> int | None:
    """'On 14 March, NAME <address> wrote:' on line ``i``, or begun there and wrapped: the line after it, else None."""
    if not (_WHEN.search(plain[i]) or "@" in plain[i] or _WROTE.search(plain[i])):
        return None
    if _shares_its_line(plain[i]):
        return i + 1
    words = ""
    for j in range(i, min(len(plain), i + 4)):
        line = plain[j]
        if not line or j > i and (_PREFIXED.match(line) or line.lower() == "end" or line.lower().startswith("game ")):
            return None
        words = f"{words} {line}" if words else line
        if _attributes(words):
            return j + 1
        if j == i and not (_BEGINS.match(_DECORATION.sub("", line)) and _WHEN.search(line)):
            return None
    return None


def _shares_its_line(line: str) -> bool:
    """'NAME <address> wrote: the first words of the quote'."""
    address = _BARE_ADDRESS.search(line)
    if address is None:
        return False
    head, colon, rest = line[address.end() :].partition(":")
    if not colon or not rest.strip():
        return False
    said = _WROTE.search(line[: address.start()]) and _WHEN.search(line[: address.start()])
    return bool(_WROTE.search(head) or said and not head.strip(">)] "))


def _attributes(words: str) -> bool:
    """Whether a whole line, or a few, can only be an attribution.

    With a colon or between dashes: two of verb, date and address; without an address not in the first person, as in 'On 14
    March I wrote:'; a year and the time of day do without a verb.  With neither: no sentence, an address with the time of
    day or the verb, or the verb with a date at either end.
    """
    bare = _DECORATION.sub("", _DECORATION.sub("", words)).strip()
    marked = bare != words.strip() and words.strip()[-1:] in "-_=*~#>:" and bare != ""
    closed = marked or words.endswith((":", "："))
    wrote, dated = _WROTE.search(bare) is not None, _WHEN.search(bare) is not None
    address = _ADDRESS.search(bare) is not None or closed and _BARE_ADDRESS.search(bare) is not None
    if closed and address:
        return wrote or dated or bare.rstrip(":： ")[-1:] in (">", "]", ")") and len(bare.split()) <= 6
    first_person = _I_WROTE.search(bare) is not None
    short = len(bare.split()) <= 14
    if not address and _OF_OLD.search(bare):
        return False
    if short and _STAMP.search(bare) and _YEAR.search(bare):
        return True
    if closed:
        stamped = _YEAR.search(bare) and _CLOCK.search(bare) and short and not _OURS.match(bare)
        attributed = wrote and dated and (marked or _BEGINS.match(bare)) and not first_person
        return bool(attributed or stamped and not (wrote and first_person))
    if words.endswith((".", "!", "?", ",", ";")) or not short:
        return False
    if address or _BARE_ADDRESS.search(bare):
        return bool(wrote or _CLOCK.search(bare)) and not first_person
    return wrote and not first_person and (bool(_WHEN.match(bare)) or _ends_dated(bare) or bool(_BEGINS.match(bare) and dated))


def _ends_dated(words: str) -> bool:
    return any(match.end() == len(words) for match in _WHEN.finditer(words))
