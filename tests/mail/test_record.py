"""What is counted of each person: moves due and missed, seats given up, games finished; shown to
him and to the gamesmaster."""

import re

import pytest

from pbem.periods import claims, opening
from pbem.periods import record as records
from pbem.referee.acts import seat_acts
from pbem.referee.gamesmaster import queue
from pbem.store.games import games
from tests.installation import SEATS, SLATE, Installation, address, desk, text_of, told
from tests.rewinds import rewind

STANDBY, OTHER = "standby@else.example", "other@else.example"

pytestmark = pytest.mark.game("coalition", strangers=(STANDBY, OTHER))


def record(at: Installation, seat: str) -> tuple[int, ...]:
    """Of the player of a seat: moves due and missed, seats given up, games finished."""
    with desk(at) as work:
        return tuple(queue.queue(work, at.game)["games"][0]["record"][seat].values())


def own(at: Installation, who: str) -> str:
    """What somebody is told of himself."""
    at.send(who, "STATUS")
    found = re.search(r"Your record: [^.]*\.", told(at, who))
    assert found is not None
    return found[0]


def voted(at: Installation, seats: str) -> None:
    """Two periods: A proposes, and of all who then owe a vote some send it."""
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each(seats, "VOTE NAY")
    at.to_deadline()


def test_moves_are_counted_where_one_was_due(at: Installation) -> None:
    assert record(at, "A") == (0, 0, 0, 0)
    voted(at, "AB")
    voted(at, "A")
    assert [record(at, seat)[:2] for seat in "ABC"] == [(2, 0), (2, 1), (2, 2)]
    assert own(at, "B") == "Your record: 2 moves due, 1 missed; 0 seats given up; 0 games finished."


def test_a_move_ends_the_row_of_missed_ones(at: Installation) -> None:
    voted(at, "AB")
    voted(at, "AC")
    assert [at.table().holders[seat].missed for seat in "ABCD"] == [0, 1, 0, 2]


def test_nobody_reads_of_another(at: Installation) -> None:
    voted(at, "A")
    for seat in SEATS:
        assert own(at, seat).startswith("Your record: 1 move due, ")
        assert " ".join(text_of(mail) for mail in at.mails(seat)).count("record:") == 1


def test_a_rewind_counts_nothing_twice(at: Installation) -> None:
    voted(at, "AB")
    voted(at, "A")
    for number, due in ((4, 2), (2, 1), (1, 0)):
        rewind(at, number)
        at.once()
        assert record(at, "C") == (due, due, 0, 0)
    at.to_deadline()
    assert record(at, "A") == (1, 0, 0, 0) and record(at, "C") == (1, 1, 0, 0)


def test_orders_on_his_behalf_are_no_missed_move(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.act(seat_acts.order, "g", 2, "E", "VOTE NAY")
    at.to_deadline()
    assert record(at, "E") == (1, 0, 0, 0) and record(at, "D") == (1, 1, 0, 0)


def test_a_seat_is_given_up_by_quit_and_stays_so_after_a_rewind(at: Installation) -> None:
    voted(at, "ABCD")
    at.act(claims.enlist, "g", STANDBY, "Sam Standby")
    at.send("E", "QUIT")
    assert record(at, "E") == (1, 1, 0, 0), "he has only asked"
    at.send("E", f"CONFIRM {at.codes('E')[-1]}")
    at.send(STANDBY, f"CONFIRM {at.codes(STANDBY)[-1]}")
    assert at.table().holders["E"].name == "Sam Standby"
    assert record(at, "E") == (0, 0, 0, 0), "the new player's own"
    at.act(seat_acts.replace, "g", "D", address("E"), "Player E", "he came back", anyway=True)
    assert record(at, "D") == (1, 1, 1, 0)
    rewind(at, 1)
    at.once()
    assert record(at, "D") == (0, 0, 1, 0)
    assert own(at, "E") == "Your record: 0 moves due, 0 missed; 1 seat given up; 0 games finished."


@pytest.mark.parametrize("asked", [True, False])
def test_whom_the_gamesmaster_replaces(at: Installation, asked: bool) -> None:
    """Only who has asked to be relieved has given his seat up; not who had to be moved."""
    if asked:
        at.send("E", "QUIT")
        at.send("E", f"CONFIRM {at.codes('E')[-1]}")
    with desk(at) as work:
        seat_acts.replace(work, "g", "E", OTHER, "Olga Other", "why not")
        seat_acts.replace(work, "g", "A", address("E"), "Player E", "to look at him", anyway=True)
    assert record(at, "A") == (0, 0, int(asked), 0)


@pytest.mark.game("parlement-1966", strangers=(STANDBY, OTHER))
def test_who_is_replaced_for_silence_has_given_his_seat_up(at: Installation) -> None:
    with desk(at) as work:
        claims.enlist(work, "g", STANDBY, "Sam Standby")
        silent = at.seats[0]
        records.ask_to_go_on(work, games.game_at(work.conn, "g"), silent, 2)
    until = at.table().holders[silent].asked_until
    assert until is not None
    at.clock = until
    at.once()
    at.send(STANDBY, f"CONFIRM {at.codes(STANDBY)[-1]}")
    assert at.table().holders[silent].name == "Sam Standby"
    with desk(at) as work:
        why = "to look at him"
        seat_acts.replace(work, "g", at.seats[1], address(silent), "He", why, anyway=True)
    assert record(at, at.seats[1])[2] == 1


@pytest.mark.game("coalition", options={"MAX_PERIODS": 2}, strangers=(STANDBY, OTHER))
def test_who_is_there_at_the_end_has_finished_the_game(at: Installation) -> None:
    at.send("E", "RESIGN")
    at.send("E", f"CONFIRM {at.codes('E')[-1]}")
    while at.table().row.status != "over":
        at.to_deadline()
    assert record(at, "E") == (0, 0, 1, 0)
    assert [record(at, seat)[2:] for seat in "ABCD"] == [(0, 1)] * 4
    number = at.table().period.number
    rewind(at, 1)
    at.once()
    assert record(at, "A")[3] == 0 and record(at, "E")[2] == 1
    while at.table().row.status != "over":
        at.to_deadline()
    assert at.table().period.number == number
    assert record(at, "A")[3] == 1 and record(at, "E") == (0, 0, 1, 0)


def test_a_game_that_is_ended_by_hand_is_not_finished_and_all_games_count(at: Installation) -> None:
    voted(at, "B")
    players = [(seat, address(seat), "") for seat in SEATS]
    with at.daemon.installation.work(at.clock) as work:
        opening.end(work, "g", "no time")
        plan = opening.Plan("second", "coalition", players, "Europe/Paris")
        opening.new(work, plan)
        opening.start(work, "second")
    at.game = "second"
    assert record(at, "A") == (1, 1, 0, 0) and record(at, "B") == (1, 0, 0, 0)
    at.send("A", f"GAME second\nPROPOSE {SLATE}")
    at.to_deadline()
    at.to_deadline()
    assert record(at, "A") == (2, 2, 0, 0)
