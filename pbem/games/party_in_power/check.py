"""Check orders from public facts and the seat's own cards, by the table of codes (3.11)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from pbem.games.party_in_power.cards import ISSUE_WORDS, ISSUES, PIP, card
from pbem.games.party_in_power.names import copies, held_copies, party_names
from pbem.games.party_in_power.orders import (
    TOP,
    Contest,
    Discard,
    Draft,
    Draw,
    Field,
    Item,
    Override,
    Play,
    Walkover,
)
from pbem.games.party_in_power.state import CAMPAIGN, NOMINATION, POLLING, SHARED, State
from pbem.games.party_in_power.steps.teams import disqualified, split_team
from pbem.orders.language import ambiguous, resolve
from pbem.orders.order import Checked, Order, Pass, Problem, Resign, Standing
from pbem.orders.spelling import nearest
from pbem.text import wrap

_RULES = {
    "OVERRIDE": "3.2",
    "DRAW": "3.3",
    "DRAFT": "3.4",
    "DISCARD": "3.5",
    "CONTEST": "3.6",
    "DECLINE": "3.6",
    "WALKOVER": "3.7",
    "FIELD": "3.8",
    "PLAY": "3.8",
}
_OF_THE_PIP = frozenset({"DRAW", "WALKOVER", "FIELD", "PLAY"})
_OF_ALL = frozenset({"OVERRIDE"})
_NEEDS_ISSUE = frozenset({"A3", "R5"})
_NEEDS_PARTY = frozenset({"A4", "A6"})


def possible(state: State, word: str) -> bool:
    """Return whether the period has this word (3.1)."""
    if word in ("CONTEST", "DECLINE", "WALKOVER"):
        return state.phase == NOMINATION
    if word in ("FIELD", "PLAY"):
        return state.phase in (POLLING, SHARED) or (
            state.settings.fast and state.phase == NOMINATION
        )
    return state.phase in (CAMPAIGN, SHARED)


def words(state: State, seat: str) -> tuple[str, ...]:
    return tuple(word for word in _RULES if possible(state, word) and _may(seat, word))


def _may(seat: str, word: str) -> bool:
    return word in _OF_ALL or (word in _OF_THE_PIP) == (seat == PIP)


def targets(state: State) -> tuple[str, ...]:
    """Return who an Action can target: who contests (FAST=ON: the Opposition)."""
    if state.phase == NOMINATION:
        return state.opposition
    return tuple(seat for seat in state.submitted if seat not in state.out)


def check(state: State, seat: str, standing: Standing, order: Order) -> Checked:
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, (Resign, Pass)):
        return Checked((order,))
    word = str(order).split()[0]
    rule = _RULES[word]
    if not possible(state, word):
        message = f"{word} is not possible in the {state.phase} period."
        return Checked.refused("E_PHASE", message, "3.1", _yours(state, seat))
    if role := refused_role(state, seat, word):
        return role
    answer = _Judge(state, seat, standing, rule).of(order)
    return Checked((), (answer,)) if isinstance(answer, Problem) else answer


def refused_role(state: State, seat: str, word: str) -> Checked | None:
    if _may(seat, word):
        return None
    role = "the Party In Power" if word in _OF_THE_PIP else "an Opposition Party"
    message = f"Only {role} may give {word}."
    return Checked.refused("E_ROLE", message, _RULES[word], _yours(state, seat))


def _yours(state: State, seat: str) -> str:
    return f"yours to send now: {', '.join(words(state, seat)) or 'nothing; you owe nothing'}"


class _Judge:
    """Judge one order, naming by default only cards held."""

    def __init__(
        self,
        state: State,
        seat: str,
        standing: Standing,
        rule: str,
        held: Sequence[str] | None = None,
    ) -> None:
        self.state, self.standing, self.rule = state, standing, rule
        self.held = state.held(seat) if held is None else held

    def of(self, order: Order) -> Checked | Problem:
        """DECLINE is always allowed."""
        answer: Checked | Problem = Checked((order,))
        match order:
            case Override():
                answer = self.override(order)
            case Draw():
                answer = self.draw(order)
            case Draft():
                answer = self.draft(order)
            case Discard():
                answer = self.discard(order)
            case Contest():
                answer = self.contest(order)
            case Field() | Walkover():
                answer = self.team(order)
            case Play():
                answer = self.play(order)
        return answer

    def no(self, code: str, message: str, rule: str | None = None, *notes: str) -> Problem:
        return Problem(code, message, rule or self.rule, notes)

    def override(self, order: Override) -> Checked | Problem:
        order = replace(order, cards=copies(order.cards, self.held))
        content = None if order.content is None else issues(order.content)
        return (
            self.unfit(order.cards, self.held)
            or self.no_candidate(order.cards)
            or self.no_issue(order.content or ())
            or Checked((replace(order, content=content),))
        )

    def draw(self, order: Draw) -> Checked | Problem:
        totals: dict[str, int] = {}
        for word, number in order.shares:
            deck = resolve(word.removesuffix("S"), {"TALENT": "TALENT", "ACTION": "ACTION"})
            if not isinstance(deck, str):
                return self.no(
                    "E_DECK",
                    f'There is no deck "{word}" to draw from.',
                    "",
                    "the decks are TALENT and ACTION; a number follows each",
                )
            totals[deck] = totals.get(deck, 0) + number
        if sum(totals.values()) > self.state.k:
            return self.no(
                "E_DRAW",
                f"You may draw at most {self.state.k} cards.",
                "",
                "from both decks together, one for each Opposition Party of the start",
            )
        decks = ("TALENT", "ACTION")
        return Checked((Draw(tuple((deck, totals[deck]) for deck in decks if totals.get(deck))),))

    def draft(self, order: Draft) -> Checked | Problem:
        named = iter(copies(order.cards, self.state.row))
        order = Draft(tuple(tuple(next(named) for _ in wish) for wish in order.wishes))
        cards = [id for id in order.cards if id != TOP]
        return (
            self.unknown(cards)
            or self.absent(cards, self.state.row, "{} is not in the public row.", "in the row")
            or self.twice(cards)
            or Checked((order,))
        )

    def discard(self, order: Discard) -> Checked | Problem:
        drafted = self.standing.get("DRAFT")
        hoped = (
            [id for id in drafted.cards if id in self.state.row]
            if isinstance(drafted, Draft)
            else []
        )
        may = (*self.held, *hoped)
        order = replace(order, cards=copies(order.cards, may))
        return self.unfit(order.cards, may) or Checked((order,))

    def contest(self, order: Contest) -> Checked | Problem:
        items = self.options(order.items)
        if isinstance(items, Problem):
            return items
        cards, seats = [item.card for item in items], self.state.place().seats
        refusal = self.unfit(cards, self.held) or self.no_issue(
            [item.on for item in items if item.on]
        )
        if refusal:
            return refusal
        if len(cards) < seats and set(cards) != set(self.held):
            return self.no(
                "E_FEW",
                f"Submit at least {seats} cards (or your whole hand).",
                "",
                f"you named {len(cards)} of {len(self.held)}; to stay out, say DECLINE",
            )
        refusal = self.no_target(items)
        if refusal:
            return refusal
        team, _ = split_team(self.state, cards, seats)
        reason = disqualified(self.state, team)
        warning = Problem(
            "W_DISQ", f"This Team will be disqualified: {reason}.", "4.6", warning=True
        )
        return Checked((Contest(_named(items)),), (warning,) if reason else ())

    def team(self, order: Field | Walkover) -> Checked | Problem:
        order = replace(order, cards=copies(order.cards, self.held))
        refusal = self.unfit(order.cards, self.held) or self.no_candidate(order.cards)
        if refusal:
            return refusal
        state, mine = self.state, self.state.candidates()
        wanted, named = min(state.place().seats, len(mine)), len(order.cards)
        if named != wanted:
            return self.no(
                "E_TEAM", f"Field exactly {wanted} Candidates; you named {named}.", "", self.whom()
            )
        able = [id for id in sorted(mine) if state.minority(id)]
        if (
            isinstance(order, Field)
            and state.place().grc
            and able
            and not any(map(state.minority, order.cards))
        ):
            return self.no(
                "E_MINORITY",
                f"A GRC Team needs a Minority Candidate; you hold {', '.join(able)}.",
                "R7",
            )
        return Checked((order,))

    def play(self, order: Play) -> Checked | Problem:
        items = self.options(order.items)
        if isinstance(items, Problem):
            return items
        cards = [item.card for item in items]
        wrong = [
            id for id in cards if id in self.state.cards and self.state.card(id).deck != "action"
        ]
        refusal = self.unfit(cards, self.held)
        if refusal is None and wrong:
            mine = ", ".join(self.state.actions()) or "none"
            refusal = self.no(
                "E_NOTACTION", f"{wrong[0]} is not an Action card.", "", f"your Actions: {mine}"
            )
        refusal = (
            refusal
            or self.no_issue([item.on for item in items if item.on])
            or self.no_target(items)
        )
        return refusal or Checked((Play(_named(items)),))

    def options(self, items: Sequence[Item]) -> tuple[Item, ...] | Problem:
        """Resolve copies held and party names; E_PLAYER, E_AMBIGUOUS."""
        resolved = []
        for item in held_copies(items, self.held):
            party = self.party(item.against) if item.against else ""
            if isinstance(party, Problem):
                return party
            resolved.append(replace(item, against=party))
        return tuple(resolved)

    def party(self, word: str) -> str | Problem:
        state = self.state
        names = party_names({seat: state.names[seat] for seat in state.living if seat != PIP})
        found = resolve(word, {seat: seat for seat in state.living}) or resolve(word, names)
        if isinstance(found, Problem):
            return found
        there = ", ".join(f"{seat} ({state.names[seat]})" for seat in state.opposition)
        return found or self.no(
            "E_PLAYER", f'There is no player "{word}" in this game.', "", f"there are: {there}"
        )

    def unfit(self, cards: Sequence[str], held: Collection[str]) -> Problem | None:
        """E_CARD, E_HOLD, E_DUP."""
        return (
            self.unknown(cards)
            or self.absent(cards, held, "You do not hold {}.", "you hold")
            or self.twice(cards)
        )

    def unknown(self, cards: Sequence[str]) -> Problem | None:
        known = self.state.cards
        kinds = {id[:-1] for id in known if id[0] in "AR"}
        wrong = [id for id in cards if id[0] == "K" or (id not in known and id not in kinds)]
        if not wrong:
            return None
        called = {id: card(id, text).name.upper() for id, text in known.items() if id[0] != "K"}
        same = [self.state.spelt(id) for id, name in called.items() if name == wrong[0]]
        if same:
            return ambiguous(wrong[0], same)
        near = self.meant(wrong[0], [*self.held, *self.state.row]) or self.meant(wrong[0], known)
        notes = (f"did you mean {near}?",) if near else ()
        return self.no("E_CARD", f"There is no card {wrong[0]}.", None, *notes)

    def meant(self, word: str, among: Iterable[str]) -> str:
        names: dict[str, str] = {}
        for id in among:
            if id[0] != "K":
                name = self.state.card(id).name.upper()
                names |= {id: id, name: name}
                names.update((part, name) for part in name.split() if len(part) > 3)
        return names.get(nearest(word, names), "")

    def absent(
        self, cards: Sequence[str], held: Collection[str], message: str, where: str
    ) -> Problem | None:
        wrong = [id for id in cards if id not in held]
        there = wrap(f"{where}: {', '.join(map(self.state.named, held)) or 'nothing'}", 0, 70)
        return (
            self.no("E_HOLD", message.format(wrong[0]), None, *there.split("\n")) if wrong else None
        )

    def whom(self) -> str:
        """Name the pool's Candidates, best first."""
        state = self.state
        mine = sorted(state.candidates(), key=lambda id: (-state.votes_for(id, state.issue), id))
        return f"you may choose from: {', '.join(mine) or 'nobody; say NONE'}"

    def twice(self, cards: Sequence[str]) -> Problem | None:
        wrong = [id for at, id in enumerate(cards) if id in cards[:at]]
        return self.no("E_DUP", f"{wrong[0]} is listed twice.") if wrong else None

    def no_candidate(self, cards: Sequence[str]) -> Problem | None:
        wrong = [id for id in cards if not self.state.card(id).candidate]
        able = ", ".join(id for id in self.held if self.state.card(id).candidate) or "none"
        return (
            self.no(
                "E_NOTCAND", f"{wrong[0]} is not a Candidate.", None, f"your Candidates: {able}"
            )
            if wrong
            else None
        )

    def no_issue(self, words: Sequence[str]) -> Problem | None:
        wrong = [word for word in words if not isinstance(resolve(word, ISSUE_WORDS), str)]
        if not wrong:
            return None
        return self.no(
            "E_ISSUE",
            f'"{wrong[0]}" is not an issue in this game.',
            "1.2",
            f"the issues are {', '.join(ISSUES.values())}",
        )

    def no_target(self, items: Sequence[Item]) -> Problem | None:
        """E_TARGET: ON or AGAINST is missing, needless, or not in :func:`targets`."""
        state, open_to = self.state, targets(self.state)
        for item in items:
            kind = state.card(item.card).kind
            if kind in _NEEDS_ISSUE and (not item.on or item.against):
                return self.no(
                    "E_TARGET",
                    f"{item.card} needs ON <issue>.",
                    "",
                    f"as in: {item.card} ON {state.issue}",
                )
            if kind in _NEEDS_PARTY and (item.on or item.against not in open_to):
                there = f"contesting: {', '.join(open_to)}" if open_to else "nobody is contesting"
                return self.no(
                    "E_TARGET", f"{item.card} needs AGAINST <a contesting party>.", "", there
                )
            if kind not in _NEEDS_ISSUE | _NEEDS_PARTY and (item.on or item.against):
                return self.no("E_TARGET", f"{item.card} takes no ON or AGAINST.")
        return None


def judge(state: State, seat: str, rule: str, held: Sequence[str]) -> _Judge:
    """Return a judge; ``held``: the cards that may be named."""
    return _Judge(state, seat, {}, rule, held)


def issues(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            issue for word in words if isinstance(issue := resolve(word, ISSUE_WORDS), str)
        )
    )


def _named(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(replace(item, on=issues([item.on])[0]) if item.on else item for item in items)
