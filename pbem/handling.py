"""What becomes of one letter in its transaction: the verdict is carried out, the outcome recorded, the answer written."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from pbem import (
    alarms,
    answering,
    bounces,
    commands_by_mail,
    delivery,
    gamesmaster_by_mail,
    interregnum,
    places,
    store,
    verdict,
)
from pbem.adjudication import Taken, canonical, take
from pbem.answering import Receipt
from pbem.commands_by_mail import ACCEPTED, CONFIRMED
from pbem.lateness import Arrival, missed, too_late
from pbem.letter import Letter
from pbem.period import REVIEW
from pbem.records import Letter as LetterRow
from pbem.records import Outgoing, Press
from pbem.store import Table
from pbem.verdict import Decision

if TYPE_CHECKING:
    from pbem.referee import Referee

_SILENT = ("orders", "command", "ignored", "bounce")
"""No row in the queue speaks of these. A player's letter of which nothing was said to him has one all the same."""
_OUTCOME = update(LetterRow).where(LetterRow.id == bindparam("letter"))


def effect(letter: Letter) -> str:
    """What makes two letters one: Message-ID and body; without a Message-ID the whole bytes."""
    seed = f"{letter.message_id}\n{letter.body_hash}" if letter.message_id else letter.raw_hash
    return hashlib.sha256(seed.encode("utf-8", "surrogateescape")).hexdigest()


