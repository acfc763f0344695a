"""A restore after periods that closed before their time: no letter is applied to a period that its
writer had left."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.length import Days
from pbem.periods import closing, deadline_acts
from pbem.referee.acts import clock_acts, letter_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Letter
from tests.faults.test_restore import SEATS, SLATE, accept, back_up, let_go, put_back, restore
from tests.installation import GAMESMASTER, Installation, text_of
from tests.masters import code_to, reply_to
from tests.subjects import subjects


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Installation]:
    """A game of Coalition in period 2, in which all vote on a motion."""
    with Installation(tmp_path, "coalition", seats=SEATS) as made:
        made.start()
        made.send("A", f"PROPOSE {SLATE}")
        made.to_deadline()
        assert made.table().period.number == 2
        yield made


def by_hand(at: Installation) -> None:
    at.act(clock_acts.close, "g", 2, unread=True)
    at.once()


def brought_forward(at: Installation) -> None:
    due = at.table().period.due
    assert due is not None
    at.act(deadline_acts.extend, "g", 2, Days(3 - (due - at.clock).days), "all are in a hurry")
    at.to_deadline()


def at_an_early_hour(at: Installation) -> None:
    at.send_each(SEATS, "VOTE ABSTAIN\nREADY")
    table = at.table()
    half = house_rules.not_before(table.house, table.period.opened, table.period.due)
    assert half is not None
    look = calendar.early_look(half, table.house, table.zone)
    assert look is not None
    at.clock = look
    at.once()


CLOSINGS: list[Callable[[Installation], None]] = [by_hand, brought_forward, at_an_early_hour]


@pytest.mark.parametrize("close", CLOSINGS)
def test_a_letter_for_the_period_after_one_that_closed_early_is_not_applied_to_that(
    at: Installation, close: Callable[[Installation], None]
) -> None:
    at.send("A", "VOTE ABSTAIN")
    kept, due = back_up(at), at.table().period.due
    close(at)
    assert at.table().period.number == 3 and due is not None and at.clock < due
    at.send("B", 'NAME "Later"')
    assert at.standing("B") == ['NAME "Later"']
    put_back(at, kept)
    restore(at)
    at.once()
    at.once()
    let_go(at)
    at.once()
    assert at.table().period.number == 2
    assert 'NAME "Later"' not in at.standing("B"), "it was written for period 3"


def bulletin(at: Installation, seat: str, number: int) -> str:
    """The Message-ID of a bulletin as it stands in a player's mailbox."""
    return str(
        next(
            m["Message-ID"] for m in at.mails(seat) if f"] Bulletin {number}:" in str(m["Subject"])
        )
    )


def lost(at: Installation, kept: Path) -> None:
    """The database comes back as it was, and the referee makes a pass."""
    put_back(at, kept)
    restore(at)
    at.once()


def test_what_is_plainly_for_the_open_period_and_what_is_not(at: Installation) -> None:
    """Letters are written in two periods of which the backup knows the first alone: each says
    otherwise, or nothing."""
    kept, second = back_up(at), bulletin(at, "A", 1)
    at.write("A", "VOTE AYE", In_Reply_To=second)  # 1
    at.write("B", "PERIOD 2\nVOTE AYE")  # 2
    at.write("C", "VOTE AYE")  # 3
    at.write("D", "STATUS")  # 4: changes nothing
    at.send(
        "E",
        "VOTE NAY",
        In_Reply_To="<somebody@else.example>",
        References=f"{bulletin(at, 'E', 1)} <x@else.example>",
    )  # 5
    by_hand(at)
    shut = at.clock
    third = bulletin(at, "A", 2)
    at.write("A", 'NAME "Later"', In_Reply_To=third)  # 6
    at.write("B", 'NAME "Too late"\nPERIOD 2')  # 7: written when period 2 had closed
    at.write("C", "SPECIAL AGR\nPERIOD 3")  # 8
    at.send("D", 'NAME "Who knows"')  # 9
    lost(at, kept)
    first = 2 if at.outcomes()[0] == at.outcomes()[1] else 1
    assert [outcome for outcome, _ in at.outcomes()][first:] == ["held"] * 3 + ["command"] + [
        "held"
    ] * 5
    assert all(at.standing(seat) == [] for seat in SEATS)
    done = accept(at)
    assert [number - first for number in done.taken] == [1, 2, 5]
    assert [number - first for number in done.left] == [3, 6, 7, 8, 9]
    at.once()
    assert [at.standing(seat) for seat in "ABE"] == [["VOTE AYE"], ["VOTE AYE"], ["VOTE NAY"]]
    assert [number - first for number in accept(at, before=shut - timedelta(seconds=30)).taken] == [
        3
    ]
    let_go(at)
    at.once()
    by_hand(at)
    assert at.table().period.number == 3
    assert [number - first for number in accept(at).taken] == [6, 8], (
        "they answer a bulletin that the backup never knew"
    )
    at.once()
    assert at.standing("A") == ['NAME "Later"']


