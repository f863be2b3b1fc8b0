"""Handles hostile mails in a process of its own and tells what each took: ``python hostile.py FOLDER``."""

from __future__ import annotations

import base64
import gzip
import io
import json
import sys
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

ORDERS = "game p1\nplace 5-1 at B1\nend\n"
ANN = "From: ann@example.org\nTo: judge@example.org\n"


def plain(body: str, fields: str = "") -> bytes:
    """A mail from Ann."""
    return f"{ANN}{fields}Content-Type: text/plain; charset=utf-8\n\n{body}".encode()


def html(body: str) -> bytes:
    """The same as HTML."""
    return f"{ANN}Content-Type: text/html; charset=utf-8\n\n{body}".encode()


def nested(depth: int) -> bytes:
    """Multiparts within each other."""
    body = f"Content-Type: text/plain\n\n{ORDERS}"
    for n in range(depth):
        body = f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n{body}\n--b{n}--'
    return f"{ANN}MIME-Version: 1.0\n{body}".encode()


def parts(count: int, kind: str = "text/plain", body: str = "x") -> bytes:
    """Many parts side by side."""
    each = f"--b\nContent-Type: {kind}\n\n{body}\n"
    return f"{ANN}Content-Type: multipart/mixed; boundary=b\n\n{each * count}--b--\n".encode()


def attached(name: str, data: bytes, kind: str = "application/octet-stream") -> bytes:
    """A file and nothing else."""
    coded = base64.encodebytes(data).decode()
    head = f"{ANN}Content-Type: {kind}; name={name}\nContent-Disposition: attachment; filename={name}\n"
    return f"{head}Content-Transfer-Encoding: base64\n\n{coded}".encode()


def bomb() -> bytes:
    """A small ZIP file that unpacks to 100 MB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for n in range(10):
            archive.writestr(f"orders{n}.txt", b"\0" * 10_000_000)
    return file.getvalue()


def mails() -> dict[str, bytes]:
    """Each with a name."""
    injected = "Subject: =?utf-8?q?a=0D=0ABcc:_eve@example.org?=\nReply-To: eve@example.org\nX: a\r\n b\n"
    return {
        "5 MB": plain("x" * 70 + ("\n" + "y" * 70) * 70_000), "11 MB": plain(ORDERS + "\n".join(["z" * 990] * 11_000)),
        "30 MB": plain("z" * 30_000_000), "60 nested": nested(60), "1,000 nested": nested(1000), "2,000 parts": parts(2000),
        "90 parts of orders": parts(90, body=ORDERS), "90 rich parts": parts(90, "text/html", "<div>" * 4000 + ORDERS),
        "NUL bytes": plain("\0" * 100_000 + ORDERS), "100 kB line": plain("a " * 50_000 + "\n" + ORDERS),
        "100 kB order": plain(f"game p1\nmove {'5-1 ' * 25_000}\nend\n"), "header injection": plain(ORDERS, injected),
        "ZIP bomb": attached("orders.zip", bomb()),
        "gzip that is called text": attached("orders.txt", gzip.compress(b"\0" * 50_000_000)),
        "winmail.dat rubbish": attached("winmail.dat", b"\x78\x9f\x3e\x22" + b"\xff" * 200_000, "application/ms-tnef"),
        "HTML bomb": html("<table><tr><td>" * 60_000), "styled": html("<p style='" + "a:b;" * 200_000 + "'>" + ORDERS),
        "entities": html("&lt;" * 200_000), "comment": html("<!--" * 100_000 + ORDERS),
        "3,000 bad lines": plain("game p1\n" + "mvoe 5-11 tp Sortinoo\n" * 3000 + "end\n"),
        "290 bad lines": plain("game p1\n" + "".join(f"mvoe 5-{n} tp Sortinoo\n" for n in range(290)) + "end\n"),
        "290 standing orders": plain("game p1\n" + "standing when bridge then blow\n" * 290 + "end\n"),
        "290 good lines": plain("game p1\n" + "place 5-1 at B1\n" * 290 + "end\n"),
        "10,000 blocks": plain("".join(f"game g{n}\nend\n" for n in range(10_000))),
        "10,000 requests": plain("game p1\n" + "rolls 1\n" * 10_000 + "end\n"),
        "290 requests": plain("game p1\n" + "report 1\n" * 290 + "end\n"),
        "290 kinds of help": plain("game p1\n" + "".join(f"help topic{n}\n" for n in range(290)) + "end\n"),
        "order words": plain("move " * 50_000), "quotes": plain("> " * 120_000 + "\n" + ">" * 5_000 + ORDERS),
        "attributions": plain("On Mon, 1 Jan 2026 at 10:00 a b wrote\n" * 6_000), "headers": plain("From: x\nTo: y\n" * 10_000),
        "20,000 header fields": plain(ORDERS, "X-A: b\n" * 20_000),
        "long references": plain(ORDERS, "References: " + "<a@b> " * 30_000 + "\n"),
        "1,000 signatures": plain(ORDERS, "DKIM-Signature: v=1; d=example.org; s=t1; b=x\n" * 1_000),
        "letters of the world": plain("ﷺ" * 80_000), "marks": plain("e" + "\u0301" * 100_000 + ORDERS),
    }


def megabytes() -> int:
    """The most memory that was in use so far."""
    [line] = [x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith("VmHWM")]
    return int(line.split()[1]) // 1024


def main() -> None:
    """Handle them all; print JSON."""
    import structlog

    from pbem.bootstrap import bootstrap
    from pbem.config import Config
    from pbem.service.letters import mailing
    from pbem.service.mailroom import intake
    from pbem.service.play import game_session
    from pbem.service.play.game_session import Player
    from pbem.store.schema import open_store

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    folder = Path(sys.argv[1])
    path = folder / "club.db"
    config = Config(db=path, address="judge@example.org", policy="open", replies_per_hour=10_000)
    app = bootstrap(config, store=open_store(path, create=True), clock=lambda: datetime(2026, 3, 14, 9, 15, tzinfo=UTC))
    with app.store.transaction():
        players = {"allied": Player("ann@example.org", "Ann"), "axis": Player("bob@example.org", "Bob")}
        play = game_session.create(app.context, "fab_sicily", "primosole_bridge", "p1", players)
        mailing.send(play, game_session.store_rows(play))
    intake.handle(app.context, intake.file(app.context, plain("status\n"), app.context.now, "")[0].id)
    found = {"nothing yet": {"megabytes": megabytes(), "seconds": 0, "disposition": "accept", "answers": 0, "bytes": 0, "to": []}}
    for file in sorted(folder.glob("*.eml")):
        name, raw = file.stem, file.read_bytes()
        before = len(list(app.store.outbox.unsent()))
        begun = time.process_time()
        mail, _ = intake.file(app.context, raw, app.context.now, "")
        outcome = intake.handle(app.context, mail.id)
        took = time.process_time() - begun
        letters = list(app.store.outbox.unsent())[before:]
        found[name] = {
            "seconds": took, "disposition": outcome.disposition, "reason": outcome.reason[:200], "answers": len(letters),
            "bytes": max((len(x.raw) for x in letters), default=0), "to": sorted({x.recipient for x in letters}),
            "megabytes": megabytes(),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
