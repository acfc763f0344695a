"""The rule-set of Parlement 1966."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.errors import OptionError
from pbem.games.frame import house_rules, ruleset
from pbem.games.frame.adjudication import reread
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Option, Options, one_of, switch
from pbem.games.frame.ruleset import About, Amended, Offer, Outcome, Result, Rulebook, Ruleset
from pbem.games.parlement_1966 import setup, views
from pbem.games.parlement_1966 import state as s
from pbem.games.parlement_1966.advice import advice, offers, silence
from pbem.games.parlement_1966.orders import Case, StandingVote, Support, Vote, gathered, language
from pbem.games.parlement_1966.orders import check as checked
from pbem.games.parlement_1966.state import PARTIES, PHASES, State, Tables
from pbem.games.parlement_1966.steps import Period, periods
from pbem.games.parlement_1966.why import REASONS
from pbem.orders.order import Checked, Order, Standing

ABOUT = About(
    key="parlement-1966",
    title="Parlement (1966)",
    seats=(tuple(PARTIES),),
    schema=3,
    phases=PHASES,
    options=(
        Option(
            "emergency_after_extensions",
            "none",
            "extensions of the first period before the emergency of paragraph "
            "10 begins without a Government",
            words=("none",),
            says=("never, however long it is extended",),
        ),
        switch("record_per_session", "legislative records begin again with each session", "off"),
        switch(
            "private_treasury_notices",
            "each party is told its account at the end of every period",
            "off",
        ),
        one_of(
            "rulings",
            "which rulings the game plays by (R22, R23)",
            third="those of this edition",
            second="those without CHEQUE and CASH",
            first="those of games that were made before November 2026",
        ),
        switch("house_rules", "missed moves are counted and asked about", "on"),
        Option(
            "max_sessions",
            "off",
            "sessions after which most seats win",
            least=1,
            words=("off",),
            says=("no such end",),
        ),
    ),
    status="complete",
    awaited=ruleset.Awaited(
        "CANDIDATES", "list of candidates", "lists of candidates", "candidate list"
    ),
    plays_on="CONTINUE",
    told_since=("lapsed", "backed", "unsigned", "blocs_none", "cheque_written", "cheque_received"),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that an amendment may change."""

    table: str
    key: str
    """Also in :class:`Tables`."""


FIGURES: Mapping[str, Figure] = {
    "candidate_fee": Figure("crowns", "fee"),
    "salary": Figure("crowns", "salary"),
    "contribution": Figure("crowns", "contribution"),
    "bloc_loss": Figure("votes", "loss"),
}
_HIGHEST = 1_000_000
_SETTINGS = {
    "record_per_session": "record_per_session",
    "private_treasury_notices": "notices",
    "house_rules": "house_rules",
    "max_sessions": "max_sessions",
}
"""Changeable options, and their :class:`Settings` fields."""
BY_HAND = "by hand"


def _set(state: State, name: str, value: str) -> tuple[State, str]:
    if name in FIGURES:
        crowns = Option(name, 0, name, most=_HIGHEST).read(value.replace(",", ""))
        return replace(state, changed={**state.changed, name: int(crowns)}), str(crowns)
    option = next((one for one in ABOUT.options if one.name == name and name in _SETTINGS), None)
    if option is None:
        listed = ", ".join((*FIGURES, *_SETTINGS))
        raise OptionError(
            f"{name or 'nothing'!r} cannot be changed in a running game; what can: {listed}. All"
            " else is done by hand"
        )
    read = option.read(value)
    off = None if name == "max_sessions" else False
    taken: dict[str, Any] = {_SETTINGS[name]: {"on": True, "off": off}.get(str(read), read)}
    return replace(state, settings=replace(state.settings, **taken)), str(read)


