"""Facts for ``house_rules``: when a letter came, what its writer had read.

Put a held letter's orders in its place by first sight: it never beats a newer one.

What a receipt says of the letter itself: what was not read, or came too late.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import islice

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.games.frame import house_rules, readiness
from pbem.games.frame.adjudication import Answer, reread, take
from pbem.games.frame.events import Seat
from pbem.games.frame.house_rules import after_backup
from pbem.games.frame.readiness import LastWord
from pbem.house import shelf
from pbem.letters.verdict import Decision
from pbem.orders.asking import READING
from pbem.orders.characters import first_word
from pbem.orders.language import shorten
from pbem.orders.mailwords import Peeled, peel
from pbem.orders.order import Order, Resign, Standing, staying
from pbem.orders.writing import behind_number
from pbem.periods import closing, guards, issue_mails, own_page
from pbem.periods.guards import guarded
from pbem.post import alarms
from pbem.post.compose import message_id
from pbem.post.seats import KINDS
from pbem.post.work import Work
from pbem.referee.deciding import sandbox, trust
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import ACCEPTED, CONFIRMED, ON_THEIR_WORD
from pbem.referee.game import relaying, saying_yes
from pbem.referee.game.receipts import remark
from pbem.referee.words import questions
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.game_rows import GameRow
from pbem.store.games.games import GameAt
from pbem.store.games.order_sets import LetterSetRow
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.store.schema.tables import Letter as LetterRecord
from pbem.store.schema.tables import Outgoing
from pbem.text import counted, listed, safe

_NAMED = re.compile(r"\b(?:period|bulletin) [0-9]{1,4}\b", re.IGNORECASE)


@dataclass(frozen=True)
class Arrived:
    """One letter's arrival in a game."""

    conn: Connection
    judged: Judged
    game: GameAt

    def too_late(self) -> str:
        """Return why it does not count for the open period, or ""."""
        if self.judged.row.authentication in ON_THEIR_WORD:
            said = self.judged.decision.directed
            return house_rules.other_period(said.period, self.game.period.number) if said else ""
        return house_rules.too_late(self.facts)

    def crossed(self, peeled: Peeled) -> list[str]:
        """Return what a writer is told whom a deadline overtook, unless the game is held; in
        practice it is the writer's own READY that ends a period."""
        own = self.game.practice or self.judged.row.authentication in ON_THEIR_WORD
        if own or self.game.row.status != GameState.RUNNING or (peeled.empty and not peeled.press):
            return []
        said = house_rules.crossing(self.facts)
        return [said] if said and not self._has_receipt() else []

    def _has_receipt(self) -> bool:
        due, since, seat = self.facts.due, self.game.period.opened, self.judged.decision.seat
        if due is not None and self.judged.row.received > due:
            since = due
        return mails.made(self.conn, since, "receipt", game_id=self.game.id, seat=seat) > 0

    @cached_property
    def facts(self) -> house_rules.Arrival:
        game, row, letter = self.game, self.judged.row, self.judged.letter
        # a held game's deadline will move
        strict = game.row.late == "deadline" and game.row.status != GameState.HELD
        answers = (*letter.in_reply_to, *letter.references[-1:])
        answered = [one for one in self._mails(answers) if one.kind in ("receipt", "reminder")]
        read = self._mails((*answers, *letter.references))
        link, due, seat = self.judged.decision.case.link, game.period.due, self.judged.decision.seat
        return house_rules.Arrival(
            number=game.period.number,
            received=row.received,
            due=closing.deadline_for(self.conn, game, seat, row.received) if strict else due,
            named=self.judged.decision.period,
            strict=strict,
            last_due=game.period.due_before,
            last_closed=game.period.closed_before,
            answered=answered[0].created if answered else None,
            confirmed_for=row.period if row.authentication == CONFIRMED else 0,
            opened=game.period.opened,
            read=read[0].created if read else None,
            names_new=self._names(game.period.number),
            of_before=link is not None and link.edition != game.row.edition,
            went_back=bulletins.last_voided(self.conn, game.id) if game.row.edition > 1 else None,
            soon=game.house.share(house_rules.SOON, timedelta(minutes=5)),
            unaware=game.house.share(house_rules.UNAWARE, timedelta(minutes=2)),
        )

    def _names(self, number: int) -> bool:
        """Return whether it names a period or the bulletin before."""
        letter = self.judged.letter
        said = (letter.subject, letter.body, *(cut.text for cut in letter.cut))
        words = {f"period {number}", f"bulletin {number - 1}"}
        return any(found.lower() in words for text in said for found in _NAMED.findall(text))

    def _mails(self, answered: Sequence[str]) -> Sequence[Outgoing]:
        return mails.of_game(self.conn, self.game.id, answered) if answered else ()


