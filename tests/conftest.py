"""Options of the whole test run."""

import os

import pytest
from hypothesis import settings

# The suite tries the same examples each time, so that a failure says something of the change at hand;
# PBEM_HYPOTHESIS=random looks for new ones.
settings.register_profile("suite", derandomize=True, database=None)
settings.register_profile("random", print_blob=True)
settings.load_profile(os.environ.get("PBEM_HYPOTHESIS", "suite"))


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="write the golden game's mails out anew; read the difference")


@pytest.fixture(scope="session")
def update_golden(request):
    """Whether what is stored is to be written anew."""
    return request.config.getoption("--update-golden")
