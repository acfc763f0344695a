"""What an act of the gamesmaster is: its name, what it takes, who may do it, what is journalled and
told. The table of them is ``acts``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto

from pbem.acts.needs import Needs


class Kind(Enum):
    """What an argument is. In a mail GAME and PERIOD are named by lines of their own; NAME and WHY
    are what is left of the line, or nothing; TEXT and FILE go on over the lines that follow, TEXT
    to a blank one."""

    GAME = auto()
    PERIOD = auto()
    SEAT = auto()
    ADDRESS = auto()
    NUMBER = auto()
    LENGTH = auto()
    TIME = auto()
    WORD = auto()
    TABLE = auto()
    """The id of an open table, whose game is not there yet."""
    FLAG = auto()
    NAME = auto()
    WHY = auto()
    TEXT = auto()
    FILE = auto()
    ORDERS = auto()
    """A seat and orders for it: in the shell a SEAT and a FILE."""


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
"""How an argument looks in a line of a mail, for those that stand in one."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One value that an act takes.

    ``name`` is the effect's; ``option`` its option in the shell (``--why``), "" where it stands at
    its place; ``shown`` what the shell's usage calls it where that is not the name. ``many``: the
    option may be given several times; in a mail each stands on a line below the act's own, by its
    name in capitals (``ACCEPT 17``). ``placed``: in a mail it stands at its place all the same, a
    FLAG as its option's word in capitals. ``whole``: in a mail it is all that is left of the line.
    """

    name: str
    kind: Kind
    option: str = ""
    help: str = ""
    required: bool = True
    shown: str = ""
    many: bool = False
    placed: bool = False
    whole: bool = False

    @property
    def flag(self) -> str:
        """A FLAG as a mail says it: ALL for --all."""
        return self.option.lstrip("-").upper()

    @property
    def in_line(self) -> bool:
        """Whether a line of a mail may have it."""
        return not self.option or self.placed or self.kind in (Kind.NAME, Kind.WHY)

    @property
    def line(self) -> str:
        """What a line of a mail has for it, as an expression."""
        if not self.in_line:
            return ""
        pattern = f" +{self.flag}" if self.kind is Kind.FLAG else LINE.get(self.kind, "")
        return pattern if self.required or not pattern else f"(?:{pattern})?"


class Who(Enum):
    """Who may do an act."""

    ACTING = auto()
    """Whoever does the acts of the game: its gamesmaster, or its second while he plays in it. By
    the shell the installation's gamesmaster, if he does not play in it. What is upon no game is
    for the installation's."""
    NAMED = auto()
    """The gamesmaster of the game, though he plays in it; or whoever has the shell."""
    TABLE = auto()
    """The gamesmaster for whom the table was opened, or the installation's."""


class Notified(Flag):
    """Who is told of an act when it is done, besides the journal."""

    NOBODY = 0
    ALL = auto()
    """Every seat, by a mail."""
    BULLETIN = auto()
    """Whoever reads the next bulletin."""
    SEAT = auto()
    """The player whom it concerns, by a mail."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the gamesmaster.

    ``ways``: of the arguments named there exactly those of one way are given, and ``usage`` says
    so to whoever gives others. ``journal``: the kind of entry it makes in a game's journal, one of
    them where it has two ways. ``by_mail``: it may come by mail, as the name in capitals; ``code``:
    it is done then only when a code that is mailed back is confirmed: so it is with what cannot be
    taken back, shows what is secret, or gives a seat, its mail or its orders into other hands.
    ``tried``: the flag without which it is only tried, as it is by mail before its code comes
    back. ``spoken``: its word there, where that is another's already; ``timeless``: it is the same
    in every period, so that no line PERIOD is asked for. ``reopens``: it takes up a game that is
    over, so that whoever held a seat of it then plays in it. ``settings``: its options too may come
    by mail, behind its line's own words or on lines below, each by its name in capitals (``PLAYERS
    5``). ``asks``: it is a question, which shows what is secret and changes nothing else;
    ``blind``: what it would do is not shown before it is done, for that would tell what is secret.
    ``shell``: what its help there says besides. ``example`` and ``short`` are for the
    help by mail; ``heard`` is the rest of its line there, where that is not what its arguments
    make.
    """

    name: str
    help: str
    arguments: tuple[Argument, ...]
    journal: tuple[str, ...]
    told: Notified
    needs: Needs
    who: Who = Who.ACTING
    ways: tuple[frozenset[str], ...] = ()
    usage: str = ""
    by_mail: bool = False
    tried: str = ""
    example: str | None = None
    short: str = ""
    heard: str | None = None
    beyond: bool = False
    spoken: str = ""
    timeless: bool = False
    reopens: bool = False
    settings: bool = False
    asks: bool = False
    blind: bool = False
    shell: str = ""

    @property
    def word(self) -> str:
        """Its name in a mail."""
        return self.spoken or self.name.upper()

    @property
    def code(self) -> bool:
        """Whether by mail it is done only when a code comes back."""
        return self.by_mail and self.needs is Needs.CODE

    @property
    def line(self) -> str:
        """What follows the word in a mail, as an expression."""
        made = "".join(argument.line for argument in self.arguments)
        return made if self.heard is None else self.heard

    @property
    def shown(self) -> str:
        """The act as the help by mail shows it."""
        if self.example is not None:
            return f"{self.word} {self.example}".strip()
        return " ".join((self.word, *(one.name for one in self.arguments if one.line)))

    @property
    def of_game(self) -> bool:
        """Whether it is upon one game, which a mail has to name."""
        return any(one.kind is Kind.GAME and not one.option for one in self.arguments)

    @property
    def of_one_game(self) -> bool:
        """Whether it touches nothing else, so that other games need not wait for it."""
        return self.of_game and not self.beyond

    @property
    def goes_on(self) -> bool:
        """Whether lines below its own belong to it in a mail, up to an empty one."""
        return any(one.many for one in self.arguments)

    @property
    def below(self) -> Mapping[str, Argument]:
        """What may stand on the lines below its own, by its name in capitals."""
        return {
            one.option.removeprefix("--").upper(): one
            for one in self.arguments
            if one.many or (self.settings and one.option and one.kind is not Kind.FILE)
        }

    def replaces_game(self, flags: Collection[str]) -> bool:
        """Whether one of the flags stands in the place of a game (``resume --all``)."""
        return not frozenset().union(*self.ways).isdisjoint(flags)

    def has(self, *kinds: Kind) -> bool:
        """Whether one of its arguments is of such a kind."""
        return any(argument.kind in kinds for argument in self.arguments)

    def misused(self, values: Mapping[str, object]) -> bool:
        """Whether the values that are given are none of its ways."""
        named = frozenset().union(*self.ways)
        given = {name for name in named if values[name] not in (None, False)}
        return bool(self.ways) and given not in self.ways
