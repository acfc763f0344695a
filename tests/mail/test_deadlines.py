"""Deadlines, reminders and the gamesmaster's acts, on a clock of ours."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.errors import OperatorError
from pbem.games.frame.length import Days
from pbem.periods import closing, deadline_acts, persons
from pbem.post.imap import Mailbox
from pbem.referee.acts import word_acts
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from tests.installation import GAMESMASTER, SEATS, SLATE, Installation, desk, text_of
from tests.subjects import issue


def test_a_period_closes_at_its_deadline_and_the_next_keeps_the_hour(at: Installation) -> None:
    due = at.table().period.due
    at.clock = due - timedelta(minutes=1)
    assert at.once(minutes=0).closed == 0
    at.clock = due
    assert at.once().closed == 1
    assert at.table().period.number == 2
    assert at.table().period.due - due == timedelta(days=7)
    assert issue(at.mails("A")[-2]) == "[g] Bulletin 1"


def test_the_deadline_keeps_its_hour_over_the_change_of_clocks(at: Installation) -> None:
    hours = set()
    for _ in range(5):
        at.to_deadline()
        hours.add(at.table().period.due.astimezone(at.table().zone).hour)
    assert hours == {0}


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


def test_a_period_closes_early_when_all_are_ready(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    at.send_each(SEATS, "VOTE ABSTAIN\nREADY")
    assert at.table().period.number == 2
    at.clock = at.clock.replace(hour=19, minute=0) + timedelta(
        days=4
    )  # 20:00 in Paris, in its second half
    at.once()
    assert at.table().period.number == 3


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


def test_wait_keeps_it_open(at: Installation) -> None:
    at.send("A", f"PROPOSE {SLATE}")
    at.to_deadline()
    for seat in SEATS:
        at.write(seat, "VOTE ABSTAIN\n" + ("WAIT" if seat == "C" else "READY"))
    at.once()
    for _ in range(6):  # well into its second half
        at.later(days=1)
    assert at.table().period.number == 2
    at.to_deadline()
    assert at.table().period.number == 3


def test_a_deadline_found_long_past_holds_the_game_until_it_is_resumed(at: Installation) -> None:
    old = at.table().period.due
    at.clock = old + timedelta(days=7)
    at.once()
    table = at.table()
    assert (table.game.status, table.period.number) == ("held", 1)
    assert "is held" in str(at.mails("A")[-1]["Subject"])
    assert "pbem resume" in text_of(at.mails("gm@game.example")[-1])
    at.act(deadline_acts.resume, "g")
    at.once()
    after = at.table()
    assert after.game.status == "running" and after.period.due > at.clock
    assert after.period.due.astimezone(after.zone).hour == 0
    assert "New deadline" in str(at.mails("A")[-1]["Subject"])
    at.to_deadline()
    assert at.table().period.number == 2


def test_an_unreachable_mailbox_never_adjudicates(at: Installation) -> None:
    at.send("A", "SPECIAL AGR")
    reachable = at.daemon.mailbox
    at.daemon.mailbox = Mailbox(replace(reachable.account, port=1))
    at.clock = at.table().period.due
    done = at.once()
    assert done.closed == 0 and "imap" in done.trouble[0]
    assert at.table().period.number == 1
    at.later(hours=2)
    assert at.table().game.held_because == "the mailbox could not be read at the deadline"
    at.once()
    assert "held" in str(at.mails("A")[-1]["Subject"])
    at.daemon.mailbox = reachable
    at.once()
    at.once()
    assert at.table().game.status == "running" and at.table().period.due > at.clock
    assert "New deadline" in str(at.mails("A")[-1]["Subject"])


def broken_rules(*_: object) -> None:
    raise ValueError("cannot apply Pay(to='R', amount=10) of S")


def test_why_a_period_failed_is_the_gamesmasters_to_know(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(closing, "close_period", broken_rules)
        at.to_deadline()
    at.send("A", "STATUS")
    why = "period 1 could not be closed for a technical reason; the gamesmaster has been told"
    assert at.table().game.held_because == why and why in " ".join(at.newest("A").split())
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
    monkeypatch.setattr(closing, "close_period", broken_rules)
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


def test_the_gamesmaster_is_told_that_a_bulletin_waits(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review") as at:
        at.start()
        at.to_deadline()
        told = next(
            mail for mail in reversed(at.mails(GAMESMASTER)) if "waits" in str(mail["Subject"])
        )
        assert "pbem release g" in text_of(told)
        with desk(at) as work:
            assert "pbem release g" in queue.text(queue.queue(work), Face.SHELL)


def test_a_deadline_is_not_moved_by_nothing(at: Installation) -> None:
    with desk(at) as work, pytest.raises(OperatorError, match="0 days move no deadline"):
        deadline_acts.extend(work, "g", 1, Days(0), "why")


def test_the_gamesmaster_is_told_of_an_idle_player_once(at: Installation) -> None:
    for _ in range(5):
        at.write("A", f"PROPOSE {SLATE}")
        at.to_deadline()
        at.send_each("ABCD", "VOTE NAY")
    told = [
        str(mail["Subject"]) for mail in at.mails(GAMESMASTER) if "IDLE" in str(mail["Subject"])
    ]
    assert told == ["[pbem] IDLE: E in g"]


def test_until_adjudicated_a_late_letter_counts(at: Installation) -> None:
    at.clock = at.table().period.due + timedelta(minutes=5)
    at.send("A", "SPECIAL AGR")
    assert at.table().period.number == 2
    assert at.view("A")["specials"] == ["AGR"]


def test_what_the_referee_adds_by_itself_is_capped(tmp_path: Path) -> None:
    with Installation(
        tmp_path, "parlement-1968", house={"most_automatic": 3}, scenario={"phase": "candidates"}
    ) as at:
        at.start()
        due = at.table().period.due
        at.clock = due
        assert at.once().closed == 0  # house rule 8: a week for the lists, but for the cap
        assert at.table().period.due - due == timedelta(days=3)
        at.to_deadline()
        assert at.table().period.number == 2


@pytest.mark.parametrize("late", ["deadline", "until_adjudicated"])
def test_a_letter_written_while_the_bulletin_is_in_review_is_not_applied_to_the_next_period(
    tmp_path: Path, late: str
) -> None:
    """Its writer cannot have seen how the period ended; with a PERIOD line he says that he means
    the next one."""
    with Installation(tmp_path, "coalition", seats=SEATS, publish="review", late=late) as at:
        at.start()
        at.to_deadline()
        at.write("A", "SPECIAL AGR")
        at.write("B", 'PERIOD 2\nNAME "Harbour"')
        at.write("C", "STATUS")
        at.once(60)
        assert [outcome for outcome, _ in at.outcomes()] == ["stored"] * 3
        at.act(word_acts.release, "g", 1)
        at.once()
        assert [outcome for outcome, _ in at.outcomes()] == ["late", "orders", "late"]
        assert (at.standing("A"), at.standing("B")) == ([], ['NAME "Harbour"'])
        said = " ".join(at.newest("A").split())
        assert "received after the end of period 1, before its bulletin was published" in said
        assert "send them again with the line PERIOD 2 on top" in said
        assert (
            "orders were not taken" not in at.newest("C")
            and "period 2" in at.newest("C").partition("STATUS")[2]
        )
        at.send("A", 'NAME "Hill"')
        assert at.standing("A") == ['NAME "Hill"']
