"""What the grammar's rules make, where not an order of their name; where a list ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pbem.games.frame.conditions import ConditionalReader, Ended, Plan
from pbem.games.frame.ruleset import Rulebook
from pbem.games.politics_1935 import names
from pbem.games.politics_1935.orders import ORDERS, SELF
from pbem.games.politics_1935.state import Item
from pbem.games.politics_1935.tables import Atlas
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.spelling import is_number, whole

_SEAT = re.compile(r"p[0-9]+", re.IGNORECASE)
_MYSELF = frozenset((SELF, "ME", "MYSELF", "MINE"))
_FIGURES = ("IF", "CASH", "CLOSED", "EMPTY", "ROUND", "VOTES")
"""A condition's words; such a line continues."""


def _words(atlas: Atlas) -> dict[str, Callable[..., Any]]:
    def listed(*tokens: str) -> tuple[Item, ...]:
        return tuple(items(tokens, partial(names.state, atlas)))

    def card(*words: str) -> str:
        return names.speech(atlas, " ".join(words))

    def titled(key: str, *title: str) -> str:
        """Return the card; a title after its key must be its own."""
        return card(key) if card(key) == card(*title) else f"{card(key)} ({' '.join(title)})"

    return {
        "items": listed,
        "list": lambda *words: () if [w.upper() for w in words] == ["NONE"] else listed(*words),
        "card": card,
        "titled": titled,
        "player": _seat,
        "ended": lambda: Ended("BID"),
        "ended_if": lambda: Ended("BID", by_condition=True),
    }


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows names of two words."""

    def complete(self, text: str) -> bool:
        """Return whether the order is complete; half a state's name goes on in the next line."""
        last = text.rsplit(maxsplit=1)[-1].upper()
        half = last not in self.names and any(name.startswith(f"{last} ") for name in self.names)
        return not half and Language.complete(self, text)


def items(tokens: Sequence[str], find: Callable[[str], str | None]) -> Iterator[Item]:
    """Yield states with counts (3.1); ``find`` returns a code.

    Two words may be one name. A number belongs to the state before it, perhaps in brackets or after
    the code: "Ohio (OH) 2". A lone number, or a plain word ("in Ohio"), is yielded as a name.
    """
    tokens = [_unbracketed(token) for token in tokens]
    at = 0
    while at < len(tokens):
        word, pair = tokens[at], " ".join(tokens[at : at + 2])
        step = 2 if " " in pair and find(pair) else 1
        written = pair if step == 2 else str(word)
        at += step
        plain = names.is_plain(written, tokens[at : at + 1])
        name = written if plain else find(written) or written
        if at < len(tokens) and tokens[at] == f"({name})":
            at += 1
        count = 1
        if not _number(word) and at < len(tokens) and _number(tokens[at]):
            count, at = whole(tokens[at]), at + 1
        yield Item(name, count)


def _unbracketed(token: str) -> str:
    if not token.startswith("("):
        return token
    held = token.strip("( )")
    return held if _number(held) else f"({held.upper()})"


def _number(word: str) -> bool:
    return is_number(word.replace(",", ""))


def _seat(word: str) -> str:
    if word.upper() in _MYSELF:
        return SELF
    return word.upper() if _SEAT.fullmatch(word) else str(word)


def language(book: Rulebook, atlas: Atlas) -> Orders:
    labels = {
        "MONEY": "an amount",
        "SPEAK AFTER.WORD": "a player",
        **dict.fromkeys(("CAMPAIGN.WORD", "STANDING.WORD"), "a state"),
        **dict.fromkeys(("CARD_KEY", "SPEAK.WORD", "BID.WORD"), "a card"),
        **dict.fromkeys(("BID IF.WORD", "STANDING IF.WORD"), "CASH, EMPTY, ROUND, VOTES"),
        **dict.fromkeys(("BRACKETED", "LPAR", "IF"), ""),
    }
    return Orders(
        book.grammar,
        book.terminals,
        partial(ConditionalReader, (*ORDERS, Plan), **_words(atlas)),
        labels,
        names=(*atlas.named(), *_FIGURES),
        ifs=Ifs(("BID", "STANDING"), "3.10"),
        numbers=("MONEY",),  # an INT in place of a state is refused as written
    )
