"""Alarms: each names the ways that its reader has, is gone when it is seen, by desk, mail or shell,
and by itself when what it told of is over; what waits as a thing of its own is none."""

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.daemon import clocks
from pbem.house import config
from pbem.periods import deadline_acts, inquiries
from pbem.post import alarms, clock
from pbem.referee.gamesmaster import waits
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games
from pbem.store.journal import notes
from tests.desk.visitor import Visitor
from tests.desk.waiting import things
from tests.installation import GAMESMASTER, REFEREE, Installation, desk, flat, text_of
from tests.mail.test_upkeep import changed
from tests.masters import ANNA, OTHERS, command
from tests.shell import Shell

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


def standing(at: Installation, to: str = GAMESMASTER) -> list[str]:
    with desk(at) as work:
        rows = waits.standing(work, to)
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
    with desk(two) as work:
        alarms.tell(work, "strange", "h is strange", "Look at it.", "h")
    assert standing(two) == ["something is odd"] and standing(two, ANNA) == ["h is strange"]
    Visitor(two).come_in(ANNA).press("Seen")
    assert standing(two) == ["something is odd"] and standing(two, ANNA) == []


# --- over -----------------------------------------------------------------------------------------


def test_what_waits_as_a_thing_stands_in_no_alarm_too(at: Installation) -> None:
    held(at)
    with desk(at) as work:
        inquiries.protest(work, games.game_at(work.conn, "g"), "A", "The count is wrong.")
    assert standing(at) == []
    at.once()
    assert {"[pbem] game g is held", "[pbem] g: A protests against bulletin 0"} <= {
        str(one["Subject"]) for one in at.mails(GAMESMASTER)
    }
    waits = command(at, GAMESMASTER, "QUEUE", game="")
    assert "g: HELD since" in waits and "A protests against bulletin 0" in waits


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


def test_that_the_clocks_differ_ends_with_a_letter_of_one_time(at: Installation) -> None:
    def arrives(minutes: int) -> None:
        when = at.clock + timedelta(minutes=1 + minutes)
        at.office.deliver(REFEREE, at.letter("A", f"SPECIAL {minutes}"), when)
        at.once()

    arrives(3)
    assert standing(at) == ["the clocks differ"]
    arrives(5)
    assert standing(at) == ["the clocks differ"]
    arrives(0)
    assert standing(at) == []


def test_that_all_are_held_ends_when_the_clock_is_right_and_they_go_on(two: Installation) -> None:
    """A game that is held for another reason is another matter."""
    two.act(deadline_acts.hold, "g", "illness")
    two.clock += timedelta(hours=1)
    installation = two.daemon.installation
    clocks.hold_all(installation, "the clock jumped", two.clock, "jump")
    with shared_transaction(installation.engine) as conn:
        clock.doubt(conn, "the clock jumped")
    assert standing(two) == ["all games are held"] == standing(two, ANNA)
    two.act(deadline_acts.resume, "h")
    assert standing(two) == ["all games are held"] == standing(two, ANNA)
    with shared_transaction(installation.engine) as conn:
        clock.doubt(conn, None)
    assert standing(two) == [] == standing(two, ANNA)


def test_that_a_folder_is_missing_ends_when_it_is_there(at: Installation) -> None:
    (reader,) = at.daemon.readers
    had = reader.imap
    reader.imap = had.model_copy(update={"junk": ["Gone"]})
    for _ in range(2):
        at.once()
        assert standing(at) == ["there is no folder Gone"]
    reader.imap = had
    at.once()
    assert standing(at) == []


def test_that_the_mailbox_fills_ends_when_there_is_room(at: Installation) -> None:
    alarm(at, "full", "the mailbox is nearly full")
    for raised in (["full"], []):
        with desk(at) as work:
            later = (at.clock + timedelta(minutes=5)).isoformat()
            said = {"at": later, "trouble": [], "alarms": raised}
            notes.set_memo(work.conn, "last_pass", said)
        assert standing(at) == (["the mailbox is nearly full"] if raised else [])


def test_that_the_canary_is_late_ends_when_one_comes(at: Installation) -> None:
    changed(at, canary_minutes=60)
    at.once()
    at.office.reject_next(550)
    for _ in range(3):
        at.once(minutes=61)
        if standing(at):
            break
    assert standing(at) == ["the canary is late"]
    at.once()
    assert standing(at) == []
