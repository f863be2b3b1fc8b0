"""A second reading of the rules: every event of a game is held against the rulebook, sentence by sentence.

Nothing of the rules' own modules is used but the state and its data, so that a slip there is seen here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pbem.games.fab_sicily import FabSicily
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import border_id, other
from pbem.games.fab_sicily.position.state import Block, State

HOLD = ("roadblock", "flank")
MARCHES = ("operational", "reaction", "breakthrough", "exploitation")
GUNS = ("attacking-artillery", "defending-artillery")
LIMITS = {"attack": (8, 2), "defence": (5, 1)}


class Eyes:
    """The position as anybody at the table sees it."""

    def __init__(self, state: State) -> None:
        self.state, self.data = state, state.data

    def side(self, block: str) -> str:
        return self.data.blocks[block].side

    def units(self, area: str, side: str) -> list[Block]:
        return [b for b in self.state.blocks.values() if b.area == area and self.side(b.id) == side]

    def assets(self, area: str, side: str, *uses: str) -> list[str]:
        return [
            c.id for c in self.state.chits.values()
            if c.box == "map" and c.area == area and c.use in uses and self.data.chits[c.id].side == side
        ]

    def present(self, area: str, side: str) -> bool:
        return bool(self.units(area, side) or self.assets(area, side, *HOLD))

    def contested(self, area: str) -> bool:
        return self.present(area, "allied") and self.present(area, "axis")

    def quiet(self, area: str, side: str) -> bool:
        return self.state.control[area] == side and not self.present(area, other(side))

    def green(self, b: Block) -> bool:
        return self.data.blocks[b.id].garrison and not b.proven

    def zones(self, block: str) -> set[str]:
        kind = self.data.blocks[block]
        if kind.side == "axis":
            return {"A", "B", "C", "D"}
        more = self.data.release_zones.get(kind.army, ()) if kind.division in self.state.released else ()
        return {*self.data.zones[kind.army], *more}

    def may_be(self, block: str, area: str) -> bool:
        return bool(self.zones(block) & set(self.data.areas[area].zones))

    def quality(self, piece: str) -> int:
        if piece in self.state.chits:
            return self.data.chits[piece].quality
        b = self.state.blocks[piece]
        scale = self.data.cards[b.card].quality if self.data.blocks[piece].garrison else self.data.blocks[piece].quality
        return scale[b.steps - 1]

    # -- 9.31 -------------------------------------------------------------------------------------------

    def beaches(self, army: str) -> set[str]:
        coasts = {self.data.landing[x] for x, status in self.state.beachheads.items() if status == "in-play"}
        return {a for a in coasts if set(self.data.areas[a].zones) & set(self.data.zones[army])}

    def fed(self, area: str, side: str, army: str) -> bool:
        """9.31 Walk from the area through friendly-controlled areas; a blown bridge only as the first step."""
        state = self.state
        if side == "axis":
            goals = {a for a in self.data.axis_sources if state.control[a] == "axis"}
        else:
            ports = {a for p, a in self.data.ports.items() if not state.port_damage.get(p) and state.control[a] == "allied"}
            goals = self.beaches(army) | ports
        seen, queue = {area}, [(area, True)]
        while queue:
            here, first = queue.pop()
            if here in goals:
                return True
            for there in self.data.adjacent[here]:
                if there in seen or state.control[there] != side:
                    continue
                if border_id(here, there) in state.blown and not first:
                    continue
                seen.add(there)
                queue.append((there, False))
        return False


def leg(
    x: Eyes, block: str, here: str, there: str, fresh: bool, used: int, points: int, mode: str, leaving: bool, crossed: set[str]
) -> int:
    """5.3 The movement points spent after one border; AssertionError with the rule that closes it.  ``fresh``: from
    its starting point; ``leaving``: it started in a contested area."""
    s, b, kind = x.state, x.state.blocks[block], x.data.blocks[block]
    side, foe = kind.side, other(kind.side)
    border, enemy = x.data.border(here, there), x.present(there, foe)
    said = f"{block} {here}-{there} ({used} of {points})"
    if not fresh:
        assert not x.present(here, foe), f"5.35b {said}"
    if side == "allied":
        assert x.may_be(block, there) or (not x.may_be(block, here) and x.quiet(there, side)), f"14.41 {said}"
    if fresh and x.present(here, foe):
        assert x.quiet(there, side), f"5.34 {said}"
    if enemy:
        assert not leaving, f"5.34 {said}"
        assert not x.green(b), f"15.3a {said}"
        assert mode != "reaction" or x.present(there, side), f"7.2 {said}"
        assert b.status == "good" or x.present(there, side), f"9.33d {said}"
        assert not border.river or border.id not in crossed, f"5.35c {said}"
    cost = 1 if border.road else 2
    others = [u for u in (*x.units(there, side), *x.units(there, foe)) if not x.green(u)]
    holders = x.assets(there, side, *HOLD) + x.assets(there, foe, *HOLD)
    cost += bool(others or holders or s.roadblocks.get(there) == foe) + x.present(here, foe)
    cost += bool(x.assets(here, foe, "interdiction")) + bool(x.assets(there, foe, "interdiction"))
    etna = "27" in (border.a, border.b) and border.road and s.control.get("27") == side and not (there == "27" and enemy)
    if border.id in s.blown or (border.restricted and not etna):
        assert fresh, f"5.32 {said}"
        assert kind.cls != "armor" or not border.restricted or etna, f"14.1 {said}"
        assert mode != "exploitation" or border.id not in s.blown, f"7.31 {said}"
        cost = points
    if used + cost > points:
        assert fresh, f"5.22 {said}: {used}+{cost}"
        return points
    return used + cost


def reach(x: Eyes, block: str, mode: str, crossed: set[str]) -> set[str]:
    """5.3 Everywhere that a unit on the map may go to, by trying every path."""
    b, kind = x.state.blocks[block], x.data.blocks[block]
    side, foe = kind.side, other(kind.side)
    leaving = x.present(b.area, foe)
    once = mode == "exploitation" or b.status != "good" or not b.supplied
    found: set[str] = set()
    best: dict[tuple[str, int], int] = {}
    for points in (6,) if kind.cls == "armor" else (3, 6) if kind.motorized and not leaving else (3,):
        queue: list[tuple[tuple[str, ...], int]] = [((b.area,), 0)]
        while queue:
            path, used = queue.pop()
            for there in x.data.adjacent[path[-1]]:
                enemy = x.present(there, foe)
                if there in path or (enemy and points == 6 and kind.cls != "armor"):
                    continue
                try:
                    spent = leg(x, block, path[-1], there, len(path) == 1, used, points, mode, leaving, crossed)
                except AssertionError:
                    continue
                if len(x.units(there, side)) < 2:
                    found.add(there)
                if enemy or x.state.roadblocks.get(there) == foe or once or best.get((there, points), 99) <= spent:
                    continue
                best[there, points] = spent
                queue.append(((*path, there), spent))
    return found


class Oracle(FabSicily):
    """The ruleset with somebody who looks on and objects."""

    def __init__(self) -> None:
        super().__init__()
        self.spent: Counter[str] = Counter()
        self.left: set[str] = set()
        self.start: dict[str, str] = {}
        self.contested_at_start: set[str] = set()
        self.crossed: set[str] = set()
        self.tried: set[str] = set()
        self.passed: list[str] = []
        self.fight: Fight | None = None
        self.marched: set[str] = set()
        self.transit = ""
        self.flown_in: set[str] = set()
        self.before_supply: dict[str, Block] = {}
        self.seen = 0

    def apply(self, state: Any, event: Any) -> None:
        before = getattr(self, f"before_{type(event).__name__}", None)
        if before:
            before(Eyes(state), event)
        super().apply(state, event)
        after = getattr(self, f"after_{type(event).__name__}", None)
        if after:
            after(Eyes(state), event)
        self.seen += 1

    # -- phases -------------------------------------------------------------------------------------------

    def before_PhaseBegan(self, x: Eyes, event: e.PhaseBegan) -> None:
        """What must be true when a phase has ended: 5.1, 5.23, 6.0, 9.5, 14.24."""
        s = x.state
        if s.phase == "admin":
            return  # the first half of the phase
        for area in s.data.areas:
            for side in ("allied", "axis"):
                assert len(x.units(area, side)) <= 2, f"5.1 {area} {side} after {s.phase}"
        for area, side in s.works.items():
            assert x.units(area, side), f"5.23 empty works {area} after {s.phase}"
        for b in s.blocks.values():
            if b.reserve and b.area in s.data.areas:
                assert not x.contested(b.area), f"5.21 {b} after {s.phase}"
        for a, side in s.control.items():
            for who in ("allied", "axis"):
                if x.units(a, who) and not x.present(a, other(who)):
                    assert side == who, f"2.4 {a} belongs to {side}, {who} stands there after {s.phase}"
        ended = getattr(self, f"end_{s.phase.replace('-', '_')}", None)
        if ended:
            ended(x)
        self.contested_at_start = {a for a in s.data.areas if x.contested(a)}
        assert set(event.contested) == self.contested_at_start
        self.spent, self.left, self.crossed, self.tried = Counter(), set(), set(), set()
        self.start = {b.id: b.area for b in s.blocks.values()}
        self.marched = set()
        self.flown_in = set()
        self.before_supply = {b.id: replace(b) for b in s.blocks.values()} if event.phase == "supply" else {}
        assert not self.transit, f"5.1 {self.transit} stays in a full area by choice"

    def end_movement(self, x: Eyes) -> None:
        """14.24 Nobody stays in a landing box, and in a port box only reserves; 5.35e, 14.27 the markers."""
        self.end_breakthrough(x)
        for b in x.state.blocks.values():
            assert b.area not in x.data.landing, f"14.24a {b}"
            assert b.area not in x.data.ports or b.reserve, f"14.24a {b}"

    def end_breakthrough(self, x: Eyes) -> None:
        for a in x.data.areas:
            if x.contested(a) and a not in self.contested_at_start:
                assert x.state.assaults.get(a, "") == self.assault(x, a), f"5.35e {a}"

    def end_combat(self, x: Eyes) -> None:
        """6.0 After the Combat Phase every contested area with attackers in good order has been fought over."""
        s = x.state
        for a in s.data.areas:
            if x.contested(a) and a not in s.contested_before and any(b.status == "good" for b in x.units(a, s.player)):
                assert a in s.fought, f"6.0 {a} was not fought over"
        self.faces(x)

    def end_breakthrough_combat(self, x: Eyes) -> None:
        self.end_combat(x)

    def end_drop(self, x: Eyes) -> None:
        assert not [b for b in x.state.blocks.values() if b.area == "airborne"], "14.27a somebody waits"
        assert "airborne" not in x.state.assaults.values()

    def faces(self, x: Eyes) -> None:
        """6.29 Face-up where both sides are after a round, hidden elsewhere."""
        for b in x.state.blocks.values():
            if b.area in x.data.areas and not x.contested(b.area):
                assert not b.shown, f"6.29 {b} is shown"
            if b.area in x.state.fought and x.contested(b.area):
                assert b.shown, f"6.29 {b} hides"

    def end_supply(self, x: Eyes) -> None:
        """9.5, 16.33 What the Supply Phase leaves: no markers of the player turn."""
        s = x.state
        assert not s.roadblocks and not s.assaults
        assert not [c for c in s.chits.values() if c.box == "map" and c.use != "flank"], "9.5"
        for b in s.blocks.values():
            assert not b.exploit and not (b.reserve and x.side(b.id) != s.player), f"9.5 {b}"
            if b.area in s.data.areas and x.side(b.id) == s.player and not b.supplied and b.area not in self.flown_in:
                assert not x.green(b), f"15.3c {b}"
        for area in s.works:
            assert not x.contested(area), "9.5"
        self.recovery(x)

    def recovery(self, x: Eyes) -> None:
        """9.31, 9.32, 9.34c, 9.35, 9.4 Supply marks, and each unit's way from before the phase to after it."""
        s = x.state
        for old in self.before_supply.values():
            new = s.blocks[old.id]
            if old.area not in s.data.areas:
                continue
            fed = new.supplied
            helped = fed or old.area in self.flown_in
            mended = {"disordered": "recovering", "recovering": "good"}.get(old.status, "good") if helped else old.status
            if helped or x.side(old.id) != s.player:
                assert (new.status, new.steps, new.area) == (mended, old.steps, old.area), f"9.35 {old} {new}"
            elif new.area == old.area:
                fine = (new.status, new.steps) == (old.status, old.steps)
                shaken = new.status == "disordered" and old.status != "disordered" and new.steps == old.steps
                struck = new.status == old.status == "disordered" and new.steps == old.steps - 1
                assert fine or shaken or struck, f"9.4 {old} {new}"

    def before_SupplySet(self, x: Eyes, event: e.SupplySet) -> None:
        b = x.state.blocks[event.block]
        kind = x.data.blocks[event.block]
        assert b.area not in x.data.areas or event.supplied == x.fed(b.area, kind.side, kind.army), f"9.31 {event}"

    def before_StatusSet(self, x: Eyes, event: e.StatusSet) -> None:
        """9.31 All marks are right when the first marker is adjusted (9.1b)."""
        if x.state.phase == "supply" and event.rule == "9.35":
            self.marks(x)

    def marks(self, x: Eyes) -> None:
        for b in x.state.blocks.values():
            kind = x.data.blocks[b.id]
            if b.area in x.data.areas:
                assert b.supplied == x.fed(b.area, kind.side, kind.army), f"9.32 {b}"
        for side in ("allied", "axis"):
            for a, holder in x.state.control.items():
                if holder == side:
                    cut = not any(x.fed(a, side, army) for army in (("7", "8") if side == "allied" else ("6",)))
                    assert cut == (a in x.state.unsupplied[side]), f"9.32 {a} {side}"

    # -- movement -----------------------------------------------------------------------------------------

    def before_Moved(self, x: Eyes, event: e.Moved) -> None:
        if event.mode in MARCHES:
            self.march(x, event)
        elif event.mode == "landing":
            box, area = event.path
            assert x.data.landing.get(box) == area or x.data.ports.get(box) == area
            if box in x.data.landing:
                assert len(x.units(area, x.side(event.block))) < 2, f"5.1 {event}"
                assert x.state.beachheads[box] == "in-play", f"14.22 {event}"
            else:
                self.start[event.block] = area
        elif event.mode == "strategic":
            self.strategic(x, event)
        elif event.mode in ("retreat", "sea-retreat"):
            self.retreat(x, event)
        elif event.mode == "reinforce":
            self.reinforce(x, event)
        self.passed = list(event.path[1:-1])
        self.marched.add(event.block)

    def allowance(self, x: Eyes, block: str, path: Iterable[str], start: str) -> int:
        kind = x.data.blocks[block]
        foe = other(kind.side)
        if kind.cls == "armor":
            return 6
        clean = start not in self.contested_at_start and not any(x.present(a, foe) for a in path)
        return 6 if kind.motorized and clean else 3

    def march(self, x: Eyes, event: e.Moved) -> None:
        s, block = x.state, event.block
        b, kind = s.blocks[block], x.data.blocks[block]
        side, foe = kind.side, other(kind.side)
        path = event.path
        said = f"{event} (spent {self.spent[block]})"
        assert path[0] == b.area
        assert self.transit in ("", block), f"5.1 {self.transit} stays in a full area by choice"
        self.transit = block if len(x.units(path[-1], side)) > 1 else ""
        if event.mode == "reaction" or event.mode == "breakthrough":
            assert b.reserve or block in self.left or block in self.marched, f"7.1 {said}"
        if event.mode == "exploitation":
            assert kind.cls == "armor" and len(path) == 2, f"7.31 {said}"
        weak = b.status != "good" or not b.supplied
        if weak:
            assert len(path) == 2 and block not in self.marched, f"9.33a {said}"
        points = self.allowance(x, block, path, self.start[block])
        started_contested = self.start[block] in self.contested_at_start or x.present(self.start[block], foe)
        used = self.spent[block]
        for i, (here, there) in enumerate(zip(path, path[1:], strict=False)):
            fresh = i == 0 and here == self.start[block] and not self.spent[block]
            used = leg(x, block, here, there, fresh, used, points, event.mode, started_contested, self.crossed)
            if x.present(there, foe) or s.roadblocks.get(there) == foe:
                assert there == path[-1], f"5.35b {said}"
        assert event.cost == used - self.spent[block] or event.cost == points, f"5.32 {said}: {used}"
        self.spent[block] = used
        if x.present(path[0], foe):
            self.left.add(block)

    def before_Halted(self, x: Eyes, event: e.Halted) -> None:
        assert event.border in x.state.blown, f"5.35d {event}"
        self.transit = ""

    def before_BridgeTried(self, x: Eyes, event: e.BridgeTried) -> None:
        assert event.border not in self.tried and event.border not in x.state.blown, f"5.35d {event}"
        self.tried.add(event.border)
        self.last_try = event.border

    def before_Entered(self, x: Eyes, event: e.Entered) -> None:
        side = x.side(event.block)
        assert x.present(event.area, other(side)), f"2.4 {event}"
        if event.river:
            self.crossed.add(event.border)

    def after_Entered(self, x: Eyes, event: e.Entered) -> None:
        """5.22 Hidden in newly contested areas, open in old ones."""
        newly = event.area not in self.contested_at_start
        b = x.state.blocks[event.block]
        if newly and x.state.phase in ("movement", "breakthrough"):
            assert not b.shown, f"5.22 {event}"

    def assault(self, x: Eyes, area: str) -> str:
        """5.35e, 14.27 The marker that belongs there."""
        last = {n.block: n for n in x.state.entries.get(area, [])}
        came = [last[b.id] for b in x.units(area, x.state.player) if b.id in last]
        if any(n.air for n in came):
            return "airborne"
        if any(n.sea for n in came):
            return "beach"
        return "river" if came and all(n.river for n in came) and any(n.blown for n in came) else ""

    def strategic(self, x: Eyes, event: e.Moved) -> None:
        b = x.state.blocks[event.block]
        side = x.side(event.block)
        assert b.reserve and b.supplied, f"5.4 {event}"
        assert event.path[-1] not in x.state.unsupplied[side], f"5.4 {event}"
        assert len(x.units(event.path[-1], side)) < 2, f"5.1 {event}"
        for here, there in zip(event.path, event.path[1:], strict=False):
            assert x.quiet(there, side), f"5.4 {event}"
            assert x.may_be(event.block, there), f"14.82 {event}"
            if here in x.data.areas:
                assert border_id(here, there) not in x.state.blown, f"5.4 {event}"
            for a in (here, there):
                assert not x.assets(a, other(side), "interdiction"), f"16.33 {event}"

    def before_StratMoved(self, x: Eyes, event: e.StratMoved) -> None:
        assert event.army not in x.state.strat_moved, f"14.8 {event}"

    def before_Reserve(self, x: Eyes, event: e.Reserve) -> None:
        b = x.state.blocks[event.block]
        if event.on:
            assert b.supplied and b.status == "good" and not x.contested(b.area), f"14.7 {event}"
            army = x.data.blocks[b.id].army
            assert sum(u.reserve for u in x.state.blocks.values() if x.data.blocks[u.id].army == army) < 2, f"5.21 {event}"

    def before_Dug(self, x: Eyes, event: e.Dug) -> None:
        b = x.state.blocks[event.block]
        assert b.supplied and b.status == "good" and not x.contested(b.area) and b.id not in self.marched, f"5.23 {event}"
        self.marched.add(b.id)

    def after_ControlSet(self, x: Eyes, event: e.ControlSet) -> None:
        """2.4 Only units that are the sole occupants (for an instant, too) take an area."""
        if x.state.turn and event.area not in self.passed:
            assert x.units(event.area, event.side) and not x.present(event.area, other(event.side)), f"2.4 {event}"

    # -- retreats -----------------------------------------------------------------------------------------

    def reinforce(self, x: Eyes, event: e.Moved) -> None:
        origin, area = event.path
        b, side = x.state.blocks[event.block], x.side(event.block)
        assert self.fight and side == self.fight.defender, f"8.23 {event}"
        assert b.status == "good" and b.supplied and not x.contested(origin), f"8.23 {event}"
        assert x.units(area, side) and len(x.units(area, side)) < 2, f"8.23 {event}"
        assert x.may_be(event.block, area), f"14.41 {event}"
        self.fight.came.add(event.block)

    def retreat(self, x: Eyes, event: e.Moved) -> None:
        side, path = x.side(event.block), event.path
        inside = x.may_be
        assert path[0] == x.state.blocks[event.block].area
        for here, there in zip(path, path[1:], strict=False):
            if there == "at-sea":
                assert side == "allied" and x.state.phase in ("combat", "drop", "breakthrough-combat"), f"14.28 {event}"
                assert event.rule == "6.41" or here in x.beaches(x.data.blocks[event.block].army), f"14.28 {event}"
            else:
                assert there in x.data.adjacent[here] and x.quiet(there, side), f"6.6 {event}"
        if event.rule == "6.41":
            return
        friendly = [a for a in x.data.adjacent[path[0]] if x.quiet(a, side)]
        home = [a for a in friendly if inside(event.block, a)]
        empty = [a for a in home if not x.units(a, side)]
        single = [a for a in home if len(x.units(a, side)) == 1]
        if empty:
            assert len(path) == 2 and path[1] in empty, f"6.6 {event}: {empty} are empty"
        elif single:
            assert len(path) == 2 and path[1] in single, f"6.6 {event}: {single} have room"
        elif path[-1] != "at-sea" and len(path) > 2:
            assert all(len(x.units(a, side)) == 2 for a in path[1:-1]), f"6.6 {event}"
        elif path[-1] != "at-sea":
            assert not inside(event.block, path[1]), f"14.43 {event}"
        if path[-1] != "at-sea":
            assert len(x.units(path[-1], side)) < 2, f"6.6 {event}"

    # -- combat -------------------------------------------------------------------------------------------

    def after_BattleBegan(self, x: Eyes, event: e.BattleBegan) -> None:
        s = x.state
        assert x.contested(event.area), f"6.0 {event}"
        if s.phase in ("combat", "drop", "breakthrough-combat"):
            assert event.attacker == s.player, f"6.2 {event}"
            assert s.fought.count(event.area) == 1, f"6.0 {event}"
            attackers = [b.id for b in x.units(event.area, s.player) if b.status == "good"]
            assert attackers, f"9.33d {event}"
        self.fight = Fight(event, x)

    def before_AssetCommitted(self, x: Eyes, event: e.AssetCommitted) -> None:
        f = self.fight
        assert f
        role = "attack" if event.side == f.attacker else "defence"
        kind = x.data.chits[event.chit]
        units = [u for u in f.alive(x, event.side) if u in x.state.blocks]
        armies = {x.data.blocks[u].army for u in units}
        there = x.assets(event.area, event.side, "battle", "artillery", "air", "shock")
        most, guns = LIMITS[role]
        assert kind.side == event.side and x.state.chits[event.chit].box == "available" and not kind.event, f"6.22 {event}"
        assert len(there) < most, f"6.22 {event}"
        if kind.kind == "air":
            assert event.side not in f.flown, f"16.32 {event}"
            f.flown.add(event.side)
            return
        if units and not f.flank:
            for u in units:
                b = x.state.blocks[u]
                assert b.supplied and x.fed(event.area, event.side, x.data.blocks[u].army), f"6.22, 9.34a {event}"
            assert kind.army == "" or kind.army in armies, f"14.31, 16.2 {event}"
        if event.use in ("artillery", "shock"):
            assert kind.kind in ("artillery", "naval")
            shots = [c for c in there if x.state.chits[c].use in ("artillery", "shock")]
            if len(armies) == 1:
                assert len(shots) < guns, f"6.31 {event}"
            elif armies:
                assert len(shots) < (2 if role == "attack" else 1), f"6.31 {event}"
            assert kind.kind != "naval" or x.data.areas[event.area].coastal, f"16.21 {event}"
        else:
            assert kind.kind in ("battle", "engineer") and len(armies) == 1, f"6.32 {event}"
            if kind.nation == "it":
                italian = [c for c in there if x.data.chits[c].nation == "it" and x.state.chits[c].use == "battle"]
                assert not italian, f"16.11 {event}"
        assert not f.pointed, "6.24 assets come before point units"

    def before_ChitMoved(self, x: Eyes, event: e.ChitMoved) -> None:
        if event.use == "resupply":
            self.flown_in.add(event.area)
        if event.rule == "16.31" and self.fight and x.state.battle:
            self.fight.flown.add(x.data.chits[event.chit].side)

    def before_Identified(self, x: Eyes, event: e.Identified) -> None:
        """15.3b Not before assets and point units (or by 8.32)."""
        if x.state.battle:
            assert self.fight and self.fight.area == x.state.blocks[event.block].area, f"15.3b {event}"
            assert not self.fight.fired, f"15.3b {event}"

    def before_PointUnits(self, x: Eyes, event: e.PointUnits) -> None:
        f = self.fight
        assert f
        for side, point in ((f.defender, event.defender), (f.attacker, event.attacker)):
            pieces = f.alive(x, side)
            if pieces:
                assert point in pieces, f"6.24 {event}"
                own = [p for p in pieces if p not in f.came and p in x.state.blocks]
                assert point not in f.came or not own, f"8.23 {event}"
        if f.assault == "airborne" and any(u in f.dropped for u in f.alive(x, f.attacker)):
            assert event.attacker in f.dropped, f"14.27a {event}"
        f.points = {f.defender: event.defender, f.attacker: event.attacker}
        f.pointed = True
        for b in x.state.blocks.values():
            if b.area == f.area:
                assert b.shown, f"6.24 {b} is not revealed"

    def before_Fired(self, x: Eyes, event: e.Fired) -> None:
        f = self.fight
        assert f
        f.fired.append(event.part)
        order = ["attacking-artillery", "defending-artillery", "defensive-fire", "offensive-fire"]
        assert [order.index(p) for p in f.fired] == sorted(order.index(p) for p in f.fired), f"6.2 {event}"
        assert (event.side == f.attacker) == (event.part in ("attacking-artillery", "offensive-fire")), f"6.2 {event}"
        foe = other(event.side)
        number = 5
        works = x.state.works.get(f.area) == foe
        if event.part in GUNS:
            number -= works
            assert event.target == number and len(event.faces) == 1, f"6.25 {event}: {number}"
        else:
            f.shooters.setdefault(event.part, []).append(event)
            mods = [x.quality(event.firer) - x.quality(f.points[foe])]
            kind = x.data.blocks.get(event.firer) or x.data.chits[event.firer]
            aim = x.data.blocks.get(f.points[foe]) or x.data.chits[f.points[foe]]
            if kind.cls == "armor" and aim.cls != "armor":
                mods.append(int(x.data.switches["armor_modifier"]))
            b = x.state.blocks.get(event.firer)
            if b:
                mods += [-(b.status != "good"), -(not b.supplied)]
            mods.append(-works)
            if event.side == f.attacker:
                mods.append(-x.data.areas[f.area].tdn)
                mods.append(-bool(f.assault))
            else:
                mods.append(int(bool(f.assault)))
            air = [m for name, m in event.mods if name == "air support"]
            if x.assets(f.area, event.side, "air"):
                mods += air
            else:
                assert not air, f"16.32 {event}"
            if b and x.green(b) and x.quality(b.id) == 0:
                mods = [m for m in mods if m < 0]
            assert event.target == 5 + sum(mods), f"6.27 {event}: {mods}"
            assert not (event.side == f.attacker and b and b.status != "good"), f"9.33d {event}"
        f.pending += event.hits
        f.gunfire = event.part in GUNS
        assert event.hits == sum(face == 1 or (face <= event.target and face < 10) for face in event.faces), f"2.1 {event}"
        f.hits_by[event.side] += event.hits

    def before_HitAbsorbed(self, x: Eyes, event: e.HitAbsorbed) -> None:
        f = self.fight
        assert f
        f.check_volley(x)
        f.absorb(x, event)

    def before_Aborted(self, x: Eyes, event: e.Aborted) -> None:
        f = self.fight
        assert f
        f.check_volley(x)
        assert f.taken[f.attacker] and event.ignored == f.pending, f"6.41 {event}, {f.pending} left"
        assert f.assault != "airborne", f"14.27a {event}"
        f.pending, f.aborted = 0, True

    def before_Exploit(self, x: Eyes, event: e.Exploit) -> None:
        f = self.fight
        if event.on:
            assert f and not f.assault and x.state.phase == "combat", f"6.8 {event}"
            assert x.data.blocks[event.block].cls == "armor" and event.block in f.alive(x, f.attacker), f"6.8 {event}"
            assert f.unapplied or f.before or (f.gunfire_only and not f.alive(x, f.defender)), f"6.8 {event}"

    def before_RetreatedBefore(self, x: Eyes, event: e.RetreatedBefore) -> None:
        assert self.fight
        self.fight.before = True

    def after_BattleEnded(self, x: Eyes, event: e.BattleEnded) -> None:
        f = self.fight
        assert f
        f.check_volley(x)
        assert f.pending == 0, f"6.4 {event}: {f.pending} hits not taken"
        assert not x.assets(event.area, "allied", "battle", "artillery", "air", "shock"), f"6.29 {event}"
        assert not x.assets(event.area, "axis", "battle", "artillery", "air", "shock"), f"6.29 {event}"
        if f.aborted:
            for u in f.rosters[f.attacker]:
                b = x.state.blocks[u]
                assert b.area in ("eliminated",) or b.status == "disordered", f"6.41b {b}"
                if f.assault and u in f.entered and b.area == f.area:
                    raise AssertionError(f"6.41b {b} stays in a {f.assault} assault")
        self.fight = None


