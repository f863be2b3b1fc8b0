"""deploy/DICE.md says what the program does: its test values, its files, its words."""

import hashlib
import re
from pathlib import Path

from pbem.audit import standalone
from pbem.core.dice import FIRST_BINDING, row_salt, seeded_face
from pbem.core.journal import KINDS
from pbem.service.records import bundle

PAGE = (Path(__file__).parents[2] / "deploy" / "DICE.md").read_text(encoding="utf-8")
SEED = bytes(range(32))


def test_its_test_values_hold_for_both_programs() -> None:
    assert hashlib.sha256(SEED).hexdigest() in PAGE and FIRST_BINDING in PAGE and row_salt(SEED, "g", 7) in PAGE
    faces = re.search(r"n = 0 \.\.\. 9: +([\d ]+)", PAGE)
    assert faces
    said = [int(f) for f in faces[1].split()]
    assert said == [seeded_face(SEED, "g", 1, 1, n, 10, FIRST_BINDING) for n in range(10)]
    assert said == [standalone.die(SEED, "g", 1, 1, n, 10, standalone.digest("no orders yet")) for n in range(10)]


def test_it_names_every_kind_of_row_and_every_part_of_a_bundle() -> None:
    play = re.findall(r"^\| (\w+) \|", PAGE, re.MULTILINE)
    assert set(KINDS) <= set(play)
    assert all(f"`{part}`" in PAGE for part in (bundle.MANIFEST, bundle.JOURNAL, bundle.DATASET, bundle.VERIFIER, bundle.READ_ME))
    assert f"`format` {bundle.FORMAT}" in PAGE