@dataclass(frozen=True, slots=True)
class OrderPlace:
    """What comes before and after a letter."""

    before: dict[str, Order]
    said: LastWord
    later: tuple[Peeled, ...] = ()
    """Also the gamesmaster's orders for the seat."""


def order_place(work: Work, game: GameAt, seat: Seat, letter_id: int) -> OrderPlace:
    """Return a letter's place among the order sets of its seat and period."""
    sets: list[tuple[int, Peeled, LastWord]] = []
    last_orders: Sequence[str] = ()
    for number, row in filed(work, game, seat):
        peeled = Peeled("\n".join(row.orders))
        if row.raw is not None:
            peeled = read_again(work, row.raw, number)
        sets.append((number, peeled, readiness.of(row)))
        last_orders = row.orders
    sets.sort(key=lambda one: one[0])
    earlier = [one for one in sets if one[0] < letter_id]
    stood = reread(game.ruleset, last_orders)
    before = folded(game, seat, {}, tuple(peeled for _, peeled, _ in earlier))
    before |= {slot: order for slot, order in stood.items() if isinstance(order, Resign)}
    said = earlier[-1][2] if earlier else LastWord.NOTHING
    return OrderPlace(
        before, said, tuple(peeled for number, peeled, _ in sets if number > letter_id)
    )


def filed(work: Work, game: GameAt, seat: Seat) -> Iterator[tuple[int, LetterSetRow]]:
    """Yield a seat's order sets of the period, each with its place: the letter's number. Those
    without a letter come after all letters seen until then."""
    newest = 0
    for row in order_sets.with_letters(work.conn, game.id, game.period.number, seat):
        newest = max(newest, row.letter_id or 0)
        yield row.letter_id or newest, row


def read_again(work: Work, raw: bytes, letter_id: int) -> Peeled:
    """Read a stored letter as it was taken."""
    budget = Budget(work.limits.letter_seconds, f"the work on letter {letter_id}")
    text = sandbox.read_guarded(raw, work.limits.of_reading(), budget).text
    with budget:
        return saying_yes.as_taken(work.conn, letter_id, peel(text))


def folded(
    game: GameAt, seat: Seat, standing: Standing, letters: tuple[Peeled, ...]
) -> dict[str, Order]:
    """Take letters on top of standing. RESIGN is left out; it needs a code."""
    now = dict(standing)
    for peeled in letters:
        taken = take(game.ruleset, game.state, seat, peeled.text, now, game.named).standing
        now = without_new_resign(taken, now)
    return now


def without_new_resign(taken: Standing, before: Standing) -> dict[str, Order]:
    stays = staying(taken)
    return {slot: order for slot, order in taken.items() if slot in stays or slot in before}


_SHOWN = 30  # characters of an unread line
_MOST_NUMBERED = 3


