"""Commands of the server: settings, the daemon, mail in and out, the log."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.terminal import FINE, WRONG, Bad, Db, load, log, new_table, opened, show_table


def init(db: Db = None) -> None:
    """Write .env, if there is none, and make the database."""
    from pbem import config as settings
    from pbem.store.schema import open_store, private

    env = Path(".env")
    if not env.exists():
        private(env)  # it will hold passwords
        env.write_text(settings.example(), encoding="utf-8")
        print(f"{env}: written; every setting is in it, at its default")
    config = load(db)
    existed = config.db.exists()
    open_store(config.db, create=True).close()
    print(f"{config.db}: {'the database is there and up to date' if existed else 'an empty database was made'}")


def doctor(db: Db = None) -> None:
    """Check the settings, the database, both mail servers and the clock."""
    from pbem.service.host.doctor import examine

    config = load(db)
    bad = False
    for check in examine(config):
        print(f"{'ok  ' if check.ok else 'FAIL'}  {check.what}: {check.found}" + ("" if check.ok else f"; {check.mend}"))
        bad = bad or not check.ok
    raise typer.Exit(WRONG if bad else FINE)


def run(db: Db = None) -> None:
    """The daemon: fetch, handle, deadlines, send, until it is told to stop."""
    from pbem import daemon
    from pbem.bootstrap import bootstrap

    found = bootstrap(load(db))
    log(found.context.config)
    try:
        daemon.run(found)
    finally:
        found.close()


def tick(
    now: Annotated[bool, typer.Option("--now", help="Try at once what failed before and waits for its pause to end.")] = False,
    db: Db = None,
) -> None:
    """One cycle of the daemon."""
    from pbem import daemon

    with opened(db) as found:
        config = found.context.config
        log(config)
        with daemon.only_one(config.db), daemon.mail_server(config), found.new_mailbox() as mailbox:
            done = daemon.tick(found, mailbox, found.new_sender(), at_once=now)
        print(f"fetched {done.fetched}, handled {done.handled}, due {done.due}, sent {done.sent}")
        raise typer.Exit(WRONG if done.trouble else FINE)


def deliver(
    files: Annotated[list[Path], typer.Argument(help="Raw mails (.eml).")],
    why: Annotated[bool, typer.Option("--explain", help="File nothing; print as JSON how each mail is read.")] = False,
    db: Db = None,
) -> None:
    """Put raw mails into the inbox and handle them, as if they had been fetched; one line a mail."""
    from pbem.service.mailroom import explain, intake

    failed = False
    with opened(db) as found:
        for path in files:
            if not path.is_file():
                raise Bad(f"{path}: there is no such file")
        if why:
            told = explain.explain(found.context, [path.read_bytes() for path in files])
            for path, each in zip(files, told, strict=True):
                print(json.dumps(each if len(files) == 1 else {"file": str(path), **each}, ensure_ascii=False))
            return
        for path in files:
            mail, new = intake.file(found.context, path.read_bytes(), found.context.now, f"file {path.name}")
            outcome = intake.handle(found.context, mail.id)
            where = f" [{outcome.game} {outcome.side}]" if outcome.game else ""
            print(f"{path}: {outcome.disposition if new else 'ignore-auto'}{where}: {outcome.reason}")
            failed = failed or outcome.disposition == intake.FAILED
    raise typer.Exit(WRONG if failed else FINE)


def outbox_export(folder: Annotated[Path, typer.Argument(metavar="DIR")], db: Db = None) -> None:
    """Write unsent mails as .eml files; they stay in the outbox."""
    from pbem.service.letters import pictures
    from pbem.store.schema import private

    folder.mkdir(parents=True, exist_ok=True)
    with opened(db) as found:
        for letter in list(found.store.outbox.unsent()):
            path = folder / f"{letter.id:06d}-{_file_name(letter.game or 'note')}-{_file_name(letter.side or letter.kind)}.eml"
            private(path)  # a letter bears the word that its seat is believed by
            path.write_bytes(pictures.drawn(found.context, letter.id).raw)
            print(f"{path}: to {letter.recipient}: {letter.subject}")


def _file_name(text: str) -> str:
    return re.sub(r"[^a-z0-9.-]", "_", text.lower())


def outbox_flush(db: Db = None) -> None:
    """Send unsent mails now."""
    from pbem import daemon
    from pbem.service.letters import outgoing

    with opened(db) as found:
        config = found.context.config
        with daemon.only_one(config.db), daemon.mail_server(config):
            sent = outgoing.send_ready(found.context, found.new_sender(), limit=1_000_000, at_once=True)
        left = sum(found.store.outbox.counts().get(s, 0) for s in ("queued", "sending"))
        print(f"sent {sent}, {left} left")
        raise typer.Exit(WRONG if left else FINE)


def outbox_list(db: Db = None) -> None:
    """Mails that wait to be sent or were given up, and why; 'retry' sends the latter again."""
    from pbem.service.host import breaker
    from pbem.store.api import FAILED

    with opened(db) as found:
        table = new_table("id", "status", "to", "game", "kind", "tries", "next try", "last error", "subject")
        for x in [*found.store.outbox.failures(), *found.store.outbox.unsent()]:
            until = "" if x.status == FAILED else x.next_try
            table.add_row(str(x.id), x.status, x.recipient, x.game, x.kind, str(x.attempts), until, x.error, x.subject)
        show_table(table)
        trouble = breaker.open_now(found.context, breaker.SEND)
        if trouble is not None:
            print(f"nothing can be sent since {trouble.since} ({trouble.why}); tried again at {trouble.until}")


def outbox_retry(
    ids: Annotated[list[int] | None, typer.Argument(metavar="[ID]...", help="As 'pbem outbox list' shows them.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All that were given up.")] = False, db: Db = None,
) -> None:
    """Send mails again that were given up: the next tick does it, the daemon at once."""
    with opened(db) as found, found.store.transaction():
        failed = {x.id: x for x in found.store.outbox.failures()}
        if not ids and not every:
            raise Bad("say which (their numbers, see 'pbem outbox list'), or --all")
        for id in ids or failed:
            if id not in failed:
                raise Bad(f"letter {id} was not given up; 'pbem outbox list' names those that were")
            found.store.outbox.again(id, found.context.now)
            print(f"letter {id} to {failed[id].recipient} is sent again: {failed[id].subject}")


def inbox_release(
    ids: Annotated[list[int], typer.Argument(metavar="ID...", help="Numbers of shelved mails.")], db: Db = None,
) -> None:
    """Have shelved mails handled once more: the next tick does it, the daemon at once."""
    from pbem.store.api import SHELVED

    with opened(db) as found, found.store.transaction():
        for id in ids:
            try:
                mail = found.store.inbox.get(id)
            except KeyError:
                raise Bad(f"there is no mail {id}; 'pbem status' names those that are shelved") from None
            if mail.status != SHELVED:
                raise Bad(f"mail {id} is not shelved: {mail.disposition}; 'pbem status' names those that are")
            found.store.inbox.reopen(id)
            found.context.note("released", f"mail {id} is handled once more; it had been shelved: {mail.reason}", mail.game)
            print(f"mail {id} is handled once more; 'pbem inbox list' tells what becomes of it")


def inbox_list(limit: int = 50, db: Db = None) -> None:
    """The mails handled last, and what became of them."""
    with opened(db) as found:
        table = new_table("id", "received", "disposition", "game", "side", "why")
        for m in found.store.inbox.handled(limit):
            table.add_row(str(m.id), m.received, m.disposition, m.game, m.side, m.reason)
        show_table(table)


def inbox_show(id: int, db: Db = None) -> None:
    """A mail as it came in."""
    with opened(db) as found:
        try:
            mail = found.store.inbox.get(id)
        except KeyError:
            raise Bad(f"there is no mail {id}; 'pbem inbox list' names them") from None
        sys.stdout.buffer.write(mail.raw)


def notes(game: Annotated[str, typer.Option(help="Of one game.")] = "", limit: int = 50, db: Db = None) -> None:
    """The host's log: strangers, shelved mails, bounces, missed deadlines, acts of referees."""
    with opened(db) as found:
        table = new_table("at", "game", "kind", "what")
        for n in found.store.notes.last(limit, game or None):
            table.add_row(n.at, n.game, n.kind, n.text)
        show_table(table)
