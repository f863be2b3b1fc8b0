"""Shapes of quotes that bear no '>': what stands below their headings is never taken for the sender's own words, whatever the
program and the language, while orders above them are."""

from __future__ import annotations

import pytest

from pbem.mail import parse
from pbem.mail.quotes import cut
from pbem.orders.source import blocks

OLD = "game p1\nturn 1 reinforcement\nplace 5/1 at Pachino\nplace 5/2 at Pachino\nend\n"
MINE = "game p1\nturn 1 reinforcement\nplace 50/1 at Augusta\nend\n"
VERBS = ("place", "move", "pass")

HEADINGS = {
    # between dashes, without a colon
    "zoho": "---- On Mon, 30 Nov 2026 10:02:11 +0000 Ann <ann@example.org> wrote ----",
    "zoho-wrapped": "---- On Mon, 30 Nov 2026 10:02:11 +0000 Ann Margaret Example of the Club\n<ann@example.org> wrote ----",
    "zoho-de": "---- Am Mo., 30 Nov. 2026 10:02:11 +0000 Ann <ann@example.org> schrieb ----",
    "zoho-fi": "---- ma, 30 marras 2026 10:02:11 +0000 Ann <ann@example.org> kirjoitti ----",
    "stars": "*** 30.11.2026 10:02 Ann <ann@example.org> ***",
    "equals": "==== Ann <ann@example.org>, 30 Nov 2026 10:02 ====",
    "tildes": "~~~ On 30 Nov 2026, Ann wrote ~~~",
    # header fields on one line
    "samsung": (
        "-------- Original message --------From: Ann <ann@example.org> Date: 30/11/2026  10:02  (GMT+00:00) "
        "To: judge@example.org Subject: orders"
    ),
    "samsung-de": (
        "-------- Ursprüngliche Nachricht --------Von: Ann <ann@example.org> Datum: 30.11.26  10:02  (GMT+01:00) "
        "An: judge@example.org Betreff: orders"
    ),
    "samsung-glued": "Sent from my Galaxy-------- Original message --------From: Ann <ann@example.org>",
    "one-line": "From: Ann <ann@example.org> Date: 30/11/2026 10:02 To: judge@example.org Subject: orders",
    "one-line-unknown": "Nga: Ann <ann@example.org> Data: 30/11/2026 10:02 Tek: judge@example.org Tema: orders",
    "one-line-cjk": "发件人：Ann <ann@example.org> 日期：2026年11月30日 10:02 收件人：judge@example.org 主题：orders",
    # without a colon
    "no-colon": "Ann <ann@example.org> wrote 30 Nov",
    "no-colon-missive": "Ann Example wrote 30 Nov",
    "no-colon-clock": "Ann <ann@example.org> 30.11.2026 10:02",
    "no-colon-bare": "ann@example.org, 30 Nov 2026 at 10:02",
    "no-colon-nl": "Ann Example schreef op 30-11-2026",
    "no-colon-date-first": "30 nov. 2026 Ann a écrit",
    "no-colon-on": "On Mon 30 Nov 2026 Ann Example wrote",
    # a bare address
    "tutanota": "30. Nov. 2026, 10:02 von ann@example.org:",
    "tutanota-en": "30 Nov 2026, 10:02 by ann@example.org:",
    "tutanota-fr": "30 nov. 2026, 10:02 de ann@example.org:",
    "tutanota-it": "30 nov 2026, 10:02 da ann@example.org:",
    "tutanota-pl": "30 lis 2026, 10:02 od ann@example.org:",
    "bare-wrote": "On 30/11/2026 10:02, ann@example.org wrote:",
    "mailto": "Ann [mailto:ann@example.org] wrote on 30/11/2026:",
    # languages that are on no list
    "sq": "Më 30 nëntor 2026, në orën 10:02, Ann <ann@example.org> shkroi:",
    "eu": "Ann <ann@example.org> igorleak hau idatzi du (2026 aza. 30 10:02):",
    "cy": "Ar Llun, 30 Tach 2026 am 10:02 ysgrifennodd Ann <ann@example.org>:",
    "ga": "Ar 30 Samhain 2026, 10:02, scríobh Ann <ann@example.org>:",
    "sw": "Mnamo 30 Novemba 2026 saa 10:02, Ann <ann@example.org> aliandika:",
    "tl": "Noong Lun, 30 Nob 2026 nang 10:02 sinulat ni Ann <ann@example.org>:",
    "ka": "ორშ, 30 ნოე. 2026, 10:02 Ann <ann@example.org> დაწერა:",
    "hy": "2026 նոյ 30, երկ, 10:02-ին Ann <ann@example.org>-ը գրեց.\u200b:",
    "hi": "सोम, 30 नव॰ 2026 को 10:02 बजे को Ann <ann@example.org> ने लिखा:",
    "bn": "সোম, 30 নভেম্বর, 2026 তারিখে 10:02 টায় তে Ann <ann@example.org> লিখেছেন:",
    "fa": "در تاریخ 30 نوامبر 2026، 10:02، Ann <ann@example.org> نوشت:",
    "kk": "дс, 30 қар. 2026 ж. 10:02, Ann <ann@example.org> мынаны жазды:",
    "mn": "2026 оны 11-р сарын 30, 10:02 Ann <ann@example.org> бичсэн:",
    "is": "mán., 30. nóv. 2026 kl. 10:02 skrifaði Ann <ann@example.org>:",
    "eo": "Je 30.11.2026 10:02, Ann skribis:",
    "unknown-verb": "Ann Example, 30.11.2026 10:02:",
    # the quote begins on the line of its heading
    "same-line": "Ann <ann@example.org> wrote: game p1",
    "same-line-glued": "Sent from Samsung MobileAnn <ann@example.org> wrote: game p1",
    "same-line-de": "Am 30.11.2026 10:02 schrieb Ann <ann@example.org>: Hallo,",
    "same-line-bare": "ann@example.org wrote: here are my orders",
    # the heading is marked, the quote is not
    "groupwise": ">>> Ann <ann@example.org> 30.11.2026 10:02 >>>",
    "groupwise-bare": ">>> ann@example.org 30/11/2026 10:02 >>>",
    "marked-attribution": "> On 30 Nov 2026, at 10:02, Ann <ann@example.org> wrote:",
    "marked-headers": "> From: Ann <ann@example.org>\n> Sent: 30 November 2026 10:02\n> To: judge@example.org\n> Subject: orders",
    "bar-headers": "| From: Ann <ann@example.org>\n| Date: 30 November 2026 10:02\n| To: judge@example.org",
    "marked-original": "> -----Original Message-----\n> From: Ann <ann@example.org>\n> Sent: 30 November 2026 10:02",
    # blocks of header fields in unknown languages
    "fields-sq": "Nga: Ann <ann@example.org>\nDërguar: 30 nëntor 2026 10:02\nPër: judge@example.org\nSubjekti: orders",
    "fields-cy": "Oddi wrth: Ann <ann@example.org>\nAnfonwyd: 30 Tachwedd 2026 10:02\nAt: judge@example.org\nPwnc: orders",
    "fields-ka": "გამგზავნი: Ann <ann@example.org>\nთარიღი: 30.11.2026 10:02\nმიმღები: judge@example.org",
    "fields-spaced": "Nga: Ann <ann@example.org>\n\nDërguar: 30 nëntor 2026 10:02\n\nPër: judge@example.org",
    "dashes-unknown": "----- Mesazhi origjinal -----\nNga: Ann <ann@example.org>\nData: 30.11.2026",
    "stars-bold": "*From:* Ann <ann@example.org>\n*Sent:* Monday, November 30, 2026 10:02\n*To:* judge@example.org",
    "forwarded": "---------- Forwarded message ----------\nFrom: Ann <ann@example.org>\nDate: Mon, 30 Nov 2026 at 10:02",
    "fw-unknown-lines": "--- Mesazh i përcjellë ---\nNga: Ann <ann@example.org>\nData: 30.11.2026 10:02",
    # blanks, odd colons, marks of direction
    "fullwidth-colon": "Ann <ann@example.org> 于2026年11月30日 10:02写道：",
    "nbsp": "Le 30 nov. 2026 à 10:02, Ann <ann@example.org> a écrit\u00a0:",
    "rtl": "\u200fבתאריך 30 בנוב׳ 2026, 10:02, מאת Ann <ann@example.org>:",
    "indented": "    On 30 Nov 2026, at 10:02, Ann <ann@example.org> wrote:",
    "hard-wrapped": "On Mon, 30 Nov 2026 at 10:02, Ann Margaret Elizabeth\n(of the club)\n<ann@example.org>\nwrote:",
    # as programs head what they quote
    "lotus": "-----Ann Example <ann@example.org> wrote: -----\nTo: judge@example.org\nFrom: Ann Example <ann@example.org>",
    "lotus-rule": "Ann Example ---30.11.2026 10:02:11---game p1", "quoting": "Quoting Ann <ann@example.org>:",
    "quoting-stamp": "Quoting Ann (2026-11-30 10:02:11)", "the-bat": "Monday, November 30, 2026, 10:02:11 AM, you wrote:",
    "gnus": '>>>>> "Ann" == Ann  <ann@example.org> writes:', "usenet": "In article <x@y.example>, Ann <ann@example.org> wrote:",
    "outlook-short": "From: Ann\nSent: Monday, 30 November 2026 10:02",
    "outlook-android": "____________\nFrom: Ann <ann@example.org>",
    "orange": "> Message du 30/11/26 10:02\n> De : Ann <ann@example.org>\n> A : judge@example.org\n> Copie à : \n> Objet : x\n> ",
    "hotmail": "> Date: Mon, 30 Nov 2026 10:02:11 +0100\n> From: ann@example.org\n> To: judge@example.org\n> ",
    "blackberry": "  Original Message  \nFrom: Ann\nSent: Monday, November 30, 2026 10:02\nTo: judge",
    "qq": "------------------ 原始邮件 ------------------\n发件人: \"Ann\" <ann@example.org>;\n发送时间: 2026年11月30日 10:02",
    "netease": 'At 2026-11-30 10:02:11, "Ann" <ann@example.org> wrote:', "yandex": '30.11.2026, 10:02, "Ann" <ann@example.org>:',
    "libero": "----Messaggio originale----\nDa: ann@example.org\nData: 30/11/2026 10.02\nA: <judge@example.org>",
    "zimbra": "----- On Nov 30, 2026, at 10:02 AM, Ann ann@example.org wrote: ",
    "mutt": "* Ann <ann@example.org> [2026-11-30 10:02]:",
}

