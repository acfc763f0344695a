"""Who gets a seat, and who is next: every way into a seat comes through here.

A seat that falls free (house rules 6 to 8) is offered to those who stand by in turn, to each alone
until a date, then to the waiting list and the observers at once. Its player keeps it until a code
takes it. Mails on free seats have public facts only.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.errors import Doubtful, OperatorError
from pbem.games.frame import calendar, house_rules, readiness
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import LastWord
from pbem.house import templates
from pbem.letters.letter import Letter
from pbem.orders.order import staying
from pbem.pages import picture
from pbem.periods import drawing, issue_mails, own_page, persons, record
from pbem.periods.guards import not_over, period_of
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import put_to_claimant, put_to_seat, set_token
from pbem.post.work import Work
from pbem.store.games import bulletins, games, order_sets
from pbem.store.games.game_rows import Holder, SeatKey
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, open_tables
from pbem.store.joining.claimants import Claimant, OfferRow
from pbem.store.journal import notes
from pbem.store.people import deputies, players
from pbem.store.schema import states
from pbem.store.schema.states import ApplicantState, Freed, GameState, NoteKind, OfferState
from pbem.store.schema.tables import Ballot, FreeSeat, Observer, Offer, Privy, Standby
from pbem.text import listed, safe

log = structlog.get_logger()
WHY = {
    Freed.QUIT: "house rule 6: the player has asked to be relieved",
    Freed.SILENT: "house rule 7: no answer",
    Freed.LIST: "house rule 8: no list came",
    Freed.BOT: "a house bot has played it",
}


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
    if seat is None and claimants.person(work.conn, game_id, player_id).stands_by:
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


# --- a seat falls free ----------------------------------------------------------------------------


def silent(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat without answer (house rule 7)."""
    game = games.game_at(work.conn, game_id)
    until = game.holders[seat].asked_until
    if until is not None and until <= work.now:  # else another daemon has seen to it meanwhile
        games.set_seat(work.conn, game_id, seat, asked_until=None)
        free(work, game, seat, Freed.SILENT)


