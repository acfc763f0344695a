"""What a game's pages at the desk show, and to whom."""

from functools import partial

from sqlalchemy import update

from pbem.desk import (
    game,
    times,
)
from pbem.games.frame.length import Days
from pbem.periods import deadline_acts
from pbem.referee.acts import word_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import bulletins
from pbem.store.journal import notes
from pbem.store.schema.tables import Address, Seat
from tests.desk.looking import sight
from tests.installation import SEATS, Installation, address, desk
from tests.masters import ANNA, make

# --- how it stands --------------------------------------------------------------------------------


def test_a_game_that_runs(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    at.to_deadline()
    with sight(at) as seen:
        head = game.head(seen, "g")
        table = head.at
        assert table is not None and head.whole and head.open and head.runs
        assert (head.review, head.fault, head.row.edition, table.period.number) == (None, "", 1, 2)
        assert head.deadline == "Monday 16 March, 24:00"
        assert head.left == "6 days 23 hours"
        board = game.board(seen, table)
        assert board is not None and board.number == 1
        assert board.pictures and all(name and alt for name, alt in board.pictures)
        assert {seat for seat, *_ in board.standing} == set(SEATS)
        assert ("A", "Player A") in [one[:2] for one in board.standing]
        assert [one.number for one in bulletins.listed(seen.conn, table.id)] == [1, 0]


def test_a_ruling_that_was_withdrawn_is_not_offered_again(at: Installation) -> None:
    at.act(word_acts.rule, "g", "Ties go to the elder.")
    at.to_deadline()
    with sight(at) as seen:
        (one,) = notes.rulings(seen.conn, "g")
        assert one.id in word_acts.withdrawable(seen.conn, "g") and one.number == 1
    at.act(word_acts.rule, "g", f"{one.id} a slip", none=True)
    for printed in (1, 2):
        with sight(at) as seen:
            assert len(notes.rulings(seen.conn, "g")) == printed
            assert not word_acts.withdrawable(seen.conn, "g")
        at.to_deadline()


# --- who sees it ----------------------------------------------------------------------------------


def test_hidden_names_stay_hidden_from_who_plays(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA}, house={"names": "hidden"})
    with sight(at, ANNA) as seen:
        table = game.table(seen, "h")
        board = game.board(seen, table)
        assert board is not None and not any(player for _, player, _ in board.standing)
        assert not any(one.player for one in game.seats(seen, table))


# --- the time line --------------------------------------------------------------------------------


def test_each_move_of_a_deadline(at: Installation) -> None:
    with desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(2), "the post")
        deadline_acts.extend(work, "g", 1, Days(-1), "it came")
    at.to_deadline()
    with sight(at) as seen:
        second, first = game.timeline(seen, game.table(seen, "g"))[0]
        own = partial(times.words, seen.work, zone=first.at.row.zone)
    moved, period = first.deadline, first.at.period
    assert (period.number, first.stands) == (1, "closed") and moved
    assert own(moved.base) == "Monday 9 March, 24:00"
    assert [(one.by.signed, one.why) for one in moved.moves] == [
        ("+2 days", "the post"),
        ("-1 day", "it came"),
    ]
    assert own(moved.due) == "Tuesday 10 March, 24:00"
    assert period.due == period.closed
    assert second.stands == "open" and second.deadline and not second.deadline.moves


def test_a_long_line_comes_in_pieces(at: Installation) -> None:
    for _ in range(game.STRETCHES + 1):
        at.to_deadline()
    with sight(at) as seen:
        table = game.table(seen, "g")
        newest, before = game.timeline(seen, table)
        rest, end = game.timeline(seen, table, before)
    assert [one.at.period.number for one in newest] == list(range(10, 2, -1))
    assert [one.at.period.number for one in rest] == [2, 1] and end == 0


# --- the seats ------------------------------------------------------------------------------------


def test_the_standing_of_each_player(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    with exclusive_transaction(at.daemon.engine) as conn:
        mail = Address.address == address("B")
        conn.execute(
            update(Address).where(mail).values(hard_bounces=1, last_bounce="5.1.1 unknown")
        )
        conn.execute(update(Seat).where(Seat.seat == "C").values(missed=3, quits=at.clock))
    with sight(at) as seen:
        found = {one.seat: one for one in game.seats(seen, game.table(seen, "g"))}
    assert found["A"].is_in and not found["B"].is_in
    assert (found["A"].player, found["A"].address) == ("Player A", address("A"))
    assert found["A"].record == "no moves counted yet"
    assert found["B"].trouble == "1 mail came back for good; the last: 5.1.1 unknown"
    assert found["C"].missed == 3
    assert found["C"].remarks == ["has asked to be relieved on Monday 2 March, 10:02"]
