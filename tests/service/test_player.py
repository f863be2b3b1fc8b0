"""What a newcomer writes, what an awkward player writes, and what they are told."""

import re

import pytest

from pbem.service.play import ordering
from tests.service.conftest import ANN, BOB, REFEREE, text


def block(lines, game="p1"):
    return f"game {game}\n{lines}\nend\n"


def flat(mail):
    return " ".join(text(mail).split())


def said(club, sender, body, **headers):
    """The one answer to a mail, on one line."""
    club.write(sender, body, **headers)
    [mail] = [m for m in club.post() if m["To"] == sender]
    return flat(mail)


def in_force(club, side="allied"):
    with club.store.transaction():
        play = ordering.game_session.take(club.context, "p1")
        return [d.text for d in play.in_force(side)[0]]


# -- good lines beside bad ones -------------------------------------------------------------------------


def test_standing_orders_of_a_mail_with_mistakes_are_in_force_at_once(club):
    told = said(club, ANN, block("place 5-1 at Bxx\nplace 5-2 at B1\nstanding when bridge then blow"))
    assert ordering.LASTING in told and "are kept" in told
    assert in_force(club) == ["standing when bridge then blow"]
    assert club.store.games.draft("p1", "allied").lines == ("phase 1 reinforcement", "place 5-2 at B1")


def test_standing_orders_alone_leave_the_lines_that_are_kept(club):
    club.write(ANN, block("place 5-1 at B1\nnonsense"))
    club.write(ANN, block("standing when bridge then blow\nmore nonsense"))
    club.write(ANN, block("standing when crossing then cross"))
    assert club.store.games.draft("p1", "allied").lines[1:] == ("place 5-1 at B1",)
    assert in_force(club) == ["standing when bridge then blow", "standing when crossing then cross"]


def test_a_standing_order_is_taken_back_by_a_mail_with_mistakes(club):
    club.write(ANN, block("standing when bridge then blow\nstanding when crossing then cross"))
    club.write(ANN, block("cancel standing 1\nnonsense"))
    assert in_force(club) == ["standing when crossing then cross"]
    assert club.store.games.draft("p1", "allied") is None


def test_wait_holds_standing_orders_back_too(club):
    club.write(ANN, block("wait\nplace 5-1 at B1\nstanding when bridge then blow"))
    assert in_force(club) == []
    club.write(ANN, block("ready"))
    assert in_force(club) == ["standing when bridge then blow"]


def test_a_side_has_so_many_standing_orders_and_no_more(club):
    for start in (0, 60):
        lines = [f"standing when abort if hits >= {n} then abort" for n in range(start, start + 60)]
        outcome = club.write(ANN, block("\n".join(lines)))
    assert outcome.disposition == "accept-with-errors"
    assert "you would have 120 standing orders, 100 is the most" in flat(club.post()[-1])
    assert len(in_force(club)) == 60


# -- where the words stand ---------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["check\n" + block("place 5-1 at B1"), "Hi!\n\ncheck\n\n" + block("place 5-1 at B1")])
def test_check_above_the_game_line_is_not_lost(club, body):
    head = club.store.games.get("p1").head
    assert "nothing was put in force" in said(club, ANN, body)
    assert club.store.games.get("p1").head == head


def test_wait_and_add_above_the_game_line(club):
    club.write(ANN, "wait\n" + block("place 5-1 at B1"))
    assert club.store.games.draft("p1", "allied").lines[1:] == ("place 5-1 at B1",)
    club.write(ANN, "add\n" + block("wait\nplace 5-2 at B1"))
    kept = club.store.games.draft("p1", "allied").lines
    assert [line for line in kept if line.startswith("place")] == ["place 5-1 at B1", "place 5-2 at B1"]


@pytest.mark.parametrize("body", ["ready?\n", "Ready?\n\nBob\n"])
def test_a_question_is_no_act(club, body):
    step = club.store.games.get("p1").step_name
    assert club.write(ANN, body).disposition == "ask-resend"
    assert club.store.games.get("p1").step_name == step


@pytest.mark.parametrize(("body", "words"), [
    ("status please\n", "Where the game stands"), ("Status, please!\n\nThank you\nAnn\n", "Where the game stands"),
    ("orders\n", "Where the game stands"), ("report please\n", "report 1"), ("help\n", "FAB: SICILY: HELP"),
    ("Help please\n\nAnn\n", "FAB: SICILY: HELP"), ("help standing\n", "STANDING ORDERS"),
])  # fmt: skip
def test_a_request_needs_neither_game_nor_end(club, body, words):
    assert words in said(club, ANN, body)


def test_a_mail_with_nothing_but_ready(club):
    assert club.write(ANN, "ready\n").disposition == "accept"
    assert club.store.games.get("p1").step_name == "1 allied admin"


