"""Offer seats that fall free (house rules 6 to 8).

Stand-bys are asked in turn, each alone until a date, then waiting list and observers at once. The
seat stays its player's until a code takes it.

Mails on free seats have public facts only.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import chain
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import calendar, house_rules, readiness
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import Said
from pbem.house import templates
from pbem.letters.letter import Letter
from pbem.orders.order import staying
from pbem.pages import picture
from pbem.periods import (
    drawing,
    issue_mails,
    own_page,
    persons,
    publishing,
    record,
    start_mails,
)
from pbem.periods.guards import not_over
from pbem.periods.persons import meant
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import put_to_person, put_to_seat, put_to_standby, set_token
from pbem.post.work import Work
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.game_rows import Holder, SeatKey, StandbyRow
from pbem.store.games.games import GameAt
from pbem.store.joining import offers, open_tables
from pbem.store.joining.offers import OfferRow, PersonRow
from pbem.store.journal import notes
from pbem.store.people import players, standbys
from pbem.store.schema.states import (
    ApplicantState,
    Freed,
    GameState,
    NoteKind,
    OfferState,
    PeriodState,
)
from pbem.store.schema.tables import Ballot, FreeSeat, Observer, Privy, Standby
from pbem.text import listed, safe

log = structlog.get_logger()
KIND = "offer"
WHY = {
    Freed.QUIT: "house rule 6: the player has asked to be relieved",
    Freed.SILENT: "house rule 7: no answer",
    Freed.LIST: "house rule 8: no list came",
    Freed.BOT: "a house bot has played it",
}


def gone(work: Work, at: GameAt, offer: OfferRow, why: str) -> None:
    """Void an offer: "taken", "stays", "out" or "over"; then stand-bys have another mail."""
    if why == "over" and standbys.of_player(work.conn, at.id, offer.player_id):
        return
    subject = f"{offer.seat} is {'taken' if why == 'taken' else 'free no more'}"
    _put(work, at, offer, "offer_gone", offer.seat, subject, why=why)


def passed(work: Work, at: GameAt, offer: OfferRow) -> None:
    more = {"alone": offer.alone, "gamesmaster": _gamesmaster(work, at)}
    subject = f"You stand by for game {at.id} no longer"
    _put(work, at, offer, "offer_passed", offer.seat, subject, **more)


def given_up(work: Work, at: GameAt, row: FreeSeat) -> None:
    awaited = at.ruleset.about.awaited
    text = _text("given_up", at, row.seat, why=row.why, awaited=awaited)
    key = f"given-up:{at.id}:{row.seat}:{row.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, "asked", f"[{at.id}] Your seat is offered to others", text)
    put_to_seat(work, at, at.holders[row.seat], draft)


def yours(work: Work, at: GameAt, seat: Seat, why: Freed, letter: Letter) -> None:
    awaited = at.ruleset.about.awaited
    listless = awaited and awaited.slot in at.ruleset.due(at.state, seat, {})
    awaited = awaited if listless and why is Freed.LIST else None
    text = _text("yours", at, seat, why=WHY[why], awaited=awaited)
    key, subject = f"yours:{at.id}:{seat}:{at.holders[seat].token_no}", "The seat is yours"
    draft = Draft(key, "invitation", f"[{at.id}] {subject}", text)
    put_to_seat(work, at, at.holders[seat], draft.answering(letter))


def position(work: Work, at: GameAt) -> str:
    number = bulletins.newest(work.conn, at.id)
    if number is None:
        return ""
    after = games.game_at(work.conn, at.id, min(number + 1, at.game.period))
    before = bulletins.scores(work.conn, at.id, number)
    try:
        issue = templates.pictured(after.ruleset, after.state, at.seats, number, "", (), before)
        known = picture.known(issue)
        said = picture.alt(templates.environment(), issue.key, "chart", known)
    except Exception:  # a mail does not wait for it, as with pictures
        log.exception("no position", game=at.id, bulletin=number)
        return ""
    said = said.removeprefix("A chart of ")
    return f"{said[:1].upper()}{said[1:]}" if issue.course else ""


def _text(name: str, at: GameAt, seat: Seat, **more: Any) -> str:
    template = templates.environment().get_template(f"_shared/{name}.txt.j2")
    known = {"title": at.ruleset.about.title, "period": own_page.name(at)}
    return template.render(at=at, seat=seat, deadline=publishing.deadline_text(at), **known, **more)


def _put(
    work: Work,
    at: GameAt,
    who: PersonRow | OfferRow,
    name: str,
    seat: Seat,
    subject: str,
    **more: Any,
) -> None:
    """Mail a template about a seat to somebody who may take it."""
    standing = standbys.of_player(work.conn, at.id, who.player_id)
    text = _text(name, at, seat, standing=standing is not None, **more)
    kind = name.replace("_", "-")
    key = f"{kind}:{at.id}:{seat}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, KIND, f"[{at.id}] {subject}", text)
    if standing:
        put_to_standby(work, at, standing, draft)
    else:
        put_to_person(work, at, who.address, who.face, draft)


# --- a seat falls free, and is free no more -------------------------------------------------------


def free(work: Work, at: GameAt, seat: Seat, why: Freed) -> None:
    """Look for another player, once."""
    if FreeSeat.one(work.conn, game_id=at.id, seat=seat):
        return
    holder = at.holders[seat]
    asked = why is Freed.QUIT  # the gamesmaster has been told, and whether anybody is there
    told = asked and not any(reach(work, at, seat))
    row = FreeSeat(at.id, seat, holder.player_id, why, work.now, at.period.number, told)
    FreeSeat.add(work.conn, **row._asdict())
    notes.note(work.conn, at.id, work.now, "free", seat=seat, why=why)
    _tell_passed_over(work, at, seat)
    if not asked:
        given_up(work, at, row)


def stays(work: Work, at: GameAt, seat: Seat) -> bool:
    """Keep the player; void offers. Return whether it was free."""
    return _close(work, at, seat, "stays", "kept")


def taken(work: Work, at: GameAt, seat: Seat, player_id: int) -> None:
    """Void a taken seat's offers, and others to its player."""
    row = FreeSeat.one(work.conn, game_id=at.id, seat=seat)
    for one in offers.made(work.conn, row) if row else ():
        if one.player_id == player_id:  # also after its time
            offers.set_state(work.conn, one, OfferState.TAKEN)
    declined(work, at, player_id)
    _close(work, at, seat, "taken", "")
    Observer.drop(work.conn, game_id=at.id, player_id=player_id)
    for waiting in open_tables.waiting_list(work.conn, at.id):
        if waiting.player_id == player_id:
            open_tables.try_applicant(work.conn, waiting.id, ApplicantState.GONE)


