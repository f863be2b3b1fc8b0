"""9.0 The Final Resolution Phase: breakthroughs, recovery, strategic operations, support, bonus moves."""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, ARMY, ASSET, AXIS, CORPS, HQ, SIDES, TO_COME, other
from pbem.games.italian_campaign.position.state import DISRUPTED, LANDED, NAMED, SUPPORTED, State
from pbem.games.italian_campaign.rules import landing, losses, operations, phases, retreat, victory
from pbem.games.italian_campaign.rules.command import RELEASED
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.kit import stacking

GOOD_RATING = 7
"""9.22 From this offensive rating on an HQ recovers wholly."""

REFITTED_AT_ONCE = 3
"""9.31 HQs in one refitting operation."""

BONUS = "bonus"


def resolution(ctx: Ctx) -> Flow:
    """3.0 phase 5"""
    phases.begin(ctx)
    yield from _breakthroughs(ctx)
    yield from _recover(ctx)
    yield from _strategic(ctx)
    _support(ctx)
    yield from _bonus(ctx)
    victory.judge(ctx)


def _order(state: State) -> tuple[str, str]:
    """The initiative side first."""
    return (state.initiative, other(state.initiative))


# -- 9.1, 9.2 -------------------------------------------------------------------------------------


def _breakthroughs(ctx: Ctx) -> Flow:
    """9.1 Units next to a breakthrough marker may go there; then the marker is gone."""
    for side in _order(ctx.state):
        for hex_ in [h for h, s in ctx.state.breakthroughs.items() if s == side]:
            while True:
                state = ctx.state
                able = [
                    u for near in state.data.board.near(hex_) if state.data.board.by_land(near, hex_)
                    for u in board.at(state, near, side)
                    if state.type(u).combat and not state.units[u].has(DISRUPTED) and board.room(state, hex_, u)
                ]
                if not able or board.at(state, hex_, other(side)):
                    break
                options = [Option(f"advance {u}", f"{board.name(state, u)} breaks through", (), {"unit": u}) for u in able]
                default = "done" if board.at(state, hex_, side) else options[0].key
                answer = yield from phases.ask(
                    ctx, side, "bt-move", "9.1", options, default, f"Who breaks through to {board.place_name(state, hex_)}?",
                    where=hex_, closing=phases.DONE,
                )
                if answer.key == "done":
                    break
                unit = answer["unit"]
                ctx.emit(e.Moved(unit, (state.units[unit].place, hex_), "breakthrough", 0, "9.1"))
                operations.capture(ctx, side, (hex_,))
            ctx.emit(e.Marker("breakthrough", hex_, 0, side, "9.1"))


def _recover(ctx: Ctx) -> Flow:
    """9.2 The reaction side first: hit markers come off, disrupted units recover, those next to the enemy go back a hex first;
    HQs rest, and corps lose their support."""
    for side in reversed(_order(ctx.state)):
        operations.hits_off(ctx, side)
        for unit in board.units(ctx.state, side):
            if unit.has(DISRUPTED) and board.in_play(ctx.state, unit.id):
                yield from _rally(ctx, unit.id, side)
        for unit in board.units(ctx.state, side):
            _rest(ctx, unit.id)
        yield from _thin_out(ctx, side)
    for hex_ in list(ctx.state.delays):
        ctx.emit(e.Marker("delay", hex_, 0, AXIS, "6.38"))


def _thin_out(ctx: Ctx, side: str) -> Flow:
    """7.23 Stacks that a retreat has made too high are put right: their owner says who goes one hex away; who cannot is lost."""
    for hex_ in sorted(board.held(ctx.state, side)):
        while True:
            state = ctx.state
            units = board.at(state, hex_, side)
            if not stacking.excess(units, lambda u: board.points(ctx.state, u), board.limit(state, hex_)):
                break
            cheapest = stacking.choices(units, lambda u: board.points(ctx.state, u), board.limit(state, hex_))[0][0]
            options = [Option(f"leave {u}", f"{board.name(state, u)} leaves", (), {"unit": u}) for u in units]
            answer = yield from phases.ask(
                ctx, side, "overstack", "7.23", options, f"leave {cheapest}",
                f"Too much stands at {board.place_name(state, hex_)}. Who leaves?", where=hex_,
            )
            found = retreat.find(state, answer["unit"], 1, [])
            if any(board.room(state, path[-1], answer["unit"]) for _, path in found.ways):
                yield from retreat.retreat(ctx, answer["unit"], 1, [], "7.23")
            else:
                losses.eliminate(ctx, answer["unit"], "7.23")


