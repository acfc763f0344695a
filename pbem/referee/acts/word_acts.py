"""Acts on bulletins, and words of the gamesmaster, each journalled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import Taken, canonical, owed, play_period, reread, take
from pbem.games.frame.events import Seat
from pbem.games.frame.length import Length
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders.order import Order, Standing, staying
from pbem.orders.spelling import is_count
from pbem.pages import bulletin
from pbem.pages.plain import plain
from pbem.periods import (
    adjudicating,
    amendments,
    deadline_acts,
    drawing,
    formation,
    guards,
    inquiries,
    publishing,
    rewinding,
)
from pbem.periods.guards import guarded, known
from pbem.periods.rewinding import Corrections, Rewind
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.referee.acts import doing
from pbem.referee.acts.doing import Done, called
from pbem.referee.deciding.senders import Reply
from pbem.referee.deciding.trust import ACCEPTED
from pbem.referee.game import arrivals, relaying
from pbem.referee.gamesmaster.waits import ACCEPTABLE
from pbem.referee.words import leaving
from pbem.store.games import games, order_sets
from pbem.store.games import press as stops
from pbem.store.games.games import GameAt
from pbem.store.games.order_sets import LetterSetRow
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import EditorLetter, Letter, OrderSet, Report, Ruling

_OF_AMENDMENT = "Amendment "
_WITHDRAWN = "Withdrawn is the ruling"
WARNED = "warned"
MOST_DAYS = 60


@dataclass(frozen=True, slots=True)
class Preview:
    """A bulletin not out."""

    number: int
    sheet: str
    scores: Mapping[Seat, float]
    missing: Sequence[Seat] = ()
    waits: bool = False

    @property
    def text(self) -> str:
        return plain(self.sheet)


def preview(work: Work, game: str) -> Done:
    """Return the bulletin as if closed now; store only the look."""
    game_now = guarded(work.conn, game, None)
    guards.looked(work, game_now, LookKind.PREVIEW)
    budget = Budget(work.mark.seconds * adjudicating.ADJUDICATION, f"the preview of game {game}")
    number, rules = game_now.period.number, game_now.ruleset
    if game_now.period.status == PeriodState.REVIEW:
        number -= 1
        with budget:
            svgs = drawing.svgs(work.conn, game_now, number)
            frame = publishing.frame(work.conn, game_now, number, svgs)
            shown = publishing.texts(work.conn, game_now, number, frame)[""]
        seen = Preview(number, shown, rules.scores(game_now.state), waits=True)
    else:
        standing = order_sets.all_standing(work.conn, game_now)
        position = formation.position(work.conn, game_now, work.now)
        still = owed(rules, game_now.state, game_now.seats, standing)
        with budget:
            outcome = play_period(rules, position, standing, game_now.dice())
            issue = templates.issue(
                rules,
                outcome.state,
                game_now.seats,
                number,
                game_now.period.phase,
                outcome.events,
                {"game": game_now.id, "house": ["PREVIEW: nothing of this is stored or sent."]},
            )
            shown = bulletin.public_sheet(templates.environment(), issue)
        owe = [seat for seat, slots in still.items() if slots]
        seen = Preview(number, shown, rules.scores(outcome.state), owe)
    missing = f"missing: {', '.join(seen.missing) or 'nobody'}"
    return Done(f"{seen.text}\nStill {missing}.", f"PREVIEW ({missing})\n\n{seen.text}", seen=seen)


def release(work: Work, game: str, bulletin: int | None) -> Done:
    """Publish the bulletin in review, open the next period. Raise OperatorError unless it is
    ``bulletin``."""
    at = guarded(work.conn, game, None, PeriodState.REVIEW)
    waits = at.period.number - 1
    if bulletin not in (None, waits):
        raise OperatorError(f"the bulletin that waits in {game} is number {waits}, not {bulletin}")
    notes.note(work.conn, game, work.now, "release", bulletin=waits)
    adjudicating.release(work, at)
    return Done(f"Bulletin {waits} of {game} goes out at the next pass; the next period is open.")


def rule(work: Work, game: str, text: str, none: bool = False) -> Done:
    guarded(work.conn, game, None)
    if none:
        which, _, why = text.strip().partition(" ")
        return _withdraw(work, game, int(which) if is_count(which) else 0, why.strip())
    if not text.strip():
        raise OperatorError("a ruling without a word; write what the next bulletin is to say")
    number = notes.rule(work.conn, game, NoteKind.RULING, text, work.now)
    notes.note(work.conn, game, work.now, "ruling", text=text)
    return Done(
        f"The next bulletin of {game} prints your ruling, number {number}.\nTo take it back:"
        f" `pbem rule {game} --none {number}`.",
        f"RULE. The next bulletin prints: Ruling of the gamesmaster: {text}\n\nIt is ruling"
        f" {number}; to take it back: the words RULE\u00a0NONE\u00a0{number}",
    )


def _withdraw(work: Work, game: str, number: int, why: str) -> Done:
    """Withdraw a ruling. The next bulletin says so if one has printed it."""
    ruling = Ruling.one(work.conn, id=number, game_id=game, kind=NoteKind.RULING)
    if ruling is None:
        there = [*notes.rulings(work.conn, game), *notes.unprinted(work.conn, game)]
        known = [f"{one.id} ({one.text[:40]})" for one in there if one.kind == NoteKind.RULING]
        raise OperatorError(
            f"there is no ruling {number} in {game}; there are {'; '.join(known) or 'none'}"
        )
    if ruling.text.startswith(_OF_AMENDMENT):
        raise OperatorError(
            f"ruling {number} says that an amendment was carried out; carry out another instead"
        )
    if ruling.number is None:
        Ruling.drop(work.conn, id=ruling.id)
    else:
        if ruling.id not in withdrawable(work.conn, game):
            raise OperatorError(f"ruling {number} of {game} is withdrawn already")
        because = f" ({why})" if why else ""
        notes.rule(work.conn, game, NoteKind.RULING, _withdrawn(ruling) + because, work.now)
    journal = {"ruling": number, "bulletin": ruling.number, "text": ruling.text, "why": why}
    notes.note(work.conn, game, work.now, "ruling-withdrawn", **journal)
    said = "no bulletin had printed it" if ruling.number is None else "the next bulletin says so"
    return Done(f"Ruling {number} of {game} is withdrawn; {said}.")


def withdrawable(conn: Connection, game_id: str) -> set[int]:
    """Return the printed rulings that can be withdrawn, by number."""
    printed = notes.rulings(conn, game_id)
    said = [one.text for one in (*printed, *notes.unprinted(conn, game_id))]
    return {
        one.id
        for one in printed
        if not one.text.startswith((_OF_AMENDMENT, _WITHDRAWN))
        and not any(text.startswith(_withdrawn(one)) for text in said)
    }


def _withdrawn(one: Ruling) -> str:
    return f"{_WITHDRAWN} that bulletin {one.number} printed: {one.text}"


def amended(work: Work, game: str, number: int, how: str, period: int | None) -> Done:
    at = amendments.carry_out(work, game, period, number, how)
    one = amendments.adopted(at, number)
    return Done(
        f"Amendment {number} of {game} is carried out: {', '.join(one.done)}; all are told."
    )


def press(work: Work, game: str, to: str, file: str) -> Done:
    text = relaying.of_gamesmaster(work, game, to, file)
    return Done(
        f"Your words in {game} were relayed to {to}.", f"PRESS: this was relayed.\n\n{text}"
    )


def answer(work: Work, letter: int, text: str, to_all: bool, extend: Length | None = None) -> Done:
    inquiry = inquiries.answer(work, letter, text, to_all=to_all)
    if to_all:
        asked = f"A player {'wrote' if inquiry.press else 'asked'}: {inquiry.text}"
        relaying.of_gamesmaster(work, inquiry.game_id, "ALL", f"{asked}\n\n{text.strip()}")
    whose = called(work, inquiry.game_id, inquiry.seat)
    answered = (
        f"Question and answer go to all players of {inquiry.game_id}."
        if to_all
        else f"Your answer goes to {whose} in {inquiry.game_id}."
    )
    if extend:
        at = deadline_acts.extend(work, inquiry.game_id, None, extend, "a question was answered")
        answered += f" The new deadline is {publishing.deadline_text(at)}."
    return Done(answered)


def settle(work: Work, game: str, seat: str, why: str | None) -> Done:
    inquiries.settle(work, game, seat, why or "")
    return Done(
        f"The protest of {called(work, game, seat)} in {game} is settled; they are told so."
    )


def suspend(work: Work, game: str, seat: Seat, days: int | None, why: str) -> Done:
    """Suspend a seat's press for some days; 0 ends it. None: warn its player."""
    game_now = guarded(work.conn, game, None)
    known(game_now, seat)
    holder = game_now.holders[seat]
    if holder.player_id is None:
        raise OperatorError(f"nobody holds {seat} in {game}")
    stands, whose = stops.warned(work.conn, game_now.id, holder), called(work, game, seat)
    if days and not 0 < days <= MOST_DAYS:
        raise OperatorError(f"from 1 to {MOST_DAYS} days; 0 ends a suspension")
    if days == 0 and not (stands.until and stands.until > work.now):
        raise OperatorError(f"the press of {seat} in {game} is not suspended")
    until, press, ends, for_days = stands.until, "press-warned", "", {}
    said = f"Your warning goes to {whose}, and to nobody else."
    if days:
        until, press, for_days = work.now + timedelta(days=days), "press-suspended", {"days": days}
        ends = game_now.minute(until)
        said = f"No press of {whose} goes out until {ends}; only that player is told."
    elif days == 0:
        until, press = None, "press-free"
        said = f"The press of {whose} goes out again; only that player is told."
    stops.warn(work.conn, game_now.id, holder, until)
    if days != 0:
        Report.drop(work.conn, game_id=game_now.id, author=seat)
    notes.note(work.conn, game_now.id, work.now, press, seat=seat, **for_days, why=why)
    times = stops.warned(work.conn, game_now.id, holder).times
    key = f"{WARNED}:{game_now.id}:{seat}:{holder.player_id}:{times}"
    told = Reply.of("acts", press.replace("-", "_"), why.strip().rstrip("."), days, ends)
    draft = Draft(key, WARNED, f"[{game}] {told.subject}", f"{told}\n")
    put_to_seat(work, game_now, holder, draft)
    return Done(said)


