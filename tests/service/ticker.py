"""Runs ticks of the daemon, each in a process of its own that may be killed.

A helper process imports everything once and forks for each tick: ``python ticker.py`` reads lines of JSON on stdin
({"settings": ..., "fault": name, "count": n, "after": seconds}) and answers each with how the tick's process ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Self


class Ticker:
    """The helper process, as the tests use it."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        env = {k: v for k, v in os.environ.items() if not k.startswith("PBEM_")}
        env |= {"PYTHONPATH": str(Path(__file__).parents[2])}
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, __file__], env=env, **pipes)

    def tick(self, settings: Mapping[str, Any], fault: str = "", count: int = 1, after: float = 0) -> int:
        """One tick; gives the exit code (3: trouble), -9 if it was killed, at the latest ``after`` so many seconds."""
        assert self.process.stdin is not None and self.process.stdout is not None
        plain = {k: str(v) for k, v in settings.items()}
        asked = {"settings": plain, "fault": fault, "count": count, "after": after, "now": self.now.isoformat()}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.communicate()


def serve() -> None:
    """Answer the lines on stdin."""
    import structlog

    from pbem import bootstrap, config, daemon
    from pbem.games import find_title
    from pbem.mail import faults

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    assert find_title("fab_sicily").words.order_words
    for line in sys.stdin:
        asked = json.loads(line)
        found = config.load({}, None, **asked["settings"])
        child = os.fork()
        if not child:
            if asked["fault"]:
                faults.arm(asked["fault"], asked["count"])
            app = bootstrap.bootstrap(found, clock=lambda: datetime.fromisoformat(asked["now"]))  # noqa: B023
            with daemon.only_one(found.db), app.new_mailbox() as mailbox:
                done = daemon.tick(app, mailbox, app.new_sender(), afresh=True)
            os._exit(3 if done.trouble else 0)
        killer = threading.Timer(asked["after"], os.kill, (child, signal.SIGKILL))
        if asked["after"]:
            killer.start()
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        killer.cancel()
        if asked["after"]:
            killer.join()
        os.waitpid(child, 0)
        assert ended is not None
        print(ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status, flush=True)


if __name__ == "__main__":
    serve()