def leaving(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return seats to relieve, not yet offered."""
    offered = set(claimants.running(conn))
    return [key for key in games.quitting(conn) if key not in offered]


def relieved(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat to relieve (house rule 6)."""
    game = games.game_at(work.conn, game_id)
    if game.holders[seat].quits is not None:  # else another daemon has seen to it meanwhile
        free(work, game, seat, Freed.QUIT)


def free(work: Work, game: GameAt, seat: Seat, why: Freed) -> None:
    """Look for another player, once."""
    if FreeSeat.one(work.conn, game_id=game.id, seat=seat):
        return
    holder = game.holders[seat]
    asked = why is Freed.QUIT  # the gamesmaster has been told, and whether anybody is there
    told = asked and not any(reach(work, game, seat))
    FreeSeat.add(
        work.conn,
        FreeSeat(game.id, seat, holder.player_id, why, work.now, game.period.number, told),
    )
    notes.note(work.conn, game.id, work.now, "free", seat=seat, why=why)
    standing = claimants.standing_by(work.conn, game.id)
    found = (doubts(work, game.id, standby.player_id, seat) for standby in standing)
    if reasons := list(chain.from_iterable(found)):
        what, commands = "passed-over", (f"replace {game.id} {seat} ADDRESS --anyway",)
        key = f"{what}:{game.id}:{seat}"
        alarms.say(work, key, what, game.id, commands, seat=seat, reasons=reasons)
    if not asked:
        key = f"given-up:{game.id}:{seat}:{holder.player_id}:{work.now:%Y%m%d%H%M%S%f}"
        known = {"seat": seat, "why": why, "awaited": game.ruleset.about.awaited}
        draft = own_page.draft(game, key, "asked", "given_up", **known)
        put_to_seat(work, game, holder, draft)


# --- it is offered, by the clock ------------------------------------------------------------------


def advance(work: Work, game_id: str, seat: Seat) -> None:
    """End old offers and make the next, or tell the gamesmaster once."""
    game = games.game_at(work.conn, game_id)
    row = FreeSeat.one(work.conn, game_id=game_id, seat=seat)
    if row is None or game.row.status != GameState.RUNNING:
        return  # another daemon did it
    if not _still_free(work, game, row):
        return
    _end_old(work, game, row)
    if _ask_next(work, game, row):
        FreeSeat.change(work.conn, {"game_id": game.id, "seat": seat}, told=False)
    elif not (row.told or row.why is Freed.BOT or claimants.open_of_seat(work.conn, game.id, seat)):
        commands = (f"standby {game.id} ADDRESS", f"replace {game.id} {seat} ADDRESS")
        asked = [offer.name for offer in claimants.made(work.conn, row)]
        key, name = f"nobody:{game.id}:{seat}", game.holders[seat].name
        known = {"seat": seat, "name": name, "why": WHY[row.why]}
        alarms.say(work, key, "nobody", game.id, commands, asked=asked, **known)
        FreeSeat.change(work.conn, {"game_id": game.id, "seat": seat}, told=True)


def _still_free(work: Work, game: GameAt, row: FreeSeat) -> bool:
    """Return whether its player is still to be relieved; else end the search."""
    if game.holders[row.seat].player_id != row.player_id:
        _close(work, game, row.seat, "taken", "kept")
        return False
    if row.seat not in game.ruleset.asked(game.state):
        _close(work, game, row.seat, "out", "kept")
        games.set_seat(work.conn, game.id, row.seat, quits=None)
        return False
    return True


def _end_old(work: Work, game: GameAt, row: FreeSeat) -> None:
    """Void old offers; a stand-by asked alone loses their place."""
    for offer in claimants.open_of_seat(work.conn, game.id, row.seat):
        if offer.until > work.now:
            continue
        claimants.set_offer(work.conn, offer.id, OfferState.VOID)
        who = {"seat": offer.seat, "player": offer.player_id}
        notes.note(work.conn, game.id, work.now, "offer-ended", **who)
        asked = claimants.person(work.conn, game.id, offer.player_id)
        if asked.stands_by:
            more = {"alone": offer.alone, "gamesmaster": _gamesmaster(work, game)}
            _tell(work, game, asked, "offer_passed", offer.seat, **more)
            _called_on(work, game.id, offer.player_id, offer.seat)


def _called_on(work: Work, game_id: str, player_id: int, seat: Seat) -> None:
    """Let a person stand by no more."""
    of = {"game_id": game_id, "player_id": player_id, "invited_for": ""}
    Standby.change(work.conn, of, invited_for=seat)


def _ask_next(work: Work, game: GameAt, row: FreeSeat) -> bool:
    still = claimants.open_of_seat(work.conn, game.id, row.seat)
    if any(offer.alone for offer in still):
        return False
    standing, others = _askable(work, game, row)
    alone = bool(standing) and not still
    asked = standing[:1] if alone else [*standing, *others]
    if not asked:
        return False
    until = _until(work, game, row)
    more = {
        "alone": alone,
        "until": own_page.moment_text(game, until),
        "why": row.why,
        "position": position(work, game),
        "awaited": game.ruleset.about.awaited,
        "waits": row.why is Freed.LIST and game.period.due == until,
    }
    of = {"game_id": game.id, "seat": row.seat, "made": work.now, "until": until, "alone": alone}
    for claimant in asked:
        moment = work.now.isoformat()
        code = work.mark.code(f"offer/{game.id}/{row.seat}/{claimant.player_id}/{moment}")
        who = {"player_id": claimant.player_id, "address": claimant.address}
        Offer.add(work.conn, **of, **who, state=OfferState.OPEN, code_hash=code_hash(code))
        _tell(work, game, claimant, "offer", row.seat, code=code, **more)
    ids = [claimant.player_id for claimant in asked]
    notes.note(work.conn, game.id, work.now, "offered", seat=row.seat, players=ids, alone=alone)
    return True


def _askable(work: Work, game: GameAt, row: FreeSeat) -> tuple[list[Claimant], list[Claimant]]:
    seen = {offer.player_id for offer in claimants.made(work.conn, row)}
    busy = claimants.open_offers(work.conn, game.id, Offer.alone.is_(True))
    seen.update(offer.player_id for offer in busy)
    found: tuple[list[Claimant], list[Claimant]] = ([], [])
    for claimant in claimants.in_turn(work.conn, game.id, watching=row.why is not Freed.BOT):
        player_id = claimant.player_id
        if player_id not in seen and not doubts(work, game.id, player_id, row.seat):
            found[not claimant.stands_by].append(claimant)
        seen.add(player_id)
    return found


def reach(work: Work, game: GameAt, *seats: Seat) -> tuple[int, int]:
    """Return how many of each could take one."""
    standing, others = set[int](), set[int]()
    still = claimants.open_offers(work.conn, game.id, Offer.seat.in_(seats))
    for seat in seats:
        row = FreeSeat.one(work.conn, game_id=game.id, seat=seat) or FreeSeat(
            game.id, seat, None, Freed.LIST, work.now, game.period.number, told=False
        )
        first, rest = _askable(work, game, row)
        standing.update(claimant.player_id for claimant in first)
        others.update(claimant.player_id for claimant in rest)
    standing.update(offer.player_id for offer in still)
    return len(standing), len(others - standing)


def _until(work: Work, game: GameAt, row: FreeSeat) -> datetime:
    due, moves = game.period.due, calendar.moves(game.period.moves)
    waits = row.why is Freed.LIST and row.period == game.period.number
    if waits and due and due > work.now and house_rules.waits(moves):
        return due
    return calendar.by_when(work.now, game.house.offered, game.house, game.zone)


def position(work: Work, game: GameAt) -> str:
    number = bulletins.newest(work.conn, game.id)
    if number is None:
        return ""
    after = games.game_at(work.conn, game.id, min(number + 1, game.row.period))
    before = bulletins.scores(work.conn, game.id, number)
    try:
        issue = templates.pictured(after.ruleset, after.state, game.seats, number, "", (), before)
        known = picture.known(issue)
        said = picture.alt(templates.environment(), issue.key, "chart", known)
    except Exception:  # a mail does not wait for it, as with pictures
        log.exception("no position", game=game.id, bulletin=number)
        return ""
    said = said.removeprefix("A chart of ")
    return f"{said[:1].upper()}{said[1:]}" if issue.course else ""


# --- the search ends ------------------------------------------------------------------------------


def stays(work: Work, game: GameAt, seat: Seat) -> None:
    """Keep the player; void offers."""
    _close(work, game, seat, "stays", "kept")


def over(work: Work, game: GameAt) -> None:
    """End all searches, and let those who stand by go."""
    for row in claimants.free_seats(work.conn, game.id):
        _close(work, game, row.seat, "over")
    for standby in claimants.standing_by(work.conn, game.id):
        mail_standby(work, game, standby, "over")
        Standby.drop(work.conn, game_id=game.id, player_id=standby.player_id, invited_for="")


def _close(work: Work, game: GameAt, seat: Seat, why: str, kind: str = "") -> None:
    """Void offers and tell why: "taken", "stays", "out" or "over"; then those who stand by have
    another mail. Journal ``kind`` unless ""."""
    for offer in claimants.open_of_seat(work.conn, game.id, seat):
        claimants.set_offer(work.conn, offer.id, OfferState.VOID)
        asked = claimants.person(work.conn, game.id, offer.player_id)
        if not (asked.stands_by and why == "over"):
            _tell(work, game, asked, "offer_gone", seat, why=why)
    was = FreeSeat.drop(work.conn, game_id=game.id, seat=seat) > 0
    if was and game.holders[seat].bot and why != "over":
        games.set_seat(work.conn, game.id, seat, bot="")
    if was and kind:
        notes.note(work.conn, game.id, work.now, kind, seat=seat)


def _declined(work: Work, game_id: str, player_id: int) -> None:
    """Void a person's offers."""
    for offer in claimants.open_offers(work.conn, game_id, Offer.player_id == player_id):
        claimants.set_offer(work.conn, offer.id, OfferState.VOID)


# --- an offer is answered -------------------------------------------------------------------------


def open_to(work: Work, address: str) -> list[str]:
    """Return a sentence for each seat offered."""
    lines = []
    for offer in claimants.open_to(work.conn, address):
        game = games.game_at(work.conn, offer.game_id)
        until = own_page.moment_text(game, offer.until)
        lines.append(
            f"{offer.seat} in game {game.id} is offered to you until {until}. To take it, answer"
            " that mail with the line in it that begins with the word CONFIRM."
        )
    return lines


def answered(work: Work, offer: OfferRow, letter: Letter) -> str:
    """Give the seat to the first who answers, or return why not."""
    game, seat = games.game_at(work.conn, offer.game_id), offer.seat
    row = FreeSeat.one(work.conn, game_id=game.id, seat=seat)
    if row is None or offer.made < row.since:
        return _free_no_more(game, offer)
    if may_not := _may_not(work, game, offer):
        return may_not
    known = {"seat": seat, "why": WHY[row.why]}
    take(work, game.id, seat, offer.player_id, known["why"])
    key = f"taken:{game.id}:{seat}:{game.holders[seat].token_no}"
    alike = persons.alike(work, game.id, offer.address)
    alarms.say(work, key, "taken", game.id, (), name=offer.name, alike=alike, **known)
    game, awaited = games.game_at(work.conn, game.id), game.ruleset.about.awaited
    listless = awaited and awaited.slot in game.ruleset.due(game.state, seat, {})
    awaited = awaited if listless and row.why is Freed.LIST else None
    key = f"yours:{game.id}:{seat}:{game.holders[seat].token_no}"
    draft = own_page.draft(game, key, "invitation", "yours", awaited=awaited, **known)
    put_to_seat(work, game, game.holders[seat], draft.answering(letter))
    return ""


def _free_no_more(game: GameAt, offer: OfferRow) -> str:
    seat, named = offer.seat, f"game {game.id} ({game.ruleset.about.title})"
    if game.row.status == GameState.OVER:
        return f"{seat} was offered to you in {named}. The game is over now."
    if game.holders[seat].player_id == offer.player_id:
        return f"{seat} in {named} is yours already; nothing was done twice."
    return (
        f"{seat} in {named} is not free any more: it has a player. Thank you for your answer; when"
        " another seat is free, you are asked again."
    )


def _may_not(work: Work, game: GameAt, offer: OfferRow) -> str:
    seat = offer.seat
    if reasons := doubts(work, game.id, offer.player_id, seat):
        return f"You cannot take {seat} in game {game.id}: {'; '.join(reasons)}."
    for other in claimants.open_of_seat(work.conn, game.id, seat):
        if other.alone and offer.state is not OfferState.OPEN:
            until = own_page.moment_text(game, other.until)
            return (
                f"Your time for {seat} in game {game.id} is over, and it is offered to another"
                f" player alone until {until}. If they do not take it, your code works again after"
                " that."
            )
    return ""


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
    fresh = {"missed": 0, "asked_until": None, "quits": None, "bot": ""}
    heard = game.period.number if game else 0
    games.set_seat(work.conn, game_id, seat, player_id=player_id, heard=heard, **fresh)
    _called_on(work, game_id, player_id, seat)  # nor do they wait and watch any more
    Observer.drop(work.conn, game_id=game_id, player_id=player_id)
    for waiting in open_tables.waiting_list(work.conn, game_id):
        if waiting.player_id == player_id:
            open_tables.try_applicant(work.conn, waiting.id, ApplicantState.GONE)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why, **doubted)
    if game is None:
        games.forget_players(work.conn, [holder.player_id] if holder.player_id else [])
        return
    set_token(work, game_id, seat, holder.token_no + 1)
    game = games.game_at(work.conn, game_id)
    name = game.player(seat)
    said = f"The seat\u00a0{seat} has a new player{f': {name}' if name else ''} ({why})."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    last = order_sets.last_set(work.conn, game_id, game.period.number, seat)
    stood = order_sets.orders_of(game, last)  # RESIGN, READY and WAIT are not handed over
    if staying(stood) != stood or readiness.of(last) is not LastWord.NOTHING:
        order_sets.save_orders(work.conn, game, seat, staying(stood), last, now=work.now)
    brief(work, game, game.holders[seat])


