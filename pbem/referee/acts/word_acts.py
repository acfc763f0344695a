"""Acts on bulletins, and words of the gamesmaster, each journalled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError
from pbem.games.frame.adjudication import owed, play_period
from pbem.games.frame.events import Seat
from pbem.games.frame.length import Length
from pbem.house import templates
from pbem.orders.spelling import is_count
from pbem.pages import bulletin, sheet
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
from pbem.periods.rewinding import Rewind
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.referee.acts.doing import Done, called
from pbem.referee.game import relaying
from pbem.referee.gamesmaster import corrections
from pbem.referee.words import leaving
from pbem.store.games import games, order_sets
from pbem.store.games import press as stops
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.store.schema.tables import EditorLetter, Report, Ruling
from pbem.text import counted

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
    if game_now.period.status == PeriodState.REVIEW:
        with budget:
            return _previewed(_waiting(work.conn, game_now))
    standing = order_sets.all_standing(work.conn, game_now)
    position = formation.position(work.conn, game_now, work.now)
    still = owed(game_now.ruleset, game_now.state, game_now.seats, standing)
    missing = [seat for seat, slots in still.items() if slots]
    with budget:
        outcome = play_period(game_now.ruleset, position, standing, game_now.dice())
        issue = templates.issue(
            game_now.ruleset,
            outcome.state,
            game_now.seats,
            game_now.period.number,
            game_now.period.phase,
            outcome.events,
            {"game": game_now.id, "house": ["PREVIEW: nothing of this is stored or sent."]},
        )
        shown = bulletin.public_sheet(templates.environment(), issue)
    return _previewed(
        Preview(game_now.period.number, shown, game_now.ruleset.scores(outcome.state), missing)
    )


def _previewed(seen: Preview) -> Done:
    missing = f"missing: {', '.join(seen.missing) or 'nobody'}"
    return Done(f"{seen.text}\nStill {missing}.", f"PREVIEW ({missing})\n\n{seen.text}", seen=seen)


def _waiting(conn: Connection, game: GameAt) -> Preview:
    number = game.period.number - 1
    house_frame = publishing.frame(conn, game, number, drawing.svgs(conn, game, number))
    made = publishing.texts(conn, game, number, house_frame)
    return Preview(number, made[""], game.ruleset.scores(game.state), waits=True)


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
        relaying.of_gamesmaster(work, inquiry.game_id, "ALL", inquiries.for_all(inquiry, text))
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


def _warn(work: Work, game: GameAt, holder: Holder, until: datetime | None, why: str) -> Done:
    seat = holder.seat
    stops.warn(work.conn, game.id, holder, until)
    Report.drop(work.conn, game_id=game.id, author=seat)
    notes.note(work.conn, game.id, work.now, "press-warned", seat=seat, why=why)
    text = (
        f"The gamesmaster asks you to mind your press in this game: {why.strip().rstrip('.')}.\n\n"
        "You may lie, threaten and scheme as the seat you play. You may not insult the people you"
        " play with. If it goes on, your press can be suspended for some days.\n\n"
        "Nobody else is told of this mail. You can answer it; the gamesmaster reads it."
    )
    _tell(work, game, holder, "A word about your press", text)
    return Done(f"Your warning goes to {called(work, game.id, seat)}, and to nobody else.")


def suspend(work: Work, game: str, seat: Seat, days: int | None, why: str) -> Done:
    """Suspend a seat's press for some days; 0 ends it. None: warn its player."""
    game_now = guarded(work.conn, game, None)
    known(game_now, seat)
    holder = game_now.holders[seat]
    if holder.player_id is None:
        raise OperatorError(f"nobody holds {seat} in {game}")
    stands, whose = stops.warned(work.conn, game_now.id, holder), called(work, game, seat)
    if days is None:
        return _warn(work, game_now, holder, stands.until, why)
    if not 0 <= days <= MOST_DAYS:
        raise OperatorError(f"from 1 to {MOST_DAYS} days; 0 ends a suspension")
    if not days:
        if not (stands.until and stands.until > work.now):
            raise OperatorError(f"the press of {seat} in {game} is not suspended")
        stops.warn(work.conn, game_now.id, holder, None)
        notes.note(work.conn, game_now.id, work.now, "press-free", seat=seat, why=why)
        text = f"Your press goes out again: {why.strip().rstrip('.')}.\n\nNobody else is told."
        _tell(work, game_now, holder, "Your press goes out again", text)
        return Done(f"The press of {whose} goes out again; only that player is told.")
    until = work.now + timedelta(days=days)
    stops.warn(work.conn, game_now.id, holder, until)
    Report.drop(work.conn, game_id=game_now.id, author=seat)
    notes.note(work.conn, game_now.id, work.now, "press-suspended", seat=seat, days=days, why=why)
    ends = game_now.minute(until)
    text = (
        f"The gamesmaster has suspended your press for {counted(days, 'day')}, until {ends}:"
        f" {why.strip().rstrip('.')}.\n\nUntil then no press of yours is relayed, signed or not."
        " Your orders count as ever, and you get the press of others. You can still answer the"
        " gamesmaster.\n\nNobody else is told."
    )
    _tell(work, game_now, holder, "Your press is suspended", text)
    return Done(f"No press of {whose} goes out until {ends}; only that player is told.")


