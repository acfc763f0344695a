"""Lists, fees, independents who stand (8.4-8.12); incomes, payments, shortage (section 7, house
rules 10-12)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from pbem.games.frame.events import Minutes, Orders
from pbem.games.frame.treasury import BANK, Accounts, Payment, pay
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Candidacy, Cheque, State, Tables, members
from pbem.games.parlement_1968.steps import house
from pbem.orders.order import Standing


def announce(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Announce candidacies, paid at once; short money cuts them by 8.4 (8.5, R20)."""
    for seat in state.seats:
        listed = [
            order.district
            for order in orders.get(seat, {}).values()
            if isinstance(order, o.Announce)
        ]
        if not listed:
            continue
        wanted = [district for district in listed if district not in state.announced.get(seat, ())]
        kept, cut = _affordable(state, tables, seat, wanted)
        if kept or cut:
            state = replace(
                state, accounts=pay(state.accounts, [_fees(state, tables, seat, len(kept))])
            )
            minutes.public("announced", "8.5", party=seat, districts=kept)
            together = sorted((*state.announced.get(seat, ()), *kept), key=tables.rank.__getitem__)
            state = replace(state, announced={**state.announced, seat: tuple(together)})
        if cut:
            minutes.public("fees_short", "8.4", party=seat, districts=cut)
    return state


