"""A house bot that plays to win: it votes for what makes it first, and proposes what others can
accept."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    specials = own["specials"]
    lines = []
    if public["period"] == 1:
        specials = chance.shuffled(public["juniors"])[:4]
        lines.append(f"SPECIAL {', '.join(specials)}")
    if public["motion"]:
        lines.append(_vote(public, specials, seat))
    if public["periods_left"] > 1 and (not own["draft"] or public["history"]):
        lines.append(_proposal(public, specials, seat, chance))
    return "\n".join(lines)


def _scores(public: Json, slate: Mapping[str, Seat], seat: Seat, specials: list[str]) -> Json:
    """Return each party's score in a slate, own Special Ministries doubled."""
    points = dict.fromkeys(public["seats"], 0)
    for code, party in slate.items():
        double = party == seat and code in specials
        points[party] += public["ministries"][code] * (2 if double else 1)
    return {party: points[party] / public["seats"][party] for party in points}


def _lead(public: Json, slate: Mapping[str, Seat], seat: Seat, specials: list[str]) -> float:
    """Return by how much a slate puts the seat before the best other, less than 0 if behind."""
    scores = _scores(public, slate, seat, specials)
    others = [
        score for party, score in scores.items() if party != seat and party not in public["vacant"]
    ]
    return float(scores[seat] - max(others, default=0))


def _vote(public: Json, specials: list[str], seat: Seat) -> str:
    """Vote Aye for a slate that makes the seat first, or brings it nearer than what stands."""
    motion = public["motion"]
    lead = _lead(public, motion["slate"], seat, specials)
    standing = [one for one in public["history"] if one["verdict"] == "MINORITY"]
    stands = _lead(public, standing[-1]["slate"], seat, specials) if standing else None
    last = public["periods_left"] == 1
    aye = lead >= 0 or (last and stands is not None and stands < 0 and lead > stands)
    return f"VOTE {'AYE' if aye else 'NAY'} ON {motion['id']}"


def _proposal(public: Json, specials: list[str], seat: Seat, chance: Stream) -> str:
    """Propose a slate that makes the seat first by little, and gives each partner his share.

    Partners are those who have voted Aye most readily, up to a majority.
    """
    seats, values = public["seats"], public["ministries"]
    ayes = {
        party: sum(one["votes"].get(party) == "AYE" for one in public["history"]) for party in seats
    }
    others = [one for one in chance.shuffled(list(seats)) if one != seat]
    others = [one for one in others if one not in public["vacant"]]
    others.sort(key=lambda one: -ayes[one])
    partners, total = list[Seat](), seats[seat]
    for one in others:
        if total < public["majority"] + max(seats.values()) // 2:
            partners.append(one)
            total += seats[one]
    slate = {"PM": seat, **{code: seat for code in specials if code in public["compulsory"]}}
    points = dict.fromkeys(partners, 0)
    rest = [code for code in public["compulsory"] if code not in slate]
    for code in sorted(rest, key=lambda one: -values[one]):
        free = [one for one in partners if list(slate.values()).count(one) < seats[one]]
        poorest = min(free, key=lambda one: (points[one] + values[code]) / seats[one], default=seat)
        slate[code] = poorest
        if poorest != seat:
            points[poorest] += values[code]
    named = ", ".join(f"{code} {slate[code]}" for code in public["compulsory"])
    return f"PROPOSE {named}"
