"""What becomes of one letter in its transaction: the verdict is carried out, the outcome recorded,
the answer written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Answer, canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.lateness import after_backup
from pbem.games.frame.readiness import Said
from pbem.letters import case, copies, verdict
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.order import Standing, staying
from pbem.periods import formation
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee import (
    gamesmaster_words,
    leaving,
    places,
    player_words,
    receipts,
    relaying,
    restoring,
    trust,
    unheard,
)
from pbem.referee.arrivals import Arrived
from pbem.referee.judged import Judged
from pbem.referee.places import Place
from pbem.referee.receipts import Receipt
from pbem.referee.trust import ACCEPTED, CONFIRMED
from pbem.store import games, letters, notes, order_sets, periods, players
from pbem.store.games import Table
from pbem.store.letter_rows import LetterColumns, LetterRow
from pbem.store.game_rows import Holder, OrderSetRow
from pbem.store.states import GameState, PeriodState

_SILENT = (LetterState.ORDERS, LetterState.COMMAND, LetterState.IGNORED, LetterState.BOUNCE)
"""No row in the queue speaks of these. A player's letter of which nothing was said to him has one
all the same."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What the orders of a letter come to: the ``place`` they take, what now ``stands`` and is
    ``said``, on top of the seat's ``last`` order set; whether the seat ``resigns`` by them, which
    waits for a code."""

    last: OrderSetRow | None
    place: Place
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


class Handling:
    """One letter in one transaction."""

    def __init__(self, work: Work, row: LetterRow, letter: Letter) -> None:
        self.work, self.conn, self.row, self.letter = work, work.conn, row, letter
        self.number: int | None = None  # of its receipt, among the seat's own
        self.known = row.known
        self.arrived = Arrived(self.conn, row, letter)

    def _judged(self, decision: Decision) -> Judged:
        return Judged(self.row, self.letter, decision)

    def oversize(self) -> bool:
        """A letter too large to be fetched whole: quarantined; its sender is told nothing, the
        gamesmaster sees why."""
        most = self.work.limits.letter_bytes
        self._outcome(
            LetterState.QUARANTINE, f"larger than {most} bytes; only its beginning was fetched"
        )
        return True

    def carry_out(self, decision: Decision) -> bool:
        """Do what the verdict says; False where the letter has to wait undecided."""
        heard = decision.verdict in (LetterState.ORDERS, LetterState.COMMAND)
        if self.row.doubted and decision.proven and heard:
            self._supersede(self.row.doubted)
        if decision.stray:
            trust.change_token(self.work, decision.stray)
        match decision.verdict:
            case LetterState.ORDERS | LetterState.COMMAND:
                self._writes_again(decision)
                return self._heard(decision)
            case LetterState.UNVERIFIED:
                self._hold(decision)
            case LetterState.DUPLICATE:
                first = unheard.again(self.work, self._judged(decision))
                self._outcome(LetterState.DUPLICATE, f"the same as letter {first}", decision)
            case LetterState.BOUNCE:
                self._bounced(decision)
            case LetterState.UNKNOWN_SENDER:
                unheard.stranger(self.work, self._judged(decision))
                self._outcome(LetterState.UNKNOWN_SENDER, decision.reason, decision)
            case _:
                away = decision.rule == "perhaps-away" and not self.known
                outcome = LetterState.HELD if away else decision.verdict
                self._outcome(outcome, decision.reason, decision)
        return True

    def _supersede(self, first: int) -> None:
        """The copy that came first, without proof, is of no use any more, and keeps nothing from
        this one."""
        letters.set_state(
            self.conn,
            first,
            LetterState.DUPLICATE,
            reason=f"it came again, with proof, as letter {self.row.id}",
            effect=None,
            code_hash="",
        )
        self.known = False

    def _writes_again(self, decision: Decision) -> None:
        """A letter that is surely a player's own: what came back from that address for now is
        over."""
        who = decision.registration
        if who is None or not who.bounced or who.address != self.letter.sender:
            return
        if self._sure(decision):
            players.writes_again(self.conn, who.address)

    def _sure(self, decision: Decision) -> bool:
        """Whether the letter has the proof that its game asks for; those that only read are
        answered without."""
        if self.row.authentication in (CONFIRMED, ACCEPTED):
            return True
        who = decision.registration
        return who is not None and decision.authentication >= who.level

    def _outcome(
        self,
        outcome: LetterState,
        reason: str,
        decision: Decision | None = None,
        period: int | None = None,
    ) -> None:
        """What became of the letter, on file; ``period``: the one that it is for."""
        if decision and decision.proven and not decision.reply_allowed and outcome in _SILENT:
            reason = f"{outcome}, but nothing was sent back: {decision.no_reply}; {reason}"
            outcome = LetterState.UNANSWERED
        values: LetterColumns = {
            "reason": reason[:1000],
            "decided": self.work.now,
            "message_id": self.letter.message_id[:400],
            "sender": (self.letter.sender or "")[:254],
            "attempts": 0,
        }
        if self.number is not None:
            values["receipt"] = self.number
        if outcome != LetterState.DUPLICATE:
            values["effect"] = None if self.known else copies.effect(self.letter)
        if period is not None:
            values["period"] = period
        if decision:
            values["game_id"] = decision.game[:40]
            values["seat"] = decision.seat[:10]
            if self.row.authentication not in (CONFIRMED, ACCEPTED):
                values["authentication"] = str(decision.authentication)
        letters.set_state(self.conn, self.row.id, outcome, **values)

    # --- a letter that is heard -------------------------------------------------------------------

    def _heard(self, decision: Decision) -> bool:
        if decision.seat == case.GAMESMASTER and self._acts_of_before(decision):
            why = (
                "commands that came after the backup that the game came back from: they may be for"
                " a period to come"
            )
            self._outcome(LetterState.HELD, why, decision)
        elif decision.rule == "confirmation":
            self._confirms(decision)
        elif decision.rule == "unsubscribing":
            told = player_words.unsubscribe(self.work, self._judged(decision))
            self._outcome(*told, decision)
        elif decision.seat == case.GAMESMASTER:
            told = gamesmaster_words.commanded(self.work, self._judged(decision))
            self._outcome(*told, decision)
        elif decision.question:
            self._ask(decision)
        else:
            return self._heard_in_game(decision)
        return True

    def _confirms(self, decision: Decision) -> None:
        """CONFIRM: a RESIGN or QUIT counts, or a letter that was held is put back, or an act of the
        gamesmaster's is carried out."""
        if not self._leaves(decision):
            judged = self._judged(decision)
            told = gamesmaster_words.confirmed(self.work, judged)
            self._outcome(*(told or trust.confirm(self.work, judged)), decision)
        self._unread(decision)

    def _heard_in_game(self, decision: Decision) -> bool:
        """A letter to a game; False where it has to wait undecided."""
        at = games.begun(self.conn, decision.game)
        if at is None:
            self._not_begun(decision)
            return True
        reads = decision.rule == "only-reading"
        if self._after_backup(at) and not reads and self.row.authentication != ACCEPTED:
            self._hold_restored(at, decision)
            return True
        if at.period.status == PeriodState.REVIEW:
            self._in_review(at, decision)
            return False
        if self._sure(decision) and at.holders[decision.seat].heard < at.period.number:
            games.set_seat(self.conn, at.id, decision.seat, heard=at.period.number)
        if why := self.arrived.too_late(at, decision):
            self._late(at, decision, why)
        else:
            self._take(at, decision)
        return True

    def _sections(self, at: Table, decision: Decision, standing: Standing) -> list[tuple[str, str]]:
        """The answers to what the letter asks."""
        commands = decision.peeled.commands
        return player_words.sections(self.conn, at, decision.seat, commands, standing)

    def _in_review(self, at: Table, decision: Decision) -> None:
        """Between two periods: the letter waits and its receipt with it, but its writer is told
        that it came. All that he is told is of the period before, since nobody knows yet how that
        ended."""
        holder = at.holders[decision.seat]
        if not decision.reply_allowed:
            return
        if receipts.told_of_review(self.work, at, holder, self.row):
            return
        before = games.table(self.conn, at.id, at.period.number - 1)
        standing = order_sets.standing(self.conn, before, decision.seat)
        told = Receipt(sections=self._sections(before, decision, standing))
        receipts.tell_of_review(self.work, self._judged(decision), before, standing, told)

    def _unread(self, decision: Decision) -> None:
        """A player's CONFIRM is a letter of its own: who writes orders or other words with it is
        told that they were not read."""
        if decision.seat == case.GAMESMASTER or not decision.game:
            return
        at = games.begun(self.conn, decision.game)
        if at is None:
            return
        peeled = decision.peeled
        words = any(command.name != "CONFIRM" for command in peeled.commands)
        if words or peeled.press or verdict.understood(at.ruleset.language, peeled.text):
            text = (
                "Your CONFIRM was read. Its other lines were not read: send them in a letter of"
                " their own."
            )
            self._tell_sender(decision, "unread", text)

    def _after_backup(self, at: Table) -> bool:
        game = at.game
        if game.status == GameState.OVER:
            return False
        return after_backup(self.row.received, game.restored_to, game.restored_until)

    def _acts_of_before(self, decision: Decision) -> bool:
        """Whether a gamesmaster's letter, found after a restore, would do something to the game
        once more (RESUME...)."""
        named = {command.name for command in decision.peeled.commands}
        if named <= {"QUEUE", "HELP", "CONFIRM"} or self.row.authentication == ACCEPTED:
            return False
        return restoring.came_after_backup(self.conn, decision.peeled.game, self.row.received)

    def _hold_restored(self, at: Table, decision: Decision) -> None:
        """A letter that came after the backup: its writer is told that it waits, and why."""
        number = at.period.number
        meant = restoring.meant_for(self.work, self._judged(decision), at)
        to = at.game.restored_to
        ended = f"{to.astimezone(at.zone):%A %d %B %Y, %H:%M} {at.game.zone}" if to else ""
        note = (
            "The referee's database came back from a backup, which knows the game until"
            f" {ended}. Your letter came after that, when the game may have been further on"
            f" than period {number}, which is open again. So nothing of it was taken yet: it is"
            " held until the gamesmaster has seen which period it is for. You need not send it"
            " again."
        )
        standing = order_sets.standing(self.conn, at, decision.seat)
        told = Receipt(notes=[note], sections=self._sections(at, decision, standing))
        self._receipt(at, decision, standing, told)
        speaks = (
            f"it speaks of period {meant}" if meant else "it does not say for which period it is"
        )
        why = (
            "received after the backup that the game came back from"
            f" ({at.game.restored_to:%Y-%m-%d %H:%M} UTC); {speaks}"
        )
        self._outcome(LetterState.HELD, why, decision, period=meant)

    def _late(self, at: Table, decision: Decision, why: str) -> None:
        number = at.period.number
        standing = order_sets.standing(self.conn, at, decision.seat)
        told = Receipt(
            notes=[*self.arrived.crossed(at, decision), why + self._lost(at, decision)],
            said=readiness.of(order_sets.last_set(self.conn, at.id, number, decision.seat)),
            sections=self._sections(at, decision, standing),
        )
        self._receipt(at, decision, standing, told)
        self._outcome(LetterState.LATE, why, decision, period=number)

    def _lost(self, at: Table, decision: Decision) -> str:
        """What of a late letter was not taken, and what its writer can do."""
        peeled = decision.peeled
        names = dict.fromkeys(c.name for c in peeled.commands if c.name not in case.READING)
        acting = ", ".join(names)
        if peeled.empty and not peeled.press:
            return f" It was too late for {acting}." if acting else ""
        lost = f" Its orders were not taken{f', nor {acting}' if acting else ''}."
        if at.game.status == GameState.OVER:
            return lost
        if self.arrived.missed(at, decision):
            return (
                f"{lost} If you mean them for the next period, send them again when it has begun."
            )
        number = at.period.number
        return (
            f"{lost} If you mean them for period {number}, send them again with the line PERIOD"
            f" {number} on top."
        )

    def _take(self, at: Table, decision: Decision) -> None:
        """Orders, press and commands of a letter that counts."""
        seat, number = decision.seat, at.period.number
        read = self._read(at, decision)
        trial = decision.peeled.asks("CHECK")
        said = readiness.of(read.last) if trial else read.said
        told = Receipt(answers=read.answers, trial=trial, said=said)
        told.notes.extend(self.arrived.crossed(at, decision))
        told.notes.extend(self._alerts(decision, read))
        if not trial:
            at = self._file(at, decision, read)
            told.notes.extend(self._words(at, decision, read))
        relaying.presses(self.work, self._judged(decision), at, told)
        if read.place.later:
            told.notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        told.sections.extend(self._sections(at, decision, read.stands))
        self._note_letter(at, seat, None if trial else read.stands)
        standing = order_sets.standing(self.conn, at, seat) if trial else read.stands
        self._receipt(at, decision, standing, told)
        self._outcome(decision.verdict, decision.reason, decision, period=number)

    def _read(self, at: Table, decision: Decision) -> _Read:
        """Its orders upon what stands, in the place of its receipt where it had been held."""
        peeled, seat = decision.peeled, decision.seat
        last = order_sets.last_set(self.conn, at.id, at.period.number, seat)
        stood = order_sets.orders_of(at, last)
        place = Place(stood, readiness.of(last))
        confirmed = self.row.authentication == CONFIRMED
        if confirmed or self._after_backup(at):  # others may have come meanwhile
            limits = self.work.limits.of_reading()
            place = places.place(self.conn, at, seat, self.row.id, limits)
        taken = take(at.ruleset, at.state, seat, peeled.text, place.before)
        resigns = leaving.resigns(taken.standing, stood) and not confirmed
        kept = staying(taken.standing) if resigns else taken.standing
        moved = kept != place.before
        said = readiness.after_letter(
            at.ruleset, at.state, seat, place.said, peeled, taken.answers, moved, place.later
        )
        stands = places.folded(at, seat, kept, place.later)
        return _Read(last, place, taken.answers, stands, said, resigns)

    def _file(self, at: Table, decision: Decision, read: _Read) -> Table:
        """Its orders go on file, and what they set in motion; the table as it is then."""
        seat, now = decision.seat, self.work.now
        if at.holders[seat].asked_until is not None and self._sure(decision):
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
            return games.table(self.conn, at.id)
        if at.period.moves and at.period.due is not None:  # a list it waits for?
            periods.set_period(self.conn, at.id, at.period.number, next_look=now)
        return at

    def _words(self, at: Table, decision: Decision, read: _Read) -> list[str]:
        """What the receipt says of absences, of READY and WAIT, and of leaving."""
        return [
            *self._absent(at, decision),
            *readiness.notes(
                at.ruleset,
                at.state,
                decision.seat,
                at.house,
                read.place.said,
                read.said,
                decision.peeled,
                read.stands,
            ),
            *leaving.heard(
                self.work, self._judged(decision), at, read.answers, resigning=read.resigns
            ),
        ]

    def _note_letter(self, at: Table, seat: Seat, standing: Standing | None) -> None:
        """The journal says which letter was taken, and what stands by it (None: it was tried)."""
        notes.note(
            self.conn,
            at.id,
            self.work.now,
            "letter",
            sha256=self.letter.raw_hash,
            period=at.period.number,
            seat=seat,
            orders=canonical(standing) if standing is not None else None,
        )

    def _alerts(self, decision: Decision, read: _Read) -> list[str]:
        said = list(self.letter.notes)
        if not read.answers and not decision.peeled.commands and not decision.peeled.press:
            said.append(
                "There was nothing in your letter that could be read as an order. Write HELP for"
                " the order guide."
            )
        if self.row.folder in self.work.config.imap.junk:
            said.append(
                "Your letter had been sorted into the junk folder; it was taken all the same."
            )
            text = (
                f"Letter {self.row.id} of {self.letter.sender} was found in {self.row.folder} and"
                " taken."
            )
            alarms.tell(self.work, f"junk:{self.row.id}", "a player's letter in Junk", text)
        return said

    def _absent(self, at: Table, decision: Decision) -> list[str]:
        """What the receipt says of the absences that are announced; of one too many too."""
        commands = decision.peeled.commands
        spans = dict.fromkeys(one.argument for one in commands if one.name == "ABSENT")
        return [
            player_words.absent(self.work, at, decision.seat, days, self.row.id)
            for days in list(spans)[: player_words.MOST_ABSENCES + 1]
        ]

    def _leaves(self, decision: Decision) -> bool:
        """Whether the code of a CONFIRM is for a RESIGN or QUIT, which then counts."""
        found = leaving.confirmed(self.work, decision)
        if found is None:
            return False
        decision = replace(decision, game=found.at.id, seat=found.seat)
        if found.refusal:
            self._tell_sender(decision, "question", found.refusal)
        else:
            self._note_letter(found.at, found.seat, found.standing)
            self._receipt(found.at, decision, found.standing, found.told)
        self._outcome(LetterState.COMMAND, found.reason, decision, period=found.at.period.number)
        return True

    def _receipt(self, at: Table, decision: Decision, standing: Standing, told: Receipt) -> None:
        holder = at.holders[decision.seat]
        if not decision.reply_allowed:
            return
        self.number = self._numbered(at, holder)
        judged = self._judged(decision)
        text = receipts.receipt_text(self.work, judged, at, self.number, standing, told)
        receipts.send_receipt(self.work, judged, at, holder, text)

    def _numbered(self, at: Table, holder: Holder) -> int:
        """The number of the letter's receipt; one that is decided again, after a hold, keeps what
        it has."""
        row = self.row
        if row.receipt is not None and row.game_id == at.id and row.seat == holder.seat:
            return row.receipt
        return holder.receipts + 1

    # --- letters without effect -------------------------------------------------------------------

    def _tell_sender(self, decision: Decision, kind: str, text: str) -> None:
        receipts.to_sender(self.work, self._judged(decision), kind, text)

    def _ask(self, decision: Decision) -> None:
        text = (
            f"{decision.question}\n\nNothing of your letter was taken; send it again so that it"
            " says which."
        )
        self._tell_sender(decision, "question", text)
        self._outcome(LetterState.HELD, decision.question, decision)

    def _not_begun(self, decision: Decision) -> None:
        text = f"Game {decision.game} has not begun yet; you will be mailed when it does."
        self._tell_sender(decision, "question", text)
        self._outcome(LetterState.HELD, "the game has not begun", decision)

    def _hold(self, decision: Decision) -> None:
        """Orders below the game's level: held, and the address of record is asked to confirm."""
        judged = self._judged(decision)
        if decision.seat == case.GAMESMASTER:
            gamesmaster_words.ask_proof(self.work, judged)
            self._outcome(LetterState.UNVERIFIED, decision.reason, decision)
            return
        period = 0
        if decision.game and decision.seat:
            at = games.begun(self.conn, decision.game)
            if at is None:
                self._not_begun(decision)
                return
            period = at.period.number
            trust.challenge(self.work, judged, at, leaving.words(at, decision))
        self._outcome(LetterState.UNVERIFIED, decision.reason, decision, period=period)

    def _bounced(self, decision: Decision) -> None:
        """Delivery trouble is counted and shown; it never drops orders or replaces a player."""
        if self.known:
            self._outcome(
                LetterState.DUPLICATE, "a delivery report that was counted before", decision
            )
            return
        unheard.bounced(self.work, decision)
        self._outcome(LetterState.BOUNCE, decision.reason, decision)
