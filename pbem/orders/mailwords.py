"""Words for the referee, taken off a letter's text.

A taken line becomes blank, so line numbers stay. ``END PROPOSE`` and ``CANCEL`` are orders;
``CANCEL QUIT`` is not.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from itertools import takewhile

from pbem.acts.act import Act, Kind
from pbem.acts.acts import BY_MAIL, OLD
from pbem.orders import asking, inquiry, order
from pbem.orders.asking import NAME, asked
from pbem.orders.characters import first_word, plain, uncomment, undecorated
from pbem.orders.order import Opening
from pbem.orders.spelling import is_number, slips


@dataclass(frozen=True, slots=True)
class Command:
    """One word for the referee."""

    name: str
    """In capitals."""
    argument: str
    line: int
    """From 1."""
    closed: bool = field(default=True, compare=False)
    """False for a STATEMENT without its END."""


@dataclass(frozen=True, slots=True)
class Press:
    """A letter to other seats."""

    to: tuple[str, ...]
    anonymous: bool
    text: str
    """As written."""
    line: int
    closed: bool = field(default=False, compare=False)
    pen_name: str = ""
    sure: bool = False
    """Its writer has seen how it goes out, and said yes."""

    @property
    def addressed(self) -> str:
        """What follows PRESS TO."""
        veil = f" AS {self.pen_name}" if self.pen_name else " ANONYMOUS" * self.anonymous
        return ",".join(self.to) + veil

    def __str__(self) -> str:
        return f"PRESS TO {self.addressed}\n{self.text}\nEND PRESS"


@dataclass(frozen=True, slots=True)
class Peeled:
    """A text without its mail-level lines."""

    text: str
    commands: tuple[Command, ...] = ()
    press: tuple[Press, ...] = ()
    game: str = ""
    period: int | None = None
    ended: int = 0
    """The line of END, or 0."""
    games: tuple[str, ...] = ()
    unread: int = 0
    """Lines below END but blank ones."""
    next: bool = False
    """Ended by "For next period"."""
    doubtful: bool = False
    """It names two periods."""

    @property
    def empty(self) -> bool:
        """Whether no order can be left."""
        return not any(uncomment(line).strip() for line in plain(self.text).split("\n"))

    def asks(self, name: str) -> bool:
        return any(command.name == name for command in self.commands)


def _heard(fits: Callable[[Act], object]) -> str:
    return "|".join(f"{word}{act.line}" for word, act in BY_MAIL.items() if fits(act))


GAMESMASTER = re.compile(_heard(lambda act: True), re.IGNORECASE)
"""Also heard from a gamesmaster."""
COMMANDING = frozenset(BY_MAIL)
_OLD = [(re.compile(rf"^{old}(?= |$)"), new) for _, _, old, new in OLD]
_TEXT = re.compile(_heard(lambda act: act.has(Kind.TEXT)), re.IGNORECASE)
_FILE = re.compile(_heard(lambda act: act.has(Kind.FILE)), re.IGNORECASE)
_GOING_ON = re.compile(_heard(lambda act: act.goes_on), re.IGNORECASE)
_REASONED = frozenset(
    word for word, act in BY_MAIL.items() if act.has(Kind.WHY) and not act.has(Kind.NAME)
)
_PIECE = re.compile(r'(?:"[^"]*"?|[^;"])+')
END_PRESS = re.compile(r"END +PRESS", re.IGNORECASE)
STATEMENT, AGREE, AGAIN = "STATEMENT", "AGREE", "AGAIN"
_STATEMENT = re.compile(r"(?:STATEMENT|Statement):?")
_END_STATEMENT = re.compile(r"END +STATEMENT", re.IGNORECASE)
_AGREE = re.compile(r"AGREE(?: ++(?P<what>.{1,200}))?", re.IGNORECASE)
_SENTENCE_ENDS, _WRAPPED = ".!?:;,", 50
_SAYINGS = frozenset(("ON", "OVER", "OFF", "TIME", "SET", "FACE", "DAY", "NIGHT", "WELL", "PLAN"))
"""After GAME: "Game on!"."""
_ENDS_OF_GAMES = frozenset(("DRAW", "WIN", "NONE"))

_OF_PERIOD = re.compile(
    r"(?:my )?(?:(?:orders?|moves?) )?(?:for )?(?:the )?period (?P<number>[0-9]{1,6})",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"(?:my )?(?:(?:orders?|moves?) )?for (?:the |my )?next (?:period|turn|round)", re.IGNORECASE
)


def period_of(line: str) -> int | None:
    found = _OF_PERIOD.fullmatch(line.strip().rstrip(" :.!"))
    return int(found["number"]) if found else None


def peel(text: str, gamesmaster: bool = False, games: Collection[str] = ()) -> Peeled:
    """Take the mail-level lines off. games: keys of games."""
    walk = _Walk(text.split("\n"), gamesmaster, {key.lower() for key in games})
    walk.run()
    kept = "\n".join(walk.kept)
    said = (tuple(walk.commands), tuple(walk.press), walk.game, walk.period, walk.ended)
    return Peeled(kept, *said, tuple(walk.games), walk.unread, walk.next, walk.doubtful)


class _Walk:
    def __init__(self, lines: list[str], gamesmaster: bool, keys: Collection[str]) -> None:
        self.lines, self.gamesmaster, self.keys = lines, gamesmaster, keys
        self.kept: list[str] = []
        self.commands: list[Command] = []
        self.press: list[Press] = []
        self.game = ""
        self.games = dict[str, None]()
        self.period: int | None = None
        self.ended = self.at = self.unread = 0
        self.doubtful = self.next = False
        self.signing = False  # below a SIGNON, PREFER and SEAT are words for the referee

    def run(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            number = self.at + 1
            bare = stripped(line)
            self.at += 1
            if opening := order.opening(bare):
                self._press(opening, number, order.inline(line, bare))
            elif self._is_heading(bare, number):
                pass
            elif more := inquiry.quotation(_free(line), self.lines[self.at :]):
                self.at += more
                self.kept += self.lines[number - 1 : self.at]
            elif text := inquiry.opening(_free(line)):
                self._text(*text, number)
            elif _STATEMENT.fullmatch(undecorated(uncomment(plain(line)))):
                said, closed = self._to_end(_END_STATEMENT, _STATEMENT.fullmatch)
                self.commands.append(Command(STATEMENT, "\n".join(said).strip(), number, closed))
            elif self.gamesmaster and _GOING_ON.fullmatch(bare) and is_meant(bare):
                self._going_on(bare, number)
            elif self.gamesmaster and _TEXT.fullmatch(bare) and is_shouted(bare):
                self._text(first_word(bare), _free(line).partition(" ")[2], number)
            elif self.gamesmaster and _FILE.fullmatch(bare) and is_shouted(bare):
                self._block(line, number)
            else:
                self.kept.append(self._orders_of(line, number))
            if self.ended:
                self.unread = sum(1 for line in self.lines[self.at :] if line.strip())
                self.at = len(self.lines)
            self.kept.extend("" for _ in range(self.at - len(self.kept)))

    def _press(self, opening: Opening, number: int, inline: str) -> None:
        """inline: words after a colon."""
        said, closed = self._to_end(END_PRESS, order.opening)
        words = "\n".join([inline, *said]).strip("\n")
        if words.strip():
            said_of = (opening.to, opening.anonymous, words, number, closed, opening.pen_name)
            self.press.append(Press(*said_of))

    def _to_end(
        self, end: re.Pattern[str], next_: Callable[[str], object]
    ) -> tuple[list[str], bool]:
        """Take all to a line ``end``, and say so; else to the next of its kind or to END."""
        said: list[str] = []
        closed, ended = False, 0
        for index in range(self.at, len(self.lines)):
            bare = stripped(self.lines[index])
            closed = bool(end.fullmatch(bare))
            if closed or next_(bare):
                break
            if bare.upper() == "END" and self._is_end(_whole(self.lines[index]), index):
                ended = ended or index + 1
            said.append(self.lines[index])
        if ended and not closed:
            said, self.ended = said[: ended - 1 - self.at], ended
        self.at = self.ended or self.at + len(said) + closed
        return said, closed

    def _text(self, word: str, first: str, number: int, *, goes_on: bool = True) -> None:
        below = [_free(line) for line in self.lines[self.at :]] if goes_on else []
        if self.gamesmaster:
            below = list(takewhile(lambda line: not _asks(line.rstrip(_STOPS)), below))
        said, more = inquiry.paragraph(first, below)
        self.at += more
        self.commands.append(Command(word, said, number))

    def _orders_of(self, line: str, number: int) -> str:
        rest, taken = [], False
        found = (piece for every in _PIECE.findall(_whole(line)) for piece in asking.apart(every))
        pieces = [piece.strip() for piece in found]
        for piece in self._reasoned(list(filter(None, pieces))):
            if self._take(piece, number):
                taken = True
            else:
                rest.append(piece)
            if self.ended:
                break
        return "; ".join(rest) if taken else line

    def _is_heading(self, bare: str, number: int) -> bool:
        heading = bare.rstrip(" :")
        if _NEXT.fullmatch(heading):
            self.ended, self.next = number, True
            return True
        if (period := period_of(heading)) is None:
            return False
        self.doubtful |= self.period not in (None, period)
        self.period = period
        return True

    def _reasoned(self, pieces: list[str]) -> list[str]:
        """Put the semicolons of a reason back."""
        joined = pieces[:1]
        for piece in pieces[1:]:
            if self.gamesmaster and first_word(joined[-1]) in _REASONED and not _asks(piece):
                joined[-1] += f"; {piece}"
            else:
                joined.append(piece)
        return joined

    def _block(self, line: str, number: int) -> None:
        word = first_word(stripped(line))
        said = [line.strip().partition(" ")[2].strip()]
        while self.at < len(self.lines):
            bare = stripped(self.lines[self.at])
            ends = bare.upper().split() == ["END", word]
            if not ends and (_asks(bare) or order.opening(bare)):
                break
            self.at += 1
            if ends:
                break
            said.append(self.lines[self.at - 1])
        self.commands.append(Command(word, "\n".join(said), number))

    def _going_on(self, bare: str, number: int) -> None:
        said = [bare.partition(" ")[2].strip()]
        while self.at < len(self.lines) and (more := self.lines[self.at].strip()):
            found = asked(stripped(more))
            if found and found[0] in ("GAME", "PERIOD", "END"):
                break
            said.append(more)
            self.at += 1
        self.commands.append(Command(first_word(bare), "\n".join(said), number))

    def _is_end(self, piece: str, index: int) -> bool:
        """Return whether END at this line is meant, not a story's end."""
        if piece.endswith("END"):
            return True
        said = piece.rstrip(_STOPS)
        if said != piece and said.isalpha() and not piece.isupper():
            return False
        above = self.lines[index - 1].rstrip() if index else ""
        broken = len(above) + len(" END") >= _WRAPPED and above[-1] not in _SENTENCE_ENDS
        return not broken or above.isupper()

    def _take(self, piece: str, number: int) -> bool:
        """Return False if it is no command."""
        found = asked(piece)
        if found is None:
            return self._take_more(piece, number)
        name, argument = found
        if (
            (name == NAME and not argument.startswith("IS "))  # naming() takes it
            or (name == "END" and not self._is_end(piece, number - 1))
            or (name == "GAME" and not _names_game(piece, argument, self.keys))
        ):
            return False
        if name == "END":
            self.ended = number
        elif name == "GAME":
            self.game = argument.lower()
            self.games[self.game] = None
        elif name == "PERIOD":
            self.doubtful |= self.period not in (None, int(argument))
            self.period = int(argument)
        else:
            self.commands.append(Command(name, argument, number))
            self.signing = self.signing or name == "SIGNON"
        return True

    def _take_more(self, piece: str, number: int) -> bool:
        if self.gamesmaster:
            for old, new in _OLD:
                piece = old.sub(new, piece)
        bare = piece.rstrip(_STOPS)
        if self.signing and (wish := asking.wish(bare)):
            self.commands.append(Command(*wish, number))
        elif not _asks_back(piece) and (ballot := _ballot(bare)) is not None:
            self.commands.append(Command(AGREE, ballot, number))
        elif self.gamesmaster and GAMESMASTER.fullmatch(bare) and is_meant(bare):
            goes_on = _has_reason(bare)
            said = (piece if goes_on else bare).partition(" ")[2].strip()
            self._text(first_word(bare), said, number, goes_on=goes_on)
        else:
            return False
        return True


