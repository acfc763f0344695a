"""The orders (3.1 to 3.8): how they read, what they fill, and whether they may be given. The first
refusal counts: out, gap closed, role, option, player, the order's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import Any, ClassVar, TypeAlias

from pbem.games.frame.conditions import ConditionalReader, Ended, Plan
from pbem.games.frame.ruleset import Rulebook
from pbem.games.politics_1935 import counting
from pbem.games.politics_1935.state import MOST, Atlas, Item, State
from pbem.orders import declared
from pbem.orders.declared import Declared
from pbem.orders.language import Ifs, Language, ambiguous, resolve
from pbem.orders.order import Checked, Problem, Standing, Wording
from pbem.orders.spelling import is_number, whole
from pbem.text import listed

_KEY = re.compile(r"S([0-9]{1,2})")
_WORD = re.compile(r"\w+")
_LEAST = 3  # letters of a name's beginning
_LINKS = frozenset(("AND", "OF", "IN", "THE", "&"))

PLAIN = frozenset(("in", "or"))
"""Codes that are also plain words."""


def state(atlas: Atlas, words: str) -> str | None:
    found = states(atlas, words)
    return found[0] if len(found) == 1 else None


def states(atlas: Atlas, words: str) -> tuple[str, ...]:
    """Return the codes meant: the exact name, else names that begin so word by word ("N Dak";
    "NE ME" is two), else with such a word ("York")."""
    exact, asked = atlas.named(), words.upper().split()
    if (name := " ".join(asked)) in exact:
        return (exact[name],)
    named = [(code, row.name.upper().split()) for code, row in atlas.states.items()]
    if len(asked) > 1:
        two = [] if asked[0] in exact else named
        return tuple(
            code
            for code, parts in two
            if len(parts) == len(asked) and all(map(str.startswith, parts, asked))
        )
    if len(name) < _LEAST:
        return ()
    first = [code for code, parts in named if parts[0].startswith(name)]
    return tuple(first or (code for code, parts in named if _begins(name, parts)))


def _begins(word: str, parts: Iterable[str]) -> bool:
    return any(part.startswith(word) for part in parts)


def speech(atlas: Atlas, words: str) -> str:
    """Return the one card's key, else the words in capitals."""
    found = tuple(speeches(atlas, words))
    return found[0] if len(found) == 1 else key(words)


def key(word: str) -> str:
    found = _KEY.fullmatch(word.upper())
    return f"S{int(found.group(1)):02d}" if found else word.upper()


def speeches(atlas: Atlas, words: str) -> Iterator[str]:
    """Yield keys meant: that key, else titles with a word for each."""
    if key(words) in atlas.cards:
        yield key(words)
        return
    asked = [word for word in _WORD.findall(words.upper()) if word not in _LINKS]
    for card in atlas.cards.values():
        parts = _WORD.findall(card.title.upper())
        if asked and all(len(word) >= _LEAST and _begins(word, parts) for word in asked):
            yield card.key


SELF = "SELF"
ANY = "ANY"
"""A plan's bid on any card that comes up."""
_TOLD = 6  # in a note
_NO_LOT = "no card is up now; a throw of 7 or 11 turns one up"
_HOW = "write its code or name, then how many counties: OH 2, New York 1"
Case: TypeAlias = declared.Case[State, Atlas]


def _place(atlas: Atlas, code: str) -> str:
    return f"{code} ({atlas.states[code].name})"


def _near(atlas: Atlas, item: Item) -> str:
    named = atlas.named()
    found = get_close_matches(item.state.upper(), list(named), n=1, cutoff=0.6)
    return named[found[0]] if found else ""


def _problem(atlas: Atlas, item: Item, rule: str) -> Problem | None:
    if item.state in atlas.states:
        if 1 <= item.count <= MOST:
            return None
        message = f"You can capture 1 to {MOST} counties at a time, not {item.count}."
        lines = f"{_place(atlas, item.state)} has {atlas.states[item.state].lines} county lines"
        return Problem("E_COUNT", message, rule, (f"{lines}, and its capital is one step beyond",))
    meant = [_place(atlas, code) for code in states(atlas, item.state)]
    meant += [f'the word "{item.state}"'] if item.state in PLAIN else []
    if len(meant) > 1:
        return ambiguous(item.state, meant)
    near = _near(atlas, item)
    notes = (f"did you mean {_place(atlas, near)}?",) if near else (_HOW,)
    return Problem("E_STATE", f'"{item.state}" is not one of the 48 states.', rule, notes)


