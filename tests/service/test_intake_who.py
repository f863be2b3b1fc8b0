"""Whom a mail is believed from: an impostor changes nothing and hears nothing, the seat's owner hears of it once."""

import logging
from email.message import EmailMessage

import pytest
import structlog

from pbem.service.mailroom import identity
from pbem.store.api import HELD, NEW, SHELVED
from tests.mail.world import CASES, DNS
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, text

ORDERS = "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n"
EVE = "eve@example.org"
PASS = "mx.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"
AR = "Authentication-Results"
FAIL = "mx.example.org; dkim=fail header.d=example.org; dmarc=fail header.from=example.org"

POLICIES = {
    "token": {"policy": "token"},
    "dkim": {"policy": "dkim", "authserv_id": "mx.example.org"},
    "both": {"policy": "both", "authserv_id": "mx.example.org"},
}


@pytest.fixture(params=POLICIES)
def guarded(request, make_club):
    """A club under one of the policies that believe nobody at his word, and Ann's first mail."""
    club = make_club(**POLICIES[request.param])
    club.context.__dict__["dns"] = lambda name, timeout=5: None
    club.game()
    first = next(m for m in club.post() if m["To"] == ANN)
    return club, first


def headed(club, fields, body=ORDERS):
    """A mail of just these header fields in just this order."""
    from pbem.service.mailroom import intake

    raw = "".join(f"{k}: {v}\r\n" for k, v in fields) + "\r\n" + body.replace("\n", "\r\n")
    mail, _ = intake.file(club.context, raw.encode(), club.context.now, "test")
    return intake.handle(club.context, mail.id)


FORGERIES = {
    "spoofed From": [("From", ANN)],
    "forged Authentication-Results below the server's": [(AR, FAIL), (AR, PASS), ("From", ANN)],
    "forged Authentication-Results below his own From": [("From", ANN), (AR, PASS)],
    "another server's Authentication-Results": [(AR, PASS.replace("mx.", "mx2.")), ("From", ANN)],
    "two addresses in From": [(AR, PASS), ("From", f"{ANN}, {EVE}"), ("Sender", EVE)],
    "two From fields": [(AR, PASS), ("From", ANN), ("From", EVE)],
    "two From fields, the other way": [(AR, PASS), ("From", EVE), ("From", ANN)],
    "her address as his name": [(AR, PASS), ("From", f'"{ANN}" <{EVE}>')],
    "her address as a comment": [(AR, PASS), ("From", f"({ANN}) {EVE}")],
    "her address in an encoded name": [(AR, PASS), ("From", f"=?utf-8?q?ann=40example.org_=3C{ANN}=3E?= <{EVE}>")],
    "look-alike letters": [(AR, PASS), ("From", "аnn@example.org")],
    "no From at all": [(AR, PASS), ("Reply-To", ANN), ("Sender", ANN)],
}


@pytest.mark.parametrize("fields", FORGERIES.values(), ids=FORGERIES)
def test_forgeries(guarded, fields):
    club, first = guarded
    head = club.store.games.get("p1").head
    known = fields if "spoofed" in fields else [*fields, ("Subject", "orders"), ("Message-ID", "<forged@example.org>")]
    for _ in range(3):
        outcome = headed(club, [*known, ("X-Copy", str(_))])
        assert outcome.disposition in ("reject-auth", "quarantine", "ignore-auto")
    assert club.store.games.get("p1").head == head and club.store.games.draft("p1", "allied") is None
    told = club.post()
    assert all(m["To"] in (ANN, "host@example.org") for m in told)
    assert len([m for m in told if m["To"] == ANN]) <= 1
    assert all("place 5-1" not in text(m) for m in told)


def test_a_stolen_thread_from_another_address(guarded):
    club, first = guarded
    id = str(first["Message-ID"])
    thread = [("In-Reply-To", id), ("Subject", f"Re: {first['Subject']}"), ("References", id)]
    head = club.store.games.get("p1").head
    for sender in (EVE, BOB, REFEREE):
        fields = [(AR, PASS), ("From", sender), *thread, ("Message-ID", f"<stolen.{sender}>")]
        outcome = headed(club, fields)
        assert club.store.games.get("p1").head == head, sender
        if club.config.policy != "dkim" or sender == EVE:
            assert outcome.disposition in ("reject-auth", "quarantine"), sender
    for mail in club.post():
        assert mail["To"] != EVE
        token = club.store.games.seat("p1", "allied").token
        assert mail["To"] == ANN or token not in mail.as_string()