def naming(peeled: Peeled) -> Peeled:
    """Take the lines NAME off too, in a game that has no such order."""
    lines, commands = peeled.text.split("\n"), [*peeled.commands]
    for at, line in enumerate(lines):
        if NAME in line and (found := word(line)) and found.name == NAME:
            commands.append(replace(found, line=at + 1))
            lines[at] = ""
    return replace(peeled, text="\n".join(lines), commands=(*commands,))


NEEDS = {name: word.needs for name, word in asking.WORDS.items()}
WORDS = COMMANDING.union(NEEDS) - asking.WISHES - {"STOP"}


def word(line: str) -> Command | None:
    """Return a line's word."""
    bare = stripped(line)
    if found := asked(bare):
        return Command(*found, 1)
    return Command(first_word(bare), "", 1) if GAMESMASTER.fullmatch(bare) else None


def _asks(bare: str) -> bool:
    return bool(asked(bare) or (GAMESMASTER.fullmatch(bare) and is_meant(bare)))


def is_shouted(bare: str) -> bool:
    return bare.startswith(first_word(bare))


_DIGITS = frozenset("0123456789")
_UNITS = frozenset(("day", "days", "hour", "hours", "h", "d"))


def is_meant(bare: str) -> bool:
    """Return whether an act is no sentence ("Hold on to your hats")."""
    _, *more = bare.split()
    return is_shouted(bare) or all(
        not _DIGITS.isdisjoint(word) or "@" in word or word.isupper() or word in _UNITS
        for word in more
    )