def _counties(case: Case, order: Campaign | StandingList, rule: str) -> None:
    """Refuse unknown states and wrong counts; say the whole line that was meant."""
    atlas = case.tables
    told = (_problem(atlas, item, rule) for item in dict.fromkeys(order.items))
    problems = [problem for problem in told if problem]
    if len(problems) > 1:
        items = [
            item if item.state in atlas.states else replace(item, state=_near(atlas, item))
            for item in order.items
        ]
        meant, known = replace(order, items=tuple(items)), all(item.state for item in items)
        if known and meant != order and declared.checked(meant, case).orders:
            notes = (*problems[-1].notes, f"did you mean {meant}?")
            problems[-1] = replace(problems[-1], notes=notes)
    if problems:
        case.stop(*problems)


class Campaign(Declared):
    """How to spend this throw; no items leave it to the list (3.1)."""

    items: tuple[Item, ...] = ()
    slot: ClassVar[str] = "CAMPAIGN"

    def __str__(self) -> str:
        return f"CAMPAIGN {', '.join(map(str, self.items))}".strip()

    def check(self, case: Case) -> None:
        state = case.state
        note = f"{state.turn} has the dice now; STANDING is kept for your own turns"
        waits = state.choices.turns and case.seat != state.turn
        case.refuse_if(waits, "E_ROLE", "Only the thrower may give CAMPAIGN.", "3.1", note)
        _counties(case, self, "3.1")
        needed, dice = counting.cost(case.tables, self.items), state.total(case.seat)
        if needed > dice:
            message = f"That play costs {needed} points; your dice show {dice}."
            told = [f"{item} ({counting.cost(case.tables, (item,))})" for item in self.items]
            listed = ", ".join((*told[:_TOLD], *(("...",) if len(told) > _TOLD else ())))
            note = f"leave out {needed - dice} or more of: {listed}"
            case.refuse("E_POINTS", message, "3.1", note)


class StandingList(Declared):
    """How to spend points that CAMPAIGN leaves, until changed; no items: NONE (3.2)."""

    items: tuple[Item, ...] = ()
    slot: ClassVar[str] = "STANDING"

    def __str__(self) -> str:
        return f"STANDING {', '.join(map(str, self.items)) or 'NONE'}"

    def check(self, case: Case) -> None:
        _counties(case, self, "3.2")


def _card(atlas: Atlas, card: str) -> str:
    return f"{card} ({atlas.cards[card].title})" if card in atlas.cards else card


def unclear(case: Case, card: str) -> None:
    """Refuse the words of several titles."""
    meant = [_card(case.tables, key) for key in speeches(case.tables, card)]
    if len(meant) > 1:
        case.stop(ambiguous(card, meant[:_TOLD]))


def needs_fund(case: Case, word: str, needed: bool, rule: str) -> None:
    """Refuse what FUND switches off."""
    on = case.state.choices.fund
    note = (
        "cards are bought: send BID, an amount, ON and a card that is up for auction"
        if on
        else "there is no money: a throw of 7 or 11 shows you a card, and TAKE CARD takes it"
    )
    message = f"{word} is switched off in this game (FUND={'ON' if on else 'OFF'})."
    case.refuse_if(on != needed, "E_OPTION", message, rule, note)


class Speak(Declared):
    """A card spoken after a seat's play, SELF or another's (3.3). One speech early, one late."""

    card: str
    after: str = SELF

    @property
    def slot(self) -> str:
        return "SPEAK" if self.after == SELF else f"SPEAK AFTER {self.after}"

    def __str__(self) -> str:
        return f"SPEAK {self.card}" + ("" if self.after == SELF else f" AFTER {self.after}")

    def late(self, state: State, seat: str) -> bool:
        """Return whether the gap follows the seat's own throw of this round."""
        return self.after == SELF or state.order.index(self.after) >= state.order.index(seat)

    def check(self, case: Case) -> Checked:
        state, seat, turns = case.state, case.seat, case.state.choices.turns
        named = {SELF: seat, **{one: one for one in state.alive}}
        after = seat if turns else resolve(self.after, named)
        if not state.gap_open(state.turn if turns else after):
            _early(case)
        if isinstance(after, Problem):
            case.stop(after)
        message = f'There is no player "{self.after}" in this game.'
        note = f"still in: {listed(state.alive)}; SELF is the gap after your own play"
        if after is None:
            case.refuse("E_PLAYER", message, "3.3", note)
        unclear(case, self.card)
        kept = Speak(self.card, SELF if after == seat else after)
        late = kept.late(state, seat)
        taken = late and "TAKE" in case.standing and state.shown.get(seat) == self.card
        has = self.card in state.hands[seat] or f"BID {self.card}" in case.standing or taken
        held = [_card(case.tables, card) for card in sorted(state.hands[seat])[:3]]
        more = ", and others" if len(state.hands[seat]) > len(held) else ""
        note = f"you hold {listed(held)}{more}" if held else "you hold no card"
        case.refuse_if(not has, "E_CARD", f"You do not hold {self.card}.", "3.3", note)
        others = case.of(Speak, besides=kept.slot)
        alike = tuple(one.slot for one in others if one.late(state, seat) == late)
        return Checked((kept,), replaces=alike)


