"""A house bot that plays to win: it signs what gives it an office, votes as its voters wish, and
keeps its factions together."""

from itertools import cycle

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat, grouped

SHORT = {"max_sessions": 2, "caretaker_after_days": 21, "budget_defeats_fall": 3}
"""Options that keep a game to an evening."""

_FEE, _USUAL, _SHARE = 1_000, 12_000, 0.6
"""A candidate's fee, what a treasury holds at first, and the share of it for candidates."""
_VOTES = 1_000  # the most that can be bought for a candidate, a crown each
_CALLS_AFTER = 2  # years after which a Premier calls the election


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if public["phase"] == "formation":
        return "\n".join(_formation(public, own, seat, chance)) or "PASS"
    act = _ACTS.get(public["phase"])
    return "\n".join(act(public, own, seat) if act else []) or "PASS"


def _region(faction: str) -> str:
    return faction.partition("-")[2].upper()


def _holders(public: Json) -> dict[str, list[str]]:
    """Return each party's sitting members by district."""
    held = grouped((seen["holder"], district) for district, seen in public["districts"].items())
    return {party: held[party] for party in held if party in public["parties"]}


def _formation(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Sign the first live proposal that names it; if there is none, propose one, above all in its
    turn."""
    live = sorted(one["number"] for one in own["proposals"] if not one.get("dead"))
    if live:
        return [f"SIGN GOVERNMENT {live[0]}"]
    ranked = sorted(public["parties"], key=lambda one: -public["seats"].get(one, 0))
    turn = ranked[(public["session"] + public["period"]) % len(ranked)]
    eager = turn == seat or not chance.below(len(ranked))
    if own["factions"] and eager and seat in _holders(public):
        return [_proposal(public, seat, chance)]
    return []


def _proposal(public: Json, seat: Seat, chance: Stream) -> str:
    """Propose a Government of neighbours, nearest first, with an office for each."""
    held, order = _holders(public), list(public["parties"])
    near = sorted(
        (one for one in chance.shuffled(list(held)) if one != seat),
        key=lambda one: abs(order.index(one) - order.index(seat)) + chance.below(2),
    )
    chosen, total = [seat], public["seats"][seat]
    for party in near:
        if total < public["majority"]:
            chosen.append(party)
            total += public["seats"][party]
    given = zip(public["offices"], cycle(chosen), strict=False)
    officers = [f"{office.upper()} {party} {held[party][0]}" for office, party in given]
    units = [unit for unit in public["factions"] if unit.split("-")[0] in chosen]
    return f"GOVERNMENT {', '.join(officers)}; ENDORSED BY {', '.join(units)}"


def _mine(public: Json, seat: Seat) -> list[str]:
    """Return the offices that the seat holds."""
    return [
        office
        for office, member in (public["government"] or {}).items()
        if member and member.split()[0] == seat
    ]


def _wish(public: Json, unit: str, line: str) -> str:
    """Return what a faction's voters wish of a bill or item: by their number in its region, and
    most of all those whose favourite it is, or nearly."""
    region, weight = unit.partition("-")[2], dict[str, float]()
    for bloc, said in public["stands"][line].items():
        row = public["records"].get(bloc, {})
        best = max((n for other, n in row.items() if other != unit), default=0)
        near = 1.0 + 3 * (row.get(unit, 0) >= best - 2) + ("!" in said) / 2
        votes = public["bloc_votes"].get(bloc, {}).get(region, 0) * near
        weight[said[0]] = weight.get(said[0], 0) + votes
    return max(weight, key=lambda one: (weight[one], one))


def _votes(public: Json, line: str, wish: str) -> int:
    """Return how many members would vote so if all vote as their voters wish."""
    units = [unit for unit in public["factions"] if _wish(public, unit, line) == wish]
    return sum(public["factions"][unit] for unit in units)


def _level(public: Json, unit: str, item: str) -> str:
    """Return the level that the Premier's voters wish, or the other if it has just failed."""
    last = public["budget"].get(item, {})
    if last and not public["budget_passed"]:
        flip = {"H": "L", "L": "H"}
        return str(last["level"] if last["passed"] else flip[last["level"]])
    return _wish(public, unit, item)


def _biggest(own: Json) -> str:
    return str(max(own["factions"], key=lambda one: (own["factions"][one], one), default=""))


def _program(public: Json, own: Json, seat: Seat) -> list[str]:
    mine, lines, unit = _mine(public, seat), list[str](), _biggest(own)
    partners = {member.split()[0] for member in public["government"].values() if member}
    held = sum(public["seats"].get(party, 0) for party in partners)
    if "premier" in mine and held < public["majority"]:  # beaten, as after an election
        return ["RESIGN PREMIER"]
    if "premier" in mine and unit:
        left = [
            line.split()[1]
            for line in public["stands"]
            if line.startswith("bill ")
            and not public["bills"].get(line.split()[1], {}).get("passed")
        ]
        good = [bill for bill in left if _wish(public, unit, f"bill {bill}") == "Y"]
        good = [bill for bill in good if _votes(public, f"bill {bill}", "Y") >= public["majority"]]
        bills = f"BILLS {', '.join(good[:3])}" if good else ""
        levels = ", ".join(
            f"{item.upper()} {_level(public, unit, item)}" for item in public["items"]
        )
        if public["budget_passed"]:
            lines.append(f"PROGRAM {bills or 'NONE'}")
        else:
            lines.append("; ".join(filter(None, (f"PROGRAM {levels}", bills))))
        if public["year"] > _CALLS_AFTER:
            lines.append("CALL ELECTION")
    for office in mine:
        lines += [f"APPROVE BILL {bill}" for bill in public["offices"][office]["bills"]]
        if item := public["offices"][office]["item"]:
            lines.append(f"APPROVE {item.upper()} L")
    return lines


def _budget(public: Json, own: Json, seat: Seat) -> list[str]:
    """Vote for the Government's Budget in it, else as the voters wish."""
    proposed, lines = public["program"]["levels"], []
    for unit in own["factions"]:
        levels = [
            f"{item.upper()} {proposed[item] if _mine(public, seat) else _wish(public, unit, item)}"
            for item in public["items"]
        ]
        lines.append(f"VOTE BUDGET {_region(unit)} {', '.join(levels)}")
    return lines


def _bill(public: Json, own: Json, seat: Seat) -> list[str]:
    """Vote for the Government's bill as Premier, else as the voters of each faction wish."""
    if not public["program"] or not public["program"]["bills"]:
        return []
    bill = public["program"]["bills"][0]
    premier = "premier" in _mine(public, seat)
    votes = {"Y": "YES", "N": "NO"}
    return [
        f"VOTE {bill} {_region(unit)}"
        f" {'YES' if premier else votes[_wish(public, unit, f'bill {bill}')]}"
        for unit in own["factions"]
    ]


def _purse(own: Json) -> int:
    return int(own["treasury"]) if own["treasury"] is not None else _USUAL


def _hopes(public: Json, seat: Seat, district: str) -> float:
    """Return how well the seat stands in a district: whether it holds it, and its bloc there."""
    seen = public["districts"][district]
    tally = {name: votes for name, votes in seen["tally"].items() if isinstance(votes, int | float)}
    best = max((votes for name, votes in tally.items() if name != seat), default=0)
    record = 0.0
    for bloc, row in public["records"].items():
        region = next(name for name, all_ in public["regions"].items() if district in all_)
        size = public["bloc_votes"][bloc][region]
        mine = row.get(f"{seat}-{region}", 0)
        top = max(row.values(), default=0)
        record += size * (mine >= top and mine > 0)
    return float(5_000 * (seen["holder"] == seat) + tally.get(seat, 0) - best / 2 + record)


def _candidates(public: Json, own: Json, seat: Seat) -> list[str]:
    room = max(int(_purse(own) * _SHARE) // _FEE, 1)
    ranked = sorted(public["districts"], key=lambda d: (-_hopes(public, seat, d), d))
    lines = _bill(public, own, seat)
    lines.append(f"CANDIDATES {', '.join(ranked[:room])}")
    if own["factions"]:
        best = _region(_biggest(own))
        lines += [
            f"RECORD {region.upper()} AS {best}"
            for region in public["regions"]
            if f"{seat}-{region}" not in own["factions"]
        ]
    return lines


def _ballot(public: Json, own: Json, seat: Seat) -> list[str]:
    """Spend what is left where it stands well; give controlled blocs to its own candidates."""
    open_now = public["runoffs"] if public["phase"] == "runoff" else list(public["districts"])
    mine = [d for d in public["candidates"].get(seat, ()) if d in open_now]
    purse = _purse(own) if own["treasury"] is not None else int(_USUAL * (1 - _SHARE) / 2)
    room = {d: _VOTES - public["bought"].get(d, {}).get(seat, 0) for d in mine}
    close = sorted(
        (d for d in mine if room[d] >= 100), key=lambda d: (-_hopes(public, seat, d), d)
    )[: max(5, purse // _VOTES)]
    each = purse // max(len(close), 1) // 100 * 100
    lines = [f"SPEND {min(each, room[d])} ON {seat} IN {d}" for d in close] if each >= 100 else []
    for bloc, party in public["controls"].items():
        if party == seat:
            lines += [f"BLOC {bloc} IN {d} FOR {seat}" for d in mine]
    return lines


_ACTS = {
    "program": _program,
    "budget": _budget,
    "bill": _bill,
    "candidates": _candidates,
    "ballot": _ballot,
    "runoff": _ballot,
}
