"""What an act of the gamesmaster is: a row, which shell, mail and desk read.

The proof that a word for the referee needs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, Flag, auto


class Needs(Enum):
    """A letter that lacks a word's proof is taken whole or not at all."""

    NOTHING = "nothing"
    """Changes nothing, or mails its own code."""
    LEVEL = "level"
    """What the game asks for; of a gamesmaster, proof."""
    PROVEN = "proven"
    """Proof, whatever the game asks for; else a code."""
    CODE = "code"
    """A code mailed back, whatever the proof."""


class Kind(Enum):
    """In a mail, NAME and WHY end the line, FILE goes on below, TEXT to a blank line."""

    GAME = auto()
    PERIOD = auto()
    SEAT = auto()
    READERS = auto()
    ADDRESS = auto()
    NUMBER = auto()
    LENGTH = auto()
    DAY = auto()
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
    Kind.DAY: r" +\S{1,64}",
    Kind.WORD: r" +\S{1,64}",
    Kind.TABLE: r" +\S{1,40}",
    Kind.NAME: r"(?: ++.{1,80})?",
    Kind.WHY: r"(?: ++.{1,200})?",
    Kind.TEXT: r" ++.+",
    Kind.FILE: r" ++.+",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """One value that an act takes, with its words in a form."""

    name: str
    kind: Kind
    label: str
    hint: str = ""
    option: str = ""
    """In the shell (``--why``); "" if positional."""
    required: bool = True
    shown: str = ""
    """In the shell's usage, if not ``name``."""
    many: bool = False
    """In a mail on lines below (``ACCEPT 17``)."""
    placed: bool = False

    @property
    def help(self) -> str:
        return f"{self.label}. {self.hint}".removesuffix(" ")

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
        pattern = f" ++{self.flag}" if self.kind is Kind.FLAG else LINE.get(self.kind, "")
        return pattern if self.required or not pattern else f"(?:{pattern})?"


class Who(Enum):
    """Who may do an act."""

    ACTING = auto()
    """The game's gamesmaster, or its second while playing. For no game, and in the shell, the
    installation's."""
    NAMED = auto()
    """The game's gamesmaster, even while playing."""
    TABLE = auto()
    """The table's gamesmaster, or the installation's."""


class Notified(Flag):
    """Who is told, besides the journal."""

    NOBODY = 0
    ALL = auto()
    SEAT = auto()
    BULLETIN = auto()
    """Readers of the next bulletin."""


_TOLD = {
    Notified.ALL: "every player is told by mail",
    Notified.SEAT: "the player concerned is told by mail",
    Notified.BULLETIN: "the next bulletin says so",
}
ANY = {"seat": "a seat", "bulletin": "the bulletin", "who": "a newcomer"}
"""What stands in a label for no seat, bulletin or newcomer."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act of the gamesmaster. Its function is of the same name, in ``referee/acts``."""

    name: str
    label: str
    """Braces take its values: {seat}, {bulletin}, {who}."""
    does: str
    arguments: tuple[Argument, ...]
    told: Notified = Notified.NOBODY
    journal: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Its entry's kind and sentences, one kind per way. The first sentence whose facts are there is
    used."""
    needs: Needs = Needs.CODE
    who: Who = Who.ACTING
    ways: tuple[frozenset[str], ...] = ()
    """Of these arguments, those of one way are given."""
    usage: str = ""
    """Told to those who give others."""
    by_mail: bool = True
    tried: str = ""
    """Without this flag it is only tried."""
    example: str | None = None
    heard: str | None = None
    """None: from ``arguments``."""
    spoken: str = ""
    timeless: bool = False
    reopens: bool = False
    settings: bool = False
    """A mail may give its options below, by name (``PLAYERS 5``)."""
    asks: bool = False
    """A question: shows secrets, changes nothing."""
    blind: str = ""
    """With this flag it is not previewed, because that would tell secrets."""

    def called(self, values: Mapping[str, object]) -> str:
        """Return the label, or that of NONE, with what is known of its values."""
        named = {**ANY, **values}
        if "bulletin" in values:
            named["bulletin"] = f"bulletin {values['bulletin']}"
        label = self.none.label if self.none and values.get("none") else self.label
        return label.format_map(named)

    @property
    def none(self) -> Argument | None:
        """The flag that takes back what the act has set."""
        return next((one for one in self.arguments if one.name == "none"), None)

    @property
    def title(self) -> str:
        return self.called({})

    @property
    def tells(self) -> str:
        who = [words for flag, words in _TOLD.items() if flag in self.told]
        return f"{'; '.join(who).capitalize()}." if who else "Nobody is told of it but the journal."

    @property
    def help(self) -> str:
        """The act in the shell."""
        said = [f"{self.title}.", self.does, self.tells]
        if any(one.kind is Kind.FILE and not one.option for one in self.arguments):
            said.append("Words are read from FILE or stdin.")
        return " ".join((*said, f"With --{self.tried}, it is done." if self.tried else "")).strip()

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
        said = self.example
        if said is None:
            said = " ".join(one.name for one in self.arguments if one.line)
        return f"{self.word} {said}".strip()

    @property
    def of_game(self) -> bool:
        """Whether a mail must name a game."""
        return any(one.kind is Kind.GAME and not one.option for one in self.arguments)

    @property
    def of_one_game(self) -> bool:
        """Whether other games need not wait: those of a player whom it names do."""
        return self.of_game and not self.has(Kind.ADDRESS)

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

    def has(self, *kinds: Kind) -> bool:
        return any(argument.kind in kinds for argument in self.arguments)

    def misused(self, values: Mapping[str, object]) -> bool:
        named = frozenset().union(*self.ways)
        given = {name for name in named if values[name] not in (None, False)}
        return bool(self.ways) and given not in self.ways