MARKS = ["> ", ">", "| ", ">> ", "> > ", "Ann> ", "A> ", "» ", "› ", "│ ", "┃ ", "▌ ", "} ", "] ", ": ", "＞ ", "¦ ", "｜ "]


def mail(body: str, subtype: str = "plain") -> bytes:
    head = f"From: Ann <ann@example.org>\nSubject: Re: [p1] Turn 1\nContent-Type: text/{subtype}; charset=utf-8\n\n"
    return (head + body).replace("\n", "\r\n").encode()


def orders(text: str) -> list[str]:
    return [line.text for block in blocks(text, VERBS).blocks for line in block.lines]


def test_there_are_sixty_and_more() -> None:
    assert len(HEADINGS) >= 60


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
def test_b1_what_is_quoted_without_a_mark_is_not_obeyed(heading: str) -> None:
    found = parse.read(mail(f"Nothing to add from my side.\n\nAnn\n\n\n{heading}\n\n{OLD}"))
    assert orders(found.text) == [] and "Nothing to add" in found.text and found.quoted_lines >= 4


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
def test_b1_orders_above_such_a_quote_count_alone(heading: str) -> None:
    found = parse.read(mail(f"{MINE}\nAnn\n\n{heading}\n{OLD}"))
    assert orders(found.text) == ["place 50/1 at Augusta"] and not found.problem and not found.doubt


