"""The bench of a big club in small: the figures are of the right kind, and no statement of a tick or a mail looks through a
table whose rows grow with the games (the real figures: python -m tests.bench.scale).
"""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from pbem import daemon
from pbem.service.mailroom import intake
from tests.bench.intake import mail
from tests.bench.scale import MEMORY_MB, Nothing, filled, measure

TABLES = ("inbox", "outbox", "seats", "dues", "journal", "notes", "people", "addresses", "positions", "reports")


def test_a_tick_and_a_mail_cost_the_same_in_a_bigger_club() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:  # the memory of the tests before it is not to count
        few, many = alone.submit(measure, [4, 300], 64, 4).result()
    assert many.mail < 2.5 * few.mail, (few, many)  # 1.0 on an idle machine; tests share theirs
    assert many.tick < 50 and many.memory < MEMORY_MB, many


def test_no_statement_looks_through_a_table(tmp_path: Path) -> None:
    bench = filled(tmp_path, 60, 6)
    bench.db.execute("analyze")  # what SQLite makes of the rows must not lead it astray
    said: list[str] = []
    try:
        bench.db.set_trace_callback(said.append)
        for n in range(3):
            bench.store.notes.set_value("tidied", "")
            if n == 1:
                intake.file(bench.app.context, mail(1, 7), bench.app.context.now, "test")
            daemon.tick(bench.app, Nothing(), Nothing())  # type: ignore[arg-type]
        bench.db.set_trace_callback(None)
        scans = {
            (sql, plan[3]) for sql in said if sql.lstrip().lower().startswith(("select", "update", "delete"))
            for plan in bench.db.execute(f"explain query plan {sql}") if plan[3].startswith(tuple(f"SCAN {t}" for t in TABLES))
        }
    finally:
        bench.close()
    assert any("from seats where address" in sql for sql in said), "the mail was not handled"
    assert any("outbox_kept" in sql for sql in said), "old mails were not looked for"
    assert not scans, scans
