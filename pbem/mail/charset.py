"""Bytes to text whatever the label says."""

from __future__ import annotations

import codecs
import re

_NO_BETTER_THAN_A_GUESS = {"ascii", "iso8859-1", "cp1252"}
_WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "cp950",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "iso2022_jp": "iso2022_jp_ext",
}
_ALIASES = {
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
    "x-sjis": "cp932",
    "x-gbk": "gb18030",
    "x-mac-roman": "mac-roman",
}
_CP1252 = {b: bytes([b]).decode("cp1252", "replace") for b in range(0x80, 0xA0)}
_FOR_TEXT = re.compile(r"utf|ascii|iso8859|iso2022|cp\d|koi8|gb|big5|euc|shift|mac|hz|tis|johab|ptcp|kz1048|hp-roman8")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes, label: str = "") -> str:
    """``data`` as text: by its byte order mark, its label where that fits, UTF-8, else Windows-1252.

    The labels ASCII, Latin-1 and Windows-1252 are what programs write that do not know; UTF-8 text under them is
    read as UTF-8.
    """
    for bom, name in _BOMS:
        if data.startswith(bom):
            return data.decode(name, "replace")
    name = _codec(label)
    if data.count(0, 0, 400) * 3 > len(data[:400]):
        return data.decode("utf-16-le" if data[:1] != b"\0" else "utf-16-be", "replace")
    if name.startswith(("utf-16", "utf-32")) or (name == "utf-7" and not data.isascii()):
        name = ""
    tries = ["utf-8"] if not name or name in _NO_BETTER_THAN_A_GUESS else [name, "utf-8"]
    for codec in tries:
        try:
            return data.decode(codec)
        except (UnicodeError, LookupError):
            continue
    return _guess(data)


def _guess(data: bytes) -> str:
    """Neither the label nor UTF-8 fits: damaged UTF-8 if it is mostly that, else Windows-1252."""
    damaged = data.decode("utf-8", "replace")
    sound = sum(1 for c in damaged if c > "\x7f" and c != "\ufffd")
    if sound > damaged.count("\ufffd"):
        return damaged
    return data.decode("latin-1").translate(_CP1252)


def _codec(label: str) -> str:
    """The name of the codec to use for ``label``, '' for one that is unknown or not for mail."""
    label = label.strip(" \t\r\n\"'").lower()[:40]
    try:
        name = codecs.lookup(_ALIASES.get(label, label)).name
    except (LookupError, ValueError, UnicodeError):
        return ""
    return _WIDER.get(name, name) if _FOR_TEXT.match(name) else ""