def _has_reason(bare: str) -> bool:
    """Return whether an act gives its reason, which may go on below."""
    word, *more = bare.split()
    act = BY_MAIL[word.upper()]
    before = [one for one in act.arguments if not one.option and one.kind is not Kind.GAME]
    none = {*_UNITS, *(one.flag for one in act.arguments if one.kind is Kind.FLAG)}
    return word.upper() in _REASONED and len([one for one in more if one not in none]) > len(before)


def _ballot(piece: str) -> str | None:
    """None for a sentence."""
    if not (found := _AGREE.fullmatch(piece)):
        return None
    what = (found["what"] or "").strip()
    meant = piece.startswith(AGREE) or not _ENDS_OF_GAMES.isdisjoint(what.upper().split()[:4])
    return what if meant else None


def _asks_back(piece: str) -> bool:
    """Return whether a ballot asks: then it must not count."""
    ending = piece[len(piece.rstrip(_STOPS)) :].replace(" ", "")
    return "?" in ending or ".." in ending


_STOPS = " .!;?"


def _names_game(piece: str, key: str, keys: Collection[str]) -> bool:
    """Return whether a game is meant. ``keys``: games in small letters."""
    if key.lower() in keys or slips(key.lower(), keys) or any(map(is_number, key)):
        return True
    return piece.lstrip().startswith("GAME") and key.upper() not in _SAYINGS


def stripped(line: str) -> str:
    """Return a plain line without comment and marks."""
    return _whole(line).rstrip(" .!;")


def _whole(line: str) -> str:
    return undecorated(uncomment(plain(line))).strip()


def _free(line: str) -> str:
    """Cut no comment."""
    return undecorated(plain(line)).strip()
