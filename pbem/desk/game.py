"""A game as its gamesmaster's page shows it. :class:`~pbem.referee.gamesmaster.waits.Sight` hides
what its gamesmaster may not see while playing."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from string import Formatter
from typing import Any, NamedTuple

from sqlalchemy.exc import DBAPIError

from pbem.acts.acts import ACTS, NEW
from pbem.desk import times
from pbem.desk.asked import NotThere
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed
from pbem.games.frame.calendar import Deadline
from pbem.games.frame.events import Seat
from pbem.house import resources, shelf, templates
from pbem.pages import sheet
from pbem.periods import own_page, publishing
from pbem.periods.guards import may_act, may_name
from pbem.referee.gamesmaster.waits import Sight
from pbem.store.games import bulletins, games, order_sets, press
from pbem.store.games.game_rows import GameRow, Holder, Tally
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants
from pbem.store.journal.notes import LookKind
from pbem.store.people import deputies, player_records, players
from pbem.store.people.players import AddressRow
from pbem.store.schema.states import DeputyState, Freed, GameState, PeriodState
from pbem.store.schema.tables import Journal
from pbem.text import counted, listed
from pbem.website import public

_FREED = {
    Freed.QUIT: "its player asked to be relieved",
    Freed.SILENT: "its player was silent",
    Freed.LIST: "its player sent no list",
    Freed.BOT: "a house bot plays it",
}
Said = str | Sequence[str]
_LOOKS: Mapping[LookKind, Said] = {
    LookKind.PREVIEW: "a bulletin before its time",
    LookKind.DRY_RUN: "what a rewind would change",
    LookKind.ORDER: (
        "the orders of {seat}, as they entered some",
        "the orders of a seat, as they entered some",
    ),
    LookKind.ACCEPT: ("letter {letter}, which they accepted", "a letter that they accepted"),
    LookKind.LETTER: ("letter {letter}", "a letter"),
    LookKind.PRESS: (
        "private words between players, in letter {letter}",
        "private words between players",
    ),
    LookKind.EXPORT: "the whole record",
    LookKind.MAIL: ("mail {mail}, to {seat}", "a private mail"),
}
WORDS: Mapping[str, Said] = {
    **tomllib.loads(resources.text("rules", "journal.toml")),
    **{kind: said for act in (NEW, *ACTS) for kind, said in act.journal.items()},
}
"""The sentences for journal entries by kind."""


def entry_words(kind: str, facts: Mapping[str, Any]) -> str:
    if said := _first(WORDS.get(kind, ()), _known(kind, facts)):
        return said
    plain = [f"{name} {value}" for name, value in facts.items()]
    return f"{', '.join([kind.replace('-', ' ').capitalize(), *plain])}."


def _first(said: Said, known: Mapping[str, Any]) -> str:
    """Return the first sentence whose facts are there, or "". Old entries lack some."""
    each = (said,) if isinstance(said, str) else said
    return next((one.format_map(known) for one in each if needs(one) <= known.keys()), "")


def needs(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def _known(kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    known = {
        name: listed(map(str, value)) if isinstance(value, (list, tuple)) else value
        for name, value in facts.items()
        if value not in (None, "")
    }
    if isinstance(why := known.get("why"), str):
        known["why"] = why.rstrip(".")
    edition = facts.get("edition", 1)
    if facts.get("deputy") is True:
        known["whose"] = "The deputy"
    return {
        **known,
        "corrected": f", corrected ({edition})" if edition > 1 else "",
        "freed": _FREED[Freed(facts["why"])] if kind == "free" else "",
        "looked": _first(_LOOKS[LookKind(facts["at"])], known) if kind == "look" else "",
    }


def _opened(sight: Sight, game_id: str) -> tuple[GameRow, GameAt | None, str]:
    """Return a game's record, its open period (None before the start, or if the record cannot be
    read), and why it cannot be read, or "". Raise NotThere if it may not be seen."""
    found = games.several(sight.conn, [game_id])
    if not found or not sight.lists(game_id):
        raise NotThere(f"you have no game {game_id}")
    ((row, load),) = found
    try:
        return row, load(), ""
    except DBAPIError:
        raise
    except Exception as error:  # what it says may show a secret
        return row, None, type(error).__name__


def table(sight: Sight, game_id: str) -> GameAt:
    """Return a game that has begun and can be read. Raise NotThere."""
    _, game, fault = _opened(sight, game_id)
    if game is None:
        why = "cannot be read" if fault else "has not begun"
        raise NotThere(f"game {game_id} {why}: there is nothing to be seen of it")
    return game


def secret_table(sight: Sight, game_id: str) -> GameAt:
    """Return a game, if its secrets may be seen. Raise OperatorError with the reason."""
    at = table(sight, game_id)
    if why := not_for_him(sight, game_id):
        raise OperatorError(why)
    return at


def not_for_him(sight: Sight, game_id: str) -> str:
    """Return why the gamesmaster sees no more than the players, or ""."""
    if sight.looks_into(game_id):
        return ""
    return _why_not(may_act, sight, game_id) or "what is not public of it is not for you"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a game's page."""

    row: GameRow
    at: GameAt | None
    """None before the start, or if the record cannot be read."""
    fault: str
    """Why the record cannot be read, or ""."""
    kept: str
    """Why not all of the game is seen."""
    title: str
    gamesmaster: str
    phase: str
    deadline: str
    left: str
    ended: str
    names: bool

    @property
    def runs(self) -> bool:
        """Whether it is being played, even if held."""
        return self.row.status in (GameState.RUNNING, GameState.HELD)

    @property
    def whole(self) -> bool:
        return not self.kept

    @property
    def stands(self) -> PeriodState | None:
        return self.at.period.status if self.at else None

    @property
    def open(self) -> bool:
        """Whether orders for its period are taken."""
        return self.runs and self.stands not in (None, PeriodState.REVIEW, PeriodState.CLOSING)

    @property
    def review(self) -> int | None:
        """The bulletin that waits for release."""
        if self.at is None or self.stands != PeriodState.REVIEW:
            return None
        return self.at.period.number - 1


