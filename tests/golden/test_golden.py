"""A whole game of four turns: the mails in are stored as the players wrote them, and every mail out must be as stored.

``pytest tests/golden --update-golden`` writes the mails out anew; read the difference before it is committed.  The chain's
heads stand in a file of their own: a change of the journal that changes no word of a mail changes only that file.  If
``scenario.json`` is deleted, the same option freezes the scenario as it is now.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from pbem.core.journal import check_chain
from tests.golden.world import GAME, HEAD, HOME, SCENARIO, World, freeze, text

MAILS_IN = sorted((HOME / "in").glob("*.eml"))


def replay(world: World) -> Iterator[tuple[str, Any, list[EmailMessage]]]:
    """Each mail in by name, what became of it, and the mails out that followed."""
    yield "00-start", None, world.post()
    for file in MAILS_IN:
        outcome = world.hand_in(file.read_bytes())
        yield file.stem, outcome, world.post()


def as_stored(mail: EmailMessage) -> tuple[str, str]:
    """A mail out as it is stored, and the head of the chain in it ('' without one)."""
    body = text(mail)
    head = HEAD.search(body)
    subject = " ".join(str(mail["Subject"]).split())
    shown = HEAD.sub(r"\1N\2(see heads.txt)", body)
    return f"To: {mail['To']}\nSubject: {subject}\n\n{shown}", head[3] if head else ""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, update_golden: bool) -> Iterator[tuple[World, dict[str, str]]]:
    """The game played once, and all that there is to store of it by name of the file."""
    if update_golden and not SCENARIO.exists():
        freeze()
    world = World(tmp_path_factory.mktemp("golden") / "golden.db")
    found: dict[str, str] = {}
    heads, outcomes = [], []
    for name, outcome, mails in replay(world):
        if outcome:
            outcomes.append(f"{name}: {outcome.disposition}: {outcome.reason}\n")
        for number, mail in enumerate(mails, 1):
            to = str(mail["To"]).partition("@")[0]
            file = f"{name.partition('-')[0]}-{number}-to-{to}.txt"
            found[file], head = as_stored(mail)
            heads.append(f"{file}: {head}\n" if head else "")
    found["outcomes.txt"], found["heads.txt"] = "".join(outcomes), "".join(heads)
    yield world, found
    world.close()


def test_every_mail_out_is_as_stored(game: tuple[World, dict[str, str]], update_golden: bool) -> None:
    _, found = game
    out = HOME / "out"
    if update_golden:
        for old in out.glob("*.txt"):
            old.unlink()
        out.mkdir(exist_ok=True)
        for name, said in found.items():
            (out / name).write_text(said, encoding="utf-8", newline="\n")
    stored = {file.name: file.read_text(encoding="utf-8") for file in out.glob("*.txt")}
    assert sorted(found) == sorted(stored)
    for name in sorted(found):
        assert found[name] == stored[name], f"{name} differs (pytest tests/golden --update-golden writes it anew)"


def test_the_game_is_played_to_its_end_and_is_whole(game: tuple[World, dict[str, str]]) -> None:
    world, _ = game
    store = world.app.store
    row = store.games.get(GAME)
    assert (row.status, row.step_name) == ("over", "4 victory")
    rows = list(store.journal.rows(GAME))
    assert check_chain(rows) == row.head
    assert {r.payload["how"] for r in rows if r.kind == "answer"} >= {"mailed", "plan", "standing", "forced", "default"}


def test_it_holds_every_kind_of_mail(game: tuple[World, dict[str, str]]) -> None:
    """What the game is there to show does not get lost when its mails are changed."""
    said = game[1]["outcomes.txt"]
    for kind in (
        "accept: help", "accept: status", "accept: checked", "accept-with-errors:", "reject-auth:", "ignore-auto:",
        "report, rolls, orders", "concede denied",
    ):
        assert kind in said
    raws = [file.read_text(encoding="latin-1") for file in MAILS_IN]
    marks = ("text/html", "multipart/alternative", "quoted-printable", "format=flowed", "\n> ")
    for mark in (*marks, "\nready\n", "\nwait\n", "\nadd\n"):
        assert any(mark in raw for raw in raws)
    out = " ".join("".join(game[1].values()).split()).lower()
    for words in ("your deadline has passed", "kept, not in force", "which is over; now:", "not accepted", "seed of all dice"):
        assert words in out
