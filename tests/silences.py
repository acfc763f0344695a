"""What five games say of silence: each kind of sentence, with what must then be so."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.games.frame.events import Event
from pbem.text import spans


@dataclass(frozen=True)
class Silent:
    """A period adjudicated with ``seat`` sending only ``standing``."""

    key: str
    seat: str
    standing: Mapping[str, Any]
    before: Any
    after: Any
    events: tuple[Event, ...]

    def of(self, kind: str, **data: Any) -> list[Event]:
        """The events of a kind whose data has these values."""
        return [
            e
            for e in self.events
            if e.kind == kind and all(e.data.get(name) == value for name, value in data.items())
        ]

    def mine(self, kind: str, **data: Any) -> list[Event]:
        """Those that this seat alone was told."""
        return [e for e in self.of(kind, **data) if self.seat in e.audience]


Compare = Callable[[Silent, Mapping[str, Any]], bool]


# --- Parlement of 1966 ----------------------------------------------------------------------------


def _unmoved(at: Silent) -> bool:
    """Nobody came into office or left it."""
    kinds = ("installed", "fell", "resigned", "dismissed", "appointed", "emergency", "extension")
    return not any(at.of(kind) for kind in kinds)


def _vote66(at: Silent, bill: int) -> Mapping[str, Any]:
    ((event),) = at.of("vote", bill=bill)
    row: Mapping[str, Any] = event.data["parties"][at.seat]
    return row


def _as_premier(at: Silent, d: Mapping[str, Any]) -> bool:
    ((event),) = at.of("vote", bill=d["bill"])
    rows = event.data["parties"]
    return bool(rows[at.seat]["vote"] == rows[d["premier"]]["vote"])


def _backs_nobody(at: Silent, _: Mapping[str, Any]) -> bool:
    lists = [e.data for e in at.of("proposal")]
    return not any(at.seat in (*one["offices"].values(), *one["endorsers"]) for one in lists)


def _blocs_go(at: Silent, d: Mapping[str, Any]) -> bool:
    went: dict[str | None, list[int]] = {}
    told = {n for row in d["rows"] for n in _numbers(row["districts"])}
    for event in at.of("returns"):
        for row in event.data["districts"]:
            if row["district"] in told and event.data["ballot"] in ("primary", "runoff", "third"):
                cast = row["blocs"].get(at.seat)
                if cast or at.before.local[at.seat][row["district"] - 1] > 0:
                    went.setdefault(cast["to"][0] if cast else None, []).append(row["district"])
    said = {row["to"]: row["districts"] for row in d["rows"]}
    return all(set(found) <= set(_numbers(said.get(to, ""))) for to, found in went.items())


def _numbers(text: str) -> list[int]:
    found: list[int] = []
    for part in filter(None, text.split(", ")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    assert spans(found) == text
    return found


PARLEMENT_1966: Mapping[str, Compare] = {
    "abstains": lambda at, d: not _unmoved(at) or _vote66(at, d["bill"])["vote"] == "abstain",
    "votes_as_filed": lambda at, d: not _unmoved(at) or _vote66(at, d["bill"])["vote"] == d["vote"],
    "votes_as_premier": lambda at, d: not _unmoved(at) or _as_premier(at, d),
    "abstains_amendment": lambda at, d: (
        at.of("amendment_vote", number=d["number"])[0].data["parties"][at.seat] == "abstain"
    ),
    "no_list": lambda at, _: not at.after.candidates.get(at.seat),
    "backs_nobody": _backs_nobody,
    "right_lapses": lambda at, _: not _unmoved(at) or not at.of("called", by="government"),
    "blocs_go": _blocs_go,
    "missed_before": lambda at, d: (
        at.before.phase != "session" or at.after.missed.get(at.seat) == d["times"]
    ),
}


# --- Coalition ------------------------------------------------------------------------------------


def _keeps_draft(at: Silent) -> bool:
    gone = at.of("tabled", sponsor=at.seat) or at.mine("yours") or at.mine("struck")
    return bool(gone or at.after.outcome or at.after.parties[at.seat].draft)


COALITION: Mapping[str, Compare] = {
    "silent_vote": lambda at, d: at.mine("vote")[0].data["vote"] == d["vote"],
    "silent_specials": lambda at, d: (
        list(at.after.parties[at.seat].specials) == list(d["specials"])
    ),
    "silent_draft": lambda at, _: _keeps_draft(at),
}


# --- The Game of Politics -------------------------------------------------------------------------


def _first(at: Silent) -> bool:
    """Nothing changed the board, the list or the points before this seat's own play."""
    changes = [e for e in at.events if e.kind in ("play", "speech", "eliminated", "count")]
    return bool(changes) and changes[0].kind == "play" and changes[0].data["seat"] == at.seat


def _taken(at: Silent) -> dict[str, int]:
    return {row[0]: row[1] for e in at.of("play", seat=at.seat) for row in e.data["taken"]}


def _plays_list(at: Silent, d: Mapping[str, Any]) -> bool:
    ((play),) = at.of("play", seat=at.seat) or [None]
    if play is None or not _first(at):
        return True
    return _taken(at) == dict(d["taken"]) and play.data["left"] == d["left"]


def _was_out(at: Silent) -> bool:
    return bool(at.mine("you_are_out")) or not at.of("play")


