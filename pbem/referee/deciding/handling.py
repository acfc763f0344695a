"""What becomes of one letter in its transaction: the verdict is carried out, the outcome recorded,
the answer written."""

from __future__ import annotations

from dataclasses import replace

from pbem.letters import case, copies, verdict
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.post.work import Work
from pbem.referee.deciding import senders, trust, unheard
from pbem.referee.deciding.judged import Judged, Logged, Outcome
from pbem.referee.deciding.trust import BELIEVED, ON_HIS_WORD
from pbem.referee.game import answering, restoring
from pbem.referee.game.game_letters import GameLetter
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.referee.words import (
    absences,
    all_games,
    anybody,
    deputies,
    leaving,
    player_words,
    taking,
    waiting_list,
)
from pbem.store.games import games
from pbem.store.letters import letters, marks
from pbem.store.letters.letter_rows import LetterColumns, LetterRow
from pbem.store.people import gamesmasters, players

_SILENT = (LetterState.ORDERS, LetterState.COMMAND, LetterState.IGNORED, LetterState.BOUNCE)
"""No row in the queue speaks of these. A player's letter of which nothing was said to him has one
all the same."""
_WITHOUT_EFFECT = (
    LetterState.UNVERIFIED,
    LetterState.UNKNOWN_SENDER,
    LetterState.IGNORED,
    LetterState.QUARANTINE,
    LetterState.DUPLICATE,
    LetterState.BOUNCE,
)
"""A letter that became one of these did nothing, so its signature has not counted."""


