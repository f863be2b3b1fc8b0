"""A player's words to one of the options offered, or to a refusal with its reason."""

from __future__ import annotations

from pbem.core.asks import Ask, Option, Refusal, pick
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import (
    air, coast, costs, declaring, engineering, evacuation, invasion, moves, reaction, replacements, shipping, special,
)
from pbem.games.invasion_sicily.rules.costs import FOLLOW_UP, MOTORIZED, MOVEMENT, REACTION

MODES = {"movement": MOVEMENT, "motorized": MOTORIZED, "reaction": REACTION, "special": FOLLOW_UP}


def choose(state: State, ask: Ask, choice: str) -> Option | Refusal:
    """The option of ``ask`` that ``choice`` means, or why there is none.  Options of great questions are looked up, not
    searched for: a move is reckoned for the one unit and the one hex that it names."""
    words = choice.split()
    if ask.closing is not None and choice == ask.closing.key:
        return ask.closing
    if not words:
        return Refusal("nothing was chosen", ask.rule)
    finder = _FINDERS.get((ask.kind, words[0]))
    if finder is None:
        return pick(ask, choice)
    if len(words) > 1 and words[1] in state.units and state.data.units[words[1]].side != ask.side:
        return Refusal(f"{words[1]} is not yours", ask.rule)
    return finder(state, ask, words)


def _move(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    if len(words) < 4:
        return Refusal("say where the unit goes", "7.1.1")
    unit, ground, mode = words[1], costs.survey(state, ask.side), MODES[ask.kind]
    if ask.kind == "special" and state.units[unit].left <= 0:
        return Refusal(f"{unit} has not landed in this phase, or has nothing left to move", "13.4.4")
    if ask.kind == "reaction":
        refusal = reaction.why_not_react(state, ask.side, unit)
        if refusal:
            return refusal
    if len(words) > 4:
        path = [*words[5:], words[3]] if words[4] == "via" else words[3:]
        return moves.along(ground, unit, path, mode, words[0])
    return moves.to(ground, unit, words[3], mode, words[0])


def _attack(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    units = words[3:]
    theirs = [u for u in units if state.data.units[u].side != ask.side]
    if theirs:
        return Refusal(f"{theirs[0]} is not yours", "8.1.1")
    return declaring.asked(state, ask.side, words[1], units)


def _ship(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    unit, there = words[1], words[3]
    return shipping.why_not_sail(state, unit) or shipping.why_not_to(state, unit, there) or shipping.option(unit, there)


def _drop(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "drop", "unit": words[1], "place": words[3]}
    return air.why_not_drop(state, words[1], words[3]) or Option(f"drop {words[1]} at {words[3]}", data=data)


def _airlift(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "airlift", "unit": words[1], "place": words[3]}
    return air.why_not_transfer(state, words[1], words[3]) or Option(f"airlift {words[1]} to {words[3]}", data=data)


def _airsupply(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    return air.why_not_supply(state, words[1]) or Option(f"airsupply {words[1]}", data={"do": "airsupply", "unit": words[1]})


def _land(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    unit, there = words[1], words[3]
    beach = next((b.hex for b in state.data.beaches.values() if there in (b.hex, b.target)), there)
    data = {"do": "land", "unit": unit, "beach": beach}
    return invasion.why_not_embark(state, unit, beach) or Option(f"land {unit} at {beach}", data=data)


def _raid(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "raid", "unit": words[1], "target": words[3]}
    return invasion.why_not_raid(state, words[1], words[3]) or Option(f"raid {words[1]} at {words[3]}", data=data)


def _follow(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    unit, there = words[1], words[3]
    hex_ = state.data.beaches[there].target if there in state.data.beaches else there
    data = {"do": "land", "unit": unit, "hex": hex_}
    return special.why_not_land(state, unit, hex_) or Option(f"land {unit} at {hex_}", data=data)


def _box(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "box", "unit": words[1], "place": words[3]}
    return special.why_not_box(state, words[1], words[3]) or Option(f"box {words[1]} to {words[3]}", data=data)


def _reveal(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    found = next((o for o in coast.options(state) if o.key == " ".join(words)), None)
    return found or coast.why_not(state, words[1])


def _evacuate(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    found = next((o for o in evacuation.options(state) if o.key == " ".join(words)), None)
    return found or evacuation.why_not(state, words[1]) or Refusal(f"{words[1]} has an attack declared and stays", "8.1.1")


def _strongpoint(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "strongpoint", "hex": words[1]}
    return engineering.why_not_build(state, words[1]) or Option(f"strongpoint {words[1]}", data=data)


def _demolish(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "demolish", "hex": words[1]}
    return engineering.why_not_demolish(state, words[1]) or Option(f"demolish {words[1]}", data=data)


def _repair(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    return engineering.why_not_repair(state, words[1]) or Option(f"repair {words[1]}", data={"do": "repair", "hex": words[1]})


def _port(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    data = {"do": "port", "unit": words[1], "hex": words[3]}
    return engineering.why_not_move(state, words[1], words[3]) or Option(f"{words[0]} {words[1]} to {words[3]}", data=data)


def _replace(state: State, ask: Ask, words: list[str]) -> Option | Refusal:
    refusal = replacements.why_not(state, words[1])
    if refusal:
        return refusal
    price = replacements.price(state, words[1])
    if price > state.rp[ask.side]:
        return Refusal(f"a step of {words[1]} takes {price} replacement points, and there are {state.rp[ask.side]}", "15.2.1")
    return pick(ask, " ".join(words))


_FINDERS = {
    **{(kind, "move"): _move for kind in ("movement", "motorized", "special")},
    ("reaction", "react"): _move,
    ("movement", "attack"): _attack,
    ("movement", "reveal"): _reveal,
    ("movement", "evacuate"): _evacuate,
    ("motorized", "evacuate"): _evacuate,
    ("transport", "ship"): _ship,
    ("transport", "drop"): _drop,
    ("transport", "airlift"): _airlift,
    ("transport", "airsupply"): _airsupply,
    ("transport", "land"): _land,
    ("transport", "raid"): _raid,
    ("special", "land"): _follow,
    ("special", "box"): _box,
    ("engineering", "strongpoint"): _strongpoint,
    ("engineering", "demolish"): _demolish,
    ("engineering", "repair"): _repair,
    ("engineering", "port"): _port,
    ("engineering", "convert"): _port,
    ("replacements", "replace"): _replace,
}

