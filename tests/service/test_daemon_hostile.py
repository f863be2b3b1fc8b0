"""No mail ends the daemon: whatever comes, the tick goes through, and the next player's mail is answered."""

import base64
import time
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from pbem.daemon import tick
from pbem.mail import maildir
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.maildir import Maildir
from pbem.mail.smtp import Sender
from tests.service.conftest import ANN, BOB, JUDGE

LONGEST = 10
"""Seconds that a mail may take; far more than any needs, for machines that are busy."""

HEAD = f"From: {ANN}\r\nTo: {JUDGE}\r\nSubject: [p1] orders\r\nMessage-ID: <{{}}@example.org>\r\n"


def plain(body, name, more=""):
    return (HEAD.format(name) + more + "\r\n" + body.replace("\n", "\r\n")).encode("utf-8", "surrogateescape")


def block(*lines):
    return "\n".join(["game p1", *lines, "end", ""])


def orders(name, *lines):
    return plain(block(*lines), name)


def nested(depth):
    mail = EmailMessage()
    mail.set_content(block("status"))
    for _ in range(depth):
        outer = EmailMessage()
        outer.make_mixed()
        outer.attach(mail)
        mail = outer
    mail["From"], mail["To"], mail["Message-ID"] = ANN, JUDGE, "<nested@example.org>"
    return mail.as_bytes()


