"""The frame knows no game: no word of a single game stands outside its folder, no game imports
another, and each answers all that is asked."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.games import GAMES
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf
from pbem.letters.states import LetterState
from pbem.store.schema.states import GameState, MailState, NoteKind, PeriodState
from pbem.store.schema.tables import Game
from tests.bots import bot_of

ROOT = Path(__file__).parents[1] / "pbem"
FOLDERS = {key: ROOT / "games" / package.rpartition(".")[2] for key, package in GAMES.items()}
MAIL = ("letters", "post")
"""The rooms that know mail and nothing of games: their words are those of headers and of HTML."""

TABLES = Game.metadata.tables
STORED = {*TABLES, *(column.name for table in TABLES.values() for column in table.columns)}
STATES = {
    str(state)
    for kind in (LetterState, GameState, PeriodState, MailState, NoteKind)
    for state in kind
}
PLAIN = set(
    re.findall(
        r"\w+",
        """again alike issues level named of origin other struck amendment amendments reached row rulings who
        EARLY EARLY_HOUR PASS PERIOD PERIOD_ONE PREFER RESIGN SIGN STANDING candidates opening order winners
        ACCEPT AMEND AMENDMENTS DISMISS DRAW EXTEND JOIN NAME OVER VOID accepted after before by counts entries next own printed put sheet changed done draw dropped end extension failed
        first i item items kept last left lines list lists missed missing no now on open over play queue ready
        colour free issue lot map names out result rows scores seats shown signed spent standing stands stopped title to
        total void year yes yours announced called lapsed passed_on short tally withdrawn bills constituency""",
    )
)
"""What all games share (a scenario may list candidates in each), and words that the frame or the
command line use in a sense of their own, as they do the names of tables, columns and states."""


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and value of each text that is no docstring."""
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def keys(tree: ast.AST) -> set[str]:
    """The keys of the dictionaries that stand in a module."""
    shown = [key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys]
    return {
        one.value for one in shown if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }


def kinds(tree: ast.AST) -> set[str]:
    """The kinds of the events that a module notes."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    noted = [
        call.args[0]
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("public", "private")
    ]
    return {
        one.value for one in noted if isinstance(one, ast.Constant) and isinstance(one.value, str)
    }


@cache
def words() -> dict[str, set[str]]:
    """The words of the games -> the games that have them: words of orders, options, phases, seats
    of more than a letter, kinds of events, and the keys of views and scenarios."""
    found: dict[str, set[str]] = {}
    for key, folder in FOLDERS.items():
        ruleset = shelf.open_ruleset(key)
        own = set(ruleset.language.words) | set(ruleset.about.phases)
        own |= {option.name for option in ruleset.about.options}
        own |= {seat for table in ruleset.about.seats for seat in table if len(seat) > 1}
        own |= {*ruleset.about.seat_tables, *ruleset.about.seat_rows}
        for tree in map(parsed, folder.rglob("*.py")):
            own |= kinds(tree)
            if any(isinstance(one, ast.FunctionDef) and one.name == "public" for one in tree.body):
                own |= keys(tree)  # of views
        for word in own:
            found.setdefault(word, set()).add(key)
    return found


def strange(tree: ast.AST) -> list[str]:
    """What a module outside the games says in a game's words; of longer texts the words of orders
    in capitals count."""
    known = set(words()) - PLAIN - STORED - STATES
    orders = {word for word in known if word.isupper() and len(word) > 3}
    return [
        f"line {line}: {word}"
        for line, text in texts(tree)
        for word in sorted({text, *orders.intersection(text.split())} & known)
    ]


OUTSIDE = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if not any(path.is_relative_to(folder) for folder in FOLDERS.values())
    and path.relative_to(ROOT).parts[0] not in (*MAIL, "_data")
]


def test_no_word_of_a_game_stands_outside_its_folder() -> None:
    """A word that is the frame's own besides goes to PLAIN; any other is an answer of a rule-set."""
    found = [
        f"{path.relative_to(ROOT)}, {one}" for path in OUTSIDE for one in strange(parsed(path))
    ]
    assert not found, "words of a game (PLAIN here has the frame's own):\n" + "\n".join(found)


def test_a_word_of_a_game_is_found() -> None:
    tree = ast.parse('"""pins"""\nLIST = "CANDIDATES"\nf(x["pins"], f"write CANDIDATES {x}")')
    assert strange(tree) == ["line 2: CANDIDATES", "line 3: pins", "line 3: CANDIDATES"]


def test_no_game_imports_another(key: str) -> None:
    others = [f"{package}." for other, package in GAMES.items() if other != key]
    for path in FOLDERS[key].rglob("*.py"):
        for node in ast.walk(parsed(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert not [n for n in names if f"{n}.".startswith(tuple(others))], path


def test_a_game_answers_all_that_is_asked(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    asked = {name for name in dir(Ruleset) if name[0] != "_"} | Ruleset.__annotations__.keys()
    assert {name for name in asked if not hasattr(ruleset, name)} == set()
    assert shelf.with_changes(key, {}) == ruleset.book.tables
    assert callable(bot_of(ruleset).letter)
