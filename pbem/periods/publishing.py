"""Print and mail bulletins and notices, in the transaction of what causes them.

Also what the rules tell before a period closes, and what is laid open at the end.
"""

import difflib
import hashlib
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

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
from pbem.pages.page import Words
from pbem.pages.plain import plain
from pbem.periods import drawing, guards, inquiries, issue_mails, own_page
from pbem.post import alarms, seats
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat, put_to_seats, to_observers
from pbem.post.work import Work
from pbem.store.games import bulletins, games, order_sets, periods
from pbem.store.games.games import GameAt
from pbem.store.joining import practices
from pbem.store.journal import notes
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Bulletin, Press, Ruling
from pbem.text import WIDTH, safe

log = structlog.get_logger()
STATEMENTS = timedelta(days=7)
_PICTURED = 3
"""Bulletins of a practice game with pictures in an hour: they would be 115 kB for a READY."""


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


def statements_until(ended: datetime, zone: str) -> datetime:
    """Return when statements go out, in UTC: at the hour of the end in the game's zone, also over a
    change of clocks."""
    return (ended.astimezone(ZoneInfo(zone)) + STATEMENTS).astimezone(UTC)


def before_closing(game: GameAt) -> str:
    """Return until when something counts."""
    if game.row.statements_until:
        return f"before {game.minute(game.row.statements_until)}"
    deadline = deadline_text(game)
    if not deadline:
        return "before the period closes"
    if house_rules.may_close_early(game.house, game.period.number):
        return f"before the period closes, at its deadline ({deadline}) or early"
    return f"before the deadline ({deadline})"


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
    """Return what the house adds. game: at the next period, or the last of an agreed end."""
    result = game.ruleset.result(game.state)
    agreed = game.row.agreed or []
    over = bool(result or agreed)
    written = notes.notes(conn, game.id, number, last=over)
    seen = guards.line(conn, game.id, number, last=over)
    first = games.game_at(conn, game.id, 1) if over else None
    house = [_dated(note, number) for note in written if note.kind != NoteKind.RULING]
    return {
        "game": game.id,
        "deadline": "; ".join(filter(None, (local_deadline(game), early_text(game)))),
        "rulings": [_dated(note, number) for note in written if note.kind == NoteKind.RULING],
        "house": [*house, seen] if seen else house,
        "press": [
            {"by": _byline(p), "text": p.text}
            for p in Press.many(conn, game_id=game.id, period=number)
            if not p.audience
        ],
        "commitment": commitment(game.row.seed) if number == 0 else "",
        "agreed": agreement.end_in_words(agreed) if agreed else "",
        "seed": game.row.seed if over else "",
        "statements": statements_asked(game) if over else "",
        "journal": notes.journal_head(conn, game.id),
        "closed": own_page.name(games.game_at(conn, game.id, number)) if number else "",
        "zones": {
            seat: told
            for seat, holder in game.holders.items()
            if (told := own_page.own_time(game, holder, game.period.due))
        },
        "players": {seat: game.player(seat, over=True) for seat in game.seats} if over else {},
        "laid_open": _laid_open(conn, game, number) if over else [],
        "opening": {seat: game.ruleset.view(first.state, seat) for seat in game.seats if first},
        "scores": dict(game.ruleset.scores(game.state)),
        "pictures": drawing.digests(drawn),
        "names": {seat: game.player(seat) for seat in game.seats},
    }


def _byline(row: Press) -> str:
    said = press_rules.byline(row.author, anonymous=row.anonymous, pen_name=row.pen_name)
    return "anonymous" if row.anonymous else safe(said)


def _laid_open(conn: Connection, game: GameAt, last: int) -> list[dict[str, Any]]:
    """Return periods' names and orders to ``last``; [] if the rules reveal none."""
    sections = []
    for number in range(1, last + 1):
        then, shown = games.game_at(conn, game.id, number), {}
        for seat, standing in order_sets.all_standing(conn, then).items():
            if orders := canonical(game.ruleset.laid_open(then.state, seat, standing)):
                shown[seat] = orders
        if shown:
            sections.append({"name": own_page.name(then), "orders": shown})
    return sections


def _dated(note: Ruling, number: int) -> str:
    if note.period in (None, number):
        return note.text
    return f"In period {note.period}: {note.text}"


def texts(
    conn: Connection, game: GameAt, number: int, house_frame: Mapping[str, Any]
) -> dict[str, str]:
    """Return "" -> bulletin, seat -> notice or "". ``game``: in the period after."""
    phase, events = periods.closed(conn, game.id, number)
    before = bulletins.scores(conn, game.id, number)
    issue = templates.issue(
        game.ruleset, game.state, game.seats, number, phase, events, house_frame, before
    )
    env = templates.environment()
    made = {"": bulletin.public_sheet(env, issue)}
    return made | {seat: bulletin.seat_sheet(env, issue, seat) for seat in game.seats}