def _rally(ctx: Ctx, unit: str, side: str) -> Flow:
    """9.21"""
    state = ctx.state
    place = state.units[unit].place
    if place in state.data.board.hexes:
        enemies = retreat.enemies_next_to(state, place, side)
        if enemies:
            if not retreat.find(state, unit, 1, enemies).ways:
                return
            options = [
                Option("back", f"{board.name(state, unit)} goes back and recovers"),
                Option("stay", f"{board.name(state, unit)} stays disrupted"),
            ]
            answer = yield from phases.ask(ctx, side, "recover", "9.21", options, "back", where=unit)
            if answer.key == "stay":
                return
            yield from retreat.retreat(ctx, unit, 1, enemies, "9.21")
    if board.in_play(ctx.state, unit):
        ctx.emit(e.Marked(unit, DISRUPTED, False, "9.2"))


def _rest(ctx: Ctx, unit: str) -> None:
    """9.22 An HQ with an offensive rating of 7 or more rests wholly, another one by one level."""
    state = ctx.state
    kind, u = state.type(unit).kind, state.units[unit]
    if kind in (CORPS, ARMY):
        if u.has(SUPPORTED):
            ctx.emit(e.Marked(unit, SUPPORTED, False, "9.22"))
    elif kind == HQ and u.fatigue and not u.has(DISRUPTED):
        ctx.emit(e.Fatigued(unit, 0 if board.offence(state, unit) >= GOOD_RATING else u.fatigue - 1, "9.22"))


# -- 9.3 ------------------------------------------------------------------------------------------


def _strategic(ctx: Ctx) -> Flow:
    """9.3 The sides take turns with strategic operations, a command point each, until both have done."""
    done: list[str] = []
    side = ctx.state.initiative
    while len(done) < len(SIDES):
        if side not in done:
            carried = yield from _operation(ctx, side)
            if not carried:
                done.append(side)
        side = other(side)


def _operation(ctx: Ctx, side: str) -> phases.Count:
    state = ctx.state
    if state.cp[side] < 1 and not (state.evacuation and side == AXIS):
        return 0
    options = []
    if side not in state.refitted:
        tired = [u.id for u in board.units(state, side, HQ) if u.steps and not board.isolated(state, u.id)]
        options += [Option(f"refit {hq}", f"refit, {board.name(state, hq)} first", (), {"do": "refit", "hq": hq}) for hq in tired]
    options += [
        Option(f"reinforce {name}", f"{name} comes in", (), {"do": "reinforce", "units": units, "name": name})
        for name, units in waiting(state, side).items() if any(entries(state, u) for u in units)
    ]
    if not options or state.cp[side] < 1:
        return 0
    first = next((o for o in options if o.data["do"] == "reinforce"), None)
    default = first.key if first else options[0].key if state.cp[side] >= 3 else "done"
    answer = yield from phases.ask(
        ctx, side, "strategic", "9.3", options, default, "Which strategic operation?", closing=phases.DONE,
        facts={"cp": state.cp[side]},
    )
    if answer.key == "done":
        return 0
    ctx.emit(e.Points("cp", side, -1, "9.3"))
    if answer["do"] == "refit":
        yield from _refit(ctx, side, answer["hq"])
    else:
        yield from _reinforce(ctx, side, list(answer["units"]))
    return 1


def _refit(ctx: Ctx, side: str, first: str) -> Flow:
    """9.31 Replacement points: one a step for a leg HQ, two for a mobile one, for up to three HQs, once a turn."""
    ctx.emit(e.Refitted(side))
    left = ctx.state.data.limits[f"refit_{side}"]
    used: list[str] = []
    hq = first
    while hq:
        price = 2 if ctx.state.type(hq).mobile else 1
        if price > left:
            break
        ctx.emit(e.StepsLost(hq, -1, "9.31"))
        left -= price
        used = list(dict.fromkeys([*used, hq]))
        state = ctx.state
        able = [
            u.id for u in board.units(state, side, HQ)
            if u.steps and (2 if state.type(u.id).mobile else 1) <= left and (u.id in used or len(used) < REFITTED_AT_ONCE)
        ]
        if not able:
            break
        options = [Option(f"refit {h}", f"{board.name(state, h)} regains a step", (), {"hq": h}) for h in able]
        default = max(able, key=lambda h: (state.units[h].steps, -able.index(h)))
        answer = yield from phases.ask(
            ctx, side, "refit", "9.31", options, f"refit {default}", f"{left} replacement points are left.", closing=phases.DONE
        )
        hq = "" if answer.key == "done" else answer["hq"]


def waiting(state: State, side: str) -> dict[str, list[str]]:
    """9.32 Who may come in now, by division: one operation brings one, with 20 stacking points at most."""
    found: dict[str, list[str]] = {}
    for unit in state.units.values():
        kind = state.type(unit.id)
        if kind.side != side or unit.place != TO_COME or kind.place not in ("edge", "sea"):
            continue
        if kind.box <= state.time or unit.has(RELEASED):
            found.setdefault(kind.formation or unit.id, []).append(unit.id)
    return found


