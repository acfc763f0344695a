"""All that can be said to the referee, and what it would do if a forger said it.

The class of a word is thought about here, from what the referee promises (``docs/``); it is never
read from the program's own table.

- ``asks``: it changes nothing, and its answer goes to the address of record;
- ``tells``: others read something in its writer's name;
- ``own``: it changes what is the writer's own, and can be taken back;
- ``others``: it gives a seat, its mail or its orders into other hands;
- ``forever``: it cannot be taken back.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.installation import GAMESMASTER, address
from tests.letter.forger_world import (
    ANN,
    BOB,
    CARLA,
    DORA,
    FAY,
    HEAD,
    LEVELS,
    OLGA,
    PAUL,
    STRANGER,
    World,
    changes,
    facts,
)
from tests.letter.forging import REFEREE, Came, Mail, checked

ASKS, TELLS, OWN, OTHERS, FOREVER = "asks", "tells", "own", "others", "forever"
DMARC, ADDRESSES = ("pass", "none", "fail"), ("right", "leaked", "none")
NOBODY, MASTER = "nobody", "gamesmaster"


@dataclass(frozen=True)
class Word:
    """A word, by somebody: its class of effect, and the lines that it stands in. ``name`` is the
    program's word; ``of`` says whose it is where that is not a player's. ``game``: the game in whose
    mails its writer's secret address stands. ``code``: he is mailed a code whatever proves it."""

    name: str
    effect: str
    text: str
    who: str = ANN
    of: str = ""
    game: str = "g"
    code: bool = False

    @property
    def key(self) -> str:
        return f"{self.name} {self.of}".strip()

    @property
    def levels(self) -> tuple[str, ...]:
        if self.who == GAMESMASTER:
            return (MASTER,)
        if self.who in (FAY, OLGA, PAUL, STRANGER):
            return (NOBODY,)
        return LEVELS

    @property
    def addresses(self) -> tuple[str, ...]:
        if self.name == "ANSWER":
            return ("right", "leaked")
        return ("none",) if self.who in (FAY, OLGA, STRANGER) else ADDRESSES


def _player(name: str, effect: str, line: str = "", **more: object) -> Word:
    return Word(name, effect, f"{HEAD}{line or name}\n", **more)  # type: ignore[arg-type]


def _master(name: str, effect: str, line: str, head: str = HEAD, **more: object) -> Word:
    return Word(name, effect, f"{head}{line}\n", GAMESMASTER, "of the gamesmaster", **more)  # type: ignore[arg-type]


def _anybody(name: str, effect: str, line: str, who: str = ANN, of: str = "") -> Word:
    return Word(name, effect, f"{line}\n", who, of)


