"""Orders: how they read, their slots, and whether they may be filed (3.11). Ids are as printed
(``R1a``), other words in capitals; cards and parties are found by code or name (3.12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NoReturn

from pbem.games.frame.conditions import ConditionalReader, Ended, Plan
from pbem.games.frame.ruleset import Rulebook
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power.state import State, card
from pbem.orders import declared
from pbem.orders.declared import Declared
from pbem.orders.language import Ifs, Language, ambiguous, resolve
from pbem.orders.order import Checked, Order, Pass, Problem, Resign, Standing, Wording
from pbem.orders.spelling import nearest
from pbem.text import wrap

NONE = "NONE"
"""In place of cards or issues."""
_MOST_WORDS = 4
_NOISE = ("AND", "OF", "THE")


def _plain(name: str) -> str:
    """Strip small words, which may be omitted."""
    return " ".join(word for word in name.upper().split() if word not in _NOISE)


class Names:
    """The names in one game. An Action's or Reaction's means all copies ("A4")."""

    def __init__(self, tables: Mapping[str, Any]) -> None:
        held: dict[str, set[str]] = {}
        for id, text in s.printed(tables).items():
            if id[0] != "K":
                one = card(id, text)
                held.setdefault(_plain(one.name), set()).add(id if one.candidate else one.kind)
        self.cards = {name: ids.pop() for name, ids in held.items() if len(ids) == 1}
        self.parties = {_plain(told.partition(" ")[2]) for told in tables["parties"].values()}

    def read(self, words: Sequence[str]) -> tuple[str, ...]:
        """Return card ids; the judge refuses unknown words."""
        if [word.upper() for word in words] == [NONE]:
            return ()
        return tuple(item.card for item in self.items([s.Item(word) for word in words]))

    def items(self, given: Sequence[s.Item]) -> tuple[s.Item, ...]:
        """Return cards with options; a name may repeat its code ("G19 Dipper")."""
        rest, found, coded = list(given), list[s.Item](), False
        while rest:
            one, taken = self._first(rest)
            by_code = taken == 1 and s.card_id(rest[0].card) == one.card
            again = coded and not by_code and _alike(found[-1].card, one.card)
            del rest[:taken]
            if again:
                found[-1] = replace(one, card=found[-1].card)
            else:
                found.append(one)
            coded = by_code and not (one.on or one.against)
            if one.against:
                found[-1], gone = self._party(found[-1], rest)
                del rest[:gone]
        return tuple(found)

    def _first(self, items: Sequence[s.Item]) -> tuple[s.Item, int]:
        for length in range(min(_MOST_WORDS, len(items)), 0, -1):
            span = items[:length]
            named = self.cards.get(_plain(" ".join(item.card for item in span)))
            if named and not any(item.on or item.against for item in span[:-1]):
                return replace(span[-1], card=named), length
        return replace(items[0], card=s.card_id(items[0].card)), 1

    def _party(self, item: s.Item, rest: Sequence[s.Item]) -> tuple[s.Item, int]:
        for length in range(min(_MOST_WORDS, len(rest)), 0, -1):
            words = " ".join([item.against, *(one.card for one in rest[:length])])
            if _plain(words) in self.parties and not any(one.on for one in rest[: length - 1]):
                last = rest[length - 1]
                return replace(item, against=_plain(words), on=item.on or last.on), length
        return item, 0


def _alike(one: str, other: str) -> bool:
    return one == other or (one[:1] in "AR" and one[:2] == other)


def party_names(names: Mapping[str, str]) -> dict[str, str]:
    return {
        word: code for code, name in names.items() for word in {_plain(name), name.upper(), code}
    }


def held_copies(items: Sequence[s.Item], held: Sequence[str]) -> tuple[s.Item, ...]:
    """Replace each kind ("A4") by the next held copy."""
    used, made = {item.card for item in items}, list[s.Item]()
    for item in items:
        free = [id for id in held if id[0] in "AR" and id[:2] == item.card]
        one = next((id for id in free if id not in used), item.card)
        used.add(one)
        made.append(replace(item, card=one))
    return tuple(made)


def copies(cards: Sequence[str], held: Sequence[str]) -> tuple[str, ...]:
    return tuple(item.card for item in held_copies([s.Item(id) for id in cards], held))


TOP = "TOP"
"""The private deck's top, as a card."""
_NEEDS_ISSUE = frozenset({"A3", "R5"})
_NEEDS_PARTY = frozenset({"A4", "A6"})
_IN_CAMPAIGNS, _AT_POLLS = (s.CAMPAIGN, s.SHARED), (s.POLLING, s.SHARED)


