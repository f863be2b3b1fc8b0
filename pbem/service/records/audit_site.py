"""The audit of a game as a static site: timeline, orders beside the rolls they led to, positions, rolls, statistics, and a
verifier that runs in the page.  It needs no server and no other resource, and holds what its reader may know."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from pbem.audit import charts, stats
from pbem.audit.check import Finding, Sealed
from pbem.audit.history import Roll
from pbem.core.journal import Row, canonical
from pbem.core.fold import snapshot
from pbem.core.ruleset import State
from pbem.core.stage import Stage
from pbem.core.undone import undone_rows
from pbem.reports.maps import paint
from pbem.reports.render import render, template_dir
from pbem.reports.wording import counted
from pbem.service.records import bundle, roll_history
from pbem.service.records.bundle import Contents
from pbem.service.context import ServiceContext

if TYPE_CHECKING:
    from pbem.games.contract import Title

WIDTH = 640
"""Pixels of a picture of the map."""

SCRIPTS = ("verify.js", "page.js")


def write(context: ServiceContext, game: str, folder: Path, side: str = "", finding: Finding | str | None = None) -> Path:
    """Write the site into ``folder`` (made anew); gives its index.html.

    ``side``: for whom, while the game runs ('': the referee, who may see all; a game that is over is for everybody).
    ``finding``: what an audit by the rules found ('' for nothing, None if there was none).
    """
    found = bundle.contents(context, game, side)
    shutil.rmtree(folder / "positions", ignore_errors=True)
    (folder / "positions").mkdir(parents=True)
    view = _Site(context, found, side, list(context.store.journal.rows(game)), folder).view()
    said = finding.why if isinstance(finding, Finding) else finding
    style = (template_dir() / "audit" / "style.css").read_text(encoding="utf-8")
    page = render(template_dir(), "audit/index.html.j2", {**view, "finding": said, "same": said == "", "style": Markup(style)})
    (folder / "index.html").write_text(page, encoding="utf-8")
    (folder / "data.js").write_text(f"window.PBEM = {_script(data(found))};\n", encoding="utf-8")
    for name in SCRIPTS:
        shutil.copyfile(template_dir() / "audit" / name, folder / name)
    bundle.export(context, game, folder / "bundle.zip", side)
    return folder / "index.html"


def data(found: Contents) -> dict[str, Any]:
    """What the verifier in the page is given: the rows, each payload as the very text that was hashed."""
    manifest = found.manifest
    return {
        "game": manifest["game"], "seeds": manifest["seeds"], "count": manifest["rows"], "head": manifest["head"],
        "over": manifest["status"] == "over", "rows": [_plain(r) for r in found.rows],
    }


def _plain(row: Row | Sealed) -> dict[str, Any]:
    if isinstance(row, Sealed):
        return {"seq": row.seq, "prev": row.prev, "hash": row.hash}
    more = {"step": row.step, "kind": row.kind, "payload": canonical(row.payload), "source": row.source, "at": row.at}
    return {"seq": row.seq, "prev": row.prev, "hash": row.hash, **more}


def _script(value: Any) -> str:
    """JSON that may stand in a script of any page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@dataclass
