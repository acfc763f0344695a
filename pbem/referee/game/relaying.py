"""Relay press: limits, readers, veils; also the gamesmaster's press."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.errors import OperatorError
from pbem.games.frame import press_rules
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.orders import press_lines
from pbem.orders.mailwords import Press as Words
from pbem.orders.naming import NotAName
from pbem.periods import guards, names
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import editor, press_mails, receipt_text
from pbem.store.games import press
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.tables import Press
from pbem.text import listed

_NO_PEN_NAMES = (
    "players have no pen-names here. Leave out AS and what follows it, or write ANONYMOUS there."
)
_TWO_FACES = (
    "This letter has words of yours with your name and without it. They go out in the same minute,"
    " so readers may guess that one player wrote both: send such words in two letters, hours apart."
)


@dataclass(frozen=True, slots=True)
class Relayed:
    """The press of a letter, relayed."""

    notes: Sequence[str]
    sections: Sequence[tuple[str, str]]
    """Title and text of each press that went out."""
    quiet: bool
    """All went out, and nothing needs saying."""
    held: Sequence[str] = ()
    """As a yes sends them."""


def presses(work: Work, judged: Judged, at: GameAt, *, trial: bool, offers: int = 0) -> Relayed:
    """Relay each press that may go out; on trial, say what would. offers: suggestions before."""
    given, an_hour = judged.decision.peeled.press, work.limits.letters_an_hour
    left = press_mails.presses_left(work, at, judged.decision.seat, an_hour) if given else 0
    said, sections, went = list[str](), list[tuple[str, str]](), list[Words]()
    held = dict[int, Words]()
    if len(given) > left:
        said.append(receipt_text.presses_over(given[left:], press_mails.MOST_PRESSES, an_hour))
    author = judged.decision.seat
    bots = {seat.upper() for seat in at.bots}
    for written in given[:left]:
        if written.pen_name:
            said.append(f"{_called(written)}: it was not relayed: {_NO_PEN_NAMES}")
            continue
        words = replace(written, to=addressed(at, written.to))
        if unread := [one for one in words.to if one in bots]:
            words = replace(words, to=tuple(one for one in words.to if one not in bots))
            said.append(f"{_called(written)}: {read_by_nobody(unread)}.")
            if not words.to:
                continue
        if editor.is_to(words):
            said.append(editor.take(work, judged, at, words, trial=trial))
            continue
        if words.anonymous:
            words = replace(
                words, text=press_rules.unsigned(words.text, own_names(judged, at, author))
            )
        why = _why_not(work, judged, at, words)
        if not why and not words.sure and _shows_writer(judged, at, words):
            held[len(said)] = words
            said.append("")
            continue
        if why or trial:
            said.append(why or f"{_called(words)}: it can be relayed as it is.")
            went += [] if why else [words]
            continue
        text = _relayed(work, judged, at, words)
        went.append(words)
        to, unnamed = ", ".join(words.to), " without your name" * words.anonymous
        said.append(f"Your press to {to} went out{unnamed}.")
        sections.append((f"Your press to {to} as it went out", text))
    for number, (place, words) in enumerate(held.items(), offers + 1):
        answer = "" if trial else "yes" if len(held) + offers == 1 else str(number)
        found = _shows_writer(judged, at, words)
        said[place] = receipt_text.held_veiled(_called(words), found, words.text, answer)
    two_faced = len({words.anonymous for words in went}) > 1
    said += [_TWO_FACES] * two_faced
    plain = len(went) == len(given) == len(said)  # nothing else is said
    return Relayed(said, sections, plain and not trial, [str(one) for one in held.values()])


def read_by_nobody(bots: Sequence[str]) -> str:
    one = len(bots) == 1
    return f"{listed(bots)} {'is a bot, and reads' if one else 'are bots, and read'} no press"


def _why_not(work: Work, judged: Judged, at: GameAt, words: Words) -> str:
    seats = _named(at)
    unknown = [seat for seat in words.to if seat != press_rules.EVERYBODY and seat not in seats]
    if unknown:
        there = listed(f"{key} ({name})" if name else key for key, name in _players(at).items())
        return (
            f"PRESS TO {', '.join(unknown)}: there is no such seat or player; it was not relayed."
            f" It can go to ALL, or to {there}."
        )
    if lines := press_rules.not_words(at.ruleset.language, words):
        return receipt_text.held_press(_called(words), lines)
    seat, veiled = judged.decision.seat, words.anonymous
    to_all = press_rules.EVERYBODY in words.to
    why = (
        guards.suspended(work, at, seat)
        or press_rules.forbidden(at.house.press, to_all=to_all, signed=not veiled)
        or press_rules.too_long(words.text)
        or press_mails.shows(work, at.holders[seat].address, words.text, veiled=veiled)
    )
    return f"{_called(words)}: it was not relayed: {why}." if why else ""


def _shows_writer(judged: Judged, at: GameAt, words: Words) -> str:
    names = own_names(judged, at, judged.decision.seat)
    return press_rules.of_writer(words.text, names) if words.anonymous else ""


def own_names(judged: Judged, at: GameAt, seat: Seat) -> tuple[str, ...]:
    """Return the names of a letter's writer, but words that name a seat."""
    seats = {word for one in at.seats for word in (one, *_party(at, one).split())}
    called = f"{judged.letter.sender_name} {at.player(seat)}".split()
    return tuple(word for word in called if word not in seats)


