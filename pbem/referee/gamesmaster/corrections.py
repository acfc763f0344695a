"""Correct by a rewind: orders on a seat's behalf, letters accepted or dropped.

Order sets are rebuilt letter by letter, by first sight.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import Taken, canonical, reread, take
from pbem.games.frame.events import Seat
from pbem.letters.states import LetterState
from pbem.orders.order import Order, Standing, staying
from pbem.periods.guards import known
from pbem.periods.rewinding import Corrections
from pbem.post.work import Work
from pbem.referee.deciding.trust import ACCEPTED
from pbem.referee.game import arrivals
from pbem.referee.gamesmaster.waits import ACCEPTABLE
from pbem.store.games import order_sets
from pbem.store.games.games import GameAt
from pbem.store.games.order_sets import LetterSetRow
from pbem.store.letters import letters
from pbem.store.schema.tables import Letter, OrderSet


@dataclass(frozen=True, slots=True)
class Correction:
    """What to correct."""

    orders: Sequence[tuple[Seat, str]] = ()
    accept: Sequence[int] = ()
    drop: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """A seat's letter, or the gamesmaster's orders."""

    number: int
    letter: int | None
    at: datetime
    text: str | None
    """None: only its result is stored, as row on top of before."""
    row: LetterSetRow | None = None
    before: Sequence[str] = ()


def corrections(work: Work, game: GameAt, wanted: Correction) -> Corrections:
    """Return the corrected order sets of a closed period. Raise OperatorError."""
    accepted = [_accepted(work, game, letter) for letter in dict.fromkeys(wanted.accept)]
    dropped = {letter: _dropped(work.conn, game, letter) for letter in wanted.drop}
    for seat, _ in wanted.orders:
        known(game, seat)
    concerned = {seat for seat, _ in accepted} | set(dropped.values())
    concerned |= {seat for seat, _ in wanted.orders}
    sets: dict[Seat, list[OrderSet]] = {}
    remarks: list[str] = []
    for seat in sorted(concerned):
        steps = _steps(work, game, seat) + [step for whose, step in accepted if whose == seat]
        steps = [step for step in steps if step.letter is None or step.letter not in dropped]
        with _budget(work, f"the orders of {seat} in period {game.period.number}"):
            sets[seat] = _folded(game, seat, sorted(steps, key=lambda step: step.number), remarks)
        for text in (text for whose, text in wanted.orders if whose == seat):
            with _budget(work, f"the gamesmaster's orders for {seat}"):
                sets[seat].append(_on_behalf(game, seat, text, sets[seat], remarks))
    return Corrections(
        sets,
        _notes(game.period.number, wanted),
        remarks,
        {
            "orders": {seat: rows[-1].orders if rows else [] for seat, rows in sets.items()},
            "accepted": list(dict.fromkeys(wanted.accept)),
            "dropped": list(dropped),
        },
    )


def file(work: Work, game: GameAt, wanted: Correction) -> None:
    """Set the letters' outcomes accordingly."""
    number = game.period.number
    for letter in dict.fromkeys(wanted.accept):
        letters.set_state(
            work.conn, letter, LetterState.STORED, authentication=ACCEPTED, code_hash=""
        )
        letters.set_state(
            work.conn,
            letter,
            LetterState.ORDERS,
            period=number,
            decided=work.now,
            reason=f"the gamesmaster's word, by a rewind: its orders count in period {number}",
        )
    for letter in wanted.drop:
        why = f"taken back by a rewind: its orders count no longer in period {number}"
        Letter.change(work.conn, {"id": letter}, reason=why)


def _accepted(work: Work, game: GameAt, letter: int) -> tuple[Seat, _Step]:
    """Return seat and step of a letter to accept. Raise OperatorError if it cannot count."""
    row, number = Letter.one(work.conn, id=letter), game.period.number
    if row is None:
        raise OperatorError(f"there is no letter {letter}; see `pbem queue`")
    if row.outcome not in ACCEPTABLE:
        raise OperatorError(
            f"letter {letter} is {row.outcome}; only an unverified, held or late one can be"
            " accepted"
        )
    if row.game_id != game.id or row.seat not in game.seats:
        whose = f"{row.seat or 'nobody'} in {row.game_id or 'no game'}"
        raise OperatorError(f"letter {letter} is of {whose}, not of a seat in {game.id}")
    if row.raw is None:
        raise OperatorError(f"letter {letter} was purged after the retention")
    words = arrivals.read_again(work, row.raw, letter)
    if words.period not in (None, number):
        raise OperatorError(f"letter {letter} says that it is for period {words.period}")
    with _budget(work, f"the work on letter {letter}"):
        taken = take(game.ruleset, game.state, row.seat, words.text, {}, game.named)
    cancels = any(answer.line.text.upper().startswith("CANCEL") for answer in taken.answers)
    if words.asks("CHECK") or not (staying(taken.standing) or cancels):
        why = "; ".join(_refusals(taken)) or "it has none"
        raise OperatorError(f"letter {letter} has no order for period {number}: {why}")
    came = max(row.received, game.period.opened)
    step = _Step(letter, letter, min(came, game.period.closed or came), words.text)
    return row.seat, step


