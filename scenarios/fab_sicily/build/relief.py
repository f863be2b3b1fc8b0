"""Propose Terrain Difficulty Numbers from the ground: data/relief.csv.

The score of an area is the mean local relief (highest less lowest point within about 2.5 km) plus half the
mean height, in metres.  The limits are set so that the four printed numbers come out: Gela and Licata 0,
Palazzolo Acreide and Sant'Agata 2; Etna alone is a 3.  Needs numpy and shapely.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import shapely
from numpy.lib.stride_tricks import sliding_window_view

from areas import EAST, NORTH, shapes

HERE = Path(__file__).parent
LIMITS = (250, 400, 1000)


def main() -> None:
    """Write the file."""
    dem = np.load(HERE / "data" / "dem.npz")
    height = dem["elev_m"].astype(float)
    step = float(dem["step_deg"])
    lat = float(dem["lat_top"]) - (np.arange(height.shape[0]) + 0.5) * step
    lon = float(dem["lon_left"]) + (np.arange(height.shape[1]) + 0.5) * step
    east, north = np.meshgrid((lon - 14.2) * EAST, (lat - 37.5) * NORTH)
    near = sliding_window_view(np.pad(height, 2, mode="edge"), (5, 5))
    relief = near.max((2, 3)) - near.min((2, 3))
    with (HERE / "data" / "relief.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["area", "height", "relief", "score", "tdn"])
        for area, shape in shapes().items():
            inside = shapely.contains_xy(shape, east, north)
            high, rough = height[inside].mean(), relief[inside].mean()
            score = rough + high / 2
            writer.writerow([area, round(high), round(rough), round(score), sum(score >= limit for limit in LIMITS)])


if __name__ == "__main__":
    main()
