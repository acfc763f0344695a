"""The threads in which a game's mails reach a seat: its bulletins in one, each notice under its
bulletin, reminders under the notice."""

from __future__ import annotations

from dataclasses import replace

from pbem.games.frame.events import Seat
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.store import mails
from pbem.store.game_rows import Holder, ObserverRow
from pbem.store.games import Table


def bulletin_in_thread(work: Work, at: Table, holder: Holder, draft: Draft) -> Draft:
    """A bulletin as an answer to the first one that its reader has had."""
    return _under_first(work, at, holder.seat, holder.address, draft)


def for_observer(work: Work, at: Table, who: ObserverRow, draft: Draft) -> Draft:
    """The same for somebody who watches the game."""
    return _under_first(work, at, "", who.address, draft)


def _under_first(work: Work, at: Table, seat: Seat, address: str, draft: Draft) -> Draft:
    first = mails.first_of(work.conn, at.id, seat, "bulletin", address)
    return replace(draft, in_reply_to=first) if first else draft


def under_last(work: Work, at: Table, holder: Holder, draft: Draft, *kinds: str) -> Draft:
    """A mail of ours as an answer to the newest one of the first of the ``kinds`` that its reader
    has had."""
    first = mails.first_of(work.conn, at.id, holder.seat, "bulletin", holder.address)
    for kind in kinds:
        newest = mails.last_of(work.conn, at.id, holder.seat, kind, holder.address)
        if newest:
            above = (first,) if first and first != newest else ()
            return replace(draft, in_reply_to=newest, references=above)
    return draft