POLITICS: Mapping[str, Compare] = {
    "silent_list": _plays_list,
    "silent_counted": lambda at, d: not at.of("play", seat=at.seat),
    "silent_auto": lambda at, d: not _first(at) or sorted(_taken(at)) == sorted(d["states"]),
    "silent_lost": lambda at, d: _was_out(at) or not _taken(at),
    "silent_card": lambda at, _: bool(at.of("card_left", seat=at.seat)) or _was_out(at),
    "silent_bids": lambda at, d: (
        not any(
            at.mine(kind, card=card)
            for card, _ in d["cards"]
            for kind in ("lot_bought", "lot_lost")
        )
    ),
    "silent_speech": lambda at, _: (
        "SPEAK" in " ".join(at.standing) or not at.of("speech", seat=at.seat)
    ),
    "silent_plan": lambda at, d: bool(
        at.mine("lot_bought", card=d["order"].split()[-1])
        or at.mine("lot_lost", card=d["order"].split()[-1])
        or at.mine("plan")
    ),
}


# --- Legislation ----------------------------------------------------------------------------------


def _ballot(at: Silent, id: str) -> str | None:
    for event in (*at.of("vote", id=id), *at.of("amendment_vote", id=id)):
        votes = event.data.get("votes") or {}
        return next((word for word, who in votes.items() if at.seat in who), "absent")
    return None


def _standing_vote(at: Silent, d: Mapping[str, Any]) -> bool:
    given = {slot.split()[-1] for slot in at.standing if slot.startswith("VOTE ")}
    cast = [_ballot(at, e.data["id"]) for e in at.of("vote") if e.data["id"] not in given]
    wanted = d["choice"].lower()
    return d.get("but", False) or all(one in (wanted, None) for one in cast)


def _takes_all(at: Silent, bill: str) -> bool:
    """The chair accepts whatever amendments of his bill were carried (R6)."""
    carried = {e.data["id"] for e in at.of("amendment_vote", bill=bill) if e.data["carried"]}
    accepted = {id for e in at.of("accepted", bill=bill) for id in e.data["amendments"]}
    return accepted == carried


LEGISLATION: Mapping[str, Compare] = {
    "silent_bill": lambda at, d: (
        bool(at.of("no_bill", chair=at.seat) or at.mine("nextbill_dropped"))
        if not d["filed"]
        else any(set(e.data["cards"]) == set(d["filed"]) for e in at.of("bill", chair=at.seat))
        or bool(at.mine("nextbill_dropped"))
    ),
    "silent_amend": lambda at, d: (
        not any(
            at.seat in e.data["movers"] for e in at.of("moved") if d["id"] in ("", e.data["bill"])
        )
    ),
    "silent_amendvote": lambda at, d: not d["id"] or _ballot(at, d["id"]) in ("absent", None),
    "silent_accept": lambda at, d: all(_takes_all(at, bill) for bill in d["bills"]),
    "silent_if": lambda at, d: all(
        _ballot(at, id) in ((d["choice"] or "").lower(), None)
        for id, _ in d["on"]
        if d["choice"] and f"VOTE {id}" not in at.standing
    ),
    "silent_standing": _standing_vote,
    "silent_vote": lambda at, d: not d["id"] or _ballot(at, d["id"]) in ("absent", None),
    "silent_campaign": lambda at, _: (
        not any(row["by"] == at.seat for e in at.of("spendings") for row in e.data["spendings"])
    ),
    "silent_return": lambda at, d: (
        "RETURN" in at.standing or bool(at.mine("returned", card=d["card"], drawn=d["drawn"]))
    ),
}


# --- Party In Power -------------------------------------------------------------------------------


def _pick(at: Silent) -> list[Any]:
    return [pick for e in at.of("draft") for pick in e.data["picks"] if pick[0] == at.seat]


def _team(at: Silent, d: Mapping[str, Any]) -> bool:
    (walkover,) = at.of("walkover") or [None]
    if walkover is not None:
        return sorted(walkover.data["team"]) == sorted(d["team"])
    sheets = at.of("sheet", party=at.seat)
    return not sheets or bool(sheets[0].data["automatic"])


def _draws_by_default(at: Silent, d: Mapping[str, Any], drawn: Event) -> bool:
    """Talents up to the seats, then k more within the most; no Action. A deck may run out."""
    more = drawn.data["talents"] - drawn.data["compulsory"]
    if drawn.data["actions"] or more > d["k"]:
        return False
    if at.after.phase != "NOMINATION":  # the pool has changed again since
        return True
    held, seats = len(at.after.talents()), at.after.place().seats
    full = held == d["most"] or more == d["k"] or not at.after.decks["talent"]
    return seats <= held <= d["most"] and full


PARTY_IN_POWER: Mapping[str, Compare] = {
    "silent_field": _team,
    "silent_walkover": lambda at, d: not at.of("walkover") or _team(at, d),
    "silent_draw": lambda at, d: all(_draws_by_default(at, d, e) for e in at.of("talent")),
    "silent_override": lambda at, _: not at.of("override", party=at.seat),
    "silent_contest": lambda at, _: all(at.seat not in e.data["cards"] for e in at.of("contests")),
    "silent_draft": lambda at, d: all(pick[1] in ("TOP", "") for pick in _pick(at)),
    "silent_plan": lambda at, d: bool(at.mine("plan")),
}
