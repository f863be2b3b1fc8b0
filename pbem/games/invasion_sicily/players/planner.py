"""A player that plans: it plays both sides and every phase, by judgement rather than by search.

It looks only at what lies open (and, as the Allied player, at its own marker and boxes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from pbem.core.asks import Ask, Option
from pbem.games.invasion_sicily.players.outlook import Outlook, supplied
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import AFRICA, ALLIED, AXIS, INVASION, ITALY
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import declaring, moves, reaction, stacking, victory
from pbem.games.invasion_sicily.rules.costs import FOLLOW_UP, MOTORIZED, MOVEMENT, REACTION
from pbem.games.invasion_sicily.words.choosing import choose

BOLD, CAREFUL, SHORT = 24, 30, 4
"""Tenths of odds from which the Axis attacks: in a game of so few turns it strikes at once, in a campaign it spares its units."""


def enough(state: State, side: str) -> int:
    """Tenths of odds from which a side attacks."""
    return 15 if side == ALLIED else BOLD if state.data.turns <= SHORT else CAREFUL


SHIPS_FROM = 2
"""The turn from which the Axis sends its reserves over."""

LOOKED_AT = 3000
"""Options of one question that are looked at, at most."""


class Planner:
    """One player; it remembers which units of a phase it has thought about."""

    def __init__(self) -> None:
        self._phase = ("", "")
        self._thought: dict[str, bool] = {}
        self._fed: dict[str, bool] = {}

    def look(self, state: State, side: str) -> Outlook:
        """The map as it looks now; where supply reaches is found out once a phase."""
        if not self._fed:
            self._fed = supplied(state, side)
        return Outlook(state, side, self._fed)

    def __call__(self, state: State, ask: Ask) -> Option:
        """The option it takes."""
        phase = (ask.scope, ask.kind)
        if phase != self._phase:
            self._phase, self._thought, self._fed = phase, {}, {}
        judge = _JUDGES.get(ask.kind)
        found = judge(self, state, ask) if judge else None
        if found is None:
            found = ask.option(ask.default)
        assert found is not None, f"{ask.kind}: default {ask.default!r} is no option"
        return found

    def new(self, unit: str) -> bool:
        """Whether a unit has not been thought about in this phase; it has, from now on."""
        if unit in self._thought:
            return False
        self._thought[unit] = True
        return True


Judge = Callable[[Planner, State, Ask], Option | None]


def _take(state: State, ask: Ask, key: str) -> Option | None:
    got = choose(state, ask, key)
    return got if isinstance(got, Option) else None


def _closing(state: State, ask: Ask) -> Option | None:
    return ask.closing


# -- moving -----------------------------------------------------------------------------------------


def _movement(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Units one by one, those nearest to their goals first; when all have moved, attacks."""
    look = planner.look(state, ask.side)
    mode = MOVEMENT if ask.kind == "movement" else MOTORIZED
    for unit in _in_order(look, state, ask.side):
        if not planner.new(unit) or moves.why_not_act(state, unit, mode):
            continue
        found = _best_move(look, unit, mode)
        if found is not None:
            return found
    if ask.kind == "movement":
        return _attack(look, state, ask) or ask.closing
    return ask.closing


def _in_order(look: Outlook, state: State, side: str) -> list[str]:
    units = list(board.in_play(state, side))
    return [u.id for u in sorted(units, key=lambda u: (look.far.get(u.place, 999), u.id))]


def _best_move(look: Outlook, unit: str, mode: str) -> Option | None:
    """The best hex in reach, if it is better than where the unit stands."""
    state, here = look.state, look.state.units[unit].place
    found = moves.reach(look.ground, unit, mode)
    best, least = here, _value(look, unit, here, True)
    for there in found:
        if there == here or there not in state.data.hexes or not stacking.fits(state, look.side, there, [unit]):
            continue
        value = _value(look, unit, there, False)
        if value > least:
            best, least = there, value
    return moves.option(unit, found.way(best), mode) if best != here else None