@pytest.mark.parametrize("mark", MARKS)
def test_b1_marks_of_many_sorts_are_marks(mark: str) -> None:
    quote = "".join(f"{mark}{line}\n" for line in OLD.splitlines())
    assert orders(parse.read(mail(f"Nothing to add.\n\n{quote}")).text) == []
    assert orders(parse.read(mail(f"{MINE}\n{quote}")).text) == ["place 50/1 at Augusta"]
    assert orders(parse.read(mail(f"{quote}\n{MINE}")).text) == ["place 50/1 at Augusta"]


HONEST = [
    "Turn 8, due 15 March 2026 18:00:", "Orders for 30 November:", "My orders, typed at 10:02:", "As discussed on 14.3.:",
    "Bob wrote on 14 March that he attacks.", "As Bob writes, hold.", "From: HQ\nTo: all\nSubject: attack",
    "Message 3 of 5: move out at 04:30", "I wrote on 14 March 2026 at 10:02:", "Hi judge,", "2026-03-14", "Game 1, 2026: Sicily",
    "My address is now ann@example.net.", "Please also send it to ann2@example.org", "-------- orders --------", "*** ORDERS ***",
    "== turn 1 ==", "See you on 30 Nov at 10:02!", "--", "Here we go (10:02, coffee in hand):", "1) first:", "Re: your question:",
    "From: HQ 50th Division\nTo: all units\nDate: 10 July 1943, 04:30", "Dispatch No. 12 -- 10 July 1943 -- 04:30 hours",
    "Le 10 juillet 1943, à l'aube, le général écrit :", "Am 10. Juli 1943 schrieb Monty in sein Tagebuch, heute ich:",
    "14:30 - just back from work. Orders:", "My phone (ann@icloud.example) is broken, so from the PC:",
    "---- Orders, 30 Nov 2026 ----",
    "As agreed with Bob on 29/11:", "Orders for game 1 (sent 30.11.2026):", "Subject: landing\nTime: 04:30\nPlace: Avola",
    "Sir: the fleet is ready.\nMy plan: land at once.\nRisk: none.", "1943-07-10 04:30", "======== TURN 1 ========", "~~~~~~",
]


@pytest.mark.parametrize("text", HONEST)
def test_b1_what_people_write_above_their_orders_is_no_heading(text: str) -> None:
    assert orders(cut(f"{text}\n\n{MINE}").text) == ["place 50/1 at Augusta"]
    assert cut(f"{text}\n{MINE}").quoted == 0


def test_b1_a_quote_of_a_quote_with_marks_does_not_end_the_mail() -> None:
    quote = "> On 30 Nov 2026, at 10:02, Ann wrote:\n>> game p1\n>> place 5/1 at Pachino\n>> end\n> Thanks, Bob\n"
    assert orders(cut(f"On 1 Dec 2026, Bob <bob@example.org> wrote:\n{quote}\n{MINE}").text) == ["place 50/1 at Augusta"]
