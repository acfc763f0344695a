"""Mails to seats. A deputy gets what concerns the game.

Mails to people without a seat.

Reply-To addresses of press, which hide the writer. A later holder cannot use them.
"""

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from types import MappingProxyType

import structlog
from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.addresses import BEGINS, Addressed, Link, read, secret_of
from pbem.letters.authentication import token_hash
from pbem.orders.called import Names
from pbem.orders.called import named as by_name
from pbem.orders.language import Language
from pbem.orders.mailwords import AGAIN
from pbem.orders.muting import barred, muted, order_lines
from pbem.pages import html, sheet
from pbem.pages.html import Links
from pbem.pages.names import called, introduced
from pbem.pages.plain import plain, shortened
from pbem.post import outbox
from pbem.post.compose import DIVIDER, Draft, Mail, compose
from pbem.post.postmark import Postmark
from pbem.post.work import Work
from pbem.store.games import games, press
from pbem.store.games.game_rows import DeputyRow, Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, practices
from pbem.store.joining.claimants import Claimant
from pbem.store.journal import notes
from pbem.store.people import deputies
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import GameState, MailState
from pbem.store.schema.tables import Press
from pbem.text import day_words, listed, safe

log = structlog.get_logger()
KINDS = ("bulletin", "notice")
LINKED = (
    *("notice", "reminder", "receipt", "receipts", "challenge", "challenges"),
    *("leaving", "start"),
)
"""Private kinds, with order links."""
OBSERVED = (
    *("bulletin", "deadline", "ended", "event", "hold", "pause"),
    *("report", "restored", "resume", "void"),
)
"""Public kinds."""
_OF_SEAT = ("asked", "changes", "handover", "kept", "notice", "press", "reminder", "silence")
SHARED = (*OBSERVED, *_OF_SEAT)
"""Kinds that a deputy gets too, besides receipts."""
MOST = {"bulletin": 700, "changes": 400, "notice": 400}
"""Words of such mails before sections are left out: 800 and 500 with what is added to them."""
NAMING = ("bulletin", "event", "notice", "press", "reminder", "report", "start")
"""Kinds that have players' names behind parties."""
UNSUBSCRIBE = "unsubscribe"
_LONGEST_LOCAL = 64


def made_for_seat(work: Work, game: GameAt, holder: Holder, draft: Draft) -> Mail:
    """Return a muted mail to a holder or deputy. A secret Reply-To is the default."""
    if holder.deputy:
        return _to_deputy(work, game, holder, holder.deputy, draft)
    token = work.mark.token(game.id, holder.seat, holder.token_no)
    dated = draft.calendar if holder.calendar else None
    text = _offering(work, game, holder, draft)
    own = replace(draft, seat=holder.seat, calendar=dated, text=text)
    links = _links(work, game, holder) if draft.kind in LINKED else None
    return _made(work, game, own, token, holder.address, links, rich=holder.face != PLAIN)


def _links(work: Work, game: GameAt, holder: Holder) -> Links | None:
    address = link_address(work, game, holder)
    over = game.result is not None or game.row.status == GameState.OVER
    if over or address is None:
        return None
    return Links(address, f"[{game.id}] {holder.seat}, period {game.period.number}")


def _offering(work: Work, game: GameAt, holder: Holder, draft: Draft) -> str:
    if draft.again is None:
        return draft.text
    address = link_address(work, game, holder)
    links = Links(address, f"[{game.id}] {holder.seat}: again") if address else None
    button = sheet.link_line(AGAIN, links.line(AGAIN)) if links else ""
    paragraphs = [draft.text.rstrip(), draft.again, button]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def link_address(work: Work, game: GameAt, holder: Holder) -> str | None:
    """Return the address for links; None if too long."""
    mark, period, edition = work.mark, game.period.number, game.row.edition
    link = Link(game.id, holder.seat.lower(), period, edition, "")
    secret = mark.link(link.said, holder.token_no, holder.link_no)
    part = str(replace(link, secret=secret))
    address = mark.plus(part)
    fits = len(address.rpartition("@")[0]) <= _LONGEST_LOCAL and read(part)
    return address if fits else None


