"""A made-up middle of a game that shows nearly everything a report can show."""

from __future__ import annotations

from pbem.core.asks import Ask, Option
from pbem.core.standing import STANDING, Directive
from pbem.games.fab_sicily.position import events as e
from tests.games.fab_sicily.play import board
from tests.games.fab_sicily.tale import Tale

POSITION = """
    turn 2
    at 4 50-1 50-2/3 disordered
    at 5 5-1 5-2/3 reserve
    at 6 1AB-1/1 1AB-2 unsupplied
    at 12 51-1/2 recovering
    at 13 231
    at 2 1C-1
    at B1 1C-2
    garrison 13 S-3 is S-rec2a
    garrison 3 S-4
    garrison 14 S-7
    at 14 SCH/3
    at 16 HG-1/4 reserve
    at 17 HG-2/3
    at 11 NAP-1 NAP-2/2 disordered
    at 7 4A
    control allied 1 2 4 5 6 12
    control axis 3 7 10 11 13 14 15 16 17 25 26
    works 14 axis
    works 26 axis
    roadblock 10 axis
    blown 12-15
    beachhead B1 B2 B3 B4 B5
    unsupplied allied 6
    available SA-ALLIED 24ART 98ART NAV-1 NAV-2 ENG-1 5BA SA-AXIS 12ART AXENG-1 LUFT-1
    used NAV-3 AIR-1 54ART
    cup 51BA 50BA 78ART 177BER TIGER
    eliminated DELAY-A1 NAV-4
    map AIR-2 16 interdiction
"""


def mid_game() -> Tale:
    """Two phases: movement with a bridge blown and an order refused, then a battle at Augusta."""
    tale = Tale(board(POSITION, "primosole_bridge"))
    tale.step("2 allied movement")
    tale.tell(e.PhaseBegan(2, "allied", "movement", ("13",)))
    tale.answer("allied", "movement", "move 5-1 to 13", scope="2 allied movement", source="mail 3, line 2")
    tale.tell(e.Moved("5-1", ("5", "13"), "operational", 1, "5.22"))
    tale.tell(e.Entered("5-1", "13", "5", "5-13", False, False, False, False))
    tale.tell(e.Shown("5-1", True, "5.22"))
    tale.answer("allied", "movement", "move 51-1 to 14", scope="2 allied movement", source="mail 3, line 3")
    tale.roll("axis", "blowing the bridge 12-14", "5.35d", [7], 5)
    tale.tell(e.BridgeTried("12-15"))
    tale.tell(e.Moved("51-1", ("12", "14"), "operational", 3, "5.22"))
    tale.tell(e.Entered("51-1", "14", "12", "12-14", True, False, False, False))
    reason = "disordered units may only move one area, and not into one that the enemy holds"
    skip = {"side": "allied", "id": "3.4", "text": "move 50-2 to 3", "reason": reason, "rule": "9.33"}
    tale.add("skip", skip, "mail 3, line 4")
    tale.answer("allied", "movement", "done", how="default", scope="2 allied movement", rule="5.2")
    tale.tell(e.Moved("HG-1", ("16", "15"), "reaction", 1, "7.2"))
    tale.tell(e.StatusSet("NAP-1", "recovering", "9.35"), e.StatusSet("NAP-2", "recovering", "9.35"))
    tale.step("2 allied combat")
    tale.tell(e.PhaseBegan(2, "allied", "combat", ("13", "14")))
    tale.answer("allied", "battle", "fight 13")
    tale.tell(e.BattleBegan("13", "allied", False, False))
    tale.answer("allied", "assets", "add 24ART", how="plan", where="13", source="mail 3, line 5")
    tale.tell(e.AssetCommitted("13", "allied", "24ART", "artillery"), e.ChitMoved("24ART", "map", "13", "artillery", "6.22"))
    tale.answer("allied", "assets", "add 5BA", how="plan", where="13", source="mail 3, line 5")
    tale.tell(e.AssetCommitted("13", "allied", "5BA", "battle"), e.ChitMoved("5BA", "map", "13", "battle", "6.22"))
    tale.answer("axis", "point-unit", "point S-3", how="default", where="13")
    tale.answer("allied", "point-unit", "point 5-1", how="standing", where="13", id="1.0", order="standing point-unit strongest")
    tale.tell(e.PointUnits("13", "S-3", "5-1"))
    tale.tell(e.Shown("231", True, "6.24"))
    tale.roll("allied", "attacking artillery at Augusta", "6.25", [8], 4, [("field works", -1)])
    tale.tell(e.Fired("13", "attacking-artillery", "allied", "24ART", 4, (("field works", -1),), (8,), 0))
    tale.roll("axis", "defensive fire at Augusta", "6.27", [2, 10], 4, [("quality", -1)])
    tale.tell(e.Fired("13", "defensive-fire", "axis", "S-3", 4, (("quality", -1),), (2, 10), 1))
    tale.answer("allied", "loss", "lose 5BA", where="13", how="default", rule="6.41a")
    tale.tell(e.HitAbsorbed("13", "allied", "lost", "5BA", "6.41a"), e.ChitMoved("5BA", "eliminated", "", "", "6.43"))
    tale.roll("allied", "offensive fire at Augusta", "6.28", [1, 5, 9, 3], 6, [("quality", 1)])
    tale.tell(e.Fired("13", "offensive-fire", "allied", "5-1", 6, (("quality", 1),), (1, 5, 9, 3), 3))
    tale.tell(e.StepLost("S-3", "6.43"), e.Eliminated("S-3", "losses", "6.43"))
    tale.tell(e.HitAbsorbed("13", "axis", "unapplied", "", "6.42"))
    tale.tell(e.BattleEnded("13", "attacker-holds"), e.ControlSet("13", "allied"))
    tale.tell(e.Shown("5-1", False, "6.29"), e.Shown("231", False, "6.29"))
    tale.tell(e.ChitMoved("24ART", "used", "", "", "6.29"))
    tale.roll("allied", "exploitation by 4A", "6.8", [3], 5)
    tale.tell(e.MoraleChecked("4A", True, "exploitation", "6.8"), e.Exploit("4A", True, "6.8"))
    tale.tell(e.Scored(5, 19, ()))
    return tale


