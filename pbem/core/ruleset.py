"""What a title must offer.  Titles are found by name in ``pbem.games`` and imported lazily."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from pbem.core.asks import Answer, Ask, Option, Refusal

if TYPE_CHECKING:
    from pbem.core.engine import Ctx, Session
    from pbem.core.journal import Row
    from pbem.core.standing import Directive

State = Any
Event = Any
Step = Generator[Sequence[Ask], list[Answer], str | None]
"""A step yields batches of asks and receives their answers; it may return the next step's name."""


class ScriptedPlayers(Protocol):
    """Players that need nobody: what the planner of a title writes.  It knows no more than its side's view."""

    def standing_orders(self, side: str) -> list[str]:
        """The standing orders of a player who wants few mails, as order lines."""

    def order_lines(self, session: Session, side: str) -> list[str]:
        """The lines of one mail: they answer what ``side`` is asked now, and order the phases that follow from it."""


class Ruleset(Protocol):
    """A title.  All of it is pure: no clock, no random numbers, no input or output."""

    name: str
    title: str
    sides: tuple[str, ...]
    version: int
    """Kept in each game's first row; one more whenever the same orders and dice give other rows than before."""
    steps: Mapping[str, Callable[[Ctx], Step]]

    dice: Sequence[str]
    """The kinds of dice that its rules throw, the usual ones first: 'd10'; '2d6' where their sum is read.  Fairness is
    counted for these; draws are dice of all sorts."""

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """Whether a die of so many sides meets a target."""

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """The empty state of a scenario, before its first step."""

    def first_step(self, state: State) -> str:
        """The name of the scenario's first step."""

    def next_step(self, state: State, done: str) -> str | None:
        """The step after ``done``, or None when the game is over."""

    def apply(self, state: State, event: Event) -> None:
        """Fold one event into the state; no rules here."""

    def event_data(self, event: Event) -> dict[str, Any]:
        """An event as JSON data, with its type under 'type'."""

    def event_from(self, data: Mapping[str, Any]) -> Event:
        """The event that :meth:`event_data` wrote."""

    def visibility(self, state: State, event: Event) -> dict[str, Any]:
        """Who may know ``event`` (judged before it is applied): kept in its row, so that a report needs
        no state.  'open': both sides may know all of it; 'public': False if nobody else may; 'side': whose it is;
        'where': the place."""

    def adjustment(self, state: State, words: Sequence[str]) -> Event | Refusal:
        """The correction of the position that a referee asks for, as an event; or why it cannot be made."""

    adjustments: Sequence[str]
    """All corrections there are, as they are written."""

    def dump(self, state: State) -> dict[str, Any]:
        """The state as JSON data, without the scenario's fixed data."""

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> State:
        """The state that :meth:`dump` wrote."""

    def choose(self, state: State, ask: Ask, choice: str) -> Option | Refusal:
        """The option that a player's ``choice`` means, or why there is none."""

    def meant(self, state: State, order: Directive, key: str) -> bool:
        """Whether an order is for the option of that key, in whatever words."""

    def unused(self, state: State, order: Directive) -> Refusal | None:
        """Why an order of a phase that has ended was never carried out; None if there is nothing to tell (it only closed
        the phase, say)."""

    def scope_over(self, step: str, scope: str) -> bool:
        """Whether the phase that ``scope`` names lies before ``step``."""

    def player_turn(self, step: str) -> str:
        """The stretch of play that a step belongs to (a player turn: '2 allied').  Reports are due at its end, and
        who misses a deadline is taken for absent until then."""

    def can_rehearse(self, step: str) -> bool:
        """Whether orders may be tried out in ``step`` without telling their side what it cannot know."""

    order_words: Collection[str]
    """What an order line may begin with."""

    language: Any
    """All that can be written in its orders (:class:`pbem.orders.help.Language`), for the help."""

    def parse_orders(self, state: State, side: str, step: str, lines: Sequence[Any], **more: Any) -> Any:
        """The lines of one mail (:class:`pbem.orders.source.Line`) as directives and diagnostics: see
        :func:`pbem.games.fab_sicily.words.orders.parse`."""

    def report(
        self, game: Mapping[str, Any], state: State, side: str, rows: Sequence[Row], asks: Sequence[Ask], *,
        standing: Sequence[Directive] = (), plans: Sequence[Directive] = (), receipt: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """A turn report for ``side`` as one value for the templates: see :func:`pbem.games.fab_sicily.telling.report.report`."""

    def brief(
        self, game: Mapping[str, Any], state: State, side: str, asks: Sequence[Ask], *,
        standing: Sequence[Directive] = (), plans: Sequence[Directive] = (),
    ) -> dict[str, Any]:
        """What every mail of a game carries."""

    def rolls(self, state: State, side: str, rows: Sequence[Row]) -> list[dict[str, Any]]:
        """The rolls among ``rows`` that ``side`` may see, each in words: 'seq', 'text', 'rule'."""

    def view(self, state: State, side: str) -> dict[str, Any]:
        """All that ``side`` ('' for the public) may know, as JSON data."""

    @property
    def players(self) -> ScriptedPlayers:
        """Who plays where nobody does: the demo, the terminal's opponent, a seat given to the planner."""

    def heading(self, state: State) -> str:
        """The scenario's name, as players read it."""

    def points(self, state: State) -> Mapping[str, int]:
        """Victory points by side, as they stand."""

    def winner(self, state: State) -> str:
        """The side that has won, 'draw', or '' while the game runs."""

    def progress(self, state: State, step: str) -> tuple[int, int]:
        """How many phases of how many have been played, if the game lasts its full length."""

    def everything(self, state: State) -> dict[str, Any]:
        """The position with all that either side knows, in the shape of a view; its 'side' is ''.  For games that are over,
        and for who may see all."""

    def check(self, state: State) -> list[str]:
        """Broken invariants, in words; empty for a sound state."""


class UnknownTitle(LookupError):
    """No such title."""


def ruleset(name: str) -> Ruleset:
    """The ruleset of that title ('fab_sicily')."""
    if not name.isidentifier():
        raise UnknownTitle(f"no title is called {name!r}; see 'pbem scenario list'")
    try:
        module = import_module(f"pbem.games.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"pbem.games.{name}":
            raise
        raise UnknownTitle(f"no title is called {name!r}; see 'pbem scenario list'") from None
    found: Ruleset = module.RULESET
    return found
