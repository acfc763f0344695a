"""Lists, fees, independents who stand (8.4-8.12); incomes, payments, shortage (section 7, house
rules 10-12)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor

from pbem.games.frame.events import grouped
from pbem.games.frame.treasury import BANK, Payment
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968.state import Candidacy, Cheque, State, members
from pbem.games.parlement_1968.steps.house import House, Period, better, is_independent, of_power


def announce(at: Period) -> None:
    """Announce candidacies, paid at once; short money cuts them by 8.4 (8.5, R20)."""
    for seat in at.state.seats:
        already = at.state.announced.get(seat, ())
        listed = [order.district for _, order in at.sent([seat], o.Announce)]
        kept, cut = _affordable(at, seat, [d for d in listed if d not in already])
        if kept or cut:
            at.pay(_fees(at, seat, len(kept)))
            at.minutes.public("announced", "8.5", party=seat, districts=kept)
            together = tuple(sorted((*already, *kept), key=at.tables.rank.__getitem__))
            at.state = replace(at.state, announced={**at.state.announced, seat: together})
        if cut:
            at.minutes.public("fees_short", "8.4", party=seat, districts=cut)


def _affordable(at: House, seat: str, wanted: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return affordable and withdrawn ones; non-incumbents go first, in numerical order (8.4)."""
    fee, rank = at.tables.figures["filing_fee"], at.tables.rank
    means = max(0, at.state.accounts.balance(seat))
    room = min(len(wanted), means // fee) if fee else len(wanted)
    leaving = sorted(wanted, key=lambda d: (at.state.holders.get(d) == seat, rank[d]))
    cut = leaving[: len(wanted) - room]
    return sorted((d for d in wanted if d not in cut), key=rank.__getitem__), cut


def _fees(at: House, account: str, candidates: int) -> Payment:
    amount = candidates * at.tables.figures["filing_fee"]
    purpose = f"filing fees, {candidates} (7.5)"
    return Payment(at.state.period, account, BANK, amount, purpose)


def default_list(house: House, seat: str) -> tuple[str, ...]:
    """Return the incumbents that can be paid for (R28)."""
    return tuple(d for d in house.tables.districts if house.state.holders.get(d) == seat)


def source(
    at: House,
    seat: str,
    region: str,
    asked: str | None = None,
    own: Mapping[str, int] | None = None,
) -> str:
    """Return the unit whose record counts: the faction there (8.12), else the designated (8.8) or
    largest one, or Table 2's line (R15)."""
    own = at.own_factions(seat) if own is None else own
    if f"{seat}-{region}" in own:
        return f"{seat}-{region}"
    if not own:
        return seat
    if asked and at.lawful_record(seat, asked):
        return f"{seat}-{asked}"
    places = list(at.tables.regions)
    return min(own, key=lambda unit: (-own[unit], places.index(unit.partition("-")[2])))


def close_lists(at: Period) -> None:
    """Open the lists: cut by 8.4, then independents by 8.6, 8.11 and 8.7."""
    standing = {district: dict[str, Candidacy]() for district in at.tables.districts}
    told, fees = dict[str, list[str]](), list[Payment]()
    for seat in at.state.seats:
        sent, announced = at.orders.get(seat, {}), at.state.announced.get(seat, ())
        order, sealed = sent.get("CANDIDATES"), at.state.sealed.get(seat)
        listed = order.districts if isinstance(order, o.Candidates) else sealed  # R20
        wanted = default_list(at, seat) if listed is None else listed
        wanted = without_expelled(at, seat, sent.values(), wanted)
        kept, cut = _affordable(at, seat, [d for d in wanted if d not in announced])
        fees.append(_fees(at, seat, len(kept)))
        if cut:
            at.minutes.public("fees_short", "8.4", party=seat, districts=cut)
        if listed is None and kept:
            at.minutes.public("renominated", "R28", party=seat, districts=kept)
        told[seat] = sorted({*kept, *announced}, key=at.tables.rank.__getitem__)
        running = _running_on(at, seat)
        for district in told[seat]:
            standing[district][seat] = running[at.tables.region_of[district]]
    borrowed = {  # {"Rad in Nor": "Rad-Wes"} (8.8)
        f"{party} in {at.tables.region_of[district]}": candidacy.unit
        for district, candidates in standing.items()
        for party, candidacy in candidates.items()
        if candidacy.unit != f"{party}-{at.tables.region_of[district]}"
    }
    at.minutes.public("lists", "8.4", lists=told, records=borrowed)
    at.pay(*fees)
    at.state = replace(
        at.state, phase="ballot", candidates=standing, sealed={}, designated={}, announced={}
    )
    _incumbents(at)
    stand_unsent(at)


def _running_on(at: Period, seat: str) -> dict[str, Candidacy]:
    """8.8, R15."""
    named, own = at.tables.region_named, at.own_factions(seat)
    asked = dict(at.state.designated.get(seat, {}))
    asked |= {named(order.region): named(order.source) for _, order in at.sent([seat], o.Record)}
    return {
        region: Candidacy(source(at, seat, region, asked.get(region), own), "party")
        for region in at.tables.regions
    }


def without_expelled(
    house: House, seat: str, sent: Iterable[object], wanted: Sequence[str]
) -> tuple[str, ...]:
    """R16, 8.11."""
    tables, holders = house.tables, house.state.holders
    out = {tables.region_named(order.faction) for order in sent if isinstance(order, o.Expel)}
    return tuple(d for d in wanted if tables.region_of[d] not in out or holders.get(d) != seat)


def _incumbents(at: Period) -> None:
    """8.6, 8.11, R17."""
    held = members(at.state, at.tables.districts)
    sitting = {d: holder for d, holder in held.items() if is_independent(holder)}
    refused = [
        d for d, who in held.items() if d not in sitting and who not in at.state.candidates[d]
    ]
    at.pay(*(_fees(at, f"{holder} {district}", 1) for district, holder in sitting.items()))
    became = at.made_independent(sorted(refused, key=at.tables.rank.__getitem__))
    if became:
        told = {d: [held[d], became[d]] for d in became}
        at.minutes.public("refused", "8.11", became=told)
    if sitting:
        at.minutes.public("sitting", "8.6", members=sitting)
    candidates = {district: dict(here) for district, here in at.state.candidates.items()}
    for origin, group in (("8.6", sitting), ("8.11", became)):
        for district, name in group.items():
            candidates[district][name] = Candidacy(f"{name} {district}", origin)
    at.state = replace(at.state, candidates=candidates)


def stand_unsent(at: Period, only: Sequence[str] | None = None) -> None:
    at.state, filed = unsent(at, only)
    if filed:
        at.minutes.public("independents", "8.7", filed=filed)


def unsent(house: House, only: Sequence[str] | None = None) -> tuple[State, dict[str, list[str]]]:
    """Add an independent if no candidate is better than 25% with their bloc (8.7, R19)."""
    state, tables = house.state, house.tables
    present = {r: {b for b, votes in tables.votes.items() if votes[r]} for r in tables.regions}
    content: dict[str, set[str]] = {"": set()}  # by unit, the blocs it is better than 25% with
    filed: dict[str, list[str]] = {}
    candidates = dict(state.candidates)
    for district in tables.districts if only is None else only:
        here = state.candidates.get(district, {})
        wanting = set(present[tables.region_of[district]])
        for candidacy in here.values():
            if candidacy.unit not in content:
                record = house.points(candidacy.unit)
                content[candidacy.unit] = {b for b, n in record.items() if better(n, state.counted)}
            wanting -= content[candidacy.unit]
        names = [f"Ind-{bloc}" for bloc in tables.blocs if bloc in wanting]
        if names := [name for name in names if name not in here]:
            filed[district] = names
            candidates[district] = {**here, **{name: Candidacy("", "8.7") for name in names}}
    return replace(state, candidates=candidates), filed


def _credit(at: Period, amounts: Iterable[tuple[str, int, str]]) -> None:
    """(account, crowns, purpose)."""
    at.pay(*(Payment(at.state.period, BANK, account, n, what) for account, n, what in amounts))


def pay_ministers(at: Period) -> None:
    """Pay 1000 crowns per filled office (7.2, R2)."""
    held = Counter(filter(None, map(at.ministry, at.tables.offices)))
    paid = {party: n * at.tables.figures["per_office"] for party, n in held.items()}
    at.minutes.public("salaries", "7.2", paid=paid)
    _credit(at, [(party, n, "Cabinet offices (7.2)") for party, n in paid.items()])
    at.state = replace(at.state, paid=True)


def pay_before_election(at: Period) -> None:
    """Pay 2000 crowns a seat and 5000 per bloc's favourite (7.3, 7.4, 7.6, R18, R22)."""
    tables, held = at.tables, members(at.state, at.tables.districts)
    accounts = (f"{who} {d}" if is_independent(who) else who for d, who in held.items())
    seats = dict(Counter(accounts))
    loved = [(tables.blocs[bloc], unit) for bloc, unit in favourites(at).items()]
    each, more = tables.figures["per_seat"], tables.figures["favourite"]
    _credit(at, [(one, n * each, "seats in Parlement (7.3)") for one, n in seats.items()])
    _credit(at, [(unit, more, f"favourite of the {bloc} (7.4)") for bloc, unit in loved])
    told = {"seats": seats, "per_seat": each, "favourite": more, "favourites": dict(loved)}
    at.minutes.public("income", "7.3", **told)


def favourites(house: House) -> dict[str, str]:
    """Return the favourite of each bloc that has one: its every faction has at least the points of
    any other's (7.4). Independents are parties (R22)."""
    records = grouped((of_power(unit), house.points(unit)) for unit in house.factions())
    found = {}
    for bloc in house.tables.blocs:
        top = {party: max(record[bloc] for record in own) for party, own in records.items()}
        fit = [
            party
            for party, own in records.items()
            if all(
                record[bloc] >= n for record in own for other, n in top.items() if other != party
            )
        ]
        if len(fit) == 1:
            found[bloc] = fit[0]
    return found


def settle_payments(at: Period, *, held: bool = False) -> None:
    """Settle due cheques and payments, prorated if short (house rules 11, 12, R27). ``held``: they
    wait for the interregnum's end (R1)."""
    now = at.state.period
    cheques = {(c.payer, c.payee, c.period): c for c in at.state.cheques}
    for seat, order in at.sent(at.orders, o.Pay):
        when = order.period if order.period > now else 0
        if not when:  # uses the slot of a cheque post-dated to this period
            cheques.pop((seat, order.payee, now), None)
        cheques[seat, order.payee, when] = Cheque(seat, order.payee, order.amount, when)
    waiting = sorted(
        (c for c in cheques.values() if c.amount), key=lambda c: (c.period, c.payer, c.payee)
    )
    promised = Counter[tuple[str, str]]()
    for cheque in waiting:
        if cheque.period <= now and not held:
            promised[cheque.payer, cheque.payee] += cheque.amount
    paid = prorated(promised, at.state.accounts.balances)
    at.pay(*(Payment(now, *pair, n, "payment") for pair, n in sorted(paid.items())))
    for (payer, payee), n in sorted(promised.items()):
        if (got := paid[payer, payee]) < n:
            at.minutes.private("short", "R27", [payer], payee=payee, promised=n, paid=got)
    later = tuple(cheque for cheque in waiting if held or cheque.period > now)
    at.state = replace(at.state, cheques=later)


def prorated(
    promised: Mapping[tuple[str, str], int], balances: Mapping[str, int]
) -> dict[tuple[str, str], int]:
    """Return what can be paid of {(payer, payee): crowns}: the greatest solution in whole crowns,
    circles included (R27)."""
    owed = Counter[str]()
    for (payer, _), n in promised.items():
        owed[payer] += n
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


def statements(at: Period) -> None:
    """Tell each player their changed account (house rule 10)."""
    accounts = at.state.accounts
    for seat in at.state.seats:
        lines = [
            {
                "with": e.payee if e.payer == seat else e.payer,
                "amount": -e.amount if e.payer == seat else e.amount,
                "purpose": e.purpose,
            }
            for e in accounts.of(seat)
        ]
        if lines:
            told = {"lines": lines, "balance": accounts.balance(seat)}
            at.minutes.private("statement", "R30", [seat], **told)
