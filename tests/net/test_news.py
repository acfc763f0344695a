"""The news of each period, over the recorded games: a bulletin's subject or first lines tell it."""

import re
from collections.abc import Mapping

import pytest

from pbem.games.frame.events import PUBLIC
from pbem.house import templates
from pbem.pages import bulletin
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
