"""Pictures in every game that has some: whole, legible, small, with words for those who do not see
them."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from pbem.games.frame.dice import Dice
from pbem.games.frame.ruleset import Ruleset
from pbem.house import pictures, resources, shelf, templates
from pbem.pages import picture
from pbem.pages.bulletin import Issue
from pbem.periods import drawing, paper
from tests.bots import bot_game, drawn
from tests.keys import KEYS
from tests.sampled import WHOLE, in_turn

GAMES_PLAYED = 2
LEAST_TYPE = 11
"""The smallest letters, where a picture is as wide as a phone."""
PHONE = 390
EDGE = 6
"""Pixels between an edge and any text, at least."""
_TEXT = re.compile(r"<text.*?</text>", re.DOTALL)
SVG = "{http://www.w3.org/2000/svg}"


def _issues(ruleset: Ruleset[Any], called: str = "") -> Iterator[Issue]:
    """The bulletins of some games, from the opening on; all players are ``called`` so."""
    for number in range(GAMES_PLAYED):
        seats, options = drawn(ruleset, number)
        outcome = ruleset.setup(seats, options, {}, Dice(str(number), "bots"))
        course = [(0, ruleset.scores(outcome.state))]
        names = dict.fromkeys(seats, called) if called else {}
        yield templates.pictured(ruleset, outcome.state, seats, 0, "", outcome.events, (), names)
        for turn in bot_game(ruleset, number):
            after, phase, events = turn.outcome.state, turn.before.phase, turn.outcome.events
            yield templates.pictured(
                ruleset, after, seats, turn.number, phase, events, course, names
            )
            course.append((turn.number, ruleset.scores(after)))


def _openings(key: str, called: str) -> Iterator[Issue]:
    """The opening bulletin at each table that may play a game, and of each shipped scenario."""
    tables = shelf.open_ruleset(key).about.seats
    paths = sorted(resources.path("rules", "scenarios", key).glob("*.toml"))
    for setup in (
        *(paper.Setup(key, 0, seats, {}, {}) for seats in tables),
        *(paper.Setup(key, 0, None, {}, paper.read_toml(path)) for path in paths),
    ):
        game = paper.begin(setup)
        course = [(0, game.ruleset.scores(game.state))]
        names = dict.fromkeys(game.seats, called) if called else {}
        yield templates.pictured(game.ruleset, game.state, game.seats, 0, "", (), course, names)


def test_every_game_counts_something_for_its_seats(key: str) -> None:
    for issue in _issues(shelf.open_ruleset(key)):
        assert issue.course[-1][0] == issue.number, "nothing is counted"
        assert set(issue.course[-1][1]) <= set(issue.seats)


def test_pictures_are_whole_and_legible(key: str) -> None:
    env, told = templates.environment(), 0
    for issue in _issues(shelf.open_ruleset(key)):
        context = picture.known(issue)
        for name, svg in picture.svgs(env, issue).items():
            where, root = f"{key}, {name} of bulletin {issue.number}", ET.fromstring(svg)
            assert root.get("width") == str(picture.WIDTH) == str(PHONE), where
            sizes = [float(each.get("font-size", LEAST_TYPE)) for each in root.iter()]
            assert min(sizes) >= LEAST_TYPE, where
            assert not [
                each.tag for each in root.iter() if each.tag in (f"{SVG}image", f"{SVG}style")
            ]
            assert "href" not in svg and "url(" not in svg, f"{where}: it looks for something else"
            alt = picture.alt(env, key, name, context)
            assert len(alt) > 40 and alt.endswith("."), f"{where}: {alt!r}"
            told += 1
    print(f"{key}: {told} pictures")


def test_who_is_counted_is_marked_by_letters_too(key: str) -> None:
    """A colour alone tells nobody anything who cannot tell it from others."""
    for issue in _issues(shelf.open_ruleset(key)):
        chart = picture.svgs(templates.environment(), issue).get("chart")
        if chart is None:
            continue
        texts = {each.text for each in ET.fromstring(chart).iter(f"{SVG}text")}
        coloured = {
            seat for seat in issue.seats if f'"{picture.colour(issue.seats, seat).fill}"' in chart
        }
        assert coloured and coloured <= texts, (issue.number, coloured - texts)


def test_the_pictures_of_a_mail_are_small(key: str) -> None:
    """Those of the last bulletin, on which most is to be seen, and of one in the middle."""
    issues = list(_issues(shelf.open_ruleset(key)))
    for issue in (issues[-1], issues[len(issues) // 2]):
        svgs = picture.svgs(templates.environment(), issue)
        pngs = drawing.pngs(svgs)
        print(f"{key}, bulletin {issue.number}:", {name: len(png) for name, png in pngs.items()})
        assert list(pngs) == list(svgs), "one had to be left out"
        assert all(png.startswith(b"\x89PNG\r\n") for png in pngs.values())


@pytest.mark.parametrize(
    ("game", "called"),
    in_turn(dict(zip(KEYS, KEYS, strict=True)), {"without": "", "long": "W" * 24}),
)
def test_nothing_runs_off_an_edge(game: str, called: str) -> None:
    """What lies right, left and below of each picture is as blank as that of an empty one, and no
    text comes near these edges; with any number of players and in all scenarios."""
    played = list(_issues(shelf.open_ruleset(game), called))[:: -1 if WHOLE else -5]
    for issue in (*played, *_openings(game, called)):
        for name, svg in picture.svgs(templates.environment(), issue).items():
            high = int(ET.fromstring(svg).attrib["height"])
            head = f'width="{PHONE}" height="{high}" viewBox="0 0 {PHONE} {high}"'
            assert head in svg
            blank, bare = f"{svg.partition('>')[0]}></svg>", _TEXT.sub("", svg)
            for x, y, w, h, other in (
                (PHONE + 1, 0, 40, high, blank),
                (-41, 0, 40, high, blank),
                (0, high + 1, PHONE, 40, blank),
                (PHONE - EDGE, 0, EDGE, high, bare),
                (0, 0, EDGE, high, bare),
                (0, high - EDGE, PHONE, EDGE, bare),
            ):
                place = f'width="{w}" height="{h}" viewBox="{x} {y} {w} {h}"'
                made, same = (one.replace(head, place, 1) for one in (svg, other))
                assert pictures.png(made, 1.0) == pictures.png(same, 1.0), (
                    f"{name} of bulletin {issue.number}, at ({x}, {y})"
                )
