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


def opening(conn: Connection, at: GameAt) -> dict[str, Any]:
    then = games.at_period(conn, at, 1)
    return {seat: at.ruleset.view(then.state, seat) for seat in at.seats}


def orders(conn: Connection, at: GameAt, last: int) -> list[dict[str, Any]]:
    """Return periods' names and orders to ``last``; [] if the rules reveal none."""
    ruleset = at.ruleset
    found = []
    for number in range(1, last + 1):
        then = games.at_period(conn, at, number)
        stood = {
            seat: canonical(ruleset.laid_open(then.state, seat, standing))
            for seat, standing in order_sets.all_standing(conn, then).items()
        }
        told = {seat: orders for seat, orders in stood.items() if orders}
        if told:
            found.append({"name": own_page.name(then), "orders": told})
    return found


log = structlog.get_logger()
Taught = Callable[[Work, GameAt], Mapping[Seat, str]]
STATEMENTS = timedelta(days=7)
_PICTURED = 3
"""Bulletins of a practice game with pictures in an hour."""


def deadline_text(at: GameAt) -> str:
    """Return the deadline in the game's zone and UTC, or ""."""
    return own_page.moment_text(at, at.period.due) if at.period.due else ""


def local_deadline(at: GameAt) -> str:
    """Return the deadline in the game's zone, or ""."""
    return deadline_text(at).partition(" = ")[0]


def early_when(at: GameAt) -> str:
    """Return in words when an early end is considered."""
    return house_rules.early_when(at.house, at.period.opened, at.period.due, at.zone)


def early_text(at: GameAt) -> str:
    """Return when the period ends if all are READY, or ""."""
    asked = at.ruleset.asked(at.state)
    if at.house.early != ALL or not at.period.due or at.result is not None:
        return ""
    if house_rules.closes_early(at.house, asked, at.period.number) == NEVER:
        return ""
    return f"if all are READY: {early_when(at)}"


def statements_asked(at: GameAt) -> str:
    if at.game.statements_until is None:
        return ""
    return (
        "Each of you is asked for a statement of up to 400 words on the game: how it looked from"
        " your side, and what the others could not know. Answer this mail with the one"
        " word\u00a0STATEMENT on a line of its own and your words below it, by"
        f" {at.minute(at.game.statements_until)}."
        " Then all statements go out to all players in one mail; until then nobody sees yours, and"
        " a new one replaces it."
    )


def before_closing(at: GameAt) -> str:
    """Return until when something counts."""
    if at.game.statements_until:
        return f"before {at.minute(at.game.statements_until)}"
    deadline, early = deadline_text(at), house_rules.may_close_early(at.house, at.period.number)
    if not deadline:
        return "before the period closes"
    return (
        f"before the period closes, at its deadline ({deadline}) or early"
        if early
        else f"before the deadline ({deadline})"
    )


def deadline_of(at: GameAt) -> Deadline | None:
    row = at.period
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


def frame(conn: Connection, at: GameAt, number: int, drawn: Mapping[str, str]) -> dict[str, Any]:
    """Return what the house adds. ``at``: the next period, or the last of an agreed end."""
    result = at.ruleset.result(at.state)
    agreed = at.game.agreed or []
    over = bool(result or agreed)
    said = notes.notes(conn, at.id, number, last=over)
    seen = guards.line(notes.looks(conn, at.id, number, last=over), number)
    return {
        "game": at.id,
        "deadline": "; ".join(filter(None, (local_deadline(at), early_text(at)))),
        "rulings": [_dated(one, number) for one in said if one.kind == NoteKind.RULING],
        "house": [
            *(_dated(one, number) for one in said if one.kind != NoteKind.RULING),
            *([seen] if seen else []),
        ],
        "press": [
            {"by": _byline(p), "text": p.text}
            for p in Press.many(conn, game_id=at.id, period=number)
            if not p.audience
        ],
        "commitment": commitment(at.game.seed) if number == 0 else "",
        "options": dict(at.game.options) if number == 0 else {},
        "agreed": agreement.end_in_words(agreed) if agreed else "",
        "seed": at.game.seed if over else "",
        "statements": statements_asked(at) if over else "",
        "journal": notes.journal_head(conn, at.id),
        "closed": _closed(conn, at, number),
        "zones": {
            seat: told
            for seat, holder in at.holders.items()
            if (told := own_page.own_time(at, holder, at.period.due))
        },
        "players": {seat: at.player(seat, over=True) for seat in at.seats} if over else {},
        "laid_open": orders(conn, at, number) if over else [],
        "opening": opening(conn, at) if over else {},
        "scores": dict(at.ruleset.scores(at.state)),
        "pictures": drawing.digests(drawn),
        "names": {seat: at.player(seat) for seat in at.seats},
    }


