"""SVG into pixels, by resvg and Pillow: the ground of a map kept on disk, the marks that stand on it in memory.

Fonts are shipped and the system's are left aside: same bytes on every machine.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

import PIL
import resvg_py
from PIL import Image, ImageColor

from pbem.reports.maps.marks import Extent, Mark

FONTS = tuple(str(Path(__file__).resolve().parents[1] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
FAMILY = "DejaVu Sans"
SPRITES = 3000
"""Marks of which the pixels are kept; most are smaller than 50 by 50."""

Sprite = tuple[Image.Image, Image.Image]
"""Colours, and how much of them covers the ground."""


def document(width: int, height: int, body: str, left: int = 0, top: int = 0) -> str:
    """A whole SVG document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{left} {top} {width} {height}" font-family="{FAMILY}">{body}</svg>'
    )


def raster(svg: str) -> Image.Image:
    """The pixels of a document, RGBA."""
    fonts = list(FONTS) if "<text" in svg else []
    png = resvg_py.svg_to_bytes(
        svg_string=svg, font_files=fonts, skip_system_fonts=True, font_family=FAMILY, sans_serif_family=FAMILY
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def pasted(picture: Image.Image, marks: Iterable[Mark]) -> None:
    """Put marks onto a picture (RGB), in their order."""
    for mark in marks:
        left, top, right, bottom = mark.extent
        x, y = mark.x + left, mark.y + top
        if x < picture.width and y < picture.height and mark.x + right > 0 and mark.y + bottom > 0:
            colours, cover = _sprite(mark.face, mark.extent)
            picture.paste(colours, (x, y), cover)


@lru_cache(maxsize=SPRITES)
def _sprite(face: str, extent: Extent) -> Sprite:
    left, top, right, bottom = extent
    drawn = raster(document(max(1, right - left), max(1, bottom - top), face, left, top))
    return drawn.convert("RGB"), drawn.getchannel("A")


def kept(svg: str, folder: Path | None) -> Image.Image:
    """The pixels of a document that never changes (RGB), from ``folder`` if they are there, else drawn and put there.

    The name of the file is the digest of the document and of what draws it, so that a file is never out of date.  It is
    written aside and then moved, so that other processes see all of it or nothing.  Any of the files may be deleted at any
    time; where nothing can be written, nothing is kept.
    """
    if folder is None:
        return raster(svg).convert("RGB")
    made_by = f"resvg {resvg_py.__version__}, Pillow {PIL.__version__}\n"
    file = folder / f"{sha256((made_by + svg).encode()).hexdigest()[:32]}.png"
    try:
        with Image.open(file) as found:
            return found.convert("RGB")
    except OSError:  # not there yet, or damaged
        drawn = raster(svg).convert("RGB")
    _put(drawn, file)
    return drawn


def _put(picture: Image.Image, file: Path) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=file.parent, suffix=".new")
    except OSError:  # a folder that cannot be written: every process draws for itself
        return
    try:
        with os.fdopen(handle, "wb") as out:
            picture.save(out, "PNG", compress_level=1)
        os.replace(aside, file)
    except OSError:
        Path(aside).unlink(missing_ok=True)


def rgb(colour: str) -> tuple[int, ...]:
    """A colour as numbers."""
    return ImageColor.getrgb(colour)[:3]


# -- packing --------------------------------------------------------------------------------------------


def palette_of(whole: Image.Image, fixed: Iterable[str], papers: Iterable[str], colours: int) -> Image.Image:
    """Few colours, the same for every picture of a map: ``fixed``, what stands on it (and half-way to ``papers``, for soft
    edges); of ``colours`` more, half the most frequent ones of the ground and half its blends by median cut."""
    sample = whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.NEAREST)
    inks = [rgb(c) for c in fixed]
    soft = [tuple((v + w) // 2 for v, w in zip(c, rgb(p), strict=True)) for c in inks for p in papers]
    flat = _frequent(sample, colours // 2)
    blends = (sample.quantize(colours // 2, method=Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * (colours // 2)]
    values = ([v for c in dict.fromkeys((*inks, *soft, *flat)) for v in c] + blends)[: 3 * 256]
    table = Image.new("P", (1, 1))
    table.putpalette(values + values[-3:] * (256 - len(values) // 3))
    return table


def _frequent(image: Image.Image, number: int) -> list[tuple[int, ...]]:
    """The most frequent colours."""
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)
    return [c for _, c in counted[:number] if isinstance(c, tuple)]


def packed(picture: Image.Image, palette: Image.Image, limit: int) -> bytes:
    """The picture as PNG in the colours of the map; one of more bytes than ``limit`` is packed harder, then has fewer
    colours."""
    found = _png(picture.quantize(palette=palette, dither=Image.Dither.NONE), 6)
    for colours in (0, 96, 64, 48, 32):
        if len(found) <= limit:
            break
        fewer = picture.quantize(colours or 256, palette=None if colours else palette, dither=Image.Dither.NONE)
        found = _png(fewer, 8)
    return found


def _png(picture: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=level)
    return out.getvalue()
