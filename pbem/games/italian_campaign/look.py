"""How the title's map looks."""

from __future__ import annotations

from pbem.core.documents import OnMap, View
from pbem.games.contract import MapStyle
from pbem.kit.grid import Grid, Sheet


def _on_map(view: View) -> OnMap:
    from pbem.games.italian_campaign.telling.on_map import on_map

    return on_map(view)


MAP_STYLE: MapStyle = {
    "colours": {"allied": "#4f6b2e", "axis": "#5c6470"},
    "unknown": {"allied": ("#ccd6bd", "#33461d"), "axis": ("#ced2d8", "#32373f")},
    "drawn": ("units", "ports", "beachheads", "breakthroughs", "hits", "delays"),
    "hexes": {
        "grid": Grid(flat=True, shifted=1, names="CCRR", sheets=(Sheet("", (1, 60), (1, 40)),)),
        "terrain": {
            "lowland": ("#eef0d2", 0), "clear": ("#f3eddb", 0), "highland": ("#e2d2a4", 1), "mountain": ("#c9b083", 2),
            "summit": ("#b39a76", 3), "sea": ("#a9c3cf", 0),
        },
        "towns": ("town",), "roads": ("main", "minor", "trail"), "north": -29, "metres": 8610,
        "badges": {
            "disrupted": ("D", "#b3200c", "disrupted"), "iso": ("I", "#5b1a7a", "isolated"),
            "occ": ("O", "#2c3a55", "out of command control"),
        },
        "on_map": _on_map, "files": ("salerno_hexes.csv", "salerno_hexsides.csv"),
    },
}  # fmt: skip
"""Flat tops, odd columns half a hex lower.  ``north`` and ``metres``: by the places of the rows of salerno_hexes.csv, the
sheet of all scenarios."""
