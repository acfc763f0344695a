"""Every word to the referee, by everybody who may write, in a game with named seats, in one with
numbered seats and in one that is over; and what each is answered."""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from itertools import takewhile
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from pbem.acts.acts import BY_NAME
from pbem.house import shelf
from pbem.orders import asking
from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.post import masters
from pbem.referee.acts.doing import Actor, do
from tests.installation import GAMESMASTER, Installation, address, desk, text_of
from tests.letter.forging import Bench, Mail, checked

TEXTS = Path(__file__).parent / "texts"
NOTHING = "NOTHING"
WORDS = (NOTHING, *asking.WORDS)
KEYS = {"named seats": "coalition", "numbered seats": "legislation", "after the end": "coalition"}
DORA, OLGA, NORA = "dora@legit.example", "olga@legit.example", "nora@legit.example"
PERSONS = ("player", "deputy", "watcher", "newcomer", "gamesmaster")
RECEIPT = ("No orders of yours stand for", "The game is over. Receipt")
MOST = 10
"""Lines of an answer that are written down."""
LINES = {
    NOTHING: "Good day to you all.",
    "STATEMENT": "STATEMENT\nIt was a pleasure.\nEND STATEMENT",
    "PRESS": "PRESS TO {one}\nShall we meet?\nEND PRESS",
    "PREFER": "SIGNON autumn AS Sophie\nPREFER {one}",
    "SEAT": "SIGNON autumn AS Sophie\nSEAT {one}",
    "HELP": "HELP",
    "CANCEL": "CANCEL READY",
    "GAME": "GAME g\nSTATUS",
    "PERIOD": "PERIOD 1\nREADY",
    "UNWATCH": "UNWATCH g",
    "WATCH": "WATCH g",
    "INVITE": "INVITE ann@mail.example TO g",
    "DEPUTY": "DEPUTY ann@mail.example",
    "HISTORY": "HISTORY 0",
}


class Asked(Bench):
    """A game ``g`` and an open table ``autumn``; the second player has a deputy."""

    def __init__(self, at: Installation, *, over: bool) -> None:
        at.start()
        super().__init__(at)
        self.seats = at.table().seats
        with desk(at) as work:
            plan = opening.Plan("autumn", at.key, (), "Europe/Paris", "open", seed="7")
            tables.open_(work, tables.Wanted(plan, len(self.seats), choice=True))
            masters.enter(work.conn, work.mark, GAMESMASTER)
            self.own = work.mark.plus(masters.token(work.conn, work.mark, GAMESMASTER))
        self.writes(address(self.seats[1]), f"DEPUTY {DORA}")
        self.writes(OLGA, "WATCH g")
        for who in (address(self.seats[1]), DORA, OLGA):
            his = " ".join(one.text for one in self.mails() if one.to == who)
            self.writes(who, f"CONFIRM {his.rpartition('CONFIRM ')[2].split()[0]}")
        if over:
            act = BY_NAME["end"]
            none: dict[str, Any] = {
                one.name: () if one.many else False if one.kind.name == "FLAG" else None
                for one in act.arguments
            }
            with desk(at) as work:
                do(work, act, {**none, "game": "g", "why": "it rains"}, Actor())
        self.now = self.kept_at + timedelta(hours=1)
        self.keep()
        self.usual = dict(self.answers(NOTHING))

    def answers(self, word: str) -> Iterator[tuple[str, list[str]]]:
        """Who says a word, and what he is answered."""
        one, other = self.seats[2], self.seats[3]
        whose = address(self.seats[0]), DORA, OLGA, NORA, GAMESMASTER
        line = LINES.get(word) or asking.WORDS[word].line(
            to=f"{one},{other}", one=one, order="PASS", paragraph="1"
        )
        for person, who in zip(PERSONS, whose, strict=True):
            self.back()
            mails = self.writes(who, line.format(one=one))
            lines = [line for mail in mails for line in _lines(mail, who, word)]
            yield person, lines[:3] if who == GAMESMASTER else lines

    def writes(self, who: str, text: str) -> tuple[Mail, ...]:
        """A letter with all the proof that there is, to the writer's own address if he has one."""
        secret = self.own if who == GAMESMASTER else ""
        for mail in self.mails():
            if mail.to == who and mail.subject.startswith("[g]") and "+" in mail.reply_to:
                secret = mail.reply_to
        raw = self.letter(who, text, **({"To": secret} if secret else {}))
        domain = who.partition("@")[2]
        return self.comes(checked(raw, f"dmarc=pass header.from={domain}")).mails


@cache
def games() -> dict[str, Asked]:
    """One installation each, for all words."""
    made = {}
    for name, key in KEYS.items():
        seats = next(one for one in shelf.open_ruleset(key).about.seats if len(one) > 4)
        at = Installation(
            Path(mkdtemp()), key, seats=seats, strangers=(DORA, OLGA, NORA), club={"zine": "28th"}
        )
        at.__enter__()  # until the run ends
        made[name] = Asked(at, over=name == "after the end")
    return made


def told(word: str) -> str:
    """What a word answers, by whom it is said and where; equal answers once."""
    answers = dict[str, list[str]]()
    for where, game in games().items():
        for person, lines in game.answers(word):
            text = "\n".join(_new(lines, game.usual[person] if word != NOTHING else []))
            answers.setdefault(text, []).append(f"{person}, {where}")
    parts = (f"## {'; '.join(who)}\n\n{text}" for text, who in answers.items())
    return f"# {word}\n\n" + "\n\n".join(parts) + "\n"


def _lines(mail: Mail, who: str, word: str) -> list[str]:
    if mail.to != who:
        return [f"Subject: {mail.subject} (to {mail.to})"]
    text = _masked(text_of(mail.parsed)).replace("-------- reply above this line --------", "")
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if word not in ("ORDERS", NOTHING):  # what every receipt says
        lines = [*takewhile(lambda line: not line.startswith(RECEIPT), lines)]
    return [f"Subject: {mail.subject}", *(f"    {line}" for line in lines)]


def _new(lines: list[str], usual: list[str]) -> Iterator[str]:
    """What is not told to anybody who writes without a word."""
    if usual and set(usual) <= set(lines):
        yield "As to any letter."
        lines = [line for line in lines if line not in usual]
    elif not lines:
        yield "(no answer)"
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"    ... {len(lines) - MOST} lines more"


def _masked(text: str) -> str:
    text = re.sub(r"(The commands are)\s[A-Z,\s]+", r"\1 ...", text)
    return re.sub(r"(CONFIRM )[\w-]{8,}|\b[0-9a-f]{16,}\b", r"\1CODE", text)
