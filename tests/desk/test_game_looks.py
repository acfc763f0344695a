"""A game at the desk: its mails as they went out, preview and rewind beside what was published, its
deadline by the calendar, its journal."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from pbem.desk import acts, game, game_pages
from pbem.desk.asked import NotThere
from pbem.errors import OperatorError
from pbem.games.frame.length import Days, Elapsed
from pbem.periods import deadline_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Address, Outgoing, Seat
from tests.desk.looking import a_mail, looked, sight
from tests.installation import Installation, address
from tests.masters import ANNA, make

# --- mails as they went out -----------------------------------------------------------------------


def test_without_its_mails_a_bulletin_is_set_anew(at: Installation) -> None:
    at.to_deadline()
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Outgoing).values(raw=b""))
    with sight(at) as seen:
        table = game.table(seen, "g")
        assert "Coalition" in game_pages.published(seen, table, 1, 1).html
        assert {one.opens for one in game_pages.of_issue(seen, table, "bulletin", 1)} == {""}
        with pytest.raises(NotThere, match="no bulletin 7"):
            game_pages.published(seen, table, 7, 1)


def test_no_secret_address_is_shown(at: Installation) -> None:
    """They are in headers and links; whoever has one writes as that seat."""
    at.to_deadline()
    with sight(at) as seen:
        rows = seen.conn.execute(select(Outgoing.id, Outgoing.kind, Outgoing.raw)).all()
        linked = 0
        for row in rows:
            if row.kind in (*game_pages.OWN, *game_pages.ALIKE):
                linked += b"mailto:" in row.raw
                face = game_pages.opened(seen, "g", row.id)
                assert "mailto:" not in face.html
                assert not re.search(r"referee\+\S+@", face.html + face.text + face.subject)
            else:
                with pytest.raises(NotThere, match="is opened here"):
                    game_pages.opened(seen, "g", row.id)
        assert linked


def test_a_mail_of_another_game_is_not_opened_through_one(at: Installation) -> None:
    make(at, "h", gamesmaster=ANNA)
    with sight(at, ANNA) as seen, pytest.raises(NotThere, match="is opened here"):
        game_pages.opened(seen, "h", a_mail(seen.conn, "g", "start", "B"))
    assert looked(at) == []


# --- a deadline by the calendar -------------------------------------------------------------------


def test_a_day_becomes_the_days_of_the_act(at: Installation) -> None:
    table = at.table()
    assert acts.chosen(table, {"day": "2026-03-12"}) == Days(3)
    assert acts.chosen(table, {"day": "2026-03-08"}) == Days(-1)
    for day in ("", "tomorrow", "2026-02-30"):
        with pytest.raises(OperatorError, match="is no day"):
            acts.chosen(table, {"day": day})


def test_a_day_is_what_it_says_over_the_change_of_clocks(at: Installation) -> None:
    table = at.table()
    by = acts.chosen(table, {"day": "2026-03-30"})
    moved = at.act(deadline_acts.extend, "g", 1, by, "spring")
    due = moved.period.due
    assert due == datetime(2026, 3, 30, 22, 0, tzinfo=UTC)


@pytest.mark.game("coalition", pace="evening")
def test_of_a_game_in_minutes_the_time_counts(at: Installation) -> None:
    table = at.table()
    assert table.period.due is not None
    local = table.period.due.astimezone(ZoneInfo("Europe/Paris")) + timedelta(minutes=25)
    given = {"day": local.date().isoformat(), "time": f"{local:%H:%M}"}
    assert acts.chosen(table, given) == Elapsed(25)
    with pytest.raises(OperatorError, match="is no time of day"):
        acts.chosen(table, {"day": "2026-03-02", "time": "late"})


# --- two texts beside each other ------------------------------------------------------------------


def kinds(before: str, after: str) -> list[tuple[str, str, str]]:
    return [(row.kind, row.before, row.after) for row in game_pages.rows(before, after)]


def test_a_line_stands_beside_the_one_that_it_was() -> None:
    assert kinds("a\nA has 12 seats\nz", "a\nA has 13 seats\nz") == [
        ("same", "a", "a"),
        ("changed", "A has 12 seats", "A has 13 seats"),
        ("same", "z", "z"),
    ]
    assert kinds("one thing", "quite another\nstory") == [
        ("gone", "one thing", ""),
        ("new", "", "quite another"),
        ("new", "", "story"),
    ]
    assert kinds("the same\n", "the same") == []


def test_what_is_the_same_is_left_out() -> None:
    lines = [f"line {n}" for n in range(20)]
    after = [*lines[:10], "NEW", *lines[10:]]
    found = kinds("\n".join(lines), "\n".join(after))
    assert [one[0] for one in found] == [
        "left out",
        "same",
        "same",
        "new",
        "same",
        "same",
        "left out",
    ]
    assert found[0][1] == "8 lines that are the same"


# --- what a game's pages at the desk show, and to whom --------------------------------------------


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
