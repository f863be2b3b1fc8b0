"""Templates hold words and layout and no logic: every one is parsed, and only what is listed here may stand in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from pbem.reports.render import template_dir

FILTERS = {"wrap", "fill", "heading", "upper"}
"""Layout of text.  What joins, counts, formats or picks belongs into the view."""

LAYOUT = (
    nodes.Template, nodes.TemplateData, nodes.Output, nodes.Block, nodes.Extends, nodes.Include, nodes.FromImport, nodes.Macro,
    nodes.CallBlock, nodes.FilterBlock, nodes.Filter, nodes.Call, nodes.For, nodes.If, nodes.Name, nodes.Getattr, nodes.Const,
    nodes.Tuple,
)  # fmt: skip
FOLDER = template_dir()
FILES = sorted(str(p.relative_to(FOLDER)) for p in FOLDER.rglob("*.j2"))


def logic(source: str) -> Iterator[str]:
    """What in a template is more than loops, includes, values, and whether a part is there at all."""
    tree = Environment().parse(source)
    macros = {name for node in tree.find_all(nodes.FromImport) for name in node.names}
    macros |= {node.name for node in tree.find_all(nodes.Macro)} | {"caller", "section"}
    for node in every(tree):
        where = f"line {node.lineno}: {type(node).__name__}"
        if not isinstance(node, LAYOUT):
            yield where
        elif isinstance(node, nodes.Filter) and node.name not in FILTERS:
            yield f"{where} {node.name}"
        elif isinstance(node, nodes.If) and not (plain(node.test) and not node.elif_):
            yield f"{where} that is more than whether something is there"
        elif isinstance(node, nodes.For) and (not plain(node.iter) or node.test or node.recursive):
            yield f"{where} over more than a part of the view"
        elif isinstance(node, nodes.Call) and not (isinstance(node.node, nodes.Name) and node.node.name in macros):
            yield f"{where} of what is no macro"
        elif isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "loop":
            yield f"{where} loop.{node.attr}"
        elif isinstance(node, nodes.Tuple) and node.ctx != "store":
            yield where


def every(node: nodes.Node) -> Iterator[nodes.Node]:
    """A node and all below it."""
    yield node
    for child in node.iter_child_nodes():
        yield from every(child)


def plain(node: nodes.Node) -> bool:
    """A name, or a part of one."""
    return isinstance(node, nodes.Name) or (isinstance(node, nodes.Getattr) and plain(node.node))


@pytest.mark.parametrize("name", FILES)
def test_no_logic(name: str) -> None:
    assert list(logic((FOLDER / name).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "{{ a ~ b }}", "{{ a + 1 }}", "{{ a == b }}", "{% if a == 1 %}x{% endif %}", "{% if not a %}x{% endif %}",
        "{% if a and b %}x{% endif %}", "{% if a is defined %}x{% endif %}", "{{ a | join(', ') }}", "{{ 'x' if a }}",
        "{{ a | length }}", "{% for x in a if x %}{% endfor %}", "{% for x in a.items() %}{% endfor %}", "{{ a[0] }}",
        "{% for x in a %}{{ loop.index }}{% endfor %}", "{% set a = 1 %}", "{{ '%3d' | format(a) }}", "{{ a.upper() }}",
        "{% if a %}x{% elif b %}y{% endif %}", "{{ [a, b] }}", "{% include a ~ '.txt' %}", "{{ -a }}", "{{ a % 2 }}",
    ],
)  # fmt: skip
def test_logic_is_found(text: str) -> None:
    assert list(logic(text))


def test_what_layout_needs_is_none() -> None:
    loop = "{% for a, b in c.d %}{{ m(a) }}{% else %}{{ 'w' | wrap('  ', '    ') }}{% endfor %}"
    text = "{% macro m(x) %}{{ x.y }}{% endmacro %}" + loop
    assert list(logic(text + "{% if a.b %}{% filter fill %}By {{ a.b }}.{% endfilter %}{% else %}-{% endif %}")) == []
    assert len(FILES) > 30 and Path(FOLDER / FILES[0]).is_file()
