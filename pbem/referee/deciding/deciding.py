"""Decide letters: read some ahead, then judge, carry out and answer each in one transaction.

A letter that raises or exceeds its processor time is set aside with the reason. Attempts are
counted before reading: one that ends the process is retried alone, then set aside.
"""

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog

from pbem.budget import Budget
from pbem.errors import OutsideError, OverBudget, RefereeError
from pbem.games.frame.calendar import left
from pbem.games.frame.events import grouped
from pbem.games.frame.house_rules import SKEW, skew
from pbem.letters import copies
from pbem.letters.letter import Letter
from pbem.letters.states import TO_DECIDE, LetterState
from pbem.letters.verdict import Rule
from pbem.post import alarms, masters
from pbem.post.outbox import Sending
from pbem.post.work import Installation, Work, no_crash
from pbem.referee.deciding import registry, sandbox, senders
from pbem.referee.deciding.handling import Handling, Opened, games_touched, judge, probably_for
from pbem.referee.deciding.judged import Judged, Logged
from pbem.store.engine import locks
from pbem.store.engine.database import shared_transaction
from pbem.store.engine.locks import NeedsAll
from pbem.store.letters import letters, undecided
from pbem.store.letters.undecided import LetterRow, RawRow
from pbem.store.mails import mails
from pbem.store.schema.tables import Letter as LetterRecord
from pbem.text import in_utc

log = structlog.get_logger()
HOUR = timedelta(hours=1)
READ_AHEAD = 20  # read ahead; each may have megabytes
MOST_ATTEMPTS = 4
_Begin = Callable[[datetime], AbstractContextManager[Work]]
_Read = Generator[tuple[Installation, Opened]]
AT_ONCE = 200  # letters asked for in one transaction


@dataclass(frozen=True, slots=True)
class _Run:
    now: datetime
    stopping: Callable[[], bool]
    everything: bool
    """Include senders who had their hourly share."""
    sending: Sending | None
    """None leaves mails in the outbox."""


