"""Every case file (see :mod:`.cases`); the rule of a case is its mark."""

import pytest

from tests.games.fab_sicily.cases import Case, all_cases, run

CASES = all_cases()


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id, marks=pytest.mark.rule("fab_sicily", c.rule)) for c in CASES])
def test_case(case: Case) -> None:
    run(case)


def test_every_case_has_its_own_name() -> None:
    assert len({c.id for c in CASES}) == len(CASES)