def targets(state: State) -> tuple[str, ...]:
    """Return who an Action can target: who contests (FAST=ON: the Opposition)."""
    if state.phase == s.NOMINATION:
        return state.opposition
    return tuple(seat for seat in state.submitted if seat not in state.out)


@dataclass(slots=True)
class Case(declared.Case[State, None]):
    """What is asked of an order's cards, issues and parties."""

    rule: str = ""
    """The order's paragraph."""
    held: Sequence[str] = ()
    """Cards that it may name."""

    def refuse(self, code: str, message: str, rule: str = "", *notes: str) -> NoReturn:
        declared.Case.refuse(self, code, message, rule or self.rule, *notes)

    def fit(
        self,
        cards: Sequence[str],
        among: Sequence[str],
        message: str = "You do not hold {}.",
        where: str = "you hold",
    ) -> None:
        """Refuse cards that are unknown, not ``among`` these, or named twice."""
        self.known(cards)
        if wrong := [id for id in cards if id not in among]:
            there = ", ".join(map(self.state.named, among)) or "nothing"
            notes = wrap(f"{where}: {there}", 0, 70).split("\n")
            self.refuse("E_HOLD", message.format(wrong[0]), "", *notes)
        self.once(cards)

    def known(self, cards: Sequence[str]) -> None:
        known = self.state.cards
        kinds = {id[:-1] for id in known if id[0] in "AR"}
        wrong = [id for id in cards if id[0] == "K" or (id not in known and id not in kinds)]
        if not wrong:
            return
        called = {id: card(id, text).name.upper() for id, text in known.items() if id[0] != "K"}
        if same := [self.state.spelt(id) for id, name in called.items() if name == wrong[0]]:
            self.stop(ambiguous(wrong[0], same))
        near = self._meant(wrong[0], [*self.held, *self.state.row]) or self._meant(wrong[0], known)
        notes = (f"did you mean {near}?",) if near else ()
        self.refuse("E_CARD", f"There is no card {wrong[0]}.", "", *notes)

    def _meant(self, word: str, among: Iterable[str]) -> str:
        names: dict[str, str] = {}
        for id in among:
            if id[0] != "K":
                name = self.state.card(id).name.upper()
                names |= {id: id, name: name}
                names.update((part, name) for part in name.split() if len(part) > 3)
        return names.get(nearest(word, names), "")

    def once(self, cards: Sequence[str]) -> None:
        if wrong := [id for at, id in enumerate(cards) if id in cards[:at]]:
            self.refuse("E_DUP", f"{wrong[0]} is listed twice.")

    def candidates(self, cards: Sequence[str], *notes: str) -> None:
        if wrong := [id for id in cards if not self.state.card(id).candidate]:
            self.refuse("E_NOTCAND", f"{wrong[0]} is not a Candidate.", "", *notes)

    def able(self) -> str:
        able = ", ".join(id for id in self.held if self.state.card(id).candidate)
        return f"your Candidates: {able or 'none'}"

    def issue(self, word: str) -> str:
        """Return it as printed."""
        found = resolve(word, s.ISSUE_WORDS)
        if isinstance(found, str):
            return found
        there = f"the issues are {', '.join(s.ISSUES.values())}"
        self.refuse("E_ISSUE", f'"{word}" is not an issue in this game.', "1.2", there)

    def issues(self, words: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if words is None else tuple(dict.fromkeys(map(self.issue, words)))

    def on_issues(self, items: Sequence[s.Item]) -> tuple[s.Item, ...]:
        return tuple(replace(one, on=self.issue(one.on)) if one.on else one for one in items)

    def party(self, word: str) -> str:
        """Return its seat."""
        state = self.state
        names = party_names({seat: state.names[seat] for seat in state.living if seat != s.PIP})
        found = resolve(word, {seat: seat for seat in state.living}) or resolve(word, names)
        if isinstance(found, str):
            return found
        if found:
            self.stop(found)
        there = ", ".join(f"{seat} ({state.names[seat]})" for seat in state.opposition)
        message = f'There is no player "{word}" in this game.'
        self.refuse("E_PLAYER", message, "", f"there are: {there}")

    def items(self, items: Sequence[s.Item]) -> tuple[s.Item, ...]:
        """Resolve copies held, and parties."""
        return tuple(
            replace(item, against=self.party(item.against)) if item.against else item
            for item in held_copies(items, self.held)
        )

    def targeted(self, items: Sequence[s.Item]) -> None:
        """Refuse ON or AGAINST if missing, needless, or not in :func:`targets`."""
        open_to = targets(self.state)
        there = f"contesting: {', '.join(open_to)}" if open_to else "nobody is contesting"
        for item in items:
            kind, on, against = self.state.card(item.card).kind, item.on, item.against
            if kind in _NEEDS_ISSUE:
                note = f"as in: {item.card} ON {self.state.issue}"
                message = f"{item.card} needs ON <issue>."
                self.refuse_if(not on or against, "E_TARGET", message, "", note)
            elif kind in _NEEDS_PARTY:
                message = f"{item.card} needs AGAINST <a contesting party>."
                self.refuse_if(on or against not in open_to, "E_TARGET", message, "", there)
            else:
                message = f"{item.card} takes no ON or AGAINST."
                self.refuse_if(on or against, "E_TARGET", message)


class Word(Declared):
    """An order of this game."""

    rule: ClassVar[str]
    phases: ClassVar[Sequence[str]] = _IN_CAMPAIGNS
    early: ClassVar[bool] = False
    """Whether FAST=ON has it in NOMINATION."""
    of_the_pip: ClassVar[bool | None] = False
    """Whether the PIP gives it, or the Opposition; None: both."""


def _spelt(word: str, items: Sequence[object], gap: str = " ") -> str:
    return f"{word} {gap.join(map(str, items))}".rstrip()


class Override(Word):
    """Cards to spend (3.2)."""

    cards: tuple[str, ...]
    content: tuple[str, ...] | None = None
    """Issues to leave alone; None for these cards' suits."""
    slot: ClassVar[str] = "OVERRIDE"
    rule = "3.2"
    of_the_pip = None

    def __str__(self) -> str:
        if self.content is None:
            return _spelt("OVERRIDE", self.cards or ("NONE",))
        return _spelt("OVERRIDE", self.cards) + _spelt(" CONTENT", self.content, ", ")

    def check(self, case: Case) -> Override:
        cards = copies(self.cards, case.held)
        case.fit(cards, case.held)
        case.candidates(cards, case.able())
        return Override(cards, case.issues(self.content))


class Draw(Word):
    """Cards from each deck (3.3)."""

    shares: tuple[tuple[str, int], ...]
    slot: ClassVar[str] = "DRAW"
    rule = "3.3"
    of_the_pip = True

    def of(self, deck: str) -> int:
        return sum(number for name, number in self.shares if name == deck)

    def __str__(self) -> str:
        return _spelt("DRAW", [f"{deck} {number}" for deck, number in self.shares])

    def check(self, case: Case) -> Draw:
        totals = {"TALENT": 0, "ACTION": 0}
        for word, number in self.shares:
            deck = resolve(word.removesuffix("S"), {name: name for name in totals})
            if not isinstance(deck, str):
                note = "the decks are TALENT and ACTION; a number follows each"
                case.refuse("E_DECK", f'There is no deck "{word}" to draw from.', "", note)
            totals[deck] += number
        message = f"You may draw at most {case.state.k} cards."
        note = "from both decks together, one for each Opposition Party of the start"
        case.refuse_if(sum(totals.values()) > case.state.k, "E_DRAW", message, "", note)
        return Draw(tuple((deck, number) for deck, number in totals.items() if number))


class Draft(Word):
    """Wishes in order (3.4): a card or TOP, or several of which the first available counts."""

    wishes: tuple[tuple[str, ...], ...]
    slot: ClassVar[str] = "DRAFT"
    rule = "3.4"

    @property
    def cards(self) -> tuple[str, ...]:
        return tuple(card for wish in self.wishes for card in wish)

    def __str__(self) -> str:
        return _spelt("DRAFT", [" ELSE ".join(wish) for wish in self.wishes])

    def check(self, case: Case) -> Draft:
        row, named = case.state.row, copies(self.cards, case.state.row)
        cards = [id for id in named if id != TOP]
        case.fit(cards, row, "{} is not in the public row.", "in the row")
        wished = iter(named)
        return Draft(tuple(tuple(next(wished) for _ in wish) for wish in self.wishes))


class Discard(Word):
    """Cards to go first above seven (3.5)."""

    cards: tuple[str, ...]
    slot: ClassVar[str] = "DISCARD"
    written = Wording("DISCARD {cards: }")
    rule = "3.5"

    def check(self, case: Case) -> Discard:
        """Allow those of the row that it hopes to draft."""
        drafted = case.standing.get("DRAFT")
        hoped = drafted.cards if isinstance(drafted, Draft) else ()
        may = (*case.held, *(id for id in hoped if id in case.state.row))
        cards = copies(self.cards, may)
        case.fit(cards, may)
        return Discard(cards)


class Contest(Word):
    """Cards submitted, the Team first (3.6)."""

    items: tuple[s.Item, ...]
    slot: ClassVar[str] = "CONTEST"
    written = Wording("CONTEST {items: }")
    rule = "3.6"
    phases = (s.NOMINATION,)

    def check(self, case: Case) -> Contest:
        state, items = case.state, case.items(self.items)
        cards, seats = [item.card for item in items], state.place().seats
        case.fit(cards, case.held)
        named = case.on_issues(items)
        few = len(cards) < seats and set(cards) != set(case.held)
        message = f"Submit at least {seats} cards (or your whole hand)."
        note = f"you named {len(cards)} of {len(case.held)}; to stay out, say DECLINE"
        case.refuse_if(few, "E_FEW", message, "", note)
        case.targeted(items)
        reason = s.disqualified(state, s.split_team(state, cards, seats)[0])
        if reason:
            message = f"This Team will be disqualified: {reason}."
            case.said.append(Problem("W_DISQ", message, "4.6", warning=True))
        return Contest(named)


class Decline(Word):
    """No contest (3.6)."""

    slot: ClassVar[str] = "CONTEST"
    written = Wording("DECLINE")
    rule = "3.6"
    phases = (s.NOMINATION,)


def _team(case: Case, named: Sequence[str]) -> tuple[str, ...]:
    """Return as many Candidates as may stand."""
    state, cards = case.state, copies(named, case.held)
    case.fit(cards, case.held)
    case.candidates(cards, case.able())
    mine = sorted(state.candidates(), key=lambda id: (-state.votes_for(id, state.issue), id))
    wanted = min(state.place().seats, len(mine))
    message = f"Field exactly {wanted} Candidates; you named {len(cards)}."
    whom = f"you may choose from: {', '.join(mine) or 'nobody; say NONE'}"
    case.refuse_if(len(cards) != wanted, "E_TEAM", message, "", whom)
    return cards


class Walkover(Word):
    """The PIP's Team if nobody contests (3.7)."""

    cards: tuple[str, ...]
    slot: ClassVar[str] = "WALKOVER"
    written = Wording("WALKOVER {cards: }")
    rule = "3.7"
    phases = (s.NOMINATION,)
    of_the_pip = True

    def check(self, case: Case) -> Walkover:
        return Walkover(_team(case, self.cards))


class Field(Word):
    """The PIP's Team (3.8)."""

    cards: tuple[str, ...]
    slot: ClassVar[str] = "FIELD"
    written = Wording("FIELD {cards: }")
    rule = "3.8"
    phases = _AT_POLLS
    early = of_the_pip = True

    def check(self, case: Case) -> Field:
        state, cards = case.state, _team(case, self.cards)
        able = [id for id in sorted(state.candidates()) if state.minority(id)]
        lacking = state.place().grc and able and not any(map(state.minority, cards))
        message = f"A GRC Team needs a Minority Candidate; you hold {', '.join(able)}."
        case.refuse_if(lacking, "E_MINORITY", message, "R7")
        return Field(cards)


class Play(Word):
    """The PIP's Actions in order (3.8)."""

    items: tuple[s.Item, ...]
    slot: ClassVar[str] = "PLAY"
    written = Wording("PLAY {items:, }")
    rule = "3.8"
    phases = _AT_POLLS
    early = of_the_pip = True

    def check(self, case: Case) -> Play:
        state, items = case.state, case.items(self.items)
        cards = [item.card for item in items]
        case.fit(cards, case.held)
        if wrong := [id for id in cards if state.card(id).deck != "action"]:
            mine = f"your Actions: {', '.join(state.actions()) or 'none'}"
            case.refuse("E_NOTACTION", f"{wrong[0]} is not an Action card.", "", mine)
        named = case.on_issues(items)
        case.targeted(items)
        return Play(named)


ORDERS = tuple(Word.__subclasses__())
WORDS = {kind.__name__.upper(): kind for kind in ORDERS}


def possible(state: State, word: str) -> bool:
    """Return whether the period has this word (3.1)."""
    kind = WORDS[word]
    early = kind.early and state.settings.fast and state.phase == s.NOMINATION
    return early or state.phase in kind.phases


def check(state: State, seat: str, standing: Standing, order: Any) -> Checked:
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, (Resign, Pass)):
        return Checked((order,))
    word = str(order).split()[0]
    if not possible(state, word):
        message = f"{word} is not possible in the {state.phase} period."
        return Checked.refused("E_PHASE", message, "3.1", _yours(state, seat))
    case = Case(state, seat, standing, None, rule=order.rule, held=state.held(seat))
    return refused_role(state, seat, word) or declared.checked(order, case)


