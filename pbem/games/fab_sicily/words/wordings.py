"""How wargamers say the orders of FAB: Sicily, beside the words of the verb table."""

from __future__ import annotations

from pbem.orders.wordings import START, WHOLE, Phrase

PHRASES: tuple[Phrase, ...] = (
    # nothing to do
    Phrase("no move|no moves|no movement|no moving|nobody moves|all hold", "pass movement", WHOLE),
    Phrase("no combat|no combats|no battle|no battles|no attack|no attacks|no fighting", "pass combat", WHOLE),
    Phrase("no reaction|no reactions", "pass reaction", WHOLE),
    Phrase("no admin|no admin orders|no admin actions", "pass admin", WHOLE),
    Phrase("no breakthrough|no exploitation", "pass breakthrough", WHOLE),
    Phrase("nothing|nothing more|nothing else|no order|no orders|no more orders|no action|no actions", "pass", WHOLE),
    Phrase("finished|thats all|thats it|that is all|that is it|all done|im done|am done", "pass", WHOLE),
    Phrase("done moving|done with moving|im done moving", "pass movement", WHOLE),
    Phrase("done with my|done with the|done with|skip my|skip the|skip", "pass", START),
    Phrase("pass the rest|pass everything|pass all|pass rest of turn|pass the rest of the turn", "pass rest", WHOLE),
    Phrase("pass my|pass the", "pass", START),
    Phrase(
        "hold|hold all|hold others|hold the others|hold the rest|hold rest|all others hold|others hold|the others hold"
        "|the rest hold|the rest holds"
        "|rest hold|rest holds|everyone else holds|everybody else holds|all others stay|others stay|the rest stays"
        "|rest stay|rest stays|all other units hold|all others hold their positions", "hold rest", WHOLE,
    ),
    # verbs of two words
    Phrase("dig in with|dig in|digs in", "dig"),
    Phrase("strat move|strategic move|strategic movement|strat movement", "strat", START),
    Phrase("breakthrough|breakthrough move", "exploit", START),
    Phrase("put", "place", START),
    Phrase("stays put|stay put|stand fast|stands fast", "stays"),
    Phrase("in reserve|into reserve|to reserve|in the reserve", "reserved"),
    # units
    Phrase("both|all of|all units of|unit|units|brigade group", ""),
    Phrase("4ab", "4a"),
    # works and bridges
    Phrase("build field works|build works|dig field works|field works", "works", START),
    Phrase("road block", "roadblock"),
    Phrase("blow up", "blow", START),
    Phrase("bridge|bridges|bridge between|bridges between|between", ""),
    Phrase("repair port|rebuild port", "mend port", START),
    *(Phrase(f"repair p{n}|rebuild p{n}", f"mend p{n}", START) for n in range(1, 10)),
    # ways
    Phrase("through|by way of", "via"),
    Phrase("and then|then|followed by", ","),
)
"""In the order in which they are put into plain words; not in lines of standing orders and answers."""

_NEXT = ("point", "abort", "retreat", "lose", "losses", "disorder", "clear", "before", "intercept")

BATTLE_PHRASES: tuple[Phrase, ...] = (
    Phrase("everywhere|all battles|every battle", "any"),
    Phrase("two naval supports|two naval support|2 naval supports|2 naval support|two naval|2 naval|2 nav", "naval , naval"),
    Phrase("three naval supports|3 naval supports|three naval|3 naval", "naval , naval , naval"),
    Phrase("two air supports|2 air supports|two air|2 air", "air , air"),
    Phrase("as ground support|as support|on ground support|for ground support", ""),
    Phrase("supporting", "; support"),
    Phrase("as point unit|as point unit is|with point|led by|point unit|lead unit|lead", "point"),
    Phrase("never abort|no abort|dont abort|do not abort|press on|no aborting", "abort never"),
    Phrase("never retreat|no retreat|dont retreat|do not retreat|no retreats", "retreat never"),
    Phrase("dont intercept|do not intercept|no interception|no intercept", "intercept no"),
    Phrase("no disorder|dont disorder|do not disorder", "disorder no"),
    Phrase("take losses from|take losses on|take losses with|losses from|losses on|lose first", "lose"),
    Phrase("abort after|abort if|abort when", "abort at"),
    Phrase("retreat after|retreat if|retreat when", "retreat at"),
    Phrase("or more hits|hits or more", "hits"),
    Phrase("with no assets|without assets|no assets|without support", ""),
    Phrase("no exploitation|dont exploit|do not exploit", "exploit no"),
    Phrase("clear works|clear field works|clear the works", "clear yes"),
    Phrase("first", ""),
    *(Phrase(f", {word}|and {word}", f"; {word}") for word in _NEXT),
)
"""The same for the plan of a battle."""

OF_VERBS: dict[str, tuple[Phrase, ...]] = {"battle": BATTLE_PHRASES, "release": (Phrase("and", ""),)}
"""What is only said with these verbs."""
