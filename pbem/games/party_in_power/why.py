"""Answers to WHY, from what the seat was told and may know."""

from collections.abc import Collection, Iterator
from typing import Any

from pbem.games.frame.events import Event
from pbem.games.frame.ruleset import Asker, Reasons, alone
from pbem.games.party_in_power.orders import party_names
from pbem.games.party_in_power.state import PIP, State
from pbem.orders.language import resolve

Asking = Asker[State]
_LOOSE = ("override", "action", "kept", "sheet")
_OF_PLACE = ("reveal", "issue", "contests", "walkover", "vacancy", "result")
_TAKES_LOOSE = ("issue", "result", "vacancy")


def questions(asker: Asking) -> list[str]:
    state, seat = asker.state, asker.seat
    scores = [f"SCORE {code}" for code in state.order]
    cards = [] if seat is None else ["POOL" if seat == PIP else "HAND"]
    votes = ["VOTES", *(f"VOTES {code}" for code in state.votes)] if state.last else []
    return [*_places(state), "ISSUE", "ADVANTAGE", *votes, "MOMENTUM", *scores, *cards]


def _places(state: State) -> list[str]:
    won = {id for ids in state.won.values() for id in ids}
    return sorted({*won, *state.vacancies, state.con, *([state.next] if state.next else [])})


def _place(state: State, words: str) -> str:
    """Return "" for none or several."""
    words, ids = words.removeprefix("CONSTITUENCY "), _places(state)
    names = {id: id for id in ids} | {f"K{int(id[1:])}": id for id in ids}
    names |= {str(int(id[1:])): id for id in ids} | {state.place(id).name: id for id in ids}
    found = resolve(words, names) if words else None
    return found if isinstance(found, str) else ""


def _party(state: State, words: str) -> str:
    """Return "" for none or several."""
    found = resolve(words, party_names(state.names)) if words else None
    return found if isinstance(found, str) else ""


def _told(asker: Asking, kind: str, rule: str, id: str, **data: Any) -> Event:
    place, settings = asker.state.place(id), asker.state.settings
    told = {"place": f"{id} {place.name}", "seats": place.seats, "issue": place.issue}
    told |= {"printed": place.advantage, "added": settings.incumbency}
    return asker.step(kind, rule, **told, **data)


def _constituency(asker: Asking, words: str) -> Iterator[Event]:
    if id := _place(asker.state, words):
        ncmps = asker.state.settings.ncmps.get(str(asker.state.place(id).seats), 0)
        yield _told(asker, "why_place", "1.8", id, ncmps=ncmps)
        yield from _story(asker, id)


def _story(asker: Asking, id: str, kinds: Collection[str] = _LOOSE + _OF_PLACE) -> Iterator[Event]:
    loose, mine = list[Event](), False
    for event in asker.events(*_LOOSE, *_OF_PLACE, "bonus"):
        if event.kind in _LOOSE:
            loose.append(event)
            continue
        if event.kind in _OF_PLACE:
            mine = event.data["constituency"] == id
        if event.kind in _TAKES_LOOSE:
            yield from (one for one in loose if mine and one.kind in kinds)
            loose = []
        if mine and ("result" if event.kind == "bonus" else event.kind) in kinds:
            yield event


def _votes(asker: Asking, words: str) -> Iterator[Event]:
    state, party, place = asker.state, _party(asker.state, words), _place(asker.state, words)
    id = place or state.last
    if id and (party or place or not words):
        votes = dict(state.votes) if id == state.last else None
        yield _told(asker, "why_votes", "4.7", id, votes=votes)
        for event in _story(asker, id, ("action", "sheet", "result")):
            if not party or event.kind != "sheet" or event.data["party"] == party:
                yield event


def _issue(asker: Asking, words: str) -> Iterator[Event]:
    if id := _place(asker.state, words or asker.state.con):
        yield _told(asker, "why_issue", "2.2", id)
        for event in _story(asker, id, ("override", "issue", "action")):
            if event.kind != "action" or event.data["on"]:
                yield event


def _advantage(asker: Asking, words: str) -> Iterator[Event]:
    if id := _place(asker.state, words or asker.state.con):
        yield _told(asker, "why_advantage", "4.7", id)


def _momentum(asker: Asking) -> Iterator[Event]:
    told = asker.events("result", "resigned")
    gained = [one for one in told if one.data.get("best") or one.data.get("momentum")]
    yield from gained[-1:]
    yield asker.step("why_momentum", "4.8" if gained else "2.1", first=not gained)


def _scores(asker: Asking, words: str) -> Iterator[Event]:
    if party := _party(asker.state, words):
        yield from _score(asker, party)
    elif not words:
        for seat in [asker.seat] if asker.seat else asker.state.order:
            yield from _score(asker, seat)


def _score(asker: Asking, party: str) -> Iterator[Event]:
    state, settings = asker.state, asker.state.settings
    worth = settings.pip_points if party == PIP else settings.opposition_points
    for id in state.won[party]:
        yield _told(asker, "why_won", "4.10", id, party=party, worth=worth)
    ncmps, bonus = state.ncmp[party], state.bonus[party]
    for event in asker.events("result", "bonus"):
        data = event.data
        if event.kind == "result" and data["best"] == party and data["ncmps"]:
            ncmps -= data["ncmps"]
            id = data["constituency"]
            yield _told(asker, "why_ncmp", "4.8", id, party=party, ncmps=data["ncmps"])
        elif event.kind == "bonus" and data["party"] == party:
            bonus -= data["points"]
            yield event
    yield asker.step("why_score", "4.10", party=party, worth=worth, before=[ncmps, bonus])


def _cards(asker: Asking) -> Iterator[Event]:
    seat, settings = asker.seat, asker.state.settings
    if seat is None:
        return
    came = "talent" if seat == PIP else "draft"
    moved = [
        one
        for one in asker.heard(came, "discarded", "override", "drawn")
        if one.event.kind not in ("override", "drawn") or one.event.data["party"] == seat
    ]
    yield from (one.event for one in moved if one.period == moved[-1].period)
    rule, most = ("4.2", settings.most_talents) if seat == PIP else ("4.4", settings.most_hand)
    yield asker.step("why_cards", rule, most=most)


REASONS = Reasons(
    questions,
    {
        "VOTES VOTE COUNT": _votes,
        "SCORE SCORES POINTS VP NCMP NCMPS": _scores,
        "HAND POOL CARDS CARD": alone(_cards),
        "ISSUE": _issue,
        "ADVANTAGE": _advantage,
        "MOMENTUM": alone(_momentum),
    },
    (_constituency, _scores),
)
