"""Victory check, campaign, election (§4.9.1 to §4.9.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.events import Orders, Seat
from pbem.games.frame.treasury import BANK, Payment, pay
from pbem.games.legislation import cards
from pbem.games.legislation.orders import ME, Return, Spend, Void, legal_returns
from pbem.games.legislation.state import Clerk, Public, State
from pbem.games.legislation.steps.losing import lose


def victors(state: State, tables: Mapping[str, Any]) -> tuple[tuple[Seat, ...], str]:
    if state.on("SINGLE_PARTY"):
        goal = state.number("SINGLE_GOAL")
        reached = all(len(state.satisfied(seat)) >= goal for seat in state.alive)
        return state.alive if reached else (), "6.8"
    done = [
        seat
        for seat in state.alive
        if at_goal(state.objectives(seat), state.satisfied(seat), state.crown.get(seat, 0), tables)
    ]
    if not state.joint:
        return tuple(done), "4.9.1"
    mates = [(seat, state.teams[state.team(seat) or ""]) for seat in done]
    return tuple(seat for seat, team in mates if all(mate in done for mate in team)), "6.4"


def at_goal(
    goals: Sequence[str], satisfied: Sequence[str], crown: int, tables: Mapping[str, Any]
) -> bool:
    """6.7. With a blank card only that one counts."""
    if cards.CROWN in goals:
        return crown >= int(tables["crown_bills"])
    return bool(goals) and len(satisfied) == len(goals)


def threshold(state: Public) -> int:
    """Return the score that re-elects (§6.9 THRESHOLD_STEP)."""
    return state.number("THRESHOLD") + state.number("THRESHOLD_STEP") * (state.session - 1)


@dataclass(frozen=True, slots=True)
class Tally:
    """A candidate's campaign."""

    bought: int = 0
    """Points."""
    against: int = 0
    """Points."""
    bitten: tuple[str, ...] = ()
    """Issues voided with effect."""


def campaign(state: State, orders: Orders, clerk: Clerk) -> State:
    """Spend, score, and split re-elected from losers."""
    state, tallies = _spend(state, orders, clerk)
    scores: dict[Seat, Fraction] = {}
    for seat in state.alive:
        tally = tallies[seat]
        scores[seat] = state.score(seat) + tally.bought - tally.against - len(tally.bitten)
        told = {
            "satisfied": len(state.satisfied(seat)),
            "eye": codec.number(Fraction(state.eye[seat], 2)),
            "bought": tally.bought,
            "against": tally.against,
            "voids": list(tally.bitten),
            "score": codec.number(scores[seat]),
            "threshold": threshold(state),
        }
        clerk.minutes.private("score", "4.9.3", [seat], seat=seat, **told)
    if state.on("SCORES", "PUBLIC"):
        clerk.minutes.public(
            "scores", "4.10", scores={seat: codec.number(score) for seat, score in scores.items()}
        )
    return elect(replace(state, last_score={**state.last_score, **scores}), scores, clerk)


def _spend(state: State, orders: Orders, clerk: Clerk) -> tuple[State, dict[Seat, Tally]]:
    """Apply points and voids in table order; repeated voids are wasted (R9)."""
    tallies = {seat: Tally() for seat in state.alive}
    voided: set[tuple[Seat, str]] = set()
    entries, spendings = list[Payment](), list[dict[str, Any]]()
    for seat in state.alive:
        for order in orders[seat].values():
            if not isinstance(order, Spend | Void):
                continue
            target = seat if order.target == ME else order.target
            if target not in tallies:
                continue
            if isinstance(order, Spend):
                tallies[target], told = _points(tallies[target], order, clerk.tables)
            else:
                tallies[target], told = _voided(
                    state, target, tallies[target], order, voided, clerk.tables
                )
            entries.append(Payment(state.period, seat, BANK, told["tokens"], str(order)))
            spendings.append({"by": seat, "target": target, **told})
    clerk.minutes.public("spendings", "4.9.3", spendings=spendings)
    for target, issue in sorted(voided):
        bitten = tallies[target].bitten
        bit = issue in bitten if issue else bool(bitten)
        clerk.minutes.private("void", "R9", [target], issue=issue or None, bit=bit)
    return replace(state, accounts=pay(state.accounts, entries)), tallies


