"""Counters, markers and signs as SVG text.  Colour is never the only sign: shapes, letters and words say the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from pbem.reports.maps.marks import Mark, around, path, placed

INK, PAPER = "#23201a", "#fffdf3"
NATIONS = {"us": ("#8ea35a", "#14180a"), "uk": ("#d1a27c", "#2b140a"), "it": ("#c3cf86", "#262b10"), "de": ("#a9b1a6", "#1d211c")}
"""Fill and ink of a known block."""



@dataclass(frozen=True)
class Style:
    """What a title's counters and flags are painted with: see :class:`pbem.games.contract.MapStyle`."""

    colours: Mapping[str, str]
    unknown: Mapping[str, tuple[str, str]]

    @classmethod
    def of(cls, ground: Mapping[str, Any]) -> Style:
        """The style of a map's title."""
        return cls(ground["style"]["colours"], ground["style"]["unknown"])

    @property
    def sides(self) -> list[str]:
        """The sides, the one that plays first in front."""
        return list(self.colours)

    def first(self, side: str) -> bool:
        """Whether a side is the one in front."""
        return side == self.sides[0]

    @property
    def inks(self) -> list[str]:
        """All its colours."""
        return [*self.colours.values(), *(c for pair in self.unknown.values() for c in pair)]


BADGES = {"disordered": ("D", "#b3200c"), "recovering": ("r", "#c46a00"), "supply": ("U", "#5b1a7a"), "reserve": ("R", "#1f5fae"),
          "exploit": ("E", "#2c7a1f")}  # fmt: skip

ID_ROOM = 1.4
"""Size of the letters of a block's id, times their number, as a part of its breadth: so long an id fits."""


def text(
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    fill: str = INK,
    bold: bool = False,
    anchor: str = "middle",
    halo: bool = False,
) -> str:
    """Words on the map, with a halo where they lie on the ground."""
    weight = ' font-weight="bold"' if bold else ""
    edge = f' stroke="{PAPER}" stroke-width="{size * 0.28:.1f}" stroke-opacity=".8" paint-order="stroke" stroke-linejoin="round"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" fill="{fill}"{weight}'
        f"{edge if halo else ''}>{lettering(words)}</text>"
    )


def lettering(words: str) -> str:
    """Words as the text of an element; XML has no room for controls."""
    return escape(words if words.isprintable() else "".join(c if c.isprintable() else " " for c in words))


def nato(symbol: str, x: float, y: float, w: float, h: float, ink: str) -> str:
    """The box with the sign of the arm; x, y is its top left corner."""
    cx, cy = x + w / 2, y + h / 2
    box = f"M{x:.1f} {y:.1f}h{w:.1f}v{h:.1f}h{-w:.1f}z"
    cross = f"M{x:.1f} {y:.1f}l{w:.1f} {h:.1f}M{x:.1f} {y + h:.1f}l{w:.1f} {-h:.1f}"
    half, r = w * 0.36, h * 0.26
    bow = f"a{r:.1f} {r:.1f} 0 0 1"
    track = f"M{cx - half + r:.1f} {cy - r:.1f}H{cx + half - r:.1f}{bow} 0 {2 * r:.1f}H{cx - half + r:.1f}{bow} 0 {-2 * r:.1f}z"
    wing = f"q{w * 0.08:.1f} {-h * 0.24:.1f} {w * 0.16:.1f} 0"
    gull = f"M{cx - w * 0.16:.1f} {y + h * 0.96:.1f}{wing}{wing}"
    slash = f"M{x:.1f} {y + h:.1f}l{w:.1f} {-h:.1f}"
    tooth = f"v{h * 0.5:.1f}"
    fork = f"M{cx - w * 0.25:.1f} {y + h * 0.75:.1f}v{-h * 0.5:.1f}h{w * 0.5:.1f}{tooth}M{cx:.1f} {y + h * 0.25:.1f}{tooth}"
    hook = f"M{cx - w * 0.2:.1f} {y + h * 0.6:.1f}q{w * 0.2:.1f} {h * 0.4:.1f} {w * 0.4:.1f} 0"
    signs = {
        "inf": cross, "arm": track, "mech": cross + track, "para": cross + gull, "recon": slash, "eng": fork,
        "at": f"M{x:.1f} {y + h:.1f}L{cx:.1f} {y:.1f}L{x + w:.1f} {y + h:.1f}", "supply": f"M{x:.1f} {y + h * 0.72:.1f}h{w:.1f}",
        "hq": f"M{x:.1f} {y + h * 0.4:.1f}h{w:.1f}", "sp": track,
        "mtn": cross + f"M{cx - w * 0.14:.1f} {y + h:.1f}l{w * 0.14:.1f} {-h * 0.4:.1f}l{w * 0.14:.1f} {h * 0.4:.1f}z",
        "air": f"M{cx:.1f} {cy:.1f}l{-w * 0.32:.1f} {-h * 0.25:.1f}v{h * 0.5:.1f}l{w * 0.64:.1f} {-h * 0.5:.1f}v{h * 0.5:.1f}z",
        "sea": f"M{cx:.1f} {y + h * 0.15:.1f}v{h * 0.7:.1f}{hook}",
    }  # fmt: skip
    gun = f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="{h * 0.2:.1f}" fill="{ink}"/>' if symbol in ("art", "sp") else ""
    return f'<path d="{box}{signs.get(symbol, "")}" fill="none" stroke="{ink}" stroke-width="1.2"/>{gun}'


