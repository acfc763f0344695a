"""Deadlines over DST, zones, extensions, pauses, holidays: properties."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.calendar import Move, moment, shift
from pbem.games.frame.house import House
from pbem.games.frame.length import Days

ZONES = st.sampled_from(
    [
        "UTC",
        "Europe/Paris",
        "America/New_York",
        "Australia/Lord_Howe",
        "Asia/Kolkata",
        "Pacific/Apia",
    ]
)
HOURS = st.sampled_from(["24:00", "20:00", "00:00", "12:30"])
DAYS = st.dates(date(2024, 1, 1), date(2030, 12, 31))
MOVES = st.lists(
    st.builds(
        Move,
        st.sampled_from(["extension", "pause", "automatic"]),
        st.builds(Days, st.integers(-3, 20)),
        st.just("x"),
    ),
    max_size=5,
)


def house(hour: str = "24:00", **more: object) -> House:
    return House({"*": Days(14)}, {"*": (Days(1),)}, hour, **more)  # type: ignore[arg-type]


@given(DAYS, st.integers(1, 30), MOVES, ZONES, HOURS)
def test_a_deadline_keeps_its_hour(
    start: date, days: int, moves: list[Move], zone: str, hour: str
) -> None:
    at, where = house(hour), ZoneInfo(zone)
    made = calendar.deadline(start, days, moves, at, where)
    total = sum(move.by.n for move in made.moves)
    assert calendar.day_of(made.due, hour, where) == start + timedelta(days=days + total)
    wanted, _ = calendar.clock_time(hour)
    local = made.due.astimezone(where)
    assert (local.hour, local.minute) == (wanted.hour, wanted.minute)


@given(DAYS, st.integers(1, 30), MOVES, MOVES, ZONES)
def test_moves_add_up_in_any_portions(
    start: date, days: int, one: list[Move], two: list[Move], zone: str
) -> None:
    where, at = ZoneInfo(zone), house()
    at_once = calendar.deadline(start, days, [*one, *two], at, where)
    after = calendar.moved(calendar.deadline(start, days, one, at, where), two, at, where)
    assert (at_once.due, at_once.base) == (after.due, after.base)


@given(DAYS, st.integers(1, 60), ZONES, HOURS)
def test_periods_in_a_row_never_drift(start: date, count: int, zone: str, hour: str) -> None:
    """Each opened some minutes after the last deadline: they lie exactly their length apart."""
    where, at = ZoneInfo(zone), house(hour)
    due = calendar.deadline(start, 14, (), at, where).due
    for n in range(2, count):
        opened = due + timedelta(minutes=7)
        due = calendar.deadline(
            calendar.opening_day(opened, due, hour, where), 14, (), at, where
        ).due
        assert calendar.day_of(due, hour, where) == start + timedelta(days=14 * n)


@given(DAYS, st.integers(0, 40), st.integers(0, 9))
def test_no_deadline_on_a_holiday(start: date, days: int, length: int) -> None:
    first = start + timedelta(days=days)
    last = first + timedelta(days=length)
    at = house(holidays=((first.isoformat(), last.isoformat()),))
    made = calendar.deadline(start, days, (), at, ZoneInfo("Europe/Paris"))
    day = calendar.day_of(made.due, "24:00", ZoneInfo("Europe/Paris"))
    assert day == last + timedelta(days=1)
    assert made.moves[-1].kind == "holiday"


@given(MOVES, st.integers(1, 50))
def test_automatic_moves_are_capped(moves: list[Move], wanted: int) -> None:
    at = house(most_automatic=Days(7))
    already = sum(move.by.n for move in moves if move.kind == "automatic")
    more = calendar.automatic(moves, Days(wanted), at).n
    assert 0 <= more <= wanted
    assert more == 0 or already + more <= 7


@given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1)), ZONES)
def test_the_early_hour_is_the_next_one(after: datetime, zone: str) -> None:
    now, where = after.replace(tzinfo=UTC), ZoneInfo(zone)
    look = calendar.early_look(now, house(early_hour="20:00"), where)
    assert look is not None and now < look <= now + timedelta(hours=26)
    assert (look.astimezone(where).hour, look.astimezone(where).minute) == (20, 0)


def test_a_deadline_explains_itself() -> None:
    zone, at = ZoneInfo("Europe/Paris"), house()
    made = calendar.deadline(
        date(2026, 3, 16), 14, [Move("extension", Days(3), "Easter mail")], at, zone
    )
    assert made.explained("24:00", zone) == [
        "Mon 30 Mar 2026 24:00  as first set",
        "  +3 days  extension: Easter mail",
        "Thu 2 Apr 2026 24:00  now (Thu 22:00 UTC)",
    ]


@pytest.mark.parametrize("hour", ["25:00", "noon", "24:01"])
def test_an_odd_hour_is_refused(hour: str) -> None:
    with pytest.raises(OperatorError, match="hour of the day"):
        calendar.clock_time(hour)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        (timedelta(minutes=10), "10 minutes"),
        (timedelta(minutes=9, seconds=58), "10 minutes"),
        (timedelta(minutes=9, seconds=29), "9 minutes"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=23, minutes=59, seconds=45), "1 day"),
        (timedelta(days=2, hours=3, minutes=10), "2 days 3 hours"),
        (timedelta(seconds=-5), "less than a minute"),
    ],
)
def test_a_length_of_time_is_told_to_the_nearest_minute(rest: timedelta, said: str) -> None:
    """A code that lives for ten minutes has ten when it is read a second later."""
    assert calendar.left(rest) == said


# --- what is said of daylight saving a week before it moves a deadline for somebody ---------------


PARIS = ZoneInfo("Europe/Paris")
DAY = date(2026, 7, 6)


def told(opened: date, days: int, hour: str = "24:00", own: str = "America/Phoenix") -> str:
    start = datetime.combine(opened, datetime.min.time(), UTC) + timedelta(hours=9)
    due = moment(opened + timedelta(days=days), hour, PARIS)
    return shift(start, due, hour, PARIS, ZoneInfo(own))


@pytest.mark.parametrize(
    ("opened", "days", "said"),
    [
        (date(2026, 10, 10), 7, ""),
        (date(2026, 10, 17), 7, ""),  # of the deadlines up to 24 October none moves
        (date(2026, 10, 19), 3, "From 25 October your deadline is at 16:00 your time, not 15:00"),
        (date(2026, 10, 18), 1, "From 25 October your deadline is at 16:00 your time, not 15:00"),
        (date(2026, 10, 17), 1, ""),  # more than a week before
        (date(2026, 10, 20), 7, "From 25 October your deadline is at 16:00 your time, not 15:00"),
        (date(2026, 10, 5), 28, "From 25 October your deadline is at 16:00 your time, not 15:00"),
        (date(2026, 10, 26), 7, ""),
        (date(2027, 3, 24), 7, "From 28 March your deadline is at 15:00 your time, not 16:00"),
    ],
)
def test_daylight_saving_is_told_a_week_before(opened: date, days: int, said: str) -> None:
    assert told(opened, days) == said


def test_where_both_change_nothing_is_said_and_where_one_is_late_it_is() -> None:
    assert told(date(2026, 10, 20), 7, own="Europe/London") == ""
    later = told(date(2026, 10, 20), 7, own="America/New_York")
    assert later == "From 25 October your deadline is at 19:00 your time, not 18:00"
    assert told(date(2026, 10, 20), 14, own="America/New_York") == "", "both have changed by then"
    back = told(date(2026, 10, 27), 7, own="America/New_York")
    assert back == "From 1 November your deadline is at 18:00 your time, not 19:00"


def test_midnight_is_told_as_the_end_of_a_day() -> None:
    said = told(date(2026, 10, 20), 7, "07:00", own="Asia/Tokyo")
    assert said == "From 25 October your deadline is at 15:00 your time, not 14:00"
    said = told(date(2026, 10, 20), 7, "17:00", own="Asia/Tokyo")
    assert said == "From 26 October your deadline is at 01:00 your time, not 24:00"
