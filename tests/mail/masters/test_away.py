"""AWAY of a gamesmaster: who does the acts meanwhile, what his players and their letters are told;
and who may take over from one who is silent."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.errors import OperatorError
from pbem.periods import away, guards
from pbem.post import masters
from pbem.referee.deciding.handling import Handling
from pbem.store.games import games
from tests.installation import GAMESMASTER, Installation, desk, proven, told
from tests.masters import (
    ANNA,
    BRUNO,
    OTHERS,
    code_to,
    command,
    done,
    flat,
    hold_deadlines,
    journal,
    make,
)
from tests.subjects import subjects

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


@pytest.fixture
def seconded(at: Installation) -> Installation:
    """Anna is the gamesmaster of h, Bruno its second, and neither plays."""
    make(at, "h", gamesmaster=ANNA, second=BRUNO)
    return at


def days(at: Installation, first: int, last: int) -> str:
    return " TO ".join((at.clock + timedelta(days=one)).date().isoformat() for one in (first, last))


def acting(at: Installation, game: str = "h") -> str | None:
    with desk(at) as work:
        return masters.of(work.conn, work.mark, game).acting


def pass_days(at: Installation, number: int) -> None:
    at.later(days=number)


def test_his_second_does_the_acts_meanwhile(seconded: Installation) -> None:
    at = seconded
    hold_deadlines(at)
    said = flat(done(at, ANNA, f"AWAY {days(at, 2, 5)}"))
    assert f"In this time {BRUNO} does all that is a gamesmaster's to do." in said
    assert f"In this time {BRUNO} does all" in told(at, "C")
    assert "You stand in for its gamesmaster" in subjects(at, BRUNO)[-1]
    assert acting(at) == ANNA
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    pass_days(at, 2)
    assert acting(at) == BRUNO
    assert "prints: Ruling" in flat(done(at, BRUNO, "RULE Read on."))
    assert "prints: Ruling" in flat(done(at, ANNA, "RULE Read on."))  # she may still
    pass_days(at, 4)
    assert acting(at) == ANNA and "What waits for you" in subjects(at, ANNA)[-1]
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    assert journal(at).count("master-away") == journal(at).count("master-back") == 1


def test_he_can_come_back_early(seconded: Installation) -> None:
    at = seconded
    hold_deadlines(at)
    done(at, ANNA, f"AWAY {days(at, 0, 5)}")
    assert acting(at) == BRUNO
    assert "is there again" in flat(done(at, ANNA, "AWAY END"))
    assert acting(at) == ANNA and "is there again" in told(at, "C")
    assert "you are not away in h" in flat(command(at, ANNA, "AWAY END"))


def test_without_a_second_all_are_told_what_waits(at: Installation) -> None:
    said = at.act(away.go, "g", days(at, 0, 9))
    at.once()
    assert "These wait until they are back: letters to be looked at and questions" in said
    assert "deadlines fall as they stand" in told(at, "C")
    assert acting(at, "g") == GAMESMASTER


def test_a_letter_that_waits_for_him_says_so(at: Installation) -> None:
    with desk(at) as work:
        away.go(work, "g", days(at, 0, 9))
        games.set_game(work.conn, "g", publish="review")
    at.to_deadline()
    at.send("A", "SPECIAL AGR")
    last = (at.clock + timedelta(days=9)).date()
    assert "The gamesmaster is away until" in told(at, "A"), last


def test_whatever_waits_for_him_says_so(at: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    at.act(away.go, "g", days(at, 0, 9))
    said = "The gamesmaster is away until"
    for text, answer in (
        ("ABSENT 10 March TO 12 March", "will be in the next bulletin"),
        ("ASK GAMESMASTER may I lie?", "has your question"),
        ("PROTEST wrong", "stands until the next deadline"),
    ):
        proven(at, "A", text)
        at.once()
        assert answer in told(at, "A") and said in told(at, "A"), text
    proven(at, "A", "PRESS TO B\nhello\nEND PRESS")
    at.once()
    press = at.mails("B")[-1]
    proven(at, "B", "REPORT", In_Reply_To=str(press["Message-ID"]), To=str(press["Reply-To"]))
    at.once()
    assert "sent that press" in told(at, "B") and said in told(at, "B")

    def fails(*_: object) -> None:
        raise ValueError("odd")

    with monkeypatch.context() as broken:
        broken.setattr(Handling, "carry_out", fails)
        proven(at, "C", "SPECIAL AGR")
        at.once()
    at.once()
    assert "it waits: you need" in told(at, "C") and said in told(at, "C")


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("soon", "write a first and a last day, as in 1 July TO 20 July"),
        ("2020-01-01 TO 2020-01-09", "is past"),
        ("2030-01-01 TO 2030-01-09", "120 days ahead at most"),
    ],
)
def test_days_that_cannot_be(at: Installation, written: str, why: str) -> None:
    with desk(at) as work, pytest.raises(OperatorError, match=why):
        away.go(work, "g", written)


def test_who_plays_has_nobody_to_stand_in_for_him(playing: Installation) -> None:
    with desk(playing) as work, pytest.raises(OperatorError, match="you play A in h"):
        away.go(work, "h", days(playing, 0, 3))


def test_a_stranger_to_the_game_cannot_say_it(seconded: Installation) -> None:
    with desk(seconded) as work, pytest.raises(OperatorError, match="not the gamesmaster of h"):
        guards.may_name(work.conn, work.mark, "h", BRUNO)


# --- a successor ----------------------------------------------------------------------------------


def _silent(at: Installation) -> None:
    """Something waits in h, and for three weeks nobody hears from Anna."""
    hold_deadlines(at)
    at.once()
    done(at, ANNA, "HOLD illness")
    pass_days(at, 22)


def test_the_second_of_a_silent_gamesmaster_may_take_over(seconded: Installation) -> None:
    at = seconded
    _silent(at)
    assert f"{BRUNO}, the second gamesmaster, has been asked to take the game over" in told(at, "C")
    assert "Will you be its gamesmaster?" in subjects(at, BRUNO)[-1]
    assert acting(at) == ANNA
    said = flat(command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}"))
    assert f"{BRUNO} is the gamesmaster of h now" in said and acting(at) == BRUNO
    assert "The one before was not asked" in told(at, "C")


def test_a_word_of_his_voids_that(seconded: Installation) -> None:
    at = seconded
    _silent(at)
    done(at, ANNA, "RULE Here I am.")
    pass_days(at, 1)
    command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}")
    assert acting(at) == ANNA


def test_days_that_he_told_are_no_silence(two: Installation) -> None:
    at = two
    hold_deadlines(at)
    at.once()
    done(at, ANNA, "HOLD illness")
    assert "These wait" in done(at, ANNA, f"AWAY {days(at, 1, 40)}")
    pass_days(at, 22)
    assert not any("[h] The gamesmaster is silent" in subject for subject in subjects(at, "C"))
