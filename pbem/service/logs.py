"""The log: lines with fields, on stderr.  The library that writes them is imported with the first line, since most commands
write none."""

from __future__ import annotations

import logging
import sys
from functools import cached_property
from typing import Any


class Log:
    """``log.info("kind", game=…)``, and so for the other levels of structlog."""

    _set: tuple[int, bool] | None = None

    def set_up(self, level: int, as_json: bool) -> None:
        """From which level on lines are written, and in which shape."""
        self._set = (level, as_json)
        self.__dict__.pop("_logger", None)

    @cached_property
    def _logger(self) -> Any:
        import structlog

        if self._set is not None:
            level, as_json = self._set
            structlog.configure(
                processors=[
                    structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True),
                    *([structlog.processors.format_exc_info] if as_json else []),
                    structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(
                        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback,
                    ),
                ],
                wrapper_class=structlog.make_filtering_bound_logger(level),
                logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
            )
        return structlog.get_logger("pbem")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._logger, name)


log = Log()
"""Everybody's."""


def level_of(name: str, quiet: bool) -> int:
    """The level of that name; quiet commands tell errors only."""
    level = int(getattr(logging, name.upper()))
    return level if name == "debug" else max(logging.WARNING if quiet else 0, level)
