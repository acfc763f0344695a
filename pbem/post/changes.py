"""What is public of a game has changed: its pages are to be written anew, where there are pages."""

from __future__ import annotations

from pbem.post.work import Work
from pbem.store.journal import notes


def mark_public_change(work: Work, game_id: str) -> None:
    """All have been told something of a game. It is noted wherever it is done: the folder may be
    another daemon's, or be named again later."""
    if notes.memo(work.conn, notes.SITE):
        notes.stale(work.conn, work.now, game_id)