def _may(seat: str, kind: type[Word]) -> bool:
    return kind.of_the_pip in (None, seat == s.PIP)


def refused_role(state: State, seat: str, word: str) -> Checked | None:
    kind = WORDS[word]
    if _may(seat, kind):
        return None
    role = "the Party In Power" if kind.of_the_pip else "an Opposition Party"
    message = f"Only {role} may give {word}."
    return Checked.refused("E_ROLE", message, kind.rule, _yours(state, seat))


def _yours(state: State, seat: str) -> str:
    able = [word for word, kind in WORDS.items() if _may(seat, kind) and possible(state, word)]
    return f"yours to send now: {', '.join(able) or 'nothing; you owe nothing'}"


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


def _is_none(items: tuple[s.Item, ...]) -> bool:
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
        "item": lambda card, *options: s.Item(str(card), **dict(options)),
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
    told = Names(book.tables)
    make = partial(ConditionalReader, tuple(WORDS.values()), **_words(told))
    named = (*s.ISSUE_WORDS, *book.tables["parties"], *told.cards, *told.parties)
    names = (*named, TOP, *_FIGURES, "TALENT", "ACTION")
    ifs = Ifs((*_KEPT, "STANDING"), "3.14")
    return Language(book.grammar, book.terminals, make, labels, names=names, ifs=ifs)
