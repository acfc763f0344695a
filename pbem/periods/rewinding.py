"""Adjudicate a published period again, perhaps only to try.

Its and later bulletins are void, later orders kept (:mod:`pbem.periods.adjudicating`). New draws
are the next edition's.

What people read of a rewind.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame import house_rules
from pbem.games.frame.adjudication import canonical
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.pages.plain import plain
from pbem.periods import adjudicating, claims, drawing, ending, guards, own_page, publishing
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.engine.database import taken_back
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import Freed, GameState, NoteKind, PeriodState
from pbem.store.schema.tables import OrderSet, Period
from pbem.text import listed, wrap

_SEED_KNOWN = (
    "The game was over, and its seed is public: whatever is drawn from now on can be computed by"
    " anybody."
)


@dataclass(frozen=True, slots=True)
class Corrections:
    """A period's corrected orders."""

    sets: Mapping[Seat, Sequence[OrderSet]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    remarks: Sequence[str] = ()
    journal: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rewind:
    """Where to, why, and corrections."""

    game: str
    number: int
    why: str
    corrections: Corrections = Corrections()


@dataclass(frozen=True, slots=True)
class Compared:
    """What is compared of its period."""

    bulletin: str
    notices: Mapping[Seat, str]
    """Without deadlines."""
    orders: Mapping[Seat, Sequence[str]]
    draws: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What it changes."""

    said: str
    before: Compared
    after: Compared


@dataclass(frozen=True, slots=True)
class Change:
    """A rewind applied."""

    game: GameAt
    rewind: Rewind
    before: Compared
    voided: Sequence[int]
    kept: Sequence[OrderSet]


def found(work: Work, game_id: str, number: int) -> Compared:
    """Return a closed period. Raise OverBudget."""
    conn = work.conn
    own, after = (games.game_at(conn, game_id, n) for n in (number, number + 1))
    on_file = bulletins.of_period(conn, game_id, number)
    house_frame = publishing.frame(conn, after, number, drawing.svgs(conn, after, number))
    house_frame |= {"deadline": "", "zones": {}}
    seconds = work.mark.seconds * (1 + len(own.seats))
    with Budget(seconds, f"the bulletin of period {number} of game {game_id}"):
        made = publishing.texts(conn, after, number, house_frame)
    bulletin = plain(on_file[""].text if on_file else made[""])
    return Compared(bulletin, made, orders_before(conn, game_id, number), bool(own.period.draws))


def orders_before(conn: Connection, game_id: str, number: int) -> dict[Seat, list[str]]:
    standing = order_sets.all_standing(conn, games.game_at(conn, game_id, number))
    return {seat: canonical(orders) for seat, orders in standing.items()}


def _bulletins(numbers: Sequence[int]) -> str:
    return f"Bulletin{'s' if len(numbers) > 1 else ''} {listed(numbers)}"


def _difference(was: Compared, orders: Mapping[Seat, Sequence[str]], seat: Seat) -> list[str]:
    """Return orders gone and new, prefixed so that a quotation orders nothing."""
    before, after = was.orders.get(seat, ()), orders.get(seat, ())
    gone = [f"  | - {order}" for order in before if order not in after]
    return gone + [f"  | + {order}" for order in after if order not in before]


def _report(conn: Connection, change: Change, after: Compared) -> str:
    game, before, number = change.game, change.before, change.rewind.number
    now = games.game_at(conn, game.id)
    text = templates.shared(
        "rewind",
        change=change,
        at=game,
        draws=before.draws or after.draws,
        seed_known=_SEED_KNOWN,
        changes={seat: _difference(before, after.orders, seat) for seat in game.seats},
        bulletin=publishing.difference(before.bulletin, after.bulletin),
        notices=[seat for seat in game.seats if before.notices[seat] != after.notices[seat]],
        bulletins=_bulletins(change.voided),
        nobody=not claimants.standing_by(conn, game.id),
        kept=list(_on_kept(conn, change, now)),
        reached=_reached(now, number),
    )
    return f"{wrap(text)}\n"


def _on_kept(conn: Connection, change: Change, now: GameAt) -> Iterator[str]:
    for number, rows in groupby(change.kept, lambda row: row.period):
        newest = {row.seat: row for row in rows}
        tried = number == now.period.number and not order_sets.kept(conn, now.id, number - 1)
        stand = orders_before(conn, now.id, number) if tried else {}
        counted = []
        for seat, row in newest.items():
            fallen = [order for order in row.orders if tried and order not in stand.get(seat, ())]
            lost = f" ({len(fallen)} can no longer be taken)" if fallen else ""
            counted.append(f"{seat} {len(row.orders)}{lost}")
        yield f"Orders kept for period {number}: {', '.join(counted)}."


def _reached(now: GameAt, number: int) -> str:
    if now.row.status == GameState.OVER:
        return f"The game is over with period {number}."
    review = now.row.publish == "review"
    waits = f"; bulletin {number} waits for your release" if review else ""
    return f"The game is then in {own_page.name(now)}{waits}."


_NONE_CLOSED = "none is closed, so there is nothing to rewind to"


def closed_period(work: Work, game_id: str, number: int) -> GameAt:
    """Return where to go back to. Raise OperatorError."""
    game = games.game_at(work.conn, game_id)
    if not 1 <= number < game.period.number:
        last = game.period.number - 1
        can = f"rewind to one of 1 to {last}" if last > 0 else _NONE_CLOSED
        raise OperatorError(f"game {game_id} is in period {game.period.number}; {can}")
    return games.game_at(work.conn, game_id, number)


def tried(work: Work, rewind: Rewind) -> Trial:
    """Return what would change, storing only the look; draws stay hidden."""
    game = closed_period(work, rewind.game, rewind.number)
    # first, because the bulletin shown may count it
    guards.looked(work, games.game_at(work.conn, rewind.game), LookKind.DRY_RUN)
    with taken_back(work.conn):
        found = _carried_out(work, rewind, edition=game.row.edition, own=game.period.edition)
    _note(work, "rewind-tried", rewind)
    return found


def done(work: Work, rewind: Rewind) -> str:
    """Return what changed."""
    game = closed_period(work, rewind.game, rewind.number)
    edition = game.row.edition + 1
    _note(work, "rewind", rewind, edition=edition)
    return _carried_out(work, rewind, edition=edition, own=edition).said


def _note(work: Work, kind: str, rewind: Rewind, **more: object) -> None:
    changed = rewind.corrections.journal
    notes.note(
        work.conn, rewind.game, work.now, kind, to=rewind.number, why=rewind.why, **changed, **more
    )


def _carried_out(work: Work, rewind: Rewind, *, edition: int, own: int) -> Trial:
    """``edition``: the game's; ``own``: the period's, for draws."""
    conn, number = work.conn, rewind.number
    game = games.game_at(conn, rewind.game)
    before = found(work, game.id, number)
    later = [games.game_at(conn, game.id, n) for n in range(number + 1, game.period.number + 1)]
    reached = game.period.number - (game.period.status == PeriodState.REVIEW)
    notes.take_back_notes(conn, game.id, number, reached)
    corrected = f"CORRECTED: period {number} was adjudicated again: {rewind.why}"
    for text in (corrected, *rewind.corrections.notes):
        notes.rule(conn, game.id, NoteKind.HOUSE, text, work.now)
    Period.drop(conn, Period.number > number, game_id=game.id)
    order_sets.take_back(conn, game.id, number)
    for seat, holder in game.holders.items():
        if holder.heard > number:
            games.set_seat(conn, game.id, seat, heard=number)
    for seat, sets in rewind.corrections.sets.items():
        OrderSet.drop(conn, game_id=game.id, period=number, seat=seat)
        OrderSet.add(conn, *sets)
    _count_missed_before(conn, game, number)
    periods.set_state(conn, game.id, number, PeriodState.CLOSING, edition=own)
    games.set_game(conn, game.id, period=number, edition=edition)
    games.goes_on(conn, game.id, work.now)
    ending.taken_up(work, game)
    _keep_seats(work, games.game_at(conn, game.id, number))
    voided = bulletins.void(conn, game.id, number, work.now)
    waiting = order_sets.kept(conn, game.id, number)
    change = Change(game, rewind, before, voided, waiting)
    _tell(work, change, edition, own_page.cancelled(work, game, later))
    adjudicating.close_period(work, games.game_at(conn, game.id, number))
    after = found(work, game.id, number)
    return Trial(_report(conn, change, after), before, after)


def _tell(work: Work, change: Change, edition: int, dated: str) -> None:
    """Tell which bulletins are void. ``dated``: for calendars."""
    game, number = change.game, change.rewind.number
    orders, key = orders_before(work.conn, game.id, number), f"void:{game.id}:{number}:{edition}"
    said = partial(own_page.draft, game, kind="void", template="void", change=change)
    draft = partial(said, bulletins=_bulletins(change.voided), seed_known=_SEED_KNOWN)
    own = {}
    for seat in game.seats:
        changes = _difference(change.before, orders, seat)
        kept = any(row.seat == seat for row in change.kept)
        own[seat] = draft(key=key, seat=seat, changes=changes, own=kept).text
    to_all(work, game, replace(draft(key=key, seat=None), calendar=dated), own)


def _count_missed_before(conn: Connection, game: GameAt, number: int) -> None:
    for seat, holder in game.holders.items():
        missed = 0
        for earlier in (games.game_at(conn, game.id, n) for n in range(number - 1, 0, -1)):
            if house_rules.wanted(earlier.ruleset, earlier.state, seat):
                standing = order_sets.standing(conn, earlier, seat)
                if not house_rules.missed(earlier.ruleset, earlier.state, seat, standing):
                    break
                missed += 1
        if missed < holder.missed:
            games.set_seat(conn, game.id, seat, missed=missed, asked_until=None)


def _keep_seats(work: Work, game: GameAt) -> None:
    for free in claimants.free_seats(work.conn, game.id):
        listless = free.why is Freed.LIST and free.period >= game.period.number
        missed = game.holders[free.seat].missed
        spoke = free.why is Freed.SILENT and not house_rules.is_asked(missed, game.house)
        if listless or spoke:
            claims.stays(work, game, free.seat)
