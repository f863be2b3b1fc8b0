"""How a player wants his mails: ``set html off``, ``set map off``, ``set digest on``, ``set width 60``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.store.api import Seat

NARROWEST, WIDEST = 40, 100
"""Columns that a text part may have."""

SWITCHES = {
    "html": "the version with colours beside the plain text; without it the map is attached",
    "map": "pictures of the map with the reports",
    "files": "the attachments: calendar entry, data, dice",
    "digest": "no report until you are asked something; it tells all that has happened since",
}
YES, NO = ("on", "yes", "true", "1"), ("off", "no", "false", "0")


class BadWish(ValueError):
    """What was asked for cannot be set; says why."""


@dataclass(frozen=True, slots=True)
class MailPreferences:
    """The wishes of a seat; what a player never said is as it stands here."""

    html: bool = True
    map: bool = True
    files: bool = True
    digest: bool = False
    width: int = 72

    @classmethod
    def of(cls, seat: Seat) -> MailPreferences:
        """The wishes that a seat has kept."""
        return cls(**{k: v for k, v in seat.wishes.items() if k in cls.__slots__})

    def lines(self) -> list[str]:
        """All of them as the lines that would set them."""
        said = [f"set {name} {'on' if getattr(self, name) else 'off'}: {what}" for name, what in SWITCHES.items()]
        return [*said, f"set width {self.width}: columns of the plain text"]


def wish(kept: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """``kept`` with what ``words`` ('html', 'off') set; :class:`BadWish` if they set nothing."""
    said = [w for w in (word.lower().strip("=:") for word in words) if w not in ("", "to")]
    name, value = (*said, "", "")[:2]
    if name == "width":
        if not value.isdecimal() or len(value) > 3 or not NARROWEST <= int(value) <= WIDEST:
            raise BadWish(f"'set width {value[:20]}': give a number of columns from {NARROWEST} to {WIDEST}")
        return {**kept, "width": int(value)}
    if name not in SWITCHES:
        raise BadWish(f"'set {name[:20]}': what can be set is {', '.join([*SWITCHES, 'width'])}")
    if value not in (*YES, *NO):
        raise BadWish(f"'set {name} {value[:20]}': write 'on' or 'off'")
    return {**kept, name: value in YES}
