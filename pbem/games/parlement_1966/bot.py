"""A house bot that plays to win: it votes where its points with the blocs grow most, proposes what
others gain little by, joins Governments for their salaries, and stands where a neighbour cannot."""

from collections.abc import Collection, Mapping, Sequence

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.parlement_1966.state import OFFICES, PARTIES

SHORT = {"max_sessions": 2}
"""Options that keep a game to an evening."""

_ORDER = "".join(PARTIES)
_BLOCS = "WBK"
_FAVOUR = {1: "YNY", 2: "YNN", 3: "NNY", 4: "YYN", 5: "YNN", 6: "NNY", 7: "NYY"}
"""How workers, bourgeois and Catholics take each bill: paragraph 22 and Table 1."""
_FREE = {1: "YNNNY", 2: "YYNNN", 3: "NNNYY"}
"""What each party votes unrestrained, from left to right (16)."""
_MINISTER = {4: "defense", 5: "finance", 6: "finance", 7: "foreign"}
_FEE, _SALARY, _SEAT, _MEMBERS, _BLOC = 500, 1000, 1000, 10, 2000
_MAJORITY, _SIGNERS = 26, 15
_CLOSE = 5  # points behind or before the best other with which a bloc counts more
_SHARE, _MOST = 0.9, 40
"""How much of its purse goes to candidates, and how many at most."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    acts = _session if public["phase"] == "session" else _ballot
    return "\n".join(acts(public, own, seat, chance)) or "PASS"


def _restrained(bill: int, seat: Seat, *, yes: bool) -> bool:
    free = _FREE.get(bill)
    return free is not None and (free[_ORDER.index(seat)] == "Y") != yes


def _gain(public: Json, bill: int, seat: Seat, *, yes: bool, likely: float = 0.6) -> float:
    """Return the points that a vote may bring; blocs in which the seat is close count more.
    ``likely``: how likely the bill passes."""
    gain, restrained = 0.0, _restrained(bill, seat, yes=yes)
    for bloc, wish in zip(_BLOCS, _FAVOUR.get(bill, ""), strict=False):
        if (wish == "Y") == yes:
            records = public["records"].get(bloc, {})
            best = max((n for party, n in records.items() if party != seat), default=0)
            close = 1.5 if abs(records.get(seat, 0) - best) <= _CLOSE else 1.0
            gain += close * (1.0 if restrained else 2 + 3 * likely if yes else 2.0)
    return gain


def _likes(public: Json, bill: int, seat: Seat, likely: float = 0.6) -> bool:
    yes, no = (_gain(public, bill, seat, yes=vote, likely=likely) for vote in (True, False))
    return yes >= no


def _likely(public: Json, bill: int, ayes: Collection[Seat], nays: Collection[Seat] = ()) -> float:
    """Return how likely a bill passes, if these vote so and the others for their own blocs."""
    balance = 0
    for party in _ORDER:
        yes = party in ayes or (party not in nays and _likes(public, bill, party))
        members = public["seats"][party]
        members = members // 2 if _restrained(bill, party, yes=yes) else members
        balance += members if yes else -members
    return 0.8 if balance > 0 else 0.6


def _left(public: Json) -> list[int]:
    """Return the bills that may be proposed."""
    called = {one["bill"] for one in public["called"]}
    passed = {int(bill) for bill, vote in public["bills"].items() if vote["passed"]}
    return [bill for bill in _FAVOUR if bill not in called | passed]


def _lead(public: Json, bill: int, seat: Seat, friends: Collection[Seat]) -> float:
    """Return what a bill brings its friend, less half of what it brings the others."""
    likely = _likely(public, bill, friends)
    others = [
        max(_gain(public, bill, one, yes=vote, likely=likely) for vote in (True, False))
        for one in _ORDER
        if one not in friends
    ]
    gain = _gain(public, bill, seat, yes=True, likely=likely)
    return gain - sum(others) / max(len(others), 1) / 2


def _vote(public: Json, one: Json, seat: Seat) -> str:
    """Vote for what it signed; with its Government for its bills, against others (14, 16)."""
    bill, government = one["bill"], set((public["government"] or {}).values())
    ours = one["by"] == "government"
    if one["binding"] and seat in government:
        return "YES" if ours else "NO"
    bound = government if one["binding"] else set()
    ayes, nays = (bound, set[Seat]()) if ours else ({*one["signers"]} - bound, bound)
    likes = _likes(public, bill, seat, _likely(public, bill, {*ayes, seat}, nays))
    return "YES" if seat in ayes or likes else "NO"


def _session(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    government = public["government"] or {}
    lines = [f"VOTE {_vote(public, one, seat)} ON {one['bill']}" for one in public["called"]]
    lines += _formation(public, government, seat, chance)
    if public["last_period"]:
        lines.append(f"CANDIDATES {_candidates(public, own, seat)}")
    elif "premier" in government and not any(one.startswith("GOVERNMENT") for one in lines):
        lines += _bill(public, government, seat)
    return lines


def _formation(public: Json, government: Json, seat: Seat, chance: Stream) -> list[str]:
    """Form a Government of the parties whose turn it is; the largest of them leads it. A new
    Parlement brings down the old Government if the others have a majority."""
    turn = public["session"] + public["period"] + public["extensions"]
    parties = [
        one for one in _ORDER if "premier" not in government or one not in government.values()
    ]
    ranked = sorted(
        parties, key=lambda one: (-public["seats"][one], (_ORDER.index(one) + turn) % 5)
    )
    count = 2 + turn % 2
    if "premier" in government:
        new = public["session"] > 1 and public["period"] == 1
        if not new or sum(public["seats"][one] for one in ranked) < _MAJORITY or seat not in ranked:
            return []
        count = len(ranked)
    premier, partners = ranked[0], ranked[:count]
    if seat != premier:
        endorses = public["extensions"] > 1 or not chance.below(3)
        endorsed = [f"ENDORSE {premier}"] if endorses else []
        return [f"JOIN {premier}"] if seat in partners else endorsed
    holders = [premier, *(partners[index % len(partners)] for index in range(1, 4))]
    offices = dict(zip(OFFICES, holders, strict=True))
    listed = ", ".join(f"{office.upper()} {holder}" for office, holder in offices.items())
    bills = [] if public["last_period"] else _own_bills(public, offices, seat)
    return [f"GOVERNMENT {listed}" + "".join(f" WITH BILL {bill}" for bill in bills[:1])]


def _own_bills(public: Json, offices: Mapping[str, Seat], seat: Seat) -> list[int]:
    """Return the bills that a Premier can propose without another's signature (14), best first."""
    friends = set(offices.values())
    ranked = {
        bill: _lead(public, bill, seat, friends)
        for bill in _left(public)
        if _likes(public, bill, seat)
        and (bill not in _MINISTER or offices[_MINISTER[bill]] == seat)
    }
    return sorted(ranked, key=lambda bill: (-ranked[bill], bill))