def declined(work: Work, at: GameAt, player_id: int) -> None:
    for one in offers.open_offers(work.conn, at.id):
        if one.player_id == player_id:
            offers.set_state(work.conn, one, OfferState.VOID)


def over(work: Work, at: GameAt) -> None:
    for row in offers.of_game(work.conn, at.id):
        _close(work, at, row.seat, "over", "")


def _close(work: Work, at: GameAt, seat: Seat, why: str, kind: str) -> bool:
    """End the search and tell why; journal ``kind`` unless ""."""
    for one in offers.open_offers(work.conn, at.id):
        if one.seat == seat:
            offers.set_state(work.conn, one, OfferState.VOID)
            gone(work, at, one, why)
    was = FreeSeat.drop(work.conn, game_id=at.id, seat=seat) > 0
    if was and at.holders[seat].bot and why != "over":
        games.set_seat(work.conn, at.id, seat, bot="")
    if was and kind:
        notes.note(work.conn, at.id, work.now, kind, seat=seat)
    return was


def open_to(work: Work, address: str) -> list[str]:
    """Return a sentence for each seat offered."""
    told = []
    for one in offers.open_to(work.conn, address):
        at = games.game_at(work.conn, one.game_id)
        until = own_page.moment_text(at, one.until)
        told.append(
            f"{one.seat} in game {at.id} is offered to you until {until}. To take it, answer that"
            " mail with the line in it that begins with the word CONFIRM."
        )
    return told


# --- by the clock ---------------------------------------------------------------------------------