def publish(
    work: Work, game: GameAt, number: int, lessons: Mapping[Seat, str] = MappingProxyType({})
) -> None:
    """Publish the bulletin of a period: closed, or the last one of an agreed end, which is not
    adjudicated."""
    drawn = drawing.svgs(work.conn, game, number)
    house_frame, made = _made(work, game, number, frame(work.conn, game, number, drawn))
    house_frame["headline"] = _headline(work.conn, game, number, house_frame)
    edition = bulletins.last_edition(work.conn, game.id, number) + 1
    of = {"game_id": game.id, "number": number, "edition": edition, "published": work.now}
    for seat, text in made.items():
        Bulletin.add(work.conn, **of, seat=seat, text=text, frame=house_frame)
    notes.printed(work.conn, game.id, number)
    notes.mark_reported(work.conn, game.id, number)
    version = template_version(game.ruleset.about.key)
    periods.set_period(work.conn, game.id, number, template=version)
    sha256 = hashlib.sha256(plain(made[""]).encode()).hexdigest()
    known = {"bulletin": number, "edition": edition, "sha256": sha256}
    notes.note(work.conn, game.id, work.now, "published", **known)
    lately = work.now - timedelta(hours=1)  # how many pictures a practice game has had
    plain_now = game.practice and practices.closed_since(work.conn, lately, game.id) > _PICTURED
    more = dict(lessons)  # below the notices, as are questions that wait
    for seat, waits in inquiries.still_wait(work, game, *game.seats).items():
        more[seat] = "\n".join(filter(None, (more.get(seat), f"{waits}\n")))
    printed = issue_mails.Printed(
        number,
        edition,
        made,
        house_frame["headline"],
        own_page.issue(work, game),
        drawing.Pngs({} if plain_now else drawn),
        house_frame["journal"],
        more,
    )
    issue_mails.to_everybody(work, game, printed)
    seats.mark_public_change(work, game.id)
    closed, voided = game.period.closed_before, bulletins.last_voided(work.conn, game.id)
    if edition > 1 and closed and voided and closed < voided:
        _tell_changes(work, game, number, edition, made)


def _headline(conn: Connection, game: GameAt, number: int, house_frame: Mapping[str, Any]) -> str:
    if game.row.agreed:
        return f"the game is over: {house_frame['agreed']}"
    closed = periods.closed(conn, game.id, number)
    issue = templates.pictured(game.ruleset, game.state, (), number, closed.phase, closed.events)
    return bulletin.headline(templates.environment(), issue)


def _made(
    work: Work, game: GameAt, number: int, house_frame: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return frame and texts; without press, and an alarm, if slow. Raise RefereeError."""
    seconds = work.mark.seconds * (1 + len(game.seats))
    try:
        with Budget(seconds, f"bulletin {number} of game {game.id}"):
            return house_frame, texts(work.conn, game, number, house_frame)
    except OverBudget as over:
        log.error("press left out", game=game.id, bulletin=number, error=str(over))
        presses = Press.many(work.conn, game_id=game.id, period=number)
        letters = [str(one.letter_id) for one in presses if one.letter_id is not None]
        known = {"over": str(over), "letters": letters}
    withheld = [
        one | {"text": "(These words could not be printed; the gamesmaster has them.)"}
        for one in house_frame["press"]
    ]
    house_frame = house_frame | {"press": withheld}
    try:
        with Budget(seconds, f"bulletin {number} of game {game.id}, without its press,"):
            made = texts(work.conn, game, number, house_frame)
    except OverBudget as over:
        raise RefereeError(str(over)) from over
    alarms.say(work, f"press:{game.id}:{number}", "press", game.id, number=number, **known)
    return house_frame, made


def _tell_changes(
    work: Work, game: GameAt, number: int, edition: int, made: Mapping[str, str]
) -> None:
    old = bulletins.texts(work.conn, game.id, number, edition - 1)
    for holder in game.holders.values():
        changes = [
            line
            for seat in ("", holder.seat)
            for line in difference(plain(old.get(seat, "")), plain(made.get(seat, "")))
        ]
        if changes:
            head = f"What changed in bulletin {number} and your notice (- before, + now):"
            text = "\n".join([head, "", *changes, ""])
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
    changes = []
    for line in lines:
        if line[0] in "+-":
            text, width = line[1:], WIDTH - 2
            pieces = [text] if len(text) <= width else textwrap.wrap(text, width)
            changes += [f"{line[0]} {piece}" for piece in pieces]
    return changes


def tell(
    work: Work, game: GameAt, seat: Seat, before: Standing, standing: Standing, letter: str
) -> None:
    """Tell the others of orders; ``letter``: its id."""
    if game.result is not None:
        return
    for number, event in enumerate(game.ruleset.told_at_once(game.state, seat, before, standing)):
        assert event.audience == PUBLIC, f"{event.kind} is told at once, and not public"
        key = f"event:{game.id}:{game.term}:{event.kind}:{letter}:{number}"
        text = in_words(game, event, game.state)
        subject = f"[{game.id}] {text.partition(' [')[0].partition(chr(10))[0].rstrip('.')}"
        draft = Draft(key, "event", subject, f"{text}\n")
        seats.mark_public_change(work, game.id)
        others = [holder for holder in game.holders.values() if holder.seat != seat]
        put_to_seats(work, game, [(one, replace(draft, key=f"{key}:{one.seat}")) for one in others])
        to_observers(work, game, draft)


def so_far(conn: Connection, game: GameAt) -> str:
    """Return how what was told at once stands now, or ""."""
    if game.result is not None:
        return ""
    told = game.ruleset.told_so_far(game.state, order_sets.all_standing(conn, game))
    return "\n\n".join(in_words(game, event, game.state) for event in told)


def in_words(game: GameAt, event: Event, state: object) -> str:
    known = {
        **bulletin.CONTEXT,
        "view": game.ruleset.view(state, None),
        "number": game.period.number,
        "phase": game.period.phase,
        "title": game.ruleset.about.title,
        "key": game.ruleset.about.key,
    }
    return Words(templates.environment(), known).tell(event)
