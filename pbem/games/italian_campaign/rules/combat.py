"""8.2 Regular combat: support, die, results, advance."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, ARMY, CORPS, HQ, MANEUVER, Operation, other
from pbem.games.italian_campaign.position.state import DISRUPTED, LANDED, OCC, State
from pbem.games.italian_campaign.rules import losses, phases, retreat, strength
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.games.italian_campaign.rules.strength import Fight


def targets(state: State, units: list[str], side: str) -> dict[str, list[str]]:
    """8.2 The hexes that some units may attack, each with those that stand next to it (or in a beach box of it, 10.83).

    No attack goes across the sea.
    """
    foe = board.held(state, other(side))
    delays = list(state.delays) if side == ALLIED else []
    found: dict[str, list[str]] = {}
    for unit in units:
        u = state.units[unit]
        if u.has(OCC) or u.has(LANDED) or not state.type(unit).combat:
            continue
        if u.place in state.data.board.hexes:
            near = [h for h in state.data.board.near(u.place) if state.data.board.by_land(u.place, h)]
        else:
            near = [u.target] if u.target else []
        for there in near:
            if there in foe or there in delays:
                found.setdefault(there, []).append(unit)
    return found


def fight(ctx: Ctx, target: str, attackers: list[str], op: Operation, corps: str = "") -> Flow:
    """8.2 One attack, from the support to the advance."""
    state = ctx.state
    side = board.side_of(state, attackers[0])
    ctx.emit(e.FightBegan(target, side, tuple(attackers), op.id))
    yield from _slip(ctx, target, attackers, other(side))
    defenders = board.at(state, target, other(side))
    if not defenders and target not in state.delays:
        yield from advance(ctx, target, attackers, 0)
        return
    f = Fight(target, side, tuple(attackers), tuple(defenders), op, corps)
    mine = yield from _support(ctx, f, True)
    theirs = yield from _support(ctx, f, False)
    attack, defence = strength.attack(state, f) + mine, strength.defend(state, f) + theirs
    code = strength.code(state, f)
    column = strength.column(state, code, (attack, defence))
    mods = strength.modifiers(state, f)

    def read(roll: int) -> dict[str, object]:
        result, status = strength.cell(state, roll, column)
        row = min(max(roll, 0), strength.LAST_ROW)
        return {"table": "Combat Table", "row": row, "column": column, "cell": result, "status": status}

    add = sum(value for _, value in mods)
    row = phases.dice(ctx, side, 1, f"the attack on {target}", "8.23", mods, None, read)
    result, _ = strength.cell(state, row, column)
    ctx.emit(e.FightResolved(target, attack, defence, code, column, tuple(mods), row - add, row, result))
    if target in state.hits:
        ctx.emit(e.Marker("hits", target, 0, side, "8.45"))
    yield from _results(ctx, f, result, bool(dict(mods).get("armor")), bool(dict(mods).get("defender's armor")))


def _slip(ctx: Ctx, target: str, attackers: list[str], side: str) -> Flow:
    """5.48 A corps or army HQ may go back two hexes before it is attacked."""
    state = ctx.state
    for hq in [u for u in board.at(state, target, side) if state.type(u).kind in (CORPS, ARMY)]:
        alone = board.at(state, target, side) == [hq]
        options = [Option("back", f"{board.name(state, hq)} goes back two hexes"), Option("stay", "it stays and defends")]
        prompt = f"{board.name(state, hq)} is attacked at {board.place_name(state, target)}. Does it go back?"
        answer = yield from phases.ask(
            ctx, side, "corps-slip", "5.48", options, "back", prompt, where=hq, facts={"alone": "yes" if alone else "no"}
        )
        if answer.key == "back":
            yield from retreat.retreat(ctx, hq, 2, retreat.causes_of(state, attackers, target), "5.48")


# -- 8.3 ------------------------------------------------------------------------------------------


def _support(ctx: Ctx, f: Fight, attacking: bool) -> phases.Count:
    """8.3 What a side adds to its strength: tactical ratings, artillery, support points, naval gunnery."""
    state = ctx.state
    side = f.side if attacking else other(f.side)
    if not (f.attackers if attacking else f.defenders) or not receives(state, f, attacking):
        return 0
    tac, guns, most = tactical(state, f, attacking), artillery(state, f, attacking), points(state, f, attacking)
    naval = gunnery(state, f, attacking)
    if not (tac or guns or most or naval):
        return 0
    kind = "support-a" if attacking else "support-d"
    default = f"tactical {tac} af {guns} sp 0"
    mine, theirs = strength.attack(state, f), strength.defend(state, f)
    answer = yield from phases.ask(
        ctx, side, kind, "8.3", lambda: packages(tac, guns, most, naval), default,
        f"What supports the {'attack on' if attacking else 'defence of'} {board.place_name(state, f.target)}?", where=f.target,
        facts={"attack": mine, "defence": theirs, "sp": state.support[side]},
    )
    shots = naval_roll(ctx, f.target) if answer["gunnery"] else 0
    if answer["sp"]:
        ctx.emit(e.Points("support", side, -answer["sp"], "8.33"))
    ctx.emit(e.Supported(f.target, side, answer["tactical"], answer["af"], answer["sp"], shots))
    return int(answer["tactical"] + answer["af"] + answer["sp"] + shots)


def tactical(state: State, f: Fight, attacking: bool) -> int:
    """8.31 The tactical ratings of undisrupted units next to the hex that take no part; the defender's of the same division."""
    side = f.side if attacking else other(f.side)
    own = {board.parent(state, u) for u in f.defenders}
    total = 0
    for near in state.data.board.near(f.target):
        if not state.data.board.by_land(near, f.target):
            continue
        for unit in board.at(state, near, side):
            if unit in f.attackers or not state.type(unit).combat or state.units[unit].has(DISRUPTED):
                continue
            if attacking or (board.parent(state, unit) and board.parent(state, unit) in own):
                total += board.face(state, unit).tr
    return total


