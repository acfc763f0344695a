"""Words at the desk: each entry of the journal and each act has its own, made of facts that it has; what names
commands in the shell names buttons and pages here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

import pbem
from pbem.acts.act import Act, Kind
from pbem.acts.acts import ACTS
from pbem.desk import game
from pbem.desk.times import spoken
from pbem.house import resources, templates
from pbem.store.journal.notes import LookKind
from pbem.store.mails.lanes import LANE_OF
from pbem.store.schema.states import Freed
from tests.desk.visitor import OF_THE_SHELL

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
    "press": ("press-free", "press-suspended", "press-warned"),
    "f'table-{after}'": ("table-joining", "table-called", "table-begun"),
}
PASSED = {
    "formation.py": ("ripe", "unripe"),
    "word_acts.py": ("letter-printed", "letter-rejected"),
    "claims.py": ("stays",),
    "open_tables.py": ("table-left", "table-refused"),
    "rewinding.py": ("rewind", "rewind-tried"),
    "club.py": ("watch", "unwatch"),
    "persons.py": ("address-changed", "address-works"),
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
            facts |= {"days"} if ast.unparse(node.args[3]) == "press" else frozenset()
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
        said = game.entry_words(kind, {name: VALUES.get(name, "7") for name in facts})
        plain = f"{kind.replace('-', ' ').capitalize()}, "  # as if there were no sentence for it
        if (
            kind not in game.WORDS
            or not said.rstrip(".")[:1].isupper()
            or "None" in said
            or said.startswith(plain)
        ):
            wrong.append(f"{kind} of {sorted(facts)}: {said}")
    assert not wrong, "\n".join(wrong)


def test_no_sentence_says_who_did_it() -> None:
    """The desk shows that beside it."""
    said = [(one,) if isinstance(one, str) else one for one in game.WORDS.values()]
    assert not [one for each in said for one in each if "by" in game.needs(one)]


def test_no_kind_is_written_nowhere() -> None:
    assert game.WORDS.keys() - {one for one, _ in WRITTEN} == set()


def test_an_old_entry_with_fewer_facts_is_shown_as_it_is() -> None:
    assert game.entry_words("letter-accepted", {}) == "Letter accepted."
    assert game.entry_words("comet", {"tail": "long"}) == "Comet, tail long."


@pytest.mark.parametrize("kind", LookKind)
def test_each_look_has_words(kind: LookKind) -> None:
    assert "looked at" in game.entry_words("look", {"period": 2, "at": kind})


@pytest.mark.parametrize("why", Freed)
def test_each_free_seat_says_why(why: Freed) -> None:
    said = "a house bot" if why is Freed.BOT else "its player"
    assert said in game.entry_words("free", {"seat": "A", "why": why})


SHELL = re.compile(
    r"--[a-z]|hardly meant|`pbem |\b(DAYS|LETTER|FIRST|LAST|GAME|SEAT|FILE|OLD|NEW)\b"
)


def faults(act: Act) -> Iterator[str]:
    """What is wrong with the words of an act."""
    if not act.does.endswith(".") or bool(act.ways) != bool(act.usage):
        yield f"{act.does!r}, {act.usage!r}"
    asked = [one for one in act.arguments if one.kind != Kind.PERIOD]  # which is never shown
    labels = [act.label, *(one.label for one in asked)]
    yield from (one for one in labels if not one[0].isupper())
    if act.label[-1] in ".:":
        yield act.label
    said = (act.does, act.usage, *labels[1:], *(one.hint for one in asked))
    yield from (one for one in said if SHELL.search(one))


def test_each_act_has_its_words() -> None:
    wrong = [f"{act.name}: {fault}" for act in ACTS for fault in faults(act)]
    assert not wrong, "\n".join(wrong)


def test_no_two_acts_are_called_alike() -> None:
    assert len({act.label for act in ACTS}) == len(ACTS)


def test_each_kind_of_mail_is_called_something_that_a_person_understands() -> None:
    macros = templates.environment().get_template("_shared/desk/game_macros.html.j2").module
    called = macros.called  # type: ignore[attr-defined]
    assert set(LANE_OF) <= set(called)
    assert all(one[0].islower() and "-" not in one for one in called.values())


ROOT = Path(__file__).parents[2] / "pbem"
ROOMS = ("orders", "store", "post", "periods", "referee", "desk")
SOURCES = [path for room in ROOMS for path in sorted((ROOT / room).glob("*.py"))]


@pytest.mark.parametrize(
    ("said", "words", "link"),
    [
        ("`pbem start g` begins it", "Start begins it", "/do/start?game=g"),
        ("unless `pbem rewind g N` does", "unless Rewind does", "/do/rewind?game=g"),
        ("`pbem master g ADDRESS --second`", "Master", "/do/master?game=g&second=yes"),
        (
            "now `pbem rewind\ng 2` puts it right",
            "now Rewind puts it right",
            "/do/rewind?game=g&number=2",
        ),
        ("`pbem rotate g A`, too", "Rotate, too", "/do/rotate?game=g&seat=A"),
        ("`pbem accept 7 --seat SEAT` <b>", "Accept <b>", "/do/accept?letter=7"),
        ("`pbem rewind g 3 --accept 7`", "Rewind", "/do/rewind?game=g&number=3&accept=7"),
        ("now `pbem resume --all`", "now Resume", "/do/resume?everything=yes"),
        ("`pbem close-table t`", "Close table", "/do/close-table?table=t"),
        ("`pbem replace`", "Replace", "/do/replace"),
        ("`pbem close g g g --why`", "Close", "/do/close?game=g"),
        ("see `pbem queue`", "see What waits", "/"),
        ("see `pbem queue g` for it", "see What waits for it", "/games/g"),
        ("`pbem letter --id 7`", "the letter", "/letters/7"),
        ("`pbem table` has it", "its page has it", "/games"),
        ("`pbem letter --id '../x'`", "the letter", "/letters/%27..%2Fx%27"),
    ],
)
def test_a_command_is_a_link(said: str, words: str, link: str) -> None:
    made = LexborHTMLParser(spoken("/at".__add__, said))
    assert made.body is not None and made.body.text() == words
    assert [one.attributes["href"] for one in made.css("a")] == [f"/at{link}"]


def test_what_the_desk_does_not_have_stays() -> None:
    said = "`pbem forget g` or `pbem doctor`, <i>`pbem nosuch`</i>"
    assert spoken(str, said).unescape() == said


# --- every text of the referee --------------------------------------------------------------------


def texts(tree: ast.AST) -> Iterator[str]:
    """Every string that is no docstring, with "x" for what is set into it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (
                str(one.value) if isinstance(one, ast.Constant) else "x" for one in node.values
            )
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_every_command_that_is_named_is_known_at_the_desk() -> None:
    found = 0
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        for text in texts(ast.parse(source)) if "`pbem " in source else ():
            if re.fullmatch(r"(?s).*`pbem [a-z][^`]*`.*", text) and "``pbem" not in text:
                left = re.findall(r"`pbem ([a-z-]+)", spoken(str, text))
                assert set(left) <= OF_THE_SHELL | {"x"}, (
                    path.name,
                    text,
                )  # x: a command of an alarm
                found += 1
    for path in resources.path("templates", "_shared").glob("*.txt.j2"):
        plain = re.sub(r'" ~ [^"`]* ~ "', "x", path.read_text(encoding="utf-8"))
        for text in re.findall(r"`pbem [a-z][^`]*`", plain):
            left = re.findall(r"`pbem ([a-z-]+)", spoken(str, text))
            assert set(left) <= OF_THE_SHELL | {"x"}, (path.name, text)
            found += 1
    assert found > 40


def test_a_refusal_names_commands_as_such() -> None:
    found = 0
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                for text in texts(node.exc):
                    found += 1
                    assert not re.search(r"(?<!`)\bpbem [a-z]", text), (path.name, text)
    assert found > 200
