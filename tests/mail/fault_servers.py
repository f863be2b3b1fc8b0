"""Mail servers that fail as servers do: they say 'later', refuse, keep a mail to themselves, or take their time.

    with FaultyImap() as imap, FaultySmtp() as smtp:
        imap.put(raw)
        imap.says["FETCH"] = "NO Request is throttled"

How they behave may be changed at any time; what they were asked is in ``asked``.
"""

from __future__ import annotations

import re
import socketserver
import threading
import time
from typing import Any, Self


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address, daemon_threads = True, True
    owner: Any


class _Faulty:
    """What both kinds share: a server in a thread, how it answers, what it was asked."""

    handler: type[socketserver.StreamRequestHandler]

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.drip = 0.0
        """Seconds between two bytes of every answer; 0: all at once."""
        self._server = _Server(("127.0.0.1", 0), self.handler)
        self._server.owner = self
        self.port = int(self._server.server_address[1])

    def count(self, word: str) -> int:
        """How often a command was given."""
        return sum(word in line.upper() for line in self.asked)

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *ended: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Speaker(socketserver.StreamRequestHandler):
    def say(self, data: str | bytes) -> None:
        owner = self.server.owner  # type: ignore[attr-defined]
        whole = (data.encode() if isinstance(data, str) else data) + b"\r\n"
        if not owner.drip:
            self.wfile.write(whole)
            return
        for byte in whole:
            self.wfile.write(bytes([byte]))
            time.sleep(owner.drip)

    def handle(self) -> None:
        try:
            self.talk(self.server.owner)  # type: ignore[attr-defined]
        except OSError:
            return  # hung up

    def talk(self, owner: Any) -> None:
        raise NotImplementedError


class _Imap(_Speaker):
    def talk(self, owner: FaultyImap) -> None:
        self.say("* OK ready")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            tag, _, command = line.partition(" ")
            while literal := re.search(r"\{(\d+)\+?\}$", command):
                self.say("+ go on")
                more = self.rfile.read(int(literal[1])).decode() + self.rfile.readline().decode().rstrip("\r\n")
                command = command[: literal.start()] + more
            owner.asked.append(command)
            word = command.upper().removeprefix("UID ").split()[0]
            refused = owner.says.get("BODY" if word == "FETCH" and "BODY" in command.upper() else word)
            if refused:
                self.say(f"{tag} {refused}")
                continue
            if word == "LOGOUT":
                self.say(f"* BYE\r\n{tag} OK bye")
                return
            problem = getattr(self, f"on_{word.lower()}", self.nothing)(owner, command)
            self.say(f"{tag} {problem or 'OK done'}")

    def nothing(self, owner: FaultyImap, command: str) -> str | None:
        return None

    def on_capability(self, owner: FaultyImap, command: str) -> None:
        self.say(f"* CAPABILITY {owner.capabilities}")

    def on_namespace(self, owner: FaultyImap, command: str) -> None:
        self.say(f'* NAMESPACE (("{owner.prefix}" ".")) NIL NIL')

    def on_list(self, owner: FaultyImap, command: str) -> None:
        name = re.findall(r'"?([^" ]*)"?$', command)[0]
        if name in owner.folders or not name:
            self.say(f'* LIST () "." "{name}"')

    def on_create(self, owner: FaultyImap, command: str) -> str | None:
        name = re.findall(r'"?([^" ]*)"?$', command)[0]
        if owner.prefix and not name.startswith(owner.prefix):
            return f"NO Invalid mailbox name: {name}"
        owner.folders[name] = {}
        return None

    def on_select(self, owner: FaultyImap, command: str) -> None:
        self.say(f"* {len(owner.inbox)} EXISTS\r\n* FLAGS ()")
        if owner.validity:
            self.say(f"* OK [UIDVALIDITY {owner.validity}] so")

    def on_status(self, owner: FaultyImap, command: str) -> None:
        self.say('* STATUS "INBOX" (MESSAGES 0)')

    def on_search(self, owner: FaultyImap, command: str) -> None:
        match = re.search(r"UID (\d+)(:\*)?", command[10:])
        assert match
        first = int(match[1])
        found = [uid for uid in owner.inbox if (uid >= first if match[2] else uid == first)]
        self.say(" ".join(["* SEARCH", *map(str, found)]))

    def on_fetch(self, owner: FaultyImap, command: str) -> str | None:
        match = re.search(r"FETCH ([\d,:]+)", command, re.I)
        assert match
        for uid in [int(u) for u in match[1].split(",") if int(u) in owner.inbox]:
            raw = owner.inbox[uid]
            if "BODY" not in command.upper():
                self.say(f'* {uid} FETCH (UID {uid} RFC822.SIZE {len(raw)} INTERNALDATE "{owner.arrived}")')
            elif uid in owner.withheld:
                return "NO the message cannot be read"
            elif uid in owner.empty:
                self.say(f"* {uid} FETCH (UID {uid})")
            else:
                self.say(f"* {uid} FETCH (UID {uid} BODY[] {{{len(raw)}}}\r\n".encode() + raw + b")")
        return None

    def on_move(self, owner: FaultyImap, command: str) -> str | None:
        match = re.search(r'MOVE (\d+) "?([^" ]*)"?', command, re.I)
        assert match
        uid, target = int(match[1]), match[2]
        if target not in owner.folders:
            return "NO [TRYCREATE] there is no such folder"
        if uid in owner.inbox:
            owner.folders[target][uid] = owner.inbox.pop(uid)
        return None


