"""The order words of FAB: Sicily.  The parser, the help and the README are made from this table."""

from __future__ import annotations

from pbem.orders.grammar import Form, Verb, VerbTable

MOVES = ("movement", "reaction", "breakthrough")

VERBS = VerbTable(
    (
        Verb(
            "move",
            (Form("move UNIT to PATH", MOVES),),
            "move 50/1 to Sortino, Val di Catania",
            "Moves a unit. Name the places of the way, the last one is where it goes; with only one place named the cheapest way"
            " is taken. In the Reaction and Breakthrough Phases it moves units in reserve.",
            "5.22",
            ("mv", "go", "march"),
        ),
        Verb(
            "dig",
            (Form("dig UNIT", MOVES),),
            "dig 5/1",
            "The unit spends its whole movement on field works where it stands.",
            "5.23",
            ("entrench",),
        ),
        Verb(
            "reserve",
            (Form("reserve UNIT with CHIT", ("admin",)), Form("reserve UNIT", ("movement",))),
            "reserve 51/1",
            "Puts a unit in reserve: it may move later, in the Strategic, Reaction or Breakthrough Phase. In the Admin Phase the"
            " staff does it (with staff).",
            "5.21",
        ),
        Verb(
            "hold",
            (Form("hold UNIT"),),
            "hold 51/1",
            "The unit stays; the line changes nothing and is for your own records.",
            "5.24",
            ("stay",),
        ),
        Verb(
            "strat",
            (Form("strat UNIT to PLACE", ("strategic",)),),
            "strat 4A to 13",
            "Strategic movement of a unit in reserve along your own supplied areas.",
            "5.4",
            ("strategic",),
        ),
        Verb(
            "exploit",
            (Form("exploit UNIT to PLACE [with CHIT]", ("breakthrough",)),),
            "exploit 4A to 15 with special action",
            "Moves an exploiting armor unit one area; with a Special Action any supplied armor unit in good order.",
            "7.3",
        ),
        Verb("drop", (Form("drop UNIT at AREA", ("drop",)),), "drop 1AB/1 at 6", "Where an airborne unit lands.", "14.27"),
        Verb(
            "place",
            (Form("place UNIT at BOX", ("arrival",)),),
            "place 50/1 at B3",
            "Puts an arriving unit into a landing or port box; an area may be named for its box.",
            "14.24",
            ("land", "arrive"),
        ),
        Verb(
            "recover",
            (Form("recover CHIT", ("recover",)),),
            "recover NAV-1",
            "Takes an asset out of the Used Box because your Special Action was left over; 'pass reinforcement' takes none.",
            "4.1",
        ),
        Verb(
            "blow",
            (Form("blow BORDERS [from AREA=*] [with CHIT=engineers]", ("admin",)),),
            "blow 12-15, 14-15 from 15",
            "Engineers blow up one bridge, or two next to the same area.",
            "4.31",
            ("demolish",),
        ),
        Verb(
            "repair",
            (Form("repair BORDER [from AREA=*] [with CHIT=engineers]", ("admin",)),),
            "repair 12-15 from Sortino",
            "Engineers rebuild a bridge.",
            "4.32",
            ("rebuild",),
        ),
        Verb(
            "works",
            (Form("works AREA [with CHIT=engineers]", ("admin",)),),
            "works 14",
            "Engineers build field works.",
            "4.33",
            ("fortify",),
        ),
        Verb(
            "roadblock",
            (Form("roadblock AREA [with CHIT=engineers]", ("admin",)),),
            "roadblock 12",
            "Engineers block the roads of an empty area.",
            "4.34",
            ("block",),
        ),
        Verb(
            "defend",
            (Form("defend AREA [with CHIT=engineers]", ("admin",)),),
            "defend 12",
            "Engineers block an empty area and stay to defend it.",
            "4.35",
        ),
        Verb(
            "damage",
            (Form("damage PORT [with CHIT=engineers]", ("admin",)),),
            "damage P1",
            "Axis engineers damage a port by one level.",
            "14.51",
        ),
        Verb(
            "mend",
            (Form("mend PORT [with CHIT=engineers]", ("admin",)),),
            "mend Siracusa",
            "Allied engineers mend a port by one level.",
            "14.51",
        ),
        Verb(
            "rally",
            (Form("rally AREA [with CHIT=sa]", ("admin",)),),
            "rally 14",
            "A Special Action brings your units in and next to an area back to good order.",
            "8.25",
        ),
        Verb(
            "replace",
            (Form("replace UNIT with CHIT", ("admin",)),),
            "replace 50/1 with special action",
            "A Special Action, the staff or a replacement event gives a unit one step.",
            "8.26",
            ("replacement",),
        ),
        Verb(
            "restore",
            (Form("restore CHIT [with CHIT=staff]", ("admin",)),),
            "restore 10SEM",
            "The Axis staff brings an Italian asset back from the Eliminated Box.",
            "14.63",
        ),
        Verb(
            "spy",
            (Form("spy PLACE [with CHIT=staff]", ("admin",)),),
            "spy Lentini",
            "The staff finds out about one hidden enemy unit in an area; a die picks if there are two.",
            "8.32",
        ),
        Verb(
            "release",
            (Form("release DIVISION [DIVISION] [with CHIT=sa]", ("admin",)),),
            "release 51 231",
            "A Special Action lets a division, and with it one brigade, cross the army boundary.",
            "14.61",
        ),
        Verb(
            "interdict",
            (Form("interdict AREA [with CHIT=air]", ("admin",)),),
            "interdict 26",
            "Aircraft hinder all enemy movement through an area.",
            "16.33",
        ),
        Verb("invade", (Form("invade AREA with CHIT", ("admin",)),), "invade 26 with 3rd Commando", "A flank invasion.", "17.22"),
        Verb(
            "recycle",
            (Form("recycle CHIT CHIT with CHIT", ("admin",)),),
            "recycle 24ART 5BA with IREP-8A",
            "An event, used otherwise than printed, puts two eliminated assets back into the cup.",
            "4.21",
        ),
        Verb(
            "resupply",
            (Form("resupply AREA [with CHIT=air]", ("resupply",)),),
            "resupply 6",
            "Aircraft supply the units in an area.",
            "16.34",
        ),
        Verb(
            "battle",
            (Form("battle AREA [with CHIT, ...] [; CLAUSE; ...]", ("battle",)),),
            "battle 15 with 24th, 98th artillery; point 50/1; abort at 3 hits",
            "Fights, and says beforehand how; a defender plans the same way. 'battle any' holds for every battle of the phase.",
            "6.0",
            ("fight", "attack"),
        ),
        Verb(
            "pass",
            (Form("pass"), Form("pass PHASE"), Form("pass rest")),
            "pass reaction",
            "Nothing (more) in this phase, in the named one, or in the rest of this player turn.",
            "3.0",
            ("done", "skip", "none"),
        ),
        Verb(
            "phase",
            (Form("phase PHASE"), Form("phase TURN SIDE PHASE")),
            "phase breakthrough",
            "The lines below are for that phase: the next one of that name, if turn and side are left out.",
            "3.0",
        ),
        Verb(
            "answer",
            (Form("answer QUESTION CHOICE"),),
            "answer q12.3 abort",
            "Answers the question of that number; while it is open its choice alone is enough.",
        ),
        Verb(
            "standing",
            (
                Form("standing when KIND [at PLACE, ...] [if FACT = VALUE and ...] then CHOICE [or CHOICE ...]"),
                Form("standing battle AREA|any [with CHIT, ...] [; CLAUSE; ...]"),
            ),
            "standing when retreat-or-loss at 14, Lentini if steps = 1 and hits >= 2 then retreat or lose",
            "Answers a kind of question beforehand, until cancelled. The choices are tried in turn.",
        ),
        Verb(
            "add",
            (Form("add"),),
            "add",
            "Alone on a line: the orders of this mail come on top of the earlier ones of their phases,"
            " instead of replacing them.",
        ),
        Verb(
            "cancel",
            (
                Form("cancel all"),
                Form("cancel PHASE"),
                Form("cancel standing NUMBER"),
                Form("cancel standing all"),
                Form("cancel ID"),
            ),
            "cancel standing 3",
            "Takes back what is not yet carried out: everything but standing orders, a phase, one standing order,"
            " all of them, or the order of that number.",
            "",
            ("withdraw",),
        ),
    )
)

PHASE_WORDS: dict[str, tuple[str, ...]] = {
    "setup": ("setup", "set-up"),
    "reinforcement": ("reinforcement", "reinforcements", "arrival", "arrivals"),
    "draw": ("draw",),
    "admin": ("admin", "administration"),
    "counter-admin": ("counter-admin", "counter", "counter admin"),
    "movement": ("movement", "move", "moves", "operational", "operational movement"),
    "strategic": ("strategic", "strat", "strategic movement"),
    "drop": ("drop", "drops", "airborne", "airborne drop"),
    "combat": ("combat", "combats", "battle", "battles"),
    "reaction": ("reaction", "reactions"),
    "breakthrough": ("breakthrough", "breakthrough movement"),
    "breakthrough-combat": ("breakthrough-combat", "breakthrough combat", "breakthrough battle"),
    "supply": ("supply",),
    "victory": ("victory",),
}
"""Phases and what players may call them."""

SIDE_WORDS = {"allied": ("allied", "allies", "british"), "axis": ("axis", "german", "germans", "italian")}
