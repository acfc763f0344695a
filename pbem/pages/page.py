"""A seat's page: what it owes, what silence means, its form.

In ``templates/<key>/``: ``words.txt.j2`` (periods and slots), ``form.txt.j2`` (a macro for each
offer), ``events.txt.j2`` (silence).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment

from pbem.errors import RefereeError
from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import BLANK, Offer
from pbem.pages import sheet
from pbem.pages.macros import in_force, macros
from pbem.text import listed

_EFFECT = " # "
_LEAST = 4
MOST_CHOICES = 5
"""More are no links of their own."""


@dataclass(frozen=True, slots=True)
class Most:
    """How much of a form is shown."""

    lines: int
    words: int
    """Then effects are cut, later lines."""
    owed: tuple[str, ...]

    def kept(self, made: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the lines shown."""
        each = [set(order.split()) for order, _ in made]
        own = (next((n for n, a in enumerate(each, 1) if a >= {*x.split()}), 1) for x in self.owed)
        words, owed = 0, max(1, len(self.owed), *own)
        rows: list[tuple[str, str]] = []
        for order, effect in made[: max(self.lines, owed)]:
            words += len(order.split()) + len(effect.split())
            if len(rows) < owed or words <= self.words:
                rows.append((order, effect))
            elif len(rows) < _LEAST or words <= 2 * self.words:
                rows.append((order, effect.partition(";")[0]))
            else:
                break
        return rows


@dataclass(frozen=True, slots=True)
class SeatPage:
    """What a seat's page is made of."""

    owes: tuple[str, ...] = ()
    silence: tuple[Event, ...] = ()
    offers: tuple[Offer, ...] = ()


def worded(
    env: Environment, key: str, name: str, context: Mapping[str, Any], *given: object
) -> str:
    """Return what a macro of ``words.txt.j2`` says, on one line."""
    with in_force(context):
        return " ".join(str(getattr(macros(env, f"{key}/words.txt.j2"), name)(*given)).split())


def has(env: Environment, key: str, name: str, context: Mapping[str, Any]) -> bool:
    with in_force(context):
        return hasattr(macros(env, f"{key}/words.txt.j2"), name)


def optional(
    env: Environment, key: str, name: str, context: Mapping[str, Any], *given: object
) -> str:
    """Return what a macro says; "" if the game has none of this name."""
    return worded(env, key, name, context, *given) if has(env, key, name, context) else ""


def lines(
    env: Environment, key: str, offers: Sequence[Offer], context: Mapping[str, Any]
) -> list[tuple[str, str]]:
    """Return each offer as (order with blanks, effect). Raise RefereeError if a macro is missing or
    has the wrong number of blanks."""
    rows = []
    with in_force(context):
        module = macros(env, f"{key}/form.txt.j2")
        for offer in offers:
            macro = getattr(module, offer.kind, None)
            if macro is None:
                raise RefereeError(f"templates/{key}/form.txt.j2 has no macro {offer.kind!r}")
            order, _, effect = " ".join(str(macro(offer.data)).split()).partition(_EFFECT)
            if order.count(BLANK) != len(offer.fills) or not offer.fills:
                raise RefereeError(
                    f"templates/{key}/form.txt.j2: {order!r} has {order.count(BLANK)} blanks, and"
                    f" an offer of kind {offer.kind!r} fills {len(offer.fills)}"
                )
            rows.append((order.strip(), effect.strip()))
    return rows


def form(
    env: Environment,
    key: str,
    offers: Sequence[Offer],
    context: Mapping[str, Any],
    *,
    without: str | None = None,
    most: Most | None = None,
) -> str:
    """Return the form block, or "". No line of it is an order as it stands. without: a list in
    ``form.txt.j2``: kinds of offers to leave out (HELP has them)."""
    with in_force(context):
        left_out = getattr(macros(env, f"{key}/form.txt.j2"), without, ()) if without else ()
    kept = [one for one in offers if one.kind not in left_out]
    if not kept:
        return ""
    made = lines(env, key, kept, context)
    if not most:
        return sheet.order_form([(*a, *choices(b)) for a, b in zip(made, kept, strict=True)])
    shown = most.kept(made)
    rows = [(*line, *choices(offer)) for line, offer in zip(shown, kept, strict=False)]
    rest = lines(env, key, [one for one in offers if one.kind in left_out], context)
    if more := _more([order for order, _ in shown], [*made[len(shown) :], *rest]):
        rows.append((BLANK, f"or {listed(more[:5], 'or')}: HELP FORM"))
    return sheet.order_form(rows)


def _more(shown: Sequence[str], rest: Sequence[tuple[str, str]]) -> list[str]:
    """Return what orders in no line shown begin with: "PAY TO DISTRICTS" where PAY is shown."""
    seen = [order.split() for order in shown]
    each = [
        [word for word in order.split() if word != BLANK] for order, _ in rest if order != BLANK
    ]
    new = [words for words in each if not any(words[0] == a[0] and {*words} <= {*a} for a in seen)]
    firsts = {words[0] for words in seen}
    found = (words[0] if words[0] not in firsts else " ".join(words) for words in new)
    return [one for one in dict.fromkeys(found) if one.replace(" ", "").isalpha()]


def merged(sentences: Sequence[str]) -> list[str]:
    """Join neighbouring sentences that differ in one place: "You do not vote on B1 and B2." Of
    three or more, leave out what stands in brackets."""
    found: list[str] = []
    rest = [one.replace(". [", " . [") for one in sentences]  # the full stop is no part of a word
    while rest:
        first, *rest = rest
        head, tail, many = _shared(first, rest)
        if many:
            middles = [_middle(one, head, tail) for one in (first, *rest[:many])]
            short = middles if many == 1 else [one.partition(" (")[0] for one in middles]
            words = first.split()
            before, after = words[:head], words[len(words) - tail :]
            first = " ".join([*before, listed(short), *after])
            rest = rest[many:]
        found.append(first.replace(" . [", ". ["))
    return found


_HEAD, _TAIL = 3, 2
"""Least words in common, before and after what differs."""


def _shared(first: str, rest: Sequence[str]) -> tuple[int, int, int]:
    """Return the common words at both ends, and how many sentences have them."""
    words = first.split()
    many, head, tail = 0, 0, 0
    for one in rest:
        other = one.split()
        most = min(len(words), len(other)) - 1
        before = next((n for n in range(most) if words[n] != other[n]), most)
        after = next(
            (n for n in range(most - before) if words[-n - 1] != other[-n - 1]), most - before
        )
        if before < _HEAD or after < _TAIL:
            break
        head, tail = (min(head, before), min(tail, after)) if many else (before, after)
        many += 1
    return head, tail, many


def _middle(sentence: str, head: int, tail: int) -> str:
    words = sentence.split()
    return " ".join(words[head : len(words) - tail])


def choices(offer: Offer) -> tuple[str, ...]:
    """Return the words for an offer's only blank if few and single."""
    if len(offer.fills) != 1 or len(offer.fills[0]) > MOST_CHOICES:
        return ()
    words = offer.fills[0]
    return words if offer.few or all(one.isalpha() and one.isupper() for one in words) else ()


def filled(order: str, words: Sequence[str]) -> str:
    for word in words:
        order = order.replace(BLANK, word, 1)
    return order
