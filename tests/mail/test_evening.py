"""A whole game of each kind in one evening, at the pace of that name, by real mail: house bots write
from what their seats may see, one of them is silent now and then, and the referee's clock goes on
by a minute with each of its passes.

The tables are small and the games short, as a club would choose them for one evening: the options
are named below.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.games.frame.dice import Dice, Stream
from pbem.games.frame.house import READY
from pbem.house import shelf
from pbem.periods import formation, replay
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, order_sets
from pbem.store.schema.states import GameState
from tests.bots import bot_of
from tests.installation import Installation, desk, text_of
from tests.parsed import attached
from tests.subjects import subjects

SEVEN = datetime(2026, 3, 28, 18, 0, tzinfo=UTC)
"""Seven o'clock in Paris, on the evening before the night in which the clocks go forward."""
MIDNIGHT = SEVEN + timedelta(hours=5)
EVENINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "parlement-1966": (5, {"max_sessions": 1}),
    "parlement-1968": (
        7,
        {"max_sessions": 1, "caretaker_after_days": 21, "budget_defeats_fall": 3},
    ),
    "coalition": (5, {"MAX_PERIODS": 6}),
    "legislation": (3, {"MAX_SESSIONS": 2}),
    "politics-1935": (2, {"MAX_ROUNDS": 8}),
    "party-in-power": (2, {"CONSTITUENCIES": 3}),
}
"""How many play each game, and the options that make it short."""
SILENT = 16
"""One letter in so many is not written."""


def test_a_whole_game_in_one_evening(key: str, tmp_path: Path) -> None:
    count, options = EVENINGS[key]
    seats = next(one for one in shelf.open_ruleset(key).about.seats if len(one) == count)
    with Installation(tmp_path, key, seats=seats, options=options, pace="evening") as at:
        at.clock = SEVEN
        at.start()
        _played(at)
        assert at.table().row.status == GameState.OVER, f"not over at {at.clock:%H:%M} UTC"
        with exclusive_transaction(at.daemon.engine) as conn:
            last = games.game_at(conn, at.game).period.number
            periods = [games.game_at(conn, at.game, one).period for one in range(1, last)]
        assert all(one.due is None or one.closed <= one.due for one in periods)
        assert sum(one.due is None or one.closed < one.due for one in periods) > len(periods) / 3
        for seat in seats:
            texts = [" ".join(text_of(mail).split()) for mail in at.mails(seat)]
            assert 'The pace of this game is "evening"' in attached(at.mails(seat)[0])
            assert sum(" Bulletin " in one for one in subjects(at, seat)) >= len(periods)
            assert any("THE GAME IS OVER" in one for one in texts)
        assert {outcome for outcome, _ in at.outcomes()} <= {"orders", "command"}
        assert not any("is held" in one or "waits" in one for one in subjects(at))
        with desk(at) as work:
            assert replay.replay(work.conn, at.game).faults == []


def _played(at: Installation) -> None:
    """The game is played to its end, or until midnight. No period stays open after a pass that
    could have closed it."""
    chance, number = Dice("evening", at.key).stream("bots"), 0
    while at.table().row.status == GameState.RUNNING and at.clock < MIDNIGHT:
        table = at.table()
        if table.period.number > number or formation.is_continuous(table):
            number = table.period.number
            for seat, text in _letters(at, chance):
                at.write(seat, f"{text}\n\nREADY")
        at.once()
        now = at.table()
        if now.period.number == number and now.row.status == GameState.RUNNING:
            assert formation.is_continuous(now) or not _all_there(at, now), number


def _all_there(at: Installation, table: games.GameAt) -> bool:
    """Whether there is nothing more to wait for in an open period."""
    asked = table.ruleset.asked(table.state)
    with exclusive_transaction(at.daemon.engine) as conn:
        sets = {
            seat: order_sets.last_set(conn, at.game, table.period.number, seat) for seat in asked
        }
    if table.house.early == READY or not any(asked.values()):
        return all(row is not None and row.ready for row in sets.values())
    return not any(
        table.ruleset.due(table.state, seat, order_sets.orders_of(table, row))
        for seat, row in sets.items()
    )


def _letters(at: Installation, chance: Stream) -> Iterator[tuple[str, str]]:
    """What the players' bots write now."""
    table = at.table()
    with exclusive_transaction(at.daemon.engine) as conn:
        state = formation.position(conn, table, at.clock)
    for seat in at.seats:
        public, own = table.ruleset.view(state, None), table.ruleset.view(state, seat)
        text = bot_of(table.ruleset).letter(public, own, seat, chance)
        if chance.below(SILENT):
            yield seat, text
