"""Words of each kind of mail, in games of house bots by mail of all six kinds.

    python -m bench.words [parlement-1966 ...] [--screens] [--show KIND]

Each game is played to its end through the daemon. A seat is silent now and then and is reminded;
one letter in seven has a line that is wrong; one seat of each game asks HELP, says "yes" and
"thanks", and asks a question. Counted is the whole text part, form and footer included, but for
tables of a count, lists of votes and texts put to the vote, and press. The last bulletin, which
lays everything open, is a kind of its own: `end`.
"""

from __future__ import annotations

import argparse
import logging
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog
from playwright.sync_api import sync_playwright
from sqlalchemy import select

from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.house import shelf
from pbem.store.engine.database import reading
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Outgoing
from tests.bots import bot_of
from tests.installation import Installation, text_of
from tests.needs import program

MOST_PERIODS = 120
SCREEN = 390, 844
GOALS = {
    "welcome": 450,
    "notice": 150,
    "election": 250,
    "bulletin": 250,
    "receipt": 90,
    "reminder": 60,
    "help": 150,
    "answer": 60,
}
"""At most so many words in the median. The notices of an election are a kind of their own."""
GOALS_OF: Mapping[str, Mapping[str, int]] = {"parlement-1968": {"notice": 250}}
"""By rule-set, its own goals."""
_ELECTION = re.compile(r"^PERIOD \d+: .*\b(ELECTION|PRIMARY|RUNOFF)\b", re.MULTILINE)
"""The head of a notice in an election."""
SAID = {
    "HELP": "help",
    "yes": "answer",
    "thanks": "answer",
    "How long does this last?": "answer",
}
"""What one seat says besides its orders, and the kind of the answer."""
WRONG = "VOTEE AYE"
PLAYERS = (
    *("Anna", "Boris", "Clara", "David", "Emma", "Felix", "Greta", "Hugo"),
    *("Ines", "Jakob", "Karla", "Leo", "Mona", "Nele", "Otto"),
)
_NAMES = {"start": "welcome"}
_OF_COUNT = "THE COUNT"
"""The heading of an election's count, a section of its own."""
_HEADING = re.compile(r"[A-Z]{3}[A-Z ,:]+")
_CITED = re.compile(r" +[\[#]")
_CELL = re.compile(r"\S {2,}\S")
_COUNT = re.compile(
    r"\b(votes?|voted|ayes?|nays?|abst\w*|count(ed)?|polls?|ballots?|yes|no|ministries"
    r"|candidate .* total)\b",
    re.IGNORECASE,
)
"""Words in the head of a table that is a count, a list of votes or a motion put to the vote."""


@dataclass(frozen=True)
class Came:
    """A mail that a seat got."""

    kind: str
    seat: str
    mail: EmailMessage

    @property
    def words(self) -> int:
        return counted(text_of(self.mail))


def counted(text: str) -> int:
    """The words of a mail's text that count."""
    return sum(len(line.split()) for line in _left(text.split("\n")))


def _left(lines: Sequence[str]) -> Iterator[str]:
    """The lines that are not of a count and not fenced."""
    if _OF_COUNT in lines:
        first = lines.index(_OF_COUNT)
        after = (n for n in range(first + 1, len(lines)) if _HEADING.match(lines[n]))
        lines = [*lines[:first], *lines[next(after, len(lines)) :]]
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].startswith("  ") and not _CITED.match(lines[end]):
            end += 1
        block = lines[at:end]
        rows = [line for line in block if _CELL.search(line.strip())]
        if len(block) > 1 and rows and _COUNT.search(" ".join(block[:2])):
            at = end
            continue
        yield from (line for line in block if not line.startswith("    |"))
        if end == at:
            yield lines[at]
            end += 1
        at = end


def played(key: str, folder: Path, seed: str = "5") -> Iterator[Came]:
    """Every mail to the seats of one whole game, in the order in which each got them."""
    ruleset = shelf.open_ruleset(key)
    bot = bot_of(ruleset)
    with Installation(folder, key, options=getattr(bot, "SHORT", {}), names=PLAYERS) as at:
        at.start()
        asked: dict[str, str] = {}
        for number in range(MOST_PERIODS):
            if at.table().row.status != GameState.RUNNING:
                break
            _letters(at, bot, Dice(seed, "words").stream(f"{number}"), asked, number)
            _close(at)
        yield from _came(at, asked)


def _letters(at: Installation, bot: object, chance: object, asked: dict[str, str], n: int) -> None:
    """The letters of a period: orders, and what one seat asks."""
    public = at.view()
    for place, seat in enumerate(at.seats):
        text = bot.letter(public, at.view(seat), seat, chance)  # type: ignore[attr-defined]
        if not text or not chance.below(5):  # type: ignore[attr-defined]
            continue
        wrong = not chance.below(7)  # type: ignore[attr-defined]
        at.write(seat, f"{text}\n{WRONG}" if wrong else text)
        if place == n % len(at.seats):
            for said, kind in SAID.items():
                at.once(10)
                ident = f"<{kind}{n}{len(asked)}@words.example>"
                asked[ident] = kind
                at.write(seat, said, Message_ID=ident)
    at.once(61)


