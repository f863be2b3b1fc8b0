"""What is read out of a mail, kind by kind; the mails themselves are made here."""

from __future__ import annotations

import base64
import binascii
import time

import pytest

from pbem.mail import headers
from pbem.mail.flowed import unflow
from pbem.mail.html import to_text
from pbem.mail.parse import Incoming, Limits, read
from pbem.mail.quotes import cut
from pbem.mail.typed import bare, fold

ORDERS = "game p1\nmove 50-1 to 14\ndig 5-2\nend"
OLD = "game p1\nmove 51-1 to 3\nend"


TEXT, HTML = "Content-Type: text/plain; charset=utf-8", "Content-Type: text/html; charset=utf-8"
PLAIN = ORDERS.splitlines()


def mail(body: str | bytes = ORDERS, content_type: str = TEXT[14:], extra: str = "", encoding: str = "8bit") -> bytes:
    head = "From: Ann <ann@example.org>\nTo: judge@example.org\nSubject: Re: [p1] turn 2\nMessage-ID: <a1@example.org>\n"
    head += f"{extra}MIME-Version: 1.0\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n\n"
    return head.encode() + (body if isinstance(body, bytes) else body.encode())


def multipart(kind: str, *parts: tuple[str, str]) -> bytes:
    body = "".join(f"--b\n{head}\n\n{text}\n" for head, text in parts)
    return mail(body + "--b--\n", f'multipart/{kind}; boundary="b"')


def lines(incoming: Incoming) -> list[str]:
    return [line for line in incoming.text.splitlines() if line]


# headers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ann@example.org", ("ann@example.org",)),
        ("Ann <ANN@Example.ORG>", ("ann@example.org",)),
        ('"bob@example.org" <ann@example.org>', ("ann@example.org",)),
        ("bob@example.org <ann@example.org>", ("bob@example.org", "ann@example.org")),
        ("Ann (bob@example.org) <ann@example.org>", ("ann@example.org",)),
        ("=?utf-8?Q?bob=40example.org?= <ann@example.org>", ("ann@example.org",)),
        ("=?utf-8?Q?Ann=0D=0ABcc:_bob@example.org?= <ann@example.org>", ("ann@example.org",)),
        ("Ann <ann@example.org>, Bob <bob@example.org>", ("ann@example.org", "bob@example.org")),
        ("Ann <ann@example.org>,", ("ann@example.org",)),
        ("ann@example.org@example.com", ()),
        ('"ann@example.org"@example.com', ('"ann@example.org"@example.com',)),
        ("Undisclosed recipients:;", ()),
        ('"', ()),
        ('"Ann <ann@example.org>', ("ann@example.org",)),
        ('"bob@example.org <ann@example.org>', ("bob@example.org", "ann@example.org")),
        ('ann@example.org"', ("ann@example.org",)),
        ("(((((", ()),
        ("<>", ()),
        ("\u212aen@example.org", ("\u212aen@example.org",)),
    ],
)
def test_addresses(value: str, expected: tuple[str, ...]) -> None:
    assert headers.addresses(value) == expected


def test_two_from_fields_are_two_senders() -> None:
    assert read(mail(extra="From: bob@example.org\n")).senders == ("ann@example.org", "bob@example.org")


@pytest.mark.parametrize("value", ["<>", "", "<a b@c>", "no brackets", "<a\u00e9@example.org>"])
def test_an_unreadable_message_id_is_none(value: str) -> None:
    raw = mail().replace(b"<a1@example.org>", value.encode())
    assert read(raw).message_id == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?a=0D=0ABcc:_x@example.org?=", "a Bcc: x@example.org"),
        ("=?utf-8?b?w6Q=?= =?utf-8?b?w7Y=?=", "äö"),
        ("=?utf-8?b?w6?= =?utf-8?b?tg==?=", "ö"),
        ("=?x-unknown?q?=E4?=", "ä"),
        ("=?utf-8?b?!!!?=", ""),
        ("=?", "=?"),
        ("a\tb\x00c", "a b\ufffdc"),
    ],
)
def test_subjects(value: str, expected: str) -> None:
    assert headers.words(value) == expected


