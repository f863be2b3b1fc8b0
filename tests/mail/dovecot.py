"""A throw-away Dovecot 2.3 on loopback.

    with Dovecot() as server:
        server.deliver(raw, sender="ann@example.org")
        ImapMailbox("127.0.0.1", "judge", "secret", port=server.imap_port, tls="none")

Debian's packages dovecot-imapd and dovecot-lmtpd; works as root (mail then belongs to uid 5000) and as anybody else.
"""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
import signal
import smtplib
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

PROGRAM = Path("/usr/sbin/dovecot")

CONFIGURATION = """\
base_dir = {d}/run
state_dir = {d}/state
log_path = /dev/stderr
info_log_path = /dev/stderr
protocols = imap lmtp
listen = 127.0.0.1
ssl = {ssl}
{certificate}
disable_plaintext_auth = no
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
mail_location = maildir:{d}/mail/%n
mail_uid = {uid}
mail_gid = {gid}
first_valid_uid = 1
first_valid_gid = 1
default_internal_user = {internal}
default_internal_group = {group}
default_login_user = {login}
verbose_proctitle = no
mail_max_userip_connections = 50
namespace inbox {{
  inbox = yes
  separator = {separator}
  prefix = {prefix}
}}
{oauth}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {d}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={d}/mail/%n allow_all_users=yes
}}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
protocol lmtp {{
  postmaster_address = postmaster@example.org
  auth_username_format = %Ln
}}
"""


def need_dovecot() -> None:
    """Skip the test where Dovecot is not installed; in CI it must be."""
    if not PROGRAM.exists():
        missing = f"{PROGRAM} is not installed (apt-get install dovecot-imapd dovecot-lmtpd)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


class Dovecot:
    """One server with the user ``judge``, password ``secret``; ``certificate``: (cert, key) files to speak TLS with;
    ``token_info``: where access tokens are looked up, for XOAUTH2; ``prefix``: where personal folders are kept ('INBOX.')."""

    def __init__(
        self, password: str = "secret", certificate: tuple[Path, Path] | None = None, token_info: str = "", prefix: str = "",
    ) -> None:
        self.d = Path(tempfile.mkdtemp(prefix="dv", dir="/tmp"))  # short, and others may enter it, unlike pytest's tmp_path
        for name in ("run", "state", "mail"):
            (self.d / name).mkdir()
        self.d.chmod(0o755)
        self.imap_port, self.imaps_port, self.lmtp_port = free_port(), free_port(), free_port()
        who = self._as_root() if os.geteuid() == 0 else self._as_myself()
        users = self.d / "users"
        users.write_text(f"judge:{{PLAIN}}{password}\njudge@example.org:{{PLAIN}}{password}\n")
        users.chmod(0o644)
        pair = "" if certificate is None else f"ssl_cert = <{certificate[0]}\nssl_key = <{certificate[1]}"
        ports = {"imap": self.imap_port, "imaps": self.imaps_port if certificate else 0, "lmtp": self.lmtp_port}
        tokens = self.d / "tokens"
        tokens.write_text(f"tokeninfo_url = {token_info}\nusername_attribute = email\nactive_attribute = active\n")
        tokens.chmod(0o644)
        oauth = f"passdb {{\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = {tokens}\n}}" if token_info else ""
        who |= {"mechanisms": "plain login" + (" xoauth2 oauthbearer" if token_info else ""), "oauth": oauth}
        who |= {"separator": "." if prefix else "/", "prefix": prefix}
        self.configuration = self.d / "dovecot.conf"
        self.configuration.write_text(
            CONFIGURATION.format(d=self.d, ssl="yes" if certificate else "no", certificate=pair, **who, **ports)
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.log: Any = None

    def _as_root(self) -> dict[str, str]:
        os.chown(self.d / "mail", 5000, 5000)  # Dovecot lets no mail belong to root; this uid needs no passwd entry
        return {"uid": "5000", "gid": "5000", "internal": "dovecot", "group": "dovecot", "login": "dovenull"}

    def _as_myself(self) -> dict[str, str]:
        me, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(os.getegid()).gr_name
        return {"uid": str(os.geteuid()), "gid": str(os.getegid()), "internal": me, "group": group, "login": me}

    def start(self, patience: float = 10) -> Self:
        """Start and wait until both ports answer."""
        self.log = (self.d / "log").open("ab")
        command = [str(PROGRAM), "-F", "-c", str(self.configuration)]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, start_new_session=True)
        end = time.monotonic() + patience
        while True:
            try:
                for port in (self.imap_port, self.lmtp_port):
                    with socket.create_connection(("127.0.0.1", port), 1) as s:
                        s.settimeout(2)
                        assert s.recv(20)
                return self
            except (OSError, AssertionError):
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError((self.d / "log").read_text()[-2000:]) from None
                time.sleep(0.05)

    def children(self) -> list[int]:
        """The processes the master started."""
        assert self.process is not None
        command = ["ps", "-o", "pid=", "--ppid", str(self.process.pid)]
        listing = subprocess.run(command, capture_output=True, text=True, check=False)
        return [int(pid) for pid in listing.stdout.split()]

    def hang_up(self) -> None:
        """End every session; the server goes on."""
        for pid in self.children():
            with suppress(OSError):
                if Path(f"/proc/{pid}/comm").read_text().strip() == "imap":
                    os.kill(pid, signal.SIGKILL)

    def kill(self) -> None:
        """As by a power cut: the master and its children, the sockets they leave removed."""
        assert self.process is not None
        children = self.children()
        for pid in [self.process.pid, *children]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        end = time.monotonic() + 5
        while time.monotonic() < end and any(Path(f"/proc/{pid}").exists() for pid in children):
            time.sleep(0.02)
        shutil.rmtree(self.d / "run")
        (self.d / "run").mkdir()

    def forget_numbers(self) -> None:
        """Lose the index files, so that the folder gets another UIDVALIDITY."""
        for path in (self.d / "mail" / "judge").rglob("dovecot*"):
            if path.is_file():
                path.unlink()

    def deliver(self, raw: bytes, sender: str = "", rcpt: str = "judge@example.org") -> None:
        """By LMTP; a leading Return-Path and Delivered-To become the envelope sender instead."""
        head = re.match(rb"Return-Path: <(.*?)>\r?\nDelivered-To: .*?\r?\n", raw)
        if head:
            sender, raw = head.group(1).decode(), raw[head.end() :]
        with smtplib.LMTP("127.0.0.1", self.lmtp_port, timeout=10) as client:
            refused = client.sendmail(sender, [rcpt], raw)
        assert not refused, refused

    def stop(self) -> None:
        """End the server and remove its files."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.log is not None:
            self.log.close()
        shutil.rmtree(self.d, ignore_errors=True)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop()
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
