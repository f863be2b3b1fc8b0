"""The text and the HTML of a mail, and what HTML hides, strikes out or quotes."""

from __future__ import annotations

import time

import pytest

from pbem.mail import parse
from pbem.mail.html import render, to_text

BLOCK = "game p1\nturn 1 reinforcement\nplace 5/1 at Siracusa\nend\n"
PAGE = BLOCK.replace("\n", "<br>")
OTHER = PAGE.replace("Siracusa", "Augusta")


def page(body: str) -> bytes:
    head = "From: Ann <ann@example.org>\nSubject: Re: [p1]\nContent-Type: text/html; charset=utf-8\n\n"
    return (head + body).replace("\n", "\r\n").encode()


def both(plain: str, rich: str) -> bytes:
    """A mail of two versions."""
    head = 'From: Ann <ann@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n'
    texts = (("plain", plain), ("html", rich))
    parts = "".join(f"--b\nContent-Type: text/{kind}; charset=utf-8\n\n{text}\n" for kind, text in texts)
    return (head + parts + "--b--\n").replace("\n", "\r\n").encode()


DIFFER = {
    "blockquote": (f"<p>Seen.</p><blockquote>{PAGE}</blockquote>", "quoted"),
    "cite": (f'<div>Seen.</div><blockquote type="cite">{PAGE}</blockquote>', "quoted"),
    "gmail": (f'<div class="gmail_quote">wrote <blockquote class="gmail_quote">{PAGE}</blockquote></div>', "quoted"),
    "yahoo": (f'<div class="yahoo_quoted">{PAGE}</div>', "quoted"),
    "proton": (f'<div class="protonmail_quote">{PAGE}</div>', "quoted"),
    "gmx": (f'<div name="quote" style="margin:10px">{PAGE}</div>', "quoted"),
    "outlook": (f'<p>Seen.</p><hr><div id="x_divRplyFwdMsg">Nga: Ann</div>{PAGE}', "quoted"),
    "outlook-new": (f'<p>Seen.</p><div id="mail-editor-reference-message-container">{PAGE}</div>', "quoted"),
    "zimbra": (f'<p>Seen.</p><hr id="zwchr">{PAGE}', "quoted"),
    "an attribution": (f"<p>Seen.</p><p>On 30 Nov 2026, Ann &lt;ann@example.org&gt; wrote:</p>{PAGE}", "quoted"),
    "struck out": (f"<s>{PAGE}</s>", "struck"),
    "deleted": (f"<p>No:</p><del>{PAGE}</del>", "struck"),
    "line-through": (f'<p style="text-decoration: line-through">{PAGE}</p>', "struck"),
    "hidden": (f'<p>Seen.</p><div style="display:none">{PAGE}</div>', "hidden"),
    "missing": ("<p>Nothing to add from my side.</p>", "only-plain"),
}


@pytest.mark.parametrize(("rich", "doubt"), DIFFER.values(), ids=DIFFER)
def test_b2_orders_that_the_html_does_not_show_as_living_are_in_doubt(rich: str, doubt: str) -> None:
    found = parse.read(both(f"Seen.\n\n{BLOCK}", rich))
    assert (found.problem, found.doubt) == ("", doubt) and "place 5/1" in found.text


def test_b2_a_line_that_is_struck_out_in_the_html_is_in_doubt() -> None:
    rich = "game p1<br>turn 1 reinforcement<br><s>place 5/1 at Siracusa</s><br>place 5/2 at Siracusa<br>end"
    plain = "game p1\nturn 1 reinforcement\nplace 5/1 at Siracusa\nplace 5/2 at Siracusa\nend"
    found = parse.read(both(plain, rich))
    assert found.doubt == "struck" and "place 5/1" not in found.text and "place 5/2" in found.text


def test_b2_a_text_that_shows_orders_as_quoted_which_the_html_does_not_is_in_doubt() -> None:
    quoted = "".join(f"> {line}\n" for line in BLOCK.splitlines())
    assert parse.read(both(f"Seen.\n\n{quoted}", PAGE)).doubt == "quoted"


def test_b2_two_versions_with_other_orders_have_no_text_at_all() -> None:
    found = parse.read(both(BLOCK, OTHER))
    assert (found.problem, found.text) == ("parts-differ", "")


AGREE = {
    "same": (BLOCK, PAGE),
    "links": (BLOCK, PAGE.replace("Siracusa", '<a href="http://x.example">Siracusa</a>')),
    "text is empty": ("", PAGE),
    "text is a stub": ("This mail is best read as HTML.", PAGE),
    "html is empty": (BLOCK, "<html><body></body></html>"),
    "both quote the old one": (
        f"{BLOCK}\nOn 30 Nov 2026, Bob <bob@example.org> wrote:\n> game p1\n> end\n",
        f"{PAGE}<div>On 30 Nov 2026, Bob wrote:</div><blockquote>game p1<br>end</blockquote>",
    ),
    "struck prose": (BLOCK, f"<p>I <s>hope</s> think:</p>{PAGE}"),
    "hidden preheader": (BLOCK, f'<div style="display:none;max-height:0">A preview</div>{PAGE}'),
    "wrapped": (BLOCK.replace("Siracusa", "Val di\nNoto"), PAGE.replace("Siracusa", "Val di Noto")),
}


@pytest.mark.parametrize(("plain", "rich"), AGREE.values(), ids=AGREE)
def test_b2_versions_that_say_the_same_are_in_no_doubt(plain: str, rich: str) -> None:
    found = parse.read(both(plain, rich))
    assert (found.problem, found.doubt) == ("", "") and "place 5/1" in found.text