def lost(decision: Decision, game: GameAt, *, missed: bool) -> str:
    """Return what of a late letter was not taken, and what to do. missed: the deadline."""
    peeled = decision.peeled
    names = dict.fromkeys(c.name for c in peeled.commands if c.name not in READING)
    acting = " or ".join(names)
    if peeled.empty and not peeled.press:
        return f" It was too late for\u00a0{acting}." if acting else ""
    text = f" Its orders were not taken{f', nor {acting}' if acting else ''}."
    if missed:
        if closing.in_grace(game):
            text += " The period waits, but not for you."
        return f"{text} If you mean them for the next period, send them again when it has begun."
    number = game.period.number
    return (
        f"{text} If you mean them for period {number}, send them again with the line PERIOD"
        f" {number} on top."
    )


def alerts(
    work: Work, yes: saying_yes.YesRead, game: GameAt, answers: Sequence[Answer], *, blank: bool
) -> list[str]:
    """Return what was not read, and where the letter was. blank: nothing of it was read."""
    row, letter, decision = yes.judged.row, yes.judged.letter, yes.judged.decision
    unreadable = letter.unreadable
    said = [unreadable] if unreadable else list(letter.notes)
    peeled, seat = decision.peeled, decision.seat
    half = own_page.unfinished(work.conn, game, seat, peeled.text)
    said.extend(f'Not filled in to the end, so not read: "{safe(line)}".' for line in half)
    unread = blank and not half and not yes.notes and not unreadable
    if unread and all(answer.quiet for answer in answers):
        more = questions.others(peeled, game, answers) or answers
        lines = [safe(one.line.text) for one in more]
        named = f'"{shorten(lines[0], _SHOWN)}"' if len(lines) == 1 else "your letter"
        first = saying_yes.small_talk(yes.judged, game) or f"I found no order in {named}."
        said.append(f"{first} HELP brings what you can send.")
        addressee = questions.meant_for(peeled, game)
        bots = {name for bot in game.bots for name in (bot, game.player(bot))}
        bot = f"{relaying.read_by_nobody([addressee])}." if addressee in bots else ""
        said += [remark("addressed", addressee, bot)] if addressee else []
    elif lost := questions.lost(peeled, game, answers):
        quotes = (f'"{shorten(safe(one), _SHOWN)}"' for one in lost)
        said.append(f"I found no order in {listed([*quotes])}. HELP brings what you can send.")
    taken = {first_word(str(order)) for answer in answers for order in answer.orders}
    behind = filter(None, map(behind_number, peeled.text.split("\n")))
    again = (line for line in behind if first_word(line) not in taken)
    numbered = filter(game.ruleset.language.reads, again)
    said.extend(remark("numbered", rest) for rest in islice(numbered, _MOST_NUMBERED))
    said.extend(() if yes.judged.deputy else _elsewhere(work, game, seat, answers))
    if row.folder in work.config.junk:
        said.append("Your letter had been sorted into the junk folder; it was taken all the same.")
        text = f"Letter {row.id} of {letter.sender} was found in {row.folder} and taken."
        subject = "a player's letter in Junk"
        alarms.tell(work, f"junk:{row.id}", subject, text, game.id)
    return said


def _elsewhere(work: Work, game: GameAt, seat: Seat, answers: Sequence[Answer]) -> Iterator[str]:
    """Name lines that are orders in another game of the player's."""
    unread = [one.line.text for one in answers if not (one.orders or one.cancelled)]
    player_id = game.holders[seat].player_id
    if not unread or player_id is None:
        return
    for other in games.running_of(work.conn, player_id):
        ruleset = games.game(work.conn, other).ruleset
        about, language = shelf.open_ruleset(ruleset).about, shelf.open_ruleset(ruleset).language
        for line in unread:
            if ruleset != game.ruleset.about.key and language.reads(line):
                yield remark("of_other_game", line, about.title, other)


# The open period may have closed early. Letters between the last journal entry and the game's
# resumption are held.

AHEAD = 12  # periods the game may have advanced since its backup


