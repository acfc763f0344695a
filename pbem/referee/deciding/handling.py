"""Judge a stored letter, carry out the verdict, record the outcome, write the answer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import after_backup
from pbem.letters import copies, verdict
from pbem.letters.addresses import GAMESMASTER, NO_SEATS
from pbem.letters.case import LetterCase
from pbem.letters.letter import Letter
from pbem.letters.reading.headers import UNWRITABLE
from pbem.letters.states import LetterState
from pbem.letters.verdict import SEATLESS, Decision, Rule, understood
from pbem.orders.mailwords import AGAIN
from pbem.post import alarms, codes
from pbem.post.codes import CodeKind
from pbem.post.work import Work
from pbem.referee.deciding import registry, sandbox, senders, trust
from pbem.referee.deciding.judged import Judged, LetterOutcome, Logged
from pbem.referee.deciding.senders import said
from pbem.referee.deciding.trust import BELIEVED, FOR_ITS_SEAT, ON_THEIR_WORD
from pbem.referee.game import relaying
from pbem.referee.game.game_letters import GameLetter
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.referee.words import deputies, door, leaving, look, redeeming
from pbem.store.games import games, order_sets
from pbem.store.letters import letters, undecided
from pbem.store.letters.undecided import LetterRow
from pbem.store.people import players
from pbem.store.schema.tables import Gamesmaster
from pbem.store.schema.tables import Letter as LetterRecord


@dataclass(frozen=True, slots=True)
class Opened:
    """A stored letter, read."""

    id: int
    raw: bytes
    letter: Letter
    budget: Budget
    took: float
    """Seconds."""


def probably_for(work: Work, opened: Opened) -> set[str]:
    """Return the game to lock first: the seat's, or all of the sender."""
    letter = opened.letter
    facts = registry.known_facts(work.conn, letter, work.config, work.mark, work.now)
    seat = LetterCase(letter, opened.raw, facts, received=work.now).registration
    return {seat.game} if seat and seat.game else set(facts.games)


def games_touched(row: LetterRow, decision: Decision) -> set[str] | None:
    """Return the games this letter may touch. None if any: gamesmaster's words, codes, copies,
    bounces, void addresses, strangers (their mails are counted together)."""
    registration = decision.registration
    alone = (
        row.known,
        row.doubted is not None,
        decision.verdict == LetterState.BOUNCE,
        decision.peeled.asks("CONFIRM"),
        decision.peeled.asks(AGAIN),  # it may open a table
        decision.rule in (Rule.CONFIRMATION, *SEATLESS),
        decision.verdict == LetterState.UNKNOWN_SENDER,  # their mails are counted together
        decision.seat == GAMESMASTER,
        decision.stray is not None or decision.case.stray_link is not None,
        registration is not None and (registration.bounced or registration.seat == GAMESMASTER),
    )
    return None if any(alone) else {decision.game} - {""}


def judge(work: Work, row: LetterRow, opened: Opened) -> Decision:
    known, doubted = row.known and row.authentication not in BELIEVED, row.doubted is not None
    return verdict.decide(case_of(work, opened.letter, opened.raw, row, known, doubted=doubted))


def case_of(
    work: Work,
    letter: Letter,
    raw: bytes,
    row: LetterRow | LetterRecord | None,
    known: bool,
    *,
    doubted: bool = False,
) -> LetterCase:
    """Return a letter's case. row: None for a file. known: whether it came before."""
    conn, received = work.conn, row.received if row else None
    facts = registry.known_facts(conn, letter, work.config, work.mark, received or work.now)
    if row and row.authentication in FOR_ITS_SEAT:
        facts = registry.directed(facts, letter, row.game_id, row.seat, row.period)
    return LetterCase(
        letter,
        raw,
        facts,
        known=known,
        doubted=doubted,
        believed=row is not None and row.authentication in BELIEVED,
        received=received,
        understands=registry.understands(conn),
        seen=lambda found: letters.first_marked(conn, found, row.id if row else 0) is not None,
    )


