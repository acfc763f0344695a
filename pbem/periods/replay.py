"""Play a stored game again and compare states, events, draws, views, bulletins and SVG.

With equal templates, bulletins are equal by bytes. PNGs are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from pbem.games.frame import codec
from pbem.games.frame.adjudication import play_period
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Event
from pbem.pages.plain import plain
from pbem.periods import drawing, formation, publishing
from pbem.store.games import bulletins, games, order_sets, positions
from pbem.store.games.game_rows import GameRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import Journal


@dataclass(slots=True)
class ReplayReport:
    """What was compared and differed."""

    periods: int = 0
    events: int = 0
    views: int = 0
    bulletins: int = 0
    other_templates: int = 0
    journal: int = 0
    faults: list[str] = field(default_factory=list)


def replay(conn: Connection, game_id: str) -> ReplayReport:
    report = ReplayReport()
    game = games.game(conn, game_id)
    if not game.period:
        return report
    _opening(conn, game, games.game_at(conn, game_id, 0), report)
    for number in range(1, game.period):
        at, after = (games.game_at(conn, game_id, n) for n in (number, number + 1))
        _period(conn, at, games.as_adjudicated(conn, after), report)
    for number in range(game.period):
        at, after = (games.game_at(conn, game_id, n) for n in (number, number + 1))
        _bulletins(conn, at, games.as_adjudicated(conn, after), report)
    if game.agreed:  # its last period was not adjudicated
        at = games.game_at(conn, game_id)
        _bulletins(conn, at, at, report)
    entries = Journal.many(conn, game_id=game_id)
    report.journal = len(entries)
    if (broken := notes.broken_at(entries)) is not None:
        report.faults.append(f"the journal's entry {broken} does not follow from the one before")
    return report


def _opening(conn: Connection, game: GameRow, at: GameAt, report: ReplayReport) -> None:
    outcome = at.ruleset.setup(at.seats, game.options, game.scenario, at.dice())
    same = positions.dumped(at.ruleset, outcome.state)["state_hash"] == at.period.state_hash
    made, found = (codec.plain(at.ruleset.dump(one)) for one in (outcome.state, at.state))
    fields = positions.fields_on_file(conn, at.id, 0)
    if not same and any(made.get(name) != found.get(name) for name in fields):
        report.faults.append("the setup gives another position")
    _events(report, at, outcome.events)


def _period(conn: Connection, game: GameAt, after: GameAt, report: ReplayReport) -> None:
    dice = game.dice()
    position = formation.position(conn, game, game.period.closed or game.period.opened)
    outcome = play_period(game.ruleset, position, order_sets.all_standing(conn, game), dice)
    number = game.period.number
    if positions.dumped(game.ruleset, outcome.state)["state_hash"] != after.period.state_hash:
        report.faults.append(f"period {number}: another position comes out")
    for seat in (None, *game.seats):
        report.views += 1
        if game.ruleset.view(outcome.state, seat) != game.ruleset.view(after.state, seat):
            whose = f"view of {seat}" if seat else "public view"
            report.faults.append(f"period {number}: another {whose} comes out")
    _events(report, game, outcome.events)
    _compare(
        report, number, [[d.stream, d.n, d.value] for d in dice.draws], game.period.draws, "draws"
    )
    report.periods += 1


def _events(report: ReplayReport, game: GameAt, made: Sequence[Event]) -> None:
    then = list(game.period.events)
    report.events += len(then)
    kinds, since = {event["kind"] for event in then}, game.ruleset.about.told_since
    now = [event.json() for event in made if event.kind in kinds or event.kind not in since]
    # later versions may better the paragraphs cited
    known, told = (
        [{name: one[name] for name in one if name != "rule"} for one in events]
        for events in (_as_known(now, then), then)
    )
    _compare(report, game.period.number, known, told, "events")


def _as_known(now: Json, then: Json) -> Json:
    if isinstance(now, dict) and isinstance(then, dict):
        return {key: _as_known(value, then[key]) for key, value in now.items() if key in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [_as_known(one, other) for one, other in zip(now, then, strict=True)]
    return now


def _compare(report: ReplayReport, number: int, now: object, then: object, what: str) -> None:
    if codec.text(now) != codec.text(then):
        report.faults.append(f"period {number}: other {what} come out")


def _bulletins(conn: Connection, game: GameAt, after: GameAt, report: ReplayReport) -> None:
    number = game.period.number
    newest = bulletins.of_period(conn, game.id, number)
    if not newest:
        return
    if game.period.template != publishing.template_version(game.ruleset.about.key):
        report.other_templates += len(newest)
        return
    house_frame = newest[""].frame
    made = publishing.texts(conn, after, number, house_frame)
    names = house_frame.get("names", {})
    drawn = drawing.digests(drawing.svgs(conn, after, number, names))
    for name, digest in house_frame.get("pictures", {}).items():
        if drawn.get(name) != digest:
            report.faults.append(f"bulletin {number}: another {name} is drawn")
    for seat, row in newest.items():
        report.bulletins += 1
        if plain(made.get(seat, "")) != plain(row.text):
            which = f"bulletin {number} for {seat}" if seat else f"bulletin {number}"
            report.faults.append(f"{which}: another text comes out")
