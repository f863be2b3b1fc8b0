"""All kinds of question that The Italian Campaign asks, in the words of order lines and of the help."""

from __future__ import annotations

from typing import Any

from pbem.orders.catalogue import NUMBER, AskKind, Catalogue
from pbem.orders.grammar import Form

OPERATIONS = (
    "assault UNIT", "advance UNIT", "maneuver UNIT", "barrage UNIT", "retreat UNIT", "counterattack UNIT",
    "corps UNIT OPERATION UNIT",
)
"""6.22 An operation with its first division, by itself or directed by a corps."""

PACKAGE = "tactical NUMBER af NUMBER sp NUMBER [gunnery]"
"""8.3 Tactical ratings, artillery factors, support points, and a naval gunnery mission."""


def _kind(name: str, rule: str, title: str, prompt: str, default: str, help: str, *forms: str, **more: Any) -> AskKind:
    return AskKind(name, rule, title, prompt, default, help, tuple(Form(f, (name,)) for f in forms), **more)


def _operation(name: str, rule: str, title: str, default: str, help: str, *forms: str) -> AskKind:
    """6.22 An operation to be declared."""
    return _kind(name, rule, title, "Which operation?", default, help, *OPERATIONS, *forms, facts={"points": NUMBER})


def _moves(name: str, rule: str, title: str, help: str) -> AskKind:
    """9.5 Free moves of half the movement points."""
    return _kind(
        name, rule, title, "Who moves?", "nobody moves", help, "move UNIT to HEX", "done", closing="done", phase_orders=True
    )


