"""Sentences for journal entries. The first whose facts are there is used."""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

from pbem.acts.acts import ACTS, NEW
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
    LookKind.ORDER: "the orders of {seat}, as they entered some",
    LookKind.ACCEPT: "letter {letter}, which they accepted",
    LookKind.LETTER: "letter {letter}",
    LookKind.PRESS: "private words between players, in letter {letter}",
    LookKind.EXPORT: "the whole record",
    LookKind.MAIL: "mail {mail}, to {seat}",
}
_LOOKS_BEFORE = {
    LookKind.ORDER: "the orders of a seat, as they entered some",
    LookKind.ACCEPT: "a letter that they accepted",
    LookKind.LETTER: "a letter",
    LookKind.PRESS: "private words between players",
    LookKind.MAIL: "a private mail",
}
WORDS: Mapping[str, str | Sequence[str]] = {
    **{kind: said for act in (NEW, *ACTS) for kind, said in act.journal.items()},
    "letter": (
        "Letter {letter} of {seat} for period {period} was taken.",
        "A letter of {seat} for period {period} was taken.",
    ),
    "bot": "The house bot of {seat} gave its orders for period {period}.",
    "adjudicated": "Period {period} was adjudicated.",
    "published": "Bulletin {bulletin} was published{corrected}.",
    "links-lapsed": "The links in earlier mails to {seat} do not work any more: {why}.",
    "standby-quit": "A player stands by no longer.",
    "asked": "{seat} was asked whether its player plays on.",
    "free": "The seat {seat} fell free: {freed}.",
    "offered": "The seat {seat} was offered.",
    "offer-ended": "An offer of the seat {seat} ended.",
    "stays": "The player of {seat} stays.",
    "quit": "The player of {seat} has asked to be relieved.",
    "grace": "Period {period} waits for {seats}.",
    "silence": "The players were told that the gamesmaster has been silent.",
    "deputy": "{seat} has named a deputy, who agrees.",
    "deputy-asked": "{seat} has asked somebody to be its deputy.",
    "deputy-begins": "The deputy of {seat} begins.",
    "deputy-ends": "The deputy of {seat} has ended.",
    "absent": "The player of {seat} is away from {first} to {last}.",
    "question": "{seat} asked you something (letter {letter}).",
    "protest": "{seat} protested against bulletin {period}.",
    "protest-back": "{seat} took its protest back.",
    "protest-lapsed": "The protest of {seat} lapsed.",
    "press-reported": "{seat} reported press number {press}.",
    "kept": "Orders that were kept for period {period} were tried again.",
    "agreed": "The players ended the game by agreement: {seats}.",
    "over": "The game is over.",
    "statements": "The players' statements went out.",
    "again": "Players of it play again, at the table {table}.",
    "drained": "All letters were on file when period {period} closed.",
    "ripe": "Period {period} can be decided; its deadline is set.",
    "unripe": "Period {period} cannot be decided any more; its deadline is lifted.",
    "master": "The game has another gamesmaster.",
    "second": "The game has another second gamesmaster.",
    "watch": "One more person watches the game.",
    "unwatch": "Somebody watches the game no longer.",
    "table-joined": "Somebody signed on.",
    "table-sure": "A player is sure to play.",
    "table-left": "Somebody left the table.",
    "table-joining": "The table has a free place again.",
    "table-called": "All places are taken: each player is asked whether they are there.",
    "table-begun": "All players are there, and the game was made.",
    "table-silent": "A player did not say whether they are there.",
}


def words(kind: str, facts: Mapping[str, Any]) -> str:
    known = _known(kind, facts)
    said = WORDS.get(kind, ())
    for one in (said,) if isinstance(said, str) else said:
        if needs(one) <= known.keys():
            return one.format_map(known)
    plain = [f"{name} {value}" for name, value in facts.items()]
    return f"{', '.join([kind.replace('-', ' ').capitalize(), *plain])}."


def needs(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def letters(facts: Mapping[str, Any]) -> list[int]:
    one = facts.get("letter")
    return [*([one] if isinstance(one, int) else []), *facts.get("letters", ())]


def _looked(kind: LookKind, known: Mapping[str, Any]) -> str:
    """Return what they looked at. Entries from before do not name it."""
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
