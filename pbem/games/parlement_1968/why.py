"""Answers to WHY, in steps with paragraphs, from what the seat knows."""

from collections.abc import Iterator
from fractions import Fraction

from pbem.games.frame import codec
from pbem.games.frame.events import Event, grouped
from pbem.games.frame.ruleset import Asker, Reasons, alone, ends
from pbem.games.parlement_1968.state import BlocCount, Count, Names, State
from pbem.games.parlement_1968.steps.house import House, better, is_independent, of_power, party_of
from pbem.games.parlement_1968.views import sheet_order
from pbem.orders.order import Problem
from pbem.orders.spelling import is_number

Asking = Asker[State]
Steps = Iterator[Event]
_HOW = {"8.15": "ordered", "8.7": "own"}
_STATEMENTS = 3


def questions(asker: Asking) -> list[str]:
    state, tables, seat = asker.state, asker.tables, asker.seat
    units = House(state, tables).factions()
    own = [unit for unit in units if seat in (None, "" if is_independent(unit) else party_of(unit))]
    return [
        *ends("VOTE ", sorted(state.bills, key=int)),
        *ends("DISTRICT ", [d for d in tables.districts if d in state.counts]),
        *ends("RECORD ", own),
        *ends("BLOC ", list(tables.blocs)),
        *(["VOTE BUDGET"] if state.budget else []),
        *(["GOVERNMENT"] if state.government is not None else []),
        *(["MONEY"] if _knows_money(asker) else []),
    ]


def _knows_money(asker: Asking) -> bool:
    """House rule 10."""
    return bool(asker.seat) and asker.state.options["private_treasury_notices"] == "on"


def _vote(asker: Asking, words: str) -> Steps:
    state, tables = asker.state, asker.tables
    bill = words.removeprefix("BILL ").removeprefix("NUMBER ")
    if bill == "BUDGET":
        yield from _budget(asker)
    if bill not in tables.bills or bill not in state.bills:
        return
    heard = [one for one in asker.events("bill_vote") if one.data["bill"] == bill]
    yield from heard or [asker.step("bill_voted", "5.6", bill=bill)]
    yield asker.step("needed", "5.6", quorum=tables.quorum)
    earned = {
        unit: {bloc: n for bloc in tables.blocs if (n := line.points.get(bloc))}
        for unit in House(state, tables).factions()
        if (line := state.sheets.get(unit, {}).get(f"bill {bill}"))
    }
    if earned:
        yield asker.step("earned", "6.1", earned=earned)


def _budget(asker: Asking) -> Steps:
    state, year = asker.state, asker.state.budget_year
    heard = [one for one in asker.events("budget_vote") if one.data["year"] == year]
    yield from heard[-1:]
    if state.budget:
        if not heard:
            rule = "5.6" if state.budget_passed else "5.7"
            yield asker.step("budget_voted", rule, year=year)
        yield asker.step("needed", "5.6", quorum=asker.tables.quorum)


def _government(asker: Asking) -> Steps:
    yield from asker.events("installed", "fall", "reshuffle", "resigned", since=["installed"])
    if asker.state.government is not None:
        yield asker.step("in_office", "3.1")


def _money(asker: Asking) -> Steps:
    if _knows_money(asker):
        for event in asker.events("account", "statement")[-_STATEMENTS:]:
            yield asker.step(f"{event.kind}_then", event.rule, **event.data)
        balance = asker.state.accounts.balance(str(asker.seat))
        yield asker.step("treasury_now", "H10", balance=balance)


def _bloc(asker: Asking, words: str) -> Steps:
    house, tables = House(asker.state, asker.tables), asker.tables
    bloc = Names(tables).find("bloc", words)
    if isinstance(bloc, Problem):
        return
    rows = grouped((of_power(unit), house.points(unit)[bloc]) for unit in house.factions())
    ranked = sorted(rows.items(), key=lambda pair: (-min(pair[1]), pair[0]))
    told = [[party, min(n), max(n)] for party, n in ranked]
    yield asker.step("bloc_points", "6.1", bloc=bloc, rows=told)
    yield asker.step("bloc_favourite", "7.4", bloc=bloc)
    yield asker.step("bloc_control", "8.15", bloc=bloc, lead=tables.figures["control_lead"])


def _records(asker: Asking, words: str) -> Steps:
    """Explain RECORD Soc-Cap, Soc, Soc W or W Soc."""
    first, _, rest = words.partition(" ")
    before, _, last = words.rpartition(" ")
    known = list(asker.tables.blocs)
    for bloc, party in (("", words), (first, rest), (last, before)):
        key = Names(asker.tables).find("bloc", bloc) if bloc else ""
        units = _units(asker, party) if party and isinstance(key, str) else []
        for unit in units:
            yield from _record(asker, unit, [str(key)] if key else known)
        if units:
            return


