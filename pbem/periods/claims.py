"""A claim to a seat: who is next, who may have one, and the taking itself.

Every way into a seat comes through here. Next are those who stand by, then the table's waiting
list, then its observers, each as they came.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from pbem.errors import Doubtful
from pbem.games.frame import readiness
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.house import templates
from pbem.orders.order import staying
from pbem.periods import drawing, issue_mails, own_page, publishing, record
from pbem.post import masters
from pbem.post.compose import Draft
from pbem.post.seats import put_to_person, put_to_seat, put_to_standby, set_token
from pbem.post.work import Work
from pbem.store.games import bulletins, exports, games, order_sets, periods
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import offers, open_tables
from pbem.store.joining.offers import OfferRow
from pbem.store.journal import notes
from pbem.store.people import deputies, players, standbys
from pbem.store.schema.states import ApplicantState, NoteKind, OfferState, PeriodState
from pbem.store.schema.tables import Ballot, FreeSeat, Observer, Privy, Standby
from pbem.text import listed

KIND = "offer"


class Claimant(NamedTuple):
    """A person who may be asked for a seat."""

    player_id: int
    name: str
    address: str
    face: str
    stands_by: bool


def in_turn(conn: Connection, game_id: str, *, watching: bool) -> Iterator[Claimant]:
    """Yield claimants, best first; last, perhaps, those who only watch."""
    for one in standbys.of_game(conn, game_id):
        yield Claimant(one.player_id, one.name, one.address, one.face, stands_by=True)
    for row in open_tables.waiting_list(conn, game_id):
        if row.player_id is not None:
            yield Claimant(row.player_id, row.name, row.mail, row.face, stands_by=False)
    for seen in standbys.watching(conn, game_id) if watching else ():
        yield Claimant(seen.player_id, seen.name, seen.address, seen.face, stands_by=False)


# --- who may have one -----------------------------------------------------------------------------


def doubts(work: Work, game_id: str, player_id: int, seat: Seat | None = None) -> list[str]:
    """Return why a person may not take a seat (None: stand by)."""
    name, held = players.name(work.conn, player_id), games.seats_of(work.conn, game_id, player_id)
    own = {*held, *([seat] if seat else [])}
    seen = set(players.privy_to(work.conn, game_id, player_id)) - own
    will = set(deputies.of_player(work.conn, game_id, player_id)) - own - seen
    hands = masters.of(work.conn, work.mark, game_id)
    runs = {"gamesmaster": hands.gamesmaster, "second gamesmaster": hands.second}
    reasons = [twice(work, game_id, player_id, seat)]
    if seat is None and standbys.of_player(work.conn, game_id, player_id):
        reasons.append(f"{name} stands by for {game_id} already")
    if seen:
        reasons.append(f"{name} has seen the private mails of {listed(sorted(seen))} in {game_id}")
    if will:
        reasons.append(f"{name} is to be the deputy of {listed(sorted(will))} in {game_id}")
    for what, address in runs.items():
        if address and players.at_address(work.conn, address) == player_id:
            reasons.append(f"{name} is the {what} of {game_id}")
    return list(filter(None, reasons))


def twice(work: Work, game_id: str, player_id: int, seat: Seat | None) -> str:
    """Return that a person has a place in the game already, or ""."""
    held = games.seats_of(work.conn, game_id, player_id)
    if not held:
        return ""
    too = f", and would play {seat} too" if seat else ""
    return f"{players.name(work.conn, player_id)} plays {listed(held)} in {game_id}{too}"


def meant(doubts: Sequence[str], anyway: bool) -> dict[str, list[str]]:
    """Return doubts for the journal. Raise Doubtful unless ``anyway``."""
    if doubts and not anyway:
        raise Doubtful(doubts)
    return {"anyway": list(doubts)} if doubts else {}


# --- the search for another player, and its end ---------------------------------------------------


def _gone(work: Work, game: GameAt, offer: OfferRow, why: str) -> None:
    """Void an offer: "taken", "stays", "out" or "over"; then stand-bys have another mail."""
    if why == "over" and standbys.of_player(work.conn, game.id, offer.player_id):
        return
    subject = f"{offer.seat} is {'taken' if why == 'taken' else 'free no more'}"
    tell(work, game, offer, "offer_gone", offer.seat, subject, why=why)


def text(name: str, game: GameAt, seat: Seat, **more: Any) -> str:
    template = templates.environment().get_template(f"_shared/{name}.txt.j2")
    known = {"title": game.ruleset.about.title, "period": own_page.name(game)}
    return template.render(
        at=game, seat=seat, deadline=publishing.deadline_text(game), **known, **more
    )


def tell(
    work: Work,
    game: GameAt,
    claimant: Claimant | OfferRow,
    name: str,
    seat: Seat,
    subject: str,
    **more: Any,
) -> None:
    """Mail a template about a seat to somebody who may take it."""
    standing = standbys.of_player(work.conn, game.id, claimant.player_id)
    said = text(name, game, seat, standing=standing is not None, **more)
    kind = name.replace("_", "-")
    key = f"{kind}:{game.id}:{seat}:{claimant.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, KIND, f"[{game.id}] {subject}", said)
    if standing:
        put_to_standby(work, game, standing, draft)
    else:
        put_to_person(work, game, claimant.address, claimant.face, draft)


def stays(work: Work, game: GameAt, seat: Seat) -> None:
    """Keep the player; void offers."""
    _close(work, game, seat, "stays", "kept")


def over(work: Work, game: GameAt) -> None:
    for row in offers.of_game(work.conn, game.id):
        _close(work, game, row.seat, "over")


def still_free(work: Work, game: GameAt, row: FreeSeat) -> bool:
    """Return whether its player is still to be relieved; else end the search."""
    if game.holders[row.seat].player_id != row.player_id:
        _close(work, game, row.seat, "taken", "kept")
        return False
    if row.seat not in game.ruleset.asked(game.state):
        _close(work, game, row.seat, "out", "kept")
        games.set_seat(work.conn, game.id, row.seat, quits=None)
        return False
    return True


def declined(work: Work, game_id: str, player_id: int) -> None:
    """Void a person's offers."""
    for one in offers.open_offers(work.conn, game_id):
        if one.player_id == player_id:
            offers.set_state(work.conn, one.id, OfferState.VOID)


