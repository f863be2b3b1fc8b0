"""Sorts of finding that only this title has: what they mean and what to do about them."""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, str] = {
    "clause": "the words begin no part of a battle plan. 'help battle' lists the parts; ';' stands between two of them.",
    "gone": "the unit is out of the game.",
    "empty": "no unit of yours that can move stands in that hex. 'status' shows where your units are.",
    "standing": "a standing battle plan says how to fight: it cannot be empty.",
}
