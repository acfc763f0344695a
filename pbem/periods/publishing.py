"""Put bulletins and notices into their cause's transaction.

So is what rules tell before a period closes, and what is revealed at the end.
"""

import difflib
import hashlib
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from typing import Any

import structlog
from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OverBudget, RefereeError
from pbem.games.frame import agreement, calendar, house_rules, press_rules
from pbem.games.frame.adjudication import canonical
from pbem.games.frame.calendar import Deadline
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.house import ALL, NEVER
from pbem.house import resources, templates
from pbem.orders.order import Standing
from pbem.pages import bulletin
from pbem.pages.plain import plain
from pbem.periods import drawing, guards, inquiries, issue_mails, own_page
from pbem.periods.drawing import Scores
from pbem.post import alarms, seats
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, put_to_seats, to_observers
from pbem.post.work import Work
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.game_rows import ClosedRow
from pbem.store.games.games import GameAt
from pbem.store.joining import practices
from pbem.store.journal import notes
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Press, Ruling
from pbem.text import WIDTH, safe


def opening(conn: Connection, game: GameAt) -> dict[str, Any]:
    then = games.at_period(conn, game, 1)
    return {seat: game.ruleset.view(then.state, seat) for seat in game.seats}


def orders(conn: Connection, game: GameAt, last: int) -> list[dict[str, Any]]:
    """Return periods' names and orders to ``last``; [] if the rules reveal none."""
    ruleset = game.ruleset
    sections = []
    for number in range(1, last + 1):
        then = games.at_period(conn, game, number)
        stood = {
            seat: canonical(ruleset.laid_open(then.state, seat, standing))
            for seat, standing in order_sets.all_standing(conn, then).items()
        }
        told = {seat: orders for seat, orders in stood.items() if orders}
        if told:
            sections.append({"name": own_page.name(then), "orders": told})
    return sections


log = structlog.get_logger()
Taught = Callable[[Work, GameAt], Mapping[Seat, str]]
STATEMENTS = timedelta(days=7)
_PICTURED = 3
"""Bulletins of a practice game with pictures in an hour."""


def deadline_text(game: GameAt) -> str:
    """Return the deadline in the game's zone and UTC, or ""."""
    return own_page.moment_text(game, game.period.due) if game.period.due else ""


def local_deadline(game: GameAt) -> str:
    """Return the deadline in the game's zone, or ""."""
    return deadline_text(game).partition(" = ")[0]


def early_when(game: GameAt) -> str:
    """Return in words when an early end is considered."""
    return house_rules.early_when(game.house, game.period.opened, game.period.due, game.zone)


def early_text(game: GameAt) -> str:
    """Return when the period ends if all are READY, or ""."""
    asked = game.ruleset.asked(game.state)
    if game.house.early != ALL or not game.period.due or game.result is not None:
        return ""
    if house_rules.closes_early(game.house, asked, game.period.number) == NEVER:
        return ""
    return f"if all are READY: {early_when(game)}"


def statements_asked(game: GameAt) -> str:
    if game.row.statements_until is None:
        return ""
    return (
        "Each of you is asked for a statement of up to 400 words on the game: how it looked from"
        " your side, and what the others could not know. Answer this mail with the one"
        " word\u00a0STATEMENT on a line of its own and your words below it, by"
        f" {game.minute(game.row.statements_until)}."
        " Then all statements go out to all players in one mail; until then nobody sees yours, and"
        " a new one replaces it."
    )


def before_closing(game: GameAt) -> str:
    """Return until when something counts."""
    if game.row.statements_until:
        return f"before {game.minute(game.row.statements_until)}"
    deadline, early = (
        deadline_text(game),
        house_rules.may_close_early(game.house, game.period.number),
    )
    if not deadline:
        return "before the period closes"
    return (
        f"before the period closes, at its deadline ({deadline}) or early"
        if early
        else f"before the deadline ({deadline})"
    )


