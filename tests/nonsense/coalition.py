"""A house bot: legal, varied orders by its gain."""

from pbem.games.coalition.bot import SHORT
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat

__all__ = ["SHORT", "letter"]

VALUES = {"MAX_PERIODS": (3, 4, 5, 6, 7), "SPECIAL_LOCK": (1, 2, 3)}
"""With these, games end in every way."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    lines = [*_paper(public, seat, chance)]
    if public["period"] <= public["options"]["SPECIAL_LOCK"]:
        chosen = chance.shuffled(public["juniors"])[: 1 + chance.below(4)]
        lines.append(f"SPECIAL {', '.join(chosen)}" if chance.below(8) else "SPECIAL NONE")
    if public["motion"]:
        lines.append(_vote(public, own, seat, chance))
    if public["periods_left"] > 1 and not own["draft"] and chance.below(3) == 0:
        lines.append(_proposal(public, seat, chance))
    elif own["draft"] and chance.below(6) == 0:
        lines.append("WITHDRAW")
    if public["options"]["STANDING"] == "ON" and chance.below(6) == 0:
        lines.append(_ahead(public, seat, chance))
    return "\n".join(lines)


def _paper(public: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    if public["period"] == 1 and chance.below(3) == 0:
        lines.append(f'NAME "{chance.choice(("Old", "New", "Free"))} Party {seat}{seat}"')
    if public["options"]["STANDING"] == "ON" and chance.below(6) == 0:
        lines.append(f"STANDING {chance.choice(('AYE', 'NAY', 'NONE'))}")
    if chance.below(60) == 0:
        lines.append("RESIGN")
    return lines


def _vote(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    """Vote Aye above the seats' share, mostly Nay for nothing."""
    slate, mps = public["motion"]["slate"], public["seats"]
    earned = sum(public["ministries"][code] for code, party in slate.items() if party == seat)
    share = 91 * mps[seat] / sum(mps.values())
    if earned >= share and chance.below(4):
        return f"VOTE AYE ON {public['motion']['id']}"
    return f"VOTE {chance.choice(('AYE', 'NAY', 'NAY', 'ABSTAIN'))}"


def _ahead(public: Json, seat: Seat, chance: Stream) -> str:
    """Say Aye for the seats' share, or the Prime Minister."""
    share = 91 * public["seats"][seat] // sum(public["seats"].values()) + 1
    tests = (
        f"POINTS >= {share}",
        "PM OR RANK = 1",
        f"POINTS > 9 AND NOT NAMES {chance.choice('AB')}",
    )
    rest = chance.choice(("", ", NAY IF POINTS = 0", ", ELSE NAY"))
    whole = f"VOTE AYE IF {chance.choice(tests)}{rest}"
    return whole if chance.below(6) else "VOTE IF NONE"


def _proposal(public: Json, seat: Seat, chance: Stream) -> str:
    """Join random others up to a majority, on a line or in a block."""
    mps, members = public["seats"], [seat]
    rest = chance.shuffled(
        [party for party in mps if party != seat and party not in public["vacant"]]
    )
    while rest and sum(mps[party] for party in members) < public["majority"]:
        members.append(rest.pop())
    codes = list(public["ministries"]) if chance.below(2) else list(public["compulsory"])
    room = [party for party in members for _ in range(min(mps[party], len(codes)))]
    items = list(zip(codes, [seat, *chance.shuffled(room)], strict=False))
    if chance.below(2):
        return "PROPOSE " + ", ".join(f"{code} {party}" for code, party in items)
    return "PROPOSE\n" + "\n".join(f"{code}: {party}" for code, party in items) + "\nEND PROPOSE"
