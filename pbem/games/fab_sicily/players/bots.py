"""Two players that use nothing but legal options.

``random_bot`` takes any of them; ``planner`` plays sensibly enough that its games look like the
campaign.  The planner looks only at what its side may know (:mod:`.outlook`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core.asks import Ask, Option
from pbem.core.chooser import Chooser
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries
from pbem.games.fab_sicily.position.data import ALLIED
from pbem.games.fab_sicily.players.outlook import FAR, Outlook
from pbem.games.fab_sicily.rules.paths import ITALY
from pbem.games.fab_sicily.position.state import GOOD, Block, State

Bot = Callable[[State, Ask], Option]
Judge = Callable[[Outlook, Ask, Option], float]

NEVER = -9.0
MARCH = 0.7
"""How much an Axis unit with nobody before it wants to be an area nearer to the front."""


def random_bot(chooser: Chooser) -> Bot:
    """Any legal option; one in three times it ends a phase that it could go on with."""

    def choose(state: State, ask: Ask) -> Option:
        done = ask.option("done")
        if done is not None and chooser.below(3) == 0:
            return done
        return chooser.pick(ask.options)

    return choose


def planner(state: State, ask: Ask) -> Option:
    """The best option by the judgement for that kind of question; ties go to the first, and to the default."""
    judge = JUDGES.get(ask.kind)
    best = ask.option(ask.default)
    assert best is not None, f"{ask.kind}: default {ask.default!r} is no option"
    if judge is None:
        return best
    look, best_score = Outlook(state, ask.side), 0.0
    for option in ask.options:
        score = judge(look, ask, option)
        if score > best_score:
            best, best_score = option, score
    return best


def _words(option: Option) -> list[str]:
    return option.key.split()


# -- moving ---------------------------------------------------------------------------------------


def _judge_move(look: Outlook, ask: Ask, option: Option) -> float:
    words = _words(option)
    if words[0] == "done":
        return 0.0
    block = look.state.blocks[words[1]]
    if words[0] == "dig":
        return _dig_value(look, block)
    if words[0] == "reserve":
        return _reserve_value(look, block)
    dear = 4.0 if words[-2:-1] == ["with"] else 0.0
    if words[3] == ITALY:
        return _evacuation_value(look, block)
    return _move_value(look, block, words[3], ask.kind) - dear


def _move_value(look: Outlook, block: Block, area: str, kind: str) -> float:
    """What going there is worth, less what staying is worth."""
    if block.area not in look.data.areas:
        return 15.0 + _place_value(look, block, area)
    if look.green(block):
        return -1.0
    stay = _stay_value(look, block)
    if block.status != GOOD or not block.supplied:
        safe = look.held(area) and not look.enemy_there(area) and look.pressure(area) == 0
        return 1.0 - stay if safe else -1.0
    if kind == "reaction" and look.contested(area):
        return 2.0 + look.worth(area) - stay
    return _place_value(look, block, area, kind) - stay


def _evacuation_value(look: Outlook, block: Block) -> float:
    """21.1 Italian field units of one step left are worth a point to the Allies and nothing to the Axis."""
    return 5.0 if look.frail(block) and look.data.blocks[block.id].nation == "it" else NEVER


def _stay_value(look: Outlook, block: Block) -> float:
    """What a block is worth where it stands: ground that would fall without it, a battle it can win."""
    area, others = block.area, [b for b in look.own(block.area) if b.id != block.id]
    alone = 1.0 if not others else 0.4
    if look.contested(area):
        even = look.strength(area) / max(look.threat(area), 0.5)
        hopeless = even < 0.5 and not (look.last and look.held(area))
        return -2.0 if hopeless else 2.0 + look.worth(area) * min(even, 1.0)
    if look.frail(block) and look.pressure(area) and not look.last:
        return -2.0
    if look.side == ALLIED:
        guard = 1.5 * alone * look.points(area) if look.whole else 0.0
        pressed = 0.6 * alone * look.worth(area) if look.pressure(area) else 0.0
        return -1.2 * look.way(block, area) + pressed + guard
    return alone * 1.6 * look.hold(area) if look.pressure(area) else 0.2 - MARCH * look.front(area)


def _place_value(look: Outlook, block: Block, area: str, kind: str = "movement") -> float:
    """What a block is worth at a place it could go to."""
    if look.enemy_there(area):
        return _attack_value(look, block, area, kind == "movement")
    if not look.held(area):
        boldness = 2.5 if look.side == ALLIED or look.last else 1.0
        risk = look.pressure(area) / (boldness * block.steps + 1.0)
        return 3.0 + 2.0 * look.worth(area) - risk - 0.2 * look.way(block, area)
    crowd = len(look.own(area))
    if look.frail(block):
        return -2.5 if look.pressure(area) else 0.5 - MARCH * look.front(area) * 0.1
    if look.side == ALLIED:
        return -1.2 * look.way(block, area) - 0.3 * crowd - 0.2
    need = look.hold(area) if look.pressure(area) else 0.2
    march = 0.0 if look.pressure(area) else MARCH * look.front(area)
    return -march + need * (1.3 if crowd == 0 or all(look.green(b) for b in look.own(area)) else 0.5) - 0.4


def _attack_value(look: Outlook, block: Block, area: str, all_move: bool) -> float:
    """An attack is worth its ground and its odds, with the best unit that could still join."""
    here = look.own(area)
    if look.data.blocks[block.id].nation == "it" and board.italian_morale(look.state) > 1:
        return NEVER
    group = [*here, block]
    if look.room(area) > 1:
        group += _helper(look, block, area, all_move)
    odds = look.odds(area, group)
    needed = (0.7 if look.side == ALLIED else 1.2) - (0.2 if look.last else 0.0)
    if odds < needed:
        return NEVER if look.side != ALLIED else -4.0
    newly = bool(here) and not here[0].shown
    joining = 5.0 if newly and odds < 2.5 else 1.0 if here and odds < 2.0 else 0.0
    overkill = 4.0 if here and look.odds(area, here) > 2.5 else 0.0
    trap = 4.0 if look.side != ALLIED and not look.last and look.exits(area) < 2 else 0.0
    return 4.0 + 2.0 * look.worth(area) + 2.0 * min(odds, 2.5) + joining - overkill - trap


def _helper(look: Outlook, block: Block, area: str, all_move: bool) -> list[Block]:
    """The best other unit next to the area that has not moved: its division's if it can."""
    near = [
        b for a in board.neighbours(look.state, area) for b in look.own(a)
        if b.id != block.id and not b.moved and b.status == GOOD and not look.green(b)
        and boundaries.may_operate(look.state, b.id, area) and not look.contested(a)
        and (all_move or b.reserve or b.exploit)
    ]
    return [max(near, key=lambda b: look.steps([block, b]))] if near else []


