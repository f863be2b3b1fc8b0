"""The styles that are put on elements when a template is loaded are those that css_inline puts on the finished page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from css_inline import CSSInliner

from pbem.reports import render
from pbem.reports.render import html_report, template_dir
from tests.reports.test_golden import cases, reports

Element = tuple[str, tuple[str, ...], frozenset[str]]


class Elements(HTMLParser):
    """The elements of a page: name, classes, styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Element] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        styles = frozenset("".join(s.split()) for s in (said.get("style") or "").split(";") if s.strip())
        if tag != "tbody":  # which css_inline adds
            self.found.append((tag, tuple((said.get("class") or "").split()), styles))

    def body(self) -> list[Element]:
        """Those from the body on."""
        return self.found[[tag for tag, *_ in self.found].index("body") :]


@pytest.mark.parametrize(("side", "number"), list(cases()))
def test_the_page_is_styled_as_by_css_inline(side: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    doc = reports()[side][number]
    styled = Elements(html_report(doc)).body()
    monkeypatch.setattr(render, "_mail_pages", render._environment)
    plain = html_report(doc)
    whole = Elements(CSSInliner(keep_at_rules=True, load_remote_stylesheets=False).inline(plain)).body()
    assert len(styled) > 60 and styled == whole
    assert styled != Elements(plain).body()


def test_no_rule_depends_on_what_an_element_stands_in() -> None:
    sheet = render.Inlined([template_dir()], render.LAYOUT).sheet
    outside = sheet._text.partition("@media")[0]
    for rule in outside.split("}"):
        for selector in rule.partition("{")[0].split(","):
            assert " " not in selector.strip() and ">" not in selector, selector