def _early(case: Case) -> None:
    state, turns = case.state, case.state.choices.turns
    first, last = state.choices.speech_from - 1, state.last_seat
    note = f"send it in round {first} with AFTER {last}, or in round {first + 1}"
    if turns:
        note = f"send it when {last} has the dice in round {first}, or later"
    elif state.round == first:
        note = f"say AFTER {last}, or send it in round {first + 1}"
    message = f"Speeches open in the gap after {last} of round {first}."
    case.refuse("E_EARLY", message, "R4", note)


class Bid(Declared):
    """The highest price, in dollars, for a card up (3.4)."""

    amount: int
    card: str
    offered_only = True
    slot = Wording("BID {card}")
    written = Wording("BID {amount:,} ON {card}")

    def check(self, case: Case) -> None:
        needs_fund(case, "BID", True, "3.4")
        unclear(case, self.card)
        up = [lot.card for lot in case.state.lots]
        told = ", ".join(_card(case.tables, card) for card in up[:3])
        kept = self.card == ANY or self.card in case.tables.cards
        later = [f"STANDING {self} keeps it until the card comes up"] if kept else []
        message, note = f"{self.card} is not up for auction.", f"up now: {told}" if up else _NO_LOT
        case.refuse_if(self.card not in up, "E_LOT", message, "3.4", note, *later)
        self.payable(case)

    def payable(self, case: Case) -> None:
        """Refuse what notes or cash cannot pay."""
        unit, cash = case.tables.unit, case.state.cash(case.seat)
        below = self.amount // unit * unit
        note = f"bid {f'{below:,} or ' if below else ''}{below + unit:,}"
        odd = self.amount < unit or self.amount % unit
        case.refuse_if(odd, "E_UNIT", f"Bids are multiples of ${unit:,}.", "3.4", note)
        note = f"bid {cash // unit * unit:,} or less" if cash >= unit else "you cannot bid any more"
        short = self.amount > cash
        case.refuse_if(short, "E_CASH", f"You have only ${cash:,}.", "3.4", note)


class TakeCard(Declared):
    """The card shown for the points (3.5)."""

    offered_only = True
    slot: ClassVar[str] = "TAKE"
    written = Wording("TAKE CARD")

    def check(self, case: Case) -> None:
        needs_fund(case, "TAKE CARD", False, "3.5")
        note = "spend your points with CAMPAIGN; a card is shown for a throw of 7 or 11"
        shown = case.seat in case.state.shown
        case.refuse_if(not shown, "E_TAKE", "No card was shown to you.", "3.5", note)


ORDERS = (Campaign, StandingList, Speak, Bid, TakeCard)


def check(
    state: State, seat: str, standing: Standing, order: Any, by: Callable[..., Any] | None = None
) -> Checked:
    """Say whether ``seat`` may file it beside what stands. by: checks what is no class here."""
    if seat not in state.alive:
        note = "you can still send PRESS to the others"
        return Checked.refused("E_OUT", "You are no longer in the game.", "3.8", note)
    return declared.checked(order, Case(state, seat, standing, state.atlas), by)


_SEAT = re.compile(r"p[0-9]+", re.IGNORECASE)
_MYSELF = frozenset((SELF, "ME", "MYSELF", "MINE"))
_FIGURES = ("IF", "CASH", "CLOSED", "EMPTY", "ROUND", "VOTES")
"""A condition's words; such a line continues."""


def _words(atlas: Atlas) -> dict[str, Callable[..., Any]]:
    def listed(*tokens: str) -> tuple[Item, ...]:
        return tuple(items(tokens, partial(state, atlas)))

    def card(*words: str) -> str:
        return speech(atlas, " ".join(words))

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
    """Yield states with counts (3.1); ``find`` returns a code. Two words may be one name. A number
    belongs to the state before it, perhaps in brackets or after the code: "Ohio (OH) 2". A lone
    number, or a plain word ("in Ohio"), is yielded as a name."""
    tokens = [_unbracketed(token) for token in tokens]
    at = 0
    while at < len(tokens):
        word, pair = tokens[at], " ".join(tokens[at : at + 2])
        step = 2 if " " in pair and find(pair) else 1
        written = pair if step == 2 else str(word)
        at += step
        following = "".join(tokens[at : at + 1])
        plain = written in PLAIN and len(following) > 1 and following.isalpha()
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
        **dict.fromkeys(("BRACKETED", "LPAR", "IF", "_IN"), ""),
    }
    return Orders(
        book.grammar,
        book.terminals,
        partial(ConditionalReader, (*ORDERS, Plan), **_words(atlas)),
        labels,
        names=(*atlas.named(), *(card.title for card in atlas.cards.values()), *_FIGURES),
        ifs=Ifs(("BID", "STANDING"), "3.10"),
        numbers=("MONEY",),  # an INT in place of a state is refused as written
    )