def _byline(row: Press) -> str:
    said = press_rules.byline(row.author, anonymous=row.anonymous, pen_name=row.pen_name)
    return "anonymous" if row.anonymous else safe(said)


def _closed(conn: Connection, at: GameAt, number: int) -> str:
    return own_page.name(games.at_period(conn, at, number)) if number else ""


def _dated(note: Ruling, number: int) -> str:
    if note.period in (None, number):
        return note.text
    return f"In period {note.period}: {note.text}"


def texts(
    at: GameAt,
    number: int,
    closed: ClosedRow,
    before: Scores,
    house_frame: Mapping[str, Any],
) -> dict[str, str]:
    """Return "" -> bulletin, seat -> notice or "". ``before``: earlier scores."""
    phase, events = closed
    issue = templates.issue(
        at.ruleset, at.state, at.seats, number, phase, events, house_frame, before
    )
    env = templates.environment()
    made = {"": bulletin.public_sheet(env, issue)}
    return made | {seat: bulletin.seat_sheet(env, issue, seat) for seat in at.seats}


def publish(
    work: Work, at: GameAt, drawn: Mapping[str, str] | None = None, taught: Taught | None = None
) -> None:
    _publish(work, at, at.period.number - 1, drawn, taught)


def publish_last(work: Work, at: GameAt) -> None:
    """Publish an agreed end; its last period is not adjudicated."""
    _publish(work, at, at.period.number)


def _publish(
    work: Work,
    at: GameAt,
    number: int,
    drawn: Mapping[str, str] | None = None,
    taught: Taught | None = None,
) -> None:
    closed = periods.closed(work.conn, at.id, number)
    before = bulletins.scores(work.conn, at.id, number)
    drawn = drawn or drawing.svgs(at, number, closed, before)
    house_frame = frame(work.conn, at, number, drawn)
    house_frame, made = _made(work, at, number, closed, before, house_frame)
    house_frame["headline"] = _headline(at, number, closed, house_frame)
    edition = bulletins.last_edition(work.conn, at.id, number) + 1
    bulletins.new(work.conn, at.id, number, edition, made, house_frame, work.now)
    notes.printed(work.conn, at.id, number)
    notes.mark_reported(work.conn, at.id, number)
    periods.set_period(work.conn, at.id, number, template=template_version(at.ruleset.about.key))
    notes.note(
        work.conn,
        at.id,
        work.now,
        "published",
        bulletin=number,
        edition=edition,
        sha256=hashlib.sha256(plain(made[""]).encode()).hexdigest(),
    )
    headline = house_frame["headline"]
    pngs = drawing.Pngs({} if at.practice and _are_many(work, at) else drawn)
    printed = issue_mails.Printed(
        number,
        edition,
        made,
        headline,
        own_page.issue(work, at),
        pngs,
        house_frame["journal"],
        _added(work, at, taught),
    )
    holders = tuple(at.holders.values())
    begins = number == 0 and edition == 1
    mail = issue_mails.welcome if begins else issue_mails.issue
    firsts = mail(work, at, holders, printed)
    public = issue_mails.bulletin(f"bulletin:{at.id}:{number}:{edition}", at, printed)
    if won := issue_mails.who_has_won(at):
        public = replace(public, text=f"{won}\n\n{public.text}")
    issue_mails.to_observers(work, at, public, firsts)
    seats.mark_public_change(work, at.id)
    if edition > 1 and _is_corrected(work.conn, at):
        _tell_changes(work, at, number, edition, made)


def _are_many(work: Work, at: GameAt) -> bool:
    """Return whether a practice game has had its hour's pictures: 115 kB for a READY."""
    hour = work.now - timedelta(hours=1)
    return practices.closed_since(work.conn, hour, at.id) > _PICTURED


