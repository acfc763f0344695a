"""What a seat owes, over the recorded games: in its notice's form and in its reminder."""

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.house import templates
from pbem.pages import bulletin
from pbem.periods import own_page, paper
from tests.contract.test_pages import left_owed
from tests.net import games
from tests.net.compare import unpacked


@pytest.mark.parametrize(
    "part",
    [
        pytest.param(part, marks=(pytest.mark.slow, pytest.mark.nightly) if part > 3 else ())
        for part in range(10)
    ],
)
def test_what_is_owed_stands_in_form_and_reminder(key: str, part: int) -> None:
    """Over the recorded games the lines of a notice's form fill all that a seat owes, and those of
    a reminder all that it still owes and nothing else; each of their links is taken."""
    reminders, env = 0, templates.environment()
    for given in list(unpacked(games.FOLDER / f"{key}.json.xz").values())[part::10]:
        seats, options = tuple(given["seats"]), given["options"]
        game = paper.begin(paper.Setup(key, given["seed"], seats, options, given["scenario"]))
        for number, letters in enumerate(given["periods"]):
            state, game = game.state, paper.step(game, letters)
            issue = templates.issue(game.ruleset, state, seats, number, state.phase, ())
            at: Any = SimpleNamespace(ruleset=game.ruleset, state=state)
            for seat in game.ruleset.asked(state):
                assert not left_owed(
                    at, seat, {}, bulletin.seat_sheet(env, issue, seat), alone=False
                )
                taken = game.periods[-1].taken.get(seat)
                filed = list(taken.standing.items()) if taken else []
                for standing in (dict(filed), dict(filed[:1])):
                    form = own_page.owed_form(at, seat, standing)
                    assert not left_owed(at, seat, standing, form, alone=True), standing
                    reminders += bool(form)
    assert reminders
