"""Facts for ``lateness``: when a letter came, what its writer had read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import Connection

from pbem.games.frame.house_rules import (
    SOON,
    UNAWARE,
    Arrival,
    crossing,
    missed_deadline,
    other_period,
    too_late,
)
from pbem.letters.letter import Letter
from pbem.letters.verdict import Decision
from pbem.periods import grace
from pbem.referee.deciding.trust import CONFIRMED, ON_HIS_WORD
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.store.letters.letter_rows import LetterRow, MadeRow
from pbem.store.mails import mails
from pbem.store.schema.states import GameState

_NAMED = re.compile(r"\b(?:period|bulletin) [0-9]{1,4}\b", re.IGNORECASE)


class Arrived:
    """One letter's arrival."""

    def __init__(self, conn: Connection, row: LetterRow, letter: Letter) -> None:
        self.conn, self.row, self.letter = conn, row, letter
        self._facts: Arrival | None = None

    def too_late(self, at: GameAt, decision: Decision) -> str:
        """Return why it does not count for the open period, or ""."""
        if at.game.status == GameState.OVER:
            return "The game is over."
        if self.row.authentication in ON_HIS_WORD:
            said = decision.directed
            return other_period(said.period, at.period.number) if said else ""
        return too_late(self._arrival(at, decision))

    def missed(self, at: GameAt, decision: Decision) -> bool:
        """Return whether it missed a deadline after which nothing counts."""
        return missed_deadline(self._arrival(at, decision))

    def crossed(self, at: GameAt, decision: Decision) -> list[str]:
        """Return what a writer is told whom a deadline overtook, unless the game is held."""
        if at.game.status != GameState.RUNNING or self.row.authentication in ON_HIS_WORD:
            return []
        if decision.peeled.empty and not decision.peeled.press:
            return []
        said = crossing(self._arrival(at, decision))
        if not said or self._has_receipt(at, decision):
            return []
        return [said]

    def _has_receipt(self, at: GameAt, decision: Decision) -> bool:
        due, since = self._arrival(at, decision).due, at.period.opened
        if due is not None and self.row.received > due:
            since = due
        return mails.made_for(self.conn, at.id, decision.seat, "receipt", since) > 0

    def _arrival(self, at: GameAt, decision: Decision) -> Arrival:
        if self._facts:
            return self._facts
        # a held game's deadline will move
        strict = at.game.late == "deadline" and at.game.status != GameState.HELD
        answers = (*self.letter.in_reply_to, *self.letter.references[-1:])
        answered = [one for one in self._mails(at, answers) if one.kind in ("receipt", "reminder")]
        read = self._mails(at, (*answers, *self.letter.references))
        self._facts = Arrival(
            number=at.period.number,
            received=self.row.received,
            due=(
                grace.deadline_for(self.conn, at, decision.seat, self.row.received)
                if strict
                else at.period.due
            ),
            named=decision.period,
            strict=strict,
            last_due=at.period.due_before,
            last_closed=at.period.closed_before,
            answered=answered[0].created if answered else None,
            confirmed_for=self.row.period if self.row.authentication == CONFIRMED else 0,
            opened=at.period.opened,
            read=read[0].created if read else None,
            names_new=self._names(at.period.number),
            of_before=decision.link is not None and decision.link.edition != at.game.edition,
            went_back=bulletins.last_voided(self.conn, at.id) if at.game.edition > 1 else None,
            soon=at.house.share(SOON, timedelta(minutes=5)),
            unaware=at.house.share(UNAWARE, timedelta(minutes=2)),
        )
        return self._facts

    def _names(self, number: int) -> bool:
        """Return whether it names a period or the bulletin before."""
        said = (self.letter.subject, self.letter.body, *(cut.text for cut in self.letter.cut))
        words = {f"period {number}", f"bulletin {number - 1}"}
        return any(found.lower() in words for text in said for found in _NAMED.findall(text))

    def _mails(self, at: GameAt, answered: Sequence[str]) -> Sequence[MadeRow]:
        return mails.of_game(self.conn, at.id, answered) if answered else ()
