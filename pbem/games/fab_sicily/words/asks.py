"""All kinds of question that FAB: Sicily asks, in the words of order lines and of the help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.fab_sicily.words.questions import QUESTIONS
from pbem.games.fab_sicily.words.verbs import VERBS
from pbem.orders.catalogue import NUMBER, PLACE, AskKind, Catalogue
from pbem.orders.grammar import Form
from pbem.orders.scopes import BOTH, OTHER, PHASING

_BATTLES = tuple((p, BOTH) for p in ("combat", "breakthrough-combat", "drop", "admin"))

ASKED: Mapping[str, tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(("garrison", "plan", "beachhead"), (("setup", BOTH),)),
    "collapse": (("admin", BOTH), ("counter-admin", BOTH)),
    "recover": (("reinforcement", BOTH),),
    "arrival": (("setup", BOTH), ("reinforcement", BOTH)),
    "admin": (("admin", PHASING), ("counter-admin", OTHER)),
    "movement": (("movement", PHASING),),
    "strategic": (("strategic", PHASING),),
    "drop": (("drop", PHASING),),
    "battle": (("combat", PHASING), ("breakthrough-combat", PHASING), ("drop", PHASING)),
    "reaction": (("reaction", OTHER),),
    "breakthrough": (("breakthrough", PHASING),),
    "resupply": (("supply", BOTH),),
    "bridge": (("movement", OTHER), ("breakthrough", OTHER)),
    "crossing": (("movement", PHASING), ("breakthrough", PHASING)),
    "intercept": (("admin", BOTH), ("counter-admin", BOTH), *_BATTLES[:3], ("supply", BOTH)),
    **dict.fromkeys(("before-battle", "assets", "air-role", "point-unit", "abort", "loss"), _BATTLES),
    **dict.fromkeys(("disorder", "retreat-or-loss", "clear-works", "exploit-check"), _BATTLES),
    "retreat-to": (),
    "overstack": (),
}
"""Where each kind is asked: phase, and whether of the phasing side, of the other or of both ((): in every phase)."""

ATTACK_DEFENCE = ("attack", "defence")
BATTLE_FACTS: dict[str, str | tuple[str, ...]] = {
    "area": PLACE,
    "battle": ATTACK_DEFENCE,
    "units": NUMBER,
    "steps": NUMBER,
    "assets": NUMBER,
    "enemies": NUMBER,
    "assault": ("none", "river", "beach", "airborne"),
    "works": ("none", "allied", "axis"),
}
"""What is known at every question of a battle: of steps, units and assets one's own, of the enemy the blocks."""


def _kind(name: str, rule: str, default: str, help: str, *forms: str, **more: Any) -> AskKind:
    question = QUESTIONS[name]
    choices = tuple(Form(f, (name,)) for f in forms)
    return AskKind(name, rule, question.title, question.prompt or question.title, default, help, choices, **more)


def _orders(name: str, rule: str, default: str, help: str, closing: str = "done", **more: Any) -> AskKind:
    """A kind that orders a phase action by action; its choices are those of the verb table."""
    forms = more.pop("forms", [f.text for v in VERBS.verbs for f in v.forms if name in f.kinds])
    return _kind(name, rule, default, help, *forms, closing=closing, phase_orders=True, **more)


def _battle(
    name: str, rule: str, default: str, help: str, *forms: str, facts: Mapping[str, Any] | None = None, **more: Any
) -> AskKind:
    return _kind(name, rule, default, help, *forms, facts={**BATTLE_FACTS, **(facts or {})}, **{"where": "area", **more})


