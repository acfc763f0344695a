"""A house bot that plays to win: it votes for what makes it first, and proposes what others can
accept."""

from collections.abc import Mapping

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat

SHORT = {"MAX_PERIODS": 6}
"""Options that keep a game to an evening."""

_MOST_BEHIND = 0.5
_AHEAD = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""By how much a slate may put its sponsor before its partners: the least that makes it first."""


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
    """Vote Aye for a slate that makes the seat first, or nearly, or nearer than what stands."""
    motion = public["motion"]
    lead = _lead(public, motion["slate"], seat, specials)
    standing = [one for one in public["history"] if one["verdict"] == "MINORITY"]
    stands = _lead(public, standing[-1]["slate"], seat, specials) if standing else None
    last = public["periods_left"] == 1
    aye = lead >= 0 or (last and stands is not None and stands < 0 and lead > stands)
    if stands is None or stands < 0:  # the later, the further behind the first it may be
        gone = public["period"] / (public["period"] + public["periods_left"] - 1)
        aye = aye or lead >= -_MOST_BEHIND * max(gone - 0.5, 0)
    return f"VOTE {'AYE' if aye else 'NAY'} ON {motion['id']}"


def _proposal(public: Json, specials: list[str], seat: Seat, chance: Stream) -> str:
    """Propose a slate that makes the seat first by as little as may be, with fair shares."""
    members = _members(public, seat, chance)
    slate = dict[str, Seat]()
    for ahead in _AHEAD:
        slate = _slate(public, specials, members, ahead)
        if _lead(public, slate, seat, specials) > 0:
            break
    named = ", ".join(f"{code} {slate[code]}" for code in public["compulsory"])
    return f"PROPOSE {named}"


def _members(public: Json, seat: Seat, chance: Stream) -> list[Seat]:
    """Return the seat and those who have voted Aye most readily, up to a safe majority."""
    seats = public["seats"]
    ayes = {
        party: sum(one["votes"].get(party) == "AYE" for one in public["history"]) for party in seats
    }
    others = [one for one in chance.shuffled(list(seats)) if one not in (seat, *public["vacant"])]
    others.sort(key=lambda one: -ayes[one])
    members, total = [seat], seats[seat]
    for one in others:
        if total < public["majority"] + max(seats.values()) // 2:
            members.append(one)
            total += seats[one]
    return members


def _slate(public: Json, specials: list[str], members: list[Seat], ahead: float) -> dict[str, Seat]:
    """Give each ministry to whom it lifts least; the first member may be so far ahead."""
    seats, values, seat = public["seats"], public["ministries"], members[0]
    slate, points = dict[str, Seat](), dict.fromkeys(members, 0)

    def score(one: Seat, code: str) -> float:
        worth = values[code] * (2 if one == seat and code in specials else 1)
        return float(10 * (points[one] + worth) / seats[one]) - (ahead if one == seat else 0)

    for code in sorted(public["compulsory"], key=lambda one: -values[one]):
        free = [one for one in members if list(slate.values()).count(one) < seats[one]]
        slate[code] = min(free, key=lambda one: score(one, code))
        points[slate[code]] += values[code] * (2 if slate[code] == seat and code in specials else 1)
    return slate