# -- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["50-1", "50/1", "50.1", "50 1", "50th Infantry 1", "the 50th Infantry 1", "1 50th Infantry"])
@pytest.mark.parametrize("place", ["B3", "beachhead B3", "Avola", "4", "[4]"])
def test_a_unit_and_a_place_in_many_words(club, unit, place):
    assert "place 50-1 at " in said(club, ANN, block(f"check\nplace {unit} at {place}"))


def test_ambiguous_names_are_asked_about(club):
    told = said(club, ANN, block("check\nplace 1st Canadian at B3"))
    assert "'1st Canadian' can be 1C/1 1st Canadian Infantry, 1C/2 1st Canadian Infantry or 1CT" in " ".join(told.split())


def test_what_is_like_nothing_gets_no_silly_suggestion(club):
    told = said(club, ANN, block("check\nplace NAP-1 at B3\nplace XYZ at B3\nplase 5-1 at B1"))
    assert "no unit of yours is called 'NAP-1'; 'help names' tells how to name them" in told
    assert told.count("Did you mean") == 1 and "Did you mean: place" in told


@pytest.mark.parametrize(("line", "words"), [
    ("phase 9 allied movement", "the game ends with turn 4"), ("phase", "missing here: a phase"),
    ("answer", "missing here: the number of a question"), ("cancel standing 3", "you have no standing orders"),
    ("turn 7 allied movement", "is no phase of this game"), ("move 5-1", "missing here: place"),
])  # fmt: skip
def test_what_is_missing_or_beyond_is_said(club, line, words):
    assert words in said(club, ANN, block(f"check\n{line}"))


# -- awkward players ------------------------------------------------------------------------------------------


def test_phases_in_odd_order_are_carried_out_in_theirs(club):
    club.play(until=lambda g: g.step_name == "1 allied admin")
    club.post()
    told = said(club, ANN, block("check\nphase combat\nbattle 5; point 5-1\nphase movement\nmove 5-1 to 5\nphase admin\npass"))
    assert told.index("phase 1 allied admin") < told.index("phase 1 allied movement") < told.index("phase 1 allied combat")


def test_an_answer_twice_counts_once(club):
    club.play(until=lambda g: g.step_name == "1 allied admin")
    with club.store.transaction():
        ask = ordering.game_session.take(club.context, "p1").asks[0].id
    club.post()
    told = said(club, ANN, block(f"check\nanswer {ask} pass\nanswer {ask} pass"))
    assert "answer" in told and "Traceback" not in told


def test_a_line_of_punctuation_is_nothing(club):
    assert club.write(ANN, block("check\n,,,\n-> ->\nplace 5-1 at B1")).disposition == "accept"


def test_only_notes_do_not_make_a_mail_accepted(club):
    mail_text = said(club, ANN, block("nonsense") + "\n> quoted\n> quoted\n")
    assert "NOT ACCEPTED: none of your lines is in force" in mail_text


def test_resign_tells_the_referee_and_ends_nothing(club):
    assert club.write(BOB, block("resign p1")).disposition == "accept"
    mails = club.post()
    assert {m["To"] for m in mails} == {BOB, REFEREE}
    assert all("leave" in m["Subject"] for m in mails)
    assert club.store.games.get("p1").status == "running"
    assert "name the game" in said(club, BOB, block("resign"))


def test_concede_must_name_the_game(club):
    assert "'concede p1'" in said(club, BOB, block("concede"))
    assert club.store.games.get("p1").status == "running"


def test_every_subject_fits_on_one_line_and_ends_with_a_word(club):
    club.write(ANN, "Hello, what now?\n")
    club.write(ANN, block("\n".join(f"nonsense {n}" for n in range(30)) + "\nplace 5-1 at B1"))
    club.write(ANN, block("check\nplace 5-1 at B1"))
    club.write(BOB, "status\n")
    club.play(until=lambda g: g.step_name == "1 axis breakthrough")
    subjects = [str(m["Subject"]) for m in club.post()]
    assert len(subjects) > 8
    for subject in subjects:
        assert len(subject) <= 69 and re.search(r"(\w|\.\.\.|\))$", subject), subject


# -- what cannot be carried out -------------------------------------------------------------------------------


def test_every_good_line_is_tried_though_another_is_wrong(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    club.post()
    told = said(club, ANN, block("check\nmove 5-1 to 26\nnonsense\nmove 50-1 to 1\nreserve 4A"))
    assert "the unit can land at Modica [2], and no further (14.26)" in told
    assert "4A 4th Armoured Brigade arrives on turn 2" in told
    understood = told[told.index("UNDERSTOOD"):told.index("YOUR ORDERS IN FORCE")]
    assert "move 50-1 to 1" in understood and "5-1 to 26" not in understood and "4A" not in understood


def test_a_mail_whose_lines_are_all_refused_is_not_accepted(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    club.post()
    told = said(club, ANN, block("move 5-1 to 26\nmove 1AB-1 to 5"))
    assert "NOT ACCEPTED: none of your lines is in force" in told and "'drop 1AB-1 at AREA' lands it" in told
    assert club.store.games.draft("p1", "allied") is None
    assert club.store.games.get("p1").step_name == "1 allied movement"