def _dropped(conn: Connection, game: GameAt, letter: int) -> Seat:
    """Return its seat. Raise OperatorError if the period has no orders of it."""
    for row in order_sets.arrived(conn, game.id, game.period.number):
        if row.letter_id == letter:
            return row.seat
    raise OperatorError(
        f"letter {letter} has no orders in period {game.period.number} of {game.id}"
    )


def _budget(work: Work, what: str) -> Budget:
    return Budget(work.limits.letter_seconds, what)


def _steps(work: Work, game: GameAt, seat: Seat) -> list[_Step]:
    steps, before = list[_Step](), list[str]()
    for number, row in arrivals.filed(work, game, seat):
        text = None if row.raw is None else arrivals.read_again(work, row.raw, number).text
        steps.append(_Step(number, row.letter_id, row.at, text, row, before))
        before = row.orders
    return steps


def _folded(game: GameAt, seat: Seat, steps: Sequence[_Step], remarks: list[str]) -> list[OrderSet]:
    standing: dict[str, Order] = {}
    sets: list[OrderSet] = []
    for step in steps:
        if step.text is None:
            assert step.row is not None
            gone = reread(game.ruleset, [one for one in step.before if one not in step.row.orders])
            added = reread(game.ruleset, [one for one in step.row.orders if one not in step.before])
            standing = {slot: order for slot, order in standing.items() if slot not in gone} | added
        else:
            taken = take(game.ruleset, game.state, seat, step.text, standing, game.named)
            if step.row is None:
                remarks += [f"Letter {step.letter}, {one}" for one in _refusals(taken)]
            standing = _without_new_resign(taken.standing, standing) | _resigned(game, step)
        sets.append(_set(game, seat, step, standing, sets))
    return sets


def _set(
    game: GameAt, seat: Seat, step: _Step, standing: Standing, sets: Sequence[OrderSet]
) -> OrderSet:
    return OrderSet(
        game_id=game.id,
        period=game.period.number,
        seat=seat,
        ordinal=len(sets) + 1,
        orders=canonical(standing),
        wait=step.row is not None and step.row.wait,
        ready=step.row is not None and step.row.ready,
        letter_id=step.letter,
        at=step.at,
    )


def _without_new_resign(taken: Standing, before: Standing) -> dict[str, Order]:
    stays = staying(taken)
    return {slot: order for slot, order in taken.items() if slot in stays or slot in before}


def _resigned(game: GameAt, step: _Step) -> dict[str, Order]:
    """Return the RESIGN stored by this step: it has had its own code."""
    if step.row is None:
        return {}
    added = reread(game.ruleset, [one for one in step.row.orders if one not in step.before])
    return {slot: order for slot, order in added.items() if slot not in staying(added)}


def _on_behalf(
    game: GameAt, seat: Seat, text: str, sets: Sequence[OrderSet], remarks: list[str]
) -> OrderSet:
    """Add the gamesmaster's orders. Raise OperatorError if none can be taken."""
    standing = reread(game.ruleset, sets[-1].orders) if sets else {}
    taken = take(game.ruleset, game.state, seat, text, standing, game.named)
    refused = _refusals(taken)
    if not any(answer.orders or answer.cancelled for answer in taken.answers):
        why = "; ".join(one.rstrip(".") for one in refused) or "there is no order"
        raise OperatorError(f"nothing of the orders for {seat} can be taken: {why}")
    remarks += [f"Orders for {seat}, {one}" for one in refused]
    closed = game.period.closed or game.period.opened
    step = _Step(0, None, max([closed, *(row.at for row in sets)]), text)
    return _set(game, seat, step, taken.standing, sets)


def _refusals(taken: Taken) -> list[str]:
    return [
        f"line {problem.line}: {problem.code} {problem.message}"
        for problem in taken.problems
        if not problem.warning
    ]


def _notes(number: int, wanted: Correction) -> list[str]:
    lines = [
        f"The gamesmaster entered orders for {seat}, for period {number}."
        for seat in dict.fromkeys(seat for seat, _ in wanted.orders)
    ]
    for count, does in (
        (len(set(wanted.accept)), "accepted {} for period {}."),
        (len(set(wanted.drop)), "took back the orders of {} for period {}."),
    ):
        if count:
            many = "one letter" if count == 1 else f"{count} letters"
            lines.append(f"The gamesmaster {does.format(many, number)}")
    return lines
