"""5.0 The Command Phase: command points, command control, the bid, corps support."""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, ARMY, AXIS, CORPS, HQ, SIDES, other
from pbem.games.italian_campaign.position.state import SUPPORTED, State
from pbem.games.italian_campaign.rules import phases, supply
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.kit.tables import span

FIRST_BOX = 6
"""6.11 The highest box in which the operations track marker may begin."""

EVACUATION_RP = 2
"""RULING: after an evacuation there are no bids (errata); the marker begins in box 6, with an initiative point for each box and a
reaction point for each R box, and play goes on until the final reaction segment."""

ROMMEL = 6
RELEASED = "released"
"""German Options: two dice of 2 to 6 release the SS Panzer Corps."""


def command(ctx: Ctx) -> Flow:
    """3.0 phase 3"""
    phases.begin(ctx)
    state = ctx.state
    if state.turn > 1 and not state.evacuation:
        _points(ctx)
    supply.mark_command(ctx)
    if state.evacuation:
        _fixed(ctx)
    else:
        yield from _bid(ctx)
    yield from _support(ctx)
    yield from _armies(ctx)
    _start(ctx)


def band(state: State, capacity: int) -> str:
    """The column of the Command Supply Table."""
    bands = dict.fromkeys(key[1] for key in state.data.tables.supply)
    return next(b for b in bands if span(b).holds(capacity))


def _points(ctx: Ctx) -> None:
    """5.1, 5.11 Command points by landing capacity; nine at most.  An E for the Axis is the evacuation."""
    state = ctx.state
    column = band(state, board.landing_capacity(state))
    for side in SIDES:
        def read(roll: int, side: str = side) -> dict[str, object]:
            cell, status = state.data.tables.supply[side, column, roll]
            return {"table": "Command Supply Table", "row": roll, "column": column, "cell": cell, "status": status}

        roll = phases.dice(ctx, side, 1, "command points", "5.1", (), None, read)
        got = state.data.tables.supply[side, column, roll][0]
        if got == "E":
            ctx.emit(e.Evacuation(roll))
        else:
            more = min(int(got), state.data.limits["command_most"] - state.cp[side])
            if more:
                ctx.emit(e.Points("cp", side, more, "5.1"))


def _fixed(ctx: Ctx) -> None:
    """Errata, Victory Conditions: after an evacuation the Allies have the initiative for good."""
    ctx.emit(e.BidsOpened(ALLIED, 0, 0))
    ctx.emit(e.Points("ip", ALLIED, FIRST_BOX - ctx.state.ip, "evacuation"))
    ctx.emit(e.Points("rp", AXIS, EVACUATION_RP - ctx.state.rp, "evacuation"))


# -- 5.3 ------------------------------------------------------------------------------------------


def highest_bid(state: State, side: str) -> int:
    """5.32 Not more than one has, than nine, and than two above what the enemy has."""
    limits = state.data.limits
    return min(state.cp[side], limits["bid_most"], state.cp[other(side)] + limits["bid_above"])


def _bid(ctx: Ctx) -> Flow:
    """5.31, 5.33 Sealed bids; the higher has the initiative, a tie is diced for."""
    state = ctx.state
    asks = []
    for side in SIDES:
        most = highest_bid(state, side)
        options = [Option(f"bid {n}", data={"points": n}) for n in range(most + 1)]
        default = f"bid {min(most, (state.cp[side] + 1) // 2)}"
        prompt = f"How many command points do you bid for the initiative (0 to {most})?"
        asks.append(phases.question(ctx, side, "bid", "5.31", options, default, prompt, facts={"cp": state.cp[side]}))
    answers = yield asks
    bids = {side: int(a["points"]) for side, a in zip(SIDES, answers, strict=True)}
    for side in SIDES:
        ctx.emit(e.Bid(side, bids[side]))
    winner = max(SIDES, key=lambda s: bids[s])
    while bids[ALLIED] == bids[AXIS]:
        dice = {side: phases.dice(ctx, side, 1, "the initiative", "5.31") for side in SIDES}
        if dice[ALLIED] != dice[AXIS]:
            winner = max(SIDES, key=lambda s: dice[s])
            break
    ctx.emit(e.BidsOpened(winner, bids[ALLIED], bids[AXIS]))
    ctx.emit(e.Points("cp", winner, -bids[winner], "5.33"))
    ctx.emit(e.Points("ip", winner, bids[winner] - state.ip, "5.33"))
    if winner == AXIS and state.data.switches["rommel"]:
        _rommel(ctx)
    yield from _reaction(ctx, other(winner), bids[other(winner)])


