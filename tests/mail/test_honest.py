"""Two hundred honest mails of many programs, languages and habits: at most one may be asked about without need."""

from __future__ import annotations

import base64
import quopri
from itertools import product

from pbem.service.mailroom.explain import explain
from tests.mail.test_living import ANN, world  # noqa: F401  (a fixture)

LINES = ["game p1", "turn 1 reinforcement", "place 5/1 at Siracusa", "place 5/2 at Siracusa", "place 50/1 at Augusta", "end"]

ABOVE = [
    "",
    "Hi judge,\n\n",
    "Here are my orders for turn 1:\n\n",
    "Hallo,\nanbei meine Befehle, wie am 14.3. besprochen.\n\n",
    "Bonjour,\n\nvoici mes ordres :\n\n",
    "As Bob wrote on Monday, we should hurry.\n\n",
    "Turn 1, due Thursday 3 December 2026, 23:09:\n\n",
    "¡Hola! Aquí van mis órdenes.\n\n",
    "こんにちは、\n\n",
    "I have thought about it for two days (it is 10:02 now).\n\n",
    "From: HQ\nTo: all units\nSubject: landing\n\n",
]
BELOW = [
    "",
    "\nAnn\n",
    "\n-- \nAnn Example\nSicily Club\n",
    "\nSent from my iPhone\n",
    "\nMit freundlichen Grüßen\nAnn\n",
    "\nThanks, and good luck to Bob! If B5 is wrong, tell me.\n",
    "\nGet Outlook for iOS<https://aka.example/o0ukef>\n",
    "\nOn Tuesday I am away. Bob wrote that he is, too.\n",
    "\nEnvoyé de mon téléphone Android avec K-9 Mail. Excusez la brièveté.\n",
]
OLD = ["game p1", "turn 1 reinforcement", "place 51/1 at Avola", "end"]
QUOTES = {
    "gmail": "\nOn Mon, 30 Nov 2026 at 10:02, pbem <judge@example.org> wrote:\n\n{marked}",
    "outlook": "\n________________________________\nFrom: pbem <judge@example.org>\nSent: Monday, November 30, 2026 10:02\n"
    "To: Ann\nSubject: [p1] Turn 1\n\n{plain}",
    "thunderbird-de": "\nAm 30.11.26 um 10:02 schrieb pbem:\n{marked}",
    "apple-fr": "\n> Le 30 nov. 2026 à 10:02, pbem <judge@example.org> a écrit :\n> \n{marked}",
    "zoho": "\n---- On Mon, 30 Nov 2026 10:02:11 +0000 pbem <judge@example.org> wrote ----\n\n{plain}",
    "samsung": "\n-------- Original message --------\nFrom: pbem <judge@example.org>\nDate: 30/11/2026 10:02 (GMT+00:00)\n"
    "To: ann@example.org\nSubject: [p1] Turn 1\n\n{plain}",
}
TYPED = [
    lambda s: s.upper(),
    lambda s: s.replace(" at ", "  AT\u00a0"),
    lambda s: s.replace("/", "-"),
    lambda s: s.replace("/", "\u2011"),
    lambda s: s.replace("place", "• place"),
    lambda s: s.replace("Siracusa", "Siracusa."),
    lambda s: s.replace("place", "  place"),
    lambda s: s.replace("place 5/1 at Siracusa", "*place* 5/1 at _Siracusa_"),
    lambda s: s.replace("end", "End."),
    lambda s: s.replace("place 5/1", "# the first wave\nplace 5/1"),
    lambda s: s.replace("\n", "\n\n"),
    lambda s: s.replace("Siracusa", "“Siracusa”"),
    lambda s: s.replace("game p1", "Game: p1"),
    lambda s: s.replace(" at ", " -> "),
    lambda s: s.replace("Siracusa", "Siracusa<http://Siracusa/>"),
    lambda s: s.replace("Siracusa", "Siracusa # my choice"),
]
BLOCK = "\n".join(LINES) + "\n"


def plain(text: str, **fields: str) -> bytes:
    head = {"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit", **fields}
    return _mail(head, text.replace("\n", "\r\n").encode())


def rich(body: str) -> bytes:
    return _mail({"Content-Type": "text/html; charset=utf-8"}, f"<html><body>{body}</body></html>".encode())


def both(text: str, page: str) -> bytes:
    versions = (("plain", text), ("html", page))
    parts = [f"--b\r\nContent-Type: text/{kind}; charset=utf-8\r\n\r\n{body}\r\n" for kind, body in versions]
    return _mail({"Content-Type": 'multipart/alternative; boundary="b"'}, ("".join(parts) + "--b--\r\n").encode())


def _mail(head: dict[str, str], body: bytes) -> bytes:
    fields = {
        "From": f"Ann <{ANN}>",
        "To": "judge@example.org",
        "Subject": "Re: [p1/@TOKEN@] Turn 1",
        "MIME-Version": "1.0",
        **head,
    }
    return "".join(f"{k}: {v}\r\n" for k, v in fields.items()).encode() + b"\r\n" + body


def _quote(kind: str) -> str:
    return QUOTES[kind].format(marked="".join(f"> {line}\n" for line in OLD), plain="\n".join(OLD) + "\n")