def _close(at: Installation) -> None:
    """The reminders, the deadline, the next period's mails."""
    period = at.table().period
    if period.due is None:
        at.clock += timedelta(days=8)
        at.once()
        return
    at.clock = max(at.clock, period.due - timedelta(hours=20))
    at.once()
    if at.table().period.number == period.number:
        at.clock = max(at.clock, period.due)
        at.once()
    at.once(minutes=70)


def _came(at: Installation, asked: dict[str, str]) -> Iterator[Came]:
    with reading(at.daemon.engine) as conn:
        rows = conn.execute(select(Outgoing.message_id, Outgoing.kind)).all()
    kinds = {row.message_id: row.kind for row in rows}
    last = (
        max(map(_number, at.mails(at.seats[0]))) if at.table().row.status == GameState.OVER else -1
    )
    for seat in at.seats:
        for mail in at.mails(seat):
            kind = kinds[str(mail["Message-ID"])]
            if kind == "bulletin" and _number(mail) == last:
                kind = "end"
            if kind == "notice" and _ELECTION.search(text_of(mail)):
                kind = "election"
            if kind in ("receipt", "receipts"):
                kind = asked.get(str(mail["In-Reply-To"]), kind)
            yield Came(_NAMES.get(kind, kind), seat, mail)


def _number(mail: EmailMessage) -> int:
    """The number of a bulletin, 0 for other mails."""
    _, _, said = str(mail["Subject"]).partition("] Bulletin ")
    return int(said.partition(":")[0] or 0)


def before_first_order(mails: Sequence[Came]) -> list[int]:
    """What each newcomer has read before his first order, in words."""
    read: dict[str, int] = defaultdict(int)
    done = set()
    for one in mails:
        if one.kind in ("receipt", "receipts", *SAID.values(), "reminder"):
            done.add(one.seat)
        if one.seat not in done:
            read[one.seat] += one.words
    return list(read.values())


def screens(mails: Sequence[Came]) -> list[float]:
    """How many screens of a phone each has."""
    wide, high = SCREEN
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": wide, "height": high})
        for one in mails:
            body = one.mail.get_body(("html",))
            if body is not None:
                page.set_content(str(body.get_content()))
                tall = page.evaluate("document.documentElement.scrollHeight")
                found.append(tall / high)
        browser.close()
    return found


def late(words: Sequence[int]) -> int:
    """Return the 95th centile."""
    return sorted(words)[min(len(words) - 1, len(words) * 95 // 100)]


def goals(key: str) -> Mapping[str, int]:
    """The most words of each kind of mail of a rule-set, in the median."""
    return {**GOALS, **GOALS_OF.get(key, {})}


def table(key: str, mails: Sequence[Came], *, rendered: bool) -> Iterator[str]:
    """The lines of one game's table."""
    by_kind: dict[str, list[Came]] = defaultdict(list)
    for one in mails:
        by_kind[one.kind].append(one)
    for kind in sorted(by_kind, key=lambda name: (name not in GOALS, name)):
        words = sorted(one.words for one in by_kind[kind])
        seen = ""
        if rendered and (tall := screens(by_kind[kind][-12:])):
            seen = f"{statistics.median(tall):6.1f}{max(tall):6.1f}"
        goal = goals(key).get(kind, "")
        yield (
            f"  {kind:12}{len(words):6}{statistics.median(words):8.0f}{late(words):8}{words[-1]:8}"
            f"{goal!s:>8}{seen}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=list(GAMES))
    parser.add_argument("--screens", action="store_true", help="screens of a phone, too")
    parser.add_argument("--show", metavar="KIND", help="print the middle mail of a kind instead")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    for key in given.games:
        with TemporaryDirectory() as folder:
            mails = list(played(key, Path(folder)))
        if given.show:
            ofkind = sorted((one for one in mails if one.kind == given.show), key=_words)
            if ofkind:
                one = ofkind[len(ofkind) // 2]
                print(f"{key}, {one.seat}: {one.mail['Subject']}\n\n{text_of(one.mail)}")
            continue
        read = before_first_order(mails)
        print(f"{key}: {sum(one.words for one in mails) // len(read)} words a seat,")
        print(f"  {statistics.median(read):.0f} before the first order")
        print(f"  {'kind':12}{'mails':>6}{'median':>8}{'95th':>8}{'most':>8}{'goal':>8}", end="")
        print("  screens, most" if given.screens else "")
        print("\n".join(table(key, mails, rendered=given.screens)), flush=True)


def _words(one: Came) -> int:
    return one.words


if __name__ == "__main__":
    main()
