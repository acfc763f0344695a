"""ZINE and LISTED: what a person asks for as a member of the club.

Unregistered addresses and unproven letters need a code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.orders.club_words import LISTED, OFF, ON, ZINE
from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.post import codes
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import watching
from pbem.store.games import club
from pbem.store.games.club import Asked
from pbem.store.people import players

KIND = "subscribe"
"""The kind of its codes (:mod:`pbem.post.codes`)."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What a word asks for."""

    what: Asked
    wished: str
    """What its writer would like, behind "You would like to"."""
    stands: str
    """What he is told while he has it."""
    lacks: str
    """What he is told while he has it not."""
    begun: str
    ended: str


_WISHES: Mapping[str, _Wish] = {
    ZINE: _Wish(
        Asked.ZINE,
        "be mailed the club's paper: once a month, what its games came to",
        "You get the club's paper.",
        "You do not get the club's paper.",
        "The club's paper comes to you from now on, once a month.",
        "The club's paper comes to you no longer.",
    ),
    LISTED: _Wish(
        Asked.LISTED,
        "stand in the club's table on its pages, by your name, with your games, seats and finishes",
        "You stand in the club's table on its pages.",
        "You do not stand in the club's table.",
        "From now on you stand in the club's table on its pages, by your name, with the games,"
        " seats and finishes of yours that everybody may read there. A game that hides names"
        " leaves you out until it is over. Your address stands nowhere.",
        "You stand in the club's table no longer.",
    ),
}


def zine(work: Work, judged: Judged, argument: str) -> Answer:
    if argument == ON and not work.config.club.zine:
        return Answer("This club has no paper at present.", "The club's paper")
    return _answer(work, judged, ZINE, argument)


def listed(work: Work, judged: Judged, argument: str) -> Answer:
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    if player_id is None:
        text = (
            "In the club's table stand those who play here, and you do not yet. The word\u00a0GAMES"
            " tells what is open."
        )
        return Answer(text, "The club's table")
    return _answer(work, judged, LISTED, argument)


def _answer(work: Work, judged: Judged, word: str, argument: str) -> Answer:
    wish = _WISHES[word]
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    has = player_id is not None and club.has_asked(work.conn, wish.what, player_id)
    if argument not in (ON, OFF) or has == (argument == ON):
        stands = wish.stands if has else wish.lacks
        other = OFF if has else ON
        return Answer(f"{stands} To change that, write\u00a0{word}\u00a0{other}.", _subject(word))
    if player_id is not None and watching.sure(work, judged):
        return _done(work, player_id, word, on=argument == ON)
    return _asks(work, judged, word, on=argument == ON)


def _asks(work: Work, judged: Judged, word: str, *, on: bool) -> Answer:
    """Mail a code for a letter that does not prove itself."""
    code = codes.new(work, KIND, judged.letter.sender or "", word=word, on=on)
    letter = Links(codes.reply_to(work, code), f"Re: {_subject(word)}").line("yes")
    wish = _WISHES[word]
    first = f"You would like to {wish.wished}." if on else f"{wish.stands} You want that no more."
    yes, line = sheet.answer_line("yes", letter), sheet.answer_line(f"CONFIRM {code}")
    text = (
        f"{first}\n\nIf that is so, answer this mail within a week with one word:\n\n{yes}\n\n"
        "You did not ask for this? Then do nothing. If an answer to this mail does not work for"
        f" you, this line does the same:\n\n{line}"
    )
    return Answer(text, _subject(word), code)


def confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> Answer:
    player_id = players.at_address(work.conn, told["by"])
    if player_id is None:
        player_id = players.newcomer(work.conn, told["by"], work.now)
    return _done(work, player_id, told["word"], on=told["on"])


def _done(work: Work, player_id: int, word: str, *, on: bool) -> Answer:
    wish = _WISHES[word]
    if on:
        club.ask(work.conn, wish.what, player_id, work.now)
        return Answer(f"{wish.begun}\n\nTo end it, write\u00a0{word}\u00a0{OFF}.", _subject(word))
    club.end_asked(work.conn, wish.what, player_id)
    text = f"{wish.ended} If you did not mean that, write\u00a0{word}\u00a0{ON}."
    return Answer(text, _subject(word))


def _subject(word: str) -> str:
    return {ZINE: "The club's paper", LISTED: "The club's table"}[word]
