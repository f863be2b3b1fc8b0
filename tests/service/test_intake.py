"""From a raw mail to its effect and its answer."""

import pytest

from pbem.service.mailroom import intake
from pbem.service.play import ordering
from pbem.store.api import DONE, HALTED, NEW, SHELVED
from tests.service.conftest import ANN, BOB, REFEREE, text

PLACE = "place 5-1 at B1\nplace 5-2 at B1"


def block(lines, game="p1"):
    return f"game {game}\n{lines}\nend\n"


def test_good_orders_are_carried_out_and_answered_by_one_mail(club):
    outcome = club.write(ANN, block(PLACE))
    assert (outcome.disposition, outcome.game, outcome.side) == ("accept", "p1", "allied")
    [mail] = club.post()
    assert mail["To"] == ANN and mail["In-Reply-To"] == "<m1@example.org>" and mail["Auto-Submitted"] == "auto-generated"
    assert "place 5-1 at B1" in text(mail)
    answers = [r.payload for r in club.store.journal.rows("p1", kinds=["answer"])]
    assert [(a["key"], a["how"]) for a in answers][-2:] == [("place 5-1 at B1", "mailed"), ("place 5-2 at B1", "mailed")]
    orders = next(r for r in club.store.journal.rows("p1", kinds=["orders"]))
    assert orders.payload["directives"][0]["source"] == "mail 1 line 2"


def test_good_lines_are_kept_when_others_are_bad_and_carried_out_at_ready(club):
    head = club.store.games.get("p1").head
    outcome = club.write(ANN, block("place 5-1 at B1\nplace 5-2 at Bxx"))
    assert outcome.disposition == "accept-with-errors"
    assert club.store.games.get("p1").head == head
    [mail] = club.post()
    said = " ".join(text(mail).split())
    for words in ("no place is called 'Bxx'", "place 5-1 at B1", "'ready'", "Not everything that is asked"):
        assert words in said
    assert club.store.games.draft("p1", "allied").lines == ("phase 1 reinforcement", "place 5-1 at B1")
    assert "place 5-1 at B1 NOTES ----- Your good lines are kept, and carried out at 'ready'" in said
    club.write(ANN, "status\n")
    status = text(club.post()[0])
    assert "Kept, not in force" in status and "place 5-1 at B1" in status.split("Kept, not in force")[1][:120], status
    assert club.write(ANN, block("ready")).disposition == "accept"
    assert club.store.games.draft("p1", "allied") is None
    placed = [r.payload for r in club.store.journal.rows("p1", kinds=["answer"])]
    assert ("place 5-1 at B1", "mailed") in [(a["key"], a["how"]) for a in placed]


def test_a_draft_is_replaced_by_the_next_mail_unless_it_says_add(club):
    club.write(ANN, block("place 5-1 at B1\nnonsense"))
    club.write(ANN, block("place 5-2 at B2\nmore nonsense"))
    assert club.store.games.draft("p1", "allied").lines[1:] == ("place 5-2 at B2",)
    club.write(ANN, block("add\nplace 50-1 at B3"))
    assert club.store.games.draft("p1", "allied") is None
    keys = [r.payload["key"] for r in club.store.journal.rows("p1", kinds=["answer"])]
    assert keys[-2:] == ["place 5-2 at B2", "place 50-1 at B3"]


def test_wait_holds_orders_back(club):
    club.write(ANN, block(f"{PLACE}\nwait"))
    [mail] = club.post()
    assert ordering.HELD.split(",")[0] in " ".join(text(mail).split())
    assert list(club.store.journal.rows("p1", kinds=["orders"])) == []
    club.write(ANN, block("ready"))
    assert len(list(club.store.journal.rows("p1", kinds=["orders"]))) == 1


def test_check_changes_nothing(club):
    head = club.store.games.get("p1").head
    assert club.write(ANN, block(f"check\n{PLACE}")).disposition == "accept"
    [mail] = club.post()
    assert "nothing was put in force" in text(mail)
    assert club.store.games.get("p1").head == head and club.store.games.draft("p1", "allied") is None


