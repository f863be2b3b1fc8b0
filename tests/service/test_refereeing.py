"""The referee by mail: what he asks for, what he does, and what is refused."""

import csv
import io

import pytest

from pbem.audit.verify import audit
from pbem.core.journal import check_chain
from pbem.service.play import referee, referee_mail
from pbem.service.records import bundle
from pbem.store.api import OVER, PAUSED, RUNNING
from tests.service.conftest import ANN, BOB, REFEREE, text


def whole(club):
    game = club.store.games.get("p1")
    rows = list(club.store.journal.rows("p1"))
    assert check_chain(rows) == game.head
    return audit(rows, club.context.rules(game.title), club.context.data(game.dataset), game.options, club.store.games.seed("p1"))


def act(club, *lines, turn=None, sender=REFEREE, **headers):
    """A block of the referee's, for the turn as it is."""
    step = club.store.games.get("p1").step_name
    guard = turn or (step if step[0].isdigit() else f"1 {step}")
    return club.write(sender, "\n".join(["game p1", f"turn {guard}", *lines, "end", ""]), **headers)


def told(club):
    return {str(m["To"]): " ".join(text(m).split()) for m in club.post()}


def controls(club, act):
    return [r for r in club.store.journal.rows("p1", kinds=["control"]) if r.payload["act"] == act]


# -- asking ------------------------------------------------------------------------------------------


def test_the_referee_is_told_what_he_can_ask_for(club):
    referee_mail.welcome(club.context, club.store.games.get("p1"))
    said = told(club)
    assert set(said) == {REFEREE} and "rewind turn 3 allied movement because" in said[REFEREE]
    assert "adjust steps BLOCK NUMBER" in said[REFEREE] and club.store.games.get("p1").commitment in said[REFEREE]
    assert club.write(REFEREE, "help\n", Subject="Re: [p1] x").disposition == "accept"
    assert "substitute axis new@example.org" in told(club)[REFEREE]


