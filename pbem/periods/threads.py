"""Thread mails: bulletins together, notices under theirs, reminders below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from pbem.games.frame.events import Seat
from pbem.post.compose import Draft, message_id
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.mails import mails


@dataclass(frozen=True, slots=True)
class Firsts:
    """Message-IDs of first bulletins."""

    mark: Postmark
    found: Mapping[tuple[Seat, str], str]

    def bulletin(self, seat: Seat, address: str, draft: Draft) -> Draft:
        """Thread a bulletin; ``seat``: "" for an observer."""
        first = self.found.get((seat, address))
        return replace(draft, in_reply_to=first) if first else draft

    def notice(self, bulletin: Draft, draft: Draft) -> Draft:
        above = (bulletin.in_reply_to,) if bulletin.in_reply_to else ()
        return replace(draft, in_reply_to=message_id(self.mark, bulletin.key), references=above)


def firsts(work: Work, at: GameAt) -> Firsts:
    return Firsts(work.mark, mails.firsts(work.conn, at.id, "bulletin"))


def under_last(work: Work, at: GameAt, holder: Holder, draft: Draft, *kinds: str) -> Draft:
    """Thread under the newest of the first kind its reader had."""
    first = mails.first_of(work.conn, at.id, holder.seat, "bulletin", holder.address)
    for kind in kinds:
        newest = mails.last_of(work.conn, at.id, holder.seat, kind, holder.address)
        if newest:
            above = (first,) if first and first != newest else ()
            return replace(draft, in_reply_to=newest, references=above)
    return draft
