"""What every mail of a game says, in the words of its title: whom the game waits for, orders in force, lines to send back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from pbem.core.asks import Ask
from pbem.core.documents import Accepted, Brief, Facts, Orders, Over, Taken, Wanted
from pbem.core.journal import Row
from pbem.core.standing import STANDING, Directive
from pbem.orders.catalogue import Catalogue
from pbem.orders.replying import reply_block
from pbem.orders.service_verbs import SERVICE

GUARD_WORDS = ("game", "turn", "end")


@dataclass(frozen=True)
class Voice:
    """How a title calls things.

    ``ruleset``: its name; ``title``: as players read it; ``sides``: 'the Allies' by side, ``adjectives``: 'Allied';
    ``phase_title``: a step's name in words; ``catalogue``: its questions; ``order_words``: what its order lines begin with;
    ``looked_at``: so many options of a question are looked at for examples (None: all).
    """

    ruleset: str
    title: str
    sides: Mapping[str, str]
    adjectives: Mapping[str, str]
    phase_title: Callable[[str], str]
    catalogue: Catalogue
    order_words: tuple[str, ...]
    looked_at: int | None = None

    def step_title(self, scope: str) -> str:
        """The phase that orders are for; what answers a question is for now."""
        return "At once" if _question(scope) else self.phase_title(scope)

    def brief(
        self, game: Facts, side: str, asks: Sequence[Ask], wanted: list[Wanted], over: Over | None, *, scenario: str, turn: int,
        turns: int, standing: Sequence[Directive] = (), plans: Sequence[Directive] = (),
    ) -> Brief:
        """``asks``: the open questions of both sides; ``wanted``: those of ``side``, in words; ``over``: how the game ended."""
        mine = [a for a in asks if a.side == side]
        others = list(dict.fromkeys(a.side for a in asks if a.side != side))
        reply = reply_block(game["id"], game["step"], mine, self.catalogue, self.looked_at) if side and not over else []
        return {
            "ruleset": self.ruleset,
            "title": self.title,
            "scenario": scenario,
            "game": {"id": game["id"], "number": game["number"], "players": game["players"]},
            "occasion": f"report {game['number']}",
            "order_words": self.order_words,
            "side": side,
            "side_name": self.adjectives.get(side, "observer"),
            "player": game["players"].get(side, ""),
            "turn": turn,
            "turns": turns,
            "phase": self.phase_title(game["step"]),
            "step": game["step"],
            "deadline": game["deadline"] if mine else None,
            "wanted": wanted,
            "waiting": self._waiting(game, bool(mine), others),
            "orders": self._in_force(standing, [p for p in plans if p.mode != STANDING]),
            "reply": reply,
            "over": over,
            "head": game["head"],
            "seq": game["seq"],
            "show_commitment": game["number"] == 1,
            "commitment": game["commitment"],
            "seed": game["seed"] if over else "",
        }

    def headline(self, step: str, questions: int) -> str:
        """Where the game stands, and how many answers it wants."""
        ask = f"{count(questions, 'answer')} wanted of you" if questions else "nothing is wanted of you now"
        return f"{'YOUR MOVE: ' if questions else ''}{self.phase_title(step)}: {ask}"

    def carried_out(self, receipt: Taken, rows: Iterable[Row], side: str) -> Taken:
        """What became of a mail, without the orders that turned out to be impossible: the story says so, and why."""
        void: Set[str] = {r.payload["text"] for r in rows if r.kind == "skip" and r.payload["side"] == side}
        phases: list[Accepted] = [
            {**p, "title": self._title_of(p["phase"]), "orders": [o for o in p["orders"] if o not in void]}
            for p in receipt["accepted"]
        ]
        return {**receipt, "accepted": [p for p in phases if p["orders"]]}

    def _title_of(self, phase: str) -> str:
        """A phase as it is printed before the orders for it; standing orders are for all."""
        return "standing orders" if phase == STANDING else self.phase_title(phase) if phase else ""

    def _waiting(self, game: Facts, mine: bool, others: Sequence[str]) -> str:
        """Whom the game waits for; never what it asks the other side."""
        who = ["you"] if mine else []
        for side in others:
            name = game["players"].get(side, "")
            who.append(f"{name} ({self.adjectives[side]})" if name else self.sides[side])
        return f"The game waits for {listed(who)}." if who else ""

    def _in_force(self, standing: Sequence[Directive], plans: Sequence[Directive]) -> Orders:
        """Orders as they were written, each once: standing ones numbered as 'cancel standing 2' counts them, the others by
        phase."""
        scopes = {d.text: d.scope for d in reversed(plans)}
        phases: dict[str, list[str]] = {}
        for text in dict.fromkeys(d.text for d in plans):
            phases.setdefault(self.step_title(scopes[text]), []).append(text)
        return {
            "standing": [
                {"number": n, "text": text, "short": text.removeprefix("standing ")}
                for n, text in enumerate(dict.fromkeys(d.text for d in standing), 1)
            ],
            "phases": [{"when": when, "lines": lines} for when, lines in phases.items()],
        }


def _question(scope: str) -> bool:
    """Whether a scope is the number of a question ('q5.1'), or none at all."""
    return not scope or scope[0] == "q" and scope[1:2].isdecimal()


def report_words(order_words: Collection[str], catalogue: Catalogue) -> tuple[str, ...]:
    """The words that an order line may begin with: a line of a report that does is marked, so that a quote of it is no order."""
    answers = (f.text.split(" ")[0] for kind in catalogue.kinds for f in kind.choices)
    return tuple(sorted({*order_words, *SERVICE.words, *GUARD_WORDS, *answers}))


def listed(things: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + " and " + things[-1] if things else "none"


def count(number: int, noun: str, plural: str = "") -> str:
    """'1 hit', '2 hits', '2 dice'."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