def advance(work: Work, game_id: str, seat: Seat) -> None:
    """End old offers and make the next, or tell the gamesmaster once."""
    at = games.game_at(work.conn, game_id)
    row = FreeSeat.one(work.conn, game_id=game_id, seat=seat)
    if row is None or at.game.status != GameState.RUNNING:
        return  # another daemon did it
    if not _still_free(work, at, row):
        return
    _end_old(work, at, row)
    made = _ask_next(work, at, row)
    if made:
        FreeSeat.change(work.conn, {"game_id": at.id, "seat": seat}, told=False)
    elif not row.told and row.why is not Freed.BOT and not _open(work, row):
        _tell_nobody(work, at, row)
        FreeSeat.change(work.conn, {"game_id": at.id, "seat": seat}, told=True)


def _still_free(work: Work, at: GameAt, row: FreeSeat) -> bool:
    if at.holders[row.seat].player_id != row.player_id:
        _close(work, at, row.seat, "taken", "kept")
        return False
    if row.seat not in at.ruleset.asked(at.state):
        _close(work, at, row.seat, "out", "kept")
        games.set_seat(work.conn, at.id, row.seat, quits=None)
        return False
    return True


def _open(work: Work, row: FreeSeat) -> list[OfferRow]:
    return [one for one in offers.made(work.conn, row) if one.state is OfferState.OPEN]


def _end_old(work: Work, at: GameAt, row: FreeSeat) -> None:
    """Void old offers; a stand-by asked alone loses his place."""
    for one in _open(work, row):
        if one.until > work.now:
            continue
        offers.set_state(work.conn, one, OfferState.VOID)
        notes.note(work.conn, at.id, work.now, "offer-ended", seat=one.seat, player=one.player_id)
        standing = standbys.of_player(work.conn, at.id, one.player_id)
        if standing:
            passed(work, at, one)
            Standby.change(work.conn, {"id": standing.id}, invited_for=one.seat, reply_by=one.until)


def _ask_next(work: Work, at: GameAt, row: FreeSeat) -> bool:
    still = _open(work, row)
    if any(one.alone for one in still):
        return False
    standing, others = _askable(work, at, row)
    alone = bool(standing) and not still
    asked = standing[:1] if alone else [*standing, *others]
    if not asked:
        return False
    until = _until(work, at, row)
    more = {
        "alone": alone,
        "until": own_page.moment_text(at, until),
        "why": row.why,
        "position": position(work, at),
        "awaited": at.ruleset.about.awaited,
        "waits": row.why is Freed.LIST and at.period.due == until,
    }
    for who in asked:
        moment = work.now.isoformat()
        code = work.mark.code(f"offer/{at.id}/{row.seat}/{who.player_id}/{moment}")
        offers.new(work.conn, row, who, work.now, until, code_hash(code), alone=alone)
        subject = f"Will you play {row.seat}?"
        _put(work, at, who, "offer", row.seat, subject, code=code, **more)
    ids = [who.player_id for who in asked]
    notes.note(work.conn, at.id, work.now, "offered", seat=row.seat, players=ids, alone=alone)
    return True


def _askable(work: Work, at: GameAt, row: FreeSeat) -> tuple[list[PersonRow], list[PersonRow]]:
    before = {one.player_id for one in offers.made(work.conn, row)}
    busy = {one.player_id for one in offers.open_offers(work.conn, at.id) if one.alone}
    seen = before | busy
    found: tuple[list[PersonRow], list[PersonRow]] = ([], [])
    for who, stands_by in _in_turn(work, at, row):
        if who.player_id not in seen and not persons.to_take(work, at.id, who.player_id, row.seat):
            found[not stands_by].append(who)
        seen.add(who.player_id)
    return found


def _in_turn(work: Work, at: GameAt, row: FreeSeat) -> Iterator[tuple[PersonRow, bool]]:
    """Yield who may claim a seat, best first, and whether he stands by: stand-bys, waiting list,
    observers. These are not asked for the seat of a bot."""
    for who in standbys.of_game(work.conn, at.id):
        yield PersonRow(who.player_id, who.name, who.address, who.face), True
    for one in open_tables.waiting_list(work.conn, at.id):
        if one.player_id is not None:
            yield PersonRow(one.player_id, one.name, one.mail, one.face), False
    for seen in [] if row.why is Freed.BOT else standbys.watching(work.conn, at.id):
        yield PersonRow(seen.player_id, seen.name, seen.address, seen.face), False


