"""Check orders from public facts and the sender's own secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.checks import election, government
from pbem.games.parlement_1968.checks.asked import Asked
from pbem.games.parlement_1968.names import Names, note
from pbem.games.parlement_1968.state import ELECTION, PHASES, SESSION, State
from pbem.games.parlement_1968.steps.house import own_factions
from pbem.orders.order import Checked, Order, Problem, Standing
from pbem.text import listed

_BEFORE_LISTS = ("formation", "program", "budget", "bill")
_WHEN: Mapping[str, tuple[str, ...]] = {
    "GOVERNMENT": ("formation",),
    "SIGN": ("formation",),
    "WITHDRAW GOVERNMENT": ("formation",),
    "PROGRAM": ("program", "budget"),
    "APPROVE": ("program", "budget"),
    "VOTE BUDGET": ("budget",),
    "VOTE": ("bill", "candidates"),
    "RESIGN": (*SESSION, *ELECTION),
    "RESHUFFLE": SESSION,
    "CONSENT": SESSION,
    "CALL ELECTION": _BEFORE_LISTS[1:],
    "CANDIDATES": (*_BEFORE_LISTS, "candidates"),
    "RECORD": (*_BEFORE_LISTS, "candidates"),
    "ANNOUNCE": _BEFORE_LISTS,
    "SPEND": ("ballot", "runoff"),
    "BLOC": ("ballot", "runoff"),
    "WITHDRAW CANDIDATE": ("withdrawals",),
}


def check(state: State, names: Names, seat: str, standing: Standing, order: Order) -> Checked:
    word = _word(order)
    if state.phase not in _WHEN.get(word, PHASES):
        return Checked.refused(
            "E_PHASE",
            f"{word} is not possible in the {state.phase} period.",
            _RULES.get(word, ""),
            *note(f"it is for: {listed((_PERIODS[phase] for phase in _WHEN[word]), 'or')}"),
        )
    rule: Callable[[Any, Any], Checked] | None = _CHECKS.get(type(order))
    checked = rule(Asked(state, names, seat, standing), order) if rule else Checked((order,))
    if state.phase == "formation" and rule and checked.orders and "PASS" in standing:
        return replace(checked, replaces=(*checked.replaces, "PASS"))  # it is no longer true
    return checked


_PERIODS: Mapping[str, str] = {
    "formation": "the forming of a Government",
    "program": "the Program",
    "budget": "the vote on the Budget",
    "bill": "the vote on a bill",
    "candidates": "the lists of candidates",
    "ballot": "the ballot",
    "withdrawals": "withdrawals",
    "runoff": "the runoff",
}

_WORDS: Mapping[type, str] = {
    o.Government: "GOVERNMENT",
    o.Sign: "SIGN",
    o.Propose: "PROGRAM",
    o.Approve: "APPROVE",
    o.Vote: "VOTE",
    o.VoteBudget: "VOTE BUDGET",
    o.Resign: "RESIGN",
    o.Reshuffle: "RESHUFFLE",
    o.Call: "CALL ELECTION",
    o.Expel: "EXPEL",
    o.Pay: "PAY",
    o.Candidates: "CANDIDATES",
    o.Announce: "ANNOUNCE",
    o.Record: "RECORD",
    o.Spend: "SPEND",
    o.Bloc: "BLOC",
    o.Withdraw: "WITHDRAW CANDIDATE",
}


def _word(order: Order) -> str:
    if isinstance(order, o.Vote | o.VoteBudget) and order.standing:
        return "STANDING VOTE"
    if isinstance(order, o.Sign) and order.withdraw:
        return "WITHDRAW GOVERNMENT"
    if isinstance(order, o.Reshuffle) and order.consent:
        return "CONSENT"
    return _WORDS.get(type(order), order.slot)


def _refused(problem: Problem) -> Checked:
    return Checked((), (problem,))


def _vote(asked: Asked, order: o.Vote) -> Checked:
    """5.2, 5.4."""
    state, names = asked.state, asked.names
    if order.bill not in names.tables.bills:
        return Checked.refused("E_BILL", f"There is no bill {order.bill}.", "4.2")
    if not order.standing:
        agenda = state.program.agenda if state.program else ()
        if not agenda or agenda[0] != order.bill:
            before = f"bill {agenda[0]} is" if agenda else "nothing is"
            return Checked.refused(
                "E_BILL",
                f"Bill {order.bill} is not before the house; {before}.",
                "5.1",
                *note(f"for later, write STANDING VOTE {order.bill} and your choice"),
            )
        if any(choice == "NONE" for _, choice in order.choices):
            return Checked.refused("E_VOTE", "Vote YES, NO or ABSTAIN.", "5.2")
    filed: dict[str, Order] = {}
    for word, choice in order.choices:
        regions = _factions_meant(asked, word, order.standing)
        if isinstance(regions, Problem):
            return _refused(regions)
        for region in regions:
            one = replace(order, choices=((region, choice),))
            filed[one.slot] = one
    return Checked(tuple(filed.values()))


def _factions_meant(asked: Asked, word: str, standing: bool) -> list[str] | Problem:
    """Return the factions meant: "EAS"; "" for a standing vote of the whole party."""
    tables = asked.names.tables
    own = [unit.partition("-")[2] for unit in own_factions(asked.state, tables, asked.seat)]
    own_notes = note(f"your factions: {', '.join(own) or 'none'}")
    if not word:
        if not own and not standing:
            return Problem("E_FACTION", "You have no faction that could vote.", "1.4")
        return [*([""] if standing else []), *(region.upper() for region in own)]
    region = asked.names.own_region(word, asked.seat)
    if isinstance(region, Problem):
        return region
    if region not in own:
        message = f"You have no faction {asked.seat}-{region}."
        return Problem("E_FACTION", message, "1.4", own_notes)
    return [region.upper()]


def _vote_budget(asked: Asked, order: o.VoteBudget) -> Checked:
    """5.3, R10."""
    filed: dict[str, Order] = {}
    for word, levels in order.groups:
        regions = _factions_meant(asked, word, order.standing)
        if isinstance(regions, Problem):
            return _refused(regions)
        named: dict[str, str] = {}
        for item, level in levels:
            found = asked.names.find("item", item)
            if isinstance(found, Problem):
                return _refused(replace(found, rule="4.3"))
            named[found] = level
        if not levels and not order.standing:
            return Checked.refused("E_VOTE", "Vote H, L or ABSTAIN on each item.", "5.3")
        voted = tuple((item, named[item]) for item in asked.names.tables.items if item in named)
        for region in regions:
            one = replace(order, groups=((region, voted),))
            filed[one.slot] = one
    return Checked(tuple(filed.values()))


def _expel(asked: Asked, order: o.Expel) -> Checked:
    regions = _factions_meant(asked, order.faction, standing=False)
    if isinstance(regions, Problem):
        return _refused(replace(regions, rule="1.8"))
    return Checked((o.Expel(regions[0]),))


def _pay(asked: Asked, order: o.Pay) -> Checked:
    """House rule 11, R18."""
    payee = asked.names.find("party", order.payee)
    if isinstance(payee, Problem):
        return _refused(payee)
    if payee == asked.seat:
        return Checked.refused("E_SELF", "You cannot pay yourself.", "H11")
    if 0 < order.period < asked.state.period:
        message = f"Period {order.period} is closed; this is period {asked.state.period}."
        return Checked.refused("E_PERIOD", message, "H11")
    later = order.period if order.period > asked.state.period else 0
    return Checked((o.Pay(order.amount, payee, later),))


_CHECKS: Mapping[type, Callable[[Any, Any], Checked]] = {
    o.Government: government.government,
    o.Sign: government.sign,
    o.Propose: government.program,
    o.Approve: government.approve,
    o.Resign: government.resign,
    o.Reshuffle: government.reshuffle,
    o.Call: government.call,
    o.Vote: _vote,
    o.VoteBudget: _vote_budget,
    o.Expel: _expel,
    o.Pay: _pay,
    o.Candidates: election.candidates,
    o.Announce: election.announce,
    o.Record: election.record,
    o.Spend: election.spend,
    o.Bloc: election.bloc,
    o.Withdraw: election.withdraw,
}
_RULES: Mapping[str, str] = {
    "GOVERNMENT": "3.3",
    "SIGN": "3.3",
    "WITHDRAW GOVERNMENT": "3.3",
    "PROGRAM": "4.1",
    "APPROVE": "4.2",
    "VOTE BUDGET": "5.1",
    "VOTE": "5.1",
    "RESIGN": "3.7",
    "RESHUFFLE": "3.8",
    "CONSENT": "3.8",
    "CALL ELECTION": "8.1",
    "CANDIDATES": "8.4",
    "RECORD": "8.8",
    "ANNOUNCE": "8.5",
    "SPEND": "8.17",
    "BLOC": "8.15",
    "WITHDRAW CANDIDATE": "8.19",
}