def test_the_body_digest_does_not_depend_on_the_way_the_mail_came() -> None:
    one = read(mail())
    encoded = mail(base64.b64encode(ORDERS.encode()), encoding="base64").replace(b"\n", b"\r\n")
    other = read(b"Received: from x by y; now\r\n" + encoded)
    assert one.body_digest == other.body_digest
    assert read(mail(OLD)).body_digest != one.body_digest


# the text that counts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        mail(),
        mail().replace(b"\n", b"\r\n"),
        mail().replace(b"\n", b"\r"),
        mail(base64.b64encode(ORDERS.encode()), encoding="base64"),
        mail(ORDERS.replace("14", "=31=\n4"), encoding="Quoted-Printable"),
        mail(b"begin 644 x\n" + binascii.b2a_uu(ORDERS.encode()) + b"`\nend\n", encoding="x-uuencode"),
        mail(ORDERS.encode("utf-16"), "text/plain; charset=utf-16"),
        mail(ORDERS.encode("utf-16-le"), "text/plain; charset=utf-16le"),
        mail(ORDERS, "text/plain; charset=x-no-such"),
        mail(ORDERS, "text/plain; charset=unicode_escape"),
        mail(ORDERS, "text/plain; charset=utf-7"),
        mail(ORDERS, "text/plain; charset=us-ascii; name*"),
        mail(ORDERS, "nonsense"),
        mail("<div>" + ORDERS.replace("\n", "</div><div>") + "</div>", "text/html"),
        mail("<table><tr><td>" + ORDERS.replace("\n", "</td></tr><tr><td>") + "</td></tr></table>", "text/html"),
        mail("<p>" + ORDERS.replace("\n", "\n<p>"), "text/html"),
        mail("<div style='white-space: pre-wrap'>" + ORDERS + "</div>", "text/html"),
        multipart("alternative", (TEXT, ORDERS), (HTML, ORDERS.replace("\n", "<br>"))),
        multipart("alternative", (TEXT, "see the html version"), (HTML, ORDERS.replace("\n", "<br>"))),
        multipart("alternative", (TEXT, ""), (HTML, ORDERS.replace("\n", "<br>"))),
        multipart("related", (HTML, ORDERS.replace("\n", "<br>")), ("Content-Type: image/png", "")),
        multipart("signed", (TEXT, ORDERS), ("Content-Type: application/pgp-signature", "x")),
        multipart("mixed", (TEXT, ""), ('Content-Type: application/octet-stream; name="orders.txt"', ORDERS)),
        multipart("mixed", (TEXT, ""), (TEXT + "\nContent-Disposition: attachment", ORDERS)),
        multipart("mixed", (TEXT, ORDERS), ("Content-Type: message/rfc822", "From: bob@example.org\n\n" + OLD)),
    ],
)
def test_the_orders_are_found(raw: bytes) -> None:
    incoming = read(raw)
    assert (incoming.problem, [line for line in lines(incoming) if line in PLAIN]) == ("", PLAIN)
    assert "51-1" not in incoming.text


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (mail(" \u00a0\u200b\n"), "empty"),
        (mail("> game p1\n> end"), "only-quote"),
        (multipart("alternative", (TEXT, ORDERS), (HTML, OLD.replace("\n", "<br>"))), "parts-differ"),
        (multipart("mixed", ("Content-Type: image/jpeg", "x"), (TEXT, "\n")), "picture-only"),
        (multipart("mixed", ("Content-Type: application/pdf", "x")), "file-only"),
        (multipart("mixed", ("Content-Type: message/rfc822", "From: bob@example.org\n\n" + OLD)), "attached-mail"),
        (multipart("encrypted", ("Content-Type: application/pgp-encrypted", "x")), "encrypted"),
        (mail("x", "application/pkcs7-mime; name=smime.p7m", encoding="base64"), "encrypted"),
        (multipart("mixed", ('Content-Type: application/ms-tnef; name="winmail.dat"', "x")), "winmail"),
        (mail("x", "application/zip"), "file-only"),
        (mail(extra="Content-Type: text/html\n"), "two-content-types"),
        (multipart("mixed", (TEXT + "\n" + HTML, ORDERS)), "two-content-types"),
        (multipart("mixed", *[(TEXT, str(n)) for n in range(200)]), "too-many-parts"),
        (mail("x" * 300_000), "too-large"),
        (mail("\n" * 600_000), "too-large"),
        (b"X-Pbem-Size: 99999999\r\n" + mail(), "too-large"),
    ],
)
def test_why_there_is_no_text(raw: bytes, problem: str) -> None:
    incoming = read(raw)
    assert (incoming.problem, incoming.text, incoming.typed) == (problem, "", "")
    assert incoming.senders == ("ann@example.org",)


