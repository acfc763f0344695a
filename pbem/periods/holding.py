"""Hold a game, even if its position cannot be read."""

from __future__ import annotations

from datetime import datetime

import structlog

from pbem.errors import OutsideError, OverBudget
from pbem.periods import deadline_acts
from pbem.post.work import Installation
from pbem.store.games import games
from pbem.store.journal import notes
from pbem.store.schema.states import GameState

log = structlog.get_logger()


def hold(installation: Installation, game_id: str, why: str, now: datetime) -> None:
    """Stop the clock, even if players cannot be told."""
    try:
        with installation.shared_work(now, game_id) as work:
            if games.game(work.conn, game_id).status == GameState.RUNNING:
                deadline_acts.hold(work, game_id, why)
    except OutsideError:
        raise
    except (Exception, OverBudget):
        log.exception("held without a word to its players", game=game_id)
        with installation.shared_work(now, game_id) as work:
            if games.game(work.conn, game_id).status == GameState.RUNNING:
                games.hold(work.conn, game_id, why, now)
                notes.note(work.conn, game_id, now, "hold", why=why)
