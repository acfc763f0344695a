"""Games of all six, played again from their orders.

``games/<key>.json.xz`` has thirty games of a rule-set: how each is set up, and the letters of each
seat in each period. The house bots of the recorded version wrote them once; many lines were then
spoilt, doubled, cancelled, or taken from the cases of the rules.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pbem.games.frame.events import Event
from pbem.house import templates
from pbem.periods import paper
from tests.net.compare import Json, unpacked

FOLDER = Path(__file__).parent / "games"
GROUPS = tuple(sorted(file.name.removesuffix(".json.xz") for file in FOLDER.glob("*.json.xz")))


def observe(group: str) -> Iterator[tuple[str, Json]]:
    """Play each game of a rule-set. Yield all that its rules say."""
    for name, given in unpacked(FOLDER / f"{group}.json.xz").items():
        yield f"{group}/{name}", played(group, given)


def played(key: str, given: Mapping[str, Any]) -> Json:
    seats = tuple(given["seats"])
    game = paper.begin(paper.Setup(key, given["seed"], seats, given["options"], given["scenario"]))
    told: list[Json] = [_told(game, game.start, {})]
    states = [game.ruleset.dump(game.start)]
    for letters in given["periods"]:
        before, game = game.state, paper.step(game, letters)
        taken = {seat: one.standing for seat, one in game.periods[-1].taken.items()}
        told.append(_told(game, before, taken))
        states.append(game.ruleset.dump(game.state))
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
