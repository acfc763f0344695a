"""A scenario that is wrong is refused in one line, whatever is wrong with it.

The keys are those of each game's template, with the examples that stand there as comments. Each of them gets seven
wrong values: of another type, out of bounds, unknown, empty.
"""

import copy
import itertools
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.house import resources, shelf
from pbem.periods import paper

_EXAMPLE = re.compile(r'#\s?(\[[\w.\[\]]+\]|"?[\w/]+"? = )')
_NAN = float("nan")
_NUMBER: list[Any] = ["seven", "", True, -(10**15), 10**15, _NAN, [], {"x": 1}]
_FLAG: list[Any] = ["yes", "", 7, -1, _NAN, [], {"x": 1}]
_TEXT: list[Any] = [7, True, _NAN, ["?"], {"?": "?"}, "?" * 5000, "", 1.5, [], -1]
_LIST: list[Any] = [7, True, _NAN, "?", {"?": 1}, ["?" * 5000], [{"?": 1}], [True]]
_TABLE: list[Any] = [7, True, _NAN, "?", ["?"], {"?": 1}, {"": "?"}, []]
WRONG = 7

Path = tuple[str | int, ...]

# What else a key may be besides what a template shows: "" for nobody, a bill by its number.
LEGAL: dict[str, list[tuple[str, Any]]] = {
    "parlement-1966": [(r"tables\.bills\.\d\.(name|minister|parties\.\w)", "")],
    "parlement-1968": [
        (r"public\.districts\.\w+\.holder", ""),
        (r"public\.government\.\w+", ""),
        (r"public\.program\.bills\[1\]", 7),
        (r"tables\.office\[\d\]\.item", ""),
        (r"tables\.bill\[\d+\]\.name", ""),
        (r"tables\.bill\[\d+\]\.key", 7),
        (r"tables\.office\[\d\]\.bills\[\d\]", 7),
    ],
    "party-in-power": [
        (r"public\.(constituency|issue|momentum|next|last|top_owner)", ""),
        (r"public\.votes\.\w+", ""),
        (r"public\.votes\.COM", 7),
    ],
}


def files(key: str) -> list[str]:
    """The scenarios that are shipped with a game: its template, and those of other countries."""
    return sorted(path.name for path in resources.path("rules", "scenarios", key).glob("*.toml"))


@cache
def shipped(key: str, file: str) -> dict[str, Any]:
    """A shipped scenario; to be copied before it is changed."""
    return paper.read_toml(resources.path("rules", "scenarios", key, file))


@cache
def examples(key: str, file: str) -> list[tuple[Path, Any]]:
    """The keys that a file shows in its comments, each with its value there."""
    lines = resources.text("rules", "scenarios", key, file).splitlines()
    found: list[tuple[Path, Any]] = []
    section: Path = ()
    for number, line in enumerate(lines):
        bare = line.lstrip("# ") if _EXAMPLE.match(line) else line
        if head := re.match(r"\[([\w.]+)\]", bare):
            section = tuple(head[1].split("."))
        elif _EXAMPLE.match(line):
            entry = _entry([bare, *(ln.lstrip("# ") for ln in lines[number + 1 :])])
            found += [((*section, name), value) for name, value in entry.items()]
    return found


