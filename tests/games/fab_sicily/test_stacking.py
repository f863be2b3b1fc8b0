"""5.1 Stacking limits and 5.23 at the end of phases."""

from tests.games.fab_sicily.marches import rule
from tests.games.fab_sicily.play import Play, board


def end(text: str, **answers: object) -> Play:
    """A phase in which nobody does anything, and its end."""
    return Play(board(text), "2 allied movement", answers={"movement": ["done"], **answers}, default=True)


CROWD = "at 4 50-1 50-2 51-1\ncontrol allied 5\ncontrol axis 1 3 6"


@rule("5.1")
def test_the_owner_says_who_leaves_and_it_retreats_disordered() -> None:
    play = end(CROWD, overstack="leave 51-1")
    [ask] = [a for a in play.asked if a.kind == "overstack"]
    assert (ask.side, ask.where) == ("allied", "4")
    assert [o.key for o in ask.options] == ["leave 50-1", "leave 50-2", "leave 51-1"]
    assert play.state.blocks["51-1"].area == "5" and play.state.blocks["51-1"].status == "disordered"


@rule("5.1")
def test_where_to_is_asked_if_there_is_a_choice() -> None:
    play = end(f"{CROWD}\ncontrol allied 1", overstack="leave 50-2", **{"retreat-to": "retreat 50-2 to 1"})
    assert play.state.blocks["50-2"].area == "1"


@rule("5.1")
def test_who_cannot_retreat_is_eliminated() -> None:
    play = end("at 4 50-1 50-2 51-1\ncontrol axis 1 3 5 6", overstack="leave 50-1")
    assert [(e["block"], e["how"], e["rule"]) for e in play.of("Eliminated")] == [("50-1", "overstacked", "5.1")]


@rule("5.1")
def test_four_units_lose_two() -> None:
    play = end("at 4 50-1 50-2 51-1 51-2\ncontrol allied 5\ncontrol axis 1 3 6", overstack=["leave 50-1", "leave 50-2"])
    assert [b.id for b in play.state.blocks.values() if b.area == "5"] == ["50-1", "50-2"]


@rule("5.1")
def test_each_side_has_its_own_limit_and_assets_do_not_count() -> None:
    play = end("at 4 50-1 50-2 NAP-1 NAP-2\nmap 3CDO 4 flank")
    assert not [a for a in play.asked if a.kind == "overstack"]


@rule("5.23")
def test_field_works_without_a_friendly_unit_are_removed() -> None:
    play = end("at 4 50-1\nworks 4 allied\nworks 5 allied\nworks 14 axis\nat 14 NAP-1\ncontrol allied 5")
    assert play.state.works == {"4": "allied", "14": "axis"}
