"""House bots at a table: they play what is empty on its date, named as such, until somebody comes."""

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from pbem.errors import OperatorError
from pbem.periods import replay
from pbem.referee.game import relaying
from pbem.store.engine.database import reading
from pbem.store.games import order_sets
from pbem.store.schema.states import GameState, TableState
from pbem.store.schema.tables import PlayerRecord
from tests.installation import GAMESMASTER, desk, text_of
from tests.mail.test_open_tables import ANN, BEN, CLEO, DAN, FAY, ID, Club
from tests.parsed import attached

FOUR = (ANN, BEN, CLEO, DAN)
DATE = timedelta(weeks=8, hours=1)


@pytest.fixture(name="at")
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Club]:
    """A table of five that one house bot may fill, and four who sign on."""
    more: dict[str, Any] = getattr(request, "param", {})
    with Club(tmp_path, **more) as at:
        at.open(places=5, bots=1)
        yield at


def begin(at: Club) -> None:
    """Four sign on, and the date comes."""
    at.join(*FOUR)
    at.clock += DATE
    at.once()
    assert at.state() == TableState.CALLED
    for who in FOUR:
        at.confirm(who)
    at.once()
    assert at.state() == TableState.BEGUN


def write(at: Club, who: str, text: str) -> None:
    """Answer the newest mail with a secret address."""
    to = next(str(one["Reply-To"]) for one in reversed(at.mails(who)) if "+" in one["Reply-To"])
    at.say(who, text, To=to)


def bot(at: Club) -> str:
    (seat,) = at.table().bots
    return seat


def deadline(at: Club) -> None:
    number = at.table().period.number
    at.to_deadline()
    assert at.table().period.number == number + 1, "it waits for no bot"


def test_one_seat_in_four_at_most(tmp_path: Path) -> None:
    with Club(tmp_path) as at:
        for places, bots in ((5, 2), (7, 2), (8, 3), (5, -1)):
            with pytest.raises(OperatorError, match="at most one seat in 4"):
                at.open(places=places, bots=bots)


def test_all_are_told_before_they_sign_on(at: Club) -> None:
    assert "A house bot may play one empty seat." in at.say(FAY, "GAMES")
    asked = at.say(ANN, f"SIGNON {ID} AS Ann")
    assert "If one seat is empty on" in asked and "a house bot plays it: named as such" in asked


def test_two_empty_seats_are_too_many_for_one_bot(at: Club) -> None:
    at.join(*FOUR[:3])
    at.clock += DATE
    at.once()
    assert at.state() == TableState.CLOSED


def test_before_its_date_a_table_waits_for_people(at: Club) -> None:
    at.join(*FOUR)
    at.later(weeks=7)
    assert at.state() == TableState.JOINING


def test_a_bot_plays_named_as_such_and_is_awaited_by_nobody(at: Club) -> None:
    begin(at)
    seat = bot(at)
    start = next(text_of(one) for one in at.mails(ANN) if "you are" in str(one["Subject"]))
    said = " ".join(start.split())
    assert f"a house bot, Bot Ada ({seat}). It reads no letters" in said
    for number in range(1, 6):
        with reading(at.daemon.engine) as conn:
            last = order_sets.last_set(conn, ID, number, seat)
            assert last and last.ready and last.letter_id is None
        deadline(at)
    with reading(at.daemon.engine) as conn:
        assert replay.replay(conn, ID).faults == []
        rows = conn.execute(select(PlayerRecord.seat, func.count()).group_by(PlayerRecord.seat))
        assert {row[0] for row in rows} == set(at.table().seats) - {seat}
    heads = [str(one["Subject"]) for one in at.mails(GAMESMASTER)]
    assert not [one for one in heads if f"IDLE: {seat}" in one or f"nobody takes {seat}" in one]


def test_press_to_a_bot_is_answered_and_never_suggested(at: Club) -> None:
    begin(at)
    seat = bot(at)
    person = next(one for one in at.table().people("") if at.table().player(one) != "Ann")
    start = next(one for one in at.mails(ANN) if "you are" in str(one["Subject"]))
    for said in (text_of(start), attached(start), at.say(ANN, "HELP\nORDERS")):
        named = [one.split(",") for one in re.findall(r"PRESS TO ([A-Z, ]+)", said)]
        assert seat not in {one.strip() for names in named for one in names}
    write(at, ANN, f"PRESS TO {seat}\nShall we?\nEND PRESS")
    at.once()
    (said,) = [text_of(at.mails(ANN)[-1])]
    assert f"PRESS TO {seat}: {seat} is a bot, and reads no press." in " ".join(said.split())
    write(at, ANN, f"PRESS TO {seat}, {person}\nShall we?\nEND PRESS")
    at.once()
    said = " ".join(text_of(at.mails(ANN)[-1]).split())
    assert "is a bot, and reads no press" in said and f"Your press to {person} went out." in said
    with desk(at) as work, pytest.raises(OperatorError, match="is a bot, and reads no press"):
        relaying.of_gamesmaster(work, ID, seat, "Well played")


def test_a_period_closes_early_when_the_people_are_ready(at: Club) -> None:
    begin(at)
    deadline(at)
    due = at.table().period.due
    assert due
    for who in FOUR:
        write(at, who, "PASS\nREADY")
    at.clock = due - timedelta(hours=12)
    at.once()
    assert at.table().period.number == 3


@pytest.mark.parametrize("at", [{"house": {"names": "hidden"}}], indirect=True)
def test_a_bot_is_named_also_where_names_are_hidden(at: Club) -> None:
    begin(at)
    start = " ".join(text_of(at.mails(ANN)[-1]).split())
    assert "Bot Ada" in start and "Ben" not in start
    deadline(at)
    assert at.table().player(bot(at)) == "Bot Ada"


def test_its_seat_goes_to_who_signs_on_later(at: Club) -> None:
    begin(at)
    deadline(at)
    seat = bot(at)
    at.say(FAY, f"SIGNON {ID} AS Fay")
    at.confirm(FAY)
    at.once()
    offer = next(text_of(one) for one in at.mails(FAY) if f"play {seat}?" in str(one["Subject"]))
    assert "a house bot plays it until somebody takes it" in " ".join(offer.split())
    code = re.findall(r"CONFIRM (\S+)", offer)[-1]
    at.say(FAY, f"CONFIRM {code}")
    holder = at.table().holders[seat]
    assert (holder.address, holder.bot) == (FAY, "") and not at.table().bots
    heads = [str(one["Subject"]) for one in at.mails(FAY)]
    assert f"[{ID}] Coalition: you are {seat}" in heads
    assert any("Bulletin 1" in one for one in heads)
    deadline(at)
    with reading(at.daemon.engine) as conn:
        assert replay.replay(conn, ID).faults == []


def test_a_bot_holds_no_ballot(at: Club) -> None:
    begin(at)
    deadline(at)
    for who in FOUR:
        write(at, who, "AGREE WIN A")
        if code := re.findall(r"CONFIRM (\S+)", at.newest(who)):
            at.say(who, f"CONFIRM {code[-1]}")
    assert at.table().row.status == GameState.OVER


def test_nobody_is_called_like_a_bot(at: Club) -> None:
    assert "looks like a house bot" in at.say(ANN, f"SIGNON {ID} AS Bot Ada")
