"""Making a game by mail: it is pending until all its seats are taken, then it begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.games import UnknownTitle
from pbem.orders.club_verbs import ClubRequest
from pbem.service.club import consent, members, options
from pbem.service.letters import mailing
from pbem.service.play import game_session, planner_seat, referee_mail
from pbem.service.club.club_requests import RequestContext, Denied
from pbem.service.context import ServiceContext
from pbem.service.club.lobby import heading, did_you_mean
from pbem.service.play.game_session import BadGame, Player
from pbem.scenarios import catalog
from pbem.store.api import PENDING, PLANNER, RUNNING, Game, GameExists, Member, NoSuchGame
from pbem.scenarios.catalog import ScenarioError

MOST_PENDING = 3
"""Games of one member that wait for players."""

VISIBILITY = options.CHOICES["seats"]


def new(at: RequestContext, request: ClubRequest) -> None:
    """'new title/scenario as axis open named lion deadline_hours=48'."""
    context, member = at.context, at.member
    title, scenario = _scenario(request.args[0])
    words, chosen = _options(request.args[1] if len(request.args) > 1 else "")
    side, name = _words(context, title, scenario, words, chosen)
    planned = [s for s in context.rules(title).sides if str(chosen.pop(s, "")).lower() == PLANNER]
    if side in planned:
        raise Denied(f"you play {side}, so the planner cannot")
    if context.config.new_games == "host" and not at.host:
        raise Denied("only the host of this server makes games")
    if context.store.games.made_by(member.id, PENDING) >= MOST_PENDING:
        raise Denied(f"{MOST_PENDING} games of yours wait for players already; 'leave' and a game's name gives one up")
    wanted = {"title": title, "scenario": scenario, "side": side, "name": name, "options": chosen, "planned": planned}
    if context.config.new_games == "consent" and not at.host:
        consent.ask(context, context.config.operator, consent.NEW, member, wanted, [
            f"{members.shown(member)} wants to make a game: {title}/{scenario} as {side}, {chosen['seats']}.",
        ])
        at.say("The host is asked", f"Your game of {title}/{scenario} is made once the host of this server agrees.")
        return
    game = make(context, member, wanted)
    if game.status == RUNNING:
        at.say(f"Game {game.id} is made", f"{heading(game)}; you play {side.capitalize()}, the planner the rest. It begins: the"
               " first report goes out with this.")
        return
    seats = [s.side for s in context.store.games.seats(game.id) if not s.address]
    who = {"open": "Others see it with 'games', and", "consent": "Others see it with 'games'; you are asked before somebody"
           " takes the seat, and"}.get(chosen["seats"], f"It is not listed: tell its name. Who sends 'join {game.id}' is asked"
                                       " about by a mail to you, and")
    at.say(f"Game {game.id} is made", f"{heading(game)}; you play {side.capitalize()}. Free: {' and '.join(seats)}.",
           f"{who} it begins when all seats are taken: then you get the first report. 'leave {game.id}' gives it up before.")


def _scenario(said: str) -> tuple[str, str]:
    known = {f"{e.title}/{e.scenario}": (e.title, e.scenario) for e in catalog.catalog()}
    found = [pair for name, pair in known.items() if said.lower() in (name, pair[1])]
    if len(found) != 1:
        raise Denied(f"there is no scenario {said[:60]}{did_you_mean(said, [*known, *(p[1] for p in known.values())])};"
                     f" there are: {', '.join(known)}")
    return found[0]


def _options(rest: str) -> tuple[list[str], dict[str, str]]:
    """The words before the options, and these: 'as axis open zone=Europe/Rome observers=delayed 2'."""
    first, *pairs = re.split(r"\b([a-z_]{2,40})\s?=\s?", rest)
    return first.lower().split(), {k: v.strip(' ,"') for k, v in zip(pairs[::2], pairs[1::2], strict=True)}


def _words(context: ServiceContext, title: str, scenario: str, words: list[str], chosen: dict[str, str]) -> tuple[str, str]:
    """The side and the game's name; who may take a seat goes into the options."""
    sides, name, side = context.rules(title).sides, chosen.pop("id", ""), ""
    while words:
        word = words.pop(0)
        if word in ("as", "named", "called") and words:
            side, name = (words.pop(0), name) if word == "as" else (side, words.pop(0))
        elif word in VISIBILITY:
            chosen["seats"] = word
        else:
            raise Denied(f"'{word[:20]}' is not understood; write it like 'new {title}/{scenario} as {sides[0]} open'")
    if side not in sides:
        raise Denied(f"say which side you play: 'as {' or '.join(sides)}'")
    chosen.setdefault("seats", "open")
    return side, name.lower()


def make(context: ServiceContext, member: Member, wanted: Mapping[str, Any]) -> Game:
    """Make the game that a member wants; it is pending until its seats are taken."""
    title, scenario = wanted["title"], wanted["scenario"]
    name = wanted["name"] or _free_name(context, scenario)
    host = context.config.referee
    judge = Player(host) if host and host not in member.addresses else None
    try:
        players = {wanted["side"]: Player(member.address, member.name)}
        players |= dict.fromkeys(wanted.get("planned", []), planner_seat.player())
        with context.store.transaction():
            play = game_session.create(context, title, scenario, name, players, judge, wanted["options"], member.id)
            game_session.store_rows(play)
    except GameExists:
        free = next(f"{name}-{n}" for n in range(2, 1000) if not _taken(context, f"{name}-{n}"))
        raise Denied(f"there is a game called {name} already; {free} is free") from None
    except (BadGame, ScenarioError, UnknownTitle) as why:
        raise Denied(str(why).split("\n")[0]) from None
    context.note("new", f"made by {member.name or 'a member'}", name)
    if play.game.status == RUNNING:
        start(context, name)
    return play.game


def _free_name(context: ServiceContext, scenario: str) -> str:
    """'campaign-7': the next number that is free."""
    short, counter = scenario.split("_")[0][:20], f"last {scenario}"
    last = int(context.store.notes.value(counter) or 0)
    number = next(n for n in range(last + 1, last + 100_000) if not _taken(context, f"{short}-{n}"))
    context.store.notes.set_value(counter, str(number))
    return f"{short}-{number}"


def _taken(context: ServiceContext, name: str) -> bool:
    try:
        context.store.games.get(name)
    except NoSuchGame:
        return False
    return True


def start(context: ServiceContext, name: str) -> None:
    """All seats are taken: everybody who is asked has the full time from now on, both players get their first report."""
    play = game_session.take(context, name)
    play.game = replace(play.game, status=RUNNING, note="")
    rows = game_session.store_rows(play)
    names = ", ".join(f"{play.seats[s].name or 'somebody'} plays {s.capitalize()}" for s in play.rules.sides)
    mailing.send(play, rows, lines=[f"All seats are taken, and the game begins: {names}."])
    referee_mail.welcome(context, play.game)
