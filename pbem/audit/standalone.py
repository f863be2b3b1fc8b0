#!/usr/bin/env python3
"""Checks the bundle of a pbem game: python3 standalone.py GAME.zip [MAIL.eml | OLDER.zip ...]

Python 3.8 or later, nothing else.  It reads the bundle, follows the hash chain, and, as far as seeds have been opened,
throws every die again.  Each mail of the game names the head of the chain at that time: mails you have kept (and bundles you
were given earlier) bear witness against a journal that was rewritten and sealed afresh.  It does not know the rules of the
game; 'pbem verify' also runs them again, and knows whether a game that is said to be over has ended.
Exit code 0: all agrees; 1: the first thing that does not; 2: no bundle.
"""
import email
import email.policy
import email.utils
import hashlib
import hmac
import json
import re
import sys
import zipfile
import zlib
from datetime import timezone

FIELDS = ("game", "seq", "step", "kind", "payload", "source", "at", "prev")
HEAD = re.compile(r"([a-z0-9][a-z0-9.-]*) (\d{1,9}) ([0-9a-f]{64})")
FOOT = re.compile(
    r"^[\s>|]*-{24}[\s>|]+(?:In\s+game\s+([a-z0-9.-]*[a-z0-9])\.[\s>|]+)?Chain\s+head\s+after\s+journal\s+row\s+(\d{1,9}),"
    r"\s+for\s+your\s+records:[\s>|]*((?:[0-9a-f]{32}[\s>|]*){2})", re.MULTILINE)
LARGEST = 200_000_000

class Wrong(Exception):
    """Names the row that is not as it must be."""

def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")

def digest(value):
    return hashlib.sha256(canonical(value)).hexdigest()

def mac(seed, data):
    return hmac.new(seed, data, hashlib.sha256).digest()

def die(seed, game, step, attempt, n, sides, binding):
    block = mac(seed, canonical([game, step, attempt, n, sides, binding]))
    while True:
        for i in range(4):
            word = int.from_bytes(block[8 * i:8 * i + 8], "big")
            if word < 2 ** 64 - 2 ** 64 % sides:
                return word % sides + 1
        block = mac(seed, block)

def next_binding(binding, kind, payload):
    if kind == "orders":
        said = {k: payload[k] for k in payload if k != "cancel"}
        said["directives"] = [{k: d[k] for k in d if k != "source"} for d in payload["directives"]]
        return digest([binding, "orders", said])
    if kind == "control" and payload.get("act") == "deadline":
        return digest([binding, "deadline", payload["side"]])
    return binding

def is_private(kind, payload):
    return (kind in ("orders", "answer", "skip") or kind == "event" and not payload.get("open", True)
            or kind == "roll" and bool(payload.get("secret")))


