"""HTML templates whose elements carry their styles, since many mail programs read none that stand in a page's head.

The sheet of a template's layout is put on its elements once, when a template is loaded; what a class means that comes with
the view (``class="{{ side }}"``) is looked up as the page is made.  Rules within ``@media`` stay in the head.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

_SHEET = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_TAG = re.compile(r'<([a-z][a-z0-9]*)((?:\s+[\w-]+="[^"]*")*)\s*(/?)>')
_CLASS = re.compile(r'\sclass="([^"]*)"')
_VALUE = re.compile(r"\{\{\s*(.+?)\s*\}\}")
_WITHIN = {"td": "<table><tbody><tr>", "tr": "<table><tbody>", "li": "<ul>"}
"""What an element must stand in to be read as one."""


class Inlined(FileSystemLoader):
    """Loads templates from folders; ``layout`` is the template with the sheet, in the first of them.  The sheet must know no
    rule that depends on what an element stands in."""

    def __init__(self, folders: Sequence[Path], layout: str) -> None:
        super().__init__(folders)
        self.sheet = Sheet(_SHEET.findall((folders[0] / layout).read_text(encoding="utf-8"))[0])

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """See :meth:`jinja2.BaseLoader.get_source`."""
        source, name, fresh = super().get_source(environment, template)
        kept = _SHEET.sub(lambda _: f"<style>\n{self.sheet.kept}\n</style>", source)
        return _TAG.sub(lambda tag: self._styled(*tag.groups()), kept), name, fresh

    def _styled(self, name: str, attributes: str, closed: str) -> str:
        found = _CLASS.search(attributes)
        classes = found[1] if found else ""
        named = [f"{{{{ {value} | style }}}}" for value in _VALUE.findall(classes)]
        style = ";".join(filter(None, [self.sheet.style(name, " ".join(_VALUE.sub("", classes).split())), *named]))
        put = f' style="{style}"' if style else ""
        return f"<{name}{attributes}{put}{closed}>"


class Sheet:
    """A style sheet; ``kept`` are the rules that cannot stand on elements."""

    def __init__(self, text: str) -> None:
        self._inliner = CSSInliner(keep_at_rules=True, load_remote_stylesheets=False, minify_css=True)
        self._text = text
        self.kept = _SHEET.findall(self._page("<p></p>"))[0].strip()
        self.style = cache(self._style)

    def of_class(self, name: str) -> Markup:
        """The style of a class on any element, as it stands in an attribute."""
        return Markup(self.style("span", name))

    def _style(self, element: str, classes: str) -> str:
        opening = "<body>" if element == "body" else f'{_WITHIN.get(element, "")}<{element} class="{classes}">'
        found = re.findall(rf'<{element}\b[^>]*? style="([^"]*)"', self._page(opening))
        return found[-1] if found else ""

    def _page(self, body: str) -> str:
        return self._inliner.inline(f"<html><head><style>{self._text}</style></head>{body}")
