"""Shade the relief: map/relief.geojson, the slopes that face the light and those that lie in shadow, as flat shapes.

The light comes from the north-west, as on printed maps.  Flat shapes keep pictures small and sharp at any scale.
Needs numpy, scipy and shapely.  Run it from this folder: ``python shading.py``.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import shapely
from scipy import ndimage
from shapely.geometry import mapping
from shapely.ops import unary_union

from areas import back, coast, km

HERE = Path(__file__).parent
FINER = 3
"""Cells are divided by this before shading."""
STEEPER = 9.0
"""Heights are exaggerated so much."""
LEVELS = (("light", 0.88, 2.0), ("dim", -1.0, 0.52), ("dark", -1.0, 0.32))
"""Name and limits of brightness; level ground has 0.71."""
SMALLEST = 10.0
"""Square kilometres; smaller patches are left out."""


def main() -> None:
    """Write the file."""
    dem = np.load(HERE / "data" / "dem.npz")
    step = float(dem["step_deg"]) / FINER
    height = ndimage.gaussian_filter(
        ndimage.zoom(dem["elev_m"].astype(float), FINER, order=1, grid_mode=True, mode="nearest"), 2.4
    )
    cell = 111_200 * step
    south, east = np.gradient(height * STEEPER / 10, cell, cell * 0.79)
    slope, aspect = np.arctan(np.hypot(south, east) * 10), np.arctan2(south, -east)
    light = np.sin(np.pi / 4) * np.cos(slope) + np.cos(np.pi / 4) * np.sin(slope) * np.cos(3 * np.pi / 4 - aspect)
    island, features = coast(), []
    for name, low, high in LEVELS:
        shape = _shape((light >= low) & (light < high), float(dem["lat_top"]), float(dem["lon_left"]), step).intersection(island)
        parts = [p for p in getattr(shape, "geoms", [shape]) if p.geom_type == "Polygon" and p.area >= SMALLEST]
        rounded = unary_union([p.buffer(0.6).buffer(-1.2).buffer(0.6) for p in parts]).simplify(0.22)
        rings = shapely.set_precision(back(rounded), 1e-3)
        features.append({"type": "Feature", "properties": {"shade": name}, "geometry": mapping(rings)})
        print(name, len(parts), "patches", round(rounded.area), "square kilometres")
    said = "Derived from NOAA GLOBE elevation (public domain)."
    text = json.dumps({"type": "FeatureCollection", "attribution": said, "features": features}, separators=(",", ":"))
    (HERE.parent / "map" / "relief.geojson").write_text(text + "\n", encoding="utf-8")
    print(len(text), "bytes")


def _shape(mask: np.ndarray, top: float, left: float, step: float) -> shapely.Geometry:
    """The cells that are set, in kilometres, joined row by row."""
    boxes = []
    for i, row in enumerate(mask):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(np.int8), [0]))))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            west, north = km(top - i * step, left + start * step)
            east, south = km(top - (i + 1) * step, left + stop * step)
            boxes.append(shapely.box(west, south, east, north))
    return unary_union(boxes)


if __name__ == "__main__":
    main()
