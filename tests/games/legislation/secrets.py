"""For the contract suite: states that differ in secrets only, and what must be conserved."""

from collections import Counter
from dataclasses import replace

from pbem.games.frame.conditions import Choice, Condition, Term, WhatIf
from pbem.games.frame.dice import Stream
from pbem.games.legislation import cards
from pbem.games.legislation.setup import crowns
from pbem.games.legislation.state import State


def twin(state: State, seat: str, chance: Stream) -> State:
    """The same game, but for others' hands, decks, orders on file and counts that ``seat`` cannot
    see."""
    others = [other for other in state.alive if other != seat]
    team = state.team(seat)
    if state.options["SCORES"] == "PRIVATE":
        sizes = {other: len(state.hand[other]) for other in others}
        piles = {name: len(pile) for name, pile in state.team_cards.items() if name != team}
        pack = chance.shuffled(
            [
                *(card for other in others for card in state.hand[other]),
                *(card for name in piles for card in state.team_cards[name]),
                *state.red_deck,
            ]
        )
        hand = dict(state.hand)
        for other, size in sizes.items():
            hand[other], pack = tuple(pack[:size]), pack[size:]
        team_cards = dict(state.team_cards)
        for name, size in piles.items():
            team_cards[name], pack = tuple(pack[:size]), pack[size:]
        drawn = {s: c if s == seat else hand[s][-1] for s, c in state.drawn.items()}
        eye = {
            other: points if other == seat else points + chance.below(3)
            for other, points in state.eye.items()
        }
        state = replace(
            state, hand=hand, team_cards=team_cards, red_deck=tuple(pack), drawn=drawn, eye=eye
        )
    filed = {other: cards_ for other, cards_ in state.nextbill.items() if other == seat}
    taken = {other: cards_ for other, cards_ in state.taken.items() if other == seat}
    standing = {other: choice for other, choice in state.standing.items() if other == seat}
    if others:
        filed[others[0]] = tuple(chance.shuffled(state.pool)[:2])
        standing[others[-1]] = chance.choice(("AYE", "NAY", "PRESENT"))
    ifs = {other: order for other, order in state.ifs.items() if other == seat}
    if others:
        ifs[others[0]] = WhatIf(
            (Choice(chance.choice(("AYE", "NAY")), Condition(((Term("CRISIS"),),))),), "VOTE"
        )
    crown = {other: count if other == seat else count + 1 for other, count in state.crown.items()}
    yellow = tuple(chance.shuffled(state.yellow_deck))
    balances = dict(state.accounts.balances)
    if state.secret:
        for other in others:
            balances[other] += 1
            balances["bank"] -= 1
    accounts = replace(state.accounts, balances=balances)
    return replace(
        state,
        nextbill=filed,
        taken=taken,
        standing=standing,
        ifs=ifs,
        crown=crown,
        yellow_deck=yellow,
        accounts=accounts,
    )


def invariants(state: State) -> None:
    """Red cards, blue cards, yellow cards and money are conserved; nobody's purse is below zero."""
    red = Counter(state.red_deck)
    for pile in (*state.hand.values(), *state.team_cards.values()):
        red.update(pile)
    marks = "+" if state.on("PLUS_ONLY") else "+-"
    wanted = Counter({issue + mark: 6 for issue in state.issues for mark in marks})
    if crowns(state):
        wanted[cards.CROWN] = crowns(state)
    assert red == wanted, f"red cards: {red - wanted} too many, {wanted - red} missing"
    assert sorted((*state.pool, *state.law)) == sorted(cards.blue(state.issues))
    assert not any(cards.opposite(card) in state.law for card in state.law)
    assert sum(state.accounts.balances.values()) == 0
    assert all(state.tokens(seat) >= 0 for seat in state.seats), state.accounts.balances
    assert all(hand.count(cards.CROWN) <= 1 for hand in state.hand.values())
    assert len(set(state.yellow_deck)) == len(state.yellow_deck)
    for bill in state.docket:
        assert not any(cards.opposite(card) in bill.cards for card in bill.cards), bill
        assert bill.standing_core or bill.crisis, bill
    for seat in state.alive:
        size = len(state.hand[seat]) - (seat in state.drawn)
        usual = 2 if state.teams else 4
        varies = state.on("ASSIMILATION") or not state.on("PARTIES", "OFF")
        assert size == usual or varies or state.winners is not None, (seat, state.hand[seat])
        known = [card for card in state.objectives(seat) if card != state.drawn.get(seat)]
        clash = [card for card in known if cards.opposite(card) in known]
        assert not clash or state.conflicting, f"{seat} wants {clash} both ways"


def ahead(state: State, seat: str) -> list[str]:
    """A standing vote, and one with IF, before there is a bill; a bill for a later session."""
    if seat not in state.alive:
        return []
    plain = (
        state.options["DOCKET"] == "SESSION"
        and state.options["BALANCED"] == "OFF"
        and not state.on("BILL_MODIFIERS")
    )
    pairs = [(a, b) for a in state.pool for b in state.pool if cards.issue(a) != cards.issue(b)]
    lines = ["STANDING VOTE NAY"] if state.phase != "VOTE" else []
    lines += ["VOTE AYE IF CARDS > 2 OR CRISIS"] if state.phase in ("BILL", "AMEND") else []
    return lines + ([f"NEXTBILL {' '.join(pairs[0])}"] if plain and pairs else [])
