"""Sorts of finding that only this title has: what they mean and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, str] = {
    "elsewhere": "the unit does not stand where the order says it starts. 'status' shows where it is.",
    "gap": "a warning: two areas of the way have no border in common, so the unit will not get there.",
    "yes-no": "'yes' or 'no' is expected at the mark.",
    "use": "a ship joins a battle 'as shock' or 'as artillery'.",
    "port": "the place is no port. Ports are P1 to P4, or the areas that they belong to.",
    "border": "the two areas have no border in common.",
    "river": "the area has no border along a river, so that there is no bridge.",
    "clause": "the words begin no part of a battle plan. 'help battle' lists the parts; ';' stands between two of them.",
    "gone": "the unit is out of the game.",
    "special": "a Special Action joins no battle as an asset; 'before reinforce with UNIT' brings up a unit by one.",
    "standing": "a standing battle plan says how to fight: it is not empty, and spends no Special Action.",
}