def test_its_writer_reads_that_a_letter_is_held_and_everybody_that_the_game_came_back(
    at: Installation,
) -> None:
    kept = back_up(at)
    at.send("A", "VOTE AYE")
    lost(at, kept)
    before = len(at.mails("A"))
    let_go(at)
    at.once()
    at.once()
    told = [" ".join(text_of(mail).split()) for mail in at.mails("A")[before:]]
    assert any(
        "it is held until the gamesmaster has seen which period it is for" in text for text in told
    )
    assert "[g] The game came back from a backup" in subjects(at, "B")
    at.send("A", "VOTE NAY")
    assert at.standing("A") == ["VOTE NAY"], "the game goes on: letters count as always"
    assert accept(at, before=at.clock).taken
    at.once()
    assert at.standing("A") == ["VOTE NAY"], "the older letter takes its old place"


def test_a_second_restore_forgets_nothing_of_the_first(at: Installation) -> None:
    kept = back_up(at)
    at.send("A", "VOTE AYE")
    put_back(at, kept)
    restore(at)
    at.clock += timedelta(minutes=5)
    restore(at)
    at.once()
    assert at.outcomes()[-1][0] == "held"


def test_the_processed_letters_are_read_also_where_the_outbox_is_released_first(
    at: Installation,
) -> None:
    kept = back_up(at)
    at.send("A", "VOTE AYE")
    put_back(at, kept)
    restore(at)
    let_go(at)
    at.once()
    assert at.outcomes()[-1][0] == "held"


def test_a_game_that_was_held_for_its_mailbox_waits_for_the_gamesmaster_after_a_restore(
    at: Installation,
) -> None:
    at.act(deadline_acts.hold, "g", closing.MAILBOX)
    lost(at, back_up(at))
    assert at.table().row.status == "held" and at.table().row.held_because.endswith(closing.MAILBOX)


def test_the_gamesmasters_own_commands_are_not_carried_out_once_more(at: Installation) -> None:
    kept = back_up(at)
    at.send(GAMESMASTER, "QUEUE")
    at.once()
    proven = reply_to(at, GAMESMASTER)
    at.act(deadline_acts.hold, "g", "a storm")
    at.send(GAMESMASTER, "GAME g\nPERIOD 2\nRESUME", To=proven)
    at.send(GAMESMASTER, f"CONFIRM {code_to(at, GAMESMASTER)}")
    assert at.table().row.status == "running"
    lost(at, kept)
    assert at.table().row.status == "held", (
        "the restore waits for him, whatever he had written before"
    )
    number = len(at.outcomes()) - 1
    assert [one for one, _ in at.outcomes()[-2:]] == ["held", "command"], "his code comes too late"
    at.act(letter_acts.accept, number)
    at.once()
    assert at.table().row.status == "running"


@pytest.mark.parametrize(
    "text", ["DISMISS 1", "GAME g\nPRESS TO ALL\nHello.\nEND PRESS", "RESUME ALL"]
)
def test_nor_are_those_that_name_a_letter_by_its_number(at: Installation, text: str) -> None:
    """After a restore the number may be another letter's."""
    kept = back_up(at)
    at.send(GAMESMASTER, "QUEUE")
    at.once()
    at.send(GAMESMASTER, text, To=reply_to(at, GAMESMASTER))
    presses = sum("Press" in str(mail["Subject"]) for mail in at.mails("A"))
    lost(at, kept)
    assert at.outcomes()[-1][0] == "held" and at.table().row.status == "held"
    assert sum("Press" in str(mail["Subject"]) for mail in at.mails("A")) == presses


def test_a_code_confirms_the_letter_it_was_made_for(tmp_path: Path) -> None:
    """The letters that a restore reads again may get other numbers than they had."""
    with Installation(tmp_path, "coalition", seats=SEATS, trust="proven") as at:
        at.start()
        kept = back_up(at)
        at.send("A", "SPECIAL AGR")
        at.send("B", "SPECIAL ENV")
        codes = {seat: re.search(r"CONFIRM (\S+)", text_of(at.mails(seat)[-1])) for seat in "AB"}
        at.daemon.readers[0].mailbox.select("Processed")
        uids = at.daemon.readers[0].mailbox.uids(0)
        at.daemon.readers[0].mailbox.move(uids[:1], "INBOX")  # A's letter now comes after B's
        assert codes["B"]
        at.write("B", f"CONFIRM {codes['B'][1]}")
        lost(at, kept)
        seats = {row.seat: row for row in letters(at)}
        assert seats["A"].outcome == "unverified" and seats["A"].authentication == "open"
        assert seats["B"].outcome == "held" and seats["B"].authentication == "confirmed"


def letters(at: Installation) -> list[Any]:
    with exclusive_transaction(at.daemon.engine) as conn:
        columns = (Letter.seat, Letter.outcome, Letter.authentication)
        return list(
            conn.execute(select(*columns).where(Letter.outcome.in_(("unverified", "held"))))
        )