def _bill(public: Json, government: Mapping[str, Seat], seat: Seat) -> list[str]:
    """Propose the best bill as the Premier; in the opposition sign what others will sign, too."""
    if public["turn"] == "government":
        bills = _own_bills(public, government, seat) if seat == government["premier"] else []
        return [f"PROPOSE BILL {bill}" for bill in bills[:1]]
    opposed = [one for one in _ORDER if one not in government.values()]
    shared = {}
    for bill in _left(public):
        friends = [one for one in opposed if _likes(public, bill, one)]
        if sum(public["seats"][one] for one in friends) >= _SIGNERS:
            leads = [_lead(public, bill, one, friends) for one in friends]
            shared[bill] = sum(leads) / len(leads), friends
    best = max(shared, key=lambda bill: (shared[bill][0], -bill), default=None)
    return [f"SIGN BILL {best}"] if best and seat in shared[best][1] else []


def _purse(public: Json, own: Json, seat: Seat, *, salaries: bool) -> int:
    """Return about what the treasury holds; salaries as if it had held its offices all along."""
    members = _MEMBERS if public["session"] == 1 else public["seats"][seat]
    offices = list((public["government"] or {}).values()).count(seat) if salaries else 0
    had = public["listing"].get(seat, 0) + _SEAT * members + _SALARY * offices * public["period"]
    return max(int(had + sum(line["crowns"] for line in own["paid"])), 0)


def _strength(public: Json, own: Json, district: int, seat: Seat) -> float:
    """Return how well the seat stands in a district: its bloc, the last ballot, who holds it. Those
    where its neighbour has no bloc come before those of the next one."""
    row, told = public["districts"][str(district)], 0.0
    for party, votes in row["tally"].items():
        number = float(votes) if isinstance(votes, int | float) else 0.0
        told += number if party == seat else -number / 4
    stands = own["votes"].get(str(district), 0) + told / 2 + _BLOC * (row["holder"] == seat)
    return float(stands - 300 * (((district - 1) // 10 - _ORDER.index(seat) - 1) % 5))


def _candidates(public: Json, own: Json, seat: Seat) -> str:
    """List the districts where it stands best, as many as it can pay for."""
    room = int(_purse(public, own, seat, salaries=True) * _SHARE) // _FEE
    ranked = sorted(range(1, 51), key=lambda d: (-_strength(public, own, d, seat), d))
    return ", ".join(map(str, sorted(ranked[: min(room, _MOST)]))) or "NONE"


def _ballot(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Send its blocs to the weak; before the primary, pay where it will be close."""
    others = sorted((one for one in _ORDER if one != seat), key=lambda one: public["seats"][one])
    lines = [f"PREFER {', '.join(others[:3])}"]
    if public["phase"] == "primary":
        near = sorted(
            public["candidates"].get(seat, ()),
            key=lambda d: (abs(_margin(public, own, d, seat)), d),
        )[: 5 + chance.below(5)]
        each = _purse(public, own, seat, salaries=False) // max(len(near), 1) // 100 * 100
        lines += [f"PAY {each} TO DISTRICT {d}" for d in near if each >= 100]
    return lines


def _margin(public: Json, own: Json, district: int, seat: Seat) -> float:
    """Return its votes in a district, as it may suppose, less those of the best other."""
    entrants = [one for one in _ORDER if district in public["candidates"].get(one, ())]
    votes: dict[Seat, float] = dict.fromkeys(entrants, _BLOC)
    votes[seat] = max(own["votes"].get(str(district), 0), 0)
    for records in public["records"].values():
        for one in _first(records, entrants):
            votes[one] += _BLOC / len(_first(records, entrants))
    return votes.pop(seat) - max(votes.values(), default=0)


def _first(records: Mapping[Seat, int], entrants: Sequence[Seat]) -> list[Seat]:
    most = max(records.get(one, 0) for one in entrants)
    return [one for one in entrants if records.get(one, 0) == most]
