"""What the printed forms of all games say, row by row of ``forms.toml``; what is written by them is taken."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.adjudication import take
from pbem.house import templates
from pbem.pages import page
from pbem.pages.plain import plain
from pbem.periods import paper

ROWS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text(encoding="utf-8"))["form"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_a_form_says_what_its_orders_do(row: dict[str, Any]) -> None:
    seats = tuple(row["seats"]) if "seats" in row else None
    options, scenario = row.get("options", {}), row.get("scenario", {})
    game = paper.begin(paper.Setup(row["key"], 1, seats, options, scenario))
    for letters in row.get("before", ()):
        game = paper.step(game, letters)
    ruleset, state, seat = game.ruleset, game.state, row["seat"]
    known = templates.context(ruleset, state, seat)
    printed = page.form(templates.environment(), row["key"], ruleset.offers(state, seat), known)
    said = " ".join(plain(printed).replace("#", " ").split())
    assert [words for words in row["says"] if words not in said] == [], said
    assert [words for words in row.get("never", ()) if words in said] == [], said
    taken = take(ruleset, state, seat, row["orders"].strip(), {})
    assert not taken.problems and bool(taken.standing) == bool(row["orders"])
