"""What a rewind keeps: rulings and notes that stood, and orders for the next period; and what falls
with its period."""

import pytest

from pbem.games.frame.length import Days
from pbem.games.frame.readiness import Said
from pbem.periods import deadline_acts, replay, rewinding
from pbem.periods.rewinding import Rewind
from pbem.referee.acts import clock_acts, seat_acts, word_acts
from pbem.store.games import games, order_sets
from tests.installation import SEATS, SLATE, Installation, desk, text_of
from tests.subjects import issue


def bulletin(at: Installation, number: int) -> str:
    """The newest edition, on one line."""
    subjects = (f"[g] Bulletin {number}", f"[g] Bulletin {number} (corrected)")
    mails = [mail for mail in at.mails("E") if issue(mail) in subjects]
    return " ".join(text_of(mails[-1]).split())


def close(at: Installation) -> None:
    at.act(clock_acts.close, "g", None, unread=True)
    at.once()


def two_periods(at: Installation) -> None:
    """Rulings, notes and moves in periods 1, 2 and 3; 1 and 2 are closed."""
    for number in (1, 2, 3):
        with desk(at) as work:
            word_acts.rule(work, "g", f"Ruling {number}.")
            seat_acts.order(work, "g", number, "ABC"[number - 1], "SPECIAL AGR")
            deadline_acts.extend(work, "g", number, Days(number), f"strike {number}")
        at.send("D", f"ABSENT 2030-0{number}-01 TO 2030-0{number}-02")
        if number < 3:
            close(at)


def test_a_corrected_bulletin_says_again_what_stood(at: Installation) -> None:
    two_periods(at)
    first, second = bulletin(at, 1), bulletin(at, 2)
    at.act(rewinding.done, Rewind("g", 1, "misread"))
    at.once()
    corrected = bulletin(at, 1)
    for said in (
        "Ruling of the gamesmaster: Ruling 1.",
        "entered orders for A in this period",
        "strike 1",
        "D (Player D) is away from 1 January 2030",
        "closed by the gamesmaster before its deadline",
    ):
        assert said in first and said in corrected, said
    assert "CORRECTED: period 1 was adjudicated again: misread" in corrected
    assert "Ruling 3." in corrected and "1 March 2030" in corrected, (
        "no bulletin had printed them yet"
    )
    for said in ("Ruling 2.", "orders for B", "orders for C", "strike 2", "strike 3", "February"):
        assert said not in corrected, said
    assert not any("Ruling 1." in line for line in changes(at) if line.startswith("- "))
    at.to_deadline()
    again = bulletin(at, 2)
    for said in ("Ruling 2.", "entered orders for B in this period", "1 February 2030"):
        assert said in second and said in again, said
    for said in ("strike 2", "strike 3", "closed by the gamesmaster", "orders for C", "Ruling 3."):
        assert said not in again, said
    with desk(at) as work:
        assert replay.replay(work.conn, "g").faults == []


def changes(at: Installation) -> list[str]:
    text = next(
        text_of(mail) for mail in reversed(at.mails("E")) if "what changed" in str(mail["Subject"])
    )
    return text.splitlines()


def test_twice_rewound_and_of_the_newest_period_only(at: Installation) -> None:
    two_periods(at)
    for why in ("once", "twice"):
        at.act(rewinding.done, Rewind("g", 2, why))
        at.once()
    corrected = bulletin(at, 2)
    for said in (
        "Ruling 2.",
        "orders for B",
        "strike 2",
        "closed by the gamesmaster",
        "again: once",
        "again: twice",
    ):
        assert corrected.count(said) == 1, said
    assert "Ruling 1." not in corrected and "strike 3" not in corrected
    at.to_deadline()
    assert "orders for C in this period" in bulletin(at, 3) and "strike 3" not in bulletin(at, 3)


def test_the_last_bulletin_of_a_game_prints_what_later_ones_had(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    close(at)
    close(at)
    at.act(word_acts.rule, "g", "Ruling 3.")
    close(at)
    assert "Ruling 3." in bulletin(at, 3)
    with desk(at) as work:
        table = games.game_at(work.conn, "g", 2)
        aye = {order.slot: order for order in table.ruleset.language.parse("VOTE AYE")}
        for seat in SEATS:
            order_sets.save_orders(
                work.conn, table, seat, aye, None, said=Said.NOTHING, letter_id=None, now=work.now
            )
        rewinding.done(work, Rewind("g", 2, "the votes had been lost"))
    at.once()
    assert at.table().row.status == "over"
    assert "Ruling 3." in bulletin(at, 2)


@pytest.mark.game("coalition", publish="review")
def test_orders_for_the_next_period_stay_where_bulletins_are_reviewed(at: Installation) -> None:
    at.to_deadline()
    with desk(at) as work:
        word_acts.rule(work, "g", "While it waits.")
        word_acts.release(work, "g", 1)
    at.send("D", 'NAME "Later"')
    with desk(at) as work:
        rewinding.done(work, Rewind("g", 1, "misread"))
        word_acts.release(work, "g", 1)
    at.once()
    assert at.standing("D") == ['NAME "Later"'] and "While it waits." in bulletin(at, 1)
