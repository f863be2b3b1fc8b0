"""The README and the operator's guide are true: their commands run, their mails are mailed, their orders are orders.

``python -m tests.test_readme`` prints the mails of the first day in full, to take excerpts from.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem.cli import application
from pbem.config import Config
from pbem.core.asks import Ask, Option
from pbem.core.dice import SeededDice
from pbem.core.standing import STANDING, Directive, directive
from pbem.games.fab_sicily.words import orders
from pbem.games.fab_sicily.words.battle_orders import CLAUSE_HELP
from pbem.games.fab_sicily.words.verbs import VERBS
from pbem.orders.club_verbs import CLUB, request
from pbem.orders.lexer import tokenise
from pbem.orders.service_verbs import SERVICE, take
from pbem.orders.source import Line
from tests.games.fab_sicily.play import board
from tests.service.conftest import ANN, BOB, JUDGE, Club, text

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDE = ROOT / "deploy" / "README.md"

DEMO = "sh deploy/demo.sh"
WRITERS = {"Ann writes:": ANN, "Bob writes:": BOB}
READER = "Ann gets:"


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the paragraph above it, the heading of its section, its lines."""

    language: str
    above: str
    section: str
    text: str


def blocks(path: Path = README) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found, above, section, new = [], "", "", True
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("```"):
            inside = list(iter(lambda: next(lines), "```"))
            found.append(Block(line[3:], above, section, "\n".join(inside)))
            above = ""
        elif line.strip():
            above, new = (line if new else f"{above} {line}"), False
        else:
            new = True
    return found


def pattern(shown: str, *, numbers: bool = False) -> re.Pattern[str]:
    """What ``shown`` stands for: a line '…' is any lines, '…' in a line is any words, and how many blanks there are does not
    count; ``numbers``: nor do numbers, times and hashes."""
    out = ""
    for line in shown.splitlines():
        if line.strip() == "…":
            out += r"(?:[^\n]*\n)*?"
            continue
        words = re.escape(re.sub(r"\s+", " ", line.strip())).replace("…", r"[^\n]*").replace(r"\ ", " ")
        if numbers:
            words = re.sub(r"\d{4}\\-\d\d\\-\d\dT[\d:]+Z", r"[\\dTZ:-]+", words)
            words = re.sub(r"\b[0-9a-f]{64}\b", "[0-9a-f]{64}", words)
            words = re.sub(r"(?<![\w{\[])\d+(?!\w)", r"\\d+", words)
        out += r"[ \t]*" + words.replace(" ", r"[ \t]+") + r"[ \t]*\n"
    return re.compile(out)


# -- commands -------------------------------------------------------------------------------------------


def session() -> list[tuple[str, str]]:
    """The commands of the page in order, each with the output it shows; the demo stands for its script."""
    found: list[tuple[str, str]] = []
    for block in blocks():
        if block.language == "sh" and block.text == DEMO:
            found.append(("PATH=bin:$PATH pbem demo demo --seed 7", "…"))
        elif block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                found.append((command, shown))
    return found


def stage(folder: Path) -> None:
    """What a reader has: a virtual environment with pbem in it, and the mail that the page says to save."""
    for place in (folder / "bin", folder / ".venv" / "bin"):
        place.mkdir(parents=True)
        script = place / "pbem"
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m pbem "$@"\n')
        script.chmod(0o755)
    (folder / ".venv" / "bin" / "activate").write_text('PATH="$PWD/.venv/bin:$PATH"\n')
    [saved] = [b.text for b in blocks() if b.text.startswith("From: ")]
    (folder / "orders.eml").write_text(saved + "\n")


@pytest.mark.timeout(600)
def test_the_commands_do_what_the_page_shows(tmp_path: Path) -> None:
    stage(tmp_path)
    commands = session()
    script = "".join(f"{command}\necho \"@@@ $?\"\n" for command, _ in commands)
    env = {k: v for k, v in os.environ.items() if not k.startswith("PBEM_")} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh"], input=script, cwd=tmp_path, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True
    )
    outputs = re.findall(r"(.*?)^@@@ (\d+)\n", done.stdout, flags=re.MULTILINE | re.DOTALL)
    assert len(outputs) == len(commands)
    for (command, shown), (output, code) in zip(commands, outputs, strict=True):
        assert code == "0", f"{command}\n{output}"
        assert pattern(shown, numbers=True).fullmatch(output), f"$ {command}\n{output}\nbut the page shows\n{shown}"
    for left in re.findall(r"^- `([\w./]+)`|^- `(\w+)/` and `(\w+)/`", README.read_text(), flags=re.MULTILINE):
        assert all((tmp_path / "demo" / name).exists() for name in left if name), left


