"""When a letter came, and what its writer had read: the facts that ``lateness`` judges by, out of
the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, select

from pbem.games.frame.lateness import SOON, UNAWARE, Arrival, crossing, missed, too_late
from pbem.letters.letter import Letter
from pbem.letters.verdict import Decision
from pbem.referee.player_words import ACCEPTED, CONFIRMED
from pbem.store import games
from pbem.store.games import Table
from pbem.store.records import Outgoing
from pbem.store.states import GameState


class Arrived:
    """One letter's arrival; its facts are gathered once."""

    def __init__(self, conn: Connection, row: Row[Any], letter: Letter) -> None:
        self.conn, self.row, self.letter = conn, row, letter
        self._facts: Arrival | None = None

    def too_late(self, at: Table, decision: Decision) -> str:
        """Why the letter does not count for the open period; "" where it does."""
        if at.game.status == GameState.OVER:
            return "The game is over."
        if self.row.authentication == ACCEPTED:
            return ""
        return too_late(self._arrival(at, decision))

    def missed(self, at: Table, decision: Decision) -> bool:
        """Whether it missed a deadline after which nothing counts."""
        return missed(self._arrival(at, decision))

    def crossed(self, at: Table, decision: Decision) -> list[str]:
        """What is said to the writer of orders or press whom a deadline overtook; the deadline of a
        held game overtakes nobody."""
        meant = not decision.peeled.empty or decision.peeled.press
        if at.game.status != GameState.RUNNING or self.row.authentication == ACCEPTED or not meant:
            return []
        said = crossing(self._arrival(at, decision))
        told = said and games.count(
            self.conn,
            Outgoing.id,
            Outgoing.game_id == at.id,
            Outgoing.seat == decision.seat,
            Outgoing.kind == "receipt",
            Outgoing.created > (at.period.due if self._overdue(at) else at.period.opened),
        )
        return [said] if said and not told else []

    def _arrival(self, at: Table, decision: Decision) -> Arrival:
        if self._facts:
            return self._facts
        strict = (
            at.game.late == "deadline" and at.game.status != GameState.HELD
        )  # the deadline of a held game is to be moved
        answered = self._answered(at)
        self._facts = Arrival(
            at.period.number,
            self.row.received,
            at.period.due,
            decision.period,
            strict,
            at.period.due_before,
            at.period.closed_before,
            next((made for kind, made in answered if kind in ("receipt", "reminder")), None),
            self.row.period if self.row.authentication == CONFIRMED else 0,
            at.period.opened,
            next((made for _, made in answered), None),
            at.house.share(SOON, timedelta(minutes=5)),
            at.house.share(UNAWARE, timedelta(minutes=2)),
        )
        return self._facts

    def _answered(self, at: Table) -> Sequence[tuple[str, datetime]]:
        """What kinds of mails of the game this letter answers, and when each was made, newest
        first."""
        answered = [*self.letter.in_reply_to, *self.letter.references[-1:]]
        if not answered:
            return ()
        where = (Outgoing.message_id.in_(answered), Outgoing.game_id == at.id)
        rows = self.conn.execute(
            select(Outgoing.kind, Outgoing.created).where(*where).order_by(Outgoing.created.desc())
        )
        return [(row.kind, row.created) for row in rows]

    def _overdue(self, at: Table) -> bool:
        return at.period.due is not None and bool(self.row.received > at.period.due)
