"""Make map/borders.csv: what the text states, then the roads and rivers of the real ground, then fields.

Run ``areas.py`` first.  The text (data/stated.csv) always prevails; every row says where it comes from.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
COLUMNS = (
    "a", "b", "source", "status", "connection", "connection_source", "connection_status", "river", "river_source",
    "river_status", "restricted",
)
Pair = tuple[int, int]
Fact = tuple[str, str, str]


def rows(name: str) -> list[dict[str, str]]:
    """A data file."""
    with (HERE / "data" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pair(row: dict[str, str]) -> Pair:
    """The two areas of a row."""
    return int(row["a"]), int(row["b"])


def main() -> int:
    """Write the file; 1 if the drawn areas contradict the text."""
    touching = {pair(r) for r in rows("touching.csv")}
    stated: dict[Pair, dict[str, Fact]] = defaultdict(dict)
    for r in rows("stated.csv"):
        kind, _, name = r["fact"].partition(" ")
        stated[pair(r)]["none" if kind == "no" else kind] = (name, r["source"], r["status"])
    roads = {pair(r): r["road"] for r in rows("roads.csv")}
    rivers = {pair(r): r["river"] for r in rows("rivers.csv")}
    wrong = [f"{p} must touch" for p, facts in stated.items() if "apart" not in facts and p not in touching]
    wrong += [f"{p} must not touch" for p, facts in stated.items() if "apart" in facts and p in touching]
    wrong += [f"{p} has a road or a river and no border" for p in {**roads, **rivers} if p not in touching]
    wrong += [f"{p} is stated to be a field, and roads.csv has it" for p in roads if "field" in stated[p]]
    print(*wrong, sep="\n")
    with (HERE.parent / "map" / "borders.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for p in sorted(touching):
            facts = stated[p]
            writer.writerow([*p, *border(facts), *connection(facts, roads.get(p)), *river(facts, rivers.get(p)),
                             "yes" if "restricted" in facts else "no"])
    return 1 if wrong else 0


def border(facts: dict[str, Fact]) -> tuple[str, str]:
    """Why the areas touch, and how sure that is."""
    for kind in ("adjacent", "road", "field", "river"):
        if kind in facts:
            return facts[kind][1:]
    return "position of the towns", "reconstructed"


def connection(facts: dict[str, Fact], road: str | None) -> tuple[str, str, str]:
    """5.31 Road or field."""
    for kind in ("road", "field"):
        if kind in facts:
            return kind, *facts[kind][1:]
    if road:
        return "road", f"1943 road net: {road}", "historical"
    if "restricted" in facts:
        return "field", "rule 14.1: no road is told of", "deduced"
    return "field", "1943 road net: no main road crosses", "reconstructed"


def river(facts: dict[str, Fact], name: str | None) -> tuple[str, str, str]:
    """5.31 The river, if any."""
    if "river" in facts:
        return facts["river"]
    if "none" in facts:
        return "", *facts["none"][1:]
    return (name, "real ground", "historical") if name else ("", "", "")


if __name__ == "__main__":
    sys.exit(main())
