"""The steps of one letter: read, verdict, effect and receipt, all in one transaction.

Whatever a letter does (orders, press, commands), its outcome, the journal entry and the answer in
the outbox become true together. A letter that raises, or takes more than its processor time, is set
aside with its reason and the next one goes on. What ends the process itself is known by the
attempts, which are counted before a letter is read: such a letter is tried alone from then on, and
set aside in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, Row, bindparam, func, select, update

from pbem.errors import OutsideError, OverBudget, RefereeError
from pbem.games.frame.lateness import SKEW, skew
from pbem.letters import verdict
from pbem.letters.letter import Letter
from pbem.letters.limits import Limits
from pbem.letters.states import TO_DECIDE, LetterState
from pbem.letters.verdict import Decision
from pbem.post import alarms
from pbem.post.compose import Postmark
from pbem.post.crash_points import no_crash
from pbem.post.outbox import Sending
from pbem.referee import installation as registry
from pbem.referee import sandbox
from pbem.referee.copies import DOUBTED, KNOWN, copied
from pbem.referee.handling import Handling
from pbem.referee.player_words import ACCEPTED, CONFIRMED
from pbem.store import letters
from pbem.store.budget import Budget
from pbem.store.config import Config
from pbem.store.database import transaction
from pbem.store.records import Letter as LetterRow
from pbem.store.records import Outgoing

log = structlog.get_logger()
HOUR = timedelta(hours=1)
READ_AHEAD = 20  # letters read before the first of them is decided; each may have some megabytes
MOST_ATTEMPTS = 4
"""How often a letter may end the process before it is set aside: once among others, then alone."""
_TRIED, _ENDED = (
    update(LetterRow)
    .where(LetterRow.id.in_(bindparam("letters", expanding=True)), *where)
    .values(attempts=LetterRow.attempts + change)
    for change, where in ((1, ()), (-1, (LetterRow.outcome.in_(TO_DECIDE), LetterRow.attempts > 0)))
)
_SENDER = update(LetterRow).where(LetterRow.id == bindparam("letter"))
_RAW = (
    select(LetterRow.id, LetterRow.raw, LetterRow.attempts)
    .where(LetterRow.id.in_(bindparam("letters", expanding=True)), LetterRow.raw.is_not(None))
    .order_by(LetterRow.id)
)
_EARLIER = (
    select(LetterRow.id)
    .where(LetterRow.sender == bindparam("writer"), LetterRow.decided > bindparam("since"))
    .limit(bindparam("share"))
    .subquery()
)
_LETTER: Any = (
    select(
        LetterRow.id,
        LetterRow.folder,
        LetterRow.received,
        LetterRow.seen,
        LetterRow.outcome,
        LetterRow.authentication,
        LetterRow.period,
        LetterRow.game_id,
        LetterRow.seat,
        LetterRow.receipt,
        KNOWN,
        DOUBTED,
        select(func.count()).select_from(_EARLIER).scalar_subquery().label("had"),
    )
    .where(LetterRow.id == bindparam("letter"))
    .with_for_update(of=LetterRow)
)
"""A letter's row, with the number of letters ``had`` from its writer since then (counted up to his
share), and whether another that it copies is ``known``, or ``doubted``."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A stored letter that has been read: its number, its bytes, what they say, what is left of its
    processor time."""

    id: int
    raw: bytes
    letter: Letter
    budget: Budget


class Referee:
    """Decides letters. One for each process; all it remembers is in the database."""

    def __init__(
        self,
        engine: Engine,
        config: Config,
        mark: Postmark,
        crash: Callable[[str], None] = no_crash,
    ) -> None:
        self.engine, self.config, self.mark, self.crash = engine, config, mark, crash
        given = config.limits
        self.limits = Limits(
            size=given.letter_bytes,
            order_characters=given.order_characters,
            lines=given.order_lines,
        )
        self._open = set[int]()  # letters whose attempt is on file and has not ended

    def decide_all(
        self,
        now: datetime,
        stopping: Callable[[], bool] = lambda: False,
        *,
        everything: bool = False,
        sending: Sending | None = None,
    ) -> int:
        """Decide what is undecided, in the order of first sight, and then what a confirmation
        released; the number decided. The letters of a sender who had his share of this hour wait,
        unless ``everything`` is to be decided (before a deadline). Mails go out by ``sending``
        meanwhile (None: the outbox waits)."""
        total = 0
        self._attempts_end()  # of a pass that the database broke off
        try:
            while not stopping() and (
                decided := self._decide_each(now, stopping, everything, sending)
            ):
                total += decided
        # what went out is on file, as far as the database takes it, whatever ended the deciding
        finally:
            if sending:
                sending.settle(self.engine)
        return total

    def _decide_each(
        self, now: datetime, stopping: Callable[[], bool], everything: bool, sending: Sending | None
    ) -> int:
        decided, after = 0, 0
        while True:
            with transaction(self.engine) as conn:
                where = [LetterRow.outcome.in_(TO_DECIDE), LetterRow.id > after]
                if not everything:
                    where.append(LetterRow.sender.not_in(self._sated(conn, now)))
                rows = conn.execute(
                    select(LetterRow.id, LetterRow.attempts)
                    .where(*where)
                    .order_by(LetterRow.id)
                    .limit(200)
                ).all()
            if not rows:
                return decided
            for ids in _groups([(row.id, row.attempts) for row in rows]):
                try:
                    for opened in self._opened(ids, now, stopping):
                        if stopping():
                            break
                        decided += self._decide_one(opened, now, everything, sending)
                finally:
                    self._attempts_end()
                if stopping():
                    return decided
            after = rows[-1].id

    def _opened(
        self, ids: Sequence[int], now: datetime, stopping: Callable[[], bool]
    ) -> Iterator[Opened]:
        """Letters read some at a time, and before their transactions: the reader of a heavy one may
        take a second. That they are tried is on file before: a letter that ends the process is
        known by it."""
        with transaction(self.engine) as conn:
            conn.execute(_TRIED, {"letters": ids})
            rows = conn.execute(_RAW, {"letters": ids}).all()
        self._open.update(ids)
        self.crash("letter.tried")
        opened = []
        for row in rows:
            if stopping():
                return
            if row.attempts > MOST_ATTEMPTS:
                self._set_aside(
                    row.id,
                    RefereeError(f"the referee ended {row.attempts - 1} times at this letter"),
                    now,
                )
                continue
            budget = Budget(self.config.limits.letter_seconds, "the work on this letter")
            try:
                with budget:
                    letter = sandbox.read_guarded(row.raw, self.limits)
                opened.append(Opened(row.id, row.raw, letter, budget))
            except (Exception, OverBudget) as error:
                self._set_aside(row.id, error, now)
        yield from opened

    def _attempts_end(self) -> None:
        """The attempts at letters that are left undecided have ended well; where the database does
        not take that now, it will."""
        if self._open:
            with suppress(OutsideError):
                with transaction(self.engine) as conn:
                    conn.execute(_ENDED, {"letters": sorted(self._open)})
                self._open.clear()

    def _sated(self, conn: Connection, now: datetime) -> Sequence[str]:
        """Senders of waiting letters who had their share of this hour."""
        waiting = select(LetterRow.sender).where(
            LetterRow.outcome.in_(TO_DECIDE), LetterRow.sender != ""
        )
        return (
            conn.execute(
                select(LetterRow.sender)
                .where(LetterRow.sender.in_(waiting), LetterRow.decided > now - HOUR)
                .group_by(LetterRow.sender)
                .having(func.count() >= self.config.limits.letters_an_hour)
            )
            .scalars()
            .all()
        )

    def _decide_one(
        self, opened: Opened, now: datetime, everything: bool, sending: Sending | None
    ) -> bool:
        """Decide one letter; False where it has to wait: its game is between two periods, or its
        sender had his share."""
        try:
            with transaction(self.engine) as conn:
                with opened.budget:
                    done = self._decide(conn, opened, now, everything)
                self.crash("letter.decided")
                if sending:
                    sending.turn(conn)
            self.crash("letter.committed")
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            self._set_aside(opened.id, error, now, opened.letter.sender or "")
            return True
        if done:
            self._open.discard(opened.id)
        if sending:
            sending.carry()
        return done

    def _set_aside(
        self, letter_id: int, error: BaseException, now: datetime, sender: str = ""
    ) -> None:
        """A letter that raised waits for the gamesmaster, unless another daemon has decided it
        meanwhile."""
        told = isinstance(error, (OverBudget, RefereeError))
        reason = str(error) if told else f"{type(error).__name__}: {error}"
        log.error("letter failed", letter=letter_id, exc_info=error)
        self._open.discard(letter_id)
        with transaction(self.engine) as conn:
            values = {"reason": reason[:1000], "decided": now, "sender": sender[:254]}
            if not letters.try_state(conn, letter_id, LetterState.FAILED, **values):
                return
            text = (
                f"Letter {letter_id}: {reason}\n\nSee `pbem letter --id {letter_id}`, then `pbem"
                f" retry {letter_id}`."
            )
            gamesmaster = self.config.referee.gamesmaster
            alarms.tell(
                conn,
                self.mark,
                gamesmaster,
                f"letter:{letter_id}",
                f"letter {letter_id} failed",
                text,
                now,
            )
        self.crash("letter.set_aside")

    def _decide(self, conn: Connection, opened: Opened, now: datetime, everything: bool) -> bool:
        letter = opened.letter
        share, sender = self.config.limits.letters_an_hour, (letter.sender or "")[:254]
        row = conn.execute(
            _LETTER,
            {
                "letter": opened.id,
                "since": now - HOUR,
                "share": share,
                **copied(letter),
            },
        ).one()
        if row.outcome not in TO_DECIDE:
            return False
        if sender and not everything and row.had >= share:
            conn.execute(_SENDER, {"letter": opened.id, "sender": sender})
            return False
        self._watch_clock(conn, row, letter, now)
        handling = Handling(self, conn, row, letter, now)
        if row.outcome == LetterState.OVERSIZE:
            return handling.oversize()
        return handling.carry_out(self.judge(conn, row, opened))

    def _watch_clock(self, conn: Connection, row: Row[Any], letter: Letter, now: datetime) -> None:
        """The mail server's clock decides lateness: an alarm where it is surely not ours."""
        ours = [
            one
            for one in (letter.message_id, *letter.in_reply_to)
            if one.endswith(f"@{self.mark.domain}>")
        ]
        sent = None
        if ours:
            sent = conn.execute(
                select(func.max(Outgoing.sent)).where(Outgoing.message_id.in_(ours))
            ).scalar()
        if abs(off := skew(row.received, row.seen, sent)) > SKEW:
            text = (
                f"Letter {row.id} was received {row.received} by the mail server's clock, which"
                " differs from ours by "
            )
            text += (
                f"{abs(off)}.\nDeadlines are kept by both: mend one of them (NTP), then run `pbem"
                " doctor`."
            )
            alarms.tell(
                conn,
                self.mark,
                self.config.referee.gamesmaster,
                "clock",
                "the clocks differ",
                text,
                now,
            )

    def judge(self, conn: Connection, row: Row[Any], opened: Opened) -> Decision:
        """The verdict on a stored letter."""
        installation = registry.installation(conn, opened.letter, self.config, self.mark)
        confirmed = row.authentication in (CONFIRMED, ACCEPTED)
        return verdict.decide(
            opened.letter,
            opened.raw,
            installation,
            known=row.known and not confirmed,
            doubted=row.doubted is not None,
            verify=verdict_verify(),
            believed=confirmed,
            received=row.received,
            understands=registry.understands(conn),
        )


def _groups(letters: Sequence[tuple[int, int]]) -> Iterator[list[int]]:
    """Letters (number and earlier attempts) in the groups in which they are read: one that was
    tried before is alone."""
    group: list[int] = []
    for letter_id, attempts in letters:
        if group and (attempts or len(group) == READ_AHEAD):
            yield group
            group = []
        group.append(letter_id)
        if attempts:
            yield group
            group = []
    if group:
        yield group


def verdict_verify() -> Any:
    """The OpenPGP check, None where the extra is not installed."""
    from pbem.letters import openpgp  # noqa: PLC0415

    return openpgp.verify if openpgp.available() else None