def _dig_value(look: Outlook, block: Block) -> float:
    threatened = look.pressure(block.area) > 0
    if not threatened or block.reserve or block.area in look.state.works:
        return -1.0
    return 0.5 * look.hold(block.area) if look.side != ALLIED else 0.1 * look.worth(block.area)


def _reserve_value(look: Outlook, block: Block) -> float:
    if look.green(block) or block.area not in look.data.areas or look.contested(block.area):
        return -1.0
    near = any(look.enemy_there(n) for n in board.neighbours(look.state, block.area))
    return (0.7 if look.armor(block) else 0.4) if near else -0.1


def _judge_crossing(look: Outlook, ask: Ask, option: Option) -> float:
    """The bridge is down: across all the same, if that was worth an attack; else another way."""
    return {"cross": 3.0, "stay": 0.5}.get(option.key) or _judge_move(look, ask, option) - 2.0


def _judge_arrival(look: Outlook, ask: Ask, option: Option) -> float:
    """A division lands together; the strongest where most is to be won and nearest to the goals beyond."""
    _, block, _, box = _words(option)
    arriving = look.state.blocks[block]
    if box in look.data.areas:
        return 20.0 + _place_value(look, arriving, box)
    there = [look.data.blocks[b.id].division for b in look.own(box)]
    coast = look.data.landing.get(box) or look.data.ports[box]
    front = sum(look.worth(n) for n in board.neighbours(look.state, coast) if not look.held(n))
    value = look.worth(coast) + 0.5 * front - 3.0 * len(there) - look.way(arriving, coast)
    value -= 0.0 if box in look.data.ports else 2.0 * len(look.own(coast))
    return 20.0 + value + (9.0 if look.data.blocks[block].division in there else 0.0)


