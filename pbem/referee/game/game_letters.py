"""Take a letter to a game: orders, ballots for the end, statements after it; its receipt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from pbem.games.frame import agreement, press_rules, readiness
from pbem.games.frame.adjudication import Answer, canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.readiness import LastWord
from pbem.letters.states import LetterState
from pbem.letters.verdict import Rule
from pbem.orders.asking import NAME, READING
from pbem.orders.called import seats
from pbem.orders.mailwords import AGAIN, AGREE, STATEMENT, Peeled, Press, naming
from pbem.orders.order import Standing, staying
from pbem.pages import sheet
from pbem.periods import (
    away,
    closing,
    ending,
    formation,
    house_bots,
    inquiries,
    issue_mails,
    publishing,
    rematches,
)
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.deciding.trust import CONFIRMED, ON_THEIR_WORD
from pbem.referee.game import (
    arrivals,
    receipts,
    relaying,
    restoring,
    saying_yes,
)
from pbem.referee.game.arrivals import Arrived, OrderPlace
from pbem.referee.game.receipts import Receipt
from pbem.referee.words import deputies, leaving, look, play, questions
from pbem.referee.words.leaving import Confirmed
from pbem.store.games import games, order_sets, periods
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Ballot, OrderSet, Statement


@dataclass(frozen=True, slots=True)
class ReadOrders:
    """A letter's orders, and what stands with them."""

    last: OrderSet | None
    place: OrderPlace
    answers: Sequence[Answer]
    stands: Standing
    said: LastWord
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


def read_orders(work: Work, judged: Judged, game: GameAt) -> ReadOrders:
    """Read the orders on top of what stands; a held letter's by first sight."""
    row, peeled, seat = judged.row, judged.decision.peeled, judged.decision.seat
    last = order_sets.last_set(work.conn, game.id, game.period.number, seat)
    stood = order_sets.orders_of(game, last)
    place = OrderPlace(stood, readiness.of(last))
    confirmed = row.authentication == CONFIRMED
    if confirmed or restoring.came_after(game, row.received):  # others may have come meanwhile
        place = arrivals.order_place(work, game, seat, row.id)
    known = formation.seen(work, game, seat)
    former = partial(players.privy_names, work.conn, game.id)
    if row.outcome != LetterState.STORED:
        peeled = saying_yes.as_taken(work.conn, row.id, peeled)
    greeted = partial(_greeted, work, judged, game) if peeled is judged.decision.peeled else None
    taken = take(
        game.ruleset, known.state, seat, peeled.text, place.before, game.named, former, greeted
    )
    resigns = leaving.resigns(taken.standing, stood) and (not confirmed or bool(judged.deputy))
    kept = staying(taken.standing) if resigns else taken.standing
    if judged.deputy:  # a deputy cannot take back what their player said of leaving
        kept = leaving.as_it_was(kept, stood)
    moved, lost = kept != place.before, questions.lost(peeled, game, taken.answers)
    said = readiness.after_letter(
        game.ruleset, game.state, seat, place.said, peeled, taken.answers, moved, lost, place.later
    )
    stands = arrivals.folded(game, seat, kept, place.later)
    return ReadOrders(last, place, taken.answers, stands, said, resigns)


def _greeted(work: Work, judged: Judged, game: GameAt) -> list[str]:
    """Return whom the courtesies of a letter may name."""
    return [*saying_yes.names(judged, game), inquiries.whom(work, game)]


def _ends(game: GameAt, peeled: Peeled) -> bool:
    """Return whether a letter ends a practice period that has no deadline of its own."""
    return game.practice and formation.is_continuous(game) and peeled.asks(LastWord.READY)


