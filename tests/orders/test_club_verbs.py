"""What is asked of the club: whole lines of a few shapes, wherever they stand, and no prose."""

import pytest

from pbem.orders.help import Examples
from pbem.orders.club_verbs import CLUB, near_misses, request, take
from pbem.orders.source import Line

EXAMPLES = Examples("fab_sicily/primosole_bridge", "axis")


def asked(text, leaving=("p1",)):
    return [(r.verb, *r.args) for r in take(text, leaving)[0]]


@pytest.mark.parametrize("line, found", [
    ("register Ann Smith.", ("register", "Ann Smith")),
    ("Register me as Ann", ("register", "Ann")),
    ("CONFIRM bcdf2345", ("confirm", "bcdf2345")),
    ("list", ("games",)),
    ("games p1 please", ("games", "p1")),
    ("new fab_sicily/campaign as axis open a=b c=d e", ("new", "fab_sicily/campaign", "as axis open a=b c=d e")),
    ("new campaign as axis", ("new", "campaign", "as axis")),
    ("join p1 as axis, please!", ("join", "p1", "axis")),
    ("address add <mailto:ann@example.net>", ("address", "add", "ann@example.net")),
    ("absence from 12 Dec to 20 Dec", ("absence", "from 12 Dec to 20 Dec")),
    ("absence cancel", ("absence", "cancel")),
    ("substitute me", ("available",)),
    ("available no", ("available", "no")),
    ("watch p1", ("observe", "p1")),
    ("leave p1", ("leave", "p1")),
    ("set all width 60", ("set", "all", "width 60")),
    ("report full p1", ("full", "p1")),
    ("accept bcdf2345", ("accept", "bcdf2345")),
])
def test_shapes(line, found):
    assert asked(f"Hello,\n\n{line}\n") == [found]


@pytest.mark.parametrize("line", [
    "list of my moves", "new ideas are welcome", "join us for a beer on Saturday", "absence makes the heart grow fonder",
    "confirm", "confirm your order", "leave 50-1", "leave", "decline", "accept the draw", "substitute axis new@example.org",
    "set width 60", "games people play", "address the troops", "accounts", "press to axis", "> games", "| games",
    "observe that I win", "available tomorrow",
])
def test_prose_and_orders_are_left_alone(line):
    found, rest = take(f"{line}\n", ("p1",))
    assert found == [] and rest == f"{line}\n"


def test_a_line_belongs_to_the_block_it_stands_in_and_leaves_it_blank():
    text = "games\ngame p1\njoin axis\nmove 1 to 2\nend\njoin p2\njoin p2\n"
    found, rest = take(text)
    assert [(r.verb, r.args, r.game, r.line.no) for r in found] == [
        ("games", (), "", 1), ("join", ("axis",), "p1", 3), ("join", ("p2",), "", 6),
    ]
    assert rest == "\ngame p1\n\nmove 1 to 2\nend\n\n\n"


def test_every_example_is_read_by_its_own_verb():
    for verb in CLUB.verbs:
        if verb.name != "press":
            found = request(Line(1, EXAMPLES.filled(verb.example)), "", ("p1",))
            assert found is not None and found.verb == verb.name


def test_what_is_nearly_a_request_is_found():
    assert [x.text for x in near_misses("join p1 as axis player\nHello\njoin p1\n")] == ["join p1 as axis player"]


def test_long_lines_take_no_long_time():
    for head in ("new ", "register ", "absence 1 ", "address add "):
        assert request(Line(1, head + "a b=" * 50_000)) is None
