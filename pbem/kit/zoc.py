"""Zones of control: which places units reach into, how strongly, and whose they are.

What exerts a zone, over which hexsides it goes and where it has no effect differs from title to title, so all of it is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pbem.kit.search import Near


class Zone(NamedTuple):
    """A zone in one place: its strength (units, or points) and the places that exert it, in the order given."""

    strength: int
    sources: tuple[str, ...]


def projected(
    near: Near[str], occupied: Iterable[str], exerts: Callable[[str], int],
    enters: Callable[[str, str], bool] = lambda here, there: True, immune: Callable[[str], bool] = lambda place: False,
) -> dict[str, Zone]:
    """The zones that a side projects, by place; places without one are left out.

    ``occupied``: where its units stand; ``exerts(place)``: how strongly those there reach into each place around (0 or False
    for not at all); ``enters(here, there)``: whether a zone goes over that hexside; ``immune(there)``: whether the place
    knows no zones (a city, a friendly unit).  A unit's own place is not in its zone unless another reaches into it.
    """
    found: dict[str, Zone] = {}
    for here in occupied:
        strength = int(exerts(here))
        if not strength:
            continue
        for there in near(here):
            if enters(here, there) and not immune(there):
                zone = found.get(there, Zone(0, ()))
                found[there] = Zone(zone.strength + strength, (*zone.sources, here))
    return found
