"""Take a letter to a game: orders, their storage, its receipt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, canonical
from pbem.games.frame.readiness import Said
from pbem.letters.states import LetterState
from pbem.letters.verdict import Rule
from pbem.orders.asking import NAME
from pbem.orders.mailwords import naming
from pbem.orders.order import Standing
from pbem.periods import away, ending, grace, publishing
from pbem.periods import inquiries as waiting_inquiries
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.trust import ON_HIS_WORD
from pbem.referee.game import (
    answering,
    arrivals,
    game_ends,
    receipt_text,
    receipts,
    relaying,
    restoring,
    saying_yes,
    seat_orders,
)
from pbem.referee.game.arrivals import Arrived
from pbem.referee.game.receipt_text import Receipt
from pbem.referee.game.seat_orders import Read
from pbem.referee.words import deputies, leaving, look, play
from pbem.referee.words.leaving import Confirmed
from pbem.store.games import games, order_sets
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, PeriodState


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
        reads = self.decision.rule == Rule.ONLY_READING
        if (
            restoring.came_after(at, self.row.received)
            and not reads
            and self.row.authentication not in ON_HIS_WORD
        ):
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
        read = seat_orders.read_orders(self.work, self.judged, at)
        answers, presses = relaying.in_words(self.work, self.judged, at, read.answers)
        return self._take(at, replace(read, answers=answers), presses)

    def _say_yes(self, at: GameAt) -> None:
        """Put the order in the place of a yes to a suggestion; find his new name."""
        if NAME not in at.ruleset.language.words:
            decision = replace(self.decision, peeled=naming(self.decision.peeled))
            named = replace(self.judged, decision=decision)
            self.judged, barred = deputies.without_personal(named)
            self.barred = [*self.barred, *barred]
        self.yes = saying_yes.heard(self.work, self.judged, at)
        self.judged, self.decision = self.yes.judged, self.yes.judged.decision

    def _is_heard(self, at: GameAt) -> None:
        seat = self.decision.seat
        if self.judged.proven and at.holders[seat].heard < at.period.number:
            games.set_seat(self.conn, at.id, seat, heard=at.period.number)

    def _answers(self, at: GameAt) -> Outcome:
        self._is_heard(at)
        return answering.relay_answer(self.work, self.judged, at, self.decision.seat)

    @classmethod
    def leaves(cls, work: Work, judged: Judged, found: Confirmed) -> Outcome:
        """Answer the code of a RESIGN or QUIT."""
        place = found.at.id, found.seat
        decision = replace(judged.decision, game=found.at.id, seat=found.seat)
        made = cls(work, replace(judged, decision=decision))
        made._note_letter(found.at, found.standing)
        made._receipt(found.at, found.standing, found.told)
        number = found.at.period.number
        return made._outcome(LetterState.COMMAND, found.reason, number)._replace(place=place)

    def _outcome(self, state: LetterState, reason: str, period: int) -> Outcome:
        return Outcome(state, reason, period, self.number)

    def _sections(
        self, at: GameAt, standing: Standing, answers: Sequence[Answer] = ()
    ) -> list[tuple[str, str]]:
        return look.sections(self.work, self.judged, at, standing, answers)

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

    def _hold_restored(self, at: GameAt) -> Outcome:
        number = at.period.number
        meant = restoring.meant_for(self.work, self.judged, at)
        to = at.game.restored_to
        ended = at.minute(to) if to else ""
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
        seat, number = self.decision.seat, at.period.number
        standing = order_sets.standing(self.conn, at, seat)
        again = game_ends.again(self.work, at, self.judged)
        answered = self._sections(at, standing)
        over = game_ends.over_words(self.work, at, self.judged)
        notes = [*(again or (over[:1] if answered else over)), *self.barred]
        told = Receipt(notes=notes, answered=answered)
        self._receipt(at, standing, told)
        if again:
            return self._outcome(self.decision.verdict, self.decision.reason, number)
        return self._outcome(LetterState.LATE, "The game is over.", number)

    def _late(self, at: GameAt, why: str) -> Outcome:
        number = at.period.number
        standing = order_sets.standing(self.conn, at, self.decision.seat)
        yes = saying_yes.heard(self.work, self.judged, at)
        lost = (
            " ".join(["", *yes.notes])
            if yes.notes and not yes.rows
            else arrivals.lost(self.decision, at, missed=self.arrived.missed(at, self.decision))
        )
        told = Receipt(
            notes=[*self.arrived.crossed(at, self.decision), why + lost, *self.barred],
            said=readiness.of(order_sets.last_set(self.conn, at.id, number, self.decision.seat)),
            answered=self._sections(at, standing),
        )
        self._receipt(at, standing, told)
        return self._outcome(LetterState.LATE, why, number)

    def _take(self, at: GameAt, read: Read, presses: Sequence[str]) -> Outcome:
        """presses: what it says to others in plain words, to be offered."""
        seat, number, peeled = self.decision.seat, at.period.number, self.decision.peeled
        trial = peeled.asks("CHECK")
        blank = not self.barred and arrivals.nothing_read(peeled, at, read.answers)
        before = self._before(at, read, blank=blank)
        done = _Done(at)
        if not trial:
            before += self._grace(at, read)
            done = self._carried_out(seat_orders.save(self.work, self.yes, at, read), read)
            at = done.at
        offers = readiness.offered(at.ruleset, at.state, seat, read.stands, read.answers)
        offers += presses
        notes = [*before, *done.notes]
        press = relaying.presses(self.work, self.judged, at, trial=trial, offers=len(offers))
        offers += press.held
        if not trial:
            read_as = [str(one) for answer in read.answers if answer.words for one in answer.orders]
            saying_yes.suggest(self.conn, self.judged, at, offers, read.stands, read_as)
        quiet = press.quiet and self._press_alone(at, notes)
        notes += [*press.notes, *game_ends.too_early(peeled), *play.unread(peeled)]
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
            sections=press.sections,
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

    def _before(self, at: GameAt, read: Read, *, blank: bool) -> list[str]:
        until = publishing.local_deadline(at)
        said = [receipt_text.from_words(one, until) for one in read.answers if one.words]
        said += self.arrived.crossed(at, self.decision)
        if self.decision.directed and self.row.authentication in ON_HIS_WORD:
            said.append(
                f"The gamesmaster accepted this letter for {self.decision.seat} and for period"
                f" {at.period.number}, whatever it says of that itself."
            )
        alerts = arrivals.alerts(self.work, self.yes, at, read.answers, blank=blank)
        said += [*self.yes.notes, *alerts, *self.barred]
        said += self._still_waits(at)
        if read.resigns and self.judged.deputy:
            said.append(deputies.RESIGNS)
        return said

    def _still_waits(self, at: GameAt) -> Iterator[str]:
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

    def _grace(self, at: GameAt, read: Read) -> list[str]:
        if not read.changes() or self.row.authentication in ON_HIS_WORD:
            return []
        return grace.used(self.work, at, self.decision.seat, self.row.received)

    def _carried_out(self, at: GameAt, read: Read) -> _Done:
        of_end = self._about_the_end(at, read)
        mails = [] if self.judged.deputy else [*play.carry_out(self.work, self.judged, at)]
        leaves = deputies.carry_out(self.work, self.judged, at)
        if not self.judged.deputy:
            leaves += leaving.carry_out(self.work, self.judged, at, read.answers, read.resigns)
        if mails:
            at = games.game_at(self.conn, at.id)
        own = [] if self.judged.deputy else [*mails, *leaves]
        return _Done(at, [*mails, *of_end, *leaves], own)

    def _about_the_end(self, at: GameAt, read: Read) -> list[str]:
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
            **({"yes_to": "; ".join(row.called for row in self.yes.rows)} if self.yes.rows else {}),
        )

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