class Handling:
    """One letter in one transaction. ``logged``: what the log is to say of it once that is
    committed."""

    def __init__(self, work: Work, row: LetterRow, letter: Letter) -> None:
        self.work, self.conn, self.row, self.letter = work, work.conn, row, letter
        self.known = row.known
        self.logged = Logged()

    def _judged(self, decision: Decision) -> Judged:
        return Judged(self.row, self.letter, decision)

    def oversize(self) -> None:
        """A letter too large to be fetched whole: quarantined; its sender is told nothing, the
        gamesmaster sees why."""
        most = self.work.limits.letter_bytes
        why = f"larger than {most} bytes; only its beginning was fetched"
        self._record(Outcome(LetterState.QUARANTINE, why))

    def carry_out(self, decision: Decision) -> bool:
        """Do what the verdict says; False where the letter has to wait undecided."""
        self.logged = Logged(decision.verdict, None, decision.game, decision.seat)
        heard = decision.verdict in (LetterState.ORDERS, LetterState.COMMAND)
        if self.row.doubted and decision.proven and heard:
            self._supersede(self.row.doubted)
        if decision.stray:
            trust.change_token(self.work, decision.stray)
        if decision.stray_link:
            trust.lapse(self.work, decision.stray_link)
        match decision.verdict:
            case LetterState.ORDERS | LetterState.COMMAND:
                self._writes_again(decision)
                if decision.seat == case.GAMESMASTER and self._judged(decision).proven:
                    gamesmasters.note_letter(self.conn, self.letter.sender or "", self.work.now)
                return self._heard(decision)
            case LetterState.UNVERIFIED:
                self._hold(decision)
            case LetterState.DUPLICATE:
                first = unheard.again(self.work, self._judged(decision))
                why = f"the same as letter {first}"
                self._record(Outcome(LetterState.DUPLICATE, why), decision)
            case LetterState.BOUNCE:
                self._bounced(decision)
            case LetterState.UNKNOWN_SENDER:
                owed = senders.owed(self.work, self._judged(decision))
                unheard.stranger(self.work, self._judged(decision))
                reason = f"{decision.reason}{'; to be answered later' if owed else ''}"
                outcome = Outcome(LetterState.UNKNOWN_SENDER, reason, owed=owed)
                self._record(outcome, decision)
            case _:
                away = decision.rule == "perhaps-away" and not self.known
                state = LetterState.HELD if away else decision.verdict
                self._record(Outcome(state, decision.reason), decision)
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
        if self._judged(decision).proven:
            players.writes_again(self.conn, who.address)

    def _record(self, outcome: Outcome, decision: Decision | None = None) -> None:
        """What became of the letter, on file."""
        state, reason = outcome.state, outcome.reason
        if decision and decision.proven and not decision.reply_allowed and state in _SILENT:
            reason = f"{state}, but nothing was sent back: {decision.no_reply}; {reason}"
            state = LetterState.UNANSWERED
        values: LetterColumns = {
            "proven": decision is not None and self._judged(decision).proven,
            "owed": outcome.owed,
            "reason": reason[:1000],
            "decided": self.work.now,
            "message_id": self.letter.message_id[:400],
            "sender": (self.letter.sender or "")[:254],
            "attempts": 0,
        }
        if outcome.receipt is not None:
            values["receipt"] = outcome.receipt
        if state != LetterState.DUPLICATE:
            values["effect"] = None if self.known else copies.effect(self.letter)
        if outcome.period is not None:
            values["period"] = outcome.period
        if decision:
            values["game_id"] = decision.game[:40]
            values["seat"] = decision.seat[:10]
            if self.row.authentication not in BELIEVED:
                values["authentication"] = str(decision.authentication)
        letters.set_state(self.conn, self.row.id, state, **values)
        if decision and state not in _WITHOUT_EFFECT:
            marks.add(self.conn, self.row.id, decision.marks)
        verdict = self.logged.verdict or state
        game, seat = (decision.game, decision.seat) if decision else ("", "")
        self.logged = Logged(verdict, state, game, seat, outcome.receipt)

    # --- a letter that is heard -------------------------------------------------------------------

    def _heard(self, decision: Decision) -> bool:
        """What was written is done and answered; False where the letter has to wait undecided."""
        judged = self._judged(decision)
        if decision.rule == verdict.PRESS:
            return self._answers_press(decision)
        if decision.peeled.asks("CONFIRM") and (taken := taking.confirmed(self.work, judged)):
            self._record(Outcome(*taken), decision)
            self._unread(decision)
        elif outcome := self._by_its_rule(decision):
            self._record(outcome, decision)
        elif decision.seat == case.GAMESMASTER and self._acts_of_before(decision):
            why = (
                "commands that came after the backup that the game came back from: they may be for"
                " a period to come"
            )
            self._record(Outcome(LetterState.HELD, why), decision)
        elif decision.rule == "confirmation":
            self._confirms(decision)
        elif decision.seat == case.GAMESMASTER:
            self._record(Outcome(*gamesmaster_words.commanded(self.work, judged)), decision)
        elif all_games.asks_for_all(self.conn, judged):
            self._record(all_games.answer_all(self.work, judged), decision)
        elif decision.question:
            self._ask(decision)
        else:
            return self._heard_in_game(decision)
        return True

    def _by_its_rule(self, decision: Decision) -> Outcome | None:
        """What becomes of a letter whose verdict says it all; None of any other."""
        judged = self._judged(decision)
        match decision.rule:
            case verdict.ANYBODY:
                return anybody.carry_out(self.work, judged)
            case verdict.NO_MORE_MAIL:
                return anybody.no_more_mail(self.work, judged)
            case "standing-by":
                return self._by_code(judged) or Outcome(*waiting_list.carry_out(self.work, judged))
            case "no-deputy-now":
                return Outcome(*deputies.not_now(self.work, judged))
            case "unsubscribing":
                return Outcome(*player_words.unsubscribe(self.work, judged))
        return None

    def _answers_press(self, decision: Decision) -> bool:
        """An answer to press; False where it has to wait undecided."""
        judged = self._judged(decision)
        if decision.registration is None:
            self._record(answering.unknown(self.work, judged), decision)
        elif decision.seat == case.GAMESMASTER:
            self._record(answering.of_gamesmaster(self.work, judged), decision)
        else:
            return self._heard_in_game(decision)
        return True

    def _confirms(self, decision: Decision) -> None:
        """CONFIRM: a RESIGN or QUIT counts, or a letter that was held is put back, or an act of the
        gamesmaster's is carried out, or what else has waited for a code."""
        judged = self._judged(decision)
        if outcome := self._by_code(judged):
            self._record(outcome, decision)
        elif not self._leaves(decision):
            told = absences.confirmed(self.work, judged)
            told = told or gamesmaster_words.confirmed(self.work, judged)
            self._record(Outcome(*(told or trust.confirm(self.work, judged))), decision)
        self._unread(decision)

    def _by_code(self, judged: Judged) -> Outcome | None:
        """What the code of a CONFIRM comes to that is no seat's: of whoever signs on, would like to
        watch, or is to be a deputy or have one; None of any other."""
        if answer := anybody.confirmed(self.work, judged):
            senders.tell(self.work, judged, senders.CONFIRMED, answer)
            return Outcome(LetterState.COMMAND, judged.decision.reason)
        told = deputies.confirmed(self.work, judged)
        return Outcome(*told) if told else None

    def _heard_in_game(self, decision: Decision) -> bool:
        """A letter to a game; False where it has to wait undecided."""
        at = games.begun(self.conn, decision.game)
        if at is None:
            self._not_begun(decision)
            return True
        outcome = GameLetter(self.work, self._judged(decision)).heard(at)
        if outcome is None:
            return False
        self._record(outcome, decision)
        return True

    def _unread(self, decision: Decision) -> None:
        """A player's CONFIRM is a letter of its own: who writes orders or other words with it is
        told that they were not read."""
        if decision.seat in case.NO_SEATS or not decision.game:
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

    def _acts_of_before(self, decision: Decision) -> bool:
        """Whether a gamesmaster's letter, found after a restore, would do something to the game
        once more (RESUME...)."""
        peeled = decision.peeled
        named = {command.name for command in peeled.commands}
        asks = named <= {"QUEUE", "DESK", "HELP", "CONFIRM"} and not peeled.press
        if asks or self.row.authentication in ON_HIS_WORD:
            return False
        return restoring.came_after_backup(self.conn, peeled.game, self.row.received)

    def _leaves(self, decision: Decision) -> bool:
        """Whether the code of a CONFIRM is for a RESIGN or QUIT, which then counts."""
        found = leaving.confirmed(self.work, decision)
        if found is None:
            return False
        decision = replace(decision, game=found.at.id, seat=found.seat)
        outcome = GameLetter(self.work, self._judged(decision)).leaves(found)
        self._record(outcome, decision)
        return True

    # --- letters without effect -------------------------------------------------------------------

    def _tell_sender(self, decision: Decision, kind: str, text: str) -> None:
        senders.tell(self.work, self._judged(decision), kind, text)

    def _ask(self, decision: Decision) -> None:
        text = (
            f"{decision.question}\n\nNothing of your letter was taken; send it again so that it"
            " says which."
        )
        self._tell_sender(decision, "question", text)
        self._record(Outcome(LetterState.HELD, decision.question), decision)

    def _not_begun(self, decision: Decision) -> None:
        text = f"Game {decision.game} has not begun yet; you will be mailed when it does."
        self._tell_sender(decision, "question", text)
        self._record(Outcome(LetterState.HELD, "the game has not begun"), decision)

    def _hold(self, decision: Decision) -> None:
        """Orders below the game's level: held, and the address of record is asked to confirm."""
        judged = self._judged(decision)
        if decision.seat == case.GAMESMASTER:
            gamesmaster_words.ask_proof(self.work, judged)
            self._record(Outcome(LetterState.UNVERIFIED, decision.reason), decision)
            return
        period = 0
        if decision.game and decision.seat:
            at = games.begun(self.conn, decision.game)
            if at is None:
                self._not_begun(decision)
                return
            period = at.period.number
            leaves = [] if judged.deputy else leaving.words(at, decision)
            trust.challenge(self.work, judged, at, leaves)
        self._record(Outcome(LetterState.UNVERIFIED, decision.reason, period), decision)

    def _bounced(self, decision: Decision) -> None:
        """Delivery trouble is counted and shown; it never drops orders or replaces a player."""
        if self.known:
            why = "a delivery report that was counted before"
            self._record(Outcome(LetterState.DUPLICATE, why), decision)
            return
        unheard.bounced(self.work, decision)
        self._record(Outcome(LetterState.BOUNCE, decision.reason), decision)