WORDS = (
    _player("HELP", ASKS),
    _player("STATUS", ASKS),
    _player("ORDERS", ASKS),
    _player("HISTORY", ASKS, "HISTORY 1"),
    _player("BOARD", ASKS),
    _player("WHY", ASKS),
    _player("RULES", ASKS, "RULES 4"),
    _player("RULINGS", ASKS),
    _player("TABLES", ASKS),
    _player("CHECK", ASKS, 'CHECK\nNAME "Tried"'),
    _player("ORDER", OWN, 'NAME "New"', of="of a game"),
    _player("ORDER", OWN, 'NAME "New"', who=DORA, of="by a deputy"),
    _player("CANCEL", OWN, "CANCEL WAIT"),
    _player("READY", OWN),
    _player("WAIT", OWN, who=BOB),
    _player("ZONE", OWN, "ZONE America/New_York"),
    _player("NAME", TELLS, "My name is Nora"),
    _player("RECEIPTS", OWN, "RECEIPTS ALL"),
    _player("PLAIN", OWN),
    _player("HTML", OWN, who=BOB),
    _player("CALENDAR", OWN, "CALENDAR ON"),
    _player("PRESS", TELLS, "PRESS TO B\nThe Liberals are liars.\nEND PRESS"),
    _player("PROTEST", TELLS, "PROTEST the seats are counted wrongly"),
    _player("ASK", TELLS, "ASK GAMESMASTER may I lie?"),
    _player("MUTE", OWN, "MUTE B"),
    _player("ABSENT", TELLS, "ABSENT {soon} TO {later}"),
    Word("STATEMENT", TELLS, "GAME o\nSTATEMENT\nIt was all my own doing.\n", game="o"),
    Word("AGAIN", OWN, "GAME o\nAGAIN\n", game="o"),
    Word("ANSWER", TELLS, "That is fine with me.\n"),
    _player("DEPUTY", OTHERS, f"DEPUTY {CARLA}"),
    _player("QUIT", FOREVER),
    _player("RESIGN", FOREVER),
    _player("AGREE", FOREVER, "AGREE DRAW A, B"),
    _anybody("GAMES", ASKS, "GAMES"),
    _anybody("GAMES", ASKS, "GAMES", STRANGER, "of a stranger"),
    _anybody("RULES", ASKS, "RULES coalition", STRANGER, "of a stranger"),
    _anybody("SIGNON", OWN, "SIGNON u AS Ann"),
    _anybody("PREFER", OWN, "SIGNON u AS Ann\nPREFER B, C"),
    _anybody("SEAT", OWN, "SIGNON u AS Ann\nSEAT B"),
    _anybody("SIGNON", OWN, "SIGNON u AS Sten", STRANGER, "of a stranger"),
    _anybody("SIGNOFF", FOREVER, "SIGNOFF u", FAY),
    _anybody("WATCH", OWN, "WATCH h"),
    _anybody("WATCH", OWN, "WATCH g", STRANGER, "of a stranger"),
    _anybody("PRACTICE", OWN, "PRACTICE coalition"),
    _anybody("PRACTICE", OWN, "PRACTICE coalition", STRANGER, "of a stranger"),
    _anybody("ZINE", OWN, "ZINE ON"),
    _anybody("ZINE", OWN, "ZINE ON", STRANGER, "of a stranger"),
    _anybody("LISTED", OWN, "LISTED ON"),
    _anybody("LISTED", ASKS, "LISTED ON", STRANGER, "of a stranger"),
    _anybody("UNWATCH", FOREVER, "UNWATCH g", OLGA),
    _anybody("UNWATCH", FOREVER, "UNWATCH r", ANN, "of a player"),
    _anybody("INVITE", TELLS, f"INVITE {CARLA} TO g"),
    _anybody("STOP", FOREVER, "STOP", STRANGER),
    _anybody("QUIT", OWN, "QUIT", PAUL, "of a stand-by"),
    _master("QUEUE", ASKS, "QUEUE"),
    _master("SEEN", ASKS, "SEEN"),
    _master("DESK", ASKS, "DESK"),
    _master("TABLE", ASKS, "TABLE t"),
    _master("PREVIEW", ASKS, "PREVIEW"),
    _master("RULE", TELLS, "RULE Nobody pays taxes any more."),
    _master("PRESS", TELLS, "PRESS TO ALL\nThe game will end soon.\nEND PRESS"),
    _master("AWAY", TELLS, "AWAY {soon} TO {later}"),
    _master("ANSWER", TELLS, "ANSWER {held} it is right", ""),
    _master("SETTLE", TELLS, "SETTLE C it is right"),
    _master("PRINT", TELLS, "PRINT 1", ""),
    _master("SUSPEND", TELLS, "SUSPEND C 7 you go on"),
    _master("DISMISS", FOREVER, "DISMISS {held}"),
    _master("RETRY", OWN, "RETRY {failed}"),
    _master("RESEND", OWN, "RESEND {mail}", ""),
    _master("ROTATE", FOREVER, "ROTATE C"),
    _master("OPEN", TELLS, "OPEN coalition w PLAYERS 5", ""),
    _master("ADMIT", TELLS, "ADMIT t 1", ""),
    _master("ACCEPT", OTHERS, "ACCEPT {held}"),
    _master("ORDER", OTHERS, 'ORDER C\nNAME "Forged"\nEND ORDER'),
    _master("REPLACE", OTHERS, f"REPLACE C {CARLA} Carla"),
    _master("STANDBY", OTHERS, f"STANDBY {CARLA} Carla"),
    _master("ADDRESS", OTHERS, f"ADDRESS {address('D')} {CARLA}", ""),
    _master("MASTER", OTHERS, f"MASTER {CARLA}"),
    _master("EXTEND", FOREVER, "EXTEND 4 the post is on strike"),
    _master("PAUSE", FOREVER, "PAUSE {spring} {spring} spring"),
    _master("HOUR", FOREVER, "HOUR 20:00"),
    _master("HOLD", FOREVER, "HOLD illness"),
    _master("AMENDED", FOREVER, "AMENDED 1 BY HAND", "GAME a\nPERIOD 1\n"),
    _master("RESUME", FOREVER, "RESUME", "GAME h\nPERIOD 1\n"),
    _master("CLOSE", FOREVER, "CLOSE"),
    _master("RELEASE", FOREVER, "RELEASE", "GAME r\nPERIOD 2\n"),
    _master("REWIND", FOREVER, "REWIND 1 misread"),
    _master("START", FOREVER, "START", "GAME n\n"),
    _master("ENDGAME", FOREVER, "ENDGAME it rains", "GAME g\n"),
    _master("CLOSETABLE", FOREVER, "CLOSETABLE t it rains", ""),
)
"""All that can be said to the referee, and what it would do if it were forged."""
FRAMES = frozenset(("GAME", "PERIOD", "END", "CONFIRM"))
"""Words that do nothing by themselves: they say what the others are for, or prove them."""