def _relieve(work: Work, game: GameAt, holder: Holder, player_id: int, why: str) -> None:
    """Thank the former player, who knows the seat's secrets; settle its offers."""
    seat = holder.seat
    if holder.player_id is not None:
        Privy.try_add(work.conn, game_id=game.id, seat=seat, player_id=holder.player_id)
    row = FreeSeat.one(work.conn, game_id=game.id, seat=seat)
    if row or holder.quits or holder.asked_until:
        record.add(work, game, [(holder, states.RecordKind.GIVEN)])
    for offer in claimants.made(work.conn, row) if row else ():
        if offer.player_id == player_id:  # also after its time
            claimants.set_offer(work.conn, offer.id, OfferState.TAKEN)
    _declined(work, game.id, player_id)
    _close(work, game, seat, "taken")
    Ballot.drop(work.conn, game_id=game.id, seat=seat)
    key, known = f"replaced:{game.id}:{seat}:{holder.token_no}", {"seat": seat, "why": why}
    draft = own_page.draft(game, key, "replaced", "seat", what="replaced", **known)
    put_to_seat(work, game, holder, draft)


def brief(work: Work, game: GameAt, holder: Holder) -> None:
    """Mail a new player the rules, and the last bulletin with its notice."""
    issue_mails.welcome_later(work, game, holder)
    last = period_of(game) - 1
    newest = bulletins.of_period(work.conn, game.id, last)
    if newest:
        edition = max(row.edition for row in newest.values())
        made = {of: row.text for of, row in newest.items()}
        headline = str(newest[""].frame.get("headline", ""))
        after = games.game_at(work.conn, game.id, min(last + 1, game.row.period))
        drawn = drawing.svgs(work.conn, after, last)
        dated, pngs = own_page.issue(work, after), drawing.Pngs(drawn)
        head = str(newest[""].frame.get("journal", ""))
        printed = issue_mails.Printed(last, edition, made, headline, dated, pngs, head)
        issue_mails.issue(work, after, [holder], printed)


