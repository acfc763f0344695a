"""Mails to gamesmasters about trouble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.orders.muting import barred, muted
from pbem.pages.plain import plain
from pbem.post import masters, outbox
from pbem.post.compose import DIVIDER, Draft, Mail, compose
from pbem.post.ways import with_ways
from pbem.post.work import Work


def tell(  # noqa: PLR0913  what an alarm is made of
    work: Work,
    key: str,
    subject: str,
    text: str,
    game: str | None = None,
    public: str | None = None,
    commands: Sequence[str] = (),
) -> None:
    """Mail an alarm, once a day for each ``key``. game: None for the installation's gamesmaster.
    public: the text if nobody does its acts; None for no mail. commands: of the shell, in
    the text."""
    to = work.mark.gamesmaster
    if game:
        hands = masters.of(work.conn, work.mark, game)
        to = hands.contact
        if not hands.acting:
            text = f"{public}\n\n{nobody(game)}" if public else ""
            commands = (f"second {game} ADDRESS",)
    if text:
        text = with_ways(work, to, text, commands)
        draft = Draft(f"alarm:{key}:{work.now:%Y%m%d}", "alarm", f"[pbem] {subject}", text)
        put(work, draft, to)


def nobody(game: str) -> str:
    return (
        f"You play in {game}, and it has no second gamesmaster: nobody does its acts. To ask"
        f" somebody to be it: `pbem second {game} ADDRESS`."
    )


def put(work: Work, draft: Draft, to: str | None) -> None:
    """Mail a gamesmaster; nobody if ``to`` is None."""
    if to:
        outbox.put(work, made(work, draft, to))


def made(work: Work, draft: Draft, to: str) -> Mail:
    """Return a mail to a gamesmaster, muted, with his secret Reply-To."""
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
