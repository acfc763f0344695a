"""Deadlines, reminders, pauses and the gamesmaster's acts upon them, on a clock of ours."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec
from pbem.games.frame.calendar import Move
from pbem.games.frame.house import House
from pbem.games.frame.length import Days
from pbem.periods import adjudicating, deadline_acts, persons, publishing
from pbem.post.imap import Mailbox
from pbem.referee.acts import clock_acts
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, periods
from pbem.store.schema.tables import Ruling
from pbem.text import day_words
from tests.installation import GAMESMASTER, SEATS, SLATE, Installation, absent, desk, text_of, told
from tests.subjects import issue, subjects


def test_a_period_closes_at_its_deadline_and_the_next_keeps_the_hour(at: Installation) -> None:
    due = at.table().period.due
    at.clock = due - timedelta(minutes=1)
    assert at.once(minutes=0).closed == 0
    at.clock = due
    assert at.once().closed == 1
    assert at.table().period.number == 2
    assert at.table().period.due - due == timedelta(days=7)
    assert issue(at.mails("A")[-2]) == "[g] Bulletin 1"


def test_only_those_who_owe_something_are_reminded_once(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send("B", "VOTE AYE")
    at.clock = at.table().period.due - timedelta(hours=23)
    at.once()
    at.once()
    reminded = [seat for seat in SEATS if "Reminder" in str(at.mails(seat)[-1]["Subject"])]
    assert reminded == ["A", "C", "D", "E"]
    assert sum("Reminder" in str(mail["Subject"]) for mail in at.mails("A")) == 1


def test_after_an_early_end_letters_are_for_the_next_period(at: Installation) -> None:
    """A letter that comes before the hour at which the period would have ended is not late."""
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each(SEATS, "VOTE ABSTAIN\nREADY")
    at.clock = at.clock.replace(hour=19, minute=0) + timedelta(days=4)
    at.once()
    assert at.table().period.number == 3
    at.clock += timedelta(hours=8)
    at.send("A", 'NAME "Punctual"')
    assert at.outcomes()[-1][0] == "orders" and at.standing("A") == ['NAME "Punctual"']


def test_a_deadline_found_long_past_holds_the_game_until_it_is_resumed(at: Installation) -> None:
    old = at.table().period.due
    at.clock = old + timedelta(days=7)
    at.once()
    table = at.table()
    assert (table.row.status, table.period.number) == ("held", 1)
    assert "is held" in str(at.mails("A")[-1]["Subject"])
    assert "pbem resume" in text_of(at.mails("gm@game.example")[-1])
    at.act(deadline_acts.resume, "g")
    at.once()
    after = at.table()
    assert after.row.status == "running" and after.period.due > at.clock
    assert after.period.due.astimezone(after.zone).hour == 0
    assert "New deadline" in str(at.mails("A")[-1]["Subject"])
    at.to_deadline()
    assert at.table().period.number == 2


def test_an_unreachable_mailbox_never_adjudicates(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    reachable = at.daemon.readers[0].mailbox
    at.daemon.readers[0].mailbox = Mailbox(absent(reachable.account))
    at.clock = at.table().period.due
    done = at.once()
    assert done.closed == 0 and "imap" in done.trouble[0]
    assert at.table().period.number == 1
    at.later(hours=2)
    assert at.table().row.held_because == "the mailbox could not be read at the deadline"
    at.once()
    assert "held" in str(at.mails("A")[-1]["Subject"])
    at.daemon.readers[0].mailbox = reachable
    at.once()
    at.once()
    assert at.table().row.status == "running" and at.table().period.due > at.clock
    assert "New deadline" in str(at.mails("A")[-1]["Subject"])


def broken_rules(*_: object) -> None:
    raise ValueError("cannot apply Pay(to='R', amount=10) of S")


def test_why_a_period_failed_is_the_gamesmasters_to_know(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(adjudicating, "close_period", broken_rules)
        at.to_deadline()
    at.send("A", "STATUS")
    why = "period 1 could not be closed for a technical reason; the gamesmaster has been told"
    assert at.table().row.held_because == why and why in " ".join(at.newest("A").split())
    alarm = next(
        text_of(mail)
        for mail in at.mails(GAMESMASTER)
        if "game g is held: period 1 failed" in str(mail["Subject"])
    )
    assert (
        "ValueError: cannot apply Pay(to='R', amount=10) of S" in " ".join(alarm.split())
        and "pbem resume g" in alarm
    )
    at.act(deadline_acts.resume, "g")
    at.once()
    assert at.table().period.number == 2
    assert why in " ".join(text_of(at.mails("A")[-2]).split()), "the bulletin says so"
    for seat in SEATS:
        assert not any("Pay(" in text_of(mail) for mail in at.mails(seat))


def test_a_gamesmaster_who_plays_is_not_mailed_others_orders(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.act(persons.change_address, "b@legit.example", GAMESMASTER)
    monkeypatch.setattr(adjudicating, "close_period", broken_rules)
    at.to_deadline()
    alarm = next(
        text_of(mail)
        for mail in at.mails(GAMESMASTER)
        if "game g is held: period 1 failed" in str(mail["Subject"])
    )
    assert "ValueError" in alarm and "the log" in alarm and "Pay(" not in alarm


@pytest.mark.parametrize("days", [0, 2])
def test_the_next_bulletin_says_that_a_held_game_went_on(at: Installation, days: int) -> None:
    at.act(deadline_acts.hold, "g", "illness")
    at.clock += timedelta(days=days)
    at.act(deadline_acts.resume, "g")
    at.to_deadline()
    bulletin = next(
        text_of(mail) for mail in reversed(at.mails("A")) if "Bulletin 1" in str(mail["Subject"])
    )
    assert "The game was held on" in bulletin and "The game went on on" in bulletin


def test_the_gamesmaster_is_told_of_an_idle_player_once(at: Installation) -> None:
    for _ in range(5):
        at.write("A", f"PROPOSE {SLATE}")
        at.to_deadline()
        at.send_each("ABCD", "VOTE NAY")
    told = [
        str(mail["Subject"]) for mail in at.mails(GAMESMASTER) if "IDLE" in str(mail["Subject"])
    ]
    assert told == ["[pbem] IDLE: E in g"]


WHY = "summer holidays"


def due(at: Installation) -> date:
    """The day that the deadline is named after."""
    table = at.table()
    assert table.period.due is not None
    return calendar.day_of(table.period.due, table.house.hour, table.zone)


def pause(at: Installation, first: date, days: int, why: str = WHY) -> None:
    with desk(at) as work:
        last = first + timedelta(days=days - 1)
        clock_acts.pause(work, "g", 1, str(first), str(last), why)
    at.once()


def lift(at: Installation, first: date) -> None:
    at.act(clock_acts.pause, "g", 1, "NONE", str(first), "they are back")
    at.once()


def noted(at: Installation) -> list[str]:
    with exclusive_transaction(at.daemon.engine) as conn:
        return list(conn.execute(select(Ruling.text).order_by(Ruling.id)).scalars())


def explained(at: Installation) -> str:
    table = at.table()
    deadline = publishing.deadline_of(table)
    assert deadline is not None
    lines = deadline.explained(table.house.hour, table.zone)
    assert max(map(len, lines)) <= 78
    return " ".join(" ".join(lines).split())


def test_its_reason_stands_in_the_mail_the_bulletin_and_in_explain(at: Installation) -> None:
    first = due(at)
    pause(at, first, 3)
    said = (
        f"no deadline falls from {day_words(first)} to"
        f" {day_words(first + timedelta(days=2))} ({WHY})"
    )
    assert due(at) == first + timedelta(days=3)
    assert f"has been moved: {said}." in told(at, "A")
    assert f"+3 days pause: {said}" in told(at, "A")
    assert f"+3 days pause: {said}" in explained(at)
    assert any(said in note for note in noted(at))


def test_a_later_period_that_falls_into_it_says_why_too(at: Installation) -> None:
    first = due(at) + timedelta(days=7)
    pause(at, first, 1)
    assert f"A pause: no deadline falls on {day_words(first)} ({WHY})." in told(at, "A")
    at.to_deadline()
    assert f"+1 day pause: no deadline falls on {day_words(first)} ({WHY})" in explained(at)


def test_the_same_days_are_not_paused_twice(at: Installation) -> None:
    first = due(at)
    pause(at, first, 3)
    with pytest.raises(OperatorError, match="as it is"):
        pause(at, first, 3, "another reason")


def test_a_lifted_pause_gives_the_deadline_back(at: Installation) -> None:
    first = due(at)
    at.act(deadline_acts.extend, "g", 1, Days(1), "post strike")
    pause(at, first, 3)
    assert due(at) == first + timedelta(days=3)
    lift(at, first)
    assert due(at) == first + timedelta(days=1), "the extension stands"
    for who in SEATS:
        assert "New deadline" in subjects(at, f"{who.lower()}@legit.example")[-1]
        assert "is lifted (they are back)." in told(at, who)
    assert "pause:" not in explained(at) and "+1 day extension: post strike" in explained(at)
    assert "unpause" in at.journal() and any("is lifted" in note for note in noted(at))
    pause(at, first, 3)  # and once more: each of these mails goes out
    assert due(at) == first + timedelta(days=3)
    assert f"({WHY})" in told(at, "A")


def test_a_pause_that_moved_nothing_is_lifted_too(at: Installation) -> None:
    first, before = due(at) + timedelta(days=3), due(at)
    pause(at, first, 2)
    lift(at, first)
    assert due(at) == before
    assert "is lifted (they are back). The deadline stays:" in told(at, "A")
    assert subjects(at, "a@legit.example")[-1] == "[g] The pause is lifted"
    at.to_deadline()
    at.to_deadline()
    assert "pause" not in explained(at)


def test_a_deadline_never_comes_back_into_the_past(at: Installation) -> None:
    first = due(at)
    pause(at, first, 10)
    at.clock += timedelta(days=(first - at.clock.date()).days + 4)
    lift(at, first)
    after = at.table().period.due
    assert after is not None and at.clock < after <= at.clock + timedelta(days=2)
    assert "a lifted pause moves no deadline into the past" in " ".join(explained(at).split())
    assert at.table().period.number == 1, "nobody lost the period by it"


def test_what_is_no_pause_is_not_lifted(at: Installation) -> None:
    first = due(at)
    pause(at, first, 3)
    known = f"no pause from 2020-01-01 on; its pauses: {first} to {first + timedelta(days=2)}"
    with pytest.raises(OperatorError, match=known):
        lift(at, date(2020, 1, 1))
    with pytest.raises(OperatorError, match="write days like"), desk(at) as work:
        clock_acts.pause(work, "g", None, "NONE", "soon", "x")


def test_a_pause_of_the_version_before_is_lifted(at: Installation) -> None:
    """It stood among the holidays without its reason; the journal alone knows that it was one."""
    first = due(at)
    pause(at, first, 3)
    with desk(at) as work:
        table = games.game_at(work.conn, "g")
        plain = tuple(one[:2] for one in table.house.holidays)
        house = replace(table.house, holidays=plain)
        games.set_game(work.conn, "g", house=codec.dump(house))
        moved = Move("holiday", Days(3), "no deadline falls on a holiday")
        periods.set_period(work.conn, "g", 1, moves=[moved.json()])
    lift(at, first)
    assert due(at) == first


def test_a_holiday_of_the_house_is_no_pause(at: Installation) -> None:
    first = due(at)
    with desk(at) as work:
        table = games.game_at(work.conn, "g")
        house = replace(table.house, holidays=((str(first), str(first)),))
        games.set_game(work.conn, "g", house=codec.dump(house))
    with pytest.raises(OperatorError, match="its pauses: none"):
        lift(at, first)


def test_an_extension_without_effect_says_so_and_tells_nobody(at: Installation) -> None:
    first = due(at) - timedelta(days=2)
    pause(at, first, 3)
    kinds, notes, mails = at.journal(), noted(at), subjects(at, "a@legit.example")
    before = due(at)
    with pytest.raises(OperatorError) as refused, desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(-1), "sooner")
    at.once()
    said = str(refused.value)
    assert said.startswith("-1 day would leave the deadline where it is, for no deadline falls")
    assert f"({WHY}); the least that moves it is -4 days" in said
    assert (at.journal(), noted(at), subjects(at, "a@legit.example")) == (kinds, notes, mails)
    assert due(at) == before
    for days in (-2, -3):
        with (
            pytest.raises(OperatorError, match="the least that moves it is -4 days"),
            desk(at) as work,
        ):
            deadline_acts.extend(work, "g", 1, Days(days), "sooner")
    at.act(deadline_acts.extend, "g", 1, Days(-4), "sooner")
    assert due(at) == first - timedelta(days=1)


def test_where_nothing_moves_it_that_is_said(at: Installation) -> None:
    pause(at, at.clock.date(), 20)
    with pytest.raises(OperatorError, match="lies in the past"), desk(at) as work:
        deadline_acts.extend(work, "g", 1, Days(-1), "sooner")


DAY = st.dates(date(2026, 1, 1), date(2026, 3, 1))


@given(
    pauses=st.lists(st.tuples(DAY, st.integers(0, 20)), max_size=3),
    length=st.integers(1, 30),
    by=st.integers(-30, 30).filter(bool),
)
def test_the_number_that_is_named_moves_it_and_no_smaller_one_does(
    pauses: Sequence[tuple[date, int]], length: int, by: int
) -> None:
    zone = ZoneInfo("Europe/Paris")
    holidays = tuple((str(day), str(day + timedelta(days=n)), "why") for day, n in pauses)
    house = House({"*": Days(7)}, {}, holidays=holidays)
    first = calendar.deadline(date(2026, 1, 10), length, (), house, zone)
    long_ago = first.due - timedelta(days=400)

    def moves(n: int) -> bool:
        move = Move("extension", Days(n), "")
        return calendar.moved(first, [move], house, zone).due != first.due

    least = calendar.least_that_moves(first, Days(by), house, zone, long_ago)
    assert least is not None and moves(least.n) and (least.n > 0) == (by > 0)
    assert not any(moves(n) for n in range(1, abs(least.n)) for n in [n if by > 0 else -n])
