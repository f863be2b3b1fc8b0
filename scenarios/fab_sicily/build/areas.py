"""Draw the 65 areas: map/areas.geojson, map/borders.geojson, and the list of borders in data/touching.csv.

An area is all land nearer to one of its seeds (data/seeds.csv: its town, and points that shape it) than to
any other area's.  Where areas meet in one point (20.0) each has a seed on a circle round it (data/corners.csv).
Needs numpy, shapely and scipy, which pbem itself does not.  Run it from this folder: ``python areas.py``.
"""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import shapely
from shapely.geometry import LineString, MultiLineString, MultiPoint, Point, Polygon, mapping
from shapely.ops import linemerge, unary_union, voronoi_diagram

HERE = Path(__file__).parent
EAST = math.cos(math.radians(37.5)) * 111.32
NORTH = 111.0
SHORTEST_BORDER = 1.5
"""Kilometres; areas that touch over less meet in a point (5.32: no movement)."""
JITTER = 0.002
"""Kilometres; four seeds exactly on a circle make cells that shapely cannot join."""


def km(lat: float, lon: float) -> tuple[float, float]:
    """Kilometres east and north of the island's middle."""
    return (lon - 14.2) * EAST, (lat - 37.5) * NORTH


def rows(name: str) -> list[dict[str, str]]:
    """A data file."""
    with (HERE / "data" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def seeds() -> list[tuple[int, tuple[float, float]]]:
    """Area and place of every seed."""
    found = [(int(r["area"]), km(float(r["lat"]), float(r["lon"]))) for r in rows("seeds.csv")]
    for corner in rows("corners.csv"):
        x, y = km(float(corner["lat"]), float(corner["lon"]))
        radius = float(corner["radius_km"])
        found = [(a, p) for a, p in found if math.dist(p, (x, y)) > radius + 0.01]
        for n, part in enumerate(corner["area_bearing"].split()):
            area, bearing = part.split(":")
            turn, reach = math.radians(float(bearing)), radius + n * JITTER
            found.append((int(area), (x + reach * math.sin(turn), y + reach * math.cos(turn))))
    return found


def coast() -> Polygon:
    """The island."""
    feature = json.loads((HERE / "data" / "coast.geojson").read_text(encoding="utf-8"))["features"][0]
    return Polygon([km(lat, lon) for lon, lat in feature["geometry"]["coordinates"][0]])


def shapes() -> dict[int, Polygon]:
    """The areas."""
    island, points = coast(), seeds()
    cells = voronoi_diagram(MultiPoint([p for _, p in points]), envelope=island.envelope.buffer(60))
    tree = shapely.STRtree([Point(p) for _, p in points])
    parts = defaultdict(list)
    for cell in cells.geoms:
        owner = next(i for i in tree.query(cell) if cell.covers(Point(points[i][1])))
        parts[points[owner][0]].append(cell)
    return {a: unary_union(parts[a]).intersection(island) for a in sorted(parts)}


def touching(areas: dict[int, Polygon]) -> dict[tuple[int, int], float]:
    """Kilometres of border between areas."""
    found = {}
    for a, b in combinations(areas, 2):
        if areas[a].distance(areas[b]) < 1e-6:
            found[a, b] = areas[a].boundary.intersection(areas[b].boundary).length
    return found


def back(shape: Polygon) -> Polygon:
    """Degrees again."""
    return shapely.transform(shape, lambda p: p / [EAST, NORTH] + [14.2, 37.5])


def line(a: Polygon, b: Polygon) -> LineString | MultiLineString:
    """The border between two areas, in degrees."""
    shared = a.boundary.intersection(b.boundary)
    parts = [g for g in getattr(shared, "geoms", [shared]) if g.length > 0]
    return shapely.set_precision(back(linemerge(MultiLineString(parts)).simplify(0.05)), 1e-4)


def write(name: str, features: list[dict[str, object]]) -> None:
    """A file of the map."""
    said = "Own reconstruction. Coast: Natural Earth (public domain)."
    text = json.dumps({"type": "FeatureCollection", "attribution": said, "features": features}, separators=(",", ":"))
    (HERE.parent / "map" / name).write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Write the files and say what looks wrong."""
    areas = shapes()
    borders = touching(areas)
    for a, shape in areas.items():
        if shape.geom_type != "Polygon":
            print(f"area {a} is in {len(shape.geoms)} pieces")
    features = [
        {"type": "Feature", "properties": {"area": a}, "geometry": mapping(shapely.set_precision(back(s.simplify(0.12)), 1e-4))}
        for a, s in areas.items()
    ]
    lines = [
        {"type": "Feature", "properties": {"border": f"{a}-{b}"}, "geometry": mapping(line(areas[a], areas[b]))}
        for (a, b), length in borders.items() if length >= SHORTEST_BORDER
    ]
    write("areas.geojson", features)
    write("borders.geojson", lines)
    with (HERE / "data" / "touching.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["a", "b", "km"])
        writer.writerows([a, b, f"{length:.1f}"] for (a, b), length in borders.items() if length >= SHORTEST_BORDER)
    print(len(areas), "areas;", sum(x >= SHORTEST_BORDER for x in borders.values()), "borders; points:",
          [f"{a}-{b} {x:.2f}" for (a, b), x in borders.items() if x < SHORTEST_BORDER])


if __name__ == "__main__":
    main()
