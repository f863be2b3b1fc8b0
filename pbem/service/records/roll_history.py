"""The roll history and the fairness of the dice, as they are mailed and printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.audit import charts, history, stats
from pbem.audit.history import Roll
from pbem.core.journal import Row
from pbem.mail.compose import Attachment
from pbem.orders.lexer import fold
from pbem.reports.maps import paint
from pbem.reports.render import guarded
from pbem.service.letters import mailing
from pbem.service.records import bundle
from pbem.service.letters.mailing import Answered
from pbem.service.play.game_session import GameSession

if TYPE_CHECKING:
    from pbem.games.contract import Title

FAIRNESS = ("fair", "fairness", "stats", "statistics", "luck")
"""After 'rolls': whether the dice were fair, instead of each roll."""

MOST = 300
"""Rolls that a letter shows; all of them are in the files with it."""


def of_game(rules: Title, rows: Sequence[Row], side: str, ended: bool) -> list[Roll]:
    """The rolls of a game that a side ('' for the referee) may see."""
    return history.history(rows, "" if ended else side, rules.succeeds)


def letter(rules: Title, rolls: Sequence[Roll], words: Sequence[str]) -> tuple[str, list[str]]:
    """Heading and lines on the rolls that ``words`` choose."""
    asked = " ".join(w for w in words if w not in FAIRNESS)
    which = f" ({asked})" if asked else ""
    chosen = history.matching(rolls, [w for w in words if w not in FAIRNESS])
    if set(words) & set(FAIRNESS):
        return f"Were the dice fair?{which}", fairness(rules, chosen)
    if not chosen:
        return f"The dice{which}", ["No dice have been rolled." if not rolls else "No roll fits these words."]
    lines = history.table(chosen[-MOST:])
    if len(chosen) > MOST:
        lines.insert(0, f"The last {MOST} of {len(chosen)}; all of them are in the files with this mail.")
    return f"The dice{which}: {len(chosen)} of {len(rolls)} rolls", lines


def tested(rules: Title, rolls: Sequence[Roll]) -> list[stats.Fairness]:
    """The statistics of a title's dice."""
    return stats.all_sides(rolls, rules.sides, rules.dice, rules.succeeds)


def fairness(rules: Title, rolls: Sequence[Roll]) -> list[str]:
    """The statistics in words."""
    return stats.text(tested(rules, rolls), max(1, len({r.turn for r in rolls if r.turn})))


def picture(rules: Title, rolls: Sequence[Roll], title: str) -> bytes:
    """Histogram and luck over time as PNG."""
    import resvg_py  # only for who wants a picture

    png = resvg_py.svg_to_bytes(
        svg_string=charts.chart(rolls, tested(rules, rolls), rules.succeeds, title), font_files=list(paint.FONTS),
        skip_system_fonts=True, font_family=paint.FAMILY, sans_serif_family=paint.FAMILY,
    )
    return bytes(png)


def files(rules: Title, rolls: Sequence[Roll], words: Sequence[str], game: str) -> list[Attachment]:
    """The chosen rolls as CSV and JSON, and the picture if the statistics were asked for."""
    chosen = history.matching(rolls, [w for w in words if w not in FAIRNESS])
    found = [
        Attachment(f"{game}-rolls.csv", "text/csv", history.as_csv(chosen).encode()),
        Attachment(f"{game}-rolls.json", "application/json", history.as_json(chosen).encode()),
    ]
    if set(words) & set(FAIRNESS):
        found.append(Attachment(f"{game}-dice.png", "image/png", picture(rules, chosen, f"The dice of game {game}")))
    return found


def mail(play: GameSession, side: str, args: Sequence[str], answered: Answered) -> None:
    """Answer 'rolls ...' of a seat ('' for ``side``: the referee, who may see all)."""
    context, game = play.context, play.game
    seat = play.seats[side or "referee"]
    words = [fold(a) for a in args]
    rows = list(context.store.journal.rows(game.id, kinds=["step", "roll", "control"]))
    rolls = of_game(play.rules, rows, side, bundle.ended(game))
    heading, lines = letter(play.rules, rolls, words)
    text = "\n".join([heading, f"Game {game.id}, {game.step_name}.", "", *lines, ""])
    more = files(play.rules, rolls, words, game.id)
    mailing.queue_text(
        context, game, seat, mailing.tagged(context, seat, heading.partition(" (")[0].rstrip("?")),
        guarded(text, frozenset(play.rules.words.order_words)), mailing.NOTICE, answered=answered, attachments=more,
    )
