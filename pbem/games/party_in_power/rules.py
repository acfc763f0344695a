"""The rule-set of Party In Power, and what is known without a game: seats, phases, options
(1.12)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pbem.games.frame import conditions
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import Ended, Figure, Figures, Plan, Plans
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Option, Options, one_of, switch, timing
from pbem.games.frame.ruleset import About, Outcome, Result, Rulebook, Ruleset
from pbem.games.party_in_power import orders as o
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power import views
from pbem.games.party_in_power.advice import advice, offers, silence
from pbem.games.party_in_power.setup import start
from pbem.games.party_in_power.state import ISSUES, PIP, State
from pbem.games.party_in_power.steps import campaign, content_of, nomination, polling, resignations
from pbem.games.party_in_power.why import REASONS
from pbem.orders.declared import checked
from pbem.orders.order import Checked, Order, Standing

CODES = ("PIP", "LAN", "COM", "KIT", "NLP", "VER", "TID", "CMP", "HAH", "OWP")
_SIZES = (4, 2, 3, 5, 6, 7, 8, 9, 10)
ABOUT = About(
    key="party-in-power",
    title="Party In Power",
    seats=tuple(CODES[:size] for size in _SIZES),
    schema=2,
    phases=s.PHASES,
    options=(
        Option(
            "CONSTITUENCIES",
            12,
            "constituencies to be polled (27: the table game)",
            least=3,
            most=27,
        ),
        switch("SHARED", "a polling and the next campaign share one period", "ON"),
        Option(
            "MINISTERS",
            "AUTO",
            "Ministers in play, 3 to 13",
            least=3,
            most=13,
            words=("AUTO",),
            says=(
                "the three seniors, and by lot ten others for 27 constituencies, fewer for fewer",
            ),
        ),
        Option(
            "INCUMBENCY",
            "AUTO",
            "added to every Incumbent Advantage",
            least=-99,
            words=("AUTO",),
            says=("by the number of parties, from -2 to +2",),
        ),
        Option(
            "DRAFT",
            "AUTO",
            "cards drafted on each Nomination Day",
            least=0,
            words=("AUTO",),
            says=("by the number of parties, from 4 to 2",),
        ),
        one_of(
            "TIE",
            "who wins a tie between the PIP and an Opposition Party",
            PIP="the PIP",
            OPPOSITION="the best of the tied Opposition Parties",
            LADDER="most Helpers, then Momentum, then the lowest number",
        ),
        one_of(
            "POOL",
            "whether the PIP's pool is public",
            PRIVATE="only the PIP is told",
            OPEN="all are told",
        ),
        one_of(
            "MINORITY",
            "who serves as Minority Candidate",
            STRICT="only a Minister who is Minority",
            MINISTER="any Minister",
        ),
        one_of(
            "HELPERS",
            "what Helpers do",
            TIEBREAK="they break ties, and do not vote",
            VOTE="each gives a vote too",
        ),
        one_of(
            "FAST",
            "the polling",
            OFF="it has a period of its own",
            ON="it is held with the nomination",
        ),
        one_of(
            "LAPSE",
            "who is fielded once the PIP has resigned",
            PIP="automatic Teams",
            VACANT="nobody is fielded",
        ),
        *timing(3),
    ),
    status="complete",
    seat_tables=("won", "ncmp", "bonus"),
    told_since=("drew_fewer", "shuffled"),
)


class PartyInPower(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    form = staticmethod(offers)
    upgrades: ClassVar = {1: lambda dumped: {**dumped, "plans": {}}}

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, o.language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        outcome = start(seats, options, scenario, self.book.tables, dice)
        return replace(outcome, state=PLANS.told_at_start(outcome.state, self.language))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        over = state.phase == s.OVER
        return {} if over else {seat: _required(state, seat) for seat in state.living}

    def filled(self, state: State, seat: Seat, standing: Standing) -> Standing:
        return PLANS.works(state, seat, standing, self.language)[0]

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        """Check an order (3.11) or plan (3.13)."""
        if isinstance(order, Plan | Ended):
            return PLANS.checked(state, seat, standing, order)
        return o.check(state, seat, standing, order)

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return what silence gives (3.2 to 3.9), after plans (3.13)."""
        stands, _ = PLANS.works(state, seat, {}, self.language)
        made: dict[str, Order] = {
            "DRAW": o.Draw((("TALENT", state.k),)),
            "DRAFT": o.Draft(()),
            "CONTEST": o.Decline(),
        }
        if seat == s.PIP:
            made["FIELD"] = o.Field(s.automatic_team(state, state.issue))
        return tuple(stands.get(slot) or made[slot] for slot in _required(state, seat))

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        """Adjudicate by phase, a polling before the next campaign."""
        minutes, phase = Minutes(), state.phase
        state, orders = PLANS.carry_out(state, orders, self.language, minutes)
        state, orders = resignations(state, orders, minutes)
        if state.phase != s.OVER and phase in (s.POLLING, s.SHARED):
            state = polling(state, orders, dice, minutes)
        if state.phase != s.OVER and phase in (s.CAMPAIGN, s.SHARED):
            state = campaign(state, orders, dice, minutes)
        if state.phase != s.OVER and phase == s.NOMINATION:
            state = nomination(state, orders, dice, minutes)
        return Outcome(state, tuple(minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, _ = PLANS.works(state, seat, standing, self.language)
        advice(state, seat, standing, given, tell)
        PLANS.tell_advice(state, seat, standing, self.language, tell)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        given, done = PLANS.works(state, seat, standing, self.language)
        silence(state, seat, given, tell)
        PLANS.tell_silence(done, tell)

    def foreseen(self, state: State, seat: Seat) -> bool:
        """Return whether plans fill all asked (3.13)."""
        return bool(self.asked(state).get(seat)) and not self.due(state, seat, {})

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        return state.plans.get(seat, ())

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders except OVERRIDE: unspent cards stay secret (R1)."""
        return {slot: order for slot, order in standing.items() if "OVERRIDE" not in slot.split()}

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        return {seat: state.points(seat) for seat in state.order}

    def result(self, state: State) -> Result | None:
        """Return the winner (4.10): most points, then seats; or the last one left."""
        if state.phase != s.OVER:
            return None
        figures = {seat: (state.points(seat), state.seats_won(seat)) for seat in state.living}
        best = max(figures.values(), default=None)
        winners = tuple(seat for seat in state.living if figures[seat] == best)
        return Result(winners, {seat: state.points(seat) for seat in state.order})


def _required(state: State, seat: Seat) -> tuple[str, ...]:
    """3.1. Return them filled or not."""
    if seat in state.out or state.phase == s.OVER:
        return ()
    words = ("FIELD", "DRAW") if seat == s.PIP else ("DRAFT", "CONTEST")
    return tuple(word for word in words if o.possible(state, word))


def known(state: State) -> dict[str, Figure]:
    most = max(state.place(id).seats for id in state.cards if id[0] == "K")
    numbers = {
        "SEATS": Figure(1, most, flag=False),
        "POINTS": Figure(-99, 999, flag=False),
        "LEFT": Figure(1, state.settings.constituencies, flag=False),
    }
    flags = ("GRC", "MOMENTUM", *ISSUES.values(), *sorted(id for id in state.cards if id[0] == "K"))
    return {**numbers, **dict.fromkeys(flags, Figure())}


def values(state: State, seat: str, order: Order) -> Figures:
    ahead = state.next if order.slot != "CONTEST" and state.next else None
    place = state.place(ahead)
    issue = place.issue if ahead else state.issue
    decided = sum(map(len, state.won.values())) + len(state.vacancies)
    return {
        **dict.fromkeys(known(state), 0),
        "SEATS": place.seats,
        "POINTS": state.points(seat),
        "LEFT": state.settings.constituencies - decided - bool(ahead),
        "GRC": int(place.grc),
        "MOMENTUM": int(state.momentum == seat),
        issue: 1,
        place.id: 1,
    }


RULE, CONDITIONS = "3.13", "3.14"
_OWN_DECKS = {True: "MT", False: "GLR"}
"""First letters of the PIP's cards, and the Opposition's."""


def _checked(state: State, seat: str, standing: Standing, order: Plan | Ended) -> Checked:
    if seat in state.out:
        return Checked.refused("E_OUT", "You are no longer in the game.", "R14")
    if isinstance(order, Ended):
        return conditions.ended(standing, order)
    sort = _OWN_DECKS[seat == PIP]
    held = tuple(id for id in state.cards if id[0] in sort)
    refused = o.refused_role(state, seat, str(order.order).split()[0])
    return refused or checked(order, o.Case(state, seat, {}, None, rule=RULE, held=held), _plan)


def _plan(plan: Plan, case: o.Case) -> Plan | Checked:
    if refused := conditions.senseless(plan, known(case.state), CONDITIONS):
        return refused
    order: Any = plan.order
    match order:
        case o.Draw():
            order = order.check(case)
        case o.Override():
            _fit(case, order.cards)
            case.candidates(o.copies(order.cards, case.held))
            order = replace(order, content=case.issues(order.content))
        case o.Draft():
            _fit(case, [card for card in order.cards if card != o.TOP])
        case o.Contest():
            items = case.items(order.items)
            _fit(case, [item.card for item in items])
            named = case.on_issues(order.items)
            case.targeted(items)
            order = o.Contest(named)
    return replace(plan, order=order)


def _fit(case: o.Case, cards: Sequence[str]) -> None:
    """Refuse all but its side's cards."""
    named = o.copies(cards, case.held)
    case.known(named)
    if alien := next((id for id in named if id not in case.held), None):
        pip = case.seat == PIP
        whose = "the PIP holds cards T and M" if pip else "the Opposition holds G, L and R"
        case.refuse("E_HOLD", f"You do not hold {alien}.", RULE, whose)
    case.once(named)


def _able(state: State, seat: str, order: Order) -> Checked:
    if not o.possible(state, str(order).split()[0]):
        return Checked()
    match order:
        case o.Override():
            held = tuple(id for id in order.cards if id in state.held(seat))
            if order.cards and not held:
                return Checked.refused("E_HOLD", "You hold none of its cards.", RULE)
            return Checked((replace(order, cards=held, content=content_of(state, order)),))
        case o.Draft():
            there = [[*o.copies(wish, state.row)] for wish in order.wishes]
            found = [tuple(id for id in wish if id == o.TOP or id in state.row) for wish in there]
            return Checked((o.Draft(tuple(wish for wish in found if wish)),))
        case o.Contest():
            answer = o.check(state, seat, {}, order)
            return Checked((), answer.problems) if answer.problems else answer
    return Checked((order,))


PLANS = Plans(RULE, _checked, _able, values, lambda state: state.living, once=o.Contest)
