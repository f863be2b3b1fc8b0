"""Attacks are tried on whole clubs, as the tests of the service have them, and on a finished game, as those of the audit."""

from tests.audit.conftest import game  # noqa: F401
from tests.service.conftest import club, make_club  # noqa: F401
