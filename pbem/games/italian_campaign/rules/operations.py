"""6.2 Operations: who is named, what they do, and what it costs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import (
    ALLIED, ARMY, ASSET, AXIS, CORPS, COUNTERATTACK, EXITED, HQ, RETREAT, UNIT, Operation, other,
)
from pbem.games.italian_campaign.position.state import ACTED, NAMED, OCC, SUPPORTED, State
from pbem.games.italian_campaign.rules import barrage, combat, movement, phases, strength, supply
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.kit.search import Reach

BRIGADES, BATTALIONS = 1, 3
"""2.18, charts How many assets of class A or B, and of class C and smaller, go with a division."""

PASS = Option("pass", "no operation")


@dataclass
class Force:
    """Those named to an operation: the divisions' HQs, each with its units and assets; ``corps`` that directs it, or ''."""

    side: str
    op: Operation
    corps: str = ""
    divisions: dict[str, list[str]] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    fought: list[str] = field(default_factory=list)

    @property
    def units(self) -> list[str]:
        """All of them, the corps HQ first."""
        return [*([self.corps] if self.corps else []), *(u for hq, units in self.divisions.items() for u in (hq, *units))]


def able(state: State, hq: str) -> bool:
    """6.25 Whether a division may still be named this turn: not complete, not named in this impulse, and not idle."""
    u = state.units[hq]
    return (
        state.type(hq).kind == HQ and board.in_play(state, hq) and u.fatigue < 2 and not u.has(ACTED)
        and state.data.idle.get(hq, 0) <= state.time and u.place != "reserve"
    )


def allowed(state: State, side: str, points: int, spoiling: bool) -> list[Operation]:
    """6.21 The operations that a side may choose with so many points.  After an evacuation the Axis may only retreat or
    counterattack."""
    if spoiling:
        return [state.data.operations[COUNTERATTACK]]
    found = [o for o in state.data.operations.values() if o.points <= points]
    if side == state.initiative:
        found = [o for o in found if not o.reaction_only]
    if state.evacuation and side == AXIS:
        found = [o for o in found if o.id in (RETREAT, COUNTERATTACK)]
    return found


def declarations(state: State, side: str, points: int, spoiling: bool = False) -> Iterator[Option]:
    """6.22, 5.42 'advance 36US', 'corps 10Corps advance 56Inf': the operation with its first division."""
    ops = allowed(state, side, points, spoiling)
    hqs = [u.id for u in board.units(state, side, HQ) if able(state, u.id)]
    for op in ops:
        for hq in hqs:
            yield Option(f"{op.id} {hq}", f"{op.id} by {board.name(state, hq)}", (op.id,), {"op": op.id, "hq": hq, "corps": ""})
    for corps in board.units(state, side, CORPS, ARMY):
        if not board.on_map(state, corps.id) or corps.has(ACTED) or corps.id in state.boosted and state.boosted[corps.id]:
            continue
        efficiency = strength.corps_value(state, corps.id, "efficiency")
        for op in ops:
            for hq in hqs if op.efficiency <= efficiency else []:
                if in_reach(state, corps.id, hq):
                    label = f"{op.id} by {board.name(state, hq)}, directed by {board.name(state, corps.id)}"
                    yield Option(f"corps {corps.id} {op.id} {hq}", label, (), {"op": op.id, "hq": hq, "corps": corps.id})


def in_reach(state: State, corps: str, hq: str) -> bool:
    """5.42 A division HQ within six hexes of the corps HQ."""
    return board.distance(state, corps, hq) <= state.data.limits["corps_reach"]


def operation(ctx: Ctx, side: str, kind: str, points: int, track: str, must: bool) -> phases.Count:
    """6.2 One operation from its declaration to the fatigue it costs; how many points were paid (0: none was carried out)."""
    state = ctx.state
    spoiling = track == "spoil"
    first = next(declarations(state, side, points, spoiling), None)
    if first is None:
        return 0
    rest = [u.id for u in board.units(state, side, HQ) if able(state, u.id)]
    freshest = min(rest, key=lambda h: (state.units[h].fatigue, -board.offence(state, h), rest.index(h)))
    cheap = next((o.id for o in allowed(state, side, points, spoiling) if o.id in ("maneuver", RETREAT, COUNTERATTACK)), "")
    answer = yield from phases.ask(
        ctx, side, kind, "6.22", lambda: declarations(state, side, points, spoiling),
        f"{cheap} {freshest}" if must else "pass", "Which operation?", closing=None if must else PASS,
        facts={"points": points},
    )
    if answer.key == "pass":
        return 0
    op = state.data.operations[answer["op"]]
    cost = state.data.limits["spoil_cost"] if spoiling else op.points
    ctx.emit(e.Points(track, side, -cost, "6.22"))
    force = Force(side, op, answer["corps"])
    yield from _name(ctx, force, answer["hq"])
    ctx.emit(e.Declared(side, op.id, tuple(force.units), force.corps))
    _ready(ctx, force)
    groups = [list(force.divisions)] if force.corps else [[hq] for hq in force.divisions]
    for group in groups:
        yield from _act(ctx, force, group)
    _tire(ctx, force)
    return cost


