"""For the secrecy test: another state that differs only in what ``seat`` may not know; and what is
conserved."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.frame.dice import Stream
from pbem.games.frame.treasury import BANK, Accounts
from pbem.games.politics_1935.state import FUND, Item, State


def twin(state: State, seat: str, chance: Stream) -> State:
    """Others' hands and the pack shuffled together, others' secret throws, lists and bids for what
    may come changed, secret cash moved."""
    others = [one for one in state.alive if one != seat]
    hidden = chance.shuffled([*state.pack, *(card for one in others for card in state.hands[one])])
    hands = dict(state.hands)
    for one in others:
        hands[one] = tuple(hidden.pop() for _ in state.hands[one])
    throws = dict(state.throws)
    if not state.choices.open_rolls and not state.choices.turns:
        throws |= {one: (chance.d6(), chance.d6(), chance.d6()) for one in others}
    lists = {**state.lists, **dict.fromkeys(others, (Item("NV", 2),))}
    shown: Mapping[str, str] = state.shown
    if (away := [one for one in others if one in shown]) and hidden:
        card = hidden.pop()
        hidden.append(shown[away[0]])
        shown = {**shown, away[0]: card}
    if away and state.set_aside and chance.below(2):  # another throw, and no card was shown
        hidden.append(shown[away[0]])
        shown = {one: card for one, card in shown.items() if one != away[0]}
    dealt = {**state.dealt, **{one: hands[one] for one in others}}
    state = replace(state, pack=tuple(hidden), hands=hands, throws=throws, lists=lists, shown=shown)
    plans = dict.fromkeys(others, ("STANDING BID 10,000 ON ANY",)) if state.choices.fund else {}
    plans |= {seat: state.plans[seat]} if seat in state.plans else {}
    state = replace(state, dealt=dealt, plans=plans)
    if state.choices.secret_holdings and len(others) > 1:
        balances = dict(state.accounts.balances)
        balances[others[0]], balances[others[1]] = balances[others[1]], balances[others[0]]
        state = replace(state, accounts=Accounts(balances, state.accounts.entries))
    return state


def invariants(state: State) -> None:
    """Every card lies in one place; cash and fund together are what the campaign funds were."""
    held = [card for row in (*state.hands.values(), *state.played.values()) for card in row]
    cards = [*state.pack, *held, *state.shown.values(), *(lot.card for lot in state.lots)]
    assert sorted(cards) == sorted(state.atlas.cards), "cards made or lost"
    money = sum(amount for account, amount in state.accounts.balances.items() if account != BANK)
    total = state.atlas.campaign_fund * len(state.seats) if state.choices.fund else 0
    assert money == total, "dollars made or lost"
    assert all(
        amount >= 0 for account, amount in state.accounts.balances.items() if account != BANK
    )
    assert state.accounts.balance(FUND) % state.atlas.unit == 0
    assert sum(row.votes for row in state.atlas.states.values()) == 531
    for code, row in state.pins.items():
        assert row and len({pin.seat for pin in row}) == len(row)
        assert sum(pin.level == state.atlas.states[code].capital for pin in row) <= 1, (
            "two pins in one capital"
        )
        assert all(1 <= pin.level <= state.atlas.states[code].capital for pin in row)
        assert {pin.seat for pin in row} <= set(state.alive)


def ahead(state: State, seat: str) -> list[str]:
    """With one player to a period, another's list; bids for cards that are not up."""
    if seat not in state.alive:
        return []
    lines = ["STANDING NV 1"] if state.choices.turns and seat != state.turn else []
    if state.choices.fund and not state.lots and state.cash(seat) >= state.atlas.unit:
        lines += ["STANDING BID 10,000 ON ANY", "BID 10,000 ON S12 IF EMPTY < 20"]
    return lines