def print_letter(work: Work, number: int, none: bool = False, why: str | None = None) -> Done:
    """Have the next issue of the club's paper print a letter, or forget it; tell its writer."""
    letter = next((one for one in EditorLetter.many(work.conn) if one.number == number), None)
    if letter is None:
        raise OperatorError(f"there is no letter {number} to the paper")
    if none:
        EditorLetter.drop(work.conn, number=number)
        _tell_writer(work, letter, "letter-rejected", (why or "").strip())
        return Done(f"Letter {number} is not printed; its writer is told.")
    if letter.released:
        raise OperatorError(f"letter {number} is in the next issue already")
    EditorLetter.put(work.conn, letter._replace(released=True))
    _tell_writer(work, letter, "letter-printed")
    return Done(f"The next issue prints letter {number}; its writer is told.")


def _tell_writer(work: Work, letter: EditorLetter, kind: str, why: str = "") -> None:
    """Note it without the seat, for the letter may hide its writer; and tell them."""
    if not letter.game_id:
        return
    notes.note(work.conn, letter.game_id, work.now, kind, number=letter.number)
    game = games.begun(work.conn, letter.game_id)
    if game is None or game.holders[letter.seat].player_id != letter.player_id:
        return
    key = f"zine-letter:{letter.number}:{kind}"
    told = Reply.of("acts", "letter", kind == "letter-printed", letter.text, why)
    draft = Draft(key, "zine", f"[{game.id}] {told.subject}", f"{told}\n")
    put_to_seat(work, game, game.holders[letter.seat], draft)


