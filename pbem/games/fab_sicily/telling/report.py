"""A turn report as one value: everything a template prints, already in words and in order.

Made from :func:`view.view`, the redacted story and the asks of one side, never from the other side's secrets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.asks import Ask
from pbem.core.documents import Brief, Choice, Facts, Over, Report, Taken, Wanted
from pbem.core.journal import Row
from pbem.core.standing import Directive
from pbem.games.brief import Voice, count, listed, report_words
from pbem.games.fab_sicily.words import orders
from pbem.games.fab_sicily.words.asks import CATALOGUE
from pbem.games.fab_sicily.position.data import SIDES, other
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.telling.sentences import ADJECTIVES, SIDE_NAMES, USES, Names, does, phase_title
from pbem.games.fab_sicily.telling.story import Story, tell
from pbem.games.fab_sicily.position.view import view
from pbem.games.narration import capital
from pbem.orders.catalogue import AskKind
from pbem.orders.replying import text_of

WIN_WORDS = {"allied": "the Allies win", "axis": "the Axis wins", "draw": "a draw"}
ORDER_WORDS = report_words(orders.ORDER_WORDS, CATALOGUE)
VOICE = Voice("fab_sicily", "FAB: Sicily", SIDE_NAMES, ADJECTIVES, phase_title, CATALOGUE, ORDER_WORDS)

NAMED = 16
"""Empty areas of a side that are named; if there are more their numbers must do."""

CHOICES_SHOWN = 24
"""Lines of choices that a question may take; what is more is summed up."""


DICE_NOTE = "Dice are ten-sided. A die in [brackets] is a hit: it is not above what was needed."


def report(
    game: Facts,
    state: State,
    side: str,
    rows: Sequence[Row],
    asks: Sequence[Ask],
    *,
    standing: Sequence[Directive] = (),
    plans: Sequence[Directive] = (),
    receipt: Taken | None = None,
) -> Report:
    """The report for ``side``; '' for an observer, who reads what lies open.

    ``game``: id, players {side: name}, number (of the report), step (the step's name), deadline (of
    :func:`pbem.reports.when.deadline`, or None), head and seq (hash and number of the last journal row),
    commitment (sha256 of the seed), and seed ('' until the game is over).  ``rows``: the journal since this side's
    last report; ``asks``: the open questions of both sides that nobody has answered; ``standing`` and ``plans``:
    this side's orders in force.
    """
    seen = view(state, side)
    story = tell(rows, state.data, side, game["step"], standing)
    mine = [a for a in asks if a.side == side]
    brief_ = brief(game, state, side, asks, standing=standing, plans=plans)
    return {
        **brief_,
        "kind": "over" if state.winner else "welcome" if game["number"] == 1 else "report",
        "headline": _headline(state, game["step"], len(mine)) if side or state.winner else phase_title(game["step"]),
        "news": _news(story, seen, side, Names(state.data)),
        "receipt": VOICE.carried_out(receipt, rows, side) if receipt else None,
        "pictures": [],
        "situation": situation(seen),
        "happened": story.phases,
        "battles": story.battles,
        "rolls": story.rolls,
        "moves": story.moves,
        "dice_note": DICE_NOTE if story.battles else "",
        "losses": {s: {"steps": story.steps_lost.get(s, 0), "blocks": story.blocks_lost.get(s, 0)} for s in SIDES},
        "boxes": {
            "own": {"heading": "Your boxes" if side else f"{ADJECTIVES[SIDES[0]]} boxes", **_boxes(seen, side or SIDES[0])},
            "enemy": {"heading": "The enemy's boxes" if side else f"{ADJECTIVES[SIDES[1]]} boxes",
                      **_boxes(seen, other(side or SIDES[0]))},
        },
        "score": score(seen),
        "view": seen,
    }


def brief(
    game: Facts,
    state: State,
    side: str,
    asks: Sequence[Ask],
    *,
    standing: Sequence[Directive] = (),
    plans: Sequence[Directive] = (),
) -> Brief:
    """What every mail of a game carries (receipts and reminders too): who, what is wanted, orders in force, reply block."""
    names = Names(state.data)
    mine = [a for a in asks if a.side == side]
    return VOICE.brief(
        game, side, asks, [wanted(a, names, n) for n, a in enumerate(mine, 1)], _over(state), scenario=state.data.title,
        turn=state.turn, turns=state.data.turns, standing=standing, plans=plans,
    )


def _headline(state: State, step: str, questions: int) -> str:
    return f"The game is over: {WIN_WORDS[state.winner]}" if state.winner else VOICE.headline(step, questions)


def _over(state: State) -> Over | None:
    if not state.winner:
        return None
    return {"winner": state.winner, "text": capital(WIN_WORDS[state.winner]), "vp": dict(state.vp)}


RESULT_WORDS = {
    "contested": "still contested", "attacker-holds": "the attackers hold it", "defender-holds": "the defenders hold it",
    "empty": "nobody is left",
}  # fmt: skip


def _news(story: Story, seen: Mapping[str, Any], side: str, names: Names) -> list[str]:
    """The report in three lines at most: battles, what changed hands and was lost, who is ahead."""
    told = []
    results = {b["area"]: b["result"] for b in story.battles}
    if results:
        fought = [f"{names.place(a)} ({RESULT_WORDS.get(r, 'not over yet')})" for a, r in results.items()]
        told.append(f"{'Battle' if len(fought) == 1 else 'Battles'}: {'; '.join(fought)}.")
    changed = [f"{ADJECTIVES[s]} now: {names.places(story.taken[s])}." for s in SIDES if story.taken.get(s)]
    lost = []
    for s in (side, other(side)) if side in SIDES else SIDES:
        steps, blocks = story.steps_lost.get(s, 0), story.blocks_lost.get(s, 0)
        if steps or blocks:
            parts = [count(steps, "step")] * bool(steps) + [count(blocks, "block")] * bool(blocks)
            lost.append(f"{ADJECTIVES[s]} {listed(parts)}")
    if lost:
        changed.append(f"Lost: {'; '.join(lost)}.")
    if changed:
        told.append(" ".join(changed))
    held = seen["vp_held"]
    told.append(f"Victory points now: Allied {held['allied']}, Axis {held['axis']} ({_lead(held)}).")
    return told


# -- questions ------------------------------------------------------------------------------------------


def wanted(ask: Ask, names: Names, number: int) -> Wanted:
    """One open question: what is asked, the rule, the choices in short, the default, and how to answer."""
    kind, place = CATALOGUE[ask.kind], _place(ask, names)
    lines = [text_of(o, ask, CATALOGUE) if kind.phase_orders else o.key for o in ask.options]
    choices = in_short(lines)
    default = next((o for o in ask.options if o.key == ask.default), ask.options[0])
    example = next((o for o in ask.options if o.key not in (ask.default, kind.closing)), default)
    return {
        "number": number, "id": ask.id, "kind": ask.kind, "rule": ask.rule, "title": kind.title, "place": place,
        "heading": f"{kind.title.rstrip('?')}, {place}" if place else kind.title, "prompt": ask.prompt or kind.prompt,
        "facts": _facts(ask), "phase": phase_title(ask.scope), "many": kind.phase_orders, "how": _how(kind, ask),
        "choices": choices[:CHOICES_SHOWN], "more": max(0, len(choices) - CHOICES_SHOWN), "labels": _labels(ask),
        "default": text_of(default, ask, CATALOGUE) if kind.phase_orders else default.key, "default_words": kind.default,
        "example": text_of(example, ask, CATALOGUE),
    }  # fmt: skip


def _how(kind: AskKind, ask: Ask) -> str:
    """How to answer, in a sentence."""
    closing = ask.option(kind.closing) if kind.closing else None
    if not kind.phase_orders:
        return "One of these is the answer; its word alone is enough while no other question takes it."
    end = f" '{text_of(closing, ask, CATALOGUE)}' ends them." if closing else ""
    return f"One order a line, for one unit or piece, carried out in that order.{end}"


def _place(ask: Ask, names: Names) -> str:
    if not ask.where:
        return ""
    if ask.where in names.data.borders:
        return names.bridge(ask.where)
    if ask.where in names.data.blocks or ask.where in names.data.chits:
        return names.piece(ask.where)
    return names.place(ask.where)


HIDDEN_FACTS = ("area",)
"""Facts that the question's place says already."""


