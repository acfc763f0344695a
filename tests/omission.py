"""The facts that a period's mails tell a seat, taken from its events, views and slots.

``python -m tests.omission tests/data/told_facts.json`` makes the table anew from the mails as they
are. A field that falls out of it is told no more: it needs a reason in the commit.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.pages import bulletin
from pbem.text import thousands
from tests.bots import Turn, bot_game
from tests.keys import KEYS

TABLE = Path(__file__).parent / "data" / "told_facts.json"
DEADLINE = "Thursday 5 March 2031, 24:00 Europe/Paris"
GAMES = 4
"""Bots' games of each rule-set from which the table is made."""
_WEAK = 10
"""A smaller number stands in any mail, and proves nothing."""
_CARD = re.compile(r"^([A-Z][0-9][a-z] [A-Z ]+): .*")
"""A card of Party in Power with what it does, which stands in its tables: its name is the fact."""
_WORDS = re.compile(r"[^\w$'/+-]+")


@dataclass
class Mails:
    """What one seat is mailed of one period."""

    ruleset: Ruleset[Any]
    state: Any
    seat: Seat
    events: tuple[Event, ...]
    bulletin: str
    notice: str
    faults: list[str] = field(default_factory=list)

    @property
    def all(self) -> str:
        """Both mails."""
        return f"{self.bulletin} {self.notice}"


@dataclass(frozen=True)
class Facts:
    """What today's mails of a game always tell."""

    spoken: Mapping[str, bool]
    """By kind of event: whether it has words."""
    fields: Mapping[str, Collection[str]]
    """By kind: the fields whose values stand in the mails."""
    own: Collection[str]
    """The parts of a seat's own view, as its hand, that stand in its notice."""


NONE = Facts({}, {}, ())
"""For a game that has no row in the table yet."""


def read() -> Mapping[str, Facts]:
    """Return the table, by rule-set."""
    return {key: Facts(**facts) for key, facts in json.loads(TABLE.read_text()).items()}


def mails(ruleset: Ruleset[Any], turn: Turn) -> Iterator[Mails]:
    """Yield what each seat is mailed when a period has closed."""
    state = turn.outcome.state
    seats = ruleset.about.in_order(tuple(turn.standing) or tuple(ruleset.asked(state)))
    house = {"game": "g", "deadline": DEADLINE}
    events = turn.outcome.events
    issue = templates.issue(ruleset, state, seats, turn.number, turn.before.phase, events, house)
    env = templates.environment()
    public = flat(bulletin.bulletin(env, issue))
    for seat in seats:
        yield Mails(
            ruleset, state, seat, tuple(events), public, flat(bulletin.notice(env, issue, seat))
        )


def flat(text: str) -> str:
    """Return a text as words with single blanks between them."""
    return f" {' '.join(_WORDS.sub(' ', text).split())} "


def stands(value: object, text: str) -> bool:
    """Return whether a value stands in a flat text."""
    if isinstance(value, int):
        return any(
            flat(one) in text for one in (str(value), thousands(value), f"${thousands(value)}")
        )
    return flat(_CARD.sub(r"\1", str(value))).casefold() in text.casefold()


def leaves(data: Any, path: str = "") -> Iterator[tuple[str, str | int]]:
    """Yield the strong values of JSON with their paths; what is keyed by values has ``*``."""
    if isinstance(data, Mapping):
        for name, one in data.items():
            known = name if name.replace("_", "").isalpha() and name.islower() else "*"
            yield from leaves(one, f"{path}.{known}".strip("."))
    elif isinstance(data, list | tuple):
        for one in data:
            yield from leaves(one, path)
    elif (isinstance(data, int) and not isinstance(data, bool) and abs(data) >= _WEAK) or (
        isinstance(data, str) and len(data) > 1
    ):
        yield path, data


def heard(mail: Mails) -> Iterator[Event]:
    """Yield the events that the seat is told."""
    for event in mail.events:
        if event.audience == PUBLIC or mail.seat in event.audience:
            yield event


def secrets(mail: Mails) -> Iterator[tuple[str, str | int]]:
    """Yield what the seat alone sees of the position, while it is in the game."""
    if not mail.notice.strip() or mail.ruleset.result(mail.state) is not None:
        return
    public = set(leaves(mail.ruleset.view(mail.state, None)))
    own = mail.ruleset.view(mail.state, mail.seat)
    yield from (one for one in leaves(own) if one not in public)


def owed(mail: Mails) -> Iterator[tuple[str, str]]:
    """Yield (decision or default, words) of the open period."""
    ruleset, state, seat = mail.ruleset, mail.state, mail.seat
    if ruleset.result(state) is not None:
        return
    page = templates.page_at(ruleset, state, seat)
    words = templates.slots_words(ruleset, state, page.owes, seat)
    yield from zip((f"slot {one}" for one in page.owes), words, strict=True)
    for event in page.silence:
        said = templates.events_in_words(ruleset, state, seat, [event])
        yield f"silence {event.kind}", " ".join(said)


def telling(key: str) -> Facts:
    """Return what the mails of bots' games tell without exception."""
    ruleset = shelf.open_ruleset(key)
    seen, missed, own, unowned = (Counter[str]() for _ in range(4))
    spoken: dict[str, bool] = {}
    for number in range(GAMES):
        for turn in bot_game(ruleset, number):
            for mail in mails(ruleset, turn):
                for event in heard(mail):
                    said = templates.events_in_words(ruleset, mail.state, mail.seat, [event])
                    spoken[event.kind] = spoken.get(event.kind, True) and bool(said[0].strip())
                    for name, value in leaves(event.data):
                        seen[f"{event.kind} {name}"] += 1
                        missed[f"{event.kind} {name}"] += not stands(value, mail.all)
                for name, value in secrets(mail):
                    own[name] += 1
                    unowned[name] += not stands(value, mail.notice)
    fields: dict[str, list[str]] = {}
    for one in sorted(seen):
        if not missed[one]:
            kind, _, name = one.partition(" ")
            fields.setdefault(kind, []).append(name)
    told = sorted(name for name in own if not unowned[name])
    return Facts(dict(sorted(spoken.items())), fields, told)


if __name__ == "__main__":
    table = {key: vars(telling(key)) for key in KEYS}
    Path(sys.argv[1]).write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
