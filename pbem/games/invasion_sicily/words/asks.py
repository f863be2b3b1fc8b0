"""All kinds of question that Invasion: Sicily asks, in the words of order lines and of the help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.words.verbs import VERBS
from pbem.orders.catalogue import NUMBER, AskKind, Catalogue
from pbem.orders.grammar import Form
from pbem.orders.scopes import BOTH, OTHER, PHASING

ASKED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "events": (("events", BOTH),),
    "short-supply": (("supply", BOTH),),
    "buy-rp": (("readiness", BOTH),),
    "interdict": (("transport", ALLIED),),
    "counter-interdict": (("transport", AXIS),),
    "transport": (("transport", PHASING),),
    "sicily-evacuation": (("movement", AXIS), ("motorized", AXIS)),
    "movement": (("movement", PHASING),),
    "motorized": (("motorized", PHASING),),
    "refusal": (("reaction", OTHER),),
    "follow": (("reaction", PHASING),),
    "reaction": (("reaction", OTHER),),
    "battle": (("combat", PHASING),),
    **dict.fromkeys(
        ("lead", "guns", "gun-role", "air", "naval", "loss", "no-retreat", "retreat", "advance", "counter", "join"),
        (("combat", BOTH),),
    ),
    "replacements": (("replacements", BOTH),),
    "special": (("special", "any allied"),),
    "engineering": (("engineering", BOTH),),
    "stack-excess": (),
}
"""Where each kind is asked: phase, and of whom ((): in every phase).  A side's name: of it in its own player turn."""


def _kind(name: str, rule: str, title: str, prompt: str, default: str, help: str, *forms: str, **more: Any) -> AskKind:
    return AskKind(name, rule, title, prompt, default, help, tuple(Form(f, (name,)) for f in forms), **more)


def _orders(
    name: str, rule: str, title: str, prompt: str, default: str, help: str, closing: str = "done", **more: Any
) -> AskKind:
    """A kind that orders a phase line by line; its choices are those of the verb table."""
    forms = [f.text for v in VERBS.verbs for f in v.forms if name in f.kinds]
    return _kind(name, rule, title, prompt, default, help, *forms, closing=closing, phase_orders=True, **more)


def _fight(name: str, rule: str, title: str, prompt: str, default: str, help: str, *forms: str, **more: Any) -> AskKind:
    return _kind(name, rule, title, prompt, default, help, *forms, **{"where": "hex", **more})


