"""The treasuries (26 to 34), with cheques (27, R23). A period's payments are simultaneous: 32
strikes from ``Plan`` first."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import product
from typing import Any

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Orders
from pbem.games.frame.treasury import BANK, Accounts, Payment, listed_anew, pay
from pbem.games.parlement_1966.orders import Candidates, Cash, Cheque, Local, WriteCheque
from pbem.games.parlement_1966.state import PARTIES, OpenCheque, State, Tables
from pbem.games.parlement_1966.steps import Period, elections
from pbem.text import spans

LOWEST, HIGHEST = 100_000, 999_999
"""Six digits, drawn, against guesses."""


def cashed(state: State, orders: Orders) -> tuple[OpenCheque, ...]:
    return tuple(
        one
        for one in state.cheques
        if str(Cash(one.number)) in orders.get(one.payee, {}) and state.settings.cheques
    )


def received(at: Period) -> None:
    """Tell both sides of cheques sent in, never whether paid (34), and close them."""
    came = cashed(at.state, at.orders)
    for one in came:
        for party in (one.payer, one.payee):
            at.minutes.private("cheque_received", "R23", [party], **asdict(one))
    known = {(one.payee, one.number) for one in came}
    for party, order in at.sent(PARTIES, Cash):
        if (party, order.number) not in known:
            at.void(party, "R23", order, "no open cheque of this number is made out to you")
    left = tuple(one for one in at.state.cheques if one not in came)
    at.state = replace(at.state, cheques=left)


def written(at: Period, dice: Dice) -> None:
    """Number the period's cheques; only payers are told."""
    listed = list(at.state.cheques)
    given = {(payer, one.payee): one.crowns for payer, one in at.sent(PARTIES, WriteCheque)}
    for payer, payee in product(PARTIES, repeat=2):
        crowns = given.get((payer, payee))
        if not crowns:
            continue
        stream = dice.stream(f"cheque/{at.state.number}/{payer}/{payee}")
        taken = {one.number for one in listed}
        number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        while number in taken:
            number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        listed.append(OpenCheque(number, payer, payee, crowns))
        at.minutes.private("cheque_written", "R23", [payer], **asdict(listed[-1]))
    at.state = replace(at.state, cheques=tuple(listed))


@dataclass(frozen=True, slots=True)
class Plan:
    """A party's payments: crowns by payee and district, candidates by district."""

    cheques: Mapping[str, int]
    local: Mapping[int, int]
    candidates: tuple[int, ...]
    cashed: Mapping[str, int] = field(default_factory=dict)
    """Crowns by payee of cheques sent in (R23)."""

    def cost(self, fee: int) -> int:
        """Return crowns, at ``fee`` a candidate."""
        paid = sum(self.cheques.values()) + sum(self.cashed.values())
        return paid + sum(self.local.values()) + fee * len(self.candidates)


def plans(orders: Orders, lists_due: bool) -> dict[str, Plan]:
    result = {}
    for party in PARTIES:
        paid, local = dict[str, int](), dict[int, int]()
        candidates: tuple[int, ...] = ()
        for order in orders.get(party, {}).values():
            match order:
                case Cheque(crowns=crowns, payee=payee):
                    paid[payee] = crowns
                case Local(crowns=crowns, district=district):
                    local[district] = crowns
                case Candidates(districts=districts) if lists_due:
                    candidates = districts
        result[party] = Plan(paid, local, candidates)
    return result


def income(state: State, tables: Tables) -> list[Payment]:
    """Return contributions (31) and salaries (30)."""
    entries, government = list[Payment](), state.governing()
    if state.phase == "session" and state.period == 1:
        each = {party: tables.contribution * state.seats[party] for party in PARTIES}
        entries += [Payment(state.number, BANK, p, n, "contributions") for p, n in each.items()]
    if state.phase == "session" and government:
        paid = {party: tables.salary * len(government.held_by(party)) for party in PARTIES}
        entries += [Payment(state.number, BANK, p, n, "salary") for p, n in paid.items()]
    return [entry for entry in entries if entry.amount]


def settle(at: Period) -> None:
    """Settle all payments at once, bankruptcy resolved (step 8)."""
    state, tables = at.state, at.tables
    received = income(state, tables)
    earned = {p: sum(e.amount for e in received if e.payee == p) for p in PARTIES}
    opening = {party: state.accounts.balance(party) + earned[party] for party in PARTIES}
    came = {party: Counter[str]() for party in PARTIES}
    for one in cashed(state, at.orders):
        came[one.payer][one.payee] += one.crowns
    planned = plans(at.orders, state.last).items()
    wanted = {party: replace(plan, cashed=came[party]) for party, plan in planned}
    final, steps = solvent(opening, wanted, tables)
    entries = [*received, *_entries(state.number, final, tables)]
    accounts = pay(state.accounts, entries)
    for party, taken in steps.items():
        plan = wanted[party]
        at.minutes.public(
            "bankrupt",
            "33",
            party=party,
            opening=state.accounts.balance(party),
            income=earned[party],
            receipts=[_line(e, party) for e in entries if e.payee == party],
            ordered={
                "cheques": sum(plan.cheques.values()),
                **({"cashed": sum(plan.cashed.values())} if plan.cashed else {}),
                "local": sum(plan.local.values()),
                "candidates": tables.fee * len(plan.candidates),
            },
            steps=taken,
            payments=[_line(e, party) for e in entries if e.payer == party],
            balance=accounts.balance(party),
        )
    local = elections.paid(state.local, {party: plan.local for party, plan in final.items()})
    at.state = replace(state, accounts=accounts, local=local)
    if state.last:
        candidates = {party: plan.candidates for party, plan in final.items()}
        at.state = replace(at.state, candidates=candidates)