def test_a_line_that_the_plain_version_wrapped_is_taken_from_the_html() -> None:
    long = "battle 15 with 24th, 98th artillery; point 50/1; abort at 3 hits; lose 51/1 before 50/1 and retreat to 14"
    wrapped = f"game p1\n{long[:70]}\n{long[70:]}\nend"
    incoming = read(multipart("alternative", (TEXT, wrapped), (HTML, f"game p1<br>{long}<br>end")))
    assert lines(incoming) == ["game p1", long, "end"]


def test_typed_keeps_what_was_typed() -> None:
    incoming = read(mail("press to bob\nSee you at “dawn”.\nend"))
    assert incoming.typed.splitlines()[1] == "See you at “dawn”."
    assert incoming.text.splitlines()[1] == 'See you at "dawn"'


def test_attachments_are_named() -> None:
    head = TEXT + "\nContent-Disposition: attachment; filename*=utf-8''z%C3%BCge.txt"
    assert read(multipart("mixed", (TEXT, "hello"), (head, ORDERS))).attachments == ("züge.txt",)


@pytest.mark.parametrize(
    ("data", "label", "expected"),
    [
        ("Grüße", "utf-8", "Grüße"),
        ("Grüße".encode("cp1252"), "utf-8", "Grüße"),
        ("Grüße".encode(), "iso-8859-1", "Grüße"),
        ("Grüße".encode(), "us-ascii", "Grüße"),
        ("“x” y".encode("cp1252"), "iso-8859-1", '"x" y'),
        ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
        ("中文".encode("gb18030"), "gb2312", "中文"),
        ("Grüße".encode()[:-1] + b"\xff", "utf-8", "Grüß\ufffd"),
    ],
)
def test_charsets(data: bytes | str, label: str, expected: str) -> None:
    assert read(mail(data, f"text/plain; charset={label}")).text == expected


# typed text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("move\u00a050\u20111 to\u202f14", "move 50-1 to 14"),
        ("move 50–1 → 14", "move 50-1 -> 14"),
        ("\ufeffmove 50-1", "move 50-1"),
        ("ｍｏｖｅ　５０－１", "move 50-1"),
        ("move ½ to 14", "move 1/2 to 14"),
        ("• move 50-1 to 14.", "move 50-1 to 14"),
        ("- - move 50-1", "move 50-1"),
        ("-move 50-1", "move 50-1"),
        ("1. move 50-1", "move 50-1"),
        ("(2) move 50-1", "move 50-1"),
        ("3) move 50-1;", "move 50-1"),
        ("*move 50-1 to 14*", "move 50-1 to 14"),
        ("move *50-1* to 14", "move 50-1 to 14"),
        ("**move 50-1 to 14**", "move 50-1 to 14"),
        ("o   move 50-1", "move 50-1"),
        ("move 50.1<http://50.1> to 14", "move 50.1 to 14"),
        ("“move 50-1 to 14”", "move 50-1 to 14"),
        ("move 50-1 to Val d’Ispica", "move 50-1 to Val d'Ispica"),
        ("50-1 to 14", "50-1 to 14"),
        ("move 5.2 > 14", "move 5.2 > 14"),
        ("end.", "end"),
        (".", "."),
        ("sоrtino", "sоrtino"),
        ("mo\x00ve \ud800", "mo\ufffdve \ufffd"),
    ],
)
def test_typed(line: str, expected: str) -> None:
    assert bare(line) == expected
    assert bare(expected) == expected


