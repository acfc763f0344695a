"""The rule-set of Legislation, in the steps of §4, and what is known without a game (§1, §6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pbem.games.frame.codec import Json
from pbem.games.frame.conditions import WhatIf
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders, Seat, Tell
from pbem.games.frame.options import Option, Options, one_of, switch, timing
from pbem.games.frame.ruleset import About, Offer, Outcome, Result, Rulebook, Ruleset
from pbem.games.legislation import figures, setup, views
from pbem.games.legislation import orders as o
from pbem.games.legislation import state as s
from pbem.games.legislation.advice import advice, offers, seen, silence
from pbem.games.legislation.orders import check, language
from pbem.games.legislation.state import State
from pbem.games.legislation.steps import deciding, session
from pbem.games.legislation.why import REASONS
from pbem.orders.order import Checked, Order, Pass, Standing


def _count(name: str, about: str, *says: str) -> Option:
    return Option(name, "OFF", about, words=("OFF", "ON"), least=1, says=says)


OPTIONS = (
    Option("STATE", "", "name of the state, for the charter", text=40),
    one_of(
        "DOCKET",
        "all bills of a session together, or one at a time",
        SESSION="all together",
        SERIAL="each chair has a round of their own",
    ),
    Option("ISSUES", 2, "issues per player (4 in all at least)", least=1),
    one_of(
        "AMENDMENTS",
        "when bills may be amended",
        FROM_SESSION_2="from the second session on",
        ALWAYS="in every session",
        NEVER="never",
    ),
    switch("BINDING", "carried amendments bind the chair", "ON"),
    one_of(
        "QUORUM",
        "votes a bill needs to be decided",
        HALF="half of the players, or it lapses",
        NONE="as many as there are",
    ),
    one_of(
        "EXTEND",
        "Present votes that extend discussion",
        HALF="half of the players or more",
        MAJORITY="more than half of them",
    ),
    one_of(
        "PRECEDENCE",
        "which comes first if both are reached",
        PASS="the bill passes",
        EXTEND="the bill is extended",
    ),
    Option("MAX_EXTEND", 1, "how often a bill may be extended"),
    one_of(
        "VETO_PAY",
        "who is paid where only the two thirds are missing",
        BOTH="both sides",
        AYES="the Ayes only",
    ),
    one_of("CRISIS_AMEND", "additions to a Crisis bill", ADD="cards can be added", OFF="none"),
    one_of(
        "CORP_BONUS",
        "tokens of Corporate Approval",
        **{"4": "4 tokens", "2": "2 tokens", "24": "24 tokens"},
    ),
    one_of(
        "VOTES",
        "votes and purses",
        PUBLIC="all are told",
        SECRET="only totals are told, and of purses nothing",
    ),
    Option(
        "TRANSFERS",
        "ON",
        "when tokens may be given away",
        choices=("ON", "OFF", *s.GIFTS),
        many=True,
        says=(
            "in every period",
            "never",
            "while bills are laid",
            "while amendments are moved and voted on",
            "while bills are voted on",
            "in the campaign",
        ),
    ),
    one_of(
        "TOKENS",
        "when a token on a card is told to all",
        AT_ONCE="at once, and it lies until the vote",
        DEADLINE="when the period closes",
    ),
    switch("RETURN_DRAWN", "the card just drawn may be returned", "ON"),
    Option(
        "LOSE",
        "NEWHAND",
        "what losing the election costs",
        choices=("NEWHAND", "SKIP", "FINE"),
        many=True,
        says=("a new hand", "the next turn as chair", "all tokens"),
    ),
    one_of(
        "VOID_SCOPE",
        "what can be voided once in a campaign",
        ISSUE="each issue of a player",
        PLAYER="each player",
    ),
    one_of(
        "VOID_EFFECT",
        "a void bites a card held, or only a satisfied one",
        HELD="a card that is held",
        SATISFIED="a satisfied card only",
    ),
    one_of("SCORES", "scores", PRIVATE="each is told their own", PUBLIC="all are told"),
    Option("THRESHOLD", 2, "score that wins re-election"),
    Option("MAX_SESSIONS", 5, "sessions after which the game ends", least=1),
    one_of(
        "CHAIR",
        "first chair of later sessions",
        FIXED="the first seat, always",
        ROTATE="one place further each session",
    ),
    switch("BILL_MODIFIERS", "variation: a yellow card with each bill"),
    switch("CONFLICTING", "variation: both signs of an issue may be held"),
    switch("PUBLIC_EYE", "variation: half points for votes, drafts and amendments"),
    _count(
        "TEAMS",
        "variation: teams, or how many there are",
        "no teams",
        "half as many teams as players",
    ),
    one_of(
        "TEAM_WIN", "teams win together or each alone", JOINT="together", INDIVIDUAL="each alone"
    ),
    _count(
        "PARTIES",
        "variation: parties that losers change, or how many there are",
        "no parties",
        "half as many parties as players",
    ),
    switch("STALLED", "variation: all lose if more than half of the bills fail"),
    one_of(
        "STALLED_END", "what is lost by a stalled session", ELECTION="the election", GAME="the game"
    ),
    _count(
        "CROWN",
        "variation: blank red cards, or how many there are",
        "none",
        "one for every two players",
    ),
    switch("SINGLE_PARTY", "variation: all win or lose together"),
    Option("SINGLE_GOAL", 3, "satisfied cards everybody needs with SINGLE_PARTY", least=1),
    switch("ASSIMILATION", "variation: losers leave, their cards go to the others"),
    Option("THRESHOLD_STEP", 0, "added to THRESHOLD each session"),
    one_of(
        "BALANCED",
        "variation: chairs go on until the law balances",
        OFF="no",
        ZERO="until its sum is 0",
        NO_DEFICIT="until its sum is not above 0",
        LITERAL="until its sum is above 0",
    ),
    Option(
        "BALANCED_ROUNDS",
        int(s.LATER["BALANCED_ROUNDS"]),
        "rounds after which a session ends unbalanced",
        least=1,
    ),
    switch("SPLIT_DEAL", "two + and two - red cards each at the deal"),
    switch("PLUS_ONLY", "only + red cards"),
    *timing(3),
)

ABOUT = About(
    key="legislation",
    title="Legislation: The Game",
    seats=tuple(tuple(f"P{i}" for i in range(1, size + 1)) for size in range(3, 11)),
    schema=3,
    phases=s.PHASES,
    options=OPTIONS,
    status="complete",
    told_since=(
        "left_alone",
        "last_team",
        "passed_on",
        "passed_to",
        "never_balanced",
        "token_laid",
    ),
    lot=False,
    charter=True,
    seat_tables=("alive", "tokens"),
)


class Legislation(Ruleset[State]):
    """The rule-set (:mod:`pbem.games.frame.ruleset`) on one set of tables."""

    about = ABOUT
    position = State
    reasons = REASONS
    told_at_once = staticmethod(deciding.token_told)
    told_so_far = staticmethod(deciding.tokens_lie)
    upgrades: ClassVar = {
        1: lambda dumped: {**dumped, "ifs": {}},
        2: lambda dumped: {**dumped, "laid": {}, "numbers": {}},
    }

    def __init__(self, book: Rulebook) -> None:
        super().__init__(book, language(book))

    def setup(
        self, seats: Sequence[Seat], options: Options, scenario: Json, dice: Dice
    ) -> Outcome[State]:
        minutes = Minutes()
        clerk = s.Clerk(self.book.tables, dice, minutes)
        state = setup.start(seats, options, scenario, clerk, self.language)
        return Outcome(state, tuple(minutes.events))

    def asked(self, state: State) -> Mapping[Seat, tuple[str, ...]]:
        if state.winners is not None:
            return {}
        return {seat: _asked(state, seat, self.book.tables) for seat in state.alive}

    def filled(self, state: State, seat: Seat, standing: Standing) -> Collection[str]:
        if _filed(state, seat, standing):
            return self.asked(state).get(seat, ())
        return figures.votes(state, state.ifs.get(seat), standing)

    def check(self, state: State, seat: Seat, standing: Standing, order: Order) -> Checked:
        by = figures.check if isinstance(order, WhatIf) else None
        return check(state, seat, standing, order, self.book.tables, by)

    def foreseen(self, state: State, seat: Seat) -> bool:
        """Return whether conditional votes hold for all (3.13)."""
        slots = self.asked(state).get(seat, ())
        return bool(slots) and set(slots) <= figures.votes(state, state.ifs.get(seat), {}).keys()

    def default(self, state: State, seat: Seat) -> tuple[Order, ...]:
        if seat not in state.alive:
            return ()
        orders: list[Order] = []
        if state.first_period and seat in state.drawn:
            orders.append(o.Return(session.by_default(state, seat)))
        if state.phase == s.BILL and seat in state.taken:
            orders.append(o.FileBill(state.taken[seat]))
        votes: dict[str, Order] = {}
        if state.phase == s.VOTE and seat in state.standing:
            choice = state.standing[seat]
            votes = {f"VOTE {bill.id}": o.Vote(choice, (bill.id,)) for bill in state.docket}
        orders += (votes | figures.votes(state, state.ifs.get(seat), {})).values()
        return tuple(orders) or (Pass(),)

    def adjudicate(self, state: State, orders: Orders, dice: Dice) -> Outcome[State]:
        """Adjudicate (§4): RESIGN, RETURN, GIVE, filing, then the phase."""
        clerk, opened = s.Clerk(self.book.tables, dice, Minutes()), state
        state = session.resign(state, orders, clerk)
        given = {seat: orders.get(seat, {}) for seat in state.alive}
        if state.winners is None:
            state = session.give_back(state, given, clerk) if state.first_period else state
            state = session.give(state, given, clerk)
            state = session.file_nextbills(deciding.file_standing(state, given), given)
            given = figures.filled(opened, given, clerk.minutes)
            state = figures.filed(state, given)
            state = _phase(replace(state, first_period=False), given, clerk)
        return Outcome(replace(state, period=state.period + 1), tuple(clerk.minutes.events))

    def view(self, state: State, seat: Seat | None) -> Json:
        return views.public(state) if seat is None else views.own(state, seat)

    def tell_silence(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        for event in silence(seen(state, seat, self.book.tables), standing):
            tell(event.kind, event.rule, **event.data)

    def form(self, state: State, seat: Seat) -> Iterator[Offer]:
        return offers(seen(state, seat, self.book.tables))

    def tell_advice(self, state: State, seat: Seat, standing: Standing, tell: Tell) -> None:
        for event in advice(seen(state, seat, self.book.tables), standing):
            tell(event.kind, event.rule, **event.data)

    def laid_open(self, state: State, seat: Seat, standing: Standing) -> Standing:
        """Return all orders; none if votes and purses are secret."""
        return {} if state.secret else standing

    def kept(self, state: State, seat: Seat) -> Sequence[str]:
        """Return the standing vote (3.6), votes with IF (3.13) and the next bill (3.4)."""
        bill, vote, ifs = state.nextbill.get(seat), state.standing.get(seat), state.ifs.get(seat)
        orders = (bill and o.NextBill(bill), vote and o.StandingVote(vote), ifs)
        return tuple(str(order) for order in orders if order)

    def scores(self, state: State) -> Mapping[Seat, int | float]:
        """Return scores; terms if scores are secret."""
        if not state.on("SCORES", "PUBLIC"):
            return dict(state.terms)
        return {seat: float(state.score(seat)) for seat in state.alive}

    def result(self, state: State) -> Result | None:
        return None if state.winners is None else Result(state.winners, dict(state.terms))


def _asked(state: State, seat: Seat, tables: Mapping[str, Any]) -> tuple[str, ...]:
    match state.phase:
        case "BILL":
            return ("BILL",) if seat in state.turns else ()
        case "AMEND":
            return tuple(f"AMEND {bill.id}" for bill in state.docket if s.amendable(state, bill))
        case "AMENDVOTE":
            accept = ("ACCEPT",) if s.to_accept(state, seat) else ()
            return (*(f"VOTE {amendment.id}" for amendment in s.moved(state)), *accept)
        case "VOTE":
            return tuple(f"VOTE {bill.id}" for bill in state.docket)
    cheapest = min(tables["point_cost"], tables["void_cost"])
    return ("SPEND",) if state.secret or state.tokens(seat) >= cheapest else ()


def _filed(state: State, seat: Seat, standing: Standing) -> bool:
    """Return whether another slot fills the one asked: §3.4, §3.6, or money spent."""
    match state.phase:
        case "BILL":
            return seat in state.taken
        case "VOTE":
            return deciding.standing_vote(state.standing.get(seat), standing) is not None
        case "CAMPAIGN":
            return any(isinstance(order, o.Spend | o.Void) for order in standing.values())
    return False


def _phase(state: State, orders: Orders, clerk: s.Clerk) -> State:
    match state.phase:
        case "BILL":
            return session.after_bill(deciding.lay_bills(state, orders, clerk), clerk)
        case "CAMPAIGN":
            return session.close_election(session.campaign(state, orders, clerk), clerk)
    if not state.docket:  # the chair of the only bill has resigned
        return session.to_vote(state, clerk)
    state = deciding.positions(state, orders, clerk)
    match state.phase:
        case "AMEND":
            state = deciding.move_amendments(state, orders, clerk)
            if s.moved(state):
                return replace(state, phase=s.AMENDVOTE)
            return session.to_vote(state, clerk)
        case "AMENDVOTE":
            return session.to_vote(deciding.vote_amendments(state, orders, clerk), clerk)
    decided = deciding.clear_tokens(deciding.decide(state, orders, clerk))
    return session.after_vote(decided, clerk)
