"""A seat's page: what it owes, what silence means, its form.

In ``templates/<key>/``: ``words.txt.j2`` (periods and slots), ``form.txt.j2`` (a macro for each
offer), ``events.txt.j2`` (silence).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from jinja2.environment import TemplateModule

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
_MOST_LINES, _MOST_WORDS = 8, 35
"""Of a notice's form, if no more are owed."""
NOTHING = "You owe nothing."
"""Unless the game has words of its own."""


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


@dataclass(frozen=True, slots=True)
class Words:
    """What a game's macros say of what is known: one of :data:`pbem.pages.bulletin.CONTEXT`."""

    env: Environment
    known: Mapping[str, Any]

    def _macros(self, file: str) -> TemplateModule:
        return macros(self.env, f"{self.known['key']}/{file}.txt.j2")

    def has(self, name: str) -> bool:
        with in_force(self.known):
            return hasattr(self._macros("words"), name)

    def worded(self, name: str, *given: object) -> str:
        """Return what a macro of ``words.txt.j2`` says, on one line."""
        with in_force(self.known):
            return " ".join(str(getattr(self._macros("words"), name)(*given)).split())

    def optional(self, name: str, *given: object) -> str:
        """Return what a macro says; "" if the game has none of this name."""
        return self.worded(name, *given) if self.has(name) else ""

    def period(self) -> str:
        """Return "session 1, third"."""
        return self.worded("period")

    def figures(self) -> str:
        """Return what the final figures count ("seats"), or ""."""
        return self.optional("figures")

    def owed(self, slot: str) -> str:
        """Return "a vote on bill 4"."""
        return self.worded("owed", slot)

    def asked(self, slots: Sequence[str]) -> str:
        """Return "a vote on bill 4 and your list of candidates"."""
        short = self.optional("owed_in_short", slots) if slots else ""
        return short or listed([self.owed(slot) for slot in slots])

    def nothing(self) -> str:
        """Return the game's sentence for a seat that owes nothing."""
        return self.optional("nothing") or NOTHING

    def tell(self, event: Event) -> str:
        """Return an event's words and paragraph, or "", a line each sentence. Raise RefereeError
        without a macro for its kind."""
        with in_force(self.known):
            macro = getattr(self._macros("events"), event.kind, None)
            if macro is None:
                raise RefereeError(
                    f"templates/{self.known['key']}/events.txt.j2 has no macro for events of kind"
                    f" {event.kind!r}"
                )
            words = str(macro(event.data)).strip("\n")
        if not words.strip():
            return ""
        first, newline, rest = words.partition("\n")
        return f"{first} [{event.rule}]{newline}{rest}"

    def lines(self, offers: Sequence[Offer]) -> list[tuple[str, str]]:
        """Return each offer as (order with blanks, effect). Raise RefereeError if a macro is
        missing or has the wrong number of blanks."""
        rows, file = [], f"templates/{self.known['key']}/form.txt.j2"
        with in_force(self.known):
            made = vars(self._macros("form"))
            for offer in offers:  # what join says, join_later may say too
                macro = made.get(offer.kind) or made.get(offer.kind.rpartition("_")[0])
                if macro is None:
                    raise RefereeError(f"{file} has no macro {offer.kind!r}")
                order, _, effect = " ".join(str(macro(offer.data)).split()).partition(_EFFECT)
                if order.count(BLANK) != len(offer.fills) or not offer.fills:
                    raise RefereeError(
                        f"{file}: {order!r} has {order.count(BLANK)} blanks, and an offer of kind"
                        f" {offer.kind!r} fills {len(offer.fills)}"
                    )
                rows.append((order.strip(), effect.strip()))
        return rows

    def form(
        self, offers: Sequence[Offer], *, without: str | None = None, most: Most | None = None
    ) -> str:
        """Return the form block, or "". No line of it is an order as it stands. without: a list in
        ``form.txt.j2``: kinds of offers to leave out (HELP has them)."""
        with in_force(self.known):
            left_out = getattr(self._macros("form"), without, ()) if without else ()
        kept = [one for one in offers if one.kind not in left_out]
        if not kept:
            return ""
        made = self.lines(kept)
        if not most:
            return sheet.order_form([(*a, *choices(b)) for a, b in zip(made, kept, strict=True)])
        shown = most.kept(made)
        rows = [(*line, *choices(offer)) for line, offer in zip(shown, kept, strict=False)]
        rest = self.lines([one for one in offers if one.kind in left_out])
        if more := _more([order for order, _ in shown], [*made[len(shown) :], *rest]):
            rows.append((BLANK, f"or {listed(more[:5], 'or')}: HELP FORM"))
        return sheet.order_form(rows)

    def page(
        self, given: SeatPage, *, form: bool = True, without: str | None = None, short: bool = False
    ) -> Mapping[str, Any]:
        """Return a seat's ``owes`` (or ``nothing``), ``silence`` and perhaps ``form``. without: as
        in :meth:`form`."""
        silence = [" ".join(self.tell(one).split()) for one in given.silence]
        most = Most(_MOST_LINES, _MOST_WORDS, given.owes) if short else None
        return {
            "nothing": self.nothing(),
            "owes": [self.owed(slot) for slot in given.owes],
            "asked": self.asked(given.owes),
            "silence": merged(silence),
            "form": self.form(given.offers, without=without, most=most) if form else "",
        }


def _more(shown: Sequence[str], rest: Sequence[tuple[str, str]]) -> list[str]:
    """Return what orders in no line shown begin with: "PAY TO DISTRICTS" where PAY is shown."""
    seen = [order.split() for order in shown]
    orders = (order.split() for order, _ in rest if order != BLANK)
    each = [[word for word in words if word != BLANK] for words in orders]
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
            each = [one.split() for one in (first, *rest[:many])]
            middles = [" ".join(words[head : len(words) - tail]) for words in each]
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
