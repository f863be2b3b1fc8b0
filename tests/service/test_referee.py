"""What a referee does, and that both players hear of it."""

import pytest

from pbem.audit.verify import audit
from pbem.core.journal import check_chain
from pbem.service.play import deadlines, game_session, referee
from pbem.service.play.referee import CannotDo
from pbem.service.play.game_session import BadGame, Player
from pbem.service.records import bundle
from pbem.store.api import CLOSED, DEADLINE, PAUSED, RUNNING
from tests.service.conftest import ANN, BOB, REFEREE, SCENARIO, text


def due(club, side="allied"):
    return next((d.at for d in club.store.games.dues("p1") if d.side == side and d.kind == DEADLINE), "")


def whole(club):
    game = club.store.games.get("p1")
    rows = list(club.store.journal.rows("p1"))
    assert check_chain(rows) == game.head
    return audit(rows, club.context.rules(game.title), club.context.data(game.dataset), game.options, club.store.games.seed("p1"))


def told(club):
    return {str(m["To"]): " ".join(text(m).split()) for m in club.post()}


def test_a_paused_game_keeps_orders_plays_nothing_and_has_no_deadline(club):
    assert referee.pause(club.context, "p1", "holidays").status == PAUSED
    said = told(club)
    assert set(said) == {ANN, BOB} and all("holidays" in s for s in said.values())
    assert due(club) == ""
    club.later(hours=1000)
    assert deadlines.sweep(club.context) == 0
    rows = len(list(club.store.journal.rows("p1")))
    assert club.write(ANN, "game p1\nplace 5-1 at B1\nend\n").disposition == "accept"
    said = told(club)[ANN]
    assert "paused" in said and "place 5-1 at B1" in said and len(list(club.store.journal.rows("p1"))) == rows
    assert referee.resume(club.context, "p1").status == RUNNING
    assert due(club) == "2026-04-28T01:15:00Z"
    assert set(told(club)) == {ANN, BOB}
    sent = list(club.store.journal.rows("p1", rows, kinds=["orders"]))
    assert [r.payload["directives"][0]["text"] for r in sent] == ["place 5-1 at B1"]
    assert club.store.games.draft("p1", "allied") is None
    assert whole(club) is None


def test_a_deadline_is_moved_for_who_is_asked(club):
    assert referee.extend(club.context, "p1", 48, reason="server trouble") == {"allied": "2026-03-19T09:15:00Z"}
    assert due(club) == "2026-03-19T09:15:00Z"
    assert all("server trouble" in s for s in told(club).values())
    with pytest.raises(CannotDo, match="axis"):
        referee.extend(club.context, "p1", 48, "axis")
    assert whole(club) is None


