"""RFC 3676: undoes format=flowed."""

from __future__ import annotations


def unflow(text: str, delete_space: bool = False) -> str:
    """Join the lines that were broken softly (they end in a blank), within one depth of quoting; undo stuffing.

    ``delete_space``: DelSp=yes, the blank at the end was added too.  The signature's '-- ' is never a soft break.
    """
    done: list[str] = []
    soft, depth = False, 0
    for line in text.splitlines():
        now = len(line) - len(line.lstrip(">"))
        body = line[now:].removeprefix(" ")
        signature = body in ("-- ", "--")
        if soft and now == depth and not signature:
            done[-1] += body
        else:
            done.append(">" * now + (" " if now or body.startswith(">") else "") + body)
        soft, depth = body.endswith(" ") and not signature, now
        if soft and delete_space:
            done[-1] = done[-1][:-1]
    return "\n".join(done)
