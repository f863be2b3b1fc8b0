"""10.0 The Invasion Phase: assaults from the beach boxes, reaction, counterattacks, beachheads, and who comes ashore later."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, AXIS, HQ, RESERVE, TO_COME, UNIT, Zone
from pbem.games.italian_campaign.position.state import DISRUPTED, REACTED, State
from pbem.games.italian_campaign.rules import losses, movement, operations, phases, retreat
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.kit.tables import span

FIRST, LATER = 2, 1
"""10.93 Half days that the first invasion takes, and a later one."""

NEAR_MODIFIER = -2
"""10.9"""


def landing(ctx: Ctx) -> Flow:
    """3.0 phases 1 and 2.  On later turns: drops, and landings from the Floating Reserve."""
    phases.begin(ctx)
    _arrivals(ctx)
    if ctx.state.turn > 1:
        yield from _drops(ctx)
        yield from ashore(ctx)
        return
    attacked = yield from _assaults(ctx)
    yield from _react(ctx, attacked)
    yield from _counterattacks(ctx)
    _rally(ctx)
    yield from _beachheads(ctx)
    yield from ashore(ctx)
    ctx.emit(e.TimeSet(ctx.state.time + FIRST, "10.93"))


# -- 10.5 to 10.7 -----------------------------------------------------------------------------------


def groups(state: State) -> dict[tuple[str, str], list[str]]:
    """10.6 The units in beach boxes by box and coastal hex."""
    found: dict[tuple[str, str], list[str]] = {}
    for unit in state.units.values():
        if unit.place.startswith(board.BEACH):
            found.setdefault((unit.place, unit.target), []).append(unit.id)
    return found


def zone_of(state: State, place: str) -> Zone:
    """The landing zone of a beach box or staging area."""
    name = place.partition(":")[2].partition("-")[0]
    return state.data.zones[name]


def leader(state: State, place: str, units: list[str]) -> str:
    """10.6 The HQ in the staging area whose rating counts: that of the units, or (assets alone) the best one there; '' for none.

    RULING: 10.6 adds 'the offensive rating of the HQ placed in the invasion area'; units of one division have their own.
    """
    staging = board.at(state, f"{board.STAGING}{zone_of(state, place).name}", ALLIED)
    hqs = [u for u in staging if state.type(u).kind == HQ]
    own = [hq for hq in hqs if any(board.parent(state, u) == hq for u in units)]
    return max(own or hqs, key=lambda h: board.offence(state, h), default="")


def strengths(state: State, place: str, target: str, units: list[str]) -> tuple[int, int]:
    """10.6, 10.61 Invader and defender: OR and tactical ratings; landing condition and tactical ratings in the hex."""
    hq = leader(state, place, units)
    invader = (board.offence(state, hq) if hq else 0) + sum(board.face(state, u).tr for u in units)
    enemies = board.at(state, target, AXIS)
    return invader, zone_of(state, place).condition + sum(board.face(state, u).tr for u in enemies if state.type(u).combat)


def bands(state: State) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of the Invasion Assault Table, for strengths and for defences."""
    keys = state.data.tables.assault
    return tuple(dict.fromkeys(k[0] for k in keys)), tuple(dict.fromkeys(k[2] for k in keys))


def column(labels: tuple[str, ...], value: int) -> str:
    """The column of a value; above the last one, the last."""
    return next((b for b in labels if span(b).holds(value)), labels[-1])


