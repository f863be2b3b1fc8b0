"""The map as a picture, drawn from a view and nothing else.

What never changes is drawn once and kept (:mod:`pbem.reports.maps.rasters`); a further picture only pastes what stands on
it, and a sector is cut from a larger drawing of the whole.  Maps of areas and of hexes differ in their paper and in what
stands on it; see the package for what a title gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.reports.maps import area_maps, hex_maps, rasters
from pbem.reports.maps.marks import written

FAMILY, FONTS = rasters.FAMILY, rasters.FONTS
LIMIT = 150_000
"""Bytes that a picture may have."""


def map_png(
    view: Mapping[str, Any], ground: Mapping[str, Any], *, size: int = 0, around: Sequence[str] = (),
    moves: Sequence[Mapping[str, Any]] = (), battles: Sequence[str] = (),
) -> bytes:
    """The position of ``view`` as PNG, ``size`` pixels wide (0: as suits the map; a sector always is as suits it).

    ``ground``: what :func:`pbem.bootstrap.geometry` gives; ``around``: the areas or hexes that are to fill the picture, if
    not all; ``moves``: the paths of the last moves (a report's 'moves'); ``battles``: the places where there has been one.
    """
    paper = _kind(ground).paper(view, ground, size, around)
    marks, picture = paper.marks(moves, battles), paper.picture()
    rasters.pasted(picture, marks)
    return rasters.packed(picture, paper.palette(), LIMIT)


def map_svg(
    view: Mapping[str, Any], ground: Mapping[str, Any], *, size: int = 0, around: Sequence[str] = (),
    moves: Sequence[Mapping[str, Any]] = (), battles: Sequence[str] = (),
) -> str:
    """The same picture as one SVG document."""
    paper = _kind(ground).paper(view, ground, size, around)
    above = written(paper.marks(moves, battles))
    return rasters.document(paper.width, paper.height, paper.landscape() + above)


def alt_text(view: Mapping[str, Any], ground: Mapping[str, Any], around: Sequence[str] = ()) -> str:
    """What the picture shows, in a sentence."""
    return _kind(ground).alt_text(view, ground, around)


def sectors(
    view: Mapping[str, Any], ground: Mapping[str, Any], battles: Sequence[str], asked: Sequence[str] = ()
) -> list[tuple[str, ...]]:
    """The parts of the map that deserve a picture of their own, as what is ``around``: where a battle was, is or may be, what
    a question is about (``asked``), and where units crowd.  The first ones matter most."""
    return _kind(ground).sectors(view, ground, battles, asked)


def _kind(ground: Mapping[str, Any]) -> Any:
    return hex_maps if "hexes" in ground else area_maps
