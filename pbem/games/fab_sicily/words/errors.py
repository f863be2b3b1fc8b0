"""Sorts of finding that only this title has: what they mean and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, str] = {
    "later": "a warning: the order was taken for a later phase, as the one it would belong to is over.",
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
