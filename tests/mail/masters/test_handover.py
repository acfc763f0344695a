"""A game changes hands, and what its players are told of a gamesmaster who is silent."""

import re
from datetime import timedelta

import pytest

from pbem.acts.acts import BY_NAME
from pbem.post import masters
from pbem.referee.acts.doing import Actor, do
from tests.installation import GAMESMASTER, REFEREE, Installation, address, desk, text_of
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
    flat,
    hold_deadlines,
    journal,
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
    assert {"master-asked", "master"} <= set(journal(two))
    assert "not the gamesmaster of g" in flat(command(two, BRUNO, "HOLD", game="g"))
    assert "new deadline" in done(two, BRUNO, "EXTEND 1 x")
    # the old one's secret address is void, and he is nobody's gamesmaster any more
    two.write(ANNA, HEAD.format(game="h") + "HOLD", To=secret)
    two.send(ANNA, HEAD.format(game="h") + "HOLD", To=reply_to(two, ANNA))
    assert [outcome for outcome, _ in two.outcomes()[-2:]] == ["unknown-sender"] * 2
    assert period(two).game.status == "running"
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
    assert "master" not in journal(two)


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


def test_now_asks_the_new_one_only(two: Installation) -> None:
    with desk(two) as work:
        values = {"game": "h", "address": BRUNO, "second": False, "now": True}
        assert do(work, BY_NAME["master"], values, Actor()).said.startswith(
            f"A code was mailed to {BRUNO};"
        )
    two.once()
    command(two, BRUNO, f"CONFIRM {code_to(two, BRUNO)}")
    assert "The one before was not asked." in flat(two.newest("C"))
    with desk(two) as work:
        assert masters.of(work.conn, work.mark, "h").acting == BRUNO


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
    assert not {"master-asked", "second-asked"} & set(journal(two))


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
    assert re.search(r"waited for him all the time: your letter of \d+ \w+", text)
    assert not [one for one in subjects(two, address("C")) if "silent" in one]
    assert [one for one in subjects(two) if "h waits for its gamesmaster" in one]
    assert "silence" in journal(two) and "silence" not in journal(two, "g")


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
