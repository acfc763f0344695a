"""What an act of the gamesmaster is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto

from pbem.acts.needs import Needs


class Kind(Enum):
    """In a mail, NAME and WHY end the line, FILE goes on below, TEXT to a blank line."""

    GAME = auto()
    PERIOD = auto()
    SEAT = auto()
    ADDRESS = auto()
    NUMBER = auto()
    LENGTH = auto()
    TIME = auto()
    WORD = auto()
    TABLE = auto()
    FLAG = auto()
    NAME = auto()
    WHY = auto()
    TEXT = auto()
    FILE = auto()
    ORDERS = auto()


LONG = (Kind.TEXT, Kind.FILE)
LINE = {
    Kind.SEAT: r" +\S{1,20}",
    Kind.ADDRESS: r" +\S{1,254}",
    Kind.NUMBER: r" +[0-9]{1,19}",
    Kind.LENGTH: r" ++.{1,60}",
    Kind.WORD: r" +\S{1,64}",
    Kind.TABLE: r" +\S{1,40}",
    Kind.NAME: r"(?: ++.{1,80})?",
    Kind.WHY: r"(?: ++.{1,200})?",
    Kind.TEXT: r" ++.+",
    Kind.FILE: r" ++.+",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One value that an act takes."""

    name: str
    kind: Kind
    option: str = ""
    """In the shell (``--why``); "" if positional."""
    help: str = ""
    required: bool = True
    shown: str = ""
    """In the shell's usage, if not ``name``."""
    many: bool = False
    """In a mail on lines below (``ACCEPT 17``)."""
    placed: bool = False
    whole: bool = False

    @property
    def needed(self) -> bool:
        """Whether a form must have it. The shell reads FILE from stdin."""
        return self.required or (self.kind is Kind.FILE and not self.option)

    @property
    def flag(self) -> str:
        """A FLAG in a mail: ALL for --all."""
        return self.option.lstrip("-").upper()

    @property
    def in_line(self) -> bool:
        """Whether a mail's line may hold it."""
        return not self.option or self.placed or self.kind in (Kind.NAME, Kind.WHY)

    @property
    def line(self) -> str:
        if not self.in_line:
            return ""
        pattern = f" +{self.flag}" if self.kind is Kind.FLAG else LINE.get(self.kind, "")
        return pattern if self.required or not pattern else f"(?:{pattern})?"


class Who(Enum):
    """Who may do an act."""

    ACTING = auto()
    """The game's gamesmaster, or its second while he plays. For no game, and in the shell, the
    installation's."""
    NAMED = auto()
    """The game's gamesmaster, even if he plays."""
    TABLE = auto()
    """The table's gamesmaster, or the installation's."""


class Notified(Flag):
    """Who is told, besides the journal."""

    NOBODY = 0
    ALL = auto()
    BULLETIN = auto()
    """Readers of the next bulletin."""
    SEAT = auto()


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the gamesmaster."""

    name: str
    help: str
    arguments: tuple[Argument, ...]
    journal: tuple[str, ...]
    """Its entry's kind, one per way."""
    told: Notified
    needs: Needs
    who: Who = Who.ACTING
    ways: tuple[frozenset[str], ...] = ()
    """Of these arguments, those of one way are given."""
    usage: str = ""
    """Told to those who give others."""
    by_mail: bool = False
    tried: str = ""
    """Without this flag it is only tried."""
    example: str | None = None
    short: str = ""
    heard: str | None = None
    """None: from ``arguments``."""
    beyond: bool = False
    """It touches more than its game."""
    spoken: str = ""
    timeless: bool = False
    reopens: bool = False
    settings: bool = False
    """A mail may give its options below, by name (``PLAYERS 5``)."""
    asks: bool = False
    """A question: shows secrets, changes nothing."""
    blind: str = ""
    """With this flag it is not previewed, because that would tell secrets."""
    shell: str = ""

    @property
    def word(self) -> str:
        return self.spoken or self.name.upper()

    @property
    def code(self) -> bool:
        """Whether a mail needs a code."""
        return self.by_mail and self.needs is Needs.CODE

    @property
    def line(self) -> str:
        made = "".join(argument.line for argument in self.arguments)
        return made if self.heard is None else self.heard

    @property
    def shown(self) -> str:
        """The act in the help by mail."""
        if self.example is not None:
            return f"{self.word} {self.example}".strip()
        return " ".join((self.word, *(one.name for one in self.arguments if one.line)))

    @property
    def of_game(self) -> bool:
        """Whether a mail must name a game."""
        return any(one.kind is Kind.GAME and not one.option for one in self.arguments)

    @property
    def of_one_game(self) -> bool:
        """Whether other games need not wait."""
        return self.of_game and not self.beyond

    @property
    def goes_on(self) -> bool:
        """Whether lines below belong to it."""
        return any(one.many for one in self.arguments)

    @property
    def below(self) -> Mapping[str, Argument]:
        """Arguments on those lines, by name in capitals."""
        return {
            one.option.removeprefix("--").upper(): one
            for one in self.arguments
            if one.many or (self.settings and one.option and one.kind is not Kind.FILE)
        }

    def replaces_game(self, flags: Collection[str]) -> bool:
        """Return whether a flag (``resume --all``) replaces a game."""
        return not frozenset().union(*self.ways).isdisjoint(flags)

    def has(self, *kinds: Kind) -> bool:
        return any(argument.kind in kinds for argument in self.arguments)

    def misused(self, values: Mapping[str, object]) -> bool:
        named = frozenset().union(*self.ways)
        given = {name for name in named if values[name] not in (None, False)}
        return bool(self.ways) and given not in self.ways
