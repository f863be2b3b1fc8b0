"""Areas and the borders between them, and the searches every area game needs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping


def nearest(
    start: str, neighbours: Callable[[str], Iterable[str]], goal: Callable[[str], bool]
) -> list[list[str]]:
    """All shortest paths (without ``start``) to the nearest places that meet ``goal``, in a fixed order."""
    paths: list[list[str]] = []
    seen = {start: 0}
    queue: deque[list[str]] = deque([[]])
    best: int | None = None
    while queue:
        path = queue.popleft()
        if best is not None and len(path) >= best:
            break
        for place in neighbours(path[-1] if path else start):
            if seen.get(place, len(path) + 1) < len(path) + 1:
                continue
            seen[place] = len(path) + 1
            longer = [*path, place]
            if goal(place):
                best = len(longer)
                paths.append(longer)
            else:
                queue.append(longer)
    return [p for p in paths if len(p) == best]


def reachable(start: str, neighbours: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """All places reachable from ``start`` and their distance in areas."""
    seen = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        for other in neighbours(place):
            if other not in seen:
                seen[other] = seen[place] + 1
                queue.append(other)
    return seen


def distances(adjacent: Mapping[str, Iterable[str]], start: str) -> dict[str, int]:
    """Distance in areas from ``start`` to every place of the map."""
    return reachable(start, lambda place: adjacent[place])
