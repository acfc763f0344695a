"""Acts on words: the gamesmaster's to his players, and theirs to him and to each other."""

from __future__ import annotations

from collections.abc import Callable

from pbem.orders.called import with_seat
from pbem.periods import editor_letters, inquiries, press_acts, protests
from pbem.post.work import Work
from pbem.referee.acts.effect import Done
from pbem.referee.game import relaying
from pbem.store.games import games


def called(work: Work, game: str, seat: str) -> str:
    """Return a seat with its player's name, if that is public."""
    at = games.game_at(work.conn, game)
    return with_seat(at.player(seat) if seat in at.holders else None, seat)


def press(work: Work, game: str, to: str, file: str) -> Done:
    text = relaying.of_gamesmaster(work, game, to, file)
    return Done(
        f"Your words in {game} were relayed to {to}.", f"PRESS: this was relayed.\n\n{text}"
    )


def answer(work: Work, letter: int, text: str, to_all: bool) -> Done:
    one = inquiries.answer(work, letter, text, to_all=to_all)
    if to_all:
        relaying.of_gamesmaster(work, one.game_id, "ALL", inquiries.for_all(one, text))
        return Done(f"Question and answer go to all players of {one.game_id}.")
    return Done(f"Your answer goes to {called(work, one.game_id, one.seat)} in {one.game_id}.")


def settle(work: Work, game: str, seat: str, why: str | None) -> Done:
    protests.settle(work, game, seat, why or "")
    return Done(
        f"The protest of {called(work, game, seat)} in {game} is settled; that player is told."
    )


def print_letter(work: Work, number: int) -> Done:
    """Print a letter in the club's paper."""
    editor_letters.release(work, number)
    return Done(f"The next issue prints letter {number}; its writer is told.")


def reject_letter(work: Work, number: int, why: str | None) -> Done:
    """Do not print it."""
    editor_letters.reject(work, number, why or "")
    return Done(f"Letter {number} is not printed; its writer is told.")


def warn(work: Work, game: str, seat: str, why: str) -> Done:
    press_acts.warn(work, game, seat, why)
    return Done(f"Your warning goes to {called(work, game, seat)}, and to nobody else.")


def suspend(work: Work, game: str, seat: str, days: int, why: str) -> Done:
    until = press_acts.suspend(work, game, seat, days, why)
    if not until:
        return Done(
            f"The press of {called(work, game, seat)} goes out again; only that player is told."
        )
    whose = called(work, game, seat)
    return Done(f"No press of {whose} goes out until {until}; only that player is told.")


WORD_EFFECTS: dict[str, Callable[..., Done]] = {
    effect.__name__.replace("_", "-"): effect
    for effect in (press, answer, settle, print_letter, reject_letter, warn, suspend)
}