CATALOGUE = Catalogue(
    (
        _orders(
            "garrison",
            "22.24",
            "the others stand where history had them",
            "Asked of the Axis at set-up, for every coastal garrison, until it passes.",
            facts={"left": NUMBER},
            aliases=("garrisons",),
        ),
        _orders(
            "plan",
            "22.24",
            "the historical plan",
            "Asked of the Allies at set-up, when the Axis has deployed.",
            "",
            aliases=("landing plan",),
        ),
        _orders(
            "beachhead",
            "22.25",
            "the usual boxes of the plan",
            "Asked of the Allies at set-up, one beachhead after the other.",
            "",
            facts={"left": NUMBER},
            aliases=("beachheads",),
        ),
        _orders(
            "recover",
            "4.1",
            "none is taken",
            "Asked at the start of a turn if your Special Action was left over.",
            "none",
            facts={"used": NUMBER},
        ),
        _orders(
            "arrival",
            "4.1",
            "each unit goes to the first box that is free",
            "Asked for every unit that arrives.",
            "",
            facts={"units": NUMBER},
            aliases=("arrivals", "placement"),
        ),
        _orders(
            "admin",
            "4.2",
            "nothing more is done",
            "Asked until you pass.",
            facts={"engineers": NUMBER, "staff": NUMBER, "air": NUMBER, "specials": NUMBER},
        ),
        _orders("movement", "5.2", "the other units hold", "Asked until you pass."),
        _orders("strategic", "5.4", "no unit moves", "Asked while a unit in reserve may move.", aliases=("strategic movement",)),
        _orders(
            "drop",
            "14.27",
            "each unit lands at the first place allowed",
            "Asked for every airborne unit.",
            "",
            aliases=("drops",),
        ),
        _orders(
            "battle",
            "6.0",
            "battles that must be fought are fought, no others",
            "Asked until you pass; battles that must be fought come first.",
            forms=("fight AREA with CHIT", "fight AREA"),
        ),
        _orders(
            "reaction",
            "7.2",
            "no unit moves",
            "Asked of the side that is not moving, while it has units in reserve.",
            aliases=("reactions",),
        ),
        _orders("breakthrough", "7.3", "no unit moves", "Asked while a unit may move.", aliases=("breakthrough movement",)),
        _orders(
            "resupply",
            "16.34",
            "nothing is flown",
            "Asked if units of yours are unsupplied and you have aircraft.",
            facts={"air": NUMBER},
            aliases=("air resupply",),
        ),
        _kind(
            "bridge",
            "5.35",
            "the demolition is tried",
            "The enemy wants to cross a river into an area of yours.",
            "blow",
            "leave",
            where="border",
            yes="blow",
            no="leave",
            aliases=("bridges", "demolition", "bridge demolition"),
            facts={"area": PLACE},
            example="standing when bridge at 12-15, Lentini then blow",
        ),
        _kind(
            "crossing",
            "5.35",
            "the unit crosses if it can",
            "The bridge went down in front of your unit.",
            "cross",
            "stay",
            "move UNIT to PATH",
            where="unit",
            yes="cross",
            no="stay",
            aliases=("crossings", "river crossing"),
            facts={"area": PLACE},
            example="standing when crossing then cross or stay",
        ),
        _kind(
            "intercept",
            "16.31",
            "the mission is let fly",
            "The enemy flies a mission; one of your air assets may cancel it.",
            "intercept [with CHIT=air]",
            "none",
            where="area",
            yes="intercept with air",
            no="none",
            tags=("intercept",),
            aliases=("interception", "interceptions", "air combat"),
            facts={"area": PLACE, "mission": ("interdiction", "support", "resupply"), "air": NUMBER},
            example="standing when interception if mission = support then intercept",
        ),
        _battle(
            "before-battle",
            "6.21",
            "the units stand",
            "The defender may bring up a unit or slip away, each for a Special Action.",
            "stand",
            "reinforce with UNIT [using CHIT=sa]",
            "retreat [using CHIT=sa]",
            no="stand",
            yes="retreat using sa",
            tags=("retreat", "reinforce"),
            aliases=("before", "before the battle", "defender special action"),
            example="standing when before-battle at 14 if enemies >= 2 then reinforce with LIV/1 or stand",
        ),
        _battle(
            "assets",
            "6.22",
            "no more assets are added",
            "Asked one asset after the other, until you are done; list them in a battle plan instead.",
            "add CHIT [as USE]",
            "done",
            facts={"role": ATTACK_DEFENCE, "committed": NUMBER},
            closing="done",
            series=True,
            tags=("artillery", "battle", "naval", "air", "engineer", "shock"),
            aliases=("asset",),
            example="standing when assets if role = defence then artillery or battle or done",
        ),
        _battle(
            "air-role",
            "16.32",
            "the aircraft fire as artillery",
            "What your aircraft do in the battle.",
            "artillery",
            "support WHO",
            tags=("support", "strongest", "weakest"),
            aliases=("air support", "aircraft"),
            example="standing when air-role then support 50/1 or artillery",
        ),
        _battle(
            "point-unit",
            "6.24",
            "the unit with most steps",
            "Which of your units leads.",
            "point WHO",
            tags=("strongest", "weakest", "armor", "infantry", "elite", "veteran", "green"),
            aliases=("point", "point units"),
            example="standing when point-unit if battle = defence then weakest",
        ),
        _battle(
            "abort",
            "6.41",
            "the attack goes on, unless all of it would be lost",
            "The attacker may break off instead of taking the remaining hits.",
            "press",
            "abort",
            yes="abort",
            no="press",
            facts={"hits": NUMBER},
            aliases=("abort attack",),
            example="standing when abort if hits >= 3 then abort",
        ),
        _battle(
            "loss",
            "6.43",
            "the poorest asset if that is allowed, else the strongest unit",
            "Who takes a hit, one hit at a time.",
            "lose WHO",
            series=True,
            facts={"hits": NUMBER},
            tags=("asset", "strongest", "weakest", "point", "unit", "armor", "infantry"),
            aliases=("losses", "step loss", "step losses"),
            example="standing when losses then lose 50BA or asset or weakest",
        ),
        _battle(
            "disorder",
            "6.42",
            "the units become disordered",
            "One artillery hit may be absorbed by disorder.",
            "disorder",
            "lose",
            yes="disorder",
            no="lose",
            facts={"hits": NUMBER},
            example="standing when disorder if hits = 1 then lose",
        ),
        _battle(
            "retreat-or-loss",
            "6.42",
            "a single hit is taken where two steps can stand it, else the units retreat",
            "One hit of ground fire may be absorbed by retreating.",
            "retreat",
            "lose",
            yes="retreat",
            no="lose",
            facts={"hits": NUMBER},
            aliases=("retreat", "retreat or loss", "retreats"),
            example="standing when retreat-or-loss if steps = 1 then retreat",
        ),
        _kind(
            "retreat-to",
            "6.6",
            "the first place offered",
            "Where a retreating unit goes.",
            "retreat UNIT to PATH",
            "retreat to PATH",
            where="unit",
            series=True,
            tags=("sea",),
            facts={"area": PLACE, "steps": NUMBER},
            aliases=("retreat target", "retreat path", "where to retreat"),
            example="standing when retreat-to at 14 then retreat to 26",
        ),
        _battle(
            "clear-works",
            "6.33",
            "the works are cleared",
            "Engineers, commandos or naval guns clear field works instead of firing.",
            "clear",
            "fire",
            where="chit",
            yes="clear",
            no="fire",
            aliases=("clear", "field works", "clearing"),
            example="standing when clear-works then clear",
        ),
        _battle(
            "exploit-check",
            "6.8",
            "the check is made",
            "A morale check, which shows the unit, may allow it to exploit.",
            "check",
            "decline",
            where="unit",
            yes="check",
            no="decline",
            aliases=("exploitation", "exploit"),
            example="standing when exploitation then check",
        ),
        _kind(
            "collapse",
            "17.21",
            "the Axis gives its poorest battle asset, the Allies strike artillery",
            "Italian morale has collapsed by a level: an Italian asset of the Axis is eliminated.",
            "strike ITALIAN",
            tags=("artillery", "battle", "engineer"),
            aliases=("morale collapse", "italian morale"),
            facts={"level": NUMBER, "left": NUMBER},
            example="standing when collapse then battle or artillery",
        ),
        _kind(
            "overstack",
            "5.1",
            "the first unit offered",
            "More than two units of yours stand in an area: which one leaves.",
            "leave WHO",
            where="area",
            series=True,
            aliases=("stacking", "overstacking"),
            facts={"area": PLACE},
            example="standing when overstack at Lentini then leave 50/1 or first",
        ),
    )
)