class Parlement1966(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    gathered = staticmethod(gathered)
    upgrades: ClassVar = {1: s.first_rulings, 2: s.second_rulings}

    def __init__(self, book: Rulebook) -> None:
        self.tables = s.read(book.tables)
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        state = s.in_order(setup.start(options, scenario, self.tables), self.tables.blocs)
        minutes = Minutes()
        minutes.public(
            "opening", "1", seats=dict(state.seats), session=state.session, phase=state.phase
        )
        return Outcome(state, tuple(minutes.events))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        if state.winners is not None:
            return {}
        votes: list[str] = []
        lists: list[str] = []
        if state.phase == "session":
            votes += [f"VOTE {one.bill}" for one in state.called]
            votes += [
                f"VOTE AMENDMENT {a.number}"
                for a in state.amendments
                if a.voted_in(state.session, state.period)
            ]
            lists += ["CANDIDATES"] if state.last else []
        return {seat: (*(votes if state.seats[seat] else ()), *lists) for seat in PARTIES}

    def filled(self, state: State, seat: Seat, standing: Standing) -> set[str]:
        """Return the votes that standing ones fill."""
        filed = {f"VOTE {bill}" for bill in state.standing_votes.get(seat, {})}
        return filed | {slot.removeprefix("STANDING ") for slot in standing}

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        return checked(state, seat, standing, order, self._tables(state))

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return standing votes on bills put; else a missed vote abstains (16)."""
        filed = state.standing_votes.get(seat, {})
        return tuple(
            Vote(one.bill, filed[str(one.bill)]) for one in state.called if str(one.bill) in filed
        )

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        minutes = Minutes()
        if state.settings.house_rules:
            state = replace(state, missed=self._missed(state, orders, minutes))
        kept = {seat: reread(self, state.waiting.get(seat, ())) for seat in PARTIES}
        given = {seat: {**kept[seat], **orders.get(seat, {})} for seat in PARTIES}
        at = Period(state, self._tables(state), given, minutes)
        periods.hold(at, dice)
        return Outcome(s.in_order(at.state, self.tables.blocs), tuple(minutes.events))

    def _missed(self, state: State, orders: Orders, minutes: Minutes) -> dict[str, int]:
        missed, first = dict(state.missed), state.settings.first_rulings
        for seat, asked in self.asked(state).items():
            standing = orders.get(seat, {})
            owed = asked if first else self.due(state, seat, {})
            if not owed:
                continue
            silent = (
                "PASS" not in standing and not any(slot in standing for slot in owed)
                if first
                else house_rules.missed(self, state, seat, standing)
            )
            missed[seat] = missed.get(seat, 0) + 1 if silent else 0
            if silent:
                minutes.public("missed", "R21", party=seat, owed=list(owed), times=missed[seat])
        return {seat: times for seat, times in missed.items() if times}

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat, self._tables(state))

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        silence(Case(state, seat, standing, self._tables(state)), tell)

    def form(self, state: State, seat: Seat) -> Iterator[Offer]:
        return offers(state, seat, self._tables(state))

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        advice(Case(state, seat, standing, self._tables(state)), tell)

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders but those about Governments (11)."""
        return {slot: order for slot, order in standing.items() if slot != Support.slot}

    def adopted(self, state: State) -> Sequence[Amended]:
        return [
            Amended(one.number, one.text, f"session {one.session}", one.done)
            for one in state.amendments
            if one.stage == "adopted"
        ]

    def changeable(self, state: State) -> Mapping[str, str]:
        now = self._tables(state)
        told = {name: str(getattr(now, one.key)) for name, one in FIGURES.items()}
        for name, field in _SETTINGS.items():
            value = getattr(state.settings, field)
            told[name] = "on" if value is True else str(value or "off")
        return told

    def amended(self, state: State, number: int, setting: str) -> State:
        """Carry out an amendment: "name=value", "by hand", or "house name=value", which is only
        noted. Raise OptionError if impossible."""
        done = setting.removeprefix(ruleset.HOUSE)
        if setting not in (BY_HAND, ruleset.HOUSE + done):
            name, _, value = (part.strip() for part in setting.partition("="))
            name = name.casefold()
            state, value = _set(state, name, value)
            done = f"{name}={value}"
        amendments = tuple(
            replace(one, done=(*one.done, done)) if one.number == number else one
            for one in state.amendments
        )
        return s.in_order(replace(state, amendments=amendments), self.tables.blocs)

    def tables_at(self, state: State) -> Mapping[str, Any]:
        found = dict(self.book.tables)
        for name, now in state.changed.items():
            one = FIGURES[name]
            found[one.table] = {**found[one.table], one.key: now}
        return found

    def _tables(self, state: State) -> Tables:
        changed: dict[str, Any] = {FIGURES[name].key: now for name, now in state.changed.items()}
        return replace(self.tables, **changed)

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return orders that wait for the first period's end, and standing votes."""
        votes = state.standing_votes.get(seat, {})
        return (
            *state.waiting.get(seat, ()),
            *(str(StandingVote(int(bill), vote)) for bill, vote in votes.items()),
        )

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        return dict(state.seats)

    def result(self, state: State) -> Result | None:
        """Return the winners (1), all ranked by seats."""
        return None if state.winners is None else Result(state.winners, dict(state.seats))

    def load(self, dumped: Json) -> State:
        return s.in_order(super().load(dumped), self.tables.blocs)
