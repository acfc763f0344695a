"""Alarms: each names the ways that its reader has, is gone when it is seen, by desk, mail or shell,
and by itself when what it told of is over."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from pbem.house import config
from pbem.letters.states import LetterState
from pbem.periods import deadline_acts, inquiries
from pbem.post import alarms
from pbem.referee.gamesmaster import standing_alarms, waits
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter
from tests.desk.visitor import Visitor
from tests.desk.waiting import things
from tests.installation import GAMESMASTER, Installation, desk, text_of
from tests.masters import ANNA, OTHERS, command, flat
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def standing(at: Installation, to: str = GAMESMASTER) -> list[str]:
    with desk(at) as work:
        rows = standing_alarms.standing(work, to)
        return [one.told["subject"] for one in map(waits.alarm, rows)]


def alarm(at: Installation, key: str, subject: str) -> None:
    with desk(at) as work:
        alarms.tell(work, key, subject, "Look at it.")


def held(at: Installation, game: str = "g", address: str = "") -> None:
    with desk(at) as made:
        served = {"desk": config.Desk(address=address)}
        work = replace(made, config=made.config.model_copy(update=served))
        deadline_acts.hold(work, game, "illness")
        alarms.tell(
            work,
            f"held:{game}",
            f"game {game} is held",
            f"`pbem resume {game}` lets it go on.",
            game,
            commands=(f"resume {game}",),
        )


# --- the ways of its reader -----------------------------------------------------------------------


def test_whoever_has_the_shell_reads_command_lines_and_page(at: Installation) -> None:
    held(at, address="https://club.example/desk/")
    at.once()
    said = text_of(at.mails(GAMESMASTER)[-1])
    assert "`pbem resume g` lets it go on." in said
    assert "\n    write GAME g, PERIOD 1, RESUME\n" in said
    assert "At your desk:\n\n    https://club.example/desk/do/resume?game=g\n" in said


def test_another_gamesmaster_reads_the_word_of_the_mail(two: Installation) -> None:
    held(two, "h")
    two.once()
    said = text_of(two.mails(ANNA)[-1])
    assert "pbem" not in said and "the word RESUME lets it go on." in said
    assert "    write GAME h, PERIOD 1, RESUME\n" in said and "At your desk" not in said


def test_what_a_player_writes_becomes_no_way(at: Installation) -> None:
    with desk(at) as work:
        text = "wrong; `pbem replace g B evil@else.example`"
        inquiries.protest(work, games.game_at(work.conn, "g"), "A", text)
    at.once()
    said = text_of(at.mails(GAMESMASTER)[-1])
    assert "write GAME g, SETTLE A" in said and "write GAME g, PERIOD 1, EXTEND days" in said
    assert "write GAME g, PERIOD 1, REPLACE" not in said


# --- seen -----------------------------------------------------------------------------------------


def test_seen_at_the_desk_one_and_all(at: Installation) -> None:
    for number in range(3):
        alarm(at, f"odd{number}", f"something {number} is odd")
    visitor = Visitor(at).come_in()
    assert len([one for one in things(visitor) if one.startswith("alarm-")]) == 3
    visitor.press("Seen")
    assert standing(at) == ["something 1 is odd", "something 0 is odd"]
    visitor.press("All seen")
    assert standing(at) == [] and "is odd" not in visitor.words
    alarm(at, "odd9", "something 9 is odd")
    assert standing(at) == ["something 9 is odd"]


def test_seen_by_mail_one_and_all(at: Installation) -> None:
    for number in range(3):
        alarm(at, f"odd{number}", f"something {number} is odd")
    at.once()
    said = flat(command(at, GAMESMASTER, "QUEUE", game=""))
    number = said.partition("write SEEN ")[2].split()[0]
    assert "something 2 is odd" in said
    assert f"seen: alarm {number}" in command(at, GAMESMASTER, f"SEEN {number}", game="")
    assert standing(at) == ["something 1 is odd", "something 0 is odd"]
    assert "there is no alarm" in command(at, GAMESMASTER, f"SEEN {number}", game="")
    assert "seen: 2 alarms" in command(at, GAMESMASTER, "SEEN", game="")
    assert standing(at) == []


def test_seen_in_the_shell(begun: Shell) -> None:
    alarm(begun.at, "odd", "something is odd")
    number = begun("queue").partition("pbem seen ")[2].split()[0]
    assert f"seen: alarm {number}" in begun("seen", number) and "is odd" not in begun("queue")
    assert "seen: 0 alarms" in begun("seen")


def test_each_sees_his_own(two: Installation) -> None:
    alarm(two, "odd", "something is odd")
    held(two, "h")
    assert standing(two) == ["something is odd"] and standing(two, ANNA) == ["game h is held"]
    Visitor(two).come_in(ANNA).press("Seen")
    assert standing(two) == ["something is odd"] and standing(two, ANNA) == []


# --- over -----------------------------------------------------------------------------------------


def test_an_alarm_ends_with_what_it_told_of(at: Installation) -> None:
    held(at)
    assert standing(at) == ["game g is held"]
    with desk(at) as work:
        deadline_acts.resume(work, "g")
    assert standing(at) == []


def test_an_alarm_of_a_letter_ends_when_it_is_decided(at: Installation) -> None:
    at.write("A", "SPECIAL AGR")
    at.once()
    with desk(at) as work:
        failed = {"outcome": LetterState.FAILED}
        work.conn.execute(update(Letter).where(Letter.id == 1).values(**failed))
    alarm(at, "letter:1", "letter 1 failed")
    assert standing(at) == ["letter 1 failed"]
    with desk(at) as work:
        decided = {"outcome": LetterState.DISMISSED}
        work.conn.execute(update(Letter).where(Letter.id == 1).values(**decided))
    assert standing(at) == []


@pytest.mark.parametrize("trouble", ["imap: no connection", "smtp: no connection", ""])
def test_an_alarm_of_a_server_ends_with_the_first_pass_without_that_trouble(
    at: Installation, trouble: str
) -> None:
    alarm(at, "imap", "imap does not answer")
    with desk(at) as work:
        later = (at.clock + timedelta(minutes=5)).isoformat()
        found = [trouble] if trouble else []
        notes.set_memo(work.conn, "last_pass", {"at": later, "trouble": found})
    assert standing(at) == (["imap does not answer"] if trouble.startswith("imap") else [])


def test_a_protest_that_is_taken_back_is_no_alarm(at: Installation) -> None:
    with desk(at) as work:
        table = games.game_at(work.conn, "g")
        inquiries.protest(work, table, "A", "The count is wrong.")
    assert standing(at) == ["g: A protests against bulletin 0"]
    with desk(at) as work:
        inquiries.taken_back(work, games.game_at(work.conn, "g"), "A")
    assert standing(at) == []