def asks() -> list[Ask]:
    """One long list for the Allies, one question for each side."""
    moves = [Option(f"move {b} to {d}") for b in ("50-1", "50-2", "5-1", "5-2") for d in ("3", "6", "12", "13", "14")]
    moves += [Option(f"move 231 to {d} via 13") for d in ("14", "15")]
    moves += [Option(f"dig {b}") for b in ("50-1", "5-1")]
    moves += [Option(f"reserve {b}") for b in ("50-1", "5-1", "231")] + [Option("done")]
    choice = [Option("retreat", "leave Lentini"), Option("lose", "stay")]
    battle = [Option("fight 14"), Option("fight 13 with SA-ALLIED"), Option("done")]
    return [
        Ask("allied", "movement", "5.2", "2 allied movement", lambda: moves, "done", id="q4.1"),
        Ask(
            "allied", "retreat-or-loss", "6.42c", "2 allied combat", lambda: choice, "lose", where="14",
            facts={"hits": 2, "steps": 4, "area": "14"}, id="q4.2",
        ),
        Ask("axis", "battle", "6.0", "2 allied combat", lambda: battle, "fight 14", id="q4.3"),
    ]


def directives() -> list[Directive]:
    """Two standing orders and a plan of the Allies."""
    return [
        Directive(
            "1.0", "allied", "point-unit", STANDING, ("strongest",), "standing point-unit strongest", source="mail 1, line 3",
        ),
        Directive("1.1", "allied", "bridge", STANDING, ("blow",), "standing bridge blow", source="mail 1, line 4"),
        Directive(
            "3.1", "allied", "abort", "plan", ("abort",), "battle 14 abort at 3 hits", "2 allied combat", "14",
            source="mail 3, line 6",
        ),
    ]
