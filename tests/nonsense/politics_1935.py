"""A house bot: legal, varied orders that close the board."""

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat

VALUES = {"SPEECH_FROM": (1, 2, 3), "MAX_ROUNDS": (6, 8, 11, 15)}
"""With these, games end in every way."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat not in public["alive"]:
        return ""
    if not chance.below(150):
        return "RESIGN"
    if not chance.below(25):
        return "PASS"
    lines = _auction(public, own, chance)
    if own["throw"]:
        lines.append(f"CAMPAIGN {_play(public, own, chance)}")
        if own["shown"] and chance.below(2):
            lines.append("TAKE CARD")
    if not chance.below(6):
        lines.append(
            "STANDING"
            f" {chance.choice(('NONE', 'NV 2, AZ', 'WY, North Dakota 3, DE', 'MN 1, FL 2, TX'))}"
        )
    if own["hand"] and chance.below(3):
        after = chance.choice(("", *(f" AFTER {other}" for other in public["alive"])))
        lines.append(f"SPEAK {chance.choice(own['hand'])}{after}")
    return "\n".join(lines)


def _auction(public: Json, own: Json, chance: Stream) -> list[str]:
    most = own["cash"] // 40_000
    return [
        f"BID {10_000 * (1 + chance.below(most)):,} ON {lot['card']}"
        for lot in public["lots"]
        if most and chance.below(3)
    ]


def _play(public: Json, own: Json, chance: Stream) -> str:
    """Buy pinless states, then random ones; skip taken capitals."""
    table, left = public["map"], own["total"]
    items: list[str] = []
    shut = {
        code
        for code, row in public["pins"].items()
        if any(level > table[code]["lines"] for _, level in row)
    }
    wanted = chance.shuffled(public["pinless"]) + chance.shuffled(
        sorted(set(table) - shut - set(public["pinless"]))
    )
    for code in wanted:
        count = min(1 + chance.below(3), left // table[code]["cost"], 8)
        if count and len(items) < 4:
            items.append(f"{code} {count}")
            left -= count * table[code]["cost"]
    return ", ".join(items)
