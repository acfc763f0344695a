"""Answers to WHY, from what the seat was told and may know (§4)."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from pbem.games.frame import codec
from pbem.games.frame.events import Event, Seat
from pbem.games.frame.ruleset import Asker, Reasons, ends
from pbem.games.legislation import cards, views
from pbem.games.legislation.state import EXTENDED, LAPSED, State, moved
from pbem.games.legislation.steps.deciding import needs
from pbem.orders.spelling import is_number

Asking = Asker[State]
_KINDS = {"": "", "BILL": "B", "AMENDMENT": "A", "MOTION": "A"}
_ELECTION = ("spendings", "void", "score", "scores", "stalled", "doomed", "election")


def questions(asker: Asking) -> list[str]:
    state = asker.state
    motions = (*moved(state), *(one for bill in state.docket for one in bill.carried))
    return [
        *ends("VOTE B", range(1, state.filed + 1)),
        *ends("VOTE A", sorted(int(one.id[1:]) for one in motions)),
        *ends("ISSUE ", state.issues),
        *ends("MONEY ", () if state.secret else state.order),
        *(["MONEY", "SCORE"] if asker.seat in state.alive else []),
        *(["ELECTION"] if state.session > 1 else []),
    ]


def _vote(asker: Asking, words: str) -> Iterator[Event]:
    """Tell a bill's or a motion's way; numbers begin again, those of motions at each bill."""
    kind, _, name = words.rpartition(" ")
    number = name.lstrip("AB")
    if kind not in _KINDS or not is_number(number):
        return
    open_now = "A" if moved(asker.state) else "B"
    id = (name.removesuffix(number) or _KINDS[kind] or open_now) + number
    begins, over = ("bill", ["session"]) if id[0] == "B" else ("moved", ["session", "bill"])
    story, going = list[Event](), False
    for event in (one.event for one in asker.told):
        if event.kind == begins and event.data["id"] == id:
            story, going = [], True
        elif event.kind in over:
            going = False
        if going and _concerns(event, id):
            story += [*(_count(asker, event) if event.kind == "vote" else ()), event]
    yield from story or _on_the_docket(asker, id)
    if going and any(id == bill.id for bill in asker.state.docket):
        yield asker.step("why_waiting", "4.3", id=id)


def _concerns(event: Event, id: str) -> bool:
    data = event.data
    several = (*data.get("bills", ()), *data.get("amendments", ()))
    return id in (data.get("id"), data.get("bill"), *several)


def _on_the_docket(asker: Asking, id: str) -> Iterator[Event]:
    for bill in views.public(asker.state)["docket"]:
        if bill["id"] == id:
            yield asker.step("bill", "4.1", **bill)
        motions = (*bill["amendments"], *bill["carried"])
        yield from (asker.step("moved", "4.2", **one) for one in motions if one["id"] == id)


def _count(asker: Asking, event: Event) -> Iterator[Event]:
    data, state = event.data, asker.state
    ayes, nays, present = (int(data[side]) for side in ("aye", "nay", "present"))
    n = ayes + nays + present + int(data["absent"])
    asks = needs(state, n, ayes, nays)
    told = {"ayes": ayes, "nays": nays, "present": present, "players": n}
    if asks.quorum:
        yield asker.step("why_quorum", "4.3.2", quorum=asks.quorum, **told)
    if data["verdict"] == LAPSED:
        return
    veto = data["yellow"] == "THREAT OF VETO"
    yield asker.step("why_passing", "4.3.3", needed=asks.ayes, veto=veto, **told)
    if data["verdict"] in ("failed", "vetoed", EXTENDED):
        most = state.number("MAX_EXTEND")
        yield asker.step("why_extending", "4.3.4", needed=asks.present, most=most, **told)


def _issue(asker: Asking, words: str) -> Iterator[Event]:
    state, seat = asker.state, asker.seat
    name = words.removesuffix(" PLUS").removesuffix(" MINUS").rstrip(" +-")
    if name not in state.issues:
        return
    for one in asker.heard("enacted"):
        data = one.event.data
        for card in (*data["entered"], *data["cancelled"]):
            if cards.issue(card) == name:
                told = {"bill": data["id"], "card": card, "entered": card in data["entered"]}
                yield asker.step("why_law", "4.8", period=one.period, **told)
    hand = state.objectives(seat) if seat in state.alive else ()
    held = [card for card in hand if cards.issue(card) == name]
    yield asker.step("why_level", "2.3", issue=name, held=held)


def _purse(asker: Asking, words: str) -> Iterator[Event]:
    state, whose = asker.state, words or asker.seat
    if whose not in state.seats or (state.secret and whose != asker.seat):
        return
    moves, emptied, step = list[Event](), False, partial(asker.step, seat=whose)
    for one in asker.told:
        event = one.event
        if event.kind in ("fine", "resigned", "eliminated") and whose in event.data["seats"]:
            moves, emptied = [], True
        for kind, tokens, told in _moves(event, whose):
            told |= {"tokens": tokens, "period": one.period}
            moves.append(step(f"why_{kind}", event.rule, **told))
    now = state.tokens(whose)
    start = now - sum(move.data["tokens"] for move in moves)
    yield step("why_purse", "4.9.4" if emptied else "2.1", tokens=start, emptied=emptied)
    yield from moves
    yield step("why_balance", "1.1", tokens=now)


def _moves(event: Event, whose: Seat) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield reason, tokens (negative if paid) and facts."""
    data = event.data
    if event.kind == "paid" and (one := data["paid"].get(whose)):
        yield "pay", int(one["tokens"]), {"bill": data["id"], "why": dict(one["why"])}
    elif event.kind == "gift" and whose == data["giver"]:
        yield "given", -int(data["tokens"]), {"other": data["taker"]}
    elif event.kind == "gift" and whose == data["taker"]:
        yield "received", int(data["tokens"]), {"other": data["giver"]}
    elif event.kind == "spendings":
        for spent in data["spendings"]:
            if spent["by"] == whose:
                yield "spent", -int(spent["tokens"]), dict(spent)
    elif event.kind == "election" and whose in data["reelected"]:
        yield "term", int(data["tokens"]), {}


