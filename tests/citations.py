"""Which paragraphs the source of a rule-set cites: in its events and refusals, its docstrings and
comments.

In code: what is passed for a parameter called ``rule``, to ``minutes.public`` and ``private``,
``Checked.refused`` and ``Problem``, and every other text that is shaped like a paragraph with a
point or a letter ("4.3.1", "R14"). In words: "R14", "ruling 14", "paragraph 9", "§4.3" and what
stands in brackets, "(3.1, R14)"; a whole section may be meant there.
"""

import ast
import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator

_NUMBER = r"\d+[a-z]?(?:\.\d+[a-z]?)*"
_PARAGRAPH = re.compile(rf"[RH]\d+[a-z]?|{_NUMBER}")
_SHAPED = re.compile(r"[RH]\d+[a-z]?|\d+[a-z]?(?:\.\d+[a-z]?)+")
_PLACES = {
    "public": 1,
    "private": 1,
    "refused": 2,
    "Problem": 2,
}  # which argument is the paragraph, where no signature says
_LIST = rf"(?:{_NUMBER}|R\d+)(?:(?:, | and | to |-)(?:{_NUMBER}|R\d+))*"
_WORDS = re.compile(
    rf"\b(?P<ruling>[Rr]ulings? )(?P<numbers>{_LIST})|(?:\b[Pp]aragraphs?"
    rf" |§)(?P<paragraphs>{_LIST})"
    rf"|\((?P<bracketed>(?:R\d+|{_NUMBER})(?:, (?:R\d+|{_NUMBER}))*)\)|\b(?P<letter>R\d+)\b"
)


def unknown(source: str, paragraphs: Collection[str]) -> list[str]:
    """What a source cites that is not among the paragraphs: "line 12: 4a.7"."""
    tree = ast.parse(source)
    in_words = {
        *paragraphs,
        *(rule[:end] for rule in paragraphs for end, char in enumerate(rule) if char == "."),
    }
    wrong = [(line, rule) for line, rule in _in_code(tree) if rule not in paragraphs]
    wrong += [
        (line, rule)
        for line, words in _words(tree, source)
        for rule in _in_words(words)
        if rule not in in_words
    ]
    return [f"line {line}: {rule}" for line, rule in sorted(wrong)]


def _words(tree: ast.Module, source: str) -> Iterator[tuple[int, str]]:
    """The docstrings and comments."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _in_code(tree: ast.Module) -> Iterator[tuple[int, str]]:
    yield from _in_calls(tree)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and _SHAPED.fullmatch(node.value)
        ):
            yield node.lineno, node.value


def _in_calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """What is passed for a paragraph: by place, by keyword, or as the default of a parameter."""
    places = dict(_PLACES)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [one.arg for one in node.args.args if one.arg != "self"]
            if "rule" in names:
                places[node.name] = names.index("rule")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            given = (
                [node.args[places[name]]]
                if name in places and len(node.args) > places[name]
                else []
            )
            given += [keyword.value for keyword in node.keywords if keyword.arg == "rule"]
            yield from _texts(given)


def _texts(given: Iterable[ast.expr]) -> Iterator[tuple[int, str]]:
    """The paragraphs among the texts an expression can give; what a condition compares is none of
    them."""
    for one in given:
        if isinstance(one, ast.IfExp):
            yield from _texts((one.body, one.orelse))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value:
            yield one.lineno, one.value


def _in_words(text: str) -> Iterator[str]:
    for found in _WORDS.finditer(text):
        prefix = "R" if found["ruling"] else ""
        numbers = found["numbers"] or found["paragraphs"] or found["bracketed"] or found["letter"]
        for rule in _PARAGRAPH.findall(numbers):
            yield rule if rule.startswith("R") else prefix + rule
