"""A house bot. Partners join the natural Premier unasked."""

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.parlement_1966.bot import SHORT
from pbem.games.parlement_1966.orders import OFFICES
from pbem.games.parlement_1966.state import PARTIES

__all__ = ["SHORT", "letter"]

ORDER = "".join(PARTIES)


VALUES = {"emergency_after_extensions": ("none", 0, 1, 2), "max_sessions": (1, 2, 3)}
"""With these, all games end."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if public["phase"] == "session":
        lines = _session(public, seat, chance)
    else:
        others = [party for party in ORDER if party != seat]
        lines = [f"PREFER {', '.join(chance.shuffled(others)[:3])}"]
        lines += [
            f"BLOC {d} FOR {chance.choice(b['entrants'])}"
            for d, b in public["ballots"].items()
            if chance.below(2)
        ]
        lines += [
            f"PAY {100 * chance.below(9)} TO DISTRICT {1 + chance.below(50)}"
            for _ in range(chance.below(4))
        ]
    if not chance.below(4):
        lines.append(
            f"PAY {100 * chance.below(40)} TO {chance.choice([p for p in ORDER if p != seat])}"
        )
    return "\n".join(lines or ["PASS"])


def _session(public: Json, seat: Seat, chance: Stream) -> list[str]:
    government = public["government"] or {}
    lines = [
        f"VOTE {chance.choice(('YES', 'NO', 'ABSTAIN'))} ON {one['bill']}"
        for one in public["called"]
    ]
    lines += [f"VOTE AMENDMENT {one['number']} YES" for one in public["amendments"] if one["put"]]
    lines += [
        f"SIGN AMENDMENT {one['number']}"
        for one in public["amendments"]
        if one["stage"] == "signing"
    ]
    if not government or not chance.below(8):
        lines += _formation(public, seat, chance)
    if public["last_period"]:
        lines.append(f"CANDIDATES {_candidates(public, seat, chance)}")
    else:
        lines += _bills(public, government, seat, chance)
    if seat in government.values() and not chance.below(12):
        lines.append(chance.choice(("RESIGN", "RESIGN NEW")))
    if not chance.below(25):
        lines.append(f'AMEND "Bulletin {chance.below(9)} shall be printed on blue paper"')
    if not chance.below(20):
        lines.append(f"STANDING VOTE {1 + chance.below(7)} {chance.choice(('YES', 'NO', 'NONE'))}")
    return lines


def _formation(public: Json, seat: Seat, chance: Stream) -> list[str]:
    """Let the largest in turn try for a majority; partners join, others may endorse."""
    turn = public["session"] + public["period"] + public["extensions"]
    ranked = sorted(
        ORDER, key=lambda party: (-public["seats"][party], (ORDER.index(party) + turn) % 5)
    )
    premier, partners = ranked[0], ranked[: 2 + turn % 2]
    if seat == premier:
        holders = [premier, *(partners[index % len(partners)] for index in range(1, 4))]
        listed = ", ".join(
            f"{office.upper()} {holder}" for office, holder in zip(OFFICES, holders, strict=True)
        )
        open_bills = [n for n in range(1, 8) if not public["bills"].get(str(n), {}).get("passed")]
        carried = (
            f" WITH BILL {chance.choice(open_bills)}" if open_bills and chance.below(2) else ""
        )
        return [f"GOVERNMENT {listed}{carried}", *(["WITHDRAW"] if not chance.below(12) else [])]
    if seat in partners:
        return [f"JOIN {premier}"]
    return [f"ENDORSE {premier}"] if chance.below(3) else []


def _bills(public: Json, government: Json, seat: Seat, chance: Stream) -> list[str]:
    open_bills = [n for n in range(1, 8) if not public["bills"].get(str(n), {}).get("passed")]
    if not open_bills:
        return []
    favourite = open_bills[(public["session"] + public["period"]) % len(open_bills)]
    if seat == government.get("premier"):
        lines = [f"PROPOSE BILL {favourite}"] if public["turn"] == "government" else []
        return lines + (["CALL ELECTION"] if not chance.below(5) else [])
    return [f"SIGN BILL {favourite}"] if chance.below(3) else []


def _candidates(public: Json, seat: Seat, chance: Stream) -> str:
    """List districts held and what a usual treasury can pay."""
    held = [int(d) for d, row in public["districts"].items() if row["holder"] == seat]
    others = [d for d in range(1, 51) if d not in held]
    chosen = held + chance.shuffled(others)[: chance.below(22)]
    return ", ".join(map(str, sorted(chosen))) or "NONE"
