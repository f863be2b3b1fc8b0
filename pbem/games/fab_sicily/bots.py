"""Two players that use nothing but legal options.

``random_bot`` takes any of them; ``planner`` plays sensibly enough that its games look like the
campaign.  The planner looks only at what its side may know: its own blocks, and how many enemy
blocks stand where.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.asks import Ask, Option
from pbem.core.chooser import Chooser
from pbem.games.fab_sicily import board
from pbem.games.fab_sicily.data import ALLIED, ARMOR, other
from pbem.games.fab_sicily.state import GOOD, Block, State

Bot = Callable[[State, Ask], Option]

UNKNOWN_STEPS, GARRISON_STEPS = 3, 1
"""What a block face-away is taken for."""


def random_bot(chooser: Chooser) -> Bot:
    """Any legal option; one in three times it ends a phase that it could go on with."""

    def choose(state: State, ask: Ask) -> Option:
        done = ask.option("done")
        if done is not None and chooser.below(3) == 0:
            return done
        return chooser.pick(ask.options)

    return choose


def planner(state: State, ask: Ask) -> Option:
    """The best option by the judgement for that kind of question; ties go to the first."""
    judge = _JUDGES.get(ask.kind)
    if judge is None:
        return _default(ask)
    best, best_score = _default(ask), 0.0
    for option in ask.options:
        score = judge(state, ask, option)
        if score > best_score:
            best, best_score = option, score
    return best


def _default(ask: Ask) -> Option:
    option = ask.option(ask.default)
    assert option is not None, f"{ask.kind}: default {ask.default!r} is no option"
    return option


# -- estimates ------------------------------------------------------------------------------------


def strength(state: State, side: str, area: str) -> float:
    """Own steps that would fight there; disordered blocks count half."""
    return sum(b.steps * (1.0 if b.status == GOOD else 0.5) for b in board.in_area(state, area, side))


def threat(state: State, side: str, area: str) -> float:
    """What the enemy seems to have there, in steps."""
    total = 0.0
    for b in board.in_area(state, area, other(side)):
        if board.green_garrison(state, b.id):
            total += GARRISON_STEPS
        elif board.known_to(state, side, b.id):
            total += b.steps
        else:
            total += UNKNOWN_STEPS
    return total + len(board.holders(state, area, other(side)))


def cover(state: State, side: str, area: str) -> float:
    """How much the ground helps an enemy there, in steps."""
    works = 1.0 if state.works.get(area) == other(side) else 0.0
    return works + 0.6 * state.data.areas[area].tdn


def worth(state: State, side: str, area: str) -> float:
    """What holding an area is worth: its victory points, airfield, port, and a little for any ground."""
    a = state.data.areas[area]
    return 2.0 * a.vp + (1.0 if a.port or a.airfield else 0.0) + 0.5


def pressure(state: State, side: str, area: str) -> float:
    """Enemy steps next door."""
    return sum(threat(state, side, n) for n in board.neighbours(state, area))


def goal_distance(state: State, side: str, area: str) -> float:
    """How far the nearest enemy-held ground is, the worthier the nearer."""
    best, seen, ring, steps = 99.0, {area}, [area], 0
    while ring:
        for place in ring:
            if not board.controls(state, side, place) or board.contested(state, place):
                best = min(best, steps - 0.25 * worth(state, side, place))
        ring = [n for n in dict.fromkeys(x for p in ring for x in board.neighbours(state, p)) if n not in seen]
        seen.update(ring)
        steps += 1
    return best


# -- moving ---------------------------------------------------------------------------------------


def _words(option: Option) -> list[str]:
    return option.key.split()


def _attack_value(state: State, side: str, block: Block, area: str) -> float:
    enemy = threat(state, side, area) + cover(state, side, area)
    here = strength(state, side, area)
    mine = here + block.steps
    helper = max((b.steps for b in _could_join(state, side, block, area)), default=0)
    ratio = (mine + (helper if board.room(state, area, side) > 1 else 0)) / max(enemy, 0.5)
    needed = 0.65 if side == ALLIED else 1.3
    if ratio < needed:
        return -1.0
    joining = 5.0 if here and here < 1.6 * enemy and not board.in_area(state, area, side)[0].shown else 0.0
    return 4.0 + 2.0 * worth(state, side, area) + 2.0 * min(ratio, 3.0) + joining


def _could_join(state: State, side: str, block: Block, area: str) -> list[Block]:
    near = [area, *board.neighbours(state, area)]
    return [b for a in near for b in board.in_area(state, a, side) if b.id != block.id and not b.moved and b.status == GOOD]


def _hold_value(state: State, side: str, area: str, block: Block) -> float:
    """What a block is worth where it stands: ground that would fall without it."""
    others = [b for b in board.in_area(state, area, side) if b.id != block.id]
    alone = 1.0 if not others else 0.35
    near = pressure(state, side, area)
    if near == 0 and not board.contested(state, area):
        return 0.2
    return alone * worth(state, side, area) * (1.0 if side == ALLIED else 1.6)


def _judge_move(state: State, ask: Ask, option: Option) -> float:
    words = _words(option)
    if words[0] == "done":
        return 0.0
    block, side = state.blocks[words[1]], ask.side
    if words[0] == "dig":
        return _dig_value(state, side, block)
    if words[0] == "reserve":
        return _reserve_value(state, side, block)
    if words[0] == "exploit" and words[-2:-1] == ["with"]:
        return _move_value(state, side, block, words[3]) - 4.0
    return _move_value(state, side, block, words[3])


def _move_value(state: State, side: str, block: Block, area: str) -> float:
    if block.area not in state.data.areas:
        return 15.0 + _ground_value(state, side, block, area, 0.0)
    if board.green_garrison(state, block.id):
        return -1.0
    stay = _hold_value(state, side, block.area, block)
    if board.contested(state, block.area):
        stay += 3.0 if strength(state, side, block.area) >= 0.7 * threat(state, side, block.area) else -2.0
    if block.status != GOOD or not block.supplied:
        return 1.5 - stay if board.friendly_quiet(state, side, area) and pressure(state, side, area) == 0 else -1.0
    return _ground_value(state, side, block, area, stay)


def _ground_value(state: State, side: str, block: Block, area: str, stay: float) -> float:
    """What going there is worth, less what staying is worth."""
    if board.forces(state, area, other(side)):
        return _attack_value(state, side, block, area) - stay
    if not board.controls(state, side, area):
        boldness = 2.5 if side == ALLIED else 1.0
        risk = pressure(state, side, area) / (boldness * block.steps + 1.0)
        return 3.0 + 2.0 * worth(state, side, area) - stay - risk
    crowd = len(board.in_area(state, area, side))
    if side == ALLIED:
        gain = _way_ahead(state, side, block.area) - goal_distance(state, side, area)
        return 1.2 * gain - 0.5 * stay - 0.3 * crowd
    need = worth(state, side, area) if pressure(state, side, area) > 0 else 0.3
    return need * (1.2 if crowd == 0 else 0.5 if crowd == 1 else -1.0) - stay - 0.4


def _way_ahead(state: State, side: str, place: str) -> float:
    return goal_distance(state, side, place) if place in state.data.areas else 3.0


def _dig_value(state: State, side: str, block: Block) -> float:
    if side == ALLIED or block.reserve or block.area in state.works or pressure(state, side, block.area) == 0:
        return -1.0
    return 0.5 * worth(state, side, block.area)


def _reserve_value(state: State, side: str, block: Block) -> float:
    if board.green_garrison(state, block.id) or board.contested(state, block.area) or block.area not in state.data.areas:
        return -1.0
    armor = state.data.blocks[block.id].cls == ARMOR
    return 0.3 + (0.4 if armor else 0.0) if pressure(state, side, block.area) > 0 else -0.1


def _judge_crossing(state: State, ask: Ask, option: Option) -> float:
    """The bridge is down: across all the same, if that was worth an attack; else another way."""
    return {"cross": 3.0, "stay": 0.5}.get(option.key) or _judge_move(state, ask, option) - 2.0


def _judge_arrival(state: State, ask: Ask, option: Option) -> float:
    """A division lands together; boxes are filled evenly."""
    _, block, _, box = _words(option)
    there = board.in_area(state, box)
    together = any(state.data.blocks[b.id].division == state.data.blocks[block].division for b in there)
    return 5.0 if together else 2.0 - len(there)


def _judge_drop(state: State, ask: Ask, option: Option) -> float:
    """Ground worth having, weakly held; two battalions cannot take on a division."""
    area = _words(option)[3]
    taken = board.controls(state, ask.side, area) and not board.contested(state, area)
    resistance = threat(state, ask.side, area) + cover(state, ask.side, area)
    return 8.0 + (0.0 if taken else worth(state, ask.side, area)) - 2.5 * resistance


def _judge_strategic(state: State, ask: Ask, option: Option) -> float:
    words = _words(option)
    if words[0] == "done":
        return 0.0
    block = state.blocks[words[1]]
    gain = goal_distance(state, ask.side, block.area) - goal_distance(state, ask.side, words[3])
    return gain - 1.0 if board.room(state, words[3], ask.side) > 0 else -1.0


# -- the Admin Phase ------------------------------------------------------------------------------


def _judge_admin(state: State, ask: Ask, option: Option) -> float:
    words, side = _words(option), ask.side
    value = _ADMIN.get(words[0])
    return value(state, side, words) if value else -1.0


def _replace_value(state: State, side: str, words: list[str]) -> float:
    missing = board.full_steps(state, words[1]) - state.blocks[words[1]].steps
    special = state.data.chits[words[3]].kind.startswith("special")
    german = 1.5 if state.data.blocks[words[1]].nation != "it" else 1.0
    return (2.0 * missing * german + board.quality(state, words[1])) - (3.0 if special and side == ALLIED else 0.0)


def _works_value(state: State, side: str, words: list[str]) -> float:
    area = words[1]
    return -1.0 if side == ALLIED else 0.7 * worth(state, side, area) if pressure(state, side, area) > 0 else -1.0


def _blow_value(state: State, side: str, words: list[str]) -> float:
    borders, origin = words[1 : words.index("from")], words[words.index("from") + 1]
    facing = sum(threat(state, side, a) for b in borders for a in b.split("-") if a != origin)
    return (0.6 * facing + worth(state, side, origin)) if side != ALLIED and facing else -1.0


def _repair_value(state: State, side: str, words: list[str]) -> float:
    return 3.0 if side == ALLIED else -1.0


def _interdict_value(state: State, side: str, words: list[str]) -> float:
    enemies = [b for b in board.in_area(state, words[1], other(side)) if not board.green_garrison(state, b.id)]
    return 0.5 * len(enemies) if side == ALLIED and state.player != ALLIED and not board.contested(state, words[1]) else -1.0


def _rally_value(state: State, side: str, words: list[str]) -> float:
    near = [words[1], *board.neighbours(state, words[1])]
    return 2.0 * sum(1 for a in near for b in board.in_area(state, a, side) if b.status != GOOD) - 3.5


def _release_value(state: State, side: str, words: list[str]) -> float:
    blocks = [b for b in board.on_map(state, side) if state.data.blocks[b.id].division == words[1]]
    near = min((goal_distance(state, side, b.area) for b in blocks), default=9.0)
    return 6.0 - near if blocks and near < 3 and state.player == side and state.turn >= 2 else -1.0


def _invade_value(state: State, side: str, words: list[str]) -> float:
    return 1.5 + worth(state, side, words[1]) - 3.0 * threat(state, side, words[1])


_ADMIN: dict[str, Callable[[State, str, list[str]], float]] = {
    "replace": _replace_value,
    "works": _works_value,
    "blow": _blow_value,
    "repair": _repair_value,
    "mend": _repair_value,
    "interdict": _interdict_value,
    "rally": _rally_value,
    "release": _release_value,
    "invade": _invade_value,
    "restore": lambda s, side, w: 2.0,
    "recycle": lambda s, side, w: 0.2,
}


# -- battles --------------------------------------------------------------------------------------


def _judge_battle(state: State, ask: Ask, option: Option) -> float:
    words = _words(option)
    if words[0] == "done":
        return 0.1
    area, side = words[1], ask.side
    ratio = strength(state, side, area) / max(threat(state, side, area) + cover(state, side, area), 0.5)
    if len(words) > 2:
        return ratio - 1.5
    return 1.0 + ratio if ratio >= 0.8 or board.newly_contested(state, area) else -1.0


def _judge_asset(state: State, ask: Ask, option: Option) -> float:
    words, area = _words(option), ask.where
    if words[0] == "done":
        return 0.1
    chit = state.data.chits[words[1]]
    value = worth(state, ask.side, area) + threat(state, ask.side, area)
    if words[-1] == "shock":
        return 4.0 if state.works.get(area) == other(ask.side) else -1.0
    dear = chit.kind == "engineer" or chit.flank
    if dear and state.works.get(area) != other(ask.side):
        return value - 6.0
    return value - {"artillery": 0.0, "naval": 1.5, "air": 2.0, "battle": 1.0}.get(chit.kind, 3.0)


def _judge_before(state: State, ask: Ask, option: Option) -> float:
    words, area = _words(option), ask.where
    if words[0] == "stand":
        return 1.0
    odds = threat(state, ask.side, area) / max(strength(state, ask.side, area), 0.5)
    if words[0] == "reinforce":
        return 0.4 * odds + 0.1 * state.blocks[words[2]].steps * worth(state, ask.side, area) / 4
    return 0.35 * odds if worth(state, ask.side, area) < 4 else 0.0


def _judge_point(state: State, ask: Ask, option: Option) -> float:
    block = state.blocks[_words(option)[1]]
    return 0.1 + block.steps if not board.green_garrison(state, block.id) else 0.5


def _judge_loss(state: State, ask: Ask, option: Option) -> float:
    name = _words(option)[1]
    if name in state.data.chits:
        return 6.0 - (2.0 if state.data.chits[name].kind == "engineer" else 0.0)
    return 1.0 + state.blocks[name].steps


def _judge_abort(state: State, ask: Ask, option: Option) -> float:
    hits, steps = int(ask.facts.get("hits", 1)), int(ask.facts.get("steps", 6))
    hopeless = hits >= steps - 1 if state.assaults.get(ask.where) == "beach" else hits >= 3 or 2 * hits >= steps
    return 1.0 if (option.key == "abort") == hopeless else 0.0


def _judge_stand(state: State, ask: Ask, option: Option) -> float:
    hits, steps = int(ask.facts.get("hits", 1)), int(ask.facts.get("steps", 1))
    key_ground = worth(state, ask.side, ask.where) >= 6 if ask.where in state.data.areas else False
    flee = hits >= steps or (2 * hits >= steps and not key_ground)
    return 1.0 if (option.key == "retreat") == flee else 0.0


def _judge_air(state: State, ask: Ask, option: Option) -> float:
    return 2.0 if option.key == "artillery" and ask.side != ALLIED else 1.0 if option.key == "artillery" else 1.5


def _judge_intercept(state: State, ask: Ask, option: Option) -> float:
    return 0.5 if option.key == "none" else 1.0 if ask.facts.get("mission") == "support" else 0.4


_JUDGES: dict[str, Callable[[State, Ask, Option], float]] = {
    "movement": _judge_move,
    "crossing": _judge_crossing,
    "reaction": _judge_move,
    "breakthrough": _judge_move,
    "strategic": _judge_strategic,
    "arrival": _judge_arrival,
    "drop": _judge_drop,
    "admin": _judge_admin,
    "battle": _judge_battle,
    "assets": _judge_asset,
    "before-battle": _judge_before,
    "point-unit": _judge_point,
    "loss": _judge_loss,
    "abort": _judge_abort,
    "retreat-or-loss": _judge_stand,
    "air-role": _judge_air,
    "intercept": _judge_intercept,
}
