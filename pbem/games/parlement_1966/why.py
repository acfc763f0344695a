"""Answers to WHY, from what was told, the tables and published money (34)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.frame.events import PUBLIC, Event, Minutes, Seat
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.parlement_1966 import names, views
from pbem.games.parlement_1966.forecast import forecast
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.state import DISTRICTS, State
from pbem.games.parlement_1966.steps.elections import to_be_held
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.spelling import is_number

_BLOCS = {"WORKERS": "W", "WORKER": "W", "BOURGEOIS": "B", "CATHOLICS": "K", "CATHOLIC": "K"}


def questions(state: State, seat: Seat | None, tables: Tables) -> tuple[str, ...]:
    coming = to_be_held(state) if state.phase != "session" else {}
    counted = [
        d
        for d in range(1, DISTRICTS + 1)
        if state.tallies.get(str(d)) or ((one := coming.get(str(d))) and len(one.entrants) > 1)
    ]
    ends = dict.fromkeys((*counted[:1], *counted[-1:]))
    parties = (seat,) if seat else (next(iter(PARTIES)), list(PARTIES)[-1])
    return (
        *(f"VOTE {bill}" for bill in state.bills),
        *(f"DISTRICT {district}" for district in ends),
        *(f"POINTS {bloc} {party}" for bloc in tables.blocs for party in parties),
        "GOVERNMENT",
        "MONEY",
    )


def why(
    state: State, seat: Seat | None, told: Sequence[ToldEvent], words: str, tables: Tables
) -> tuple[Event, ...]:
    said = words.upper().replace("#", " ").replace(",", " ").replace(":", " ").split()
    said = [word for word in said if word not in ("ON", "THE", "OF", "WITH", "MY", "IN")]
    numbers = [int(word) for word in said if is_number(word)]
    minutes = Minutes()
    heard = [one.event for one in told]
    audience = frozenset([seat]) if seat else PUBLIC

    def tell(kind: str, rule: str, **data: Any) -> None:
        minutes.events.append(Event(kind, rule, audience, data))

    match said[:1]:
        case ["DISTRICT" | "DISTRICTS" | "SEAT"] if numbers:
            _district(state, seat, heard, numbers[0], tables, tell)
        case [word] if is_number(word) and int(word) not in tables.bills:
            _district(state, seat, heard, int(word), tables, tell)
        case [word] if numbers and (word in ("VOTE", "VOTES", "BILL", "BILLS") or is_number(word)):
            _vote(state, heard, numbers[-1], tables, minutes, tell)
        case ["RECORD" | "RECORDS" | "POINTS"]:
            _records(state, seat, heard, said[1:], tables, tell)
        case [word] if _BLOCS.get(word, word) in tables.blocs:
            _records(state, seat, heard, said, tables, tell)
        case ["GOVERNMENT" | "PREMIER" | "CABINET"]:
            _government(state, heard, minutes, tell)
        case ["MONEY" | "TREASURY" | "ACCOUNT" | "BALANCE" | "CROWNS"]:
            _money(state, seat, heard, minutes, tell)
    return tuple(minutes.events)


Tell = Callable[..., None]


def _vote(
    state: State, heard: Sequence[Event], number: int, tables: Tables, minutes: Minutes, tell: Tell
) -> None:
    bill = tables.bills.get(number)
    if bill is None:
        return
    votes = [e for e in heard if e.kind == "vote" and e.data["bill"] == number]
    voted = state.bills.get(str(number))
    if not votes:
        if voted is None:
            tell("why_not_voted", "16", bill=number)
        else:
            tell("why_result", "17", bill=number, yes=voted.yes, no=voted.no, passed=voted.passed)
        return
    last = votes[-1]
    calls = [e for e in heard if e.kind == "called" and e.data["bill"] == number]
    minutes.events += [*calls[-1:], last]
    tell("why_passed", "17", bill=number, yes=last.data["yes"], no=last.data["no"])
    earned = {bloc: dict[str, int]() for bloc in tables.blocs}
    for party, row in last.data["parties"].items():
        for bloc, points in row.get("earned", {}).items():
            earned[bloc][party] = points
    tell("why_earned", "22", bill=number, passed=last.data["passed"], earned=earned)


def _district(
    state: State,
    seat: Seat | None,
    heard: Sequence[Event],
    number: int,
    tables: Tables,
    tell: Tell,
) -> None:
    tally = state.tallies.get(str(number))
    if not 1 <= number <= DISTRICTS:
        return
    coming = [row for row in forecast(state, seat, tables) if number in row.districts]
    kinds = ("returns", "blocs_none")
    about = [] if state.phase == "primary" else [e for e in heard if e.kind in kinds]
    primaries = [
        i for i, e in enumerate(about) if e.kind == "returns" and e.data["ballot"] == "primary"
    ]
    found = False
    for event in about[max(primaries, default=0) :]:
        if event.kind == "blocs_none" and number in event.data["districts"]:
            tell("blocs_none", "28", districts=[number], loss=event.data["loss"])
        for row in event.data["districts"] if event.kind == "returns" else ():
            if row["district"] == number:
                found = True
                ballot = event.data["ballot"]
                tell("why_district", "21", district=number, ballot=ballot, **_row(row))
                tell("why_elected", "25", district=number, **_row(row))
    for one in coming:
        tell("why_forecast", "23", district=number, **one.event_data())
    if found or coming:
        return
    if tally is None:
        tell("why_no_ballot", "21", district=number, holder=state.holders[number - 1])
    else:
        votes = {candidate: str(n) for candidate, n in (tally or {}).items()}
        tell("why_tally", "25", district=number, tally=votes, holder=state.holders[number - 1])


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in ("winner", "runoff", "free", "tally", "blocs")}


def _records(
    state: State,
    seat: Seat | None,
    heard: Sequence[Event],
    words: Sequence[str],
    tables: Tables,
    tell: Tell,
) -> None:
    """Explain points vote by vote, of all blocs if none is named."""
    blocs = [b for w in words if (b := _BLOCS.get(w, w)) in tables.blocs]
    parties = [
        p for w in words if (p := names.party(w)) in PARTIES and _BLOCS.get(w, w) not in blocs
    ]
    for party in parties or ([seat] if seat else list(PARTIES)):
        for bloc in blocs or tables.blocs:
            _record(state, heard, bloc, party, tables, tell)


def _record(
    state: State, heard: Sequence[Event], bloc: str, party: str, tables: Tables, tell: Tell
) -> None:
    begun = 0
    if state.settings.record_per_session:
        begun = max((i for i, e in enumerate(heard) if e.kind == "new_session"), default=0)
    rows, session = [], 1
    for place, event in enumerate(heard):
        session = event.data["session"] if event.kind == "new_session" else session
        if event.kind == "vote" and place >= begun and (row := event.data["parties"].get(party)):
            bill = tables.bills[event.data["bill"]]
            passed = event.data["passed"]
            rows.append(
                {
                    "session": session,
                    "bill": bill.number,
                    "vote": row["vote"],
                    "restrained": row["restrained"],
                    "passed": passed,
                    "favours": bill.favours[bloc] == "Y",
                    "points": row.get("earned", {}).get(bloc, 0),
                }
            )
    total = state.records[bloc][party]
    before = total - sum(row["points"] for row in rows)
    tell("why_record", "22", bloc=bloc, party=party, rows=rows, before=before, total=total)


def _government(state: State, heard: Sequence[Event], minutes: Minutes, tell: Tell) -> None:
    kinds = {"proposal", "installed", "fell", "resigned", "dismissed", "appointed", "emergency"}
    about = [event for event in heard if event.kind in kinds]
    last = max((i for i, e in enumerate(about) if e.kind == "installed"), default=0)
    led = (
        about[last].data["offices"]["premier"] if about and about[last].kind == "installed" else ""
    )
    proposed = [e for e in about[:last] if e.kind == "proposal" and e.data["premier"] == led]
    minutes.events += [*proposed[-1:], *about[last:]]
    government = views.public(state)["government"]
    tell("why_government", "9", government=government)


def _money(
    state: State, seat: Seat | None, heard: Sequence[Event], minutes: Minutes, tell: Tell
) -> None:
    """Paragraph 34."""
    listings = [i for i, event in enumerate(heard) if event.kind == "listing"]
    since = heard[listings[-1] :] if listings else heard
    for event in since:
        if event.kind == "listing" and seat:
            data = {"party": seat, **event.data["parties"][seat]}
            tell("why_listed", "34", **data)
        elif event.kind in ("listing", "account") or (
            event.kind == "bankrupt" and seat in (None, event.data["party"])
        ):
            minutes.events.append(event)
    if seat:
        tell("why_paid", "27", lines=views.paid(state, seat))
    if not listings:
        tell(
            "why_unlisted",
            "34",
            listed=dict(state.listed),
            first_rulings=state.settings.first_rulings,
        )
    if seat and state.settings.notices:
        tell("why_balance", "R20", balance=state.accounts.balance(seat))
    else:
        tell("why_no_more", "34")
