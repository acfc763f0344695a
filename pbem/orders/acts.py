"""The table of the gamesmaster's acts: what each is called and takes, who may do it, and what is
journalled and told.

The commands of the shell and his words by mail are made from it. What an act does stands under its
name in ``referee.act_effects``, how a value is read from text in ``referee.act_values``; the list
of commands needs neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto


class Kind(Enum):
    """What an argument is. In a mail GAME and PERIOD are named by lines of their own; WHY is what
    is left of the line, or nothing; TEXT and FILE go on over the lines that follow."""

    GAME = auto()
    PERIOD = auto()
    SEAT = auto()
    ADDRESS = auto()
    NUMBER = auto()
    LENGTH = auto()
    TIME = auto()
    WORD = auto()
    FLAG = auto()
    WHY = auto()
    TEXT = auto()
    FILE = auto()
    ORDERS = auto()
    """A seat and orders for it: in the shell a SEAT and a FILE."""


LONG = (Kind.TEXT, Kind.FILE)
_LINE = {
    Kind.SEAT: r" +\S{1,20}",
    Kind.ADDRESS: r" +\S{1,254}",
    Kind.NUMBER: r" +\S{1,64}",
    Kind.LENGTH: r" ++.{1,60}",
    Kind.WORD: r" +\S{1,64}",
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
    name in capitals (``ACCEPT 17``).
    """

    name: str
    kind: Kind
    option: str = ""
    help: str = ""
    required: bool = True
    shown: str = ""
    many: bool = False

    @property
    def line(self) -> str:
        """What a line of a mail has for it, as an expression; options but WHY are not had there."""
        if self.kind is Kind.WHY or not self.option:
            pattern = _LINE.get(self.kind, "")
            return pattern if self.required or not pattern else f"(?:{pattern})?"
        return ""


class Who(Enum):
    """Who may do an act."""

    ACTING = auto()
    """Whoever does the acts of the game: its gamesmaster, or its second while he plays in it. By
    the shell the installation's gamesmaster, if he does not play in it. What is upon no game is
    for the installation's."""
    NAMED = auto()
    """The gamesmaster of the game, though he plays in it; or whoever has the shell."""


