"""The words that every game's players can write to the referee itself, taken off a letter's text.

What is taken leaves a blank line, so that the line numbers of what remains, the game's orders, stay
those of the letter. A word counts only where it is the whole line (or the whole of a piece between
`;`): ``END PROPOSE`` is an order of a game, not ``END``. ``CANCEL`` belongs to the order language
and is left alone, but for the words here that it takes back (``CANCEL QUIT``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from pbem.acts.act import Kind
from pbem.acts.acts import BY_MAIL
from pbem.acts.needs import Needs
from pbem.orders import club_words, press_lines, sayings
from pbem.orders.asking import HEARD, asked
from pbem.orders.characters import first_word, plain, uncomment, undecorated
from pbem.orders.press_lines import Opening


@dataclass(frozen=True, slots=True)
class Command:
    """One word for the referee: ``name`` in capitals, the rest of its line, and its line from 1."""

    name: str
    argument: str
    line: int


@dataclass(frozen=True, slots=True)
class Press:
    """A letter to other seats: their keys in capitals (``("ALL",)`` for everybody), the words as
    they were written. ``closed``: by END PRESS, so that everything in it is words. ``pen_name``:
    what its writer calls himself in it, "" for nothing."""

    to: tuple[str, ...]
    anonymous: bool
    text: str
    line: int
    closed: bool = field(default=False, compare=False)
    pen_name: str = ""

    @property
    def addressed(self) -> str:
        """To whom, and under whose name, as behind PRESS TO."""
        veil = f" AS {self.pen_name}" if self.pen_name else " ANONYMOUS" * self.anonymous
        return ",".join(self.to) + veil


@dataclass(frozen=True, slots=True)
class Peeled:
    """A text without its mail-level lines.

    ``text``: what remains, with as many lines; ``game`` and ``period``: what the lines GAME and
    PERIOD name (the last of each counts); ``games``: all that lines GAME name; ``ended``: the line
    of END, 0 without one; ``unread``: how many lines stand below that.
    """

    text: str
    commands: tuple[Command, ...] = ()
    press: tuple[Press, ...] = ()
    game: str = ""
    period: int | None = None
    ended: int = 0
    games: tuple[str, ...] = ()
    unread: int = 0

    @property
    def empty(self) -> bool:
        """Whether nothing is left that could be an order."""
        return not any(uncomment(line).strip() for line in plain(self.text).split("\n"))

    def asks(self, name: str) -> bool:
        """Whether the letter has this command."""
        return any(command.name == name for command in self.commands)


MISSPELT = (
    "ABSENT",
    "AGREE",
    "CALENDAR",
    "CANCEL",
    "CHECK",
    "CONFIRM",
    "DEPUTY",
    "HISTORY",
    "ORDERS",
    "PERIOD",
    "PRESS",
    "READY",
    "RECEIPTS",
    "STATEMENT",
    "STATUS",
    "TABLES",
)
"""The words that a refusal suggests to one who missed them by a slip: those long enough for that
not to be another word."""
GAMESMASTER = re.compile(
    "|".join(f"{word}{act.line}" for word, act in BY_MAIL.items()), re.IGNORECASE
)
"""What a gamesmaster may write besides."""
COMMANDING = frozenset(BY_MAIL)
"""The words these begin with; only a letter of his has them."""
_TEXT, _FILE = (
    re.compile(
        "|".join(f"{word}{act.line}" for word, act in BY_MAIL.items() if act.has(kind)),
        re.IGNORECASE,
    )
    for kind in (Kind.TEXT, Kind.FILE)
)
_GOING_ON = re.compile(
    "|".join(f"{word}{act.line}" for word, act in BY_MAIL.items() if act.goes_on), re.IGNORECASE
)
_PIECE = re.compile(r'(?:"[^"]*"?|[^;"])+')
END_PRESS = re.compile(r"END +PRESS", re.IGNORECASE)
STATEMENT, AGREE = "STATEMENT", "AGREE"
_STATEMENT = re.compile(r"(?:STATEMENT|Statement):?")
"""Not in small letters, and without a full stop: that is the end of a sentence."""
_END_STATEMENT = re.compile(r"END +STATEMENT", re.IGNORECASE)
_AGREE = re.compile(r"AGREE(?: ++(?P<what>.{1,200}))?", re.IGNORECASE)
_ENDS_OF_GAMES = frozenset(("DRAW", "WIN", "NONE"))


def peel(text: str, gamesmaster: bool = False, games: Collection[str] = ()) -> Peeled:
    """The mail-level lines of a letter's own text, and the text without them; ``games`` are the
    keys of those that there are."""
    walk = _Walk(text.split("\n"), gamesmaster, {key.lower() for key in games})
    walk.run()
    kept = "\n".join(walk.kept)
    said = (tuple(walk.commands), tuple(walk.press), walk.game, walk.period, walk.ended)
    return Peeled(kept, *said, tuple(walk.games), walk.unread)


class _Walk:
    """The walk over the lines; ``at`` is the next one."""

    def __init__(self, lines: list[str], gamesmaster: bool, keys: Collection[str]) -> None:
        self.lines, self.gamesmaster, self.keys = lines, gamesmaster, keys
        self.kept: list[str] = []
        self.commands: list[Command] = []
        self.press: list[Press] = []
        self.game = ""
        self.games = dict[str, None]()
        self.period: int | None = None
        self.ended = self.at = self.unread = 0
        self.signing = False  # below a SIGNON, PREFER and SEAT are words for the referee

    def run(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            number = self.at + 1
            bare = stripped(line)
            self.at += 1
            if opening := press_lines.opening(bare):
                self._press(opening, number, press_lines.inline(line, bare))
            elif _STATEMENT.fullmatch(undecorated(uncomment(plain(line)))):
                self._statement(number)
            elif self.gamesmaster and _GOING_ON.fullmatch(bare):
                self._going_on(bare, number)
            elif self.gamesmaster and _TEXT.fullmatch(bare):
                self._long(line, number)
            elif self.gamesmaster and _FILE.fullmatch(bare):
                self._block(line, number)
            else:
                self.kept.append(self._orders_of(line, number))
            if self.ended:
                below = self.lines[self.at :]
                self.kept.extend("" for _ in below)
                self.unread = sum(1 for line in below if line.strip())
                return

    def _press(self, opening: Opening, number: int, inline: str) -> None:
        """Everything to END PRESS; without one before the next PRESS, to that, END or the letter's
        end. ``inline``: words that stand on the same line, behind a colon."""
        said: list[str] = []
        closed, ended = False, 0
        for index in range(self.at, len(self.lines)):
            bare = stripped(self.lines[index])
            if press_lines.opening(bare):
                break
            if END_PRESS.fullmatch(bare):
                closed = True
                break
            if bare.upper() == "END" and self._is_end(_whole(self.lines[index]), index):
                ended = ended or index + 1
            said.append(self.lines[index])
        if ended and not closed:
            said, self.ended = said[: ended - 1 - self.at], ended
        self.at = self.ended or self.at + len(said) + closed
        words = "\n".join([inline, *said]).strip("\n")
        if words.strip():
            said_of = (opening.to, opening.anonymous, words, number, closed, opening.pen_name)
            self.press.append(Press(*said_of))
        self.kept.extend("" for _ in range(self.at - number + 1))

    def _statement(self, number: int) -> None:
        """Everything to END STATEMENT; without one to END or the letter's end. Of two the later one
        counts."""
        said: list[str] = []
        for line in self.lines[self.at :]:
            self.at += 1
            bare = stripped(line)
            if _END_STATEMENT.fullmatch(bare):
                break
            if bare.upper() == "END" and self._is_end(_whole(line), self.at - 1):
                self.ended = self.at
                break
            said.append(line)
        self.commands.append(Command(STATEMENT, "\n".join(said).strip(), number))
        self.kept.extend("" for _ in range(self.at - number + 1))

    def _orders_of(self, line: str, number: int) -> str:
        """The line without the pieces that are mail-level words; the line itself where there are
        none."""
        rest, taken = [], False
        for piece in _pieces(_whole(line)):
            if self._take(piece, number):
                taken = True
            else:
                rest.append(piece)
            if self.ended:
                break
        return "; ".join(rest) if taken else line

    def _long(self, line: str, number: int) -> None:
        """A ruling and its like go on to the next blank line or command, since mail programs break
        long lines."""
        said = [line.strip().partition(" ")[2].strip()]
        while self.at < len(self.lines) and (more := self.lines[self.at].strip()):
            if _asks(stripped(more)):
                break
            said.append(more)
            self.at += 1
        self._took(line, number, " ".join(said))

    def _block(self, line: str, number: int) -> None:
        """Orders on a seat's behalf go on, line by line, to END ORDER or the next command."""
        word = first_word(stripped(line))
        said = [line.strip().partition(" ")[2].strip()]
        while self.at < len(self.lines):
            bare = stripped(self.lines[self.at])
            ends = bare.upper().split() == ["END", word]
            if not ends and (_asks(bare) or press_lines.opening(bare)):
                break
            self.at += 1
            if ends:
                break
            said.append(self.lines[self.at - 1])
        self._took(line, number, "\n".join(said))

    def _took(self, line: str, number: int, argument: str) -> None:
        """A command that has taken the lines up to here."""
        self.kept.extend("" for _ in range(self.at - number + 1))
        self.commands.append(Command(first_word(stripped(line)), argument, number))

    def _going_on(self, bare: str, number: int) -> None:
        """An act with lines of its own below it: all to the next empty line, whatever they say, or
        to a line of the letter's."""
        said = [bare.partition(" ")[2].strip()]
        while self.at < len(self.lines) and (more := self.lines[self.at].strip()):
            found = asked(stripped(more))
            if found and found.name in ("GAME", "PERIOD", "END"):
                break
            said.append(more)
            self.at += 1
        self.kept.extend("" for _ in range(self.at - number + 1))
        self.commands.append(Command(first_word(bare), "\n".join(said), number))

    def _is_end(self, piece: str, index: int) -> bool:
        return sayings.is_end(piece, self.lines[index - 1] if index else "")

    def _take(self, piece: str, number: int) -> bool:
        """Take a piece as a command; False where it is none."""
        found = asked(piece)
        if found and found.name == "END" and not self._is_end(piece, number - 1):
            return False
        if (
            found
            and found.name == "GAME"
            and not sayings.names_game(piece, found.argument, self.keys)
        ):
            return False
        if found is None:
            bare = piece.rstrip(_STOPS)
            if self.signing and (wish := club_words.wish(bare)):
                self.commands.append(Command(*wish, number))
                return True
            if not _asks_back(piece) and (ballot := _ballot(bare)) is not None:
                self.commands.append(Command(AGREE, ballot, number))
                return True
            if self.gamesmaster and GAMESMASTER.fullmatch(bare):
                self.commands.append(
                    Command(first_word(bare), bare.partition(" ")[2].strip(), number)
                )
                return True
            return False
        if found.name == "END":
            self.ended = number
        elif found.name == "GAME":
            self.game = found.argument.lower()
            self.games[self.game] = None
        elif found.name == "PERIOD":
            self.period = int(found.argument)
        else:
            self.commands.append(Command(found.name, found.argument, number))
            self.signing = self.signing or found.name == club_words.SIGNON
        return True