# --- those who stand by ---------------------------------------------------------------------------


STANDBY = "standby"


def enlist(work: Work, game_id: str, address: str, name: str, *, anyway: bool = False) -> None:
    """Add a stand-by player behind the others, told when the game begins."""
    game = not_over(work.conn, game_id)
    player_id = persons.registered(work, address, name)
    reasons = persons.called(work, player_id) + doubts(work, game_id, player_id)
    doubted = meant(reasons, anyway)
    Standby.add(work.conn, game_id=game_id, player_id=player_id)
    notes.note(work.conn, game_id, work.now, "standby", player=player_id, **doubted)
    if game is not None:
        mail_standby(work, game, claimants.standing_by(work.conn, game_id)[-1], "enlisted")


def quits(work: Work, game: GameAt, standby: Claimant) -> None:
    _declined(work, game.id, standby.player_id)
    Standby.drop(work.conn, game_id=game.id, player_id=standby.player_id, invited_for="")
    notes.note(work.conn, game.id, work.now, "standby-quit", player=standby.player_id)
    left = claimants.can_be_called(work.conn, game.id)
    commands = () if left else (f"standby {game.id} ADDRESS",)
    key = f"standby-quit:{game.id}:{standby.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    alarms.say(work, key, "standby-quit", game.id, commands, name=standby.name, left=left)