_SETTLED = (LetterState.ORDERS, LetterState.COMMAND, LetterState.IGNORED, LetterState.BOUNCE)
"""The queue shows such a letter only if proven and unanswered."""
_UNUSED = (
    LetterState.UNVERIFIED,
    LetterState.UNKNOWN_SENDER,
    LetterState.IGNORED,
    LetterState.QUARANTINE,
    LetterState.DUPLICATE,
    LetterState.BOUNCE,
)
"""Their signatures do not count as used."""
_TAKEN = (LetterState.ORDERS, LetterState.COMMAND)


class Handling:
    """One letter in one transaction."""

    def __init__(self, work: Work, row: LetterRow, letter: Letter) -> None:
        self.work, self.conn, self.row, self.letter = work, work.conn, row, letter
        self.known = row.known
        self.logged = Logged()

    def oversize(self) -> None:
        most = self.work.limits.letter_bytes
        why = f"larger than {most} bytes; only its beginning was fetched"
        self._record(LetterOutcome(LetterState.QUARANTINE, why))

    def carry_out(self, decision: Decision) -> None:
        """Do what the verdict says. A letter may stay undecided."""
        self.logged = Logged(decision.verdict, None, decision.game, decision.seat)
        heard = decision.verdict in _TAKEN
        if self.row.doubted and decision.proven and heard:
            letters.set_state(
                self.conn,
                self.row.doubted,
                LetterState.DUPLICATE,
                reason=f"it came again, with proof, as letter {self.row.id}",
                effect=None,
                code_hash="",
            )
            self.known = False
        if decision.stray:
            trust.change_token(self.work, decision.stray)
        if decision.case.stray_link:
            trust.lapse(self.work, decision.case.stray_link)
        if heard and Judged(self.row, self.letter, decision).proven:
            if decision.seat == GAMESMASTER:
                Gamesmaster.change(self.conn, {"address": self.letter.sender}, heard=self.work.now)
            who = decision.registration
            if who and who.bounced and who.address == self.letter.sender:
                players.writes_again(self.conn, who.address)
        judged = Judged(self.row, self.letter, decision)
        if outcome := self._outcome(judged):
            self._record(outcome, decision)

    def _outcome(self, judged: Judged) -> LetterOutcome | None:  # noqa: C901, PLR0912  a case for each rule
        """Return what becomes of it. None: its game is between two periods."""
        work, decision = self.work, judged.decision
        if decision.styled and (asked := self._asks_which(judged)):
            return asked
        match decision.rule:
            case Rule.PERHAPS_AWAY if not self.known:
                return LetterOutcome(LetterState.HELD, decision.reason)
            case Rule.OWN_MAIL | Rule.OWN_MARK | Rule.ABSENCE_NOTE | Rule.PERHAPS_AWAY:
                return LetterOutcome(decision.verdict, decision.reason)
            case Rule.OVER_LIMIT | Rule.ODD_FROM:
                if decision.reason == UNWRITABLE:
                    text = said("unwritable", self.row.id)
                    alarms.tell(work, "unwritable", "a letter that cannot be answered", text)
                return LetterOutcome(decision.verdict, decision.reason)
            case Rule.UNPROVEN:
                return self._hold(judged)
            case Rule.BOUNCE:
                if self.known:
                    why = "a delivery report that was counted before"
                    return LetterOutcome(LetterState.DUPLICATE, why)
                senders.bounced(work, decision)  # it never drops orders or replaces a player
                return LetterOutcome(LetterState.BOUNCE, decision.reason)
            case Rule.ON_FILE:
                first = senders.again(work, judged)
                return LetterOutcome(LetterState.DUPLICATE, f"the same as letter {first}")
            case Rule.PRESS:
                return self._answers_press(judged)
            case Rule.ANYBODY:
                return self._by_code(judged) or door.carry_out(work, judged)
            case Rule.NO_MORE_MAIL:
                return door.no_more_mail(work, judged)
            case Rule.DOOR:
                return door.answered(work, judged)
            case Rule.STRANGER:
                return self._stranger(judged)
            case Rule.STANDING_BY:
                return self._by_code(judged) or LetterOutcome(*leaving.stands_by(work, judged))
            case Rule.NO_DEPUTY_NOW:
                return LetterOutcome(*deputies.not_now(work, judged))
            case Rule.UNSUBSCRIBING:
                return LetterOutcome(*leaving.unsubscribe(work, judged))
            case Rule.CONFIRMATION:
                held = self._acts_of_before(judged) or self._by_code(judged)
                return held or self._no_code(judged)
            case Rule.ELSEWHERE | Rule.ONLY_READING | Rule.COMMANDS | Rule.ORDERS:
                return self._of_no_game(judged) or self._in_game(judged)
        assert_never(decision.rule)

    def _record(self, outcome: LetterOutcome, decision: Decision | None = None) -> None:
        if decision and outcome.place:
            decision = replace(decision, game=outcome.place[0], seat=outcome.place[1])
        state, reason = outcome.state, outcome.reason
        if decision and decision.proven and not decision.reply_allowed and state in _SETTLED:
            reason = f"{state}, but nothing was sent back: {decision.no_reply}; {reason}"
            state = LetterState.UNANSWERED
        values = {
            "proven": decision is not None and Judged(self.row, self.letter, decision).proven,
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
                values["authentication"] = decision.authentication
        letters.set_state(self.conn, self.row.id, state, **values)
        if decision and state not in _UNUSED:
            letters.add_marks(self.conn, self.row.id, decision.case.marks)
        verdict = self.logged.verdict or state
        game, seat = (decision.game, decision.seat) if decision else ("", "")
        self.logged = Logged(verdict, state, game, seat, outcome.receipt)

    def _answers_press(self, judged: Judged) -> LetterOutcome | None:
        if judged.decision.verdict == LetterState.UNVERIFIED:
            return self._hold(judged)
        if judged.decision.registration is None:
            return relaying.answered_unknown(self.work, judged)
        if judged.decision.seat == GAMESMASTER:
            return relaying.answered_by_gamesmaster(self.work, judged)
        return self._in_game(judged)

    def _of_no_game(self, judged: Judged) -> LetterOutcome | None:
        """Take commands of the gamesmaster, and words of a player to all of their games; ask for
        which game a letter is."""
        if judged.decision.seat == GAMESMASTER:
            held = self._acts_of_before(judged)
            return held or LetterOutcome(*gamesmaster_words.commanded(self.work, judged))
        if look.asks_for_all(self.conn, judged):
            return look.answer_all(self.work, judged)
        return self._asks_which(judged)

    def _acts_of_before(self, judged: Judged) -> LetterOutcome | None:
        """Hold a gamesmaster's letter found after a restore: it could act twice."""
        peeled = judged.decision.peeled
        if judged.decision.seat != GAMESMASTER or self.row.authentication in ON_THEIR_WORD:
            return None
        named = {command.name for command in peeled.commands}
        if named <= {"QUEUE", "SEEN", "DESK", "HELP", "CONFIRM"} and not peeled.press:
            return None
        backups = games.backups(self.conn, peeled.game)  # of any game if it names none
        if not any(after_backup(self.row.received, *backup) for backup in backups):
            return None
        why = (
            "commands that came after the backup that the game came back from: they may be for a"
            " period to come"
        )
        return LetterOutcome(LetterState.HELD, why)

    def _by_code(self, judged: Judged) -> LetterOutcome | None:
        """Redeem its code, or say why not. None: nothing waits for it, or the door answers it."""
        pending = codes.find(self.work, trust.code_of(judged))
        if pending is None or (judged.decision.rule is Rule.ANYBODY and pending.kind in codes.DOOR):
            return None
        if pending.kind is CodeKind.OFFER and not judged.decision.reply_allowed:
            return None
        done: LetterOutcome | str = codes.refusal(self.work, pending, self.letter.sender or "")
        kind = senders.QUESTION if done else senders.CONFIRMED
        done = done or redeeming.redeem(self.work, judged, pending)
        if isinstance(done, str):
            senders.tell(self.work, judged, kind, done)
            done = LetterOutcome(LetterState.COMMAND, judged.decision.reason)
        self._tell_unread(judged)
        return done

    def _no_code(self, judged: Judged) -> LetterOutcome:
        coded = bool(trust.code_of(judged))
        senders.tell(
            self.work, judged, senders.QUESTION, codes.UNKNOWN if coded else said("no_code")
        )
        self._tell_unread(judged)
        why = "a code for which nothing waits" if coded else "CONFIRM without a code"
        return LetterOutcome(LetterState.COMMAND, why)

    def _asks_which(self, judged: Judged) -> LetterOutcome | None:
        question = judged.decision.question
        if not question:
            return None
        plain = judged.decision.styled or self.letter.unreadable
        which = "" if plain else "; send it again so that it says which"
        text = f"{question}\n\nNothing of your letter was taken{which}."
        senders.tell(self.work, judged, "question", text)
        return LetterOutcome(LetterState.HELD, question)

    def _in_game(self, judged: Judged) -> LetterOutcome | None:
        """None while the game is between two periods."""
        at = games.begun(self.conn, judged.decision.game)
        return GameLetter(self.work, judged).heard(at) if at else self._not_begun(judged)

    def _tell_unread(self, judged: Judged) -> None:
        decision = judged.decision
        if decision.seat in NO_SEATS or not decision.game:
            return
        game = games.begun(self.conn, decision.game)
        if game is None:
            return
        peeled = decision.peeled
        words = any(command.name != "CONFIRM" for command in peeled.commands)
        if words or peeled.press or understood(game.ruleset.language, peeled.text):
            senders.tell(self.work, judged, "unread", said("only_confirmed"))

    def _not_begun(self, judged: Judged) -> LetterOutcome:
        text = f"Game {judged.decision.game} has not begun yet; you will be mailed when it does."
        senders.tell(self.work, judged, "question", text)
        return LetterOutcome(LetterState.HELD, "the game has not begun")

    def _hold(self, judged: Judged) -> LetterOutcome:
        decision = judged.decision
        if decision.seat == GAMESMASTER:
            gamesmaster_words.ask_proof(self.work, judged)
            return LetterOutcome(LetterState.UNVERIFIED, decision.reason)
        if not (decision.game and decision.seat):
            return LetterOutcome(LetterState.UNVERIFIED, decision.reason, 0)
        game = games.begun(self.conn, decision.game)
        if game is None:
            return self._not_begun(judged)
        leaves = [] if judged.deputy else leaving.words(game, decision)
        trust.challenge(self.work, judged, game, leaves)
        return LetterOutcome(LetterState.UNVERIFIED, decision.reason, game.period.number)

    def _stranger(self, judged: Judged) -> LetterOutcome:
        if not self.known and (game := trust.probably(self.work, judged)):
            reason = trust.ask_holder(self.work, judged, game)
            gamesmaster = self.work.mark.gamesmaster
            told = senders.Reply.of("senders", "waits", self.letter.sender, gamesmaster)
            senders.tell(self.work, judged, senders.STRANGER, told)
            stray = judged.decision.stray
            place = (game.id, stray.seat if stray else "")
            return LetterOutcome(LetterState.UNVERIFIED, reason, game.period.number, place=place)
        return door.heard(self.work, judged)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would become of it, and the orders that would then stand for its seat."""

    outcome: LetterState | None
    game: str = ""
    seat: Seat = ""
    period: int = 0
    orders: Sequence[str] = ()


def foreseen(work: Work, letter_id: int) -> Foreseen | None:
    """Decide a letter as the next pass will; the caller takes it back. None if it cannot be."""
    budget = Budget(work.limits.letter_seconds, f"the work on letter {letter_id}")
    try:
        raw = undecided.bytes_of(work.conn, letter_id) or b""
        letter = sandbox.read_guarded(raw, work.limits.of_reading(), budget)
        with budget:
            row = undecided.letter(work.conn, letter_id, copies.likeness(letter))
            handling = Handling(work, row, letter)
            opened = Opened(letter_id, raw, letter, budget, 0.0)
            handling.carry_out(judge(work, row, opened))
    except (OverBudget, RefereeError):
        return None
    outcome, game, seat = handling.logged.outcome, handling.logged.game, handling.logged.seat
    at = games.begun(work.conn, game) if game else None
    if at is None or seat not in at.seats or outcome not in _TAKEN:
        return Foreseen(outcome)
    stands = order_sets.standing(work.conn, at, seat).values()
    return Foreseen(outcome, game, seat, at.period.number, [str(order) for order in stands])
