"""A refusal quotes the sentence of its paragraph that speaks of the same thing."""

import pytest

from pbem.house import shelf
from pbem.house.templates import rules_text as rules
from pbem.pages import rulebook
from tests.bots import bot_game
from tests.keys import GAME_TESTS
from tests.refusals import of_cases

LONG = (
    "A proposed bill is voted on in the following period: yes, no or abstain. Where the table says"
    " that a party opposes the bill, half of its members vote so. It is told in the bulletin. Who"
    " sends no vote abstains. All members of the Government vote as the Premier votes."
)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("You are a minister of the Government.", "All members of the Government vote as the"),
        ("The table has no bill 9 that your party opposes.", "Where the table says"),
        ("Nothing of this stands in the rules at all.", "A proposed bill is voted on"),
        ("The bulletin is told.", "Where the table says that a party opposes the bill, half of its"
         " members vote so. It is told"),
    ],
)  # fmt: skip
def test_the_sentence_that_fits(message: str, sentence: str) -> None:
    assert rulebook.quoted({"16": LONG}, "16", message).startswith(f'"{sentence}')


def test_short_paragraphs_are_quoted_whole() -> None:
    text = "A party may pay. Never itself."
    assert rulebook.quoted({"27": text}, "27", "You cannot pay yourself.") == f'"{text}" [27]'
    assert rulebook.quoted({"27": text}, "", "x") == rulebook.quoted({"27": text}, "9", "x") == ""


def test_every_refusal_quotes_a_sentence_that_rules_brings(key: str) -> None:
    """All refusals of the cases, and all events of a bots' game."""
    paragraphs = shelf.rulebook(key).paragraphs
    refused = [problem for problem in of_cases(key, GAME_TESTS / key) if problem.rule]
    assert refused
    for problem in refused:
        quoted = rulebook.quoted(paragraphs, problem.rule, problem.message)
        sentence = quoted.partition('" [')[0].strip('"')
        assert sentence and sentence in paragraphs[problem.rule], problem
    told = {e.rule for turn in bot_game(shelf.open_ruleset(key), 0) for e in turn.outcome.events}
    for rule in told | {problem.rule for problem in refused}:
        assert f"[{rule}] " in rules(key, rule), rule


def test_the_game_in_short_is_taken_from_the_rules() -> None:
    text = "# Rules\n\n## The game in short\n\n**The goal.** To win\nby `VOTE`.\n\nThen more.\n\n## 1\n\n**1.** One."
    made = rulebook.parse(text)
    assert made.short == "The goal. To win by VOTE.\n\nThen more."
    assert list(made.paragraphs) == ["1"]
    assert rulebook.parse("# Rules\n\n## 1\n\n**1.** One.").short == ""