def came_after(game: GameAt, received: datetime) -> bool:
    """Return whether it came after the backup of a game that is not over."""
    row = game.row
    return row.status != GameState.OVER and after_backup(
        received, row.restored_to, row.restored_until
    )


def meant_for(work: Work, judged: Judged, game: GameAt) -> int:
    """Return the period a letter speaks of, or 0: by PERIOD, else by the newest mail it answers."""
    letter, decision = judged.letter, judged.decision
    if decision.period is not None:
        return decision.period
    ours = (
        one
        for one in (*letter.in_reply_to, *reversed(letter.references))
        if one.endswith(f"@{work.mark.domain}>")
    )
    answered = next(ours, "")
    if not answered:
        return 0
    begins = dict(_beginnings(work, game, decision.seat))
    if answered in begins:
        return begins[answered]
    for mail in mails.of_game(work.conn, game.id, (answered,)):
        if mail.kind in ("receipt", "reminder"):
            return periods.opened_by(work.conn, game.id, mail.created)
    return 0


def _beginnings(work: Work, game: GameAt, seat: Seat) -> Iterator[tuple[str, int]]:
    """Yield (Message-ID, period) of the mails that began periods, also those newer than the
    backup."""
    generation = notes.memo(work.conn, "generation")
    for made in (work.mark.generation, *generation.get("former", ())):
        then = replace(work.mark, generation=int(made))
        for number in range(game.period.number + AHEAD):
            for kind in KINDS:
                for edition in (1, 2):
                    key = issue_mails.key(kind, game, number, edition, game.holders[seat])
                    yield message_id(then, key), number + 1


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of the letters that a restore held."""

    taken: tuple[int, ...]
    left: tuple[int, ...]
    closed: tuple[str, ...]
    """When the open period and later ones had closed in truth."""


def accept(
    work: Work, game_id: str, before: datetime | None, period: int | None = None
) -> Accepted:
    """Accept held letters plainly of the open period: they name it, in time, before any that names
    a later one. before: accept all received by then that name no other. Raise OperatorError unless
    ``period`` is open."""
    game = guarded(work.conn, game_id, period, PeriodState.OPEN)
    number, until = game.period.number, game.period.due
    rows = held(work.conn, game.row)
    later = [row.received for row in rows if row.period > number]
    taken = []
    for row in rows:
        if before is not None:
            fits = row.period in (0, number) and row.received <= before
        else:
            timely = until is None or row.received <= until
            fits = row.period == number and timely and all(row.received < one for one in later)
        if fits:
            trust.release(work.conn, row.id, ACCEPTED)
            guards.looked(work, game, LookKind.ACCEPT, letter=row.id)
            taken.append(row.id)
    if taken:
        notes.note(work.conn, game_id, work.now, "letters-accepted", letters=taken)
        count = counted(len(taken), "letter that was", "letters that were")
        notes.rule(
            work.conn,
            game_id,
            NoteKind.HOUSE,
            f"The gamesmaster accepted {count} held after a restore.",
            work.now,
        )
    left = tuple(row.id for row in rows if row.id not in taken)
    return Accepted(tuple(taken), left, tuple(_closed(game, rows)))


def _closed(game: GameAt, rows: Sequence[LetterRecord]) -> Iterator[str]:
    """Tell by the first letter that speaks of a later period when each period had closed."""
    for number in range(game.period.number, max((row.period for row in rows), default=0)):
        first = next(row for row in rows if row.period > number)
        when = game.minute(first.received)
        yield (
            f"Period {number} had closed by {when}: letter {first.id} speaks of period"
            f" {first.period}."
        )


def held(conn: Connection, game: GameRow) -> list[LetterRecord]:
    """Return the letters that the restore holds, in the order in which they were received."""
    found = (
        row
        for row in letters.held(conn, game.id)
        if after_backup(row.received, game.restored_to, game.restored_until)
    )
    return sorted(found, key=lambda row: (row.received, row.id))