def _affordable(
    state: State, tables: Tables, seat: str, wanted: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return affordable and withdrawn ones; non-incumbents go first, in numerical order (8.4)."""
    fee, means = tables.figures["filing_fee"], max(0, state.accounts.balance(seat))
    room = min(len(wanted), means // fee) if fee else len(wanted)
    leaving = sorted(wanted, key=lambda d: (state.holders.get(d) == seat, tables.rank[d]))
    cut = leaving[: len(wanted) - room]
    return sorted((d for d in wanted if d not in cut), key=tables.rank.__getitem__), cut


def _fees(state: State, tables: Tables, account: str, candidates: int) -> Payment:
    amount = candidates * tables.figures["filing_fee"]
    return Payment(state.period, account, BANK, amount, f"filing fees, {candidates} (7.5)")


def default_list(state: State, tables: Tables, seat: str) -> tuple[str, ...]:
    """Return the incumbents that can be paid for (R28)."""
    return tuple(d for d in tables.districts if state.holders.get(d) == seat)


def source(
    state: State,
    tables: Tables,
    seat: str,
    region: str,
    asked: str | None = None,
    own: Mapping[str, int] | None = None,
) -> str:
    """Return the unit whose record counts: the faction there (8.12), else the designated (8.8) or
    largest one, or Table 2's line (R15)."""
    own = house.own_factions(state, tables, seat) if own is None else own
    if f"{seat}-{region}" in own:
        return f"{seat}-{region}"
    if not own:
        return seat
    if asked and house.lawful_record(state, tables, seat, asked):
        return f"{seat}-{asked}"
    places = list(tables.regions)
    return min(own, key=lambda unit: (-own[unit], places.index(unit.partition("-")[2])))


def close_lists(state: State, tables: Tables, orders: Orders, minutes: Minutes) -> State:
    """Open the lists: cut by 8.4, then independents by 8.6, 8.11 and 8.7."""
    standing = {district: dict[str, Candidacy]() for district in tables.districts}
    told, fees = dict[str, list[str]](), list[Payment]()
    for seat in state.seats:
        sent, announced = orders.get(seat, {}), state.announced.get(seat, ())
        order, sealed = sent.get("CANDIDATES"), state.sealed.get(seat)
        listed = order.districts if isinstance(order, o.Candidates) else sealed  # R20
        missed = listed is None
        wanted = default_list(state, tables, seat) if listed is None else listed
        wanted = without_expelled(state, tables, seat, sent.values(), wanted)
        kept, cut = _affordable(state, tables, seat, [d for d in wanted if d not in announced])
        fees.append(_fees(state, tables, seat, len(kept)))
        if cut:
            minutes.public("fees_short", "8.4", party=seat, districts=cut)
        if missed and kept:
            minutes.public("renominated", "R28", party=seat, districts=kept)
        told[seat] = sorted({*kept, *announced}, key=tables.rank.__getitem__)
        running = _running_on(state, tables, seat, sent)
        for district in told[seat]:
            standing[district][seat] = running[tables.region(district)]
    minutes.public("lists", "8.4", lists=told, records=_borrowed(standing, tables))
    accounts = pay(state.accounts, fees)
    state = replace(
        state,
        phase="ballot",
        candidates=standing,
        accounts=accounts,
        sealed={},
        designated={},
        announced={},
    )
    return unsent(_incumbents(state, tables, minutes), tables, minutes)


def _running_on(state: State, tables: Tables, seat: str, sent: Standing) -> dict[str, Candidacy]:
    """8.8, R15."""
    records = [order for order in sent.values() if isinstance(order, o.Record)]
    asked = dict(state.designated.get(seat, {}))
    asked |= {
        tables.region_named(order.region): tables.region_named(order.source) for order in records
    }
    own = house.own_factions(state, tables, seat)
    return {
        r: Candidacy(source(state, tables, seat, r, asked.get(r), own), "party")
        for r in tables.regions
    }


def without_expelled(
    state: State, tables: Tables, seat: str, sent: Iterable[object], wanted: Sequence[str]
) -> tuple[str, ...]:
    """R16, 8.11."""
    out = {tables.region_named(order.faction) for order in sent if isinstance(order, o.Expel)}
    return tuple(d for d in wanted if tables.region(d) not in out or state.holders.get(d) != seat)


def _borrowed(standing: Mapping[str, Mapping[str, Candidacy]], tables: Tables) -> dict[str, str]:
    """Return {"Rad in Nor": "Rad-Wes"} (8.8)."""
    found = {}
    for district, candidates in standing.items():
        for party, candidacy in candidates.items():
            if candidacy.unit != f"{party}-{tables.region(district)}":
                found[f"{party} in {tables.region(district)}"] = candidacy.unit
    return found


def _incumbents(state: State, tables: Tables, minutes: Minutes) -> State:
    """8.6, 8.11, R17."""
    held = members(state, tables.districts)
    refused = [
        d
        for d, holder in held.items()
        if not house.is_independent(holder) and holder not in state.candidates[d]
    ]
    sitting = {d: holder for d, holder in held.items() if house.is_independent(holder)}
    if not refused and not sitting:
        return state
    fees = [_fees(state, tables, f"{holder} {district}", 1) for district, holder in sitting.items()]
    state = replace(state, accounts=pay(state.accounts, fees))
    state, became = house.made_independent(
        state, tables, sorted(refused, key=tables.rank.__getitem__)
    )
    if became:
        minutes.public("refused", "8.11", became={d: [held[d], became[d]] for d in became})
    if sitting:
        minutes.public("sitting", "8.6", members=sitting)
    candidates = dict(state.candidates)
    for origin, group in (("8.6", sitting), ("8.11", became)):
        for district, name in group.items():
            candidates[district] = {
                **candidates[district],
                name: Candidacy(f"{name} {district}", origin),
            }
    return replace(state, candidates=candidates)


def unsent(
    state: State, tables: Tables, minutes: Minutes | None = None, only: Sequence[str] | None = None
) -> State:
    """Add an independent if no candidate is better than 25% with their bloc (8.7, R19)."""
    present = {r: {b for b, votes in tables.votes.items() if votes[r]} for r in tables.regions}
    content: dict[str, set[str]] = {"": set()}  # by unit, the blocs it is better than 25% with
    filed: dict[str, list[str]] = {}
    for district in tables.districts if only is None else only:
        here = state.candidates.get(district, {})
        wanting = set(present[tables.region_of[district]])
        for candidacy in here.values():
            if candidacy.unit not in content:
                record = house.points(state, tables, candidacy.unit)
                content[candidacy.unit] = {
                    bloc for bloc, n in record.items() if house.better(n, state.counted)
                }
            wanting -= content[candidacy.unit]
        names = [
            f"Ind-{bloc}" for bloc in tables.blocs if bloc in wanting and f"Ind-{bloc}" not in here
        ]
        if names:
            filed[district] = names
    if not filed:
        return state
    if minutes is not None:
        minutes.public("independents", "8.7", filed=filed)
    added = {
        d: {**state.candidates.get(d, {}), **{n: Candidacy("", "8.7") for n in names}}
        for d, names in filed.items()
    }
    return replace(state, candidates={**state.candidates, **added})


def _credit(state: State, amounts: Iterable[tuple[str, int, str]]) -> Accounts:
    """(account, crowns, purpose)."""
    return pay(
        state.accounts,
        [Payment(state.period, BANK, account, n, purpose) for account, n, purpose in amounts],
    )


def pay_ministers(state: State, tables: Tables, minutes: Minutes) -> State:
    """Pay 1000 crowns per filled office (7.2, R2)."""
    paid: dict[str, int] = {}
    for office in tables.offices:
        if party := house.ministry(state, office):
            paid[party] = paid.get(party, 0) + tables.figures["per_office"]
    minutes.public("salaries", "7.2", paid=paid)
    accounts = _credit(state, [(party, n, "Cabinet offices (7.2)") for party, n in paid.items()])
    return replace(state, paid=True, accounts=accounts)


def pay_before_election(state: State, tables: Tables, minutes: Minutes) -> State:
    """Pay 2000 crowns a seat and 5000 per bloc's favourite (7.3, 7.4, 7.6, R18, R22)."""
    seats: dict[str, int] = {}
    for district, holder in members(state, tables.districts).items():
        account = f"{holder} {district}" if house.is_independent(holder) else holder
        seats[account] = seats.get(account, 0) + 1
    loved = favourites(state, tables)
    credit = [
        (account, n * tables.figures["per_seat"], "seats in Parlement (7.3)")
        for account, n in seats.items()
    ]
    credit += [
        (unit, tables.figures["favourite"], f"favourite of the {tables.blocs[bloc]} (7.4)")
        for bloc, unit in loved.items()
        if unit
    ]
    minutes.public(
        "income",
        "7.3",
        seats=seats,
        per_seat=tables.figures["per_seat"],
        favourite=tables.figures["favourite"],
        favourites={tables.blocs[bloc]: unit for bloc, unit in loved.items() if unit},
    )
    return replace(state, accounts=_credit(state, credit))


def favourites(state: State, tables: Tables) -> dict[str, str]:
    """Return each bloc's favourite: its every faction has at least the points of any other's; "" if
    none (7.4). Independents are parties (R22)."""
    records: dict[str, list[dict[str, int]]] = {}
    for unit in house.factions(state, tables):
        party = unit if house.is_independent(unit) else house.party_of(unit)
        records.setdefault(party, []).append(house.points(state, tables, unit))
    found = {}
    for bloc in tables.blocs:
        top = {party: max(record[bloc] for record in own) for party, own in records.items()}
        fit = [
            party
            for party, own in records.items()
            if all(
                record[bloc] >= n for record in own for other, n in top.items() if other != party
            )
        ]
        found[bloc] = fit[0] if len(fit) == 1 else ""
    return found


def settle_payments(state: State, orders: Orders, minutes: Minutes, *, held: bool = False) -> State:
    """Settle due cheques and payments, prorated if short (house rules 11, 12, R27). ``held``: they
    wait for the interregnum's end (R1)."""
    cheques = {(c.payer, c.payee, c.period): c for c in state.cheques}
    for seat, standing in orders.items():
        for order in standing.values():
            if isinstance(order, o.Pay):
                when = order.period if order.period > state.period else 0
                if not when:  # uses the slot of a cheque post-dated to this period
                    cheques.pop((seat, order.payee, state.period), None)
                cheques[seat, order.payee, when] = Cheque(seat, order.payee, order.amount, when)
    if not cheques:
        return state
    waiting = tuple(
        sorted(
            (c for c in cheques.values() if c.amount), key=lambda c: (c.period, c.payer, c.payee)
        )
    )
    if held:
        return replace(state, cheques=waiting)
    due = [cheque for cheque in waiting if cheque.period <= state.period]
    promised: dict[tuple[str, str], int] = {}
    for cheque in due:
        promised[cheque.payer, cheque.payee] = (
            promised.get((cheque.payer, cheque.payee), 0) + cheque.amount
        )
    paid = prorated(promised, state.accounts.balances)
    entries = [
        Payment(state.period, payer, payee, n, "payment")
        for (payer, payee), n in sorted(paid.items())
    ]
    for (payer, payee), n in sorted(promised.items()):
        if paid[payer, payee] < n:
            minutes.private(
                "short", "R27", [payer], payee=payee, promised=n, paid=paid[payer, payee]
            )
    later = tuple(cheque for cheque in waiting if cheque.period > state.period)
    return replace(state, accounts=pay(state.accounts, entries), cheques=later)


def prorated(
    promised: Mapping[tuple[str, str], int], balances: Mapping[str, int]
) -> dict[tuple[str, str], int]:
    """Return what can be paid of {(payer, payee): crowns}: the greatest solution in whole crowns,
    circles included (R27)."""
    owed: dict[str, int] = {}
    for (payer, _), n in promised.items():
        owed[payer] = owed.get(payer, 0) + n
    means = _means(promised, owed, balances)
    paid = {
        key: share(n, max(0, floor(means[key[0]])), owed[key[0]]) for key, n in promised.items()
    }
    while True:
        whole = {one: balances.get(one, 0) for one in owed}
        for (_, payee), n in paid.items():
            if payee in whole:
                whole[payee] += n
        lowered = {
            key: min(paid[key], share(n, max(0, whole[key[0]]), owed[key[0]]))
            for key, n in promised.items()
        }
        if lowered == paid:
            return paid
        paid = lowered


def _means(
    promised: Mapping[tuple[str, str], int], owed: Mapping[str, int], balances: Mapping[str, int]
) -> dict[str, Fraction]:
    """Return means as if crowns could be split: a bound from which circles settle quickly."""
    short: list[str] = []
    while True:
        rows = []
        for payer in (
            short
        ):  # means - shares of the other short payers = balance + what the others pay in full
            row = [
                Fraction(other == payer) - Fraction(promised.get((other, payer), 0), owed[other])
                for other in short
            ]
            full = sum(
                n for (giver, payee), n in promised.items() if payee == payer and giver not in short
            )
            rows.append([*row, Fraction(balances.get(payer, 0) + full)])
        solved = dict(zip(short, _solved(rows), strict=True))
        means = {
            account: balances.get(account, 0)
            + sum(
                (
                    n * min(Fraction(1), solved[giver] / owed[giver])
                    if giver in solved
                    else Fraction(n)
                )
                for (giver, payee), n in promised.items()
                if payee == account
            )
            + Fraction(0)
            for account in owed
        }
        now = [payer for payer in owed if means[payer] < owed[payer]]
        if set(now) <= set(short):
            return means
        short = now


def _solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations: coefficients, then the right side."""
    size, done = len(rows), [list(row) for row in rows]
    for i in range(size):
        pivot = next(j for j in range(i, size) if done[j][i])
        done[i], done[pivot] = done[pivot], done[i]
        done[i] = [x / done[i][i] for x in done[i]]
        for j in range(size):
            if j != i and done[j][i]:
                done[j] = [x - done[j][i] * y for x, y in zip(done[j], done[i], strict=True)]
    return [row[-1] for row in done]


def share(amount: int, means: int, owed: int) -> int:
    """Return the whole crowns of ``amount`` if ``means`` covers ``owed`` in part."""
    return amount if means >= owed else amount * means // owed


def statements(state: State, seats: Iterable[str], minutes: Minutes) -> None:
    """Tell each player their changed account (house rule 10)."""
    for seat in seats:
        lines = [
            {
                "with": e.payee if e.payer == seat else e.payer,
                "amount": -e.amount if e.payer == seat else e.amount,
                "purpose": e.purpose,
            }
            for e in state.accounts.of(seat)
        ]
        if lines:
            minutes.private(
                "statement", "R30", [seat], lines=lines, balance=state.accounts.balance(seat)
            )
