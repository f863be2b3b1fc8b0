"""22.14, 22.24 to 22.26, 22.37 What the players choose before the first turn: garrisons, landing plan, beachheads."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, Data, Plan
from pbem.games.fab_sicily.rules.sequence import SETUP
from pbem.games.fab_sicily.position.state import State

Flow = Generator[list[Ask], list[Answer], None]

HISTORICAL_PLAN = "historical"
ARMIES = ("8", "7")
"""22.25, 22.26 The British land first."""

ARMY_NAMES = {"8": "British", "7": "American"}


# -- garrisons --------------------------------------------------------------------------------------


def garrisons(ctx: Ctx) -> Flow:
    """22.14 Coastal garrisons, one an area, face-down; 22.24 where the Axis wants, 22.37 or where history had them.

    RULING: their identities are not drawn here but by a die when a rule reveals them: so nobody knows
    them before, the server included, just as if the shuffled blocks lay on the table.
    """
    data = ctx.state.data
    left = [b.id for b in data.blocks.values() if b.garrison]
    free = data.free_garrisons and not data.historical
    while free and left:
        [answer] = yield [_garrison_ask(ctx, len(left))]
        if answer.key == "done":
            break
        ctx.emit(e.Placed(left.pop(0), answer["area"], 0, "22.24"))
    for block, area in zip(left, _usual(ctx.state), strict=False):
        ctx.emit(e.Placed(block, area, 0, "22.24" if free else "22.14"))


def garrison_areas(state: State) -> list[str]:
    """22.24 One an area, anywhere but where a garrison or two Veteran units stand."""
    return [
        a for a in state.data.areas
        if board.room(state, a, AXIS) > 0 and not any(board.is_garrison(state, b.id) for b in board.in_area(state, a, AXIS))
    ]


def _usual(state: State) -> list[str]:
    """The areas of the scenario's list first (22.14, 22.37), then any other."""
    open_ = garrison_areas(state)
    listed = [a for a in state.data.garrison_areas if a in open_]
    return [*listed, *(a for a in open_ if a not in listed)]


def _garrison_ask(ctx: Ctx, left: int) -> Ask:
    state = ctx.state

    def make() -> list[Option]:
        areas = [
            Option(f"garrison {a}", f"a coastal garrison at {board.place_name(state.data, a)}", data={"area": a})
            for a in garrison_areas(state)
        ]
        return [*areas, Option("done", "all others where history had them")]

    return Ask(
        AXIS, "garrison", "22.24", SETUP, make, "done", "Place your coastal garrisons, one an area", facts={"left": left},
    )


# -- the Allied landing -----------------------------------------------------------------------------


def landing(ctx: Ctx) -> Flow:
    """22.24 The Allies see the Axis deployment, choose a landing plan, and then their beachheads.

    Nothing of it is told before all of it is settled: the Axis learns the plan from the beachheads.
    """
    data = ctx.state.data
    if not data.plans:
        return
    [answer] = yield [_plan_ask(data)]
    name = answer["plan"]
    boxes: list[str] = []
    for army in ARMIES:
        boxes += yield from _beachheads(data, data.plans[name], army)
    ctx.emit(e.PlanChosen(name, data.plans[name].rule))
    for box in boxes:
        ctx.emit(e.BeachheadSet(box, "in-play", data.plans[name].rule))


def _plan_ask(data: Data) -> Ask:
    """Default: the historical plan, which 22.37 prescribes; it is the first, whatever the order of the stored data."""
    names = [HISTORICAL_PLAN] if data.historical else sorted(data.plans, key=lambda n: (n != HISTORICAL_PLAN, n))

    def make() -> list[Option]:
        return [Option(f"plan {n}", f"the {n} landing plan ({data.plans[n].rule})", data={"plan": n}) for n in names]

    return Ask(ALLIED, "plan", "22.24", SETUP, make, f"plan {names[0]}", "Choose your landing plan")


def _beachheads(data: Data, plan: Plan, army: str) -> Generator[list[Ask], list[Answer], list[str]]:
    """22.25, 22.26 The beachheads of an army one by one; 22.37 the British ones are B1 to B5."""
    wanted = plan.default[army]
    if data.historical:
        return list(wanted)
    chosen: list[str] = []
    while len(chosen) < len(wanted):
        [answer] = yield [_beachhead_ask(data, plan, army, chosen)]
        chosen.append(answer["box"])
    return [b for b in plan.boxes[army] if b in chosen]


def open_boxes(plan: Plan, army: str, chosen: Sequence[str]) -> list[str]:
    """22.25, 22.26 The boxes for the next beachhead: for the British so that all can still lie side by side.

    RULING: the American beachheads need not be contiguous: 22.26 asks it of the British only, whatever
    Example 1A has them choose.
    """
    boxes, number = plan.boxes[army], len(plan.default[army])
    if army not in plan.consecutive:
        return [b for b in boxes if b not in chosen]
    runs = [boxes[i : i + number] for i in range(len(boxes) - number + 1)]
    fitting = [run for run in runs if all(b in run for b in chosen)]
    return [b for b in boxes if b not in chosen and any(b in run for run in fitting)]


def _beachhead_ask(data: Data, plan: Plan, army: str, chosen: Sequence[str]) -> Ask:
    """Default: the next of the plan's usual boxes that is still possible."""
    open_ = open_boxes(plan, army, chosen)
    usual = next((b for b in plan.default[army] if b in open_), open_[0])
    number, names = len(plan.default[army]), _names(data)

    def make() -> list[Option]:
        return [Option(f"beachhead {b}", f"a beachhead at {names(b)}", data={"box": b}) for b in open_]

    return Ask(
        ALLIED, "beachhead", plan.rule, SETUP, make, f"beachhead {usual}",
        f"Place {ARMY_NAMES[army]} beachhead {len(chosen) + 1} of {number}", facts={"left": number - len(chosen)},
    )


def _names(data: Data) -> Callable[[str], str]:
    return lambda box: f"{box}, {board.place_name(data, data.landing[box])}"
