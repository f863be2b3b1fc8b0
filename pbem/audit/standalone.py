#!/usr/bin/env python3
"""Checks the bundle of a pbem game: python3 standalone.py GAME.zip [MAIL.eml | OLDER.zip ...]

Python 3.8 or later, nothing else.  It reads the bundle, follows the hash chain, and, as far as seeds have been opened,
throws every die again.  Each mail of the game names the head of the chain at that time: mails you have kept (and bundles you
were given earlier) bear witness against a journal that was rewritten and sealed afresh.  It does not know the rules of the
game; 'pbem verify' also runs them again.  Exit code 0: all agrees; 1: the first thing that does not; 2: no bundle.
"""
import email
import email.policy
import hashlib
import hmac
import json
import re
import sys
import zipfile

FIELDS = ("game", "seq", "step", "kind", "payload", "source", "at", "prev")
HEAD = re.compile(r"Chain\s+head\s+after\s+journal\s+row\s+(\d+),\s+for\s+your\s+records:[\s>|]*((?:[0-9a-f]{32}[\s>|]*){2})")

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

    def seed(self):
        return self.seeds[self.epoch] if self.epoch < len(self.seeds) else None

    def row(self, row):
        kind, payload, seed = row["kind"], row["payload"], self.seed()
        place = self.binding if kind == "orders" else row["seq"]
        self.binding = next_binding(self.binding, kind, payload)
        if kind == "game":
            self.begin(row, payload)
        elif kind == "step":
            self.begin_step(row, payload)
        elif kind == "roll":
            self.roll(row, payload, seed)
        elif kind == "event" and self.whole and "faces" in payload["event"]:
            if [payload["event"].get(k) for k in ("faces", "mods", "target")] != self.last_roll:
                raise Wrong("it repeats other dice, modifiers or another target than the roll before it")
        elif kind == "control" and payload.get("act") == "rewind":
            self.attempt += 1
            if "commitment" in payload:
                self.epoch += 1
                self.commitment(payload["commitment"])
        salt = mac(seed, canonical(["salt", row["game"], place])).hex()[:32] if seed and is_private(kind, payload) else ""
        if (self.whole or kind != "orders") and salt and payload.get("salt") != salt:
            raise Wrong("its salt is not the one the seed gives")

    def begin(self, row, payload):
        if row["seq"] != 0:
            raise Wrong("a second game begins")
        self.commitment(payload["commitment"])
        for name in ("title", "scenario", "dataset", "commitment", "options"):
            if payload[name] != self.manifest[name]:
                raise Wrong(f"the manifest's {name} is not that of row 0")

    def commitment(self, commitment):
        if self.seed() and hashlib.sha256(self.seed()).hexdigest() != commitment:
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

def read(path):
    with zipfile.ZipFile(path) as bundle:
        manifest, data = json.loads(bundle.read("manifest.json")), json.loads(bundle.read("dataset.json"))
        rows = [json.loads(line) for line in bundle.read("journal.jsonl").decode("utf-8").split("\n") if line]
    if manifest["format"] != 2:
        raise ValueError(f"the bundle is of format {manifest['format']}")
    return manifest, rows, data

def witnesses(paths, game):
    """What kept mails and older bundles say: {row number: (hash, where it stands)}."""
    said = {}
    for path in paths:
        if path.lower().endswith(".zip"):
            manifest, rows, _ = read(path)
            said.update({r["seq"]: (r["hash"], path) for r in rows if manifest["game"] == game})
            continue
        with open(path, "rb") as file:
            body = email.message_from_binary_file(file, policy=email.policy.default).get_body(("plain", "html"))
        text = re.sub(r"<[^>]*>", " ", body.get_content()) if body else ""
        if re.search(rf"(?i)game\s+{re.escape(game)}\b", text):
            said.update({int(seq): (re.sub("[^0-9a-f]", "", head), path) for seq, head in HEAD.findall(text)})
    return said


def check(path, witness_paths=()):
    """A line that says what was checked; raises Wrong at the first thing that does not agree."""
    manifest, rows, data = read(path)
    whole, over = all("payload" in r for r in rows), manifest["status"] == "over"
    said = witnesses(witness_paths, manifest["game"])
    game, prev, agreed, last = Game(manifest, whole), "0" * 64, -1, len(rows) - 1
    for number, row in enumerate(rows):
        if row["seq"] != number:
            raise Wrong(f"row {number} is missing (row {row['seq']} stands in its place)")
        if row["prev"] != prev:
            raise Wrong(f"row {number} does not follow row {number - 1}")
        if "payload" in row and digest([row[f] for f in FIELDS]) != row["hash"]:
            raise Wrong(f"row {number} ({row['kind']}) was changed: its hash does not fit its content")
        prev = row["hash"]
        if number in said and said[number][0] != prev:
            raise Wrong(f"row {number} has another hash than {said[number][1]} says: rows {agreed + 1} to {number} are not what"
                        " they were")
        agreed = number if number in said else agreed
        if "payload" not in row and over:
            raise Wrong(f"row {number} is withheld, though the game is over")
        try:
            if "payload" in row:
                game.row(row)
        except Wrong as wrong:
            raise Wrong(f"row {number}: {wrong}") from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Wrong(f"row {number} is no proper {row['kind']} row ({type(error).__name__}: {error})") from None
    if (len(rows), prev) != (manifest["rows"], manifest["head"]):
        raise Wrong(f"row {last} is the last one here, but the manifest says row {manifest['rows'] - 1}, or another hash")
    for number in sorted(n for n in said if n > last):
        raise Wrong(f"rows {last + 1} to {number} are missing, though {said[number][1]} names row {number}")
    if not rows or rows[0].get("kind") != "game" or digest(data) != rows[0]["payload"]["dataset"]:
        raise Wrong("row 0 begins no game, or names another data set than this one")
    if over and not game.seed():
        raise Wrong("row 0 commits to a seed that is not here, though the game is over")
    hidden = sum("payload" not in r for r in rows)
    return (f"{manifest['game']}: {len(rows)} rows follow each other, {hidden} of them known by their hash alone; {game.rolls} "
            f"rolls, {game.dice} dice thrown again and found right; {len(said)} witnesses agree; head {prev}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        print("OK", check(sys.argv[1], sys.argv[2:]))
    except Wrong as wrong:
        print("WRONG", wrong)
        sys.exit(1)
    except (OSError, KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
        print(f"this is no bundle of a game, or no mail: {error}", file=sys.stderr)
        sys.exit(2)
