"""4 A3, 5.2 The Supply Determination Phase."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import SIDES
from pbem.games.invasion_sicily.position.state import UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import tracing
from pbem.games.invasion_sicily.rules.phases import Flow, ask, begin

Spare = Generator[Sequence[Ask], list[Answer], list[str]]

AUTO = Option("auto", "coast defence first, then units on foot, then the weakest")


def supply(ctx: Ctx) -> Flow:
    """5.2, 5.1.1, 5.1.2, 5.5.2 Every unit of both sides on the map is judged but Beach and Port units; it holds for the turn."""
    begin(ctx)
    for side in SIDES:
        routes = tracing.reachable(ctx.state, side)
        rooms = {name: room for name, (_, _, room) in tracing.sources(ctx.state, side).items()}
        spared = yield from _spare(ctx, side, routes, rooms)
        fed = matched(routes, rooms, [u for u in by_need(ctx.state, routes) if u not in spared])
        for unit in ctx.state.units.values():
            if ctx.state.data.units[unit.id].side != side or not board.on_map(ctx.state, unit):
                if unit.has(UNSUPPLIED) and ctx.state.data.units[unit.id].side == side:
                    ctx.emit(e.Marked(unit.id, UNSUPPLIED, False, "5.1"))
                continue
            short = unit.id not in fed and not board.logistic(ctx.state, unit.id)
            if short != unit.has(UNSUPPLIED):
                ctx.emit(e.Marked(unit.id, UNSUPPLIED, short, "5.2.2"))


def by_need(state: State, units: Mapping[str, Sequence[str]]) -> list[str]:
    """Whom one would feed first: not coast defence, motorized before foot, strong before weak."""
    def rank(unit: str) -> tuple[bool, bool, int, str]:
        kind = state.type(unit)
        return (state.data.units[unit].type == "coast-piece", not kind.motorized, -board.attack(state, unit), unit)

    return sorted(units, key=rank)


def matched(routes: Mapping[str, Sequence[str]], rooms: Mapping[str, int], wanting: Sequence[str]) -> dict[str, str]:
    """5.2.1b, 5.5.1 Units to sources within their capacities: as many as possible, the first wanting first.

    Units take their turn in order; one that finds its sources full may move those before it to others of theirs, but
    never out of supply.
    """
    fed: dict[str, str] = {}
    users: dict[str, list[str]] = {name: [] for name in rooms}

    def seat(unit: str, tried: dict[str, bool]) -> bool:
        for name in routes[unit]:
            if name in tried:
                continue
            tried[name] = True
            if len(users[name]) < rooms[name]:
                users[name].append(unit)
                fed[unit] = name
                return True
            for other in list(users[name]):
                if seat(other, tried):
                    users[name].remove(other)
                    users[name].append(unit)
                    fed[unit] = name
                    return True
        return False

    for unit in wanting:
        seat(unit, {})
    return fed


def _spare(ctx: Ctx, side: str, routes: Mapping[str, Sequence[str]], rooms: Mapping[str, int]) -> Spare:
    """5.5.3b Where sources have too little room, the owner says who goes without."""
    spared: list[str] = []
    while True:
        order = [u for u in by_need(ctx.state, routes) if u not in spared]
        short = len(order) - len(matched(routes, rooms, order))
        if not short:
            return spared
        crowded = _crowded(routes, rooms, order)
        answer = yield from ask(
            ctx, side, "short-supply", "5.5.3", [AUTO, *(Option(f"short {u}") for u in crowded)], "auto",
            f"There is no room to supply {short} of your units.", facts={"short": short, "turn": ctx.state.turn},
        )
        if answer.key == "auto":
            return spared
        spared.append(answer.key.split(" ")[1])


def _crowded(routes: Mapping[str, Sequence[str]], rooms: Mapping[str, int], order: Sequence[str]) -> list[str]:
    """The units whose going without would let another one be supplied, or is one of those that go without anyhow."""
    fed = matched(routes, rooms, order)
    hungry = [u for u in order if u not in fed]
    contested = {name: True for u in hungry for name in routes[u]}
    grown = True
    while grown:
        more = {n: True for u in order if fed.get(u) in contested for n in routes[u] if n not in contested}
        contested |= more
        grown = bool(more)
    return [u for u in order if u in hungry or fed.get(u) in contested]
