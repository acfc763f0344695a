"""Turn parse trees into orders, with names as the tables spell them."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from lark import Token, v_args

from pbem.games.frame.ruleset import Rulebook
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Names, spread
from pbem.orders.characters import first_word
from pbem.orders.declared import Reader
from pbem.orders.language import Ifs, Language
from pbem.orders.order import Order
from pbem.orders.splitter import LogicalLine

_DISTRICT = re.compile(r"^[A-Za-z]+[0-9]+$")
_WIDEST = 100
_DASH = re.compile(r"(?<! ) *+- *+")
_CHOICES = {
    **dict.fromkeys(("y", "yes", "aye"), "YES"),
    **dict.fromkeys(("n", "no", "nay"), "NO"),
    "abstain": "ABSTAIN",
    "none": "NONE",
}
_LEVELS = {"h": "H", "high": "H", "l": "L", "low": "L", "abstain": "ABSTAIN"}


@dataclass(frozen=True, eq=False)
class Orders(Language):
    """The order language."""

    def complete(self, text: str) -> bool:
        """Return whether no officer, nor a word after ENDORSED BY, is missing."""
        if first_word(text) == "GOVERNMENT" and self.reads(text):
            read = self.parse(text)[0]
            return not (getattr(read, "loose", "") or text.upper().endswith(("ENDORSED", "BY")))
        return Language.complete(self, text)

    def goes_on(self, order: str, following: str) -> bool:
        """Return whether ``following`` continues ``order``; so does an unreadable ENDORSED BY
        (house rule 5)."""
        return _is_endorsed(order, following) or Language.goes_on(self, order, following)

    def _apart(self, line: LogicalLine, words: frozenset[str]) -> list[LogicalLine]:
        first, *more = line.text.split(";")
        if any(_is_endorsed(first, piece) for piece in more):
            return [line]
        return Language._apart(self, line, words)


def _is_endorsed(order: str, following: str) -> bool:
    return first_word(order) == "GOVERNMENT" and first_word(following) == "ENDORSED"


@v_args(inline=True)
class ToOrders(Reader):
    """A method for each grammar rule that is no order's name."""

    def __init__(self, names: Names) -> None:
        spelt = {kind: partial(names.spelt, kind) for kind in ("office", "party", "district")}
        super().__init__(
            o.ORDERS,
            **spelt,
            faction=names.faction,
            factions=lambda *named: named,
            names=lambda *words: list(map(str, words)),
            endorsed=lambda *words: list(map(str, words)),
            consent=partial(o.Reshuffle, consent=True),
            proposal=lambda number: number if isinstance(number, int) else 0,  # 0 is MINE
            program_none=lambda _none: o.Propose((), ()),
            candidates=lambda listed: o.Candidates(listed if isinstance(listed, tuple) else ()),
        )
        self._n = names

    def government(self, names: list[str], endorsed: list[str] | None = None) -> Order:
        """Read officers up to their district; an office holds for "FINANCE, WELFARE Mon S6"."""
        officers: dict[str, tuple[str, str, str]] = {}
        waiting, no_member = list[str](), list[str]()
        for word in names:
            if word.casefold() in ("minister", "ministry", "of"):
                continue
            if not _DISTRICT.match(word) or not waiting:
                waiting.append(word)
                continue
            *offices, party = waiting if len(waiting) > 1 else (*waiting, "")
            parties = [self._n.spelt("party", one) in self._n.tables.parties for one in offices]
            begins = max((n for n, is_party in enumerate(parties, 1) if is_party), default=0)
            no_member += offices[:begins]  # "FOREIGN Soc" has no district
            for office in offices[begins:]:
                key = self._n.spelt("office", office)
                officers[key] = (
                    key,
                    self._n.spelt("party", party),
                    self._n.spelt("district", word),
                )
            waiting = []
        rank = {office: place for place, office in enumerate(self._n.tables.offices)}
        listed = sorted(officers.values(), key=lambda officer: rank.get(officer[0], len(rank)))
        left = " ".join([*no_member, *waiting])
        loose = f"{', ' if listed else ''}{left}" if left else ""
        endorsers = tuple(dict.fromkeys(self._n.faction(word) for word in endorsed or ()))
        return o.Government(tuple(listed), endorsers, loose)

    def sign(self, number: int, *factions: Token) -> tuple[o.Sign, ...]:
        return tuple(o.Sign(number, self._n.faction(one)) for one in factions) or (
            o.Sign(number, ""),
        )

    def back_out(self, number: int, *factions: Token) -> tuple[Order, ...]:
        return tuple(replace(one, withdraw=True) for one in self.sign(number, *factions))

    def pair(self, item: Token, level: Token) -> tuple[str, str]:
        return self._n.spelt("item", item), _LEVELS[level.casefold()]

    def span(self, first: int, last: int | None) -> tuple[int, ...]:
        """Read 5 or 5-8; if wide, its ends."""
        step = 1 if last is None or first <= last else -1
        if last is None or abs(last - first) > _WIDEST:
            return (first,) if last is None else (first, last)
        return tuple(range(first, last + step, step))

    def bills(self, *numbers: tuple[int, ...] | Token) -> list[str]:
        return [str(one) for some in numbers if isinstance(some, tuple) for one in some]

    def program(self, *parts: Any) -> Order:
        bills = next((part for part in parts if isinstance(part, list)), [])
        levels = [part for part in parts if isinstance(part, tuple)]
        return o.Propose(self._in_order(levels), tuple(bills))

    def _in_order(self, levels: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        rank = {item: place for place, item in enumerate(self._n.tables.items)}
        each = dict.fromkeys(levels)
        return tuple(sorted(each, key=lambda pair: rank.get(pair[0], len(rank))))

    def approved(
        self, what: tuple[int, ...] | Token, level: Token | None = None
    ) -> tuple[o.Approve, ...]:
        if isinstance(what, tuple):
            return tuple(o.Approve(str(bill), "") for bill in what)
        item = self._n.spelt("item", what)
        return (o.Approve("", item, _LEVELS[level.casefold()] if level else "L"),)

    def approve(self, *some: tuple[o.Approve, ...]) -> tuple[Order, ...]:
        """Read one order per item; if one is no item, that alone."""
        items, approved = self._n.tables.items, tuple(chain.from_iterable(some))
        unknown = tuple(one for one in approved if not one.bill and one.item not in items)
        return unknown or approved

    def entry(self, *words: Token) -> tuple[str, str, str]:
        """Read item and level; a faction before it begins its part."""
        *faction, item, level = words
        return (
            self._n.faction(faction[0]) if faction else "",
            self._n.spelt("item", item),
            _LEVELS[level.casefold()],
        )

    def budget_ballot(self, _budget: Token, *entries: tuple[str, str, str]) -> o.VoteBudget:
        groups, current = defaultdict[str, list[tuple[str, str]]](list), ""
        for faction, item, level in entries:
            current = faction or current
            groups[current].append((item, level))
        return o.VoteBudget(
            tuple((faction, self._in_order(levels)) for faction, levels in groups.items())
        )

    def budget_none(self, _budget: Token, *rest: Token) -> o.VoteBudget:
        named = rest and rest[0] is not None and rest[0].type == "WORD"
        return o.VoteBudget(((self._n.faction(rest[0]) if named else "", ()),))

    def choice(self, *words: Token) -> list[tuple[str, str]]:
        """Read factions and their vote; no faction means all."""
        voted = _CHOICES[words[-1].casefold()]
        return [(self._n.faction(word), voted) for word in words[:-1]] or [("", voted)]

    def bill_ballot(self, *parts: Any) -> tuple[o.Vote, ...]:
        choices = tuple(choice for part in parts if isinstance(part, list) for choice in part)
        bills = (bill for part in parts if isinstance(part, tuple) for bill in part)
        return tuple(o.Vote(str(bill), choices) for bill in bills)

    def standing(self, *words: Any) -> Order | tuple[Order, ...]:
        ballot = words[-1]
        if isinstance(ballot, tuple):
            return tuple(replace(one, standing=True) for one in ballot)
        return o.VoteBudget(ballot.groups, standing=True)

    def resign(self, *offices: Token) -> Order | tuple[Order, ...]:
        return tuple(o.Resign(self._n.spelt("office", office)) for office in offices) or o.Resign(
            ""
        )

    def pay(self, *words: Any) -> Order:
        """Read amount and payee in either order, perhaps a period."""
        payee = next(word for word in words if isinstance(word, Token))
        amount, *period = (word for word in words if isinstance(word, int))
        return o.Pay(amount, self._n.spelt("party", payee), *period)

    def districts(self, *words: Token) -> tuple[str, ...]:
        listed = _DASH.sub("-", " ".join(words).replace(",", " ")).split()
        rank = self._n.tables.rank
        found = dict.fromkeys(spread(listed, rank))
        return tuple(sorted(found, key=lambda d: rank.get(d, len(rank))))

    def spend(
        self, amount: int, first: tuple[str, ...], second: tuple[str, ...]
    ) -> tuple[Order, ...]:
        """Read candidate and districts in either order."""
        if all(map(_DISTRICT.match, first)):
            first, second = second, first
        who = self._n.candidate(" ".join(first))
        return tuple(o.Spend(amount, who, self._n.spelt("district", one)) for one in second)

    def bloc(self, bloc: Token, where: tuple[str, ...], candidate: Token) -> tuple[Order, ...]:
        key, who, n = self._n.spelt("bloc", bloc), self._n.candidate(candidate), self._n
        return tuple(
            o.Bloc(key, n.spelt("district", one) if _DISTRICT.match(one) else n.faction(one), who)
            for one in where
        )


def language(book: Rulebook, names: Names) -> Orders:
    labels = {
        "LEVEL": "H, L, ABSTAIN",
        "CHOICE": "YES, NO, ABSTAIN",
        **{word: word for word in ("BUDGET", "NONE", "MINE")},
        "_BILL": "BILL, BILLS",
        "_ENDORSED": "ENDORSED BY",
        **{f"_{word}": word for word in ("BY", "FOR", "TO", "ON", "IN", "AS", "CROWNS", "PERIOD")},
        **{f"_{word}": word for word in ("ELECTION", "CANDIDATES")},
        "AMOUNT": "a number",
        "DISTRICTS": "districts",
        "_TOTAL": "",
        "PAY.WORD": "a party",
    }
    return Orders(
        book.grammar,
        book.terminals,
        partial(ToOrders, names),
        labels,
        names=(*names.all, "CANDIDATE"),
        numbers=("INT", "AMOUNT"),
        ifs=Ifs((), "H5", "a standing vote can be left on file (H9), as in: STANDING VOTE 8 NO"),
    )
