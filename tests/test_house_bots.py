"""The house bots: they know their seat's view alone, and order nothing that is
refused. `bench/tournament.py` measures how well they play."""

from collections.abc import Iterator
from typing import Any

import pytest

from bench.tournament import Tally, play, ratio
from pbem.bots import bots
from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.options import settle
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.pages import page
from tests.bots import bot_game
from tests.keys import GAME_TESTS, module

GAMES_PLAYED = 3
MOST_WEEKS = 4
"""No longer do bots form a Government."""


def written(key: str, seat: Seat, view: tuple[Any, Any], number: int) -> str:
    return bots.bot_of(key).letter(*view, seat, bots.chance("7", key, seat, number))


def periods(ruleset: Ruleset[Any], game: int) -> Iterator[tuple[int, Any, dict[Seat, str]]]:
    """Each period of a game of house bots: number, position before it, letters."""
    key = ruleset.about.key
    seats = ruleset.about.seats[game % len(ruleset.about.seats)]
    options = settle(ruleset.about.options, dict(bots.short(key)))
    state = ruleset.setup(seats, options, {}, Dice(str(game), "rivals")).state
    for number in range(1, 200):
        if ruleset.result(state) is not None:
            return
        public = ruleset.view(state, None)
        letters = {
            seat: written(key, seat, (public, ruleset.view(state, seat)), number) for seat in seats
        }
        yield number, state, letters
        orders = {seat: bots.taken(ruleset, state, seat, text) for seat, text in letters.items()}
        state = play_period(ruleset, state, orders, Dice(str(game), "rivals")).state
    pytest.fail(f"{key}, game {game}: not over after 200 periods")


def test_games_of_bots_end_and_nothing_is_refused(key: str) -> None:
    ruleset, weeks = shelf.open_ruleset(key), 0
    for game in range(GAMES_PLAYED):
        for number, state, letters in periods(ruleset, game):
            weeks = weeks + 1 if state.phase == "formation" else 0
            assert weeks <= MOST_WEEKS, (game, number)
            for seat, text in letters.items():
                said = take(ruleset, state, seat, text, {}).problems
                refused = [one for one in said if not one.warning]
                assert not refused, (game, number, seat, text, refused)


def test_a_bot_given_anothers_secrets_plays_the_same(key: str) -> None:
    ruleset, secrets = shelf.open_ruleset(key), module(GAME_TESTS / key / "secrets.py")
    if hasattr(secrets, "NONE"):
        return
    chance, differed = Dice("rivals", key).stream("twins"), 0
    for game in range(GAMES_PLAYED):
        for number, state, letters in periods(ruleset, game):
            for seat, text in letters.items():
                other = secrets.twin(state, seat, chance)
                differed += other != state
                view = ruleset.view(other, None), ruleset.view(other, seat)
                assert written(key, seat, view, number) == text, (game, number, seat)
    assert differed


def test_a_notice_has_a_line_for_all_that_is_owed_and_no_link_that_is_refused(key: str) -> None:
    """Legislation owed B1 to B5, and the form and its links ended at B4."""
    ruleset = shelf.open_ruleset(key)
    for turn in bot_game(ruleset, 0):
        state = turn.before
        for seat in ruleset.asked(state):
            given = templates.page_at(ruleset, state, seat)
            says = templates.words(ruleset, state, seat)
            form = says.page(given, short=True)["form"]
            lines = dict[tuple[str, int], list[bool]]()
            for offer, (order, _) in zip(given.offers, says.lines(given.offers), strict=True):
                for words in page.choices(offer) or (offer.fills[0][0],):
                    text = page.filled(order, [words, *(one[0] for one in offer.fills[1:])])
                    taken = take(ruleset, state, seat, text, {})
                    linked = page.choices(offer) and order in form
                    assert not linked or not [one for one in taken.problems if not one.warning]
                    owed = set(given.owes).difference(ruleset.due(state, seat, taken.standing))
                    for slot in owed:
                        lines.setdefault((slot, len(owed)), []).append(order in form)
            for slot in given.owes:
                least = min(number for one, number in lines if one == slot)
                assert any(lines[slot, least]), (turn.number, seat, slot, form)


@pytest.mark.parametrize("quick", ["coalition", "politics-1935", "parlement-1966"])
def test_a_bot_wins_twice_as_often_as_nonsense(quick: str) -> None:
    tally = Tally()
    for number in range(30):
        play(shelf.open_ruleset(quick), number, tally)
    assert ratio(tally.shares) >= 2


def test_a_bot_of_1968_pays_for_no_vote_that_it_cannot_buy() -> None:
    spent = 0
    for _, state, letters in periods(shelf.open_ruleset("parlement-1968"), 0):
        for seat, text in letters.items():
            for line in text.split("\n"):
                if line.startswith("SPEND"):
                    crowns, district = int(line.split()[1]), line.split()[-1]
                    assert crowns + state.bought.get(district, {}).get(seat, 0) <= 1000, line
                    spent += 1
    assert spent
