"""Cards, and when a red one is satisfied.

A card is its text: an issue and a sign, ``STAR+`` or ``STAR-``; the blank red card is ``CROWN``.
Blue cards are one of each sign of an issue, so a level is +1, 0 or -1 (§2).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from pbem.games.frame.dice import Stream

CROWN = "CROWN"


def issue(card: str) -> str:
    """The issue of a card; the blank card has none and gives its own name."""
    return card if card == CROWN else card[:-1]


def sign(card: str) -> int:
    """+1, -1, or 0 for the blank card."""
    return 0 if card == CROWN else 1 if card[-1] == "+" else -1


def opposite(card: str) -> str:
    """The same issue with the other sign (the blank card has no opposite and gives "")."""
    return "" if card == CROWN else issue(card) + ("-" if card[-1] == "+" else "+")


def level(law: Collection[str], name: str) -> int:
    """The level of an issue: +1, 0 or -1."""
    return (f"{name}+" in law) - (f"{name}-" in law)


def balance(law: Iterable[str]) -> int:
    """The sum of the law (Balanced Budget)."""
    return sum(sign(card) for card in law)


def blue(issues: Iterable[str]) -> list[str]:
    """Both blue cards of each issue, + before -."""
    return [name + mark for name in issues for mark in "+-"]


def satisfied(
    objectives: Sequence[str], law: Collection[str], conflicting: bool
) -> tuple[str, ...]:
    """The red cards that are satisfied, each copy counted; with ``conflicting`` a pair of opposite
    signs asks for the level + less -, limited to one (§6 CONFLICTING). The blank card is never
    among them."""
    held: dict[str, list[int]] = {}
    for card in objectives:
        held.setdefault(issue(card), []).append(sign(card))
    kept = []
    for card in objectives:
        signs = held[issue(card)]
        wanted = sign(card)
        if conflicting and {1, -1} <= set(signs):
            wanted = max(-1, min(1, sum(signs)))
        if card != CROWN and level(law, issue(card)) == wanted:
            kept.append(card)
    return tuple(kept)


Fits = Callable[[str, Sequence[str]], bool]
"""Does this card fit that hand (in a deal), or may it be held beside it at all?"""


def deal(
    deck: Sequence[str],
    hands: Sequence[Sequence[str]],
    count: int,
    fits: Sequence[Fits],
    may: Sequence[Fits],
    chance: Stream,
) -> tuple[list[str], list[list[str]]]:
    """Deal one card at a time round the table until every hand has grown by ``count`` (§2): a card
    that does not fit is set aside and another drawn at once; at the end those set aside are
    shuffled back in.

    ``deck`` has its top last. Gives the deck and the hands. Should the deck run out, what was set
    aside is shuffled in at once; if nothing in it fits, its first card from the top that ``may`` be
    held is taken all the same, and if there is none the hand stays a card short.
    """
    cards, aside, dealt = list(deck), list[str](), [list(hand) for hand in hands]
    for _ in range(count):
        for hand, fit, can in zip(dealt, fits, may, strict=True):
            while cards and not fit(cards[-1], hand):
                aside.append(cards.pop())
            if not cards and aside:
                cards, aside = chance.shuffled(aside), []
                top = next(
                    (
                        i
                        for rule in (fit, can)
                        for i in reversed(range(len(cards)))
                        if rule(cards[i], hand)
                    ),
                    None,
                )
                if top is not None:
                    hand.append(cards.pop(top))
            elif cards:
                hand.append(cards.pop())
    return (chance.shuffled([*cards, *aside]) if aside else cards), dealt


def take_top(deck: list[str], hand: Sequence[str], may: Fits) -> str | None:
    """The top card off ``deck`` (changed in place) that ``may`` join ``hand``; what may not goes to
    the bottom and the next is drawn; None where nothing can be drawn."""
    for _ in range(len(deck)):
        card = deck.pop()
        if may(card, hand):
            return card
        deck.insert(0, card)
    return None


def one_crown(card: str, hand: Sequence[str]) -> bool:
    """A hand holds one blank card at most (§6.7)."""
    return card != CROWN or CROWN not in hand
