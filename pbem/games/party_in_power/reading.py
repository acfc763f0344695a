"""What rules make besides orders of their names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from pbem.games.frame.conditions import ConditionalReader, Ended, Plan
from pbem.games.frame.ruleset import Rulebook
from pbem.games.party_in_power.cards import ISSUE_WORDS, Item
from pbem.games.party_in_power.names import NONE, Names
from pbem.games.party_in_power.orders import TOP, WORDS, Contest, Decline, Draft, Draw, Play
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language
from pbem.orders.order import Order

ELSE = "ELSE"
_FIGURES = ("IF", ELSE, "SEATS", "POINTS", "LEFT", "GRC", "MOMENTUM")
"""A condition's words; such a line continues."""
_KEPT = ("OVERRIDE", "DRAW", "DRAFT", "CONTEST", "DECLINE")


def _share(*words: Any) -> tuple[str, int]:
    """Read deck and number in either order."""
    deck, number = sorted(words, key=lambda word: isinstance(word, int))
    return deck.upper(), number


def _draft(names: Names, *words: str) -> Draft:
    """Read wishes; ELSE joins two."""
    spans: list[list[str]] = [[]]
    for word in words[1:]:
        if word.upper() == ELSE:
            spans.append([])
        else:
            spans[-1].append(word)
    wishes: list[tuple[str, ...]] = [(card,) for card in names.read(spans[0])]
    for span in spans[1:]:
        other, *rest = names.read(span) or (NONE,)
        wishes[-1:] = [(*wish, other) for wish in wishes[-1:]] or [(other,)]
        wishes += [(card,) for card in rest]
    return Draft(tuple(wishes))


def _is_none(items: tuple[Item, ...]) -> bool:
    return [item.card.upper() for item in items] == [NONE]


def _plan(order: Order, when: Any = None, other: Order | None = None) -> Any:
    """Read STANDING or a condition; ELSE begins a plan without one."""
    return (Plan(order, when), Plan(other)) if other else Plan(order, when)


def _ended(*words: str) -> Ended:
    """Read STANDING NONE, STANDING DRAFT NONE or DRAFT IF NONE."""
    first, second = (str(word).upper() for word in words[:2])
    if first != "STANDING":
        return Ended(first, by_condition=True)
    return Ended(second if len(words) > 2 else "")


def _words(names: Names) -> dict[str, Callable[..., Any]]:
    return {
        "cards": lambda *words: names.read(words),
        "content": lambda *words: tuple(w.upper() for w in words if w.upper() != NONE),
        "draw": lambda *shares: Draw(shares),
        "share": _share,
        "draft": partial(_draft, names),
        "contest": lambda *items: Decline() if _is_none(items) else Contest(names.items(items)),
        "play": lambda *items: Play(() if _is_none(items) else names.items(items)),
        "item": lambda card, *options: Item(str(card), **dict(options)),
        "on": lambda word: ("on", word.upper()),
        "against": lambda word: ("against", word.upper()),
        "plan": _plan,
        "ended": _ended,
    }


def language(book: Rulebook) -> Language:
    labels = {
        "WORD": "a card",
        "DRAW.WORD": "TALENT, ACTION",
        "OVERRIDE CONTENT.WORD": "an issue",
        **dict.fromkeys(("IF", ELSE), ""),
        **{f"{word} IF.WORD": "SEATS, POINTS, GRC" for word in _KEPT},
        **{f"{word} ON.WORD": "an issue" for word in ("CONTEST", "PLAY")},
        **{f"{word} AGAINST.WORD": "a party" for word in ("CONTEST", "PLAY")},
    }
    make = partial(ConditionalReader, tuple(WORDS.values()), **_words(Names(book.tables)))
    names = (*ISSUE_WORDS, *book.tables["parties"], TOP, *_FIGURES)
    ifs = Ifs((*_KEPT, "STANDING"), "3.14")
    return Language(book.grammar, book.terminals, make, labels, names=names, ifs=ifs)