def _score(asker: Asking, words: str) -> Iterator[Event]:
    state, seat = asker.state, asker.seat
    if words not in ("", "EYE") or seat is None or seat not in state.alive:
        return
    done, held = list(state.satisfied(seat)), state.objectives(seat)
    for card in held:
        kept = card in done
        if kept:
            done.remove(card)
        rule = "6.7" if card == cards.CROWN else "6.2" if state.conflicting else "2.3"
        signs = [cards.sign(one) for one in held if cards.issue(one) == cards.issue(card)]
        both = state.conflicting and {1, -1} <= set(signs)
        wanted = max(-1, min(1, sum(signs)))
        yield asker.step("why_card", rule, card=card, kept=kept, both=both, wanted=wanted)
    if state.on("PUBLIC_EYE"):
        since = asker.events("eye", "election", since=["election"])
        yield from (event for event in since if event.kind == "eye")
    eye = codec.number(state.score(seat) - len(state.satisfied(seat)))
    yield asker.step("why_score", "4.9.3", eye=eye)


def _election(asker: Asking, words: str) -> list[Event]:
    last = max((one.period for one in asker.heard("election")), default=None)
    told = asker.heard(*_ELECTION)
    return [one.event for one in told if one.period == last and words in ("", "ELECTION")]


REASONS = Reasons(
    questions,
    {
        "VOTE VOTES": _vote,
        "MONEY TOKEN TOKENS PURSE BALANCE PAY": _purse,
        "SCORE CARDS HAND PUBLIC EYE POINTS": _score,
        "ELECTION ELECTIONS LAST CAMPAIGN REELECTION RE-ELECTION TERM TERMS": _election,
        "ISSUE CARD LAW LEVEL STATE": _issue,
    },
    (_vote, _purse, _issue),
)
