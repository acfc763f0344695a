"""Runs cases: data in the players' own notation, one file each, named by the rule paragraph.

tests/games/<key>/cases/<paragraph>-<words>.toml:

    title = "..."                       what the case shows
    rule = "17"                         the paragraph (of rules/<key>.md)
    seats, seed, options                as in game.toml (optional)
    scenario = "file.toml"              a file beside the case, or a table [scenario.public] ...
    [[period]]                          one for each period held
    orders.S = "VOTE YES ON 4"          order text of a seat; a seat left out sends nothing
    phase = "session"                   the phase adjudicated (optional)
    expect.public / expect.S            parts of the views after it: mappings by the keys given, all else whole
    events = [{kind, rule, audience, data}]   each must occur in this order, compared by the keys given
    no_events = ["kind"]                kinds that must not occur
    problems.S = [{line, code, message}]      exactly these refusals of S (warnings included), by the keys given
    stands.S = ["VOTE YES ON 4"]        exactly the orders that stand for S, canonical
    receipt.S = ["purse: 5 tokens ..."] exactly what the game adds to the receipt of S
    silent.S = [{kind, rule, data}]     exactly what S is told of sending nothing more than its orders, by the keys given
    owed.S = ["VOTE 4"]                 exactly the slots that S still owes after its orders
    asked.S = ["VOTE 4"]                exactly the slots that the next period asks of S, as everybody is told
    result = {winners, standing}        after the last period; result = "running"
"""

import tomllib
from pathlib import Path
from typing import Any

from pbem.house import shelf, templates
from pbem.pages.plain import plain
from pbem.periods import paper


def find(folder: Path) -> list[Path]:
    return sorted(folder.glob("cases/**/*.toml"))


def run(key: str, path: Path) -> None:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    scenario = case.get("scenario", {})
    if isinstance(scenario, str):
        scenario = paper.read_toml(path.parent / scenario)
    seats = tuple(case["seats"]) if "seats" in case else None
    game = paper.begin(
        paper.Setup(key, case.get("seed", 0), seats, case.get("options", {}), scenario)
    )
    _views("opening", case.get("expect", {}), game, game.start)
    for number, wanted in enumerate(case.get("period", []), 1):
        where = f"{path.name}, period {number}"
        assert game.ruleset.result(game.state) is None, f"{where}: the game is over already"
        before, game = game.state, paper.step(game, wanted.get("orders", {}))
        held = game.periods[-1]
        slots = [slot for taken in held.taken.values() for slot in taken.standing]
        assert slots == [slot.upper() for slot in slots], f"{where}: CANCEL finds no small letters"
        _paragraphs(where, key, held)
        assert wanted.get("phase", held.phase) == held.phase, f"{where}: the phase was {held.phase}"
        for seat, problems in wanted.get("problems", {}).items():
            got = [problem.json() for problem in held.taken[seat].problems]
            assert len(got) == len(problems), f"{where}: problems of {seat}: {got}"
            for one, other in zip(problems, got, strict=True):
                _part(f"{where}: problem of {seat}", one, other)
        for seat, orders in wanted.get("stands", {}).items():
            assert [str(o) for o in held.taken[seat].standing.values()] == orders, where
        for seat, lines in wanted.get("receipt", {}).items():
            advice = game.ruleset.advice(before, seat, held.taken[seat].standing)
            told = templates.events_in_words(game.ruleset, before, seat, advice)
            assert [plain(one) for one in told] == lines, where
        _silent(where, wanted.get("silent", {}), game, before)
        for seat, slots in wanted.get("owed", {}).items():
            assert list(game.ruleset.due(before, seat, held.taken[seat].standing)) == slots, where
        for seat, slots in wanted.get("asked", {}).items():
            assert list(game.ruleset.asked(held.state).get(seat, ())) == slots, where
        _events(where, wanted.get("events", []), [event.json() for event in held.events])
        for kind in wanted.get("no_events", []):
            assert kind not in {event.kind for event in held.events}, f"{where}: {kind} occurred"
        _views(where, wanted.get("expect", {}), game, held.state)
    if "result" in case:
        result = game.ruleset.result(game.state)
        if case["result"] == "running":
            assert result is None
        else:
            assert result is not None, f"{path.name}: the game is not over"
            _part(f"{path.name}: result", case["result"], result.json())


def _silent(where: str, wanted: dict[str, Any], game: paper.Game, before: Any) -> None:
    """What each seat is told of sending nothing more than the orders it sent."""
    taken = game.periods[-1].taken
    for seat, silent in wanted.items():
        standing = taken[seat].standing if seat in taken else {}
        told = templates.page_at(game.ruleset, before, seat, standing).silence
        found = [event.json() for event in told]
        assert len(found) == len(silent), f"{where}: silence of {seat}: {found}"
        for one, other in zip(silent, found, strict=True):
            _part(f"{where}: silence of {seat}", one, other)


def _paragraphs(where: str, key: str, held: paper.Period) -> None:
    """Whatever a period cites is a paragraph of the rules."""
    known = {"", *shelf.rulebook(key).paragraphs}
    problems = [problem for taken in held.taken.values() for problem in taken.problems]
    wrong = [one for one in (*held.events, *problems) if one.rule not in known]
    assert not wrong, f"{where}: not in rules/{key}.md: {wrong}"


def _views(where: str, wanted: dict[str, Any], game: paper.Game, state: Any) -> None:
    seen = paper.views(game, state)
    for name, part in wanted.items():
        _part(f"{where}: view {name}", part, seen[name])


def _events(where: str, wanted: list[Any], got: list[Any]) -> None:
    rest = list(got)
    for one in wanted:
        while rest and not _fits(one, rest[0]):
            rest.pop(0)
        kinds = [(event["kind"], event["rule"], event["data"]) for event in got]
        assert rest, f"{where}: no event {one} (in this order) among {kinds}"
        rest.pop(0)


def _fits(wanted: Any, got: Any) -> bool:
    try:
        _part("", wanted, got)
    except AssertionError:
        return False
    return True


def _part(where: str, wanted: Any, got: Any) -> None:
    if isinstance(wanted, dict):
        assert isinstance(got, dict), f"{where}: {got!r} is no mapping"
        for key, value in wanted.items():
            assert key in got, f"{where}: no {key!r} in {sorted(got)}"
            _part(f"{where}.{key}", value, got[key])
    elif wanted == "null":
        assert got is None, f"{where}: {got!r} for null"
    else:
        assert wanted == got, f"{where}: {got!r} for {wanted!r}"
