"""Answers that had to wait: as soon as there is room in a share of the hour's mails, the oldest
letter that is owed one is decided again, and answered."""

from __future__ import annotations

from datetime import timedelta

from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.store.letters import owing

PATIENCE = timedelta(days=7)
"""So long an answer is owed. Only a flood of more than the shares of a week comes to that."""
_AT_ONCE = 200


def release(work: Work) -> int:
    """Put back what there is room for, oldest first; return the number of letters."""
    owing.lapse(work.conn, work.now - PATIENCE)
    released = 0
    for share in senders.SHARES:
        room = senders.room(work, share)
        for letter_id, sender in owing.oldest(work.conn, share, _AT_ONCE) if room > 0 else ():
            if room and not senders.why_no_mail(work, sender, share=share):
                owing.decide_again(work.conn, letter_id)
                released, room = released + 1, room - 1
    return released
