"""Macros that are made once: what they say is always said with the names of the moment."""

import re
from pathlib import Path

import pytest
from jinja2 import DictLoader, StrictUndefined, UndefinedError, meta, nodes

from pbem.games import GAMES
from pbem.house import templates
from pbem.pages import macros
from pbem.pages.macros import in_force


def environment(**sources: str) -> macros.Environment:
    named = {f"{name}.j2": source for name, source in sources.items()}
    return macros.Environment(loader=DictLoader(named), undefined=StrictUndefined)


def said(env: macros.Environment, name: str, **names: object) -> str:
    """What the macro ``say`` of a template says under these names."""
    with in_force(names):
        return str(macros.macros(env, name).say())


def printed(env: macros.Environment, name: str, **names: object) -> str:
    with in_force(names):
        return env.get_template(name).render(names)


class TestKept:
    def test_names_are_those_of_the_moment(self) -> None:
        env = environment(a="{% macro say() %}{{ who }}{% endmacro %}")
        assert [said(env, "a.j2", who=who) for who in ("S", "R", "S")] == ["S", "R", "S"]

    def test_they_are_made_once(self) -> None:
        env = environment(a="{% macro say() %}{{ who }}{% endmacro %}")
        with in_force({"who": "S"}):
            first = macros.macros(env, "a.j2")
        with in_force({"who": "R"}):
            assert macros.macros(env, "a.j2") is first

    def test_a_name_of_before_is_gone(self) -> None:
        env = environment(a="{% macro say() %}{{ who }}{% endmacro %}")
        said(env, "a.j2", who="S")
        with pytest.raises(UndefinedError, match="who"):
            said(env, "a.j2")

    def test_what_a_macro_fails_on_leaves_no_names_behind(self) -> None:
        env = environment(a="{% macro say() %}{{ who.wanting }}{% endmacro %}")
        with in_force({"who": "outside"}):
            with pytest.raises(UndefinedError):
                said(env, "a.j2", who="inside")
            env = environment(a="{% macro say() %}{{ who }}{% endmacro %}")
            assert macros.macros(env, "a.j2").say() == "outside"

    def test_macros_of_macros(self) -> None:
        env = environment(
            a='{% import "b.j2" as b with context %}{% macro say() %}{{ b.say() }}{% endmacro %}',
            b="{% macro say() %}{{ who }}{% endmacro %}",
        )
        assert [said(env, "a.j2", who=who) for who in ("S", "R")] == ["S", "R"]

    def test_a_name_comes_before_what_all_templates_are_given(self) -> None:
        env = environment(a="{% macro say() %}{{ table }}{% endmacro %}")
        env.globals["table"] = "of all"
        assert [said(env, "a.j2"), said(env, "a.j2", table="own")] == ["of all", "own"]


class TestImportedByAPage:
    PAGE = '{% import "a.j2" as a with context %}{{ a.say() }}'
    SAY = "{% macro say() %}{{ who }}{% endmacro %}"

    def test_names_are_those_of_the_page(self) -> None:
        env = environment(page=self.PAGE, a=self.SAY)
        assert [printed(env, "page.j2", who=who) for who in ("S", "R")] == ["S", "R"]

    def test_a_page_with_names_that_are_not_in_force(self) -> None:
        env = environment(page=self.PAGE, a=self.SAY)
        assert printed(env, "page.j2", who="S") == "S"
        assert env.get_template("page.j2").render(who="R") == "R"
        with in_force({"who": "S"}):
            assert env.get_template("page.j2").render(who="R") == "R"

    def test_a_page_goes_on_after_words_under_other_names(self) -> None:
        env = environment(
            page='{% import "a.j2" as a with context %}{{ a.say() }}{{ other() }}{{ a.say() }}',
            a=self.SAY,
        )
        names = {"who": "S", "other": lambda: said(env, "a.j2", who="R")}
        assert printed(env, "page.j2", **names) == "SRS"


def test_no_line_outside_a_macro_reads_a_name_of_the_moment() -> None:
    """Such a line would be read once, when the macros are made."""
    env = templates.environment()
    assert env.loader
    files = env.list_templates(extensions=["j2"])
    parsed = {name: env.parse(env.loader.get_source(env, name)[0]) for name in files}
    asked = ("events", "form", "pictures", "words")
    kept = {f"{key}/{name}.txt.j2" for key in GAMES for name in asked}
    for page in parsed.values():
        imports = page.find_all((nodes.Import, nodes.FromImport))
        named = [one.template for one in imports if one.with_context]
        kept |= {one.value for one in named if isinstance(one, nodes.Const)}
    for name in sorted(kept):
        macros_of = (nodes.Macro, nodes.Import, nodes.FromImport)
        page = parsed[name]
        page.body = [one for one in page.body if not isinstance(one, macros_of)]
        assert meta.find_undeclared_variables(page) <= set(env.globals), name


def test_an_item_of_a_dictionary_and_its_methods() -> None:
    env = environment(
        page="{{ of.name }} {{ of.items() | list }} {{ of.get('name') }}"
        " {{ of.wanting is defined }} {{ of['items'] is defined }}"
    )
    shown = env.get_template("page.j2").render(of={"name": "S"})
    assert shown == "S [('name', 'S')] S False True"


def test_lists_and_groups() -> None:
    env = environment(
        page="{% list rows = [who, n if n else '-'] for who, n in seats.items() if who != 'M' %}{{ rows }}"
        "{% list pairs = a ~ b for a in 'ST' if a in seats for b in 'RL' %}{{ pairs | join(' ') }}"
        "{% list ends = b for who in seats where %}{% set b = who * 2 %}{% endlist %}{{ ends[-1] }}"
        "{% group alike = who by n or 'none' for who, n in seats.items() %}{{ alike }}"
    )
    shown = printed(env, "page.j2", seats={"S": 7, "R": 0, "L": 7, "M": 1})
    rows, alike = "[['S', 7], ['R', '-'], ['L', 7]]", "{7: ['S', 'L'], 'none': ['R'], 1: ['M']}"
    assert shown == f"{rows}SR SLMM{alike}"


def test_an_escape_of_a_template_stands_within_a_string() -> None:
    env = templates.environment()
    loader = env.loader
    assert loader
    for name in env.list_templates(extensions=["j2"]):
        source, *_ = loader.get_source(env, name)
        bare = [text for _, kind, text in env.lex(source) if kind == "data" and "\\" in text]
        assert not bare, (name, bare)


def test_nothing_stands_in_for_what_a_view_does_not_hold() -> None:
    """A misspelt name is an error then, and not always the same figure."""
    sources = (Path(__file__).parents[1] / "templates").rglob("*.j2")
    found = [re.findall(r"view\.[a-z_]+ \| default\(.{,20}", one.read_text()) for one in sources]
    assert not any(found), found
