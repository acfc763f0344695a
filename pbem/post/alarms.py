"""Telling the gamesmaster. Every mail to him carries his secret address in Reply-To, so that an
answer proves itself."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from pbem.errors import OverBudget
from pbem.orders.mailwords import barred, muted
from pbem.post import outbox
from pbem.post.compose import DIVIDER, Draft, compose
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store import notes
from pbem.store.budget import Budget
from pbem.text import wrap

_MEMO = "gamesmaster"


def tell(work: Work, key: str, subject: str, text: str) -> None:
    """Mail the gamesmaster, at most once a day for each ``key``, whoever finds the trouble."""
    put(work, Draft(f"alarm:{key}:{work.now:%Y%m%d}", "alarm", f"[pbem] {subject}", text))


def put(work: Work, draft: Draft) -> None:
    """A mail to the gamesmaster into the outbox. Quoted bare it asks for nothing."""
    reply_to = work.mark.plus(token(work.conn, work.mark))
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            text = muted(f"{wrap(draft.text)}\n", gamesmaster=True)
    except OverBudget:
        text = barred(f"{draft.text}\n")
    whole = replace(draft, text=f"{DIVIDER}\n\n{text}", reply_to=reply_to)
    outbox.put(work, compose(work.mark, whole, work.mark.gamesmaster, work.now))


def token(conn: Connection, mark: Postmark) -> str:
    """The gamesmaster's secret reply token of the moment."""
    return mark.token("", "GM", int(notes.memo(conn, _MEMO).get("token_no", 1)))


def rotate(conn: Connection) -> None:
    """His old secret address is void; his next mail carries the new one."""
    notes.set_memo(conn, _MEMO, {"token_no": int(notes.memo(conn, _MEMO).get("token_no", 1)) + 1})
