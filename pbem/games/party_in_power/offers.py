"""A seat's form: orders it could send now, asked ones first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pbem.games.frame.ruleset import Offer
from pbem.games.party_in_power.cards import ISSUES, PIP
from pbem.games.party_in_power.names import NONE
from pbem.games.party_in_power.orders import TOP, possible, targets
from pbem.games.party_in_power.state import OVER, State
from pbem.games.party_in_power.steps.teams import automatic_team, strongest_team, walkover_team
from pbem.text import listed


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    if seat in state.out or state.phase == OVER:
        return ()
    return tuple(_of_the_pip(state) if seat == PIP else _of_the_opposition(state, seat))


def _of_the_pip(state: State) -> Iterator[Offer]:
    if possible(state, "FIELD"):
        team = automatic_team(state, state.issue)
        yield _offer("field", [_joined(team)], able=_able(state), **_place(state))
        if usable := _usable(state):
            told = [usage for usage, _ in usable]
            first = [sent for _, sent in usable]
            yield _offer("play", [[", ".join(first), *first]], uses=told)
    if possible(state, "WALKOVER") and state.candidates():
        yield _offer("walkover", [_joined(walkover_team(state))], **_place(state))
    if possible(state, "DRAW"):
        yield _draw(state)
        yield from _overrides(state, PIP)
        yield _offer("keep", [[f"DRAW TALENT {state.k}", NONE]])


def _of_the_opposition(state: State, seat: str) -> Iterator[Offer]:
    if possible(state, "CONTEST"):
        made = _offer("contest", [_contests(state, seat)], **_hand(state, seat), **_place(state))
        yield replace(made, few=True)
    if possible(state, "DRAFT"):
        wishes = [" ".join([*state.row[:1], TOP]), *state.row, TOP]
        yield _offer("draft", [wishes], passes=state.settings.drafts)
        yield from _overrides(state, seat)
        hand, most = state.hands[seat], state.settings.most_hand
        if hand and len(hand) + state.settings.drafts > most:
            spare = len(hand) + state.settings.drafts - most
            yield _offer("discard", [list(hand)], spare=spare, most=most)
    yield _offer("keep", [["DECLINE", f"DRAFT {TOP}", NONE]])


def _offer(kind: str, fills: list[list[str]], **data: Any) -> Offer:
    return Offer(kind, tuple(tuple(dict.fromkeys(words)) for words in fills), data)


def _place(state: State) -> dict[str, Any]:
    place = state.place()
    return {"place": f"{place.id} {place.name}", "seats": place.seats, "grc": place.grc}


def _hand(state: State, seat: str) -> dict[str, Any]:
    hand = state.hands[seat]
    return {
        "able": sum(state.card(id).candidate for id in hand),
        "minority": any(state.minority(id) for id in hand if state.card(id).candidate),
        "asks": any(_asks(state, id) for id in hand),
    }


def _joined(team: tuple[str, ...]) -> list[str]:
    return [" ".join(team) or NONE]


def _able(state: State) -> list[str]:
    return [id for id in state.candidates() if state.minority(id)]


def _usable(state: State) -> list[tuple[str, str]]:
    found, against = list[tuple[str, str]](), targets(state)
    for id in state.actions():
        kind = state.card(id).kind
        if kind == "A3":
            found.append((f"{id} ON an issue", f"{id} ON {state.issue}"))
        elif kind not in ("A4", "A6"):
            found.append((id, id))
        elif against:
            found.append((f"{id} AGAINST {listed(against, 'or')}", f"{id} AGAINST {against[0]}"))
    return found


def _draw(state: State) -> Offer:
    """At most k from both decks."""
    talents = state.k - state.k // 2
    fills = [
        [str(n) for n in (talents, *range(talents))],
        [str(n) for n in (state.k - talents, *range(state.k - talents))],
    ]
    return _offer(
        "draw",
        fills,
        k=state.k,
        talents=len(state.talents()),
        actions=len(state.actions()),
        most=state.settings.most_talents,
        seats=state.place(state.next).seats,
        place=f"{state.next or state.con} {state.place(state.next).name}",
    )


def _overrides(state: State, seat: str) -> Iterator[Offer]:
    cards = [id for id in state.held(seat) if state.card(id).candidate]
    if cards:
        pairs = [f"{one} {other}" for one, other in pairwise(cards)]
        issue = state.place(state.next).issue
        yield _offer("override", [[*cards, *pairs[:1]]], issue=issue)
        yield _offer("override_but", [cards, [*ISSUES.values(), NONE]])


def _contests(state: State, seat: str) -> list[str]:
    hand, seats = state.hands[seat], state.place().seats
    team = strongest_team(state, hand, seats)
    rest = [id for id in hand if id not in team]
    every = " ".join(
        [*team, *(f"{id} ON {state.issue}" if _asks(state, id) else id for id in rest)]
    )
    if len(team) < seats:
        return [NONE, every] if hand else [NONE]
    return [" ".join(team), every, NONE]


def _asks(state: State, id: str) -> bool:
    return state.card(id).kind == "R5"