class Referee:
    """Decides letters; one per process, without lasting state."""

    def __init__(self, installation: Installation, crash: Callable[[str], None] = no_crash) -> None:
        self.installation, self.crash = installation, crash
        self._open = set[int]()  # letters whose attempt is on file and has not ended
        self.passed_over = set[int]()
        """Left undecided, by another daemon or because of an earlier one."""
        self._waiting = set[int]()  # letters already logged as waiting

    def decide_all(
        self,
        now: datetime,
        stopping: Callable[[], bool] = lambda: False,
        *,
        hurries: Callable[[], bool] = lambda: False,
        sending: Sending | None = None,
    ) -> int:
        """Decide all undecided letters, and those they release. Return how many.

        hurries: whether a deadline waits; then senders who had their hourly share are included,
        and nothing is sent meanwhile.
        """
        run = _Run(now, stopping, False, sending)
        self._attempts_end()  # left open if the database broke off the last pass
        total, more = 0, True
        try:
            while more and not stopping():
                if not run.everything and hurries():
                    run = replace(run, everything=True, sending=None)
                before = total
                with closing(self._undecided(run)) as found:
                    total += sum(self._decide_one(*one, run) for one in found)
                more = total > before or (not run.everything and hurries())
        finally:
            self._settle(sending)
        return total

    def decide_these(
        self,
        ids: Sequence[int],
        now: datetime,
        stopping: Callable[[], bool] = lambda: False,
        sending: Sending | None = None,
    ) -> int:
        """Decide these letters once each, in order. Return how many were."""
        run = _Run(now, stopping, False, sending)
        self._attempts_end()
        self.passed_over.clear()
        decided = 0
        try:
            for start in range(0, len(ids), READ_AHEAD):
                if stopping():
                    break
                with closing(self._read(ids[start : start + READ_AHEAD], run)) as found:
                    decided += sum(self._decide_one(*one, run) for one in found)
        finally:
            self._settle(sending)
        return decided

    def _settle(self, sending: Sending | None) -> None:
        if sending:  # even after an error
            sending.settle(self.installation.engine)

    def _undecided(self, run: _Run) -> _Read:
        after = 0
        self.passed_over.clear()
        while True:
            with self.installation.shared_work(run.now) as work:
                share = (work.now - HOUR, work.limits.letters_an_hour)
                waiting = undecided.after(work.conn, after, AT_ONCE)
                sated = waiting and undecided.sated(work.conn, *share)
                if sated and not run.everything:
                    waiting = undecided.after(work.conn, after, AT_ONCE, sated)
            for ids in _groups(waiting):
                yield from self._read(ids, run)
                if run.stopping():
                    return
            if len(waiting) < AT_ONCE:
                return
            after, _ = waiting[-1]

    def _read(self, ids: Sequence[int], run: _Run) -> _Read:
        try:
            rows = self._tried(ids, wait=run.everything)
            read = self._opened(rows, run)
            with self.installation.connected() as installation:
                for opened in read:
                    if run.stopping():
                        break
                    yield installation, opened
        finally:
            self._attempts_end()

    def _tried(self, ids: Sequence[int], *, wait: bool) -> Sequence[RawRow]:
        """Count attempts at undecided letters; return their rows. wait: for another daemon's."""
        with shared_transaction(self.installation.engine) as conn:
            rows = undecided.tried(conn, ids, wait=wait)
            tried = [row.id for row in rows]
            if others := set(ids).difference(tried):
                self.passed_over.update(undecided.of(conn, sorted(others)))
        self._open.update(tried)
        self.crash("letter.tried")
        return rows

    def _opened(self, rows: Sequence[RawRow], run: _Run) -> list[Opened]:
        """Read letters before their transactions. Return [] if told to stop."""
        opened, limits = [], self.installation.config.limits.of_reading()
        for row in rows:
            if run.stopping():
                return []
            if row.attempts >= MOST_ATTEMPTS:
                why = f"the referee ended {row.attempts} times at this letter"
                self._set_aside(row.id, RefereeError(why), run.now)
                continue
            began = time.monotonic()
            budget = Budget(
                self.installation.config.limits.letter_seconds, "the work on this letter"
            )
            try:
                letter = sandbox.read_guarded(row.raw, limits, budget)
                took = time.monotonic() - began
                opened.append(Opened(row.id, row.raw, letter, budget, took))
            except (Exception, OverBudget) as error:
                self._set_aside(row.id, error, run.now, took=time.monotonic() - began)
        return opened

    def _attempts_end(self) -> None:
        """Take back the attempts at undecided letters; later if the database fails."""
        if self._open:
            with suppress(OutsideError):
                with shared_transaction(self.installation.engine) as conn:
                    undecided.attempts_ended(conn, sorted(self._open))
                self._open.clear()

    def _decide_one(self, installation: Installation, opened: Opened, run: _Run) -> bool:
        """Decide one letter in its transaction. Return False if it waits."""
        began = time.monotonic() - opened.took
        try:
            try:
                with self._transaction(installation.shared_work, run) as work, opened.budget:
                    logged = self._decide(work, opened, everything=run.everything)
            except NeedsAll:
                with self._transaction(installation.work, run) as work, opened.budget:
                    logged = self._decide(work, opened, everything=run.everything)
            self.crash("letter.committed")
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            sender, took = opened.letter.sender or "", time.monotonic() - began
            self._set_aside(opened.id, error, run.now, sender, took)
            return True
        if logged:
            self._log(opened.id, logged, time.monotonic() - began)
        done = logged is not None and logged.outcome is not None
        if done:
            self._open.discard(opened.id)
        if run.sending:
            run.sending.carry()
        return done

    @contextmanager
    def _transaction(self, begin: _Begin, run: _Run) -> Iterator[Work]:
        """Yield one letter's transaction, then perhaps send a mail in it. End the budget before:
        OverBudget would leave it open."""
        with begin(run.now) as work:
            yield work
            self.crash("letter.decided")
            if run.sending:
                run.sending.lease_next(work.conn)

    def _log(self, letter_id: int, logged: Logged, took: float) -> None:
        if logged.outcome is None and letter_id in self._waiting:
            return
        (self._waiting.add if logged.outcome is None else self._waiting.discard)(letter_id)
        log.info(
            "letter",
            id=letter_id,
            game=logged.game,
            seat=logged.seat,
            verdict=str(logged.verdict),
            outcome=str(logged.outcome or "waits"),
            milliseconds=round(took * 1000),
            receipt=logged.receipt,
        )

    def _set_aside(
        self,
        letter_id: int,
        error: BaseException,
        now: datetime,
        sender: str | None = None,
        took: float = 0.0,
    ) -> None:
        told = isinstance(error, (OverBudget, RefereeError))
        reason = str(error) if told else f"{type(error).__name__}: {error}"
        log.error("letter failed", letter=letter_id, exc_info=error)
        self._open.discard(letter_id)
        with self.installation.shared_work(now) as work:
            played = registry.games_of(work.conn, sender) if sender else ()
            game = played[0] if len(played) == 1 else ""
            values = {"reason": reason[:1000], "decided": now, "sender": (sender or "")[:254]}
            if game:
                values["game_id"] = game
            if not letters.try_state(work.conn, letter_id, LetterState.FAILED, **values):
                return
            see, then = f"letter --id {letter_id}", f"retry {letter_id}"
            commands: tuple[str, ...] = (see, then)
            text = f"Letter {letter_id}: {reason}\n\nSee `pbem {see}`, then `pbem {then}`."
            if not game and any(
                masters.plays(work.conn, one, work.mark.gamesmaster) for one in played
            ):  # what the error says may show a secret order
                text = f"Letter {letter_id} failed. What was the matter stands only in the log."
                commands = ()
            subject = f"letter {letter_id} failed"
            key = f"letter:{letter_id}"
            alarms.tell(work, key, subject, text, game, "It waits.", commands)
            why = senders.WORK if isinstance(error, OverBudget) else senders.FAILED
            try:
                with work.conn.begin_nested():
                    senders.unread(work, letter_id, undecided.bytes_of(work.conn, letter_id), why)
            except Exception:
                log.exception("its writer was not told", letter=letter_id)
            self._log(letter_id, Logged("", LetterState.FAILED), took)
        self.crash("letter.set_aside")

    def _decide(self, work: Work, opened: Opened, *, everything: bool) -> Logged | None:
        """Return what to log, or None if another daemon has decided it."""
        letter, conn = opened.letter, work.conn
        sender, like = (letter.sender or "")[:254], copies.likeness(letter)
        locks.sender(conn, sender)
        if locks.has_company(conn):
            locks.take(conn, probably_for(work, opened))
        row = undecided.letter(conn, opened.id, like)
        if row.outcome not in TO_DECIDE:
            return None
        earlier = sorted(one for one in self.passed_over if one < opened.id)
        if earlier and undecided.abandoned(conn, earlier):  # perhaps of the seat: it goes first
            self.passed_over.add(opened.id)
            return Logged()
        handling = Handling(work, row, letter)
        if row.outcome == LetterState.OVERSIZE:
            _watch_clock(work, row, letter)
            handling.oversize()
            senders.unread(work, opened.id, opened.raw, senders.SIZE)
            return handling.logged
        decision = judge(work, row, opened)
        # Letters with and without proof have a share each: who forges an address uses up no other.
        share, proven = work.limits.letters_an_hour, Judged(row, letter, decision).proven
        counts = bool(sender) and not everything
        if counts and undecided.had(conn, sender, work.now - HOUR, share, proven=proven) >= share:
            LetterRecord.change(conn, {"id": row.id}, sender=sender, proven=proven)
            return Logged()
        if locks.take(conn, games_touched(row, decision)):
            raise NeedsAll  # for another game than it seemed
        _watch_clock(work, row, letter)
        handling.carry_out(decision)
        if decision.rule == Rule.OVER_LIMIT:
            senders.unread(work, opened.id, opened.raw, senders.SIZE)
        return handling.logged


