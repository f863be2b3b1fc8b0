"""Requests to the service among orders."""

from __future__ import annotations

from pbem.orders.service_verbs import SERVICE, take
from pbem.orders.source import Line


def taken(*lines: str) -> tuple[list[tuple[str, tuple[str, ...]]], list[str]]:
    requests, rest = take([Line(i, text) for i, text in enumerate(lines, 1)])
    return [(r.verb, r.args) for r in requests], [line.text for line in rest]


def test_requests_and_orders_are_told_apart() -> None:
    requests, rest = taken("HELP move", "move 50/1 to 4", "report 3.", "status", "cancel all", "add")
    assert requests == [("help", ("move",)), ("report", ("3",)), ("status", ())]
    assert rest == ["move 50/1 to 4", "cancel all", "add"]


def test_words_that_stand_alone_only() -> None:
    assert taken("check") == ([("check", ())], [])
    assert taken("check the bridge") == ([], ["check the bridge"])
    assert taken("wait for me") == ([], ["wait for me"])


def test_the_line_is_kept() -> None:
    [request], _ = take([Line(4, "rolls 2")])
    assert request.line == Line(4, "rolls 2")


def test_every_request_has_a_help_text_and_an_example_that_is_one() -> None:
    for verb in SERVICE.verbs:
        requests, rest = take([Line(1, verb.example)])
        assert [r.verb for r in requests] == [verb.name] and not rest
        assert verb.help.endswith(".")
