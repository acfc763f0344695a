"""A house bot: legal, varied orders from what a seat may see."""

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.parlement_1968.bot import SHORT

__all__ = ["SHORT", "letter"]

VALUES = {
    "max_sessions": (1, 2, 3),
    "caretaker_after_days": (7, 14, 21, 28),
    "budget_defeats_fall": (2, 3, 4),
}
"""With these, games end in every way."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    phase = public["phase"]
    lines = _PHASES[phase](public, own, seat, chance) if phase in _PHASES else []
    lines += _always(public, own, seat, chance)
    return "\n".join(lines) or "PASS"


def _always(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    others = [party for party in public["parties"] if party != seat]
    if not chance.below(5):
        later = f" IN PERIOD {public['period'] + chance.below(3)}" if not chance.below(3) else ""
        lines.append(f"PAY {500 * chance.below(8)} TO {chance.choice(others)}{later}")
    if not chance.below(60) and own["factions"]:
        lines.append(f"EXPEL {_region(chance.choice(sorted(own['factions'])))}")
    if not chance.below(12):
        lines.append(
            f"STANDING VOTE {chance.choice(sorted(_bills(public)))}"
            f" {chance.choice(('YES', 'NO', 'ABSTAIN'))}"
        )
    return lines


def _region(faction: str) -> str:
    return faction.partition("-")[2].upper()


def _bills(public: Json) -> list[str]:
    return [line.split()[1] for line in public["stands"] if line.startswith("bill ")]


def _formation(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    seen = sorted({proposal["number"] for proposal in own["proposals"]})
    if seen and chance.below(8):
        return [f"SIGN GOVERNMENT {seen[0]}"]
    if own["factions"] and not chance.below(3):
        return [_proposed(public, own, seat, chance)]
    return [f"SIGN GOVERNMENT {1 + chance.below(3)}"] if chance.below(2) else []


def _proposed(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    held: dict[str, list[str]] = {}
    for district, seen in public["districts"].items():
        if seen["holder"] in public["parties"]:
            held.setdefault(seen["holder"], []).append(district)
    partners = [party for party in sorted(held) if party != seat]
    chance.shuffle(partners)
    chosen, total = [seat], public["seats"][seat]
    for party in partners:
        if total >= public["majority"]:
            break
        chosen.append(party)
        total += public["seats"][party]
    offices = list(public["offices"])
    given = [seat, *(chance.choice(chosen) for _ in offices[1:])]
    officers = [
        f"{office.upper()} {party} {chance.choice(held[party])}"
        for office, party in zip(offices, given, strict=True)
    ]
    endorsers = [unit for unit in public["factions"] if unit.split("-")[0] in chosen]
    return f"GOVERNMENT {', '.join(officers)}; ENDORSED BY {', '.join(endorsers)}"


def _mine(public: Json, seat: Seat) -> list[str]:
    return [
        office
        for office, member in (public["government"] or {}).items()
        if member and member.split()[0] == seat
    ]


def _program(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    mine, premier = _mine(public, seat), next(iter(public["offices"]))
    lines = []
    if premier in mine:
        levels = ", ".join(f"{item.upper()} {chance.choice('HL')}" for item in public["items"])
        bills = [bill for bill in _bills(public) if not public["bills"].get(bill, {}).get("passed")]
        chance.shuffle(bills)
        chosen = bills[: chance.below(4)]
        listed = f"BILLS {', '.join(chosen)}" if chosen else ""
        if public["budget_passed"]:
            lines.append(f"PROGRAM {listed or 'NONE'}")
        else:
            lines.append(f"PROGRAM {levels}" + (f"; {listed}" if listed else ""))
        lines += ["CALL ELECTION"] * (not chance.below(4))
    for office in mine:
        lines += [
            f"APPROVE BILL {bill}" for bill in public["offices"][office]["bills"] if chance.below(6)
        ]
        if (item := public["offices"][office]["item"]) and chance.below(3):
            lines.append(f"APPROVE {item.upper()} L")
    return lines + _cabinet(public, seat, chance)


def _cabinet(public: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    mine = _mine(public, seat)
    if mine and not chance.below(25):
        lines.append(f"RESIGN {chance.choice(mine).upper()}")
    if mine and mine[0] == next(iter(public["offices"])) and not chance.below(10):
        own = [d for d, seen in public["districts"].items() if seen["holder"] == seat]
        lines.append(
            f"RESHUFFLE {chance.choice(list(public['offices'])[1:]).upper()} {seat}"
            f" {chance.choice(own)}"
        )
    return lines


def _favoured(public: Json, unit: str, line: str) -> str:
    best = max(public["blocs"], key=lambda bloc: (public["records"][bloc].get(unit, 0), bloc))
    return str(public["stands"][line][best][0])


def _budget(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    for unit in own["factions"]:
        with_it = bool(_mine(public, seat)) or chance.below(2)
        proposed = public["program"]["levels"]
        levels = [
            f"{item.upper()}"
            f" {proposed[item] if with_it and chance.below(8) else _favoured(public, unit, item)}"
            for item in public["items"]
        ]
        lines.append(f"VOTE BUDGET {_region(unit)} {', '.join(levels)}")
    if public["program"]["again"] and next(iter(public["offices"])) in _mine(public, seat):
        lines.append(f"PROGRAM {chance.choice(public['items']).upper()} {chance.choice('HL')}")
    return lines + _cabinet(public, seat, chance)


def _bill(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    bill = public["program"]["bills"][0]
    for unit in own["factions"]:
        wish = {"Y": "YES", "N": "NO"}[_favoured(public, unit, f"bill {bill}")]
        vote = "YES" if _mine(public, seat) and chance.below(4) else wish
        lines.append(f"VOTE {bill} {_region(unit)} {vote if chance.below(10) else 'ABSTAIN'}")
    if (
        next(iter(public["offices"])) in _mine(public, seat)
        and not public["election_year"]
        and not chance.below(4)
    ):
        lines.append("CALL ELECTION")
    if public["phase"] == "bill" and not chance.below(10):
        lines.append(f"ANNOUNCE CANDIDATES {chance.choice(list(public['districts']))}")
    return lines + _cabinet(public, seat, chance)


def _candidates(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = (
        _bill(public, own, seat, chance) if public["program"] and public["program"]["bills"] else []
    )
    lines = [line for line in lines if not line.startswith(("CALL", "ANNOUNCE"))]
    mine = [d for d, seen in public["districts"].items() if seen["holder"] == seat]
    more = [d for d in public["districts"] if d not in mine and not chance.below(5)]
    kept = [d for d in mine if chance.below(15)]
    room = (own["treasury"] if own["treasury"] is not None else 12_000) // 1000
    lines.append(f"CANDIDATES {', '.join((kept + more)[: max(room - 2, 1)]) or 'NONE'}")
    for region in public["regions"]:
        if (
            f"{seat}-{region}" not in own["factions"]
            and len(own["factions"]) > 1
            and not chance.below(3)
        ):
            lines.append(
                f"RECORD {region.upper()} AS {_region(chance.choice(sorted(own['factions'])))}"
            )
    return lines


def _ballot(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    open_now = public["runoffs"] if public["phase"] == "runoff" else list(public["districts"])
    mine = [d for d in public["candidates"].get(seat, ()) if d in open_now]
    lines = [
        f"SPEND {100 * (1 + chance.below(10))} ON {seat} IN {d}"
        for d in mine
        if not chance.below(3)
    ]
    for name, where in public["candidates"].items():
        here = [d for d in where if d in open_now]
        if here and not chance.below(10):
            lines.append(
                f"SPEND 300 ON {name.upper() if name.startswith('Ind-') else name} IN"
                f" {chance.choice(here)}"
            )
    for bloc, party in public["controls"].items():
        if party == seat:
            lines += [f"BLOC {bloc} IN {d} FOR {seat}" for d in mine if chance.below(2)]
    return lines


def _withdrawals(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    mine = [d for d in public["candidates"].get(seat, ()) if d in public["runoffs"]]
    return [f"WITHDRAW CANDIDATE {d}" for d in mine if not chance.below(4)]


_PHASES = {
    "formation": _formation,
    "program": _program,
    "budget": _budget,
    "bill": _bill,
    "candidates": _candidates,
    "ballot": _ballot,
    "withdrawals": _withdrawals,
    "runoff": _ballot,
}