def deadline_of(game: GameAt) -> Deadline | None:
    row = game.period
    if row.due is None or row.base is None:
        return None
    return Deadline(row.base, calendar.moves(row.moves), row.due)


@lru_cache
def template_version(key: str) -> str:
    """Return a hash of templates: equal ones replay to equal bytes."""
    digest = hashlib.sha256()
    for folder in ("_shared", key):
        for file in sorted(resources.path("templates", folder).glob("*.j2")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def frame(conn: Connection, game: GameAt, number: int, drawn: Mapping[str, str]) -> dict[str, Any]:
    """Return what the house adds. ``at``: the next period, or the last of an agreed end."""
    result = game.ruleset.result(game.state)
    agreed = game.row.agreed or []
    over = bool(result or agreed)
    written = notes.notes(conn, game.id, number, last=over)
    seen = guards.line(notes.looks(conn, game.id, number, last=over), number)
    return {
        "game": game.id,
        "deadline": "; ".join(filter(None, (local_deadline(game), early_text(game)))),
        "rulings": [_dated(one, number) for one in written if one.kind == NoteKind.RULING],
        "house": [
            *(_dated(one, number) for one in written if one.kind != NoteKind.RULING),
            *([seen] if seen else []),
        ],
        "press": [
            {"by": _byline(p), "text": p.text}
            for p in Press.many(conn, game_id=game.id, period=number)
            if not p.audience
        ],
        "commitment": commitment(game.row.seed) if number == 0 else "",
        "options": dict(game.row.options) if number == 0 else {},
        "agreed": agreement.end_in_words(agreed) if agreed else "",
        "seed": game.row.seed if over else "",
        "statements": statements_asked(game) if over else "",
        "journal": notes.journal_head(conn, game.id),
        "closed": _closed(conn, game, number),
        "zones": {
            seat: told
            for seat, holder in game.holders.items()
            if (told := own_page.own_time(game, holder, game.period.due))
        },
        "players": {seat: game.player(seat, over=True) for seat in game.seats} if over else {},
        "laid_open": orders(conn, game, number) if over else [],
        "opening": opening(conn, game) if over else {},
        "scores": dict(game.ruleset.scores(game.state)),
        "pictures": drawing.digests(drawn),
        "names": {seat: game.player(seat) for seat in game.seats},
    }


def _byline(row: Press) -> str:
    said = press_rules.byline(row.author, anonymous=row.anonymous, pen_name=row.pen_name)
    return "anonymous" if row.anonymous else safe(said)


def _closed(conn: Connection, game: GameAt, number: int) -> str:
    return own_page.name(games.at_period(conn, game, number)) if number else ""


def _dated(note: Ruling, number: int) -> str:
    if note.period in (None, number):
        return note.text
    return f"In period {note.period}: {note.text}"


def texts(
    game: GameAt,
    number: int,
    closed: ClosedRow,
    before: Scores,
    house_frame: Mapping[str, Any],
) -> dict[str, str]:
    """Return "" -> bulletin, seat -> notice or "". ``before``: earlier scores."""
    phase, events = closed
    issue = templates.issue(
        game.ruleset, game.state, game.seats, number, phase, events, house_frame, before
    )
    env = templates.environment()
    made = {"": bulletin.public_sheet(env, issue)}
    return made | {seat: bulletin.seat_sheet(env, issue, seat) for seat in game.seats}


def publish(work: Work, game: GameAt, taught: Taught | None = None) -> None:
    _publish(work, game, game.period.number - 1, taught)


def publish_last(work: Work, game: GameAt) -> None:
    """Publish an agreed end; its last period is not adjudicated."""
    _publish(work, game, game.period.number)


def _publish(work: Work, game: GameAt, number: int, taught: Taught | None = None) -> None:
    closed = periods.closed(work.conn, game.id, number)
    before = bulletins.scores(work.conn, game.id, number)
    drawn = drawing.svgs(game, number, closed, before)
    house_frame = frame(work.conn, game, number, drawn)
    house_frame, made = _made(work, game, number, closed, before, house_frame)
    house_frame["headline"] = _headline(game, number, closed, house_frame)
    edition = bulletins.last_edition(work.conn, game.id, number) + 1
    bulletins.new(work.conn, game.id, number, edition, made, house_frame, work.now)
    notes.printed(work.conn, game.id, number)
    notes.mark_reported(work.conn, game.id, number)
    periods.set_period(
        work.conn, game.id, number, template=template_version(game.ruleset.about.key)
    )
    notes.note(
        work.conn,
        game.id,
        work.now,
        "published",
        bulletin=number,
        edition=edition,
        sha256=hashlib.sha256(plain(made[""]).encode()).hexdigest(),
    )
    headline = house_frame["headline"]
    pngs = drawing.Pngs({} if game.practice and _are_many(work, game) else drawn)
    printed = issue_mails.Printed(
        number,
        edition,
        made,
        headline,
        own_page.issue(work, game),
        pngs,
        house_frame["journal"],
        _added(work, game, taught),
    )
    holders = tuple(game.holders.values())
    begins = number == 0 and edition == 1
    mail = issue_mails.welcome if begins else issue_mails.issue
    firsts = mail(work, game, holders, printed)
    public = issue_mails.bulletin(f"bulletin:{game.id}:{number}:{edition}", game, printed)
    if won := issue_mails.who_has_won(game):
        public = replace(public, text=f"{won}\n\n{public.text}")
    issue_mails.to_observers(work, game, public, firsts)
    seats.mark_public_change(work, game.id)
    if edition > 1 and _is_corrected(work.conn, game):
        _tell_changes(work, game, number, edition, made)


def _are_many(work: Work, game: GameAt) -> bool:
    """Return whether a practice game has had its hour's pictures: 115 kB for a READY."""
    hour = work.now - timedelta(hours=1)
    return practices.closed_since(work.conn, hour, game.id) > _PICTURED


def _added(work: Work, game: GameAt, taught: Taught | None) -> Mapping[Seat, str]:
    """Return additions to notices: lessons, and questions that wait."""
    found = dict(taught(work, game) if taught else {})
    for seat, told in inquiries.still_wait(work, game, *game.seats).items():
        found[seat] = "\n".join(filter(None, (found.get(seat, ""), f"{told}\n")))
    return found


def _headline(game: GameAt, number: int, closed: ClosedRow, house_frame: Mapping[str, Any]) -> str:
    if game.row.agreed:
        return f"the game is over: {house_frame['agreed']}"
    issue = templates.pictured(game.ruleset, game.state, (), number, closed.phase, closed.events)
    return bulletin.headline(templates.environment(), issue)


def _made(
    work: Work,
    game: GameAt,
    number: int,
    closed: ClosedRow,
    before: Scores,
    house_frame: dict[str, Any],
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return frame and texts; without press, and an alarm, if slow. Raise RefereeError."""
    seconds = work.mark.seconds * (1 + len(game.seats))
    try:
        with Budget(seconds, f"bulletin {number} of game {game.id}"):
            return house_frame, texts(game, number, closed, before, house_frame)
    except OverBudget as over:
        log.error("press left out", game=game.id, bulletin=number, error=str(over))
        presses = Press.many(work.conn, game_id=game.id, period=number)
        letters = [str(one.letter_id) for one in presses if one.letter_id is not None]
        alarm = (
            f"{over}. It is published without the players' press, which its readers are told. The"
            f" words stand in the letters {', '.join(letters) or '(none)'} (`pbem letter"
            " --id N`): mail them yourself if they are fit to be read."
        )
    withheld = [
        one | {"text": "(These words could not be printed; the gamesmaster has them.)"}
        for one in house_frame["press"]
    ]
    house_frame = house_frame | {"press": withheld}
    try:
        with Budget(seconds, f"bulletin {number} of game {game.id}, without its press,"):
            made = texts(game, number, closed, before, house_frame)
    except OverBudget as over:
        raise RefereeError(str(over)) from over
    subject = f"bulletin {number} of {game.id} is without its press"
    public = "It took too long to print it. Its readers are told."
    alarms.tell(work, f"press:{game.id}:{number}", subject, alarm, game.id, public)
    return house_frame, made


def _is_corrected(conn: Connection, game: GameAt) -> bool:
    closed, voided = game.period.closed_before, bulletins.last_voided(conn, game.id)
    return closed is not None and voided is not None and closed < voided


def _tell_changes(
    work: Work, game: GameAt, number: int, edition: int, made: Mapping[str, str]
) -> None:
    old = bulletins.texts(work.conn, game.id, number, edition - 1)
    for holder in game.holders.values():
        both = ((plain(old.get(seat, "")), plain(made.get(seat, ""))) for seat in ("", holder.seat))
        changes = [line for before, after in both for line in difference(before, after)]
        if changes:
            text = "\n".join(
                [
                    f"What changed in bulletin {number} and your notice (- before, + now):",
                    "",
                    *changes,
                    "",
                ]
            )
            key = f"changes:{game.id}:{number}:{edition}:{holder.seat}"
            subject = f"[{game.id}] Bulletin {number} corrected: what changed"
            put_to_seat(work, game, holder, Draft(key, "changes", subject, text))


def difference(old: str, new: str) -> list[str]:
    """Return lines of only one (- before, + now), without the journal's."""
    before, after = (
        [line for line in text.split("\n") if not line.startswith("Journal: head ")]
        for text in (old, new)
    )
    lines = [*difflib.unified_diff(before, after, lineterm="", n=0)][2:]  # without the file names
    return [
        f"{line[0]} {piece}" for line in lines if line[0] in "+-" for piece in _within(line[1:])
    ]


def _within(line: str) -> list[str]:
    return [line] if len(line) <= WIDTH - 2 else textwrap.wrap(line, WIDTH - 2)


def tell(
    work: Work, game: GameAt, seat: Seat, before: Standing, standing: Standing, letter: str
) -> None:
    """Tell the others of orders; ``letter``: its id."""
    if game.result is not None:
        return
    for number, event in enumerate(game.ruleset.told_at_once(game.state, seat, before, standing)):
        assert event.audience == PUBLIC, f"{event.kind} is told at once, and not public"
        key = f"event:{game.id}:{game.term}:{event.kind}:{letter}:{number}"
        _to_others(work, game, seat, in_words(game, event, game.state), key)


def so_far(conn: Connection, game: GameAt) -> str:
    """Return how what was told at once stands now, or ""."""
    if game.result is not None:
        return ""
    told = game.ruleset.told_so_far(game.state, order_sets.all_standing(conn, game))
    return "\n\n".join(in_words(game, event, game.state) for event in told)


def in_words(game: GameAt, event: Event, state: object) -> str:
    context = {
        **bulletin.CONTEXT,
        "view": game.ruleset.view(state, None),
        "number": game.period.number,
        "phase": game.period.phase,
        "title": game.ruleset.about.title,
        "key": game.ruleset.about.key,
    }
    return bulletin.tell(templates.environment(), game.ruleset.about.key, event, context)


def _to_others(work: Work, game: GameAt, author: Seat, text: str, key: str) -> None:
    seats.mark_public_change(work, game.id)
    subject = f"[{game.id}] {text.partition(' [')[0].partition(chr(10))[0].rstrip('.')}"
    others = [holder for seat, holder in game.holders.items() if seat != author]
    drafts = [(one, Draft(f"{key}:{one.seat}", "event", subject, f"{text}\n")) for one in others]
    put_to_seats(work, game, drafts)
    to_observers(work, game, Draft(key, "event", subject, f"{text}\n"))
