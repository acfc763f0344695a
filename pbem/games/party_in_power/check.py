"""May an order stand? Judged from what its seat may know: public facts and its own cards.

The tests of an order are made in the order of the table of codes (3.11); the first that fails is
the answer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from pbem.games.party_in_power.cards import ISSUE_WORDS, PIP
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
from pbem.orders.language import resolve
from pbem.orders.order import Checked, Order, Pass, Problem, Resign, Standing

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
    """Whether an order of this word belongs to the running period (3.1)."""
    if word in ("CONTEST", "DECLINE", "WALKOVER"):
        return state.phase == NOMINATION
    if word in ("FIELD", "PLAY"):
        return state.phase in (POLLING, SHARED) or (
            state.settings.fast and state.phase == NOMINATION
        )
    return state.phase in (CAMPAIGN, SHARED)


def check(state: State, seat: str, standing: Standing, order: Order) -> Checked:
    """The orders to put on file for this one, perhaps with a warning, or why it cannot be."""
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, (Resign, Pass)):
        return Checked((order,))
    word = str(order).split()[0]
    rule = _RULES[word]
    if not possible(state, word):
        return Checked.refused(
            "E_PHASE", f"{word} is not possible in the {state.phase} period.", "3.1"
        )
    if word not in _OF_ALL and (word in _OF_THE_PIP) != (seat == PIP):
        role = "the Party In Power" if word in _OF_THE_PIP else "an Opposition Party"
        return Checked.refused("E_ROLE", f"Only {role} may give {word}.", rule)
    answer = _Judge(state, seat, standing, rule).of(order)
    return Checked((), (answer,)) if isinstance(answer, Problem) else answer


class _Judge:
    """One order's judgement: the state, whose order it is, what stands, and the paragraph to
    cite."""

    def __init__(self, state: State, seat: str, standing: Standing, rule: str) -> None:
        self.state, self.standing, self.rule = state, standing, rule
        self.held = state.held(seat)

    def of(self, order: Order) -> Checked | Problem:
        """The judgement of an order of any kind; DECLINE is always good."""
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

    def no(self, code: str, message: str, rule: str = "", *notes: str) -> Problem:
        """A refusal by the order's own paragraph, or by another."""
        return Problem(code, message, rule or self.rule, notes)

    def override(self, order: Override) -> Checked | Problem:
        content = None if order.content is None else _issues(order.content)
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
                return self.no("E_DECK", f'There is no deck "{word}" to draw from.')
            totals[deck] = totals.get(deck, 0) + number
        if sum(totals.values()) > self.state.k:
            return self.no("E_DRAW", f"You may draw at most {self.state.k} cards.")
        decks = ("TALENT", "ACTION")
        return Checked((Draw(tuple((deck, totals[deck]) for deck in decks if totals.get(deck))),))

    def draft(self, order: Draft) -> Checked | Problem:
        cards = [id for id in order.cards if id != TOP]
        return (
            self.unknown(cards)
            or self.absent(cards, self.state.row, "{} is not in the public row.")
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
        return self.unfit(order.cards, {*self.held, *hoped}) or Checked((order,))

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
            return self.no("E_FEW", f"Submit at least {seats} cards (or your whole hand).")
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
        refusal = self.unfit(order.cards, self.held) or self.no_candidate(order.cards)
        if refusal:
            return refusal
        state, mine = self.state, self.state.candidates()
        wanted, named = min(state.place().seats, len(mine)), len(order.cards)
        if named != wanted:
            return self.no("E_TEAM", f"Field exactly {wanted} Candidates; you named {named}.")
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
            refusal = self.no("E_NOTACTION", f"{wrong[0]} is not an Action card.")
        refusal = (
            refusal
            or self.no_issue([item.on for item in items if item.on])
            or self.no_target(items)
        )
        return refusal or Checked((Play(_named(items)),))

    def options(self, items: Sequence[Item]) -> tuple[Item, ...] | Problem:
        """The items with the parties they name resolved to codes; E_PLAYER, E_AMBIGUOUS."""
        resolved = []
        for item in items:
            party = self.party(item.against) if item.against else ""
            if isinstance(party, Problem):
                return party
            resolved.append(replace(item, against=party))
        return tuple(resolved)

    def party(self, word: str) -> str | Problem:
        state = self.state
        names = {state.names[seat].split()[0].upper(): seat for seat in state.living if seat != PIP}
        found = resolve(word, {seat: seat for seat in state.living}) or resolve(word, names)
        if isinstance(found, Problem):
            return found
        return found or self.no("E_PLAYER", f'There is no player "{word}" in this game.')

    def unfit(self, cards: Sequence[str], held: Collection[str]) -> Problem | None:
        """The refusal of cards that do not exist, are not held or stand twice: E_CARD, E_HOLD,
        E_DUP."""
        return (
            self.unknown(cards)
            or self.absent(cards, held, "You do not hold {}.")
            or self.twice(cards)
        )

    def unknown(self, cards: Sequence[str]) -> Problem | None:
        wrong = [id for id in cards if id not in self.state.cards or id[0] == "K"]
        return self.no("E_CARD", f"There is no card {wrong[0]}.") if wrong else None

    def absent(self, cards: Sequence[str], held: Collection[str], message: str) -> Problem | None:
        wrong = [id for id in cards if id not in held]
        return self.no("E_HOLD", message.format(wrong[0])) if wrong else None

    def twice(self, cards: Sequence[str]) -> Problem | None:
        wrong = [id for at, id in enumerate(cards) if id in cards[:at]]
        return self.no("E_DUP", f"{wrong[0]} is listed twice.") if wrong else None

    def no_candidate(self, cards: Sequence[str]) -> Problem | None:
        wrong = [id for id in cards if not self.state.card(id).candidate]
        return self.no("E_NOTCAND", f"{wrong[0]} is not a Candidate.") if wrong else None

    def no_issue(self, words: Sequence[str]) -> Problem | None:
        wrong = [word for word in words if not isinstance(resolve(word, ISSUE_WORDS), str)]
        if not wrong:
            return None
        return self.no("E_ISSUE", f'"{wrong[0]}" is not an issue in this game.', "1.2")

    def no_target(self, items: Sequence[Item]) -> Problem | None:
        """E_TARGET: ON and AGAINST where a card needs them and only there; the party must be
        contesting (FAST=ON: be a living Opposition Party)."""
        state = self.state
        open_to = state.opposition if state.phase == NOMINATION else tuple(state.submitted)
        for item in items:
            kind = state.card(item.card).kind
            if kind in _NEEDS_ISSUE and (not item.on or item.against):
                return self.no("E_TARGET", f"{item.card} needs ON <issue>.")
            if kind in _NEEDS_PARTY and (item.on or item.against not in open_to):
                targets = f"contesting: {', '.join(open_to)}" if open_to else "nobody is contesting"
                return self.no(
                    "E_TARGET", f"{item.card} needs AGAINST <a contesting party>.", "", targets
                )
            if kind not in _NEEDS_ISSUE | _NEEDS_PARTY and (item.on or item.against):
                return self.no("E_TARGET", f"{item.card} takes no ON or AGAINST.")
        return None


def _issues(words: Sequence[str]) -> tuple[str, ...]:
    """The names of the issues, for words that have been found good, each once."""
    return tuple(
        dict.fromkeys(
            issue for word in words if isinstance(issue := resolve(word, ISSUE_WORDS), str)
        )
    )


def _named(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items with their issues by name."""
    return tuple(replace(item, on=_issues([item.on])[0]) if item.on else item for item in items)