def test_fold_keeps_punctuation() -> None:
    assert fold("• See you, “Bob”.") == '\u2022 See you, "Bob".'


def test_flowed() -> None:
    assert unflow("move 50-1 to \n14\nend\n") == "move 50-1 to 14\nend"
    assert unflow("> a \n> b\nc \n> d") == "> a b\nc \n> d"
    assert unflow("-- \nAnn \nB") == "-- \nAnn B"
    assert unflow("sor \ntino", delete_space=True) == "sortino"
    assert unflow(" From here\n >x") == "From here\n >x"


# quotes ----------------------------------------------------------------------------------------------------------

HEADINGS = [
    "On Sat, 14 Mar 2026 at 09:02, Umpire <judge@example.org> wrote:",
    "On Saturday, 14 March 2026 at 09:02, The Umpire of the Campaign\n<judge@example.org> wrote:",
    "Am 14.03.2026 um 10:02 schrieb Umpire:",
    "Am Sa., 14. März 2026 um 10:02 Uhr schrieb Umpire <judge@example.org>:",
    "Le sam. 14 mars 2026 à 10:02, Umpire <judge@example.org> a écrit\u00a0:",
    "El sáb, 14 mar 2026 a las 10:02, Umpire (<judge@example.org>) escribió:",
    "Il giorno sab 14 mar 2026 alle ore 10:02 Umpire <judge@example.org> ha scritto:",
    "Op za 14 mrt 2026 om 10:02 schreef Umpire <judge@example.org>:",
    "Den lör 14 mars 2026 kl 10:02 skrev Umpire <judge@example.org>:",
    "Em sáb., 14 de mar. de 2026 às 10:02, Umpire <judge@example.org> escreveu:",
    "sob., 14 mar 2026 o 10:02 Umpire <judge@example.org> napisał(a):",
    "сб, 14 мар. 2026 г. в 10:02, Umpire <judge@example.org>:",
    "2026年3月14日(土) 10:02 Umpire <judge@example.org>:",
    "Umpire <judge@example.org> 于2026年3月14日周六 10:02写道：",
    "-----Original Message-----\nFrom: Umpire <judge@example.org>\nSent: 14 March 2026 09:02\nTo: Ann\nSubject: [p1]",
    "------ Original Message -----\nFrom: Umpire",
    "-----Ursprüngliche Nachricht-----\nVon: Umpire\nGesendet: Samstag, 14. März 2026 10:02\nAn: Ann\nBetreff: [p1]",
    "---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Sat, 14 Mar 2026 at 09:02\nSubject: x",
    "Begin forwarded message:",
    "_____________________\nFrom: Umpire <judge@example.org>\nSent: Saturday, March 14, 2026 9:02 AM\nTo: Ann\nSubject: [p1]",
    "From: Umpire\nSent: Saturday, March 14, 2026 9:02 AM\nTo: Ann\nSubject: [p1]",
    "*From:* Umpire <judge@example.org>\n*Date:* Saturday, March 14, 2026\n*To:* Ann\n*Subject:* [p1]",
    "Von: Umpire <judge@example.org>\n\nGesendet: Samstag, 14. März 2026 10:02\n\nAn: Ann\n\nBetreff: [p1]",
    "De : Umpire <judge@example.org>\nEnvoyé : samedi 14 mars 2026 10:02\nÀ : Ann\nObjet : [p1]",
    "Da: Umpire <judge@example.org>\nInviato: sabato 14 marzo 2026 10:02\nA: Ann\nOggetto: [p1]",
    "Van: Umpire <judge@example.org>\nVerzonden: zaterdag 14 maart 2026 10:02\nAan: Ann\nOnderwerp: [p1]",
    "发件人: Umpire <judge@example.org>\n发送时间: 2026年3月14日 10:02\n收件人: Ann\n主题: [p1]",
]