CATALOGUE = Catalogue(
    (
        _orders("events", "4.0", "Special events", "What do you declare at the start of the turn?",
                "a try on the Mussolini table is made, nothing else is done", "Asked while there is something to declare.",
                facts={"turn": NUMBER, "tries": NUMBER}, aliases=("special events",)),
        _kind("short-supply", "5.5.3", "Who goes short of supply", "There is not room enough to supply all your units.",
              "coast defence first, then units on foot, then the weakest", "Asked when sources have too little capacity.",
              "auto", "short UNIT", series=True, facts={"short": NUMBER, "turn": NUMBER}, aliases=("supply",),
              example="standing when short-supply then auto"),
        _kind("buy-rp", "15.1.2", "Buy a replacement point", "One replacement point for one victory point?", "none is bought",
              "Asked each turn while one of your units could use it.", "none", "buy", yes="buy", no="none",
              facts={"rp": NUMBER, "turn": NUMBER}, aliases=("buy",), example="standing when buy-rp then none"),
        _orders("interdict", "11.2.1", "Interdiction", "How many support points go against Axis shipping this turn?", "none",
                "Asked of the Allies before their transport.", closing="none",
                facts={"air": NUMBER, "naval": NUMBER, "turn": NUMBER}, aliases=("interdiction",)),
        _orders("counter-interdict", "11.2.4", "Air cover for shipping", "How many air points go against Allied interdiction?",
                "none", "Asked of the Axis before its transport, if the Allies interdict by air.", closing="none",
                facts={"air": NUMBER, "pool": NUMBER, "turn": NUMBER}, aliases=("counter-air",)),
        _orders("transport", "12.3", "Transport", "What is carried by sea and air?", "only the planned invasion is carried out",
                "Asked until you pass.", facts={"turn": NUMBER}, aliases=("transports",)),
        _orders("sicily-evacuation", "13.6.2", "Evacuation of Sicily", "Which units in ports try to get away?", "nobody tries",
                "Asked before both Axis movement phases once the evacuation is declared.",
                facts={"left": NUMBER, "turn": NUMBER}),
        _orders("movement", "7.5", "Movement", "Move, and declare attacks.", "the other units stay", "Asked until you pass.",
                facts={"turn": NUMBER}),
        _orders("motorized", "7.5.2", "Motorized movement", "Motorized units may move again.", "the other units stay",
                "Asked until you pass.", facts={"turn": NUMBER}, aliases=("motorized movement",)),
        _fight("refusal", "8.2", "Refuse combat?", "Your motorized units are attacked: do they slip away?", "they stand",
               "Asked for each attacked hex whose units may all refuse.", "stand", "refuse to WAY", no="stand", tags=("away",),
               facts={"er": NUMBER, "attack": NUMBER, "units": NUMBER, "defence": NUMBER, "odds": NUMBER},
               aliases=("refuse combat", "combat refusal"), example="standing when refusal then stand"),
        _fight("follow", "8.2.2", "Follow into the hex", "The enemy slipped away: who follows?", "all that fit",
               "Asked when the enemy has refused combat.", "advance all", "advance UNIT", "done", closing="done", series=True,
               tags=("all", "none"), facts={"units": NUMBER, "room": NUMBER}, example="standing when follow then all"),
        _orders("reaction", "8.3", "Reaction movement", "Motorized units near an attack may move.", "nobody reacts",
                "Asked of the side under attack while a unit may try.", facts={"attacks": NUMBER, "turn": NUMBER},
                aliases=("reactions",)),
        _orders("battle", "9.4", "Next combat", "Which combat is fought next?", "in the order of the declarations",
                "Asked while several combats are to be fought.", closing="", facts={"battles": NUMBER, "turn": NUMBER},
                aliases=("battles", "combat")),
        _fight("lead", "9.3", "Lead unit", "Which of your units leads?", "the best rated",
               "Asked in every combat of the attacker and of the defender, and for a counterattack.", "lead UNIT",
               tags=("best", "armor", "infantry"), facts={"role": ("attack", "defence", "stand", "counter"), "units": NUMBER},
               aliases=("lead unit",), example="standing when lead then armor or best"),
        _fight("guns", "10.1", "Artillery support", "Which guns support the combat?", "all that may fire",
               "Asked of both sides while guns in range have not fired.", "guns all", "fire GUN", "done", closing="done",
               series=True, tags=("all", "none"), facts={"cap": NUMBER, "guns": NUMBER}, aliases=("artillery",),
               example="standing when guns if cap <= 2 then none"),
        _fight("gun-role", "10.1.6", "A gun in the defence", "Does the gun give support or its defence strength?",
               "whichever is greater", "Asked for every gun in a hex under attack.", "support", "defend", facts={},
               aliases=("gun role",), example="standing when gun-role then support"),
        _fight("air", "10.2", "Air support", "How many air points support the combat?", "none",
               "Asked of both sides while there are points and room for them.", "air NUMBER", tags=("all", "none"),
               facts={"attack": NUMBER, "defence": NUMBER, "pool": NUMBER}, aliases=("air support",),
               example="standing when air if attack >= 10 then air 2"),
        _fight("naval", "10.3", "Naval support", "How many naval points support the combat?", "none",
               "Asked of the Allies within two hexes of the sea.", "naval NUMBER", tags=("all", "none"),
               facts={"attack": NUMBER, "defence": NUMBER, "pool": NUMBER}, aliases=("naval support", "ships"),
               example="standing when naval then naval 3 or all"),
        _fight("loss", "9.5.3", "Step losses", "Which unit loses the next step?", "the weakest that survives it",
               "Asked step by step after the lead unit's.", "lose UNIT", series=True,
               tags=("weakest", "strongest", "full", "last-step"), facts={"steps": NUMBER, "units": NUMBER},
               aliases=("losses", "step loss"), example="standing when loss then full or weakest"),
        _fight("no-retreat", "9.6.7", "Stand fast?", "Your units may try not to retreat, for one step more.",
               "they try with a rating of 6 and a step to spare",
               "Asked in strongpoints, and of Allied units with a Beach or Port unit.", "retreat", "try", yes="try", no="retreat",
               facts={"er": NUMBER, "steps": NUMBER}, aliases=("stand", "no retreat"),
               example="standing when no-retreat if steps >= 3 then try"),
        _fight("retreat", "9.6", "Retreat", "Where do your units retreat?", "the first way offered",
               "Asked of a stack, or unit by unit.", "retreat to WAY", "retreat UNIT to WAY", "evacuate", "evacuate UNIT",
               series=True, tags=("land", "sea"), facts={"hexes": NUMBER, "units": NUMBER}, aliases=("retreats",),
               example="standing when retreat then land or first"),
        _fight("advance", "9.7", "Advance after combat", "Who advances into the hex?", "all that fit, the strongest first",
               "Asked of the attacker when the hex is empty.", "advance all", "advance UNIT", "done", closing="done", series=True,
               tags=("all", "none"), facts={"units": NUMBER, "room": NUMBER}, example="standing when advance then all"),
        _fight("counter", "9.8", "Counterattack?", "Your units went back one hex: do they strike back at once?", "no",
               "Asked of the defender after a retreat of one hex.", "none", "counter from HEX", no="none", tags=("counter",),
               facts={"attack": NUMBER, "defence": NUMBER, "odds": NUMBER}, aliases=("counterattack",),
               example="standing when counter if odds >= 2 then counter"),
        _fight("join", "9.8.2", "Join the counterattack", "Which neighbours join?", "nobody",
               "Asked when you counterattack.", "join all", "join UNIT", "done", closing="done", series=True,
               tags=("all", "none"),
               facts={"units": NUMBER}, example="standing when join then all"),
        _fight("stack-excess", "3.5.2", "Overstacked", "Too much stands in a hex: which unit is eliminated?", "the weakest",
               "Asked at the end of a phase.", "eliminate UNIT", series=True, facts={"over": NUMBER}, aliases=("stacking",),
               example="standing when stack-excess then first"),
        _orders("replacements", "15.1.3", "Replacements", "How are replacement points spent?", "they are kept",
                "Asked while a point can be spent.", facts={"rp": NUMBER, "turn": NUMBER}),
        _orders("special", "13.4", "Special movement", "Follow-up landings, and boxes.",
                "follow-up units land where there is room", "Asked of the Allies until they pass.",
                facts={"room": NUMBER, "turn": NUMBER}, aliases=("special movement", "follow-up")),
        _orders("engineering", "4.0", "Engineering", "Strongpoints, demolition, repair, Port units.",
                "a damaged port is repaired, nothing else", "Asked while there is something to do.", facts={"turn": NUMBER}),
    )
)
