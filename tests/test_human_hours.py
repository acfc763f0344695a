"""What is said of daylight saving a week before it moves a deadline for somebody."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.games.frame.calendar import moment, shift

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