def artillery(state: State, f: Fight, attacking: bool) -> int:
    """8.32 Artillery factors of undisrupted HQs within two hexes for their own units; one at most for the defender, and not for
    isolated HQs (6.54)."""
    units = f.attackers if attacking else f.defenders
    total = 0
    for hq in dict.fromkeys(board.parent(state, u) for u in units if state.type(u).kind != HQ):
        if not hq or not board.on_map(state, hq) or state.units[hq].has(DISRUPTED) or board.isolated(state, hq):
            continue
        if state.data.board.distance(state.units[hq].place, f.target) <= state.data.limits["artillery_range"]:
            total += board.face(state, hq).artillery
    return min(total, f.op.artillery if attacking else 1)


def points(state: State, f: Fight, attacking: bool) -> int:
    """8.33 How many support points may be added: the operation's limit, or one for the defender; none to the isolated, nor where
    an HQ is disrupted (8.54)."""
    units = f.attackers if attacking else f.defenders
    side = f.side if attacking else other(f.side)
    hqs = [board.parent(state, u) for u in units]
    if any(board.isolated(state, u) for u in units) or any(h and state.units[h].has(DISRUPTED) for h in hqs):
        return 0
    return min(state.support[side], f.op.support if attacking else 1)


def gunnery(state: State, f: Fight, attacking: bool) -> bool:
    """8.33 Whether the Allies may call for naval gunnery: within two hexes of the coast, three times a turn."""
    side = f.side if attacking else other(f.side)
    if side != ALLIED or not state.gunnery or state.gunnery_turn >= state.data.limits["gunnery_turn"]:
        return False
    return any(state.data.board.hexes[h].get("coastal") == "yes" for h in state.data.board.within(f.target, 2))


def receives(state: State, f: Fight, attacking: bool) -> bool:
    """8.54 Disrupted units are not supported.  RULING: support comes if at least one of them is in order."""
    units = f.attackers if attacking else f.defenders
    return any(not state.units[u].has(DISRUPTED) for u in units)


