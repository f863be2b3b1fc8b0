"""The schema files say what the attached reports hold."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from pbem.games import find_title
from pbem.reports import schema
from pbem.reports.render import template_dir
from pbem.service.letters import attachments
from tests.reports.test_names import plain


def test_the_file_for_all_titles_is_made_from_the_types() -> None:
    assert schema.FILE.read_text(encoding="utf-8") == schema.written()


@pytest.mark.parametrize("file", sorted(template_dir().glob(f"*/{schema.NAME}")), ids=lambda p: p.parent.name)
def test_the_file_of_a_title_is_made_from_its_views(file: Path, request: pytest.FixtureRequest) -> None:
    written = schema.written(find_title(file.parent.name).view_type)
    if request.config.getoption("--update-golden"):
        file.write_text(written, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == written


def test_a_field_too_many_or_too_few_is_named() -> None:
    view = find_title("fab_sicily").view_type
    good = json.loads(attachments.as_json(plain()))
    assert schema.check(json.dumps(good).encode(), view)
    with pytest.raises(msgspec.ValidationError, match=r"\$\.score2"):
        schema.check(json.dumps({**good, "score2": {}}).encode(), view)
    with pytest.raises(msgspec.ValidationError, match=r"\$\.view\.areas\[0\]\.hidden"):
        areas = [{**good["view"]["areas"][0], "hidden": 1}, *good["view"]["areas"][1:]]
        schema.check(json.dumps({**good, "view": {**good["view"], "areas": areas}}).encode(), view)
    with pytest.raises(msgspec.ValidationError, match="head"):
        schema.check(json.dumps({k: v for k, v in good.items() if k != "head"}).encode())