def test_orders_that_cannot_be_carried_out_are_refused_beforehand_with_the_rule(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    club.post()
    outcome = club.write(ANN, block("move 5-1 to 26"))
    [mail] = club.post()
    assert outcome.disposition == "accept-with-errors"
    assert "Refused, line 2" in text(mail) and "move 5-1 to 26" in text(mail)
    assert club.store.games.get("p1").step_name == "1 allied movement"


def test_a_stale_guard_is_refused_with_what_is_wanted_now(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    club.post()
    outcome = club.write(ANN, "game p1\nturn 1 reinforcement\nplace 5-1 at B1\nend\n")
    [mail] = club.post()
    assert outcome.disposition == "accept-with-errors"
    assert "NOT ACCEPTED" in text(mail) and "turn 1 allied movement" in text(mail)
    assert club.store.games.draft("p1", "allied") is None


def test_the_other_sides_units_are_refused(club):
    outcome = club.write(BOB, block("phase 1 axis movement\nmove 5-1 to 4"))
    [mail] = club.post()
    assert outcome.disposition == "accept-with-errors" and mail["To"] == BOB
    assert list(club.store.journal.rows("p1", kinds=["orders"])) == []


def test_orders_for_later_are_taken_when_the_game_waits_for_the_other_side(club):
    assert club.write(BOB, block("standing when bridge then blow")).disposition == "accept"
    [mail] = club.post()
    assert "standing when bridge then blow" in text(mail)


@pytest.mark.parametrize("body", [block(PLACE, "p9"), block(PLACE, "p2")])
def test_an_unknown_game_and_one_without_a_seat_are_told_alike(club, body):
    club.game("p2")
    with club.store.transaction():
        for seat in club.store.games.seats("p2"):
            club.store.games.save_seat(type(seat)("p2", seat.side, f"x{seat.address}", seat.token))
    club.post()
    outcome = club.write(ANN, body)
    assert outcome.disposition == "ask-resend"
    assert "you have no seat in a game called p" in outcome.reason
    [mail] = club.post()
    assert mail["To"] == ANN and "no seat in a game called" in " ".join(text(mail).split())


def test_the_game_is_found_by_subject_thread_or_because_it_is_the_only_one(club):
    assert club.write(ANN, f"{PLACE}\nend\n").game == "p1"
    club.game("p2")
    first = {str(m["Subject"])[:4]: m for m in club.post() if m["To"] == BOB}
    bare = "standing when bridge then blow\nend\n"
    assert club.write(BOB, bare).disposition == "ask-resend"
    assert club.write(BOB, "help\n").disposition == "accept"
    assert club.write(BOB, bare, Subject="Re: [p2] something").game == "p2"
    assert club.write(BOB, bare, In_Reply_To=str(first["[p2]"]["Message-ID"])).game == "p2"
    assert club.write(BOB, block("pass", "p2"), Subject="Re: [p1] something").disposition == "ask-resend"


def test_mails_that_are_not_taken_whole_are_asked_for_again(club):
    head = club.store.games.get("p1").head
    for body, why in (
        ("Thanks for the game!\n", "no orders"), (f"game p1\n{PLACE}\n", "'end' is missing"),
        ("> quoted\n", "quoted"), ("", "no text"), (block(PLACE) + block("place 5-1 at B2"), "two different blocks"),
    ):
        outcome = club.write(ANN, body)
        assert outcome.disposition == "ask-resend" and why in outcome.reason, body
        [mail] = club.post()
        assert "NOT ACCEPTED" in mail["Subject"] and "game p1" in text(mail)
    assert club.store.games.get("p1").head == head


def test_two_games_in_one_mail(club):
    club.game("p2")
    club.post()
    outcome = club.write(ANN, block(PLACE) + block(PLACE, "p2"))
    assert outcome.disposition == "accept"
    assert sorted(str(m["Subject"])[:4] for m in club.post()) == ["[p1]", "[p2]"]
    assert club.write(ANN, block("place 50-1 at B3") + block(PLACE, "p7")).disposition == "accept-with-errors"


def test_quoted_lines_are_counted_in_the_answer(club):
    club.write(ANN, block(PLACE) + "\nOn 14 March, judge <judge@example.org> wrote:\n> game p1\n> place 5-1 at B5\n> end\n")
    [mail] = club.post()
    assert "quoted lines were ignored" in " ".join(text(mail).split())


def test_strangers_and_machines_are_not_answered(club):
    assert club.write("eve@example.org", block(PLACE)).disposition == "reject-auth"
    assert club.write(ANN, block(PLACE), Auto_Submitted="auto-replied").disposition == "ignore-auto"
    assert club.write(f"{ANN}, {BOB}", block(PLACE)).disposition == "reject-auth"
    assert club.post() == []
    assert any("eve@example.org holds no seat" in n.text for n in club.store.notes.last())
    assert list(club.store.journal.rows("p1", kinds=["orders"])) == []


def test_the_same_mail_twice_has_one_effect(club):
    club.write(ANN, block(PLACE), Message_ID="<same@example.org>")
    count = len(club.post())
    again = club.put(ANN, block(PLACE), Message_ID="<same@example.org>")
    assert again == 1
    redelivered = club.write(ANN, block(PLACE), Received="by another road", Message_ID="<same@example.org>")
    assert redelivered.disposition == "ignore-auto" and "same as mail 1" in redelivered.reason
    other = club.write(ANN, block("place 50-1 at B3"), Message_ID="<same@example.org>")
    assert other.disposition == "quarantine" and club.store.inbox.counts() == {SHELVED: 1}
    assert club.write(ANN, block("place 50-1 at B3"), X="again", Message_ID="<same@example.org>").disposition == "ignore-auto"
    assert count == 1 and [m["To"] for m in club.post()] == ["host@example.org"]
    assert len(list(club.store.journal.rows("p1", kinds=["orders"]))) == 1


def test_with_tokens_only_answers_to_our_mails_count_and_the_owner_hears_of_others(make_club):
    club = make_club(policy="token")
    club.game()
    first = next(m for m in club.post() if m["To"] == ANN)
    assert club.write(ANN, block(PLACE)).disposition == "quarantine"
    [told] = club.post()
    assert told["To"] == ANN and "not believed" in told["Subject"] and "place" not in text(told)
    club.write(ANN, block(PLACE))
    assert club.post() == []
    stolen = club.write(BOB, block("standing when bridge then blow"), In_Reply_To=str(first["Message-ID"]))
    assert stolen.disposition == "quarantine"
    assert club.write(ANN, block(PLACE), In_Reply_To=str(first["Message-ID"])).disposition == "accept"
    assert club.write(ANN, block("place 50-1 at B3"), Subject=f"Re: {first['Subject']}").disposition == "accept"
    assert club.write("eve@example.org", block("ready"), Subject=f"Re: {first['Subject']}").disposition == "reject-auth"


def test_a_forger_cannot_block_a_message_id(club):
    assert club.write("eve@example.org", block(PLACE), Message_ID="<guessed@example.org>").disposition == "reject-auth"
    assert club.write(ANN, block("place 5-1 at B2"), Message_ID="<guessed@example.org>").disposition == "accept"


def test_requests_are_answered(club):
    for request, words in (
        ("status", "The game waits for you"), ("help", "standing"), ("help move", "move UNIT"), ("help rulings", "Ruling:"),
        ("report", "THE SITUATION"), ("report 1", "Welcome"), ("orders", "Your orders in force"), ("rolls", "No dice"),
        ("rolls 1", "No dice"), ("report 77", "no report 77"), ("concede p7", "concede p1"),
    ):
        outcome = club.write(ANN, f"{request}\n\nCheers, Ann\n")
        assert outcome.disposition == "accept", request
        [mail] = club.post()
        assert words.lower() in " ".join(text(mail).split()).lower(), request


def test_answers_to_one_address_are_limited_but_orders_still_count(make_club):
    club = make_club(replies_per_hour=3)
    club.game()
    club.post()
    for _ in range(5):
        club.write(ANN, "status\n")
    assert len(club.post()) == 3
    assert [n.kind for n in club.store.notes.last()].count("silenced") == 1
    assert club.write(ANN, block(PLACE)).disposition == "accept"
    club.later(hours=2)
    club.write(ANN, "status\n")
    assert club.post()


def test_conceding_ends_the_game_and_opens_the_seed(club):
    assert club.write(ANN, "concede p1\n").disposition == "accept"
    assert club.store.games.get("p1").status == "over"
    sent = club.post()
    assert {m["To"] for m in sent} == {ANN, BOB}
    assert all(club.store.games.seed("p1").hex() in "".join(text(m).split()) for m in sent)
    assert club.write(BOB, block("ready")).disposition == "accept-with-errors"
    assert "the game is over" in " ".join(text(club.post()[0]).split())
    assert club.write(BOB, "report 1\n").disposition == "accept"


def test_the_referee_is_told_where_he_acts(club):
    club.write(REFEREE, block("ready"))
    [mail] = club.post()
    assert mail["To"] == REFEREE and "nothing a referee can ask for" in " ".join(text(mail).split())


def test_a_mail_that_fails_three_times_is_shelved_and_the_host_told(club, monkeypatch):
    def fail(*args, **kwargs):
        raise KeyError("a fault\u2028of ours")

    monkeypatch.setattr(ordering, "deal", fail)
    id = club.put(ANN, block(PLACE))
    assert [intake.handle(club.context, id).disposition for _ in range(3)] == ["failed", "failed", "quarantine"]
    assert club.store.inbox.get(id).status == SHELVED
    [told] = club.post()
    assert told["To"] == "host@example.org" and "shelved" in told["Subject"]
    monkeypatch.undo()
    assert club.write(ANN, block(PLACE)).disposition == "accept"


def test_a_mail_that_kills_the_process_each_time_is_shelved(club):
    id = club.put(ANN, block(PLACE))
    for _ in range(intake.CRASHES):
        with club.store.transaction():
            club.store.inbox.claim(id)
    assert intake.handle(club.context, id).disposition == "quarantine"


def test_nothing_of_a_mail_is_stored_if_its_last_step_fails(club, monkeypatch):
    before = club.store.games.get("p1")

    def fail(*args, **kwargs):
        raise OSError("disk full")

    monkeypatch.setattr(intake, "_finish", fail)
    id = club.put(ANN, block(PLACE))
    assert intake.handle(club.context, id).disposition == "failed"
    assert club.store.games.get("p1") == before and club.post() == []
    assert club.store.inbox.get(id).status == NEW
    monkeypatch.undo()
    assert intake.handle(club.context, id).disposition == "accept"
    assert club.store.inbox.get(id).status == DONE and len(club.post()) == 1


def test_a_game_whose_journal_and_rules_disagree_is_halted_and_its_referee_told(club):
    row = list(club.store.journal.rows("p1", club.store.games.position("p1").snapshot.seq))[0]
    changed = row.as_dict()["payload"] | {"event": {**row.payload["event"], "turn": 9}}
    from pbem.core.journal import canonical

    with club.store.transaction():
        club.store._db.execute("update journal set payload = ? where game = 'p1' and seq = ?", [canonical(changed), row.seq])
    outcome = club.write(ANN, block(PLACE))
    assert outcome.disposition == "quarantine" and f"row {row.seq}" in outcome.reason
    assert club.store.games.get("p1").status == HALTED and club.store.games.dues("p1") == []
    [told] = club.post()
    assert told["To"] == REFEREE and "halted" in told["Subject"]
    assert club.write(ANN, block(PLACE)).disposition == "accept-with-errors"
    assert "halted" in text(club.post()[0])


@pytest.mark.parametrize(
    "raw",
    [b"", b"\x00" * 100, b"From: ann@example.org\n\n" + b"\xff" * 1000, b"From: ann@example.org\nSubject: =?x?q?=0A?=\n\n"],
)
def test_no_input_ends_the_daemon(club, raw):
    mail, _ = intake.file(club.context, raw, club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition in ("ask-resend", "reject-auth", "quarantine")
