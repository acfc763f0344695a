"""Sentences for journal entries. The first whose facts are there is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import Freed
from pbem.text import listed

_FREED = {
    Freed.QUIT: "its player asked to be relieved",
    Freed.SILENT: "its player was silent",
    Freed.LIST: "its player sent no list",
    Freed.BOT: "a house bot plays it",
}
_LOOKS = {
    LookKind.PREVIEW: "a bulletin before its time",
    LookKind.DRY_RUN: "what a rewind would change",
    LookKind.ORDER: "the orders of {seat}, as he entered some",
    LookKind.ACCEPT: "letter {letter}, which he accepted",
    LookKind.LETTER: "letter {letter}",
    LookKind.PRESS: "private words between players, in letter {letter}",
    LookKind.EXPORT: "the whole record",
    LookKind.MAIL: "mail {mail}, to {seat}",
}
_LOOKS_BEFORE = {
    LookKind.ORDER: "the orders of a seat, as he entered some",
    LookKind.ACCEPT: "a letter that he accepted",
    LookKind.LETTER: "a letter",
    LookKind.PRESS: "private words between players",
    LookKind.MAIL: "a private mail",
}
WORDS: Mapping[str, Sequence[str]] = {
    "new": ("The game was made.",),
    "start": ("It began.",),
    "letter": (
        "Letter {letter} of {seat} for period {period} was taken.",
        "A letter of {seat} for period {period} was taken.",
    ),
    "bot": ("The house bot of {seat} gave its orders for period {period}.",),
    "adjudicated": ("Period {period} was adjudicated.",),
    "published": ("Bulletin {bulletin} was published{corrected}.",),
    "deadline": ("The deadline of period {period} was moved: {why}.",),
    "closed-by-hand": ("Period {period} was closed by hand.",),
    "hold": ("The game was held: {why}.",),
    "resume": ("The game went on.",),
    "pause": ("No deadline falls from {first} to {last}: {why}.",),
    "unpause": ("The pause from {first} to {last} was lifted: {why}.",),
    "hour": ("From the next period on deadlines fall at {hour}, no longer at {before}.",),
    "release": ("Bulletin {bulletin} was released.",),
    "ruling": ("A ruling: {text}",),
    "look": ("The gamesmaster looked at {looked}, in period {period}.",),
    "orders-on-behalf": ("The gamesmaster entered orders for {seat}, in period {period}.",),
    "replaced": ("{seat} has another player: {why}.",),
    "token-rotated": (
        "{whose} of {seat} has a new secret address.",
        "{seat} has a new secret address: {why}.",
        "{seat} has a new secret address.",
    ),
    "links-lapsed": ("The links in earlier mails to {seat} do not work any more: {why}.",),
    "rewind-tried": ("A rewind to period {to} was tried: {why}.",),
    "rewind": ("The game was rewound to period {to}: {why}.",),
    "restored": ("The database came back from a backup.",),
    "letter-accepted": (
        "Letter {letter} was accepted for {seat}, period {period}.",
        "Letter {letter} was accepted as it is.",
    ),
    "letters-accepted": ("Letters that were held after a restore were accepted.",),
    "letter-dismissed": ("Letter {letter} was dismissed.",),
    "letter-retried": ("Letter {letter} was decided again.",),
    "mail-resent": ("Mail {mail} was sent again.",),
    "address-changed": ("A player has another address.",),
    "address-works": ("Mail to a player arrives again.",),
    "standby": ("One more player stands by.",),
    "letter-printed": ("Letter {number} to the club's paper was released for the next issue.",),
    "letter-rejected": ("Letter {number} to the club's paper was not printed.",),
    "standby-withdrawn": ("The gamesmaster took a stand-by player off the list.",),
    "ruling-withdrawn": ("A ruling was withdrawn: {text}",),
    "standby-quit": ("A player stands by no longer.",),
    "asked": ("{seat} was asked whether its player plays on.",),
    "free": ("The seat {seat} fell free: {freed}.",),
    "offered": ("The seat {seat} was offered.",),
    "offer-ended": ("An offer of the seat {seat} ended.",),
    "stays": ("The player of {seat} stays.",),
    "quit": ("The player of {seat} has asked to be relieved.",),
    "grace": ("Period {period} waits for {seats}.",),
    "silence": ("The players were told that the gamesmaster has been silent.",),
    "deputy": ("{seat} has named a deputy, who agrees.",),
    "deputy-asked": ("{seat} has asked somebody to be its deputy.",),
    "deputy-begins": ("The deputy of {seat} begins.",),
    "deputy-ends": ("The deputy of {seat} has ended.",),
    "absent": ("The player of {seat} is away from {first} to {last}.",),
    "press": ("Words of the gamesmaster went to {to}.",),
    "question": ("{seat} asked you something (letter {letter}).",),
    "question-answered": ("The question of {seat} (letter {letter}) was answered.",),
    "protest": ("{seat} protested against bulletin {period}.",),
    "protest-back": ("{seat} took its protest back.",),
    "protest-settled": ("The protest of {seat} against bulletin {period} was settled.",),
    "protest-lapsed": ("The protest of {seat} lapsed.",),
    "press-warned": ("The player of {seat} was warned about his press: {why}.",),
    "press-suspended": ("The press of {seat} was suspended for {days} days: {why}.",),
    "press-free": ("The press of {seat} goes out again: {why}.",),
    "press-reported": ("{seat} reported press number {press}.",),
    "amended": ("Amendment {amendment} holds from period {period} on: {how}.",),
    "kept": ("Orders that were kept for period {period} were tried again.",),
    "agreed": ("The players ended the game by agreement: {seats}.",),
    "ended": ("The gamesmaster ended the game: {why}.",),
    "over": ("The game is over.",),
    "statements": ("The players' statements went out.",),
    "again": ("Players of it play again, at the table {table}.",),
    "drained": ("All letters were on file when period {period} closed.",),
    "ripe": ("Period {period} can be decided; its deadline is set.",),
    "unripe": ("Period {period} cannot be decided any more; its deadline is lifted.",),
    "master-asked": ("Another gamesmaster was asked.",),
    "second-asked": ("Another second gamesmaster was asked.",),
    "master-away": ("The gamesmaster is away from {first} to {last}.",),
    "master-back": ("The gamesmaster is back.",),
    "master": ("The game has another gamesmaster.",),
    "second": ("The game has another second gamesmaster.",),
    "watch": ("One more person watches the game.",),
    "unwatch": ("Somebody watches the game no longer.",),
    "table-opened": ("The table was opened, for {places} players.",),
    "table-joined": ("Somebody signed on.",),
    "table-sure": ("A player is sure that he plays.",),
    "table-left": ("Somebody left the table.",),
    "table-approved": ("A newcomer was taken.",),
    "table-refused": ("A newcomer was not taken.",),
    "table-joining": ("The table has a free place again.",),
    "table-called": ("All places are taken: each player is asked whether he is there.",),
    "table-begun": ("All players are there, and the game was made.",),
    "table-silent": ("A player did not say whether he is there.",),
    "table-closed": ("The table was closed: {why}.", "The table was closed."),
}


def words(kind: str, facts: Mapping[str, Any]) -> str:
    known = _known(kind, facts)
    for one in WORDS.get(kind, ()):
        if needs(one) <= known.keys():
            return one.format_map(known)
    said = [f"{name} {value}" for name, value in facts.items()]
    return f"{', '.join([kind.replace('-', ' ').capitalize(), *said])}."


def needs(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def letters(facts: Mapping[str, Any]) -> list[int]:
    one = facts.get("letter")
    return [*([one] if isinstance(one, int) else []), *facts.get("letters", ())]


def _looked(kind: LookKind, known: Mapping[str, Any]) -> str:
    """Return at what he looked. Entries from before do not name it."""
    sentence = _LOOKS[kind]
    said = sentence if needs(sentence) <= known.keys() else _LOOKS_BEFORE[kind]
    return said.format_map(known)


def _known(kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    known = {
        name: listed(map(str, value)) if isinstance(value, (list, tuple)) else value
        for name, value in facts.items()
        if value not in (None, "")
    }
    if isinstance(why := known.get("why"), str):
        known["why"] = why.rstrip(".")
    edition = facts.get("edition", 1)
    if facts.get("deputy") is True:
        known["whose"] = "The deputy"
    return {
        **known,
        "corrected": f", corrected ({edition})" if edition > 1 else "",
        "freed": _FREED[Freed(facts["why"])] if kind == "free" else "",
        "looked": _looked(LookKind(facts["at"]), known) if kind == "look" else "",
    }
