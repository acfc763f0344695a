"""What each act does and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

import structlog

from pbem.errors import OperatorError, OutsideError, OverBudget
from pbem.games.frame import calendar
from pbem.games.frame.length import Length
from pbem.periods import (
    amendments,
    bulletin_acts,
    deadline_acts,
    guards,
    handover,
    hours,
    opening,
    persons,
    players,
    publishing,
    rewinding,
    seat_acts,
    standins,
)
from pbem.periods import away as absent_master
from pbem.periods.handover import Role
from pbem.periods.rewind_pages import Rewind
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.acts import letter_acts
from pbem.referee.acts.effect import Done
from pbem.referee.acts.table_effects import TABLE_EFFECTS
from pbem.referee.acts.word_effects import WORD_EFFECTS, called
from pbem.referee.game import restoring
from pbem.referee.gamesmaster import corrections
from pbem.referee.gamesmaster.corrections import Wanted
from pbem.referee.words import leaving
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.people import standbys
from pbem.store.people.players import mail_address
from pbem.store.schema.states import GameState
from pbem.text import counted, day_words, listed, wrap

log = structlog.get_logger()


def extend(work: Work, game: str, days: Length, why: str, period: int | None) -> Done:
    moved = deadline_acts.extend(work, game, period, days, why)
    deadline = publishing.deadline_text(moved)
    return Done(f"The new deadline of {game} is {deadline}.")


def close(work: Work, game: str, period: int | None, unread: bool = False) -> Done:
    """Close the period, or have it closed at the next pass."""
    if not unread:
        number = deadline_acts.ask_to_close(work, game, period).period.number
        return Done(
            f"Period {number} of {game} closes at the next pass, when all letters that came before"
            " this have been read."
        )
    after = deadline_acts.close(work, game, period).period
    return Done(f"The game {game} is now in period {after.number} ({after.phase}).")


def preview(work: Work, game: str) -> Done:
    seen = bulletin_acts.preview(work, game)
    missing = f"missing: {', '.join(seen.missing) or 'nobody'}"
    return Done(f"{seen.text}\nStill {missing}.", f"PREVIEW ({missing})\n\n{seen.text}", seen=seen)


def replace(  # noqa: PLR0913  the act's arguments
    work: Work, game: str, seat: str, address: str, name: str | None, why: str, anyway: bool
) -> Done:
    seat_acts.replace(work, game, seat, address, name or "", why, anyway=anyway)
    said = f"{seat} in {game} is now {address}."
    return Done("\n".join((said, *persons.alike(work, game, address))))


def rule(work: Work, game: str, text: str) -> Done:
    number = bulletin_acts.ruling(work, game, text)
    return Done(
        f"The next bulletin of {game} prints your ruling, number {number}.\nTo take it back:"
        f" `pbem unrule {game} {number}`.",
        f"RULE. The next bulletin prints: Ruling of the gamesmaster: {text}\n\nIt is ruling"
        f" {number}; to take it back: the word\u00a0UNRULE {number}",
    )


def unrule(work: Work, game: str, number: int, why: str | None) -> Done:
    """Withdraw a ruling."""
    printed = bulletin_acts.withdraw(work, game, number, why or "")
    said = "the next bulletin says so" if printed else "no bulletin had printed it"
    return Done(f"Ruling {number} of {game} is withdrawn; {said}.")


def unstandby(work: Work, game: str, address: str, why: str | None) -> Done:
    standins.withdraw(work, game, mail_address(address), why or "")
    return Done(f"The player at {address} stands by for {game} no longer, and is told so.")


def amended(work: Work, game: str, number: int, how: str, period: int | None) -> Done:
    at = amendments.carry_out(work, game, period, number, how)
    one = amendments.adopted(at, number)
    return Done(
        f"Amendment {number} of {game} is carried out: {', '.join(one.done)}; all are told."
    )


def hold(work: Work, game: str, why: str) -> Done:
    """Stop the clock."""
    deadline_acts.hold(work, game, why)
    return Done(f"The game {game} is held: its clock stands, and all are told.")


def resume(work: Work, game: str | None, everything: bool) -> Done:
    """Start the clock of one or all held games. Answer why others stay held."""
    if game is not None:
        return Done(_goes_on(work, game))
    held = games.in_state(work.conn, GameState.HELD)
    said, stay = [], 0
    for one in held:
        try:
            guards.may_act(work.conn, work.mark, one)
            with work.conn.begin_nested():
                said.append(_goes_on(work, one))
        except OutsideError:
            raise
        except (Exception, OverBudget) as error:
            stay += 1
            why = str(error) if isinstance(error, OperatorError) else _unexpected(one, error)
            said.append(f"The game {one} stays held: {why}.")
    undone = f"{stay} of {counted(len(held), 'game')} stayed held" if stay else None
    return Done("\n".join(said or ["No game is held."]), undone=undone)


def _goes_on(work: Work, game: str) -> str:
    deadline = publishing.deadline_text(deadline_acts.resume(work, game))
    return f"The game {game} goes on; deadline: {deadline or 'none'}."


def _unexpected(game: str, error: BaseException) -> str:
    """Log the error. The answer may not show it, for secret orders."""
    log.error("not resumed", game=game, exc_info=error)
    return f"{type(error).__name__}; the log says more. Mend it, then `pbem resume {game}`"


def pause(work: Work, game: str, first: str, last: str, why: str, period: int | None) -> Done:
    table = deadline_acts.pause(work, game, period, first, last, why)
    return _deadline(f"No deadline of {game} falls {calendar.days_of((first, last))}", table)


def _day(written: str) -> str:
    return day_words(date.fromisoformat(written))


def unpause(work: Work, game: str, first: str, why: str, period: int | None) -> Done:
    table = deadline_acts.unpause(work, game, period, first, why)
    return _deadline(f"The pause from {_day(first)} on is lifted in {game}", table)


def _deadline(said: str, table: GameAt) -> Done:
    return Done(f"{said}; deadline: {publishing.deadline_text(table) or 'none'}.")


def hour(work: Work, game: str, hour: str, period: int | None) -> Done:
    """Have deadlines fall at another hour."""
    return Done(hours.set_hour(work, game, period, hour))


def release(work: Work, game: str, bulletin: int | None) -> Done:
    number = bulletin_acts.release(work, game, bulletin)
    return Done(
        f"Bulletin {number} of {game} goes out at the next pass, and the next period is open."
    )


def order(work: Work, game: str, seat: str, file: str, period: int | None) -> Done:
    said = []
    for answer in seat_acts.order(work, game, period, seat, file).answers:
        said += [f"Line {answer.line.number}: {order}" for order in answer.orders]
        said += [f"Line {one.line}: {one.message}" for one in answer.problems]
    read = "\n".join(wrap(line, 4, 74) for line in said) or "    nothing"
    head = f"Entered for {seat} in game {game}; line 1 is the first below ORDER:"
    entered = (
        f"Entered for {called(work, game, seat)} in {game}; line 1 is the first of its orders."
    )
    return Done("\n".join((entered, *(said or ["Nothing was understood."]))), f"{head}\n\n{read}")


def standby(work: Work, game: str, address: str, name: str | None, anyway: bool) -> Done:
    standins.enlist(work, game, address, name or "", anyway=anyway)
    waiting = standbys.waiting(work.conn, game)
    said = f"{counted(waiting, 'player stands', 'players stand')} by for {game}."
    return Done("\n".join((said, *persons.alike(work, game, address))))


def address(work: Work, old: str, new: str | None, works: bool, also: bool = False) -> Done:
    if new is None:
        players.address_works(work, old)
        return Done(f"What came back from {old} is forgotten.")
    if also:
        players.add_address(work, old, new)
        return Done(f"Letters from {new} count as those of {old}; mail still goes to {old}.")
    players.change_address(work, old, new)
    return Done(f"Mail for {old} now goes to {new}.")


def rotate(work: Work, game: str | None, seat: str | None, gamesmaster: bool) -> Done:
    if game is None or seat is None:
        masters.rotate(work.conn, work.mark, work.mark.gamesmaster)
    else:
        seat_acts.rotate(work, game, seat)
    whose = f"{seat}'s" if seat else "Your"
    return Done(f"{whose} old reply address is void; the next mail carries the new one.")


def master(work: Work, game: str, address: str, now: bool) -> Done:
    return _asked(handover.ask(work, game, Role.MASTER, mail_address(address), now=now))


def second(work: Work, game: str, address: str, now: bool) -> Done:
    return _asked(handover.ask(work, game, Role.SECOND, mail_address(address), now=now))


def away(work: Work, game: str, days: str) -> Done:
    return Done(absent_master.go(work, game, days))


def _asked(addresses: Sequence[str]) -> Done:
    return Done(
        f"A code was mailed to {listed(addresses)}; it is so once each has sent his back, within"
        " a week."
    )


def rewind(  # noqa: PLR0913  the arguments of the act
    work: Work,
    game: str,
    number: int,
    order: Sequence[tuple[str, str]],
    accept: Sequence[int],
    drop: Sequence[int],
    why: str,
    do: bool,
) -> Done:
    at = rewinding.closed_period(work, game, number)
    wanted = Wanted(order, accept, drop)
    rewind = Rewind(game, number, why, corrections.corrections(work, at, wanted))
    if not do:
        tried = rewinding.tried(work, rewind)
        return Done(f"{tried.said}\nNothing of this is done or mailed.", tried.said, seen=tried)
    said = rewinding.done(work, rewind)
    corrections.file(work, at, wanted)
    now = games.game_at(work.conn, game)
    leaving.void_resigns(work.conn, now)
    open_ = now.period.number
    is_done = f"Period {number} is adjudicated again; the game {game} is in period {open_}."
    return Done(f"{said}\n{is_done}", f"REWIND: {is_done}\n\n{said}")


def accept(  # noqa: PLR0913  the act's arguments
    work: Work,
    letter: int | None,
    game: str | None,
    before: datetime | None,
    seat: str | None,
    period: int | None,
    anyway: bool,
) -> Done:
    """Accept a held letter, or a game's after a restore."""
    if letter is not None:
        wanted = letter_acts.Wanted(game or None, seat or None, period, anyway=anyway)
        of = letter_acts.accept(work, letter, wanted) or ""
        return Done(f"The next pass takes letter {letter}{of}.")
    if game is None:
        raise OperatorError("say which letter, or which game")
    until = before.replace(tzinfo=games.game_at(work.conn, game).zone) if before else None
    done = restoring.accept(work, game, until, period)
    letters = "letters" if len(done.taken) > 1 else "letter"
    said = [
        f"The next pass takes {letters} {listed(done.taken)} of {game}."
        if done.taken
        else f"No letter of {game} is plainly for its open period."
    ]
    if done.left:
        said.append(f"Still held: {', '.join(map(str, done.left))}; see `pbem queue {game}`.")
    return Done("\n".join([*said, *done.closed]))


