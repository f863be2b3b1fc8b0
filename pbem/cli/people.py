"""Commands about people: who is a member, and whose mail is not taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.terminal import Bad, Db, new_table, opened, show_table

if TYPE_CHECKING:
    from pbem.bootstrap import App
    from pbem.store.api import Member

Entry = Annotated[str, typer.Argument(metavar="WHO", help="An address, or a domain: example.org.", show_default=False)]


def people_list(db: Db = None) -> None:
    """All members: name, addresses, how they answered, whether they stand ready as substitutes; and the deny list."""
    from pbem.service.club import members

    with opened(db) as found:
        table = new_table("name", "mail goes to", "answered", "substitute since")
        for member in _all(found):
            table.add_row(member.name, member.address, members.reliability(member), member.available)
        show_table(table)
        denied = members.deny_list(found.context)
        if denied:
            print(f"denied: {', '.join(denied)}")


def _all(found: App) -> Iterator[Member]:
    after = 0
    while page := found.store.people.page(after):
        yield from page
        after = page[-1].id


def people_deny(who: Entry, db: Db = None) -> None:
    """Take no more mail from an address or a domain."""
    entry = _entry(who)
    with opened(db) as found:
        _keep(found, dict.fromkeys([*_kept(found), entry]))
        print(f"{entry}: its mail is not taken any more")


def people_allow(who: Entry, db: Db = None) -> None:
    """Take an address or a domain off the list that 'pbem people deny' made."""
    entry = _entry(who)
    with opened(db) as found:
        kept = _kept(found)
        if entry not in kept:
            raise Bad(f"{entry} is not on the list: it has {', '.join(kept) or 'nothing'}; PBEM_DENY is set in .env")
        _keep(found, dict.fromkeys(k for k in kept if k != entry))
        print(f"{entry}: its mail is taken again")


def _entry(who: str) -> str:
    from pbem import config as settings

    entry = who.strip().lower().removeprefix("@")
    if not settings.is_address(entry if "@" in entry else f"somebody@{entry}"):
        raise Bad(f"{who!r} is neither an address nor a domain; write it like ann@example.org or example.org")
    return entry


def _kept(found: App) -> list[str]:
    from pbem.service.club import members

    return list(members.words(found.store.notes.value(members.DENIED)))


def _keep(found: App, entries: dict[str, None]) -> None:
    from pbem.service.club import members

    with found.store.transaction():
        found.store.notes.set_value(members.DENIED, " ".join(entries))
