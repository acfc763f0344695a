"""What follows from standing orders and from silence, and a form of what can be sent now: all by
what the seat knows (R30)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pbem.games.frame.events import Tell, grouped
from pbem.games.frame.ruleset import Offer
from pbem.games.parlement_1968 import orders as o
from pbem.games.parlement_1968 import state as s
from pbem.games.parlement_1968.state import State, Tables
from pbem.games.parlement_1968.steps.election import too_poor
from pbem.games.parlement_1968.steps.formation import same
from pbem.games.parlement_1968.steps.house import House, is_independent, party_of
from pbem.games.parlement_1968.steps.lists import default_list, without_expelled
from pbem.games.parlement_1968.steps.session import ballot, keep_on_file, request, right_vote
from pbem.orders.order import Order, Standing

Fact = tuple[str, str, Mapping[str, Any]]
"""Kind, paragraph and data of an event."""
Facts = Iterator[Fact]
T = TypeVar("T")


@dataclass
class Own(House):
    """A seat's position and orders."""

    seat: str
    standing: Standing

    @property
    def given(self) -> list[Order]:
        """Without standing votes."""
        orders = self.standing.values()
        return [x for x in orders if not (isinstance(x, o.Vote | o.VoteBudget) and x.standing)]

    def of(self, kind: type[T]) -> list[T]:
        return [order for order in self.given if isinstance(order, kind)]

    @property
    def regions(self) -> list[str]:
        """In capitals."""
        return [unit.partition("-")[2].upper() for unit in self.own_factions(self.seat)]

    def standing_there(self, districts: Sequence[str]) -> tuple[str, ...]:
        return without_expelled(self, self.seat, self.standing.values(), districts)

    @property
    def own_runoffs(self) -> list[str]:
        return [d for d in self.state.runoffs if self.seat in self.state.candidates.get(d, {})]

    @property
    def agenda(self) -> tuple[str, ...]:
        return self.state.program.agenda if self.state.program else ()


def advice(at: Own) -> Facts:
    for found in (_for_later, _government, _program, _votes, _offices, _lists, _ballot, _money):
        yield from found(at)


def _for_later(at: Own) -> Facts:
    """Report standing votes (house rule 9) and borrowed records (8.8)."""
    votes, standing = dict[str, dict[str, str]](), at.standing
    for x in standing.values():
        if isinstance(x, o.Vote) and x.standing:
            votes.setdefault(x.bill, {}).update(x.choices)
    budget = any(isinstance(x, o.VoteBudget) and x.standing for x in standing.values())
    if votes or budget:
        bills = [
            {"bill": bill, "votes": {f: c for f, c in said.items() if not f or c != said.get("")}}
            for bill, said in sorted(votes.items(), key=lambda one: int(one[0]))
        ]
        yield "kept_for_later", "H9", {"bills": bills, "budget": budget}
    for record in at.of(o.Record):
        region = at.tables.regions[at.tables.region_named(record.region)]
        yield "runs_on", "8.8", {"region": region, "unit": at.unit(at.seat, record.source)}


def _government(at: Own) -> Facts:
    """3.3, R1."""
    signs, mine = at.of(o.Sign), next(iter(at.of(o.Government)), None)
    number = next((p.number for p in at.state.proposals if mine and same(p, mine)), 0)
    if mine:
        yield _own_proposal(at, mine, number, signs)
    known = {p.number: p for p in at.state.proposals if at.seat in at.parties_named(p)}
    given = [x for x in signs if x.number and not x.withdraw]
    given = [x for x in given if not (mine and x.number == number)]
    signed = grouped((x.number, at.unit(at.seat, x.faction)) for x in given)
    backed = sorted({x.number for x in signs if x.withdraw})
    if backed:
        yield "backs_out", "H4", {"numbers": backed}
    for target, units in signed.items():
        wanted = at.own_named(known[target], at.seat) if target in known else []
        left = [unit for unit in wanted if unit not in units]
        why = at.dead(known[target]) if target in known else ""
        data = {"number": target, "units": units, "left": left, "dead": why}
        yield "signs", "R33" if why else "R1", data


