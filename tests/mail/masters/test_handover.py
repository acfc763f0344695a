"""A game changes hands; a gamesmaster is AWAY or silent: who does the acts meanwhile, and what players are told."""

import re
from datetime import timedelta

import pytest

from pbem.acts.acts import BY_NAME
from pbem.errors import OperatorError
from pbem.periods import away, guards
from pbem.post import masters
from pbem.referee.acts.doing import Actor, do
from pbem.referee.deciding.handling import Handling
from tests.installation import (
    GAMESMASTER,
    REFEREE,
    Installation,
    address,
    desk,
    flat,
    proven,
    text_of,
    told,
)
from tests.mail.test_deputies import advance
from tests.masters import (
    ANNA,
    BRUNO,
    CARLA,
    HEAD,
    OTHERS,
    a_letter,
    code_to,
    command,
    done,
    hold_deadlines,
    make,
    period,
    reply_to,
)
from tests.subjects import issue, subjects

pytestmark = pytest.mark.game("coalition", strangers=OTHERS)


@pytest.mark.parametrize("order", [(ANNA, BRUNO), (BRUNO, ANNA)])
def test_master_is_changed_once_both_have_confirmed(
    two: Installation, order: tuple[str, str]
) -> None:
    secret = reply_to(two, ANNA)
    assert "A code was mailed to" in flat(command(two, ANNA, f"MASTER {BRUNO}"))
    assert "Will you be its gamesmaster?" in subjects(two, BRUNO)[-1]
    codes = {who: code_to(two, who) for who in order}
    first, last = order
    told = len(two.mails("C"))
    said = flat(command(two, first, f"CONFIRM {codes[first]}"))
    assert f"It is so once {last} has agreed too." in said
    assert "nothing that waits for that code" in flat(
        command(two, first, f"CONFIRM {codes[first]}", REFEREE)
    )
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert len(two.mails("C")) == told
    # the other's code from the wrong address does nothing
    two.send(first, f"CONFIRM {codes[last]}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert f"{BRUNO} is the gamesmaster of h now" in flat(
        command(two, last, f"CONFIRM {codes[last]}")
    )
    assert f"The game has another gamesmaster: {BRUNO}." in flat(two.newest("C"))
    assert {"master-asked", "master"} <= set(two.journal("h"))
    assert "not the gamesmaster of g" in flat(command(two, BRUNO, "HOLD", game="g"))
    assert "new deadline" in done(two, BRUNO, "EXTEND 1 x")
    # the old one's secret address is void, and he is nobody's gamesmaster any more
    two.write(ANNA, HEAD.format(game="h") + "HOLD", To=secret)
    two.send(ANNA, HEAD.format(game="h") + "HOLD", To=reply_to(two, ANNA))
    assert [outcome for outcome, _ in two.outcomes()[-2:]] == ["unknown-sender"] * 2
    assert period(two).row.status == "running"
    two.game = "h"
    two.to_deadline()
    bulletin = next(
        text_of(one) for one in reversed(two.mails("C")) if issue(one) == "[h] Bulletin 1"
    )
    assert "The game has another gamesmaster." in bulletin


def test_one_code_is_not_enough_and_a_week_is_the_limit(two: Installation) -> None:
    command(two, ANNA, f"MASTER {BRUNO}")
    anna, bruno = code_to(two, ANNA), code_to(two, BRUNO)
    command(two, ANNA, f"CONFIRM {anna}")
    two.clock += timedelta(days=8)
    assert "too old, and nothing was done" in flat(command(two, BRUNO, f"CONFIRM {bruno}"))
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    assert "master" not in two.journal("h")