CATALOGUE = Catalogue(
    (
        # -- command ------------------------------------------------------------------------------
        _kind("bid", "5.31", "Bid for the initiative", "How many command points do you bid?",
              "half of your command points, rounded up", "Asked of both sides each turn; sealed until both are in.",
              "bid NUMBER", facts={"cp": NUMBER}, aliases=("bids",), example="standing when bid if cp <= 3 then bid 1"),
        _kind("reaction-points", "5.33", "Reaction points", "How many command points become reaction points?",
              "as many as you may", "Asked of the side that lost the bid.", "reaction NUMBER",
              example="standing when reaction-points then first"),
        _kind("corps-support", "5.41", "Supported corps", "Which corps is supported?",
              "the one that leads most divisions", "Asked corps by corps while there are points.", "support UNIT", "done",
              closing="done", series=True),
        _kind("army-use", "5.49", "What an army HQ does", "Which corps does the army help?",
              "a supported corps before others, then the one that leads most divisions",
              "Asked for each army HQ on the map.", "boost UNIT", "independent", where="unit"),
        # -- operations -----------------------------------------------------------------------------
        _operation("impulse", "6.13", "Your impulse", "the freshest division maneuvers", "Asked in each initiative impulse."),
        _operation("reaction", "6.14", "Reaction impulse", "nothing; the points are kept",
                   "Asked of the other side in each reaction impulse.", "pass"),
        _operation("spoil", "6.17", "Spoiling attack", "no attack", "Asked in the final reaction segment.", "pass"),
        _operation("final", "6.17", "Final reaction", "the freshest division maneuvers or retreats",
                   "Asked until all reaction points are played out."),
        _operation("exploit", "6.18", "Exploitation", "the freshest division maneuvers",
                   "Asked until all initiative points are played out."),
        _kind("also", "6.31", "Further divisions", "Who joins the operation?", "nobody else",
              "Asked while the operation takes another division.", "and UNIT", "done", closing="done", series=True),
        _kind("asset", "2.18", "Assets", "Which assets go with them?", "none", "Asked while an asset is in reach.",
              "asset UNIT with UNIT", "done", closing="done", series=True),
        _kind("act", "6.23", "Moves and attacks", "What do they do?", "nothing more",
              "Asked until you are done: every unit moves once, and attacks once.", "move UNIT to HEX", "move UNIT to exit",
              "attack HEX with UNITS", "barrage HEX by UNIT", "done", closing="done", phase_orders=True, where="unit"),
        _kind("delay", "6.38", "Delay marker", "Is a delay marker left behind?", "the strongest there is",
              "Asked when a German unit leaves a hex empty in a retreat operation.", "delay NUMBER", "none", no="none",
              where="hex", example="standing when delay then delay 1 or none"),
        # -- combat ---------------------------------------------------------------------------------
        _kind("barrage-points", "8.11", "Support for a barrage", "How many support points are added?", "none",
              "Asked for each barrage and demolition.", "NUMBER sp", facts={"sp": NUMBER}, where="hex"),
        _kind("corps-slip", "5.48", "Does the HQ go back?", "A corps or army HQ is attacked.", "it goes back two hexes",
              "Asked before the attack.", "back", "stay", yes="back", no="stay", facts={"alone": ("yes", "no")}, where="unit",
              example="standing when corps-slip if alone = no then stay"),
        _kind("support-a", "8.3", "Support of your attack", "What supports the attack?",
              "all tactical ratings and artillery, no support points", "Asked for each attack.", PACKAGE,
              facts={"attack": NUMBER, "defence": NUMBER, "sp": NUMBER}, where="hex"),
        _kind("support-d", "8.3", "Support of your defence", "What supports the defence?",
              "all tactical ratings and artillery, no support points", "Asked once the attacker's support is known.", PACKAGE,
              facts={"attack": NUMBER, "defence": NUMBER, "sp": NUMBER}, where="hex"),
        _kind("disrupt-which", "8.51", "Disruption", "Which unit is disrupted?", "the weakest",
              "Asked for each unit that a result disrupts.", "disrupt UNIT", series=True, where="hex"),
        _kind("step", "8.56", "Step losses", "Who bears the next step?", "the HQ that can best bear it",
              "Asked step by step; a unit may be removed instead, for as many steps as its tactical rating.", "step UNIT",
              "remove UNIT", tags=("hq", "unit"), series=True, facts={"left": NUMBER, "dr": NUMBER},
              example="standing when step if dr <= 2 then unit or hq"),
        _kind("retreat-to", "8.55", "Retreat", "Where does the unit retreat to?",
              "through the fewest enemy zones, within the stacking limit, in command", "Asked for each unit that retreats.",
              "retreat UNIT to HEX", where="unit"),
        _kind("no-retreat", "8.552", "No way to retreat", "The unit cannot retreat far enough.",
              "it stays while its HQ's defensive rating is above 3", "Asked where the way is too short.", "stay", "remove",
              yes="stay", no="remove", facts={"dr": NUMBER}, where="unit",
              example="standing when no-retreat if dr >= 5 then stay"),
        _kind("advance", "8.61", "Advance after combat", "Who occupies the hex?", "the largest unit alone",
              "Asked when the defender is gone.", "advance UNIT", "done", closing="done", series=True, where="hex"),
        _kind("bt-hex", "8.62", "Breakthrough", "Where is the breakthrough?", "along a road if there is one",
              "Asked when the defenders went back two hexes, and after a landing that broke through.", "break HEX", "done",
              closing="done", where="hex"),
        # -- landing --------------------------------------------------------------------------------
        _moves("inv-react", "10.8", "Reaction to a landing", "Asked of the Axis for each division that was landed on."),
        _kind("inv-counter", "10.81", "Counterattack on a beach", "Which beach is counterattacked?",
              "the first with a difference of 1 or better", "Asked of the Axis until it is done.", "counter HEX", "done",
              closing="done", series=True, facts={"diff": NUMBER}),
        _kind("beachheads", "10.91", "Beachheads", "Where is a beachhead?", "on a road hex if there is one",
              "Asked of the Allies while one may be made.", "beachhead HEX", "done", closing="done", series=True),
        _kind("ashore", "10.92", "Coming ashore", "Who comes ashore, and where?", "each unit next to others of its division",
              "Asked of the Allies while units wait at sea.", "ashore UNIT at HEX", "done", closing="done", series=True),
        _kind("drop", "10.13", "Parachute drop", "Where does the unit drop?", "on a beachhead if there is room",
              "Asked of the Allies for each parachute regiment that is due.", "drop UNIT at HEX", "reserve UNIT",
              where="unit"),
        # -- end of the turn --------------------------------------------------------------------------
        _kind("bt-move", "9.1", "Into a breakthrough", "Who breaks through?", "the first unit next to it",
              "Asked for each breakthrough marker.", "advance UNIT", "done", closing="done", series=True, where="hex"),
        _kind("recover", "9.21", "Recovery", "The unit is disrupted next to the enemy.", "it goes back a hex and recovers",
              "Asked for each such unit.", "back", "stay", yes="back", no="stay", where="unit",
              example="standing when recover then stay"),
        _kind("overstack", "7.23", "Too many in a hex", "Who leaves?", "the fewest stacking points",
              "Asked where a retreat has stacked units too high.", "leave UNIT", series=True, where="hex"),
        _kind("strategic", "9.3", "Strategic operation", "Which strategic operation?",
              "reinforcements first; a refit with three command points or more",
              "Asked of the sides by turns while they have command points.", "refit UNIT", "reinforce UNIT", "done",
              closing="done", facts={"cp": NUMBER}),
        _kind("refit", "9.31", "Refit", "Who regains the next step?", "the HQ that has lost most", "Asked step by step.",
              "refit UNIT", "done", closing="done", series=True),
        _kind("enter", "9.32", "Where reinforcements come in", "Where does the unit come in?", "where it was meant to",
              "Asked for each unit.", "enter UNIT at HEX", where="unit"),
        _moves("enter-move", "9.32", "Reinforcements move", "Asked after they have come in, but not at a beachhead."),
        _kind("asset-refit", "9.5", "Refit of an asset", "Does the asset regain a step?", "it does",
              "Asked for each asset on a source of supply; it may move instead.", "refit UNIT", "move", where="unit"),
        _moves("bonus", "9.5", "Bonus moves", "Asked for HQs and assets that were not named this turn, the Axis first."),
    )
)
