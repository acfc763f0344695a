"""Marks games whose public pages changed."""

from pbem.post.work import Work
from pbem.store.joining import practices
from pbem.store.journal import notes


def mark_public_change(work: Work, game_id: str) -> None:
    """Note a public change, once a site was written."""
    if notes.memo(work.conn, notes.SITE) and game_id not in practices.ids(work.conn):
        notes.stale(work.conn, work.now, game_id)
