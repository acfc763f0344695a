"""Each entry that the code writes into a journal has words at the desk, made of facts that it has."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import pbem
from pbem.desk import journal_words
from pbem.store.journal.notes import LookKind
from pbem.store.schema.states import Freed

VALUES = {
    "seat": "P1",
    "deputy": True,
    "edition": 2,
    "why": "quit",
    "at": "letter",
    "seats": ["A", "B"],
    "letters": [3],
    "letter": 3,
}
KINDS = {  # kinds that are no constant where the entry is written
    "role": ("master", "second"),
    "f'{role}-asked'": ("master-asked", "second-asked"),
    "f'table-{after}'": ("table-joining", "table-called", "table-begun"),
}
PASSED = {
    "word_acts.py": ("letter-printed", "letter-rejected"),
    "offers.py": ("stays",),
    "rewinding.py": ("rewind", "rewind-tried"),
    "club.py": ("watch", "unwatch"),
}


def _written() -> Iterator[tuple[str, frozenset[str]]]:
    """The kinds of entries, each with the facts that it surely has."""
    for file in Path(pbem.__file__).parent.rglob("*.py"):
        own = file.parent.name == "journal"
        if ("note(" if own else "notes.note(") not in (text := file.read_text()):
            continue
        tree = ast.parse(text)
        constants = dict(_constants(tree))
        for node in ast.walk(tree):
            if (
                not isinstance(node, ast.Call)
                or not node.args
                or ast.unparse(node.func) != ("note" if own else "notes.note")
            ):
                continue
            facts = frozenset(one.arg for one in node.keywords if one.arg)
            facts |= {"letter"} if file.name == "letter_acts.py" and not facts else frozenset()
            kind = constants.get(ast.unparse(node.args[3]), node.args[3])
            yield from ((one, facts) for one in _kinds(kind, file.name))


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The names of a module that have one value."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value


def _kinds(kind: ast.expr, file: str) -> tuple[str, ...]:
    match kind:
        case ast.Constant(value=str(one)):
            return (one,)
        case ast.IfExp(body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(other))):
            return one, other
    return KINDS.get(ast.unparse(kind)) or PASSED[file]


WRITTEN = sorted(set(_written()), key=str)


def test_each_entry_has_its_words() -> None:
    wrong = []
    for kind, facts in WRITTEN:
        said = journal_words.words(kind, {name: VALUES.get(name, "7") for name in facts})
        plain = f"{kind.replace('-', ' ').capitalize()}, "  # as if there were no sentence for it
        if (
            kind not in journal_words.WORDS
            or not said.rstrip(".")[:1].isupper()
            or "None" in said
            or said.startswith(plain)
        ):
            wrong.append(f"{kind} of {sorted(facts)}: {said}")
    assert not wrong, "\n".join(wrong)


def test_no_sentence_says_who_did_it() -> None:
    """The desk shows that beside it."""
    said = [(one,) if isinstance(one, str) else one for one in journal_words.WORDS.values()]
    assert not [one for each in said for one in each if "by" in journal_words.needs(one)]


def test_no_kind_is_written_nowhere() -> None:
    assert journal_words.WORDS.keys() - {one for one, _ in WRITTEN} == set()


def test_an_old_entry_with_fewer_facts_is_shown_as_it_is() -> None:
    assert journal_words.words("letter-accepted", {}) == "Letter accepted."
    assert journal_words.words("comet", {"tail": "long"}) == "Comet, tail long."


@pytest.mark.parametrize("kind", LookKind)
def test_each_look_has_words(kind: LookKind) -> None:
    assert "looked at" in journal_words.words("look", {"period": 2, "at": kind})


@pytest.mark.parametrize("why", Freed)
def test_each_free_seat_says_why(why: Freed) -> None:
    said = "a house bot" if why is Freed.BOT else "its player"
    assert said in journal_words.words("free", {"seat": "A", "why": why})