class Game:
    def __init__(self, manifest, whole):
        self.manifest, self.whole = manifest, whole
        self.seeds = [bytes.fromhex(s) for s in manifest["seeds"]]
        self.binding = digest("no orders yet")
        self.step, self.attempt, self.epoch, self.next_die, self.rolls, self.dice, self.last_roll = 0, 1, 0, 0, 0, 0, None
        self.key, self.cuts = self.seed(), []

    def seed(self):
        return self.seeds[self.epoch] if self.epoch < len(self.seeds) else None

    def row(self, row):
        kind, payload = row["kind"], row["payload"]
        if row["game"] != self.manifest["game"]:
            raise Wrong(f"it is of game {row['game']!r}, not of {self.manifest['game']!r}")
        place = self.binding if kind == "orders" else row["seq"]
        self.binding = next_binding(self.binding, kind, payload)
        if kind == "game":
            self.begin(row, payload)
        elif kind == "step":
            self.begin_step(row, payload)
        elif kind == "roll":
            self.roll(row, payload, self.key)
        elif kind == "event" and self.whole and "faces" in payload["event"]:
            if [payload["event"].get(k) for k in ("faces", "mods", "target")] != self.last_roll:
                raise Wrong("it repeats other dice, modifiers or another target than the roll before it")
        elif kind == "control":
            self.control(row, payload)
        private = self.key and is_private(kind, payload)
        salt = mac(self.key, canonical(["salt", row["game"], place])).hex()[:32] if private else ""
        if (self.whole or kind != "orders") and salt and payload.get("salt") != salt:
            raise Wrong("its salt is not the one the seed gives")

    def control(self, row, payload):
        act = payload.get("act")
        if act == "nonce":
            self.key = self.key and mac(self.key, canonical(["nonce", payload["side"], payload["nonce"]]))
            self.commitment(payload["mixed"])
        if act == "restore":
            self.cuts.append((payload["row"], payload["was"], row["at"]))
            if (payload["row"], payload["head"]) != (row["seq"] - 1, row["prev"]):
                raise Wrong("it does not name the row that it follows as the last of the copy")
        self.attempt += act in ("rewind", "restore")
        if act == "rewind" and "commitment" in payload:
            self.epoch += 1
            self.key = self.seed()
            self.commitment(payload["commitment"])

    def lost(self, seq, at):
        """Whether a row that was told at a time went when the host put an older copy back."""
        return any(kept < seq and (was < 0 or seq <= was) and "" < at <= cut for kept, was, cut in self.cuts)

    def begin(self, row, payload):
        if row["seq"] != 0:
            raise Wrong("a second game begins")
        self.commitment(payload["commitment"])
        for name in ("title", "scenario", "dataset", "commitment", "options"):
            if payload[name] != self.manifest[name]:
                raise Wrong(f"the manifest's {name} is not that of row 0")

    def commitment(self, commitment):
        if self.key and hashlib.sha256(self.key).hexdigest() != commitment:
            raise Wrong(f"it commits to another seed than the one opened: {commitment}")

    def begin_step(self, row, payload):
        if row["step"] != self.step + 1:
            raise Wrong(f"step {row['step']} begins after step {self.step}")
        self.step, self.next_die = row["step"], 0
        if payload["attempt"] != self.attempt:
            raise Wrong(f"it is attempt {payload['attempt']}, but the game has been taken back {self.attempt - 1} times")

    def roll(self, row, roll, seed):
        self.rolls, faces, n = self.rolls + 1, roll["faces"], roll["n"]
        self.last_roll = [faces, roll["mods"], roll["target"]]
        if n < self.next_die or self.whole and n != self.next_die:
            raise Wrong(f"its dice are numbered from {n}, but {self.next_die} have fallen before in this step")
        self.next_die = n + len(faces)
        if len(faces) != roll["count"]:
            raise Wrong(f"{roll['count']} dice were to be rolled, {len(faces)} are shown")
        place = f"step {row['step']}, attempt {roll['attempt']}", f"step {self.step}, attempt {self.attempt}"
        if place[0] != place[1]:
            raise Wrong(f"it is of {place[0]}; the game is in {place[1]}")
        if self.whole and roll["binding"] != self.binding:
            raise Wrong("its dice are not bound to the orders before them")
        for i, face in enumerate(faces if seed else []):
            due = die(seed, row["game"], row["step"], self.attempt, n + i, roll["sides"], roll["binding"])
            self.dice += 1
            if face != due:
                raise Wrong(f"a die for {roll['purpose']} shows {face}, the seed gives {due}")

def once(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)

def no_number(word):
    raise ValueError(word + " is no number")

def parsed(text):
    return json.loads(text, parse_constant=no_number, object_pairs_hook=once)

def read(path):
    with zipfile.ZipFile(path) as bundle:
        if any(bundle.getinfo(part).file_size > LARGEST for part in ("manifest.json", "dataset.json", "journal.jsonl")):
            raise ValueError("it is larger than a game can be")
        manifest, data = parsed(bundle.read("manifest.json")), parsed(bundle.read("dataset.json"))
        rows = [parsed(line) for line in bundle.read("journal.jsonl").decode("utf-8").split("\n") if line]
    if manifest["format"] != 2:
        raise ValueError(f"the bundle is of format {manifest['format']}")
    return manifest, rows, data

def witnesses(paths, game):
    """What kept mails and older bundles say: (row number, hash, file, when it was said), in the order of the rows."""
    said = []
    for path in paths:
        found = of_bundle(path, game) if path.lower().endswith(".zip") else of_mail(path, game)
        if not found:
            raise ValueError(f"{path} bears no witness of game {game}: give mails that the server sent about it, or bundles")
        said += [(seq, head, path, at) for seq, head, at in found]
    return sorted(said, key=lambda each: each[0])

def of_bundle(path, game):
    manifest, rows, _ = read(path)
    at = max((r["at"] for r in rows if "at" in r), default="")
    return [(r["seq"], r["hash"], at) for r in rows if manifest["game"] == game]

