"""Deadlines in words."""

from __future__ import annotations

import pytest

from pbem.reports.when import deadline


@pytest.mark.parametrize(
    ("at", "zone", "text", "left"),
    [
        ("2026-08-14T16:00:00Z", "Europe/Berlin", "Friday 14 August 2026, 18:00 CEST (Europe/Berlin)", "2 days 3 hours"),
        ("2026-12-14T16:00:00Z", "Europe/Berlin", "Monday 14 December 2026, 17:00 CET (Europe/Berlin)", "124 days 3 hours"),
        ("2026-08-12T14:10:00Z", "UTC", "Wednesday 12 August 2026, 14:10 UTC", "1 hour 10 minutes"),
        ("2026-08-12T13:01:00Z", "America/Sao_Paulo", "Wednesday 12 August 2026, 10:01 UTC-03 (America/Sao_Paulo)", "1 minute"),
        ("2026-08-12T12:00:00Z", "UTC", "Wednesday 12 August 2026, 12:00 UTC", "no time left"),
    ],
)
def test_deadline(at: str, zone: str, text: str, left: str) -> None:
    told = deadline(at, zone, "2026-08-12T13:00:00Z")
    assert (told["text"], told["left"]) == (text, left)


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    first = deadline("2026-10-25T00:30:00Z", "Europe/Berlin", "2026-10-24T00:00:00Z")
    second = deadline("2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-24T00:00:00Z")
    assert (first["short"], second["short"]) == ("Sun 25 Oct 02:30 CEST", "Sun 25 Oct 02:30 CET")