def _name(ctx: Ctx, force: Force, first: str) -> Flow:
    """6.31, 5.42 The further divisions, and the assets that go with them."""
    state = ctx.state
    most = strength.corps_value(state, force.corps, "capacity") if force.corps else force.op.divisions
    most = min(most, force.op.divisions) if force.op.id == "assault" else most
    force.divisions[first] = _subordinates(state, first)
    while len(force.divisions) < most:
        more = [
            u.id for u in board.units(state, force.side, HQ)
            if able(state, u.id) and u.id not in force.divisions and (not force.corps or in_reach(state, force.corps, u.id))
        ]
        if not more:
            break
        options = [Option(f"and {hq}", board.name(state, hq), (), {"hq": hq}) for hq in more]
        answer = yield from phases.ask(
            ctx, force.side, "also", "6.31", options, "done", f"Who joins the {force.op.id}?", closing=phases.DONE
        )
        if answer.key == "done":
            break
        force.divisions[answer["hq"]] = _subordinates(state, answer["hq"])
    yield from _assets(ctx, force)


def _subordinates(state: State, hq: str) -> list[str]:
    return [u for u in state.data.subordinates(hq) if board.on_map(state, u) or state.units[u].place.startswith(board.BEACH)]


def _assets(ctx: Ctx, force: Force) -> Flow:
    """2.18, 5.21 Assets within the command radius of a named HQ may go with it."""
    state = ctx.state
    while True:
        options = []
        for asset in board.units(state, force.side, ASSET):
            if asset.has(ACTED) or asset.id in force.units or not (board.on_map(state, asset.id) or asset.target):
                continue
            for hq, units in force.divisions.items():
                big = state.type(asset.id).cls in "AB"
                count = sum(1 for u in units if state.type(u).kind == ASSET and (state.type(u).cls in "AB") == big)
                within = board.distance(state, asset.id, hq) <= board.radius(state, asset.id)
                if within and count < (BRIGADES if big else BATTALIONS):
                    label = f"{board.name(state, asset.id)} goes with {board.name(state, hq)}"
                    options.append(Option(f"asset {asset.id} with {hq}", label, (), {"asset": asset.id, "hq": hq}))
        if not options:
            return
        answer = yield from phases.ask(
            ctx, force.side, "asset", "2.18", options, "done", "Which assets go with them?", closing=phases.DONE
        )
        if answer.key == "done":
            return
        force.divisions[answer["hq"]].append(answer["asset"])


def _ready(ctx: Ctx, force: Force) -> None:
    """6.51, 5.22 Supply is judged, and those out of command walk home."""
    state = ctx.state
    for unit in force.units:
        ctx.emit(e.Marked(unit, NAMED, True, "9.5"))
    for hq, units in force.divisions.items():
        supply.judge(ctx, hq, units)
        radius = strength.corps_value(state, force.corps, "efficiency") if force.corps else None
        for unit in units:
            if state.type(unit).kind != UNIT:
                continue
            if state.units[unit].has(OCC) and supply.commanded(state, unit, radius):
                ctx.emit(e.Marked(unit, OCC, False, "5.22"))
            elif state.units[unit].has(OCC):
                _walk_home(ctx, force, unit, hq)


def _walk_home(ctx: Ctx, force: Force, unit: str, hq: str) -> None:
    """5.22 A unit out of command moves toward its HQ until it is in command, and does no more in this impulse.

    RULING: it takes the way that brings it nearest to the HQ, the cheapest of those.
    """
    state = ctx.state
    force.moved.append(unit)
    force.fought.append(unit)
    if not board.on_map(state, unit) or not board.on_map(state, hq):
        return
    m = movement.mover(state, unit, force.op, force.corps)
    found = movement.reach(state, m)
    goal, now = state.units[hq].place, board.distance(state, unit, hq)
    far = {h: state.data.board.distance(h, goal) for h in movement.destinations(state, m, found)}
    near = board.radius(state, unit)
    ends = [h for h in far if far[h] < now]
    if not ends:
        return
    best = min(ends, key=lambda h: (max(far[h], near), found.costs[h], h))
    ctx.emit(e.Moved(unit, found.path(best), "operation", int(found.costs[best]), "5.22"))
    if far[best] <= near:
        ctx.emit(e.Marked(unit, OCC, False, "5.22"))


