"""A game's clock stops, goes on, its deadline moves, its hour changes; each journalled and told."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.errors import OperatorError
from pbem.games.frame import calendar, codec, house_rules
from pbem.games.frame.calendar import Deadline, Move, local
from pbem.games.frame.length import LONGEST, Elapsed, Length
from pbem.periods import own_page, publishing
from pbem.periods.guards import guarded
from pbem.post.compose import Draft
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.text import day_words


def extend(
    work: Work, game_id: str, number: int | None, by: Length, why: str, *, kind: str = "extension"
) -> GameAt:
    """Move the deadline by days, or minutes if counted, and tell all. Raise OperatorError if
    impossible or without effect."""
    game = guarded(work.conn, game_id, number, PeriodState.OPEN)
    old = publishing.deadline_of(game)
    if old is None:
        raise OperatorError(f"period {game.period.number} of {game_id} has no deadline to move")
    if not by:
        one = "1 minute" if game.house.elapsed else "1 day"
        raise OperatorError(f"{by} move no deadline; the least that does is {one}")
    if isinstance(by, Elapsed) != game.house.elapsed:
        wanted = "hours or minutes, as 30 minutes" if game.house.elapsed else "whole days, as 3"
        raise OperatorError(f"the deadlines of {game_id} move by {wanted}, not by {by}")
    if kind == "extension" and abs(by.time) > timedelta(days=LONGEST):
        raise OperatorError(f"{by} are more than a year; to stop the clock: `pbem hold {game_id}`")
    moved = calendar.moved(old, [Move(kind, by, why)], game.house, game.zone)
    if moved.due <= work.now:
        raise OperatorError(
            f"that deadline ({own_page.moment_text(game, moved.due)}) has passed; to close now:"
            f" `pbem close {game_id}`"
        )
    if moved.due < old.due and moved.due - game.period.opened < game.house.least:
        raise OperatorError(
            f"no deadline of {game_id} falls within {game.house.least_hours} hours of its bulletin"
            f" (least_hours); that would be {own_page.moment_text(game, moved.due)}"
        )
    if moved.due == old.due:
        day = calendar.day_of(old.due, game.house.hour, game.zone)
        hop = next(calendar.off_holidays(day + by.time, game.house.holidays))
        least = calendar.least_that_moves(old, by, game.house, game.zone, work.now)
        would = (
            f"the least that moves it is {least}"
            if least
            else "and what would bring it before them lies in the past"
        )
        raise OperatorError(f"{by} would leave the deadline where it is, for {hop.why}; {would}")
    said = why if kind in (house_rules.WAITING, house_rules.STANDBY) else f"{kind}: {why}"
    return new_deadline(work, game, moved, f"{by.signed}, {said}")


def put_deadline(work: Work, game: GameAt, moved: Deadline, why: str) -> GameAt:
    look: datetime | None = work.now
    if not house_rules.in_grace(moved.moves):
        look = calendar.next_look(work.now, moved.due, game.period.phase, game.house, game.zone)
    moves = {"due": moved.due, "moves": [move.json() for move in moved.moves]}
    number, due = game.period.number, moved.due.isoformat()
    periods.set_period(work.conn, game.id, number, **moves, close_asked=None, next_look=look)
    notes.note(work.conn, game.id, work.now, "deadline", period=number, why=why, due=due)
    said = f"The deadline of period {number} was moved: {why}."
    notes.rule(work.conn, game.id, NoteKind.CLOCK, said, work.now)
    return games.game_at(work.conn, game.id)


def new_deadline(work: Work, game: GameAt, moved: Deadline, why: str) -> GameAt:
    game = put_deadline(work, game, moved, why)
    lines = "\n".join(moved.explained(game.house.hour, game.zone))
    text = f"The deadline of {own_page.name(game)} has been moved: {why}.\n\n{lines}\n"
    subject = f"New deadline: {publishing.local_deadline(game)}"
    _tell(work, game, "deadline", subject, text, f"{game.term}:{len(moved.moves)}")
    return game


def _tell(work: Work, game: GameAt, kind: str, subject: str, text: str, key: str = "") -> None:
    """Mail all, with the game's own page as it is now."""
    key = ":".join(filter(None, (kind, game.id, key, f"{work.now:%Y%m%d%H%M%S%f}")))
    page = own_page.of(work, games.game_at(work.conn, game.id))
    to_all(work, game, Draft(key, kind, f"[{game.id}] {subject}", text, calendar=page))


def note_closed_by_hand(work: Work, game: GameAt) -> None:
    notes.note(work.conn, game.id, work.now, "closed-by-hand", period=game.period.number)
    text = "This period was closed by the gamesmaster before its deadline."
    notes.rule(work.conn, game.id, NoteKind.CLOCK, text, work.now)