def _tell(work: Work, game: GameAt, holder: Holder, subject: str, text: str) -> None:
    times = stops.warned(work.conn, game.id, holder).times
    key = f"{WARNED}:{game.id}:{holder.seat}:{holder.player_id}:{times}"
    put_to_seat(work, game, holder, Draft(key, WARNED, f"[{game.id}] {subject}", f"{text}\n"))


def print_letter(work: Work, number: int, none: bool = False, why: str | None = None) -> Done:
    """Have the next issue of the club's paper print a letter, or forget it; and tell its
    writer."""
    letter = next((one for one in EditorLetter.many(work.conn) if one.number == number), None)
    if letter is None:
        raise OperatorError(f"there is no letter {number} to the paper")
    if none:
        EditorLetter.drop(work.conn, number=number)
        text = "The gamesmaster does not print your letter in the club's paper."
        if why and why.strip():
            text += f" The reason:\n\n{sheet.fenced(why.strip())}"
        _tell_writer(work, letter, "letter-rejected", "is not printed", text)
        return Done(f"Letter {number} is not printed; its writer is told.")
    if letter.released:
        raise OperatorError(f"letter {number} is in the next issue already")
    EditorLetter.put(work.conn, letter._replace(released=True))
    text = "The next issue of the club's paper prints your letter."
    _tell_writer(work, letter, "letter-printed", "is printed", text)
    return Done(f"The next issue prints letter {number}; its writer is told.")


def _tell_writer(work: Work, letter: EditorLetter, kind: str, what: str, text: str) -> None:
    """Note it without the seat, for the letter may hide its writer; and tell them."""
    if not letter.game_id:
        return
    notes.note(work.conn, letter.game_id, work.now, kind, number=letter.number)
    game = games.begun(work.conn, letter.game_id)
    if game is None or game.holders[letter.seat].player_id != letter.player_id:
        return
    text += f"\n\nYou had written:\n\n{sheet.fenced(letter.text)}\n"
    key = f"zine-letter:{letter.number}:{what}"
    subject = f"[{game.id}] Your letter to the paper {what}"
    put_to_seat(work, game, game.holders[letter.seat], Draft(key, "zine", subject, text))


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
    wanted = corrections.Correction(order, accept, drop)
    rewind = Rewind(game, number, why, corrections.corrections(work, game_now, wanted))
    if not do:
        tried = rewinding.tried(work, rewind)
        return Done(f"{tried.said}\nNothing of this is done or mailed.", tried.said, seen=tried)
    report = rewinding.done(work, rewind)
    corrections.file(work, game_now, wanted)
    now = games.game_at(work.conn, game)
    leaving.void_resigns(work.conn, now)
    open_ = now.period.number
    is_done = f"Period {number} is adjudicated again; the game {game} is in period {open_}."
    return Done(f"{report}\n{is_done}", f"REWIND: {is_done}\n\n{report}")
