"""A player's words matched with the options that the rules offer, and why nothing fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.core.asks import Ask, Option, Refusal, fold, pick
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import committing, costs, fieldworks, forbidden_zones, landing, movement, reserves, strategic
from pbem.games.fab_sicily.words import battle_refusals, refusals
from pbem.games.fab_sicily.words.names import CLASSES
from pbem.games.fab_sicily.position.state import State

ANY_WORD = "*"
"""Stands for any one word of an option's key ('blow 12-15 from * with engineers')."""

UNORDERED = ("blow", "recycle", "release")
"""Verbs whose names may come in any order."""

TAILS = ("via", "using")
"""What follows these words in a key need not be said."""

MOVES = ("movement", "reaction", "breakthrough")


def choose(state: State, ask: Ask, choice: str) -> Option | Refusal:
    """The option that ``choice`` means, or why there is none."""
    got = pick(ask, choice)
    if isinstance(got, Option):
        return got
    for said in _readings(state, ask, fold(choice)):
        found = [o for o in ask.options if _fits(state, said.split(), fold(o.key).split())]
        if found:
            return _cheapest(state, found)
    verb, _, rest = fold(choice).partition(" ")
    tagged = pick(ask, rest) if rest and any(o.key.split(" ")[0] == verb for o in ask.options) else got
    return tagged if isinstance(tagged, Option) else _spelled(state, ask, choice) or _why_not(state, ask, choice)


def _readings(state: State, ask: Ask, said: str) -> Iterator[str]:
    """What was said, and what else it can mean here."""
    yield said
    if ask.kind in ("arrival", "beachhead"):
        yield from _boxed(state, ask, said)
    if said.startswith("add "):
        yield said.removesuffix(" as artillery") if said.endswith(" as artillery") else f"{said} as artillery"
    if said.startswith("retreat to ") and ask.kind == "retreat-to":
        yield f"retreat {fold(ask.where)} to {said.removeprefix('retreat to ')}"
    if ask.kind == "breakthrough" and said.startswith("move "):
        yield f"exploit {said.removeprefix('move ')}"
    if ask.kind == "breakthrough" and said.startswith("exploit "):
        yield f"move {said.removeprefix('exploit ')}"


def _boxed(state: State, ask: Ask, said: str) -> Iterator[str]:
    """'place 50-1 at 5' for the one box of that area which is open to the unit."""
    before, _, place = said.rpartition(" ")
    area = state.data.areas.get(place)
    boxes = [fold(f"{before} {b}") for b in (area.landing, area.port) if b] if area else []
    offered = [b for b in boxes if any(fold(o.key) == b for o in ask.options)]
    if len(offered) == 1:
        yield offered[0]


def fits(state: State, choice: str, key: str) -> bool:
    """Whether the words of a choice are those of an option's key, apart from what need not be said; an area stands for a
    box that leads to it."""
    said, meant = fold(choice).split(), fold(key).split()
    if said[0] == meant[0] == "place" and len(said) == len(meant):
        said[-1], meant[-1] = (landing.coast(state, word.upper()) or word for word in (said[-1], meant[-1]))
    return _fits(state, said, meant)


def _fits(state: State, said: list[str], key: list[str]) -> bool:
    if len(key) > len(said) and key[len(said)] in TAILS:
        key = key[: len(said)]
    if len(said) != len(key):
        return False
    if said[0] in UNORDERED and said[0] == key[0]:
        said, key = _sorted_names(said), _sorted_names(key)
    return all(_word_fits(state, s, k) for s, k in zip(said, key, strict=True))


def _sorted_names(words: list[str]) -> list[str]:
    end = next((i for i, w in enumerate(words) if w in ("from", "with")), len(words))
    return [words[0], *sorted(words[1:end]), *words[end:]]


def _word_fits(state: State, said: str, key: str) -> bool:
    return said in (key, ANY_WORD) or key in said.split("|") or (said in CLASSES and _kind(state, key) in CLASSES[said][0])


def _kind(state: State, word: str) -> str:
    chit = state.data.chits.get(word.upper())
    return chit.kind if chit else ""


def _cheapest(state: State, found: Sequence[Option]) -> Option:
    """Of options that the words fit alike the first, and a reusable Special Action before a single-use one."""
    reusable = [o for o in found if any(_kind(state, w) == "special" for w in o.key.split(" "))]
    return (reusable or list(found))[0]


def _spelled(state: State, ask: Ask, choice: str) -> Option | Refusal | None:
    """A way that the player spelled out, place by place."""
    words = choice.split()
    if len(words) < 4 or words[0] not in ("move", "exploit") or "via" not in words or not _own(state, ask, words[1]):
        return None
    path = [*words[words.index("via") + 1 :], words[3]]
    if ask.kind in MOVES:
        return movement.path_option(state, words[1], path)
    return next((o for o in ask.options if list(o.data.get("path", ()))[1:] == path), None)


