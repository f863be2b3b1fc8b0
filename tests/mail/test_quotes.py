"""How mail programs head the mail that they quote, in the languages they speak: what stands below is never taken for orders."""

from __future__ import annotations

import pytest

from pbem.mail import parse

OLD = "game p1\nmove 5.2 to catania\nend\n"
MINE = "game p1\nmove 50.1 to sortino\nend\n"

HEADINGS = {
    "yahoo": "On Saturday, March 14, 2026 at 10:12:33 AM GMT+1, Judge <judge@example.org> wrote:",
    "proton": "\n".join([
        "------- Original Message -------",
        "On Saturday, March 14th, 2026 at 10:12, Judge <judge@example.org> wrote:",
    ]),
    "proton2": "On Saturday, March 14th, 2026 at 10:12 AM, Judge judge@example.org wrote:",
    "samsung": "\n".join([
        "-------- Original message --------",
        "From: Judge <judge@example.org>",
        "Date: 14/03/2026 10:12 (GMT+01:00)",
        "To: alice@example.org",
        "Subject: [primosole-1]",
    ]),
    "outlook-fr": "\n".join([
        "________________________________",
        "De : Judge <judge@example.org>",
        "Envoyé : samedi 14 mars 2026 10:12",
        "À : alice@example.org",
        "Objet : [primosole-1]",
    ]),
    "outlook-it": "\n".join([
        "Da: Judge <judge@example.org>",
        "Inviato: sabato 14 marzo 2026 10:12",
        "A: alice@example.org",
        "Oggetto: x",
    ]),
    "outlook-es": "\n".join([
        "De: Judge <judge@example.org>",
        "Enviado el: sábado, 14 de marzo de 2026 10:12",
        "Para: alice@example.org",
        "Asunto: x",
    ]),
    "outlook-pt": "\n".join([
        "De: Judge <judge@example.org>",
        "Enviado: 14 de março de 2026 10:12",
        "Para: alice@example.org",
        "Assunto: x",
    ]),
    "outlook-cs": "\n".join([
        "Od: Judge <judge@example.org>",
        "Odesláno: sobota 14. března 2026 10:12",
        "Komu: alice@example.org",
        "Předmět: x",
    ]),
    "outlook-tr": "\n".join([
        "Kimden: Judge <judge@example.org>",
        "Gönderildi: 14 Mart 2026 Cumartesi 10:12",
        "Kime: alice@example.org",
        "Konu: x",
    ]),
    "outlook-zh": "\n".join([
        "发件人: Judge <judge@example.org>",
        "发送时间: 2026年3月14日 10:12",
        "收件人: alice@example.org",
        "主题: x",
    ]),
    "outlook-ja": "\n".join([
        "差出人: Judge <judge@example.org>",
        "送信日時: 2026年3月14日 10:12",
        "宛先: alice@example.org",
        "件名: x",
    ]),
    "outlook-ko": "\n".join([
        "보낸 사람: Judge <judge@example.org>",
        "보낸 날짜: 2026년 3월 14일 토요일 오전 10:12",
        "받는 사람: alice@example.org",
        "제목: x",
    ]),
    "outlook-hu": "\n".join([
        "Feladó: Judge <judge@example.org>",
        "Elküldve: 2026. március 14., szombat 10:12",
        "Címzett: alice@example.org",
        "Tárgy: x",
    ]),
    "outlook-ru": "\n".join([
        "От: Judge <judge@example.org>",
        "Отправлено: 14 марта 2026 г. 10:12",
        "Кому: alice@example.org",
        "Тема: x",
    ]),
    "outlook-el": "\n".join([
        "Από: Judge <judge@example.org>",
        "Στάλθηκε: Σάββατο, 14 Μαρτίου 2026 10:12",
        "Προς: alice@example.org",
        "Θέμα: x",
    ]),
    "outlook-he": "\n".join([
        "מאת: Judge <judge@example.org>",
        "נשלח: יום שבת 14 מרץ 2026 10:12",
        "אל: alice@example.org",
        "נושא: x",
    ]),
    "outlook-ar": "\n".join([
        "من: Judge <judge@example.org>",
        "تم الإرسال: 14 مارس 2026 10:12",
        "إلى: alice@example.org",
        "الموضوع: x",
    ]),
    "outlook-ua": "\n".join([
        "Від: Judge <judge@example.org>",
        "Надіслано: 14 березня 2026 р. 10:12",
        "Кому: alice@example.org",
        "Тема: x",
    ]),
    "apple-de": "Am 14.03.2026 um 10:12 schrieb Judge <judge@example.org>:",
    "tb-fr": "Le 14/03/2026 à 10:12, Judge a écrit :",
    "gmail-it": "Il giorno sab 14 mar 2026 alle ore 10:12 Judge <judge@example.org> ha scritto:",
    "gmail-es": "El sáb, 14 mar 2026 a las 10:12, Judge (<judge@example.org>) escribió:",
    "gmail-pt": "Em sáb., 14 de mar. de 2026 às 10:12, Judge <judge@example.org> escreveu:",
    "gmail-nl": "Op za 14 mrt 2026 om 10:12 schreef Judge <judge@example.org>:",
    "gmail-ja": "2026年3月14日(土) 10:12 Judge <judge@example.org>:",
    "gmail-zh": "Judge <judge@example.org> 于2026年3月14日周六 10:12写道：",
    "gmail-ko": "2026년 3월 14일 (토) 오전 10:12, Judge <judge@example.org>님이 작성:",
    "gmail-he": "\u200fבתאריך שבת, 14 במרץ 2026 ב-10:12 מאת \u202aJudge\u202c\u200f <\u202ajudge@example.org\u202c\u200f>:\u202c",
    "gmail-ar": "في السبت، 14 مارس 2026 في 10:12 ص تمت كتابة ما يلي بواسطة Judge <judge@example.org>:",
    "gmail-uk": "сб, 14 бер. 2026 р. о 10:12 Judge <judge@example.org> пише:",
    "gmail-el": "Στις Σάβ 14 Μαρ 2026 στις 10:12 π.μ., ο/η Judge <judge@example.org> έγραψε:",
    "gmail-ro": "În sâm., 14 mar. 2026 la 10:12, Judge <judge@example.org> a scris:",
    "gmail-hu": "Judge <judge@example.org> ezt írta (időpont: 2026. márc. 14., Szo, 10:12):",
    "gmail-fi": "la 14. maalisk. 2026 klo 10.12 Judge (judge@example.org) kirjoitti:",
    "gmail-tr": "Judge <judge@example.org>, 14 Mar 2026 Cmt, 10:12 tarihinde şunu yazdı:",
    "gmail-vi": "Vào Th 7, 14 thg 3, 2026 vào lúc 10:12 Judge <judge@example.org> đã viết:",
    "gmail-th": "ในวันที่ ส. 14 มี.ค. 2026 เวลา 10:12 Judge <judge@example.org> เขียนว่า:",
    "gmail-id": "Pada Sab, 14 Mar 2026 10.12, Judge <judge@example.org> menulis:",
    "gmail-hr": "sub, 14. ožu 2026. u 10:12 Judge <judge@example.org> napisao je:",
    "gmail-sk": "so 14. 3. 2026 o 10:12 Judge <judge@example.org> napísal(a):",
    "gmail-bg": "На сб, 14.03.2026 г. в 10:12 Judge <judge@example.org> написа:",
    "gmail-sr": "саб, 14. мар 2026. у 10:12 Judge <judge@example.org> је написао/ла:",
    "gmail-ca": "Missatge de Judge <judge@example.org> del dia ds., 14 de març 2026 a les 10:12:",
    "gmail-lt": "2026-03-14, št, 10:12 Judge <judge@example.org> rašė:",
    "gmail-lv": "Sestd., 2026. g. 14. marts, plkst. 10:12 — lietotājs Judge (<judge@example.org>) rakstīja:",
    "gmail-et": "Kuupäev L, 14. märts 2026 kell 10:12 kirjutas kasutaja Judge (<judge@example.org>):",
    "gmail-sl": "V V sob., 14. mar. 2026 ob 10:12 je oseba Judge <judge@example.org> napisala:",
}


def mail(body: str) -> bytes:
    head = "From: Ann <ann@example.org>\nSubject: Re: [p1] Turn 8\nContent-Type: text/plain; charset=utf-8\n\n"
    return (head + body).replace("\n", "\r\n").encode()


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
@pytest.mark.parametrize("mark", ["", "> "], ids=["unmarked", "marked"])
def test_only_what_was_written_above_counts(heading, mark):
    quote = "".join(f"{mark}{line}\n" for line in OLD.splitlines())
    found = parse.read(mail(f"{MINE}\nThanks\n\n{heading}\n{quote}"))
    assert "sortino" in found.text and "catania" not in found.text and not found.problem


@pytest.mark.parametrize("heading", HEADINGS.values(), ids=HEADINGS)
def test_a_mail_that_is_nothing_but_a_quote_holds_nothing(heading):
    found = parse.read(mail(f"{heading}\n{OLD}"))
    assert found.problem == "only-quote" and not found.text
