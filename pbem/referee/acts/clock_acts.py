"""Acts on a game's clock, each journalled and told."""

from dataclasses import replace
from datetime import date

import structlog

from pbem.errors import OperatorError, OutsideError, OverBudget
from pbem.games.frame import calendar, codec
from pbem.games.frame.length import Length
from pbem.periods import adjudicating, deadline_acts, guards, publishing
from pbem.periods.guards import guarded
from pbem.post.compose import Draft
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.referee.acts.doing import Done
from pbem.store.games import games, periods
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import GameState, NoteKind, PeriodState
from pbem.store.schema.tables import Journal
from pbem.text import counted, day_words, listed

log = structlog.get_logger()


def extend(work: Work, game: str, days: Length, why: str, period: int | None) -> Done:
    moved = deadline_acts.extend(work, game, period, days, why)
    return Done(f"The new deadline of {game} is {publishing.deadline_text(moved)}.")


def pause(work: Work, game: str, period: int | None, first: str, last: str, why: str) -> Done:
    if first.upper() == "NONE":
        return _lift(work, game, period, last, why)
    days = calendar.span(first, last)
    game_now = guarded(work.conn, game, period)
    if game_now.house.elapsed:
        raise OperatorError(
            f"the periods of {game} are counted in hours and minutes, on any day; to stop its"
            f" clock: `pbem hold {game}`"
        )
    made = (days[0].isoformat(), days[1].isoformat(), why)
    if any(made[:2] == one[:2] for one in game_now.house.holidays):
        raise OperatorError(f"no deadline of {game} falls from {first} to {last} as it is")
    game_now = _with_holidays(work, game_now, (*game_now.house.holidays, made))
    notes.note(work.conn, game, work.now, "pause", first=first, last=last, why=why)
    free = calendar.kept_free(made)
    old = publishing.deadline_of(game_now)
    moved = calendar.moved(old, (), game_now.house, game_now.zone) if old else None
    if (
        moved is not None
        and game_now.period.status == PeriodState.OPEN
        and moved.due != game_now.period.due
    ):
        game_now = deadline_acts.new_deadline(work, game_now, moved, free)
    else:
        notes.rule(work.conn, game, NoteKind.HOUSE, f"A pause: {free}.", work.now)
        key = f"pause:{game}:{first}:{last}:{work.now:%Y%m%d%H%M%S%f}"
        to_all(work, game_now, Draft(key, "pause", f"[{game}] A pause", f"A pause: {free}.\n"))
    return _deadline(f"No deadline of {game} falls {calendar.days_of((first, last))}", game_now)


def _lift(work: Work, game: str, period: int | None, first: str, why: str) -> Done:
    """Lift the pause from ``first``; its deadline moves back, never into the past."""
    game_now = guarded(work.conn, game, period)
    pause = _pause_from(game_now, first, pauses(work, game_now))
    lifted = f"the pause {calendar.days_of(pause)} is lifted ({why})"
    game_now = _with_holidays(
        work, game_now, tuple(one for one in game_now.house.holidays if one != pause)
    )
    notes.note(work.conn, game, work.now, "unpause", first=pause[0], last=pause[1], why=why)
    back = old = publishing.deadline_of(game_now)
    if old and game_now.period.status == PeriodState.OPEN:
        back = calendar.without_pause(old, pause, game_now.house, game_now.zone)
        if again := calendar.after_hold(
            back.due, work.now, work.now, game_now.house, game_now.zone
        ):
            late = calendar.Move("pause", again, "a lifted pause moves no deadline into the past")
            back = calendar.moved(back, [late], game_now.house, game_now.zone)
    if old and back and back.due < old.due:
        game_now = deadline_acts.new_deadline(work, game_now, back, lifted)
    else:
        lifted = f"{lifted[0].upper()}{lifted[1:]}."
        notes.rule(work.conn, game, NoteKind.HOUSE, lifted, work.now)
        deadline = publishing.deadline_text(game_now)
        stays = f" The deadline stays: {deadline}" if deadline else " This period has no deadline"
        key = f"unpause:{game}:{first}:{work.now:%Y%m%d%H%M%S%f}"
        draft = Draft(key, "pause", f"[{game}] The pause is lifted", f"{lifted}{stays}.\n")
        to_all(work, game_now, draft)
    begins = day_words(date.fromisoformat(pause[0]))
    return _deadline(f"The pause from {begins} on is lifted in {game}", game_now)


