"""`pbem new` says what majority a game of Coalition has, and what is to be done about one that all
must join."""

import pytest

from pbem.games.coalition.rules import Coalition
from pbem.games.frame.dice import Dice
from pbem.games.frame.options import settle
from pbem.house import shelf
from tests.installation import address
from tests.shell import Shell


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (
            (),
            [
                "The majority is 308 of the 615 seats in Parliament; players hold 341.",
                (
                    "The smallest coalition that reaches it: A, B, C, D and E with 341, that is"
                    " everybody."
                ),
                (
                    "With fewer than 15 players the option MAJORITY_OF=HELD is recommended: a"
                    " majority of 171 (A, B and C with 225)."
                ),
            ],
        ),
        (
            ("--option", "majority_of=held"),
            [
                "The majority is 171 of the 341 seats that players hold.",
                "The smallest coalition that reaches it: A, B and C with 225.",
            ],
        ),
    ],
)
def test_new_says_the_majority_and_who_reaches_it(
    shell: Shell, option: tuple[str, ...], told: list[str]
) -> None:
    players = [
        word for seat in "ABCDE" for word in ("--player", f"{seat}={address(seat)},Player {seat}")
    ]
    lines = shell("new", "coalition", "g", *players, *option).splitlines()
    assert [
        line for line in lines if line.startswith(("The majority", "The smallest", "With "))
    ] == told


def test_fifteen_are_recommended_nothing() -> None:
    ruleset = shelf.open_ruleset("coalition")
    assert isinstance(ruleset, Coalition)
    seats = ruleset.about.seats[0]
    state = ruleset.setup(seats, settle(ruleset.about.options, {}), {}, Dice("1", "new")).state
    assert len(seats) == 15 and ruleset.brief(state) == (
        "The majority is 308 of the 615 seats in Parliament; players hold 615.",
        "The smallest coalition that reaches it: A, B, C, D and E with 341.",
    )


def test_a_game_made_before_the_option_plays_by_all_seats() -> None:
    ruleset = shelf.open_ruleset("coalition")
    older = {k: v for k, v in settle(ruleset.about.options, {}).items() if k != "MAJORITY_OF"}
    state = ruleset.setup(tuple("ABCDE"), older, {}, Dice("1", "new")).state
    assert ruleset.view(ruleset.load(ruleset.dump(state)), None)["majority"] == 308