def hold(work: Work, game_id: str, why: str) -> None:
    """Stop the clock; orders still count."""
    game = guarded(work.conn, game_id, None)
    if game.row.status == GameState.HELD:
        raise OperatorError(
            f"game {game_id} is held already: {game.row.held_because}; `pbem resume {game_id}` lets"
            " it go on"
        )
    games.hold(work.conn, game_id, why, work.now)
    notes.note(work.conn, game_id, work.now, "hold", why=why)
    said = f"The game was held on {day_words(work.now.astimezone(game.zone))}: {why}."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    text = (
        f"The game is held: {why}\n\nOrders are still taken. You will be told when it goes on, with"
        " the new deadline.\n"
    )
    _tell(work, game, "hold", "The game is held", text)


def resume(work: Work, game_id: str) -> GameAt:
    """Start the clock; the deadline moves by the time held, into the future."""
    game = guarded(work.conn, game_id, None)
    if game.row.status != GameState.HELD:
        raise OperatorError(f"game {game_id} is running, not held; there is nothing to resume")
    games.goes_on(work.conn, game_id, work.now)
    if game.row.restored_to is not None and game.row.restored_until is None:
        key = f"restored:{game.id}:{work.now:%Y%m%d%H%M%S%f}"
        known = {"what": "restored", "known_until": game.minute(game.row.restored_to)}
        to_all(work, game, own_page.draft(game, key, "restored", "clock", **known))
    notes.note(work.conn, game_id, work.now, "resume")
    said = f"The game went on on {day_words(work.now.astimezone(game.zone))}."
    notes.rule(work.conn, game_id, NoteKind.HOUSE, said, work.now)
    due = game.period.due
    if due is not None and game.period.status == PeriodState.OPEN:
        held_at = max(game.row.held_at or work.now, game.period.opened)
        if by := calendar.after_hold(due, held_at, work.now, game.house, game.zone):
            why = f"the game was held: {game.row.held_because}"
            return extend(work, game_id, None, by, why, kind="pause")
    game = games.game_at(work.conn, game_id)
    deadline = publishing.deadline_text(game)
    stays = f"The deadline stays: {deadline}" if deadline else "This period has no deadline"
    _tell(work, game, "resume", "The game goes on", f"The game goes on. {stays}.\n")
    return game


def set_hour(work: Work, game_id: str, number: int | None, written: str) -> str:
    """Have deadlines fall at another hour from the next period on, and tell all. Return what all
    are told. Raise OperatorError."""
    game = guarded(work.conn, game_id, number)
    if game.house.elapsed:
        raise OperatorError(
            f"the periods of {game_id} are counted in hours and minutes, to no hour of the day"
        )
    time, midnight = calendar.clock_time(written.strip())
    hour = "24:00" if midnight or (time.hour, time.minute) == (0, 0) else f"{time:%H:%M}"
    before = game.house.next_hour or game.house.hour
    if hour == before:
        raise OperatorError(f"the deadlines of {game_id} fall at {hour} as it is")
    pending = "" if hour == game.house.hour else hour
    house = replace(game.house, next_hour=pending)
    games.set_game(work.conn, game_id, house=codec.dump(house))
    notes.note(work.conn, game_id, work.now, "hour", hour=hour, before=before)
    first = game.period.number + (game.period.status != PeriodState.REVIEW)
    says = (
        f"From period {first} on, deadlines of this game fall at {hour} {game.row.zone}, no longer"
        f" at {game.house.hour}."
        if pending
        else f"Deadlines of this game fall at {hour} {game.row.zone} as before, not at {before}."
    )
    notes.rule(work.conn, game_id, NoteKind.HOUSE, says, work.now)
    stays = publishing.deadline_text(game) if game.period.status == PeriodState.OPEN else ""
    ends = f"\n\nThe open period keeps its deadline: {stays}." if stays else ""
    ends += " No period is shorter for it." if hour != game.house.hour else ""
    subject = f"[{game.id}] Deadlines at {hour} {game.row.zone}"
    key = f"deadline:{game.id}:hour:{work.now:%Y%m%d%H%M%S%f}"
    draft = Draft(key, "deadline", subject, f"{says}{ends}\n")
    day = (game.period.due or work.now).astimezone(game.zone).date()
    own = {  # by their own clocks too
        seat: f"{says}{_own(holder.zone, game.zone, day, hour, before)}{ends}\n"
        for seat, holder in game.holders.items()
    }
    to_all(work, game, draft, own)
    return says


def _own(own: str, zone: ZoneInfo, day: date, hour: str, before: str) -> str:
    if own in ("", zone.key):
        return ""
    new, old = (local(day, one, zone, ZoneInfo(own))[1] for one in (hour, before))
    return f" By your clock ({own}) that is {new} instead of {old}."


def with_new_hour(work: Work, game: GameAt, due: Deadline | None) -> tuple[GameAt, Deadline | None]:
    """Have a new hour take effect as a period opens. Return the game and the first deadline."""
    if not game.house.next_hour:
        return game, due
    before, house = game.house, replace(game.house, hour=game.house.next_hour, next_hour="")
    games.set_game(work.conn, game.id, house=codec.dump(house))
    game = games.game_at(work.conn, game.id)
    return game, calendar.at_hour(due, before, house, game.zone) if due else None