def pauses(work: Work, game: GameAt) -> list[tuple[str, ...]]:
    """Return first day, last day and reason of each. Old ones have no reason."""
    told = [one.data for one in Journal.many(work.conn, game_id=game.id) if one.kind == "pause"]
    noted = {(one["first"], one["last"]) for one in told}
    return [one for one in game.house.holidays if one[2:] or one[:2] in noted]


def _pause_from(game: GameAt, first: str, known_pauses: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the pause. Raise OperatorError naming all."""
    day = calendar.span(first, first)[0].isoformat()
    for one in known_pauses:
        if one[0] == day:
            return one
    listed = "; ".join(
        " to ".join(one[:2]) + "".join(f" ({w})" for w in one[2:]) for one in known_pauses
    )
    raise OperatorError(
        f"game {game.id} has no pause from {day} on; its pauses: {listed or 'none'}"
    )


def _with_holidays(work: Work, game: GameAt, holidays: tuple[tuple[str, ...], ...]) -> GameAt:
    house = replace(game.house, holidays=holidays)
    games.set_game(work.conn, game.id, house=codec.dump(house))
    return games.game_at(work.conn, game.id)


def _deadline(said: str, game: GameAt) -> Done:
    return Done(f"{said}; deadline: {publishing.deadline_text(game) or 'none'}.")


def hour(work: Work, game: str, hour: str, period: int | None) -> Done:
    return Done(deadline_acts.set_hour(work, game, period, hour))


def hold(work: Work, game: str, why: str) -> Done:
    deadline_acts.hold(work, game, why)
    return Done(f"The game {game} is held: its clock stands, and all are told.")


def resume(work: Work, game: str | None, everything: bool) -> Done:
    """Start the clock of one or all held games. Answer why others stay held."""
    if game is not None:
        return Done(_goes_on(work, game))
    held = games.in_state(work.conn, GameState.HELD)
    lines, stay = [], 0
    for game_id in held:
        try:
            guards.may_act(work.conn, work.mark, game_id)
            with work.conn.begin_nested():
                lines.append(_goes_on(work, game_id))
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            stay += 1
            why = str(error)
            if not isinstance(error, OperatorError):  # it may show secret orders
                log.error("not resumed", game=game_id, exc_info=error)
                why = f"{type(error).__name__}; the log says more. Mend it, then `pbem resume"
                why += f" {game_id}`"
            lines.append(f"The game {game_id} stays held: {why}.")
    undone = f"{stay} of {counted(len(held), 'game')} stayed held" if stay else None
    return Done("\n".join(lines or ["No game is held."]), undone=undone)


def _goes_on(work: Work, game: str) -> str:
    deadline = publishing.deadline_text(deadline_acts.resume(work, game))
    return f"The game {game} goes on; deadline: {deadline or 'none'}."


def close(work: Work, game: str, period: int | None, unread: bool = False) -> Done:
    """Close at the next pass, with all letters received by now; moving the deadline cancels it.
    ``unread``: adjudicate now, by letters decided. Raise OperatorError if a mailbox was
    unreadable."""
    game_now = guarded(work.conn, game, period, PeriodState.OPEN)
    if game_now.row.status == GameState.HELD:
        raise OperatorError(
            f"game {game} is held ({game_now.row.held_because}); `pbem resume {game}` first"
        )
    number = game_now.period.number
    if unread:
        deadline_acts.note_closed_by_hand(work, game_now)
        periods.set_state(work.conn, game, number, PeriodState.CLOSING, close_asked=None)
        adjudicating.close_period(work, games.game_at(work.conn, game))
        after = games.game_at(work.conn, game).period
        return Done(f"The game {game} is now in period {after.number} ({after.phase}).")
    if where := notes.memo(work.conn, "last_pass").get("unread"):
        raise OperatorError(
            f"the last pass could not read {listed(where)}, and letters that count may wait there."
            f" Mend that, or close without them: `pbem close {game} --unread`"
        )
    periods.set_period(work.conn, game, number, close_asked=work.now, next_look=work.now)
    return Done(
        f"Period {number} of {game} closes at the next pass, when all letters that came before"
        " this have been read."
    )
