"""How the house bot of 1966 plays: nothing that hurts its own party alone."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from pbem.bots import bots
from pbem.games.frame.adjudication import play_period
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.parlement_1966 import bot
from pbem.games.parlement_1966.orders import Sign, Support, Vote
from pbem.games.parlement_1966.state import PARTIES, State
from pbem.games.parlement_1966.state import read as tables_of
from pbem.house import shelf
from pbem.orders.order import Standing
from tests.test_house_bots import periods

KEY, GAMES_PLAYED = "parlement-1966", 3


@cache
def played() -> list[tuple[State, dict[Seat, Standing], list[Any]]]:
    """Periods of games of house bots alone: position, orders, events."""
    return list(_played())


def _played() -> Iterator[tuple[State, dict[Seat, Standing], list[Any]]]:
    ruleset = shelf.open_ruleset(KEY)
    for game in range(GAMES_PLAYED):
        for _, state, letters in periods(ruleset, game):
            orders = {one: bots.taken(ruleset, state, one, text) for one, text in letters.items()}
            told = play_period(ruleset, state, orders, Dice(str(game), "rivals")).events
            yield state, orders, list(told)


def test_14_nobody_votes_against_its_own_bill() -> None:
    votes = Counter[str]()
    for state, orders, _ in played():
        for called in state.called:
            bound = state.government and called.government == state.government.number
            for seat, standing in orders.items():
                order = standing.get(f"VOTE {called.bill}")
                assert isinstance(order, Vote), (seat, called)
                governs = bound and state.government and seat in state.government.parties
                if seat in called.signers:
                    assert order.vote == "yes", (seat, called)
                elif governs:
                    assert order.vote == ("yes" if called.by == "government" else "no")
                votes[order.vote] += 1
    assert votes["yes"] and votes["no"]


def test_13_a_government_is_formed_together_with_its_first_bill() -> None:
    carried = 0
    for _, orders, told in played():
        lists = [one.get(Support.slot) for one in orders.values()]
        for one in lists:
            if isinstance(one, Support) and one.form == "government" and one.bill:
                assert not [event for event in told if event.kind == "bill_void"]
                carried += any(
                    event.kind == "called" and event.data["bill"] == one.bill for event in told
                )
    assert carried


def test_13_the_opposition_signs_one_bill_with_votes_enough() -> None:
    signed = 0
    for state, orders, _ in played():
        bills = Counter[int]()
        for seat, standing in orders.items():
            for order in standing.values():
                if isinstance(order, Sign):
                    bills[order.bill] += state.seats[seat]
        assert all(votes >= 15 for votes in bills.values()), bills
        signed += len(bills)
    assert signed


def test_32_nobody_is_bankrupt() -> None:
    assert not [event for *_, told in played() for event in told if event.kind == "bankrupt"]


def test_9_a_new_parlement_brings_the_government_down() -> None:
    assert any(event.kind == "fell" for *_, told in played() for event in told)


def test_what_it_knows_of_bills_is_table_1() -> None:
    """A bot is given views alone, so it has a copy of its own."""
    tables = tables_of(shelf.rulebook("parlement-1966").tables)
    for number, bill in tables.bills.items():
        assert bot._FAVOUR[number] == "".join(bill.favours[bloc] for bloc in bot._BLOCS)
        assert bot._FREE.get(number, "") == "".join(bill.stances.get(one, "") for one in PARTIES)
        assert bot._MINISTER.get(number) == bill.minister
    assert (
        tables.fee,
        tables.salary,
        tables.contribution,
    ) == (bot._FEE, bot._SALARY, bot._SEAT)
