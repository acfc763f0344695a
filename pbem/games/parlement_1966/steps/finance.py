"""The treasuries (26 to 34), with cheques (27, R23). A period's payments are simultaneous: 32
strikes from ``Plan`` first."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders
from pbem.games.frame.treasury import BANK, Accounts, Payment, listed_anew, pay
from pbem.games.parlement_1966.orders import Candidates, Cash, Cheque, Local, WriteCheque
from pbem.games.parlement_1966.state import PARTIES, Government, OpenCheque, State, Tables
from pbem.games.parlement_1966.steps.cabinet import void
from pbem.text import spans

LOWEST, HIGHEST = 100_000, 999_999
"""Six digits, drawn, against guesses."""


def cashed(state: State, orders: Orders) -> tuple[OpenCheque, ...]:
    return tuple(
        one
        for one in state.cheques
        if str(Cash(one.number)) in orders.get(one.payee, {}) and state.settings.cheques
    )


def sums(cheques: tuple[OpenCheque, ...]) -> dict[str, dict[str, int]]:
    """Return crowns by payer and payee."""
    found: dict[str, dict[str, int]] = {}
    for one in cheques:
        to = found.setdefault(one.payer, {})
        to[one.payee] = to.get(one.payee, 0) + one.crowns
    return found


def received(state: State, orders: Orders, minutes: Minutes) -> State:
    """Tell both sides of cheques sent in, never whether paid (34), and close them."""
    came = cashed(state, orders)
    for one in came:
        for party in (one.payer, one.payee):
            minutes.private("cheque_received", "R23", [party], **asdict(one))
    known = {(one.payee, one.number) for one in came}
    for party in PARTIES:
        for order in orders.get(party, {}).values():
            if isinstance(order, Cash) and (party, order.number) not in known:
                why = "no open cheque of this number is made out to you"
                void(minutes, party, "R23", order, why)
    return replace(state, cheques=tuple(one for one in state.cheques if one not in came))


def written(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """Number the period's cheques; only payers are told."""
    listed = list(state.cheques)
    for payer, payee, crowns in _cheques_written(orders):
        stream = dice.stream(f"cheque/{state.number}/{payer}/{payee}")
        taken: Mapping[int, OpenCheque] = {one.number: one for one in listed}
        number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        while number in taken:
            number = LOWEST + stream.below(HIGHEST - LOWEST + 1)
        listed.append(OpenCheque(number, payer, payee, crowns))
        minutes.private("cheque_written", "R23", [payer], **asdict(listed[-1]))
    return replace(state, cheques=tuple(listed))


def _cheques_written(orders: Orders) -> list[tuple[str, str, int]]:
    return [
        (payer, payee, order.crowns)
        for payer in PARTIES
        for payee in PARTIES
        if isinstance(order := orders.get(payer, {}).get(f"CHEQUE {payee}"), WriteCheque)
        and order.crowns
    ]


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


@dataclass(frozen=True, slots=True)
class Settled:
    """Accounts, and what was really paid for."""

    accounts: Accounts
    local: Mapping[str, Mapping[int, int]]
    candidates: Mapping[str, tuple[int, ...]]


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


def income(state: State, government: Government | None, tables: Tables) -> list[Payment]:
    """Return contributions (31) and salaries (30)."""
    entries = []
    if state.phase == "session" and state.period == 1:
        for party in PARTIES:
            crowns = tables.contribution * state.seats[party]
            entries.append(Payment(state.number, BANK, party, crowns, "contributions"))
    if state.phase == "session" and government is not None:
        for party in PARTIES:
            offices = government.held_by(party)
            entries.append(
                Payment(state.number, BANK, party, tables.salary * len(offices), "salary")
            )
    return [entry for entry in entries if entry.amount]


def settle(
    state: State, government: Government | None, orders: Orders, tables: Tables, minutes: Minutes
) -> Settled:
    """Settle all payments at once, bankruptcy resolved (step 8)."""
    received = income(state, government, tables)
    earned = {
        party: sum(entry.amount for entry in received if entry.payee == party) for party in PARTIES
    }
    opening = {party: state.accounts.balance(party) + earned[party] for party in PARTIES}
    came = sums(cashed(state, orders))
    wanted = {
        party: replace(plan, cashed=came.get(party, {}))
        for party, plan in plans(orders, state.last).items()
    }
    final, steps = solvent(opening, wanted, tables)
    entries = [*received, *_entries(state.number, final, tables)]
    accounts = pay(state.accounts, entries)
    for party, taken in steps.items():
        minutes.public(
            "bankrupt",
            "33",
            party=party,
            opening=state.accounts.balance(party),
            income=earned[party],
            receipts=[_line(e, party) for e in entries if e.payee == party],
            ordered=_ordered(wanted[party], tables),
            steps=taken,
            payments=[_line(e, party) for e in entries if e.payer == party],
            balance=accounts.balance(party),
        )
    return Settled(
        accounts,
        {p: plan.local for p, plan in final.items()},
        {p: q.candidates for p, q in final.items()},
    )