def is_true(conn: Connection, mark: Postmark, link: Link) -> bool:
    """Return whether a link is genuine and current."""
    for seat, holder in games.holders(conn, link.game).items():
        if link.is_of(link.game, seat):
            secret = mark.link(link.said, holder.token_no, holder.link_no)
            return hmac.compare_digest(link.secret, secret)
    return False


def _made(  # noqa: PLR0913  what a seat's mail and a stand-by's share
    work: Work,
    game: GameAt,
    draft: Draft,
    token: str | None,
    address: str,
    links: Links | None = None,
    *,
    rich: bool = True,
) -> Mail:
    draft = _called(draft, game.called)
    # players behind parties: others' than the reader's, in mails of the game; in answers only who
    # writes to whom
    but = tuple(seat for seat, _ in game.led if draft.kind not in NAMING)
    if not but and draft.kind not in OBSERVED:
        but = (draft.seat or "",)
    draft = replace(draft, text=introduced(draft.text, game.led, but))
    mute, site = partial(_muted, game.ruleset.language), work.config.site
    has_page = draft.kind == "bulletin" and game.house.watch and site.folder and site.address
    page = f"{site.address.rstrip('/')}/{game.id}/{_number(draft)}.html" if has_page else ""
    whole = replace(
        dressed(work, draft, mute, links, rich=rich, page=page),
        reply_to=draft.reply_to or (work.mark.plus(token) if token else None),
        game_id=game.id,
        period=game.period.number,
        unsubscribe=(draft.unsubscribe or UNSUBSCRIBE) if draft.kind == "bulletin" else None,
    )
    return compose(work.mark, whole, address, work.now)


def _called(draft: Draft, names: Names) -> Draft:
    if not names:
        return draft
    attached = {file: called(text, names) for file, text in draft.attached.items()}
    subject, text = by_name(draft.subject, names), called(draft.text, names)
    return replace(draft, subject=subject, text=text, attached=attached)


@lru_cache(maxsize=4)
def _muted(language: Language, text: str) -> str:
    return muted(text, orders=partial(order_lines, language))


def dressed(
    work: Work,
    draft: Draft,
    mute: Callable[[str], str] = muted,
    links: Links | None = None,
    *,
    rich: bool = True,
    page: str = "",
) -> Draft:
    """Return a draft muted below the divider, with HTML if ``rich``. What is too long for a mail
    is attached whole, its longest sections left out. If that takes too long, the whole is barred,
    without HTML and files of it. page: where a bulletin stands on the site, or ""."""
    most = MOST.get(draft.kind)
    short, moved = shortened(draft.text, most) if most else (draft.text, ())
    shown, files = draft, dict(draft.attached)
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            if moved:
                files |= _whole(draft, mute, rich=rich)
                where = f"{f'at {page} and ' if page else ''}in the attached {[*files][-1]}"
                left = f"This mail leaves out {listed(moved)}. All of it is {where}."
                shown = replace(draft, text=f"{short.rstrip()}\n\n{left}\n")
            text = mute(_plain(shown.text))
            made = _rich(shown, links) if rich else None
    except OverBudget as over:
        log.error("barred", mail=draft.key, error=str(over))
        text, made, files = barred(_plain(draft.text)), None, dict(draft.attached)
    return replace(draft, text=f"{DIVIDER}\n\n{text}", html=made, attached=files)


def _whole(draft: Draft, mute: Callable[[str], str], *, rich: bool) -> Mapping[str, str]:
    """Return the files that hold a whole mail, without links: they are passed on."""
    name, text = f"{draft.kind}-{_number(draft)}", sheet.unlinked(draft.text)
    files = {f"{name}.txt": mute(_plain(text))}
    made = _rich(replace(draft, text=text, pictures={}), None, "") if rich else None
    return files | ({f"{name}.html": made} if made else {})