def _assaults(ctx: Ctx) -> phases.Names:
    """10.7 One die for each coastal hex that is landed on; the Axis divisions that were attacked."""
    attacked: dict[str, None] = {}
    for (place, target), units in groups(ctx.state).items():
        state = ctx.state
        enemies = board.at(state, target, AXIS)
        attacked |= dict.fromkeys(board.parent(state, u) for u in enemies if board.parent(state, u))
        invader, defender = strengths(state, place, target, units)
        across, down = bands(state)
        here, there = column(across, invader), column(down, defender)

        def read(die: int, here: str = here, there: str = there) -> dict[str, object]:
            cell, status = ctx.state.data.tables.assault[here, die, there]
            return {"table": "Invasion Assault", "row": f"{here}, die {die}", "column": there, "cell": cell, "status": status}

        die = phases.dice(ctx, ALLIED, 1, f"the landing at {target}", "10.7", (), None, read)
        result = state.data.tables.assault[here, die, there][0]
        ctx.emit(e.LandingResolved(target, invader, defender, die, result))
        yield from _landed(ctx, place, target, units, result)
    return list(attacked)


def _landed(ctx: Ctx, place: str, target: str, units: list[str], result: str) -> Flow:
    """10.71 R, D, E, S or B."""
    state = ctx.state
    if result == "R":
        for unit in units:
            ctx.emit(e.Placed(unit, f"{board.STAGING}{zone_of(state, place).name}", "10.71"))
        yield from losses.lose_steps(ctx, units, 1, "10.71")
    elif result == "D":
        for unit in units:
            losses.disrupt(ctx, unit, "10.71")
    elif result in ("S", "B"):
        length = 2 if result == "B" else 1
        for unit in board.at(state, target, AXIS):
            losses.disrupt(ctx, unit, "10.71")
            yield from retreat.retreat(ctx, unit, length, [target], "10.71")
        for unit in board.at(state, target, AXIS):
            losses.eliminate(ctx, unit, "8.552")
        for unit in units:
            ctx.emit(e.Moved(unit, (place, target), "landing", 0, "10.71"))
        operations.capture(ctx, ALLIED, (target,))
        if result == "B":
            yield from _arrow(ctx, target)


def _arrow(ctx: Ctx, target: str) -> Flow:
    """10.71 A breakthrough arrow next to the beach."""
    state = ctx.state
    taken = board.held(state, ALLIED) | board.held(state, AXIS)
    free = [h for h in state.data.board.near(target) if h not in taken and state.data.board.by_land(target, h)]
    if free:
        options = [Option(f"break {h}", f"breakthrough at {board.place_name(state, h)}", (), {"hex": h}) for h in free]
        answer = yield from phases.ask(
            ctx, ALLIED, "bt-hex", "10.71", options, options[0].key, "Where is the breakthrough?", where=target,
            closing=phases.DONE,
        )
        if answer.key != "done":
            ctx.emit(e.Marker("breakthrough", answer["hex"], 1, ALLIED, "10.71"))


# -- 10.8 -----------------------------------------------------------------------------------------


def _react(ctx: Ctx, attacked: list[str]) -> Flow:
    """10.8 All units of the divisions that were attacked may move half; they may enter and leave zones, not penetrate them.

    RULING: a division is attacked as well if it stands next to a coastal hex that was landed on.
    """
    state = ctx.state
    shores = [*(target for _, target in groups(state)), *sorted(board.held(state, ALLIED))]
    for hex_ in shores:
        for near in retreat.enemies_next_to(state, hex_, ALLIED):
            attacked += [board.parent(state, u) for u in board.at(state, near, AXIS) if board.parent(state, u)]
    for hq in dict.fromkeys(attacked):
        if board.in_play(ctx.state, hq):
            yield from moves(ctx, AXIS, [hq, *ctx.state.data.subordinates(hq)], "inv-react", "10.8", REACTED)