def _own_proposal(at: Own, order: o.Government, number: int, signs: Sequence[o.Sign]) -> Fact:
    proposal = s.Proposal(number, order.members, order.endorsers, frozenset())
    behind = at.supporters(order.members.values(), order.endorsers)
    parties = {party_of(unit) for unit in behind} - {at.seat}
    own = [unit for unit in behind if party_of(unit) == at.seat]
    filed = {at.unit(at.seat, x.faction): x for x in signs}
    why = at.dead(proposal)
    data = {
        "total": sum(behind.values()),
        "majority": at.tables.majority,
        "independents": [unit for unit in behind if is_independent(unit)],
        "most": at.most_behind(proposal),
        "others": [party for party in at.tables.parties if party in parties],
        "number": number,
        "own": own,
        "signed": [
            unit
            for unit in own
            if unit in filed and not filed[unit].withdraw and filed[unit].number in (0, number)
        ],
        "dead": why,
    }
    return "stands_behind", "R33" if why else "3.3", data


def _program(at: Own) -> Facts:
    approved = [{"bill": x.bill} if x.bill else {"item": x.item} for x in at.of(o.Approve)]
    if approved:
        mine = at.premier == at.seat
        data = {"approved": approved, "premier": at.premier, "mine": mine}
        yield "approves", "R7" if mine else "4.2", data
    for order in at.of(o.Propose):
        struck = [bill for bill in dict.fromkeys(order.bills) if at.state.has_passed(bill)]
        asked = [("bill", bill, at.offices_for(bill)) for bill in order.bills if bill not in struck]
        low = [item for item, level in order.levels if level == "L"]
        asked += [("item", item, at.offices_for(item=item)) for item in low]
        wanting, vacant = [], []
        for kind, name, offices in asked:
            holders = {office: at.ministry(office) for office in offices}
            others = {office: party for office, party in holders.items() if party != at.seat}
            if "" in holders.values():
                vacant.append({kind: name})
            elif others:
                named = at.tables.offices
                told = [{"office": named[x].name, "party": others[x]} for x in others]
                wanting.append({kind: name, "ministers": told})
        if struck:
            yield "would_be_struck", "5.9", {"bills": struck}
        if vacant:
            yield "vacant_office", "R2", {"dropped": vacant}
        if wanting:
            yield "needs_approval", "4.2", {"wanting": wanting}
        elif not vacant and not struck:
            yield "needs_nobody", "R7", {}


def _votes(at: Own) -> Facts:
    tables, sizes = at.tables, at.own_factions(at.seat)
    rows: dict[str, list[dict[str, Any]]] = {}
    for order in at.given:
        if isinstance(order, o.Vote):
            region, said = order.choices[0]
            earned = right_vote(tables.bills[order.bill].stands, said)
            line = order.bill
        elif isinstance(order, o.VoteBudget):
            region, levels = order.groups[0]
            earned = dict.fromkeys(tables.blocs, 0)
            said, line = ", ".join(f"{item} {level}" for item, level in levels), ""
            for item, level in levels:
                for bloc, stand in tables.items[item].stands.items():
                    earned[bloc] += level == stand
        else:
            continue
        unit = at.unit(at.seat, region)
        points = {b: earned[b] for b in tables.blocs if earned.get(b)}
        row = {"unit": unit, "size": sizes.get(unit, 0), "vote": said, "points": points}
        rows.setdefault(line, []).append(row)
    for bill, told in rows.items():
        if bill:
            yield "vote_sheet", "6.1", {"bill": bill, "rows": told}
            if any(row["vote"] == "YES" for row in told):
                yield "may_earn_more", "6.2", {"bill": bill}
        else:
            yield "budget_sheet", "6.1", {"rows": told}


