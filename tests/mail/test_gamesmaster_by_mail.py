"""The gamesmaster's commands by mail: proven, most by a code that is mailed back."""

import re
from datetime import timedelta

import pytest

from pbem.daemon.loop import Daemon
from pbem.errors import OperatorError
from pbem.periods import guards
from pbem.post import masters
from pbem.referee.acts import clock_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from tests.installation import GAMESMASTER, REFEREE, Installation, address, text_of
from tests.masters import reply_to
from tests.real import EVERYWHERE
from tests.subjects import issue, issues

STANDBY = "new@else.example"
HEAD = "GAME g\nPERIOD 1\n"


pytestmark = pytest.mark.game("coalition", strangers=(STANDBY,))


def command(at: Installation, text: str, to: str = "") -> str:
    """A letter of the gamesmaster's to his secret address; the answer."""
    at.send(GAMESMASTER, text, To=to or reply_to(at, GAMESMASTER))
    return at.newest(GAMESMASTER)


def by_code(at: Installation, text: str, to: str = "") -> str:
    found = re.search(r"CONFIRM (\S+)", command(at, text, to))
    assert found, at.newest(GAMESMASTER)
    return command(at, f"CONFIRM {found[1]}", REFEREE)


def bulletin(at: Installation, number: int, seat: str = "C") -> str:
    found = [text_of(mail) for mail in at.mails(seat) if issue(mail) == f"[g] Bulletin {number}"]
    return " ".join(found[0].split())


def test_he_learns_his_secret_address_from_every_mail_to_him(at: Installation) -> None:
    at.clock += timedelta(days=7)
    at.once()  # the digest of Monday
    command(at, "QUEUE")
    mails = at.mails(GAMESMASTER)
    assert "[pbem] Digest of 9 March 2026" in {m["Subject"] for m in mails}
    assert len({str(mail["Reply-To"]) for mail in mails}) == 1
    assert re.fullmatch(r"referee\+[a-z2-7]{26}@game\.example", str(mails[0]["Reply-To"]))
    token = str(mails[0]["Reply-To"])[8:34]
    for mail in mails:
        del mail["Reply-To"]
        assert token not in mail.as_string()


@EVERYWHERE
def test_without_proof_nothing_is_done(at: Installation) -> None:
    due = at.table().period.due
    at.send(GAMESMASTER, f"{HEAD}EXTEND 3 post strike", Authentication_Results="")
    assert at.outcomes() == [("unverified", at.outcomes()[0][1])]
    assert at.table().period.due == due
    answer = at.mails(GAMESMASTER)[-1]
    assert "came without proof" in text_of(answer)
    assert "new deadline" in command(at, re.findall(r"CONFIRM \S+", text_of(answer))[0], REFEREE)
    assert at.table().period.due - due == timedelta(days=3)
    assert "new deadline" in by_code(at, f"{HEAD}EXTEND 3 post strike", str(answer["Reply-To"]))
    assert at.table().period.due - due == timedelta(days=6)


def test_forged_commands_cause_few_mails(at: Installation) -> None:
    before = len(at.mails(GAMESMASTER))
    for _ in range(9):
        at.write(GAMESMASTER, f"{HEAD}HOLD", Authentication_Results="")
    at.once()
    assert len(at.mails(GAMESMASTER)) - before == 3
    assert at.table().row.status == "running"


@EVERYWHERE
def test_his_secret_address_is_changed_when_it_strays(at: Installation) -> None:
    old = reply_to(at, GAMESMASTER)
    at.send("A", f"{HEAD}HOLD", To=old)
    assert at.table().row.status == "running"
    assert "was seen with another sender" in at.newest(GAMESMASTER)
    assert str(at.mails(GAMESMASTER)[-1]["Reply-To"]) != old
    at.send(GAMESMASTER, f"{HEAD}HOLD", To=old)
    assert at.table().row.status == "running"
    by_code(at, f"{HEAD}HOLD")
    assert at.table().row.status == "held"


