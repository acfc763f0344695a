"""Many deadlines at once: in which order the games have their turn, and what is done between."""

from datetime import datetime, timedelta
from pathlib import Path

from pbem.periods import due
from pbem.post.crash_points import no_crash
from pbem.post.work import Scan
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games, periods
from tests.installation import Installation

GAMES = ("g", "h", "i")


def _storm(at: Installation) -> datetime:
    """Three games, past their deadlines at a moment; the one that was due first is the one that
    was looked at last."""
    for game in GAMES:
        at.start(game)
    now = at.clock + timedelta(days=3)
    with exclusive_transaction(at.daemon.engine) as conn:
        for place, game in enumerate(GAMES):
            moment, looked = now - timedelta(minutes=place), now - timedelta(seconds=9 - place)
            periods.set_period(conn, game, 1, due=moment, base=moment, next_look=looked)
    return now


def _reached(at: Installation) -> list[str]:
    """The games that are past their first period."""
    with exclusive_transaction(at.daemon.engine) as conn:
        return [game for game in GAMES if games.game_at(conn, game).period.number > 1]


def test_deadlines_come_in_their_order_and_others_between_them(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition") as at:
        now, steps = _storm(at), list[list[str]]()
        scan = Scan(now, True, no_crash, between=lambda: steps.append(_reached(at)))
        assert due.due(at.daemon.installation, scan) == len(GAMES)
        assert steps == [["i"], ["h", "i"], ["g", "h", "i"]]


def test_a_storm_that_is_stopped_ends_after_the_period_in_hand(tmp_path: Path) -> None:
    with Installation(tmp_path, "coalition") as at:
        now = _storm(at)
        scan = Scan(now, True, no_crash, stopping=lambda: bool(_reached(at)))
        assert due.due(at.daemon.installation, scan) == 1
        assert _reached(at) == ["i"]
        assert due.due(at.daemon.installation, Scan(now, True, no_crash)) == 2
