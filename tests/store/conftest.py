"""Every store has to pass the tests of this folder: a second one is one more name in ``params``."""

import pytest

from pbem.store.schema import open_store


@pytest.fixture(params=["sqlite"])
def open_again(request, tmp_path):
    """Opens the same database, each time as another process would."""
    opened = []

    def again():
        opened.append(open_store(tmp_path / "pbem.db", create=True))
        return opened[-1]

    yield again
    for store in opened:
        store.close()


@pytest.fixture
def store(open_again):
    """An empty database."""
    return open_again()
