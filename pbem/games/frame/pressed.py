"""Press: who may write it to whom, how much, under which name; and without its END PRESS: does it
hold lines that were meant for the referee, and must not go to a rival?

In doubt the answer is yes: a press that is held costs a second letter, an order that is mailed to a
rival costs the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.frame.adjudication import order_lines
from pbem.games.frame.events import Seat
from pbem.orders import joining
from pbem.orders.asking import GENEROUS
from pbem.orders.characters import first_word, plain
from pbem.orders.language import Language
from pbem.orders.mailwords import END_PRESS, WORDS, Press, peel, stripped
from pbem.orders.spelling import nearest
from pbem.text import thousands

FREE, OPEN, SILENT = "all", "open", "none"
MODES = (FREE, OPEN, SILENT)
"""What press a game has among its players: all there is; only such as goes to all and says whose it
is, as in postal games with public press only; none."""
MOST_LINES, MOST_CHARACTERS = 400, 20_000
"""So long is a press at most."""
_MARKS = "-*_~\u2022>|[](){}#:.\"' \t0123456789"
_ENDS = " \t.!*_~"
_LIKENESS = 0.7


def not_words(language: Language, press: Press) -> list[str]:
    """The lines of a press that look like orders or like words for the referee; [] where END PRESS
    says that they are none."""
    return [] if press.closed else list(_meant(language, press.text))


def _meant(language: Language, text: str) -> Iterator[str]:
    lines = text.split("\n")
    left, orders = peel(text).text.split("\n"), set(order_lines(language, text))
    for number, (line, rest) in enumerate(zip(lines, left, strict=True), 1):
        asks = line != rest and not _wonders(line)
        if asks or number in orders or any(_nearly(language, piece) for piece in line.split(";")):
            yield line.strip()


def _wonders(line: str) -> bool:
    """A question or a plea among players ("Why not?", "Help me please"), which reads as one to the
    referee does; there its word is in capitals, or has a number behind it."""
    word = first_word(line)
    if word == "WHY":
        return not line.lstrip().startswith("WHY ")
    said = line.split()
    told = any("0" <= char <= "9" for char in line) or said[0].startswith(word)
    return word in GENEROUS and len(said) > 1 and not told


def _nearly(language: Language, piece: str) -> bool:
    """Whether a piece of a line is an order but for a slip, or shouts its word."""
    said = plain(piece).lstrip(_MARKS).rstrip(_ENDS)
    first = first_word(said)
    shouted = len(first) > 1 and said.startswith(first)
    if first in language.words:
        return shouted or language.reads(said) or len(said[: language.reach(said)].split()) > 1
    if first in WORDS:
        return shouted
    slip = shouted and len(first) > 2 and nearest(first, (*language.words, *WORDS), _LIKENESS)
    return bool(slip or joining.mended(language, said, language.words))


def byline(author: Seat, *, anonymous: bool, pen_name: str) -> str:
    """Whose a press is, as its readers are told ("" the gamesmaster's)."""
    if pen_name:
        return f'"{pen_name}" (a pen-name)'
    return "an anonymous player" if anonymous else author or "the gamesmaster"


def forbidden(mode: str, *, to_all: bool, signed: bool) -> str:
    """Why a player's press is none that his game has; "" where it is."""
    if mode == SILENT:
        return "this game is played without press between its players"
    if mode == OPEN and not (to_all and signed):
        return "in this game press goes to ALL, and under its writer's own seat"
    return ""


def too_long(text: str) -> str:
    """Why a press is not relayed for its length; "" where it may be."""
    lines = text.count("\n") + 1
    if lines <= MOST_LINES and len(text) <= MOST_CHARACTERS:
        return ""
    has = f"{thousands(lines)} lines and {thousands(len(text))} characters"
    most = f"{MOST_LINES} lines and {thousands(MOST_CHARACTERS)} characters"
    return f"it has {has}; a press has {most} at most"


def answer(text: str) -> tuple[Press, int]:
    """The words of an answer to press: all of it, or what stands above END PRESS; and how many
    lines stand below that."""
    lines = text.split("\n")
    end = next((at for at, line in enumerate(lines) if END_PRESS.fullmatch(stripped(line))), None)
    words = "\n".join(lines[:end]).strip("\n")
    below = lines[end + 1 :] if end is not None else []
    made = Press((), False, words if words.strip() else "", 1, closed=end is not None)
    return made, sum(1 for line in below if line.strip())


EVERYBODY = "ALL"
_ALL = frozenset(("ALL", "EVERYBODY", "EVERYONE", "PLAYERS", "ALL PLAYERS"))


def addressed(words: Sequence[str], called: Mapping[Seat, Sequence[str]]) -> list[str]:
    """The seats that the words behind PRESS TO name, by their keys or by what they are ``called``,
    their players' names among it (a part of a name where no other has it); ALL for everybody. A
    word that names nobody is given back.

    ``words`` are in capitals, those of a name of several one by one.
    """
    named = _names(called)
    said = [word for word in words if word != "THE" or word in named]
    found, at = list[str](), 0
    while at < len(said):
        runs = range(min(len(said), at + _WORDS_OF_A_NAME), at, -1)
        end = next((end for end in runs if " ".join(said[at:end]) in named), at + 1)
        found.append(named.get(" ".join(said[at:end]), said[at]))
        at = end
    return found


_WORDS_OF_A_NAME = 4


def _names(called: Mapping[Seat, Sequence[str]]) -> dict[str, str]:
    """What names a seat, in capitals: keys before anything else, and no name that two have."""
    names: dict[str, set[Seat]] = {}
    for seat, given in called.items():
        for whole in (" ".join(name.upper().split()) for name in given):
            for name in {whole, *whole.split()} - {""}:
                names.setdefault(name, set()).add(seat)
    unique = {name: next(iter(seats)) for name, seats in names.items() if len(seats) == 1}
    return {**unique, **dict.fromkeys(_ALL, EVERYBODY), **{seat.upper(): seat for seat in called}}
