"""Attacks are tried on whole clubs, as the tests of the service have them."""

from tests.service.conftest import club, make_club  # noqa: F401