def rewind(  # noqa: PLR0913  the arguments of the act
    work: Work,
    game: str,
    number: int,
    order: Sequence[tuple[str, str]],
    accept: Sequence[int],
    drop: Sequence[int],
    why: str,
    do: bool,
) -> Done:
    game_now = rewinding.closed_period(work, game, number)
    wanted = Correction(order, accept, drop)
    rewind = Rewind(game, number, why, _corrected(work, game_now, wanted))
    if not do:
        tried = rewinding.tried(work, rewind)
        return Done(f"{tried.said}\nNothing of this is done or mailed.", tried.said, seen=tried)
    report = rewinding.done(work, rewind)
    _file(work, game_now, wanted)
    now = games.game_at(work.conn, game)
    for seat in now.seats:
        leaving.void(work.conn, now, seat, leaving.RESIGN)
    open_ = now.period.number
    is_done = f"Period {number} is adjudicated again; the game {game} is in period {open_}."
    return Done(f"{report}\n{is_done}", f"REWIND: {is_done}\n\n{report}")


# --- what a rewind corrects: order sets are rebuilt letter by letter, by first sight --------------


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


def _corrected(work: Work, game: GameAt, wanted: Correction) -> Corrections:
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
        what = f"the orders of {seat} in period {game.period.number}"
        with Budget(work.limits.letter_seconds, what):
            sets[seat] = _folded(game, seat, sorted(steps, key=lambda step: step.number), remarks)
        for text in (text for whose, text in wanted.orders if whose == seat):
            with Budget(work.limits.letter_seconds, f"the gamesmaster's orders for {seat}"):
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


def _file(work: Work, game: GameAt, wanted: Correction) -> None:
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
    row, number = doing.letter(work.conn, letter), game.period.number
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
    with Budget(work.limits.letter_seconds, f"the work on letter {letter}"):
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
        then = step.row.orders if step.row else []
        added = reread(game.ruleset, [one for one in then if one not in step.before])
        if step.text is None:
            gone = reread(game.ruleset, [one for one in step.before if one not in then])
            standing = {slot: order for slot, order in standing.items() if slot not in gone} | added
        else:
            taken = take(game.ruleset, game.state, seat, step.text, standing, game.named)
            if step.row is None:
                remarks += [f"Letter {step.letter}, {one}" for one in _refusals(taken)]
            # a RESIGN that is stored has had its own code
            resigned = {slot: order for slot, order in added.items() if slot not in staying(added)}
            standing = arrivals.without_new_resign(taken.standing, standing) | resigned
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