def solvent(
    opening: Mapping[str, int], wanted: Mapping[str, Plan], tables: Tables
) -> tuple[dict[str, Plan], dict[str, list[dict[str, Any]]]]:
    """Strike by the stages of 32 until nobody is below zero (ruling 19). Return plans and what
    was struck. ``opening`` includes income."""
    current, steps = dict(wanted), dict[str, list[dict[str, Any]]]()
    while any(balance < 0 for balance in balances(opening, current, tables).values()):
        before = dict(current)
        for stage in _STAGES:
            short = {p: b for p, b in balances(opening, current, tables).items() if b < 0}
            for party, balance in short.items():
                struck, told = stage(party, current[party], -balance, tables)
                if told:
                    steps.setdefault(party, []).append({**told, "deficit": -balance})
                current[party] = struck
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


def _without_local(
    party: str, plan: Plan, deficit: int, tables: Tables
) -> tuple[Plan, dict[str, Any]]:
    """Rescind payments to districts (stage 1)."""
    crowns = sum(plan.local.values())
    if not crowns:
        return plan, {}
    return replace(plan, local={}), {
        "stage": 1,
        "crowns": crowns,
        "what": spans(tuple(sorted(plan.local))),
    }


def _with_fewer_candidates(
    party: str, plan: Plan, deficit: int, tables: Tables
) -> tuple[Plan, dict[str, Any]]:
    """Withdraw candidates, first those without bloc (stage 2)."""
    weak = set(tables.missing[party])
    order = sorted(plan.candidates, key=lambda district: (district not in weak, district))
    number = min(len(order), -(-deficit // tables.fee))
    if not number:
        return plan, {}
    gone = tuple(sorted(order[:number]))
    kept = tuple(district for district in plan.candidates if district not in gone)
    return replace(plan, candidates=kept), {
        "stage": 2,
        "crowns": number * tables.fee,
        "what": spans(gone),
    }


def _without_cashed(
    party: str, plan: Plan, deficit: int, tables: Tables
) -> tuple[Plan, dict[str, Any]]:
    """Bounce cheques sent in (stage 3, R23)."""
    if not plan.cashed:
        return plan, {}
    struck = {"stage": 3, "crowns": sum(plan.cashed.values()), "what": _payees(plan.cashed)}
    return replace(plan, cashed={}), {**struck, "cashed": True}


def _payees(crowns: Mapping[str, int]) -> str:
    return ", ".join(f"{payee} {amount}" for payee, amount in sorted(crowns.items()) if amount)


def _without_cheques(
    party: str, plan: Plan, deficit: int, tables: Tables
) -> tuple[Plan, dict[str, Any]]:
    """Rescind payments (stage 3)."""
    crowns = sum(plan.cheques.values())
    if not crowns:
        return plan, {}
    told = {"stage": 3, "crowns": crowns, "what": _payees(plan.cheques)}
    return replace(plan, cheques={}), told


_STAGES = (_without_local, _with_fewer_candidates, _without_cashed, _without_cheques)


def _entries(number: int, final: Mapping[str, Plan], tables: Tables) -> list[Payment]:
    entries = []
    for party, plan in final.items():
        for payee in PARTIES:
            entries.append(Payment(number, party, payee, plan.cheques.get(payee, 0), "cheque"))
            entries.append(Payment(number, party, payee, plan.cashed.get(payee, 0), "cashed"))
        for district, crowns in sorted(plan.local.items()):
            entries.append(Payment(number, party, f"district {district} {party}", crowns, "local"))
        entries.append(
            Payment(number, party, BANK, tables.fee * len(plan.candidates), "candidates")
        )
    return [entry for entry in entries if entry.amount]


def _line(entry: Payment, party: str) -> dict[str, Any]:
    other = entry.payee if entry.payer == party else entry.payer
    sign = -1 if entry.payer == party else 1
    return {
        "period": entry.period,
        "other": other,
        "crowns": sign * entry.amount,
        "purpose": entry.purpose,
    }


def _ordered(plan: Plan, tables: Tables) -> dict[str, int]:
    return {
        "cheques": sum(plan.cheques.values()),
        **({"cashed": sum(plan.cashed.values())} if plan.cashed else {}),
        "local": sum(plan.local.values()),
        "candidates": tables.fee * len(plan.candidates),
    }


def listing(accounts: Accounts, minutes: Minutes) -> tuple[Accounts, dict[str, int]]:
    """Publish accounts since the last listing, and treasuries (34)."""
    parties = {
        party: {
            "lines": [_line(e, party) for e in accounts.of(party)],
            "balance": accounts.balance(party),
        }
        for party in PARTIES
    }
    minutes.public("listing", "34", parties=parties)
    return listed_anew(accounts), {party: accounts.balance(party) for party in PARTIES}


def notices(before: Accounts, after: Accounts, number: int, minutes: Minutes) -> None:
    """Tell changed accounts to their parties (private_treasury_notices, ruling 20)."""
    for party in PARTIES:
        lines = [_line(entry, party) for entry in after.of(party) if entry.period == number]
        if lines:
            minutes.private(
                "account",
                "R20",
                [party],
                opening=before.balance(party),
                lines=lines,
                balance=after.balance(party),
            )