def _offices(at: Own) -> Facts:
    """3.7, 3.8, 8.1, 1.8."""
    state, tables = at.state, at.tables
    for order in at.given:
        match order:
            case o.Resign():
                office = tables.offices[order.office].name
                if state.phase in (*s.ELECTION, "candidates"):
                    yield "would_empty", "R5", {"office": office}
                elif order.office == tables.premier:
                    yield "would_fall", "3.7", {"falls": state.falls + 1}
                else:
                    yield "would_empty", "R4", {"office": office}
            case o.Reshuffle():
                asked = {order.party, at.ministry(order.office)} - {at.premier, "", at.seat}
                data = {
                    "office": tables.offices[order.office].name,
                    "member": f"{order.party} {order.district}",
                    "asked": sorted(asked),
                    "mine": order.consent,
                    "premier": at.premier,
                }
                yield "needs_consent", "R3", data
            case o.Call():
                late = state.phase == "bill" and len(at.agenda) == 1
                yield "lists_then", "R12", {"year": state.year + late, "late": late}
            case o.Expel():
                unit = at.unit(at.seat, order.faction)
                waits = state.phase in s.ELECTION
                rule = "R16" if waits or state.phase == "candidates" else "1.8"
                data = {
                    "unit": unit,
                    "size": at.own_factions(at.seat).get(unit, 0),
                    "bloc": at.affiliation(unit, tables.region_named(order.faction)),
                    "when": "later" if waits else "now" if state.phase == "formation" else "end",
                }
                yield "would_leave", rule, data


def _lists(at: Own) -> Facts:
    state, tables = at.state, at.tables
    if gone := [x.district for x in at.of(o.Withdraw)]:
        yield "fee_lost", "8.19", {"districts": s.spans(gone, tables)}
    for order in at.of(o.Candidates):
        announced, stand = state.announced.get(at.seat, ()), order.districts
        if state.phase == "candidates":
            stand = at.standing_there(stand)
        told = {*stand, *announced}
        data = {"districts": s.spans(told, tables), "candidates": len(told)}
        if state.phase != "candidates":
            yield "list_is_sealed", "R20", data
            continue
        crowns = len([d for d in stand if d not in announced]) * tables.figures["filing_fee"]
        yield "list_comes_to", "7.5", {**data, "crowns": crowns, "announced": len(announced)}
        if left := [d for d in at.standing_there(default_list(at, at.seat)) if d not in told]:
            yield "not_put_up", "8.11", {"districts": s.spans(left, tables)}


def _ballot(at: Own) -> Facts:
    tables, cap, bought = at.tables, at.tables.figures["bought_votes"], []
    for spent in at.of(o.Spend):
        who = tables.candidate_named(spent.candidate)
        room = max(0, cap - at.state.bought.get(spent.district, {}).get(who, 0))
        bought.append([who, spent.district, spent.amount, min(spent.amount, room)])
    if bought:
        yield "votes_bought", "8.17", {"bought": bought, "cap": cap}
    blocs = [(x.bloc, x.where, tables.candidate_named(x.candidate)) for x in at.of(o.Bloc)]
    told = grouped(((bloc, who, too_poor(at, bloc, d, who)), d) for bloc, d, who in blocs)
    for (bloc, who, poor), districts in told.items():
        data = {"bloc": bloc, "candidate": who, "districts": s.spans(districts, tables)}
        yield ("would_not_obey" if poor else "would_obey"), "8.15", data


def _money(at: Own) -> Facts:
    """Take the own orders off the last notice (house rule 10, R27)."""
    state, paid = at.state, {x.payee: x.amount for x in at.of(o.Pay) if not x.period}
    for x in at.of(o.Pay):
        if x.period:
            data = {"payee": x.payee, "amount": x.amount, "period": x.period}
            yield "cheque_later", "H11", data
    if state.options["private_treasury_notices"] != "on":
        return
    for cheque in state.cheques:
        if cheque.payer == at.seat and cheque.period <= state.period:
            paid.setdefault(cheque.payee, cheque.amount)
    announced = state.announced.get(at.seat, ())
    lists = at.of(o.Candidates) if state.phase == "candidates" else []
    listed = [d for x in lists for d in at.standing_there(x.districts) if d not in announced]
    fees = at.tables.figures["filing_fee"] * (len(listed) + len(at.of(o.Announce)))
    spent = sum(x.amount for x in at.of(o.Spend))
    balance = state.accounts.balance(at.seat)
    left = balance - sum(paid.values()) - fees - spent
    data = {"balance": balance, "paid": sum(paid.values()), "fees": fees, "spent": spent}
    yield "would_be_left", "H10", {**data, "left": left}
    if left < 0:
        yield "would_be_short", "R27", {"short": -left}