# -- what they do ----------------------------------------------------------------------------------


def _act(ctx: Ctx, force: Force, group: list[str]) -> Flow:
    """6.23, 5.44 The divisions of a group move and fight, unit by unit and attack by attack, until they are done.

    A unit moves once, and before it attacks; it attacks once (RULING).  A division that is not directed by a corps ends all it
    does before the next begins.
    """
    while True:
        state = ctx.state
        if not any(True for _ in _acts(state, force, group)):
            break
        answer = yield from phases.ask(
            ctx, force.side, "act", "6.23", lambda: _acts(ctx.state, force, group), "done",
            f"What do they do in the {force.op.id}?", where=group[0], closing=phases.DONE,
            lookup=lambda text: _find(ctx.state, force, group, text),
        )
        if answer.key == "done":
            break
        do = answer["do"]
        if do == "move":
            yield from _move(ctx, force, answer["unit"], tuple(answer["path"]), answer["cost"])
        elif do == "barrage":
            force.fought.append(answer["hq"])
            yield from barrage.barrage(ctx, force.side, answer["hq"], answer["hex"], force.op)
        else:
            units = list(answer["units"])
            force.fought += units
            force.moved += units
            yield from combat.fight(ctx, answer["hex"], units, force.op, force.corps)
            yield from spoil(ctx)


def _members(state: State, force: Force, group: list[str]) -> list[str]:
    """Those of a group that are still in play; the corps HQ goes with it."""
    units = [*([force.corps] if force.corps else []), *(u for hq in group for u in (hq, *force.divisions[hq]))]
    return [u for u in units if board.on_map(state, u) or state.units[u].place.startswith(board.BEACH)]


def _acts(state: State, force: Force, group: list[str]) -> Iterator[Option]:
    """All moves and attacks that the group may still make."""
    members = _members(state, force, group)
    if force.op.combat == "arty":
        for hq in group:
            if hq not in force.fought:
                yield from barrage.options(state, force.side, hq)
    elif force.op.combat != "none":
        yield from _attacks(state, force, members)
    for unit in members:
        if unit not in force.moved:
            m = movement.mover(state, unit, force.op, force.corps)
            if m.points:
                found = movement.reach(state, m)
                yield from (_move_option(state, unit, h, found) for h in movement.destinations(state, m, found))
                yield from _exit_option(state, m, found)


def _attacks(state: State, force: Force, members: list[str]) -> Iterator[Option]:
    fresh = [u for u in members if u not in force.fought]
    for target, units in combat.targets(state, fresh, force.side).items():
        for count in range(len(units), 0, -1):
            for chosen in combinations(units, count):
                yield _attack_option(state, target, chosen)


def _attack_option(state: State, target: str, units: tuple[str, ...]) -> Option:
    label = f"attack {board.place_name(state, target)} with {', '.join(board.name(state, u) for u in units)}"
    data = {"do": "attack", "hex": target, "units": list(units)}
    return Option(f"attack {target} with {' '.join(units)}", label, (target,), data)


def _move_option(state: State, unit: str, there: str, found: Reach[str]) -> Option:
    path = found.path(there)
    start = state.units[unit].place
    whole = path if path[0] == start else (start, *path)
    label = f"{board.name(state, unit)} to {board.place_name(state, there)}"
    data = {"do": "move", "unit": unit, "path": list(whole), "cost": int(found.costs[there])}
    return Option(f"move {unit} to {there}", label, (there,), data)


def _exit_option(state: State, m: movement.Mover, found: Reach[str]) -> Iterator[Option]:
    """Victory Conditions: once the evacuation is on, units may leave by a road hex of the north edge, for one point more."""
    if not state.evacuation or m.in_hexes:
        return
    for h in found:
        ground = state.data.board.hexes[h]
        if ground.get("edge") == "north" and state.data.board.on(h, "road") and found.costs[h] + 1 <= m.points:
            data = {"do": "move", "unit": m.unit, "path": [*found.path(h), EXITED], "cost": int(found.costs[h]) + 1}
            yield Option(f"move {m.unit} to exit", f"{board.name(state, m.unit)} leaves the map at {h}", ("exit",), data)
            return