def texts() -> list[bytes]:
    """Plain mails: with every beginning and end, over every quote, typed in every way."""
    found = [plain(above + BLOCK + below) for above, below in product(ABOVE, BELOW)]
    found += [
        plain(above + BLOCK + below + _quote(kind)) for kind in QUOTES for above, below in zip(ABOVE, BELOW, strict=False)
    ]
    return found + [plain(ABOVE[n % len(ABOVE)] + way(BLOCK)) for n, way in enumerate(TYPED)]


def encoded() -> list[bytes]:
    """The same bytes in other clothes."""
    data = (BLOCK + "\nGrüße, Ann\n").encode()
    return [
        _mail({"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "base64"}, base64.encodebytes(data)),
        _mail(
            {"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable"},
            quopri.encodestring(data),
        ),
        _mail({"Content-Type": "text/plain; charset=iso-8859-1"}, data.decode().encode("latin-1")),
        _mail({"Content-Type": "text/plain; charset=windows-1252"}, data.decode().encode("cp1252")),
        _mail({"Content-Type": "text/plain; charset=utf-16"}, data.decode().encode("utf-16")),
        _mail({"Content-Type": "text/plain; charset=us-ascii"}, data),
        _mail({"Content-Type": "text/plain"}, data),
        _mail({}, data),
        _mail({"Content-Type": "text/plain; charset=utf-8; format=flowed"}, data),
        _mail({"Content-Type": "text/plain; charset=utf-8", "X-Auto-Response-Suppress": "All"}, data),
        _mail({"Content-Type": "text/plain; charset=utf-8", "Importance": "high", "X-Mailer": "Outlook"}, data),
    ]


def pages() -> list[bytes]:
    """HTML as programs write it, alone and beside its text."""
    divs = "".join(f"<div>{line}</div>" for line in LINES)
    breaks = "<br>".join(LINES)
    bodies = [
        f'<div dir="ltr">{divs}</div>',
        f"<p>{breaks}</p>",
        "".join(f'<p class="MsoNormal">{line}<o:p></o:p></p>' for line in LINES),
        f"<pre>{BLOCK}</pre>",
        "".join(f"<p style='margin:0'><span style='font-size:11pt;color:#000'>{x}</span></p>" for x in LINES),
        f"<div style='font-family:Arial;background:#111;color:#ffffff'>{divs}</div>",
        f"<table><tr><td>{breaks}</td></tr></table>",
        f'<blockquote style="margin:0 0 0 40px;border:none;padding:0px">{divs}</blockquote>',
        f"<style>@media print{{div{{display:none}}}} p.x{{color:red}}</style>{divs}",
        f"<ul>{''.join(f'<li>{x}</li>' for x in LINES)}</ul>",
        f'{divs}<div class="gmail_quote">On Mon, 30 Nov 2026 pbem wrote:<br><blockquote>{"<br>".join(OLD)}</blockquote></div>',
        f'{divs}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: pbem</div><div>{"<br>".join(OLD)}</div>',
        f'<div style="display:none;max-height:0;overflow:hidden">A preview of this mail</div>{divs}',
        f"<p>I <s>fear</s> hope:</p>{divs}",
        f"<b>{breaks}</b>",
        f"<div>{divs}</div><div><br></div><div>-- <br>Ann</div>",
        f"<font color='navy'>{breaks}</font>",
    ]
    return (
        [rich(body) for body in bodies]
        + [both(BLOCK, body) for body in bodies[:10]]
        + [
            both(f"{BLOCK}\nAnn\n{_quote('gmail')}", bodies[10]),
            both("", bodies[0]),
            both("Please view this mail as HTML.", bodies[1]),
        ]
    )


def test_two_hundred_honest_mails_are_not_asked_about(world) -> None:  # noqa: F811
    mails = [*texts(), *encoded(), *pages()]
    assert len(mails) >= 200 and len(set(mails)) == len(mails)
    token = world.store.games.seat("p1", "allied").token.encode()
    told = explain(world.context, [mail.replace(b"@TOKEN@", token) for mail in mails])
    asked = [(mail, each) for mail, each in zip(mails, told, strict=True) if each["disposition"] != "accept"]
    assert len(asked) <= 1, "\n\n".join(
        f"{each['disposition']} {each['reasons']}\n{mail.decode('utf-8', 'replace')}" for mail, each in asked
    )
    assert all([line for line in each["lines"] if "avola" in line] == [] for each in told)


def test_nor_does_it_matter_that_an_honest_mail_is_the_last_of_many(world) -> None:  # noqa: F811
    """Handled for real, one after the other: a block of the same lines is only asked about where the words around it are new."""
    from pbem.service.mailroom import intake

    token = world.store.games.seat("p1", "allied").token.encode()
    asked = 0
    for mail in [
        plain(BLOCK.replace("Augusta", town) + below) for town in ("Avola", "Pachino", "Modica") for below in BELOW[:5]
    ]:
        filed, _ = intake.file(world.context, mail.replace(b"@TOKEN@", token), world.context.now, "test")
        asked += "to be confirmed" in intake.handle(world.context, filed.id).reason
    assert asked == 0