def silence(state: State, tables: Tables, seat: str, standing: Standing, tell: Tell) -> None:
    at = Own(keep_on_file(state, tables, {seat: standing}), tables, seat, standing)
    _of_phase(at, tell)
    if asked := request(at, seat):
        tell("asked_standing", "H9", bills=asked.bills, budget=asked.budget)


def cheques_due(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    """Tell cheques that fall due; a payment now to the same payee replaces one (H11)."""
    payments = [
        one for one in standing.values() if isinstance(one, o.Pay) and one.period <= state.period
    ]
    paid_now = {one.payee for one in payments}
    due = [
        cheque
        for cheque in state.cheques
        if cheque.payer == seat and cheque.period == state.period and cheque.payee not in paid_now
    ]
    total = sum(one.amount for one in due) + sum(one.amount for one in payments)
    short = total > state.accounts.balance(seat)
    for cheque in due:
        tell("cheque_due", "H11", payee=cheque.payee, amount=cheque.amount, short=short)


def _of_phase(at: Own, tell: Tell) -> None:
    match at.state.phase:
        case "formation":
            _formation(at, tell)
        case "program" if at.premier == at.seat:
            tell("without_program", "R7", budget=not at.state.budget_passed)
        case "program":
            bills, items = _controlled(at)
            if bills or items:
                tell("unapproved", "R7", bills=bills, items=items)
        case "budget":
            _budget(at, tell)
        case "bill":
            _bill(at, tell)
        case "candidates":
            _bill(at, tell)
            _list(at, tell)
        case "withdrawals":
            if own := at.own_runoffs:
                tell("stand_on", "8.19", districts=s.spans(own, at.tables))
        case _:
            tell("no_money", "8.17")
            for bloc, held in at.controls().items():
                if held.party == at.seat:
                    tell("no_instruction", "8.14", bloc=bloc)


def _formation(at: Own, tell: Tell) -> None:
    tell("not_signed", "R1")
    for proposal in at.state.proposals:
        if mine := [u for u in at.own_named(proposal, at.seat) if u in proposal.signed]:
            why = at.dead(proposal)
            rule = "R33" if why else "H4"
            tell("stays_signed", rule, number=proposal.number, units=mine, dead=why)


def _voted(at: Own, unit: str, item: str, slot: str) -> str:
    orders = {at.seat: at.standing}
    return ballot(at.state, orders, at.seat, at.region_of(unit), item, slot)


def _budget(at: Own, tell: Tell) -> None:
    items = at.tables.items
    alike = grouped(
        (tuple((item, _voted(at, unit, item, "VOTE BUDGET")) for item in items), unit)
        for unit in at.own_factions(at.seat)
    )
    for levels, units in alike.items():
        if all(level == "ABSTAIN" for _, level in levels):
            tell("abstains_budget", "R10", units=units, whole=len(alike) == 1)
        else:
            tell("stands_budget", "H9", units=units, levels=dict(levels))


def _bill(at: Own, tell: Tell) -> None:
    """5.2, house rule 9."""
    for bill in at.agenda[:1]:
        own = at.own_factions(at.seat)
        alike = grouped((_voted(at, unit, bill, f"VOTE {bill}"), unit) for unit in own)
        for choice, units in alike.items():
            if choice == "ABSTAIN":
                tell("abstains", "R10", units=units, bill=bill, whole=len(alike) == 1)
            else:
                tell("stands", "H9", units=units, bill=bill, choice=choice)


def _list(at: Own, tell: Tell) -> None:
    if at.seat in at.state.sealed:
        sealed = at.standing_there(at.state.sealed[at.seat])
        tell("sealed_list", "R20", districts=s.spans(sealed, at.tables))
        return
    held = at.standing_there(default_list(at, at.seat))
    if held:
        wanted = [d for d in held if d not in at.state.announced.get(at.seat, ())]
        fees = len(wanted) * at.tables.figures["filing_fee"]
        told = {"districts": s.spans(held, at.tables), "fees": fees}
        tell("put_up_again", "R28", **told, short=fees > at.state.accounts.balance(at.seat))
    else:
        tell("nobody_put_up", "R28")


_CROWNS = ("1000", "500")
_CHOICES = ("YES", "NO", "ABSTAIN")
_LEVELS = ("H", "L", "ABSTAIN")


def offers(at: Own) -> Iterator[Offer]:
    for part in (*_FORMS[at.state.phase], _form_offices, _party):
        yield from part(at)


def _offer(kind: str, *fills: Iterable[str], **data: Any) -> Offer:
    return Offer(kind, tuple(tuple(words) for words in fills), data)


def _people(at: Own) -> list[str]:
    """Return a member of each party as orders name them, the own first."""
    found: dict[str, str] = {}
    for district, holder in s.members(at.state, at.tables.districts).items():
        if not is_independent(holder):
            found.setdefault(holder, f"{holder} {district}")
    return [found[party] for party in sorted(found, key=lambda party: (party != at.seat, party))]


def _form_formation(at: Own) -> Iterator[Offer]:
    """R1."""
    regions = at.regions
    if not regions:
        return
    known = [p for p in at.state.proposals if at.own_named(p, at.seat)]
    alive = [p for p in known if not at.dead(p)]
    later = [str(at.state.proposed + n) for n in (1, 2, 3)]
    numbers = [str(p.number) for p in alive] or later
    if alive or not known:
        yield replace(_offer("sign", numbers, known=bool(known)), few=bool(known))
        named = at.own_named(alive[0], at.seat) if alive else []
        own = [one for one in regions if not alive or at.unit(at.seat, one) in named]
        if len(own) > 1:
            yield _offer("sign_one", numbers[:1], own)
        yield replace(_offer("back_out", numbers), few=bool(known))
    offices = [key.upper() for key in at.tables.offices]
    people = [_people(at)] * len(offices)
    yield _offer("government", *people, at.own_factions(at.seat), offices=offices)


def _form_program(at: Own) -> Iterator[Offer]:
    if at.premier == at.seat:
        open_bills = [bill for bill in at.tables.bills if not at.state.has_passed(bill)]
        several = [", ".join(open_bills[:2])] if len(open_bills) > 1 else []
        words = [*several, *open_bills[:1], "NONE"]
        if at.state.budget_passed:
            yield _offer("program_bills", words)
        else:
            items = [item.upper() for item in at.tables.items]
            yield _offer("program", *[("H", "L") for _ in items], words, items=items)
        return
    bills, _ = _controlled(at)
    if bills:
        yield _offer("approve_bill", bills, bills=bills)
    yield from _approve_items(at)


def _controlled(at: Own) -> tuple[list[str], list[str]]:
    """Return the open bills and items that need the approval of a minister of this party (4.2)."""
    own = [office for key, office in at.tables.offices.items() if at.ministry(key) == at.seat]
    bills = {bill for office in own for bill in office.bills}
    items = {office.item for office in own if not at.state.budget_passed}
    left = [bill for bill in at.tables.bills if bill in bills and not at.state.has_passed(bill)]
    return left, [item for item in at.tables.items if item in items]


def _approve_items(at: Own) -> Iterator[Offer]:
    own = [item.upper() for item in _controlled(at)[1]]
    if own:
        yield _offer("approve_item", own, items=own)


def _form_budget(at: Own) -> Iterator[Offer]:
    """5.3, 5.7."""
    regions, items = at.regions, [item.upper() for item in at.tables.items]
    levels = [_LEVELS for _ in items]
    if regions:
        yield _offer("vote_budget", *levels, items=items)
    if len(regions) > 1:
        yield _offer("vote_budget_one", regions, *levels, items=items)
    if at.state.program and at.state.program.again and at.state.government:
        if at.premier == at.seat:
            yield _offer("change_budget", *[("H", "L") for _ in items], items=items)
        else:
            yield from _approve_items(at)


def _form_bill(at: Own) -> Iterator[Offer]:
    regions = at.regions
    for bill in at.agenda[:1] if regions else ():
        yield _offer("vote", _CHOICES, bill=bill)
        if len(regions) > 1:
            yield _offer("vote_one", regions, _CHOICES, bill=bill)


def _form_list(at: Own) -> Iterator[Offer]:
    tables, held = at.tables, default_list(at, at.seat)
    kind = "candidates" if at.state.phase == "candidates" else "sealed"
    words = [s.spans(held, tables)] if held else []
    yield _offer(kind, [*words, tables.districts[0], "NONE"])
    own = at.own_factions(at.seat)
    elsewhere = [r.upper() for r in tables.regions if f"{at.seat}-{r}" not in own]
    lending = [r.upper() for r in tables.regions if at.lawful_record(at.seat, r)]
    if elsewhere and len(lending) > 1:
        yield _offer("record", elsewhere, lending)


def _money_and_blocs(at: Own) -> Iterator[Offer]:
    """8.15, 8.17."""
    contested = at.tables.districts if at.state.phase == "ballot" else at.state.runoffs
    held = {d: list(at.state.candidates.get(d, {})) for d in contested}
    if found := _candidate_and_place(held, at.seat):
        yield _offer("spend", _CROWNS, *found)
    for bloc, control in at.controls().items():
        reached = {d: who for d, who in held.items() if at.tables.region_of[d] in control.regions}
        if control.party == at.seat and (found := _candidate_and_place(reached, at.seat)):
            yield _offer("bloc", found[1], found[0], bloc=bloc)


def _candidate_and_place(
    held: Mapping[str, Sequence[str]], seat: str
) -> tuple[list[str], list[str]] | None:
    first = next((d for d, who in held.items() if seat in who), next(iter(held), None))
    if first is None or not held[first]:
        return None
    who = sorted(held[first], key=lambda name: name != seat)
    places = [d for d, standing in held.items() if who[0] in standing and d != first]
    return [o.written(name) for name in who], [first, *places]


def _withdrawals(at: Own) -> Iterator[Offer]:
    if own := at.own_runoffs:
        yield _offer("withdraw", own, districts=s.spans(own, at.tables))


def _form_offices(at: Own) -> Iterator[Offer]:
    if at.state.government is None:
        return
    state, premier = at.state, at.premier == at.seat
    mine = [office.upper() for office in at.tables.offices if at.ministry(office) == at.seat]
    if state.phase in s.SESSION:
        posts = [office.upper() for office in at.tables.offices if office != at.tables.premier]
        own = default_list(at, at.seat)
        if premier and posts:
            yield _offer("reshuffle", posts, _people(at))
        elif own and posts:
            yield _offer("consent", posts, [f"{at.seat} {own[0]}"])
    if premier and state.phase in ("program", "budget", "bill") and not state.call_year:
        yield _offer("call", ["ELECTION"])
    if mine and state.phase in (*s.SESSION, *s.ELECTION):
        yield _offer("resign", mine, premier=premier)


def _party(at: Own) -> Iterator[Offer]:
    state, tables, regions = at.state, at.tables, at.regions
    yield _offer("pay", _CROWNS, [party for party in tables.parties if party != at.seat])
    if regions and state.phase in ("formation", *s.SESSION[:-1]):
        bills = [b for b in tables.bills if not state.has_passed(b) and b not in at.agenda[:1]]
        if bills:
            yield _offer("standing", bills, (*_CHOICES, "NONE"))
        if not state.budget_passed:
            items = [item.upper() for item in tables.items]
            yield _offer("standing_budget", *[_LEVELS for _ in items], items=items)
    if state.phase in ("formation", "program", "budget", "bill"):
        yield from _form_list(at)
        announced = state.announced.get(at.seat, ())
        free = [d for d in tables.districts if d not in announced]
        free.sort(key=lambda district: state.holders.get(district) != at.seat)
        if free:
            yield _offer("announce", free[:5])
    if regions:
        yield _offer("expel", regions)


_FORMS: Mapping[str, Sequence[Callable[[Own], Iterator[Offer]]]] = {
    "formation": [_form_formation],
    "program": [_form_program],
    "budget": [_form_budget],
    "bill": [_form_bill],
    "candidates": [_form_bill, _form_list],
    "ballot": [_money_and_blocs],
    "withdrawals": [_withdrawals],
    "runoff": [_money_and_blocs],
}
