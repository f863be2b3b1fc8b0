"""What a title must offer: rules (for the engine), words, telling, scripted players, and what tells it from other titles.

Titles are packages of ``pbem.games``, or stand elsewhere (:mod:`pbem.title_packages`); :func:`pbem.games.find_title` knows
both.  The smallest whole one is ``tests/titles/tiny``.  A title's package has a value
``RULESET`` of the type ``TitleOf[State, Event]`` with the title's own two types; whoever uses a title knows it as
:data:`Title`, from whose state nothing can be read but through the methods below.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NotRequired, Protocol, TypedDict, TypeVar, runtime_checkable

from pbem.core.asks import Ask, Refusal
from pbem.core.documents import Brief, Facts, OnMap, Report, Roll, Taken, View
from pbem.core.engine import Session
from pbem.core.journal import Row
from pbem.core.ruleset import Event, Rules, State
from pbem.core.standing import Directive
from pbem.kit.grid import Grid
from pbem.orders.drafts import Parsed
from pbem.orders.help import Language
from pbem.orders.source import Line

S = TypeVar("S")
S_in = TypeVar("S_in", contravariant=True)
E = TypeVar("E")
E_out = TypeVar("E_out", covariant=True)


class Words(Protocol[S_in, E_out]):
    """What players and referees write.  A module will do."""

    @property
    def order_words(self) -> Collection[str]:
        """What an order line may begin with."""

    @property
    def language(self) -> Language:
        """All that can be written in orders, for the help."""

    @property
    def adjustments(self) -> Sequence[str]:
        """All corrections of the position that a referee can make, as they are written."""

    def parse(
        self, state: S_in, side: str, step: str, lines: Sequence[Line], open_asks: Sequence[Ask] = (),
        in_force: Sequence[Directive] = (), guard: str = "", guard_line: Line | None = None, source: str = "",
    ) -> Parsed:
        """The order lines of one mail of ``side``, sent while ``step`` is played, as directives and findings.

        ``open_asks``: the questions waiting; ``in_force``: the side's directives (what ``cancel`` counts in); ``guard``:
        what the block's ``turn`` line says; ``source``: where the lines come from, noted with each directive.
        """

    def adjustment(self, state: S_in, words: Sequence[str]) -> E_out | Refusal:
        """The correction of the position that a referee asks for, as an event; or why it cannot be made."""


class Telling(Protocol[S_in]):
    """What is told to a side ('' for an observer, who reads what lies open): made from that side's view alone.  A module will
    do."""

    def report(
        self, game: Facts, state: S_in, side: str, rows: Sequence[Row], asks: Sequence[Ask], *,
        standing: Sequence[Directive] = (), plans: Sequence[Directive] = (), receipt: Taken | None = None,
    ) -> Report:
        """A turn report.  ``rows``: the journal since this side's last report; ``asks``: the open questions of both sides that
        nobody has answered; ``standing`` and ``plans``: this side's orders in force."""

    def brief(
        self, game: Facts, state: S_in, side: str, asks: Sequence[Ask], *, standing: Sequence[Directive] = (),
        plans: Sequence[Directive] = (),
    ) -> Brief:
        """What every mail of a game carries."""

    def rolls(self, state: S_in, side: str, rows: Sequence[Row]) -> list[Roll]:
        """The rolls among ``rows`` that ``side`` may see, each in words."""


@runtime_checkable
class LooksUp(Protocol[S_in]):
    """A telling that can also look a thing of the position up; not every title has one."""

    def look_up(self, state: S_in, side: str, words: Sequence[str]) -> list[str]:
        """What ``side`` may know of the place, unit or score that ``words`` name, in a few lines; none if they name nothing."""


class ScriptedPlayers(Protocol):
    """Players that need nobody: what the planner of a title writes.  It knows no more than its side's view.  A module will
    do."""

    def standing_orders(self, side: str) -> list[str]:
        """The standing orders of a player who wants few mails, as order lines."""

    def order_lines(self, session: Session, side: str) -> list[str]:
        """The lines of one mail: they answer what ``side`` is asked now, and order the phases that follow from it."""


