"""Answers to WHY, from what was told, the tables and published money (34)."""

from collections.abc import Iterator
from typing import Any

from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import Asker, Reasons, alone, ends
from pbem.games.parlement_1966 import state
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES, State
from pbem.games.parlement_1966.steps.elections import to_be_held
from pbem.games.parlement_1966.views import forecast
from pbem.orders.spelling import is_number

Asking = Asker[State]
Steps = Iterator[Event]
_BLOCS = {"WORKERS": "W", "WORKER": "W", "BOURGEOIS": "B", "CATHOLICS": "K", "CATHOLIC": "K"}
_GOVERNMENT = ("installed", "fell", "resigned", "dismissed", "appointed", "emergency")
_ROW = ("winner", "runoff", "free", "tally", "blocs")


def questions(asker: Asking) -> list[str]:
    state = asker.state
    coming = to_be_held(state) if state.phase != "session" else {}
    contested = {district for district, one in coming.items() if len(one.entrants) > 1}
    counted = {district for district, tally in state.tallies.items() if tally}
    districts = sorted(contested | counted, key=int)
    parties = (asker.seat,) if asker.seat else (next(iter(PARTIES)), list(PARTIES)[-1])
    return [
        *(f"VOTE {bill}" for bill in state.bills),
        *ends("DISTRICT ", districts),
        *(f"POINTS {bloc} {party}" for bloc in asker.tables.blocs for party in parties),
        "GOVERNMENT",
        "MONEY",
    ]


def _number(words: str) -> int:
    return next((int(word) for word in words.split() if is_number(word)), 0)


def _vote(asker: Asking, words: str) -> Steps:
    number, blocs = _number(words), asker.tables.blocs
    votes = [one for one in asker.events("vote") if one.data["bill"] == number]
    if number not in asker.tables.bills:
        return
    if not votes:
        voted = str(number) in asker.state.bills
        kind, rule = ("why_result", "17") if voted else ("why_not_voted", "16")
        yield asker.step(kind, rule, bill=number)
        return
    data = votes[-1].data
    yield from [one for one in asker.events("called") if one.data["bill"] == number][-1:]
    yield votes[-1]
    yield asker.step("why_passed", "17", yes=data["yes"], no=data["no"])
    earned = {party: row.get("earned", {}) for party, row in data["parties"].items()}
    points = {bloc: {p: n[bloc] for p, n in earned.items() if bloc in n} for bloc in blocs}
    yield asker.step("why_earned", "22", passed=data["passed"], earned=points)


def _district(asker: Asking, words: str) -> Steps:
    state, number, found = asker.state, _number(words), False
    if not 1 <= number <= DISTRICTS:
        return
    heard = asker.events("returns", "blocs_none") if state.phase != "primary" else []
    primaries = [n for n, one in enumerate(heard) if one.data.get("ballot") == "primary"]
    for event in heard[max(primaries, default=0) :]:
        data = event.data
        if event.kind == "blocs_none":
            if number in data["districts"]:
                yield asker.step("blocs_none", "28", districts=[number], loss=data["loss"])
            continue
        for row in data["districts"]:
            if row["district"] == number:
                found, told = True, {key: row[key] for key in _ROW}
                ballot = data["ballot"]
                yield asker.step("why_district", "21", district=number, ballot=ballot, **told)
                yield asker.step("why_elected", "25", **told)
    for one in forecast(state, asker.seat, asker.tables):
        if number in one.districts:
            found = True
            yield asker.step("why_forecast", "23", district=number, **one.event_data())
    if not found:
        held = str(number) in state.tallies
        kind, rule = ("why_tally", "25") if held else ("why_no_ballot", "21")
        yield asker.step(kind, rule, district=number)


def _records(asker: Asking, words: str) -> Steps:
    """Explain points vote by vote, of all blocs if none is named."""
    said = [_BLOCS.get(word, word) for word in words.split()]
    blocs = [word for word in said if word in asker.tables.blocs]
    parties = [p for word in said if word not in blocs and (p := state.party(word)) in PARTIES]
    if len(blocs) + len(parties) < len(said):
        return
    for party in parties or ([asker.seat] if asker.seat else PARTIES):
        for bloc in blocs or asker.tables.blocs:
            yield _record(asker, bloc, party)


def _record(asker: Asking, bloc: str, party: str) -> Event:
    rows, session = list[dict[str, Any]](), 1
    for event in asker.events("new_session", "vote"):
        if event.kind == "new_session":
            session = event.data["session"]
            if asker.state.settings.record_per_session:
                rows = []
        elif row := event.data["parties"].get(party):
            bill = asker.tables.bills[event.data["bill"]]
            told = {"session": session, "bill": bill.number, "favours": bill.favours[bloc] == "Y"}
            told |= {"vote": row["vote"], "restrained": row["restrained"]}
            rows.append({**told, "points": row.get("earned", {}).get(bloc, 0)})
    total = asker.state.records[bloc][party]
    before = total - sum(row["points"] for row in rows)
    told = {"bloc": bloc, "party": party, "rows": rows, "before": before}
    return asker.step("why_record", "22", **told, total=total)


def _government(asker: Asking) -> Steps:
    about = list[Event]()
    for event in asker.events("proposal", *_GOVERNMENT):
        if event.kind == "installed":
            led = event.data["offices"]["premier"]
            about = [e for e in about if e.kind == "proposal" and e.data["premier"] == led][-1:]
        about.append(event)
    yield from about
    yield asker.step("why_government", "9")


def _money(asker: Asking) -> Steps:
    seat, listed = asker.seat, False
    for event in asker.events("listing", "account", "bankrupt", since=["listing"]):
        listed = listed or event.kind == "listing"
        if event.kind == "listing" and seat:
            yield asker.step("why_listed", "34", **event.data["parties"][seat])
        elif event.kind != "bankrupt" or seat in (None, event.data["party"]):
            yield event
    if seat:
        yield asker.step("why_paid", "27")
    if not listed:
        yield asker.step("why_unlisted", "34")
    told = seat and asker.state.settings.notices
    yield asker.step("why_balance", "R20") if told else asker.step("why_no_more", "34")


def _bare(asker: Asking, words: str) -> Steps:
    if not is_number(words):
        return _records(asker, words)
    return (_vote if int(words) in asker.tables.bills else _district)(asker, words)


REASONS = Reasons(
    questions,
    {
        "DISTRICT DISTRICTS SEAT": _district,
        "VOTE VOTES BILL BILLS": _vote,
        "RECORD RECORDS POINTS": _records,
        "GOVERNMENT PREMIER CABINET": alone(_government),
        "MONEY TREASURY ACCOUNT BALANCE CROWNS": alone(_money),
    },
    (_bare,),
)