def reach(work: Work, at: GameAt, *seats: Seat) -> tuple[int, int]:
    """Return how many of each could take one."""
    now, still = work.now, offers.open_offers(work.conn, at.id)
    both: tuple[set[int], set[int]] = (set(), set())
    for seat in seats:
        row = FreeSeat.one(work.conn, game_id=at.id, seat=seat) or FreeSeat(
            at.id, seat, None, Freed.LIST, now, at.period.number, told=False
        )
        for found, people in zip(both, _askable(work, at, row), strict=True):
            found |= {one.player_id for one in people}
        both[0].update(one.player_id for one in still if one.seat == seat)
    standing, others = both
    return len(standing), len(others - standing)


def _until(work: Work, at: GameAt, row: FreeSeat) -> datetime:
    due, moves = at.period.due, calendar.moves(at.period.moves)
    waits = row.why is Freed.LIST and row.period == at.period.number
    if waits and due and due > work.now and house_rules.waits(moves):
        return due
    return calendar.by_when(work.now, at.house.offered, at.house, at.zone)


# --- the gamesmaster ------------------------------------------------------------------------------


def _tell_passed_over(work: Work, at: GameAt, seat: Seat) -> None:
    standing = standbys.of_game(work.conn, at.id)
    doubts = (persons.to_take(work, at.id, one.player_id, seat) for one in standing)
    if reasons := list(chain.from_iterable(doubts)):
        command = f"replace {at.id} {seat} ADDRESS --anyway"
        text = (
            f"{seat} in game {at.id} needs a new player. Passed over: {'; '.join(reasons)}. To give"
            f" {seat} to one of them all the same: `pbem {command}`"
        )
        subject = f"{at.id}: stand-by players who are passed over"
        key = f"passed-over:{at.id}:{seat}"
        alarms.tell(work, key, subject, text, at.id, commands=(command,))


def _tell_nobody(work: Work, at: GameAt, row: FreeSeat) -> None:
    seat, asked = row.seat, [one.name for one in offers.made(work.conn, row)]
    so_far = (
        f"Asked and not taken by: {listed(asked)}."
        if asked
        else "Nobody stands by for the game, waits for a place in it or watches it."
    )
    commands = (f"standby {at.id} ADDRESS", f"replace {at.id} {seat} ADDRESS")
    text = (
        f"{seat} ({at.holders[seat].name}) in game {at.id} needs another player"
        f" ({WHY[row.why]}), and nobody has taken it. {so_far}\n\nTo have somebody"
        f" asked: `pbem {commands[0]}`. To give it to somebody: `pbem {commands[1]}`. Anyone who"
        " comes to stand by, to wait or to watch is asked alone."
    )
    public = "A seat needs another player, and nobody has taken it."
    subject = f"nobody takes {seat} in {at.id}"
    alarms.tell(work, f"nobody:{at.id}:{seat}", subject, text, at.id, public, commands)


STANDBY = "standby"
OFF = "To stand by no longer, answer this mail with the one word\u00a0QUIT."


def enlisted(work: Work, at: GameAt, who: StandbyRow) -> None:
    text = (
        f"You stand by for game {at.id}, {at.ruleset.about.title}: when a seat of it needs a new"
        " player, it is offered to the one who has stood by the longest.\n\nUntil then you have"
        " nothing to do, and get none of the game's mails. When your turn comes you are mailed"
        " which seat it is, how the game stands, and by when to answer with a code if you will"
        " play it. Then the rules, the newest bulletin and the seat's own notice come. If you do"
        " not answer by that date, others are asked, and you stand by no longer.\n\n"
        f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, at)}"
    )
    _mail_standby(work, at, who, f"You stand by for game {at.id}", text)


def withdrawn(work: Work, at: GameAt, who: StandbyRow, why: str) -> None:
    because = f" The reason: {safe(why.strip())}" if why.strip() else ""
    text = (
        f"The gamesmaster has taken you off the list of those who stand by for game {at.id},"
        f" {at.ruleset.about.title}. You are offered no seat of it any more.{because}\n\nYou can"
        f" ask: {_gamesmaster(work, at)}"
    )
    _mail_standby(work, at, who, f"You stand by for game {at.id} no longer", text)


