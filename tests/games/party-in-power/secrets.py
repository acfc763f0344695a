"""For the contract suite: what a seat may not know, and what must never change."""

from collections import Counter
from dataclasses import replace

from pbem.games.frame.dice import Stream
from pbem.games.party_in_power.state import PIP, Item, State


def twin(state: State, seat: str, chance: Stream) -> State:
    """The hidden cards are dealt anew: the others' hands and what they submitted, the PIP's pool,
    all decks; and the others keep other orders for what may come."""
    others = [who for who in state.hands if who != seat]
    unseen = list(state.decks["grassroots"])
    unseen += [id for who in others for id in state.hands[who]]
    unseen += [item.card for who in others for item in state.submitted.get(who, ())]
    unseen = chance.shuffled(unseen)
    hands = {
        who: tuple(unseen.pop() for _ in hand) if who in others else hand
        for who, hand in state.hands.items()
    }
    submitted = {
        who: tuple(Item(unseen.pop()) for _ in items) if who in others else items
        for who, items in state.submitted.items()
    }
    decks = {**state.decks, "grassroots": tuple(unseen)}
    decks["constituencies"] = tuple(chance.shuffled(state.decks["constituencies"]))
    pool = state.pool
    hidden = seat != PIP and not state.settings.open_pool
    for deck, mine in (("talent", state.talents()), ("action", state.actions())):
        known = () if hidden else mine
        cards = chance.shuffled([*state.decks[deck], *(id for id in mine if id not in known)])
        if hidden:
            drawn = [cards.pop() for _ in mine]
            pool = (*(id for id in pool if id not in mine), *drawn)
        decks[deck] = tuple(cards)
    plans = {who: ("STANDING DECLINE",) for who in others if chance.below(2)}
    if seat in state.plans:
        plans[seat] = state.plans[seat]
    state = replace(state, hands=hands, submitted=submitted, decks=decks, pool=pool)
    return replace(state, plans=plans)


def invariants(state: State) -> None:
    """Every card is in one place; every constituency of the game in one place; nobody holds more
    than he may."""
    places = [*state.decks.values(), *state.discards.values(), state.row, state.pool, state.removed]
    places += [*state.hands.values(), *state.won.values(), state.vacancies]
    places += [tuple(item.card for item in items) for items in state.submitted.values()]
    cards = Counter(id for place in places for id in place)
    if state.phase != "OVER" or len(state.living) < 2:
        cards[state.con] += 1
    if state.next:
        cards[state.next] += 1
    assert not [id for id, n in cards.items() if n != 1], "a card is in two places"
    assert {id for id in cards if id[0] != "K"} == {id for id in state.cards if id[0] != "K"}, (
        "a card is lost"
    )
    assert sum(id[0] == "K" for id in cards) == state.settings.constituencies
    assert state.phase != "NOMINATION" or all(
        len(hand) <= state.settings.most_hand for hand in state.hands.values()
    )
    assert len(state.talents()) <= state.settings.most_talents
    assert len(state.actions()) <= state.k
    assert state.momentum in (*state.opposition, None)


def ahead(state: State, seat: str) -> list[str]:
    """Orders for what may come, of which the period that is open asks for none."""
    if seat in state.out or state.phase == "OVER":
        return []
    if seat == PIP:
        return ["STANDING DRAW TALENT 1"] if state.phase == "NOMINATION" else []
    if state.phase == "NOMINATION":
        return ["STANDING DRAFT G39 TOP", "OVERRIDE G34 IF GRC"]
    return ["STANDING DECLINE", "CONTEST G19 R1 IF NOT GRC"]
