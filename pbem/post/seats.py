"""Mails to the seats of a game: to one, to all; each goes to the address of record, and names its
seat's secret address for the answer."""

from __future__ import annotations

import hmac
from dataclasses import replace
from functools import partial

import structlog
from sqlalchemy import Connection

from pbem.errors import OverBudget
from pbem.games.frame.adjudication import order_lines
from pbem.letters.authentication import token_hash
from pbem.letters.links import Link, read
from pbem.orders.muting import barred, muted
from pbem.pages import html
from pbem.pages.links import Links
from pbem.pages.plain import plain
from pbem.post import outbox
from pbem.post.compose import DIVIDER, Draft, Mail, compose
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store import games, notes, templates
from pbem.store.budget import Budget
from pbem.store.game_rows import Holder, StandbyRow
from pbem.store.games import Table
from pbem.store.players import PLAIN
from pbem.store.states import GameState

log = structlog.get_logger()
KINDS = ("bulletin", "notice")
"""The kinds of mail in which a bulletin reaches a seat."""
LINKED = (
    "notice",
    "reminder",
    "receipt",
    "receipts",
    "challenge",
    "challenges",
    "leaving",
)
"""The kinds with links by which orders are written: private ones, in answer to which a letter is
likely. Never a bulletin or press, which are read by others."""
_LONGEST_LOCAL = 64
"""Characters that an address has before its @ at most (RFC 5321, 4.5.3.1.1)."""


def to_seat(work: Work, at: Table, holder: Holder, draft: Draft) -> Mail:
    """A mail to a seat's address of record, with the divider on top and its secret reply address in
    Reply-To. Quoted bare it asks for nothing; where it takes too long to say which lines must be
    muted, all are."""
    token = work.mark.token(at.id, holder.seat, holder.token_no)
    dated = draft.calendar if holder.calendar else ""
    own = replace(draft, seat=holder.seat, calendar=dated)
    links = _links(work, at, holder) if draft.kind in LINKED else None
    return _made(work, at, own, token, holder.address, links, rich=holder.face != PLAIN)


def _links(work: Work, at: Table, holder: Holder) -> Links | None:
    """Whither the links of a mail lead in the open period; None where the game is over, and where
    that would be too long for an address."""
    address = link_address(work, at, holder)
    over = at.result is not None or at.game.status == GameState.OVER
    if over or not address:
        return None
    return Links(address, f"[{at.id}] {holder.seat}, period {at.period.number}")


def link_address(work: Work, at: Table, holder: Holder) -> str:
    """The address in a seat's links in the open period; "" where there is none, since the name of
    the game is too long."""
    mark, period, edition = work.mark, at.period.number, at.game.edition
    link = Link(at.id, holder.seat.lower(), period, edition, "")
    secret = mark.link(link.said, holder.token_no, holder.link_no)
    part = str(replace(link, secret=secret))
    address = mark.plus(part)
    fits = len(address.rpartition("@")[0]) <= _LONGEST_LOCAL and read(part)
    return address if fits else ""


def is_true(conn: Connection, mark: Postmark, link: Link) -> bool:
    """Whether a link is of a mail to its seat, and has not lapsed."""
    for seat, holder in games.holders(conn, link.game).items():
        if link.is_of(link.game, seat):
            secret = mark.link(link.said, holder.token_no, holder.link_no)
            return hmac.compare_digest(link.secret, secret)
    return False


def _made(  # noqa: PLR0913  what a seat's mail and a stand-by's share
    work: Work,
    at: Table,
    draft: Draft,
    token: str,
    address: str,
    links: Links | None = None,
    *,
    rich: bool = True,
) -> Mail:
    """A mail of the game to an address, whose answer goes to the secret address of ``token``;
    ``rich``: with an HTML face, that has ``links`` where they are given."""
    language = at.ruleset.language
    text, page = plain(draft.text).strip("\n"), ""
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            text = muted(f"{text}\n", orders=partial(order_lines, language), words=language.words)
            page = _rich(draft, links) if rich else ""
    except OverBudget as over:
        log.error("barred", mail=draft.key, error=str(over))
        text = barred(f"{text}\n")
    whole = replace(
        draft,
        text=f"{DIVIDER}\n\n{text}",
        html=page,
        reply_to=work.mark.plus(token),
        game_id=at.id,
        list_id=f"<{at.id}.{work.mark.domain}>" if draft.kind == "bulletin" else "",
    )
    return compose(work.mark, whole, address, work.now)


def _rich(draft: Draft, links: Links | None) -> str:
    """The HTML face of a mail; none where setting it fails: the plain one says it all."""
    env = templates.environment()
    try:
        return html.page(env, draft.text, draft.subject, DIVIDER, draft.pictures, links)
    except Exception:
        log.exception("no HTML", mail=draft.key)
        return ""


def put_to_seat(work: Work, at: Table, holder: Holder, draft: Draft) -> None:
    """A mail to a holder, into the outbox; a seat that nobody holds is passed over."""
    if holder.address:
        outbox.put(work, to_seat(work, at, holder, draft))


def put_to_standby(work: Work, at: Table, who: StandbyRow, draft: Draft) -> None:
    """A mail to somebody who stands by, into the outbox; his answer to it proves itself."""
    token = work.mark.standby_token(at.id, who.player_id)
    outbox.put(work, _made(work, at, draft, token, who.address, rich=who.face != PLAIN))


def to_all(work: Work, at: Table, draft: Draft) -> None:
    """The same mail to every holder, one each. What all are told is on the game's pages too."""
    if work.config.site.folder:
        notes.stale(work.conn, at.id, work.now)
    for holder in at.holders.values():
        put_to_seat(work, at, holder, replace(draft, key=f"{draft.key}:{holder.seat}"))


def set_token(work: Work, game_id: str, seat: str, number: int) -> None:
    """File the hash of a seat's reply token."""
    games.set_seat(
        work.conn,
        game_id,
        seat,
        token_no=number,
        token_hash=token_hash(work.mark.token(game_id, seat, number)),
    )
