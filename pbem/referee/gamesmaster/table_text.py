"""An open table for its gamesmaster."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from pbem.house import templates
from pbem.periods import open_tables as tables
from pbem.periods import persons, table_opening
from pbem.post.work import Work
from pbem.referee.gamesmaster.queue import Face
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.text import listed

ALIKE = timedelta(hours=1)
"""Two from one mail domain within this time may be one person."""


def text(work: Work, game_id: str, face: Face) -> str:
    """Return the table. Raise OperatorError if there is none."""
    table = table_opening.table(work, game_id)
    there = open_tables.applicants(work.conn, table.id)
    seated, queue = tables.seats_of(table, there)
    facts = {
        "table": table,
        "there": there,
        "seated": seated,
        "queue": queue,
        "waiting": [one for one in there if tables.waits_for_word(table, one)],
        "alike": alike(there),
        "moment": partial(tables.moment, table),
        "shell": face is Face.SHELL,
    }
    page = templates.environment().get_template("_shared/table.txt.j2")
    return page.render(facts).rstrip("\n")


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