@pytest.mark.parametrize("heading", HEADINGS, ids=range(len(HEADINGS)))
def test_an_unmarked_quote_is_cut(heading: str) -> None:
    found = cut(f"{ORDERS}\n\n{heading}\n\n{OLD}\n")
    assert found.text.split() == ORDERS.split()
    assert found.quoted >= 4


@pytest.mark.parametrize("heading", [h for h in HEADINGS if "\n" not in h][:-3], ids=str)
def test_orders_below_a_marked_quote_stay(heading: str) -> None:
    quote = "\n".join("> " + line for line in OLD.splitlines())
    assert cut(f"{heading}\n{quote}\n\n{ORDERS}").text.split() == ORDERS.split()


@pytest.mark.parametrize(
    "text",
    [
        "On Sunday, as I wrote:",
        "On 14 March I wrote:",
        "From: HQ",
        "From: HQ\nTo: all\nSubject: attack",
        "To: 50th Division",
        "Date: 13 July 1943",
        "Thanks,\nAnn",
        "-------- my orders --------",
        "_____________________",
        "=====",
        "Original plan was better",
        "Sent from my iPhone",
        "--",
        "I said:",
        "Le plan:",
        "As Bob writes, hold.",
        "Forwarded the map to Bob.",
    ],
)
def test_what_only_looks_like_a_quote_stays(text: str) -> None:
    found = cut(f"{text}\n\n{ORDERS}")
    assert found.text == f"{text}\n\n{ORDERS}"
    assert found.quoted == 0


def test_quote_marks_and_signature() -> None:
    found = cut(f"> old\n>> older\nU> mine\n| move 50-1 to 3\n{ORDERS}\n-- \nAnn\n{OLD}")
    assert found.text == ORDERS
    assert (found.quoted, found.signature) == (4, 5)


def test_an_order_with_an_arrow_is_no_quote() -> None:
    assert cut("move 5/2 > 14\n5/2 > 14").quoted == 0


def test_clear_signed() -> None:
    text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- - move 50-1\nend\n"
    signature = f"-----BEGIN PGP SIGNATURE-----\n{OLD}\n-----END PGP SIGNATURE-----\nx"
    assert cut(text + signature).text == "- move 50-1\nend\nx"


def test_html_quotes_are_marked() -> None:
    assert to_text("a<blockquote>b<br>c</blockquote>d").split("\n") == ["a", "", "> b", "> c", "d"]
    assert to_text('<div class="yahoo_quoted">b</div>c').split("\n") == ["> b", "c"]


@pytest.mark.parametrize(
    "hidden",
    [
        "<div style='display:none'>X</div>",
        "<div style='DISPLAY : NONE !important'>X</div>",
        "<span style='font-size:0px'>X</span>",
        "<span style='color:red; font-size: 0'>X</span>",
        "<div style='max-height:0;overflow:hidden'>X</div>",
        "<div hidden>X</div>",
        "<!-- X --><script>X</script><style>X</style><title>X</title><template>X</template>",
        "<![if !x]><![endif]>",
        "<img alt='a map of X'>",
    ],
)
def test_hidden_html_is_not_read(hidden: str) -> None:
    assert to_text(f"<p>a</p>{hidden}<p>b</p>").split() == ["a", "b"]


def test_small_html_is_read() -> None:
    assert to_text("<p style='font-size:0.9em'>a</p><p style='max-height:100px'>b").split() == ["a", "b"]


# automatic mail --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: auto-notified; owner-email=x@example.org",
        "Return-Path: <>",
        "Precedence: bulk",
        "Precedence: Auto_Reply",
        "List-Id: <x.example.org>",
        "X-Autoreply: yes",
        "X-Pbem: 1",
        "X-Failed-Recipients: bob@example.org",
    ],
)
def test_automatic_by_header(header: str) -> None:
    incoming = read(mail(extra=header + "\n"))
    assert incoming.auto
    assert incoming.text == ""