def moves(ctx: Ctx, side: str, units: list[str], kind: str, rule: str, mark: str) -> Flow:
    """10.8, 9.5 Free moves of half the movement points, one unit after the other."""
    while True:
        state = ctx.state
        able = [u for u in units if board.on_map(state, u) and not state.units[u].has(mark)]

        def make(able: list[str] = able) -> Iterator[Option]:
            for unit in able:
                m = movement.free(ctx.state, unit, max(1, movement.allowance(ctx.state, unit) // 2))
                found = movement.reach(ctx.state, m)
                for h in movement.destinations(ctx.state, m, found):
                    label = f"{board.name(ctx.state, unit)} to {board.place_name(ctx.state, h)}"
                    data = {"unit": unit, "path": list(found.path(h)), "cost": int(found.costs[h])}
                    yield Option(f"move {unit} to {h}", label, (h,), data)

        if next(make(), None) is None:
            return
        answer = yield from phases.ask(ctx, side, kind, rule, make, "done", "Who moves?", closing=phases.DONE)
        if answer.key == "done":
            return
        ctx.emit(e.Marked(answer["unit"], mark, True, rule))
        ctx.emit(e.Moved(answer["unit"], tuple(answer["path"]), "reaction" if rule == "10.8" else "bonus", answer["cost"], rule))
        operations.capture(ctx, side, tuple(answer["path"]))


# -- 10.81 ----------------------------------------------------------------------------------------


def _counterattacks(ctx: Ctx) -> Flow:
    """10.81 Counterattacks on the coastal hexes that were landed on, each once, each unit once."""
    used: list[str] = []
    struck: list[str] = []
    while True:
        state = ctx.state
        options = []
        for target, units in _coast(state).items():
            able = _strikers(state, target, used)
            if target in struck or not able:
                continue
            diff = sum(board.face(state, u).tr for u in able) - sum(board.face(state, u).tr for u in units)
            if diff >= -3:
                label = f"counterattack {board.place_name(state, target)}, difference {diff:+d}"
                options.append(Option(f"counter {target}", label, (), {"hex": target, "units": able, "diff": diff}))
        if not options:
            return
        good = [o for o in options if o.data["diff"] >= 1]
        answer = yield from phases.ask(
            ctx, AXIS, "inv-counter", "10.81", options, good[0].key if good else "done", "Which beach is counterattacked?",
            closing=phases.DONE, facts={"diff": max(o.data["diff"] for o in options)},
        )
        if answer.key == "done":
            return
        struck.append(answer["hex"])
        used += answer["units"]
        yield from _strike(ctx, answer["hex"], list(answer["units"]), answer["diff"])


def _coast(state: State) -> dict[str, list[str]]:
    """10.81 The coastal hexes with invading units in them, or in the beach boxes that lead there."""
    found: dict[str, list[str]] = {}
    for (_, target), units in groups(state).items():
        found.setdefault(target, []).extend(units)
    for zone in state.data.zones.values():
        for h in zone.hexes:
            there = [u for u in board.at(state, h, ALLIED) if state.type(u).combat]
            if there:
                found.setdefault(h, []).extend(u for u in there if u not in found.get(h, ()))
    return found


def _strikers(state: State, target: str, used: list[str]) -> list[str]:
    """10.81 The Axis units next to the hex, or in it (10.83), that may counterattack."""
    places = [target, *(h for h in state.data.board.near(target) if state.data.board.by_land(h, target))]
    return [
        u for h in places for u in board.at(state, h, AXIS)
        if state.type(u).combat and u not in used and not state.units[u].has(DISRUPTED)
    ]


def _strike(ctx: Ctx, target: str, strikers: list[str], diff: int) -> Flow:
    """10.82 ADR, AR, AD, M, D or R."""
    state = ctx.state
    column_ = min(diff, 5)

    def read(die: int) -> dict[str, object]:
        cell, status = state.data.tables.counter[die, column_]
        return {"table": "Invasion Counterattacks", "row": die, "column": f"{column_:+d}", "cell": cell, "status": status}

    die = phases.dice(ctx, AXIS, 1, f"the counterattack on {target}", "10.81", (), None, read)
    result = state.data.tables.counter[die, column_][0]
    ctx.emit(e.CounterResolved(target, diff, die, result))
    invaders = _coast(state).get(target, [])
    if result in ("ADR", "AR", "AD"):
        for unit in strikers:
            again = not losses.disrupt(ctx, unit, "10.82")
            if result != "AD" or again:
                yield from retreat.retreat(ctx, unit, 1, [target], "10.82")
        if result == "ADR":
            yield from losses.lose_steps(ctx, strikers, 1, "10.82")
    elif result == "M":
        for unit in losses.check_morale(ctx, invaders, False, "10.82"):
            yield from _shaken(ctx, unit)
    elif result == "D":
        for unit in invaders:
            yield from _shaken(ctx, unit)
    elif result == "R":
        for unit in invaders:
            yield from _repulsed(ctx, unit)
        yield from losses.lose_steps(ctx, invaders, 1, "10.82")


def _shaken(ctx: Ctx, unit: str) -> Flow:
    """10.82 Disrupted; a unit disrupted a second time is repulsed, and its HQ loses steps equal to its tactical rating."""
    if not losses.disrupt(ctx, unit, "10.82"):
        yield from _repulsed(ctx, unit)
        yield from losses.lose_steps(ctx, [unit], board.face(ctx.state, unit).tr, "10.82")


def _repulsed(ctx: Ctx, unit: str) -> Flow:
    """10.82 Back to the staging area of its zone; from the map one hex, or to the staging area if there is no way.

    RULING: a unit ashore in a landing zone goes back to its staging area.
    """
    state = ctx.state
    place = state.units[unit].place
    zone = next((z.name for z in state.data.zones.values() if place in z.hexes), "")
    if place.startswith(board.BEACH):
        zone = zone_of(state, place).name
    if zone:
        ctx.emit(e.Placed(unit, f"{board.STAGING}{zone}", "10.82"))
    else:
        yield from retreat.retreat(ctx, unit, 1, retreat.enemies_next_to(state, place, ALLIED), "10.82")


# -- 10.9 -----------------------------------------------------------------------------------------


def _rally(ctx: Ctx) -> None:
    """10.9 The disrupted invaders check morale one at a time, with -2 where no enemy is near their hex."""
    for unit in list(ctx.state.units.values()):
        state = ctx.state
        if board.side_of(state, unit.id) != ALLIED or not unit.has(DISRUPTED) or not state.type(unit.id).combat:
            continue
        shore = unit.target or unit.place
        if shore not in state.data.board.hexes:
            continue
        near = board.at(state, shore, AXIS) or retreat.enemies_next_to(state, shore, ALLIED)
        mods = [] if near else [("no enemy near", NEAR_MODIFIER)]
        if not losses.check_morale(ctx, [unit.id], True, "10.9", mods):
            ctx.emit(e.Marked(unit.id, DISRUPTED, False, "10.9"))


def _beachheads(ctx: Ctx) -> Flow:
    """10.91 Beachhead markers on secured coastal hexes of the zones landed in, six at most.

    RULING: on each of them that the Allies want, one a hex.
    """
    while True:
        state = ctx.state
        free = [
            h for z in state.data.zones.values() for h in z.hexes
            if board.at(state, h, ALLIED) and h not in state.beachheads and board.secure(state, h)
        ]
        if not free or len(state.beachheads) >= state.data.limits["beachheads"]:
            return
        options = [Option(f"beachhead {h}", f"a beachhead at {board.place_name(state, h)}", (), {"hex": h}) for h in free]
        roads = [h for h in free if state.data.board.on(h, "road")]
        answer = yield from phases.ask(
            ctx, ALLIED, "beachheads", "10.91", options, f"beachhead {(roads or free)[0]}", "Where is a beachhead?",
            closing=phases.DONE,
        )
        if answer.key == "done":
            return
        ctx.emit(e.Marker("beachhead", answer["hex"], 1, ALLIED, "10.91"))


# -- ashore ---------------------------------------------------------------------------------------


def gates(state: State, unit: str) -> list[str]:
    """10.13, 10.92 Where a unit may come ashore: beachheads and secured ports, from a staging area only those of its zone."""
    place = state.units[unit].place
    open_ = [h for h in dict.fromkeys([*state.beachheads, *state.captured]) if board.secure(state, h)]
    if place.startswith(board.STAGING):
        open_ = [h for h in open_ if h in zone_of(state, place).hexes]
    return [h for h in open_ if board.room(state, h, unit) and not board.at(state, h, AXIS)]


def ashore(ctx: Ctx) -> Flow:
    """10.13, 10.92 HQs and units come ashore from the staging areas and, from turn 2 on, from the Floating Reserve, for
    nothing."""
    while True:
        state = ctx.state
        options = []
        for unit in board.units(state, ALLIED):
            waits = unit.place.startswith(board.STAGING) or (unit.place == RESERVE and state.turn > 1)
            if not waits or (state.turn == 1 and state.type(unit.id).kind == UNIT and unit.has(DISRUPTED)):
                continue
            for h in gates(state, unit.id):
                label = f"{board.name(state, unit.id)} lands at {board.place_name(state, h)}"
                options.append(Option(f"ashore {unit.id} at {h}", label, (h,), {"unit": unit.id, "hex": h}))
        if not options:
            return
        first = options[0].data["unit"]
        same = [o for o in options if o.data["unit"] == first]
        best = max(same, key=lambda o: (_own(state, first, o.data["hex"]), -same.index(o)))
        answer = yield from phases.ask(
            ctx, ALLIED, "ashore", "10.92", options, best.key, "Who comes ashore, and where?", closing=phases.DONE
        )
        if answer.key == "done":
            return
        place = ctx.state.units[answer["unit"]].place
        ctx.emit(e.Moved(answer["unit"], (place, answer["hex"]), "landing", 0, "10.92"))


def _own(state: State, unit: str, hex_: str) -> int:
    """How many of its division stand in a hex or next to it."""
    hq = state.type(unit).formation
    near = (hex_, *state.data.board.near(hex_))
    return sum(1 for h in near for u in board.at(state, h, ALLIED) if hq and state.type(u).formation == hq)


def _arrivals(ctx: Ctx) -> None:
    """10.13 Units that the set-up chart brings into the Floating Reserve."""
    state = ctx.state
    for unit in list(state.units.values()):
        kind = state.type(unit.id)
        if unit.place == TO_COME and kind.place == RESERVE and 0 < kind.box <= state.time:
            ctx.emit(e.Placed(unit.id, RESERVE, "10.13"))


def _drops(ctx: Ctx) -> Flow:
    """10.13, set-up chart: a parachute regiment may be dropped on any hex that the Allies control, or go to the Floating Reserve.

    RULING: the chart drops it on Allied ground, so it does not scatter (10.31 is for the free campaign).
    """
    for unit in list(ctx.state.units.values()):
        state = ctx.state
        kind = state.type(unit.id)
        if unit.place != TO_COME or kind.place != "drop" or kind.box > state.time:
            continue
        zones = sorted(board.held(state, ALLIED))
        ready = [h for h in zones if board.room(state, h, unit.id)]
        options = [Option(f"drop {unit.id} at {h}", f"{board.name(state, unit.id)} drops at {board.place_name(state, h)}", (),
                          {"hex": h}) for h in ready]
        reserve = Option(f"reserve {unit.id}", "it goes to the Floating Reserve", (), {"hex": ""})
        best = [o for o in options if o.data["hex"] in state.beachheads]
        default = (best or options or [reserve])[0].key
        answer = yield from phases.ask(
            ctx, ALLIED, "drop", "10.13", [*options, reserve], default, f"Where does {board.name(state, unit.id)} drop?",
            where=unit.id,
        )
        ctx.emit(e.Placed(unit.id, answer["hex"] or RESERVE, "10.13"))
