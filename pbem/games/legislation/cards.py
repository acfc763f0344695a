"""Cards, and when a red card is satisfied.

A card is its issue and sign, ``STAR+`` or ``STAR-``; the blank red card is ``CROWN``. An issue has
a blue card of each sign (§2).
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from pbem.games.frame.dice import Stream
from pbem.games.frame.events import grouped

CROWN = "CROWN"


def issue(card: str) -> str:
    return card if card == CROWN else card[:-1]


def sign(card: str) -> int:
    """Return +1 or -1; 0 if blank."""
    return 0 if card == CROWN else 1 if card[-1] == "+" else -1


def opposite(card: str) -> str:
    """Return the other card of the issue; "" if blank."""
    return "" if card == CROWN else issue(card) + ("-" if card[-1] == "+" else "+")


def level(law: Collection[str], name: str) -> int:
    """Return an issue's level: +1, 0, -1."""
    return (f"{name}+" in law) - (f"{name}-" in law)


def balance(law: Iterable[str]) -> int:
    return sum(sign(card) for card in law)


def blue(issues: Iterable[str]) -> list[str]:
    """Return each issue's blue cards, + before -."""
    return [name + mark for name in issues for mark in "+-"]


def satisfied(
    objectives: Sequence[str], law: Collection[str], conflicting: bool
) -> tuple[str, ...]:
    """Return satisfied cards, copies too, never the blank one. ``conflicting``: opposite signs want
    their difference as level (§6)."""
    held = grouped((issue(card), sign(card)) for card in objectives)
    kept = []
    for card in objectives:
        signs = held[issue(card)]
        wanted = sign(card)
        if conflicting and {1, -1} <= set(signs):
            wanted = max(-1, min(1, sum(signs)))
        if card != CROWN and level(law, issue(card)) == wanted:
            kept.append(card)
    return tuple(kept)


def law_after(law: Collection[str], bill: Iterable[str]) -> frozenset[str]:
    """Return the law with a bill enacted: a card enters, or goes with its opposite (§4.8)."""
    after = set(law)
    for card in bill:
        if opposite(card) in after:
            after.discard(opposite(card))
        else:
            after.add(card)
    return frozenset(after)


def regard(held: Sequence[str], card: str, conflicting: bool) -> list[int]:
    """Return the voters' view of a blue card: +1 per equal, -1 per opposite, once per issue
    (Conflicting Interests: per card) (§6.3)."""
    likes, dislikes = held.count(card), held.count(opposite(card))
    if not conflicting:
        likes, dislikes = min(likes, 1), min(dislikes, 1)
    return [1] * likes + [-1] * dislikes


Fits = Callable[[str, Sequence[str]], bool]
"""Whether a card fits a hand in a deal, or may be held at all."""


def deal(
    deck: Sequence[str], count: int, fits: Sequence[Fits], may: Sequence[Fits], chance: Stream
) -> tuple[list[str], list[list[str]]]:
    """Deal one card at a time round the table until each hand has ``count`` (§2). A card that
    does not fit waits until the end or until the deck runs out, then is shuffled back. If nothing
    fits then, a hand takes the first card it ``may`` hold, or stays short. Return the deck (top
    last) and the hands."""
    cards, aside, dealt = list(deck), list[str](), [list[str]() for _ in fits]
    for _ in range(count):
        for hand, fit, can in zip(dealt, fits, may, strict=True):
            while cards and not fit(cards[-1], hand):
                aside.append(cards.pop())
            if not cards and aside:
                cards, aside = chance.shuffled(aside), []
                down = range(len(cards))[::-1]
                tops = (at for rule in (fit, can) for at in down if rule(cards[at], hand))
                if (top := next(tops, None)) is not None:
                    hand.append(cards.pop(top))
            elif cards:
                hand.append(cards.pop())
    return (chance.shuffled([*cards, *aside]) if aside else cards), dealt


def take_top(deck: list[str], hand: Sequence[str], may: Fits) -> str | None:
    """Draw the first card that ``may`` join ``hand`` from ``deck`` (changed in place), others to
    its bottom. None if no card may."""
    for _ in range(len(deck)):
        card = deck.pop()
        if may(card, hand):
            return card
        deck.insert(0, card)
    return None


def one_crown(card: str, hand: Sequence[str]) -> bool:
    """Return whether at most one blank card is held (§6.7)."""
    return card != CROWN or CROWN not in hand