class HexStyle(TypedDict):
    """What a map of hexes looks like, beside :class:`MapStyle`.  The files ``map/hexes.csv`` and ``map/hexsides.csv`` of the
    title's scenarios (or those named in ``files``) say what lies where; see :mod:`pbem.reports.maps`."""

    grid: Grid
    terrain: Mapping[str, tuple[str, int]]
    """By the name in column 'terrain': colour, and how rough it looks (0 plain, 1 hills, 2 mountains, 3 high mountains)."""

    towns: Sequence[str]
    """Columns that name places, the greatest first."""

    roads: Sequence[str]
    """What column 'road' of a hexside may say, the best first."""

    north: int
    """Where north is, in degrees clockwise from the top of the map."""

    metres: int
    """From hex to hex."""

    badges: Mapping[str, tuple[str, str, str]]
    """By the key in a piece: letter, colour, words of the legend."""

    on_map: Callable[[View], OnMap]
    """What stands on the map, from a view and nothing else."""

    files: NotRequired[tuple[str, str]]


class MapStyle(TypedDict):
    """How the maps of a title look: by side, what its counters and flags are painted with ('#rrggbb')."""

    colours: Mapping[str, str]
    unknown: Mapping[str, tuple[str, str]]
    """Face and edge of a counter of which only the side is known."""

    drawn: Sequence[str]
    """The parts of a view that a map shows; positions that differ in nothing else share a picture."""

    hexes: NotRequired[HexStyle]
    """For a map of hexes."""


class TitleOf(Rules[S, E], Protocol[S, E]):
    """A title.  All of it is pure: no clock, no random numbers, no input or output."""

    @property
    def name(self) -> str:
        """The name of its package, of its scenarios' folder and of its templates'."""

    @property
    def title(self) -> str:
        """As players read it."""

    @property
    def dice(self) -> Sequence[str]:
        """The kinds of dice that its rules throw, the usual ones first: 'd10'; '2d6' where their sum is read.  Fairness is
        counted for these; draws are dice of all sorts."""

    @property
    def words(self) -> Words[S, E]:
        """What players write."""

    @property
    def telling(self) -> Telling[S]:
        """What they are told."""

    @property
    def players(self) -> ScriptedPlayers:
        """Who plays where nobody does: the demo, the terminal's opponent, a seat given to the planner."""

    @property
    def map_style(self) -> MapStyle:
        """How its maps look."""

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """Whether a die of so many sides meets a target: how rolls are read that say no result themselves."""

    def player_turn(self, step: str) -> str:
        """The stretch of play that a step belongs to (a player turn: '2 allied').  Reports are due at its end, and
        who misses a deadline is taken for absent until then."""

    def can_rehearse(self, step: str) -> bool:
        """Whether orders may be tried out in ``step`` without telling their side what it cannot know."""

    def progress(self, state: S, step: str) -> tuple[int, int]:
        """How many phases of how many have been played, if the game lasts its full length."""

    def heading(self, state: S) -> str:
        """The scenario's name, as players read it."""

    def points(self, state: S) -> Mapping[str, int]:
        """Victory points by side, as they stand."""

    def winner(self, state: S) -> str:
        """The side that has won, 'draw', or '' while the game runs."""

    def worth(self, state: S, place: str) -> int:
        """The victory points that a place gives to who holds it; 0 for none."""

    @property
    def view_type(self) -> type:
        """The shape of its views: a TypedDict that has all that :class:`pbem.core.documents.View` has."""

    def view(self, state: S, side: str) -> View:
        """All that ``side`` ('' for the public) may know."""

    def everything(self, state: S) -> View:
        """The position with all that either side knows, in the shape of a view; its 'side' is ''.  For games that are over,
        and for who may see all."""

    def check(self, state: S) -> list[str]:
        """Broken invariants, in words; empty for a sound state."""


Title = TitleOf[State, Event]
"""Any title."""