class _Site:
    context: ServiceContext
    found: Contents
    side: str
    rows: Sequence[Row]
    folder: Path
    drawn: dict[str, dict[str, str]] = field(default_factory=dict)

    def view(self) -> dict[str, Any]:
        """What the template is given."""
        manifest = self.found.manifest
        rules = self.context.rules(manifest["title"])
        rolls = roll_history.of_game(rules, self.rows, manifest["side"], not manifest["side"])
        shown = {r.seq: r for r in self.found.rows if isinstance(r, Row)}
        steps = self._steps(shown, {r.row: r for r in rolls})
        turns: dict[str, list[dict[str, Any]]] = {}
        for step in steps:
            turns.setdefault(step["turn"], []).append(step)
        fair = roll_history.tested(rules, rolls)
        return {
            "game": {**manifest, "id": manifest["game"], "title": rules.title, "sides": list(rules.sides)},
            "turns": [_turn(title, found, not n) for n, (title, found) in enumerate(turns.items())],
            "rolls": [_told(r, rules.dice) for r in rolls], "roll_turns": sorted({r.turn for r in rolls if r.turn}),
            "roll_count": counted(len(rolls), "roll"), "fairness": _kinds(fair),
            "words": "\n".join(roll_history.fairness(rules, rolls)),
            "chart": Markup(charts.chart(rolls, fair, rules.succeeds, f"The dice of game {manifest['game']}")),
        }

    def _steps(self, shown: Mapping[int, Row], rolls: Mapping[int, Roll]) -> list[dict[str, Any]]:
        pictures = self._pictures()
        undone, dice = undone_rows(self.rows), self.context.rules(self.found.manifest["title"]).dice
        steps: list[dict[str, Any]] = []
        for row in self.rows:
            if row.kind == "step" or not steps:
                name = str(row.payload.get("name", "")) if row.kind == "step" else "the beginning"
                before, after = pictures.get(row.step, (None, None))
                stage = Stage.parse(name)
                turn = f"Turn {stage.turn}" if stage.turn else "Before turn 1"
                lists: dict[str, list[Any]] = {k: [] for k in ("orders", "acts", "rolls", "course", "rows")}
                told = {"number": row.step, "title": _title(name), "turn": turn, "undone": row.seq in undone}
                steps.append({**told, "pictures": _shown(before, after), **lists})
            step, seen = steps[-1], shown.get(row.seq)
            step["rows"].append({
                "seq": row.seq, "kind": seen.kind if seen else "held back",
                "payload": canonical(seen.payload) if seen else "known by its hash until the end of the game",
            })  # fmt: skip
            if seen is None:
                continue
            if row.kind == "orders":
                texts = [d["text"] for d in row.payload["directives"]]
                step["orders"].append({"row": row.seq, "side": row.payload["side"], "source": row.source, "texts": texts})
            elif row.kind == "control":
                step["acts"].append({"row": row.seq, "text": _act(row.payload)})
            elif row.seq in rolls:
                step["rolls"].append(_told(rolls[row.seq], dice))
                step["course"].append(step["rolls"][-1])
            elif row.kind == "answer" and row.payload["how"] != "forced":
                step["course"].append(_decided(row))
        return [_counted(step) for step in steps]

    # -- positions ---------------------------------------------------------------------------------

    def _pictures(self) -> dict[int, tuple[dict[str, str] | None, dict[str, str] | None]]:
        """The position before and after each step; one file for each position there has been."""
        manifest = self.found.manifest
        ground = self.context.geometry(manifest["title"])
        if ground is None:
            return {}
        rules = self.context.rules(manifest["title"])
        options = self.rows[0].payload["options"]
        state = rules.new_state(self.found.data, options)
        before: dict[int, dict[str, str] | None] = {}
        after: dict[int, dict[str, str] | None] = {}
        step, now, changed = 0, None, False
        for row in self.rows:
            if row.kind == "step":
                if changed:
                    now = self._picture(rules, state, ground)
                after[step], before[row.step], step, changed = now, now, row.step, False
            elif row.kind == "event":
                rules.apply(state, rules.event_from(row.payload["event"]))
                changed = True
            elif row.kind == "control" and row.payload.get("act") == "rewind":
                then = snapshot(rules, self.found.data, options, self.rows[: row.seq], row.payload["step"])
                after[step] = self._picture(rules, state, ground) if changed else now
                state, changed, step = rules.load(self.found.data, options, then.state), True, -1
        after[step] = self._picture(rules, state, ground) if changed else now
        return {n: (before.get(n), after.get(n)) for n in before}

    def _picture(self, rules: Title, state: State, ground: Mapping[str, Any]) -> dict[str, str]:
        side = self.found.manifest["side"]
        seen = rules.view(state, side) if side else rules.everything(state)
        shown = {k: v for k, v in seen.items() if k in rules.map_style["drawn"]}
        name = hashlib.sha256(canonical(shown).encode()).hexdigest()[:16]
        if name not in self.drawn:
            file = f"positions/{name}.png"
            (self.folder / file).write_bytes(paint.map_png(seen, ground, size=WIDTH))
            self.drawn[name] = {"file": file, "alt": paint.alt_text(seen, ground)}
        return self.drawn[name]