def test_an_order_for_the_other_sides_units_tells_nothing(guarded):
    club, _ = guarded
    theirs = club.store.games.seat("p1", "axis")
    tag = identity.tag_text(theirs, club.config.trust)
    said = []
    for unit in ("5-1", "5-7"):
        fields = [(AR, PASS), ("From", BOB), ("Subject", f"Re: {tag} x"), ("Message-ID", f"<u{unit}@example.org>")]
        outcome = headed(club, fields, f"game p1\nphase 1 axis movement\nmove {unit} to 4\nend\n")
        assert outcome.disposition == "accept-with-errors"
        [answer] = club.post()
        assert answer["To"] == BOB
        said.append(" ".join(text(answer).replace(unit, "UNIT").split()))
        assert f"no unit of yours is called '{unit}'" in text(answer)
    first, second = (s.partition("no unit of yours is called 'UNIT'") for s in said)
    assert first[0] == second[0]
    data = club.context.data(club.store.games.get("p1").dataset)
    theirs = [b["id"] for b in data["blocks"] if b["side"] == "allied"]
    assert theirs and not [unit for unit in theirs if f" {unit} " in said[0]]
    assert list(club.store.journal.rows("p1", kinds=["orders"])) == []


def test_the_right_mail_is_believed(guarded):
    club, first = guarded
    fields = [(AR, PASS), ("From", ANN), ("Subject", f"Re: {first['Subject']}"), ("Message-ID", "<right@example.org>")]
    assert headed(club, fields).disposition == "accept"


def test_both_needs_both(make_club):
    club = make_club(**POLICIES["both"])
    club.context.__dict__["dns"] = lambda name, timeout=5: None
    club.game()
    first = next(m for m in club.post() if m["To"] == ANN)
    tagged = ("Subject", f"Re: {first['Subject']}")
    assert headed(club, [("From", ANN), tagged]).disposition == "quarantine"
    assert headed(club, [(AR, PASS), ("From", ANN), ("Subject", "x")]).disposition == "quarantine"
    assert headed(club, [(AR, PASS), ("From", ANN), tagged]).disposition == "accept"


def test_tokens_are_kept_out_of_notes_logs_and_what_others_read(make_club, capsys):
    club = make_club(policy="token", replies_per_hour=100)
    club.game()
    sent = club.post()
    secrets = [s.token for s in club.store.games.seats("p1")]
    secrets += [str(m["Message-ID"]).partition("@")[0].rpartition(".")[2] for m in sent]
    ann = next(m for m in sent if m["To"] == ANN)
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    quote = f"Subject: {ann['Subject']}\nMessage-ID: {ann['Message-ID']}"
    body = f"game {ann['Subject']}\n{ann['Subject']}\nplace {ann['Message-ID']} at B1\nplace 5-1 at B1\nend\n{quote}\n"
    outcomes = [
        club.write(EVE, body, Subject=f"Re: {ann['Subject']}"),
        club.write(ANN, body, Subject=f"Re: {ann['Subject']}", In_Reply_To=str(ann["Message-ID"])),
        club.write(ANN, body.replace("end\n", ""), Subject=f"Re: {ann['Subject']}"),
        club.write(ANN, ORDERS, Subject=f"Re: {ann['Subject']}"),
        club.write(BOB, body, Subject=f"Re: {ann['Subject']}"),
    ]
    structlog.configure(**before)
    logged = capsys.readouterr()
    public = [o.reason for o in outcomes] + [logged.out, logged.err] + [f"{n.text}" for n in club.store.notes.last(500)]
    public += [m.reason for m in club.store.inbox.handled()]
    public += [str(r.payload) for r in club.store.journal.rows("p1")]
    for said in public:
        assert not [s for s in secrets if s in said], said
    for mail in club.post():
        theirs = {s.token for s in club.store.games.seats("p1") if s.address != mail["To"]}
        assert not [t for t in theirs if t in mail.as_string()]
        if mail["To"] != ANN:
            assert str(ann["Message-ID"]) not in mail.as_string()


def temperror():
    [path] = CASES.glob("140_*.eml")
    return path.read_bytes().replace(b"alice@example.org", b"ann@example.org"), path.read_bytes()