GONE = {
    "s": "<s>X</s>", "strike": "<strike>X</strike>", "del": "<del>X</del>",
    "style": "<span style='text-decoration:line-through'>X</span>",
    "style with a colour": "<span style='text-decoration: red line-through'>X</span>",
    "decoration line": "<span style='text-decoration-line:line-through'>X</span>",
    "class struck": "<style>.gone{text-decoration:line-through}</style><p class='gone'>X</p>",
    "class hidden": "<style>.h{display:none}</style><p class='big h'>X</p>",
    "class in a comment": "<style><!-- .h { display : none } --></style><p class='h'>X</p>",
    "id": "<style>#h{visibility:hidden}</style><p id='h'>X</p>",
    "tag": "<style>em{display:none!important}</style><em>X</em>",
    "list of selectors": "<style>h1, p.a, .h {color:red;font-size:0}</style><p class='h'>X</p>",
    "last of a path": "<style>body div > p.h{display:none}</style><p class='h'>X</p>",
    "after a comment": "<style>/* p{} */ .h/**/{display:none}</style><p class='h'>X</p>",
    "screen media": "<style>@media screen{.h{display:none}}</style><p class='h'>X</p>",
    "off the page": "<p style='position:absolute;left:-9999px'>X</p>",
    "indented away": "<p style='text-indent:-999em'>X</p>",
    "clipped": "<p style='clip: rect(0 0 0 0)'>X</p>",
    "no height": "<p style='height:0;overflow:hidden'>X</p>",
    "one pixel": "<p style='font-size:1px'>X</p>",
    "transparent": "<p style='color: transparent'>X</p>",
    "white": "<p style='color:#fff'>X</p>", "white by name": "<font color='white'>X</font>",
    "rgb": "<p style='color: rgb(255, 255, 255)'>X</p>",
    "a closed dialog": "<dialog>X</dialog>",
    "scaled": "<p style='transform:scale(0)'>X</p>",
}


@pytest.mark.parametrize("gone", GONE.values(), ids=GONE)
def test_b3_what_is_struck_out_or_hidden_is_not_read(gone: str) -> None:
    found = render(f"<p>a</p>{gone}<p>b</p>")
    assert found.text.split() == ["a", "b"] and (found.struck or found.hidden)


SEEN = {
    "other class": "<style>.h{display:none}</style><p class='hh'>X</p>",
    "both classes needed": "<style>.a.b{display:none}</style><p class='a'>X</p>",
    "paper": "<style>@media print{.h{display:none}}</style><p class='h'>X</p>",
    "narrow screens": "<style>@media (max-width:600px){.h{display:none}}</style><p class='h'>X</p>",
    "passing state": "<style>p:hover{display:none}</style><p>X</p>",
    "white on black": "<div style='background:#000'><p style='color:#fff'>X</p></div>",
    "white cell": "<table bgcolor='#000000'><tr><td><font color='#ffffff'>X</font></td></tr></table>",
    "underlined": "<u>X</u>", "small": "<p style='font-size:9px'>X</p>",
    "negative margin": "<p style='margin-left:-18px;text-indent:-.25in'>X</p>",
}


@pytest.mark.parametrize("seen", SEEN.values(), ids=SEEN)
def test_b3_what_can_be_seen_is_read(seen: str) -> None:
    assert to_text(f"<p>a</p>{seen}<p>b</p>").split() == ["a", "X", "b"]


@pytest.mark.parametrize(
    ("body", "doubt"),
    [
        (f"<s>{PAGE}</s>", "struck"), (PAGE.replace("5/1", "<s>5/2</s> 5/1"), "struck"),
        (f"<style>.h{{display:none}}</style><div class='h'>{PAGE}</div><p>Hello</p>", "hidden"),
        (f"<div style='color:white'>{PAGE}</div><p>Hello</p>", "hidden"),
    ],
)
def test_b3_orders_that_would_be_others_are_in_doubt(body: str, doubt: str) -> None:
    found = parse.read(page(body))
    assert (found.doubt or found.problem) == doubt and "5/2" not in found.text


@pytest.mark.parametrize(
    "body", [PAGE, f"<p>Not <s>ready</s></p>{PAGE}", f"<div style='display:none'>{OTHER}</div>{PAGE}", f"{PAGE}<s>old words</s>"],
)
def test_b3_orders_that_would_be_the_same_are_not(body: str) -> None:
    found = parse.read(page(body))
    assert found.doubt == "" and "Siracusa" in found.text and "Augusta" not in found.text


@pytest.mark.parametrize(
    "style", ["margin:0 0 0 40px;border:none;padding:0px", "margin: 0px 0px 0px 40px; border: none; padding: 0px;"]
)
def test_b2_the_indent_button_makes_no_quote(style: str) -> None:
    assert "place 5/1 at Siracusa" in to_text(f'<blockquote style="{style}">{PAGE}</blockquote>').split("\n")
    assert "> place 5/1 at Siracusa" in to_text(f'<blockquote type="cite" style="{style}">{PAGE}</blockquote>').split("\n")


@pytest.mark.parametrize("sheet", ["a{" * 50_000, "x" * 500_000, "}<style>" * 20_000, "/*<style>" * 20_000])
def test_style_sheets_take_little_time(sheet: str) -> None:
    begun = time.process_time()
    render("<style>" + sheet)
    assert time.process_time() - begun < 2
