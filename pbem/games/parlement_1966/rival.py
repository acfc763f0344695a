"""A house bot that plays to win: it votes as most blocs wish, joins Governments for their salaries,
and spends on districts that it can win."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.orders import OFFICES

_ORDER = "".join(PARTIES)
_FAVOUR = {1: "YNY", 2: "YNN", 3: "NNY", 4: "YYN", 5: "YNN", 6: "NNY", 7: "NYY"}
"""How workers, bourgeois and Catholics take each bill: paragraph 22 and Table 1."""
_BLOCS = "WBK"
_FEE, _SALARY, _SEAT = 500, 1000, 1000


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    acts = _session if public["phase"] == "session" else _ballot
    return "\n".join(acts(public, own, seat, chance)) or "PASS"


def _liked(public: Json, bill: int, seat: Seat) -> float:
    """Return what a yes is worth more than a no: blocs in which the seat is close count more."""
    worth = 0.0
    for bloc, wish in zip(_BLOCS, _FAVOUR.get(bill, ""), strict=False):
        records = public["records"].get(bloc, {})
        best = max((n for party, n in records.items() if party != seat), default=0)
        close = 1.5 if abs(records.get(seat, 0) - best) <= 5 else 1.0
        worth += close if wish == "Y" else -close
    return worth


def _session(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    government = public["government"] or {}
    lines = [
        f"VOTE {'YES' if _liked(public, one['bill'], seat) > 0 else 'NO'} ON {one['bill']}"
        for one in public["called"]
    ]
    if not government:
        lines += _formation(public, seat)
    if public["last_period"]:
        lines.append(f"CANDIDATES {_candidates(public, own, seat)}")
    else:
        lines += _bills(public, government, seat)
    return lines


def _formation(public: Json, seat: Seat) -> list[str]:
    """Form a Government of the three parties whose turn it is; the largest of them leads it."""
    turn = public["session"] + public["period"] + public["extensions"]
    ranked = sorted(
        _ORDER, key=lambda party: (-public["seats"][party], (_ORDER.index(party) + turn) % 5)
    )
    premier, partners = ranked[0], ranked[: 2 + turn % 2]
    if seat == premier:
        holders = [premier, *(partners[index % len(partners)] for index in range(1, 4))]
        listed = ", ".join(
            f"{office.upper()} {holder}" for office, holder in zip(OFFICES, holders, strict=True)
        )
        return [f"GOVERNMENT {listed}"]
    return [f"JOIN {premier}"] if seat in partners else [f"ENDORSE {premier}"]


def _bills(public: Json, government: Json, seat: Seat) -> list[str]:
    """Propose or sign the bill that it can vote for best."""
    left = [n for n in range(1, 8) if not public["bills"].get(str(n), {}).get("passed")]
    called = [one["bill"] for one in public["called"]]
    good = [n for n in left if _liked(public, n, seat) > 0 and n not in called]
    if not good:
        return []
    best = max(good, key=lambda n: (_liked(public, n, seat), -n))
    if seat == government.get("premier"):
        return [f"PROPOSE BILL {best}"] if public["turn"] == "government" else []
    outside = government and seat not in government.values()
    return [f"SIGN BILL {best}"] if outside and public["turn"] != "government" else []


def _purse(public: Json, own: Json, seat: Seat) -> int:
    """Return about what the treasury holds now."""
    offices = list((public["government"] or {}).values()).count(seat)
    periods = public["period"] + public["extensions"]
    spent = sum(-line["crowns"] for line in own["paid"] if line["crowns"] < 0)
    had = public["listing"].get(seat, _SEAT * public["seats"][seat])
    return max(int(had + offices * _SALARY * periods // 2 - spent), 0)


def _strength(public: Json, own: Json, district: int, seat: Seat) -> float:
    """Return how well the seat stands in a district: its bloc, its tally, and who holds it."""
    row = public["districts"][str(district)]
    tally = row["tally"]
    told = 0.0
    for party, votes in tally.items():
        number = float(votes) if isinstance(votes, int | float) else 0.0
        told += number if party == seat else -number / 4
    return float(own["votes"].get(str(district), 0) + told / 2 + 2000 * (row["holder"] == seat))


def _candidates(public: Json, own: Json, seat: Seat) -> str:
    """List the districts where it stands best, as many as it can pay for."""
    room = max(_purse(public, own, seat) // _FEE - 1, 1)
    ranked = sorted(range(1, 51), key=lambda d: (-_strength(public, own, d, seat), d))
    return ", ".join(map(str, sorted(ranked[: min(room, 40)])))


def _ballot(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Prefer the weak in districts without a candidate of its own; pay where it is close."""
    others = sorted((one for one in _ORDER if one != seat), key=lambda one: public["seats"][one])
    lines = [f"PREFER {', '.join(others[:3])}"]
    return [*lines, *_payments(public, own, seat)]


def _payments(public: Json, own: Json, seat: Seat) -> Iterator[str]:
    mine = [int(d) for d, one in public["ballots"].items() if seat in one["entrants"]]
    fees = _FEE * len(public["candidates"].get(seat, ()))
    left = _purse(public, own, seat) - fees
    close = sorted(mine, key=lambda d: (-_strength(public, own, d, seat), d))[:8]
    each = left // max(len(close), 1) // 100 * 100 if left > 0 else 0
    if each >= 100:
        yield from (f"PAY {each} TO DISTRICT {d}" for d in close)
