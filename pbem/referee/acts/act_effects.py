"""What each act does and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import structlog

from pbem.errors import OperatorError, OutsideError, OverBudget
from pbem.games.frame.length import Length
from pbem.periods import (
    amendments,
    bulletin_acts,
    deadline_acts,
    editor_letters,
    guards,
    handover,
    hours,
    inquiries,
    opening,
    persons,
    players,
    press_acts,
    protests,
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
from pbem.referee.game import relaying, restoring
from pbem.referee.gamesmaster import corrections
from pbem.referee.gamesmaster.corrections import Wanted
from pbem.referee.words import leaving
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.people import standbys
from pbem.store.people.players import mail_address
from pbem.store.schema.states import GameState
from pbem.text import counted, listed, wrap

log = structlog.get_logger()


def extend(work: Work, game: str, days: Length, why: str, period: int | None) -> Done:
    moved = deadline_acts.extend(work, game, period, days, why)
    deadline = publishing.deadline_text(moved)
    return Done(f"new deadline: {deadline}", f"EXTEND: the new deadline is {deadline}")


def close(work: Work, game: str, period: int | None, unread: bool = False) -> Done:
    """Close the period, or have it closed at the next pass."""
    if not unread:
        number = deadline_acts.ask_to_close(work, game, period).period.number
        return Done(
            f"period {number} of {game} closes with the daemon's next pass, when all letters that"
            " came before this have been read"
        )
    after = deadline_acts.close(work, game, period).period
    now = f"{after.number} ({after.phase})"
    return Done(
        f"closed; game {game} is in period {now}", f"CLOSE: game {game} is now in period {now}"
    )


def preview(work: Work, game: str) -> Done:
    seen = bulletin_acts.preview(work, game)
    missing = f"missing: {', '.join(seen.missing) or 'nobody'}"
    return Done(f"{seen.text}\n{missing}", f"PREVIEW ({missing})\n\n{seen.text}", seen=seen)


def replace(  # noqa: PLR0913  the act's arguments
    work: Work, game: str, seat: str, address: str, name: str | None, why: str, anyway: bool
) -> Done:
    seat_acts.replace(work, game, seat, address, name or "", why, anyway=anyway)
    said = f"{seat} in {game} is now {address}"
    return Done("\n".join((said, *persons.alike(work, game, address))))


def rule(work: Work, game: str, text: str) -> Done:
    number = bulletin_acts.ruling(work, game, text)
    back = f"It is ruling {number}; to take it back: "
    return Done(
        f"it will be printed in the next bulletin\n{back}`pbem unrule {game} {number}`",
        f"RULE. The next bulletin prints: Ruling of the gamesmaster: {text}\n\n{back}the"
        f" word\u00a0UNRULE {number}",
    )


def unrule(work: Work, game: str, number: int, why: str | None) -> Done:
    """Withdraw a ruling."""
    printed = bulletin_acts.withdraw(work, game, number, why or "")
    said = "the next bulletin says so" if printed else "no bulletin had printed it"
    return Done(f"ruling {number} is withdrawn; {said}")


def unstandby(work: Work, game: str, address: str, why: str | None) -> Done:
    standins.withdraw(work, game, mail_address(address), why or "")
    return Done(f"{address} stands by for {game} no longer")


def amended(work: Work, game: str, number: int, how: str, period: int | None) -> Done:
    at = amendments.carry_out(work, game, period, number, how)
    one = amendments.adopted(at, number)
    return Done(f"amendment {number} of {game} is carried out: {', '.join(one.done)}; all are told")


def hold(work: Work, game: str, why: str) -> Done:
    """Stop the clock."""
    deadline_acts.hold(work, game, why)
    return Done(f"game {game} is held")


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
            said.append(f"game {one} stays held: {why}")
    undone = f"{stay} of {counted(len(held), 'game')} stayed held" if stay else None
    return Done("\n".join(said or ["no game is held"]), undone=undone)


def _goes_on(work: Work, game: str) -> str:
    deadline = publishing.deadline_text(deadline_acts.resume(work, game))
    return f"game {game} goes on; deadline: {deadline or 'none'}"


def _unexpected(game: str, error: BaseException) -> str:
    """Log the error. The answer may not show it, for secret orders."""
    log.error("not resumed", game=game, exc_info=error)
    return f"{type(error).__name__}; the log says more. Mend it, then `pbem resume {game}`"


def pause(work: Work, game: str, first: str, last: str, why: str, period: int | None) -> Done:
    table = deadline_acts.pause(work, game, period, first, last, why)
    return _deadline(f"no deadline of {game} falls from {first} to {last}", table)


def unpause(work: Work, game: str, first: str, why: str, period: int | None) -> Done:
    table = deadline_acts.unpause(work, game, period, first, why)
    return _deadline(f"the pause from {first} on is lifted in {game}", table)


def _deadline(said: str, table: GameAt) -> Done:
    return Done(f"{said}; deadline: {publishing.deadline_text(table) or 'none'}")


def hour(work: Work, game: str, hour: str, period: int | None) -> Done:
    """Have deadlines fall at another hour."""
    return Done(hours.set_hour(work, game, period, hour))


def release(work: Work, game: str, bulletin: int | None) -> Done:
    bulletin_acts.release(work, game, bulletin)
    return Done("released")


def order(work: Work, game: str, seat: str, file: str, period: int | None) -> Done:
    said = []
    for answer in seat_acts.order(work, game, period, seat, file).answers:
        said += [f"line {answer.line.number}: {order}" for order in answer.orders]
        said += [f"line {one.line}: {one.code} {one.message}" for one in answer.problems]
    read = "\n".join(wrap(line, 4, 74) for line in said) or "    nothing"
    head = f"Entered for {seat} in game {game}; line 1 is the first below ORDER:"
    return Done("\n".join(said), f"{head}\n\n{read}")


def standby(work: Work, game: str, address: str, name: str | None, anyway: bool) -> Done:
    standins.enlist(work, game, address, name or "", anyway=anyway)
    waiting = standbys.waiting(work.conn, game)
    said = f"{counted(waiting, 'player stands', 'players stand')} by for {game}"
    return Done("\n".join((said, *persons.alike(work, game, address))))


def address(work: Work, old: str, new: str | None, works: bool, also: bool = False) -> Done:
    if new is None:
        players.address_works(work, old)
        return Done(f"what came back from {old} is forgotten")
    if also:
        players.add_address(work, old, new)
        return Done(f"letters from {new} count as those of {old}; mail still goes to {old}")
    players.change_address(work, old, new)
    return Done(f"mail for {old} now goes to {new}")


def rotate(work: Work, game: str | None, seat: str | None, gamesmaster: bool) -> Done:
    if game is None or seat is None:
        masters.rotate(work.conn, work.mark, work.mark.gamesmaster)
    else:
        seat_acts.rotate(work, game, seat)
    whose = f"{seat}'s" if seat else "your"
    return Done(f"{whose} old reply address is void; the next mail carries the new one")


def master(work: Work, game: str, address: str, now: bool) -> Done:
    return _asked(handover.ask(work, game, Role.MASTER, mail_address(address), now=now))


def second(work: Work, game: str, address: str, now: bool) -> Done:
    return _asked(handover.ask(work, game, Role.SECOND, mail_address(address), now=now))


def away(work: Work, game: str, days: str) -> Done:
    return Done(absent_master.go(work, game, days))


def _asked(addresses: Sequence[str]) -> Done:
    return Done(
        f"a code was mailed to {listed(addresses)}; it is so once each has sent his back, within"
        " a week"
    )


def key(work: Work, address: str, file: str) -> Done:
    """Register an OpenPGP key. Answer its fingerprint."""
    return Done(f"{address} signs with {players.register_key(work, address, file)}")


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
    """Adjudicate a closed period again, or show the changes."""
    at = rewinding.closed_period(work, game, number)
    wanted = Wanted(order, accept, drop)
    rewind = Rewind(game, number, why, corrections.corrections(work, at, wanted))
    if not do:
        tried = rewinding.tried(work, rewind)
        again = "Nothing of this is done or mailed. To do it, give the same words with --do."
        return Done(f"{tried.said}\n{again}", tried.said, seen=tried)
    said = rewinding.done(work, rewind)
    corrections.file(work, at, wanted)
    now = games.game_at(work.conn, game)
    leaving.void_resigns(work.conn, now)
    is_done = f"period {number} is adjudicated again; game {game} is in period {now.period.number}"
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
        return Done(f"the daemon's next pass takes it{of}")
    if game is None:
        raise OperatorError("say which letter, or which game")
    until = before.replace(tzinfo=games.game_at(work.conn, game).zone) if before else None
    done = restoring.accept(work, game, until, period)
    said = [
        f"the daemon's next pass takes letters {', '.join(map(str, done.taken))}"
        if done.taken
        else f"no letter of {game} is plainly for its open period"
    ]
    if done.left:
        said.append(f"still held: {', '.join(map(str, done.left))}; see `pbem queue {game}`")
    return Done("\n".join(said))


def dismiss(work: Work, letter: int) -> Done:
    letter_acts.dismiss(work, letter)
    return Done("dismissed", f"DISMISS: letter {letter} is dismissed; it has no effect")


def retry(work: Work, letter: int) -> Done:
    letter_acts.retry(work, letter)
    return Done("the daemon's next pass tries it")


def resend(work: Work, mail: int | None, all_refused: datetime | None) -> Done:
    if mail is not None:
        return Done(f"the daemon's next pass sends it to {letter_acts.resend(work, mail)}")
    if all_refused is None:
        raise OperatorError("say which mail, or since when")
    since = all_refused.replace(tzinfo=ZoneInfo(work.config.referee.zone))
    number = letter_acts.resend_all(work, since)
    return Done(f"the daemon's next pass sends {counted(number, 'mail')} again")


def press(work: Work, game: str, to: str, file: str) -> Done:
    text = relaying.of_gamesmaster(work, game, to, file)
    return Done(f"relayed to {to}", f"PRESS: this was relayed.\n\n{text}")


def answer(work: Work, letter: int, text: str, to_all: bool) -> Done:
    one = inquiries.answer(work, letter, text, to_all=to_all)
    if to_all:
        relaying.of_gamesmaster(work, one.game_id, "ALL", inquiries.for_all(one, text))
        return Done(f"question and answer go to all players of {one.game_id}")
    return Done(f"the player of {one.seat} in {one.game_id} has your answer")


def settle(work: Work, game: str, seat: str, why: str | None) -> Done:
    protests.settle(work, game, seat, why or "")
    return Done(f"the protest of {seat} is settled; its player is told")


def print_letter(work: Work, number: int) -> Done:
    """Print a letter in the club's paper."""
    editor_letters.release(work, number)
    return Done(f"letter {number} is printed in the next issue; its writer is told")


