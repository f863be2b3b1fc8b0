"""8.2 Combat factors: what a unit attacks and defends with, the odds column, and the die roll modifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position.data import ARMY, ASSAULT, CORPS, HQ, UNIT, Operation
from pbem.games.italian_campaign.position.state import State
from pbem.kit.tables import nearest_on

COLUMNS = 10
LAST_ROW = 20


@dataclass(frozen=True)
class Fight:
    """An attack on a hex.  ``corps``: the corps HQ that directs it, or ''."""

    target: str
    side: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    op: Operation
    corps: str = ""


def factor(state: State, cls: str, rating: int) -> int:
    """Combat Factor Generator: ratings above 9 go on by twos, those below 1 read the lowest line."""
    factors = state.data.tables.factors
    return factors[cls, min(max(rating, 1), 9)] + 2 * max(0, rating - 9) * (factors[cls, 9] > 0)


def generated(state: State, unit: str, attacking: bool) -> int:
    """8.2, 8.24, 5.4 What a unit's class and a rating give: that of its HQ, or its own asset rating."""
    kind = state.type(unit)
    if kind.headquarters:
        return factor(state, kind.cls, board.defence(state, unit))
    if board.by_asset_rating(state, unit) or not board.parent(state, unit):
        return factor(state, kind.cls, board.asset_rating(state, unit))
    hq = board.parent(state, unit)
    return factor(state, kind.cls, board.offence(state, hq) if attacking else board.defence(state, hq))


