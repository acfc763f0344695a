"""The seats of a game, and how reliable their players are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from pbem.desk.game import when
from pbem.games.frame.adjudication import owed
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.referee.gamesmaster.sight import Sight
from pbem.store.games import games, order_sets, press
from pbem.store.games.game_rows import Holder, Tally
from pbem.store.games.games import GameAt
from pbem.store.joining import offers
from pbem.store.letters.letter_rows import AddressRow
from pbem.store.people import deputies, player_records, players, standbys
from pbem.store.schema.states import DeputyState, GameState, OfferState, PeriodState
from pbem.text import counted, listed
from pbem.website import public


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat and its player."""

    seat: Seat
    words: str
    player: str
    """"" for nobody, or if secret."""
    address: str = ""
    """"" for nobody, or if secret."""
    owes: Sequence[str] = ()
    is_in: bool = False
    missed: int = 0
    record: str = ""
    remarks: Sequence[str] = ()
    """Signs whether the player will move."""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Standby:
    """A stand-by, in the order of joining."""

    player: str
    address: str


def seats(sight: Sight, at: GameAt) -> list[Standing]:
    """Return the seats in joining order, with what he may know."""
    words = {seat: templates.seat_words(at.ruleset, at.state, seat) for seat in at.seats}
    if not sight.looks_into(at.id):
        names = public.names(at)
        return [Standing(seat, words[seat], names.get(seat, "")) for seat in at.seats]
    owing, moved = _moves(sight, at)
    tallies = player_records.tallies(sight.conn, [at.id])[at.id]
    troubled = {row.address: row for row in players.troubled(sight.conn, at.id)}
    remarks = _remarks(sight, at)
    return [
        Standing(
            seat,
            words[seat],
            holder.name,
            holder.address,
            templates.slots_words(at.ruleset, at.state, owing.get(seat, ())),
            seat in moved,
            holder.missed,
            _record(tallies.get(seat, Tally())),
            remarks[seat],
            _trouble(troubled.get(holder.address)),
        )
        for seat, holder in at.holders.items()
    ]


def seated(sight: Sight, game_id: str) -> list[Standing]:
    """Return the players of a game that has not begun or cannot be read. Empty if he may not look
    into it."""
    if not sight.looks_into(game_id):
        return []
    troubled = {row.address: row for row in players.troubled(sight.conn, game_id)}
    return [
        Standing(seat, seat, who.name, who.address, trouble=_trouble(troubled.get(who.address)))
        for seat, who in games.holders(sight.conn, game_id).items()
    ]


def _moves(sight: Sight, at: GameAt) -> tuple[Mapping[Seat, Sequence[str]], frozenset[Seat]]:
    if at.game.status == GameState.OVER or at.period.status != PeriodState.OPEN:
        return {}, frozenset()
    standing = order_sets.all_standing(sight.conn, at)
    return owed(at.ruleset, at.state, at.seats, standing), frozenset(standing)


def _record(tally: Tally) -> str:
    if not any(tally):
        return "no moves counted yet"
    moves = f"{tally.missed:,} of {counted(tally.due, 'move')} missed"
    more = [
        counted(number, one, many)
        for number, one, many in (
            (tally.given_up, "seat given up", "seats given up"),
            (tally.finished, "game finished", "games finished"),
        )
        if number
    ]
    return ", ".join([moves, *more])


def _remarks(sight: Sight, at: GameAt) -> dict[Seat, list[str]]:
    found = {seat: list(_of_holder(sight, at, holder)) for seat, holder in at.holders.items()}
    for free in offers.of_game(sight.conn, at.id):
        asked = [one for one in offers.made(sight.conn, free) if one.state is OfferState.OPEN]
        names = listed(one.name for one in asked)
        to = f"is offered to {names}" if asked else "is offered to nobody yet"
        found[free.seat].append(f"the seat is free since {when(at.zone, free.since)}, and {to}")
    return found


def _of_holder(sight: Sight, at: GameAt, holder: Holder) -> Iterator[str]:
    own = partial(when, at.zone)
    if holder.quits:
        yield f"has asked to be relieved on {own(holder.quits)}"
    if holder.asked_until:
        yield f"was asked if he plays on, until {own(holder.asked_until)}"
    warned = press.warned(sight.conn, at.id, holder)
    if warned.until and warned.until > sight.work.now:
        yield f"the press of this player is suspended until {own(warned.until)}"
    elif warned.times:
        yield f"was warned about press {counted(warned.times, 'time')}"
    who = deputies.of_seat(sight.conn, at.id, holder.seat)
    if who is not None:
        until = f" until {own(who.last)}" if who.last else ""
        asked = "asked to be deputy" if who.state == DeputyState.ASKED else "deputy"
        yield f"{asked}: {who.name or who.address} from {own(who.first)}{until}"


def _trouble(row: AddressRow | None) -> str:
    if row is None:
        return ""
    back = [
        f"{counted(number, 'mail')} came back {how}"
        for number, how in ((row.hard_bounces, "for good"), (row.soft_bounces, "for now"))
        if number
    ]
    return f"{', '.join(back)}; the last: {row.last_bounce}"


def stand_by(sight: Sight, game_id: str) -> list[Standby]:
    return [Standby(one.name, one.address) for one in standbys.of_game(sight.conn, game_id)]