def _kinds(fair: Sequence[stats.Fairness]) -> list[dict[str, Any]]:
    """The counts as a table for each kind of die, with a line of what is to be expected behind each side."""
    found = []
    for die in dict.fromkeys(f.die for f in fair):
        mine = [f for f in fair if f.die == die]
        rows = [{"side": f.side, "counts": f.counts, "n": f.n, "due": [f"{d:.1f}" for d in f.due]} for f in mine]
        found.append({"die": die, "heads": mine[0].values, "rows": rows})
    return found


def _turn(title: str, steps: Sequence[Mapping[str, Any]], first: bool) -> dict[str, Any]:
    """A turn with its steps; the first one is shown open."""
    rolls = sum(len(s["rolls"]) for s in steps)
    return {"title": title, "steps": steps, "open": first, "counted": f"{counted(len(steps), 'phase')}, {counted(rolls, 'roll')}"}


def _counted(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step with what is in it counted."""
    rows, parts = step["rows"], (("orders", "mail"), ("rolls", "roll"), ("rows", "row"))
    mails, rolls, all_ = (counted(len(step[part]), word) for part, word in parts)
    return {**step, "counted": f"{mails} with orders, {rolls}, {all_}", "first": rows[0]["seq"], "last": rows[-1]["seq"]}


def _shown(before: Mapping[str, str] | None, after: Mapping[str, str] | None) -> list[dict[str, str]]:
    """The positions before and after a step, as far as there are pictures."""
    found = [{**before, "caption": "Position before"}] if before else []
    still = ": nothing has moved" if before and after and before["file"] == after["file"] else ""
    return found + ([{**after, "caption": f"Position after{still}"}] if after else [])


def _title(name: str) -> str:
    stage = Stage.parse(name)
    phase = stage.name.replace("-", " ")
    return f"Turn {stage.turn}, {phase}" if stage.turn else phase.capitalize()


def _act(payload: Mapping[str, Any]) -> str:
    """An act from outside, in words."""
    act, side, why = payload.get("act", ""), payload.get("side", ""), payload.get("reason", "")
    words = {
        "moved": "A deadline moved", "clock": "The referee changed the game's clock",
        "deadline": f"{side} said 'ready'" if payload.get("ready") else f"The deadline passed for {side}",
        "rewind": f"The referee took the game back to the start of {_title(str(payload.get('name', '')))}",
        "adjust": "The referee corrected the position", "as": f"The referee wrote orders for {side}",
        "rule": "A ruling of the referee", "concede": f"{side} conceded", "substitute": f"The seat of {side} has a new player",
    }.get(act, f"The referee: {act}")
    return f"{words[:1].upper()}{words[1:]}{f': {why}' if why else ''}."


HOW = {"mailed": "as ordered", "plan": "by the plan", "standing": "by the standing order", "default": "by default"}


def _decided(row: Row) -> dict[str, Any]:
    """A decision, and the orders that it came from."""
    payload = row.payload
    from_row = str(payload["id"]).partition(".")[0]
    said = {k: payload[k] for k in ("side", "key", "rule", "order")}
    kind = payload["kind"].replace("-", " ")
    how = HOW.get(payload["how"], payload["how"])
    return {"row": row.seq, "decision": True, **said, "kind": kind, "how": how, "from": from_row}


def _told(roll: Roll, usual: Sequence[str]) -> dict[str, Any]:
    mods = "; ".join(f"{name} {value:+d}" for name, value in roll.mods)
    target = "" if roll.target is None else roll.target
    return {
        **vars(roll), "decision": False, "mods": mods, "target": target, "result": roll.result or "drawn",
        "dice": " ".join(map(str, roll.faces)), "of": "" if roll.die in usual else f" of {roll.sides}",
    }  # fmt: skip
