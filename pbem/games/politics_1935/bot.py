"""A house bot that plays to win: it takes empty states, then those where a county is missing."""

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat

_RESERVE = 60_000  # dollars kept for three speeches
_LEAST_GAIN = 12  # electoral votes for which a speech is made


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat not in public["alive"]:
        return ""
    lines = _bids(public, own)
    if own["throw"]:
        bought = _campaign(public, own["total"], seat)
        lines.append(f"CAMPAIGN {', '.join(f'{code} {count}' for code, count in bought)}".strip())
    speech = _speech(public, own)
    if speech:
        lines.append(f"SPEAK {speech}")
    return "\n".join(lines) or "PASS"


def _levels(public: Json, code: str, seat: Seat) -> tuple[int, int, bool]:
    """Return own level, the best other's, and whether the state is shut."""
    row, mine, best = public["pins"][code], 0, 0
    for who, level in row:
        if who == seat:
            mine = level
        else:
            best = max(best, level)
    return mine, best, any(level > public["map"][code]["lines"] for _, level in row)


def _campaign(public: Json, points: int, seat: Seat) -> list[tuple[str, int]]:
    """Buy what gives most votes a point: leads that are missing, then leads made safe."""
    wanted = []
    for code, row in public["map"].items():
        mine, best, shut = _levels(public, code, seat)
        if shut:
            continue
        missing = max(best - mine + 1, 0) if best else (0 if mine else 1)
        capital = row["lines"] + 1 - mine
        if missing:
            worth, count = row["votes"] * (1.3 if best else 1.0), missing
        elif mine - best <= 1 and best:
            worth, count = row["votes"] * 0.5, 1
        elif capital <= 2:
            worth, count = row["votes"] * 0.5, capital
        else:
            worth, count = row["votes"] * 0.15, 1
        wanted.append((worth / (count * row["cost"]), code, count))
    bought, left = list[tuple[str, int]](), points
    for _, code, count in sorted(wanted, reverse=True):
        cost = public["map"][code]["cost"]
        if count * cost <= left and count <= 8:
            bought.append((code, count))
            left -= count * cost
    return bought


def _gain(public: Json, own: Json, card: str) -> int:
    """Return the votes that a card would bring over."""
    led = {code for code, _ in own["led"]}
    rows = own["cards"][card]["reach"]
    new = {row["state"] for row in rows if row["leads"] and row["state"] not in led}
    return sum(public["map"][code]["votes"] for code in new)


def _speech(public: Json, own: Json) -> str:
    """Return the card that brings most votes, if it is worth its fee."""
    first = own["first_speech"]
    if not own["hand"] or (first and not first["now"]) or (own["cash"] or 0) < 20_000:
        return ""
    best = max(own["hand"], key=lambda card: (_gain(public, own, card), card))
    after = f" AFTER {first['after']}" if first else ""
    late = public["board_closed"] or len(public["pinless"]) < 10
    return f"{best}{after}" if _gain(public, own, best) >= (1 if late else _LEAST_GAIN) else ""


def _bids(public: Json, own: Json) -> list[str]:
    """Bid for each card what its states are worth, within the purse."""
    lines, purse = [], (own["cash"] or 0) - _RESERVE
    for lot in public["lots"]:
        votes = sum(public["map"][code]["votes"] for code, _ in lot["counties"])
        price = min(purse, 2_000 * votes) // 10_000 * 10_000
        if price >= 10_000:
            lines.append(f"BID {price:,} ON {lot['card']}")
            purse -= price
    return lines
