"""Draw the rivers from the elevation model: map/rivers.geojson, streams that drain 250 square kilometres or more.

Water runs from each cell to its lowest neighbour (pits are filled from the sea inwards); cells are about
0.9 km.  Needs numpy and shapely.
"""

from __future__ import annotations

import heapq
import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

HERE = Path(__file__).parent
SMALLEST = 250
"""Square kilometres."""
AROUND = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
Cell = tuple[int, int]


def main() -> None:
    """Write the file."""
    dem = np.load(HERE / "data" / "dem.npz")
    height, step = dem["elev_m"].astype(float), float(dem["step_deg"])
    lat = float(dem["lat_top"]) - (np.arange(height.shape[0]) + 0.5) * step
    lon = float(dem["lon_left"]) + (np.arange(height.shape[1]) + 0.5) * step
    coast = json.loads((HERE / "data" / "coast.geojson").read_text(encoding="utf-8"))["features"][0]
    land = shapely.contains_xy(Polygon(coast["geometry"]["coordinates"][0]), *np.meshgrid(lon, lat))
    order, target = drainage(np.where(land, np.maximum(height, 1), 0.0), land)
    cell = (111.2 * step) ** 2 * np.cos(np.radians(lat))
    drained: dict[Cell, float] = defaultdict(float)
    above: dict[Cell, list[Cell]] = defaultdict(list)
    for at in reversed(order):
        drained[at] += float(cell[at[0]])
        drained[target[at]] += drained[at]
        above[target[at]].append(at)
    features = []
    starts = [(target[at], at) for at in order if not land[target[at]] and drained[at] >= SMALLEST]
    while starts:
        below, at = starts.pop(0)
        size, line = drained[at], [below, at]
        while inflow := sorted((a for a in above[at] if drained[a] >= SMALLEST), key=lambda a: -drained[a]):
            starts += [(at, other) for other in inflow[1:]]
            at = inflow[0]
            line.append(at)
        if len(line) > 3:
            points = LineString([(lon[j], lat[i]) for i, j in reversed(line)]).simplify(step * 0.7)
            shape = {"type": "LineString", "coordinates": [[round(x, 4), round(y, 4)] for x, y in points.coords]}
            features.append({"type": "Feature", "properties": {"km2": round(size)}, "geometry": shape})
    said = "Derived from NOAA GLOBE elevation (public domain)."
    text = json.dumps({"type": "FeatureCollection", "attribution": said, "features": features}, separators=(",", ":"))
    (HERE.parent / "map" / "rivers.geojson").write_text(text + "\n", encoding="utf-8")
    print(len(features), "rivers")


def drainage(height: np.ndarray, land: np.ndarray) -> tuple[list[Cell], dict[Cell, Cell]]:
    """Land cells from the sea upwards, and where each one's water goes."""
    rows, columns = height.shape
    filled = np.where(land, math.inf, 0.0)
    queue: list[tuple[float, Cell]] = []
    parent: dict[Cell, Cell] = {}
    order: list[Cell] = []
    seen = ~land

    def around(at: Cell) -> list[Cell]:
        found = [(at[0] + i, at[1] + j) for i, j in AROUND]
        return [c for c in found if 0 <= c[0] < rows and 0 <= c[1] < columns]

    for at in zip(*np.nonzero(~land), strict=True):
        if any(land[c] for c in around(at)):
            heapq.heappush(queue, (0.0, (int(at[0]), int(at[1]))))
    while queue:
        level, at = heapq.heappop(queue)
        if land[at]:
            order.append(at)
        for other in around(at):
            if not seen[other]:
                seen[other] = True
                filled[other] = max(height[other], level + 1e-3)
                parent[other] = at
                heapq.heappush(queue, (float(filled[other]), other))
    target = {}
    for at in order:
        steps = {c: (filled[at] - filled[c]) / math.hypot(c[0] - at[0], (c[1] - at[1]) * 0.79) for c in around(at)}
        best = max(steps, key=lambda c: steps[c])
        target[at] = best if steps[best] > 0 else parent[at]
    return order, target


if __name__ == "__main__":
    main()