@pytest.mark.parametrize("subject", ["Automatic reply: [p1]", "Out of Office: x", "Abwesenheitsnotiz: x", "Undeliverable: x"])
def test_automatic_by_subject(subject: str) -> None:
    assert read(mail().replace(b"Re: [p1] turn 2", subject.encode())).auto


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no (a person)", "X-Auto-Response-Suppress: DR, RN", "X-Auto-Response-Suppress: OOF, AutoReply",
        "Precedence: normal",
    ],
)
def test_not_automatic(header: str) -> None:
    assert read(mail(extra=header + "\n")).auto == ""


def test_a_bounce_with_status_4_is_no_failure() -> None:
    report = "Reporting-MTA: dns; x\n\nFinal-Recipient: rfc822; bob@example.org\nAction: failed\nStatus: 4.4.7"
    incoming = read(multipart("report", (TEXT, "sorry"), ("Content-Type: message/delivery-status", report)))
    assert incoming.bounce is not None
    assert (incoming.bounce.kind, incoming.bounce.recipient, incoming.bounce.status) == ("unclear", "bob@example.org", "4.4.7")


# bounded ---------------------------------------------------------------------------------------------------------


def _nested(depth: int) -> bytes:
    body = ORDERS
    for n in range(depth):
        body = f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n{body}\n--b{n}--'
    return b"From: Ann <ann@example.org>\nMIME-Version: 1.0\n" + body.encode()


HOSTILE = {
    "nested-60": _nested(60),
    "nested-2000": _nested(2000),
    "empty": b"",
    "no header": b"\n\n" + ORDERS.encode(),
    "nul": mail("a\0b\n" * 1000),
    "long line": mail("x" * 200_000),
    "long header": mail(extra="X-A: " + "a" * 150_000 + "\n"),
    "too long header": mail(extra="X-A: " + "a" * 400_000 + "\n"),
    "many headers": mail(extra="X-A: 1\n" * 20_000),
    "many addresses": mail(extra="To: " + "a@example.org, " * 10_000 + "\n"),
    "on on on": mail("On " * 33_000),
    "newlines": mail("\n" * 100_000),
    "dashes": mail("-" * 50_000),
    "dash lines": mail("-----\n" * 900),
    "colons": mail("wrote:\n" * 30_000),
    "fields": mail("From: a\n" * 30_000),
    "quotes": mail(">" * 100_000),
    "blanks": mail(" " * 200_000),
    "blank lines": mail((" " * 1000 + "x\n") * 200),
    "comments": mail("<!--" * 50_000, "text/html"),
    "open tags": mail("<div>" * 100_000, "text/html"),
    "broken tags": mail('<a ="<a >" ' * 60_000 + "='", "text/html"),
    "entities": mail("&amp" * 200_000, "text/html"),
    "parameters": mail(ORDERS, "text/plain; " + 'a="b\\";' * 10_000),
    "semicolons": mail(ORDERS, "multipart/mixed" + ";" * 10_000),
    "encoded words": mail(extra="Subject: " + "=?utf-8?q?a?= " * 5_000 + "\n"),
    "half words": mail(extra="Subject: " + "=?" * 50_000 + "\n"),
    "comments in from": mail(extra="From: " + "(" * 50_000 + "\n"),
    "quotes in from": mail(extra="From: " + '"\\' * 50_000 + "\n"),
    "base64 rubbish": mail("=" * 100_000, encoding="base64"),
    "qp blanks": mail((" " * 5000 + "=\n") * 40, encoding="quoted-printable"),
    "qp one run": mail(" " * 250_000, encoding="quoted-printable"),
    "ligatures": mail("\ufdfa" * 60_000),
    "stars": mail("*a " * 60_000),
    "links": mail("<http:" * 40_000),
    "boundaries": mail("--b\n" * 900, "multipart/mixed; boundary=b"),
    "5 MB": mail("x" * 70 + "\n" + ("y" * 70 + "\n") * 70_000),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_takes_little_time(name: str) -> None:
    begun = time.process_time()
    incoming = read(HOSTILE[name])
    assert time.process_time() - begun < 2
    assert len(incoming.text) <= Limits().text