class Handling:
    """One letter in one transaction."""

    def __init__(self, referee: Referee, conn: Connection, row: Row[Any], letter: Letter, now: datetime) -> None:
        self.referee, self.conn, self.row, self.letter, self.now = referee, conn, row, letter, now
        self.mark, self.config = referee.mark, referee.config

    def oversize(self) -> bool:
        """A letter too large to be fetched whole: quarantined; its sender is told nothing, the gamesmaster sees why."""
        most = self.config.limits.letter_bytes
        self._outcome("quarantine", f"larger than {most} bytes; only its beginning was fetched")
        return True

    def carry_out(self, decision: Decision) -> bool:
        """Do what the verdict says."""
        if decision.stray:
            commands_by_mail.change_token(self.conn, self.mark, decision.stray, self.now)
        match decision.verdict:
            case "orders" | "command":
                self._writes_again(decision)
                return self._heard(decision)
            case "unverified":
                self._hold(decision)
            case "duplicate":
                self._again(decision)
            case "bounce":
                self._bounced(decision)
            case "unknown-sender":
                self._stranger(decision)
            case _:
                self._outcome(decision.verdict, decision.reason, decision)
        return True

    def _writes_again(self, decision: Decision) -> None:
        """A letter that is surely a player's own: what came back from that address for now is over."""
        who = decision.registration
        sure = who and (self.row.authentication in (CONFIRMED, ACCEPTED) or decision.authentication >= who.level)
        if who and sure and who.bounced and who.address == self.letter.sender:
            delivery.writes_again(self.conn, who.address)

    def _outcome(self, outcome: str, reason: str, decision: Decision | None = None, **more: Any) -> None:
        if decision and decision.proven and not decision.reply_allowed and outcome in _SILENT:
            outcome, reason = "unanswered", f"{outcome}, but nothing was sent back: {decision.no_reply}; {reason}"
        values: dict[str, Any] = {
            "outcome": outcome, "reason": reason[:1000], "decided": self.now, "message_id": self.letter.message_id[:400],
            "sender": (self.letter.sender or "")[:254],
        }  # fmt: skip
        if outcome != "duplicate":
            values["effect"] = None if self.row.known else effect(self.letter)
        if decision:
            values |= {"game_id": decision.game[:40], "seat": decision.seat[:10]}
            if self.row.authentication not in (CONFIRMED, ACCEPTED):
                values["authentication"] = str(decision.authentication)
        self.conn.execute(_OUTCOME, {"letter": self.row.id, **values, **more})

    # --- a letter that is heard ---------------------------------------------------------------------------------

    def _heard(self, decision: Decision) -> bool:
        for applies, what in (
            (decision.rule == "unsubscribing", commands_by_mail.unsubscribe),
            (decision.rule == "confirmation", commands_by_mail.confirm),
            (decision.seat == verdict.GAMESMASTER, gamesmaster_by_mail.commanded),
        ):
            if applies:
                outcome, reason = what(self.conn, self.referee, self.row, self.letter, decision, self.now)
                self._outcome(outcome, reason, decision)
                if decision.rule == "confirmation":
                    self._unread(decision)
                return True
        if decision.question:
            self._ask(decision)
            return True
        at = store.begun(self.conn, decision.game)
        if at is None:
            self._not_begun(decision)
            return True
        if at.period.status == REVIEW:
            return False
        if self._not_reached(at):
            self._outcome("held", f"received after the deadline of period {at.period.number}, to which the backup brought "
                          "the game back; accept it once the period it was meant for is open", decision)  # fmt: skip
            return True
        if why := self._too_late(at, decision):
            self._late(at, decision, why)
        else:
            self._take(at, decision)
        return True

    def _unread(self, decision: Decision) -> None:
        """A player's CONFIRM is a letter of its own: who writes orders with it is told that they were not read."""
        at = store.begun(self.conn, decision.game) if decision.seat != verdict.GAMESMASTER and decision.game else None
        peeled = decision.peeled
        if at and (peeled.press or verdict.understood(at.ruleset.language, peeled.text)):
            text = "Your CONFIRM was read. Its other lines were not read: send them in a letter of their own."
            self._tell_sender(decision, "unread", text)

    def _not_reached(self, at: Table) -> bool:
        """Whether a letter found after a restore may be meant for a period that the restored game has yet to reach."""
        if at.period.due is None or self.row.received <= at.period.due or self.row.authentication == ACCEPTED:
            return False
        return bool(store.memo(self.conn, store.RESTORED))

    def _too_late(self, at: Table, decision: Decision) -> str:
        """Why a letter does not count for the open period; "" where it does."""
        if at.game.status == "over":
            return "The game is over."
        if self.row.authentication == ACCEPTED:
            return ""
        return too_late(self._arrival(at, decision))

    def _arrival(self, at: Table, decision: Decision) -> Arrival:
        strict = at.game.late == "deadline" and at.game.status != "held"  # the deadline of a held game is to be moved
        return Arrival(
            at.period.number, self.row.received, at.period.due, decision.period, strict, at.period.due_before,
            at.period.closed_before, self._answered(at),
            self.row.period if self.row.authentication == CONFIRMED else 0, at.period.opened,
        )  # fmt: skip

    def _answered(self, at: Table) -> datetime | None:
        """When the receipt or reminder that this letter answers was made; None where it answers none."""
        answered = [*self.letter.in_reply_to, *self.letter.references[-1:]]
        if not answered:
            return None
        where = (
            Outgoing.message_id.in_(answered),
            Outgoing.game_id == at.id,
            Outgoing.kind.in_(("receipt", "reminder")),
        )
        return self.conn.execute(select(Outgoing.created).where(*where).order_by(Outgoing.created.desc())).scalar()

    def _late(self, at: Table, decision: Decision, why: str) -> None:
        number, standing = at.period.number, store.standing(self.conn, at, decision.seat)
        lost = " Its orders were not taken."
        if at.game.status != "over" and missed(self._arrival(at, decision)):
            lost += " If you mean them for the next period, send them again when it has begun."
        elif at.game.status != "over":
            lost += f" If you mean them for period {number}, send them again with the line PERIOD {number} on top."
        told = Receipt(notes=[why + lost * (not decision.peeled.empty or bool(decision.peeled.press))])
        told.sections.extend(
            commands_by_mail.sections(self.conn, at, decision.seat, decision.peeled.commands, standing)
        )
        self._receipt(at, decision, standing, told)
        self._outcome("late", why, decision, period=number)

    def _take(self, at: Table, decision: Decision) -> None:
        """Orders, press and commands of a letter that counts."""
        peeled, seat = decision.peeled, decision.seat
        last = store.last_set(self.conn, at.id, at.period.number, seat)
        place = places.Place(store.orders_of(at, last), ())
        if self.row.authentication == "confirmed":
            place = places.place(self.conn, at, seat, self.row.id, self.referee.limits)
        trial = peeled.asks("CHECK")
        taken: Taken = take(at.ruleset, at.state, seat, peeled.text, place.before)
        taken = Taken(places.folded(at, seat, taken.standing, place.later), taken.answers)
        waits = peeled.asks("WAIT") or bool(last and last.wait)
        told = Receipt(answers=taken.answers, trial=trial)
        told.notes.extend(self._alerts(decision, taken))
        if not trial:
            changed = any(answer.orders or answer.cancelled for answer in taken.answers)
            if at.holders[seat].asked_until is not None:
                store.set_seat(self.conn, at.id, seat, asked_until=None, missed=0)
            if changed or (peeled.asks("WAIT") and not (last and last.wait)):
                store.save_orders(
                    self.conn, at, seat, taken.standing, last, wait=waits, letter_id=self.row.id, now=self.now
                )
                if interregnum.is_continuous(at):
                    interregnum.letter_taken(self.conn, self.mark, at, self.now)
                    at = store.table(self.conn, at.id)
                elif at.period.moves and at.period.due is not None:
                    store.set_period(self.conn, at.id, at.period.number, next_look=self.now)  # a list it waits for?
            self._press(at, decision, told)
            self._absent(at, decision, told)
        if place.later:
            told.notes.append("Your letter was held; what you sent after it still counts as sent after it.")
        told.sections.extend(commands_by_mail.sections(self.conn, at, seat, peeled.commands, taken.standing))
        if peeled.asks("WAIT"):
            told.notes.append("WAIT: this period will not close before its deadline.")
        store.note(self.conn, at.id, self.now, "letter", sha256=self.letter.raw_hash, period=at.period.number, seat=seat,
                   orders=canonical(taken.standing) if not trial else None)  # fmt: skip
        self._receipt(at, decision, taken.standing if not trial else store.standing(self.conn, at, seat), told)
        self._outcome(decision.verdict, decision.reason, decision, period=at.period.number)

    def _alerts(self, decision: Decision, taken: Taken) -> list[str]:
        notes = list(self.letter.notes)
        if not taken.answers and not decision.peeled.commands and not decision.peeled.press:
            notes.append(
                "There was nothing in your letter that could be read as an order. Write HELP for the order guide."
            )
        if self.row.folder in self.config.imap.junk:
            notes.append("Your letter had been sorted into the junk folder; it was taken all the same.")
            text = f"Letter {self.row.id} of {self.letter.sender} was found in {self.row.folder} and taken."
            who = self.config.referee.gamesmaster
            alarms.tell(self.conn, self.mark, who, f"junk:{self.row.id}", "a player's letter in Junk", text, self.now)
        return notes

    def _absent(self, at: Table, decision: Decision, told: Receipt) -> None:
        for command in decision.peeled.commands:
            if command.name == "ABSENT":
                who = self.config.referee.gamesmaster
                told.notes.append(commands_by_mail.absent(
                    self.conn, self.mark, who, at, decision.seat, command.argument, self.row.id, self.now
                ))  # fmt: skip

    def _press(self, at: Table, decision: Decision, told: Receipt) -> None:
        for press in decision.peeled.press:
            unknown = [seat for seat in press.to if seat != "ALL" and seat not in _by_upper(at)]
            if unknown:
                told.notes.append(f"PRESS TO {', '.join(unknown)}: there is no such seat; it was not relayed.")
                continue
            audience = [] if "ALL" in press.to else [_by_upper(at)[seat] for seat in press.to]
            made = self.conn.execute(insert(Press).values(
                game_id=at.id, period=at.period.number, author=decision.seat, anonymous=press.anonymous, audience=audience,
                text=commands_by_mail.harmless(press.text), letter_id=self.row.id,
            ).returning(Press.id)).scalar_one()  # fmt: skip
            commands_by_mail.relay(
                self.conn, self.mark, at, decision.seat, made, press, audience or list(at.seats), self.now
            )
            told.notes.append(
                f"Your press to {', '.join(press.to)} has been relayed{' without your name' * press.anonymous}."
            )

    def _receipt(self, at: Table, decision: Decision, standing: Any, told: Receipt) -> None:
        holder = at.holders[decision.seat]
        if not decision.reply_allowed:
            return
        text = answering.receipt_text(at, holder, self.row.id, self.row.received, self.letter, standing, told, self.now)
        answering.send_receipt(
            self.conn, self.mark, self.config.limits, at, holder, self.row, self.letter, text, self.now
        )

    # --- letters without effect ---------------------------------------------------------------------------------

    def _ask(self, decision: Decision) -> None:
        self._tell_sender(
            decision,
            "question",
            f"{decision.question}\n\nNothing of your letter was taken; send it again so that it says which.",
        )
        self._outcome("held", decision.question, decision)

    def _not_begun(self, decision: Decision) -> None:
        self._tell_sender(
            decision, "question", f"Game {decision.game} has not begun yet; you will be mailed when it does."
        )
        self._outcome("held", "the game has not begun", decision)

    def _stranger(self, decision: Decision) -> None:
        text = (
            f"This is the referee of games played by mail. Nobody is registered here under {self.letter.sender}, so nothing "
            "of your letter was taken. If you play, write from your registered address, or ask the gamesmaster: "
            f"{self.config.referee.gamesmaster}\n"
        )
        self._tell_sender(decision, "stranger", text)
        self._outcome("unknown-sender", decision.reason, decision)

    def _tell_sender(self, decision: Decision, kind: str, text: str) -> None:
        if decision.reply_allowed:
            limits = self.config.limits
            answering.to_sender(self.conn, self.mark, limits, self.row, self.letter, kind, text, self.now)

    def _again(self, decision: Decision) -> None:
        """A duplicate: the same bytes seen again say nothing; a letter sent twice gets its old receipt again."""
        first = self.conn.execute(
            select(LetterRow.id, LetterRow.raw_hash, LetterRow.game_id, LetterRow.seat)
            .where(LetterRow.effect == effect(self.letter))
        ).one()  # fmt: skip
        text = "" if first.raw_hash == self.letter.raw_hash else answering.old_receipt(self.conn, first.id)
        if text and decision.reply_allowed and first.seat:
            at = store.table(self.conn, first.game_id)
            again = f"This letter had come before; nothing was done twice. Its receipt was:\n\n{text}"
            answering.send_receipt(self.conn, self.mark, self.config.limits, at, at.holders[first.seat], self.row,
                                   self.letter, again, self.now)  # fmt: skip
        self._outcome("duplicate", f"the same as letter {first.id}", decision)

    def _hold(self, decision: Decision) -> None:
        """Orders below the game's level: held, and the address of record is asked to confirm."""
        period = 0
        if decision.seat == verdict.GAMESMASTER:
            gamesmaster_by_mail.ask_proof(self.conn, self.referee, self.row, self.letter, decision, self.now)
            self._outcome("unverified", decision.reason, decision)
            return
        if decision.game and decision.seat:
            at = store.begun(self.conn, decision.game)
            if at is None:
                self._not_begun(decision)
                return
            period = at.period.number
            commands_by_mail.challenge(self.conn, self.referee, self.row, self.letter, at, decision, self.now)
        self._outcome("unverified", decision.reason, decision, period=period)

    def _bounced(self, decision: Decision) -> None:
        """Delivery trouble is counted and shown; it never drops orders or replaces a player."""
        if self.row.known:
            self._outcome("duplicate", "a delivery report that was counted before", decision)
            return
        bounce: bounces.Bounce | None = decision.bounce
        ours = bounce and bounce.ident and self.conn.execute(
            select(Outgoing.recipient).where(Outgoing.message_id == f"<{bounce.ident}@{self.mark.domain}>")).scalar()  # fmt: skip
        for failure in bounce.failures if bounce else ():
            delivery.count(self.conn, str(ours or failure.recipient), failure, self.now)
        self._outcome("bounce", decision.reason, decision)


def _by_upper(at: Table) -> dict[str, str]:
    return {seat.upper(): seat for seat in at.seats}