@EVERYWHERE
def test_extend_hold_resume_and_rule_are_shown(at: Installation) -> None:
    assert "Wednesday 11 March 2026" in by_code(at, f"{HEAD}EXTEND 2 post strike")
    assert "HOLD: The game g is held" in by_code(at, f"{HEAD}HOLD illness of the gamesmaster")
    assert "held" in str(at.mails("B")[-1]["Subject"])
    assert "RESUME: The game g goes on" in by_code(at, f"{HEAD}RESUME")
    assert at.mails("B")[-1]["Subject"] == "[g] The game goes on"
    said = by_code(
        at,
        f"{HEAD}RULE Paragraph 4 is read as it stands; a draw is no win.\nAnd so it"
        " stays.\n\nQUEUE",
    )
    assert (
        "The next bulletin prints: Ruling of the gamesmaster: Paragraph 4 is read as it"
        in " ".join(said.split())
    )
    assert {"deadline", "hold", "resume", "ruling"} <= set(at.journal())
    at.to_deadline()
    text = bulletin(at, 1)
    for said in (
        "The deadline of period 1 was moved: +2 days, extension: post strike.",
        "held on 2 March 2026: illness of the gamesmaster",
        (
            "Ruling of the gamesmaster: Paragraph 4 is read as it stands; a draw is no win. And so"
            " it stays."
        ),
    ):
        assert said in text


def test_a_code_is_for_its_period_and_two_days(at: Installation) -> None:
    found = re.search(r"CONFIRM (\S+)", command(at, f"{HEAD}CLOSE"))
    at.act(clock_acts.close, "g", 1, unread=True)
    assert found and "in period 2, not 1" in command(at, f"CONFIRM {found[1]}", REFEREE)
    found = re.search(r"CONFIRM (\S+)", command(at, "GAME g\nPERIOD 2\nCLOSE"))
    assert found
    at.clock += timedelta(days=3)
    command(at, f"CONFIRM {found[1]}", REFEREE)
    assert any("too old" in text_of(mail) for mail in at.mails(GAMESMASTER))
    assert at.table().period.number == 2


def test_other_lines_in_a_letter_of_commands_are_named(at: Installation) -> None:
    assert "The other lines were not read" in command(at, "QUEUE\nSPECIAL AGR")
    assert "There was no command" in command(at, "Hello?")


@pytest.fixture
def player(at: Installation) -> Installation:
    """The gamesmaster plays A."""
    ours = at.daemon.config
    at.daemon.close()
    with_a = replace_referee(ours, address("A"))
    at.daemon = Daemon(with_a)
    return at


def replace_referee(config: object, gamesmaster: str) -> object:
    return config.model_copy(
        update={"referee": config.referee.model_copy(update={"gamesmaster": gamesmaster})}
    )  # type: ignore[attr-defined]


def test_a_gamesmaster_who_plays_sends_orders_and_gets_no_preview(player: Installation) -> None:
    at = player
    at.write("B", "SPECIAL ENV")
    at.send("A", "SPECIAL AGR")
    assert at.standing("A") == ["SPECIAL AGR"]
    assert issues(at, "A") == ["[g] Coalition: you are A", "Re: [g] 1 order taken"], (
        "as every player"
    )
    with exclusive_transaction(at.daemon.engine) as conn:
        games.set_game(conn, "g", gamesmaster=address("A"))
        mark = at.daemon.installation.mark
        masters.enter(conn, mark, address("A"))
        mine = mark.plus(masters.token(conn, mark, address("A")))
        with pytest.raises(OperatorError, match="you play A in g"):
            guards.may_act(conn, mark, "g")
    at.send("A", f"{HEAD}PREVIEW\nQUEUE", To=mine)
    answer = at.newest("A")
    assert "you play A in g" in " ".join(answer.split()) and "SPECIAL ENV" not in answer
    assert "    due " in answer and "in: A, B" not in answer
    at.send("A", f"{HEAD}EXTEND 1 for all", To=mine)
    assert "runs without acts" in " ".join(at.newest("A").split())


def test_no_line_of_his_help_is_barred(at: Installation) -> None:
    """A word of his at the beginning of a line would be: none of the sentences breaks there."""
    assert "| " not in command(at, "HELP")
