"""Tables that never fill, at night ten: three at each who write as bots do and one of three people,
with a house bot. All games begin and end."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.bots import bots
from pbem.periods import open_tables as tables
from pbem.periods import opening, replay
from pbem.store.engine.database import reading
from pbem.store.games import games
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Game, PlayerRecord
from tests.installation import Installation, desk, text_of
from tests.sampled import share

TABLES = [f"table-{n}" for n in "abcdefghij"[: share(10, of_ci=4)]]
PEOPLE = [f"p{n}@people{n}.example" for n in range(3)]
WRITERS = [f"b{n}@bots{n}.example" for n in range(30)]
PERIODS = 3


def at_table(number: int) -> list[str]:
    """Three who write as bots do, and one of the people."""
    return [*WRITERS[3 * number : 3 * number + 3], PEOPLE[number % 3]]


def newest(at: Installation, who: str, what: str) -> str:
    """The newest mail to somebody with these words, and its answer address."""
    return next(text for one in reversed(at.mails(who)) if what in (text := text_of(one)))


def answered(at: Installation, who: str, game: str, text: str) -> None:
    heads = (m for m in reversed(at.mails(who)) if str(m["Subject"]).startswith(f"[{game}]"))
    to = next(str(one["Reply-To"]) for one in heads if "+" in str(one["Reply-To"]))
    at.write(who, text, To=to)


def sign_on(at: Installation) -> None:
    for number, table in enumerate(TABLES):
        for who in at_table(number):
            name = re.sub("[0-9]", lambda d: "abcdefghij"[int(d[0])], who.partition("@")[0])
            at.write(who, f"SIGNON {table} AS {'Q' + name}")
            at.once()
            code = re.findall(r"(?m)^ +CONFIRM (\S+)", newest(at, who, "CONFIRM"))[-1]
            at.write(who, f"CONFIRM {code}")
            at.once()


def confirm_all(at: Installation) -> None:
    for number, table in enumerate(TABLES):
        for who in at_table(number):
            called = [
                m for m in at.mails(who) if f"[{table}] All players are there" in m["Subject"]
            ]
            code = re.findall(r"(?m)^ +CONFIRM (\S+)", text_of(called[-1]))[-1]
            at.write(who, f"CONFIRM {code}")
    at.once()
    at.once()


def write_orders(at: Installation) -> None:
    """The writers send what a bot orders, the people that they are there."""
    for table in TABLES:
        with reading(at.daemon.engine) as conn:
            now = games.game_at(conn, table)
        for seat, holder in now.holders.items():
            if holder.address in WRITERS:
                chance = bots.chance("club", table, seat, now.period.number)
                text = bots.letter(now.ruleset, now.state, seat, chance)
                answered(at, holder.address, table, f"{text}\nREADY")
            elif holder.address:
                answered(at, holder.address, table, "PASS\nREADY")
    at.once()


def statuses(at: Installation) -> list[GameState]:
    with reading(at.daemon.engine) as conn:
        return list(conn.execute(select(Game.status)).scalars())


@pytest.mark.slow
def test_all_games_begin_and_end(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition", strangers=(*PEOPLE, *WRITERS)) as at:
        for table in TABLES:
            plan = opening.Plan(
                table,
                "coalition",
                (),
                "Europe/Paris",
                trust=at.trust,
                seed=at.seed + table,
                options={"MAX_PERIODS": PERIODS},
            )
            with desk(at) as work:
                tables.open_(work, tables.Wanted(plan, 5, bots=1))
        sign_on(at)
        at.clock += timedelta(weeks=8, hours=1)
        at.once()
        confirm_all(at)
        assert statuses(at) == [GameState.RUNNING] * len(TABLES)
        for _ in range(PERIODS):
            write_orders(at)
            with reading(at.daemon.engine) as conn:
                dues = [games.game_at(conn, table).period.due for table in TABLES]
            at.clock = max(due for due in dues if due)
            at.once()
            at.once()
        assert statuses(at) == [GameState.OVER] * len(TABLES)
        with reading(at.daemon.engine) as conn:
            for table in TABLES:
                assert replay.replay(conn, table).faults == []
                assert len(games.game_at(conn, table).bots) == 1
            assert None not in set(conn.execute(select(PlayerRecord.player_id)).scalars())
