"""The rule-set of Coalition, and what is known without a game: seats, phases, options."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pbem.games.coalition import advice, setup, steps, views
from pbem.games.coalition.orders import Case, StandingVote, Vote, language
from pbem.games.coalition.state import LATER, OPENING, SITTING, State
from pbem.games.coalition.why import REASONS
from pbem.games.frame import codec
from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Orders, Seat
from pbem.games.frame.options import Option, Options, one_of, switch, timing
from pbem.games.frame.ruleset import About, Outcome, Result, Rulebook, Ruleset
from pbem.orders import declared
from pbem.orders.order import Checked, Order, Standing

LETTERS = "ABCDEFGHIJKLMNO"
ABOUT = About(
    key="coalition",
    title="Coalition",
    seats=tuple(tuple(LETTERS[:players]) for players in (15, *range(5, 15))),
    schema=2,
    phases=(OPENING, SITTING),
    options=(
        Option("MAX_PERIODS", 16, "periods after which the game ends", least=2),
        *timing(7),
        one_of(
            "MAJORITY",
            "whose MPs make a Majority Government",
            VOTES="308 seats that say Aye",
            MEMBERS="the parties named in the slate, where those that say Aye hold 308",
            BOTH="308 Ayes, where the parties named hold 308 however they voted",
        ),
        Option(
            "MAJORITY_OF",
            LATER["MAJORITY_OF"],
            "of which seats more than half make a majority",
            ("ALL", "HELD"),
            says=(
                "of all 615: 308",
                "of those that players hold; meant for fewer than fifteen players",
            ),
        ),
        one_of(
            "TABLING",
            "which draft is tabled next",
            LEAST="of the party with the fewest motions tabled so far",
            SEATS="of the party with the most seats",
            FIFO="the one whose letter came first",
        ),
        Option("CONSENT", "OFF", "every party named must vote AYE", ("OFF", "ON")),
        Option("SPECIAL_LOCK", 1, "period at whose end the Special Ministries are fixed"),
        switch("STANDING", "standing votes are allowed", "ON"),
        one_of("SPONSOR", "who tabled a motion", PUBLIC="all are told", SECRET="nobody is told"),
        one_of(
            "BALLOTS",
            "how each party voted",
            PUBLIC="all are told",
            SECRET="only the totals are told",
        ),
        one_of(
            "NAYSAYERS",
            "what a party earns in a Government it voted against",
            SCORE="as much as any other",
            ZERO="nothing",
        ),
    ),
    status="complete",
    told_since=("majority", "ifs", "if_acted"),
    veiled=True,
)


class Coalition(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    upgrades: ClassVar = {1: lambda dumped: {**dumped, "ifs": {}}}
    tell_silence = staticmethod(advice.silence)
    tell_advice = staticmethod(advice.advice)
    form = staticmethod(advice.offers)
    brief = staticmethod(advice.brief)

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        """Start a game (1). ``seats``: letters of the n largest parties, by lot."""
        return setup.start(self.book.tables, self.language, seats, options, scenario)

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        """Ask for a vote while a motion is on the floor (3.4)."""
        if state.outcome:
            return {}
        slots = () if state.floor is None else ("VOTE",)
        return {seat: slots for seat in state.players if state.parties[seat].playing}

    def filled(self, state: State, seat: Seat, standing: Standing) -> tuple[str, ...]:
        """Return the vote if a conditional or standing one fills it (3.5, 3.9)."""
        return () if steps.vote_of(state, seat, standing)[1] == "silent" else ("VOTE",)

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        if not state.parties[seat].playing:
            return Checked.refused("E_OUT", "You are no longer in the game.", "3.7")
        conditional = steps.check if isinstance(order, WhatIf) else None
        return declared.checked(order, Case(state, seat, standing, None), conditional)

    def foreseen(self, state: State, seat: Seat) -> bool:
        """Return whether a conditional vote holds (3.9)."""
        return bool(self.asked(state).get(seat)) and bool(steps.chosen(state, seat, {}))

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        """Return the conditional, else the standing vote, else abstention; nothing without
        motion (4.2)."""
        if state.floor is None or not state.parties[seat].playing:
            return ()
        return (Vote(steps.vote_of(state, seat, {})[0]),)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        return steps.held(state, orders)

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders but drafts and votes that stay secret (2)."""
        kept = {"SPONSOR": ("DRAFT",), "BALLOTS": ("VOTE", "STANDING", "VOTE IF")}
        secret = {slot for name in kept if state.chosen(name, "SECRET") for slot in kept[name]}
        return {slot: order for slot, order in standing.items() if slot not in secret}

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return the standing vote (3.5) and votes with IF (3.9)."""
        vote, ifs = state.parties[seat].standing, state.ifs.get(seat)
        return (*([str(StandingVote(vote))] if vote else ()), *([str(ifs)] if ifs else ()))

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        """Return played parties' members, which are constant."""
        return {letter: state.parties[letter].seats for letter in sorted(state.players)}

    def result(self, state: State) -> Result | None:
        if state.outcome is None:
            return None
        adjusted = state.outcome.adjusted
        ranked = sorted(state.players, key=lambda one: (-adjusted[one], one))
        standing = {letter: codec.number(adjusted[letter]) for letter in ranked}
        return Result(state.outcome.winners, standing)