def packages(tac: int, guns: int, most: int, naval: bool) -> Iterator[Option]:
    """8.3 All that a side may add, the most first: 'tactical 5 af 2 sp 3 gunnery'."""
    for call in (True, False) if naval else (False,):
        for af in range(guns, -1, -1):
            for sp in range(most, -1, -1):
                for rating in (tac, 0) if tac else (0,):
                    key = f"tactical {rating} af {af} sp {sp}" + (" gunnery" if call else "")
                    yield Option(key, data={"tactical": rating, "af": af, "sp": sp, "gunnery": call})


GUNNERY = ((5, 4), (9, 2), (12, 0))
"""Naval Gunnery Table: up to this roll of two dice, so many points."""


def naval_roll(ctx: Ctx, target: str) -> int:
    """8.33 One naval gunnery mission."""
    def value(roll: int) -> int:
        return next(points for high, points in GUNNERY if roll <= high)

    ctx.emit(e.Points("gunnery", ALLIED, -1, "8.33"))
    roll = phases.dice(
        ctx, ALLIED, 2, f"naval gunnery at {target}", "8.33", (), None, lambda r: {"sum": r, "words": f"{value(r)} points"}
    )
    return value(roll)


# -- 8.5 ------------------------------------------------------------------------------------------


def _results(ctx: Ctx, f: Fight, result: str, armor: bool, against: bool) -> Flow:
    """8.5 The defender suffers first, then the attacker; then the fallen position is occupied."""
    hurt, struck = strength.split(result)
    length = 0
    if struck is not None:
        length = yield from _defender(ctx, f, struck, against)
    if hurt is not None:
        yield from _attacker(ctx, f, hurt, armor)
    if not board.at(ctx.state, f.target, other(f.side)) and f.target not in ctx.state.delays:
        yield from advance(ctx, f.target, list(f.attackers), length)


def _defender(ctx: Ctx, f: Fight, n: int, against: bool) -> phases.Count:
    """8.52 What the defender suffers: disruption first, then the retreat, then step losses.  How many hexes he had to go."""
    state = ctx.state
    if f.target in state.delays:
        _delay(ctx, f, n)
    units = [u for u in f.defenders if board.in_play(state, u)]
    causes = retreat.causes_of(state, f.attackers, f.target)
    if n == 0:
        failed = losses.check_morale(ctx, units, False, "8.52")
        for unit in failed:
            yield from retreat.retreat(ctx, unit, 1, causes, "8.52")
        return 1 if failed else 0
    again = [u for u in units if not losses.disrupt(ctx, u, "8.52")]
    length = 0 if n == 1 else 1 if n < 4 else 2
    for unit in units:
        far = length + (unit in again)
        if far and board.in_play(state, unit):
            yield from retreat.retreat(ctx, unit, far, causes, "8.52")
    if n >= 3:
        claimed = [u for u in units if board.in_play(state, u) and board.face(state, u).armor] if against else []
        yield from losses.lose_steps(ctx, units, max(1, n - 3), "8.52", claimed)
    return length


def _delay(ctx: Ctx, f: Fight, n: int) -> None:
    """6.38 A delay marker goes back two hexes for each point, and is gone at three.

    RULING: it goes straight away from the first attacker, over any terrain; off the map or into the sea it is gone.
    """
    state = ctx.state
    if n == 0:
        return
    value = state.delays[f.target]
    ctx.emit(e.Marker("delay", f.target, 0, other(f.side), "6.38"))
    causes = retreat.causes_of(state, f.attackers, f.target)
    if n >= 3 or causes == [f.target]:
        return
    way = state.data.board.direction(causes[0], f.target)
    there = state.data.board.step(f.target, way, 2 * n)
    if there and state.data.board.hexes[there].land and there not in state.delays and there not in board.held(state, f.side):
        ctx.emit(e.Marker("delay", there, value, other(f.side), "6.38"))