def save(work: Work, yes: saying_yes.YesRead, game: GameAt, read: ReadOrders) -> GameAt:
    """Save the orders and what follows. Return the game after it."""
    conn, now, judged = work.conn, work.now, yes.judged
    seat = judged.decision.seat
    if _ends(game, judged.decision.peeled):
        periods.set_period(conn, game.id, game.period.number, close_asked=now, next_look=now)
    if game.holders[seat].asked_until is not None and judged.proven:
        games.set_seat(conn, game.id, seat, asked_until=None, missed=0)
    changes = read.changes()
    saying_yes.taken(conn, yes, judged.row.id, read.stands, orders=changes)
    if not changes:
        return game
    order_sets.save_orders(
        conn,
        game,
        seat,
        read.stands,
        read.last,
        said=read.said,
        letter_id=judged.row.id,
        now=now,
    )
    stood = order_sets.orders_of(game, read.last)
    publishing.tell(work, game, seat, stood, read.stands, str(judged.row.id))
    if formation.is_continuous(game):
        formation.letter_taken(work, game)
        house_bots.answer(work, games.game_at(conn, game.id))
        return games.game_at(conn, game.id)
    if game.awaits:
        periods.set_period(conn, game.id, game.period.number, next_look=now)
    return game


@dataclass(frozen=True, slots=True)
class _Done:
    game: GameAt
    notes: Sequence[str] = ()
    own: Sequence[str] = ()
    """Only for the player, not their deputy."""


