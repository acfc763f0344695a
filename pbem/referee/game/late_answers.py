"""Release answers that were owed, oldest first, once a share of the hour has room."""

from __future__ import annotations

from datetime import timedelta

from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.store.letters import owing

PATIENCE = timedelta(days=7)
"""How long an answer is owed."""
_AT_ONCE = 200


def release(work: Work) -> int:
    """Decide letters again while there is room. Return how many."""
    owing.lapse(work.conn, work.now - PATIENCE)
    released = 0
    for share in senders.SHARES:
        room = senders.room(work, share)
        for letter_id, sender in owing.oldest(work.conn, share, _AT_ONCE) if room > 0 else ():
            if room and not senders.why_no_mail(work, sender, share=share):
                owing.decide_again(work.conn, letter_id)
                released, room = released + 1, room - 1
    return released