def _watch_clock(work: Work, row: LetterRow, letter: Letter) -> None:
    """Alarm if the mail server's clock, which decides lateness, differs from ours."""
    answered = (letter.message_id, *letter.in_reply_to)
    ours = [one for one in answered if one.endswith(f"@{work.mark.domain}>")]
    sent = mails.last_sent(work.conn, ours) if ours else None
    if abs(off := skew(row.received, row.seen, sent)) > SKEW:
        told = in_utc(row.received), left(abs(off), exact=True)
        text = senders.said("clocks", row.id, *told)
        alarms.tell(work, "clock", "the clocks differ", text)


def _groups(rows: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Yield ids to read together. One tried before is alone."""
    group: list[int] = []
    for letter_id, attempts in rows:
        if group and (attempts or len(group) == READ_AHEAD):
            yield group
            group = []
        group.append(letter_id)
        if attempts:
            yield group
            group = []
    if group:
        yield group


MOST = 2_000
_SENDER_WITHIN = 8192  # bytes searched for From
_FROM = re.compile(rb"(?im)^from:((?:[^\r\n]|\r?\n[ \t]){0,998})")
_ADDRESS = re.compile(rb"(?<![\w.+-])[\w.+-]++@[\w.-]++")


class Batch(NamedTuple):
    """Letter numbers and their games, which no other batch has: for several daemons."""

    games: tuple[str, ...]
    letters: tuple[int, ...]


def of_waiting(installation: Installation, now: datetime) -> list[Batch]:
    """Return batches of the longest waiting. A seat's letters share one. Games are guessed from
    From: wrong guesses are only slower. Letters of unknown senders are left out."""
    with installation.shared_work(now) as work:
        found = undecided.fresh(work.conn, MOST, _SENDER_WITHIN)
        known: dict[str, tuple[str, ...]] = {}
        games_of = {}
        for letter_id, head in found:
            games: set[str] = set()
            for sender in _senders(head):
                if sender not in known:
                    known[sender] = registry.games_of(work.conn, sender)
                games.update(known[sender])
            games_of[letter_id] = games
    return [Batch(games, tuple(letters)) for games, letters in _apart(games_of).items()]


def _senders(head: bytes) -> set[str]:
    found = _FROM.search(head.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0])
    named = _ADDRESS.findall(found[1]) if found else ()
    return {one.decode("ascii", "ignore").lower() for one in named}


def _apart(games_of: dict[int, set[str]]) -> dict[tuple[str, ...], list[int]]:
    group: dict[str, set[str]] = {}
    for games in games_of.values():
        whole = set(games).union(*(group.get(game, ()) for game in games))
        for game in whole:
            group[game] = whole
    named = ((letter_id, games) for letter_id, games in games_of.items() if games)
    return grouped((tuple(sorted(group[next(iter(games))])), one) for one, games in named)