def _units(asker: Asking, word: str) -> list[str]:
    known, names = list(House(asker.state, asker.tables).factions()), Names(asker.tables)
    full, party = names.full_faction(word), names.spelt("party", word)
    exact = [unit for unit in known if unit.casefold() == word.casefold()]
    exact = exact or [unit for unit in known if unit == full]
    return exact or [unit for unit in known if party_of(unit) == party]


def _record(asker: Asking, unit: str, blocs: list[str]) -> Steps:
    state, tables = asker.state, asker.tables
    for line, entry in sheet_order(tables, state.sheets.get(unit, {})).items():
        got = {bloc: entry.points.get(bloc, 0) for bloc in blocs}
        if line == "start":
            rule = "6.6" if state.session == 1 else "6.5"
            yield asker.step("record_start", rule, unit=unit, points=got)
            continue
        kind, _, key = line.partition(" ")
        stands = (tables.bills if kind == "bill" else tables.items)[key].stands
        bonus = any(n > 1 + stands[bloc].endswith("!") for bloc, n in got.items())
        yield asker.step(
            "record_line",
            "6.3" if entry.vote == "ABSTAIN" else "6.2" if bonus else "6.1",
            line=line,
            vote=entry.vote,
            points={bloc: n for bloc, n in got.items() if n},
            stands={bloc: stands[bloc] for bloc in blocs},
            bonus=bonus,
        )
    if is_independent(unit):
        yield asker.step("votes_as_bloc", "5.5", unit=unit)
    totals, bills = House(state, tables).points(unit), state.counted
    told = {"points": {bloc: totals[bloc] for bloc in blocs}, "bills": bills}
    poor = [bloc for bloc in blocs if not better(totals[bloc], bills)]
    yield asker.step("record_total", "8.7", unit=unit, poor=poor, **told)


def _district(asker: Asking, district: str) -> Steps:
    state, tables = asker.state, asker.tables
    count = state.counts.get(district)
    if count is None:
        return
    told = {"region": tables.regions[tables.region_of[district]], "blocs": bool(count.blocs)}
    told |= {"district": district, "ballot": count.ballot, "session": count.session}
    yield asker.step("count_head", "8.20" if count.ballot == "runoff" else "8.13", **told)
    for bloc, voted in count.blocs.items():
        yield _bloc_count(asker, bloc, voted, count)
    for name, n in count.incumbency.items():
        cabinet = n > tables.figures["incumbent_votes"]
        yield asker.step("count_incumbent", "8.16", name=name, votes=n, cabinet=cabinet)
    for name, n in count.bought.items():
        yield asker.step("count_bought", "8.17", name=name, votes=n)
    by_name = sorted(count.tally.items(), key=lambda pair: tables.candidate_name(pair[0]))
    ranked = sorted(by_name, key=lambda pair: -pair[1])
    yield asker.step(
        "count_verdict",
        count.rule or "8.18",
        tally=[[name, codec.number(n)] for name, n in ranked],
        total=codec.number(sum(count.tally.values(), Fraction(0))),
        winner=count.winner,
        how=count.rule,
        first=bool(int("".join(filter(is_number, district))) % 2),
    )


def _bloc_count(asker: Asking, bloc: str, voted: BlocCount, count: Count) -> Event:
    """8.7, 8.14, 8.15."""
    best = max(voted.points.values())
    first = [who for who, n in voted.points.items() if n == best]
    rest = [n for n in voted.points.values() if n < best]
    second = max(rest, default=0)
    alike = "tie" if len(first) > 1 else "" if rest else "alone"
    return asker.step(
        "count_bloc",
        voted.rule,
        bloc=bloc,
        votes=voted.votes,
        points=[[who, n, "" if better(n, count.bills) else "*"] for who, n in voted.points.items()],
        shares=[[who, codec.number(n)] for who, n in voted.shares.items()],
        how=_HOW.get(voted.rule) or alike or ("lead" if better(second, count.bills) else "poor"),
        by=voted.by,
        first=first,
        lead=best - second,
        bills=count.bills,
    )


REASONS = Reasons(
    questions,
    {
        "VOTE VOTES BILL": _vote,
        "BUDGET": alone(_budget),
        "DISTRICT SEAT": _district,
        "GOVERNMENT CABINET": alone(_government),
        "MONEY TREASURY ACCOUNT CROWNS BALANCE": alone(_money),
        "BLOC": _bloc,
        "RECORD FACTION PARTY": _records,
    },
    (_vote, _district, _bloc, _records),
)