def _own(state: State, ask: Ask, block: str) -> bool:
    return block in state.blocks and board.side_of(state, block) == ask.side


# -- why not ------------------------------------------------------------------------------------------


def _why_not(state: State, ask: Ask, choice: str) -> Refusal:
    """The reason in the words of the rule that is in the way, as far as its owner may know it."""
    words, found = choice.split(), reason(state, ask, choice)
    if found is None:
        return Refusal(f"'{choice}' is not possible {_here(state, ask)}{_instead(ask, words)}", ask.rule)
    instead = _instead(ask, words) if ask.kind in battle_refusals.REASONS else ""
    return Refusal(f"{found.reason}{instead}", found.rule)


def reason(state: State, ask: Ask, choice: str) -> Refusal | None:
    """The rule that is in the way of a choice, as the judges of its kind know it; None if they do not say."""
    words, judge = choice.split(), _REASONS.get(ask.kind)
    return judge(state, ask, words) if judge and len(words) > 1 else None


def _here(state: State, ask: Ask) -> str:
    return f"at {board.place_name(state.data, ask.where)}" if ask.where in state.data.areas else "now"


def _instead(ask: Ask, words: Sequence[str]) -> str:
    """Up to eight options with the same beginning."""
    for length in (2, 1):
        like = [o.key for o in ask.options if o.key.split(" ")[:length] == list(words[:length])]
        if like:
            return f"; possible: {', '.join(like[:8])}{' …' if len(like) > 8 else ''}"
    return ""


def _why_not_move(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    if not _own(state, ask, words[1]):
        return None
    if words[0] in ("dig", "reserve"):
        judge = fieldworks.why_not_dig if words[0] == "dig" else reserves.why_not_reserve
        barred = movement.why_not_act(state, words[1]) or forbidden_zones.why_not_stay(state, words[1])
        return barred or judge(state, words[1])
    if words[0] == "exploit" and "with" in words:
        return movement.why_not_activate(state, words[1]) or Refusal("no Special Action of yours is available for it", "8.21")
    return movement.refusal(state, words[1], words[3]) if len(words) > 3 else None


def _why_not_strat(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    if not _own(state, ask, words[1]):
        return None
    ground = costs.survey(state, ask.side)
    barred = strategic.why_not_strat(ground, words[1])
    return barred or (strategic.why_not_to(ground, words[1], words[3]) if len(words) > 3 else None)


def _why_not_admin(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    for concrete in _concrete(state, ask.side, list(words)):
        refusal = refusals.why_not(state, ask.side, " ".join(concrete))
        if refusal:
            return refusal
    return None


def _concrete(state: State, side: str, words: list[str]) -> Iterator[list[str]]:
    """The choice with a chit for every 'any one of mine', and an area for '*'."""
    for i, word in enumerate(words):
        if word in CLASSES or "|" in word:
            words[i] = _one_of(state, side, word)
    if ANY_WORD not in words:
        yield words
        return
    at = words.index(ANY_WORD)
    for area in words[1].split("-"):
        yield [*words[:at], area, *words[at + 1 :]]


def _one_of(state: State, side: str, word: str) -> str:
    if word in state.chits:
        return word
    if word in CLASSES:
        own = [c for c, kind in state.data.chits.items() if kind.side == side and kind.kind in CLASSES[word][0]]
    else:
        own = word.split("|")
    ready = [c for c in own if c in state.chits and state.chits[c].box == "available"]
    return (ready or own or [word])[0]


def _why_not_battle(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    paid = next((o for o in ask.options if o.key.split(" ")[:2] == list(words[:2]) and "with" in o.key.split(" ")), None)
    if paid is None or "with" in words:
        return None
    place = board.place_name(state.data, words[1])
    return Refusal(f"fighting again at {place} takes a Special Action: 'battle {words[1]} with special action'", "7.42")


def _why_not_asset(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    chit = _one_of(state, ask.side, words[1])
    if chit not in state.chits:
        return None
    if words[1] in CLASSES and state.chits[chit].box != "available":
        return Refusal(f"nothing of yours that is called '{words[1]}' is in your Available Box", ask.rule)
    return committing.refusal(state, ask, chit, words[3] if words[2:3] == ["as"] and len(words) > 3 else "")


_REASONS: dict[str, Callable[[State, Ask, Sequence[str]], Refusal | None]] = {
    **dict.fromkeys(MOVES, _why_not_move), "strategic": _why_not_strat, "admin": _why_not_admin,
    "battle": _why_not_battle,
    "assets": _why_not_asset,
    **battle_refusals.REASONS,
}