def _facts(ask: Ask) -> list[str]:
    return [
        f"{k.replace('_', ' ').replace('-', ' ')} {v}"
        for k, v in ask.facts.items()
        if k not in HIDDEN_FACTS and v not in ("", None)
    ]


def _labels(ask: Ask) -> list[Choice]:
    """Short lists are shown option by option, with what each one means."""
    if len(ask.options) > 8 or not any(o.label for o in ask.options):
        return []
    return [{"key": o.key, "label": o.label} for o in ask.options]


_FROM_TO = re.compile(r"(\S+) (.+) (to|at) (\S+)(?: via .*)?")
_WITH = re.compile(r"(\S+) (.+?)((?: from \S+)? with \S+)")
TARGETS_SHOWN = 16


def in_short(lines: Sequence[str]) -> list[str]:
    """Long lists folded: 'move 50-1 to 12', 'move 50-2 to 12', 'move 50-1 to 13 via 5' … as 'move 50-1, 50-2 to 12, 13'; 'spy 1
    with STAFF-8', 'spy 2 with STAFF-8' as 'spy 1, 2 with STAFF-8'; lone verbs as 'dig 50-1, 50-2'."""
    goals: dict[tuple[str, str, str], list[str]] = {}
    for line in lines:
        if match := _FROM_TO.fullmatch(line):
            verb, who, joint, goal = match.groups()
            goals.setdefault((f"{verb} ", who, f" {joint} "), []).append(goal)
        elif match := _WITH.fullmatch(line):
            goals.setdefault((f"{match[1]} ", "", match[3]), []).append(match[2])
        else:
            verb, _, goal = line.partition(" ")
            goals.setdefault((verb, "", ""), []).append(goal)
    folded: dict[tuple[str, str], list[str]] = {}
    for (verb, who, joint), found in goals.items():
        some = _some(found)
        key = (verb, f"{joint}{some}") if who else (f"{verb}{' ' if joint == '' and some else ''}{some}{joint}", "")
        folded.setdefault(key, []).append(who)
    return _by_means([f"{verb}{_some(whos)}{rest}" for (verb, rest), whos in folded.items()])


