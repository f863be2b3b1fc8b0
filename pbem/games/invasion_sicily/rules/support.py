"""10.0 Combat support: artillery, aircraft, ships."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, other
from pbem.games.invasion_sicily.position.state import FIRED, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import naval, zones
from pbem.games.invasion_sicily.rules.phases import ask, die, er_check

Points = Generator[Sequence[Ask], list[Answer], int]
Guns = Generator[Sequence[Ask], list[Answer], list[str]]

ALL = Option("guns all", "all guns that may fire", tags=("all",))
NO_MORE = Option("done", "no more guns", tags=("none",))


# -- 10.1 artillery -----------------------------------------------------------------------------------


def why_not_fire(state: State, gun: str, target: str, attacking: bool) -> Refusal | None:
    """10.1.4, 10.1.5, 10.1.6c Why a gun gives no support to a combat, or None."""
    found, kind = state.units[gun], state.type(gun)
    if not kind.gun or not board.on_map(state, found) and not found.target:
        return Refusal(f"{gun} is no artillery on the map", "10.1.4")
    if found.has(FIRED):
        return Refusal(f"{gun} has fired in this phase", "10.1.4")
    if found.has(UNSUPPLIED):
        return Refusal(f"{gun} is out of supply", "10.1.4")
    if not board.reach(state, gun, target):
        return Refusal(f"{target} is out of {gun}'s range of {kind.range}", "10.1.4")
    side = board.side_of(state, gun)
    in_zone = found.place in zones.of(state, other(side))
    if attacking and in_zone and target not in state.data.map.near(found.place):
        return Refusal(f"{gun} is in an enemy zone of control and supports attacks on adjacent hexes only", "10.1.5")
    if not attacking and found.place != target and in_zone:
        return Refusal(f"{gun} is in an enemy zone of control", "10.1.6")
    if found.target and found.target != target:
        return Refusal(f"{gun} is at sea before {found.target}", "13.2.4")
    return None


def guns(ctx: Ctx, side: str, target: str, candidates: Sequence[str], free: str, where: str, cap: int) -> Guns:
    """10.1.1, 10.1.2, 10.1.3, 10.1.7 The owner names guns; each but the free one makes an efficiency check; all are marked
    Fired."""
    left, fired = list(candidates), list[str]()
    while left:
        answer = yield from ask(
            ctx, side, "guns", "10.1", [ALL, *(Option(f"fire {g}", data={"unit": g}) for g in left)], "guns all",
            where=where, closing=NO_MORE, facts={"cap": cap, "guns": len(left)},
        )
        if answer.key == "done":
            break
        named = list(left) if answer.key == "guns all" else [answer["unit"]]
        for gun in named:
            left.remove(gun)
            ctx.emit(e.Marked(gun, FIRED, True, "10.1.7"))
            if gun == free or er_check(ctx, gun, f"{gun} supports the combat at {target}", "10.1.3", combat=True):
                fired.append(gun)
    return fired


def free_gun(state: State, candidates: Sequence[str]) -> str:
    """10.1.4e One gun in the lead hex fires without a check: of several the one with most support, then the worst rated."""
    return max(candidates, key=lambda g: (board.support(state, g), -board.er(state, g), g), default="")


# -- 10.2 aircraft, 10.3 ships --------------------------------------------------------------------------


def air(ctx: Ctx, side: str, target: str, room: int, facts: dict[str, int]) -> Points:
    """10.2, 10.2.1, 10.2.3 Air points for one combat: one die for all of them; those that fail are lost."""
    most = min(ctx.state.air[side], room)
    if most <= 0:
        return 0
    answer = yield from ask(
        ctx, side, "air", "10.2", lambda: _amounts("air", most), "air 0", where=target, facts={**facts, "pool": most}
    )
    points: int = answer["points"]
    if not points:
        return 0
    ctx.emit(e.Spent(side, "air", points, "support"))
    table = ctx.state.data.coordination[f"{side}-air"]
    mods = [("enemy air superiority", table["enemy_zone"])] if board.enemy_zone(ctx.state, side, target) else []
    passed = die(ctx, side, f"air support at {target}", "10.2.2", mods, table["passes"]) <= table["passes"]
    return points if passed else 0


def ships(ctx: Ctx, target: str, room: int, facts: dict[str, int]) -> Points:
    """10.3, 10.3.1, 10.3.4 Naval points for one combat, up to two hexes inland; a hex inland is harder in the Axis zone."""
    state = ctx.state
    reach = naval.firing_sea(state, target)
    most = min(state.naval, room)
    if most <= 0 or reach is None:
        return 0
    answer = yield from ask(
        ctx, ALLIED, "naval", "10.3", lambda: _amounts("naval", most), "naval 0", where=target, facts={**facts, "pool": most}
    )
    points: int = answer["points"]
    if not points:
        return 0
    sea, inland = reach
    ctx.emit(e.Spent(ALLIED, "naval", points, "support"))
    table, zone = state.data.coordination["naval"], board.axis_zone(state, sea)
    mods = [("hexes inland under Axis aircraft", inland * table["inland"])] if zone and inland else []
    if zone:
        naval.in_axis_zone(ctx)
    passed = die(ctx, ALLIED, f"naval support at {target}", "10.3.2", mods, table["passes"]) <= table["passes"]
    return points if passed else 0


def _amounts(kind: str, most: int) -> Iterator[Option]:
    for n in range(most + 1):
        tags = (*(["none"] if n == 0 else []), *(["all"] if n == most else []))
        yield Option(f"{kind} {n}", data={"points": n}, tags=tags)
