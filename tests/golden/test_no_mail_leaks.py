"""No mail to a side, of whatever kind, names an enemy block that the side knows nothing of.

First the golden game, then games of players who send whatever comes to their minds, orders and questions; last, and
strongest, two games that differ only in what the enemy hides: the same mails in must give the same mails out.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from pbem.core.asks import Ask
from pbem.core.chooser import Chooser
from pbem.core.engine import Session
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.words.asks import CATALOGUE
from pbem.games.fab_sicily.position.data import SIDES
from pbem.orders.replying import text_of
from tests.golden.leaks import leaks, opened, parts
from tests.golden.test_golden import MAILS_IN
from tests.golden.world import ANN, BOB, GAME, JUDGE, World, frozen

DIGEST = re.compile("[0-9a-f]{64}")
"""The heads of the two chains differ, and must."""

ADDRESS = {"allied": ANN, "axis": BOB}
SIDE = {address: side for side, address in ADDRESS.items()}


def found_in(world: World, mails: list[EmailMessage], own_words: str = "") -> list[str]:
    """What the mails that went out now tell too much; their report as JSON must hold the side's view and nothing else."""
    session = world.session()
    shown = opened(world.app.store.journal.rows(GAME))
    found = []
    for mail in mails:
        side = SIDE.get(str(mail["To"]))
        if side is None:
            continue
        said = parts(mail)
        found += leaks(said, session.state, side, shown, own_words)
        for name, text in said.items():
            if "application/json" in name and ".report." in str(mail["Message-ID"]):
                view = json.loads(json.dumps(RULESET.view(session.state, side)))
                if json.loads(text)["view"] != view:
                    found.append(f"{name}: the view in it is not that of {side}")
    return found


def test_no_mail_of_the_golden_game_names_what_is_hidden(tmp_path: Path) -> None:
    world = World(tmp_path / "golden.db")
    count = 0
    assert not found_in(world, world.post())
    for file in MAILS_IN:
        world.hand_in(file.read_bytes())
        mails = world.post()
        count += len(mails)
        assert not found_in(world, mails, file.read_text(encoding="utf-8")), file.name
    assert count > 40
    world.close()


def test_the_search_finds_what_it_is_meant_to(tmp_path: Path) -> None:
    world = World(tmp_path / "search.db")
    state, shown = world.session().state, opened(world.app.store.journal.rows(GAME))
    assert leaks({"text": "(NAP-1) is at 6"}, state, "allied", shown) == ["text: NAP-1"]
    assert leaks({"text": "Kampfgruppe\n  Schmalz"}, state, "allied", shown) == ["text: Kampfgruppe Schmalz"]
    assert leaks({"text": "NAP-10, Napolitano, SCHOOL"}, state, "allied", shown) == []
    assert leaks({"text": "NAP-1, SCH"}, state, "axis", shown) == []
    assert leaks({"text": "(1AB-1)"}, state, "axis", shown) == ["text: 1AB-1"]
    world.close()


# -- players who try everything ---------------------------------------------------------------------------


