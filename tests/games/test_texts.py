"""What forms, receipts, notices, bulletins and answers of all games say, row by row of ``<game>/texts.toml``.

A row names a position of its file (``at``), whose text it is (``seat``; nobody's if there is none), and what
stands in it (``says``, ``never``): in one line, tables too. A position may be that of a case's first periods. ``of`` is one of ``_TEXTS``. ``orders`` are of the
open period: a form takes them as they are, a receipt and silence tell of them. ``words`` are those behind WHY.
"""

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from pbem.games.frame.adjudication import take
from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.ruleset import ToldEvent
from pbem.house import templates
from pbem.orders.order import Standing
from pbem.pages import bulletin
from pbem.pages.bulletin import Issue
from pbem.pages.plain import plain
from pbem.periods import paper
from tests.keys import GAME_TESTS

Row = Mapping[str, Any]
FILES = {
    path.parent.name: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(GAME_TESTS.glob("*/texts.toml"))
}
ROWS = [
    pytest.param(key, row, id=f"{key}: {row['of']} of {row['at']} {n}")
    for key, file in FILES.items()
    for n, row in enumerate(file["row"], 1)
]
_WIDTH = 78


@cache
def _position(key: str, at: str) -> paper.Game:
    return _played(key, FILES[key]["position"][at])


def _played(key: str, given: Row) -> paper.Game:
    """Begin a game as it is given, and close its periods with the letters of ``before``."""
    if "case" in given:
        case = tomllib.loads((GAME_TESTS / key / "cases" / given["case"]).read_text())
        before = [period.get("orders", {}) for period in case["period"][: given["periods"]]]
        return _played(key, {"scenario": case.get("scenario", {}), "before": before})
    seats = tuple(given["seats"]) if "seats" in given else None
    options, scenario = given.get("options", {}), given.get("scenario", {})
    game = paper.begin(paper.Setup(key, given.get("seed", 0), seats, options, scenario))
    for letters in given.get("before", ()):
        game = paper.step(game, letters)
    return game


def _events(game: paper.Game, seat: str | None, events: tuple[Event, ...]) -> str:
    return "\n".join(templates.events_in_words(game.ruleset, game.state, seat, events))


def _issue(game: paper.Game) -> Issue:
    """What is told of the last period, or of the beginning."""
    number, phase, events = 0, game.state.phase, game.opening
    if game.periods:
        last = game.periods[-1]
        number, phase, events = last.number, last.phase, last.events
    return templates.issue(game.ruleset, game.state, game.seats, number, phase, events, {})


def _form(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    form = templates.words(game.ruleset, game.state, seat).form(
        game.ruleset.offers(game.state, seat)
    )
    return plain(form).replace("#", " ")


def _receipt(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    return plain(_events(game, seat, game.ruleset.advice(game.state, seat, standing)))


def _silence(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    return plain(_events(game, seat, game.ruleset.silence(game.state, seat, standing)))


def _notice(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    return bulletin.notice(templates.environment(), _issue(game), seat)


def _bulletin(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    return bulletin.bulletin(templates.environment(), _issue(game))


def _subject(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    return bulletin.headline(templates.environment(), _issue(game))


def _why(game: paper.Game, seat: str | None, standing: Standing, words: str) -> str:
    told = [ToldEvent(0, event) for event in game.opening]
    told += [ToldEvent(held.number, event) for held in game.periods for event in held.events]
    heard = [one for one in told if one.event.audience == PUBLIC or seat in one.event.audience]
    return plain(templates.explained(game.ruleset, game.state, seat, heard, words))


_TEXTS: dict[str, Callable[[paper.Game, str | None, Standing, str], str]] = {
    **{"form": _form, "receipt": _receipt, "silence": _silence, "notice": _notice},
    **{"bulletin": _bulletin, "subject": _subject, "why": _why},
}


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_a_text_says_what_its_row_says(name: str, row: Row) -> None:
    game, seat, orders = _position(name, row["at"]), row.get("seat"), row.get("orders", "").strip()
    taken = take(game.ruleset, game.state, seat, orders, {}) if orders else None
    assert taken is None or (taken.standing and not [p for p in taken.problems if not p.warning])
    for words in row.get("words", [""]):
        text = _TEXTS[row["of"]](game, seat, taken.standing if taken else {}, words)
        assert max(map(len, text.split("\n"))) <= _WIDTH
        said = " ".join(text.split())
        assert [one for one in row.get("says", ()) if one not in said] == [], said
        assert [one for one in row.get("never", ()) if one in said] == [], said
