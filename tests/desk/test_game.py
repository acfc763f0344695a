"""What a game's pages at the desk show, and to whom."""

from sqlalchemy import update

from pbem.desk import (
    game,
)
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Address, Seat
from tests.desk.looking import sight
from tests.installation import Installation, address
from tests.masters import ANNA, make

# --- who sees it ----------------------------------------------------------------------------------


def test_hidden_names_stay_hidden_from_who_plays(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA, seated={"A": ANNA}, house={"names": "hidden"})
    with sight(at, ANNA) as seen:
        table = game.table(seen, "h")
        board = game.board(seen, table)
        assert board is not None and not any(player for _, player, _ in board.standing)
        assert not any(one.player for one in game.seats(seen, table))


# --- the time line --------------------------------------------------------------------------------


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