@pytest.mark.parametrize("script", ["demo", "test", "venv"])
def test_the_scripts_are_sound(script: str) -> None:
    subprocess.run(["sh", "-n", str(ROOT / "deploy" / f"{script}.sh")], check=True)


def test_the_two_commands_head_the_page_and_do_as_it_says() -> None:
    assert [b.text for b in blocks()[:2]] == [DEMO, "sh deploy/test.sh"]
    demo, test = ((ROOT / "deploy" / f"{name}.sh").read_text() for name in ("demo", "test"))
    assert "make_venv .venv" in demo and demo.endswith('exec .venv/bin/pbem demo demo "$@"\n')
    assert "make_venv .venv" in test and test.rstrip().endswith('"$@"')


def test_every_block_is_run_mailed_or_parsed() -> None:
    for block in blocks():
        mailed = block.above.endswith((*WRITERS, READER)) or block.section in ("Writing orders", "A club by mail")
        assert block.language in ("sh", "console") or (block.language == "text" and mailed), block.text


def commands_named(path: Path) -> Iterator[list[str]]:
    """Every ``pbem`` command in the prose and the indented lines of a page."""
    page = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for code in [*re.findall(r"`([^`\n]+)`", page), *re.findall(r"^    (\S.*)$", page, flags=re.MULTILINE)]:
        if found := re.search(r"^pbem ([a-z-].*)$", code):
            yield shlex.split(found[1])


@pytest.mark.parametrize("path", [README, GUIDE], ids=["readme", "guide"])
def test_every_command_named_is_one(path: Path) -> None:
    named = list(commands_named(path))
    assert named
    for words in named:
        command: Any = typer.main.get_command(application())
        general = {o for p in command.params for o in p.opts}
        if words and words[0] in general:
            continue
        while hasattr(command, "commands"):
            assert words and words[0] in command.commands, f"pbem has no command {words}"
            command, words = command.commands[words[0]], words[1:]
            if not words:
                break
        if words:
            command.make_context("pbem", list(words))


