"""A letter to a game that has begun: what its orders come to, what goes on file, what its receipt
says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, canonical, take
from pbem.games.frame.lateness import after_backup
from pbem.games.frame.readiness import Said
from pbem.letters import case
from pbem.letters.states import LetterState
from pbem.orders.order import Standing, staying
from pbem.periods import ending, formation, grace, own_page
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.trust import CONFIRMED, ON_HIS_WORD
from pbem.referee.game import answering, game_ends, places, receipts, relaying, restoring
from pbem.referee.game.arrivals import Arrived
from pbem.referee.game.places import OrderPlace
from pbem.referee.game.receipts import Receipt
from pbem.referee.words import absences, deputies, leaving, player_words, wishes
from pbem.referee.words.leaving import Confirmed
from pbem.store.games import games, order_sets, periods
from pbem.store.games.game_rows import Holder, OrderSetRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState
from pbem.text import moment_words, safe


@dataclass(frozen=True, slots=True)
class _Read:
    """What the orders of a letter come to: the ``place`` they take, what now ``stands`` and is
    ``said``, on top of the seat's ``last`` order set; whether the seat ``resigns`` by them, which
    waits for a code."""

    last: OrderSetRow | None
    place: OrderPlace
    answers: Sequence[Answer]
    stands: Standing
    said: Said
    resigns: bool

    def changes(self) -> bool:
        """Whether a new order set goes on file: an order was given or cancelled, or something said
        about the end of the period."""
        for answer in self.answers:
            given = {order.slot: order for order in answer.orders}
            if self.resigns:
                given = staying(given)
            if given or answer.cancelled:
                return True
        return self.said is not readiness.of(self.last)


class GameLetter:
    """One letter of a seat, with the verdict on it."""

    def __init__(self, work: Work, judged: Judged) -> None:
        self.work, self.conn = work, work.conn
        self.judged, self.barred = deputies.without_personal(judged)
        judged = self.judged
        self.row, self.letter, self.decision = judged.row, judged.letter, judged.decision
        self.arrived = Arrived(self.conn, self.row, self.letter)
        self.number: int | None = None  # of its receipt, among the seat's own

    def heard(self, at: GameAt) -> Outcome | None:
        """What becomes of it; None where it has to wait undecided."""
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
        if why := self.arrived.too_late(at, self.decision):
            return self._late(at, why)
        return self._take(at, self._read(at))

    def _is_heard(self, at: GameAt) -> None:
        """Its writer has written in this period."""
        seat = self.decision.seat
        if self.judged.proven and at.holders[seat].heard < at.period.number:
            games.set_seat(self.conn, at.id, seat, heard=at.period.number)

    def _answers(self, at: GameAt) -> Outcome:
        """An answer to press: it counts at any time, and for no period."""
        self._is_heard(at)
        return answering.relay_answer(self.work, self.judged, at, self.decision.seat)

    def leaves(self, found: Confirmed) -> Outcome:
        """Its code is for a RESIGN or QUIT, which counts unless it is refused."""
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
        """The answers to what the letter asks."""
        return player_words.sections(self.work, self.judged, at, standing, answers)

    def _in_review(self, at: GameAt) -> None:
        """Between two periods: the letter waits and its receipt with it, but its writer is told
        that it came. All that he is told is of the period before, since nobody knows yet how that
        ended."""
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
        """A letter that came after the backup: its writer is told that it waits, and why."""
        number = at.period.number
        meant = restoring.meant_for(self.work, self.judged, at)
        to = at.game.restored_to
        ended = f"{moment_words(to.astimezone(at.zone))} {at.game.zone}" if to else ""
        note = (
            "The referee's database came back from a backup, which knows the game until"
            f" {ended}. Your letter came after that, when the game may have been further on"
            f" than period {number}, which is open again. So nothing of it was taken yet: it is"
            " held until the gamesmaster has seen which period it is for. You need not send it"
            " again."
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
        """A letter with a statement on a game that is over."""
        peeled, number = self.decision.peeled, at.period.number
        trial = peeled.asks("CHECK")
        note, printed = game_ends.stated(self.work, self.judged, at, trial=trial)
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        told = Receipt(notes=[note], answered=self._sections(at, standing), trial=trial)
        if printed:
            told.sections.append(("Your statement as it goes out", printed))
        if not peeled.empty or peeled.press:
            told.notes.append("The game is over, so nothing else of your letter was taken.")
        self._note_letter(at, None)
        self._receipt(at, standing, told)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _late(self, at: GameAt, why: str) -> Outcome:
        number = at.period.number
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        told = Receipt(
            notes=[*self.arrived.crossed(at, self.decision), why + self._lost(at), *self.barred],
            said=readiness.of(order_sets.last_set(self.conn, at.id, number, self.decision.seat)),
            answered=self._sections(at, standing),
        )
        self._receipt(at, standing, told)
        return self._outcome(LetterState.LATE, why, number)

    def _lost(self, at: GameAt) -> str:
        """What of a late letter was not taken, and what its writer can do."""
        peeled = self.decision.peeled
        names = dict.fromkeys(c.name for c in peeled.commands if c.name not in case.READING)
        acting = ", ".join(names)
        if peeled.empty and not peeled.press:
            return f" It was too late for\u00a0{acting}." if acting else ""
        lost = f" Its orders were not taken{f', nor {acting}' if acting else ''}."
        if at.game.status == GameState.OVER:
            return lost
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
        """Carry out the orders, press and commands of a letter that counts."""
        seat, number = self.decision.seat, at.period.number
        trial = self.decision.peeled.asks("CHECK")
        said = readiness.of(read.last) if trial else read.said
        told = Receipt(read.answers, trial=trial, said=said, tried=read.stands)
        told.notes.extend(self.arrived.crossed(at, self.decision))
        if self.decision.directed and self.row.authentication in ON_HIS_WORD:
            told.notes.append(
                f"The gamesmaster accepted this letter for {seat} and for period {number}, whatever"
                " it says of that itself."
            )
        told.form = self._nothing_read(read)
        told.notes.extend(self._alerts(at, told))
        told.notes.extend(self.barred)
        if read.resigns and self.judged.deputy:
            told.notes.append(deputies.RESIGNS)
        if not trial:
            told.notes.extend(self._grace(at, read))
            at = self._file(at, read)
            told.notes.extend(self._words(at, read, told))
            if any(map(self.decision.peeled.asks, wishes.WORDS)):
                at = games.game_at(self.conn, at.id)
        quiet = self._press_alone(at, told)
        quiet = relaying.presses(self.work, self.judged, at, told) and quiet
        told.notes.extend(game_ends.too_early(self.decision.peeled))
        told.notes.extend(player_words.unread(self.decision.peeled))
        if read.place.later:
            told.notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        told.answered = self._sections(at, read.stands, read.answers)
        self._note_letter(at, None if trial else read.stands)
        standing = order_sets.standing(self.conn, at, seat) if trial else read.stands
        at = self._ballot(at, told)
        if not quiet:
            self._receipt(at, standing, told)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _press_alone(self, at: GameAt, told: Receipt) -> bool:
        """Whether there is nothing in it but press, and nothing to be said of it unless that is
        refused. Who wants a receipt of all gets one."""
        peeled = self.decision.peeled
        alone = bool(peeled.press) and peeled.empty and not peeled.commands
        return alone and not told.notes and not at.holders[self.decision.seat].all_receipts

    def _ballot(self, at: GameAt, told: Receipt) -> GameAt:
        """Its ballot for the end of the game goes on file; where it was the last that was needed,
        the game is over: the table as it is then."""
        notes = game_ends.balloted(self.work, self.judged, at, trial=told.trial)
        if notes and not told.trial and ending.conclude(self.work, at):
            at = games.game_at(self.conn, at.id)
            notes = [
                f"All who are still in the game agree, and so it is over: {ending.ended(at)}. The"
                " last bulletin comes in a mail of its own."
            ]
        told.notes.extend(notes)
        told.own.extend(notes)
        return at

    def _read(self, at: GameAt) -> _Read:
        """Its orders upon what stands, in the place of its receipt where it had been held."""
        peeled, seat = self.decision.peeled, self.decision.seat
        last = order_sets.last_set(self.conn, at.id, at.period.number, seat)
        stood = order_sets.orders_of(at, last)
        place = OrderPlace(stood, readiness.of(last))
        confirmed = self.row.authentication == CONFIRMED
        if confirmed or self._after_backup(at):  # others may have come meanwhile
            place = places.order_place(self.work, at, seat, self.row.id)
        known = formation.seen(self.work, at, seat)
        taken = take(at.ruleset, known.state, seat, peeled.text, place.before)
        resigns = leaving.resigns(taken.standing, stood) and (
            not confirmed or bool(self.judged.deputy)
        )
        kept = staying(taken.standing) if resigns else taken.standing
        if self.judged.deputy:  # what its player has said of leaving is not hers to take back
            kept = leaving.as_it_was(kept, stood)
        moved = kept != place.before
        said = readiness.after_letter(
            at.ruleset, at.state, seat, place.said, peeled, taken.answers, moved, place.later
        )
        stands = places.folded(at, seat, kept, place.later)
        return _Read(last, place, taken.answers, stands, said, resigns)

    def _file(self, at: GameAt, read: _Read) -> GameAt:
        """Its orders go on file, and what they set in motion; the table as it is then."""
        seat, now = self.decision.seat, self.work.now
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
        if formation.is_continuous(at):
            formation.letter_taken(self.work, at)
            return games.game_at(self.conn, at.id)
        if at.awaits:
            periods.set_period(self.conn, at.id, at.period.number, next_look=now)
        return at

    def _grace(self, at: GameAt, read: _Read) -> list[str]:
        """What the receipt says of orders that count although they came after the deadline."""
        if not read.changes() or self.row.authentication in ON_HIS_WORD:
            return []
        return grace.used(self.work, at, self.decision.seat, self.row.received)

    def _words(self, at: GameAt, read: _Read, told: Receipt) -> list[str]:
        """What the receipt says of absences, of how its writer wants his mails, of READY and WAIT,
        of a deputy, and of leaving."""
        of_end = self._about_the_end(at, read)
        if self.judged.deputy:
            return [*of_end, *deputies.carry_out(self.work, self.judged, at)]
        commands = self.decision.peeled.commands
        mails = [
            *self._absent(at),
            *wishes.carry_out(self.work, at, self.decision.seat, commands),
        ]
        leaves = [
            *deputies.carry_out(self.work, self.judged, at),
            *leaving.carry_out(self.work, self.judged, at, read.answers, resigning=read.resigns),
        ]
        told.own.extend((*mails, *leaves))
        return [*mails, *of_end, *leaves]

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
        )

    def _note_letter(self, at: GameAt, standing: Standing | None) -> None:
        """The journal says which letter was taken, and what stands by it (None: it was tried)."""
        notes.note(
            self.conn,
            at.id,
            self.work.now,
            "letter",
            sha256=self.letter.raw_hash,
            period=at.period.number,
            seat=self.decision.seat,
            orders=canonical(standing) if standing is not None else None,
        )

    def _nothing_read(self, read: _Read) -> bool:
        """Whether nothing in it was understood: no order, no word for the referee, no press."""
        peeled = self.decision.peeled
        understood = any(answer.orders or answer.cancelled for answer in read.answers)
        return not (understood or peeled.commands or peeled.press)

    def _alerts(self, at: GameAt, told: Receipt) -> list[str]:
        said = list(self.letter.notes)
        peeled, seat = self.decision.peeled, self.decision.seat
        half = own_page.unfinished(self.conn, at, seat, peeled.text)
        said.extend(f'Not filled in to the end, so not read: "{safe(line)}".' for line in half)
        if told.form and not half and all(answer.quiet for answer in told.answers):
            said.append(
                "There was nothing in your letter that could be read as an order. Write HELP for"
                " the order guide."
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
        """What the receipt says of the absences that are announced, or are to be booked; of one too
        many too."""
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
        """The number of the letter's receipt; one that is decided again, after a hold, keeps what
        it has."""
        row = self.row
        if row.receipt is not None and row.game_id == at.id and row.seat == holder.seat:
            return row.receipt
        return holder.receipts + 1
