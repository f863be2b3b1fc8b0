"""What ordinary mail programs write around quoted mail and on automatic replies, in the languages they speak."""

from __future__ import annotations


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase for line in text.splitlines() for phrase in (p.strip() for p in line.split("/")) if phrase)


ORIGINAL_MESSAGE = _phrases("""
    original message / original mail / original e-mail / original appointment / original-nachricht / originalnachricht
    ursprüngliche nachricht / message d'origine / message original / mensaje original / messaggio originale
    oorspronkelijk bericht / origineel bericht / mensagem original / ursprungligt meddelande / oprindelig meddelelse
    oprindelig besked / opprinnelig melding / alkuperäinen viesti / wiadomość oryginalna / oryginalna wiadomość
    исходное сообщение / původní zpráva / původní e-mail / pôvodná správa / eredeti üzenet / orijinal mesaj
    mesajul original / αρχικό μήνυμα / originalna poruka / 原始邮件 / 原始郵件 / 元のメッセージ / 원본 메시지 / reply message
    forwarded message / weitergeleitete nachricht / message transféré / mensaje reenviado / messaggio inoltrato
    doorgestuurd bericht / mensagem encaminhada / vidarebefordrat meddelande / videresendt meddelelse
    videresendt melding / välitetty viesti / wiadomość przekazana dalej / пересылаемое сообщение
    переадресованное сообщение / 转发邮件 / 轉寄郵件
    begin forwarded message / anfang der weitergeleiteten nachricht / anfang der weitergeleiteten e-mail
    début du message réexpédié / début du message transféré / inizio messaggio inoltrato
    inicio del mensaje reenviado / begin doorgestuurd bericht
""")
"""What stands, mostly between dashes, above quoted or forwarded mail."""

WROTE = _phrases("""
    wrote / writes / said / schrieb / schrieben / geschrieben / a écrit / écrit / escribió / ha scritto / scrisse
    escreveu / schreef / skrev / skreiv / kirjoitti / napisał / napisała / napisał(a) / pisze / написал / написала
    написал(а) / пишет / писал / писала / писал(а) / napsal / napsala / napsal(a) / napísal / napísala / napísal(a)
    írta / yazdı / a scris / έγραψε / je napisao / je napisala / написав / написала / va escriure / skrifaði
    on behalf of
""")
"""The verb of an attribution ('On 14 March, NAME wrote:'), where words are parted by blanks."""

WROTE_UNSPACED = _phrases("写道 / 寫道 / のメール / さんは書きました / 님이 작성 / เขียน")

FIELDS: dict[str, tuple[str, ...]] = {
    "from": _phrases("""
        from / von / de / da / van / från / fra / lähettäjä / od / от / z / expéditeur / mittente / kimden / feladó / από
        发件人 / 寄件者 / 差出人 / 보낸사람 / 보낸 사람 / sender / absender / remitente / від / šalje / pošiljatelj / nuo
        no / saatja / từ / dari / จาก / מאת / من
    """),
    "sent": _phrases("""
        sent / date / gesendet / datum / envoyé / envoyé le / enviado / enviado el / enviada em / inviato / verzonden
        skickat / sendt / lähetetty / wysłano / дата / отправлено / odesláno / odoslané / elküldve / gönderildi / data
        fecha / päivämäärä / dato / trimis / στάλθηκε / 发送时间 / 日期 / 寄件日期 / 送信日時 / 日時 / 날짜 / 보낸 날짜
        надіслано / изпратено / poslano / послато / poslato / išsiųsta / nosūtīts / saadetud / đã gửi / dikirim / ส่ง / ส่งเมื่อ
        נשלח / תאריך / تم الإرسال / التاريخ / تاريخ الإرسال
    """),
    "to": _phrases("""
        to / an / à / a / para / aan / till / til / vastaanottaja / do / кому / komu / címzett / kime / către / προς
        收件人 / 收件者 / 宛先 / 받는사람 / 받는 사람 / cc / kopie / copie / reply-to / до / за / prima / za / kam / saaja
        tới / đến / kepada / ถึง / אל / إلى
    """),
    "subject": _phrases("""
        subject / betreff / objet / asunto / oggetto / onderwerp / ämne / emne / aihe / temat / тема / předmět / predmet
        tárgy / konu / assunto / subiect / θέμα / 主题 / 主旨 / 件名 / 제목 / predmet / naslov / zadeva / tema / teema / chủ đề
        subjek / perihal / เรื่อง / נושא / الموضوع
    """),
}
"""The names of the four fields by which Outlook and others head an unmarked quote."""

AUTOMATIC_SUBJECTS = _phrases("""
    automatic reply / automatische antwort / abwesenheitsnotiz / abwesenheit / réponse automatique / respuesta automática
    risposta automatica / automatisch antwoord / resposta automática / automatiskt svar / autosvar
    automaattinen vastaus / automatická odpověď / autoreply / auto-reply / auto reply / autoresponse / auto response
    out of office / out of the office / out of office reply / out of office autoreply / vacation reply / vacation message
    undeliverable / undelivered mail returned to sender / mail delivery failed / mail delivery failure
    mail delivery subsystem / mail delivery system / delivery status notification / returned mail / failure notice
    delivery failure / unzustellbar / non remis / no entregado
""")
"""What the subject of an automatic reply or a bounce begins with, or is."""