def _called(words: Words) -> str:
    return f"PRESS TO {', '.join(words.to)}"


def _players(at: GameAt) -> dict[Seat, str]:
    return {seat: at.player(seat) for seat in at.seats}


def _party(at: GameAt, seat: Seat) -> str:
    called = templates.seat_words(at.ruleset, at.state, seat).partition(", ")[2]
    return called.removeprefix("the ")


def addressed(at: GameAt, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the readers named; unknown words stay."""
    called = {seat: (player, _party(at, seat)) for seat, player in _players(at).items()}
    found = (key.upper() for key in press_rules.addressed(words, called))
    return tuple(dict.fromkeys(found))


def _named(at: GameAt) -> dict[str, Seat]:
    return {seat.upper(): seat for seat in at.seats}


def _relayed(work: Work, judged: Judged, at: GameAt, words: Words) -> str:
    seats, author = _named(at), judged.decision.seat
    new = Press(
        game_id=at.id,
        period=at.period.number,
        author=author,
        anonymous=words.anonymous,
        audience=[] if press_rules.EVERYBODY in words.to else [seats[seat] for seat in words.to],
        text=press_mails.harmless(words.text),
        letter_id=judged.row.id,
        player_id=at.holders[author].player_id,
    )
    return press_mails.send(work, at, new, ", ".join(words.to))


def of_gamesmaster(work: Work, game_id: str, to: str, text: str) -> str:
    """Send the gamesmaster's words; those to all are in the next bulletin too.

    to: as after PRESS TO. Return the text. Raise OperatorError.
    """
    at = guards.guarded(work.conn, game_id, None)
    if not text.strip():
        raise OperatorError("a press without a word; write what is to be relayed")
    opening = press_lines.opening(f"PRESS TO {to}") or press_lines.Opening((to,))
    pen_name = _veil(work, at, opening)
    named = _named(at)
    keys = list(opening.to)
    audience = [] if press_rules.EVERYBODY in keys else [named.get(key, key) for key in keys]
    for seat in audience:
        guards.known(at, seat)
    if bots := [seat for seat in audience if seat in at.bots]:
        raise OperatorError(f"nothing was relayed: {read_by_nobody(bots)}")
    if why := press_rules.too_long(text.strip("\n")):
        raise OperatorError(f"nothing was relayed: {why}")
    new = Press(
        game_id=at.id,
        period=at.period.number,
        author=press.GAMESMASTER,
        anonymous=opening.anonymous,
        audience=audience,
        text=press_mails.harmless(text.strip("\n")),
        pen_name=pen_name,
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    readers = audience or [press_rules.EVERYBODY]
    notes.note(work.conn, at.id, work.now, "press", to=readers, sha256=digest)
    return press_mails.send(work, at, new, ", ".join(readers))


def _veil(work: Work, at: GameAt, opening: press_lines.Opening) -> str:
    said = f'AS "{opening.pen_name}"' if opening.pen_name else "ANONYMOUS"
    if (opening.anonymous or opening.pen_name) and not at.ruleset.about.veiled:
        raise OperatorError(f"yours says that it is the gamesmaster's, and cannot be {said}")
    called = [word for seat in at.seats for word in (seat, _party(at, seat), at.player(seat))]
    try:
        return opening.pen_name and names.checked(
            opening.pen_name, (*filter(None, called), work.mark.name)
        )
    except NotAName as error:
        raise OperatorError(f"nothing was relayed: {error}") from error