class GameLetter:
    """One letter of a seat, with its verdict."""

    def __init__(self, work: Work, judged: Judged) -> None:
        self.work, self.conn = work, work.conn
        self.judged, self.barred = deputies.without_personal(judged)
        judged = self.judged
        self.row, self.letter, self.decision = judged.row, judged.letter, judged.decision
        self.arrived = Arrived(self.conn, self.row, self.letter)
        self.yes = saying_yes.YesRead(judged)
        self.number: int | None = None  # of its receipt, among the seat's own

    def heard(self, game: GameAt) -> LetterOutcome | None:
        """Return the outcome, or None if it waits undecided."""
        reads = self.decision.rule == Rule.ONLY_READING
        if (
            restoring.came_after(game, self.row.received)
            and not reads
            and self.row.authentication not in ON_THEIR_WORD
        ):
            return self._hold_restored(game)
        if game.period.status == PeriodState.REVIEW:
            self._in_review(game)
            return None
        if self.decision.case.press:
            return self._answers(game)
        if takes_statements(game, self.judged):
            return self._last_words(game)
        self._is_heard(game)
        if game.row.status == GameState.OVER:
            return self._after_end(game)
        if why := self.arrived.too_late(game, self.decision):
            return self._late(game, why)
        self._say_yes(game)
        read = read_orders(self.work, self.judged, game)
        answers, presses = relaying.in_words(self.work, self.judged, game, read.answers)
        return self._take(game, replace(read, answers=answers), presses)

    def _say_yes(self, game: GameAt) -> None:
        """Put the order in the place of a yes to a suggestion; find their new name."""
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

    def _answers(self, game: GameAt) -> LetterOutcome:
        self._is_heard(game)
        return relaying.relay_answer(self.work, self.judged, game, self.decision.seat)

    @classmethod
    def leaves(cls, work: Work, judged: Judged, leaving: Confirmed) -> LetterOutcome:
        """Answer the code of a RESIGN or QUIT."""
        place = leaving.game.id, leaving.seat
        decision = replace(judged.decision, game=leaving.game.id, seat=leaving.seat)
        made = cls(work, replace(judged, decision=decision))
        made._note_letter(leaving.game, leaving.told.standing)
        made._receipt(leaving.game, leaving.told)
        number = leaving.game.period.number
        return made._outcome(LetterState.COMMAND, leaving.reason, number)._replace(place=place)

    def _outcome(self, state: LetterState, reason: str, period: int) -> LetterOutcome:
        return LetterOutcome(state, reason, period, self.number)

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
        answered = self._sections(before, standing)
        receipts.tell_of_review(self.work, self.judged, before, standing, answered)

    def _hold_restored(self, game: GameAt) -> LetterOutcome:
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
        answered = self._sections(game, standing)
        self._receipt(game, Receipt(standing, notes=[note], answered=answered))
        speaks = (
            f"it speaks of period {meant}" if meant else "it does not say for which period it is"
        )
        why = f"received after the backup that the game came back from ({ended}); {speaks}"
        return self._outcome(LetterState.HELD, why, meant)

    def _last_words(self, game: GameAt) -> LetterOutcome:
        peeled, number = self.decision.peeled, game.period.number
        trial = peeled.asks("CHECK")
        note, printed = stated(self.work, self.judged, game, trial=trial)
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        notes = [note, *rematch(self.work, game, self.judged)]
        if not peeled.empty or peeled.press:
            notes.append("The game is over, so nothing else of your letter was taken.")
        receipt = Receipt(
            standing,
            notes=notes,
            answered=self._sections(game, standing),
            sections=[("Your statement as it goes out", printed)] if printed else (),
            trial=trial,
        )
        self._note_letter(game, None)
        self._receipt(game, receipt)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _after_end(self, game: GameAt) -> LetterOutcome:
        seat, number = self.decision.seat, game.period.number
        standing = order_sets.standing(self.conn, game, seat)
        again = rematch(self.work, game, self.judged)
        answered = self._sections(game, standing)
        over = over_words(self.work, game, self.judged)
        notes = [*(again or (over[:1] if answered else over)), *self.barred]
        self._receipt(game, Receipt(standing, notes=notes, answered=answered))
        if again:
            return self._outcome(self.decision.verdict, self.decision.reason, number)
        return self._outcome(LetterState.LATE, "The game is over.", number)

    def _late(self, game: GameAt, why: str) -> LetterOutcome:
        number = game.period.number
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        yes = saying_yes.heard(self.work, self.judged, game)
        lost = (
            " ".join(["", *yes.notes])
            if yes.notes and not yes.rows
            else arrivals.lost(self.decision, game, missed=self.arrived.missed(game, self.decision))
        )
        told = Receipt(
            standing,
            notes=[*self.arrived.crossed(game, self.decision), why + lost, *self.barred],
            said=readiness.of(order_sets.last_set(self.conn, game.id, number, self.decision.seat)),
            answered=self._sections(game, standing),
        )
        self._receipt(game, told)
        return self._outcome(LetterState.LATE, why, number)

    def _take(self, game: GameAt, read: ReadOrders, presses: Sequence[str]) -> LetterOutcome:
        """presses: what it says to others in plain words, to be offered."""
        seat, number, peeled = self.decision.seat, game.period.number, self.decision.peeled
        trial = peeled.asks("CHECK")
        blank = not self.barred and arrivals.nothing_read(peeled, game, read.answers)
        before = self._before(game, read, blank=blank)
        done = _Done(game)
        if not trial:
            before += self._grace(game, read)
            done = self._carried_out(save(self.work, self.yes, game, read), read)
            game = done.game
        shown = questions.others(peeled, game, read.answers)
        offers = readiness.offered(game.ruleset, game.state, seat, read.stands, shown)
        offers += presses
        notes = [*before, *done.notes]
        press = relaying.presses(self.work, self.judged, game, trial=trial, offers=len(offers))
        offers += press.held
        if not trial:
            read_as = [str(one) for answer in read.answers if answer.words for one in answer.orders]
            saying_yes.suggest(self.conn, self.judged, game, offers, read.stands, read_as)
        quiet = press.quiet and self._press_alone(game, notes)
        notes += [*press.notes, *too_early(peeled), *play.unread(peeled)]
        if read.place.later:
            notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        answered = self._sections(game, read.stands, read.answers)
        self._note_letter(game, None if trial else read.stands)
        ballot = self._ballot(game, trial=trial)
        receipt = Receipt(
            order_sets.standing(self.conn, game, seat) if trial else read.stands,
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
        self._receipt(ballot.game, receipt)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _before(self, game: GameAt, read: ReadOrders, *, blank: bool) -> list[str]:
        lines = [receipts.from_words(one, game) for one in read.answers if one.words]
        lines += self.arrived.crossed(game, self.decision)
        if self.decision.directed and self.row.authentication in ON_THEIR_WORD:
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
            yield from inquiries.still_wait(self.work, game, seat).values()

    def _press_alone(self, game: GameAt, notes: Sequence[str]) -> bool:
        """Return whether it is press and a receipt of two lines does."""
        peeled = self.decision.peeled
        alone = bool(peeled.press) and peeled.empty and not peeled.commands
        return alone and not notes and not game.holders[self.decision.seat].all_receipts

    def _ballot(self, game: GameAt, *, trial: bool) -> _Done:
        """File its ballot; the last one needed ends the game."""
        notes = balloted(self.work, self.judged, game, trial=trial)
        if notes and not trial and ending.conclude(self.work, game):
            game = games.game_at(self.conn, game.id)
            notes = [
                f"All who are still in the game agree, and so it is over: {ending.ended(game)}. The"
                " last bulletin comes in a mail of its own."
            ]
        return _Done(game, notes, notes)

    def _grace(self, game: GameAt, read: ReadOrders) -> list[str]:
        if not read.changes() or self.row.authentication in ON_THEIR_WORD:
            return []
        return closing.use_grace(self.work, game, self.decision.seat, self.row.received)

    def _carried_out(self, game: GameAt, read: ReadOrders) -> _Done:
        of_end = self._about_the_end(game, read)
        mails = [] if self.judged.deputy else [*play.carry_out(self.work, self.judged, game)]
        leaves = deputies.carry_out(self.work, self.judged, game)
        if not self.judged.deputy:
            leaves += leaving.carry_out(self.work, self.judged, game, read.answers, read.resigns)
        if mails:
            game = games.game_at(self.conn, game.id)
        own = [] if self.judged.deputy else [*mails, *leaves]
        return _Done(game, [*mails, *of_end, *leaves], own)

    def _about_the_end(self, game: GameAt, read: ReadOrders) -> list[str]:
        peeled = self.decision.peeled
        if closing.in_grace(game):
            word = peeled.asks(LastWord.READY) or peeled.asks(LastWord.WAIT)
            return [closing.IN_GRACE] if word else []
        if _ends(game, peeled):
            return ["READY: the period closes now, and the next bulletin comes by return."]
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

    def _receipt(self, game: GameAt, told: Receipt) -> None:
        holder = game.holders[self.decision.seat]
        if not self.decision.reply_allowed:
            return
        self.number = self._numbered(game, holder)
        receipts.send_receipts(self.work, self.judged, game, replace(told, number=self.number))

    def _numbered(self, game: GameAt, holder: Holder) -> int:
        """Return the receipt's number, the same if decided again after a hold."""
        row = self.row
        if row.receipt is not None and row.game_id == game.id and row.seat == holder.seat:
            return row.receipt
        return holder.receipts + 1


# --- ballots for the end of a game, and statements after it ---------------------------------------


MOST_WORDS = 400
MOST_LINES, MOST_SIGNS = 200, 6000
"""A statement of few words may be long."""


def last_said(peeled: Peeled, word: str) -> str | None:
    given = [command.argument for command in peeled.commands if command.name == word]
    return given[-1] if given else None


def balloted(work: Work, judged: Judged, game: GameAt, *, trial: bool) -> list[str]:
    """Store an AGREE unless it is a trial. Return notes. A complete agreement ends the game:
    :func:`pbem.periods.ending.conclude`."""
    written, seat = last_said(judged.decision.peeled, AGREE), judged.decision.seat
    if written is None:
        return []
    inside = ending.playing(game)
    ballot = agreement.read(seats(written, game.named), game.seats, inside)
    if ballot.refusal:
        return [ballot.refusal]
    if seat not in inside:
        return ["AGREE: you are out of the game, so it needs no ballot of yours."]
    if trial:
        return [f"AGREE: it can be taken ({_called(ballot.shared)})."]
    before = Ballot.one(work.conn, game_id=game.id, seat=seat)
    if before and before.letter_id > judged.row.id:  # this one was held meanwhile
        return ["AGREE: what you sent after this letter about the end of the game counts."]
    said_so = {"shared": list(ballot.shared), "letter_id": judged.row.id}
    Ballot.put(work.conn, game_id=game.id, seat=seat, **said_so)
    if not ballot.shared:
        had = before is not None and bool(before.shared)
        return ["Your ballot is taken back." if had else "There was no ballot of yours."]
    return [
        f"Your ballot is on file: {_called(ballot.shared)}. It stands, from period to period, until"
        " you write\u00a0AGREE\u00a0NONE or another. If all who are still in the game say the same,"
        " the game ends so at once; until then nobody is told of it, nor the gamesmaster."
    ]


def _called(shared: tuple[Seat, ...]) -> str:
    return agreement.end_in_words(shared) if shared else "no ballot"


def takes_statements(game: GameAt, judged: Judged) -> bool:
    """Return whether it has a statement in time: the game is over, none are sent."""
    until = game.row.statements_until
    if last_said(judged.decision.peeled, STATEMENT) is None or until is None:
        return False
    return game.row.status == GameState.OVER and judged.row.received <= until


def over_words(work: Work, game: GameAt, judged: Judged) -> list[str]:
    peeled, until = judged.decision.peeled, game.row.statements_until
    won = issue_mails.who_has_won(game, judged.decision.seat) or "The game is over."
    only_asks = {one.name for one in peeled.commands} <= READING | {STATEMENT}
    asks = peeled.empty and not peeled.press and only_asks
    first = won if asks else f"{won} So nothing of your letter is played or passed on any more."
    late = " It was too late for STATEMENT." if peeled.asks(STATEMENT) else ""
    notes = [f"{first}{late}"]
    if judged.deputy:  # only the player may do the rest
        return notes
    if until and until > work.now:
        notes.append(
            "A few words on the game go out to all players: write STATEMENT on a line of its own"
            f" and your words below it, by {game.minute(until)}."
        )
    return [*notes, *rematches.offer(work, game), issue_mails.what_next(work.conn)]


def rematch(work: Work, game: GameAt, judged: Judged) -> list[str]:
    """Take an AGAIN after the end, unless it is a trial. Return notes."""
    peeled = judged.decision.peeled
    if not peeled.asks(AGAIN):
        return []
    if peeled.asks("CHECK"):
        return ["AGAIN: it can be taken."]
    return rematches.say(work, game, judged.decision.seat, judged.row.received)


def too_early(peeled: Peeled) -> list[str]:
    early = ["AGAIN is for after the end of the game."] if peeled.asks(AGAIN) else []
    if last_said(peeled, STATEMENT) is None:
        return early
    return [
        *early,
        "STATEMENT is for the end of the game, whose last bulletin asks for it. Nothing below that"
        " word was read: if you meant orders there, send them again.",
    ]


def stated(work: Work, judged: Judged, game: GameAt, *, trial: bool) -> tuple[str, str]:
    """Store a statement unless it is a trial. Return the note, and the statement or ""."""
    text = last_said(judged.decision.peeled, STATEMENT) or ""
    seat = judged.decision.seat
    words = len(text.split())
    stood = Statement.one(work.conn, game_id=game.id, seat=seat)
    holder = game.holders[seat].player_id
    if stood and stood.player_id != holder:
        stood = None
    if why := _unfit(text, words) or _in_doubt(game, judged.decision.peeled, text):
        kept = " Your former statement stands." if stood else ""
        return f"{why} Nothing of it was taken.{kept}", ""
    words_of = relaying.harmless(text)
    printed = sheet.fenced(words_of)
    until = game.minute(game.row.statements_until) if game.row.statements_until else ""
    if trial:
        return f"Your statement has {words} words; it can be taken.", printed
    if stood and stood.letter_id > judged.row.id:  # this one was held meanwhile
        return "The statement that you sent after this letter stands.", ""
    if holder is None:
        return "You hold no seat of the game any more: your statement was not taken.", ""
    by = {"player_id": holder, "letter_id": judged.row.id}
    Statement.put(work.conn, game_id=game.id, seat=seat, text=words_of, **by)
    instead = ", in place of your former one" if stood else ""
    return (
        f"Your statement of {words} word{'s' * (words != 1)} is taken{instead}. It goes out with"
        f" those of the others after {until}; until then nobody sees it, and another one replaces"
        " it.",
        printed,
    )


def _in_doubt(game: GameAt, peeled: Peeled, text: str) -> str:
    closed = all(one.closed for one in peeled.commands)
    lines = press_rules.not_words(game.ruleset.language, Press((), False, text, 1, closed))
    return receipts.held_press(STATEMENT, lines) if lines else ""


def _unfit(text: str, words: int) -> str:
    if not words:
        return "STATEMENT has no words below it."
    if words > MOST_WORDS:
        return f"Your statement has {words} words; {MOST_WORDS} are taken at most."
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        return f"Your statement has {lines} lines; {MOST_LINES} are taken at most."
    if len(text) > MOST_SIGNS:
        return f"Your statement has {len(text)} signs; {MOST_SIGNS} are taken at most."
    return ""