def _value(look: Outlook, unit: str, hex_: str, here: bool) -> int:
    """How good a hex is for a unit: near a goal, next to an enemy it can help to beat, not alone before a stronger one."""
    state, kind = look.state, look.state.type(unit)
    value = -3 * look.far.get(hex_, 400) + (2 if here else 0)
    worth = victory.worth(state, hex_)
    held = [u for u in look.ground.friends.get(hex_, ()) if u != unit]
    if look.side == AXIS:
        value += 12 * worth * (not held) + 4 * worth
        if here and len(held) == 0 and worth:
            value += 30
    elif worth and state.holder(hex_) == AXIS:
        value += 10 * worth
    elif worth and here and not held and look.threatened(hex_):
        value += 15 + 8 * worth
    if look.fed and hex_ not in look.fed:
        value -= 30
    targets = [h for h in state.data.map.near(hex_) if h in look.ground.enemy]
    danger = look.danger(hex_)
    if kind.gun or board.attack(state, unit) == 0:
        return value - 4 * danger - 8 * len(targets) + 5 * bool(held)
    if targets:
        strength = max(declaring.strength(state, unit, t) for t in targets)
        friends = max(sum(declaring.strength(state, u, t) for u in look.attackers(t)) for t in targets)
        weakest = min(look.defence(t) for t in targets)
        value += 14 if (strength + friends) * 10 >= enough(state, look.side) * max(1, weakest) else -6
    mine = board.defence(state, unit) + sum(board.defence(state, u) for u in held)
    return value - 3 * max(0, danger - 2 * mine)


def _attack(look: Outlook, state: State, ask: Ask) -> Option | None:
    """The attack with the best odds, if they are good enough; all that can attack do, but at most four hexes' worth."""
    best: tuple[int, str, list[str]] | None = None
    for target in look.ground.enemy:
        units = look.attackers(target)
        if not units:
            continue
        units = sorted(units, key=lambda u: -declaring.strength(state, u, target))
        chosen = _enough(look, target, units)
        odds = look.odds(target, chosen)
        gain = odds + 5 * victory.worth(state, target)
        if odds >= enough(state, ask.side) and (best is None or gain > best[0]):
            best = (gain, target, chosen)
    return declaring.option(best[1], best[2]) if best else None


def _enough(look: Outlook, target: str, units: list[str]) -> list[str]:
    """As many of the strongest as make the odds good; the rest may attack elsewhere."""
    for number in range(1, len(units) + 1):
        if look.odds(target, units[:number]) >= 40:
            return units[:number]
    return units