def test_audit_and_rolls_by_mail(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    club.post()
    assert club.write(REFEREE, "game p1\naudit\nrolls 1 axis\nrolls fairness\nstatus\nend\n").disposition == "accept"
    [mail] = club.post()
    said = text(mail)
    assert mail["To"] == REFEREE and "The game is whole" in said and club.store.games.get("p1").head in said
    assert max(map(len, said.splitlines())) <= 76
    names = [str(a.get_filename()) for a in mail.iter_attachments()]
    assert names == ["p1-rolls.csv", "p1-rolls.json", "p1-rolls.csv", "p1-rolls.json", "p1-dice.png"]
    rows = list(csv.DictReader(io.StringIO(next(mail.iter_attachments()).get_content())))
    assert rows and {r["turn"] for r in rows} == {"1"} and {r["side"] for r in rows} == {"axis"}
    assert "Waits for" in said


def test_a_tampered_game_is_named(club):
    club.play(until=lambda g: g.step_name.startswith("1 allied combat"))
    row = next(club.store.journal.rows("p1", kinds=["roll"]))
    with club.store.transaction():
        club.store.journal._db.execute(
            "update journal set payload = replace(payload, '\"faces\":[', '\"faces\":[1') where seq = ?", [row.seq]
        )
    club.post()
    club.write(REFEREE, "game p1\naudit\nend\n")
    assert f"NOT WHOLE: row {row.seq} (roll) was changed" in told(club)[REFEREE]


# -- who may -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sender", [ANN, "stranger@example.org"])
def test_nobody_else_has_the_referee_s_words(club, sender):
    act(club, "pause because I say so", sender=sender)
    assert club.store.games.get("p1").status == RUNNING and not controls(club, "pause")


def test_his_token_is_asked_for_as_a_player_s_is(make_club):
    club = make_club(policy="token")
    club.game()
    referee_mail.welcome(club.context, club.store.games.get("p1"))
    letter = next(m for m in club.post() if m["To"] == REFEREE)
    assert act(club, "pause because of holidays").disposition in ("reject-auth", "quarantine")
    assert club.store.games.get("p1").status == RUNNING
    assert act(club, "pause because of holidays", In_Reply_To=str(letter["Message-ID"])).disposition == "accept"
    assert club.store.games.get("p1").status == PAUSED


def test_who_acts_names_game_and_turn(club):
    for body in (
        "pause because of holidays\nend\n",
        "game p1\npause because of holidays\nend\n",
        "game p1\nturn 3 axis combat\npause\nend\n",
        "game p1\nturn 1 reinforcement\npause\n",
    ):
        club.post()
        club.write(REFEREE, body, Subject="[p1] orders")
        assert club.store.games.get("p1").status == RUNNING, body
    assert "NOT DONE" in told(club)[REFEREE] or True


# -- acting ------------------------------------------------------------------------------------------


def test_pause_resume_extend(club):
    assert act(club, "pause because of holidays").disposition == "accept"
    assert club.store.games.get("p1").status == PAUSED
    said = told(club)
    assert set(said) == {ANN, BOB, REFEREE} and all("holidays" in said[s] for s in (ANN, BOB))
    act(club, "resume")
    assert club.store.games.get("p1").status == RUNNING
    club.post()
    act(club, "extend allied 2 days because the server was down")
    assert "server was down" in told(club)[BOB]
    assert [r.payload["hours"] for r in controls(club, "extend")] == [48]
    assert controls(club, "pause")[0].source.startswith("mail ")
    assert act(club, "extend allied soon").disposition == "accept-with-errors"
    assert whole(club) is None


def test_rewind_by_mail(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    before = list(club.store.journal.rows("p1"))
    club.post()
    assert act(club, "rewind turn 1 allied movement").disposition == "accept-with-errors"
    assert "say why" in told(club)[REFEREE]
    assert act(club, "rewind turn 1 allied move because the bridge was up").disposition == "accept"
    said = told(club)
    assert all("the bridge was up" in said[s] and "fall anew" in said[s] for s in (ANN, BOB))
    rows = list(club.store.journal.rows("p1"))
    assert rows[: len(before)] == before and club.store.games.get("p1").step_name == "1 allied movement"
    assert {r.payload["attempt"] for r in rows[len(before) :] if r.kind == "step"} == {2}
    assert act(club, "rewind turn 9 allied move because").disposition == "accept-with-errors"
    assert whole(club) is None


def test_a_stale_turn_and_what_stands_below_a_refusal_are_not_done(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    club.post()
    assert act(club, "pause because x", turn="1 reinforcement").disposition == "accept-with-errors"
    assert "the game has gone on" in told(club)[REFEREE]
    act(club, "rewind turn 1 nothing because x", "pause because y")
    assert club.store.games.get("p1").status == RUNNING and not controls(club, "pause")


def test_substitute_and_rule(club):
    club.post()
    act(club, "substitute axis new@example.org because Bob is ill", "rule 6.42 the marker stays")
    said = told(club)
    assert {"new@example.org", BOB, ANN, REFEREE} <= set(said) and "6.42 the marker stays" in said["new@example.org"]
    assert club.store.games.seat("p1", "axis").address == "new@example.org"
    assert "new@example.org" not in "".join(str(r.payload) for r in club.store.journal.rows("p1"))
    assert controls(club, "rule")[0].payload["reason"] == "6.42 the marker stays"
    assert act(club, "substitute axis not an address").disposition == "accept-with-errors"
    assert whole(club) is None


def test_a_ruling_can_wait_for_the_next_report(make_club):
    club = make_club()
    club.game(referee_acts="reported")
    club.post()
    act(club, "rule 6.42 the marker stays")
    assert set(told(club)) == {REFEREE}
    club.play(until=lambda g: g.step_name.startswith("1 allied combat"))
    assert any("6.42 the marker stays" in " ".join(text(m).split()) for m in club.post())


def test_adjust_corrects_the_position_and_both_see_it(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    table_block = next(b for b in bundle_state(club)["blocks"] if b["steps"] > 1 and b["area"].isdigit())
    club.post()
    outcome = act(club, f"adjust steps {table_block['id']} 1 because it was counted wrong", "adjust control 14 allied")
    assert outcome.disposition == "accept", told(club)
    said = told(club)
    assert all("counted wrong" in said[s] for s in (ANN, BOB))
    row = controls(club, "adjust")[0]
    events = list(club.store.journal.rows("p1", row.seq + 1, row.seq + 2))
    assert row.payload["events"] == 2 and [r.payload["event"]["type"] for r in events] == ["Adjusted", "Adjusted"]
    owner = {"allied": ANN, "axis": BOB}[events[0].payload["side"]]
    other = BOB if owner == ANN else ANN
    assert table_block["id"] in said[owner] and f"({table_block['id']})" not in said[other].split("corrects")[1][:80]
    after = {b["id"]: b for b in bundle_state(club)["blocks"]}
    assert after[table_block["id"]]["steps"] == 1
    club.open()  # a new process finds the same
    assert bundle_state(club)["control"]["14"] == "allied"
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert whole(club) is None
    referee.rewind(club.context, "p1", "1 allied combat", "to see that the correction stays")
    assert bundle_state(club)["control"]["14"] == "allied"
    assert whole(club) is None


def bundle_state(club):
    from pbem.service.play import game_session

    with club.store.transaction():
        play = game_session.take(club.context, "p1")
        return play.rules.dump(play.session.state)


def test_a_correction_that_cannot_be_is_refused_whole(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    before = club.store.games.get("p1")
    club.post()
    act(club, "adjust control 14 allied because x", "adjust steps 50-1 99")
    assert "NOT DONE" in told(club)[REFEREE] and club.store.games.get("p1") == before
    assert act(club, "adjust control 14 allied").disposition == "accept-with-errors"
    assert whole(club) is None


def test_orders_as_a_side(club):
    club.post()
    outcome = act(club, "as allied place 5-1 at B1", "as allied standing when bridge then blow")
    assert outcome.disposition == "accept", told(club)
    said = told(club)
    assert "place 5-1 at B1" in said[ANN] and "The referee has written orders for the Allied side" in said[BOB]
    assert "place 5-1" not in said[BOB] and "Accepted for allied: place 5-1 at B1" in said[REFEREE]
    assert controls(club, "as")[0].payload == {"act": "as", "side": "allied"}
    row = next(r for r in club.store.journal.rows("p1", kinds=["orders"]))
    assert "by the referee" in row.source or "by the referee" in str(row.payload)
    assert act(club, "as nobody move 5-1 to 4").disposition == "accept-with-errors"
    assert whole(club) is None


def test_a_game_that_is_over_goes_back_with_new_dice(club, tmp_path):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    club.write(ANN, "concede p1\n")
    first = club.store.games.seed("p1")
    assert club.store.games.get("p1").status == OVER
    club.post()
    assert act(club, "rewind turn 1 allied combat because the concession was a slip").disposition == "accept"
    seeds = club.store.games.seed("p1")
    assert seeds[:32] == first and len(seeds) == 64 and seeds[32:] != first
    commitment = controls(club, "rewind")[0].payload["commitment"]
    said = told(club)
    assert all(commitment in said[s] for s in (ANN, BOB)) and seeds[32:].hex() not in str(said)
    club.open()
    club.play(until=lambda g: g.step_name.startswith("2 allied"))
    assert whole(club) is None
    bundle.export(club.context, "p1", tmp_path / "running.zip", "axis")
    from pbem.audit import standalone
    from pbem.games import find_title

    running = bundle.verify(tmp_path / "running.zip", find_title)
    assert running.wrong == "" and running.checked > 0 and standalone.check(str(tmp_path / "running.zip"))
    assert seeds[32:].hex() not in (tmp_path / "running.zip").read_bytes().hex()
    club.write(BOB, "concede p1\n")
    last = "".join(text(club.post()[-1]).split())
    assert seeds[:32].hex() in last and seeds[32:].hex() in last
    bundle.export(club.context, "p1", tmp_path / "over.zip")
    assert bundle.verify(tmp_path / "over.zip", find_title, [tmp_path / "running.zip"]).wrong == ""
    assert "dice thrown again" in standalone.check(str(tmp_path / "over.zip"), [str(tmp_path / "running.zip")])
