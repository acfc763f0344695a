"""Telling the gamesmaster. Every mail to him carries his secret address in Reply-To, so that an
answer proves itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OverBudget
from pbem.orders.mailwords import barred, muted
from pbem.post import outbox
from pbem.post.compose import DIVIDER, Postmark, compose
from pbem.store import notes
from pbem.store.budget import Budget
from pbem.text import wrap

_MEMO = "gamesmaster"


def tell(
    conn: Connection,
    mark: Postmark,
    gamesmaster: str,
    key: str,
    subject: str,
    text: str,
    now: datetime,
) -> None:
    """Mail the gamesmaster, at most once a day for each ``key``, whoever finds the trouble."""
    put(
        conn,
        mark,
        gamesmaster,
        f"alarm:{key}:{now:%Y%m%d}",
        "alarm",
        f"[pbem] {subject}",
        text,
        now,
    )


def put(
    conn: Connection,
    mark: Postmark,
    gamesmaster: str,
    key: str,
    kind: str,
    subject: str,
    text: str,
    now: datetime,
    **more: Any,
) -> None:
    """A mail to the gamesmaster into the outbox. Quoted bare it asks for nothing."""
    reply_to = mark.plus(token(conn, mark))
    try:
        with Budget(mark.seconds, f"muting the mail {key}"):
            text = muted(f"{wrap(text)}\n", gamesmaster=True)
    except OverBudget:
        text = barred(f"{text}\n")
    mail = compose(
        mark,
        key,
        kind,
        gamesmaster,
        subject,
        f"{DIVIDER}\n\n{text}",
        now,
        reply_to=reply_to,
        **more,
    )
    outbox.put(conn, mail, now)


def token(conn: Connection, mark: Postmark) -> str:
    """The gamesmaster's secret reply token of the moment."""
    return mark.token("", "GM", int(notes.memo(conn, _MEMO).get("token_no", 1)))


def rotate(conn: Connection) -> None:
    """His old secret address is void; his next mail carries the new one."""
    notes.set_memo(conn, _MEMO, {"token_no": int(notes.memo(conn, _MEMO).get("token_no", 1)) + 1})