def withdraw(work: Work, game_id: str, address: str, why: str) -> None:
    """Raise OperatorError if they do not stand by."""
    game = not_over(work.conn, game_id)
    player_id = players.at_address(work.conn, address)
    standby = player_id and claimants.person(work.conn, game_id, player_id)
    if not (standby and standby.stands_by):
        raise OperatorError(f"{address} does not stand by for {game_id}")
    if game is not None:
        _declined(work, game.id, standby.player_id)
        mail_standby(work, game, standby, "withdrawn", safe(why.strip()))
    Standby.drop(work.conn, game_id=game_id, player_id=standby.player_id, invited_for="")
    notes.note(work.conn, game_id, work.now, "standby-withdrawn", player=standby.player_id, why=why)


def answer(
    work: Work, game: GameAt, standby: Claimant, letter_id: int, letter: Letter, *, gone: bool
) -> None:
    """Answer: they are off (``gone``), or nothing was taken."""
    what, offered = "gone" if gone else "nothing", " ".join(open_to(work, standby.address))
    draft = _standby(work, game, f"standby-answer:{letter_id}", what, offered)
    answer = replace(draft, subject=f"Re: {letter.subject.strip() or draft.subject}")
    put_to_claimant(work, game, standby, answer.answering(letter))


def _gamesmaster(work: Work, game: GameAt) -> str:
    return masters.of(work.conn, work.mark, game.id).contact


# --- their mails ----------------------------------------------------------------------------------


def mail_standby(work: Work, game: GameAt, who: Claimant, what: str, why: str = "") -> None:
    key = f"standby:{game.id}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    put_to_claimant(work, game, who, _standby(work, game, key, what, why))


def _standby(work: Work, game: GameAt, key: str, what: str, why: str) -> Draft:
    known = {"what": what, "why": why, "gamesmaster": _gamesmaster(work, game)}
    return own_page.draft(game, key, STANDBY, "standby", **known)


def _tell(work: Work, game: GameAt, who: Claimant, name: str, seat: Seat, **more: Any) -> None:
    """Mail a template about a seat to somebody who may take it."""
    kind = name.replace("_", "-")
    key = f"{kind}:{game.id}:{seat}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = own_page.draft(game, key, "offer", name, seat=seat, standing=who.stands_by, **more)
    put_to_claimant(work, game, who, draft)