def head(sight: Sight, game_id: str) -> Head:
    """Return the head of a game's page. Raise NotThere if it may not be seen."""
    row, game, fault = _opened(sight, game_id)
    line = public.game_summary(sight.conn, game) if game else None
    return Head(
        row,
        game,
        fault,
        not_for_him(sight, row.id),
        shelf.open_ruleset(row.ruleset).about.title,
        row.gamesmaster or sight.work.mark.gamesmaster,
        line.period if line else "",
        times.deadline(sight.work, line.due, game.house.hour, row.zone).words
        if game and line and line.due
        else "",
        own_page.time_left(game, sight.work.now) if game and line and line.deadline else "",
        public.ended(game) if game and row.status == GameState.OVER else "",
        not _why_not(may_name, sight, row.id),
    )


def _why_not(may: Callable[..., object], sight: Sight, game_id: str) -> str:
    try:
        may(sight.conn, sight.work.mark, game_id, sight.who)
    except OperatorError as error:
        return str(error)
    return ""


@dataclass(frozen=True, slots=True)
class Board:
    """The newest bulletin's board."""

    number: int
    pictures: Sequence[tuple[str, str]]
    """Names and descriptions."""
    standing: Sequence[tuple[Seat, str, str]]
    """Seat, player and score; the highest first."""


def board(sight: Sight, game: GameAt) -> Board | None:
    number = bulletins.newest(sight.conn, game.id)
    if number is None:
        return None
    row = bulletins.of_period(sight.conn, game.id, number)[""]
    alts = {one.name: one.alt for one in sheet.blocks(row.text) if isinstance(one, sheet.Picture)}
    names = row.frame.get("pictures") or {}
    result = game.result if game.row.status == GameState.OVER else None
    told = public.names(game)
    ranked = public.standing(result, row.frame.get("scores") or {})
    pictures = [(name, alts.get(name, name)) for name in names]
    return Board(number, pictures, [(seat, told.get(seat, ""), said) for seat, said in ranked])


STRETCHES = 8
"""Periods shown at a time."""
_STANDS = {PeriodState.OPEN: "open", PeriodState.CLOSING: "closing", PeriodState.CLOSED: "closed"}


class Stretch(NamedTuple):
    """A period in a time line."""

    at: GameAt
    name: str
    stands: str
    deadline: Deadline | None


def timeline(
    sight: Sight, game: GameAt, newest: int | None = None
) -> tuple[Sequence[Stretch], int]:
    """Return periods, the newest first, and where the next piece begins, or 0. newest: None for
    all."""
    ended = game.row.status == GameState.OVER and game.ruleset.result(game.state) is not None
    last = game.period.number - (game.period.status == PeriodState.REVIEW or ended)
    first = min(last, newest or last)
    numbers = range(first, max(0, first - STRETCHES), -1)
    found = []
    for then in (games.game_at(sight.conn, game.id, n) for n in numbers):
        ends = game.row.status == GameState.OVER and then.period.number == game.period.number
        stands = "the game ended in it" if ends else _STANDS[then.period.status]
        found.append(Stretch(then, own_page.name(then), stands, publishing.deadline_of(then)))
    return found, max(0, first - STRETCHES)


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


def seats(sight: Sight, game: GameAt) -> list[Standing]:
    """Return the seats in joining order, with what may be seen."""
    words = {seat: templates.seat_words(game.ruleset, game.state, seat) for seat in game.seats}
    if not sight.looks_into(game.id):
        names = public.names(game)
        return [Standing(seat, words[seat], names.get(seat, "")) for seat in game.seats]
    owing, moved = _moves(sight, game)
    tallies = player_records.tallies(sight.conn, [game.id])[game.id]
    remarks = _remarks(sight, game)
    return [
        replace(
            one,
            words=words[one.seat],
            owes=templates.slots_words(game.ruleset, game.state, owing.get(one.seat, ())),
            is_in=one.seat in moved,
            missed=game.holders[one.seat].missed,
            record=_record(tallies.get(one.seat, Tally())),
            remarks=remarks[one.seat],
        )
        for one in seated(sight, game.id)
    ]


