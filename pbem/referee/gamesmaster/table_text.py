"""An open table for its gamesmaster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from pbem.periods import open_tables as tables
from pbem.periods import persons, table_opening
from pbem.post.work import Work
from pbem.referee.gamesmaster.queue import Face
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.store.schema.states import ApplicantState
from pbem.store.schema.tables import OpenTable
from pbem.text import listed

ALIKE = timedelta(hours=1)
"""Two from one mail domain within this time may be one person."""
_STANDS = {
    ApplicantState.ASKED: "has not answered the code that he was mailed",
    ApplicantState.SIGNED: "has signed on",
    ApplicantState.CALLED: "is asked whether he is there",
    ApplicantState.SURE: "is sure that he plays",
}


def text(work: Work, game_id: str, face: Face) -> str:
    """Return the table. Raise OperatorError if there is none."""
    table = table_opening.table(work, game_id)
    there = open_tables.applicants(work.conn, table.id)
    head = [
        f"The table {table.id}: {table.ruleset}, {table.places} players,"
        f" {_open(table)}; {'you approve of each' if table.approve else 'anybody can sign on'}.",
        *_lines(table, there),
    ]
    if not there:
        head.append("  nobody has come yet")
    waiting = [one for one in there if tables.waits_for_word(table, one)]
    head += [_release(table, one, face) for one in waiting]
    head += alike(there)
    return "\n".join(head)


def _open(table: OpenTable) -> str:
    until = f"until {tables.moment(table, table.closes)}" if table.closes else "without a last day"
    starts = f", to begin on {tables.moment(table, table.starts)}" if table.starts else ""
    return f"open {until}{starts}"


def _lines(table: OpenTable, there: Sequence[ApplicantRow]) -> Iterator[str]:
    seated, queue = tables.seats_of(table, there)
    for one in there:
        place = (
            f"seat {seated.index(one) + 1}"
            if one in seated
            else f"waits {queue.index(one) + 1}"
            if one in queue
            else "-"
        )
        stands = "waits for your word" if tables.waits_for_word(table, one) else _STANDS[one.state]
        through = f", through {one.through}" if one.through else ""
        yield (
            f"  [{one.id}] {place:<8} {one.name} <{one.mail}> {stands}"
            f"\n      came {tables.moment(table, one.came)}{through}"
        )


def _release(table: OpenTable, one: ApplicantRow, face: Face) -> str:
    if face is Face.MAIL:
        said = f"ADMIT {table.id} {one.id}   or   REFUSE {table.id} {one.id} why"
    else:
        said = f"pbem approve {table.id} {one.id}   or   pbem refuse {table.id} {one.id} --why ..."
    return f"  {one.name} waits: {said}"


def alike(there: Sequence[ApplicantRow]) -> list[str]:
    found = persons.of_one_mailbox([one.mail for one in there])
    groups: dict[str, list[ApplicantRow]] = {}
    for one in sorted(there, key=lambda one: one.came):
        groups.setdefault(one.mail.rpartition("@")[2], []).append(one)
    for domain, those in groups.items():
        close = [
            one
            for one in those
            if any(other is not one and abs(one.came - other.came) <= ALIKE for other in those)
        ]
        if close:
            found.append(
                f"Note: {listed(one.name for one in close)} came from {domain} within an hour."
            )
    return found
