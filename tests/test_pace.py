"""The paces: what each makes of the house rules of each game, what its players are told of it, and
the law of eighteen hours."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame import calendar, pace
from pbem.games.frame.house import NEVER, House
from pbem.games.frame.length import Days, Elapsed
from pbem.house import houses
from pbem.pages.plain import plain
from pbem.periods import issue_mails

ZONES = st.sampled_from(["UTC", "Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe"])
CHANGES = [  # of the clock: about these moments the days have 23 or 25 hours
    datetime(2026, 3, 29, 1, tzinfo=UTC),
    datetime(2026, 10, 25, 1, tzinfo=UTC),
    datetime(2026, 3, 8, 7, tzinfo=UTC),
    datetime(2026, 11, 1, 6, tzinfo=UTC),
    datetime(2026, 4, 4, 15, tzinfo=UTC),
]
MOMENTS = st.datetimes(
    datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)
) | st.builds(
    lambda change, minutes: change + timedelta(minutes=minutes),
    st.sampled_from(CHANGES),
    st.integers(-2880, 2880),
)
HOURS = st.integers(0, 24).map(lambda hour: f"{hour}:00")
EIGHTEEN = timedelta(hours=18)


def house_at(key: str, name: str, options: dict[str, Any] | None = None, **more: Any) -> House:
    return houses.house_rules(key, houses.settled(key, options or {}, name), more, name)


@dataclass(frozen=True)
class Terms:
    zone: str = "Europe/Paris"
    late: str = "deadline"


def told(key: str, house: House) -> str:
    return " ".join(plain(issue_mails.house_text(key, house, Terms())).split())


# --- the presets ----------------------------------------------------------------------------------


def test_the_paces_go_from_slow_to_fast() -> None:
    assert houses.paces() == ("leisurely", "weekly", "daily", "evening")
    for key in GAMES:
        lengths = [house_at(key, name).lengths["*"].time for name in houses.paces()]
        assert lengths == sorted(lengths, reverse=True), key
        assert house_at(key, "weekly").lengths["*"] == Days(7)
        assert house_at(key, "daily").lengths["*"] == Days(1)
        assert lengths[-1] <= timedelta(minutes=12)


@pytest.mark.parametrize("name", houses.paces())
def test_every_figure_goes_with_the_pace(key: str, name: str) -> None:
    """Reminders come within the period, the referee may move a deadline as far as house rule 8
    asks, and what has no deadline gets none."""
    usual, house = houses.usual(key), house_at(key, name)
    whole = house.lengths["*"].time
    assert house.lengths.keys() == usual.lengths.keys() and house.pace == name
    for phase, length in usual.lengths.items():
        assert bool(house.lengths[phase]) == bool(length)
        assert not length or house.lengths[phase].time >= whole
    assert bool(house.alone) == bool(usual.alone) and house.alone.time <= whole
    assert all(one.time < whole for figures in house.reminders.values() for one in figures)
    waits = [house.rule(one, 0).time for one in ("late_list_days", "standby_days")]
    assert sum(waits, timedelta(0)) <= house.most_automatic.time
    for rule in (one for one in usual.rules if one.endswith("_days")):
        assert timedelta(0) < house.rule(rule, 0).time <= whole


def test_what_the_gamesmaster_names_wins_over_the_pace() -> None:
    house = house_at("coalition", "evening", {"PERIOD": "20 minutes"}, early_hour="20:00")
    assert house.lengths["*"] == Elapsed(20) and house.early_hour == "2 minutes"
    assert house.alone == Elapsed(4), "the preset's own figure"
    house = house_at("party-in-power", "daily", {"period": 2}, least_hours=12)
    assert house.lengths["*"] == Days(2) and house.least_hours == 12
    house = house_at("legislation", "evening", {"EARLY": "OFF"})
    assert house.early == NEVER
    house = house_at("parlement-1968", "evening", lengths="20 minutes")
    assert house.lengths["candidates"] == Elapsed(30), "in proportion to what is named"
    assert house.rule("reply_days", 0) == Elapsed(10)
    assert not house.lengths["formation"]


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("hourly", {}, "there is no pace 'hourly'; there are: leisurely, weekly, daily, evening"),
        ("daily", {"pace": "weekly"}, "there is no house rule pace"),
        ("daily", {"least_hours": -1}, "least_hours cannot be negative"),
        ("daily", {"early_hour": "at once"}, "'at once' is not an hour of the day"),
        ("evening", {"lengths": 3}, "early_hour: 'at once' is not an hour of the day"),
    ],
)
def test_a_pace_that_cannot_be(name: str, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(OperatorError) as refused:
        house_at("parlement-1966", name, **changes)
    assert said in str(refused.value)


# --- what the players are told --------------------------------------------------------------------


@pytest.mark.parametrize("name", houses.paces())
def test_a_pace_tells_all_that_it_changes(key: str, name: str) -> None:
    """Each change, with the figure that is usual and the one that holds."""
    usual, house = houses.usual(key), house_at(key, name)
    text = told(key, house)
    changes = [
        one
        for one in pace.changes(usual, house)
        if one.kind != "back_out_days" or "report_days" in usual.rules  # the phase of 1968 alone
    ]
    assert f'The pace of this game is "{name}"' in text
    for one in changes:
        assert f"{one.usual or 'none'} {one.now or 'none'}" in text, one
    verb = "shortens" if house.lengths["*"].time < usual.lengths["*"].time else "lengthens"
    assert (f"It {verb} these of the usual house rules" in text) is bool(changes)
    assert "The pace" not in told(key, usual)


def test_a_pace_names_the_house_rules_of_the_postal_game() -> None:
    text = told("parlement-1968", house_at("parlement-1968", "daily"))
    for said in (
        'Periods of the phase "candidates" 21 days 2 days',
        "House rule 8: reminder for a list 5 days 8 hours",
        "House rule 7: time to answer 7 days 1 day",
        "House rule 4: time to withdraw a signature 5 days 1 day",
        "House rule 3: a progress report every 7 days 1 day",
        "House rule 8: a period waits for a list 7 days 1 day",
        "the usual lengths of periods are those of house rule 2",
        "* No deadline falls within 18 hours of the bulletin that opened the period",
        "* Anyone who still owes something is reminded 5 hours before the deadline.",
    ):
        assert said.lower() in text.lower()


def test_at_evening_a_period_closes_as_soon_as_it_may() -> None:
    for key, said in (
        ("politics-1935", "closes as soon as everybody has sent what the phase asks of them"),
        (
            "coalition",
            "where it asks nobody: when all who may act have said READY), and nobody has",
        ),
    ):
        assert said in told(key, house_at(key, "evening"))


# --- the law of eighteen hours --------------------------------------------------------------------


@given(MOMENTS, ZONES, HOURS, st.none() | st.integers(-4320, 4320), st.sampled_from([1, 2]))
def test_no_deadline_falls_within_eighteen_hours_of_its_bulletin(
    opened: datetime, name: str, hour: str, late: int | None, days: int
) -> None:
    """However late or early the period before was closed (``late``: minutes after its deadline);
    and no day is given away besides."""
    house, zone = house_at("coalition", "daily", hour=hour), ZoneInfo(name)
    last = None if late is None else opened - timedelta(minutes=late)
    length = Days(days)
    due = calendar.first_deadline(opened, last, length, house, zone).due
    assert due - opened >= EIGHTEEN
    start = calendar.opening_day(opened, last, hour, zone)
    soonest = calendar.moment(start + length.time, hour, zone)
    day = calendar.day_of(due, hour, zone)
    before = calendar.moment(day - timedelta(days=1), hour, zone)
    assert due == soonest or before - opened < EIGHTEEN


@given(MOMENTS, ZONES, HOURS)
def test_holidays_bring_no_deadline_nearer(opened: datetime, name: str, hour: str) -> None:
    free = [str(opened.date()), str(opened.date() + timedelta(days=2))]
    house, zone = house_at("coalition", "daily", hour=hour, holidays=[free]), ZoneInfo(name)
    assert calendar.first_deadline(opened, None, Days(1), house, zone).due - opened >= EIGHTEEN


@given(MOMENTS, MOMENTS, MOMENTS, ZONES, HOURS)
def test_a_game_that_goes_on_has_eighteen_hours_or_what_it_had(
    due: datetime, one: datetime, two: datetime, name: str, hour: str
) -> None:
    house, zone = house_at("coalition", "daily", hour=hour), ZoneInfo(name)
    held, now = one, two  # in any order: the clock may have been ahead when the game was held
    due = calendar.moment(calendar.day_of(due, hour, zone), hour, zone)
    by = calendar.after_hold(due, held, now, house, zone)
    assert by.time >= timedelta(0)
    after = calendar.moment(calendar.day_of(due, hour, zone) + by.time, hour, zone)
    assert after >= due
    if due <= now:
        assert after - now >= EIGHTEEN


def test_at_the_usual_pace_the_hour_is_kept() -> None:
    """A referee that looks ten hours late opens a period two hours shorter, as it always did."""
    house, zone = houses.usual("coalition"), ZoneInfo("UTC")
    last = datetime(2026, 3, 3, 0, tzinfo=UTC)
    opened = last + timedelta(hours=10)
    made = calendar.first_deadline(opened, last, Days(1), house, zone)
    assert made.due - opened == timedelta(hours=14)
    daily = house_at("coalition", "daily")
    assert calendar.first_deadline(opened, last, Days(1), daily, zone).due - opened == timedelta(
        hours=38
    )