def answer(
    work: Work, at: GameAt, who: StandbyRow, letter_id: int, letter: Letter, *, gone: bool
) -> None:
    """Answer: he is off (``gone``), or nothing was taken."""
    offered = " ".join(open_to(work, who.address))
    text = (
        f"You stand by for game {at.id} no longer, and the gamesmaster has been told. Thank you for"
        " having stood by."
        if gone
        else (
            f"You stand by for game {at.id} and play no seat of it yet, so nothing of your letter"
            f" was taken. {offered or 'You will be mailed when a seat is offered to you.'}\n\n"
            f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, at)}"
        )
    )
    subject = f"Re: {letter.subject.strip() or f'[{at.id}] standing by'}"
    draft = Draft(f"standby-answer:{letter_id}", STANDBY, subject, text).answering(letter)
    put_to_standby(work, at, who, draft)


def told_free(work: Work, at: GameAt) -> None:
    text = (
        f"Game {at.id}, {at.ruleset.about.title}, is over, and no seat of it will need a new player"
        " any more. You stand by for it no longer.\n\nThank you for having stood by."
    )
    for who in standbys.of_game(work.conn, at.id):
        _mail_standby(work, at, who, f"Game {at.id} is over: you stand by no longer", text)
        Standby.drop(work.conn, game_id=at.id, player_id=who.player_id, invited_for="")


def _mail_standby(work: Work, at: GameAt, who: StandbyRow, subject: str, text: str) -> None:
    key = f"standby:{at.id}:{who.id}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"  # ids come again
    put_to_standby(work, at, who, Draft(key, STANDBY, f"[{at.id}] {subject}", text))


def _gamesmaster(work: Work, at: GameAt) -> str:
    return masters.of(work.conn, work.mark, at.id).contact


def enlist(work: Work, game_id: str, address: str, name: str, *, anyway: bool = False) -> None:
    """Add a stand-by player behind the others, told when the game begins."""
    at = not_over(work.conn, game_id)
    player_id = persons.registered(work, address, name)
    doubts = persons.called(work, player_id) + persons.to_stand_by(work, game_id, player_id)
    doubted = meant(doubts, anyway)
    Standby.add(work.conn, game_id=game_id, player_id=player_id)
    notes.note(work.conn, game_id, work.now, "standby", player=player_id, **doubted)
    if at is not None:
        enlisted(work, at, standbys.of_game(work.conn, game_id)[-1])


def quits(work: Work, at: GameAt, who: StandbyRow) -> None:
    declined(work, at, who.player_id)
    Standby.drop(work.conn, game_id=at.id, player_id=who.player_id, invited_for="")
    notes.note(work.conn, at.id, work.now, "standby-quit", player=who.player_id)
    left = standbys.waiting(work.conn, at.id)
    rest = (
        f"Players who can still be called on: {left}."
        if left
        else f"Nobody else can be called on: `pbem standby {at.id} ADDRESS`"
    )
    text = f"{who.name} stands by for game {at.id} no longer, as they asked. {rest}"
    subject = f"{who.name} stands by for {at.id} no longer"
    commands = () if left else (f"standby {at.id} ADDRESS",)
    key = f"standby-quit:{at.id}:{who.id}"
    alarms.tell(work, key, subject, text, at.id, commands=commands)


def withdraw(work: Work, game_id: str, address: str, why: str) -> None:
    """Raise OperatorError if he does not stand by."""
    at = not_over(work.conn, game_id)
    player_id = players.at_address(work.conn, address)
    who = standbys.of_player(work.conn, game_id, player_id) if player_id is not None else None
    if who is None:
        raise OperatorError(f"{address} does not stand by for {game_id}")
    if at is not None:
        declined(work, at, who.player_id)
        withdrawn(work, at, who, why)
    Standby.drop(work.conn, game_id=game_id, player_id=who.player_id, invited_for="")
    notes.note(work.conn, game_id, work.now, "standby-withdrawn", player=who.player_id, why=why)


