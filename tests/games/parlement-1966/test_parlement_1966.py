"""Properties of Parlement 1966 over random games, and its sample game from order files."""

import random
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.frame.adjudication import take
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import upgraded
from pbem.games.parlement_1966 import bot
from pbem.games.parlement_1966.state import DISTRICTS, PARTIES
from pbem.games.parlement_1966.steps.elections import Cast, divide, leaders, majority, tally
from pbem.games.parlement_1966.steps.finance import Plan, balances, solvent
from pbem.house import shelf
from pbem.periods import paper
from tests.bots import drawn
from tests.keys import module

KEY = "parlement-1966"
HERE = Path(__file__).parent
RULES = shelf.open_ruleset(KEY)

_SECRETS = module(HERE / "secrets.py")


def periods(seed: int, most: int = 12) -> Any:
    """The states of a bots' game with the orders that led on from each."""
    chance = Dice(str(seed), "properties").stream("bots")
    seats, options = drawn(RULES, seed)
    state = RULES.setup(seats, options, {}, Dice("0", "x")).state
    for _ in range(most):
        if RULES.result(state) is not None:
            return
        public = RULES.view(state, None)
        orders = {
            seat: take(
                RULES, state, seat, bot.letter(public, RULES.view(state, seat), seat, chance), {}
            ).standing
            for seat in PARTIES
        }
        outcome = RULES.adjudicate(state, orders, Dice("0", "x"))
        yield state, orders, outcome
        state = outcome.state


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_crowns_and_seats_are_conserved(seed: int) -> None:
    for _, _, outcome in periods(seed):
        state = outcome.state
        _SECRETS.invariants(state)
        undecided = DISTRICTS - sum(state.seats.values())
        assert RULES.view(state, None)["vacant"] == undecided >= len(state.ballots)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_adjudication_does_not_depend_on_the_order_of_orders(seed: int, shuffle: int) -> None:
    chance = random.Random(shuffle)
    for state, orders, outcome in periods(seed, 8):
        mixed = {}
        for seat in chance.sample(sorted(orders), len(orders)):
            slots = chance.sample(sorted(orders[seat]), len(orders[seat]))
            mixed[seat] = {slot: orders[seat][slot] for slot in slots}
        assert RULES.adjudicate(state, mixed, Dice("1", "y")) == outcome


PLANS = st.builds(
    Plan,
    st.dictionaries(st.sampled_from(sorted(PARTIES)), st.integers(0, 3000), max_size=4),
    st.dictionaries(st.integers(1, DISTRICTS), st.integers(0, 900), max_size=4),
    st.lists(st.integers(1, DISTRICTS), unique=True, max_size=6).map(lambda d: tuple(sorted(d))),
)


@settings(max_examples=200, deadline=None)
@given(
    st.fixed_dictionaries(dict.fromkeys(PARTIES, st.integers(0, 4000))),
    st.fixed_dictionaries(dict.fromkeys(PARTIES, PLANS)),
)
def test_bankruptcy_leaves_nobody_below_zero_and_strikes_only_of_the_bankrupt(
    opening: dict[str, int], wanted: dict[str, Plan]
) -> None:
    wanted = {
        p: Plan({q: n for q, n in w.cheques.items() if q != p}, w.local, w.candidates)
        for p, w in wanted.items()
    }
    final, steps = solvent(opening, wanted, RULES.tables)
    assert min(balances(opening, final, RULES.tables).values()) >= 0
    for party in PARTIES:
        assert (party in steps) == (final[party] != wanted[party])
        assert set(final[party].candidates) <= set(wanted[party].candidates)


def test_a_game_made_before_the_second_rulings_keeps_its_own() -> None:
    """Its options have no ``rulings``, its positions are of schema 1 (R22)."""
    older = {k: v for k, v in settle(RULES.about.options, {}).items() if k != "rulings"}
    state = RULES.setup(tuple(PARTIES), older, {}, Dice("0", "x")).state
    plain = RULES.dump(state)
    for field in set(plain) - _FIRST_SCHEMA:
        del plain[field]
    plain["settings"] = {k: v for k, v in plain["settings"].items() if k != "first_rulings"}
    assert RULES.load(upgraded(RULES, plain, 1)) == state
    assert RULES.view(state, None)["first_rulings"]


