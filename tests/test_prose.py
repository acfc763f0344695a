"""How docstrings and comments read: the phrases of docs/style.md, verbs first, and fewer words.

``python -m tests.test_prose`` prints the three tables as the tree stands. A number may only fall: a
room that is not rewritten yet carries what it has.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

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

MOST: dict[str, int] = {
    ".": 700,
    "acts": 600,
    "bots": 200,
    "cli": 1800,
    "cli/demo": 400,
    "daemon": 1400,
    "desk": 2300,
    "games": 100,
    "games/coalition": 1500,
    "games/frame": 3900,
    "games/legislation": 2300,
    "games/parlement_1966": 2400,
    "games/parlement_1968": 3000,
    "games/party_in_power": 1700,
    "games/politics_1935": 1900,
    "house": 1300,
    "letters": 1500,
    "letters/reading": 1600,
    "orders": 2200,
    "orders/door": 900,
    "pages": 2200,
    "periods": 4100,
    "post": 1700,
    "referee": 100,
    "referee/acts": 700,
    "referee/deciding": 1500,
    "referee/game": 1900,
    "referee/gamesmaster": 1300,
    "referee/words": 1800,
    "store": 100,
    "store/engine": 800,
    "store/games": 1400,
    "store/joining": 300,
    "store/journal": 400,
    "store/letters": 700,
    "store/mails": 500,
    "store/people": 600,
    "store/schema": 1000,
    "website": 1100,
}
"""Words in docstrings, of modules, classes, functions and fields; up to the next hundred. A new
module may raise the number of its room; new words in an old one may not."""

CARRIED_PHRASES: dict[str, int] = {
    "cli": 1,
}
CARRIED_OPENINGS: dict[str, int] = {
    "cli": 18,
}


def room(path: Path) -> str:
    """Two levels of folders: store/games, post."""
    return "/".join(path.relative_to(ROOT).parts[:-1][:2]) or "."


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


@cache
def prose() -> tuple[dict[str, int], dict[str, list[str]], dict[str, list[str]]]:
    """Words, phrases and openings by room. The trees are not kept."""
    words: Counter[str] = Counter()
    phrases: dict[str, list[str]] = {}
    verbless: dict[str, list[str]] = {}
    for path in FILES:
        source, where = path.read_text(encoding="utf-8"), room(path)
        tree, name = ast.parse(source), path.relative_to(ROOT).as_posix()
        told = [(one.lineno, str(one.value)) for one in strings(tree)]
        words[where] += sum(len(text.split()) for _, text in told)
        phrases.setdefault(where, []).extend(
            f"{name}:{line}: {found.group()}"
            for line, text in (*told, *comments(source))
            for found in PHRASES.finditer(" ".join(text.split()))
        )
        verbless.setdefault(where, []).extend(
            f"{name}:{line}: {text}" for line, text in openings(tree)
        )
    return dict(words), phrases, verbless


ROOMS = sorted({room(path) for path in FILES})


@pytest.mark.parametrize("where", ROOMS)
def test_a_room_takes_no_more_words_than_it_may(where: str) -> None:
    assert prose()[0][where] <= MOST.get(where, 0), (
        f"the docstrings of pbem/{where}: say it in fewer words"
    )


@pytest.mark.parametrize("where", ROOMS)
def test_no_phrase_that_reads_like_a_translation(where: str) -> None:
    found = prose()[1][where]
    assert len(found) <= CARRIED_PHRASES.get(where, 0), "\n".join(found)


@pytest.mark.parametrize("where", ROOMS)
def test_a_docstring_of_a_function_begins_with_a_verb(where: str) -> None:
    found = prose()[2][where]
    assert len(found) <= CARRIED_OPENINGS.get(where, 0), "\n".join(found)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The same of some letters only, once each.", "The same of"),
        ("Whoever holds a seat.", "Whoever"),
        ("None where there is none.", "None where"),
        ('The seat; "" where it has gone.', '"" where'),
        ("Raises OperatorError where it has begun.", "Error where"),
        ("Put at once, where nobody waits.", "where nobody"),
        ("Return the folder where letters are kept.", None),
        ("Return the games this letter may touch, or None if we cannot tell.", None),
    ],
)
def test_what_the_law_of_phrases_finds(text: str, found: str | None) -> None:
    match = PHRASES.search(text)
    assert (match.group() if match else None) == found


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Return the seat.", True),
        ("Pass it on.", True),
        ("Paragraphs 7 and 8.", True),
        ("CONFIRM: a code.", True),
        ("Returns the seat.", False),
        ("The seat.", False),
        ("Whether it is open.", False),
    ],
)
def test_what_the_law_of_openings_finds(text: str, verb: bool) -> None:
    tree = ast.parse(f'def step():\n    """{text}"""\n')
    assert (not list(openings(tree))) == verb
    value = ast.parse(f'@property\ndef value():\n    """{text}"""\n')
    assert not list(openings(value))


def main() -> None:
    """Print the tables as the tree stands."""
    words, phrases, verbless = prose()
    tables = {
        "MOST": {one: -(-number // 100) * 100 for one, number in words.items()},
        "CARRIED_PHRASES": {one: len(found) for one, found in phrases.items()},
        "CARRIED_OPENINGS": {one: len(found) for one, found in verbless.items()},
    }
    for name, table in tables.items():
        print(f"{name}: dict[str, int] = {{")
        for one, number in sorted(table.items()):
            if number:
                print(f'    "{one}": {number},')
        print("}")


if __name__ == "__main__":
    main()