def seated(sight: Sight, game_id: str) -> list[Standing]:
    """Return the players of a game that has not begun or cannot be read. Empty if the gamesmaster
    may not look into it."""
    if not sight.looks_into(game_id):
        return []
    troubled = {row.address: row for row in players.troubled(sight.conn, game_id)}
    return [
        Standing(seat, seat, who.name, who.address, trouble=_trouble(troubled.get(who.address)))
        for seat, who in games.holders(sight.conn, game_id).items()
    ]


def _moves(sight: Sight, game: GameAt) -> tuple[Mapping[Seat, Sequence[str]], frozenset[Seat]]:
    if game.row.status == GameState.OVER or game.period.status != PeriodState.OPEN:
        return {}, frozenset()
    standing = order_sets.all_standing(sight.conn, game)
    return owed(game.ruleset, game.state, game.seats, standing), frozenset(standing)


def _record(tally: Tally) -> str:
    if not any(tally):
        return "no moves counted yet"
    moves = f"{tally.missed:,} of {counted(tally.due, 'move')} missed"
    more = (
        (tally.given_up, "seat given up", "seats given up"),
        (tally.finished, "game finished", "games finished"),
    )
    return ", ".join([moves, *(counted(*one) for one in more if one[0])])


def _remarks(sight: Sight, game: GameAt) -> dict[Seat, list[str]]:
    found = {seat: list(_of_holder(sight, game, holder)) for seat, holder in game.holders.items()}
    for free in claimants.free_seats(sight.conn, game.id):
        asked = claimants.open_of_seat(sight.conn, game.id, free.seat)
        names = listed(one.name for one in asked)
        to = f"is offered to {names}" if asked else "is offered to nobody yet"
        found[free.seat].append(
            f"the seat is free since {times.words(sight.work, free.since, game.row.zone)}, and {to}"
        )
    return found


def _of_holder(sight: Sight, game: GameAt, holder: Holder) -> Iterator[str]:
    own = partial(times.words, sight.work, zone=game.row.zone)
    if holder.quits:
        yield f"has asked to be relieved on {own(holder.quits)}"
    if holder.asked_until:
        yield f"was asked if they play on, until {own(holder.asked_until)}"
    warned = press.warned(sight.conn, game.id, holder)
    if warned.until and warned.until > sight.work.now:
        yield f"the press of this player is suspended until {own(warned.until)}"
    elif warned.times:
        yield f"was warned about press {counted(warned.times, 'time')}"
    who = deputies.of_seat(sight.conn, game.id, holder.seat)
    if who is not None:
        until = f" until {own(who.last)}" if who.last else ""
        asked = "asked to be deputy" if who.state == DeputyState.ASKED else "deputy"
        yield f"{asked}: {who.name or who.address} from {own(who.first)}{until}"


def _trouble(row: AddressRow | None) -> str:
    if row is None:
        return ""
    ways = ((row.hard_bounces, "for good"), (row.soft_bounces, "for now"))
    back = [f"{counted(number, 'mail')} came back {how}" for number, how in ways if number]
    return f"{', '.join(back)}; the last: {row.last_bounce}"


ENTRIES = 50
_SECRET = ("orders", "draws", "state", "seed", "commitment", "sha256")
"""Also figures that tell a reader nothing."""


class JournalRow(NamedTuple):
    """One entry."""

    n: int
    made: str
    kind: str
    said: str
    by: str
    """An address, "the shell", or "" if nobody did it."""
    letters: Sequence[int]


def journal(
    sight: Sight, game_id: str, before: int | None = None
) -> tuple[Sequence[JournalRow], int]:
    """Return a page of the journal without orders, newest first, and where the next begins, or 0.
    Raise OperatorError for a player, who would learn how many letters come."""
    game = secret_table(sight, game_id)
    where, order = ([Journal.n < before] if before else []), Journal.n.desc()
    found = Journal.many(sight.conn, *where, game_id=game.id, order=order, most=ENTRIES)
    older = found[-1].n if found and found[-1].n > 1 else 0
    rows = []
    for one in found:
        facts = {name: value for name, value in one.data.items() if name not in _SECRET}
        made = times.words(sight.work, one.at, game.row.zone)
        by, said = str(facts.pop("by", "")), entry_words(one.kind, facts)
        letter = facts.get("letter")
        own = [*([letter] if isinstance(letter, int) else []), *facts.get("letters", ())]
        rows.append(JournalRow(one.n, made, one.kind, said, by, own))
    return rows, older