_FIRST_SCHEMA = {
    *("settings", "phase", "session", "period", "number", "seats", "accounts", "local"),
    *("records", "holders", "extensions", "government", "installed", "turn", "called", "bills"),
    *("election", "crisis", "candidates", "tallies", "ballots", "instructions"),
    *("standing_votes", "amendments", "waiting", "listed", "missed", "winners"),
}


NAMES = st.lists(st.sampled_from("SRLCM"), unique=True, min_size=1, max_size=5)


@given(
    NAMES.flatmap(
        lambda names: st.tuples(
            st.just(names),
            st.lists(
                st.tuples(st.integers(0, 9000), st.lists(st.sampled_from(names), unique=True)),
                max_size=8,
            ),
        )
    )
)
def test_a_ballot_counts_every_vote_once(
    drawn: tuple[list[str], list[tuple[int, list[str]]]],
) -> None:
    names, cast = drawn
    counted = tally(names, [Cast("b", votes, tuple(to)) for votes, to in cast])
    total = sum(votes for votes, to in cast if to)
    assert sum(counted.values()) == total
    winner = majority(counted)
    assert winner is None or counted[winner] > total - counted[winner]
    entrants, tie = leaders(counted)
    outside = [counted[name] for name in names if name not in entrants]
    assert all(counted[name] > votes for name in entrants for votes in outside)
    assert tie == (len(entrants) > 2)


@given(st.integers(0, 50), st.sampled_from(("yes", "no", "abstain")), st.booleans())
def test_a_division_counts_every_member(members: int, vote: str, restrained: bool) -> None:
    one = divide(members, vote, restrained)
    assert one.yes + one.no + one.abstain == members
    assert not restrained or max(one.yes, one.no) in (0, members // 2)


def test_the_sample_game_from_its_files() -> None:
    games = list(paper.played(paper.Setup(KEY, 0, None, {}, {}), HERE / "sample"))
    state = games[-1].state
    assert state.seats == {"S": 6, "R": 12, "L": 14, "C": 14, "M": 4}
    assert {p: state.accounts.balance(p) for p in PARTIES} == {
        "S": 0,
        "R": 500,
        "L": 500,
        "C": 0,
        "M": 0,
    }
    assert not any(
        taken.problems for period in games[-1].periods for taken in period.taken.values()
    )


def test_the_printed_district_forms() -> None:
    games = list(paper.played(paper.Setup(KEY, 0, None, {}, {}), HERE / "sample"))
    returns = [
        event.data
        for period in games[-1].periods
        for event in period.events
        if event.kind == "returns"
    ]
    forms = {one["district"]: one["form"] for one in returns[0]["districts"]}
    assert forms[1] == "L: L 9000 (R C B, L 3000), M 6000 (M W K)"
    assert (
        forms[21]
        == "SM runoff: S 6000 (R, half of W, S 3000), M 5000 (M K, half of W), C 4000 (C B)"
    )
    assert forms[46] == "R: R 10500 (S W, R 6500), C 8000 (L C B K)"
    assert returns[1]["districts"][1]["form"] == (
        "M: M 9500 (C B K, half of W, M 2500), S 6000 (R, half of W, S 3000)"
    )


PRIMARY = {
    "phase": "primary",
    "candidates": {"S": [21, 43], "L": [43], "M": [21]},
    "public": {"session": 2, "records": {"W": {"S": 5}, "B": {"L": 4}, "K": {"L": 1, "M": 3}}},
}


def test_a_forecast_knows_nothing_of_others() -> None:
    options = settle(RULES.about.options, {})
    state = RULES.setup(tuple(PARTIES), options, PRIMARY, Dice("0", "x")).state
    other = {**PRIMARY, "private": {"L": {"votes": {"43": 9000}, "prefer": ["M"]}}}
    twin = RULES.setup(tuple(PARTIES), options, other, Dice("0", "x")).state
    assert RULES.view(state, "S")["forecast"] == RULES.view(twin, "S")["forecast"]
