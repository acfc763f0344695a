"""WHY N2, WHY W Soc: how a district's last count, or a party's record with a bloc, came about.

Public facts only. ``why(state, tables, words)`` gives plain text, each step with its paragraph.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pbem.games.parlement_1968.names import Names
from pbem.games.parlement_1968.state import BlocCount, Count, State
from pbem.games.parlement_1968.steps.house import better, factions, is_independent, party_of, points
from pbem.games.parlement_1968.tables import Tables
from pbem.games.parlement_1968.views import sheet_order
from pbem.orders.order import Problem
from pbem.orders.spelling import is_number
from pbem.text import figure, listed, wrap

HELP = "Ask WHY and a district (WHY N2), or WHY, a bloc and a party (WHY W Soc)."


def why(state: State, tables: Tables, words: str) -> str:
    """The explanation of a district's last count, or of a record with a bloc; says what can be
    asked if neither."""
    names, asked = Names(tables), words.replace(",", " ").split()
    asked = asked[1:] if asked and asked[0].upper() == "WHY" else asked
    if len(asked) == 1 and asked[0].upper() in tables.rank:
        return _district(state, tables, asked[0].upper())
    if len(asked) in (2, 3):
        for bloc, party in ((asked[0], " ".join(asked[1:])), (asked[-1], " ".join(asked[:-1]))):
            key = names.find("bloc", bloc)
            if not isinstance(key, Problem) and (units := _units(state, tables, names, party)):
                return "\n\n".join(_record(state, tables, key, unit) for unit in units)
    return HELP


def _units(state: State, tables: Tables, names: Names, word: str) -> list[str]:
    """The factions of a party, one faction, or an independent member ("Ind-W N2")."""
    known = list(factions(state, tables))
    exact = [unit for unit in known if unit.casefold() == word.casefold()]
    full = names.full_faction(word)
    if not exact and not isinstance(full, Problem):
        exact = [unit for unit in known if unit == full]
    party = names.spelt("party", word)
    return exact or [unit for unit in known if party_of(unit) == party]


def _district(state: State, tables: Tables, district: str) -> str:
    count = state.counts.get(district)
    if count is None:
        return f"No ballot has been held in {district} yet."
    lines = [
        f"{district} ({tables.regions[tables.region(district)]}), {count.ballot} of session"
        f" {count.session}:"
    ]
    if not count.blocs:
        lines.append("Only the tally is on record.")
    for bloc, voted in count.blocs.items():
        lines += _bloc(tables, bloc, voted, count)
    for name, n in count.incumbency.items():
        cabinet = n > tables.figures["incumbent_votes"]
        lines.append(
            f"{name}: {n:,} votes as incumbent{' in the Cabinet' if cabinet else ''} [8.16]."
        )
    lines += [f"{name}: {n:,} votes bought [8.17, 8.21]." for name, n in count.bought.items()]
    ranked = sorted(
        count.tally.items(), key=lambda pair: (-pair[1], tables.candidate_name(pair[0]))
    )
    lines.append("Together: " + ", ".join(f"{name} {_votes(n)}" for name, n in ranked) + ".")
    lines.append(_verdict(district, count))
    return "\n".join(wrap(line) for line in lines)


def _votes(n: Fraction) -> str:
    exact = figure(n)
    return exact if Fraction(n).denominator == 1 else f"{exact} ({Fraction(n)})"


def _bloc(tables: Tables, bloc: str, voted: BlocCount, count: Count) -> list[str]:
    """One bloc: the points of the candidates, the lead, and what each gets."""
    name = tables.blocs[bloc]
    stars = ", ".join(
        f"{who} {n}{'' if better(n, count.bills) else '*'}" for who, n in voted.points.items()
    )
    lines = [f"{name}, {voted.votes:,} votes. Points: {stars}."]
    shares = ", ".join(f"{who} {_votes(n)}" for who, n in voted.shares.items())
    if voted.rule == "8.15":
        lines.append(f"* {voted.by} controls the bloc and instructs it: {shares} [8.15].")
    elif voted.rule == "8.7":
        lines.append(
            f"* Nobody else is better than 25%, so all go to its own independent: {shares} [8.7,"
            " R23]."
        )
    else:
        lines.append(f"* {_lead(voted.points, voted.shares, count.bills)} {shares} [8.14].")
    return lines


def _lead(have: Mapping[str, int], shares: Mapping[str, Fraction], bills: int) -> str:
    best = max(have.values())
    first = [who for who, n in have.items() if n == best]
    if len(first) > 1:
        return f"{listed(first)} tie for first and share evenly:"
    rest = [n for n in have.values() if n < best]
    if not rest:
        return f"{first[0]} stands alone:"
    second = max(rest)
    if not better(second, bills):
        return f"{first[0]} leads, and nobody else is better than 25% of {bills} bills:"
    percent = min(100, 50 + 10 * (best - second))
    tied = " shared by the second evenly" if len(shares) > 2 else ""
    return f"{first[0]} leads by {best - second}: {percent}%, the rest{tied or ' to the second'}:"


def _verdict(district: str, count: Count) -> str:
    total = sum(count.tally.values(), Fraction(0))
    if not count.winner:
        return f"Nobody has more than half of {_votes(total)}: a runoff [8.18]."
    if count.rule == "8.18":
        return f"{count.winner} has more than half of {_votes(total)} and is elected [8.18]."
    if count.rule == "8.22":
        return f"{count.winner} has most votes and is elected [8.22]."
    place = "first" if int("".join(c for c in district if is_number(c))) % 2 else "last"
    return f"A tie: {count.winner}, {place} by name in this district, is elected [8.23]."


def _record(state: State, tables: Tables, bloc: str, unit: str) -> str:
    """A record line by line: how the unit voted, how the bloc stood, what that was worth."""
    rows = [f"{unit} with the {tables.blocs[bloc]}:"]
    for line, entry in sheet_order(tables, state.sheets.get(unit, {})).items():
        got = entry.points.get(bloc, 0)
        if line == "start":
            rows.append(
                f"  {got:3}  at the start of the session [{'6.6' if state.session == 1 else '6.5'}]"
            )
            continue
        bill = line.removeprefix("bill ")
        stand = (
            tables.bills[bill] if line.startswith("bill ") else tables.items[line.split()[-1]]
        ).stands[bloc]
        rows.append(
            f"  {got:3}  {_what(line)}: "
            f"voted {_vote(entry.vote)}, the bloc stands {stand} {_rule(entry.vote, stand, got)}"
        )
    n = points(state, tables, unit)[bloc]
    mark = "better" if better(n, state.counted) else "not better"
    rows.append(f"  {n:3}  in all; {mark} than 25% of {state.counted} bills voted on [8.7]")
    if is_independent(unit):
        rows.append("       an independent votes as his bloc stands [5.5]")
    return "\n".join(rows)


def _what(line: str) -> str:
    first, second = line.split()
    return line if first == "bill" else f"Budget of year {first}, {second}"


def _vote(vote: str) -> str:
    return {"YES": "Yes", "NO": "No", "ABSTAIN": "nothing"}.get(vote, vote)


def _rule(vote: str, stand: str, got: int) -> str:
    if vote == "ABSTAIN":
        return "[6.3]"
    if got > 1 + stand.endswith("!"):
        return "[6.1], with the bonus of a balance of power [6.2]"
    return "[6.1]"