def _attacker(ctx: Ctx, f: Fight, n: int, armor: bool) -> Flow:
    """8.51 What the attacker suffers."""
    state = ctx.state
    units = [u for u in f.attackers if board.in_play(state, u)]
    if n == 0:
        failed = losses.check_morale(ctx, units, True, "8.51")
        if failed:
            if f.op.id != MANEUVER:
                yield from losses.lose_steps(ctx, failed, 1, "8.51")
            left = [u for u in failed if board.in_play(state, u)]
            if left:
                yield from _disrupt_some(ctx, f, left, 1, retreat.causes_of(state, [], f.target))
        return
    if f.side == state.initiative:
        ctx.emit(e.Points("spoil", other(f.side), n, "8.51"))
    yield from _disrupt_some(ctx, f, units, n, [f.target])
    if n > len(units):
        for unit in [u for u in units if board.in_play(state, u)]:
            yield from retreat.retreat(ctx, unit, 1, [f.target], "8.51")
    if f.op.id != MANEUVER:
        claimed = [u for u in f.attackers if board.face(state, u).armor] if armor else []
        yield from losses.lose_steps(ctx, list(f.attackers), n, "8.51", claimed)


def _disrupt_some(ctx: Ctx, f: Fight, units: list[str], n: int, causes: list[str]) -> Flow:
    """8.51, 8.54 The attacker disrupts so many of his units, undisrupted ones as long as there are; one disrupted twice
    retreats a hex."""
    state = ctx.state
    left = list(units)
    for _ in range(min(n, len(units))):
        fresh = [u for u in left if not state.units[u].has(DISRUPTED)] or left
        weakest = min(fresh, key=lambda u: (board.face(state, u).tr, left.index(u)))
        options = [Option(f"disrupt {u}", f"{board.name(state, u)} is disrupted", (), {"unit": u}) for u in fresh]
        answer = yield from phases.ask(
            ctx, f.side, "disrupt-which", "8.51", options, f"disrupt {weakest}", "Which unit is disrupted?", where=f.target
        )
        unit = answer["unit"]
        left.remove(unit)
        if not losses.disrupt(ctx, unit, "8.51"):
            yield from retreat.retreat(ctx, unit, 1, causes, "8.54")


# -- 8.6 ------------------------------------------------------------------------------------------


def advance(ctx: Ctx, target: str, attackers: list[str], length: int) -> Flow:
    """8.61, 8.62 Undisrupted attackers may occupy the hex, and point out a breakthrough if its defenders went back two hexes."""
    state = ctx.state
    side = board.side_of(state, attackers[0])
    came = 0
    while True:
        able = [
            u for u in attackers
            if board.in_play(state, u) and not state.units[u].has(DISRUPTED) and state.units[u].place != target
            and board.room(state, target, u)
        ]
        if not able:
            break
        options = [Option(f"advance {u}", f"{board.name(state, u)} advances", (), {"unit": u}) for u in able]
        strongest = max(able, key=lambda u: (board.points(state, u), -able.index(u)))
        default = "done" if came else f"advance {strongest}"
        prompt = f"Who occupies {board.place_name(state, target)}?"
        answer = yield from phases.ask(
            ctx, side, "advance", "8.61", options, default, prompt, where=target, closing=phases.DONE
        )
        if answer.key == "done":
            break
        unit = answer["unit"]
        ctx.emit(e.Moved(unit, (state.units[unit].place, target), "advance", 0, "8.61"))
        came += 1
    if came and length >= 2:
        yield from _breakthrough(ctx, target, side)


def _breakthrough(ctx: Ctx, target: str, side: str) -> Flow:
    """8.62 A breakthrough marker in a free hex next to the fallen position."""
    state = ctx.state
    taken = board.held(state, side) | board.held(state, other(side))
    free = [
        h for h in state.data.board.near(target)
        if h not in taken and state.data.board.by_land(target, h) and h not in state.breakthroughs
    ]
    if not free:
        return
    roads = [h for h in free if state.data.board.across(target, h, "road")]
    options = [Option(f"break {h}", f"breakthrough at {board.place_name(state, h)}", (), {"hex": h}) for h in free]
    default = f"break {(roads or free)[0]}"
    answer = yield from phases.ask(
        ctx, side, "bt-hex", "8.62", options, default, "Where is the breakthrough?", where=target, closing=phases.DONE
    )
    if answer.key != "done":
        ctx.emit(e.Marker("breakthrough", answer["hex"], 1, side, "8.62"))
