"""The gamesmaster's acts of the year, each by mail and by shell, in chapters: each is a turn's."""

from datetime import timedelta

from tests.year.script import HEIR, NOBODY, SECOND, Act, Year

_ON = "GAME g\nPERIOD {period}\n"


def _silent(year: Year) -> None:
    """Somebody of the small game writes nothing any more."""
    year.silent.add(year.holder["h", "P2"])


def _to_pause(year: Year) -> None:
    """The pause begins with the day on which the deadline falls."""
    due = year.table().period.due
    assert due
    year.pause = f"{due - timedelta(minutes=1):%Y-%m-%d}"


def _has_nobody(year: Year) -> None:
    year.holder["g", year.table().seats[-1]] = NOBODY


def _has_new(year: Year) -> None:
    year.holder["g", year.table().seats[-1]] = "new@legit.example"


def _protests(year: Year) -> None:
    """A player finds the last bulletin wrong."""
    year.answer(year.holder["g", year.table().seats[0]], "PROTEST it is misread", "[g] a protest")
    year.world.once()


def _asks(year: Year) -> None:
    """A player asks the gamesmaster something."""
    text = "ASK GAMESMASTER may I lie?"
    year.answer(year.holder["g", year.table().seats[0]], text, "[g] a question")
    year.world.once()


def _writes_to_the_paper(year: Year) -> None:
    """A player writes a letter to the editor."""
    text = "PRESS TO ZINE\nWhat a month!\nEND PRESS"
    year.answer(year.holder["g", year.table().seats[0]], text, "[g] to the paper")
    year.world.once()


MACHINE = (
    Act("", "rules legislation 3", "3."),
    Act("", "doctor --send", "arrived in INBOX"),
    Act("", "backup {folder}/backup.db", "keep it as safe as the database"),
    Act(
        "",
        "new legislation gone --player=P1=x@y.example --player=P2=z@y.example"
        " --player=P3=w@y.example\nforget gone",
        "game gone is forgotten",
    ),
    Act(
        "",
        "restore\nonce\nqueue\nrestore --release-outbox\nresume --all",
        "game g goes on",
    ),
)
"""What is of the machine, and has no word by mail."""

BEGINNING = (
    Act("QUEUE", "queue", "g: "),
    Act("HELP", "--help", "hat waits"),
    Act("GAME h\nSTART", "start h", "game h has begun"),
    Act(
        "GAME g\nSTANDBY third@legit.example Third Person",
        'standby g third@legit.example --name "Third Person"',
        "2 players stand by for g",
    ),
    Act(_ON + "RELEASE", "release g", "no bulletin of game g waits", refused=True),
)

CLOCK = (
    Act(
        f"GAME h\nPERIOD {{h}}\nMASTER {SECOND} SECOND",
        f"master h {SECOND} --second",
        f"{SECOND} is the second gamesmaster of h now",
        agree=(SECOND,),
        first=_silent,
    ),
    Act(
        _ON + "EXTEND 3 the post is on strike",
        'extend g 3 --why "the post is on strike"',
        "new deadline",
    ),
    Act(
        _ON + "PAUSE {pause} {until} Christmas",
        "pause g {pause} {until} --why Christmas",
        "No deadline of g falls from",
        first=_to_pause,
    ),
    Act(_ON + "EXTEND -1 too late", 'extend g --why "too late" -- -1', "moves it", refused=True),
    Act(
        _ON + "PAUSE NONE {pause} we play on",
        'pause g NONE {pause} --why "we play on"',
        "on is lifted in g; deadline: ",
    ),
    Act(_ON + "HOUR 22:00", "hour g 22:00", "no longer at"),
    Act(_ON + "HOLD illness", "hold g --why illness", "game g is held"),
    Act(_ON + "HOLD illness", "hold g --why illness", "held already: illness", refused=True),
    Act(_ON + "RESUME", "resume g", "game g goes on; deadline: "),
    Act(_ON + "PREVIEW", "preview g", "PREVIEW: nothing of this is stored or sent."),
    Act(_ON + "RULE Read on.", 'rule g "Read on."', "next bulletin"),
    Act(_ON + "RULE Stop.", 'rule g "Stop."', "next bulletin"),
    Act(
        _ON + "RULE NONE {ruling} misread",
        "rule g --none '{ruling} misread'",
        "no bulletin had printed it",
    ),
    Act(
        "GAME g\nPRESS TO ALL\nA happy new year.\nEND PRESS",
        "press g ALL",
        "relayed",
        stdin="A happy new year.\n",
    ),
    Act(
        "GAME g\nPRESS TO {seat}, {other}\nOnly for you.\nEND PRESS",
        "press g {seat},{other}",
        "relayed",
        stdin="Only for you.\n",
    ),
)