class Told(Flag):
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
    it is done then only when a code that is mailed back is confirmed. ``tried``: the flag without
    which it is only tried, as it is by mail before its code comes back. ``example`` and ``short``
    are for the help by mail; ``heard`` is the rest of its line there, where that is not what its
    arguments make.
    """

    name: str
    help: str
    arguments: tuple[Argument, ...]
    journal: tuple[str, ...]
    told: Told
    who: Who = Who.ACTING
    ways: tuple[frozenset[str], ...] = ()
    usage: str = ""
    by_mail: bool = False
    code: bool = False
    tried: str = ""
    example: str | None = None
    short: str = ""
    heard: str | None = None
    beyond: bool = False

    @property
    def word(self) -> str:
        """Its name in a mail."""
        return self.name.upper()

    @property
    def line(self) -> str:
        """What follows the word in a mail, as an expression."""
        made = "".join(argument.line for argument in self.arguments)
        said = made if self.heard is None else self.heard
        return f"{said}(?: +ANYWAY)?" if self.doubtful else said

    @property
    def doubtful(self) -> bool:
        """Whether it takes the word ANYWAY."""
        return ANYWAY in self.arguments

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

    def has(self, *kinds: Kind) -> bool:
        """Whether one of its arguments is of such a kind."""
        return any(argument.kind in kinds for argument in self.arguments)

    def misused(self, values: Mapping[str, object]) -> bool:
        """Whether the values that are given are none of its ways."""
        named = frozenset().union(*self.ways)
        given = {name for name in named if values[name] not in (None, False)}
        return bool(self.ways) and given not in self.ways


def _ways(*ways: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(way.split()) for way in ways)


GAME = Argument("game", Kind.GAME)
SEAT = Argument("seat", Kind.SEAT)
WHY = Argument("why", Kind.WHY, "--why")
NAME = Argument("name", Kind.WORD, "--name", required=False)
PERIOD = Argument(
    "period", Kind.PERIOD, "--period", "refuse if the game is in another period", required=False
)
LETTER = Argument("letter", Kind.NUMBER)
ANYWAY = Argument(
    "anyway", Kind.FLAG, "--anyway", "do it although it is hardly meant", required=False
)
"""Of acts that are refused where they can be done and are hardly meant (``Doubtful``). In a mail it
is the last word of the line."""

QUEUE = Act(
    "queue",
    "Who is in, who is missing, held and failed letters, outbox, next deadlines.",
    (Argument("game", Kind.WORD, required=False),),
    (),
    Told.NOBODY,
    by_mail=True,
    example="",
    short="who is in, what is held; or QUEUE key",
    heard=r"(?: +[A-Za-z0-9][\w.-]{0,63})?",
)
"""A question, which changes nothing; in the shell a command of its own."""

ACTS = (
    Act(
        "extend",
        'Move the deadline by DAYS (negative: bring it forward), or by "30 minutes"; everybody is'
        " told.",
        (GAME, Argument("days", Kind.LENGTH), WHY, PERIOD),
        ("deadline",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="3 post strike",
        short="moves the deadline by days, and says why",
        heard=r" ++.{1,60}",
    ),
    Act(
        "close",
        "Close the period now and adjudicate it.",
        (GAME, PERIOD),
        ("closed-by-hand",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        code=True,
        short="closes the period now",
    ),
    Act(
        "preview",
        "The bulletin as it would be if the period closed now, and who is missing. Nothing is"
        " stored.",
        (GAME,),
        ("look",),
        Told.BULLETIN,
        by_mail=True,
        code=True,
        short="the bulletin as it would be now",
    ),
    Act(
        "replace",
        "Another player takes a seat: he is briefed, the old reply address is void, the bulletin"
        " says so.",
        (GAME, SEAT, Argument("address", Kind.ADDRESS), NAME, WHY, ANYWAY),
        ("replaced",),
        Told.SEAT | Told.BULLETIN,
        by_mail=True,
        code=True,
        example="seat address",
        short="another player takes the seat",
        heard=_LINE[Kind.SEAT] + _LINE[Kind.ADDRESS],
        beyond=True,
    ),
    Act(
        "rule",
        "A ruling, printed in the next bulletin.",
        (GAME, Argument("text", Kind.TEXT)),
        ("ruling",),
        Told.BULLETIN,
        by_mail=True,
        short="a ruling for the next bulletin",
    ),
    Act(
        "hold",
        "Stop a game's clock; orders are still taken.",
        (GAME, WHY),
        ("hold",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="illness",
        short="stops the clock, and says why",
    ),
    Act(
        "resume",
        "Let a held game go on; its deadline moves by the days it was held.",
        (
            Argument("game", Kind.GAME, required=False),
            Argument("everything", Kind.FLAG, "--all", "every held game", required=False),
        ),
        ("resume",),
        Told.ALL | Told.BULLETIN,
        ways=_ways("game", "everything"),
        usage="give a GAME or --all",
        by_mail=True,
        short="lets it run on",
    ),
    Act(
        "pause",
        "No deadline falls from FIRST to LAST (YYYY-MM-DD); a deadline that did moves behind them."
        " Everybody is told.",
        (GAME, Argument("first", Kind.WORD), Argument("last", Kind.WORD), WHY, PERIOD),
        ("pause",),
        Told.ALL | Told.BULLETIN,
    ),
    Act(
        "unpause",
        "Lift the pause that begins on FIRST (YYYY-MM-DD): a deadline that it moved comes back,"
        " though never into the past. Everybody is told.",
        (GAME, Argument("first", Kind.WORD), WHY, PERIOD),
        ("unpause",),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        example="2026-12-24 we play on",
        short="lifts the pause that begins then",
    ),
    Act(
        "release",
        "Publish the bulletin that waits in review.",
        (
            GAME,
            Argument(
                "bulletin",
                Kind.NUMBER,
                "--bulletin",
                "refuse if another bulletin waits",
                required=False,
            ),
        ),
        ("release",),
        Told.ALL,
    ),
    Act(
        "order",
        "Enter orders on a seat's behalf, from FILE or stdin; the bulletin says so.",
        (GAME, SEAT, Argument("file", Kind.FILE, required=False), PERIOD),
        ("orders-on-behalf",),
        Told.BULLETIN,
    ),
    Act(
        "standby",
        "One more stand-by player for a game; he is told, and called on when a seat needs a new"
        " player.",
        (GAME, Argument("address", Kind.ADDRESS), NAME, ANYWAY),
        ("standby",),
        Told.SEAT,
        beyond=True,
    ),
    Act(
        "master",
        "Another gamesmaster for a game: he and the one before each confirm a code that is mailed"
        " to them; then everybody is told.",
        (
            GAME,
            Argument("address", Kind.ADDRESS),
            Argument(
                "now",
                Kind.FLAG,
                "--now",
                "whoever has it now is gone: only ADDRESS is asked",
                required=False,
            ),
        ),
        ("master-asked",),
        Told.NOBODY,
        who=Who.NAMED,
        by_mail=True,
        example="address",
        short="another gamesmaster, once both agree",
        beyond=True,
    ),
    Act(
        "second",
        "Another second gamesmaster, who does the acts of a game while its gamesmaster plays in it:"
        " all concerned confirm a code that is mailed to them.",
        (
            GAME,
            Argument("address", Kind.ADDRESS),
            Argument(
                "now",
                Kind.FLAG,
                "--now",
                "whoever has it now is gone: only ADDRESS is asked",
                required=False,
            ),
        ),
        ("second-asked",),
        Told.NOBODY,
        who=Who.NAMED,
        by_mail=True,
        example="address",
        short="who does the acts while you play",
        beyond=True,
    ),
    Act(
        "address",
        "Change a player's address of record, or say that mail to it arrives again.",
        (
            Argument("old", Kind.ADDRESS),
            Argument("new", Kind.ADDRESS, required=False),
            Argument(
                "works",
                Kind.FLAG,
                "--works",
                "instead of NEW: mail to OLD arrives again, forget what came back",
                required=False,
            ),
        ),
        ("address-changed", "address-works"),
        Told.NOBODY,
        ways=_ways("new", "works"),
        usage="give OLD and NEW, or OLD and --works",
    ),
    Act(
        "rotate",
        "A new secret reply address for a seat, or with --gamesmaster for yourself.",
        (
            Argument("game", Kind.GAME, required=False),
            Argument("seat", Kind.SEAT, required=False),
            Argument(
                "gamesmaster", Kind.FLAG, "--gamesmaster", "the gamesmaster's own", required=False
            ),
        ),
        ("token-rotated",),
        Told.NOBODY,
        ways=_ways("game seat", "gamesmaster"),
        usage="give GAME and SEAT, or --gamesmaster",
    ),
    Act(
        "key",
        "Register the OpenPGP public key in FILE (ASCII-armoured) for a player's address.",
        (Argument("address", Kind.ADDRESS), Argument("file", Kind.FILE)),
        ("key-registered",),
        Told.NOBODY,
    ),
    Act(
        "rewind",
        "Show what would change if period N were adjudicated again, with its orders put right; with"
        " --do, do it.",
        (
            GAME,
            Argument("number", Kind.NUMBER, shown="N"),
            Argument(
                "order",
                Kind.ORDERS,
                "--order",
                "orders of period N for a seat, on top of what stood",
                required=False,
                shown="SEAT FILE",
                many=True,
            ),
            Argument(
                "accept",
                Kind.NUMBER,
                "--accept",
                "a held, late or unverified letter that was meant for N",
                required=False,
                shown="LETTER",
                many=True,
            ),
            Argument(
                "drop",
                Kind.NUMBER,
                "--drop",
                "a letter whose orders of N are taken as never sent",
                required=False,
                shown="LETTER",
                many=True,
            ),
            WHY,
            Argument("do", Kind.FLAG, "--do", "do it, and tell everybody", required=False),
        ),
        ("rewind", "rewind-tried"),
        Told.ALL | Told.BULLETIN,
        by_mail=True,
        code=True,
        tried="do",
        example="3 misread",
        short="corrects a closed period; see below",
    ),
    Act(
        "accept",
        "Take a held letter's orders as they are, on your own word that its sender is who he says.",
        (
            Argument("letter", Kind.NUMBER, required=False),
            Argument(
                "game",
                Kind.GAME,
                "--game",
                "instead of LETTER: all of this game held after a restore that are plainly for its"
                " open period",
                required=False,
            ),
            Argument(
                "before",
                Kind.TIME,
                "--before",
                "with --game, in its time zone: the open period was open until then, on your word",
                required=False,
            ),
        ),
        ("letter-accepted", "letters-accepted"),
        Told.BULLETIN,
        ways=_ways("letter", "game", "game before"),
        usage="give a LETTER, or --game GAME (and --before)",
    ),
    Act(
        "dismiss",
        "Close a held, failed or quarantined letter without effect.",
        (LETTER,),
        ("letter-dismissed",),
        Told.NOBODY,
    ),
    Act(
        "retry",
        "Decide a failed letter again, or fetch an unfetchable one again.",
        (LETTER,),
        ("letter-retried",),
        Told.NOBODY,
    ),
    Act(
        "resend",
        "Send a mail again that was refused, or that perhaps went out.",
        (Argument("mail", Kind.NUMBER),),
        ("mail-resent",),
        Told.SEAT,
    ),
    Act(
        "restore",
        "After the database came back from a backup: hold the outbox and all games, rescan every"
        " folder by content.",
        (
            Argument(
                "release_outbox",
                Kind.FLAG,
                "--release-outbox",
                "second step: what the restored outbox holds may go out",
                required=False,
            ),
        ),
        ("restored",),
        Told.NOBODY,
    ),
)
"""The acts, those that may come by mail in the order of the help there."""

BY_MAIL = {act.word: act for act in (QUEUE, *ACTS) if act.by_mail}
"""The gamesmaster's words by mail."""
