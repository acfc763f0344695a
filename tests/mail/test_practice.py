"""PRACTICE: a game by mail against house bots, at once, for one person."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from pbem.periods import replay
from pbem.store.engine.database import reading
from pbem.store.games import club
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import (
    Address,
    Game,
    Journal,
    OrderSet,
    Outgoing,
    PlayerRecord,
    Practice,
)
from tests import chance
from tests.installation import GAMESMASTER, text_of
from tests.linking import links
from tests.mail.test_open_tables import ANN, BEN, BEN_TWIN, Club
from tests.parsed import parsed

_RUNNING = Practice.begun.is_not(None), Practice.ended.is_(None)

GAME = "practice-1"
MOST_LETTERS = 120
MOST_IN_WELCOME = 500
"""Words."""


@contextmanager
def club_of(folder: Path, key: str = "coalition", **more: Any) -> Iterator[Club]:
    with Club(folder, key=key, **more) as at, chance.fixed():  # so long a game is never over soon
        at.game = GAME
        yield at


def begin(at: Club, who: str = ANN, key: str = "") -> None:
    at.say(who, f"PRACTICE {key or at.key}")
    at.say(who, "yes", To=str(at.mails(who)[-1]["Reply-To"]))
    at.once()


def status(at: Club) -> GameState | None:
    with reading(at.daemon.engine) as conn:
        return conn.execute(select(Game.status).where(Game.id == at.game)).scalar()


def go_on(at: Club, who: str = ANN) -> None:
    """Press the READY of the newest mail that has one."""
    for mail in reversed(at.mails(who)):
        if ready := [one for one in links(mail) if one.label == "READY"]:
            ready[-1].send(at, who)
            break
    at.once()
    at.once()


def test_a_game_by_the_notices_links_alone(tmp_path: Path, key: str) -> None:
    with club_of(tmp_path, key) as at:
        begin(at)
        for _ in range(MOST_LETTERS):
            if status(at) == GameState.OVER:
                break
            go_on(at)
        assert status(at) == GameState.OVER
        with reading(at.daemon.engine) as conn:
            assert replay.replay(conn, GAME).faults == []
            assert not conn.execute(select(func.count()).select_from(PlayerRecord)).scalar()
            assert not club.played(conn) and not club.ended(conn)
            journal = conn.execute(select(Journal.kind).where(Journal.game_id == GAME)).scalars()
            assert "bot" in set(journal)
        told = [str(one["Subject"]) for one in at.mails(ANN)]
        assert all(one.startswith((f"[{GAME}]", f"Re: [{GAME}]")) for one in told[2:]), told
        bad = [one for one in at.mails(ANN) if "NOT TAKEN" in text_of(one)]
        assert not bad, text_of(bad[0])
        assert not [s for s in map(str, (m["Subject"] for m in at.mails(GAMESMASTER))) if GAME in s]


def test_a_stranger_is_asked_first(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        said = at.say(ANN, "PRACTICE coalition")
        assert "answer this mail within a week with one word" in said
        assert status(at) is None
        at.confirm(ANN)
        at.once()
        assert status(at) == GameState.RUNNING


def test_the_first_notices_have_a_lesson(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        begin(at)
        texts = list(map(text_of, at.mails(ANN)))
        assert any("A LESSON" in one and "Special Ministries" in one for one in texts)
        for _ in range(3):
            go_on(at)
        assert "A LESSON" not in text_of(at.mails(ANN)[-1])
        assert any("GO ON" in text_of(one) for one in at.mails(ANN)[-3:])


def test_the_welcome_is_short(tmp_path: Path, key: str) -> None:
    with club_of(tmp_path, key) as at:
        begin(at)
        text = text_of(at.mails(ANN)[-1])
        assert "Welcome" in text and "House bots play" in text
        assert len(text.split()) <= MOST_IN_WELCOME


def test_one_at_a_time_and_five_a_week(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        for number in range(1, 6):
            at.clock += timedelta(hours=2)
            begin(at)
            at.game = f"practice-{number}"
            assert status(at) == GameState.RUNNING
            assert "You have a practice game already" in at.say(ANN, "PRACTICE legislation")
            at.say(ANN, "PRACTICE END", Authentication_Results=_vouched(ANN))
            assert status(at) == GameState.OVER
        at.clock += timedelta(hours=2)
        assert "5 practice games in a week" in at.say(ANN, "PRACTICE coalition")
        at.clock += timedelta(days=8)
        assert "answer this mail" in at.say(ANN, "PRACTICE coalition")


def _vouched(who: str) -> str:
    return f"mx.game.example; dmarc=pass header.from={who.partition('@')[2]}"


def test_the_gamesmaster_can_switch_it_off(tmp_path: Path) -> None:
    with club_of(tmp_path, limits={"practice_games": 0}) as at:
        assert "There are no practice games here" in at.say(ANN, "PRACTICE coalition")


def test_the_installation_has_a_bound(tmp_path: Path) -> None:
    with club_of(tmp_path, limits={"practice_games": 1}) as at:
        begin(at)
        at.say(BEN, "PRACTICE coalition")
        assert "There is no room for another practice game" in at.confirm(BEN)


def test_so_many_periods_close_in_an_hour(tmp_path: Path) -> None:
    with club_of(tmp_path, limits={"practice_periods_an_hour": 2}) as at:
        begin(at)
        for _ in range(4):
            go_on(at)
        assert at.table().period.number == 3
        at.later(minutes=90)
        assert at.table().period.number == 4


def test_a_period_waits_for_its_player_whatever_orders_foresee(tmp_path: Path) -> None:
    """3.9: a vote with IF fills each later period; READY closes it all the same."""
    with club_of(tmp_path) as at:
        begin(at)
        go_on(at)
        at.say(ANN, "VOTE NAY IF POINTS < 90\nREADY", To=str(at.mails(ANN)[-1]["Reply-To"]))
        for _ in range(3):
            at.once()
        assert at.table().period.number == 3


def test_a_word_without_a_game_lists_them(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        at.send(ANN, "PRACTICE")
        assert [one.body.split()[1] for one in links(at.mails(ANN)[-1])][:2] == [
            "parlement-1966",
            "parlement-1968",
        ]
        assert "There is no game" in at.say(ANN, "PRACTICE chess")
        assert "practise Coalition against" in " ".join(at.say(ANN, "PRACTICE coalitoin").split())


def test_who_is_silent_for_two_weeks_has_left(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        begin(at)
        at.later(days=13)
        assert status(at) == GameState.RUNNING
        at.later(days=2)
        assert status(at) == GameState.OVER
        assert "nobody has written for two weeks" in at.newest(ANN)


def test_it_is_forgotten_a_month_after_its_end(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        begin(at)
        at.say(ANN, "PRACTICE END", Authentication_Results=_vouched(ANN))
        at.clock += timedelta(days=29)
        for _ in range(3):
            at.once()
            at.clock += timedelta(days=1)
        at.once()
        assert status(at) is None
        with reading(at.daemon.engine) as conn:
            for table in (Practice, OrderSet, Address):
                left = conn.execute(select(func.count()).select_from(table)).scalar()
                assert not left, table
            assert players.at_address(conn, ANN) is None


def test_a_mailbox_is_one_person_whatever_follows_a_plus_sign(tmp_path: Path) -> None:
    with club_of(tmp_path) as at:
        begin(at, BEN_TWIN)
        assert status(at) == GameState.RUNNING
        at.say(BEN, "PRACTICE coalition")
        assert "You have a practice game already" in at.confirm(BEN)


def test_one_mail_domain_leaves_room_for_others(tmp_path: Path) -> None:
    with club_of(tmp_path, limits={"practice_games": 4}) as at:
        for number in range(4):
            who = f"w{number}@ben.example"
            at.send(who, "PRACTICE legislation")
            with reading(at.daemon.engine) as conn:
                (raw,) = conn.execute(
                    select(Outgoing.raw).where(Outgoing.recipient == who)
                ).scalars()
            at.send(who, "yes", To=str(parsed(raw)["Reply-To"]))
        with reading(at.daemon.engine) as conn:
            assert Practice.how_many(conn, *_RUNNING) == 3
        begin(at, ANN)
        with reading(at.daemon.engine) as conn:
            assert Practice.how_many(conn, *_RUNNING) == 4


def test_letters_of_one_word_bring_no_megabyte(tmp_path: Path) -> None:
    """All of one pass close one period, and pictures come with the first few of an hour."""
    with club_of(tmp_path) as at:
        begin(at)
        had = len(at.mails(ANN))
        for _ in range(10):
            at.write(ANN, "READY")
        at.once()
        at.once()
        assert at.table().period.number == 2
        for _ in range(10):
            at.send(ANN, "READY")
        assert at.table().period.number > 5
        assert sum(len(one.as_bytes()) for one in at.mails(ANN)[had:]) < 1_200_000
