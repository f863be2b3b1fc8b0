"""Why an order of the Admin Phase cannot be carried out: the judges that make its options, asked one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from pbem.core.asks import Refusal, fold
from pbem.games.fab_sicily.rules import air, cups, engineers, events_play, flank, replacements, special, staff
from pbem.games.fab_sicily.position.state import State


@dataclass
class Done:
    """What a side has done in this Admin Phase that may not be done again in it: ports changed (14.51),
    interdictions cancelled (16.31), a flank invasion made (17.22)."""

    ports: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    invaded: bool = False


@dataclass(frozen=True)
class Order:
    """'VERB NAMES [from ORIGIN] with CHIT', taken apart."""

    verb: str
    names: list[str]
    origin: str
    chit: str


def why_not(state: State, side: str, choice: str) -> Refusal | None:
    """Why the action that ``choice`` names ('blow 12-15 from 15 with ENG-1') is not possible; None if the
    words do not make an action of known things."""
    order = _order(state, choice)
    if order is None:
        return None
    judge = _JUDGES[order.verb]
    spent = Done(list(state.data.ports), list(state.data.areas), True)
    return judge(state, side, order, Done()) or judge(state, side, order, spent)


def _order(state: State, choice: str) -> Order | None:
    head, _, chit = fold(choice).partition(" with ")
    head, _, origin = head.partition(" from ")
    verb, *names = head.split()
    data = state.data
    places = {**data.areas, **data.landing, **data.ports}
    divisions = {b.division: b for b in data.blocks.values()}
    known = _names(data.areas, data.borders, data.blocks, data.chits, data.ports, data.landing, divisions)
    wanted: dict[str, Collection[str]] = {
        "blow": data.borders, "repair": data.borders, "damage": data.ports, "mend": data.ports, "replace": data.blocks,
        "reserve": data.blocks, "restore": data.chits, "recycle": data.chits, "spy": places, "release": divisions,
        "play": data.chits,
        **dict.fromkeys(("works", "roadblock", "defend", "rally", "interdict", "invade"), data.areas),
    }
    chit = names[0] if verb == "play" and names else chit
    order = Order(verb, [known.get(n, "") for n in names], known.get(origin, ""), known.get(chit, ""))
    if verb not in wanted or not names or order.chit not in data.chits or not all(n in wanted[verb] for n in order.names):
        return None
    return None if verb in ("blow", "repair") and order.origin not in data.areas else order


def _names(*tables: Mapping[str, object]) -> dict[str, str]:
    return {fold(name): name for table in tables for name in table}


Judge = Callable[[State, str, Order, Done], "Refusal | None"]

_JUDGES: Mapping[str, Judge] = {
    "blow": lambda state, side, o, done: engineers.why_not_blow(state, side, o.names, o.origin, o.chit),
    "repair": lambda state, side, o, done: engineers.why_not_repair(state, side, o.names[0], o.origin, o.chit),
    "works": lambda state, side, o, done: engineers.why_not_works(state, side, o.names[0], o.chit),
    "roadblock": lambda state, side, o, done: engineers.why_not_roadblock(state, side, o.names[0], o.chit),
    "defend": lambda state, side, o, done: engineers.why_not_defend(state, side, o.names[0], o.chit),
    "damage": lambda state, side, o, done: engineers.why_not_port(state, side, o.verb, o.names[0], o.chit, done.ports),
    "mend": lambda state, side, o, done: engineers.why_not_port(state, side, o.verb, o.names[0], o.chit, done.ports),
    "rally": lambda state, side, o, done: special.why_not_rally(state, side, o.names[0], o.chit),
    "release": lambda state, side, o, done: special.why_not_release(state, side, o.names[0], "".join(o.names[1:]), o.chit),
    "replace": lambda state, side, o, done: replacements.why_not(state, side, o.names[0], o.chit),
    "restore": lambda state, side, o, done: staff.why_not_restore(state, side, o.names[0], o.chit),
    "spy": lambda state, side, o, done: staff.why_not_spy(state, side, o.names[0], o.chit),
    "reserve": lambda state, side, o, done: staff.why_not_reserve(state, side, o.names[0], o.chit),
    "interdict": lambda state, side, o, done: air.why_not_interdict(state, side, o.names[0], o.chit, done.cancelled),
    "invade": lambda state, side, o, done: flank.why_not(state, side, o.names[0], o.chit, done.invaded),
    "play": lambda state, side, o, done: events_play.why_not(state, side, o.chit),
    "recycle": lambda state, side, o, done: cups.why_not_recycle(state, side, o.names, o.chit),
}