NEEDS: Final[Mapping[str, Needs]] = {
    **{name: word.needs for name, word in HEARD.items()},
    "PRESS": Needs.LEVEL,
    STATEMENT: Needs.LEVEL,
    AGREE: Needs.CERTAIN,
    **club_words.NEEDS,
}
"""The proof that each word of a player's needs; those of the gamesmaster have it in the table of
acts."""
WORDS = COMMANDING.union(NEEDS) - club_words.WISHES - {club_words.STOP}
"""What a mail-level line can begin with."""


def _asks(bare: str) -> bool:
    """Whether a line of the gamesmaster's is a command by itself."""
    return bool(asked(bare) or GAMESMASTER.fullmatch(bare))


def _ballot(piece: str) -> str | None:
    """What follows AGREE where that is a ballot, however it is written; None where a sentence
    begins so ("Agree with me, and ...")."""
    if not (found := _AGREE.fullmatch(piece)):
        return None
    what = (found["what"] or "").strip()
    meant = piece.startswith(AGREE) or not _ENDS_OF_GAMES.isdisjoint(what.upper().split()[:4])
    return what if meant else None


def _asks_back(piece: str) -> bool:
    """Whether a line asks or trails off, so that it is no ballot that could end a game."""
    ending = piece[len(piece.rstrip(_STOPS)) :].replace(" ", "")
    return "?" in ending or ".." in ending


_STOPS = " .!;?"


def stripped(line: str) -> str:
    """A line in plain characters, without comment, list mark, bold letters and the full stop some
    writers put after a word."""
    return _whole(line).rstrip(" .!;")


def _whole(line: str) -> str:
    """The same with the signs at its end."""
    return undecorated(uncomment(plain(line))).strip()


def _pieces(line: str) -> list[str]:
    """The line at each `;` outside quotes."""
    return [piece.strip() for piece in _PIECE.findall(line) if piece.strip()]
