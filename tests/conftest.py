"""Options of the whole test run."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden game's mails out anew; read the difference")


@pytest.fixture(scope="session")
def update_golden(request):
    """Whether what is stored is to be written anew."""
    return request.config.getoption("--update-golden")