def _reaction(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Into a hex under attack that is worth holding and has room."""
    look = Outlook(state, ask.side)
    for unit in _in_order(look, state, ask.side):
        if not planner.new(unit) or reaction.why_not_react(state, ask.side, unit):
            continue
        found = moves.reach(look.ground, unit, REACTION)
        goals = [h for h in found if h in state.attacks and stacking.fits(state, ask.side, h, [unit])]
        for goal in sorted(goals, key=lambda h: -victory.worth(state, h)):
            attack = sum(declaring.strength(state, u, goal) for u in state.attacks[goal])
            defence = sum(board.defence(state, u) for u in board.at(state, goal, ask.side))
            if attack < 4 * (defence + board.defence(state, unit)):
                return moves.option(unit, found.way(goal), REACTION, "react")
    return ask.closing


def _refusal(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Slip away from odds that are too long."""
    if int(ask.facts.get("odds", 0)) >= 4:
        return next((o for o in ask.each() if "away" in o.tags), None)
    return None


# -- carrying ---------------------------------------------------------------------------------------


def _transport(planner: Planner, state: State, ask: Ask) -> Option | None:
    best, most = None, 0
    for option in islice(ask.each(), LOOKED_AT):
        value = _cargo(planner, state, ask.side, option)
        if value > most:
            best, most = option, value
    if best is not None:
        planner.new(str(best.data["unit"]))
    return best or ask.closing


def _cargo(planner: Planner, state: State, side: str, option: Option) -> int:
    """What carrying a unit somewhere is worth; 0 for leaving it."""
    data = option.data
    unit = str(data.get("unit", ""))
    if data.get("do") == "airsupply":
        return 6
    if data.get("do") == "drop":
        return _drop(state, unit, str(data["place"])) if side == ALLIED else 0
    if data.get("do") == "raid":
        return 0
    place = str(data.get("place", ""))
    if data.get("do") not in ("ship", "airlift") or unit in planner._thought:
        return 0
    here = state.units[unit].place
    if side == ALLIED and here == AFRICA and place in state.data.hexes:
        return (9 if board.port_side(state, unit) else 5) + state.data.hexes[place].capacity
    if side == AXIS and here == ITALY and place in state.data.hexes and state.turn >= SHIPS_FROM and not state.evacuating:
        quick = option.data["do"] == "airlift"
        near = state.data.hexes[place].port == "Messina"
        return 4 + board.attack(state, unit) + board.defence(state, unit) + 3 * quick + near
    if side == AXIS and place == ITALY and state.evacuating:
        return 3 + board.attack(state, unit) + board.defence(state, unit)
    return 0


def _drop(state: State, unit: str, there: str) -> int:
    """Behind the beaches, where no enemy reaches, near something worth having."""
    from pbem.games.invasion_sicily.rules import air

    mods = sum(v for _, v in air.mods(state, unit, there, False))
    if mods > 0 or state.turn > 2:
        return 0
    near = [h for h in state.data.map.within(there, 2) if h in state.data.hexes]
    worth = sum(victory.worth(state, h) for h in near if state.holder(h) == AXIS)
    beaches = [b for b in state.data.beaches.values() if b.operation in state.operations]
    close = any(state.data.map.distance(there, b.target) <= 2 for b in beaches)
    return worth + 2 if close and worth else 0


def _interdict(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Some points, once there is anything to sink."""
    waiting = [u for u in state.units.values() if u.place == ITALY and state.data.units[u.id].side == AXIS]
    if not waiting and not state.evacuating:
        return None
    air, naval = min(2, state.air[ALLIED] // 3), state.naval // 3
    return _take(state, ask, f"interdict air {air} naval {naval}") if air or naval else None


def _counter_air(planner: Planner, state: State, ask: Ask) -> Option | None:
    waiting = [u for u in state.units.values() if u.place == ITALY and state.data.units[u.id].side == AXIS]
    return _take(state, ask, "counter-air 1") if len(waiting) > 2 else None


# -- fighting ---------------------------------------------------------------------------------------


def _air(planner: Planner, state: State, ask: Ask) -> Option | None:
    """A third of what is left, where it can change something."""
    pool = int(ask.facts["pool"])
    points = min(pool, max(1, state.air[ask.side] // 3))
    return _take(state, ask, f"air {points}") if "attack" in ask.facts or state.air[ask.side] > 1 else None


def _naval(planner: Planner, state: State, ask: Ask) -> Option | None:
    points = min(int(ask.facts["pool"]), max(1, state.naval // 3))
    return _take(state, ask, f"naval {points}")


def _counter(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Strike back at better than two to one."""
    if int(ask.facts["odds"]) >= 2:
        return next((o for o in ask.each() if "counter" in o.tags), None)
    return None


def _join(planner: Planner, state: State, ask: Ask) -> Option | None:
    return _take(state, ask, "join all")


# -- the rest ---------------------------------------------------------------------------------------


def _events(planner: Planner, state: State, ask: Ask) -> Option | None:
    """An operation is planned when a division waits in Africa; Sicily is given up late."""
    if ask.side == AXIS:
        found = ask.option("evacuate sicily") if state.turn >= state.data.turns - 5 else None
        return found or ask.closing
    roll = ask.option("mussolini roll")
    if roll is not None:
        return roll
    waiting = [u for u in board.at(state, AFRICA, ALLIED) if state.data.units[u].type == "infantry"]
    if not state.plan and state.turn >= 2 and len(waiting) >= 3:
        for option in ask.each():
            words = option.key.split(" ")
            if words[0] == "plan" and words[1] in ("Catania", "Palermo") and int(words[-1]) == state.turn + 5:
                return option
    return ask.closing


def _buy(planner: Planner, state: State, ask: Ask) -> Option | None:
    return None


def _replacements(planner: Planner, state: State, ask: Ask) -> Option | None:
    """The strongest unit first; the Axis makes Ersatz units and merges them."""
    options = list(islice(ask.each(), LOOKED_AT))

    def worth(option: Option) -> tuple[int, int]:
        kind = option.data.get("do", "")
        unit = str(option.data.get("unit", ""))
        rank = {"merge": 4, "replace": 3, "ccnn": 2, "ersatz": 1}.get(str(kind), 0)
        return (rank, board.attack(state, unit) + board.defence(state, unit) if unit in state.units else 0)

    best = max(options, key=worth)
    return best if worth(best)[0] else ask.closing


def _special(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Follow-up units land and march; units join a planned operation with a Beach unit."""
    if state.plan and state.plan_since == state.turn:
        for option in _boxed(state, ask):
            return option
    default = ask.option(ask.default)
    if default is not None and default is not ask.closing:
        return default
    look = planner.look(state, ALLIED)
    for unit in [u.id for u in state.units.values() if u.left > 0]:
        if planner.new(unit) and not moves.why_not_act(state, unit, FOLLOW_UP):
            found = _best_move(look, unit, FOLLOW_UP)
            if found is not None:
                return found
    return ask.closing


def _boxed(state: State, ask: Ask) -> Iterator[Option]:
    """A Beach unit first, then up to three regiments of its nation."""
    inside = board.at(state, INVASION, ALLIED)
    beaches = [u for u in inside if board.beach_side(state, u)]
    if not beaches:
        for unit in board.at(state, AFRICA, ALLIED):
            found = _take(state, ask, f"box {unit} to {INVASION}") if board.beach_side(state, unit) else None
            if found is not None:
                yield found
        return
    nation = state.data.units[beaches[0]].command
    if len(inside) - len(beaches) >= 3:
        return
    for unit in board.at(state, AFRICA, ALLIED):
        kind = state.data.units[unit]
        found = _take(state, ask, f"box {unit} to {INVASION}") if kind.type == "infantry" and kind.command == nation else None
        if found is not None:
            yield found


def _engineering(planner: Planner, state: State, ask: Ask) -> Option | None:
    """Strongpoints where the enemy is near, ports blown when he comes, Port units into empty ports."""
    best, most = None, 0
    for option in islice(ask.each(), LOOKED_AT):
        value = _works(planner, state, ask.side, option)
        if value > most:
            best, most = option, value
    if best is not None and "unit" in best.data:
        planner.new(str(best.data["unit"]))
    return best or ask.closing


def _works(planner: Planner, state: State, side: str, option: Option) -> int:
    data, hex_ = option.data, str(option.data.get("hex", ""))
    kind = data.get("do")
    if not kind:
        return 0
    if kind == "repair":
        return 50
    if kind == "port":
        unit = str(data["unit"])
        if unit in planner._thought or state.units[unit].place == hex_ or board.beach_side(state, unit) and state.turn < 3:
            return 0
        there = [u for u in board.at(state, hex_, ALLIED) if board.port_side(state, u)]
        return 0 if there else state.data.hexes[hex_].capacity
    foes = board.by_hex(state, ALLIED)
    near = min((state.data.map.distance(hex_, h) for h in foes), default=99)
    if kind == "demolish":
        return 30 if near <= 3 else 0
    if kind == "strongpoint":
        own = sum(board.defence(state, u) for u in board.at(state, hex_, AXIS))
        return own + 3 * victory.worth(state, hex_) if own and near <= 2 else 0
    return 0


def _evacuation(planner: Planner, state: State, ask: Ask) -> Option | None:
    """The strongest unit that may go."""
    options = [o for o in ask.each() if o is not ask.closing]

    def worth(option: Option) -> tuple[int, str]:
        unit = str(option.data["unit"])
        return board.attack(state, unit) + board.defence(state, unit), option.key

    return max(options, key=worth, default=None)


_JUDGES: dict[str, Judge] = {
    "movement": _movement, "motorized": _movement, "reaction": _reaction, "refusal": _refusal, "transport": _transport,
    "interdict": _interdict, "counter-interdict": _counter_air, "air": _air, "naval": _naval, "counter": _counter,
    "join": _join, "events": _events, "buy-rp": _buy, "replacements": _replacements, "special": _special,
    "engineering": _engineering, "sicily-evacuation": _evacuation,
}