def _plain(source: str) -> str:
    return plain(source).strip("\n") + "\n"


def _number(draft: Draft) -> str:
    """Return the number of the bulletin that a draft of an issue belongs to."""
    return draft.key.split(":")[2]


def _rich(draft: Draft, links: Links | None, divider: str = DIVIDER) -> str | None:
    env = templates.environment()
    try:
        return html.page(env, draft.text, draft.subject, divider, (*draft.pictures,), links)
    except Exception:
        log.exception("no HTML", mail=draft.key)
        return None


def put_to_seat(work: Work, game: GameAt, holder: Holder, draft: Draft) -> None:
    """Mail a holder and their deputy (:data:`SHARED`). Skip a free seat."""
    put_to_seats(work, game, [(holder, draft)])


def put_to_seats(work: Work, game: GameAt, several: Sequence[tuple[Holder, Draft]]) -> None:
    shared = any(draft.kind in SHARED for _, draft in several)
    acting = deputies.acting(work.conn, game.id, work.now) if shared else {}
    made = []
    for holder, draft in several:
        reads_too = draft.kind in SHARED and holder.deputy is None
        both = _with_deputy(holder, acting.get(holder.seat) if reads_too else None)
        made += [made_for_seat(work, game, reader, draft) for reader in both]
    outbox.put_all(work, made)


def readers(work: Work, game: GameAt, holder: Holder) -> list[Holder]:
    """Return the holder and their acting deputy."""
    return _with_deputy(holder, deputies.acting(work.conn, game.id, work.now).get(holder.seat))


def _with_deputy(holder: Holder, who: DeputyRow | None) -> list[Holder]:
    """Return who reads a seat's mail; nobody for a free seat."""
    if not holder.address:
        return []
    return [holder, as_deputy(holder, who)] if who else [holder]


def as_deputy(holder: Holder, who: DeputyRow) -> Holder:
    return holder._replace(
        deputy=who, address=who.reaches, zone=who.zone, face=who.face, calendar=False
    )


def deputy_token(mark: Postmark, who: DeputyRow, number: int) -> str:
    return mark.token(who.game_id, f"deputy {who.id}", number)


def until(game: GameAt, who: DeputyRow) -> str:
    if who.last is None:
        return "until one of you ends it"
    return f"until {game.minute(who.last)}"


def named(game: GameAt, seat: str) -> str:
    """Return a seat with its player's public name."""
    name = safe(game.player(seat))
    return f"{name} ({seat})" if name else f"the player of {seat}"


def since(game: GameAt, who: DeputyRow) -> str:
    first = who.first.astimezone(game.zone)
    return f"{day_words(first.date(), weekday=True)}, {first:%H:%M}"


def _to_deputy(work: Work, game: GameAt, holder: Holder, deputy: DeputyRow, draft: Draft) -> Mail:
    whose = f"You get this as the deputy of {named(game, holder.seat)} in game {game.id}"
    text = f"{whose}, {until(game, deputy)}.\n\n{draft.text}"
    own = replace(draft, key=f"{draft.key}:d{deputy.id}", seat="", calendar="", text=text)
    token = deputy_token(work.mark, deputy, deputy.token_no)
    return _made(work, game, own, token, deputy.reaches, rich=holder.face != PLAIN)


def put_to_deputy(work: Work, game: GameAt, who: DeputyRow, draft: Draft) -> None:
    token = deputy_token(work.mark, who, who.token_no)
    outbox.put(work, _made(work, game, draft, token, who.reaches, rich=who.face != PLAIN))