class FaultyImap(_Faulty):
    """An IMAP server with one inbox.  ``says``: what it answers to a command instead ('LOGIN', 'NOOP', 'SEARCH', 'FETCH' for
    sizes, 'BODY' for the mails themselves, 'MOVE' …); ``withheld`` and ``empty``: UIDs that it refuses, or gives nothing of."""

    handler = _Imap

    def __init__(self) -> None:
        super().__init__()
        self.inbox: dict[int, bytes] = {}
        self.folders: dict[str, dict[int, bytes]] = {"INBOX": self.inbox}
        self.says: dict[str, str] = {}
        self.withheld: set[int] = set()
        self.empty: set[int] = set()
        self.validity, self.prefix = 100, ""
        self.arrived = "14-Mar-2026 09:15:00 +0000"
        self.capabilities = "IMAP4rev1 UIDPLUS MOVE NAMESPACE"

    def put(self, raw: bytes) -> int:
        """A mail arrives; its UID."""
        uid = max([0, *(u for folder in self.folders.values() for u in folder)]) + 1
        self.inbox[uid] = raw
        return uid


class _Smtp(_Speaker):
    def talk(self, owner: FaultySmtp) -> None:
        self.say(owner.says.get("BANNER", "220 ready"))
        receiver = ""
        while line := self.rfile.readline():
            text = line.decode(errors="replace").strip()
            word = text.upper().partition(" ")[0].partition(":")[0]
            owner.asked.append(text)
            if word == "RCPT":
                receiver = re.findall(r"<(.*?)>", text)[0]
            answer = owner.says.get(f"{word} {receiver}") or owner.says.get(word)
            if word == "EHLO":
                self.say("250-here\r\n250-AUTH PLAIN LOGIN\r\n250 SIZE 35882577")
            elif word == "QUIT":
                self.say("221 bye")
                return
            elif word == "DATA" and not answer:
                self.say("354 go on")
                body = b""
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    body += line
                answer = owner.says.get(f"DOT {receiver}") or owner.says.get("DOT") or "250 taken"
                if answer.startswith("250"):
                    owner.taken.append((receiver, body))
                self.say(answer)
            else:
                self.say(answer or ("235 in" if word == "AUTH" else "250 ok"))


class FaultySmtp(_Faulty):
    """An SMTP server.  ``says``: what it answers to a command instead ('BANNER', 'AUTH', 'MAIL', 'RCPT', 'DATA', 'DOT' for the
    end of a mail), or to one for a receiver ('RCPT ann@example.org'); ``taken``: (receiver, mail) of what it took."""

    handler = _Smtp

    def __init__(self) -> None:
        super().__init__()
        self.says: dict[str, str] = {}
        self.taken: list[tuple[str, bytes]] = []