def _judge_drop(look: Outlook, ask: Ask, option: Option) -> float:
    """Ground worth having, weakly held and not easily reinforced; two battalions cannot take on a division."""
    area = _words(option)[3]
    taken = look.held(area) and not look.enemy_there(area)
    resistance = look.threat(area) + look.cover(area) + 0.15 * look.pressure(area)
    return 12.0 + (-2.0 if taken else look.worth(area)) - 2.5 * resistance


def _judge_strategic(look: Outlook, ask: Ask, option: Option) -> float:
    words = _words(option)
    if words[0] == "done":
        return 0.0
    block = look.state.blocks[words[1]]
    if words[3] == ITALY:
        return _evacuation_value(look, block)
    if look.room(words[3]) < 1:
        return 0.0
    if look.side != ALLIED:
        return _place_value(look, block, words[3]) - _stay_value(look, block) - 0.5
    here = look.way(block, block.area) if block.area in look.data.areas else FAR
    return here - look.way(block, words[3]) - 0.5


# -- the Admin Phase ------------------------------------------------------------------------------


def _judge_admin(look: Outlook, ask: Ask, option: Option) -> float:
    words = _words(option)
    value = _ADMIN.get(words[0])
    return value(look, words) if value else -1.0


def _replace_value(look: Outlook, words: list[str]) -> float:
    """21.1 Germans first; the reusable Special Action of a defender is kept for the battles of the half-turn."""
    block, chit = look.state.blocks[words[1]], look.data.chits[words[3]]
    missing = board.full_steps(look.state, block.id) - block.steps
    german = 1.5 if look.data.blocks[block.id].nation != "it" else 1.0
    kept = 3.0 if chit.kind == "special" and look.state.player == look.side else 1.5 if chit.kind.startswith("special") else 0.0
    return 2.0 * missing * german + board.quality(look.state, block.id) - kept


def _works_value(look: Outlook, words: list[str]) -> float:
    area = words[1]
    if look.side == ALLIED or not look.pressure(area):
        return -1.0
    return (0.7 if any(not look.green(b) for b in look.own(area)) else 0.3) * look.hold(area)


def _blow_value(look: Outlook, words: list[str]) -> float:
    borders, origin = words[1 : words.index("from")], words[words.index("from") + 1]
    beyond = [a for b in borders for a in b.split("-") if a != origin]
    facing = sum(look.threat(a) for a in beyond)
    own = any(not look.green(b) for a in beyond for b in look.own(a))
    return 0.6 * facing + look.worth(origin) if look.side != ALLIED and facing and not own else -1.0


def _repair_value(look: Outlook, words: list[str]) -> float:
    return 3.0 if look.side == ALLIED else -1.0


def _interdict_value(look: Outlook, words: list[str]) -> float:
    """Aircraft to spare pin down a counterattacking force."""
    if look.side != ALLIED or look.state.player == ALLIED or look.contested(words[1]):
        return -1.0
    spare = len(board.available(look.state, look.side, "air")) - 1
    return 0.5 * sum(1 for b in look.enemies(words[1]) if not look.green(b)) if spare > 0 else -1.0


