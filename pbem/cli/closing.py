"""`pbem close`: read the mailbox, then close the period."""

from pathlib import Path

from pbem.daemon import logs
from pbem.daemon.passes import Passes
from pbem.errors import OutsideError
from pbem.house import config
from pbem.periods import due
from pbem.post import clock
from pbem.store.engine.database import shared_transaction
from pbem.store.games import games, periods


def close_asked(config_file: Path, game: str) -> str | None:
    """Close the period after every letter is read. Return the next one, or None if another daemon
    will. Raise OutsideError, and leave it open, if the mailbox cannot be read."""
    settings = config.load(config_file)
    logs.configure(settings.daemon.log_json)
    daemon = Passes(settings)
    try:
        with shared_transaction(daemon.engine) as conn:
            number = games.game_at(conn, game).period.number
        scan, done = daemon.caught_up()
        if scan is None and not daemon.clock.wrong:
            return None
        if scan is None or not scan.drained:
            _take_back(daemon, game, number)
            with shared_transaction(daemon.engine) as conn:
                clock.must_be_sure(conn)
            why = "; ".join(done.trouble) or "a letter there cannot be read yet"
            raise OutsideError(
                f"the mailbox cannot be read: {why}\nGame {game} was not closed, for letters that"
                f" count may wait there. To close it without them: `pbem close {game} --unread`"
            )
        due.safely(daemon.installation, game, number, scan)
        with shared_transaction(daemon.engine) as conn:
            after = games.game_at(conn, game).period
        return f"{after.number} ({after.phase})"
    finally:
        daemon.close()


def _take_back(daemon: Passes, game: str, number: int) -> None:
    with shared_transaction(daemon.engine, game) as conn:
        if games.game_at(conn, game).period.number == number:
            periods.set_period(conn, game, number, close_asked=None)