def test_a_new_request_makes_the_old_one_void(two: Installation) -> None:
    command(two, ANNA, f"MASTER {BRUNO}")
    old = code_to(two, BRUNO)
    command(two, ANNA, f"MASTER {CARLA}")
    command(two, ANNA, f"CONFIRM {code_to(two, ANNA)}")
    command(two, BRUNO, f"CONFIRM {old}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == ANNA
    command(two, CARLA, f"CONFIRM {code_to(two, CARLA)}")
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == CARLA


@pytest.mark.parametrize(
    ("second", "who", "says"),
    [
        ("", address("C"), "plays C in h"),
        ("", ANNA, "is the gamesmaster of h already"),
        (" SECOND", ANNA, "its second has to be somebody else"),
        (" SECOND", address("C"), "plays C in h"),
    ],
)
def test_who_cannot_be_asked(two: Installation, second: str, who: str, says: str) -> None:
    assert says in flat(command(two, ANNA, f"MASTER {who}{second}"))
    assert not {"master-asked", "second-asked"} & set(two.journal("h"))


def test_players_are_told_once_of_three_weeks_of_silence(two: Installation) -> None:
    two.once()
    a_letter(two, "h")
    for _ in range(23):
        two.clock += timedelta(days=1)
        hold_deadlines(two)
        two.once()
    told = [one for one in subjects(two, address("B")) if "silent" in one]
    assert told == ["[h] The gamesmaster is silent"]
    text = flat(next(text_of(one) for one in two.mails("B") if "silent" in str(one["Subject"])))
    assert ANNA in text and GAMESMASTER in text and "Player" not in text
    assert re.search(r"waited for them all the time: your letter of \d+ \w+", text)
    assert not [one for one in subjects(two, address("C")) if "silent" in one]
    assert [one for one in subjects(two) if "h waits for its gamesmaster" in one]
    assert "silence" in two.journal("h") and "silence" not in two.journal()


def test_all_are_told_when_the_whole_game_stands_still(two: Installation) -> None:
    two.once()
    two.act(do, BY_NAME["hold"], {"game": "h", "why": "illness"}, Actor(ANNA))
    for _ in range(23):
        two.later(days=1)
    for seat in "BC":
        text = next(text_of(one) for one in two.mails(seat) if "silent" in str(one["Subject"]))
        assert "the game is held (illness)" in flat(text)


@pytest.mark.parametrize("sign", ["letter", "act", "nothing waits"])
def test_a_sign_of_his_is_no_silence(two: Installation, sign: str) -> None:
    two.once()
    if sign != "nothing waits":
        a_letter(two, "h")
    for day in range(30):
        two.clock += timedelta(days=1)
        hold_deadlines(two)
        two.once()
        if day == 12 and sign == "letter":
            command(two, ANNA, "QUEUE")
        if day == 12 and sign == "act":
            two.act(do, BY_NAME["rule"], {"game": "h", "text": "x"}, Actor())
    assert not [one for one in subjects(two, address("B")) if "silent" in one]


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


def test_his_second_does_the_acts_meanwhile(seconded: Installation) -> None:
    at = seconded
    hold_deadlines(at)
    said = flat(done(at, ANNA, f"AWAY {days(at, 2, 5)}"))
    assert f"In this time {BRUNO} does all that is a gamesmaster's to do." in said
    assert f"In this time {BRUNO} does all" in told(at, "C")
    assert "You stand in for its gamesmaster" in subjects(at, BRUNO)[-1]
    assert acting(at) == ANNA
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    advance(at, 2)
    assert acting(at) == BRUNO
    assert "prints: Ruling" in flat(done(at, BRUNO, "RULE Read on."))
    assert "prints: Ruling" in flat(done(at, ANNA, "RULE Read on."))  # she may still
    advance(at, 4)
    assert acting(at) == ANNA and "What waits for you" in subjects(at, ANNA)[-1]
    assert "you are the second gamesmaster of h" in flat(command(at, BRUNO, "RULE Read on."))
    assert at.journal("h").count("master-away") == at.journal("h").count("master-back") == 1


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
    advance(at, 22)


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
    advance(at, 1)
    command(at, BRUNO, f"CONFIRM {code_to(at, BRUNO)}")
    assert acting(at) == ANNA


def test_days_that_he_told_are_no_silence(two: Installation) -> None:
    at = two
    hold_deadlines(at)
    at.once()
    done(at, ANNA, "HOLD illness")
    assert "These wait" in done(at, ANNA, f"AWAY {days(at, 1, 40)}")
    advance(at, 22)
    assert not any("[h] The gamesmaster is silent" in subject for subject in subjects(at, "C"))