def _entry(lines: list[str]) -> dict[str, Any]:
    """The entry that begins these lines, over as many of them as it takes."""
    for count in range(1, 5):
        try:
            return tomllib.loads(" ".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
    raise AssertionError(f"no entry of TOML: {lines[0]}")


def keys(key: str, file: str) -> dict[Path, Any]:
    """Every key of a file, those of nested tables and lists too, with its value there."""
    found: dict[Path, Any] = {}
    for at, value in [
        *(((name,), told) for name, told in shipped(key, file).items()),
        *examples(key, file),
    ]:
        found.update(_walk(at, value))
    return found


def _walk(at: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    yield at, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk((*at, name), inner)
    if isinstance(value, list):
        kinds: set[type] = set()
        for place, one in enumerate(value):
            if type(one) not in kinds:
                kinds.add(type(one))
                yield from _walk((*at, place), one)


def wrong_values(key: str, at: Path, value: Any) -> list[Any]:
    kinds = {bool: _FLAG, int: _NUMBER, str: _TEXT, list: _LIST, dict: _TABLE}
    legal = [repr(one) for keys, one in LEGAL.get(key, []) if re.fullmatch(keys, _dotted(at))]
    return [one for one in kinds[type(value)] if repr(one) not in legal][:WRONG]


def _dotted(at: Path) -> str:
    """The key as it is named: "public.docket[1].id"."""
    return "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in at)[1:]


def with_value(key: str, file: str, at: Path, value: Any) -> dict[str, Any]:
    """The file with a value in one place; what leads there is as its examples show it."""
    scenario: dict[str, Any] = copy.deepcopy(shipped(key, file))
    for path, shown in examples(key, file):
        if at[: len(path)] == path:
            _put(scenario, path, copy.deepcopy(shown))
    _put(scenario, at, value)
    return scenario


def _put(scenario: Any, at: Path, value: Any) -> None:
    for part in at[:-1]:
        scenario = scenario[part] if isinstance(part, int) else scenario.setdefault(part, {})
    scenario[at[-1]] = value


def refusal(key: str, scenario: dict[str, Any]) -> str:
    """What is said against a scenario; "" if nothing."""
    try:
        paper.begin(paper.Setup(key, 0, None, {}, scenario))
    except OperatorError as error:
        return str(error)
    except Exception as error:
        return f"CRASH {type(error).__name__}: {error}"
    return ""


def fault(key: str, said: str, at: Path, wrong: Any) -> str:
    """What is amiss with the answer to a wrong value; "" if nothing."""
    if not said:
        return "is taken silently"
    if said.startswith("CRASH"):
        return said
    if "\n" in said:
        return f"is refused in several lines: {said!r}"
    return "" if names(said, at, wrong) else f"key or value is not named: {said}"


def names(said: str, at: Path, wrong: Any) -> bool:
    """Whether the line has the key, and of the value as much as there is room for."""
    inner = [wrong]
    for one in inner:
        inner += (
            [*one, *one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        )
    return _dotted(at) in said and any(
        repr(one)[:20] in said or str(one)[:20] in said for one in inner
    )


def test_seven_wrong_values_of_each_key_are_refused(key: str) -> None:
    tried, faults = 0, []
    for file in files(key):
        for at, value in keys(key, file).items():
            wrongs = wrong_values(key, at, value)
            assert len(wrongs) == WRONG, f"{_dotted(at)}: only {wrongs}"
            for wrong in wrongs:
                tried += 1
                said = refusal(key, with_value(key, file, at, wrong))
                if amiss := fault(key, said, at, wrong):
                    faults.append(f"{file}: {_dotted(at)} = {repr(wrong)[:30]}: {amiss[:300]}")
    assert not faults, f"{len(faults)} of {tried} wrong values:\n" + "\n".join(faults)


def test_what_the_files_show_in_comments_is_legal(key: str) -> None:
    """Of the type and within the bounds that are wanted: whatever is said against one is that it
    does not fit the rest of the file."""
    for file in files(key):
        for at, value in examples(key, file):
            said = refusal(key, with_value(key, file, at, value))
            assert " wanted" not in said and "unknown key" not in said and "CRASH" not in said, said


def test_an_unknown_key_is_refused_with_the_nearest_known_one(key: str) -> None:
    """In every table that has keys of its own, not names of the game."""
    scenario = copy.deepcopy(shipped(key, "template.toml"))
    scenario["publik"] = scenario.pop("public")
    said = refusal(key, scenario)
    assert "publik" in said and "public" in said.replace("publik", ""), said
    for at in [
        ("public",),
        *((("private", seat)) for seat in shipped(key, "template.toml").get("private", {})),
    ]:
        table = dict(_at(shipped(key, "template.toml"), at))
        known = next(iter(table))
        said = refusal(key, with_value(key, "template.toml", (*at, f"{known}x"), table[known]))
        assert _dotted((*at, f"{known}x")) in said, said
        assert f"did you mean {known}?" in said, said


def test_a_key_of_any_text_is_refused_in_one_line(key: str) -> None:
    for name in ("", "a\nb\x1b[2J", "x" * 5000):
        for part in ("public", "private"):
            said = refusal(key, {part: {name: {}}})
            assert said.isprintable() and part in said and len(said) < 1000, said


def _at(scenario: Any, at: Path) -> Any:
    for part in at:
        scenario = scenario[part]
    return scenario


def test_no_table_crashes_a_game_whatever_stands_in_it(key: str) -> None:
    """Each key of the game's tables (of many alike, two), also where the template does not show
    it."""
    tables = shelf.rulebook(key).tables
    faults = []
    for at, value in _few(tables):
        for wrong in wrong_values(key, ("tables", *at), value):
            changes: dict[str, Any] = {at[0]: copy.deepcopy(tables[at[0]])}
            _put(changes, at, wrong)
            said = refusal(key, {"tables": changes})
            if amiss := fault(key, said, ("tables", *at), wrong):
                faults.append(f"tables.{_dotted(at)} = {repr(wrong)[:30]}: {amiss[:300]}")
    assert not faults, "\n".join(faults)


def _few(value: Any, at: Path = ()) -> Iterator[tuple[Path, Any]]:
    if at:
        yield at, value
    inner = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    alike: dict[type, int] = {}
    for name, one in inner:
        alike[type(one)] = alike.get(type(one), 0) + 1
        if not at or alike[type(one)] <= 2 or len(inner) <= 10:
            yield from _few(one, (*at, name))


@pytest.mark.parametrize("wrong", ["?", -(10**15), _NAN, ["?"], {"?": 1}], ids=repr)
def test_a_wrong_option_is_refused(key: str, wrong: Any) -> None:
    for option in shelf.open_ruleset(key).about.options:
        given = "?" * (option.text + 1) if option.text else wrong
        said = refusal(key, {"options": {option.name: given}})
        assert f"option {option.name}: " in said and "\n" not in said, said
    assert "GOLD" in refusal(key, {"options": {"GOLD": 1}})


def test_a_part_of_the_wrong_form_is_refused(key: str) -> None:
    parts = ("public", "private", "decks", "tables", "candidates", "options", "seats")
    for part, wrong in itertools.product(parts, (7, "?", _NAN, [7])):
        said = refusal(key, {part: wrong})
        assert f"scenario, {part}" in said and "wanted" in said and "\n" not in said, said


def test_the_command_line_says_it_in_one_line_with_exit_code_1(
    key: str, tmp_path: pathlib.Path
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text("[public]\nphase = 7\n", encoding="utf-8")
    (tmp_path / "01").mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "pbem", "play", key, str(tmp_path), "--scenario", str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    (line,) = run.stderr.splitlines()
    assert "public.phase: 7; " in line and line.endswith("is wanted"), line