def reject_letter(work: Work, number: int, why: str | None) -> Done:
    """Do not print it."""
    editor_letters.reject(work, number, why or "")
    return Done(f"letter {number} is not printed; its writer is told")


def warn(work: Work, game: str, seat: str, why: str) -> Done:
    press_acts.warn(work, game, seat, why)
    return Done(f"the player of {seat} is told, and nobody else")


def suspend(work: Work, game: str, seat: str, days: int, why: str) -> Done:
    until = press_acts.suspend(work, game, seat, days, why)
    if not until:
        return Done(f"the press of {seat} goes out again; only its player is told")
    return Done(f"no press of {seat} goes out until {until}; only its player is told")


def start(work: Work, game: str) -> Done:
    opening.start(work, game)
    deadline = publishing.deadline_text(games.game_at(work.conn, game))
    return Done(f"game {game} has begun; first deadline: {deadline or 'none'}")


def end(work: Work, game: str, why: str | None) -> Done:
    opening.end(work, game, why or "it will not be finished")
    return Done(f"game {game} is ended")


def restore(work: Work, release_outbox: bool) -> Done:
    """Hold everything after a backup came back, or release the outbox."""
    if release_outbox:
        freed = counted(letter_acts.release_outbox(work), "mail")
        return Done(f"{freed} may go out; now `pbem resume --all`")
    held = counted(letter_acts.restore(work), "mail")
    return Done(
        f"{held} and all games are held, and every folder (the processed one too) is read again by"
        " content at\nthe next pass. Look at `pbem queue`, then: pbem accept --game GAME; pbem"
        " restore --release-outbox;\npbem resume --all"
    )


_OF_GAMES: dict[str, Callable[..., Done]] = {
    effect.__name__.replace("_", "-"): effect
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
        key,
        rewind,
        accept,
        dismiss,
        retry,
        resend,
        press,
        answer,
        settle,
        print_letter,
        reject_letter,
        warn,
        suspend,
        start,
        end,
        restore,
    )
}
EFFECTS: Mapping[str, Callable[..., Done]] = _OF_GAMES | TABLE_EFFECTS
