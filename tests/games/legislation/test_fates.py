"""Over the recorded games all fates are put in by hand: where the fate that a sentence names comes
about, the sentence holds."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Event, Minutes
from pbem.games.legislation import cards
from pbem.games.legislation.advice import advice, offers, seen
from pbem.games.legislation.orders import Vote
from pbem.games.legislation.state import AMENDVOTE, VOTE, Bill, Clerk, State, moved
from pbem.games.legislation.steps import deciding
from pbem.games.legislation.steps.session import victors
from pbem.periods import paper
from tests.net import games
from tests.net.compare import unpacked

GAMES = unpacked(games.FOLDER / "legislation.json.xz")
MOST = 3
"""Earlier bills whose fates are all put in; of more the last ones."""
Verdicts = Iterator[tuple[str, bool]]
"""Kinds of sentences, and whether one held."""


@dataclass
class Table:
    """A position with the ends that fates give it."""

    state: State
    tables: Mapping[str, Any]
    ends: dict[frozenset[tuple[str, str]], tuple[State, list[Event]]] = field(default_factory=dict)

    def side(self, seat: str, choice: str) -> str:
        """All vote alike; VETO is a bare majority, and EXTEND all Present but one of a side."""
        at, n = self.state.alive.index(seat), self.state.n
        veto = "AYE" if at <= n // 2 else "NAY"
        extend = "NAY" if at == 0 else "AYE" if at == 1 and n > 4 else "PRESENT"
        return {"VETO": veto, "EXTEND": extend}.get(choice, choice)

    def end(self, choices: Mapping[str, str]) -> tuple[State, list[Event]]:
        key = frozenset(choices.items())
        if key not in self.ends:
            orders = {
                seat: {f"VOTE {b}": Vote(self.side(seat, c), (b,)) for b, c in choices.items()}
                for seat in self.state.alive
            }
            clerk = Clerk(self.tables, Dice("1", "fates"), Minutes())
            end = deciding.decide(self.state, orders, clerk)
            self.ends[key] = end, clerk.minutes.events
        return self.ends[key]

    def fates(self, bill: Bill, unless: Sequence[str]) -> Iterator[dict[str, str]]:
        """All fates of the earlier bills in which none of ``unless`` passes; later ones fail. A
        Crisis passes: else the game is over."""
        crises = [one.id for one in self.state.docket if one.crisis]
        if not set(crises).isdisjoint(unless):
            return
        earlier = [one.id for one in deciding.earlier_bills(self.state, bill)]
        free = [one for one in earlier if one not in (*crises, *unless)][-MOST:]
        base = {one.id: "NAY" for one in self.state.docket} | dict.fromkeys(crises, "AYE")
        for chosen in product(("NAY", "AYE", "EXTEND"), repeat=len(free)):
            yield base | dict(zip(free, chosen, strict=True))


def of(events: Sequence[Event], kind: str, bill: str) -> list[Event]:
    return [e for e in events if e.kind == kind and e.data.get("id") == bill]


def holds(state: State, seat: str, data: Mapping[str, Any]) -> bool:
    """Whether the red cards are as an effect says."""
    done, goals = state.satisfied(seat), state.objectives(seat)
    return (
        all(card in done for card in data["won"])
        and not any(done.count(card) == goals.count(card) for card in data["lost"])
        and not any(cards.opposite(card) in state.law for card in data["nearer"])
        and all(cards.opposite(card) in state.law for card in data["further"])
    )


def votes(at: Table, seat: str) -> Verdicts:
    """The sentences of receipts on votes."""
    for choice in ("AYE", "NAY", "PRESENT"):
        sheet = {f"VOTE {bill.id}": Vote(choice, (bill.id,)) for bill in at.state.docket}
        for event in advice(seen(at.state, seat, at.tables), sheet):
            bill = at.state.bill(event.data.get("id", ""))
            for others in at.fates(bill, event.data["unless"]) if bill else ():
                if event.kind == "follows_eye":
                    yield from _eye(at, seat, event, others)
                else:
                    yield from _effect(at, seat, event, others)
                    yield from _pay(at, seat, event, others)


def _eye(at: Table, seat: str, event: Event, others: Mapping[str, str]) -> Verdicts:
    for choice in ("AYE", "NAY"):
        _, events = at.end({**others, event.data["id"]: choice})
        (vote,) = of(events, "vote", event.data["id"]) or [None]
        if vote and vote.data["verdict"] in ("passed", "failed") and event.data["choice"] == choice:
            told = [e for e in of(events, "eye", event.data["id"]) if seat in e.audience]
            yield "eye", sum(e.data["vote"] for e in told) == 2 * Fraction(event.data["points"])


def _effect(at: Table, seat: str, event: Event, others: Mapping[str, str]) -> Verdicts:
    end, events = at.end({**others, event.data["id"]: "AYE"})
    if of(events, "enacted", event.data["id"]):
        yield "effect", holds(end, seat, event.data)
        if event.data["wins"] and "AYE" not in others.values():
            yield "wins", seat in victors(end, at.tables)[0]


def _pay(at: Table, seat: str, event: Event, others: Mapping[str, str]) -> Verdicts:
    name, told = event.data["id"], event.data
    for choice in ("AYE", "NAY", "VETO", "EXTEND"):
        _, events = at.end({**others, name: choice})
        if at.side(seat, choice) != told["choice"]:
            continue
        for fate in (e.data["verdict"] for e in of(events, "vote", name)):
            paid = [e.data["paid"] for e in of(events, "paid", name)]
            got = sum(one[seat]["tokens"] for one in paid if seat in one)
            said = told["pay"].get(fate, 0)
            yield f"pay, {fate}", got >= said if told["more"] else got == said


def motions(at: Table, seat: str) -> Verdicts:
    """The lines of the form on amendments: it goes into its bill, and that passes."""
    for offer in offers(seen(at.state, seat, at.tables)):
        if offer.kind != "vote_amendment" or offer.data["void"]:
            continue
        data, wanted = offer.data, offer.data["id"]
        sheet = {
            f"VOTE {one.id}": Vote("AYE" if one.id == wanted else "NAY", (one.id,))
            for one in moved(at.state)
        }
        clerk = Clerk(at.tables, Dice("1", "fates"), Minutes())
        amended = deciding.vote_amendments(at.state, dict.fromkeys(at.state.alive, sheet), clerk)
        then = Table(replace(amended, phase=VOTE), at.tables)
        bill = then.state.bill(data["bill"])
        assert bill
        for others in then.fates(bill, data["unless"]):
            end, events = then.end({**others, bill.id: "AYE"})
            if not of(events, "enacted", bill.id):
                continue
            if data["action"] == "ADD":
                yield "added", holds(end, seat, data)
            elif not bill.crisis:
                without, _ = then.end({**others, bill.id: "NAY"})
                name = cards.issue(data["card"])
                yield "removed", cards.level(end.law, name) == cards.level(without.law, name)


@pytest.mark.parametrize(
    "name",
    [  # the default run has every sixth, CI every second
        pytest.param(one, marks=(pytest.mark.slow, pytest.mark.nightly)[: at % 6 and 1 + at % 2])
        for at, one in enumerate(sorted(GAMES))
    ],
)
def test_where_a_fate_comes_about_its_sentence_holds(name: str) -> None:
    given, held, false = GAMES[name], Counter[str](), list[Any]()
    seats, options = tuple(given["seats"]), given["options"]
    game = paper.begin(paper.Setup("legislation", given["seed"], seats, options, given["scenario"]))
    for letters in given["periods"]:
        at = Table(game.state, game.ruleset.book.tables)
        told = {VOTE: votes, AMENDVOTE: motions}.get(at.state.phase)
        for seat in at.state.alive if told and at.state.winners is None else ():
            for kind, so in told(at, seat):
                held[kind] += 1
                if not so:
                    false.append((at.state.period, seat, kind))
        game = paper.step(game, letters)
    print(name, dict(held), Counter(f[2] for f in false))
    assert held and not false, false[:5]
