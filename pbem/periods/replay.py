"""Replay: adjudicate a game again from its stored orders, and compare every state, event, draw and
bulletin.

Snapshots are the truth; the replay is the test. Bulletins must come out byte for byte where the
templates are still those of the recorded version.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from pbem.games.frame import codec
from pbem.games.frame.adjudication import adjudicate
from pbem.periods import formation, publishing
from pbem.store import games, journal, order_sets, periods
from pbem.store.games import Table
from pbem.store.journal import JournalEntry
from pbem.store.records import Bulletin, Game, Journal, Period


@dataclass(slots=True)
class Report:
    """What a replay compared, and what did not come out the same."""

    periods: int = 0
    bulletins: int = 0
    other_templates: int = 0
    journal: int = 0
    faults: list[str] = field(default_factory=list)


def replay(conn: Connection, game_id: str) -> Report:
    """Play the game again, from setup to its newest period."""
    report = Report()
    last = games.game(conn, game_id).period
    if not last:
        return report
    _opening(conn, games.table(conn, game_id, 0), report)
    for number in range(1, last):
        _period(
            conn, games.table(conn, game_id, number), games.table(conn, game_id, number + 1), report
        )
    for number in range(last):
        _bulletins(
            conn, games.table(conn, game_id, number), games.table(conn, game_id, number + 1), report
        )
    _journal(conn, game_id, report)
    return report


def _opening(conn: Connection, at: Table, report: Report) -> None:
    row = conn.execute(select(Game.scenario, Game.options).where(Game.id == at.id)).one()
    outcome = at.ruleset.setup(at.seats, row.options, row.scenario, at.dice())
    if games.dumped(at.ruleset, outcome.state)["state_hash"] != at.period.state_hash:
        report.faults.append("the setup gives another position")
    _compare(report, 0, [e.json() for e in outcome.events], at.period.events, "events")


def _period(conn: Connection, at: Table, after: Table, report: Report) -> None:
    dice = at.dice()
    position = formation.position(conn, at, at.period.closed or at.period.opened)
    outcome = adjudicate(at.ruleset, position, order_sets.all_standing(conn, at), dice)
    number = at.period.number
    if games.dumped(at.ruleset, outcome.state)["state_hash"] != after.period.state_hash:
        report.faults.append(f"period {number}: another position comes out")
    if at.ruleset.view(outcome.state, None) != at.ruleset.view(after.state, None):
        report.faults.append(f"period {number}: another public view comes out")
    _compare(report, number, [e.json() for e in outcome.events], at.period.events, "events")
    _compare(
        report, number, [[d.stream, d.n, d.value] for d in dice.draws], at.period.draws, "draws"
    )
    report.periods += 1


def _compare(report: Report, number: int, now: object, then: object, what: str) -> None:
    if codec.text(now) != codec.text(then):
        report.faults.append(f"period {number}: other {what} come out")


def _bulletins(conn: Connection, at: Table, after: Table, report: Report) -> None:
    number = at.period.number
    rows = conn.execute(
        select(Bulletin.seat, Bulletin.text, Bulletin.frame, Bulletin.edition, Period.template)
        .join(Period, (Period.game_id == Bulletin.game_id) & (Period.number == Bulletin.number))
        .where(Bulletin.game_id == at.id, Bulletin.number == number)
        .order_by(Bulletin.edition)
    ).all()
    newest = {row.seat: row for row in rows}
    if not newest:
        return
    if newest[""].template != publishing.template_version(at.ruleset.about.key):
        report.other_templates += len(newest)
        return
    made = publishing.texts(
        after, number, at.period.phase, periods.events(at.period.events), newest[""].frame
    )
    for seat, row in newest.items():
        report.bulletins += 1
        if made.get(seat, "") != row.text:
            report.faults.append(
                f"bulletin {number}{' for ' + seat if seat else ''}: another text comes out"
            )


def _journal(conn: Connection, game_id: str, report: Report) -> None:
    rows = conn.execute(
        select(Journal.__table__).where(Journal.game_id == game_id).order_by(Journal.n)
    ).all()
    entries = [JournalEntry(r.n, r.at.isoformat(), r.kind, r.data, r.nonce, r.hash) for r in rows]
    report.journal = len(entries)
    if (broken := journal.broken_at(entries)) is not None:
        report.faults.append(f"the journal's entry {broken} does not follow from the one before")
