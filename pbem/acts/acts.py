"""The table of the gamesmaster's acts, by family: the module in ``referee/acts`` that has their
functions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from pbem.acts.act import LINE, Act, Argument, Kind, Needs, Notified, Who


def _may(option: str, kind: Kind, label: str, hint: str = "", **more: Any) -> Argument:
    """Return an argument that may be left out."""
    name = more.pop("name", option.removeprefix("--").replace("-", "_"))
    return Argument(name, kind, label, hint, option, required=False, **more)


def _pairs(option: str, label: str) -> Argument:
    pair = "NAME=VALUE"
    return _may(option, Kind.WORD, label, f"{pair}, each on a line", shown=pair, many=True)


def _flag(option: str, label: str, hint: str = "", *, placed: bool = False) -> Argument:
    return _may(option, Kind.FLAG, label, hint, placed=placed)


def _why(hint: str, label: str = "Why") -> Argument:
    return Argument("why", Kind.WHY, label, hint, "--why")


def _may_why(hint: str, label: str = "Why") -> Argument:
    return _may("--why", Kind.WHY, label, hint)


def _ways(*named: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(way.split()) for way in named)


_GAME = Argument("game", Kind.GAME, "The game")
SEAT = Argument("seat", Kind.SEAT, "The seat")
_TABLE = Argument("table", Kind.TABLE, "The open table")
_LETTER = Argument("letter", Kind.NUMBER, "The letter", "Its number.")
_PERIOD = _may("--period", Kind.PERIOD, "The period", "Refused if the game is in another.")
_ADDRESS = Argument("address", Kind.ADDRESS, "Mail address")
_NAME = _may("--name", Kind.NAME, "Name", "As all players will read it.")
_NOW = _flag("--now", "Who has it now is gone", "Then only the new one is asked for a code.")
_NONE = partial(_flag, "--none", placed=True)
_NO = _ways("", "none", "none why")
"""Of acts that NONE turns round."""
_ANYWAY = _flag("--anyway", "I have read the warning, and mean it", placed=True)
"""For acts refused as ``Doubtful``."""
_WHY_ALL = _why("Everybody is told.")
_PACE = _may("--pace", Kind.WORD, "Its pace", "leisurely, weekly, daily or evening")
_EVERYBODY = Notified.ALL | Notified.BULLETIN

_LETTERS = (
    Act(
        "queue",
        "What waits, and the games",
        "What waits and the command that releases it, outbox, games with who is in and missing.",
        (Argument("game", Kind.WORD, "The game", required=False),),
        needs=Needs.LEVEL,
        heard=r"(?: +[A-Za-z0-9][\w.-]{0,63})?",
    ),
    Act(
        "seen",
        "Take an alarm off what waits, or all",
        "It has been seen; without its number, all have.",
        (Argument("mail", Kind.NUMBER, "The mail", "Its number.", required=False),),
        needs=Needs.LEVEL,
    ),
    Act(
        "desk",
        "The way in to your desk",
        "A link to the desk in a browser. It works once, for ten minutes.",
        (),
        needs=Needs.LEVEL,
    ),
    Act(
        "accept",
        "Accept the letter",
        "The letter counts on your word that its sender is who they say.",
        (
            Argument("letter", Kind.NUMBER, "The letter", "Its number.", required=False),
            _may(
                "--game",
                Kind.GAME,
                "The game",
                "The letter's. Without a letter: all held after a restore count.",
            ),
            _may(
                "--before",
                Kind.TIME,
                "The period was open until",
                "Only after a restore, with a game: what came by then counts.",
            ),
            _may("--seat", Kind.SEAT, "The seat", "If the letter does not say so itself."),
            _may("--period", Kind.PERIOD, "The period", "Refused unless it is open."),
            _ANYWAY,
        ),
        Notified.BULLETIN,
        {
            "letter-accepted": (
                "Letter {letter} was accepted for {seat}, period {period}.",
                "Letter {letter} was accepted as it is.",
            ),
            "letters-accepted": "Letters that were held after a restore were accepted.",
        },
        ways=_ways(
            "letter",
            "letter seat",
            "letter period",
            "letter seat period",
            "letter game seat",
            "letter game seat period",
            "game",
            "game period",
            "game before",
            "game before period",
        ),
        usage="give a letter, or a game whose held letters are to count",
        example="letter (SEAT B)",
        heard=LINE[Kind.NUMBER] + r"(?: +(?:GAME|SEAT|PERIOD) +[\w.-]{1,40}){0,3}(?: +ANYWAY)?",
        settings=True,
    ),
    Act(
        "dismiss",
        "Dismiss the letter",
        "The letter is closed and has no effect.",
        (_LETTER,),
        journal={"letter-dismissed": "Letter {letter} was dismissed."},
    ),
    Act(
        "retry",
        "Try the letter again",
        "The next pass decides a failed letter again, or fetches one again that did not come.",
        (_LETTER,),
        journal={"letter-retried": "Letter {letter} was decided again."},
        needs=Needs.LEVEL,
    ),
    Act(
        "resend",
        "Send the mail again",
        "A mail that was refused, or has perhaps gone out, is sent once more.",
        (
            Argument("mail", Kind.NUMBER, "The mail", "Its number.", required=False),
            _may(
                "--all-refused",
                Kind.TIME,
                "Or all that were refused since",
                "By the referee's time zone; then leave the mail empty.",
            ),
        ),
        Notified.SEAT,
        {"mail-resent": "Mail {mail} was sent again."},
        Needs.LEVEL,
        ways=_ways("mail", "all_refused"),
        usage="give a mail, or since when all that were refused are to go out",
        heard=LINE[Kind.NUMBER],
    ),
)

_CLOCK = (
    Act(
        "extend",
        "Move the deadline",
        "The open period closes on another day.",
        (
            _GAME,
            Argument(
                "days", Kind.LENGTH, "Or by how much", "3 for days, or 30 minutes; -1 is earlier."
            ),
            _WHY_ALL,
            _PERIOD,
        ),
        _EVERYBODY,
        {"deadline": "The deadline of period {period} was moved: {why}."},
        example="3 post strike",
        heard=LINE[Kind.LENGTH],
    ),
    Act(
        "pause",
        "Keep days free of deadlines",
        "No deadline falls on these days. One that did moves behind them. With NONE instead of the"
        " first day the pause that begins on the other is lifted; a deadline that it moved comes"
        " back, though never into the past.",
        (
            _GAME,
            Argument("first", Kind.DAY, "The first day"),
            Argument("last", Kind.DAY, "The last day"),
            _WHY_ALL,
            _PERIOD,
        ),
        _EVERYBODY,
        {
            "pause": "No deadline falls from {first} to {last}: {why}.",
            "unpause": "The pause from {first} to {last} was lifted: {why}.",
        },
        example="2026-12-24 2026-12-27 Christmas",
    ),
    Act(
        "hour",
        "Change the hour of deadlines",
        "From the next period on deadlines fall at another hour; no period is shorter for it.",
        (
            _GAME,
            Argument("hour", Kind.WORD, "The hour", "20:00 by the game's clock; 24:00 ends a day."),
            _PERIOD,
        ),
        _EVERYBODY,
        {"hour": "From the next period on deadlines fall at {hour}, no longer at {before}."},
        example="20:00",
    ),
    Act(
        "hold",
        "Stop its clock",
        "No deadline falls until you let the game go on. Orders are still taken.",
        (_GAME, _WHY_ALL),
        _EVERYBODY,
        {"hold": "The game was held: {why}."},
        example="illness",
    ),
    Act(
        "resume",
        "Let it go on",
        "The clock runs again. The deadline moves by the days for which the game was held.",
        (
            Argument("game", Kind.GAME, "The game", required=False),
            _may(
                "--all", Kind.FLAG, "Every held game, not only one", name="everything", placed=True
            ),
        ),
        _EVERYBODY,
        {"resume": "The game went on."},
        ways=_ways("game", "everything"),
        usage="choose one game, or every held game",
        example="(or ALL)",
    ),
    Act(
        "close",
        "Close the period now",
        "The period closes before its deadline, once every letter sent by now is read.",
        (
            _GAME,
            _PERIOD,
            _flag(
                "--unread",
                "Close without reading the mailbox",
                "Letters that wait there do not count.",
            ),
        ),
        _EVERYBODY,
        {"closed-by-hand": "Period {period} was closed by hand."},
        blind="unread",
    ),
)

_SEATS = (
    Act(
        "order",
        "Enter orders for {seat}",
        "You enter orders for a seat, as if its player had sent them.",
        (
            _GAME,
            SEAT,
            Argument("file", Kind.FILE, "Its orders", "As in a letter.", required=False),
            _PERIOD,
        ),
        Notified.BULLETIN,
        {"orders-on-behalf": "The gamesmaster entered orders for {seat}, in period {period}."},
        example="seat ... END ORDER",
    ),
    Act(
        "replace",
        "Give {seat} to another player",
        "Another player takes the seat. They are briefed by mail; the old reply address is void.",
        (
            _GAME,
            SEAT,
            Argument("address", Kind.ADDRESS, "Mail address of the new player"),
            _may("--name", Kind.NAME, "Name of the new player", "As all players will read it."),
            _why("The next bulletin says so."),
            _ANYWAY,
        ),
        Notified.SEAT | Notified.BULLETIN,
        {"replaced": "{seat} has another player: {why}."},
        example="seat address name",
        heard=LINE[Kind.SEAT] + LINE[Kind.ADDRESS] + LINE[Kind.NAME],
    ),
    Act(
        "standby",
        "One more stand-by player",
        "Somebody stands by for the game, and is asked when a seat falls free.",
        (
            _GAME,
            _ADDRESS,
            _NONE("Take a stand-by player off the list", "They are asked for no seat any more."),
            _NAME,
            _ANYWAY,
            _may_why("Of one taken off; only this player reads it."),
        ),
        Notified.SEAT,
        {
            "standby": "One more player stands by.",
            "standby-withdrawn": "The gamesmaster took a stand-by player off the list.",
        },
        timeless=True,
        example="address name (or address NONE why)",
    ),
    Act(
        "address",
        "Change the mail address",
        "A player's mail goes to another address, or to the same one again.",
        (
            Argument("old", Kind.ADDRESS, "The address that is known"),
            Argument("new", Kind.ADDRESS, "The new address", required=False),
            _flag(
                "--also",
                "Mail still goes to the old one",
                "Letters from the new address count as the player's too.",
                placed=True,
            ),
            _flag(
                "--works",
                "There is no new address: mail to the known one arrives again",
                "What came back is forgotten.",
                placed=True,
            ),
        ),
        journal={
            "address-changed": "A player has another address.",
            "address-works": "Mail to a player arrives again.",
        },
        ways=_ways("new", "new also", "works"),
        usage="give the known address, and a new one; or say that mail to it arrives again",
        example="old new (or ALSO; old WORKS)",
    ),
    Act(
        "rotate",
        "A new secret address",
        "The secret address of a seat is void. The next mail brings its player a new one.",
        (
            Argument("game", Kind.GAME, "The game", required=False),
            Argument("seat", Kind.SEAT, "The seat", required=False),
            _flag("--gamesmaster", "Mine, as a gamesmaster", "No seat's.", placed=True),
        ),
        journal={
            "token-rotated": (
                "{whose} of {seat} has a new secret address.",
                "{seat} has a new secret address: {why}.",
                "{seat} has a new secret address.",
            )
        },
        ways=_ways("game seat", "gamesmaster"),
        usage="choose a game and a seat, or say that it is yours as a gamesmaster",
        example="seat (or GAMESMASTER)",
    ),
    Act(
        "master",
        "Another gamesmaster",
        "Somebody else takes the game in hand, once both of you have sent back a code. The second"
        " does its acts while you play in it.",
        (
            _GAME,
            Argument("address", Kind.ADDRESS, "Mail address of the new gamesmaster"),
            _flag("--second", "As the second gamesmaster", placed=True),
            _NOW,
        ),
        journal={
            "master-asked": "Another gamesmaster was asked.",
            "second-asked": "Another second gamesmaster was asked.",
        },
        needs=Needs.LEVEL,
        who=Who.NAMED,
        example="address (SECOND)",
    ),
    Act(
        "away",
        "Say that you are away",
        "The second gamesmaster does the acts meanwhile. Without one, all are told what waits.",
        (_GAME, Argument("days", Kind.NAME, "From when to when", "1 July to 20 July; END: back.")),
        _EVERYBODY,
        {
            "master-away": "The gamesmaster is away from {first} to {last}.",
            "master-back": "The gamesmaster is back.",
        },
        who=Who.NAMED,
        timeless=True,
        example="1 July TO 20 July (or END)",
        heard=LINE[Kind.LENGTH],
    ),
)

_WORDS = (
    Act(
        "preview",
        "Look at the bulletin to come",
        "Shows the bulletin as if the period closed now. The look goes into the journal.",
        (_GAME,),
        journal={"look": "The gamesmaster looked at {looked}, in period {period}."},
        asks=True,
    ),
    Act(
        "release",
        "Release {bulletin}",
        "The bulletin that you have looked over goes out to all, and the next period begins.",
        (
            _GAME,
            _may(
                "--bulletin",
                Kind.NUMBER,
                "Its number",
                "Refused if another bulletin waits; empty: whichever waits.",
                placed=True,
            ),
        ),
        Notified.ALL,
        {"release": "Bulletin {bulletin} was released."},
        example="",
    ),
    Act(
        "rule",
        "Write a ruling",
        "The next bulletin prints your ruling.",
        (
            _GAME,
            _NONE("Withdraw a ruling", "If a bulletin has printed it, the next one says so."),
            Argument(
                "text",
                Kind.TEXT,
                "Your ruling",
                "Printed as you write it. To withdraw one: its number, and why.",
            ),
        ),
        Notified.BULLETIN,
        {"ruling": "A ruling: {text}", "ruling-withdrawn": "A ruling was withdrawn: {text}"},
        example="text (or NONE number why)",
    ),
    Act(
        "amended",
        "Carry out an amendment",
        "An amendment of the rules that the players have adopted holds from the open period on.",
        (
            _GAME,
            Argument("number", Kind.NUMBER, "The amendment", "Its number.", shown="N"),
            Argument(
                "how",
                Kind.TEXT,
                "How",
                "OPTION NAME=VALUE, or BY HAND if you apply it by rulings and corrections.",
            ),
            _PERIOD,
        ),
        _EVERYBODY,
        {"amended": "Amendment {amendment} holds from period {period} on: {how}."},
        example="1 OPTION salary=900 (or BY HAND)",
        heard=r" +[0-9]{1,9} ++.{1,200}",
    ),
    Act(
        "press",
        "Write to the players",
        "Your words go to the players by mail, marked as the gamesmaster's. Where the rules of the"
        " game let you publish press that is not marked, 'ALL ANONYMOUS' or 'ALL AS The Old Fox'"
        " too.",
        (
            _GAME,
            Argument(
                "to",
                Kind.READERS,
                "To whom",
                "ALL, or seats as S,R. The next bulletin also prints what goes to all.",
            ),
            Argument("file", Kind.FILE, "Your words to the players", required=False),
        ),
        Notified.ALL,
        {"press": "Words of the gamesmaster went to {to}."},
        example="TO ALL ... END PRESS",
        heard=r" ++TO(?: .*+)?",
        timeless=True,
    ),
    Act(
        "answer",
        "Answer a question",
        "Your answer goes to the player who asked, or with the question to all.",
        (
            Argument("letter", Kind.NUMBER, "The letter with the question", "Its number."),
            Argument("text", Kind.TEXT, "Your answer"),
            _flag(
                "--to-all",
                "All players read question and answer",
                "Not who asked. The next bulletin has both.",
                placed=True,
            ),
            _may("--extend", Kind.LENGTH, "And move the deadline by", "3 for days; all are told."),
        ),
        Notified.SEAT,
        {"question-answered": "The question of {seat} (letter {letter}) was answered."},
        heard=LINE[Kind.NUMBER] + LINE[Kind.TEXT],
        example="letter text (TO-ALL)",
    ),
    Act(
        "settle",
        "Settle the protest of {seat}",
        "The protest stands no more. Its player reads your answer, and nobody else.",
        (_GAME, SEAT, _may_why("Only this player reads it; empty: none.", "Your answer")),
        Notified.SEAT,
        {"protest-settled": "The protest of {seat} against bulletin {period} was settled."},
        timeless=True,
    ),
    Act(
        "suspend",
        "A word about the press of {seat}",
        "Its player is asked to mind their press; with days, none of it goes out for so long.",
        (
            _GAME,
            SEAT,
            Argument(
                "days",
                Kind.NUMBER,
                "Suspended for how many days",
                "Empty: a warning, which comes first. 0: its press goes out again.",
                required=False,
            ),
            _why("Only this player reads them.", "Your words"),
        ),
        Notified.SEAT,
        {
            "press-warned": "The player of {seat} was warned about their press: {why}.",
            "press-suspended": "The press of {seat} was suspended for {days} days: {why}.",
            "press-free": "The press of {seat} goes out again: {why}.",
        },
        timeless=True,
        example="seat (days) why",
    ),
    Act(
        "print-letter",
        "Print the letter",
        "The next issue of the club's paper prints it. Its writer is told.",
        (
            Argument("number", Kind.NUMBER, "The letter to the paper", "Its number.", shown="N"),
            _NONE("Do not print the letter", "Its writer is told."),
            _may_why("If it is not printed; only its writer reads it."),
        ),
        Notified.SEAT,
        {
            "letter-printed": "Letter {number} to the club's paper goes into the next issue.",
            "letter-rejected": "Letter {number} to the club's paper was not printed.",
        },
        example="number (or number NONE why)",
        spoken="PRINT",
        ways=_NO,
        usage="give a reason only with none",
    ),
    Act(
        "rewind",
        "Adjudicate a period again",
        "A closed period is decided again, with its orders put right. Later bulletins are void.",
        (
            _GAME,
            Argument("number", Kind.NUMBER, "The period", "Its number.", shown="N"),
            _may("--order", Kind.ORDERS, "More orders for a seat", shown="SEAT FILE", many=True),
            _may("--accept", Kind.NUMBER, "Letters that do count", shown="LETTER", many=True),
            _may("--drop", Kind.NUMBER, "Letters that do not count", shown="LETTER", many=True),
            _WHY_ALL,
            _flag("--do", "Do it"),
        ),
        _EVERYBODY,
        {
            "rewind": "The game was rewound to period {to}: {why}.",
            "rewind-tried": "A rewind to period {to} was tried: {why}.",
        },
        tried="do",
        example="3 misread; see below",
        reopens=True,
    ),
)

_RULESET = Argument("ruleset", Kind.WORD, "The rules", "Their key.")
_SETTINGS = (
    _may("--press", Kind.WORD, "Words between players", "all, open or none"),
    _pairs("--option", "Options of the rules"),
    _pairs("--house", "House rules"),
    _may("--scenario", Kind.FILE, "A scenario", "The text of its file."),
    _may("--zone", Kind.WORD, "Time zone", "Empty: that of this installation."),
    _may("--trust", Kind.WORD, "Proof of letters", "open or proven"),
    _may("--late", Kind.WORD, "Late letters", "until_adjudicated or deadline"),
    _may("--publish", Kind.WORD, "Bulletins", "auto, or review: you release each"),
    _may("--gamesmaster", Kind.WORD, "Its gamesmaster", "Empty: you."),
    _may("--second", Kind.WORD, "Its second gamesmaster", "Acts while the first plays."),
)
"""Of a new game or table."""

_TABLES = (
    Act(
        "open",
        "Open a table",
        "Players sign on by mail, and the game begins by itself when all are there.",
        (
            _RULESET,
            Argument("table", Kind.TABLE, "What the table is called", "Later the game is, too."),
            _may("--players", Kind.NUMBER, "How many play"),
            _may("--start", Kind.DAY, "Not before", "A day; empty: as soon as it is full."),
            _may("--closes", Kind.DAY, "Open until", "Empty: until the start, or 8 weeks."),
            _may("--approve", Kind.WORD, "You say of each whether they play", "yes or no"),
            _PACE,
            _may("--names", Kind.WORD, "Names", "shown, or hidden until the game is over"),
            _may("--reliability", Kind.NUMBER, "Moves made", "Only who makes so many of 100 due."),
            _may("--bots", Kind.NUMBER, "House bots", "So many empty seats at most, one in four."),
            _may("--seats", Kind.WORD, "Seats", "lot, or choice: players may wish for seats"),
            *_SETTINGS,
            _may("--seed", Kind.WORD, "The seed of its lots", "For a rehearsal; empty: drawn."),
        ),
        journal={"table-opened": "The table was opened, for {places} players."},
        example="ruleset key",
        heard=r" +\S{1,40} +\S{1,40}(?: ++.{1,500})?",
        settings=True,
    ),
    Act(
        "table",
        "See an open table",
        "Who came when, through whom, who is sure, and who joins alike.",
        (_TABLE,),
        needs=Needs.LEVEL,
        who=Who.TABLE,
    ),
    Act(
        "admit",
        "Take {who}",
        "The newcomer has a place at your table.",
        (
            _TABLE,
            Argument("applicant", Kind.NUMBER, "The newcomer"),
            _NONE("Do not take the newcomer", "There is no place for them at your table."),
            _may_why("If not; only the newcomer reads it."),
        ),
        Notified.SEAT,
        {"table-approved": "A newcomer was taken.", "table-refused": "A newcomer was not taken."},
        who=Who.TABLE,
        example="table number (or table number NONE why)",
        ways=_NO,
        usage="give a reason only with none",
    ),
    Act(
        "close-table",
        "Close the table",
        "The table is closed, and takes nobody any more.",
        (_TABLE, _may_why("")),
        Notified.SEAT,
        {"table-closed": ("The table was closed: {why}.", "The table was closed.")},
        who=Who.TABLE,
        spoken="CLOSETABLE",
    ),
    Act(
        "start",
        "Begin the game",
        "Every player is mailed the seat, the rules and the first bulletin.",
        (_GAME,),
        Notified.ALL,
        {"start": "It began."},
        who=Who.NAMED,
        timeless=True,
    ),
    Act(
        "end",
        "End the game",
        "The game ends before its end, and its seed is shown.",
        (_GAME, _may_why("Empty: it will not be finished.")),
        Notified.ALL,
        {"ended": "The gamesmaster ended the game: {why}."},
        spoken="ENDGAME",
        timeless=True,
    ),
)

NEW = Act(
    "new",
    "Make a game",
    "Seats, options and rules are frozen into its record. `pbem start GAME` then begins it; until"
    " then `--instead` makes it again and `pbem forget GAME` deletes it.",
    (
        _RULESET,
        Argument("table", Kind.TABLE, "What the game is called", shown="GAME"),
        Argument(
            "players",
            Kind.WORD,
            "A player for each seat, in joining order",
            "Without SEAT= the seat goes by lot.",
            "--player",
            shown="[SEAT=]ADDRESS[,NAME]",
            many=True,
        ),
        _may("--standby", Kind.WORD, "A stand-by player", shown="ADDRESS[,NAME]", many=True),
        _PACE,
        _may("--grace", Kind.WORD, "How long a period waits for a silent player", "As 24h."),
        _may("--deputies", Kind.WORD, "Deputies of players who are away", "announced or none"),
        *_SETTINGS,
        _flag("--anyway", "Also with one person in two places"),
        _flag("--instead", "Replace the game of this id, which has not begun"),
    ),
    journal={"new": "The game was made."},
    by_mail=False,
)
"""The desk has a form of its own for it."""

_RESTORE = Act(
    "restore",
    "After a backup came back",
    "Holds all games and mails, and reads every folder again. In a second step the mails go out.",
    (_flag("--release-outbox", "The second step: let the mails go out"),),
    journal={"restored": "The database came back from a backup."},
    by_mail=False,
)

FAMILIES: Mapping[str, tuple[str, tuple[Act, ...]]] = {
    "letter_acts": ("What waits for you", (*_LETTERS, _RESTORE)),
    "clock_acts": ("The clock", _CLOCK),
    "seat_acts": ("Seats and players", _SEATS),
    "word_acts": ("Bulletins and words", _WORDS),
    "table_acts": ("A game from beginning to end", _TABLES),
}
"""Each with its title."""
ACTS = tuple(act for _, acts in FAMILIES.values() for act in acts if act.journal)
"""Those that do something."""
FRONT = (
    *("release", "extend", "answer", "rule", "press"),
    *("accept", "order", "replace", "hold", "close"),
)
"""What a game needs most."""
FAMILY = {NEW.name: "table_acts"} | {
    act.name: family for family, (_, acts) in FAMILIES.items() for act in acts
}
BY_NAME = {act.name: act for act in ACTS}
BY_MAIL = {act.word: act for _, acts in FAMILIES.values() for act in acts if act.by_mail}
OLD = (
    ("unpause", "pause GAME NONE DAY", "UNPAUSE", "PAUSE NONE"),
    ("unrule", "rule GAME --none 'NUMBER WHY'", "UNRULE", "RULE NONE"),
    ("unstandby", "standby GAME ADDRESS --none", r"UNSTANDBY (\S+)", r"STANDBY \1 NONE"),
    ("second", "master GAME ADDRESS --second", r"SECOND (\S+)", r"MASTER \1 SECOND"),
    ("warn", "suspend GAME SEAT", "WARN", "SUSPEND"),
    ("reject-letter", "print-letter N --none", r"REJECT (\S+)", r"PRINT \1 NONE"),
    ("approve", "admit TABLE NUMBER", "APPROVE-", "ADMIT"),
    ("refuse", "admit TABLE NUMBER --none", r"REFUSE (\S+ \S+)", r"ADMIT \1 NONE"),
)
"""Acts of before, for one version: each in the shell and what it is now, and so in a mail."""


# --- shell commands named in a text, and the same at the desk -------------------------------------


COMMAND = re.compile(r"`pbem\s([a-z-]++)([^`\n]*+(?:\n[^`\n]++)?)`")
_QUESTIONS: Mapping[str, tuple[str, str, str]] = {
    "queue": ("What waits", "/", "/games/{}"),
    "letter": ("the letter", "/letters", "/letters/{}"),
    "table": ("its page", "/games", "/tables/{}"),
}
"""Commands that ask: title, page, and page of one thing."""


class ActPage(NamedTuple):
    """A page of the desk that does what a command does."""

    path: str
    title: str


def page(name: str, words: Sequence[str]) -> ActPage | None:
    """Return the desk's page for a command with these words, or None."""
    if name in BY_NAME:
        return ActPage(_path(BY_NAME[name], words), name.replace("-", " ").capitalize())
    if name not in _QUESTIONS:
        return None
    title, of_all, of_one = _QUESTIONS[name]
    one = next((word for word in words if not word.startswith("-") and not word.isupper()), "")
    return ActPage(of_one.format(quote(one, safe="")) if one else of_all, title)


def _path(act: Act, words: Sequence[str]) -> str:
    given = [
        (one.name, word)
        for one, word in arguments(act, words)
        if word not in (one.shown, one.name.upper())
    ]
    return f"/do/{act.name}" + (f"?{urlencode(given)}" if given else "")


def arguments(act: Act, words: Sequence[str]) -> Iterator[tuple[Argument, str]]:
    """Yield the arguments of a command's words. A flag's value is "yes"."""
    options = {one.option: one for one in act.arguments if one.option}
    places, left = iter(one for one in act.arguments if not one.option), iter(words)
    for word in left:
        argument = options.get(word) or next(places, None)
        if argument is None:
            return
        if word not in options:
            yield argument, word
        else:
            yield argument, "yes" if argument.kind is Kind.FLAG else next(left, "")
