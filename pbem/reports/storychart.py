"""Two small charts for the story of a game, as SVG: points over time and losses a turn.  Sides differ by mark and dash, not
by colour alone."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.reports.maps.counters import lettering

INKS = ("#1c4a80", "#9c3b12", "#4d7a2a", "#5b1a7a")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 240, 40, 16, 34
CLEAR = 14.0
"""Pixels from baseline to baseline of words that can both be read."""


def lines(labels: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> str:
    """A line for each of ``series`` (name and values) over ``labels``; every value is written at its point."""
    top = max([1, *(v for _, values in series for v in values)])
    right = max(len(name) for name, _ in series) * 8 + 24
    step = (WIDTH - LEFT - right) / max(1, len(labels) - 1)
    out = []
    for i, label in enumerate(labels):
        x = LEFT + i * step
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#cfc4a6" stroke-width="1"/>')
        out.append(_text(x, HEIGHT - 12, label))
    foot = HEIGHT - BOTTOM - CLEAR * len(series)
    ways = [[foot - v / top * (foot - TOP - 14) for v in values] for _, values in series]
    figures = [_beside([way[i] for way in ways]) for i in range(len(labels))]
    ends = _apart([way[-1] + 5 for way in ways])
    for n, (name, values) in enumerate(series):
        ink, points = INKS[n % len(INKS)], [(LEFT + i * step, y) for i, y in enumerate(ways[n])]
        way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        dash = f' stroke-dasharray="{6 * n} 4"' if n else ""
        out.append(f'<path d="{way}" fill="none" stroke="{ink}" stroke-width="3"{dash}/>')
        for i, ((x, y), value) in enumerate(zip(points, values, strict=True)):
            square = f'<rect x="{x - 5:.1f}" y="{y - 5:.1f}" width="10" height="10"'
            mark = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"' if n == 0 else square
            out.append(f'{mark} fill="{ink}" stroke="#fff"/>' + _text(x, figures[i][n], str(value), ink, bold=True))
        out.append(_text(points[-1][0] + 14, ends[n], name, ink, anchor="start", bold=True))
    return _document(HEIGHT, "".join(out), "Victory points over time: " + _in_words(labels, series))


def _beside(ys: Sequence[float]) -> list[float]:
    """Where the figures of points above one another are written: of the highest above it, of the others below, clear of each
    other."""
    highest = min(range(len(ys)), key=lambda n: (ys[n], n))
    below = iter(_apart([y + 19 for n, y in enumerate(ys) if n != highest]))
    return [ys[n] - 9 if n == highest else next(below) for n in range(len(ys))]


def _apart(ys: Sequence[float]) -> list[float]:
    """Baselines of lines of words moved down as far as is needed that none is written over another."""
    found, last = list(ys), -CLEAR
    for n in sorted(range(len(ys)), key=lambda n: (ys[n], n)):
        last = found[n] = max(ys[n], last + CLEAR)
    return found


def bars(labels: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Bars side by side for each of ``labels``, with their values; the colours are explained above."""
    top = max([1, *(v for _, values in series for v in values)])
    group = (WIDTH - LEFT) / max(1, len(labels))
    wide = group * 0.7 / max(1, len(series))
    out = []
    for i, label in enumerate(labels):
        out.append(_text(LEFT + (i + 0.35) * group, HEIGHT - 12, label))
        for n, (_, values) in enumerate(series):
            x, tall = LEFT + i * group + n * wide, values[i] / top * (HEIGHT - TOP - BOTTOM - 34)
            ink = INKS[n % len(INKS)]
            out.append(
                f'<rect x="{x:.1f}" y="{HEIGHT - BOTTOM - tall:.1f}" width="{wide - 3:.1f}" height="{tall:.1f}" fill="{ink}"/>'
                + _text(x + wide / 2, HEIGHT - BOTTOM - tall - 5, str(values[i]), ink, bold=True)
            )
    x = float(LEFT)
    for n, (name, _) in enumerate(series):
        ink = INKS[n % len(INKS)]
        out.append(f'<rect x="{x:.1f}" y="6" width="11" height="11" fill="{ink}"/>')
        out.append(_text(x + 16, 16, name, ink, "start", bold=True))
        x += 40 + 9 * len(name)
    return _document(HEIGHT, "".join(out), "Losses: " + _in_words(labels, series))


def _in_words(labels: Sequence[str], series: Sequence[tuple[str, Sequence[int]]]) -> str:
    return "; ".join(
        f"{name} " + ", ".join(f"{label} {v}" for label, v in zip(labels, values, strict=True)) for name, values in series
    )


def _text(x: float, y: float, words: str, ink: str = "#4a4433", anchor: str = "middle", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" text-anchor="{anchor}" fill="{ink}"{weight}>{lettering(words)}</text>'


def _document(height: int, body: str, words: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{lettering(words)}" '
        f'style="width:100%;max-width:{WIDTH}px;background:#fffdf7;border:1px solid #cfc4a6" '
        f'font-family="sans-serif">{body}</svg>'
    )
