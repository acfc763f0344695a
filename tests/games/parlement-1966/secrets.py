"""For the secrecy test: another state that differs only in what ``seat`` may not know; and what
must always hold."""

from dataclasses import replace

from pbem.games.frame.dice import Stream
from pbem.games.frame.treasury import BANK
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES, Instructions, OpenCheque, State


def twin(state: State, seat: str, chance: Stream) -> State:
    others = [party for party in PARTIES if party != seat]
    known = {seat} if state.settings.notices else set()
    balances = {
        p: b if p in known or p not in PARTIES else chance.below(20000)
        for p, b in state.accounts.balances.items()
    }
    balances[BANK] = -sum(amount for account, amount in balances.items() if account != BANK)
    return replace(
        state,
        accounts=replace(
            state.accounts,
            balances=balances,
            entries=tuple(e for e in state.accounts.entries if e.payer == seat),
        ),
        local={
            p: v if p == seat else tuple(chance.below(9000) for _ in v)
            for p, v in state.local.items()
        },
        instructions={
            **{p: i for p, i in state.instructions.items() if p == seat},
            **{p: Instructions({str(1 + chance.below(50)): seat}, (seat,)) for p in others},
        },
        standing_votes={
            **{p: v for p, v in state.standing_votes.items() if p == seat},
            **{p: {str(1 + chance.below(7)): "no"} for p in others},
        },
        waiting={p: texts for p, texts in state.waiting.items() if p == seat},
        cheques=(
            *(one for one in state.cheques if one.payer == seat),
            *(OpenCheque(100_000 + chance.below(900_000), p, seat, 500) for p in others),
        ),
    )


def invariants(state: State) -> None:
    assert sum(state.accounts.balances.values()) == 0, "crowns are conserved"
    assert all(state.accounts.balance(party) >= 0 for party in PARTIES), "nobody is below zero"
    held = sum(state.seats.values())
    assert 0 <= held <= DISTRICTS
    if any(state.tallies.values()):
        assert held == sum(holder is not None for holder in state.holders)
        vacant = {str(d) for d in range(1, DISTRICTS + 1) if state.holders[d - 1] is None}
        if state.phase != "primary":
            assert set(state.ballots) <= vacant


def ahead(state: State, seat: str) -> list[str]:
    """A standing vote on a bill that is not put, and what the party's blocs do at an election."""
    if state.phase != "session" or state.ballots:
        return []
    open_bills = [n for n in range(1, 8) if n not in [one.bill for one in state.called]]
    prefer = " ".join(party for party in PARTIES if party != seat)
    return [f"STANDING VOTE {open_bills[0]} YES", f"PREFER {prefer}", "BLOC 3 FOR NONE"]