def put_to_claimant(work: Work, game: GameAt, who: Claimant, draft: Draft) -> None:
    """Mail a person without a seat. The answer of one who stands by is proven."""
    token = work.mark.standby_token(game.id, who.player_id) if who.stands_by else None
    outbox.put(work, _made(work, game, draft, token, who.address, rich=who.face != PLAIN))


def to_all(
    work: Work, game: GameAt, draft: Draft, own: Mapping[Seat, str] = MappingProxyType({})
) -> None:
    """Mail holders, perhaps each an ``own`` text, and observers (:data:`OBSERVED`). Mark the game's
    pages as changed."""
    mark_public_change(work, game.id)
    key, text = draft.key, draft.text
    each = [
        (one, replace(draft, key=f"{key}:{seat}", text=own.get(seat, text)))
        for seat, one in game.holders.items()
    ]
    put_to_seats(work, game, each)
    to_observers(work, game, draft)


def mark_public_change(work: Work, game_id: str) -> None:
    """Note that a game's public pages change, once a site was written."""
    if notes.memo(work.conn, notes.SITE) and game_id not in practices.ids(work.conn):
        notes.stale(work.conn, work.now, game_id)


def to_observers(work: Work, game: GameAt, draft: Draft) -> None:
    if draft.kind in OBSERVED:
        who = claimants.observers(work.conn, game.id)
        put_to_observers(work, game, [(one, draft) for one in who])


def put_to_observers(work: Work, game: GameAt, several: Sequence[tuple[Claimant, Draft]]) -> None:
    ends = (
        f"You get this because you watch game {game.id}. To watch it no longer, answer"
        f" with the line\u00a0UNWATCH\u00a0{game.id}."
    )
    made = []
    for who, draft in several:
        key, text = f"{draft.key}:o{who.player_id}", f"{draft.text.rstrip()}\n\n{ends}\n"
        own = replace(draft, key=key, text=text, unsubscribe=f"unsubscribe {game.id}", calendar="")
        made.append(_made(work, game, own, None, who.address, rich=who.face != PLAIN))
    outbox.put_all(work, made)


def set_token(work: Work, game_id: str, seat: str, number: int) -> None:
    hashed = token_hash(work.mark.token(game_id, seat, number))
    games.set_seat(work.conn, game_id, seat, token_no=number, token_hash=hashed)


def put(
    work: Work, address: str, draft: Draft, *, rich: bool = True, state: MailState = MailState.READY
) -> bool:
    """Put a muted mail. Return False if it is there. rich: add HTML."""
    whole = dressed(work, draft, rich=rich)
    return outbox.put(work, compose(work.mark, whole, address, work.now), state)


def of_seat(work: Work, row: Press, seat: str, player_id: int | None) -> str:
    return work.mark.plus(f"{BEGINS}{_secret(work.mark, row, seat, str(player_id))}")


def of_gamesmaster(work: Work, row: Press) -> str:
    return work.mark.plus(f"{BEGINS}{_secret(work.mark, row, press.TO_GAMESMASTER, '')}")


def pressed(conn: Connection, mark: Postmark, part: str) -> Addressed | None:
    """Return who was mailed this address; None if not ours, or they left."""
    secret = secret_of(part)
    row = Press.one(conn, id=mark.press_number(secret)) if secret else None
    if row is None:
        return None
    holders = games.holders(conn, row.game_id)
    readers = [(seat, str(holder.player_id)) for seat, holder in holders.items()]
    for seat, player in (*readers, (press.TO_GAMESMASTER, "")):
        if hmac.compare_digest(secret, _secret(mark, row, seat, player)):
            return Addressed(part, row.game_id, seat, row.id)
    return None


def _secret(mark: Postmark, row: Press, seat: str, player: str) -> str:
    """Cover the words too: numbers repeat after a restore."""
    words = hashlib.sha256(row.text.encode()).hexdigest()
    said = f"{row.game_id}/{row.author}/{row.answers}/{seat}/{player}/{words}"
    return mark.press(row.id, said)
