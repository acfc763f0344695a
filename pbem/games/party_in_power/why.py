"""Answers to WHY, from what the seat was told and may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.frame.events import PUBLIC, Audience, Event
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.party_in_power.cards import PIP
from pbem.games.party_in_power.names import party_names
from pbem.games.party_in_power.state import OVER, State
from pbem.orders.language import resolve

_NOISE = frozenset({"THE", "OF", "IN", "FOR", "MY", "OUR", "CONSTITUENCY", "CARD", "DID", "IS"})
_LOOSE = frozenset({"override", "action", "kept", "sheet"})
_OF_PLACE = frozenset({"reveal", "issue", "contests", "walkover", "vacancy", "result"})
_TAKES_LOOSE = frozenset({"issue", "result", "vacancy"})


def questions(state: State, seat: str | None) -> tuple[str, ...]:
    scores = [f"SCORE {code}" for code in state.order]
    cards = [] if seat is None else ["POOL" if seat == PIP else "HAND"]
    votes = ["VOTES", *(f"VOTES {code}" for code in state.votes)] if state.last else []
    return (*_places(state), "ISSUE", "ADVANTAGE", *votes, "MOMENTUM", *scores, *cards)


def _places(state: State) -> tuple[str, ...]:
    won = [id for ids in state.won.values() for id in ids]
    known = {*won, *state.vacancies, state.con, *([state.next] if state.next else [])}
    return tuple(sorted(known))


def why(state: State, seat: str | None, told: Sequence[ToldEvent], words: str) -> tuple[Event, ...]:
    asked = [word for word in words.upper().replace(",", " ").split() if word not in _NOISE]
    answer = _Answer(state, seat, told)
    if not asked:
        return ()
    subject, rest = asked[0], " ".join(asked[1:])
    if find := answer.subjects().get(subject):
        return tuple(find(rest))
    name = " ".join(asked)
    place, party = answer.place(name), answer.party(name)
    if place:
        return tuple(answer.constituency(place))
    return tuple(answer.score(party)) if party else ()


class _Answer:
    def __init__(self, state: State, seat: str | None, told: Sequence[ToldEvent]) -> None:
        self.state, self.seat, self.told = state, seat, told
        self.audience: Audience = PUBLIC if seat is None else frozenset([seat])

    def subjects(self) -> dict[str, Callable[[str], Iterator[Event]]]:
        """Return an answer per subject, given the words after it."""
        return {
            **dict.fromkeys(("VOTES", "VOTE", "COUNT"), self._votes),
            **dict.fromkeys(("SCORE", "SCORES", "POINTS", "VP", "NCMP", "NCMPS"), self._scores),
            **dict.fromkeys(("HAND", "POOL", "CARDS"), self._cards),
            "ISSUE": self._issue,
            "ADVANTAGE": self._advantage,
            "MOMENTUM": lambda _: self._momentum(),
        }

    def event(self, kind: str, rule: str, **data: Any) -> Event:
        return Event(kind, rule, self.audience, data)

    def place(self, words: str) -> str:
        """Return "" for none or several."""
        ids = {id: id for id in _places(self.state)}
        ids |= {f"K{int(id[1:])}": id for id in ids} | {str(int(id[1:])): id for id in ids}
        ids |= {self.state.place(id).name: id for id in _places(self.state)}
        found = resolve(words, ids) if words else None
        return found if isinstance(found, str) else ""

    def party(self, words: str) -> str:
        """Return "" for none or several."""
        names = party_names(self.state.names)
        found = resolve(words, names) if words else None
        return found if isinstance(found, str) else ""

    def constituency(self, id: str) -> Iterator[Event]:
        state, place = self.state, self.state.place(id)
        yield self.event(
            "why_place",
            "1.8",
            place=f"{id} {place.name}",
            seats=place.seats,
            issue=place.issue,
            ncmps=state.settings.ncmps.get(str(place.seats), 0),
            **self._figures(id),
        )
        yield from self._story(id)

    def _figures(self, id: str) -> dict[str, int]:
        printed, added = self.state.place(id).advantage, self.state.settings.incumbency
        return {"printed": printed, "added": added, "advantage": printed + added}

    def _story(self, id: str, kinds: frozenset[str] = _LOOSE | _OF_PLACE) -> Iterator[Event]:
        loose, mine = list[Event](), False
        for event in (one.event for one in self.told):
            if event.kind in _LOOSE:
                loose.append(event)
            elif event.kind in _OF_PLACE:
                mine = event.data["constituency"] == id
                if event.kind in _TAKES_LOOSE:
                    yield from (one for one in loose if mine and one.kind in kinds)
                    loose = []
                if mine and event.kind in kinds:
                    yield event
            elif event.kind == "bonus" and mine and "result" in kinds:
                yield event

    def _votes(self, words: str) -> Iterator[Event]:
        state, party = self.state, self.party(words)
        id = self.place(words) or state.last
        if (words and not party and not self.place(words)) or id is None:
            return
        votes = dict(state.votes) if id == state.last else None
        name = f"{id} {state.place(id).name}"
        yield self.event("why_votes", "4.7", place=name, votes=votes, party=party)
        for event in self._story(id, frozenset({"action", "sheet", "result"})):
            if not party or event.kind != "sheet" or event.data["party"] == party:
                yield event

    def _issue(self, words: str) -> Iterator[Event]:
        state, id = self.state, self.place(words) or self.state.con
        if words and not self.place(words):
            return
        place = state.place(id)
        name = f"{id} {place.name}"
        yield self.event("why_issue", "2.2", place=name, issue=place.issue)
        for event in self._story(id, frozenset({"override", "issue", "action"})):
            if event.kind != "action" or event.data["on"]:
                yield event

    def _advantage(self, words: str) -> Iterator[Event]:
        state, id = self.state, self.place(words) or self.state.con
        if not words or self.place(words):
            name = f"{id} {state.place(id).name}"
            yield self.event("why_advantage", "4.7", place=name, k=state.k, **self._figures(id))

    def _momentum(self) -> Iterator[Event]:
        gained = [
            event
            for event in (one.event for one in self.told)
            if (event.kind == "result" and event.data["best"])
            or (event.kind == "resigned" and event.data["momentum"])
        ]
        yield from gained[-1:]
        yield self.event(
            "why_momentum", "4.8" if gained else "2.1", holder=self.state.momentum, first=not gained
        )

    def _scores(self, words: str) -> Iterator[Event]:
        party = self.party(words)
        if party:
            yield from self.score(party)
        elif not words:
            for seat in [self.seat] if self.seat else self.state.order:
                yield from self.score(seat)

    def score(self, party: str) -> Iterator[Event]:
        state, settings = self.state, self.state.settings
        worth = settings.pip_points if party == PIP else settings.opposition_points
        for id in state.won[party]:
            place = state.place(id)
            name = f"{id} {place.name}"
            yield self.event(
                "why_won", "4.10", party=party, place=name, seats=place.seats, worth=worth
            )
        ncmps = bonus = 0
        for event in (one.event for one in self.told):
            if event.kind == "result" and event.data["best"] == party and event.data["ncmps"]:
                ncmps += event.data["ncmps"]
                id = event.data["constituency"]
                name = f"{id} {state.place(id).name}"
                yield self.event(
                    "why_ncmp", "4.8", party=party, place=name, ncmps=event.data["ncmps"]
                )
            elif event.kind == "bonus" and event.data["party"] == party:
                bonus += event.data["points"]
                yield event
        yield self.event(
            "why_score",
            "4.10",
            party=party,
            points=state.points(party),
            seats=state.seats_won(party),
            worth=worth,
            ncmp=state.ncmp[party],
            bonus=state.bonus[party],
            before=[state.ncmp[party] - ncmps, state.bonus[party] - bonus],
        )

    def _cards(self, words: str) -> Iterator[Event]:
        if self.seat is None or words:
            return
        state, seat = self.state, self.seat
        kinds = {"talent"} if seat == PIP else {"draft", "discarded"}
        moved = [one for one in self.told if one.event.kind in kinds or self._mine(one.event)]
        last = max((one.period for one in moved), default=None)
        yield from (one.event for one in moved if one.period == last)
        most = state.settings.most_talents if seat == PIP else state.settings.most_hand
        yield self.event(
            "why_cards",
            "4.2" if seat == PIP else "4.4",
            pip=seat == PIP,
            held=len(state.held(seat)),
            submitted=len(state.submitted.get(seat, ())),
            talents=len(state.talents()) if seat == PIP else 0,
            most=most,
            over=state.phase == OVER,
        )

    def _mine(self, event: Event) -> bool:
        return event.kind in ("override", "drawn") and event.data["party"] == self.seat
