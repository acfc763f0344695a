"""Lengths of time: as they are written, stored and told; periods of hours and minutes over changes
of the clock; and what of the house rules shrinks with them."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame import calendar, codec, length
from pbem.games.frame.calendar import Move
from pbem.games.frame.house import House
from pbem.games.frame.house_rules import at_deadline
from pbem.games.frame.length import Days, Elapsed, Length
from pbem.games.frame.options import settle, timing
from pbem.games.frame.ruleset import Awaited
from pbem.house import houses
from pbem.periods.opening import house_rules

AMSTERDAM, NEW_YORK = ZoneInfo("Europe/Amsterdam"), ZoneInfo("America/New_York")
ZONES = st.sampled_from(["UTC", "Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe"])
MOMENTS = st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))
LENGTHS = st.builds(Elapsed, st.integers(1, 366 * 1440)) | st.builds(Days, st.integers(0, 366))
PERIODS = st.sampled_from(["5 minutes", "90 minutes", "36 hours", "240 hours"])


def coalition(period: object, **changes: object) -> House:
    options = settle(timing(7), {"PERIOD": period})
    return house_rules("coalition", options, changes)


# --- as they are written --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "meant", "told"),
    [
        (7, Days(7), "7 days"),
        ("7", Days(7), "7 days"),
        ("7 days", Days(7), "7 days"),
        ("1 day", Days(1), "1 day"),
        (0, Days(0), "0 days"),
        ("90 minutes", Elapsed(90), "90 minutes"),
        (" 90 Minutes ", Elapsed(90), "90 minutes"),
        ("1 minute", Elapsed(1), "1 minute"),
        ("60 minutes", Elapsed(60), "1 hour"),
        ("36 hours", Elapsed(2160), "36 hours"),
        ("48hours", Elapsed(2880), "48 hours"),
        ("8784 hours", Elapsed(366 * 1440), "8784 hours"),
    ],
)
def test_a_length_is_read_and_told(written: object, meant: Length, told: str) -> None:
    assert length.read(written) == meant
    assert str(meant) == told


@pytest.mark.parametrize(
    "written",
    [
        *("", "soon", "-1", -1, 367, "367 days", "8785 hours", "0 minutes", "0 hours", "1.5 hours"),
        *("90 m", "2 weeks", "1 hour 30 minutes", "minutes", True, 7.0, None, [7], "٣ days", "1e3"),
    ],
)
def test_what_is_no_length(written: object) -> None:
    with pytest.raises(OperatorError, match="write 7 days, 36 hours or 90 minutes, up to 366 days"):
        length.read(written)


@given(LENGTHS)
def test_a_length_comes_back_as_it_was_stored(one: Length) -> None:
    assert length.read(one.plain) == length.read(str(one)) == one


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("30 minutes the train is late", (Elapsed(30), "the train is late")),
        ("-2 hours all are in", (Elapsed(-120), "all are in")),
        ("+1 HOUR", (Elapsed(60), "")),
        ("30minutes", (Elapsed(30), "")),
        ("3 strike", None),
        ("3 minutesmen", None),
        ("minutes", None),
    ],
)
def test_a_text_that_begins_with_a_length(text: str, found: object) -> None:
    assert length.leading(text) == found


@pytest.mark.parametrize(
    ("move", "stored", "told"),
    [
        (Move("pause", Days(1), "x"), {"kind": "pause", "days": 1, "why": "x"}, "+1 day"),
        (Move("pause", Days(-2), "x"), {"kind": "pause", "days": -2, "why": "x"}, "-2 days"),
        (Move("x", Elapsed(30), ""), {"kind": "x", "minutes": 30, "why": ""}, "+30 minutes"),
        (Move("x", Elapsed(-60), ""), {"kind": "x", "minutes": -60, "why": ""}, "-1 hour"),
        (Move("x", Elapsed(-7), ""), {"kind": "x", "minutes": -7, "why": ""}, "-7 minutes"),
    ],
)
def test_a_move_is_stored_and_told(move: Move, stored: dict[str, Any], told: str) -> None:
    assert move.json() == stored
    assert calendar.moves([stored]) == (move,)
    assert move.by.signed == told


# --- as house rules -------------------------------------------------------------------------------


def test_a_game_of_days_is_stored_as_it_always_was() -> None:
    """What the landed version wrote for this game, key for key; what came later says nothing."""
    written = {
        "lengths": {"*": 7},
        "reminders": {"*": [1]},
        "hour": "24:00",
        "alone": 2,
        "early_hour": "20:00",
        "early": "all",
        "holidays": [],
        "most_automatic": 14,
        "max_late": 6,
        "idle_after": 3,
        "grace": 0,
        "rules": {},
    }
    house = coalition(7)
    dumped = codec.plain(codec.dump(house))
    assert {name: dumped[name] for name in written} == written
    assert list(dumped)[: len(written)] == list(written)
    assert codec.load(House, written) == house
    assert coalition("7 days") == house


@pytest.mark.parametrize(
    ("period", "told"),
    [
        (
            "90 minutes",
            {
                "lengths": {"*": "90 minutes"},
                "alone": "25 minutes",
                "reminders": {"*": ["12 minutes"]},
                "early_hour": "12 minutes",
                "most_automatic": "3 hours",
                "max_late": "15 minutes",
                "hour": "",
            },
        ),
        (
            "36 hours",
            {
                "lengths": {"*": "36 hours"},
                "alone": "10 hours",
                "reminders": {"*": ["5 hours"]},
                "early_hour": "5 hours",
                "most_automatic": "72 hours",
                "max_late": "77 minutes",
                "hour": "",
            },
        ),
        ("10 minutes", {"reminders": {}, "early_hour": "1 minute", "max_late": "15 minutes"}),
    ],
)
def test_every_figure_shrinks_with_the_period(period: str, told: dict[str, Any]) -> None:
    house = coalition(period)
    stored = codec.plain(codec.dump(house))
    assert {name: stored[name] for name in told} == told
    assert codec.load(House, stored) == house


def test_house_rules_3_4_7_and_8_shrink_with_the_period() -> None:
    house = house_rules("parlement-1968", {}, {"lengths": "36 hours"})
    dumped = codec.plain(codec.dump(house))
    told = {
        "lengths": {
            "*": "36 hours",
            "candidates": "54 hours",
            "withdrawals": "54 hours",
            "formation": 0,
        },
        "reminders": {"*": ["7 hours"], "lists": ["12 hours"]},
        "hour": "",
        "alone": 0,
        "early_hour": "",
        "early": "owed",
        "holidays": [],
        "most_automatic": "36 hours",
        "max_late": "38 minutes",
        "idle_after": 3,
        "grace": 0,
        "rules": {
            "ask_after_missed": 2,
            "reply_days": "18 hours",
            "back_out_days": "12 hours",
            "report_days": "18 hours",
            "late_list_days": "18 hours",
            "standby_days": "18 hours",
        },
    }
    assert {name: dumped[name] for name in told} == told
    assert not house.length("formation", 3)


@pytest.mark.parametrize(
    ("period", "changes", "said"),
    [
        (7, {"alone": "90 minutes"}, "alone=90 minutes is no number of days"),
        ("90 minutes", {"max_late": "1 hour"}, "max_late=1 hour is no number of hours"),
        (7, {"early_hour": "90 minutes"}, "'90 minutes' is not an hour of the day"),
        (7, {"lengths": "soon"}, "'soon' is no length of time"),
        (7, {"lengths": 400}, "400 is no length of time"),
        (7, {"most_automatic": -1}, "most_automatic cannot be negative"),
        ("90 minutes", {"early_hour": "3"}, "'3' is not an hour of the day"),
        ("90 minutes", {"early_hour": "noon"}, "'noon' is not an hour of the day"),
        ("90 minutes", {"max_late": -1}, "max_late cannot be negative"),
    ],
)
def test_house_rules_that_do_not_fit(period: object, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(OperatorError) as refused:
        coalition(period, **changes)
    assert said in str(refused.value)


@pytest.mark.parametrize("period", ["soon", "0", "0 minutes", "400", "400 days", "9000 hours"])
def test_an_option_that_is_no_length(period: str) -> None:
    with pytest.raises(OperatorError, match="or 36 hours") as refused:
        settle(timing(7), {"PERIOD": period})
    assert "option PERIOD" in str(refused.value) and "from 1 to 366" in str(refused.value)


def test_house_rule_8_waits_in_proportion() -> None:
    house = house_rules("parlement-1966", {}, {"lengths": "90 minutes"})
    owed = {"S": ("CANDIDATES",)}
    awaited = Awaited("CANDIDATES", "list", "lists", "list")
    first = at_deadline(owed, awaited, (), house, 1)
    assert first.by == Elapsed(45) and first.remind == ("S",)
    moves = [Move(first.kind, first.by, first.why)]
    assert at_deadline(owed, awaited, moves, house, 1).by == Elapsed(45)
    assert calendar.automatic(moves, Elapsed(60), house) == Elapsed(45)  # 90 minutes in all
    assert not calendar.automatic([*moves, *moves], Elapsed(60), house)


# --- over changes of the clock --------------------------------------------------------------------

DST = [
    (AMSTERDAM, datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "Sun 29 Mar 2026 04:00"),
    (AMSTERDAM, datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "Sun 25 Oct 2026 03:00"),
    (NEW_YORK, datetime(2026, 3, 8, 6, 30, tzinfo=UTC), "Sun 8 Mar 2026 04:00"),
    (NEW_YORK, datetime(2026, 11, 1, 5, 30, tzinfo=UTC), "Sun 1 Nov 2026 02:00"),
]


@pytest.mark.parametrize(("zone", "opened", "told"), DST)
def test_ninety_minutes_are_ninety_minutes(zone: ZoneInfo, opened: datetime, told: str) -> None:
    house = coalition("90 minutes")
    made = calendar.first_deadline(opened, None, house.length("any", 5), house, zone)
    assert made.due - opened == timedelta(minutes=90)
    assert made.explained("", zone)[0] == f"{told}  as first set"


@pytest.mark.parametrize(("zone", "opened", "told"), DST)
def test_thirty_six_hours_and_moves_are_elapsed(
    zone: ZoneInfo, opened: datetime, told: str
) -> None:
    house = coalition("36 hours", holidays=[["2026-01-01", "2026-12-31"]])
    made = calendar.first_deadline(opened, None, house.length("any", 5), house, zone)
    moved = calendar.moved(made, [Move("extension", Elapsed(90), "x")], house, zone)
    moved = calendar.moved(moved, [Move("extension", Elapsed(-30), "y")], house, zone)
    assert made.due - opened == timedelta(hours=36)
    assert moved.due - opened == timedelta(hours=37)
    assert [line.strip() for line in moved.explained("", zone)[1:3]] == [
        "+90 minutes  extension: x",
        "-30 minutes  extension: y",
    ]
    (before, at), *more = calendar.reminders(moved.due, "any", house, zone)
    assert (before, at) == (Elapsed(300), moved.due - timedelta(hours=5)) and not more


@pytest.mark.parametrize(("zone", "opened", "told"), DST)
def test_the_early_hour_of_the_day_the_clocks_change(
    zone: ZoneInfo, opened: datetime, told: str
) -> None:
    """A day of 23 or 25 hours has its early hour like any other."""
    hour = calendar.early_look(opened, coalition(7), zone)
    assert hour is not None and hour.astimezone(zone).date() == opened.astimezone(zone).date()
    assert calendar.last_early_look(hour, coalition(7), zone) == hour
    assert calendar.last_early_look(hour + timedelta(minutes=1), coalition(7), zone) == hour


def test_a_period_is_counted_from_the_next_full_minute() -> None:
    opened = datetime(2026, 3, 2, 9, 0, 1, tzinfo=UTC)
    house = coalition("5 minutes")
    due = calendar.first_deadline(opened, opened, Elapsed(5), house, AMSTERDAM).due
    assert due == datetime(2026, 3, 2, 9, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("held", "now", "by"),
    [
        (-60, -30, 30),  # minutes after the deadline: half an hour of it is given back
        (-60, 10, 70),
        (15, 15, 27),  # found too late and resumed at once: a seventh of the period is left
        (15, 615, 627),
    ],
)
def test_a_game_that_goes_on_moves_its_deadline(held: int, now: int, by: int) -> None:
    due, house = datetime(2026, 3, 29, 1, tzinfo=UTC), coalition("84 minutes")
    times = [due + timedelta(minutes=one) for one in (held, now)]
    assert calendar.after_hold(due, *times, house, AMSTERDAM) == Elapsed(by)


# --- properties -----------------------------------------------------------------------------------


@given(PERIODS, MOMENTS, st.integers(-60, 30000), ZONES)
def test_the_next_look_always_goes_on(period: str, now: datetime, more: int, name: str) -> None:
    """Until the deadline there is always a later look, the last of them the deadline itself."""
    house, zone, due = coalition(period), ZoneInfo(name), now + timedelta(minutes=more)
    look = calendar.next_look(now, due, "any", house, zone)
    assert look is not None
    assert look > now or look == due <= now
    assert look <= due or due <= now
    none = calendar.next_look(now, None, "any", house, zone)
    assert none is not None and none > now


@given(MOMENTS, st.integers(1, 60 * 24 * 30), ZONES)
def test_the_next_look_of_days_always_goes_on(now: datetime, more: int, name: str) -> None:
    house, zone, due = coalition(7), ZoneInfo(name), now + timedelta(minutes=more)
    look = calendar.next_look(now, due, "any", house, zone)
    assert look is not None and now < look <= due


@given(PERIODS | st.just(7), MOMENTS, ZONES)
def test_the_last_early_look_is_the_one_before_the_next(
    period: object, now: datetime, name: str
) -> None:
    house, zone = coalition(period), ZoneInfo(name)
    last = calendar.last_early_look(now, house, zone)
    assert last is not None and last <= now
    assert calendar.early_look(last, house, zone) == calendar.early_look(now, house, zone)


@given(PERIODS, MOMENTS, MOMENTS, MOMENTS, ZONES)
def test_a_game_that_goes_on_has_time_left(
    period: str, due: datetime, one: datetime, two: datetime, name: str
) -> None:
    held, now = sorted((one, two))
    house, zone = coalition(period), ZoneInfo(name)
    by = calendar.after_hold(due, held, now, house, zone)
    assert due + by.time > now or due + by.time - now == due - held
    assert by.time >= now - held


# --- how long games last is told truly ------------------------------------------------------------


WEEK = timedelta(days=7)


def at_pace(key: str, name: str) -> House:
    return houses.house_rules(key, houses.settled(key, {}, name), {}, name)


@pytest.mark.parametrize("pace", ["", *houses.paces()])
def test_each_rule_set_says_it_at_each_pace(key: str, pace: str) -> None:
    said = houses.words(key, at_pace(key, pace))
    assert said.startswith("about ") and said.endswith("with bots)"), said


def test_the_pace_multiplies(key: str) -> None:
    usual, daily = (houses.by_bots(key, at_pace(key, name)) for name in ("weekly", "daily"))
    assert max(daily) * 3 < max(usual) < max(daily) * 15
    assert len(usual) >= 20


def test_people_count_from_twenty_games_on() -> None:
    house = houses.usual("coalition")
    bots = houses.words("coalition", house)
    assert houses.words("coalition", house, [WEEK] * 19) == bots
    assert houses.words("coalition", house, [WEEK] * 20) == "about 7 days"
    spread = [WEEK * n for n in range(1, 22)]
    assert houses.words("coalition", house, spread) == "about 3 months (1-4)"


def test_a_median_in_round_units() -> None:
    house = houses.usual("coalition")
    for span, said in (
        (timedelta(minutes=42), "about 40 minutes"),
        (timedelta(hours=5), "about 5 hours"),
        (timedelta(days=3), "about 3 days"),
        (WEEK * 6, "about 6 weeks"),
    ):
        assert houses.words("coalition", house, [span] * 20) == said


def test_kinds_of_periods() -> None:
    own = {"*": Days(14), "lists": Days(21)}
    assert houses.kind(own, "lists", 5) == "lists"
    assert houses.kind(own, "vote", 5) == "*"
    assert houses.kind(own, "vote", 1) == houses.ALONE


def test_an_option_that_ends_a_game_shortens_it() -> None:
    house, weeks = houses.usual("coalition"), "about 6 weeks (with bots)"
    assert houses.words("coalition", house, [WEEK * 14] * 20, {"MAX_PERIODS": 6}) == weeks


def test_no_deadlines_no_length() -> None:
    house = House({"*": Days(0)}, {})
    assert not houses.words("coalition", house)
    assert houses.words("coalition", House({"*": Elapsed(10)}, {})).startswith("about 2 hours")


def test_bots_have_played_all() -> None:
    assert all(houses.by_bots(key, houses.usual(key)) for key in GAMES)
