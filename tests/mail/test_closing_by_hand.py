"""`pbem close`, CLOSE and the desk's button read the mailbox first: what was handed in before the
command counts, as before a deadline."""

import re
from datetime import timedelta

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import closing, deadline_acts
from pbem.post.imap import Mailbox
from pbem.referee.acts.doing import Actor, do
from tests.installation import REFEREE, Installation, absent, desk
from tests.mail.test_gamesmaster_by_mail import HEAD, command
from tests.shell import Shell

CLOSE = {"game": "g", "period": 1, "unread": False}


def asked(at: Installation) -> str:
    with desk(at) as work:
        return do(work, BY_NAME["close"], CLOSE, Actor()).said


def test_by_the_shell_what_lies_in_the_mailbox_counts(begun: Shell) -> None:
    begun.at.write("A", "SPECIAL AGR")
    assert "The game g is now in period 2" in begun("close", "g", "--period", "1")
    assert begun.at.outcomes()[-1][0] == "orders" and begun.at.view("A")["specials"] == ["AGR"]


def test_by_the_shell_an_unreadable_mailbox_is_refused_with_a_way_that_works(begun: Shell) -> None:
    begun.write(begun.file.read_text().replace(f"port = {begun.at.office.imap_port}", "port = 1"))
    said = begun.fails("close", "g", code=3)
    assert "mailbox cannot be read" in said and begun.at.table().period.number == 1
    assert begun.at.table().period.close_asked is None
    (way,) = re.findall(r"`pbem ([^`]+)`", said)
    assert "The game g is now in period 2" in begun(*way.split())


def test_by_the_desk_the_next_pass_closes_it(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    assert "closes at the next pass" in asked(at)
    assert at.table().period.number == 1
    assert at.once().closed == 1
    assert at.view("A")["specials"] == ["AGR"] and at.journal().count("closed-by-hand") == 1
    at.once()
    assert at.table().period.number == 2, "once"


@pytest.mark.game("coalition", limits={"letters_an_hour": 3})
def test_by_mail_a_letter_of_another_folder_and_of_a_busy_sender_count(at: Installation) -> None:
    for _ in range(3):
        at.write("A", "STATUS")
    at.once()
    at.send("A", "SPECIAL AGR")  # waits for its sender's next hour
    assert at.standing("A") == []
    found = re.search(r"CONFIRM (\S+)", command(at, f"{HEAD}CLOSE"))
    assert found
    command(at, f"CONFIRM {found[1]}", REFEREE)
    assert at.table().period.number == 2 and at.view("A")["specials"] == ["AGR"]


def test_a_mailbox_that_is_away_is_waited_for_and_then_it_closes(at: Installation) -> None:
    asked(at)
    there, at.daemon.readers[0].mailbox = (
        at.daemon.readers[0].mailbox,
        Mailbox(absent(at.daemon.readers[0].mailbox.account)),
    )
    at.write("A", "SPECIAL AGR")
    assert at.once(minutes=61).closed == 0
    at.once()
    assert at.table().row.held_because == closing.MAILBOX
    at.daemon.readers[0].mailbox = there
    assert at.once().closed == 1 and at.view("A")["specials"] == ["AGR"]


def test_while_the_mailbox_is_away_it_is_refused_with_a_way_that_works(at: Installation) -> None:
    at.daemon.readers[0].mailbox = Mailbox(absent(at.daemon.readers[0].mailbox.account))
    at.once()
    with pytest.raises(OperatorError, match="--unread"):
        asked(at)
    done = at.act(do, BY_NAME["close"], {**CLOSE, "unread": True}, Actor())
    assert "in period 2" in done.said


def test_a_deadline_that_is_moved_takes_it_back(at: Installation) -> None:
    asked(at)
    at.act(deadline_acts.extend, "g", 1, Days(2), "not yet")
    at.once()
    assert at.table().period.number == 1


def test_held_meanwhile_it_closes_when_the_game_goes_on(at: Installation) -> None:
    asked(at)
    at.act(deadline_acts.hold, "g", "wait")
    at.once()
    assert at.table().period.number == 1
    at.clock += timedelta(hours=1)
    at.act(deadline_acts.resume, "g")
    assert at.once().closed == 1
