"""How the title's map looks."""

from __future__ import annotations

from pbem.core.documents import OnMap, View
from pbem.games.contract import MapStyle
from pbem.kit.grid import Grid, Sheet


def _on_map(view: View) -> OnMap:
    from pbem.games.invasion_sicily.telling.on_map import on_map

    return on_map(view)


MAP_STYLE: MapStyle = {
    "colours": {"allied": "#1f5fae", "axis": "#9c3b12"},
    "unknown": {"allied": ("#b9cbe2", "#1f3d63"), "axis": ("#dcc3b0", "#5d2409")},
    "drawn": ("units", "control", "strongpoints", "attacks", "ports"),
    "hexes": {
        "grid": Grid(flat=True, shifted=1, names="CCRR", sheets=(Sheet("", (1, 60), (1, 40)),)),
        "terrain": {
            "clear": ("#f3eddb", 0), "hill": ("#e2d2a4", 1), "mountain": ("#c9b083", 2), "alpine": ("#b39a76", 3),
            "sea": ("#a9c3cf", 0),
        },
        "towns": ("city", "towns"), "roads": ("main", "minor"), "north": 52, "metres": 8220,
        "badges": {
            "unsupplied": ("U", "#5b1a7a", "unsupplied"), "disrupted": ("D", "#b3200c", "disrupted"),
            "fired": ("F", "#5a5a5a", "has fired"),
        },
        "on_map": _on_map,
    },
}  # fmt: skip
"""2.1 Flat tops, odd columns half a hex lower.  ``north`` and ``metres``: by the places of the rows of hexes.csv."""