def _added(work: Work, at: GameAt, taught: Taught | None) -> Mapping[Seat, str]:
    """Return additions to notices: lessons, and questions that wait."""
    found = dict(taught(work, at) if taught else {})
    for seat, told in inquiries.still_wait(work, at, *at.seats).items():
        found[seat] = "\n".join(filter(None, (found.get(seat, ""), f"{told}\n")))
    return found


def _headline(at: GameAt, number: int, closed: ClosedRow, house_frame: Mapping[str, Any]) -> str:
    if at.game.agreed:
        return f"the game is over: {house_frame['agreed']}"
    issue = templates.pictured(at.ruleset, at.state, (), number, closed.phase, closed.events)
    return bulletin.headline(templates.environment(), issue)


def _made(
    work: Work,
    at: GameAt,
    number: int,
    closed: ClosedRow,
    before: Scores,
    house_frame: dict[str, Any],
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return frame and texts; without press, and an alarm, if slow. Raise RefereeError."""
    seconds = work.mark.seconds * (1 + len(at.seats))
    try:
        with Budget(seconds, f"bulletin {number} of game {at.id}"):
            return house_frame, texts(at, number, closed, before, house_frame)
    except OverBudget as over:
        log.error("press left out", game=at.id, bulletin=number, error=str(over))
        presses = Press.many(work.conn, game_id=at.id, period=number)
        letters = [str(one.letter_id) for one in presses if one.letter_id is not None]
        told = (
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
        with Budget(seconds, f"bulletin {number} of game {at.id}, without its press,"):
            made = texts(at, number, closed, before, house_frame)
    except OverBudget as over:
        raise RefereeError(str(over)) from over
    subject = f"bulletin {number} of {at.id} is without its press"
    public = "It took too long to print it. Its readers are told."
    alarms.tell(work, f"press:{at.id}:{number}", subject, told, at.id, public)
    return house_frame, made


def _is_corrected(conn: Connection, at: GameAt) -> bool:
    closed, voided = at.period.closed_before, bulletins.last_voided(conn, at.id)
    return closed is not None and voided is not None and closed < voided


def _tell_changes(
    work: Work, at: GameAt, number: int, edition: int, made: Mapping[str, str]
) -> None:
    old = bulletins.texts(work.conn, at.id, number, edition - 1)
    for holder in at.holders.values():
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
            key = f"changes:{at.id}:{number}:{edition}:{holder.seat}"
            subject = f"[{at.id}] Bulletin {number} corrected: what changed"
            put_to_seat(work, at, holder, Draft(key, "changes", subject, text))


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
    work: Work, at: GameAt, seat: Seat, before: Standing, standing: Standing, letter: str
) -> None:
    """Tell the others of orders; ``letter``: its id."""
    if at.result is not None:
        return
    for number, event in enumerate(at.ruleset.told_at_once(at.state, seat, before, standing)):
        assert event.audience == PUBLIC, f"{event.kind} is told at once, and not public"
        key = f"event:{at.id}:{at.term}:{event.kind}:{letter}:{number}"
        _to_others(work, at, seat, in_words(at, event, at.state), key)


def so_far(conn: Connection, at: GameAt) -> str:
    """Return how what was told at once stands now, or ""."""
    if at.result is not None:
        return ""
    told = at.ruleset.told_so_far(at.state, order_sets.all_standing(conn, at))
    return "\n\n".join(in_words(at, event, at.state) for event in told)


def in_words(at: GameAt, event: Event, state: object) -> str:
    context = {
        **bulletin.CONTEXT,
        "view": at.ruleset.view(state, None),
        "number": at.period.number,
        "phase": at.period.phase,
        "title": at.ruleset.about.title,
        "key": at.ruleset.about.key,
    }
    return bulletin.tell(templates.environment(), at.ruleset.about.key, event, context)


def _to_others(work: Work, at: GameAt, author: Seat, text: str, key: str) -> None:
    seats.mark_public_change(work, at.id)
    subject = f"[{at.id}] {text.partition(' [')[0].partition(chr(10))[0].rstrip('.')}"
    others = [holder for seat, holder in at.holders.items() if seat != author]
    drafts = [(one, Draft(f"{key}:{one.seat}", "event", subject, f"{text}\n")) for one in others]
    put_to_seats(work, at, drafts)
    to_observers(work, at, Draft(key, "event", subject, f"{text}\n"))