def _rally_value(look: Outlook, words: list[str]) -> float:
    """Troops that could fight again at once; green garrisons are not worth it."""
    near = [words[1], *board.neighbours(look.state, words[1])]
    shaken = [b for a in near for b in look.own(a) if b.status != GOOD and not look.green(b)]
    return 0.7 * sum(b.steps for b in shaken) - 2.5


def _release_value(look: Outlook, words: list[str]) -> float:
    """14.61 The division next to the ground it may not enter, with a brigade that is near as well."""
    if look.state.player != look.side:
        return -1.0
    divisions = words[1 : words.index("with")]
    blocks = [b for b in look.state.blocks.values() if look.data.blocks[b.id].division in divisions and board.in_play(b)]
    gain = sum(_beyond(look, b) for b in blocks if b.area in look.data.areas or b.area in look.data.landing)
    return gain - 2.0 + 0.1 * len(divisions)


def _beyond(look: Outlook, block: Block) -> float:
    """What lies open to a block next door (or next to its beach) behind the boundary, as the best such area goes."""
    here = look.data.landing.get(block.area, block.area)
    barred = [
        a for a in board.neighbours(look.state, here)
        if boundaries.releasable(look.state, block.id, a) and not look.held(a)
    ]
    return max((look.worth(a) for a in barred), default=0.0)


def _invade_value(look: Outlook, words: list[str]) -> float:
    return 1.5 + look.worth(words[1]) - 3.0 * look.threat(words[1])


_ADMIN: Mapping[str, Callable[[Outlook, list[str]], float]] = {
    "replace": _replace_value,
    "works": _works_value,
    "blow": _blow_value,
    "repair": _repair_value,
    "mend": _repair_value,
    "interdict": _interdict_value,
    "rally": _rally_value,
    "release": _release_value,
    "invade": _invade_value,
    "restore": lambda look, words: 2.0,
    "play": lambda look, words: 6.0,
    "recycle": lambda look, words: 0.2,
}


# -- battles --------------------------------------------------------------------------------------


def battle_value(look: Outlook, area: str) -> float:
    """What a battle is worth to the attacker: negative if it need not and should not be fought."""
    ready = [b for b in look.own(area) if b.status == GOOD]
    odds = look.odds(area, ready)
    wanted = 0.8 if look.side == ALLIED else 1.0
    if not ready or (odds < wanted and not board.newly_contested(look.state, area)):
        return -1.0
    return 1.0 + look.worth(area) + (1.0 if odds < 2.0 else 0.0)


def _judge_battle(look: Outlook, ask: Ask, option: Option) -> float:
    """The worthiest first, as long as there are assets; a Special Action only for a good second round."""
    words = _words(option)
    if words[0] == "done":
        return 0.1
    return again_value(look, words[1]) if len(words) > 2 else battle_value(look, words[1])


def again_value(look: Outlook, area: str) -> float:
    """7.42 What a second round is worth, which takes a Special Action."""
    ready = [b for b in look.own(area) if b.status == GOOD]
    return battle_value(look, area) - 1.0 if look.odds(area, ready) >= 1.5 and look.worth(area) > 1 else -1.0


def committed(look: Outlook, area: str, side: str) -> float:
    """Steps' worth of the assets a side has put into a battle."""
    return float(len(board.assets_in(look.state, area, side, "artillery", "battle", "air", "shock")))


def _judge_asset(look: Outlook, ask: Ask, option: Option) -> float:
    words, area = _words(option), ask.where
    if words[0] == "done":
        return 0.1
    works = look.state.works.get(area) == look.foe
    if words[-1] == "shock":
        return 6.0 if works else -1.0
    attack = ask.facts.get("role") == "attack"
    mine = look.strength(area) + committed(look, area, look.side)
    theirs = look.threat(area) + committed(look, area, look.foe) + (look.cover(area) if attack else 0.0)
    odds = mine / max(theirs, 0.5)
    chit = look.data.chits[words[1]]
    dear = chit.kind == "engineer" or chit.flank
    if dear and not (attack and works):
        return -1.0
    rank = {"artillery": 3.0, "naval": 2.5, "air": 2.0}.get(chit.kind, 1.0)
    if attack:
        return rank + (1.0 if dear else 0.0) if odds < (3.0 if rank > 1 else 2.2) else -1.0
    return rank if _worth_defending(look, area, odds) else -1.0


