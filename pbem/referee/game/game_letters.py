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

    def heard(self, game: GameAt) -> Outcome | None:
        """Return the outcome, or None if it waits undecided."""
        reads = self.decision.rule == Rule.ONLY_READING
        if (
            restoring.came_after(game, self.row.received)
            and not reads
            and self.row.authentication not in ON_HIS_WORD
        ):
            return self._hold_restored(game)
        if game.period.status == PeriodState.REVIEW:
            self._in_review(game)
            return None
        if self.decision.press:
            return self._answers(game)
        if game_ends.takes_statements(game, self.judged):
            return self._last_words(game)
        self._is_heard(game)
        if game.row.status == GameState.OVER:
            return self._after_end(game)
        if why := self.arrived.too_late(game, self.decision):
            return self._late(game, why)
        self._say_yes(game)
        read = seat_orders.read_orders(self.work, self.judged, game)
        answers, presses = relaying.in_words(self.work, self.judged, game, read.answers)
        return self._take(game, replace(read, answers=answers), presses)

    def _say_yes(self, game: GameAt) -> None:
        """Put the order in the place of a yes to a suggestion; find his new name."""
        if NAME not in game.ruleset.language.words:
            decision = replace(self.decision, peeled=naming(self.decision.peeled))
            named = replace(self.judged, decision=decision)
            self.judged, barred = deputies.without_personal(named)
            self.barred = [*self.barred, *barred]
        self.yes = saying_yes.heard(self.work, self.judged, game)
        self.judged, self.decision = self.yes.judged, self.yes.judged.decision

    def _is_heard(self, game: GameAt) -> None:
        seat = self.decision.seat
        if self.judged.proven and game.holders[seat].heard < game.period.number:
            games.set_seat(self.conn, game.id, seat, heard=game.period.number)

    def _answers(self, game: GameAt) -> Outcome:
        self._is_heard(game)
        return answering.relay_answer(self.work, self.judged, game, self.decision.seat)

    @classmethod
    def leaves(cls, work: Work, judged: Judged, leaving: Confirmed) -> Outcome:
        """Answer the code of a RESIGN or QUIT."""
        place = leaving.at.id, leaving.seat
        decision = replace(judged.decision, game=leaving.at.id, seat=leaving.seat)
        made = cls(work, replace(judged, decision=decision))
        made._note_letter(leaving.at, leaving.standing)
        made._receipt(leaving.at, leaving.standing, leaving.told)
        number = leaving.at.period.number
        return made._outcome(LetterState.COMMAND, leaving.reason, number)._replace(place=place)

    def _outcome(self, state: LetterState, reason: str, period: int) -> Outcome:
        return Outcome(state, reason, period, self.number)

    def _sections(
        self, game: GameAt, standing: Standing, answers: Sequence[Answer] = ()
    ) -> list[tuple[str, str]]:
        return look.sections(self.work, self.judged, game, standing, answers)

    def _in_review(self, game: GameAt) -> None:
        holder = self.judged.writer(self.work, game)
        if not self.decision.reply_allowed:
            return
        if receipts.told_of_review(self.work, game, holder, self.row):
            return
        before = games.game_at(self.conn, game.id, game.period.number - 1)
        standing = order_sets.standing(self.conn, before, self.decision.seat)
        told = Receipt(answered=self._sections(before, standing))
        receipts.tell_of_review(self.work, self.judged, before, standing, told)

    def _hold_restored(self, game: GameAt) -> Outcome:
        number = game.period.number
        meant = restoring.meant_for(self.work, self.judged, game)
        to = game.row.restored_to
        ended = game.minute(to) if to else ""
        note = (
            "The referee's database came back from a backup, which knows the game until"
            f" {ended}. Your letter came after that, when the game may have been further on"
            f" than period {number}, which is open again. So nothing of it was taken yet: it is"
            " held until the gamesmaster has seen which period it is for. You need not send it"
            " again." + away.waits(self.work, game.id)
        )
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        told = Receipt(notes=[note], answered=self._sections(game, standing))
        self._receipt(game, standing, told)
        speaks = (
            f"it speaks of period {meant}" if meant else "it does not say for which period it is"
        )
        why = f"received after the backup that the game came back from ({ended}); {speaks}"
        return self._outcome(LetterState.HELD, why, meant)

    def _last_words(self, game: GameAt) -> Outcome:
        peeled, number = self.decision.peeled, game.period.number
        trial = peeled.asks("CHECK")
        note, printed = game_ends.stated(self.work, self.judged, game, trial=trial)
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        notes = [note, *game_ends.again(self.work, game, self.judged)]
        if not peeled.empty or peeled.press:
            notes.append("The game is over, so nothing else of your letter was taken.")
        receipt = Receipt(
            notes=notes,
            answered=self._sections(game, standing),
            sections=[("Your statement as it goes out", printed)] if printed else (),
            trial=trial,
        )
        self._note_letter(game, None)
        self._receipt(game, standing, receipt)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _after_end(self, game: GameAt) -> Outcome:
        seat, number = self.decision.seat, game.period.number
        standing = order_sets.standing(self.conn, game, seat)
        again = game_ends.again(self.work, game, self.judged)
        answered = self._sections(game, standing)
        over = game_ends.over_words(self.work, game, self.judged)
        notes = [*(again or (over[:1] if answered else over)), *self.barred]
        told = Receipt(notes=notes, answered=answered)
        self._receipt(game, standing, told)
        if again:
            return self._outcome(self.decision.verdict, self.decision.reason, number)
        return self._outcome(LetterState.LATE, "The game is over.", number)

    def _late(self, game: GameAt, why: str) -> Outcome:
        number = game.period.number
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        yes = saying_yes.heard(self.work, self.judged, game)
        lost = (
            " ".join(["", *yes.notes])
            if yes.notes and not yes.rows
            else arrivals.lost(self.decision, game, missed=self.arrived.missed(game, self.decision))
        )
        told = Receipt(
            notes=[*self.arrived.crossed(game, self.decision), why + lost, *self.barred],
            said=readiness.of(order_sets.last_set(self.conn, game.id, number, self.decision.seat)),
            answered=self._sections(game, standing),
        )
        self._receipt(game, standing, told)
        return self._outcome(LetterState.LATE, why, number)

    def _take(self, game: GameAt, read: Read, presses: Sequence[str]) -> Outcome:
        """presses: what it says to others in plain words, to be offered."""
        seat, number, peeled = self.decision.seat, game.period.number, self.decision.peeled
        trial = peeled.asks("CHECK")
        blank = not self.barred and arrivals.nothing_read(peeled, game, read.answers)
        before = self._before(game, read, blank=blank)
        done = _Done(game)
        if not trial:
            before += self._grace(game, read)
            done = self._carried_out(seat_orders.save(self.work, self.yes, game, read), read)
            game = done.at
        offers = readiness.offered(game.ruleset, game.state, seat, read.stands, read.answers)
        offers += presses
        notes = [*before, *done.notes]
        press = relaying.presses(self.work, self.judged, game, trial=trial, offers=len(offers))
        offers += press.held
        if not trial:
            read_as = [str(one) for answer in read.answers if answer.words for one in answer.orders]
            saying_yes.suggest(self.conn, self.judged, game, offers, read.stands, read_as)
        quiet = press.quiet and self._press_alone(game, notes)
        notes += [*press.notes, *game_ends.too_early(peeled), *play.unread(peeled)]
        if read.place.later:
            notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        answered = self._sections(game, read.stands, read.answers)
        self._note_letter(game, None if trial else read.stands)
        standing = order_sets.standing(self.conn, game, seat) if trial else read.stands
        ballot = self._ballot(game, trial=trial)
        receipt = Receipt(
            read.answers,
            notes=[*notes, *ballot.notes],
            answered=answered,
            sections=press.sections,
            trial=trial,
            said=readiness.of(read.last) if trial else read.said,
            tried=read.stands,
            before=order_sets.orders_of(game, read.last),
            blank=blank,
            press_alone=quiet,
            own=[*done.own, *ballot.own],
            offers=() if trial else offers,
        )
        self._receipt(ballot.at, standing, receipt)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _before(self, game: GameAt, read: Read, *, blank: bool) -> list[str]:
        until = publishing.local_deadline(game)
        lines = [receipt_text.from_words(one, until) for one in read.answers if one.words]
        lines += self.arrived.crossed(game, self.decision)
        if self.decision.directed and self.row.authentication in ON_HIS_WORD:
            lines.append(
                f"The gamesmaster accepted this letter for {self.decision.seat} and for period"
                f" {game.period.number}, whatever it says of that itself."
            )
        alerts = arrivals.alerts(self.work, self.yes, game, read.answers, blank=blank)
        lines += [*self.yes.notes, *alerts, *self.barred]
        lines += self._still_waits(game)
        if read.resigns and self.judged.deputy:
            lines.append(deputies.RESIGNS)
        return lines

    def _still_waits(self, game: GameAt) -> Iterator[str]:
        if self.decision.reply_allowed and not self.judged.deputy:
            seat = self.decision.seat
            yield from waiting_inquiries.still_wait(self.work, game, seat).values()

    def _press_alone(self, game: GameAt, notes: Sequence[str]) -> bool:
        """Return whether it is press and a receipt of two lines does."""
        peeled = self.decision.peeled
        alone = bool(peeled.press) and peeled.empty and not peeled.commands
        return alone and not notes and not game.holders[self.decision.seat].all_receipts

    def _ballot(self, game: GameAt, *, trial: bool) -> _Done:
        """File its ballot; the last one needed ends the game."""
        notes = game_ends.balloted(self.work, self.judged, game, trial=trial)
        if notes and not trial and ending.conclude(self.work, game):
            game = games.game_at(self.conn, game.id)
            notes = [
                f"All who are still in the game agree, and so it is over: {ending.ended(game)}. The"
                " last bulletin comes in a mail of its own."
            ]
        return _Done(game, notes, notes)

    def _grace(self, game: GameAt, read: Read) -> list[str]:
        if not read.changes() or self.row.authentication in ON_HIS_WORD:
            return []
        return grace.used(self.work, game, self.decision.seat, self.row.received)

    def _carried_out(self, game: GameAt, read: Read) -> _Done:
        of_end = self._about_the_end(game, read)
        mails = [] if self.judged.deputy else [*play.carry_out(self.work, self.judged, game)]
        leaves = deputies.carry_out(self.work, self.judged, game)
        if not self.judged.deputy:
            leaves += leaving.carry_out(self.work, self.judged, game, read.answers, read.resigns)
        if mails:
            game = games.game_at(self.conn, game.id)
        own = [] if self.judged.deputy else [*mails, *leaves]
        return _Done(game, [*mails, *of_end, *leaves], own)

    def _about_the_end(self, game: GameAt, read: Read) -> list[str]:
        peeled = self.decision.peeled
        if grace.waits(game):
            word = peeled.asks(Said.READY) or peeled.asks(Said.WAIT)
            return [grace.CLOSES] if word else []
        return readiness.notes(
            game.ruleset,
            game.state,
            self.decision.seat,
            game.house,
            read.place.said,
            read.said,
            peeled,
            read.stands,
            game.period.number,
            publishing.early_when(game),
        )

    def _note_letter(self, game: GameAt, standing: Standing | None) -> None:
        """standing: None if it was only tried."""
        notes.note(
            self.conn,
            game.id,
            self.work.now,
            "letter",
            letter=self.row.id,
            sha256=self.letter.raw_hash,
            period=game.period.number,
            seat=self.decision.seat,
            orders=canonical(standing) if standing is not None else None,
            **({"yes_to": "; ".join(row.called for row in self.yes.rows)} if self.yes.rows else {}),
        )

    def _receipt(self, game: GameAt, standing: Standing, told: Receipt) -> None:
        holder = game.holders[self.decision.seat]
        if not self.decision.reply_allowed:
            return
        self.number = self._numbered(game, holder)
        receipts.send_receipts(self.work, self.judged, game, self.number, standing, told)

    def _numbered(self, game: GameAt, holder: Holder) -> int:
        """Return the receipt's number, the same if decided again after a hold."""
        row = self.row
        if row.receipt is not None and row.game_id == game.id and row.seat == holder.seat:
            return row.receipt
        return holder.receipts + 1