class Player:
    """Writes mails at random: orders out of what is legal, probes out of what may not be, and all requests."""

    def __init__(self, world: World, seed: str) -> None:
        self.world, self.chooser, self.number = world, Chooser(seed), 0

    def one_of(self, things: Any) -> Any:
        """One of some things."""
        return self.chooser.pick(list(things))

    def mail(self, side: str, lines: list[str]) -> bytes:
        """A mail in the plainest form."""
        self.number += 1
        body = "\n".join([f"game {GAME}", *lines, "end", ""])
        head = f"From: {ADDRESS[side]}\nTo: {JUDGE}\nSubject: orders\nMessage-ID: <r{self.number}@example.org>\n"
        return f"{head}Content-Type: text/plain; charset=utf-8\n\n{body}".encode()

    def orders(self, session: Session, side: str) -> list[str]:
        """Answers to what a side is asked, and a few orders of the phase."""
        lines = []
        for ask in session.open:
            if ask.side == side and session.pending(ask):
                lines += self._some(ask)
        return lines

    def _some(self, ask: Ask) -> list[str]:
        options = [o for o in ask.options if o.key != CATALOGUE[ask.kind].closing] or list(ask.options)
        chosen = [self.one_of(options) for _ in range(5 if CATALOGUE[ask.kind].phase_orders else 1)]
        return list(dict.fromkeys(text_of(o, ask, CATALOGUE) for o in chosen))

    def probes(self, session: Session, side: str) -> list[str]:
        """Orders that feel for the enemy, none of which is to have an effect."""
        state = session.state
        own = [b for b in state.blocks if board.side_of(state, b) == side]
        areas = list(state.data.areas)
        lines = ["check"]
        for phase in ("movement", "strategic", "reaction", "breakthrough", "combat"):
            lines.append(f"phase {phase}")
            for _ in range(3):
                unit, area = self.one_of(own), self.one_of(areas)
                lines.append({
                    "movement": f"move {unit} to {area}", "strategic": f"strat {unit} to {area}",
                    "reaction": f"move {unit} to {area}", "breakthrough": f"exploit {unit} to {area}",
                    "combat": f"battle {area}; point {unit}; retreat at 1 hits to {area}",
                }[phase])
        here = self.one_of(areas)
        return [*lines, f"spy {here}", f"interdict {here}", f"move {self.one_of(own)}", "point strongest", "lose x"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_mail_of_a_random_game_names_what_is_hidden(tmp_path: Path, seed: int) -> None:
    world = World(tmp_path / "random.db", seed=f"random {seed}")
    player = Player(world, f"random {seed}")
    assert not found_in(world, world.post())
    for turn in range(36):
        session = world.session()
        if session.over:
            break
        side = session.waiting()[0]
        world.now += timedelta(hours=1)
        for raw in _mails(player, session, side, turn):
            world.deliver(raw)
            assert not found_in(world, world.post()), raw.decode()
    world.close()


def _mails(player: Player, session: Session, side: str, turn: int) -> Iterator[bytes]:
    if turn % 3 == 0:
        for each in SIDES:
            yield player.mail(each, player.probes(session, each))
    if turn % 6 == 5:
        yield player.mail(player.one_of(SIDES), ["status", "orders", "rolls", f"report {1 + turn // 3}"])
        yield player.mail(side, ["move", "no such order", "place the fleet", "answer q1 yes"])
    if turn % 8 == 7:
        yield player.mail(side, [*player.orders(session, side), "nonsense"])
        yield player.mail(side, ["ready"])
    else:
        yield player.mail(side, player.orders(session, side))


# -- the same to the byte -----------------------------------------------------------------------------------


def swapped() -> dict[str, Any]:
    """The scenario with three hidden Axis blocks in each other's places."""
    scenario = copy.deepcopy(frozen())
    turn = {"NAP-1": "NAP-2", "NAP-2": "SCH", "SCH": "NAP-1"}
    before = {b["id"]: b for b in frozen()["blocks"]}
    for block in scenario["blocks"]:
        if block["id"] in turn:
            block["at"] = before[turn[block["id"]]]["at"]
    return scenario


FEELERS = [
    ["help"], ["status"],
    ["check", "place 5-1 at B1"], ["place 5-1 at B1", "place 5-2 at X9"],
    ["place 5-1 at B4", "place 5-2 at B4", "place 50-1 at B5", "place 50-2 at B5", "place 231 at B1", "place 51-1 at B3",
     "place 51-2 at B3", "place 1C-1 at B1", "place 1C-2 at B2"],
    ["spy 6", "interdict 15", "interdict Catania with AIR-1", "works 15"],
    ["check", "phase movement", "move 5-1 to 6", "move 5-1 to 15", "move 50-1 to 26", "battle 6; point 5-1"],
    ["pass admin"],
]  # fmt: skip
"""What Ann sends, up to the first thing that shows an enemy block."""


def test_other_secrets_give_the_same_mails(tmp_path: Path) -> None:
    def received(scenario: dict[str, Any], name: str) -> list[str]:
        world = World(tmp_path / name, scenario)
        player = Player(world, "feelers")
        found = []
        for lines in [[], *FEELERS]:
            if lines:
                world.deliver(player.mail("allied", lines))
            for mail in world.post():
                if mail["To"] == ANN:
                    found += [f"{k}\n{DIGEST.sub('', v)}" for k, v in parts(mail).items()]
        world.deliver(player.mail("axis", ["pass admin"]))
        moves = ["move 5-1 to 6", "move 5-1 to 15", "move 51-1 to Comiso", "dig 5-1", "strat 231 to 6"]
        world.deliver(player.mail("allied", ["check", *moves]))
        found += [f"{k}\n{DIGEST.sub('', v)}" for m in world.post() if m["To"] == ANN for k, v in parts(m).items()]
        assert world.session().step_name == "1 allied movement"
        world.close()
        return found

    one, two = received(frozen(), "one.db"), received(swapped(), "two.db")
    assert frozen()["blocks"] != swapped()["blocks"] and len(one) > 20
    for a, b in zip(one, two, strict=True):
        assert a == b