def test_going_back_erases_nothing_and_tells_both(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    before = list(club.store.journal.rows("p1"))
    club.write(ANN, "game p1\nphase 2 allied movement\nmove 5-1 to 4\nnonsense\nend\n")
    club.post()
    game = referee.rewind(club.context, "p1", "1 allied movement", "a ruling was wrong")
    assert game.step_name == "1 allied movement" and game.waiting == ("allied",)
    rows = list(club.store.journal.rows("p1"))
    assert rows[: len(before)] == before
    said = told(club)
    assert set(said) == {ANN, BOB} and all("a ruling was wrong" in s for s in said.values())
    assert club.store.games.draft("p1", "allied") is None and due(club)
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert {r.payload["attempt"] for r in club.store.journal.rows("p1", len(before), kinds=["roll"])} <= {2}
    assert whole(club) is None
    with pytest.raises(CannotDo, match="no phase called"):
        referee.rewind(club.context, "p1", "3 allied movement", "")


def test_a_substitute_gets_the_game_and_the_old_holder_nothing_more(make_club):
    club = make_club(policy="token")
    club.game()
    old = next(m for m in club.post() if m["To"] == ANN)
    referee.substitute(club.context, "p1", "allied", Player("Carol@example.org", "Carol"))
    sent = club.post()
    assert {str(m["To"]) for m in sent} == {ANN, BOB, "carol@example.org"}
    new = next(m for m in sent if m["To"] == "carol@example.org")
    orders = "game p1\nplace 5-1 at B1\nend\n"
    assert club.write(ANN, orders, In_Reply_To=str(old["Message-ID"])).reason == "you have no seat in a game called p1"
    assert club.write("carol@example.org", orders, In_Reply_To=str(old["Message-ID"])).disposition == "quarantine"
    assert club.write("carol@example.org", orders, In_Reply_To=str(new["Message-ID"])).disposition == "accept"
    assert "example.org" not in "".join(str(dict(r.payload)) for r in club.store.journal.rows("p1"))
    assert whole(club) is None


def test_a_running_game_is_closed_with_a_reason_only_and_everybody_hears_it(club):
    with pytest.raises(CannotDo, match="say why"):
        referee.close(club.context, "p1")
    assert referee.close(club.context, "p1", "nobody answers").status == CLOSED
    said = told(club)
    assert {ANN, BOB} <= set(said) and all("nobody answers" in s and "open it again" in s for s in said.values())
    assert not bundle.ended(club.store.games.get("p1")), "its secrets stay secret"
    with pytest.raises(CannotDo):
        referee.close(club.context, "p1")
    with pytest.raises(CannotDo, match="closed"):
        referee.pause(club.context, "p1")
    with pytest.raises(CannotDo):
        referee.resume(club.context, "p1")


def test_a_closed_game_can_be_opened_again(club):
    referee.close(club.context, "p1", "by mistake")
    club.post()
    assert referee.reopen(club.context, "p1").status == PAUSED
    assert {ANN, BOB} <= set(told(club))
    assert referee.resume(club.context, "p1").status == RUNNING and due(club)
    assert club.write(ANN, "game p1\nplace 5-1 at B1\nend\n").disposition == "accept"
    assert whole(club) is None


def test_a_game_that_is_over_and_closed_tells_all(club):
    club.write(ANN, "concede p1\n")
    game = club.store.games.get("p1")
    assert game.status == "over" and game.waiting == (), "it waits for nobody"
    referee.close(club.context, "p1")
    assert bundle.ended(club.store.games.get("p1"))
    assert referee.reopen(club.context, "p1").status == "over"


@pytest.mark.parametrize(
    ("side", "who", "why"),
    [("axis", ANN, "plays both sides"), ("axis", "judge@example.org", "own address"), ("allied", REFEREE, "referee of a game")],
)
def test_the_same_checks_stand_at_every_door(club, side, who, why):
    club.post()
    with pytest.raises(CannotDo, match=why):
        referee.substitute(club.context, "p1", side, Player(who))
    act = f"game p1\nturn 1 reinforcement\nsubstitute {side} {who} because x\nend\n"
    assert club.write(REFEREE, act).disposition == "accept-with-errors" and why in told(club)[REFEREE]
    players = {"allied": Player(ANN), "axis": Player(BOB), side: Player(who)}
    with pytest.raises(BadGame, match=why):
        game_session.create(club.context, *SCENARIO, "p2", players, Player(REFEREE))
    assert {s.side: s.address for s in club.store.games.seats("p1")} == {"allied": ANN, "axis": BOB, "referee": REFEREE}


def test_who_knows_one_side_does_not_get_the_other_but_by_force(club):
    referee.substitute(club.context, "p1", "axis", Player("cy@example.org"))
    with pytest.raises(CannotDo, match="knows what that side hides"):
        referee.substitute(club.context, "p1", "allied", Player(BOB))
    referee.substitute(club.context, "p1", "allied", Player(BOB), force=True)
    assert club.store.games.seat("p1", "allied").address == BOB


def test_cancel_orders_clears_what_is_kept_and_what_is_ordered_ahead(club):
    club.write(ANN, "game p1\nphase 1 allied movement\nmove 5/1 to Siracusa\nend\n")
    club.write(ANN, "game p1\nwait\nplace 5/1 at B3\nstanding when assets then done\nend\n")
    club.post()
    club.write(ANN, "game p1\ncheck\ncancel orders\nend\n")
    assert club.store.games.draft("p1", "allied") is not None
    club.write(ANN, "game p1\ncancel orders\nend\n")
    said = told(club)[ANN]
    assert "Taken back: place 5-1 at B3" in said and "Taken back: move 5-1 to 5" in said
    with club.store.transaction():
        play = game_session.take(club.context, "p1")
        assert play.draft("allied") is None and not play.in_force("allied")[1]
    club.write(ANN, "game p1\ncancel orders\nend\n")
    assert "nothing of yours to take back" in told(club)[ANN]
    assert whole(club) is None


@pytest.mark.parametrize(("early", "wait"), [("ready", ""), ("no", ""), ("yes", "wait\n")])
def test_a_standing_order_that_was_accepted_is_never_dropped_unseen(make_club, early, wait):
    club = make_club()
    club.game(early=early)
    club.write(BOB, f"game p1\n{wait}pass counter-admin\nstanding when bridge then blow\nend\n")
    club.post()
    club.write(BOB, f"game p1\n{wait}pass reaction\nend\n")
    said = told(club)[BOB]
    with club.store.transaction():
        standing = game_session.take(club.context, "p1").in_force("axis")[0]
    assert "pass counter-admin" in said or "Not kept any more" in said
    in_force = [d.text for d in standing] == ["standing when bridge then blow"]
    assert in_force or "Not kept any more, as this mail takes its place: standing" in said
