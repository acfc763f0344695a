"""Answers to WHY, from what the seat was told and may know (§4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.events import PUBLIC, Event, Seat
from pbem.games.frame.ruleset import ToldEvent
from pbem.games.legislation import cards
from pbem.games.legislation.state import EXTENDED, LAPSED, State, moved
from pbem.games.legislation.steps.deciding import needs
from pbem.games.legislation.steps.election import threshold

_BILL = re.compile(r"(?:VOTE ++)?(?:ON ++)?(?:BILL ++)?#?(?P<kind>[BA]?)(?P<number>[0-9]{1,4})")
_MOTION = re.compile(r"(?:VOTE ++)?(?:AMENDMENT|MOTION) ++#?A?(?P<number>[0-9]{1,4})")
_ISSUE = re.compile(
    r"(?:(?:ISSUE|CARD|LAW|LEVEL|STATE) ++)?(?P<name>[^\W\d]\w*+)(?: ?[+-]| PLUS| MINUS)?"
)
_PURSE = re.compile(
    r"(?:MY ++)?(?:MONEY|TOKENS?|PURSE|BALANCE|PAY)(?: ++(?:OF ++)?(?P<seat>P[0-9]{1,2}))?"
)
_SEAT = re.compile(r"P[0-9]{1,2}")
_SCORE = re.compile(r"(?:MY ++)?(?:SCORE|CARDS|HAND|(?:THE ++)?PUBLIC EYE|EYE|POINTS)")
_ELECTION = re.compile(r"(?:THE ++)?(?:LAST ++)?(?:ELECTIONS?|CAMPAIGN|RE-?ELECTION|TERMS?)")


def questions(state: State, seat: Seat | None) -> tuple[str, ...]:
    motions = sorted(
        int(one.id[1:])
        for one in (*moved(state), *(one for bill in state.docket for one in bill.carried))
    )
    asked = [
        *_ends("VOTE B", range(1, state.filed + 1)),
        *_ends("VOTE A", motions),
        *_ends("ISSUE ", state.issues),
    ]
    if not state.secret:
        asked += _ends("MONEY ", state.order)
    if seat in state.alive:
        asked += ["MONEY", "SCORE"]
    return (*asked, "ELECTION") if state.session > 1 else tuple(asked)


def _ends(word: str, names: Sequence[object]) -> list[str]:
    ends = dict.fromkeys((names[0], names[-1])) if names else {}
    return [f"{word}{name}" for name in ends]


def why(
    state: State,
    seat: Seat | None,
    told: Sequence[ToldEvent],
    words: str,
    tables: Mapping[str, Any],
) -> tuple[Event, ...]:
    asked = " ".join(words.upper().replace("\u2212", "-").split())
    answer = _Answer(state, seat, told, tables)
    if found := _MOTION.fullmatch(asked):
        return tuple(answer.vote(f"A{found['number']}"))
    if found := _BILL.fullmatch(asked):
        return tuple(answer.vote(f"{found['kind'] or answer.kind}{found['number']}"))
    if found := _PURSE.fullmatch(asked):
        return tuple(answer.purse(found["seat"] or seat))
    if _SEAT.fullmatch(asked):
        return tuple(answer.purse(asked))
    if _SCORE.fullmatch(asked):
        return tuple(answer.score())
    if _ELECTION.fullmatch(asked):
        return tuple(answer.election())
    if (found := _ISSUE.fullmatch(asked)) and found["name"] in state.issues:
        return tuple(answer.issue(found["name"]))
    return ()


@dataclass(frozen=True)
class _Answer:
    state: State
    seat: Seat | None
    told: Sequence[ToldEvent]
    tables: Mapping[str, Any]

    def _event(self, kind: str, rule: str, /, **data: Any) -> Event:
        return Event(kind, rule, frozenset([self.seat]) if self.seat else PUBLIC, data)

    @property
    def kind(self) -> str:
        return "A" if moved(self.state) else "B"

    def vote(self, name: str) -> Iterator[Event]:
        begins = "bill" if name[0] == "B" else "moved"
        first = next(
            (
                at
                for at in reversed(range(len(self.told)))
                if self._is(at, begins) and self.told[at].event.data["id"] == name
            ),
            None,
        )
        if first is None:
            yield from self._on_the_docket(name)
            return
        for at in range(first, len(self.told)):
            event = self.told[at].event
            if at != first and self._ends(at, name):
                return
            if _concerns(event, name):
                if event.kind == "vote":
                    yield from self._count(event)
                yield event
        if any(name == bill.id for bill in self.state.docket):
            yield self._event("why_waiting", "4.3", id=name)

    def _on_the_docket(self, name: str) -> Iterator[Event]:
        for bill in self.state.docket:
            if bill.id == name:
                told = {"id": name, "chair": bill.chair, "cards": list(bill.cards)}
                yield self._event("bill", "4.1", **told)
            for one in (*bill.amendments, *bill.carried):
                if one.id == name:
                    what = {"bill": bill.id, "action": one.action, "card": one.card}
                    yield self._event("moved", "4.2", id=name, movers=list(one.movers), **what)

    def _is(self, at: int, kind: str) -> bool:
        return self.told[at].event.kind == kind

    def _ends(self, at: int, name: str) -> bool:
        """Return whether numbering restarts here: sessions for bills, bills for amendments."""
        return self._is(at, "session") or (name[0] == "A" and self._is(at, "bill"))

    def _count(self, event: Event) -> Iterator[Event]:
        data = event.data
        ayes, nays, present = (int(data[side]) for side in ("aye", "nay", "present"))
        n = ayes + nays + present + int(data["absent"])
        asks = needs(self.state, n, ayes, nays)
        told = {"ayes": ayes, "nays": nays, "present": present, "players": n}
        if asks.quorum:
            yield self._event("why_quorum", "4.3.2", quorum=asks.quorum, **told)
        if data["verdict"] == LAPSED:
            return
        veto = data["yellow"] == "THREAT OF VETO"
        yield self._event("why_passing", "4.3.3", needed=asks.ayes, veto=veto, **told)
        if data["verdict"] in ("failed", "vetoed", EXTENDED):
            most = self.state.number("MAX_EXTEND")
            yield self._event("why_extending", "4.3.4", needed=asks.present, most=most, **told)

    def issue(self, name: str) -> Iterator[Event]:
        for one in self.told:
            data = one.event.data
            if one.event.kind == "enacted":
                here = [c for c in (*data["entered"], *data["cancelled"]) if cards.issue(c) == name]
                for card in here:
                    yield self._event(
                        "why_law",
                        "4.8",
                        period=one.period,
                        bill=data["id"],
                        card=card,
                        entered=card in data["entered"],
                    )
        level = cards.level(self.state.law, name)
        held = (
            [card for card in self.state.objectives(self.seat) if cards.issue(card) == name]
            if self.seat in self.state.alive
            else []
        )
        yield self._event("why_level", "2.3", issue=name, level=level, held=held)

    def purse(self, whose: Seat | None) -> Iterator[Event]:
        if whose not in self.state.seats or (self.state.secret and whose != self.seat):
            return
        moves, emptied = list[Event](), False
        for one in self.told:
            if _emptied(one.event, whose):
                moves, emptied = [], True
            moves += [
                self._event(f"why_{what}", one.event.rule, period=one.period, seat=whose, **data)
                for what, data in _moves(one.event, whose)
            ]
        now = self.state.tokens(whose)
        start = now - sum(int(move.data["tokens"]) for move in moves)
        yield self._event(
            "why_purse", "4.9.4" if emptied else "2.1", seat=whose, tokens=start, emptied=emptied
        )
        yield from moves
        yield self._event("why_balance", "1.1", seat=whose, tokens=now)

    def score(self) -> Iterator[Event]:
        state, seat = self.state, self.seat
        if seat is None or seat not in state.alive:
            return
        done, held = list(state.satisfied(seat)), state.objectives(seat)
        for card in held:
            kept = card in done
            if kept:
                done.remove(card)
            name = cards.issue(card)
            rule = "6.7" if card == cards.CROWN else "6.2" if state.conflicting else "2.3"
            level = cards.level(state.law, name)
            signs = [cards.sign(one) for one in held if cards.issue(one) == name]
            both = state.conflicting and {1, -1} <= set(signs)
            told = {"card": card, "kept": kept, "level": level, "both": both}
            told |= {"wanted": max(-1, min(1, sum(signs))), "failed": state.crown.get(seat, 0)}
            yield self._event("why_card", rule, needed=int(self.tables["crown_bills"]), **told)
        if state.on("PUBLIC_EYE"):
            yield from self._eyes()
        yield self._event(
            "why_score",
            "4.9.3",
            satisfied=len(state.satisfied(seat)),
            eye=codec.number(state.score(seat) - len(state.satisfied(seat))),
            score=codec.number(state.score(seat)),
            needed=threshold(state),
        )

    def _eyes(self) -> Iterator[Event]:
        last = max((at for at in range(len(self.told)) if self._is(at, "election")), default=-1)
        for one in self.told[last + 1 :]:
            if one.event.kind == "eye":
                yield one.event

    def election(self) -> Iterator[Event]:
        last = max((at for at in range(len(self.told)) if self._is(at, "election")), default=None)
        if last is None:
            return
        period = self.told[last].period
        kinds = ("spendings", "void", "score", "scores", "stalled", "doomed", "election")
        for one in self.told:
            if one.period == period and one.event.kind in kinds:
                yield one.event


def _emptied(event: Event, whose: Seat) -> bool:
    return event.kind in ("fine", "resigned", "eliminated") and whose in event.data["seats"]


def _concerns(event: Event, name: str) -> bool:
    data = event.data
    several = (*data.get("bills", ()), *data.get("amendments", ()))
    return name in (data.get("id"), data.get("bill"), *several)


def _moves(event: Event, whose: Seat) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield reason and tokens, negative if paid."""
    data = event.data
    if event.kind == "paid" and whose in data["paid"]:
        one = data["paid"][whose]
        yield "pay", {"tokens": one["tokens"], "bill": data["id"], "why": dict(one["why"])}
    elif event.kind == "gift" and whose == data["giver"]:
        yield "given", {"tokens": -int(data["tokens"]), "other": data["taker"]}
    elif event.kind == "gift" and whose == data["taker"]:
        yield "received", {"tokens": data["tokens"], "other": data["giver"]}
    elif event.kind == "spendings":
        for spent in data["spendings"]:
            if spent["by"] == whose:
                yield "spent", {**spent, "tokens": -int(spent["tokens"])}
    elif event.kind == "election" and whose in data["reelected"]:
        yield "term", {"tokens": data["tokens"]}