def dismiss(work: Work, letter: int) -> Done:
    letter_acts.dismiss(work, letter)
    return Done(f"Letter {letter} is dismissed; it has no effect.")


def retry(work: Work, letter: int) -> Done:
    letter_acts.retry(work, letter)
    return Done(f"The next pass tries letter {letter} again.")


def resend(work: Work, mail: int | None, all_refused: datetime | None) -> Done:
    if mail is not None:
        return Done(f"The next pass sends mail {mail} again, to {letter_acts.resend(work, mail)}.")
    if all_refused is None:
        raise OperatorError("say which mail, or since when")
    since = all_refused.replace(tzinfo=ZoneInfo(work.config.referee.zone))
    number = letter_acts.resend_all(work, since)
    return Done(f"The next pass sends {counted(number, 'mail')} again.")


def start(work: Work, game: str) -> Done:
    opening.start(work, game)
    deadline = publishing.deadline_text(games.game_at(work.conn, game))
    return Done(f"The game {game} has begun; first deadline: {deadline or 'none'}.")


def end(work: Work, game: str, why: str | None) -> Done:
    opening.end(work, game, why or "it will not be finished")
    return Done(f"The game {game} is ended, and all are told.")


def restore(work: Work, release_outbox: bool) -> Done:
    """Hold everything after a backup came back, or release the outbox."""
    if release_outbox:
        freed = counted(letter_acts.release_outbox(work), "mail")
        return Done(f"{freed} may go out. Now let the games go on: `pbem resume --all`.")
    held = counted(letter_acts.restore(work), "mail")
    return Done(
        f"{held} and all games are held. The next pass reads every folder again by content, the"
        " processed one too.\nThen look at `pbem queue`, and accept what counts, game by game:"
        " `pbem accept --game GAME`.\nAfter that let the mails go out: `pbem restore"
        " --release-outbox`; and the games go on: `pbem resume --all`."
    )


_OF_GAMES: dict[str, Callable[..., Done]] = {
    effect.__name__: effect
    for effect in (
        extend,
        close,
        preview,
        replace,
        rule,
        unrule,
        unstandby,
        amended,
        hold,
        resume,
        pause,
        unpause,
        hour,
        release,
        order,
        standby,
        master,
        second,
        away,
        address,
        rotate,
        rewind,
        accept,
        dismiss,
        retry,
        resend,
        start,
        end,
        restore,
    )
}
EFFECTS: Mapping[str, Callable[..., Done]] = _OF_GAMES | WORD_EFFECTS | TABLE_EFFECTS