def _reaction(ctx: Ctx, loser: str, bid: int) -> Flow:
    """5.33 The loser turns up to half of his bid, rounded up, into reaction points.

    RULING: 'up to' (5.33), where the sequence of play says 'equal to'.
    """
    state = ctx.state
    most = (bid + 1) // 2
    rp = most
    if most:
        options = [Option(f"reaction {n}", data={"points": n}) for n in range(most, -1, -1)]
        prompt = f"How many command points become reaction points (0 to {most})?"
        answer = yield from phases.ask(ctx, loser, "reaction-points", "5.33", options, f"reaction {most}", prompt)
        rp = answer["points"]
    if rp:
        ctx.emit(e.Points("cp", loser, -rp, "5.33"))
    ctx.emit(e.Points("rp", loser, rp - state.rp, "5.33"))


def _rommel(ctx: Ctx) -> None:
    """German Options 1: where the Axis has won the bid, 2 to 6 on two dice releases the SS Panzer Corps."""
    state = ctx.state
    waiting = [
        u for u in state.units.values()
        if u.place == "to-come" and not u.has(RELEASED) and "2SS" in (u.id, state.data.units[_hq(state, u.id)].corps)
    ]
    if not waiting:
        return
    roll = phases.dice(ctx, AXIS, 2, "Rommel's reserves", "5.3", (), ROMMEL)
    if roll <= ROMMEL:
        for unit in waiting:
            ctx.emit(e.Marked(unit.id, RELEASED, True, "5.3"))


def _hq(state: State, unit: str) -> str:
    return state.type(unit).formation or unit


# -- 5.4 ------------------------------------------------------------------------------------------


def points_of(state: State, side: str) -> int:
    """5.41 What limits corps support: initiative or reaction points."""
    return state.ip if side == state.initiative else state.rp


def _support(ctx: Ctx) -> Flow:
    """5.41 The Allies, then the Axis, turn corps to their supported side; the capacities together may not exceed the points."""
    for side in SIDES:
        left = points_of(ctx.state, side)
        while True:
            state = ctx.state
            able = [
                c.id for c in board.units(state, side, CORPS, ARMY)
                if not c.has(SUPPORTED) and board.on_map(state, c.id) and state.type(c.id).front.capacity <= left
            ]
            if not able:
                break
            options = [Option(f"support {c}", f"{board.name(state, c)} is supported", (), {"corps": c}) for c in able]
            best = max(able, key=lambda c: (_led(state, c), state.type(c).front.capacity, -able.index(c)))
            prompt = f"Which corps is supported ({left} points are left)?"
            answer = yield from phases.ask(
                ctx, side, "corps-support", "5.41", options, f"support {best}", prompt, closing=phases.DONE
            )
            if answer.key == "done":
                break
            ctx.emit(e.Marked(answer["corps"], SUPPORTED, True, "5.41"))
            left -= state.type(answer["corps"]).front.capacity


def _led(state: State, corps: str) -> int:
    """5.42 How many divisions are within reach of a corps HQ."""
    reach = state.data.limits["corps_reach"]
    return sum(1 for hq in board.units(state, board.side_of(state, corps), HQ) if board.distance(state, corps, hq.id) <= reach)


def _armies(ctx: Ctx) -> Flow:
    """5.49 Each army HQ adds its ratings to one corps within twelve hexes, or operates by itself as a corps."""
    for side in SIDES:
        for army in [a.id for a in board.units(ctx.state, side, ARMY) if board.on_map(ctx.state, a.id)]:
            state = ctx.state
            reach = state.data.limits["army_reach"]
            able = [c.id for c in board.units(state, side, CORPS) if board.distance(state, army, c.id) <= reach]
            if not able:
                continue
            helped = {c: f"{board.name(state, army)} helps {board.name(state, c)}" for c in able}
            options = [Option(f"boost {c}", words, (), {"corps": c}) for c, words in helped.items()]
            best = max(able, key=lambda c: (state.units[c].has(SUPPORTED), _led(state, c), -able.index(c)))
            answer = yield from phases.ask(
                ctx, side, "army-use", "5.49", [*options, Option("independent", "it operates by itself", (), {"corps": ""})],
                f"boost {best}", f"Which corps does {board.name(state, army)} help?", where=army,
            )
            ctx.emit(e.Boosted(army, answer["corps"]))


def _start(ctx: Ctx) -> None:
    """6.11 The marker begins in the box that is the difference of initiative and reaction points, six at most; with none it goes
    to the final reaction segment at once."""
    state = ctx.state
    box = min(FIRST_BOX, state.ip - state.rp)
    wanted = str(box) if box > 0 else ""
    at = next(i for i, (name, kind, _) in enumerate(state.data.track, 1) if (name == wanted if wanted else kind == "FR"))
    ctx.emit(e.TrackSet(at, 0))
