"""Telling a gamesmaster: what concerns a game goes to whoever does its acts, all else to the
installation's. Every mail to him carries his secret address in Reply-To, so that an answer proves
itself."""

from __future__ import annotations

from dataclasses import replace

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.orders.muting import barred, muted
from pbem.pages.plain import plain
from pbem.post import masters, outbox
from pbem.post.compose import DIVIDER, Draft, Mail, compose
from pbem.post.work import Work


def tell(work: Work, key: str, subject: str, text: str, game: str = "", public: str = "") -> None:
    """Mail the gamesmaster of a ``game`` ("": the installation's), at most once a day for each
    ``key``, whoever finds the trouble. Where nobody does its acts, since he plays in it, he is told
    the subject with ``public``, which any player may know, and nothing where that is ""."""
    to = work.mark.gamesmaster
    if game:
        hands = masters.of(work.conn, work.mark, game)
        to = hands.contact
        text = text if hands.acting else public and f"{public}\n\n{nobody(game)}"
    if text:
        draft = Draft(f"alarm:{key}:{work.now:%Y%m%d}", "alarm", f"[pbem] {subject}", text)
        put(work, draft, to)


def nobody(game: str) -> str:
    """Why nobody does the acts of a game, and what to do."""
    return (
        f"You play in {game}, and it has no second gamesmaster: nobody does its acts. To ask"
        f" somebody to be it: pbem second {game} ADDRESS, by mail the word SECOND."
    )


def put(work: Work, draft: Draft, to: str) -> None:
    """Put a mail to a gamesmaster's address into the outbox. "": nobody is to be told."""
    if to:
        outbox.put(work, made(work, draft, to))


def made(work: Work, draft: Draft, to: str) -> Mail:
    """Return a mail to a gamesmaster's address, which asks for nothing when it is quoted bare."""
    masters.enter(work.conn, work.mark, to)
    own = work.mark.plus(masters.token(work.conn, work.mark, to))
    text = plain(draft.text).strip("\n") + "\n"
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            text = muted(text, gamesmaster=True)
    except OverBudget:
        text = barred(text)
    whole = replace(draft, text=f"{DIVIDER}\n\n{text}", reply_to=draft.reply_to or own)
    return compose(work.mark, whole, to, work.now)
