"""What mails promise: each sentence of a mail that says what will be, and how it is seen that it
was."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from sqlalchemy import select

from pbem.store.engine import database
from pbem.store.games import games
from pbem.store.schema.tables import Offer
from tests.club.evening import STARTS, Came, Evening

_SENTENCE = re.compile(r"[^.;:]*[.;:]")
_PROMISES = re.compile(
    r"\b(?:you will be|you are (?:then )?(?:told|mailed|asked(?! now))|is offered to you by mail"
    r"|(?:are|is) mailed)\b",
    re.IGNORECASE,
)
_IN_GAME = re.compile(r"\b(?:in|game|for|of) ([a-z]+)\b")


@cache
def promised(text: str) -> tuple[str, ...]:
    """The sentences of a mail that say what its reader will be told or given."""
    sentences = _SENTENCE.findall(" ".join(text.split()))
    return tuple(one.strip() for one in sentences if _PROMISES.search(one))


@dataclass(frozen=True, slots=True)
class Promise:
    """What a sentence promises, by its words; ``kept``: whether that happened to whoever read
    it."""

    pattern: re.Pattern[str]
    kept: Callable[[Evening, Came], bool]


def _game(at: Evening, came: Came) -> str:
    """The game that a mail is about."""
    if came.game:
        return came.game
    keys = {one.game for one in at.tables}
    named = (word for word in _IN_GAME.findall(" ".join(came.text.split())) if word in keys)
    return next(named, "")


def _got(at: Evening, came: Came, subject: str) -> bool:
    """Whether its reader got a mail of the game with these words in its subject, then or later."""
    game = _game(at, came)
    return any(
        one.to == came.to
        and one.game == game
        and one.minute >= came.minute
        and subject in one.subject
        for one in at.came
    )


def _seated(at: Evening, came: Came) -> bool:
    """The seat is mailed, or the reader is told that he has none, or has left."""
    begins = _got(at, came, ": you are ") or _got(at, came, "begun without you")
    return begins or _has_left(at, came)


def _has_left(at: Evening, came: Came) -> bool:
    return any(
        word == f"SIGNOFF {_game(at, came)}" and person.address == came.to
        for person in at.people
        for word in person.said
    )


def _bulletin(at: Evening, came: Came) -> bool:
    return _got(at, came, "Bulletin") or _has_left(at, came)


def _offered(at: Evening, came: Came) -> bool:
    """Every seat that fell free was offered to whoever waited for one, unless it was taken before
    he was asked."""
    game = _game(at, came)
    offered = select(Offer.id).where(Offer.game_id == game, Offer.alone.is_(False))
    with database.shared_transaction(at.engine) as conn:
        seats = conn.execute(offered).all()
    return not seats or _got(at, came, "Will you play") or _has_left(at, came)


def _offered_again(at: Evening, came: Came) -> bool:
    """Every seat that fell free later was offered to him too."""
    since = STARTS + timedelta(minutes=came.minute)
    later = select(Offer.seat, Offer.address).where(
        Offer.game_id == _game(at, came), Offer.alone.is_(False), Offer.made > since
    )
    with database.shared_transaction(at.engine) as conn:
        offered = conn.execute(later).all()
    return {seat for seat, _ in offered} == {seat for seat, to in offered if to == came.to}


def _taken(at: Evening, came: Came) -> bool:
    """Whoever took it is briefed; to another it was taken before."""
    game = _game(at, came)
    others = any(one.game == game and "has a new player" in one.text for one in at.came)
    return _got(at, came, ": you are ") or others or at.over


def _asked(at: Evening, came: Came) -> bool:
    """House rule 7: a seat that has missed two moves in a row is asked, or offered to others."""
    with database.shared_transaction(at.engine) as conn:
        held = games.holders(conn, _game(at, came)).values()
    return all(one.missed < 3 for one in held)


def _other_player(at: Evening, came: Came) -> bool:
    """QUIT: another has the seat, or the game is over."""
    return _got(at, came, "another player") or _got(at, came, "is over") or at.over


def _coded(at: Evening, came: Came) -> bool:
    """Whoever signs on after he has read it is mailed a code."""
    later = [one for one in at.came if one.to == came.to and one.minute >= came.minute]
    return any("CONFIRM" in one.text for one in later) or not any(
        "SIGNON" in word for word in at.person(came.to).said
    )


def _seed(at: Evening, came: Came) -> bool:
    """The last bulletin of the game has it."""
    game = _game(at, came)
    told = any(one.game == game and "seed of this game was" in one.text for one in at.came)
    return told or _has_left(at, came)


def _told_of_deputy(at: Evening, came: Came) -> bool:
    """A mail about the deputy comes to whoever named her, or is one."""
    later = [one for one in at.came if one.to == came.to and one is not came]
    return any(one.game == _game(at, came) and one.tells_of_deputy for one in later)


PROMISES = (
    Promise(re.compile("You are mailed when (it ends|the answer is yes)"), _told_of_deputy),
    Promise(re.compile("You are mailed a code to send back"), _coded),
    Promise(re.compile("You are told the seed when the game ends"), _seed),
    Promise(re.compile("that it pleased them only you are told"), _bulletin),
    Promise(re.compile("CONTINUE - you play on, when you are asked"), _asked),
    Promise(re.compile("you are mailed your seat"), _seated),
    Promise(re.compile("it closes, and you are told"), _seated),
    Promise(re.compile("observers are mailed its bulletins"), _bulletin),
    Promise(re.compile("everybody is mailed a bulletin"), _bulletin),
    Promise(re.compile("you will be mailed its bulletins"), _bulletin),
    Promise(re.compile("it is offered to you by mail"), _offered),
    Promise(re.compile("all that its player has to know is mailed to you"), _taken),
    Promise(re.compile("[Ww]hen another seat is free, you are asked again"), _offered_again),
    Promise(re.compile("after two in a row you are asked|Two moves missed in a row"), _asked),
    Promise(re.compile("until you are mailed that another player has your seat"), _other_player),
)