def counter(style: Style, block: Mapping[str, Any], x: float, y: float, size: float) -> str:
    """A block, centred on x, y: known with id, arm and steps; unknown blank with a question mark."""
    h = size / 2
    fill, ink = style.unknown[block["side"]]
    if block["known"]:
        fill, ink = NATIONS.get(block.get("nation", ""), (fill, ink))
    edge = style.colours[block["side"]]
    square = f'width="{size:.1f}" height="{size:.1f}" rx="3"'
    out = [
        f'<rect x="{x - h + 1.5:.1f}" y="{y - h + 2:.1f}" {square} fill="#000" fill-opacity=".3"/>',
        f'<rect x="{x - h:.1f}" y="{y - h:.1f}" {square} fill="{fill}" stroke="{edge}" '
        f'stroke-width="1.8"{_dash(style, block["side"])}/>',
    ]
    if block["known"]:
        letters = min(0.27, ID_ROOM / len(block["id"]))
        out.append(text(x, y - h * 0.5, block["id"], size * letters, fill=ink, bold=True))
        out.append(nato(block["symbol"], x - size * 0.26, y - h * 0.36, size * 0.52, size * 0.32, ink))
        out.append(_strength(block, x, y + h * 0.72, size, ink))
    else:
        out.append(text(x, y + size * 0.17, "S" if block["garrison"] else "?", size * 0.5, fill=ink, bold=True))
    return "".join(out) + _badges(block, x + h, y - h, size)


def _dash(style: Style, side: str) -> str:
    """The second side has a dashed edge, so that sides differ without colour."""
    return "" if style.first(side) else ' stroke-dasharray="5 2"'


def _strength(block: Mapping[str, Any], x: float, y: float, size: float, ink: str) -> str:
    """One sign a step: square veteran, diamond elite, ring green; a bar for a lost step."""
    if not block["steps"]:
        return text(x, y + size * 0.08, "?", size * 0.26, fill=ink, bold=True)
    gap, r = size * 0.2, size * 0.07
    left = x - gap * (block["full"] - 1) / 2
    signs, lost = "", ""
    for i in range(block["full"]):
        px = left + i * gap
        if i >= block["steps"]:
            lost += f"M{px - r:.1f} {y:.1f}h{2 * r:.1f}"
        elif block["quality"] == "elite":
            a, b = r * 1.4, r * 1.5
            signs += f"M{px:.1f} {y - b:.1f}l{a:.1f} {b:.1f} {-a:.1f} {b:.1f} {-a:.1f} {-b:.1f}z"
        elif block["quality"] == "green":
            signs += f"M{px - r:.1f} {y:.1f}a{r:.1f} {r:.1f} 0 0 1 {2 * r:.1f} 0a{r:.1f} {r:.1f} 0 0 1 {-2 * r:.1f} 0z"
        else:
            signs += f"M{px - r:.1f} {y - r:.1f}h{2 * r:.1f}v{2 * r:.1f}h{-2 * r:.1f}z"
    paints = {"elite": 'fill="#b3200c"', "green": f'fill="#fff" stroke="{ink}" stroke-width="1"'}
    paint = paints.get(block["quality"], f'fill="{ink}"')
    bars = f'<path d="{lost}" stroke="{ink}" stroke-width="1"/>' if lost else ""
    return f'<path d="{signs}" {paint}/>{bars}'


def _badges(block: Mapping[str, Any], x: float, y: float, size: float) -> str:
    """Lettered discs for the markers on a block, down its right edge."""
    keys = [block["status"]] if block["status"] != "good" else []
    keys += [] if block["supplied"] else ["supply"]
    keys += [k for k in ("reserve", "exploit") if block[k]]
    r = size * 0.17
    return "".join(badge(*BADGES[k], x, y + i * r * 2.1, r) for i, k in enumerate(keys))


def badge(letter: str, colour: str, x: float, y: float, r: float) -> str:
    """A disc with a letter."""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour}" stroke="#fff" stroke-width="1"/>' + text(
        x, y + r * 0.55, letter, r * 1.5, fill="#fff", bold=True
    )


