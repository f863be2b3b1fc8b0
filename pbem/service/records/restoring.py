"""A copy of the database was put back: each game that lost something by it says so in its journal.

What happened since the copy was made is gone, and mails about it are in the players' mailboxes.  So a control row names the last
row of the copy and the row that was lost last; the dice count one more attempt, and both sides are told.  Without that, who
hosts could put a copy back, let one line come in that changes nothing but the dice, and nobody would see it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from pbem.core.dice import RESTORE
from pbem.service.context import ServiceContext
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.play.game_session import Stopped
from pbem.store.api import CLOSED, OVER, Game


def heads(path: Path) -> Mapping[str, tuple[int, str]] | None:
    """The last row of each game in a database, and its hash; None if that cannot be read."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return {game: (int(seq) - 1, str(head)) for game, seq, head in connection.execute("select id, seq, head from games")}
    except (sqlite3.Error, TypeError, ValueError):
        return None


def mark(context: ServiceContext, before: Mapping[str, tuple[int, str]] | None) -> list[str]:
    """Mark all games that stood further in what the copy took the place of (``before``, see :func:`heads`; None: not known, then
    all are marked); gives a line for each."""
    said, after = [], ""
    while page := context.store.games.page(after):
        after = page[-1].id
        for game in page:
            was = None if before is None else before.get(game.id)
            unchanged = before is not None and (was is None or was == (game.seq - 1, game.head))
            if game.status not in (OVER, CLOSED) and not unchanged:
                said.append(_mark(context, game, was))
    return said


def _mark(context: ServiceContext, game: Game, was: tuple[int, str] | None) -> str:
    lost = f"rows {game.seq} to {was[0]} are lost" if was else "what came after it is lost"
    try:
        with context.store.transaction():
            play = game_session.take(context, game.id)
            last, lost_head = was or (-1, "")
            act = {"act": RESTORE, "row": game.seq - 1, "head": game.head, "was": last, "lost": lost_head}
            play.session.submit("control", act, "restore")
            rows = game_session.store_rows(play)
            mailing.send(play, rows, lines=[
                f"The host had to put back a copy of the game: it ends with row {game.seq - 1} of the journal, and {lost}. What"
                " you have sent since then has to come once more, unless the host can hand it in again. Mails about the lost rows"
                " stay true of what was; dice that fall again fall anew. The journal has a row that says all this.",
            ])
    except Stopped as stopped:
        context.note("restore", f"not marked: {stopped}", game.id)
        return f"game {game.id}: its journal does not say that a copy was put back, as the game cannot go on: {stopped}"
    context.note("restore", f"a copy was put back that ends with row {game.seq - 1}", game.id)
    return f"game {game.id}: back at row {game.seq - 1}, {lost}; both sides are told"