def _find(state: State, force: Force, group: list[str], text: str) -> Option | None:
    """The act that a text names, without making the others."""
    words = text.split()
    names = {u.lower(): u for u in _members(state, force, group)}
    if len(words) == 4 and words[0] == "move" and words[1].lower() in names:
        unit = names[words[1].lower()]
        m = movement.mover(state, unit, force.op, force.corps)
        if unit in force.moved or not m.points:
            return None
        found = movement.reach(state, m)
        if words[3].lower() == "exit":
            return next(_exit_option(state, m, found), None)
        ends = movement.destinations(state, m, found)
        return _move_option(state, unit, words[3], found) if words[3] in ends else None
    if words[:1] == ["attack"] and len(words) > 3 and force.op.combat not in ("none", "arty"):
        wanted = [names.get(w.lower(), "") for w in words[3:]]
        able_ = combat.targets(state, [u for u in names.values() if u not in force.fought], force.side).get(words[1], [])
        chosen = tuple(u for u in able_ if u in wanted)
        return _attack_option(state, words[1], chosen) if chosen and len(chosen) == len(wanted) else None
    if words[:1] == ["barrage"]:
        options = (o for hq in group if hq not in force.fought for o in barrage.options(state, force.side, hq))
        return next((o for o in options if o.key.lower() == text.lower()), None)
    return None


def _move(ctx: Ctx, force: Force, unit: str, path: tuple[str, ...], cost: int) -> Flow:
    state = ctx.state
    force.moved.append(unit)
    ctx.emit(e.Moved(unit, path, "operation", cost, "7.1"))
    capture(ctx, force.side, path)
    kind = state.type(unit)
    start = path[0]
    if force.op.id != RETREAT or kind.nation != "DE" or not kind.combat or start not in state.data.board.hexes:
        return
    if board.at(state, start) or start in state.delays:
        return
    values = [v for v in (3, 2, 1) if v <= board.face(state, unit).tr and _markers_left(state, v)]
    if values:
        options = [Option(f"delay {v}", f"a delay marker of {v} at {start}", (), {"value": v}) for v in values]
        answer = yield from phases.ask(
            ctx, force.side, "delay", "6.38", [*options, phases.NONE], options[0].key, "Is a delay marker left behind?",
            where=start,
        )
        if answer.key != "none":
            ctx.emit(e.Marker("delay", start, answer["value"], force.side, "6.38"))


def _markers_left(state: State, value: int) -> bool:
    """6.38 The countermix: how many delay markers of a strength there are."""
    have = state.data.limits[f"delay_{value}"]
    return sum(1 for v in state.delays.values() if v == value) < have


def capture(ctx: Ctx, side: str, path: tuple[str, ...]) -> None:
    """10.91 A port belongs to the Allies once they were the last to pass through it; where the Axis passes, ports and
    beachheads are lost."""
    state = ctx.state
    for h in path:
        if h == EXITED:
            break
        if side == ALLIED and h in state.data.ports and h not in state.captured:
            ctx.emit(e.Marker("port", h, 1, side, "10.91"))
        elif side == AXIS and h in state.captured:
            ctx.emit(e.Marker("port", h, 0, side, "10.91"))
        if side == AXIS and h in state.beachheads:
            ctx.emit(e.Marker("beachhead", h, 0, side, "10.91"))


def _tire(ctx: Ctx, force: Force) -> None:
    """6.25, 6.32, 5.48 Fatigue of the HQs; the corps HQ that directed goes to its unsupported side."""
    state = ctx.state
    for hq in force.divisions:
        if board.in_play(state, hq):
            level = min(2, state.units[hq].fatigue + force.op.fatigue)
            if level != state.units[hq].fatigue:
                ctx.emit(e.Fatigued(hq, level, "6.25"))
    for unit in force.units:
        if board.in_play(state, unit):
            ctx.emit(e.Marked(unit, ACTED, True, "6.24"))
    if force.corps and state.units[force.corps].has(SUPPORTED):
        ctx.emit(e.Marked(force.corps, SUPPORTED, False, "5.48"))


def spoil(ctx: Ctx) -> Flow:
    """6.15 A spoiling attack, if the reaction side has the points for one and wants it now."""
    state = ctx.state
    side = other(state.initiative)
    cost = state.data.limits["spoil_cost"]
    if state.spoil >= cost and state.initiative in state.phase:
        yield from operation(ctx, side, "spoil", state.spoil, "spoil", False)


def hits_off(ctx: Ctx, side: str) -> None:
    """8.13 As a side begins an impulse, the hit markers on its units come off."""
    for hex_ in [h for h in ctx.state.hits if board.at(ctx.state, h, side)]:
        ctx.emit(e.Marker("hits", hex_, 0, side, "8.13"))