def _worth_defending(look: Outlook, area: str, odds: float) -> bool:
    """Neither wasted on a beach guard that is lost anyway, nor where the line holds by itself."""
    if all(look.green(b) for b in look.own(area)):
        return look.worth(area) > 1 and odds > 0.25 and not committed(look, area, look.side)
    return odds < 1.3


def _judge_before(look: Outlook, ask: Ask, option: Option) -> float:
    """6.21 Reinforce a battle that can be won, slip away from one that cannot."""
    words, area = _words(option), ask.where
    if words[0] == "stand":
        return 1.0
    odds = look.threat(area) / max(look.strength(area), 0.5)
    green = all(look.green(b) for b in look.own(area))
    if words[0] == "reinforce":
        helper = look.state.blocks[words[2]]
        better = look.threat(area) / max(look.steps([*look.own(area), helper]), 0.5)
        leaves = 0.2 * look.worth(helper.area) if look.pressure(helper.area) and len(look.own(helper.area)) == 1 else 0.0
        return 0.6 + 0.2 * look.worth(area) - leaves if odds > 0.9 and better < 2.0 and not look.green(helper) else -1.0
    key_ground = look.last and look.points(area) > 0
    return 0.45 * odds if not green and not key_ground else 0.0


def _judge_point(look: Outlook, ask: Ask, option: Option) -> float:
    """Steps to lose, and a quality and class that are hard to hit."""
    name = _words(option)[1]
    if name not in look.state.blocks:
        return 0.1
    block = look.state.blocks[name]
    if look.green(block):
        return 0.5
    return 0.1 + block.steps + board.quality(look.state, name) + (0.8 if look.armor(block) else 0.0)


def _judge_loss(look: Outlook, ask: Ask, option: Option) -> float:
    name = _words(option)[1]
    if name in look.data.chits:
        return 6.0 - (2.0 if look.data.chits[name].kind == "engineer" else 0.0)
    return 1.0 + look.state.blocks[name].steps


def _judge_abort(look: Outlook, ask: Ask, option: Option) -> float:
    hits, left = int(ask.facts.get("hits", 1)), int(ask.facts.get("steps", 6)) + int(ask.facts.get("assets", 0))
    share = 0.75 if look.last or look.state.assaults.get(ask.where) == "beach" else 0.5
    hopeless = hits >= share * left
    return 1.0 if (option.key == "abort") == hopeless else 0.0


def _judge_stand(look: Outlook, ask: Ask, option: Option) -> float:
    """Rather a step than the ground; rather the ground than the unit."""
    hits, steps = int(ask.facts.get("hits", 1)), int(ask.facts.get("steps", 1))
    worthy = ask.where in look.data.areas and look.points(ask.where) > 0 and look.held(ask.where)
    held = worthy and (look.last or look.worth(ask.where) >= 6)
    flee = hits >= steps or (look.whole and hits >= steps - 1) or (2 * hits >= steps and not held)
    return 1.0 if (option.key == "retreat") == flee else 0.0


def _judge_air(look: Outlook, ask: Ask, option: Option) -> float:
    """Ground support helps every step of a strong unit; else the aircraft fire themselves."""
    words = _words(option)
    if words[0] == "artillery":
        return 1.0
    block = look.state.blocks.get(words[1])
    return 0.4 * block.steps if block and not look.green(block) else 0.2


def _judge_intercept(look: Outlook, ask: Ask, option: Option) -> float:
    return 0.5 if option.key == "none" else 1.0 if ask.facts.get("mission") == "support" else 0.4


JUDGES: Mapping[str, Judge] = {
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
"""How good an option is, kind by kind; only what is better than nothing (0) beats the default."""