def silent(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat without answer (house rule 7)."""
    at = games.game_at(work.conn, game_id)
    until = at.holders[seat].asked_until
    if until is not None and until <= work.now:  # else another daemon has seen to it meanwhile
        games.set_seat(work.conn, game_id, seat, asked_until=None)
        free(work, at, seat, Freed.SILENT)


def leaving(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return seats to relieve, not yet offered."""
    free = set(offers.running(conn))
    return [one for one in games.quitting(conn) if one not in free]


def searched(conn: Connection, now: datetime) -> list[SeatKey]:
    """Return the free seats of running games, the earliest first."""
    return offers.running(conn)


def relieved(work: Work, game_id: str, seat: str) -> None:
    """Offer a seat to relieve (house rule 6)."""
    at = games.game_at(work.conn, game_id)
    if at.holders[seat].quits is not None:  # else another daemon has seen to it meanwhile
        free(work, at, seat, Freed.QUIT)


# --- the seat goes to another player --------------------------------------------------------------


def take_over(
    work: Work, at: GameAt, seat: str, player_id: int, why: str, **doubted: list[str]
) -> None:
    """Give a seat a new token, start mail and last bulletin; tell all. The former player knows its
    secrets.

    ``doubted``: for the journal.
    """
    game_id = at.id
    if (former := at.holders[seat].player_id) is not None:
        Privy.try_add(work.conn, game_id=game_id, seat=seat, player_id=former)
    free = FreeSeat.one(work.conn, game_id=game_id, seat=seat)
    if free or at.holders[seat].quits or at.holders[seat].asked_until:
        record.count_given_up(work, at, seat)
    taken(work, at, seat, player_id)
    text = (
        f"You no longer play in game {game_id} as {seat} ({why}).\n\nThank you for having played.\n"
    )
    key = f"replaced:{game_id}:{seat}:{at.holders[seat].token_no}"
    subject = f"[{game_id}] Your seat has a new player"
    put_to_seat(work, at, at.holders[seat], Draft(key, "replaced", subject, text))
    games.set_seat(
        work.conn,
        game_id,
        seat,
        player_id=player_id,
        missed=0,
        asked_until=None,
        heard=at.period.number,
        quits=None,
        bot="",
    )
    Ballot.drop(work.conn, game_id=game_id, seat=seat)
    set_token(work, game_id, seat, at.holders[seat].token_no + 1)
    if standing := standbys.of_player(work.conn, game_id, player_id):
        Standby.change(work.conn, {"id": standing.id}, invited_for=seat, reply_by=None)
    notes.note(work.conn, game_id, work.now, "replaced", seat=seat, why=why, **doubted)
    at = games.game_at(work.conn, game_id)
    name = at.player(seat)
    said = f"The seat\u00a0{seat} has a new player{f': {name}' if name else ''} ({why})."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    _hand_over(work, at, seat)
    start_mails.send(work, at, at.holders[seat])
    brief(work, at, seat)


def _hand_over(work: Work, at: GameAt, seat: str) -> None:
    """Keep orders, not RESIGN, READY, WAIT."""
    last = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    stood = order_sets.orders_of(at, last)
    if staying(stood) != stood or readiness.of(last) is not Said.NOTHING:
        order_sets.save_orders(
            work.conn,
            at,
            seat,
            staying(stood),
            last,
            said=Said.NOTHING,
            letter_id=None,
            now=work.now,
        )


def brief(work: Work, at: GameAt, seat: str, to: Holder | None = None) -> None:
    last = at.period.number - 1 if at.period.status != PeriodState.REVIEW else at.period.number - 2
    newest = bulletins.of_period(work.conn, at.id, last)
    if newest:
        edition = max(row.edition for row in newest.values())
        made = {of: row.text for of, row in newest.items()}
        headline = str(newest[""].frame.get("headline", ""))
        after = games.game_at(work.conn, at.id, min(last + 1, at.game.period))
        closed, before = (
            periods.closed(work.conn, at.id, last),
            bulletins.scores(work.conn, at.id, last),
        )
        drawn = drawing.svgs(after, last, closed, before)
        dated, pngs = own_page.issue(work, after), drawing.Pngs(drawn)
        head = str(newest[""].frame.get("journal", ""))
        printed = issue_mails.Printed(last, edition, made, headline, dated, pngs, head)
        issue_mails.issue(work, after, [to or at.holders[seat]], printed)
