"""Take a letter to a game: orders, ballots for the end, statements after it; its receipt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from pbem.games.frame import agreement, press_rules, readiness
from pbem.games.frame.adjudication import Answer, canonical, take
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import missed_deadline
from pbem.games.frame.readiness import LastWord
from pbem.letters.states import LetterState
from pbem.letters.verdict import Rule
from pbem.orders.asking import NAME, READING
from pbem.orders.called import seats
from pbem.orders.mailwords import AGAIN, AGREE, STATEMENT, Peeled, Press, naming
from pbem.orders.order import Resign, Standing, staying
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
from pbem.referee.game import arrivals, receipts, relaying, saying_yes
from pbem.referee.game.arrivals import Arrived, OrderPlace
from pbem.referee.game.receipts import Receipt, remark
from pbem.referee.words import deputies, leaving, look, play, questions
from pbem.referee.words.leaving import Confirmed
from pbem.store.games import games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.schema.states import GameState, PeriodState
from pbem.store.schema.tables import Ballot, OrderSet, Outgoing, Statement


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
    if confirmed or arrivals.came_after(game, row.received):  # others may have come meanwhile
        place = arrivals.order_place(work, game, seat, row.id)
    known = formation.seen(work, game, seat)
    former = partial(players.privy_names, work.conn, game.id)
    if row.outcome != LetterState.STORED:
        peeled = saying_yes.as_taken(work.conn, row.id, peeled)

    def greeted() -> list[str]:
        return [*saying_yes.names(judged, game), inquiries.whom(work, game)]

    read_again = peeled is not judged.decision.peeled  # its yes stands for orders, not sentences
    asks = None if read_again else greeted

    def begun() -> str:
        word, *_ = game.ruleset.language.other_words.slate
        return order_sets.begun(work.conn, game, seat, word, canonical(place.before))

    of = (game.ruleset, known.state, seat, peeled.text, place.before)
    taken = take(*of, game.named, former, asks, begun=begun)
    resigns = leaving.resigns(taken.standing, stood) and (not confirmed or bool(judged.deputy))
    kept = staying(taken.standing) if resigns else taken.standing
    if judged.deputy:  # a deputy cannot take back what their player said of leaving
        leaves = {slot: order for slot, order in stood.items() if isinstance(order, Resign)}
        kept = {**staying(kept), **leaves}
    moved, lost = kept != place.before, questions.lost(peeled, game, taken.answers)
    answers, at = taken.answers, (game.ruleset, game.state, seat)
    matters = peeled.asks(LastWord.READY) or any(one.asked for one in answers)
    if matters and not judged.deputy:  # who does not see what the player was asked
        earlier = order_sets.unanswered(work.conn, game, seat, row.id)
        answers = (*answers, *readiness.still_open(*at, kept, answers, earlier))
    said = readiness.after_letter(*at, place.said, peeled, answers, moved, lost, place.later)
    stands = arrivals.folded(game, seat, kept, place.later)
    return ReadOrders(last, place, answers, stands, said, resigns)


def _ends(game: GameAt, peeled: Peeled) -> bool:
    """Return whether a letter ends a practice period that has no deadline of its own."""
    return game.practice and formation.is_continuous(game) and peeled.asks(LastWord.READY)


def save(work: Work, yes: saying_yes.YesRead, game: GameAt, read: ReadOrders) -> GameAt:
    """Save the orders and what follows. Return the game after it."""
    conn, now, judged = work.conn, work.now, yes.judged
    seat = judged.decision.seat
    if _ends(game, judged.decision.peeled) and not any(one.asked for one in read.answers):
        periods.set_period(conn, game.id, game.period.number, close_asked=now, next_look=now)
    if game.holders[seat].asked_until is not None and judged.proven:
        games.set_seat(conn, game.id, seat, asked_until=None, missed=0)
    changes = read.changes()
    if rows := [row for row in yes.rows if changes or row.is_press]:  # press goes out once
        order_sets.answer_suggestions(conn, rows, judged.row.id, canonical(read.stands))
    if not changes:
        return game
    order_sets.save_orders(
        conn, game, seat, read.stands, read.last, said=read.said, letter_id=judged.row.id, now=now
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


class GameLetter:
    """One letter of a seat, with its verdict."""

    def __init__(self, work: Work, judged: Judged) -> None:
        self.work, self.conn = work, work.conn
        self.judged, self.barred = deputies.without_personal(judged)
        judged = self.judged
        self.row, self.letter, self.decision = judged.row, judged.letter, judged.decision
        self.yes = saying_yes.YesRead(judged)
        self.number: int | None = None  # of its receipt, among the seat's own

    def heard(self, game: GameAt) -> LetterOutcome | None:
        """Return the outcome, or None if it waits undecided."""
        reads = self.decision.rule == Rule.ONLY_READING
        if (
            arrivals.came_after(game, self.row.received)
            and not reads
            and self.row.authentication not in ON_THEIR_WORD
        ):
            return self._hold_restored(game)
        if game.period.status == PeriodState.REVIEW:
            self._in_review(game)
            return None
        if self.decision.case.press:
            self._is_heard(game)
            return relaying.relay_answer(self.work, self.judged, game, self.decision.seat)
        if takes_statements(game, self.judged):
            return self._last_words(game)
        self._is_heard(game)
        if game.row.status == GameState.OVER:
            return self._after_end(game)
        self.arrived = Arrived(self.conn, self.judged, game)
        if why := self.arrived.too_late():
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

    def _as_it_was(self, game: GameAt) -> Receipt:
        """Return a receipt with the answers to what the letter asks; its orders do not count."""
        standing = order_sets.standing(self.conn, game, self.decision.seat)
        answered = look.sections(self.work, self.judged, game, standing, ())
        return Receipt(standing, answered=answered)

    def _in_review(self, game: GameAt) -> None:
        holder = self.judged.writer(self.work, game)
        if not self.decision.reply_allowed:
            return
        since, most = self.work.now - game.house.an_hour, self.work.limits.receipts_an_hour
        had = mails.made(self.conn, since, "review", game_id=game.id, seat=holder.seat)
        told = Outgoing.has(self.conn, key=f"review:{self.row.id}")
        if told or not holder.address or had >= most:
            return
        before = games.game_at(self.conn, game.id, game.period.number - 1)
        receipts.tell_of_review(self.work, self.judged, before, self._as_it_was(before))

    def _hold_restored(self, game: GameAt) -> LetterOutcome:
        number = game.period.number
        meant = arrivals.meant_for(self.work, self.judged, game)
        ended = game.minute(game.row.restored_to) if game.row.restored_to else ""
        note = remark("after_backup", ended, number, away.waits(self.work, game.id))
        self._receipt(game, replace(self._as_it_was(game), notes=[note]))
        speaks = (
            f"it speaks of period {meant}" if meant else "it does not say for which period it is"
        )
        why = f"received after the backup that the game came back from ({ended}); {speaks}"
        return self._outcome(LetterState.HELD, why, meant)

    def _last_words(self, game: GameAt) -> LetterOutcome:
        peeled, number = self.decision.peeled, game.period.number
        trial = peeled.asks("CHECK")
        note, printed = stated(self.work, self.judged, game, trial=trial)
        notes = [note, *rematch(self.work, game, self.judged)]
        if not peeled.empty or peeled.press:
            notes.append("The game is over, so nothing else of your letter was taken.")
        sections = [("Your statement as it goes out", printed)] if printed else ()
        self._note_letter(game, None)
        told = replace(self._as_it_was(game), notes=notes, sections=sections, trial=trial)
        self._receipt(game, told)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _after_end(self, game: GameAt) -> LetterOutcome:
        number, again = game.period.number, rematch(self.work, game, self.judged)
        told, over = self._as_it_was(game), over_words(self.work, game, self.judged)
        notes = [*(again or (over[:1] if told.answered else over)), *self.barred]
        self._receipt(game, replace(told, notes=notes))
        if again:
            return self._outcome(self.decision.verdict, self.decision.reason, number)
        return self._outcome(LetterState.LATE, "The game is over.", number)

    def _late(self, game: GameAt, why: str) -> LetterOutcome:
        number = game.period.number
        yes = saying_yes.heard(self.work, self.judged, game)
        lost = (
            " ".join(["", *yes.notes])
            if yes.notes and not yes.rows
            else arrivals.lost(self.decision, game, missed=missed_deadline(self.arrived.facts))
        )
        notes = [*self.arrived.crossed(self.decision.peeled), why + lost, *self.barred]
        said = readiness.of(order_sets.last_set(self.conn, game.id, number, self.decision.seat))
        self._receipt(game, replace(self._as_it_was(game), notes=notes, said=said))
        return self._outcome(LetterState.LATE, why, number)

    def _take(self, game: GameAt, read: ReadOrders, presses: Sequence[str]) -> LetterOutcome:
        """presses: what it says to others in plain words, to be offered."""
        seat, number, peeled = self.decision.seat, game.period.number, self.decision.peeled
        trial = peeled.asks("CHECK")
        understood = any(answer.orders or answer.cancelled for answer in read.answers)
        understood = understood or bool(peeled.commands or peeled.press)
        blank = not (self.barred or understood or questions.asked(peeled, game))
        before = self._before(game, read, blank=blank)
        done, own = list[str](), list[str]()
        if not trial:
            if read.changes() and self.row.authentication not in ON_THEIR_WORD:
                before += closing.use_grace(self.work, game, seat, self.row.received)
            game, done, own = self._carried_out(save(self.work, self.yes, game, read), read)
        shown = questions.others(peeled, game, read.answers)
        offers = readiness.offered(game.ruleset, game.state, seat, read.stands, shown)
        offers += presses
        notes = [*before, *done]
        press = relaying.presses(self.work, self.judged, game, trial=trial, offers=len(offers))
        offers += press.held
        if not trial:
            read_as = [str(one) for answer in read.answers if answer.words for one in answer.orders]
            filed = dict.fromkeys(offers, 0) | dict.fromkeys(read_as, self.row.id)
            begun = "".join(one.begun for one in read.answers)
            lines, shows = [(begun, 0), *filed.items()], canonical(read.stands)
            if begun or filed:
                order_sets.suggest(self.conn, game, seat, self.row.id, lines, shows)
        alone = bool(peeled.press) and peeled.empty and not (peeled.commands or notes)
        quiet = press.quiet and alone and not game.holders[seat].all_receipts
        notes += [*press.notes, *(["AGAIN is for after the end of the game."] * peeled.asks(AGAIN))]
        if last_said(peeled, STATEMENT) is not None:
            notes.append(remark("statement_too_early"))
        notes += play.unread(peeled)
        if read.place.later:
            notes.append(
                "Your letter was held; what you sent after it still counts as sent after it."
            )
        answered = look.sections(self.work, self.judged, game, read.stands, read.answers)
        self._note_letter(game, None if trial else read.stands)
        after, ballot = self._ballot(game, trial=trial)
        receipt = Receipt(
            order_sets.standing(self.conn, game, seat) if trial else read.stands,
            read.answers,
            notes=[*notes, *ballot],
            answered=answered,
            sections=press.sections,
            trial=trial,
            said=readiness.of(read.last) if trial else read.said,
            tried=read.stands,
            before=order_sets.orders_of(game, read.last),
            blank=blank,
            press_alone=quiet,
            own=[*own, *ballot],
            offers=() if trial else offers,
        )
        self._receipt(after, receipt)
        return self._outcome(self.decision.verdict, self.decision.reason, number)

    def _before(self, game: GameAt, read: ReadOrders, *, blank: bool) -> list[str]:
        until = publishing.local_deadline(game)
        lines = [remark("from_words", one, until) for one in read.answers if one.words]
        lines += self.arrived.crossed(self.decision.peeled)
        if self.decision.directed and self.row.authentication in ON_THEIR_WORD:
            lines.append(remark("accepted", self.decision.seat, game.period.number))
        alerts = arrivals.alerts(self.work, self.yes, game, read.answers, blank=blank)
        lines += [*self.yes.notes, *alerts, *self.barred]
        if self.decision.reply_allowed and not self.judged.deputy:
            lines += inquiries.still_wait(self.work, game, self.decision.seat).values()
        if read.resigns and self.judged.deputy:
            lines.append(deputies.said("no_resign"))
        return lines

    def _ballot(self, game: GameAt, *, trial: bool) -> tuple[GameAt, list[str]]:
        """File its ballot; the last one needed ends the game. Return that, and notes."""
        notes = balloted(self.work, self.judged, game, trial=trial)
        if notes and not trial and ending.conclude(self.work, game):
            game = games.game_at(self.conn, game.id)
            notes = [remark("ended", ending.ended(game))]
        return game, notes

    def _carried_out(self, game: GameAt, read: ReadOrders) -> tuple[GameAt, list[str], list[str]]:
        """Return the game after its words, what is said of them, and of that what is not for a
        deputy."""
        of_end = self._about_the_end(game, read)
        said = [] if self.judged.deputy else [*play.carry_out(self.work, self.judged, game)]
        leaves = deputies.carry_out(self.work, self.judged, game)
        if not self.judged.deputy:
            leaves += leaving.carry_out(self.work, self.judged, game, read.answers, read.resigns)
        if said:  # their words may have changed the game
            game = games.game_at(self.conn, game.id)
        own = [] if self.judged.deputy else [*said, *leaves]
        return game, [*said, *of_end, *leaves], own

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
        if not self.decision.reply_allowed:
            return
        row, seat = self.row, self.decision.seat
        again = row.receipt and (row.game_id, row.seat) == (game.id, seat)  # decided after a hold
        self.number = number = (again and row.receipt) or game.holders[seat].receipts + 1
        receipts.send_receipts(self.work, self.judged, game, replace(told, number=number))


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
    shared = _called(ballot.shared) if ballot.shared else ""
    return [remark("ballot", shared, before is not None and bool(before.shared))]


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
    won = issue_mails.who_has_won(game, judged.decision.seat)
    only_asks = {one.name for one in peeled.commands} <= READING | {STATEMENT}
    asks = peeled.empty and not peeled.press and only_asks
    notes = [remark("over", won, not asks, peeled.asks(STATEMENT))]
    if judged.deputy:  # only the player may do the rest
        return notes
    if until and until > work.now:
        notes.append(remark("statement_wanted", game.minute(until)))
    return [*notes, *rematches.offer(work, game), issue_mails.what_next(work.conn)]


def rematch(work: Work, game: GameAt, judged: Judged) -> list[str]:
    """Take an AGAIN after the end, unless it is a trial. Return notes."""
    peeled = judged.decision.peeled
    if not peeled.asks(AGAIN):
        return []
    if peeled.asks("CHECK"):
        return ["AGAIN: it can be taken."]
    return rematches.say(work, game, judged.decision.seat, judged.row.received)


def stated(work: Work, judged: Judged, game: GameAt, *, trial: bool) -> tuple[str, str]:
    """Store a statement unless it is a trial. Return the note, and the statement or ""."""
    text = last_said(judged.decision.peeled, STATEMENT) or ""
    seat = judged.decision.seat
    words = len(text.split())
    stood = Statement.one(work.conn, game_id=game.id, seat=seat)
    holder = game.holders[seat].player_id
    if stood and stood.player_id != holder:
        stood = None
    closed = all(one.closed for one in judged.decision.peeled.commands)
    lines = press_rules.not_words(game.ruleset.language, Press((), False, text, 1, closed))
    if why := _unfit(text, words) or (remark("held_press", STATEMENT, lines) if lines else ""):
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
    return remark("statement_taken", words, stood, until), printed


def _unfit(text: str, words: int) -> str:
    if not words:
        return "STATEMENT has no words below it."
    sizes = (words, MOST_WORDS, "words"), (text.count("\n") + 1, MOST_LINES, "lines")
    for size, most, what in (*sizes, (len(text), MOST_SIGNS, "signs")):
        if size > most:
            return f"Your statement has {size} {what}; {most} are taken at most."
    return ""
