"""Case files: a chapter a file, a rule a case.

    CASE 6.42-A field works absorb the first hit
    STATE
      at 15 50-1/4
      ...
    STEP 2 allied combat
    SWITCH assault_penalty=false
    ORDERS allied
      battle 15 with 24th artillery
    ANSWER point-unit 15: point NAP-1
    DICE 6.25: 2 5 | 6.26: 5
    EVENTS
      HitAbsorbed how=field-works
    NO EVENTS
      StepLost
    REFUSED 5.34: move 50-1 to 17
    END
      at 15 NAP-1/2 disordered

EVENTS must all happen, in that order (others may stand between); NO EVENTS must not happen at all.
REFUSED r: ORDER says that this order (in its canonical form) is not carried out and that the refusal cites rule r;
what is refused must be these orders and no others, in that order.  END: what must be true afterwards, in the words
of STATE: 'at AREA BLOCK/steps markers', 'gone BLOCK', 'control …', 'works …', 'no works …', 'available …', 'used …',
'eliminated …', 'blown …', 'assault …', 'waits SIDE KIND'.  DICE out of order or left over fail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.games.fab_sicily.play import MARKERS, Play, board

HERE = Path(__file__).parent / "cases"
HEADS = ("STATE", "STEP", "SWITCH", "SCENARIO", "ORDERS", "ANSWER", "DICE", "EVENTS", "NO", "REFUSED", "END", "DEFAULT")


@dataclass
class Case:
    """One case as written."""

    id: str
    words: str
    file: str
    line: int
    state: list[str] = field(default_factory=list)
    step: str = "2 allied combat"
    scenario: str = "full"
    default: bool = False
    switches: dict[str, Any] = field(default_factory=dict)
    orders: dict[str, list[str]] = field(default_factory=dict)
    answers: dict[Any, list[str]] = field(default_factory=dict)
    dice: list[tuple[str, int]] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    end: list[str] = field(default_factory=list)

    @property
    def rule(self) -> str:
        """The rule it is about: '6.42' of '6.42-A', 'E12' of 'E12-A'."""
        return self.id.split("-")[0]


def read(path: Path) -> list[Case]:
    """The cases of a file; ValueError with file and line if it is not well formed."""
    cases: list[Case] = []
    block: list[str] = []
    for number, text in enumerate(path.read_text().splitlines(), 1):
        line = text.strip()
        if not line or line.startswith("#"):
            continue
        head, _, rest = line.partition(" ")
        if head == "CASE":
            name, _, words = rest.partition(" ")
            cases.append(Case(name, words, path.name, number))
        elif head in HEADS and not text.startswith((" ", "\t")):
            block = _head(cases[-1], head, rest, f"{path.name}:{number}")
        else:
            block.append(line)
    return cases


def _head(case: Case, head: str, rest: str, place: str) -> list[str]:
    match head:
        case "STATE":
            return case.state
        case "STEP":
            case.step = rest
        case "SCENARIO":
            case.scenario = rest
        case "DEFAULT":
            case.default = True
        case "SWITCH":
            name, _, value = rest.partition("=")
            case.switches[name] = {"true": True, "false": False}.get(value, int(value) if value.lstrip("-").isdigit() else value)
        case "ORDERS":
            return case.orders.setdefault(rest, [])
        case "ANSWER":
            what, _, choice = rest.partition(": ")
            kind, _, where = what.partition(" ")
            case.answers.setdefault((kind, where) if where else kind, []).append(choice)
        case "DICE":
            for part in rest.split("|"):
                rule, _, faces = part.strip().partition(":")
                case.dice += [(rule.strip(), int(f)) for f in faces.replace(",", " ").split()]
        case "EVENTS":
            return case.events
        case "NO":
            return case.absent
        case "REFUSED":
            rule, _, order = rest.partition(": ")
            case.refused.append((rule, order))
        case "END":
            return case.end
        case _:
            raise ValueError(f"{place}: {head} is not a part of a case")
    return []


def _matches(event: dict[str, Any], pattern: str) -> bool:
    name, *conditions = pattern.split()
    if event["type"] != name:
        return False
    for condition in conditions:
        key, _, value = condition.partition("=")
        if _word(event.get(key)) != value:
            return False
    return True


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_word(v) for v in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def run(case: Case) -> Play:
    """Play the case and check all it says."""
    place = f"{case.file}:{case.line} {case.id}"
    state = board("\n".join(case.state), case.scenario, **case.switches)
    play = Play(state, case.step, case.dice, case.orders, case.answers, case.default)
    bad = [d for d in play.diagnostics if d.severity != "warning"]
    assert not bad, f"{place}: {[d.message for d in bad]}"
    refused = [(s["rule"], s["text"]) for s in play.skips]
    assert refused == case.refused, f"{place}: refused are {[(s['rule'], s['text'], s['reason']) for s in play.skips]}"
    assert not play.faces_left, f"{place}: dice left over: {play.faces_left}"
    left = list(case.events)
    for event in play.events:
        if left and _matches(event, left[0]):
            left.pop(0)
    assert not left, f"{place}: this did not happen: {left[0]}\nit was:\n" + "\n".join(map(str, play.events))
    for pattern in case.absent:
        assert not any(_matches(e, pattern) for e in play.events), f"{place}: this happened: {pattern}"
    for line in case.end:
        _check_end(play, line, place)
    return play


def _check_end(play: Play, line: str, place: str) -> None:
    state, (head, *words) = play.state, line.split()
    if head == "at":
        _check_at(play, words, f"{place}: {line}")
    elif head == "gone":
        assert all(state.blocks[b].area == "eliminated" for b in words), f"{place}: {line}"
    elif head == "control":
        assert all(state.control[a] == words[0] for a in words[1:]), f"{place}: {line}: {state.control}"
    elif head == "no":
        markers = {"works": state.works, "roadblock": state.roadblocks, "assault": state.assaults, "blown": state.blown}[words[0]]
        assert all(w not in markers for w in words[1:]), f"{place}: {line}"
    elif head in ("works", "roadblock", "assault"):
        markers = {"works": state.works, "roadblock": state.roadblocks, "assault": state.assaults}[head]
        assert markers.get(words[0]) == words[1], f"{place}: {line}: {markers}"
    elif head == "blown":
        assert all(w in state.blown for w in words), f"{place}: {line}: {state.blown}"
    elif head in ("available", "used", "eliminated", "cup", "map", "table", "conditional"):
        assert all(state.chits[c].box == head for c in words), f"{place}: {line}: {[state.chits[c] for c in words]}"
    elif head == "released":
        assert all(w in state.released for w in words), f"{place}: {line}"
    elif head == "unsupplied":
        assert all(w in state.unsupplied[words[0]] for w in words[1:]), f"{place}: {line}: {state.unsupplied}"
    elif head == "port":
        assert state.port_damage.get(words[0], 0) == int(words[1]), f"{place}: {line}: {state.port_damage}"
    elif head == "plan":
        assert state.plan == words[0], f"{place}: {line}: {state.plan}"
    elif head == "captured":
        assert " ".join(words) in state.captured, f"{place}: {line}: {state.captured}"
    elif head == "beachhead":
        assert state.beachheads.get(words[0]) == words[1], f"{place}: {line}: {state.beachheads}"
    else:
        raise AssertionError(f"{place}: END does not know '{line}'")


def _check_at(play: Play, words: list[str], place: str) -> None:
    area, block = words[0], None
    for word in words[1:]:
        if word in MARKERS or word in ("good", "supplied", "hidden"):
            assert block is not None
            have = {
                "disordered": block.status == "disordered", "recovering": block.status == "recovering",
                "good": block.status == "good", "unsupplied": not block.supplied, "supplied": block.supplied,
                "hidden": not block.shown,
            }.get(word)
            assert getattr(block, word) if have is None else have, f"{place}: {block}"
            continue
        name, _, steps = word.partition("/")
        block = play.state.blocks[name]
        assert block.area == area, f"{place}: {block}"
        assert not steps or block.steps == int(steps), f"{place}: {block}"


def all_cases() -> list[Case]:
    """Every case of every file, in order."""
    return [case for path in sorted(HERE.glob("*.txt")) for case in read(path)]