def attack(state: State, fight: Fight) -> int:
    """6.34, 6.54, 1.1 The attackers' own factors: added up first, then halved where the operation says so.

    RULING: an isolated attacker has its tactical rating (6.54), and that is not halved (8.22).
    """
    tactical = fight.op.combat == "tac"
    whole = sum(generated(state, u, True) for u in fight.attackers if not tactical and not board.isolated(state, u))
    ratings = sum(board.face(state, u).tr for u in fight.attackers if tactical or board.isolated(state, u))
    return (whole // 2 if fight.op.combat == "half" else whole) + ratings


def defend(state: State, fight: Fight) -> int:
    """8.2, 8.22, 6.54 The defenders' own factors: halved for the isolated, never below the tactical rating; errata: an HQ adds
    its artillery factors."""
    total = 0
    for unit in fight.defenders:
        own = generated(state, unit, False)
        if board.isolated(state, unit):
            own //= 2
        f = board.face(state, unit)
        total += max(own, f.tr) + (f.artillery if state.type(unit).kind == HQ and not board.isolated(state, unit) else 0)
    return total + (state.delays.get(fight.target, 0))


def code(state: State, fight: Fight) -> int:
    """8.25, 8.26, 8.27 The terrain code: of the hex, or of the hexsides if the attack comes over such sides alone and theirs is
    higher."""
    data = state.data
    here = data.code(fight.target)
    places = [state.units[u].place for u in fight.attackers]
    if any(p not in data.board.hexes for p in places) or not places:
        return here
    return max(here, min(data.side_code(p, fight.target) for p in places))


def column(state: State, code_: int, ratio: tuple[int, int]) -> int:
    """8.23 The column, 10 (left) to 1: the nearest ratio on the line of the code, between two the lower; codes 5 and 6 read
    line 4 and go one or two columns left."""
    line = state.data.tables.lines[min(code_, 4)]
    place = nearest_on(line, ratio[0], max(1, ratio[1]))
    return COLUMNS - max(0, place - max(0, code_ - 4))


def armor_of(state: State, units: Sequence[str], attacking: bool) -> int:
    """8.41 Armor bonuses of combat units, each less one for every point that its HQ's rating is under 7."""
    total = 0
    for unit in units:
        kind = state.type(unit)
        if not kind.combat or board.isolated(state, unit) or (attacking and kind.circled):
            continue
        own = board.face(state, unit).armor
        hq = board.parent(state, unit)
        if own and hq and not board.by_asset_rating(state, unit):
            rating = board.offence(state, hq) if attacking else board.defence(state, hq)
            own = max(0, own - max(0, 7 - rating))
        total += own
    return total


def hq_armor(state: State, fight: Fight) -> int:
    """2.23, 8.42 The armor bonus of an HQ that is stacked with or next to the defenders; RULING: the highest of them, once."""
    found = [0]
    for unit in fight.defenders:
        hq = unit if state.type(unit).kind == HQ else board.parent(state, unit)
        near = hq and board.on_map(state, hq) and state.data.board.distance(state.units[hq].place, fight.target) <= 1
        if near and not board.isolated(state, hq):
            found.append(board.face(state, hq).armor)
    return max(found)


def modifiers(state: State, fight: Fight) -> list[tuple[str, int]]:
    """8.4 All die roll modifiers, one by one."""
    tank = armor_of(state, fight.attackers, True)
    tank = {"full": tank, "half": tank // 2, "none": 0}[fight.op.armor]
    tank = max(0, tank - code(state, fight))
    against = armor_of(state, fight.defenders, False) + hq_armor(state, fight)
    if not tank:
        against = min(against, 1)
    found = [
        ("armor", tank), ("defender's armor", -against), ("artillery hits", state.hits.get(fight.target, 0)),
        ("infantry assault", infantry(state, fight)), ("corps", corps_bonus(state, fight)),
    ]
    return [m for m in found if m[1]]


def infantry(state: State, fight: Fight) -> int:
    """8.46 All leg units of one leg HQ assault one hex: +1, and +1 for each point of its OR above the defender's DR."""
    if fight.op.id != ASSAULT:
        return 0
    hqs = list(dict.fromkeys(board.parent(state, u) for u in fight.attackers if state.type(u).kind == UNIT))
    if len(hqs) != 1 or not hqs[0] or state.type(hqs[0]).mobile:
        return 0
    legs = [u for u in state.data.subordinates(hqs[0]) if not state.type(u).mobile and board.in_play(state, u)]
    if not legs or any(u not in fight.attackers for u in legs):
        return 0
    theirs = [board.defence(state, board.parent(state, u)) for u in fight.defenders if board.parent(state, u)]
    return 1 + max(0, board.offence(state, hqs[0]) - max(theirs)) if theirs else 1


def corps_bonus(state: State, fight: Fight) -> int:
    """5.45, 5.48, 5.49 The combat bonus of the corps that directs the operation, as far as the operation allows."""
    if not fight.corps or state.type(fight.corps).kind not in (CORPS, ARMY):
        return 0
    full = corps_value(state, fight.corps, "bonus") - state.units[fight.corps].steps
    return {"full": max(0, full), "half": max(0, full) // 2, "one": int(full > 0), "none": 0}[fight.op.bonus]


def corps_value(state: State, corps: str, name: str) -> int:
    """5.4, 5.49 A rating of a corps HQ ('capacity', 'efficiency', 'bonus'), with what an army HQ adds to it."""
    value = int(getattr(board.face(state, corps), name))
    for army, boosted in state.boosted.items():
        if boosted == corps and board.distance(state, army, corps) <= state.data.limits["army_reach"]:
            value += int(getattr(board.face(state, army), name))
    return value


def cell(state: State, row: int, column_: int) -> tuple[str, str]:
    """8.23 The cell of the Combat Table, and its status."""
    return state.data.tables.results[min(max(row, 0), LAST_ROW)][COLUMNS - column_]


def split(result: str) -> tuple[int | None, int | None]:
    """8.5 '4*/', '1/2', '/5': what the attacker and the defender suffer; None for nothing.

    RULING: the star, on attacker results of 3 and more, has no rule; it is shown and changes nothing.
    """
    left, _, right = result.replace("*", "").partition("/")
    return (int(left) if left else None, int(right) if right else None)
