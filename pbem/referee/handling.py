"""What becomes of one letter in its transaction: the verdict is carried out, the outcome recorded,
the answer written."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, select

from pbem.games.frame import readiness
from pbem.games.frame.adjudication import Taken, canonical, take
from pbem.games.frame.lateness import after_backup
from pbem.games.frame.readiness import Said
from pbem.letters import bounces, verdict
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.order import staying
from pbem.periods import formation
from pbem.post import alarms, delivery
from pbem.referee import (
    copies,
    gamesmaster_words,
    leaving,
    places,
    player_words,
    receipts,
    relaying,
    restoring,
)
from pbem.referee.arrivals import Arrived
from pbem.referee.player_words import ACCEPTED, CONFIRMED
from pbem.referee.receipts import Receipt
from pbem.store import games, letters, notes, order_sets, periods, players
from pbem.store.games import Table
from pbem.store.records import Outgoing
from pbem.store.rows import Holder
from pbem.store.states import GameState, PeriodState

if TYPE_CHECKING:
    from pbem.referee.deciding import Referee

_SILENT = (LetterState.ORDERS, LetterState.COMMAND, LetterState.IGNORED, LetterState.BOUNCE)
"""No row in the queue speaks of these. A player's letter of which nothing was said to him has one
all the same."""


class Handling:
    """One letter in one transaction."""

    def __init__(
        self, referee: Referee, conn: Connection, row: Row[Any], letter: Letter, now: datetime
    ) -> None:
        self.referee, self.conn, self.row, self.letter, self.now = referee, conn, row, letter, now
        self.mark, self.config = referee.mark, referee.config
        self.number: int | None = None  # of its receipt, among the seat's own
        self.known: bool = row.known
        self.arrived = Arrived(conn, row, letter)

    def oversize(self) -> bool:
        """A letter too large to be fetched whole: quarantined; its sender is told nothing, the
        gamesmaster sees why."""
        most = self.config.limits.letter_bytes
        self._outcome(
            LetterState.QUARANTINE, f"larger than {most} bytes; only its beginning was fetched"
        )
        return True

    def carry_out(self, decision: Decision) -> bool:
        """Do what the verdict says."""
        heard = decision.verdict in (LetterState.ORDERS, LetterState.COMMAND)
        if self.row.doubted and decision.proven and heard:
            self._supersede(self.row.doubted)
        if decision.stray:
            player_words.change_token(self.conn, self.mark, decision.stray, self.now)
        match decision.verdict:
            case LetterState.ORDERS | LetterState.COMMAND:
                self._writes_again(decision)
                return self._heard(decision)
            case LetterState.UNVERIFIED:
                self._hold(decision)
            case LetterState.DUPLICATE:
                self._again(decision)
            case LetterState.BOUNCE:
                self._bounced(decision)
            case LetterState.UNKNOWN_SENDER:
                self._stranger(decision)
            case _:
                outcome = (
                    LetterState.HELD
                    if decision.rule == "perhaps-away" and not self.known
                    else decision.verdict
                )
                self._outcome(outcome, decision.reason, decision)
        return True

    def _supersede(self, first: int) -> None:
        """The copy that came first, without proof, is of no use any more, and keeps nothing from
        this one."""
        reason = f"it came again, with proof, as letter {self.row.id}"
        values = {"reason": reason, "effect": None, "code_hash": ""}
        letters.set_state(self.conn, first, LetterState.DUPLICATE, **values)
        self.known = False

    def _writes_again(self, decision: Decision) -> None:
        """A letter that is surely a player's own: what came back from that address for now is
        over."""
        who = decision.registration
        if who and self._sure(decision) and who.bounced and who.address == self.letter.sender:
            players.writes_again(self.conn, who.address)

    def _sure(self, decision: Decision) -> bool:
        """Whether the letter has the proof that its game asks for; those that only read are
        answered without."""
        who = decision.registration
        return self.row.authentication in (CONFIRMED, ACCEPTED) or bool(
            who and decision.authentication >= who.level
        )

    def _outcome(
        self, outcome: LetterState, reason: str, decision: Decision | None = None, **more: Any
    ) -> None:
        if decision and decision.proven and not decision.reply_allowed and outcome in _SILENT:
            outcome, reason = (
                LetterState.UNANSWERED,
                f"{outcome}, but nothing was sent back: {decision.no_reply}; {reason}",
            )
        values: dict[str, Any] = {
            "reason": reason[:1000],
            "decided": self.now,
            "message_id": self.letter.message_id[:400],
            "sender": (self.letter.sender or "")[:254],
            "attempts": 0,
        }
        if self.number is not None:
            values["receipt"] = self.number
        if outcome != LetterState.DUPLICATE:
            values["effect"] = None if self.known else copies.effect(self.letter)
        if decision:
            values |= {"game_id": decision.game[:40], "seat": decision.seat[:10]}
            if self.row.authentication not in (CONFIRMED, ACCEPTED):
                values["authentication"] = str(decision.authentication)
        letters.set_state(self.conn, self.row.id, outcome, **(values | more))

    # --- a letter that is heard -------------------------------------------------------------------

    def _heard(self, decision: Decision) -> bool:
        if decision.seat == verdict.GAMESMASTER and self._acts_of_before(decision):
            why = (
                "commands that came after the backup that the game came back from: they may be for"
                " a period to come"
            )
            self._outcome(LetterState.HELD, why, decision)
            return True
        if decision.rule == "confirmation" and self._leaves(decision):
            self._unread(decision)
            return True
        for applies, what in (
            (decision.rule == "unsubscribing", player_words.unsubscribe),
            (decision.rule == "confirmation", player_words.confirm),
            (decision.seat == verdict.GAMESMASTER, gamesmaster_words.commanded),
        ):
            if applies:
                outcome, reason = what(
                    self.conn, self.referee, self.row, self.letter, decision, self.now
                )
                self._outcome(outcome, reason, decision)
                if decision.rule == "confirmation":
                    self._unread(decision)
                return True
        if decision.question:
            self._ask(decision)
            return True
        at = games.begun(self.conn, decision.game)
        if at is None:
            self._not_begun(decision)
            return True
        if (
            self._after_backup(at)
            and decision.rule != "only-reading"
            and self.row.authentication != ACCEPTED
        ):
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

    def _in_review(self, at: Table, decision: Decision) -> None:
        """Between two periods: the letter waits and its receipt with it, but its writer is told
        that it came. All that he is told is of the period before, since nobody knows yet how that
        ended."""
        holder, before = (
            at.holders[decision.seat],
            games.table(self.conn, at.id, at.period.number - 1),
        )
        told = Receipt()
        if decision.reply_allowed and not receipts.told_of_review(
            self.conn, self.config.limits, at, holder, self.row, self.now
        ):
            peeled, standing = (
                decision.peeled,
                order_sets.standing(self.conn, before, decision.seat),
            )
            told.sections.extend(
                player_words.sections(self.conn, before, decision.seat, peeled.commands, standing)
            )
            receipts.tell_of_review(
                self.conn,
                self.mark,
                before,
                holder,
                self.row,
                self.letter,
                decision,
                told,
                standing,
                self.now,
            )

    def _unread(self, decision: Decision) -> None:
        """A player's CONFIRM is a letter of its own: who writes orders or other words with it is
        told that they were not read."""
        at = (
            games.begun(self.conn, decision.game)
            if decision.seat != verdict.GAMESMASTER and decision.game
            else None
        )
        peeled = decision.peeled
        more = peeled.press or any(command.name != "CONFIRM" for command in peeled.commands)
        if at and (more or verdict.understood(at.ruleset.language, peeled.text)):
            text = (
                "Your CONFIRM was read. Its other lines were not read: send them in a letter of"
                " their own."
            )
            self._tell_sender(decision, "unread", text)

    def _after_backup(self, at: Table) -> bool:
        game = at.game
        return game.status != GameState.OVER and after_backup(
            self.row.received, game.restored_to, game.restored_until
        )

    def _acts_of_before(self, decision: Decision) -> bool:
        """Whether a gamesmaster's letter, found after a restore, would do something to the game
        once more (RESUME...)."""
        acting = any(
            command.name not in ("QUEUE", "HELP", "CONFIRM") for command in decision.peeled.commands
        )
        if not acting or self.row.authentication == ACCEPTED:
            return False
        return restoring.came_after_backup(self.conn, decision.peeled.game, self.row.received)

    def _hold_restored(self, at: Table, decision: Decision) -> None:
        """A letter that came after the backup: its writer is told that it waits, and why."""
        seat, number = decision.seat, at.period.number
        meant = restoring.meant_for(self.conn, self.mark, at, seat, self.letter, decision.period)
        to = at.game.restored_to
        ended = f"{to.astimezone(at.zone):%A %d %B %Y, %H:%M} {at.game.zone}" if to else ""
        told = Receipt(
            notes=[
                "The referee's database came back from a backup, which knows the game until"
                f" {ended}. Your letter came after that, when the game may have been further on"
                f" than period {number}, which is open again. So nothing of it was taken yet: it is"
                " held until the gamesmaster has seen which period it is for. You need not send it"
                " again."
            ]
        )
        standing = order_sets.standing(self.conn, at, seat)
        told.sections.extend(
            player_words.sections(self.conn, at, seat, decision.peeled.commands, standing)
        )
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
        number, standing = at.period.number, order_sets.standing(self.conn, at, decision.seat)
        acting = dict.fromkeys(
            c.name for c in decision.peeled.commands if c.name not in verdict.READING
        )
        lost = f" Its orders were not taken{', nor ' * bool(acting)}{', '.join(acting)}."
        if at.game.status != GameState.OVER and self.arrived.missed(at, decision):
            lost += " If you mean them for the next period, send them again when it has begun."
        elif at.game.status != GameState.OVER:
            lost += (
                f" If you mean them for period {number}, send them again with the line PERIOD"
                f" {number} on top."
            )
        if decision.peeled.empty and not decision.peeled.press:
            lost = f" It was too late for {', '.join(acting)}." if acting else ""
        told = Receipt(
            notes=[*self.arrived.crossed(at, decision), why + lost], said=self._said(at, decision)
        )
        told.sections.extend(
            player_words.sections(self.conn, at, decision.seat, decision.peeled.commands, standing)
        )
        self._receipt(at, decision, standing, told)
        self._outcome(LetterState.LATE, why, decision, period=number)

    def _take(self, at: Table, decision: Decision) -> None:
        """Orders, press and commands of a letter that counts."""
        peeled, seat = decision.peeled, decision.seat
        last = order_sets.last_set(self.conn, at.id, at.period.number, seat)
        stood = order_sets.orders_of(at, last)
        place = places.Place(stood, readiness.of(last))
        was_held = self.row.authentication == CONFIRMED or self._after_backup(at)
        if was_held:  # others may have come meanwhile
            place = places.place(self.conn, at, seat, self.row.id, self.referee.limits)
        trial = peeled.asks("CHECK")
        taken: Taken = take(at.ruleset, at.state, seat, peeled.text, place.before)
        resigns = leaving.resigns(taken.standing, stood) and self.row.authentication != CONFIRMED
        kept = staying(taken.standing) if resigns else taken.standing
        moved = kept != place.before
        taken = Taken(places.folded(at, seat, kept, place.later), taken.answers)
        said = readiness.after_letter(
            at.ruleset, at.state, seat, place.said, peeled, taken.answers, moved, place.later
        )
        told = Receipt(
            answers=taken.answers, trial=trial, said=readiness.of(last) if trial else said
        )
        told.notes.extend(self.arrived.crossed(at, decision))
        told.notes.extend(self._alerts(decision, taken))
        if not trial:
            given = any(
                (
                    staying({order.slot: order for order in answer.orders})
                    if resigns
                    else answer.orders
                )
                for answer in taken.answers
            )
            cancelled = any(answer.cancelled for answer in taken.answers)
            if at.holders[seat].asked_until is not None and self._sure(decision):
                games.set_seat(self.conn, at.id, seat, asked_until=None, missed=0)
            if given or cancelled or said is not readiness.of(last):
                order_sets.save_orders(
                    self.conn,
                    at,
                    seat,
                    taken.standing,
                    last,
                    said=said,
                    letter_id=self.row.id,
                    now=self.now,
                )
                if formation.is_continuous(at):
                    formation.letter_taken(self.conn, self.mark, at, self.now)
                    at = games.table(self.conn, at.id)
                elif at.period.moves and at.period.due is not None:
                    periods.set_period(
                        self.conn, at.id, at.period.number, next_look=self.now
                    )  # a list it waits for?
            self._absent(at, decision, told)
            told.notes.extend(
                readiness.notes(
                    at.ruleset, at.state, seat, at.house, place.said, said, peeled, taken.standing
                )
            )
            told.notes.extend(
                leaving.heard(
                    self.conn,
                    self.referee,
                    self.row,
                    self.letter,
                    at,
                    decision,
                    taken.answers,
                    resigns,
                    self.now,
                )
            )
        relaying.presses(
            self.conn, self.mark, self.config.limits, at, decision, self.row.id, told, self.now
        )
        if place.later:
            told.notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        told.sections.extend(
            player_words.sections(self.conn, at, seat, peeled.commands, taken.standing)
        )
        notes.note(
            self.conn,
            at.id,
            self.now,
            "letter",
            sha256=self.letter.raw_hash,
            period=at.period.number,
            seat=seat,
            orders=canonical(taken.standing) if not trial else None,
        )
        self._receipt(
            at,
            decision,
            taken.standing if not trial else order_sets.standing(self.conn, at, seat),
            told,
        )
        self._outcome(decision.verdict, decision.reason, decision, period=at.period.number)

    def _said(self, at: Table, decision: Decision) -> Said:
        """READY or WAIT as it stands for the letter's seat."""
        return readiness.of(order_sets.last_set(self.conn, at.id, at.period.number, decision.seat))

    def _alerts(self, decision: Decision, taken: Taken) -> list[str]:
        notes = list(self.letter.notes)
        if not taken.answers and not decision.peeled.commands and not decision.peeled.press:
            notes.append(
                "There was nothing in your letter that could be read as an order. Write HELP for"
                " the order guide."
            )
        if self.row.folder in self.config.imap.junk:
            notes.append(
                "Your letter had been sorted into the junk folder; it was taken all the same."
            )
            text = (
                f"Letter {self.row.id} of {self.letter.sender} was found in {self.row.folder} and"
                " taken."
            )
            who = self.config.referee.gamesmaster
            alarms.tell(
                self.conn,
                self.mark,
                who,
                f"junk:{self.row.id}",
                "a player's letter in Junk",
                text,
                self.now,
            )
        return notes

    def _absent(self, at: Table, decision: Decision, told: Receipt) -> None:
        spans = [
            command.argument for command in decision.peeled.commands if command.name == "ABSENT"
        ]
        for days in list(dict.fromkeys(spans))[
            : player_words.MOST_ABSENCES + 1
        ]:  # of one too many it is told
            told.notes.append(
                player_words.absent(
                    self.conn,
                    self.mark,
                    self.config.referee.gamesmaster,
                    at,
                    decision.seat,
                    days,
                    self.row.id,
                    self.now,
                )
            )

    def _leaves(self, decision: Decision) -> bool:
        """Whether the code of a CONFIRM is for a RESIGN or QUIT, which then counts."""
        found = leaving.confirmed(self.conn, self.mark, decision, self.now)
        if found is None:
            return False
        decision = replace(decision, game=found.at.id, seat=found.seat)
        if found.refusal:
            self._tell_sender(decision, "question", found.refusal)
        else:
            notes.note(
                self.conn,
                found.at.id,
                self.now,
                "letter",
                sha256=self.letter.raw_hash,
                period=found.at.period.number,
                seat=found.seat,
                orders=canonical(found.standing),
            )
            self._receipt(found.at, decision, found.standing, found.told)
        self._outcome(LetterState.COMMAND, found.reason, decision, period=found.at.period.number)
        return True

    def _receipt(self, at: Table, decision: Decision, standing: Any, told: Receipt) -> None:
        holder = at.holders[decision.seat]
        if not decision.reply_allowed:
            return
        self.number = self._numbered(at, holder)
        text = receipts.receipt_text(
            at, holder, self.number, self.row.received, self.letter, standing, told, self.now
        )
        receipts.send_receipt(
            self.conn,
            self.mark,
            self.config.limits,
            at,
            holder,
            self.row,
            self.letter,
            text,
            self.now,
        )

    def _numbered(self, at: Table, holder: Holder) -> int:
        """The number of the letter's receipt; one that is decided again, after a hold, keeps what
        it has."""
        kept: int | None = self.row.receipt
        if kept is not None and (self.row.game_id, self.row.seat) == (at.id, holder.seat):
            return kept
        return holder.receipts + 1

    # --- letters without effect -------------------------------------------------------------------

    def _ask(self, decision: Decision) -> None:
        self._tell_sender(
            decision,
            "question",
            f"{decision.question}\n\nNothing of your letter was taken; send it again so that it"
            " says which.",
        )
        self._outcome(LetterState.HELD, decision.question, decision)

    def _not_begun(self, decision: Decision) -> None:
        self._tell_sender(
            decision,
            "question",
            f"Game {decision.game} has not begun yet; you will be mailed when it does.",
        )
        self._outcome(LetterState.HELD, "the game has not begun", decision)

    def _stranger(self, decision: Decision) -> None:
        text = (
            "This is the referee of games played by mail. Nobody is registered here under"
            f" {self.letter.sender}, so nothing of your letter was taken. If you play, write from"
            f" your registered address, or ask the gamesmaster: {self.config.referee.gamesmaster}\n"
        )
        self._tell_sender(decision, "stranger", text)
        self._outcome(LetterState.UNKNOWN_SENDER, decision.reason, decision)

    def _tell_sender(self, decision: Decision, kind: str, text: str) -> None:
        if decision.reply_allowed:
            limits = self.config.limits
            receipts.to_sender(
                self.conn, self.mark, limits, self.row, self.letter, kind, text, self.now
            )

    def _again(self, decision: Decision) -> None:
        """A duplicate: a letter that was sent twice gets its old receipt; one that is only read
        again gets nothing."""
        first = self.conn.execute(copies.FIRST, copies.copied(self.letter)).one()
        quiet = self.row.folder == self.config.imap.processed or notes.memo(
            self.conn, notes.RESTORED
        )
        again = first.raw_hash != self.letter.raw_hash or (
            not quiet and letters.came_again(self.conn, self.row.id)
        )
        text = receipts.old_receipt(self.conn, first.id) if again else ""
        if text and decision.reply_allowed and first.seat:
            at = games.table(self.conn, first.game_id)
            again = (
                f"This letter had come before; nothing was done twice. Its receipt was:\n\n{text}"
            )
            receipts.send_receipt(
                self.conn,
                self.mark,
                self.config.limits,
                at,
                at.holders[first.seat],
                self.row,
                self.letter,
                again,
                self.now,
            )
        self._outcome(LetterState.DUPLICATE, f"the same as letter {first.id}", decision)

    def _hold(self, decision: Decision) -> None:
        """Orders below the game's level: held, and the address of record is asked to confirm."""
        period = 0
        if decision.seat == verdict.GAMESMASTER:
            gamesmaster_words.ask_proof(
                self.conn, self.referee, self.row, self.letter, decision, self.now
            )
            self._outcome(LetterState.UNVERIFIED, decision.reason, decision)
            return
        if decision.game and decision.seat:
            at = games.begun(self.conn, decision.game)
            if at is None:
                self._not_begun(decision)
                return
            period = at.period.number
            leaves = leaving.words(at, decision)
            player_words.challenge(
                self.conn, self.referee, self.row, self.letter, at, decision, leaves, self.now
            )
        self._outcome(LetterState.UNVERIFIED, decision.reason, decision, period=period)

    def _bounced(self, decision: Decision) -> None:
        """Delivery trouble is counted and shown; it never drops orders or replaces a player."""
        if self.known:
            self._outcome(
                LetterState.DUPLICATE, "a delivery report that was counted before", decision
            )
            return
        bounce: bounces.Bounce | None = decision.bounce
        ours = (
            bounce
            and bounce.ident
            and self.conn.execute(
                select(Outgoing.recipient).where(
                    Outgoing.message_id == f"<{bounce.ident}@{self.mark.domain}>"
                )
            ).scalar()
        )
        for failure in bounce.failures if bounce else ():
            delivery.count(self.conn, str(ours or failure.recipient), failure, self.now)
        self._outcome(LetterState.BOUNCE, decision.reason, decision)