def test_mail_held_for_dns_trouble_is_believed_when_dns_works_again(make_club):
    from pbem.service.letters import mailing
    from pbem.service.mailroom import intake
    from pbem.service.play import game_session
    from pbem.service.play.game_session import Player

    club = make_club(policy="dkim", authserv_id="mx.example.org")
    answers = {"up": False}

    def ask(name, timeout=5):
        if not answers["up"]:
            raise TimeoutError("no answer")
        return DNS.get(name.decode(), "").encode() or None

    club.context.__dict__["dns"] = ask
    with club.store.transaction():
        players = {"allied": Player("alice@example.org", "Ann"), "axis": Player(BOB, "Bob")}
        play = game_session.create(club.context, "fab_sicily", "primosole_bridge", "primosole-1", players)
        mailing.send(play, game_session.store_rows(play))
    club.post()
    mail, _ = intake.file(club.context, temperror()[1], club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition == "quarantine"
    assert club.store.inbox.get(mail.id).status == HELD and club.post() == []
    for _ in range(15):
        club.later(minutes=11)
        ids = intake.waiting(club.context)
        assert ids == [mail.id] and intake.waiting(club.context) == []
        intake.work(club.context, ids)
        assert club.store.inbox.get(mail.id).status == HELD
    assert [n.kind for n in club.store.notes.last()].count("held") == 1
    answers["up"] = True
    club.later(minutes=11)
    intake.work(club.context, intake.waiting(club.context))
    assert club.store.inbox.get(mail.id).disposition in ("accept", "accept-with-errors")
    assert [m["To"] for m in club.post()] == ["alice@example.org"]


def test_mail_held_for_too_long_is_put_aside_and_its_owner_told(make_club):
    from pbem.service.mailroom import intake

    club = make_club(policy="dkim", authserv_id="mx.example.org")

    def silent(name, timeout=5):
        raise TimeoutError

    club.context.__dict__["dns"] = silent
    club.game()
    club.post()
    mail, _ = intake.file(club.context, temperror()[0], club.context.now, "test")
    intake.handle(club.context, mail.id)
    club.later(hours=intake.HELD_HOURS + 1)
    intake.work(club.context, intake.waiting(club.context))
    assert club.store.inbox.get(mail.id).status == SHELVED
    assert [m["To"] for m in club.post()] == [ANN]


# -- machines --------------------------------------------------------------------------------------------

MACHINES = {
    "out of office": {"Auto_Submitted": "auto-replied"}, "generated": {"Auto_Submitted": "auto-generated"},
    "null return path": {"Return_Path": "<>"}, "a list": {"List_Id": "<club.example.org>"}, "bulk": {"Precedence": "bulk"},
    "Exchange": {"X_MS_Exchange_Inbox_Rules_Loop": ANN}, "ours": {"X_Pbem": "1"}, "a vacation": {"X_Vacation": "yes"},
    "by its subject": {"Subject": "Automatic reply: orders"}, "a loop": {"X_Loop": "judge@example.org"},
}


@pytest.mark.parametrize("fields", MACHINES.values(), ids=MACHINES)
def test_machines_get_no_answer(club, fields):
    assert club.write(ANN, ORDERS, **fields).disposition == "ignore-auto"
    assert club.post() == [] and list(club.store.journal.rows("p1", kinds=["orders"])) == []


def test_our_own_mail_come_back_is_not_answered(club):
    from pbem.service.mailroom import intake

    club.write(ANN, "status\n")
    [sent] = club.post()
    mail, _ = intake.file(club.context, sent.as_bytes(), club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition == "ignore-auto"
    assert club.post() == []


def test_two_servers_do_not_answer_each_other(make_club):
    """A server whose address holds a seat on another one: each takes the other's mails for a machine's."""
    club = make_club()
    club.game()
    for mail in club.post():
        back = EmailMessage()
        for name, value in mail.items():
            if name.lower() not in ("from", "to", "content-type", "content-transfer-encoding", "mime-version", "message-id"):
                back[name] = str(value)
        fields = {k.replace("-", "_"): str(v) for k, v in back.items() if k != "X-Pbem"}
        assert club.write(ANN, text(mail), **fields).disposition == "ignore-auto"
    assert club.post() == []


def test_the_cap_is_for_all_games_and_every_kind_of_answer(make_club):
    club = make_club(replies_per_hour=4)
    club.game()
    club.game("p2")
    club.post()
    for number in range(12):
        for body in ("game p1\nstatus\nend\n", "nothing to read\n", "game p9\nready\nend\n", "game p2\nhelp\nend\n", "> x\n"):
            club.write(ANN, body + "." * number)
    sent = [m for m in club.post() if m["To"] == ANN]
    assert len(sent) == 4
    notes = [n for n in club.store.notes.last(500) if n.kind == "silenced"]
    assert len(notes) == 1 and ANN in notes[0].text
    assert club.store.inbox.get(1).status != NEW and JUDGE not in {m["To"] for m in sent}
