"""What may befall a letter between the server and its outcome."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest

from pbem.errors import OutsideError
from pbem.post.imap import Fetched, Mailbox
from pbem.referee.acts import letter_acts
from tests.installation import GAMESMASTER, Installation, absent, text_of

pytestmark = pytest.mark.game("coalition", limits={"letters_an_hour": 3})


def outcomes(at: Installation) -> list[str]:
    return [outcome for outcome, _ in at.outcomes()]


class Poisoned(Mailbox):
    """A server that breaks off when it is asked for one of these letters."""

    poison: frozenset[int] = frozenset()

    def fetch(self, uids: Sequence[int], *more: Any) -> Iterator[Fetched]:
        if self.poison & set(uids):
            self._drop()
            raise OutsideError("the server broke off")
        return super().fetch(uids, *more)


def poisoned(at: Installation, *uids: int) -> Poisoned:
    made = Poisoned(at.daemon.readers[0].mailbox.account)
    made.poison = frozenset(uids)
    at.daemon.readers[0].mailbox = made
    return made


def next_uid(at: Installation) -> int:
    at.daemon.readers[0].mailbox.connect()
    return at.daemon.readers[0].mailbox.select("INBOX").uidnext


def test_one_poisoned_letter_never_stops_the_others(at: Installation) -> None:
    uid = next_uid(at)
    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL ENV")
    mailbox = poisoned(at, uid)
    at.once()
    assert outcomes(at) == ["unfetchable", "orders"]
    assert at.standing("B") == ["SPECIAL ENV"]
    mailbox.poison = frozenset()
    at.once()
    assert outcomes(at) == ["orders", "orders"]
    assert at.standing("A") == ["SPECIAL AGR"]


def test_no_game_closes_while_a_letter_may_still_be_fetched(at: Installation) -> None:
    uid = next_uid(at)
    at.clock = at.table().period.due - timedelta(seconds=30)
    at.write("A", "SPECIAL AGR")
    mailbox = poisoned(at, uid)
    at.clock = at.table().period.due
    assert at.once().closed == 0
    mailbox.poison = frozenset()
    at.once()
    assert at.table().period.number == 2
    assert at.view("A")["specials"] == ["AGR"]


def test_a_letter_that_is_not_given_is_asked_for_during_an_hour_and_the_gamesmaster_told(
    at: Installation,
) -> None:
    uid = next_uid(at)
    at.clock = at.table().period.due - timedelta(minutes=2)
    at.write("A", "SPECIAL AGR")
    poisoned(at, uid)
    assert [at.once(minutes=5).closed for _ in range(12)] == [0] * 12
    told = [
        text_of(mail)
        for mail in at.mails(GAMESMASTER)
        if "cannot be fetched" in str(mail["Subject"])
    ]
    assert len(told) == 1 and "pbem retry 1" in told[0] and "pbem dismiss 1" in told[0]
    assert at.once(minutes=5).closed + at.once().closed == 1


def test_a_letter_that_cannot_be_fetched_at_all_waits_for_a_person_and_the_game_goes_on(
    at: Installation,
) -> None:
    uid = next_uid(at)
    at.write("A", "SPECIAL AGR")
    mailbox = poisoned(at, uid)
    for _ in range(6):
        at.once()
    assert at.to_deadline().closed == 1
    assert outcomes(at) == ["unfetchable"]
    mailbox.poison = frozenset()
    at.act(letter_acts.retry, 1)
    at.once()
    assert outcomes(at) == ["late"]


def test_a_server_that_goes_away_while_letters_are_fetched_makes_none_unfetchable(
    at: Installation,
) -> None:
    class Dying(Mailbox):
        def fetch(self, uids: Sequence[int], *more: Any) -> Iterator[Fetched]:
            self.account = absent(self.account)
            self._drop()
            raise OutsideError("gone")

    healthy = at.daemon.readers[0].mailbox
    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL ENV")
    at.daemon.readers[0].mailbox = Dying(healthy.account)
    assert at.once().trouble
    assert outcomes(at) == []
    at.daemon.readers[0].mailbox = healthy
    at.once()
    assert outcomes(at) == ["orders", "orders"]


def test_a_stop_before_everything_is_decided_closes_no_period(at: Installation) -> None:
    at.clock = at.table().period.due - timedelta(seconds=30)
    at.write("A", "SPECIAL AGR")
    at.clock = at.table().period.due
    at.daemon.stopping.set()
    assert at.once().closed == 0
    at.daemon.stopping.clear()
    assert at.once().closed == 1
    assert at.view("A")["specials"] == ["AGR"]


def test_a_letter_whose_decision_raises_is_set_aside_and_can_be_tried_again(
    at: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.referee.game import game_letters

    take = game_letters.take

    def broken(*args: Any, **more: Any) -> Any:
        if args[2] == "A":
            raise ValueError("a bug of ours")
        return take(*args, **more)

    at.write("A", "SPECIAL AGR")
    at.write("B", "SPECIAL ENV")
    monkeypatch.setattr(game_letters, "take", broken)
    at.once()
    assert at.outcomes() == [
        ("failed", "ValueError: a bug of ours"),
        ("orders", at.outcomes()[1][1]),
    ]
    assert "letter 1 failed" in str(at.mails("gm@game.example")[-1]["Subject"])
    monkeypatch.setattr(game_letters, "take", take)
    at.act(letter_acts.retry, 1)
    at.once()
    assert outcomes(at) == ["orders", "orders"]
    assert at.standing("A") == ["SPECIAL AGR"]