def of_mail(path, game):
    """The header field of our mails, else the last block of our own in the text; nothing else in a mail counts."""
    with open(path, "rb") as file:
        mail = email.message_from_binary_file(file, policy=email.policy.default)
    try:
        sent = email.utils.parsedate_to_datetime(str(mail.get("Date", "")))
        at = sent.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: UP017 (older Pythons)
    except (TypeError, ValueError, OverflowError):
        at = ""
    for value in mail.get_all("X-PBEM-Head", [])[:1]:
        found = HEAD.fullmatch(" ".join(str(value).split()))
        return [(int(found[2]), found[3], at)] if found and found[1] == game else []
    body = mail.get_body(("plain",))
    feet = FOOT.findall(body.get_content()) if body else []
    tag = re.search(r"\[([a-z0-9][a-z0-9.-]*)(?:/[a-z0-9]{8})?\]", str(mail.get("Subject", "")))
    if not feet or (feet[-1][0] or (tag[1] if tag else "")) != game:
        return []
    return [(int(feet[-1][1]), re.sub("[^0-9a-f]", "", feet[-1][2]), at)]


def check(path, witness_paths=()):
    """A line that says what was checked; raises Wrong at the first thing that does not agree."""
    manifest, rows, data = read(path)
    whole, over = all("payload" in r for r in rows), manifest["status"] == "over"
    said = witnesses(witness_paths, manifest["game"])
    game, prev, last = Game(manifest, whole), "0" * 64, len(rows) - 1
    for number, row in enumerate(rows):
        if row["seq"] != number:
            raise Wrong(f"row {number} is missing (row {row['seq']} stands in its place)")
        if row["prev"] != prev:
            raise Wrong(f"row {number} does not follow row {number - 1}")
        if "payload" in row and digest([row[f] for f in FIELDS]) != row["hash"]:
            raise Wrong(f"row {number} ({row['kind']}) was changed: its hash does not fit its content")
        prev = row["hash"]
    broken = content(game, rows, over)
    lost = compare(game, rows, said)
    if broken:
        raise Wrong(broken)
    if (len(rows), prev) != (manifest["rows"], manifest["head"]):
        raise Wrong(f"row {last} is the last one here, but the manifest says row {manifest['rows'] - 1}, or another hash")
    if not rows or rows[0].get("kind") != "game" or digest(data) != rows[0]["payload"]["dataset"]:
        raise Wrong("row 0 begins no game, or names another data set than this one")
    if over and not game.key:
        raise Wrong("row 0 commits to a seed that is not here, though the game is over")
    hidden = sum("payload" not in r for r in rows)
    cuts = "".join(f"; a copy that ends with row {kept} was put back, {at}" for kept, _, at in game.cuts)
    gone = f", {lost} are of what was lost with it" if lost else ""
    return (f"{manifest['game']}: {len(rows)} rows follow each other, {hidden} of them known by their hash alone; {game.rolls} "
            f"rolls, {game.dice} dice thrown again and found right; {len(said) - lost} witnesses agree{cuts}{gone}; head {prev}")

def content(game, rows, over):
    """The first thing that is wrong with what the rows say, '' if nothing is."""
    for number, row in enumerate(rows):
        if "payload" not in row:
            if over:
                return f"row {number} is withheld, though the game is over"
            continue
        try:
            game.row(row)
        except Wrong as wrong:
            return f"row {number}: {wrong}"
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return f"row {number} is no proper {row['kind']} row ({type(error).__name__}: {error})"
    return ""

def compare(game, rows, said):
    """How many witnesses are of what a copy that was put back has cut off; raises Wrong if another one does not agree."""
    agreed, lost = -1, 0
    for seq, head, path, at in said:
        here = rows[seq]["hash"] if seq < len(rows) else ""
        if here != head and game.lost(seq, at):
            lost += 1
            continue
        if not here:
            raise Wrong(f"rows {len(rows)} to {seq} are missing, though {path} names row {seq}")
        if here != head:
            raise Wrong(f"row {seq} has another hash than {path} says: rows {agreed + 1} to {seq} are not what they were")
        agreed = seq
    return lost


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        print("OK", check(sys.argv[1], sys.argv[2:]))
    except Wrong as wrong:
        print("WRONG", wrong)
        sys.exit(1)
    except (OSError, KeyError, TypeError, ValueError, RecursionError, zipfile.BadZipFile, zlib.error) as error:
        print(f"this is no bundle of a game, or no mail of it: {error}", file=sys.stderr)
        sys.exit(2)
