"""For the secrecy test and for conservation."""

from dataclasses import replace

from pbem.games.frame.dice import Stream
from pbem.games.frame.treasury import opened
from pbem.games.parlement_1968.rules import Parlement1968
from pbem.games.parlement_1968.state import SESSION, Cheque, State
from pbem.games.parlement_1968.steps.house import House
from pbem.house.shelf import open_ruleset

_RULES: Parlement1968 = open_ruleset("parlement-1968")  # type: ignore[assignment]


def twin(state: State, seat: str, chance: Stream) -> State:
    """Others' treasuries, standing votes, sealed lists, records and cheques, and the offices of
    proposals that do not name this seat."""
    tables = _RULES.tables
    told = state.options["private_treasury_notices"] == "on"
    balances = {
        s: state.accounts.balance(s) if s == seat and told else 500 * chance.below(40)
        for s in state.seats
    }
    others = {s: v for s, v in state.standing.items() if s == seat}
    for other in state.seats:
        if other != seat and chance.below(2):
            others[other] = {"5/": chance.choice(("YES", "NO"))}
    sealed = {s: v for s, v in state.sealed.items() if s == seat}
    sealed |= {
        s: ("C1",) for s in state.seats if s != seat and state.phase in SESSION and chance.below(2)
    }
    designated = {s: v for s, v in state.designated.items() if s == seat}
    proposals = []
    for p in state.proposals:
        if seat in House(state, tables).parties_named(p):
            proposals.append(p)
            continue
        members = list(p.officers.values())
        chance.shuffle(members)
        proposals.append(replace(p, officers=dict(zip(p.officers, members, strict=True))))
    cheques = (
        *(c for c in state.cheques if c.payer == seat),
        *(
            Cheque(s, seat, 100, state.period + 1)
            for s in state.seats
            if s != seat and chance.below(2)
        ),
    )
    return replace(
        state,
        accounts=opened(balances),
        standing=others,
        sealed=sealed,
        designated=designated,
        proposals=tuple(proposals),
        cheques=cheques,
    )


def invariants(state: State) -> None:
    tables = _RULES.tables
    assert set(state.holders) == set(tables.districts)
    assert sum(state.accounts.balances.values()) == 0
    assert all(n >= 0 for name, n in state.accounts.balances.items() if name != "bank"), (
        state.accounts.balances
    )
    if state.phase not in ("withdrawals", "runoff"):
        assert all(state.holders.values())


def ahead(state: State, seat: str) -> list[str]:
    """Before the lists are due: a list, a cheque of a later period, a standing vote on a bill that
    is not yet put."""
    if state.phase not in ("program", "budget", "bill"):
        return []
    before = state.program.agenda if state.program else ()
    bill = next(key for key in _RULES.tables.bills if key not in before)
    other = next(party for party in state.seats if party != seat)
    later = state.period + 2
    return [
        "CANDIDATES C1 E1",
        f"STANDING VOTE {bill} YES",
        "CANDIDATES NONE",
        f"PAY 700 TO {other} IN PERIOD {later}",
    ]


BY_MAIL = {
    "phase": "bill",
    "public": {
        "government": {
            "premier": "Soc E5", "foreign": "Ctr N1", "finance": "Mon S6", "justice": "Rad E7", "defense": "Soc E6",
            "agriculture": "Rad E8", "education": "Ctr W1", "welfare": "Mon S7",
        },
        "program": {"bills": ["8", "1", "2"], "again": False}, "budget_passed": True, "election_year": 1,
    },
}  # fmt: skip
"""Where the game by mail of the twin letters begins: a Government in office, and an election
called."""