HOSTILE = {
    "nothing at all": b"",
    "one byte": b"\x00",
    "no headers": b"\r\n\r\ngame p1\r\nready\r\nend\r\n",
    "only headers": HEAD.format("h1").encode(),
    "zeros": b"\x00" * 5000,
    "high bytes": HEAD.format("h2").encode() + b"\r\n" + bytes(range(128, 256)) * 50,
    "no such charset": plain(block("status"), "h3", "Content-Type: text/plain; charset=klingon\r\n"),
    "lying base64": plain("game p1\n!!!! ===\nend\n", "h4", "Content-Transfer-Encoding: base64\r\n"),
    "two senders": f"From: {ANN}, {BOB}\r\nFrom: eve@example.org\r\n\r\ngame p1\r\nready\r\nend\r\n".encode(),
    "broken header folding": HEAD.format("h5").encode() + b"Subject\r\n : x\r\n  \r\n\r\n" + block("status").encode(),
    "header of a megabyte": HEAD.format("h6").encode() + b"X-Long: " + b"a" * 1_000_000 + b"\r\n\r\n" + block("status").encode(),
    "boundary that is not there": plain(block("status"), "h7", 'Content-Type: multipart/mixed; boundary="x"\r\n'),
    "boundary within itself": plain("--x\n" * 3000, "h8", 'Content-Type: multipart/mixed; boundary="x"\r\n'),
    "deep": nested(60),
    "HTML without an end": plain("<div>" * 20_000 + "game p1<br>status<br>end", "h9", "Content-Type: text/html\r\n"),
    "HTML with a script": plain("<script>game p1\nready\nend</script><p>hi", "h10", "Content-Type: text/html\r\n"),
    "a line of a megabyte": orders("h11", "move " + "5-1 " * 250_000),
    "ten thousand lines": orders("h12", *["move 5-1 to 5"] * 10_000),
    "ten thousand nonsense lines": orders("h13", *[f"nonsense {n} \u202e" for n in range(10_000)]),
    "a thousand standing orders": orders("h14", *[f"standing when abort if hits >= {n} then abort" for n in range(1000)]),
    "ten thousand requests": orders("h15", *["rolls", "report 1", "help move"] * 3000),
    "ten thousand games": plain("".join(f"game g{n}\nready\nend\n" for n in range(10_000)), "h16"),
    "numbers without end": orders("h17", f"report {'9' * 5000}", f"move 5-1 to {'9' * 900}", "cancel standing " + "1" * 900),
    "odd digits": orders("h18", "report ²", "rolls ٣", "cancel standing ²", "turn ²", "answer q² yes", "battle ²; abort at ²"),
    "odd guards": plain("game p1\nturn 99999999999999999999 allied movement\nmove 5-1 to 5\nend\n", "h19"),
    "digits of no number": orders("h33", "cancel standing ፩", "report ፩", "standing when abort if hits >= ፩ then abort"),
    "a guard of digits": plain(f"game p1\nturn {'9' * 5000} allied movement\nmove 5-1 to 5\nend\n", "h34"),
    "a guard of one number": plain(f"game p1\nturn {'9' * 5000}\nmove 5-1 to 5\nend\n", "h35"),
    "phases far ahead": orders("h20", "phase 999999999 allied movement", "move 5-1 to 5", "phase 5 axis movement", "pass"),
    "format codes and templates": orders("h21", "move {{ 7*7 }} to {% raw %}", "move %s%n to ${x}", "help {{config}}"),
    "path as a topic": orders("h22", "help ../../etc/passwd", "help parts", "help topic"),
    "names that SQL knows": plain("game p1'; drop table games;--\nready\nend\n", "h23"),
    "only punctuation": orders("h24", ";;;;", ",,,,", "> > >", "-> ->", "battle ; ; ;", "standing", "answer", "cancel", "phase"),
    "half an order": orders("h25", "move", "place 5-1", "battle", "standing when", "standing when abort if", "cancel standing"),
    "surrogates": HEAD.format("h26").encode() + b"\r\ngame p1\r\nmove \xed\xa0\x80 to 5\r\nend\r\n",
    "control characters": orders("h27", "move 5-1\x07\x1b[31m to \x00 5", "\x0c", "status"),
    "a name that is a header": f"From: =?utf-8?b?{base64.b64encode(b'x' + bytes([13, 10]) + b'Bcc: y@z').decode()}?= <{ANN}>\r\n"
                               f"Message-ID: <h28@example.org>\r\n\r\n{block('status')}".encode(),
    "references without end": plain(block("status"), "h29", "References: " + "<a@b> " * 5000 + "\r\n"),
    "a date that is none": plain(block("status"), "h30", "Date: Fri, 99 Foo 99999 99:99:99 +9999\r\n"),
    "another bounce of ours": plain("", "h31", 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n'),
    "the whole of our own mail": plain("| game p1\n| ready\n| end\n> game p1\n> ready\n> end\n", "h32"),
}  # fmt: skip


@pytest.fixture
def served(make_club, tmp_path):
    """A club with its embedded mail server running."""
    with EmbeddedServer(tmp_path / "mail") as server:
        club = make_club(listen=f"127.0.0.1:{server.port}", maildir=tmp_path / "mail", replies_per_hour=10_000)
        club.game()
        yield club


def test_no_mail_ends_the_daemon(served):
    judge, port = maildir.make(served.config.maildir / JUDGE), served.config.listen_at[1]
    letters = Maildir(maildir.make(served.config.maildir / BOB))
    with served.app.new_mailbox() as mailbox:
        sender = served.app.new_sender()
        tick(served.app, mailbox, sender)
        for mail in letters.fetch():
            letters.done(mail.key, True)
        for number, (name, raw) in enumerate(HOSTILE.items()):
            served.later(minutes=1)
            maildir.deliver(judge, raw)
            began = time.monotonic()
            assert not tick(served.app, mailbox, sender).trouble, name
            assert time.monotonic() - began < LONGEST, f"{name}: it took too long"
            assert not served.store.inbox.waiting(), f"{name}: it failed and will be tried again"
            with Sender("127.0.0.1", port, tls="none") as bob:
                bob.send(BOB, JUDGE, plain("status\n", f"s{number}").replace(ANN.encode(), BOB.encode()))
            assert not tick(served.app, mailbox, sender).trouble, name
            answers = [message_from_bytes(mail.raw, policy=policy.default) for mail in letters.fetch()]
            assert any("Where the game stands" in mail.get_body(("plain",)).get_content() for mail in answers), name
            for mail in letters.fetch():
                letters.done(mail.key, True)
    assert served.store.games.get("p1").status == "running"
