"""What the grammar's rules make, where not an order of their name; where a bill ends."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from lark import Token

from pbem.games.frame.conditions import ConditionalReader, WhatIf
from pbem.games.frame.ruleset import Rulebook
from pbem.games.legislation import orders
from pbem.orders.characters import first_word
from pbem.orders.language import Ifs, Language
from pbem.orders.spelling import is_number

_NUMBER = re.compile(r"([AB]?)([0-9]+)")
_WIDEST = 100
_SIGN = re.compile(r"[+-]|\b(?:PLUS|MINUS)\b", re.IGNORECASE)

_CONSTANTS: dict[str, Any] = {
    **{"plus": "+", "minus": "-", "none": None, "on": False, "against": True},
    **{"add": orders.ADD, "remove": orders.REMOVE, "for_": orders.FOR, "opposed": orders.AGAINST},
    **{"aye": orders.AYE, "nay": orders.NAY, "present": orders.PRESENT},
    **{"nothing": orders.NONE, "carried": orders.CARRIED, "every": orders.ALL},
}


class _ToOrders(ConditionalReader):
    """Orders and conditions."""

    def NUMBERED(self, token: Token) -> str:
        """Read a number: "bill 2" is B2, "2" depends on the period."""
        kind = {"B": "B", "A": "A", "M": "A"}.get(token[0].upper(), "")
        return kind + str(int("".join(filter(is_number, token))))


def _cards(*cards: str | None) -> tuple[str, ...] | None:
    """Read cards, each once; None for NONE."""
    return None if cards == (None,) else tuple(dict.fromkeys(card for card in cards if card))


def _range(first: str | int, last: str | int) -> tuple[str, ...]:
    """Read B1-B4; if wrong, its ends."""
    begins, ends = (_NUMBER.fullmatch(str(one).upper()) for one in (first, last))
    assert begins and ends
    kind, low, high = begins[1], int(begins[2]), int(ends[2])
    if ends[1] not in ("", kind) or not 0 <= high - low < _WIDEST:
        return f"{first}".upper(), f"{last}".upper()
    return tuple(f"{kind}{number}" for number in range(low, high + 1))


def _some(*names: str | int | tuple[str, ...]) -> tuple[str, ...]:
    """Return each name once."""
    spread = (one if isinstance(one, tuple) else (str(one).upper(),) for one in names)
    return tuple(dict.fromkeys(chain.from_iterable(spread)))


_MADE: dict[str, Callable[..., Any]] = {
    **{name: partial(lambda value: value, value) for name, value in _CONSTANTS.items()},
    "card": lambda issue, sign: issue.upper() + sign,
    "cards": _cards,
    "on_one": lambda name="": str(name).upper(),
    "range": _range,
    "some": _some,
    "votes": lambda *votes: votes,
    "whatif": lambda *cases: WhatIf(cases, "VOTE"),
    "target": lambda word: orders.ME if word.upper() in ("MYSELF", "SELF") else word.upper(),
    "name": str.upper,
}


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language; it knows how long a bill must be."""

    bill_cards: int = 2

    def complete(self, text: str) -> bool:
        """Return whether a bill has its cards; else it goes on in the next line, with or without a
        comma."""
        if first_word(text) in ("BILL", "NEXTBILL") and len(_SIGN.findall(text)) < self.bill_cards:
            return text.rsplit(maxsplit=1)[-1].upper() == orders.NONE
        return Language.complete(self, text)


def language(book: Rulebook) -> Orders:
    labels = {
        "THOUSANDS": "a number",
        **dict.fromkeys(("YES", "Y"), orders.AYE),
        **dict.fromkeys(("NO", "N"), orders.NAY),
        **{f"{word}.FOR": orders.AYE for word in ("VOTE", "STANDING")},
        **{f"{word}.AGAINST": orders.NAY for word in ("VOTE", "STANDING")},
        **dict.fromkeys(("CODE", "NUMBERED"), "a bill, an amendment"),
        "ACCEPT.WORD": "an amendment",
        "VOTE.WORD": "a bill, an amendment",
        "AMEND.WORD": "a card",
        "AMEND ON.WORD": "a bill",
        **{f"VOTE.{one}": "a bill, an amendment" for one in ("CODE", "NUMBERED", "INT")},
        **{f"AMEND.{one}": "a bill" for one in ("CODE", "NUMBERED", "INT")},
        **{f"ACCEPT.{one}": "an amendment" for one in ("CODE", "NUMBERED", "INT")},
        "VOID VOID.WORD": "a player",
        "VOID.WORD": "an issue",
        **{f"{word}.WORD": "a card" for word in ("BILL", "NEXTBILL", "TOKEN", "RETURN")},
        **{f"{word}.WORD": "a player" for word in ("SPEND", "GIVE")},
    }
    return Orders(
        book.grammar,
        book.terminals,
        partial(_ToOrders, orders.ORDERS, **_MADE),
        labels,
        names=book.tables["issues"],
        numbers=("INT", "THOUSANDS"),
        bill_cards=int(book.tables.get("bill_cards", 2)),
        ifs=Ifs(("VOTE",), "3.13", "for a vote to come, as in: VOTE AYE IF STAR+", "3.14"),
    )
