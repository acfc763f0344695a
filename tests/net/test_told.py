"""What pages say over the recorded games: a bulletin's subject or first lines tell the news of each
period, and what a seat owes stands in its notice's form and in its reminder."""

import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.games.frame.events import PUBLIC
from pbem.house import templates
from pbem.pages import bulletin
from pbem.periods import own_page
from tests.contract.test_pages import left_owed
from tests.net import games

NEWS: Mapping[str, Mapping[str, str]] = {
    "coalition": {"division": "{id}", "resigned": "{party}"},
    "legislation": {"crisis_lost": "everybody", "election": "lected", "vote": "{id}|bills?"},
    "politics-1935": {"eliminated": "out", "count": "count|out"},
    "party-in-power": {"result": "{winner}", "walkover": "walk", "vacancy": "nobody"},
    "parlement-1966": {
        "fell": "fell|falls",
        "installed": "Government",
        "emergency": "mergency",
        "election_called": "election",
        "vote": "[Bb]ill",
        "seats": "lected",
    },
    "parlement-1968": {
        "fall": "fell|falls",
        "installed": "Government",
        "election_due": "election",
        "called": "election",
        "five_years": "election",
        "bill_vote": "ill {bill}",
        "budget_vote": "Budget",
        "seats": "Parlement|win",
        "expelled": "{party}",
    },
}
"""By kind of event, what a bulletin's subject or first paragraph says of it."""


@pytest.mark.parametrize("part", games.IN_PARTS)
def test_the_greatest_news_comes_first(key: str, part: int) -> None:
    """Who has won stands first in the subject; what happened stands there or in the story."""
    env, missing, told = templates.environment(), dict[str, str](), set[str]()
    for _, game in games.in_part(key, part):
        for period in game.periods:
            number, events = period.number, period.events
            issue = templates.issue(
                game.ruleset, period.state, game.seats, number, period.phase, events
            )
            subject = bulletin.headline(env, issue)
            story = bulletin.bulletin(env, issue).partition("====\n")[2].strip().split("\n\n")[0]
            said = f"{subject} / {' '.join(story.split())}"
            for event in events if issue.result is None else ():
                wanted = NEWS[key].get(event.kind) if event.audience == PUBLIC else None
                if wanted:
                    told.add(event.kind)
                    if not re.search(wanted.format(**event.data), said):
                        missing.setdefault(event.kind, f"{number}: {said}")
            winners = issue.result["winners"] if issue.result else ()
            if len(winners) < 4 and not all(one in subject.partition("; ")[0] for one in winners):
                missing.setdefault("winner", f"{number}: {subject}")
    assert told and not missing, "\n".join(map(str, missing.items()))


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