def _close(work: Work, game: GameAt, seat: Seat, why: str, kind: str = "") -> None:
    """End the search and tell why; journal ``kind`` unless ""."""
    for one in offers.open_offers(work.conn, game.id):
        if one.seat == seat:
            offers.set_state(work.conn, one.id, OfferState.VOID)
            _gone(work, game, one, why)
    was = FreeSeat.drop(work.conn, game_id=game.id, seat=seat) > 0
    if was and game.holders[seat].bot and why != "over":
        games.set_seat(work.conn, game.id, seat, bot="")
    if was and kind:
        notes.note(work.conn, game.id, work.now, kind, seat=seat)


# --- the taking -----------------------------------------------------------------------------------


def take(
    work: Work, game_id: str, seat: Seat, player_id: int, why: str, **doubted: list[str]
) -> None:
    """Give a seat to a person who may have it; once the game has begun, tell all and brief them.

    ``doubted``: for the journal.
    """
    game, holder = games.begun(work.conn, game_id), games.holders(work.conn, game_id)[seat]
    if game is not None:
        _relieve(work, game, holder, player_id, why)
    games.set_seat(
        work.conn,
        game_id,
        seat,
        player_id=player_id,
        missed=0,
        asked_until=None,
        heard=game.period.number if game else 0,
        quits=None,
        bot="",
    )
    off_the_lists(work, game_id, player_id, seat)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why, **doubted)
    if game is None:
        exports.forget_players(work.conn, [holder.player_id] if holder.player_id else [])
        return
    set_token(work, game_id, seat, holder.token_no + 1)
    game = games.game_at(work.conn, game_id)
    name = game.player(seat)
    said = f"The seat\u00a0{seat} has a new player{f': {name}' if name else ''} ({why})."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    _hand_over(work, game, seat)
    brief(work, game, game.holders[seat])


def off_the_lists(work: Work, game_id: str, player_id: int, seat: Seat) -> None:
    """Let a player stand by, wait and watch no more."""
    if standing := standbys.of_player(work.conn, game_id, player_id):
        Standby.change(work.conn, {"id": standing.id}, invited_for=seat, reply_by=None)
    Observer.drop(work.conn, game_id=game_id, player_id=player_id)
    for waiting in open_tables.waiting_list(work.conn, game_id):
        if waiting.player_id == player_id:
            open_tables.try_applicant(work.conn, waiting.id, ApplicantState.GONE)


def _relieve(work: Work, game: GameAt, holder: Holder, player_id: int, why: str) -> None:
    """Thank the former player, who knows the seat's secrets; settle its offers."""
    seat = holder.seat
    if holder.player_id is not None:
        Privy.try_add(work.conn, game_id=game.id, seat=seat, player_id=holder.player_id)
    row = FreeSeat.one(work.conn, game_id=game.id, seat=seat)
    if row or holder.quits or holder.asked_until:
        record.count_given_up(work, game, seat)
    for one in offers.made(work.conn, row) if row else ():
        if one.player_id == player_id:  # also after its time
            offers.set_state(work.conn, one.id, OfferState.TAKEN)
    declined(work, game.id, player_id)
    _close(work, game, seat, "taken")
    Ballot.drop(work.conn, game_id=game.id, seat=seat)
    text = (
        f"You no longer play in game {game.id} as {seat} ({why}).\n\nThank you for having played.\n"
    )
    key, subject = f"replaced:{game.id}:{seat}:{holder.token_no}", "Your seat has a new player"
    put_to_seat(work, game, holder, Draft(key, "replaced", f"[{game.id}] {subject}", text))


def _hand_over(work: Work, game: GameAt, seat: Seat) -> None:
    """Keep orders, not RESIGN, READY, WAIT."""
    last = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    stood = order_sets.orders_of(game, last)
    if staying(stood) != stood or readiness.of(last) is not Said.NOTHING:
        order_sets.save_orders(
            work.conn,
            game,
            seat,
            staying(stood),
            last,
            said=Said.NOTHING,
            letter_id=None,
            now=work.now,
        )


def brief(work: Work, game: GameAt, holder: Holder) -> None:
    """Mail a new player the rules, and the last bulletin with its notice."""
    issue_mails.welcome_later(work, game, holder)
    last = (
        game.period.number - 1
        if game.period.status != PeriodState.REVIEW
        else game.period.number - 2
    )
    newest = bulletins.of_period(work.conn, game.id, last)
    if newest:
        edition = max(row.edition for row in newest.values())
        made = {of: row.text for of, row in newest.items()}
        headline = str(newest[""].frame.get("headline", ""))
        after = games.game_at(work.conn, game.id, min(last + 1, game.row.period))
        closed = periods.closed(work.conn, game.id, last)
        before = bulletins.scores(work.conn, game.id, last)
        drawn = drawing.svgs(after, last, closed, before)
        dated, pngs = own_page.issue(work, after), drawing.Pngs(drawn)
        head = str(newest[""].frame.get("journal", ""))
        printed = issue_mails.Printed(last, edition, made, headline, dated, pngs, head)
        issue_mails.issue(work, after, [holder], printed)