def solvent(
    opening: Mapping[str, int], wanted: Mapping[str, Plan], tables: Tables
) -> tuple[dict[str, Plan], dict[str, list[dict[str, Any]]]]:
    """Strike by the stages of 32 until nobody is below zero (ruling 19). Return plans and what
    was struck. ``opening`` includes income."""
    current, steps = dict(wanted), dict[str, list[dict[str, Any]]]()
    while any(balance < 0 for balance in balances(opening, current, tables).values()):
        before = dict(current)
        for stage, kind in _STAGES:
            short = {p: b for p, b in balances(opening, current, tables).items() if b < 0}
            for party, balance in short.items():
                left, crowns, what = _struck(current[party], kind, party, -balance, tables)
                if crowns:
                    told = {"stage": stage, "crowns": crowns, "what": what, "deficit": -balance}
                    told |= {"cashed": True} if kind == "cashed" else {}
                    steps.setdefault(party, []).append(told)
                    current[party] = left
        if current == before:  # a debt from before the game's start: nothing is left to strike
            break
    return current, steps


def balances(
    opening: Mapping[str, int], current: Mapping[str, Plan], tables: Tables
) -> dict[str, int]:
    result = {party: opening[party] - plan.cost(tables.fee) for party, plan in current.items()}
    for plan in current.values():
        for payee, crowns in (*plan.cheques.items(), *plan.cashed.items()):
            result[payee] += crowns
    return result


_STAGES = ((1, "local"), (2, "candidates"), (3, "cashed"), (3, "cheques"))
"""Of 32; cheques sent in bounce first (R23)."""


def _struck(
    plan: Plan, kind: str, party: str, deficit: int, tables: Tables
) -> tuple[Plan, int, str]:
    """Return what is left, crowns struck and what for; candidates without bloc go first."""
    if kind == "candidates":
        weak = tables.missing[party]
        order = sorted(plan.candidates, key=lambda district: (district not in weak, district))
        number = min(len(order), -(-deficit // tables.fee))
        gone = sorted(order[:number])
        kept = tuple(district for district in plan.candidates if district not in gone)
        return replace(plan, candidates=kept), number * tables.fee, spans(gone)
    paid, nothing = getattr(plan, kind), dict[str, Any]({kind: {}})
    payees = ", ".join(f"{payee} {crowns}" for payee, crowns in sorted(paid.items()) if crowns)
    what = spans(sorted(paid)) if kind == "local" else payees
    return replace(plan, **nothing), sum(paid.values()), what


def _entries(number: int, final: Mapping[str, Plan], tables: Tables) -> list[Payment]:
    entries = []
    for party, plan in final.items():
        for payee in PARTIES:
            entries.append(Payment(number, party, payee, plan.cheques.get(payee, 0), "cheque"))
            entries.append(Payment(number, party, payee, plan.cashed.get(payee, 0), "cashed"))
        for district, crowns in sorted(plan.local.items()):
            entries.append(Payment(number, party, f"district {district} {party}", crowns, "local"))
        fees = tables.fee * len(plan.candidates)
        entries.append(Payment(number, party, BANK, fees, "candidates"))
    return [entry for entry in entries if entry.amount]


def _line(entry: Payment, party: str) -> dict[str, Any]:
    pays = entry.payer == party
    return {
        "period": entry.period,
        "other": entry.payee if pays else entry.payer,
        "crowns": -entry.amount if pays else entry.amount,
        "purpose": entry.purpose,
    }


def listing(at: Period) -> None:
    """Publish accounts since the last listing, and treasuries (34)."""
    accounts = at.state.accounts
    listed = {party: accounts.balance(party) for party in PARTIES}
    parties = {
        party: {"lines": [_line(e, party) for e in accounts.of(party)], "balance": listed[party]}
        for party in PARTIES
    }
    at.minutes.public("listing", "34", parties=parties)
    at.state = replace(at.state, accounts=listed_anew(accounts), listed=listed)


def notices(at: Period, before: Accounts) -> None:
    """Tell changed accounts to their parties (private_treasury_notices, ruling 20)."""
    after = at.state.accounts
    for party in PARTIES:
        lines = [_line(one, party) for one in after.of(party) if one.period == at.state.number]
        if lines:
            told = {"opening": before.balance(party), "lines": lines}
            at.minutes.private("account", "R20", [party], **told, balance=after.balance(party))
