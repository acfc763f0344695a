"""Games of all six, played again from their orders.

``games/<key>.json.xz`` has thirty games of a rule-set: how each is set up, and the letters of each
seat in each period. The house bots of the recorded version wrote them once; many lines were then
spoilt, doubled, cancelled, or taken from the cases of the rules.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.events import Event
from pbem.house import shelf, templates
from pbem.periods import paper
from tests.keeping import once
from tests.net.compare import Json, unpacked
from tests.sampled import by_night

FOLDER = Path(__file__).parent / "games"
GROUPS = tuple(sorted(file.name.removesuffix(".json.xz") for file in FOLDER.glob("*.json.xz")))
PARTS = tuple(range(10))
"""Into so many parts the games of a rule-set are dealt."""
OF_CI = (3,)
"""What CI plays, the same in all tests; few of these games are allowed to differ as a whole. The
nightly run has all parts."""
IN_PARTS = [pytest.param(n, marks=by_night(n not in OF_CI)) for n in PARTS]


def observe(group: str, parts: tuple[int, ...] = PARTS) -> Iterator[tuple[str, Json]]:
    """Play the games of a rule-set, or of parts of it. Yield all that its rules say."""
    for part in parts:
        for name, game in in_part(group, part):
            yield f"{group}/{name}", _said(game)


def in_part(key: str, part: int) -> Iterator[tuple[str, paper.Game]]:
    """The games of a part with their names, each played once in a run."""
    for name, given in list(unpacked(FOLDER / f"{key}.json.xz").items())[part :: len(PARTS)]:
        kept = once(("recorded game", key, name), lambda given=given: _played(key, given))
        yield name, replace(kept, ruleset=shelf.open_ruleset(key))


def _played(key: str, given: Mapping[str, Any]) -> paper.Game:
    """A game played to its end, without its rule-set, which cannot be kept."""
    seats = tuple(given["seats"])
    game = paper.begin(paper.Setup(key, given["seed"], seats, given["options"], given["scenario"]))
    for letters in given["periods"]:
        game = paper.step(game, letters)
    return replace(game, ruleset=None)


def befores(game: paper.Game) -> Iterator[tuple[Any, paper.Period]]:
    """Each period of a game, after the state that it began with."""
    return zip((game.start, *(one.state for one in game.periods)), game.periods, strict=False)


def _said(game: paper.Game) -> Json:
    told: list[Json] = [_told(game, game.start, {})]
    for before, period in befores(game):
        taken = {seat: one.standing for seat, one in period.taken.items()}
        told.append(_told(game, before, taken))
    states = [game.ruleset.dump(one) for one in (game.start, *(p.state for p in game.periods))]
    said = game.json()
    for period in said["periods"]:
        for problems in period["problems"].values():
            for problem in problems:  # code, paragraph and line; the rest is wording
                del problem["message"], problem["notes"]
    return {**said, "states": states, "told": told}


def _told(game: paper.Game, state: Any, taken: Mapping[str, Any]) -> Json:
    """What each seat is told of its orders: facts of advice, of silence, of what it owes."""
    ruleset, found = game.ruleset, dict[str, Any]()
    if ruleset.result(state) is not None:
        return found
    for seat in game.seats:
        standing = taken.get(seat, {})
        page = templates.page_at(ruleset, state, seat, standing)
        found[seat] = {
            "advice": [_fact(one) for one in ruleset.advice(state, seat, standing)],
            "silence": [_fact(one) for one in page.silence],
            "owes": list(page.owes),
            "default": [str(order) for order in ruleset.default(state, seat)],
            "offers": [[one.kind, [list(words[:3]) for words in one.fills]] for one in page.offers],
        }
    found["asked"] = {seat: list(slots) for seat, slots in ruleset.asked(state).items()}
    if state.phase in ruleset.continuous:
        for seat, standing in taken.items():
            outcome = ruleset.register(state, seat, standing)
            state = outcome.state
            found[seat]["at once"] = [_fact(one) for one in outcome.events]
            found[seat]["ripe"] = list(ruleset.ripe(state))
    return found


def _fact(one: Event | str) -> Json:
    """Of a sentence it is recorded only that there is one."""
    return one.json() if isinstance(one, Event) else "..."