class Fight:
    """One combat round, kept by hand."""

    def __init__(self, event: e.BattleBegan, x: Eyes) -> None:
        s = x.state
        self.area, self.attacker, self.defender = event.area, event.attacker, other(event.attacker)
        self.flank = x.assets(event.area, "allied", "flank")
        self.assault = "beach" if s.phase in ("admin", "counter-admin") else s.assaults.get(event.area, "")
        self.rosters = {
            self.attacker: {b.id for b in x.units(event.area, self.attacker) if b.status == "good"},
            self.defender: {b.id for b in x.units(event.area, self.defender)},
        }
        self.dropped = {n.block for n in s.entries.get(event.area, []) if n.air}
        self.entered = {n.block for n in s.entries.get(event.area, [])}
        self.came: set[str] = set()
        self.flown: set[str] = set()
        self.points: dict[str, str] = {}
        self.pointed = self.aborted = self.before = False
        self.fired: list[str] = []
        self.shooters: dict[str, list[e.Fired]] = {}
        self.checked: set[str] = set()
        self.pending = 0
        self.gunfire = True
        self.hits_by: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.struck: list[str] = []
        self.unapplied = 0
        self.retreated = False

    @property
    def gunfire_only(self) -> bool:
        return "offensive-fire" not in self.fired

    def alive(self, x: Eyes, side: str) -> list[str]:
        self.rosters[self.defender] |= self.came
        gone = ("eliminated", "off-map", "to-come")
        units = [u for u in sorted(self.rosters[side]) if x.state.blocks[u].area not in gone]
        if side == self.attacker:
            units = [u for u in units if x.state.blocks[u].status == "good"]
        holders = x.assets(self.area, side, *HOLD) if side == self.defender or self.flank else []
        return units + holders + x.assets(self.area, side, "battle")

    def check_volley(self, x: Eyes) -> None:
        """6.27, 6.28, 15.2 A volley is complete: a die for each step, one more for a division."""
        for part, shots in self.shooters.items():
            if part in self.checked:
                continue
            self.checked.add(part)
            divisions = Counter(x.data.blocks[s.firer].division for s in shots if s.firer in x.data.blocks)
            extra = 0
            for s in shots:
                steps = x.state.blocks[s.firer].steps if s.firer in x.state.blocks else 1
                more = len(s.faces) - steps
                if more:
                    kind = x.data.blocks[s.firer]
                    assert more == 1 and kind.division and divisions[kind.division] == 2, f"15.2 {s}"
                    pair = [t for t in shots if t.firer in x.data.blocks and x.data.blocks[t.firer].division == kind.division]
                    assert s.target == min(t.target for t in pair), f"15.2 {pair}"
                    extra += 1
            assert extra == sum(1 for d, n in divisions.items() if d and n == 2), f"15.2 {shots}"

    def absorb(self, x: Eyes, event: e.HitAbsorbed) -> None:
        said = f"{event} pending {self.pending}"
        stuck = event.rule == "6.6"
        if not stuck:
            assert self.pending > 0, f"6.4 {said}"
            self.pending -= 1
        works = x.state.works.get(self.area) == self.defender
        if event.side == self.defender:
            assert event.how == "field-works" or not works, f"6.42a {said}"
            if event.how == "disorder":
                assert self.gunfire, f"6.42b {said}"
                assert any(x.state.blocks[u].status != "disordered" for u in self.alive(x, self.defender) if u in x.state.blocks)
            if event.how == "retreat":
                assert not self.gunfire and not self.retreated, f"6.42c {said}"
                assert any(u in x.state.blocks for u in self.alive(x, self.defender)), f"6.42c {said}"
                self.retreated = True
        if event.how == "lost":
            self.lost(x, event, said)
        if event.how == "unapplied":
            assert not self.alive(x, event.side), f"6.42d {said}"
            if event.side == self.defender:
                self.unapplied += 1
        self.taken[event.side] += 1

    def lost(self, x: Eyes, event: e.HitAbsorbed, said: str) -> None:
        pieces = self.alive(x, event.side)
        assert event.who in pieces, f"6.43 {said}"
        units = [p for p in pieces if p in x.state.blocks]
        assets = [p for p in pieces if p not in x.state.blocks]
        if event.who in assets or event.rule == "6.6":
            return
        mine = [u for u in self.struck if u in self.rosters[event.side]]
        if event.rule == "6.41":
            assert event.who == self.points[event.side], f"6.41a {said}"
        elif not mine and self.points[event.side] in units:
            assert event.who == self.points[event.side], f"6.43 {said}"
        elif event.who in self.struck:
            assert not assets and all(u in self.struck for u in units), f"6.43 {said}: {self.struck}"
        self.struck.append(event.who)