def test_every_file_named_is_there() -> None:
    for path in (README, GUIDE):
        for _, target in re.findall(r"\[([^\]]+)\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), target
    page = README.read_text(encoding="utf-8")
    for name in re.findall(r"`((?:pbem|tests|scenarios|deploy|\.ci|templates)/[\w./]*)`", page):
        assert (ROOT / name).exists(), name


# -- the first day --------------------------------------------------------------------------------------


@dataclass
class PageDice:
    """Dice for the page: the n-th roll of a rule always shows the same, whatever else there is in the journal."""

    thrown: dict[tuple[Any, ...], int] = field(default_factory=dict)

    def face(self, dice: SeededDice, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        known = self.thrown.setdefault((rule, step, attempt, n), sum(key[0] == rule for key in self.thrown))
        return hashlib.sha256(f"{rule} {known}".encode()).digest()[0] % sides + 1


def first_day(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[tuple[Block, list[str]]]:
    """Play the mails that the page's people write; every block of mail with what Ann has been mailed since the last one."""
    thrown = PageDice()
    patch.setattr(SeededDice, "face", lambda dice, *place: thrown.face(dice, *place))
    path = folder / "club.db"
    club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False))
    try:
        club.game("p1")
        got = [text(m) for m in club.post() if m["To"] == ANN]
        for block in blocks():
            if block.above.endswith(READER):
                yield block, got
            for words, sender in WRITERS.items():
                if block.above.endswith(words):
                    body = block.text.partition("\n\n")[2] if block.text.startswith("From: ") else block.text
                    outcome = club.write(sender, body + "\n")
                    assert outcome.disposition.startswith("accept"), outcome
                    got = [text(m) for m in club.post() if m["To"] == ANN]
                    yield block, got
    finally:
        club.app.close()


def first_false_line(shown: str, mails: list[str]) -> str:
    """The first line of an excerpt that does not stand where it should in any of the mails; '' if all do."""
    lines = shown.splitlines()
    starts = ("\n".join(lines[: n + 1]) for n in range(len(lines)))
    return next((lines[n] for n, start in enumerate(starts) if not any(pattern(start).search(mail) for mail in mails)), "")


def test_the_mails_of_the_first_day_are_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = [first_false_line(b.text, got) for b, got in first_day(tmp_path, monkeypatch) if b.above.endswith(READER)]
    assert shown == ["", "", ""], "python -m tests.test_readme prints the mails to take excerpts from"


# -- the orders -----------------------------------------------------------------------------------------

POSITION = "at 12 5-2\nat 14 51-1\nat 15 50-1 50-2\nat 16 HG-1\nat eliminated 231\navailable ENG-2 24ART"
CHOICES = [Option("press"), Option("abort")]
QUESTION = Ask("allied", "abort", "6.41", "2 allied combat", lambda: CHOICES, "press", "", "15", {}, "q12.3")


def order_lines() -> list[str]:
    """The order lines of the page, without their comments, and the requests that its text names."""
    [block] = [b for b in blocks() if b.section == "Writing orders"]
    [requests] = re.findall(r"^Requests[^:]*: (.*?)\. ", README.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [*re.findall(r"`(.*?)`", requests), *_uncommented(block.text)]


def _uncommented(shown: str) -> list[str]:
    return [line for line in (re.sub(r"\s*#.*", "", x) for x in shown.splitlines()) if line]


def refusals(line: str, in_force: list[Directive]) -> list[str]:
    """What is wrong with the line, for the side that understands it best."""
    request, rest = take([Line(1, line)])
    if request and not rest:
        return []
    tries = []
    for side in ("allied", "axis"):
        asks = [QUESTION] if side == "allied" else []
        parsed = orders.parse(board(POSITION, "primosole_bridge"), side, "2 reinforcement", rest, asks, in_force)
        tries.append([f"{d.line.text}: {d.message}" for d in parsed.diagnostics])
        if parsed.good and side == "allied":
            in_force += [
                directive(x | {"id": f"d{len(in_force)}.{i}", "side": side})
                for i, x in enumerate(parsed.directives) if x["mode"] == STANDING
            ]
    return min(tries, key=len)


def test_every_order_shown_is_one() -> None:
    in_force: list[Directive] = []
    for line in order_lines():
        assert refusals(line, in_force) == []


def test_every_line_to_the_club_is_one_and_every_verb_is_shown() -> None:
    [block] = [b for b in blocks() if b.section == "A club by mail"]
    lines = _uncommented(block.text)
    assert [line for line in lines if not request(Line(1, line), "", ["p1"]) and not line.startswith("press to ")] == []
    shown = {line.split(" ")[0] for line in lines}
    assert [v.name for v in CLUB.verbs if v.name not in shown] == []


def of_other_scenarios(rule: str) -> bool:
    """Whether the introductory scenario does not reach the rule, or it is the mere heading of a chapter."""
    with (ROOT / "scenarios" / "fab_sicily" / "rules.csv").open(encoding="utf-8", newline="") as file:
        reached = {row["rule"]: row["primosole_bridge"] for row in csv.DictReader(file)}
    return reached.get(rule, "yes") != "yes"


def test_every_order_word_of_the_introductory_scenario_is_shown() -> None:
    shown = {tokenise(line)[0].text for line in order_lines()}
    for play in (VERBS, SERVICE):
        missing = [v.name for v in play.verbs if v.name not in shown and not of_other_scenarios(v.rule)]
        assert missing == [], f"the README does not show {missing}"
    phrases = set(re.findall(r"; (\w+)", "\n".join(order_lines()))) | {"with"}
    assert set(CLAUSE_HELP) - phrases <= {"air"}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patched:
        for shown_block, mails in first_day(Path(place), patched):
            print(f"{'=' * 30} {shown_block.above}", *(mails if not shown_block.above.endswith(READER) else []), sep="\n")
