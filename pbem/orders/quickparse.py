"""A quick way through a Lark grammar, without positions and error reports.

It walks Lark's LALR table over the tokens of one regular expression. After MISSED, Lark parses.
"""

import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from lark import Lark, Token
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

MISSED = object()
"""No order, or one for Lark's contextual lexer."""

UNFINISHED = object()

END = "$END"
_token = lru_cache(maxsize=1024)(Token)  # tokens are never changed, and words repeat


def quick(lark: Lark, start: str) -> Callable[[str], Any]:
    """Return a parser to Lark's result, UNFINISHED or MISSED. Needs LALR."""
    machine: Any = lark.parser.parser.parser
    table, callbacks = _table(machine), machine.callbacks
    first, final = machine.parse_table.start_states[start], machine.parse_table.end_states[start]
    cut, words, ignored = (
        _scanner(lark.terminals),
        _words(lark.terminals),
        frozenset(lark.ignore_tokens),
    )
    others = [
        (t.name, re.compile(t.pattern.to_regexp()).fullmatch) for t in _in_order(lark.terminals)
    ]

    def parse(text: str) -> Any:
        stack, values, at = [first], list[Any](), 0
        while match := cut(text, at):
            name = match.lastgroup
            start, at = match.span(name)
            if name in ignored:
                continue
            value, here = text[start:at], table[stack[-1]]
            literal = words.get(value.upper())
            if literal in here:
                name = literal
            elif name not in here:  # the same text as a terminal that fits here
                name = next(
                    (other for other, fits in others if other in here and fits(value)), name
                )
            while (step := table[stack[-1]].get(name)) is not None and not step[0]:
                _reduce(table, stack, values, step)
            if step is None:
                return MISSED
            made = callbacks.get(name)
            values.append(made(_token(name, value)) if made else _token(name, value))
            stack.append(step[1])
        if at != len(text):
            return MISSED
        while (step := table[stack[-1]].get(END)) is not None and not step[0]:
            _reduce(table, stack, values, step)
            if stack[-1] == final:
                return values[-1]
        return UNFINISHED

    return parse


Step = tuple[bool, Any, int, str]
"""Shift: (True, state, 0, ""). Reduce: (False, callback, values, rule)."""


def _table(machine: Any) -> dict[Any, dict[str, Step]]:
    def step(action: Any, argument: Any) -> Step:
        if action is Shift:
            return (True, argument, 0, "")
        return (
            False,
            machine.callbacks[argument],
            len(argument.expansion),
            str(argument.origin.name),
        )

    states = machine.parse_table.states
    return {
        state: {str(name): step(*found) for name, found in actions.items()}
        for state, actions in states.items()
    }


def _reduce(
    table: dict[Any, dict[str, Step]], stack: list[Any], values: list[Any], step: Step
) -> None:
    _, callback, size, origin = step
    children = values[-size:] if size else []
    if size:
        del stack[-size:], values[-size:]
    values.append(callback(children))
    stack.append(table[stack[-1]][origin][1])


def _scanner(terminals: Collection[TerminalDef]) -> Callable[[str, int], Any]:
    """Match all terminals but words."""
    named = (f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in _in_order(terminals))
    return re.compile(f" *(?:{'|'.join(named)})").match


def _in_order(terminals: Collection[TerminalDef]) -> list[TerminalDef]:
    return sorted(
        (t for t in terminals if not _is_word(t)),
        key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name),
    )


def _words(terminals: Collection[TerminalDef]) -> dict[str, str]:
    return {t.pattern.value.upper(): t.name for t in terminals if _is_word(t)}


def is_literal(terminal: TerminalDef) -> bool:
    """Return whether it is a fixed word or sign."""
    return isinstance(terminal.pattern, PatternStr)


def _is_word(terminal: TerminalDef) -> bool:
    return (
        is_literal(terminal) and "i" in terminal.pattern.flags and terminal.pattern.value.isalpha()
    )


def whole_words(terminal: TerminalDef) -> None:
    """End a word where its letters end: Lark reads "TOO" as TO and O."""
    if _is_word(terminal):
        whole = terminal.pattern.to_regexp() + r"(?![^\W\d_])"
        terminal.pattern.to_regexp = lambda: whole  # type: ignore[method-assign]
