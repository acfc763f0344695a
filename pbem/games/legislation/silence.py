"""What silence means for a seat (§3.5, §3.6, §3.9, ruling 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.frame import codec
from pbem.games.frame.events import Event
from pbem.games.legislation import figures
from pbem.games.legislation.state import amendable, moved
from pbem.games.legislation.steps.deciding import standing_vote
from pbem.games.legislation.steps.election import threshold
from pbem.games.legislation.views import Seen
from pbem.orders.order import Standing

MOST_LINES = 8


def silence(seen: Seen, standing: Standing) -> Iterator[Event]:
    """Yield an event per fact, its ``slot`` named."""
    house, seat, tell = seen.house, seen.seat, seen.tell
    if seat not in house.alive or house.winners is not None:
        return
    by_if = figures.votes(house, seen.ifs, standing)
    yield from figures.results("silent_if", house, seat, seen.ifs, standing)
    match house.phase:
        case "BILL" if seat in house.turns:
            rule, filed = ("3.4" if seen.taken else "3.5"), list(seen.taken)
            yield tell("silent_bill", rule, slot="BILL", filed=filed)
        case "AMEND":
            bills = [bill.id for bill in house.docket if amendable(house, bill)]
            yield from _each(seen, "silent_amend", "3.5", "AMEND", bills)
        case "AMENDVOTE":
            ids = [a.id for a in moved(house) if f"VOTE {a.id}" not in by_if]
            yield from _each(seen, "silent_amendvote", "4.2", "VOTE", ids)
            mine = [bill.id for bill in house.docket if bill.chair == seat and bill.amendments]
            if mine and house.on("BINDING", "OFF"):
                yield tell("silent_accept", "R6", slot="ACCEPT", bills=mine)
        case "VOTE" if choice := standing_vote(seen.standing, standing):
            more = {"but": True} if by_if else {}
            yield tell("silent_standing", "3.6", choice=choice, **more)
        case "VOTE":
            ids = [bill.id for bill in house.docket if f"VOTE {bill.id}" not in by_if]
            yield from _each(seen, "silent_vote", "R4", "VOTE", ids)
        case "CAMPAIGN":
            told = {"score": codec.number(seen.score), "needed": threshold(house)}
            enough = seen.score >= threshold(house)
            yield tell("silent_campaign", "4.9.3", slot="SPEND", enough=enough, **told)
    if house.first_period and seen.drawn:
        yield tell("silent_return", "3.9", card=seen.goes, drawn=seen.drawn)


def _each(seen: Seen, kind: str, rule: str, word: str, ids: Sequence[str]) -> Iterator[Event]:
    if len(ids) > MOST_LINES:
        yield seen.tell(kind, rule, id="")
        return
    for name in ids:
        yield seen.tell(kind, rule, slot=f"{word} {name}", id=name)