def _points(tally: Tally, order: Spend, tables: Mapping[str, Any]) -> tuple[Tally, dict[str, Any]]:
    points = order.tokens // tables["point_cost"]
    kind = "against" if order.against else "on"
    more = (
        {"against": tally.against + points} if order.against else {"bought": tally.bought + points}
    )
    told = {"kind": kind, "tokens": order.tokens, "points": points, "issue": None, "wasted": False}
    return replace(tally, **more), told


def _voided(
    state: State,
    target: Seat,
    tally: Tally,
    order: Void,
    voided: set[tuple[Seat, str]],
    tables: Mapping[str, Any],
) -> tuple[Tally, dict[str, Any]]:
    scope = (target, "" if state.on("VOID_SCOPE", "PLAYER") else order.issue)
    wasted = scope in voided
    voided.add(scope)
    if not wasted and _bites(state, target, order.issue):
        tally = replace(tally, bitten=(*tally.bitten, order.issue))
    told = {
        "kind": "void",
        "tokens": tables["void_cost"],
        "points": 1,
        "issue": order.issue,
        "wasted": wasted,
    }
    return tally, told


def _bites(state: State, target: Seat, issue: str) -> bool:
    satisfied = state.on("VOID_EFFECT", "SATISFIED")
    pile = state.satisfied(target) if satisfied else state.objectives(target)
    return issue in map(cards.issue, pile)


def elect(state: State, scores: Mapping[Seat, Fraction], clerk: Clerk) -> State:
    """Pay the re-elected and let them draw; charge the losers (step 4)."""
    winners = [seat for seat in state.alive if scores[seat] >= threshold(state)]
    losers = [seat for seat in state.alive if seat not in winners]
    fee = int(clerk.tables["term_pay"])
    clerk.minutes.public(
        "election",
        "4.9.4",
        reelected=winners,
        losers=losers,
        tokens=fee,
        threshold=threshold(state),
    )
    terms = {seat: state.terms[seat] + (seat in winners) for seat in state.seats}
    entries = [Payment(state.period, BANK, seat, fee, "re-election") for seat in winners]
    state = replace(state, terms=terms, accounts=pay(state.accounts, entries))
    if state.session < state.number("MAX_SESSIONS"):
        for seat in winners:
            state = draw(state, seat, clerk)
    return lose(state, winners, losers, clerk)


def all_lose(state: State, clerk: Clerk) -> State:
    living = list(state.alive)
    clerk.minutes.public("election", "4.9.4", reelected=[], losers=living, tokens=0, threshold=None)
    return lose(state, [], living, clerk)


def draw(state: State, seat: Seat, clerk: Clerk) -> State:
    """Draw a red card; a second blank one goes under the deck (§6.7)."""
    deck = list(state.red_deck)
    card = cards.take_top(deck, state.hand[seat], cards.one_crown)
    if card is None:
        return state
    clerk.minutes.private("drawn", "4.9.4", [seat], card=card)
    hand = {**state.hand, seat: (*state.hand[seat], card)}
    return replace(state, red_deck=tuple(deck), hand=hand, drawn={**state.drawn, seat: card})


def by_default(state: State, seat: Seat) -> str:
    """Return the drawn card; with RETURN_DRAWN=OFF a clashing, else the oldest one."""
    legal, drawn = legal_returns(state, seat), state.drawn[seat]
    if drawn in legal and state.on("RETURN_DRAWN"):
        return drawn
    return next((card for card in state.hand[seat] if card in legal), drawn)


def give_back(state: State, orders: Orders, clerk: Clerk) -> State:
    """Put owed cards under the red deck in secret, in table order."""
    hand, deck = dict(state.hand), list(state.red_deck)
    crown = dict(state.crown)
    for seat in (seat for seat in state.alive if seat in state.drawn):
        order = orders.get(seat, {}).get("RETURN")
        card = order.card if isinstance(order, Return) else by_default(state, seat)
        left = list(hand[seat])
        drawn = card == state.drawn[seat]
        place = len(left) - 1 - left[::-1].index(card) if drawn else left.index(card)
        hand[seat] = (*left[:place], *left[place + 1 :])
        deck.insert(0, card)
        if card == cards.CROWN:
            crown.pop(seat, None)
        clerk.minutes.private(
            "returned", "3.9", [seat], card=card, drawn=state.drawn[seat], ordered=order is not None
        )
    return replace(state, hand=hand, red_deck=tuple(deck), crown=crown, drawn={})
