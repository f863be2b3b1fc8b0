"""The head of the chain is in every mail of a game, so that each mailbox is a witness."""

from pathlib import Path

from pbem.audit.witness import witnesses
from tests.service.conftest import ANN, BOB


def test_every_mail_of_a_game_bears_witness(club, tmp_path: Path):
    club.write(ANN, "game p1\nstatus\nrolls\nhelp\nreport\nend\n")
    club.write(ANN, "game p1\nset width 70\nrolls fairness\nhelp rulings\nend\n")
    club.write(ANN, "game p1\nplace 5-1 at nowhere\nend\n")
    club.write(ANN, "game p1\nready\nend\n")
    club.write(BOB, "game p1\norders\nend\n")
    sent = club.post()
    assert len(sent) >= 9
    heads = {r.seq: r.hash for r in club.store.journal.rows("p1")}
    for n, mail in enumerate(sent):
        path = tmp_path / f"{n}.eml"
        path.write_bytes(mail.as_bytes())
        found = witnesses([path], "p1")
        assert found, mail["Subject"]
        assert all(heads[said.seq] == said.hash for said in found), mail["Subject"]
