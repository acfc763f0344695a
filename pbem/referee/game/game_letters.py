"""Take a letter to a game: orders, their storage, its receipt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pbem.games.frame import readiness, suggested
from pbem.games.frame.adjudication import Answer, canonical, take
from pbem.games.frame.lateness import after_backup
from pbem.games.frame.readiness import Said
from pbem.letters.states import LetterState
from pbem.orders.asking import READING
from pbem.orders.characters import first_word
from pbem.orders.order import Standing, staying
from pbem.orders.refusal import shorten
from pbem.orders.writing import behind_number
from pbem.periods import (
    at_once,
    away,
    ending,
    formation,
    grace,
    house_bots,
    own_page,
    publishing,
)
from pbem.periods import inquiries as waiting_inquiries
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.trust import CONFIRMED, ON_HIS_WORD
from pbem.referee.game import (
    answering,
    game_ends,
    places,
    receipts,
    relaying,
    restoring,
    saying_yes,
)
from pbem.referee.game.arrivals import Arrived
from pbem.referee.game.places import OrderPlace
from pbem.referee.game.receipts import Receipt
from pbem.referee.words import (
    absences,
    deputies,
    inquiries,
    leaving,
    player_words,
    questions,
    wishes,
)
from pbem.referee.words.leaving import Confirmed
from pbem.store.games import games, order_sets, periods
from pbem.store.games.game_rows import Holder, OrderSetRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.text import moment_words, safe

_SHOWN = 30
"""Characters of an unread line."""
_MOST_NUMBERED = 3


@dataclass(frozen=True, slots=True)
class _Read:
    last: OrderSetRow | None
    place: OrderPlace
    answers: Sequence[Answer]
    stands: Standing
    said: Said
    resigns: bool
    """Waits for a code."""

    def changes(self) -> bool:
        for answer in self.answers:
            given = {order.slot: order for order in answer.orders}
            if self.resigns:
                given = staying(given)
            if given or answer.cancelled:
                return True
        return self.said is not readiness.of(self.last)


@dataclass(frozen=True, slots=True)
class _Done:
    at: GameAt
    notes: Sequence[str] = ()
    own: Sequence[str] = ()
    """Only for the player, not his deputy."""


class GameLetter:
    """One letter of a seat, with its verdict."""

    def __init__(self, work: Work, judged: Judged) -> None:
        self.work, self.conn = work, work.conn
        self.judged, self.barred = deputies.without_personal(judged)
        judged = self.judged
        self.row, self.letter, self.decision = judged.row, judged.letter, judged.decision
        self.arrived = Arrived(self.conn, self.row, self.letter)
        self.yes = saying_yes.Said(judged)
        self.number: int | None = None  # of its receipt, among the seat's own

    def heard(self, at: GameAt) -> Outcome | None:
        """Return the outcome, or None if it waits undecided."""
        reads = self.decision.rule == "only-reading"
        if self._after_backup(at) and not reads and self.row.authentication not in ON_HIS_WORD:
            return self._hold_restored(at)
        if at.period.status == PeriodState.REVIEW:
            self._in_review(at)
            return None
        if self.decision.press:
            return self._answers(at)
        if game_ends.takes_statements(at, self.judged):
            return self._last_words(at)
        self._is_heard(at)
        if at.game.status == GameState.OVER:
            return self._after_end(at)
        if why := self.arrived.too_late(at, self.decision):
            return self._late(at, why)
        self._say_yes(at)
        return self._take(at, self._read(at))

    def _say_yes(self, at: GameAt) -> None:
        """Put the order in the place of a yes to a suggestion."""
        self.yes = saying_yes.heard(self.work, self.judged, at)
        self.judged, self.decision = self.yes.judged, self.yes.judged.decision

    def _is_heard(self, at: GameAt) -> None:
        seat = self.decision.seat
        if self.judged.proven and at.holders[seat].heard < at.period.number:
            games.set_seat(self.conn, at.id, seat, heard=at.period.number)

    def _answers(self, at: GameAt) -> Outcome:
        self._is_heard(at)
        return answering.relay_answer(self.work, self.judged, at, self.decision.seat)

    def leaves(self, found: Confirmed) -> Outcome:
        """Carry out the RESIGN or QUIT of a redeemed code, or send its refusal."""
        if found.refusal:
            senders.tell(self.work, self.judged, "question", found.refusal)
        else:
            self._note_letter(found.at, found.standing)
            self._receipt(found.at, found.standing, found.told)
        return self._outcome(LetterState.COMMAND, found.reason, found.at.period.number)

    def _outcome(self, state: LetterState, reason: str, period: int) -> Outcome:
        return Outcome(state, reason, period, self.number)

    def _sections(
        self, at: GameAt, standing: Standing, answers: Sequence[Answer] = ()
    ) -> list[tuple[str, str]]:
        return player_words.sections(self.work, self.judged, at, standing, answers)

    def _in_review(self, at: GameAt) -> None:
        holder = self.judged.writer(self.work, at)
        if not self.decision.reply_allowed:
            return
        if receipts.told_of_review(self.work, at, holder, self.row):
            return
        before = games.game_at(self.conn, at.id, at.period.number - 1)
        standing = order_sets.standing(self.conn, before, self.decision.seat)
        told = Receipt(answered=self._sections(before, standing))
        receipts.tell_of_review(self.work, self.judged, before, standing, told)

    def _after_backup(self, at: GameAt) -> bool:
        game = at.game
        if game.status == GameState.OVER:
            return False
        return after_backup(self.row.received, game.restored_to, game.restored_until)

    def _hold_restored(self, at: GameAt) -> Outcome:
        """Hold a letter that came after the backup, and tell its writer why."""
        number = at.period.number
        meant = restoring.meant_for(self.work, self.judged, at)
        to = at.game.restored_to
        ended = f"{moment_words(to.astimezone(at.zone))} {at.game.zone}" if to else ""
        note = (
            "The referee's database came back from a backup, which knows the game until"
            f" {ended}. Your letter came after that, when the game may have been further on"
            f" than period {number}, which is open again. So nothing of it was taken yet: it is"
            " held until the gamesmaster has seen which period it is for. You need not send it"
            " again." + away.waits(self.work, at.id)
        )
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        told = Receipt(notes=[note], answered=self._sections(at, standing))
        self._receipt(at, standing, told)
        speaks = (
            f"it speaks of period {meant}" if meant else "it does not say for which period it is"
        )
        why = (
            "received after the backup that the game came back from"
            f" ({at.game.restored_to:%Y-%m-%d %H:%M} UTC); {speaks}"
        )
        return self._outcome(LetterState.HELD, why, meant)

    def _last_words(self, at: GameAt) -> Outcome:
        peeled, number = self.decision.peeled, at.period.number
        trial = peeled.asks("CHECK")
        note, printed = game_ends.stated(self.work, self.judged, at, trial=trial)
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        notes = [note, *game_ends.again(self.work, at, self.judged)]
        if not peeled.empty or peeled.press:
            notes.append("The game is over, so nothing else of your letter was taken.")
        told = Receipt(
            notes=notes,
            answered=self._sections(at, standing),
            sections=[("Your statement as it goes out", printed)] if printed else (),
            trial=trial,
        )
        self._note_letter(at, None)
        self._receipt(at, standing, told)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _after_end(self, at: GameAt) -> Outcome:
        """Say who has won, and what there is to do."""
        seat, number = self.decision.seat, at.period.number
        standing = order_sets.standing(self.conn, at, seat)
        again = game_ends.again(self.work, at, self.judged)
        notes = [*(again or game_ends.over_words(self.work, at, self.judged)), *self.barred]
        told = Receipt(notes=notes, answered=self._sections(at, standing))
        self._receipt(at, standing, told)
        if again:
            return self._outcome(self.decision.verdict, self.decision.reason, number)
        return self._outcome(LetterState.LATE, "The game is over.", number)

    def _late(self, at: GameAt, why: str) -> Outcome:
        number = at.period.number
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        yes = saying_yes.heard(self.work, self.judged, at)
        lost = " ".join(["", *yes.notes]) if yes.notes and not yes.row else self._lost(at)
        told = Receipt(
            notes=[*self.arrived.crossed(at, self.decision), why + lost, *self.barred],
            said=readiness.of(order_sets.last_set(self.conn, at.id, number, self.decision.seat)),
            answered=self._sections(at, standing),
        )
        self._receipt(at, standing, told)
        return self._outcome(LetterState.LATE, why, number)

    def _lost(self, at: GameAt) -> str:
        """Return what of a late letter was not taken, and what to do."""
        peeled = self.decision.peeled
        names = dict.fromkeys(c.name for c in peeled.commands if c.name not in READING)
        acting = ", ".join(names)
        if peeled.empty and not peeled.press:
            return f" It was too late for\u00a0{acting}." if acting else ""
        lost = f" Its orders were not taken{f', nor {acting}' if acting else ''}."
        if self.arrived.missed(at, self.decision):
            if grace.waits(at):
                lost += " The period waits, but not for you."
            return (
                f"{lost} If you mean them for the next period, send them again when it has begun."
            )
        number = at.period.number
        return (
            f"{lost} If you mean them for period {number}, send them again with the line PERIOD"
            f" {number} on top."
        )

    def _take(self, at: GameAt, read: _Read) -> Outcome:
        seat, number, peeled = self.decision.seat, at.period.number, self.decision.peeled
        trial = peeled.asks("CHECK")
        blank = self._nothing_read(at, read)
        before = self._before(at, read, blank=blank)
        done = _Done(at)
        if not trial:
            before += self._grace(at, read)
            done = self._carried_out(self._file(at, read), read)
            at = done.at
        offers = suggested.offered(at.ruleset, at.state, seat, read.stands, read.answers)
        if not trial:
            saying_yes.suggest(self.conn, self.judged, at, offers, read.stands)
        notes = [*before, *done.notes]
        press = relaying.presses(self.work, self.judged, at, trial=trial)
        quiet = press.quiet and self._press_alone(at, notes)
        notes += [*press.notes, *game_ends.too_early(peeled), *player_words.unread(peeled)]
        if read.place.later:
            notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        answered = self._sections(at, read.stands, read.answers)
        self._note_letter(at, None if trial else read.stands)
        standing = order_sets.standing(self.conn, at, seat) if trial else read.stands
        ballot = self._ballot(at, trial=trial)
        told = Receipt(
            read.answers,
            notes=[*notes, *ballot.notes],
            answered=answered,
            sections=press.sections if at.holders[seat].all_receipts else (),
            trial=trial,
            said=readiness.of(read.last) if trial else read.said,
            tried=read.stands,
            before=order_sets.orders_of(at, read.last),
            blank=blank,
            press_alone=quiet,
            own=[*done.own, *ballot.own],
            offers=() if trial else offers,
        )
        self._receipt(ballot.at, standing, told)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _before(self, at: GameAt, read: _Read, *, blank: bool) -> list[str]:
        """Return the receipt's notes on the letter itself."""
        said = list(self.arrived.crossed(at, self.decision))
        if self.decision.directed and self.row.authentication in ON_HIS_WORD:
            said.append(
                f"The gamesmaster accepted this letter for {self.decision.seat} and for period"
                f" {at.period.number}, whatever it says of that itself."
            )
        said += [*self.yes.notes, *self._alerts(at, read, blank=blank), *self.barred]
        said += self._still_waits(at)
        if read.resigns and self.judged.deputy:
            said.append(deputies.RESIGNS)
        return said

    def _still_waits(self, at: GameAt) -> Iterator[str]:
        """Yield that questions of the player wait for an answer."""
        if self.decision.reply_allowed and not self.judged.deputy:
            seat = self.decision.seat
            yield from waiting_inquiries.still_wait(self.work, at, seat).values()

    def _press_alone(self, at: GameAt, notes: Sequence[str]) -> bool:
        """Return whether it is press and a receipt of two lines does."""
        peeled = self.decision.peeled
        alone = bool(peeled.press) and peeled.empty and not peeled.commands
        return alone and not notes and not at.holders[self.decision.seat].all_receipts

    def _ballot(self, at: GameAt, *, trial: bool) -> _Done:
        """File its ballot; the last one needed ends the game."""
        notes = game_ends.balloted(self.work, self.judged, at, trial=trial)
        if notes and not trial and ending.conclude(self.work, at):
            at = games.game_at(self.conn, at.id)
            notes = [
                f"All who are still in the game agree, and so it is over: {ending.ended(at)}. The"
                " last bulletin comes in a mail of its own."
            ]
        return _Done(at, notes, notes)

    def _read(self, at: GameAt) -> _Read:
        """Read the orders on top of what stands; a held letter's by first sight."""
        peeled, seat = self.decision.peeled, self.decision.seat
        last = order_sets.last_set(self.conn, at.id, at.period.number, seat)
        stood = order_sets.orders_of(at, last)
        place = OrderPlace(stood, readiness.of(last))
        confirmed = self.row.authentication == CONFIRMED
        if confirmed or self._after_backup(at):  # others may have come meanwhile
            place = places.order_place(self.work, at, seat, self.row.id)
        known = formation.seen(self.work, at, seat)
        taken = take(at.ruleset, known.state, seat, peeled.text, place.before, at.called)
        resigns = leaving.resigns(taken.standing, stood) and (
            not confirmed or bool(self.judged.deputy)
        )
        kept = staying(taken.standing) if resigns else taken.standing
        if self.judged.deputy:  # a deputy cannot take back what her player said of leaving
            kept = leaving.as_it_was(kept, stood)
        moved = kept != place.before
        said = readiness.after_letter(
            at.ruleset, at.state, seat, place.said, peeled, taken.answers, moved, place.later
        )
        stands = places.folded(at, seat, kept, place.later)
        return _Read(last, place, taken.answers, stands, said, resigns)

    def _file(self, at: GameAt, read: _Read) -> GameAt:
        """Save the orders and what follows. Return the game after it."""
        seat, now = self.decision.seat, self.work.now
        if at.practice and self.decision.peeled.asks(Said.READY) and formation.is_continuous(at):
            periods.set_period(self.conn, at.id, at.period.number, close_asked=now, next_look=now)
        if at.holders[seat].asked_until is not None and self.judged.proven:
            games.set_seat(self.conn, at.id, seat, asked_until=None, missed=0)
        if not read.changes():
            return at
        order_sets.save_orders(
            self.conn,
            at,
            seat,
            read.stands,
            read.last,
            said=read.said,
            letter_id=self.row.id,
            now=now,
        )
        saying_yes.taken(self.conn, self.yes, self.row.id, read.stands)
        stood = order_sets.orders_of(at, read.last)
        at_once.tell(self.work, at, seat, stood, read.stands, str(self.row.id))
        if formation.is_continuous(at):
            formation.letter_taken(self.work, at)
            house_bots.answer(self.work, games.game_at(self.conn, at.id))
            return games.game_at(self.conn, at.id)
        if at.awaits:
            periods.set_period(self.conn, at.id, at.period.number, next_look=now)
        return at

    def _grace(self, at: GameAt, read: _Read) -> list[str]:
        """Return notes on orders that count although they came late."""
        if not read.changes() or self.row.authentication in ON_HIS_WORD:
            return []
        return grace.used(self.work, at, self.decision.seat, self.row.received)

    def _carried_out(self, at: GameAt, read: _Read) -> _Done:
        """Carry out words about absences, mails, READY, WAIT, deputies and leaving."""
        of_end = self._about_the_end(at, read)
        mails, leaves = list[str](), list[str]()
        commands = self.decision.peeled.commands
        if not self.judged.deputy:
            mails += self._absent(at)
            mails += wishes.carry_out(self.work, at, self.decision.seat, commands)
            mails += inquiries.carry_out(self.work, self.judged, at, commands)
        leaves += deputies.carry_out(self.work, self.judged, at)
        if not self.judged.deputy:
            resigning = read.resigns
            leaves += leaving.carry_out(
                self.work, self.judged, at, read.answers, resigning=resigning
            )
        if any(map(self.decision.peeled.asks, wishes.WORDS)):
            at = games.game_at(self.conn, at.id)
        own = [] if self.judged.deputy else [*mails, *leaves]
        return _Done(at, [*mails, *of_end, *leaves], own)

    def _about_the_end(self, at: GameAt, read: _Read) -> list[str]:
        peeled = self.decision.peeled
        if grace.waits(at):
            word = peeled.asks(Said.READY) or peeled.asks(Said.WAIT)
            return [grace.CLOSES] if word else []
        return readiness.notes(
            at.ruleset,
            at.state,
            self.decision.seat,
            at.house,
            read.place.said,
            read.said,
            peeled,
            read.stands,
            at.period.number,
            publishing.early_when(at),
        )

    def _note_letter(self, at: GameAt, standing: Standing | None) -> None:
        """standing: None if it was only tried."""
        notes.note(
            self.conn,
            at.id,
            self.work.now,
            "letter",
            letter=self.row.id,
            sha256=self.letter.raw_hash,
            period=at.period.number,
            seat=self.decision.seat,
            orders=canonical(standing) if standing is not None else None,
            **({"yes_to": self.yes.row.line} if self.yes.row else {}),
        )

    def _nothing_read(self, at: GameAt, read: _Read) -> bool:
        peeled = self.decision.peeled
        understood = any(answer.orders or answer.cancelled for answer in read.answers)
        return not (understood or peeled.commands or peeled.press or questions.asked(peeled, at))

    def _alerts(self, at: GameAt, read: _Read, *, blank: bool) -> list[str]:
        said = list(self.letter.notes)
        peeled, seat = self.decision.peeled, self.decision.seat
        half = own_page.unfinished(self.conn, at, seat, peeled.text)
        said.extend(f'Not filled in to the end, so not read: "{safe(line)}".' for line in half)
        unread = blank and not half and not self.yes.notes
        if unread and all(answer.quiet for answer in read.answers):
            more = questions.others(peeled, at, read.answers) or read.answers
            lines = [safe(one.line.text) for one in more]
            named = f'"{shorten(lines[0], _SHOWN)}"' if len(lines) == 1 else "your letter"
            said.append(f"I found no order in {named}. HELP brings what you can send.")
            if who := questions.meant_for(peeled, at):
                said.append(
                    f"Is it for {who}? Nobody but the referee has read it. To send it, put the"
                    f" line\u00a0PRESS\u00a0TO\u00a0{who} above it and\u00a0END\u00a0PRESS below."
                )
        taken = {first_word(str(order)) for answer in read.answers for order in answer.orders}
        behind = filter(None, map(behind_number, peeled.text.split("\n")))
        again = (line for line in behind if first_word(line) not in taken)
        numbered = filter(at.ruleset.language.reads, again)
        said.extend(
            f'A line that begins with a number in brackets is not read; send "{safe(rest)}" without'
            " the number."
            for rest in islice(numbered, _MOST_NUMBERED)
        )
        if self.row.folder in self.work.config.junk:
            said.append(
                "Your letter had been sorted into the junk folder; it was taken all the same."
            )
            text = (
                f"Letter {self.row.id} of {self.letter.sender} was found in {self.row.folder} and"
                " taken."
            )
            subject = "a player's letter in Junk"
            alarms.tell(self.work, f"junk:{self.row.id}", subject, text, at.id)
        return said

    def _absent(self, at: GameAt) -> list[str]:
        if at.house.away_days:
            return absences.book(self.work, self.judged, at)
        commands = self.decision.peeled.commands
        spans = dict.fromkeys(one.argument for one in commands if one.name == "ABSENT")
        return [
            player_words.absent(
                self.work, at, self.decision.seat, days, self.row.id, self.row.received
            )
            for days in list(spans)[: player_words.MOST_ABSENCES + 1]
        ]

    def _receipt(self, at: GameAt, standing: Standing, told: Receipt) -> None:
        holder = at.holders[self.decision.seat]
        if not self.decision.reply_allowed:
            return
        self.number = self._numbered(at, holder)
        receipts.send_receipts(self.work, self.judged, at, self.number, standing, told)

    def _numbered(self, at: GameAt, holder: Holder) -> int:
        """Return the receipt's number, the same if decided again after a hold."""
        row = self.row
        if row.receipt is not None and row.game_id == at.id and row.seat == holder.seat:
            return row.receipt
        return holder.receipts + 1
