"""Ordinary letters of all mail programs and habits, in all six games: every order that a person would
call clear is read, none that is quoted, and prose is passed over.

``tests/corpora/letters`` has a table for each game: ``quoted`` is what each letter quotes, every
``[[letter]]`` what a player writes, by which programs, the ``orders`` in it in canonical form, the
``words`` for the referee, and how many of its lines are ``asked`` about. The counts are printed.
"""

import tomllib
from typing import Any

import pytest

from pbem.games.frame.adjudication import take
from pbem.house.shelf import open_ruleset
from pbem.letters.letter import read
from pbem.letters.verdict import understood
from tests.bots import bot_game
from tests.letter.letters import CORPORA, decided
from tests.letter.programs import PROGRAMS, built

TABLES = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted((CORPORA / "letters").glob("*.toml"))
}
LETTERS = [
    (game, at, program)
    for game, table in TABLES.items()
    for at, one in enumerate(table["letter"])
    for program in one["by"]
]


def opening(game: str) -> tuple[Any, Any, str]:
    """The rule-set, a position of it and a seat."""
    ruleset = open_ruleset(game)
    turn = next(bot_game(ruleset, 0))
    return ruleset, turn.before, next(iter(turn.letters))


@pytest.mark.parametrize("game", TABLES)
def test_each_letter(game: str) -> None:
    ruleset, state, seat = opening(game)
    for at, program in [(at, program) for of, at, program in LETTERS if of == game]:
        one, name = TABLES[game]["letter"][at], f"letter {at + 1} by {program}"
        raw = built(program, one["text"], TABLES[game]["quoted"])
        letter = read(raw)
        peeled = decided(letter, raw).peeled
        assert understood(ruleset.language, peeled.text) == one["orders"], (name, letter.text)
        words = [f"{word.name} {word.argument}".strip() for word in peeled.commands]
        assert words == one.get("words", []), name
        loud = [
            answer.line.text
            for answer in take(ruleset, state, seat, peeled.text, {}).answers
            if any(problem.code in ("E_SYNTAX", "E_AMBIGUOUS") for problem in answer.problems)
            and not answer.quiet
        ]
        assert len(loud) == one.get("asked", 0), (name, loud)


def test_the_corpus() -> None:
    """What there is, counted."""
    programs = {program for _, _, program in LETTERS}
    orders = sum(
        len(one["orders"]) * len(one["by"]) for t in TABLES.values() for one in t["letter"]
    )
    print(
        f"{len(LETTERS)} letters by {len(programs)} programs in {len(TABLES)} games, with {orders}"
        " orders to be read"
    )
    assert len(LETTERS) >= 300 and programs == PROGRAMS.keys() and len(TABLES) == 6
    for game, table in TABLES.items():
        language = open_ruleset(game).language
        assert understood(language, table["quoted"]), "what is quoted could be read"
        for one in table["letter"]:
            for order in one["orders"]:
                assert [str(same) for same in language.parse(order)] == [order]
