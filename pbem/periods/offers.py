"""Offer seats that fall free (house rules 6 to 8).

Stand-bys are asked in turn, each alone until a date, then waiting list and observers at once. The
seat stays its player's until a code takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from pbem.games.frame import calendar, house_rules
from pbem.games.frame.events import Seat
from pbem.periods import offer_mails, own_page, persons
from pbem.post import alarms
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.joining import offers, open_tables
from pbem.store.joining.offers import OfferRow, PersonRow
from pbem.store.journal import notes
from pbem.store.people import standbys
from pbem.store.schema.states import ApplicantState, Freed, GameState, OfferState
from pbem.store.schema.tables import FreeSeat, Observer, Standby
from pbem.text import listed

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
        offer_mails.given_up(work, at, row)


def stays(work: Work, at: GameAt, seat: Seat) -> bool:
    """Keep the player; void offers. Return whether it was free."""
    return _close(work, at, seat, "stays", "kept")


def taken(work: Work, at: GameAt, seat: Seat, player_id: int) -> None:
    """Void a taken seat's offers, and others to its player."""
    row = FreeSeat.one(work.conn, game_id=at.id, seat=seat)
    for one in offers.made(work.conn, row) if row else ():
        if one.player_id == player_id:  # also after its time
            offers.set_state(work.conn, one, OfferState.TAKEN)
    for one in offers.open_offers(work.conn, at.id):
        if one.player_id == player_id:
            offers.set_state(work.conn, one, OfferState.VOID)
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
            offer_mails.gone(work, at, one, why)
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
            offer_mails.passed(work, at, one)
            Standby.change(work.conn, {"id": standing.id}, invited_for=one.seat, reply_by=one.until)


def _ask_next(work: Work, at: GameAt, row: FreeSeat) -> bool:
    still = _open(work, row)
    if any(one.alone for one in still):
        return False
    standing, others = _askable(work, at, row)
    alone = bool(standing) and not still
    asked = standing[:1] if alone else [*standing, *others]
    until = _until(work, at, row)
    for who in asked:
        moment = work.now.isoformat()
        code = work.mark.code(f"offer/{at.id}/{row.seat}/{who.player_id}/{moment}")
        offers.new(work.conn, row, who, work.now, until, code_hash(code), alone=alone)
        offer_mails.offered(work, at, row, offer_mails.Offered(who, until, code, alone))
    if asked:
        ids = [who.player_id for who in asked]
        notes.note(work.conn, at.id, work.now, "offered", seat=row.seat, players=ids, alone=alone)
    return bool(asked)


def _askable(work: Work, at: GameAt, row: FreeSeat) -> tuple[list[PersonRow], list[PersonRow]]:
    before = {one.player_id for one in offers.made(work.conn, row)}
    busy = {one.player_id for one in offers.open_offers(work.conn, at.id) if one.alone}
    found: list[list[PersonRow]] = []
    for people in (_standing(work, at), _others(work, at, row)):
        new = [one for one in people if one.player_id not in before | busy]
        found.append([one for one in new if _may(work, at, row.seat, one)])
        before |= {one.player_id for one in new}
    standing, others = found
    return standing, list({one.player_id: one for one in others}.values())


def _standing(work: Work, at: GameAt) -> list[PersonRow]:
    found = standbys.of_game(work.conn, at.id)
    return [PersonRow(one.player_id, one.name, one.address, one.face) for one in found]


def _others(work: Work, at: GameAt, row: FreeSeat) -> list[PersonRow]:
    """Return waiting list, then observers; these are not asked for the seat of a bot."""
    wait = open_tables.waiting_list(work.conn, at.id)
    watch = [] if row.why is Freed.BOT else standbys.watching(work.conn, at.id)
    return [
        *(
            PersonRow(one.player_id, one.name, one.mail, one.face)
            for one in wait
            if one.player_id is not None
        ),
        *(PersonRow(one.player_id, one.name, one.address, one.face) for one in watch),
    ]


def _may(work: Work, at: GameAt, seat: Seat, who: PersonRow) -> bool:
    return not persons.to_take(work, at.id, who.player_id, seat)


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
    if reasons := list(_passed_over(work, at, seat)):
        command = f"replace {at.id} {seat} ADDRESS --anyway"
        text = (
            f"{seat} in game {at.id} needs a new player. Passed over: {'; '.join(reasons)}. To give"
            f" {seat} to one of them all the same: `pbem {command}`"
        )
        subject = f"{at.id}: stand-by players who are passed over"
        key = f"passed-over:{at.id}:{seat}"
        alarms.tell(work, key, subject, text, at.id, commands=(command,))


def _passed_over(work: Work, at: GameAt, seat: Seat) -> Iterator[str]:
    for one in standbys.of_game(work.conn, at.id):
        yield from persons.to_take(work, at.id, one.player_id, seat)


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
        f" ({offer_mails.WHY[row.why]}), and nobody has taken it. {so_far}\n\nTo have somebody"
        f" asked: `pbem {commands[0]}`. To give it to somebody: `pbem {commands[1]}`. Anyone who"
        " comes to stand by, to wait or to watch is asked by himself."
    )
    public = "A seat needs another player, and nobody has taken it."
    subject = f"nobody takes {seat} in {at.id}"
    alarms.tell(work, f"nobody:{at.id}:{seat}", subject, text, at.id, public, commands)