Cell = tuple[str, str, str]
"""A level, what our server says, and where the letter was sent."""


def cells(word: Word) -> Iterator[Cell]:
    for level in word.levels:
        for dmarc in DMARC:
            for to in word.addresses:
                yield level, dmarc, to


CELLS = [(word, cell) for word in WORDS for cell in cells(word)]


def best(word: Word) -> Cell:
    """All the proof that there is."""
    level = word.levels[-1] if word.levels[-1] in (MASTER, NOBODY) else "proven"
    return level, "pass", word.addresses[0]


# --- what comes of a letter -----------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What came of a letter: in one word, what has changed, and who was mailed."""

    outcome: str
    changed: frozenset[str]
    told: frozenset[str]
    came: Came


def _to(at: World, word: Word, to: str) -> str:
    if word.name == "ANSWER" and word.who != GAMESMASTER:
        return at.presses[ANN if to == "right" else BOB]
    if to == "none":
        return REFEREE
    if word.who == GAMESMASTER:
        return at.gamesmasters if to == "right" else at.secrets["g", ANN]
    if to == "leaked":
        return at.secrets[word.game, address("C")]
    return at.secrets[word.game, word.who]


def written(at: World, word: Word, cell: Cell) -> bytes:
    """The letter of a cell."""
    _, dmarc, to = cell
    text = word.text.format(**at.letters, **at.days)
    raw = at.letter(word.who, text, To=_to(at, word, to))
    if dmarc == "none":
        return raw
    return checked(raw, f"dmarc={dmarc} header.from={word.who.rpartition('@')[2]}")


_NOT_HEARD = ("unverified", "held", "late", "unknown-sender", "quarantine", "ignored", "unanswered")


def _asks(mail: Mail) -> bool:
    """Whether a mail has a code in it, or says how to prove what was written."""
    return "CONFIRM " in mail.text or mail.kind in ("challenge", "proof")


def result(at: World, word: Word, came: Came) -> Result:
    """What came of the letter, of one that was confirmed too."""
    changed = changes(at.facts, facts(at)) - _LIFE - _LOOK
    others = [mail for mail in came.mails if mail.to not in (word.who, GAMESMASTER)]
    told = frozenset(mail.to for mail in others if not _asks(mail))
    mine = [mail for mail in came.mails if mail.to == word.who]
    if changed or told:
        outcome = "taken"
    elif any(_asks(mail) for mail in came.mails):
        outcome = "challenged"
    elif word.effect == ASKS and mine and came.outcome not in _NOT_HEARD:
        outcome = "taken"
    else:
        outcome = "refused" if mine else "ignored"
    return Result(outcome, changed, told, came)


_LIFE = frozenset(("seat.heard", "gamesmaster.heard", "gamesmaster.asked", "game.attended"))
"""That somebody was heard of, which is looked at apart."""
_LOOK = frozenset(("+look",))
"""That the gamesmaster has looked, which the next bulletin tells: apart too."""