def entries(state: State, unit: str) -> list[str]:
    """9.32 Where a unit may come in: road hexes of its edge, the one it is meant for first; beachheads and ports for the Allies.

    RULING: units for Taranto wait until Taranto is taken (set-up chart).
    """
    kind = state.type(unit)
    hexes = state.data.board.hexes
    if kind.place == "edge":
        name = "north" if kind.side == AXIS else "toe"
        edge = [h for h, g in hexes.items() if g.get("edge") == name and state.data.board.on(h, "road")]
        found = [*([kind.target] if kind.target else []), *(h for h in edge if h != kind.target)]
    else:
        found = [h for h in dict.fromkeys([*state.captured, *state.beachheads]) if board.secure(state, h)]
        if kind.target:
            found = [h for h in found if h == kind.target]
    foe = board.held(state, other(kind.side))
    return [h for h in found if h not in foe and board.room(state, h, unit)]


def _reinforce(ctx: Ctx, side: str, units: list[str]) -> Flow:
    """9.32 They come in and may move half their movement points, but not from a beachhead.  They may not attack this turn.

    RULING: units that the set-up chart brings cost no sealift in the historical scenario (10.11); switch ``scheduled_lift``.
    """
    load = 0
    for unit in units:
        state = ctx.state
        load += board.points(state, unit)
        ways = entries(state, unit)
        if load > state.data.limits["reinforce_points"] or not ways:
            continue
        if not _lifted(ctx, unit):
            continue
        options = [Option(f"enter {unit} at {h}", f"{board.name(state, unit)} at {board.place_name(state, h)}", (h,), {"hex": h})
                   for h in ways]
        answer = yield from phases.ask(
            ctx, side, "enter", "9.32", options, options[0].key, f"Where does {board.name(state, unit)} come in?", where=unit
        )
        ctx.emit(e.Placed(unit, answer["hex"], "9.32"))
        ctx.emit(e.Marked(unit, LANDED, True, "9.32"))
        ctx.emit(e.Marked(unit, NAMED, True, "9.32"))
        if answer["hex"] not in ctx.state.beachheads:
            yield from landing.moves(ctx, side, [unit], "enter-move", "9.32", BONUS)


def _lifted(ctx: Ctx, unit: str) -> bool:
    """10.11, 9.32 The sealift that a unit costs, if the switch asks for it: a point for every division."""
    state = ctx.state
    kind = state.type(unit)
    if state.data.switches["scheduled_lift"] == "free" or kind.place != "sea" or kind.kind not in (HQ, ASSET):
        return True
    if not state.sealift:
        return False
    ctx.emit(e.Points("sealift", ALLIED, -1, "10.11"))
    return True


# -- 9.4, 9.5 -------------------------------------------------------------------------------------


def _support(ctx: Ctx) -> None:
    """9.4, 11.0 Support points; the Allies repair a point of damage in each port they hold."""
    state = ctx.state
    ctx.emit(e.Points("support", AXIS, state.data.limits["support_axis"], "9.4"))
    capacity = board.landing_capacity(state)
    if capacity:
        ctx.emit(e.Points("support", ALLIED, capacity, "9.4"))
    for hex_, damage in list(state.damage.items()):
        if hex_ in state.captured and board.secure(state, hex_):
            ctx.emit(e.Marker("damage", hex_, damage - 1, ALLIED, "9.4"))


def _bonus(ctx: Ctx) -> Flow:
    """9.5 HQs and assets that were not named this turn may move half, the Axis first; an asset on a supply source may regain a
    step instead."""
    for side in (AXIS, ALLIED):
        state = ctx.state
        idle = [u.id for u in board.units(state, side, HQ, CORPS, ARMY, ASSET) if not u.has(NAMED) and board.on_map(state, u.id)]
        for unit in idle:
            u = state.units[unit]
            if state.type(unit).kind == ASSET and u.steps and u.place in board.sources(state, side):
                yield from _asset_refit(ctx, side, unit)
        yield from landing.moves(ctx, side, [u for u in idle if not state.units[u].has(BONUS)], "bonus", "9.5", BONUS)
    for unit_ in list(ctx.state.units.values()):
        if unit_.has(BONUS):
            ctx.emit(e.Marked(unit_.id, BONUS, False, "9.5"))


def _asset_refit(ctx: Ctx, side: str, unit: str) -> Flow:
    state = ctx.state
    options = [Option(f"refit {unit}", f"{board.name(state, unit)} regains a step"), Option("move", "it may move instead")]
    answer = yield from phases.ask(ctx, side, "asset-refit", "9.5", options, f"refit {unit}", where=unit)
    if answer.key != "move":
        ctx.emit(e.StepsLost(unit, -1, "9.5"))
        ctx.emit(e.Marked(unit, BONUS, True, "9.5"))