def battle_sign(x: float, y: float, r: float) -> str:
    """Crossed swords in a burst: there has been a battle."""
    spikes = []
    for i in range(20):
        reach, turn = r * (1.25 if i % 2 == 0 else 0.92), i * math.pi / 10
        spikes.append(f"{x + reach * math.sin(turn):.1f} {y - reach * math.cos(turn):.1f}")
    k = r * 0.55
    swords = f"M{x - k:.1f} {y - k:.1f}l{2 * k:.1f} {2 * k:.1f}M{x + k:.1f} {y - k:.1f}l{-2 * k:.1f} {2 * k:.1f}"
    hilts = (
        f"M{x - k:.1f} {y + k * 0.3:.1f}l{k * 0.7:.1f} {k * 0.7:.1f}M{x + k:.1f} {y + k * 0.3:.1f}l{-k * 0.7:.1f} {k * 0.7:.1f}"
    )
    return (
        f'<path d="M{"L".join(spikes)}Z" fill="#c2180a" stroke="#fff" stroke-width="1"/>'
        f'<path d="{swords}{hilts}" stroke="#fff" stroke-width="{r * 0.22:.1f}" stroke-linecap="round"/>'
    )


def pill(x: float, y: float, words: str, size: float, fill: str, ink: str = "#fff") -> str:
    """A marker in words."""
    w, h = len(words) * size * 0.62 + size, size * 1.5
    return (
        f'<rect x="{x - w / 2:.1f}" y="{y - h / 2:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{h / 2:.1f}" fill="{fill}" '
        f'stroke="#fff" stroke-width="1"/>' + text(x, y + size * 0.36, words, size, fill=ink, bold=True)
    )


def flag(style: Style, side: str, x: float, y: float, size: float) -> str:
    """A small flag on a pole: pointed for the first side, square for the second."""
    colour = style.colours[side]
    cloth = f"h{size:.1f}l{-size * 0.3:.1f} {size * 0.32:.1f}l{size * 0.3:.1f} {size * 0.32:.1f}h{-size:.1f}z"
    square = f"h{size * 0.85:.1f}v{size * 0.64:.1f}h{-size * 0.85:.1f}z"
    return (
        f'<path d="M{x:.1f} {y:.1f}{cloth if style.first(side) else square}" fill="{colour}" stroke="#fff" stroke-width=".6"/>'
        f'<path d="M{x:.1f} {y - 1:.1f}v{size * 1.35:.1f}" stroke="{INK}" stroke-width="1.3"/>'
    )


def star(x: float, y: float, r: float, words: str) -> str:
    """Victory points."""
    points = []
    for i in range(10):
        reach = r if i % 2 == 0 else r * 0.5
        points.append((x + reach * math.sin(i * math.pi / 5), y - reach * math.cos(i * math.pi / 5)))
    return f'<path d="{path(points)}" fill="#f2c230" stroke="#4a3b10" stroke-width=".8"/>' + text(
        x, y + r * 0.3, words, r * 0.85, bold=True
    )


# -- the same as marks ----------------------------------------------------------------------------------


def row(style: Style, blocks: Sequence[Mapping[str, Any]], x: float, y: float, size: float) -> list[Mark]:
    """Blocks side by side, centred."""
    gap = size * 1.14
    return [counter_mark(style, b, x + (i - (len(blocks) - 1) / 2) * gap, y, size) for i, b in enumerate(blocks)]


def counter_mark(style: Style, block: Mapping[str, Any], x: float, y: float, size: float) -> Mark:
    """A block with its badges."""
    reach = size / 2
    return placed(counter(style, block, 0, 0, size), x, y, -reach - 2, -reach * 1.4 - 2, reach * 1.4 + 3, reach * 1.1 + 4)


def text_mark(x: float, y: float, words: str, size: float, **how: Any) -> Mark:
    """Words; see :func:`text`."""
    wide, middle = len(words) * size * 0.82 + size, how.get("anchor", "middle")
    left = {"middle": wide / 2, "start": size / 2, "end": wide}[middle]
    return placed(text(0, 0, words, size, **how), x, y, -left, -size * 1.2, wide - left, size * 0.5)


def flag_mark(style: Style, side: str, x: float, y: float, size: float) -> Mark:
    """See :func:`flag`."""
    return placed(flag(style, side, 0, 0, size), x, y, -2, -3, size + 2, size * 1.5)


def pill_mark(x: float, y: float, words: str, size: float, fill: str) -> Mark:
    """See :func:`pill`."""
    wide = len(words) * size * 0.31 + size / 2 + 2
    return placed(pill(0, 0, words, size, fill), x, y, -wide, -size, wide, size)


def battle_mark(x: float, y: float, r: float) -> Mark:
    """See :func:`battle_sign`."""
    return around(battle_sign(0, 0, r), x, y, r * 1.35 + 1)


def star_mark(x: float, y: float, r: float, words: str) -> Mark:
    """See :func:`star`."""
    return around(star(0, 0, r, words), x, y, r * 1.1 + 2)
