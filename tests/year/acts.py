"""The gamesmaster's acts of the year, each by mail and by shell, in chapters: each is a turn's."""

from __future__ import annotations

from tests.year.script import HEIR, NOBODY, Act, Year

_ON = "GAME g\nPERIOD {period}\n"


def _silent(year: Year) -> None:
    """Somebody of the small game writes nothing any more."""
    year.silent.add(year.holder["h", "P3"])


def _has_nobody(year: Year) -> None:
    year.holder["g", year.table().seats[-1]] = NOBODY


def _has_new(year: Year) -> None:
    year.holder["g", year.table().seats[-1]] = "new@legit.example"


MACHINE = (
    Act("", "rules legislation 3", "3."),
    Act("", "doctor --send", "arrived in INBOX"),
    Act("", "backup {folder}/backup.db", "backup.db"),
    Act(
        "",
        "new legislation gone --player=P1=x@y.example --player=P2=z@y.example"
        " --player=P3=w@y.example\nforget gone",
        "gone",
    ),
)
"""What is of the machine, and has no word by mail."""

BEGINNING = (
    Act("QUEUE", "queue", "g: "),
    Act("HELP", "--help", "pause"),
    Act("GAME h\nSTART", "start h", "has begun"),
    Act(
        "GAME g\nSTANDBY third@legit.example Third Person",
        'standby g third@legit.example --name "Third Person"',
        "third",
    ),
    Act("GAME g\nPERIOD {period}\nRELEASE", "release g", "no bulletin", refused=True),
)

CLOCK = (
    Act(
        _ON + "EXTEND 3 the post is on strike",
        'extend g 3 --why "the post is on strike"',
        "deadline",
    ),
    Act(_ON + "PAUSE {due} {last} Christmas", "pause g {due} {last} --why Christmas", "pause"),
    Act(_ON + "EXTEND -1 too late", 'extend g --why "too late" -- -1', "moves it", refused=True),
    Act(_ON + "UNPAUSE {due} we play on", 'unpause g {due} --why "we play on"', "pause"),
    Act(_ON + "HOLD illness", "hold g --why illness", "held"),
    Act(_ON + "HOLD illness", "hold g --why illness", "held", refused=True),
    Act(_ON + "RESUME", "resume g", "deadline"),
    Act(_ON + "PREVIEW", "preview g", "Bulletin {period}"),
    Act(
        _ON + "RULE A letter counts when it has come.",
        'rule g "A letter counts when it has come."',
        "next bulletin",
    ),
    Act(
        "GAME g\nPRESS TO ALL\nA happy new year.\nEND PRESS",
        "press g ALL",
        "",
        stdin="A happy new year.\n",
    ),
    Act(
        "GAME g\nPRESS TO {seat}, {other}\nOnly for you.\nEND PRESS",
        "press g {seat},{other}",
        "",
        stdin="Only for you.\n",
    ),
)

LETTERS = (
    Act("ACCEPT {letter}", "accept {letter}", "", first=Year.unproven),
    Act("DISMISS {letter}", "dismiss {letter}", "", first=Year.unproven),
    Act("RETRY {letter}", "retry {letter}", "", refused=True, first=Year.unproven),
    Act(_ON + "ORDER {other}\n{orders}\nEND ORDER", "order g {other} {file}", ""),
    Act(_ON + "CLOSE", "close g", "", first=_silent),
)

SEATS = (
    Act("GAME g\nPERIOD {period}\nROTATE {seat}", "rotate g {seat}", "old reply address is void"),
    Act("ROTATE GAMESMASTER", "rotate --gamesmaster", "old reply address is void"),
    Act(
        _ON + f"REPLACE {{last_seat}} {NOBODY} No Body",
        f'replace g {{last_seat}} {NOBODY} --name "No Body" --why "he asked for it"',
        "",
        first=_has_nobody,
    ),
    Act("QUEUE g", "queue g", NOBODY),
    Act(f"ADDRESS {NOBODY} new@legit.example", f"address {NOBODY} new@legit.example", ""),
    Act("RESEND {mail}", "resend {mail}", ""),
    Act("ADDRESS new@legit.example WORKS", "address new@legit.example --works", "", first=_has_new),
)

HANDS = (
    Act(f"GAME g\nPERIOD {{period}}\nMASTER {HEIR}", f"master g {HEIR}", "", agree=(HEIR,)),
    Act(_ON + "HOLD not mine any more", "", "", refused=True),
    Act(
        _ON + "MASTER gm@game.example",
        "master g gm@game.example",
        "",
        sender=HEIR,
        agree=(HEIR, "gm@game.example"),
    ),
    Act(
        "GAME h\nPERIOD {h}\nSECOND third@legit.example",
        "second h third@legit.example",
        "",
        agree=("third@legit.example",),
    ),
)

BACK = (
    Act(
        _ON + "REWIND {before} misread\nDROP {taken}\nORDER {other}\n{orders}",
        "rewind g {before} --why misread --drop {taken} --order {other} {file}\n"
        "rewind g {before} --why misread --drop {taken} --order {other} {file} --do",
        "",
    ),
)

FAR = (
    Act(
        _ON + "REWIND {far} an error",
        'rewind g {far} --why "an error"\nrewind g {far} --why "an error" --do',
        "",
    ),
)

CHAPTERS = (BEGINNING, CLOCK, LETTERS, SEATS, HANDS, BACK, FAR)

ENDING = (Act("GAME h\nENDGAME enough", "end h --why enough", "ended"), *MACHINE)
