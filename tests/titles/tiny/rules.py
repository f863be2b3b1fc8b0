"""The rules of Tiny."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.core.asks import DONE, Ask, Option, Refusal
from pbem.core.stage import Stage
from pbem.core.steps import Ctx, Step
from pbem.kit.sequence import Steps, TurnSequence
from pbem.kit.tables import Reading, Shift, column_for, floor_ratio
from tests.titles.tiny.position import BLUE, COLUMNS, RED, ROOM, SIDES, Event, State, other

TURN = ("reserve", "blue movement", "blue combat", "red movement", "red combat", "victory")
Play = Ctx[State, Event]
PASS = Option(DONE, "nothing more")
COVER = {"hill": -1, "town": -1}
"""4.2 Columns to the left for the terrain of the defender."""


SEQUENCE = TurnSequence(TURN, {"reserve": BLUE, "victory": RED})


STEPS = Steps("tests.titles.tiny", {p: f"rules.{p}" for p in ("reserve", "movement", "combat", "victory")})
scope_over, player_turn = SEQUENCE.is_over, SEQUENCE.player_turn


def can_rehearse(step: str) -> bool:
    """2.1 Moves tell nothing of a reserve that waits; dice would."""
    return Stage.parse(step).phase in ("reserve", "movement")


def progress(state: State, step: str) -> tuple[int, int]:
    """1.1 How many steps of how many lie behind one."""
    return SEQUENCE.progress(step, state.data.turns)


def next_step(state: State, done: str) -> str | None:
    """1.1 The steps of a turn, then the next turn."""
    return None if state.winner else SEQUENCE.after(done)


def _begin(ctx: Play) -> str:
    """A phase begins; gives whose it is."""
    stage = ctx.session.stage
    ctx.emit(Event("phase", stage.side, turn=stage.turn, word=stage.phase))
    return stage.side


def _ask(ctx: Play, side: str, kind: str, rule: str, make: Callable[[], Sequence[Option]], default: str, **more: Any) -> Ask:
    return Ask(side, kind, rule, ctx.session.step_name, make, default, **more)


# -- reserves and movement ------------------------------------------------------------------------


def hidden(state: State, side: str) -> str:
    """The reserve of a side that waits unseen, '' if it has appeared."""
    return next((u.id for u in state.units.values() if u.hidden and u.place and state.side(u.id) == side), "")


def why_not_wait(state: State, side: str, hex_: str) -> Refusal | None:
    """2.1 A reserve waits in a hex that its side holds."""
    if not hidden(state, side):
        return Refusal("your reserve has appeared already", "2.1")
    mine = state.control.get(hex_) == side
    return None if mine else Refusal(f"a reserve waits in a hex of your own, and {hex_} is none", "2.1")


def reserve(ctx: Play) -> Step:
    """2.1 Both sides say at once, and unseen, where their reserve waits."""
    _begin(ctx)

    def options(side: str) -> Callable[[], list[Option]]:
        free = [h for h in ctx.state.data.map.hexes if not why_not_wait(ctx.state, side, h)]
        return lambda: [Option(f"reserve {h}", data={"hex": h}) for h in free]

    asks = [_ask(ctx, s, "reserve", "2.1", options(s), DONE, closing=PASS) for s in SIDES if hidden(ctx.state, s)]
    answers = (yield asks) if asks else []
    for ask, answer in zip(asks, answers, strict=True):
        if answer.key != DONE:
            ctx.emit(Event("sent", ask.side, hidden(ctx.state, ask.side), answer["hex"], rule="2.1"))
    return None


def why_not_enter(state: State, side: str, hex_: str) -> Refusal | None:
    """3.2 No hex with an enemy, and room for two."""
    if state.at(hex_, other(side)):
        return Refusal(f"the enemy stands in {hex_}", "3.1")
    return Refusal(f"there are {ROOM} units in {hex_} already", "3.2") if len(state.at(hex_, side)) >= ROOM else None


def why_not_move(state: State, side: str, unit: str, hex_: str) -> Refusal | None:
    """3.1 A unit moves one hex, once in its phase."""
    found = state.units[unit]
    if state.side(unit) != side:
        return Refusal(f"{unit} is not yours", "3.1")
    if found.hidden or not found.place:
        return Refusal(f"{unit} is not on the map", "3.1")
    if found.moved:
        return Refusal(f"{unit} has moved already", "3.1")
    if hex_ not in state.data.map.near(found.place):
        return Refusal(f"{hex_} is not next to {found.place}", "3.1")
    return why_not_enter(state, side, hex_)


def why_not_appear(state: State, side: str) -> Refusal | None:
    """2.2 A reserve appears where it waits, if no enemy is there and there is room."""
    unit = hidden(state, side)
    return why_not_enter(state, side, state.units[unit].place) if unit else Refusal("your reserve has appeared already", "2.2")


def moves(state: State, side: str) -> Iterator[Option]:
    """3.1 All that can be ordered in a movement phase."""
    for unit in [u for u in state.units.values() if state.side(u.id) == side and u.place and not u.hidden]:
        for hex_ in state.data.map.near(unit.place):
            if not why_not_move(state, side, unit.id, hex_):
                yield Option(f"move {unit.id} to {hex_}", data={"unit": unit.id, "hex": hex_})
    if not why_not_appear(state, side):
        yield Option("appear", data={"unit": hidden(state, side)})


def movement(ctx: Play) -> Step:
    """3.1 Units move one after the other, and a reserve appears."""
    side = _begin(ctx)
    while True:
        options = list(moves(ctx.state, side))
        [answer] = yield [_ask(ctx, side, "movement", "3.1", lambda found=options: found, DONE, closing=PASS)]  # type: ignore[misc]
        if answer.key == DONE:
            return None
        unit = answer["unit"]
        start = ctx.state.units[unit].place
        if answer.key == "appear":
            ctx.emit(Event("appeared", side, unit, start, rule="2.2"))
        else:
            ctx.emit(Event("moved", side, unit, answer["hex"], start, "3.1"))


# -- combat ---------------------------------------------------------------------------------------


def attackers(state: State, side: str, hex_: str) -> list[str]:
    """4.1 The units next to a hex that have not fought in this phase, the strongest first."""
    near = [u for h in state.data.map.near(hex_) for u in state.at(h, side) if not state.units[u].fought]
    return sorted(near, key=lambda u: -state.strength(u))


def why_not_attack(state: State, side: str, hex_: str) -> Refusal | None:
    """4.1 An attack needs an enemy in sight, and a unit beside it."""
    if not state.at(hex_, other(side)):
        return Refusal(f"no enemy is in sight in {hex_}", "4.1")
    return None if attackers(state, side, hex_) else Refusal(f"no unit of yours that can still fight is next to {hex_}", "4.1")


def column(state: State, side: str, hex_: str) -> tuple[int, list[Shift]]:
    """4.1, 4.2, 2.3 The column of the odds, and what shifts it."""
    mine = attackers(state, side, hex_)
    odds = floor_ratio(state.strength(*mine), state.strength(*state.at(hex_, other(side))))
    terrain = state.data.map.hexes[hex_].terrain
    shifts = [Shift(COVER[terrain], terrain, "4.2")] if terrain in COVER else []
    shifts += [Shift(1, "surprise", "2.3")] if any(state.units[u].fresh for u in mine) else []
    return column_for(odds, COLUMNS), shifts


def combat(ctx: Play) -> Step:
    """4.1 The player attacks as often as he can and likes."""
    side = _begin(ctx)
    while True:
        able = [h for h in ctx.state.data.map.hexes if not why_not_attack(ctx.state, side, h)]
        options = [Option(f"attack {h}", data={"hex": h}) for h in able]
        [answer] = yield [_ask(ctx, side, "combat", "4.1", lambda found=options: found, DONE, closing=PASS)]  # type: ignore[misc]
        if answer.key == DONE:
            return None
        yield from _fight(ctx, side, answer["hex"])


def _fight(ctx: Play, side: str, hex_: str) -> Step:
    """4.3 Two dice on the Combat Table."""
    state, mine = ctx.state, attackers(ctx.state, side, hex_)
    start, shifts = column(state, side, hex_)
    ctx.emit(Event("attack", side, hex=hex_, rule="4.1", units=tuple(mine)))

    def look_up(faces: Sequence[int]) -> Reading:
        return state.data.crt.look_up(sum(faces), start, shifts)

    def read(faces: Sequence[int]) -> Mapping[str, Any]:
        return {"sum": sum(faces), **look_up(faces).json()}

    faces = ctx.roll(2, sides=6, purpose=f"the attack on {hex_}", rule="4.3", side=side, read=read)
    cell = look_up(faces).cell
    losers = {"A1": mine, "D1": state.at(hex_, other(side))}.get(cell, [])
    if losers:
        ctx.emit(Event("eliminated", state.side(losers[-1]), min(losers, key=state.strength), rule="4.3"))
    if cell in ("DR", "D1"):
        for unit in state.at(hex_, other(side)):
            yield from _retreat(ctx, unit)
        yield from _advance(ctx, side, hex_, mine)
    held = bool(state.at(hex_, other(side)))
    ctx.emit(Event("fought", side, hex=hex_, rule="4.3", word="defender-holds" if held else "attacker-holds"))
    return None


def _retreat(ctx: Play, unit: str) -> Step:
    """4.4 The owner chooses one of the hexes around; with none the unit is eliminated."""
    state, side, here = ctx.state, ctx.state.side(unit), ctx.state.units[unit].place
    ways = [h for h in state.data.map.near(here) if not why_not_enter(state, side, h)]
    if not ways:
        ctx.emit(Event("eliminated", side, unit, rule="4.4"))
        return None
    options = [Option(f"retreat to {h}", data={"hex": h}) for h in ways]
    facts = {"strength": state.strength(unit)}
    prompt = f"Where does {unit} retreat from {here}?"
    [answer] = yield [_ask(ctx, side, "retreat", "4.4", lambda: options, options[0].key, prompt=prompt, where=here, facts=facts)]
    ctx.emit(Event("retreated", side, unit, answer["hex"], here, "4.4"))
    return None


def _advance(ctx: Play, side: str, hex_: str, mine: Sequence[str]) -> Step:
    """4.5 One of the attackers may enter the hex that was emptied."""
    able = [u for u in mine if ctx.state.units[u].place]
    options = [*(Option(f"advance {u}", data={"unit": u}) for u in able), Option("stay")]
    facts = {"units": len(able)}
    [answer] = yield [_ask(ctx, side, "advance", "4.5", lambda: options, options[0].key, where=hex_, facts=facts)]
    if answer.key != "stay":
        ctx.emit(Event("advanced", side, answer["unit"], hex_, ctx.state.units[answer["unit"]].place, "4.5"))
    return None


def victory(ctx: Play) -> Step:
    """5.1 After the last turn the side with more points has won."""
    _begin(ctx)
    if ctx.state.turn == ctx.state.data.turns:
        blue, red = (ctx.state.points(s) for s in (BLUE, RED))
        ctx.emit(Event("ended", word="draw" if blue == red else BLUE if blue > red else RED, rule="5.1"))
    return None
    yield
