"""A refusal quotes the sentence of its paragraph that speaks of the same thing."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

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


ROOT = Path(__file__).parents[1] / "pbem"
FILES = sorted(path for path in ROOT.rglob("*.py") if "_data" not in path.parts)

PHRASES = re.compile(
    r"""\b(?:
      the\ same\ of | what\ is\ of | that\ is\ of | moves\ it\ not | in\ vain | is\ none\ of\ his
    | whoever | wherever | whither | upon | anew | lest
    | (?:there|where|here)(?:of|upon|by|in|from|with)
    | where\ (?:there\ (?:is|are|was|were)|nobody|somebody|none|no|he\ (?:can|has|is)
              |it\ (?:has|had|does|can|cannot|would|may)|they\ (?:can|did|do))
    )\b
    | (?:\bNone|""|\bFalse|\bTrue|Error|\bempty)\ where\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What docs/style.md asks not to write. "Where" is found only if "if" is meant for certain."""

NO_VERBS = re.compile(
    r"""(?: the | an? | one | two | three | its? | his | her | s?he | they | this | that | these
    | those | there | what(?:ever)? | whether | how | who(?:se|m|ever)? | why | where | when | which
    | of | by | as | to | in(?:to)? | on | from | after | until | all | each
    | every(?:thing|body)? | nobody | somebody | no | nothing | another | many | several | both
    | so)""",
    re.VERBOSE | re.IGNORECASE,
)
"""No docstring of a function begins with one of these. A property may: it is a value."""

MOST = 52_900
"""Words in docstrings, of modules, classes, functions and fields; up to the next hundred."""
CARRIED_PHRASES = 1
CARRIED_OPENINGS = 18


def strings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Every string that stands alone: docstrings, and the words at a field or constant."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Comments, those on consecutive lines as one; none of a source that has no phrase anywhere."""
    if not PHRASES.search(" ".join(source.replace("#", " ").split())):
        return
    first, last, words = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        line, text = token.start[0], token.string.lstrip("#: ")
        if line == last + 1:
            words = f"{words} {text}"
        else:
            yield first, words
            first, words = line, text
        last = line
    yield first, words


def is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(one) for one in node.decorator_list)


def openings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Docstrings of functions that do not begin with a verb in the imperative. "Returns" does not
    either; "Pass" does, and "Paragraph 7" names a step of the rules."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or is_property(node):
            continue
        if found := re.match(r"[\w']+", ast.get_docstring(node) or ""):
            word = found.group()
            third = re.fullmatch(r"[A-Z][a-z]*[^s\W]s", word) and word != "Paragraphs"
            if NO_VERBS.fullmatch(word) or third:
                yield node.lineno, f"{node.name}: {word} ..."


HE = re.compile(r"\b(?:he|his|him|himself|she|hers?|herself)\b", re.IGNORECASE)
"""A player, a gamesmaster or a member of a parliament is "they"."""

EXCUSED = {"orders/sentences.py", "orders/other_words.py", "orders/asking.py"}
"""Modules that list words of players' letters."""


def sayings() -> Iterator[tuple[str, str]]:
    """What people read of us: rules, documents, templates, what the program says, docstrings and
    comments; no single words."""
    home = ROOT.parent
    for pattern in ("rules/*.md", "rules/house.toml", "docs/*.md", "templates/**/*.j2"):
        for path in sorted(home.glob(pattern)):
            yield path.relative_to(home).as_posix(), path.read_text(encoding="utf-8")
    for path in FILES:
        source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        if name in EXCUSED:
            continue
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Constant(value=str(said)) if " " in said:
                    yield f"{name}:{node.lineno}", said
        yield from ((f"{name}:{line}", text) for line, text in comments(source))


@cache
def prose() -> tuple[int, list[str], list[str]]:
    """How many words there are, phrases and openings. The trees are not kept."""
    words, phrases, verbless = 0, list[str](), list[str]()
    for path in FILES:
        source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        tree = ast.parse(source)
        told = [(one.lineno, str(one.value)) for one in strings(tree)]
        words += sum(len(text.split()) for _, text in told)
        phrases += [
            f"{name}:{line}: {found.group()}"
            for line, text in (*told, *comments(source))
            for found in PHRASES.finditer(" ".join(text.split()))
        ]
        verbless += [f"{name}:{line}: {text}" for line, text in openings(tree)]
    return words, phrases, verbless


def test_there_are_no_more_words_than_there_may_be() -> None:
    assert prose()[0] <= MOST, "the docstrings of pbem/: say it in fewer words"


def test_no_phrase_that_reads_like_a_translation() -> None:
    found = prose()[1]
    assert len(found) <= CARRIED_PHRASES, "\n".join(found)


def test_a_docstring_of_a_function_begins_with_a_verb() -> None:
    found = prose()[2]
    assert len(found) <= CARRIED_OPENINGS, "\n".join(found)


def test_nobody_is_he_or_she() -> None:
    found = [f"{place}: {one.group()}" for place, said in sayings() for one in HE.finditer(said)]
    assert not found, "\n".join(found)