PRESS = (
    Act(
        "ANSWER {asked} You may.",
        'answer {asked} "You may."',
        "Your answer goes to",
        first=_asks,
    ),
    Act(
        _ON + "SETTLE {seat} It is right.",
        'settle g {seat} --why "It is right."',
        "The protest of",
        first=_protests,
    ),
    Act(
        "PRINT 1",
        "print-letter 1",
        "The next issue prints letter 1",
        first=_writes_to_the_paper,
    ),
    Act(
        "PRINT 2 NONE too short",
        'print-letter 2 --none --why "too short"',
        "Letter 2 is not printed",
        first=_writes_to_the_paper,
    ),
    Act(
        _ON + "SUSPEND {other} mind your words",
        'suspend g {other} --why "mind your words"',
        "Your warning goes to",
    ),
    Act(
        _ON + "SUSPEND {other} 2 mind your words",
        'suspend g {other} 2 --why "mind your words"',
        "goes out until",
    ),
    Act(
        _ON + "AWAY {due} TO {due}",
        'away g "{due} TO {due}"',
        "away",
    ),
    Act(_ON + "AWAY END", "away g END", "is there again"),
    Act(_ON + "SUSPEND {other} 0 enough", "suspend g {other} 0 --why enough", "goes out again"),
)

LETTERS = (
    Act(
        "ACCEPT {letter}",
        "accept {letter}",
        "The next pass takes letter",
        first=Year.unproven,
    ),
    Act("DISMISS {letter}", "dismiss {letter}", "dismissed", first=Year.unproven),
    Act(
        "RETRY {letter}",
        "retry {letter}",
        "only a failed or unfetchable letter can be retried",
        refused=True,
        first=Year.unproven,
    ),
    Act("DISMISS {letter}", "dismiss {letter}", "dismissed"),
    Act(_ON + "ORDER {other}\n{orders}\nEND ORDER", "order g {other} {file}", "ine 1: "),
    Act(_ON + "CLOSE", "close g", "close"),  # by mail the bulletin follows
)

SEATS = (
    Act(_ON + "ROTATE {seat}", "rotate g {seat}", "{seat}'s old reply address is void"),
    Act("ROTATE GAMESMASTER", "rotate --gamesmaster", "Your old reply address is void"),
    Act(
        _ON + f"REPLACE {{last_seat}} {NOBODY} Ned Nowhere",
        f'replace g {{last_seat}} {NOBODY} --name "Ned Nowhere" --why "he asked for it"',
        f"in g is now {NOBODY}",
        first=_has_nobody,
    ),
    Act("QUEUE g", "queue g", f"{NOBODY}: refused: 550"),
    Act(
        f"ADDRESS {NOBODY} new@legit.example",
        f"address {NOBODY} new@legit.example",
        "now goes to new@legit.example",
    ),
    Act("RESEND {mail}", "resend {mail}", "again, to new@legit.example"),
    Act(
        "ADDRESS new@legit.example WORKS",
        "address new@legit.example --works",
        "What came back from new@legit.example is forgotten",
        first=_has_new,
    ),
    Act(
        "GAME g\nSTANDBY fourth@legit.example Fourth Person",
        'standby g fourth@legit.example --name "Fourth Person"',
        "stand by for g",
    ),
    Act(
        "GAME g\nSTANDBY fourth@legit.example NONE moved",
        "standby g fourth@legit.example --none --why moved",
        "fourth@legit.example stands by for g no longer",
    ),
    Act("GAME h\nENDGAME enough", "end h --why enough", "game h is ended"),
)

HANDS = (
    Act(
        _ON + f"MASTER {HEIR}",
        f"master g {HEIR}",
        f"{HEIR} is the gamesmaster of g now",
        agree=(HEIR,),
    ),
    Act(_ON + "HOLD not mine any more", "", "you are not the gamesmaster of g", refused=True),
    Act(
        _ON + "MASTER gm@game.example",
        "master g gm@game.example",
        "gm@game.example is the gamesmaster of g now",
        sender=HEIR,
        agree=(HEIR, "gm@game.example"),
    ),
)

BACK = (
    Act(
        _ON + "REWIND {before} misread\n{drop_line}ORDER {other}\n{earlier}",
        "rewind g {before} --why misread {drop_option}--order {other} {folder}/earlier.txt\n"
        "rewind g {before} --why misread {drop_option}--order {other} {folder}/earlier.txt --do",
        "Period {before} is adjudicated again",
    ),
)

FAR = (
    Act(
        _ON + "REWIND {far} an error",
        'rewind g {far} --why "an error"\nrewind g {far} --why "an error" --do',
        "Period {far} is adjudicated again",
    ),
)

CHAPTERS = (BEGINNING, CLOCK, (*PRESS, *LETTERS), SEATS, HANDS, BACK, FAR)
