"""What a seat owes, over the recorded games: in its notice's form and in its reminder."""

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.house import templates
from pbem.pages import bulletin
from pbem.periods import own_page
from tests.contract.test_pages import left_owed
from tests.net import games


@pytest.mark.parametrize("part", games.IN_PARTS)
def test_what_is_owed_stands_in_form_and_reminder(key: str, part: int) -> None:
    """Over the recorded games the lines of a notice's form fill all that a seat owes, and those of
    a reminder all that it still owes and nothing else; each of their links is taken."""
    reminders, env = 0, templates.environment()
    for _, game in games.in_part(key, part):
        for state, period in games.befores(game):
            issue = templates.issue(
                game.ruleset, state, game.seats, period.number - 1, state.phase, ()
            )
            at: Any = SimpleNamespace(ruleset=game.ruleset, state=state)
            for seat in game.ruleset.asked(state):
                assert not left_owed(
                    at, seat, {}, bulletin.seat_sheet(env, issue, seat), alone=False
                )
                taken = period.taken.get(seat)
                filed = list(taken.standing.items()) if taken else []
                for standing in (dict(filed), dict(filed[:1])):
                    form = own_page.owed_form(at, seat, standing)
                    assert not left_owed(at, seat, standing, form, alone=True), standing
                    reminders += bool(form)
    assert reminders
