"""The dice as a picture: how often each face fell, and luck over time.  SVG; whoever wants pixels has it rastered."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pbem.audit.history import Roll, Succeeds
from pbem.audit.stats import Fairness, luck_over_time

WIDTH, HEIGHT = 900, 620
INK, PAPER = "#222222", "#ffffff"
COLOURS = ("#1f5a96", "#b5541c", "#5b6f2a", "#6a3d8f")
DASHES = ("", "8 4", "2 3", "10 3 2 3")
"""Lines and bars are told apart by dash and pattern too, not by colour alone."""


def chart(rolls: Sequence[Roll], tested: Sequence[Fairness], succeeds: Succeeds, title: str = "") -> str:
    """Above the histogram of each side's usual dice, below its luck over time with two standard errors about nothing.
    ``tested``: what :func:`~pbem.audit.stats.all_sides` found."""
    usual = [f for f in tested if f.die == tested[0].die and f.side != "all"]
    sides = [f.side for f in usual]
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        f'<text x="{WIDTH / 2}" y="28" font-size="18" text-anchor="middle" font-weight="bold">{escape(title)}</text>',
        *_histogram(usual, 60, 60, WIDTH - 90, 210), *_luck(rolls, succeeds, sides, 60, 350, WIDTH - 90, 220),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="DejaVu Sans, sans-serif" font-size="13" fill="{INK}" role="img">{"".join(body)}</svg>'
    )


def _histogram(found: Sequence[Fairness], x: float, y: float, w: float, h: float) -> list[str]:
    values = found[0].values
    top = max([1, *(c for f in found for c in f.counts), *(d for f in found for d in f.due)]) * 1.1
    what = f"Faces of the {found[0].die}" if found[0].die[0] == "d" else f"Sums of {found[0].die}"
    out = [_text(x, y - 8, f"{what} ({sum(f.n for f in found)}); a line where each is expected")]
    slot = w / len(values)
    bar = slot * 0.8 / max(1, len(found))
    for n, value in enumerate(values):
        for i, f in enumerate(found):
            tall = f.counts[n] / top * h
            left = x + n * slot + slot * 0.1 + i * bar
            out.append(_rect(left, y + h - tall, bar - 2, tall, COLOURS[i % 4], hollow=i % 2 == 1))
            out.append(_text(left + bar / 2 - 1, y + h - tall - 3, str(f.counts[n]), size=11, anchor="middle"))
        out.append(_text(x + (n + 0.5) * slot, y + h + 16, str(value), anchor="middle"))
    for i, f in enumerate(found):
        levels = [(x + (n + at) * slot, y + h - d / top * h) for n, d in enumerate(f.due) for at in (0, 1)]
        out.append(_line(levels, COLOURS[i % 4], DASHES[i % 4], 1.2))
        out += _key(x + 300 * i, y + h + 40, i, f"{f.side}, {f.n} dice")
    return [*out, _line([(x, y + h), (x + w, y + h)], INK, "", 1)]


def _luck(rolls: Sequence[Roll], succeeds: Succeeds, sides: Sequence[str], x: float, y: float, w: float, h: float) -> list[str]:
    found = [luck_over_time(rolls, succeeds, side) for side in sides]
    points = [p for line in found for p in line]
    out = [_text(x, y - 8, "Luck: successes less those expected; the thin lines are two standard errors away")]
    if not points:
        return [*out, _text(x + w / 2, y + h / 2, "no dice with a target yet", anchor="middle")]
    first, last = min(p[0] for p in points), max(p[0] for p in points)
    reach = max([1.0, *(abs(p[1]) for p in points), *(2 * p[2] for p in points)]) * 1.05

    def at(number: float, value: float) -> tuple[float, float]:
        return x + (number - first) / max(1, last - first) * w, y + h / 2 - value / reach * h / 2

    for i, line in enumerate(found):
        colour, dash = COLOURS[i % 4], DASHES[i % 4]
        for sign in (2, -2):
            out.append(_line([at(n, sign * e) for n, _, e in line], colour, dash, 0.6))
        out.append(_line([at(n, v) for n, v, _ in line], colour, dash, 2.2))
    out += [_line([at(first, 0), at(last, 0)], INK, "", 1), _line([(x, y), (x, y + h)], INK, "", 1)]
    for value in (-reach / 1.05, 0.0, reach / 1.05):
        out.append(_text(x - 6, at(first, value)[1] + 4, f"{value:+.0f}" if value else "0", anchor="end", size=11))
    out += [_text(x, y + h + 16, f"roll {first}"), _text(x + w, y + h + 16, f"roll {last}", anchor="end")]
    for i, side in enumerate(sides):
        balance = found[i][-1] if found[i] else (0, 0.0, 0.0)
        out += _key(x + 300 * i, y + h + 36, i, f"{side} {balance[1]:+.1f}, standard error {balance[2]:.1f}")
    return out


def _key(x: float, y: float, i: int, words: str) -> list[str]:
    return [
        _rect(x, y - 10, 12, 10, COLOURS[i % 4], hollow=i % 2 == 1),
        _line([(x + 16, y - 5), (x + 44, y - 5)], COLOURS[i % 4], DASHES[i % 4], 2.2), _text(x + 50, y, words),
    ]


def _text(x: float, y: float, words: str, size: int = 13, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(words)}</text>'


def _rect(x: float, y: float, w: float, h: float, colour: str, hollow: bool) -> str:
    paint = f'fill="{PAPER}" stroke="{colour}" stroke-width="1.6"' if hollow else f'fill="{colour}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0, w):.1f}" height="{max(0, h):.1f}" {paint}/>'


def _line(points: Sequence[tuple[float, float]], colour: str, dash: str, width: float) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'
