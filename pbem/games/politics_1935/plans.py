"""Plans (3.9): bids whenever their card is up."""

from dataclasses import replace
from functools import partial

from pbem.games.frame import conditions
from pbem.games.politics_1935.orders import ANY, Bid, Case, check, needs_fund, unclear
from pbem.games.politics_1935.state import State
from pbem.games.politics_1935.steps import counting
from pbem.orders.language import Language
from pbem.orders.order import Checked, Order

RULE, CONDITIONS = "3.9", "3.10"


def _check(order: conditions.Plan | conditions.Ended, case: Case) -> Checked | None:
    """Check a plan; its card need not be up."""
    needs_fund(case, "BID", True, "3.4")
    if isinstance(order, conditions.Ended):
        return conditions.ended(case.standing, order)
    bid, cards = order.order, case.tables.cards
    assert isinstance(bid, Bid)
    unclear(case, bid.card)
    message = f"{bid.card} is not up for auction."
    note = f"name one of the cards S01 to S{len(cards):02d}, or {ANY}"
    case.refuse_if(bid.card not in (ANY, *cards), "E_LOT", message, RULE, note)
    if refused := conditions.senseless(order, known(case.state), CONDITIONS):
        return refused
    bid.payable(case)
    return None


def _able(state: State, seat: str, order: Order) -> Checked:
    if not isinstance(order, Bid):
        return Checked()
    up = [lot.card for lot in state.lots if order.card in (ANY, lot.card)]
    cash = state.cash(seat) // state.atlas.unit * state.atlas.unit
    if up and not cash:
        return Checked.refused("E_CASH", "You have no money left.", RULE)
    return Checked(tuple(Bid(min(order.amount, cash), card) for card in up))


def settled(state: State, language: Language) -> State:
    """Drop plans of seats out, and for cards bought."""
    plans = {
        seat: tuple(
            str(plan)
            for plan in conditions.kept(language, texts)
            if not _has(state, seat, plan.order)
        )
        for seat, texts in state.plans.items()
        if seat in state.alive
    }
    return replace(state, plans={seat: texts for seat, texts in plans.items() if texts})


def _has(state: State, seat: str, order: Order) -> bool:
    mine = (*state.hands[seat], *state.played[seat])
    return isinstance(order, Bid) and order.card in mine


PLANS = conditions.Plans(
    RULE,
    partial(check, by=_check),
    _able,
    lambda state, seat, _: values(state, seat),
    lambda state: state.alive,
)


def known(state: State) -> dict[str, conditions.Figure]:
    """Return figures with bounds; cash only if public."""
    atlas = state.atlas
    dollars = {} if state.choices.secret_holdings else {"CASH": atlas.campaign_fund}
    most = {
        **dollars,
        "EMPTY": len(atlas.states),
        "ROUND": state.choices.max_rounds,
        "VOTES": sum(row.votes for row in atlas.states.values()),
    }
    numbers = {
        name: conditions.Figure(int(name == "ROUND"), n, flag=False) for name, n in most.items()
    }
    return {**numbers, "CLOSED": conditions.Figure()}


def values(state: State, seat: str) -> conditions.Figures:
    empty = len(counting.pinless(state.pins, state.atlas))
    every = {
        "CASH": state.cash(seat),
        "EMPTY": empty,
        "ROUND": state.round,
        "VOTES": counting.votes_of(state.pins, state.atlas, state.seats)[seat],
        "CLOSED": int(not empty),
    }
    return {name: every[name] for name in known(state)}
