"""The steps of one letter: read, verdict, effect and receipt, all in one transaction.

Whatever a letter does (orders, press, commands), its outcome, the journal entry and the answer in the outbox become true
together. A letter that raises is set aside with its reason and the next one goes on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import Connection, Engine, Row, bindparam, func, select, update

from pbem import alarms, registry, sandbox, verdict
from pbem.commands_by_mail import ACCEPTED, CONFIRMED
from pbem.config import Config
from pbem.crash_points import no_crash
from pbem.database import transaction
from pbem.errors import OutsideError
from pbem.handling import Handling, effect
from pbem.lateness import SKEW, skew
from pbem.letter import Letter
from pbem.limits import Limits
from pbem.mailing import Postmark
from pbem.records import Letter as LetterRow
from pbem.records import Outgoing
from pbem.verdict import Decision

log = structlog.get_logger()
TO_DECIDE = ("stored", "oversize")
HOUR = timedelta(hours=1)
_SENDER = update(LetterRow).where(LetterRow.id == bindparam("letter"))
_LETTER = select(LetterRow.__table__).where(LetterRow.id == bindparam("letter")).with_for_update()
_SAME = select(LetterRow.id).where(LetterRow.effect == bindparam("effect"), LetterRow.id != bindparam("letter"))
_DECIDED = select(func.count()).where(LetterRow.sender == bindparam("writer"), LetterRow.decided > bindparam("since"))


class Referee:
    """Decides letters. One for each process; all it remembers is in the database."""

    def __init__(self, engine: Engine, config: Config, mark: Postmark, crash: Callable[[str], None] = no_crash) -> None:
        self.engine, self.config, self.mark, self.crash = engine, config, mark, crash
        given = config.limits
        self.limits = Limits(size=given.letter_bytes, order_characters=given.order_characters, lines=given.order_lines)

    def decide_all(
        self, now: datetime, stopping: Callable[[], bool] = lambda: False, *, everything: bool = False
    ) -> int:
        """Decide what is undecided, in the order of first sight, and then what a confirmation released; the number
        decided. The letters of a sender who had his share of this hour wait, unless ``everything`` is to be decided
        (before a deadline)."""
        total = 0
        while decided := self._decide_each(now, stopping, everything):
            total += decided
        return total

    def _decide_each(self, now: datetime, stopping: Callable[[], bool], everything: bool) -> int:
        decided, after = 0, 0
        while True:
            with transaction(self.engine) as conn:
                where = [LetterRow.outcome.in_(TO_DECIDE), LetterRow.id > after]
                if not everything:
                    where.append(LetterRow.sender.not_in(self._sated(conn, now)))
                ids = conn.execute(select(LetterRow.id).where(*where).order_by(LetterRow.id).limit(200)).scalars().all()
            if not ids:
                return decided
            for letter_id in ids:
                if stopping():
                    return decided
                decided += self.decide(letter_id, now, everything=everything)
            after = ids[-1]

    def _sated(self, conn: Connection, now: datetime) -> Sequence[str]:
        """Senders of waiting letters who had their share of this hour."""
        waiting = select(LetterRow.sender).where(LetterRow.outcome.in_(TO_DECIDE), LetterRow.sender != "")
        return conn.execute(
            select(LetterRow.sender).where(LetterRow.sender.in_(waiting), LetterRow.decided > now - HOUR)
            .group_by(LetterRow.sender).having(func.count() >= self.config.limits.letters_an_hour)
        ).scalars().all()  # fmt: skip

    def decide(self, letter_id: int, now: datetime, *, everything: bool = True) -> bool:
        """Decide one letter; False where it has to wait: its game is between two periods, or its sender had his share."""
        try:
            with transaction(self.engine) as conn:
                done = self._decide(conn, letter_id, now, everything)
                self.crash("letter.decided")
            self.crash("letter.committed")
            return done
        except OutsideError:
            raise
        except Exception as error:
            self._set_aside(letter_id, error, now)
            self.crash("letter.set_aside")
            return True

    def _set_aside(self, letter_id: int, error: Exception, now: datetime) -> None:
        reason = f"{type(error).__name__}: {error}"
        log.error("letter failed", letter=letter_id, error=reason, trace=traceback.format_exc())
        with transaction(self.engine) as conn:
            conn.execute(update(LetterRow).where(LetterRow.id == letter_id).values(
                outcome="failed", reason=reason[:1000], decided=now, attempts=LetterRow.attempts + 1))  # fmt: skip
            text = f"Letter {letter_id}: {reason}\n\nSee `pbem letter --id {letter_id}`, then `pbem retry {letter_id}`."
            gamesmaster = self.config.referee.gamesmaster
            alarms.tell(conn, self.mark, gamesmaster, f"letter:{letter_id}", f"letter {letter_id} failed", text, now)

    def _decide(self, conn: Connection, letter_id: int, now: datetime, everything: bool) -> bool:
        row = conn.execute(_LETTER, {"letter": letter_id}).one()
        if row.outcome not in TO_DECIDE or row.raw is None:
            return False
        letter = sandbox.read_guarded(row.raw, self.limits)
        if letter.sender and not everything:
            sender = letter.sender[:254]
            had = conn.execute(_DECIDED, {"writer": sender, "since": now - HOUR}).scalar_one()
            if had >= self.config.limits.letters_an_hour:
                conn.execute(_SENDER, {"letter": letter_id, "sender": sender})
                return False
        self._watch_clock(conn, row, letter, now)
        known = conn.execute(_SAME, {"effect": effect(letter), "letter": letter_id}).first() is not None
        handling = Handling(self, conn, row, letter, now, known)
        if row.outcome == "oversize":
            return handling.oversize()
        return handling.carry_out(self.judge(conn, row, letter, known))

    def _watch_clock(self, conn: Connection, row: Row[Any], letter: Letter, now: datetime) -> None:
        """The mail server's clock decides lateness: an alarm where it is surely not ours."""
        ours = [one for one in (letter.message_id, *letter.in_reply_to) if one.endswith(f"@{self.mark.domain}>")]
        sent = None
        if ours:
            sent = conn.execute(select(func.max(Outgoing.sent)).where(Outgoing.message_id.in_(ours))).scalar()
        if abs(off := skew(row.received, row.seen, sent)) > SKEW:
            text = (
                f"Letter {row.id} was received {row.received} by the mail server's clock, which differs from ours by "
            )
            text += f"{abs(off)}.\nDeadlines are kept by both: mend one of them (NTP), then run `pbem doctor`."
            alarms.tell(conn, self.mark, self.config.referee.gamesmaster, "clock", "the clocks differ", text, now)

    def judge(self, conn: Connection, row: Row[Any], letter: Letter, known: bool) -> Decision:
        """The verdict on a stored letter; ``known``: another one has the same effect."""
        installation = registry.installation(conn, letter, self.config, self.mark)
        confirmed = row.authentication in (CONFIRMED, ACCEPTED)
        return verdict.decide(letter, row.raw, installation, known=known and not confirmed, verify=verdict_verify(),
                              believed=confirmed)  # fmt: skip


def verdict_verify() -> Any:
    """The OpenPGP check, None where the extra is not installed."""
    from pbem import openpgp  # noqa: PLC0415

    return openpgp.verify if openpgp.available() else None
