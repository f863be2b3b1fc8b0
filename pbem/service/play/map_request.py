"""A place as a player names it, found in a view: 'Rome', '14', 'Rome [14]', 'P1'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.orders.lexer import fold
from pbem.orders.suggest import near
from pbem.reports.maps import hex_maps


class NoPlace(LookupError):
    """No place of that name, or several; says which there are."""


def around(view: Mapping[str, Any], ground: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """What of the map is round a place: an area and its neighbours, or a hex (the picture shows what lies around); none for no
    name, which means the whole map.  ``ground``: the map as shapes."""
    if not name.strip():
        return ()
    if "hexes" in ground:
        return (_hex(ground, " ".join(name.split())),)
    middle = _area(view, " ".join(name.split()))
    joined = [b["b"] if b["a"] == middle else b["a"] for b in view["borders"] if middle in (b["a"], b["b"])]
    return (middle, *joined)


def _hex(ground: Mapping[str, Any], name: str) -> str:
    """A hex by its id or by the name of a place in it; a city of several hexes by its first one."""
    said = fold(name).lower().strip()
    names = {fold(town).lower(): at for town, at in reversed(hex_maps.towns(ground))}
    begun = sorted(n for n in names if n.startswith(said))
    found = names.get(said) or hex_maps.hex_id(ground, re.sub(r".*\[(.+)\].*", r"\1", name))
    if not found and len(begun) == 1:
        found = names[begun[0]]
    if found:
        return found
    like = begun or near(said, list(names))
    hint = f"; did you mean {', '.join(w.title() for w in like[:4])}?" if like else ""
    what = f"hex {name[:40]} is not on the map" if re.search(r"\d", name) else f"no place is called '{name[:40]}'"
    raise NoPlace(what + hint)


def _area(view: Mapping[str, Any], name: str) -> str:
    bare = re.sub(r"[^a-z0-9 ]", "", fold(re.sub(r"\[(\w+)\]", "", name)).lower()).strip() or re.sub(r"\W", "", name)
    ids = {a["id"]: a["id"] for a in view["areas"]} | {b["id"].lower(): b["area"] for b in view["boxes"] if b["area"]}
    numbered = re.search(r"\[(\w+)\]", name)
    for said in (numbered[1] if numbered else "", bare):
        if ids.get(said) in ids.values() and said in ids:
            return str(ids[said])
    names = {re.sub(r"[^a-z0-9 ]", "", fold(a["name"]).lower()): a["id"] for a in view["areas"]}
    found = [names[bare]] if bare in names else [i for n, i in names.items() if bare and bare in n]
    if len(found) == 1:
        return str(found[0])
    if found:
        several = [f"{a['name']} [{a['id']}]" for a in view["areas"] if a["id"] in found]
        raise NoPlace(f"'{name[:40]}' can mean {' or '.join(several)}")
    like = near(bare, list(names))
    raise NoPlace(f"no area is called '{name[:40]}'" + (f"; did you mean {', '.join(w.title() for w in like)}?" if like else ""))