def _by_means(lines: Sequence[str]) -> list[str]:
    """Lines that differ in the last piece alone are one: 'interdict 1, 2 with AIR-1 or AIR-2'."""
    means: dict[str, list[str]] = {}
    for line in lines:
        what, joint, piece = line.rpartition(" with ")
        means.setdefault(f"{what}{joint}" or line, []).append(piece if joint else "")
    return [what + " or ".join(filter(None, [", ".join(pieces[:-1]), pieces[-1]])) for what, pieces in means.items()]


def _some(goals: Sequence[str]) -> str:
    """The goals, each once; of very many only the first."""
    each = list(dict.fromkeys(g for g in goals if g))
    more = f" and {len(each) - TARGETS_SHOWN} more" if len(each) > TARGETS_SHOWN else ""
    return ", ".join(each[:TARGETS_SHOWN]) + more


# -- the situation --------------------------------------------------------------------------------------

MARK_ROOM = 3
"""A box whose id is shorter has it in the column of the areas' numbers."""


def situation(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Areas with forces or markers in the order of their numbers, then the empty ones by side, boxes, bridges."""
    areas = [_area(a, seen["side"]) for a in seen["areas"]]
    held = [a for a in areas if a["forces"] or a["marks"]]
    empty = {s: _listed_areas([a for a in areas if a not in held and a["control"] == s]) for s in SIDES}
    blown = [f"{b['river']} bridge {b['id']}" for b in seen["borders"] if b["blown"]]
    return {
        "areas": held,
        "empty": [{"side": s, "name": ADJECTIVES[s], "areas": a, "line": ", ".join(a)} for s, a in empty.items() if a],
        "boxes": [b for b in map(_place_box, seen["boxes"]) if b["text"] or b["forces"]],
        "blown": blown,
        "blown_line": ", ".join(blown),
        "to_come": _to_come(seen),
    }


def _listed_areas(areas: Sequence[Mapping[str, Any]]) -> list[str]:
    """Areas by name and number; very many of them by numbers alone, those that follow each other as '27-31'."""
    if len(areas) <= NAMED:
        return [f"{a['name']} [{a['id']}]" for a in areas]
    runs: list[list[int]] = []
    for number in (int(a["id"]) for a in areas):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs]


def _area(area: Mapping[str, Any], side: str) -> dict[str, Any]:
    assets = [f"{c['name']} ({c['id']}){': ' + USES.get(c['use'], c['use']) if c['use'] else ''}" for c in area["assets"]]
    marks = [f"{ADJECTIVES[area['works']]} field works"] if area["works"] else []
    marks += [f"{ADJECTIVES[area['roadblock']]} roadblock"] if area["roadblock"] else []
    marks += [f"{area['assault']} assault"] if area["assault"] else []
    marks += [f"out of supply for {SIDE_NAMES[s]}" for s in area["unsupplied"] if area["control"] == s]
    held = ADJECTIVES.get(area["control"], "")
    said = [area["name"], f"{held} control" if held else "nobody's"]
    said += ["CONTESTED"] * area["contested"] + [f"{area['vp']} VP"] * bool(area["vp"])
    return {
        "id": area["id"],
        "name": area["name"],
        "control": area["control"],
        "control_name": held or "nobody's",
        "contested": area["contested"],
        "vp": area["vp"],
        "tdn": area["tdn"],
        "line": f"[{area['id']}] {', '.join(said)}",
        "marks": marks + assets,
        "marks_line": "; ".join(marks + assets),
        "forces": _forces(area["blocks"], side),
    }


def _forces(blocks: Mapping[str, Sequence[Mapping[str, Any]]], side: str) -> list[dict[str, Any]]:
    """Own blocks first, then the enemy's."""
    order = [side, other(side)] if side in SIDES else SIDES
    return [
        {"side": s, "name": ADJECTIVES[s], "own": s == side, "blocks": _blocks(blocks[s], ADJECTIVES[s])}
        for s in order if blocks[s]
    ]  # fmt: skip


def _blocks(blocks: Sequence[Mapping[str, Any]], side: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for block in blocks:
        told = block_words(block)
        if found and not block["known"] and found[-1]["text"] == told["text"] and found[-1]["marks"] == told["marks"]:
            found[-1]["count"] += 1
        else:
            found.append(told)
    return [_printed(told, "" if n else side) for n, told in enumerate(found)]


def _printed(block: Mapping[str, Any], label: str) -> dict[str, Any]:
    """A block with the ``label`` of its line (the side, before the first of its blocks), the ``line``, and how many ``times``."""
    times = f"{block['count']} ×" if block["count"] > 1 else ""
    words = " ".join(w for w in (times.replace("×", "x"), block["id"], block["text"], block["strength"]) if w)
    return {**block, "label": label, "times": times, "line": ", ".join([words, *block["marks"]])}


def block_words(block: Mapping[str, Any]) -> dict[str, Any]:
    """A block in words: id, name, strength, markers."""
    marks = [block["status"]] if block["status"] != "good" else []
    marks += [] if block["supplied"] else ["out of supply"]
    marks += ["in reserve"] if block["reserve"] else []
    marks += ["may exploit"] if block["exploit"] else []
    if not block["known"]:
        text = "face-down garrison" if block["garrison"] else "unknown block"
        return {"known": False, "count": 1, "id": "", "text": text, "strength": "", "marks": marks}
    strength = (
        f"{block['steps']}/{block['full']} {block['quality']}" if block["steps"] else "face down" if block["garrison"] else ""
    )
    marks += ["face up"] if block["shown"] else []
    return {"known": True, "count": 1, "id": block["id"], "text": block["name"], "strength": strength, "marks": marks}


def _place_box(box: Mapping[str, Any]) -> dict[str, Any]:
    if box["kind"] == "beachhead":
        text = {"in-play": "", "captured": "captured by the Axis", "destroyed": "destroyed"}.get(box["status"], "")
    else:
        text = f"damage level {box['damage']}" if box["damage"] else ""
    forces = [
        {"side": s, "name": ADJECTIVES[s], "own": False, "blocks": _blocks(box["blocks"][s], ADJECTIVES[s])}
        for s in SIDES if box["blocks"][s]
    ]
    name = capital(box["name"])
    return {
        "id": box["id"], "name": name, "area": box["area"], "text": text, "line": f"{name}: {text}" if text else name,
        "mark": box["id"] if len(box["id"]) < MARK_ROOM else "", "forces": forces,
    }  # fmt: skip


def _to_come(seen: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The side's own units that are still to arrive, by turn."""
    by_turn: dict[int, list[str]] = {}
    for block in seen["to_come"]:
        by_turn.setdefault(block["turn"], []).append(f"{block['name']} ({block['id']})")
    return [{"turn": t, "blocks": by_turn[t], "line": ", ".join(by_turn[t])} for t in sorted(by_turn) if t > seen["turn"]]


def _boxes(seen: Mapping[str, Any], side: str) -> dict[str, Any]:
    """A side's chits, equal ones together."""
    chits = seen["chits"][side]
    boxes = {box: _chits(chits.get(box, [])) for box in ("available", "used", "cup", "eliminated", "table")}
    lost = [f"{b['name']} ({b['id']})" for b in seen["eliminated"][side]]
    size = len(chits.get("cup", []))
    rows = [("Available", boxes["available"] or ["none"]), ("Used", boxes["used"] or ["none"])]
    rows += [(f"Cup ({size})", boxes["cup"] or ["empty"]), ("Eliminated", boxes["eliminated"]), ("Units lost", lost)]
    shown = [{"label": label, "text": "; ".join(found)} for label, found in rows if found]
    return {"side": side, "name": ADJECTIVES[side], **boxes, "lost": lost, "cup_size": size, "rows": shown}


def _chits(chits: Sequence[Mapping[str, Any]]) -> list[str]:
    by_name: dict[str, list[str]] = {}
    for chit in chits:
        by_name.setdefault(chit["name"], []).append(chit["id"])
    return [f"{name} ({', '.join(ids)})" for name, ids in by_name.items()]


def score(seen: Mapping[str, Any]) -> dict[str, Any]:
    """Victory points by what each side controls now."""
    areas = {
        s: [
            {"id": a["id"], "name": a["name"], "vp": a["vp"], "text": f"{a['name']} [{a['id']}] {a['vp']}"}
            for a in seen["areas"]
            if a["id"] in seen["vp_areas"][s]
        ]
        for s in SIDES
    }
    return {
        "sides": [
            {"side": s, "name": ADJECTIVES[s], "vp": seen["vp_held"][s], "areas": areas[s],
             "line": ", ".join(a["text"] for a in areas[s]) or "no area"}
            for s in SIDES
        ],  # fmt: skip
        "lead": _lead(seen["vp_held"]),
        "notes": _notes(seen),
    }


OPTION_WORDS = {
    "optional_airborne": "18.1 airborne units out of supply", "optional_artillery": "18.2 advanced artillery modifiers",
    "optional_artillery_loss": "18.3 artillery destruction", "optional_works": "18.4 field works maintained",
    "historical": "22.37 the strictly historical campaign",
}  # fmt: skip


def _notes(seen: Mapping[str, Any]) -> list[str]:
    """What else counts: the landing plan, Italian morale, major units and beachheads lost, optional rules in force."""
    found = [f"The Allies land by the {seen['plan']} plan."] if seen["plan"] else []
    found += [f"Italian morale has collapsed to level {seen['morale_level']}."] if seen["morale_level"] else []
    for side in SIDES:
        if seen["trophies"][side]:
            found.append(f"A point each for {SIDE_NAMES[side]}, lost by the enemy: {', '.join(seen['trophies'][side])}.")
    if seen["options"]:
        found.append(f"Optional rules: {', '.join(OPTION_WORDS[o] for o in seen['options'])}.")
    return found


def _lead(vp: Mapping[str, int]) -> str:
    ahead = vp["allied"] - vp["axis"]
    if not ahead:
        return "level"
    return f"{does('allied' if ahead > 0 else 'axis', 'lead')} by {abs(ahead)}"
