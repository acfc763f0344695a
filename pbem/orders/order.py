"""The values that orders are made of.

The first line of a press: ``PRESS TO S, R``, ``PRESS TO ALL ANONYMOUSLY``, ``PRESS TO ALL AS The
Old Fox``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, dataclass_transform

CANCEL = "CANCEL"


class Order(Protocol):
    """An instruction. ``str(order)`` is its canonical text."""

    @property
    def slot(self) -> str:
        """What it fills, in capitals: word and target ("VOTE 4")."""
        ...


class Wording:
    """``PAY {crowns} TO {payee}`` of an order's fields; ``{office!u}`` in capitals.

    ``FIELD {cards:, }`` says what stands between several.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern, self._parts = pattern, tuple(Formatter().parse(pattern))

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        for _text, field, *_how in self._parts:
            if field and field not in owner.__annotations__ and not hasattr(owner, field):
                raise TypeError(f"{owner.__name__} has no {field}, as in {self.pattern!r}")

    def __get__(self, order: object | None, _: type | None = None) -> str:
        if order is None:
            return self.pattern
        text = ""
        for before, field, how, capitals in self._parts:
            text += before
            if field:
                value = _said(getattr(order, field), how or "")
                text += value.upper() if capitals else value
        vars(order)[self._name] = text = text.rstrip()  # kept: a letter asks several times
        return text


def _said(value: object, how: str) -> str:
    return how.join(map(str, value)) if isinstance(value, tuple) else format(value, how)


@dataclass_transform(frozen_default=True)
class Worded:
    """Base of orders with a declared text: each class of them is a frozen dataclass."""

    written: ClassVar[Wording]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)

    def __str__(self) -> str:
        return self.written


Standing = Mapping[str, Order]
"""By slot, in the order first given."""
NO_ORDERS: Standing = MappingProxyType({})
"""For a seat that has sent nothing."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A move that does nothing more."""

    slot: str = "PASS"

    def __str__(self) -> str:
        return "PASS"


@dataclass(frozen=True, slots=True)
class Resign:
    """Leaves the game, as its rules provide."""

    slot: str = "RESIGN"

    def __str__(self) -> str:
        return "RESIGN"


def staying(standing: Standing) -> dict[str, Order]:
    return {slot: order for slot, order in standing.items() if not isinstance(order, Resign)}


@dataclass(frozen=True, slots=True)
class Problem:
    """A refusal, or a warning about an order that stands."""

    code: str
    message: str
    rule: str = ""
    notes: tuple[str, ...] = ()
    """Caret, expected words, nearest word."""
    line: int = 0
    """From 1; 0 if unknown."""
    warning: bool = False

    def json(self) -> dict[str, Any]:
        """Return the contract's form."""
        return {
            "line": self.line,
            "code": self.code,
            "message": self.message,
            "rule": self.rule,
            "notes": list(self.notes),
            "warning": self.warning,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """What a rule-set's ``check`` answers."""

    orders: tuple[Order, ...] = ()
    problems: tuple[Problem, ...] = ()
    """One for a refusal, else warnings."""
    replaces: tuple[str, ...] = ()
    """Slots to clear that share one here."""

    @classmethod
    def refused(cls, code: str, message: str, rule: str | None = None, *notes: str) -> Checked:
        """Return a refusal. rule: its paragraph."""
        return cls((), (Problem(code, message, rule or "", notes),))


_PRESS = re.compile(r"PRESS ++TO:?+ ++([\w,&'./ -]++)(:?+)(.*+)", re.IGNORECASE)
_AS = re.compile(r" AS ", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:(?:ok|okay|so|and|then|please|pls|just|also|can|could|will|would|you|i|i'd|want|like|need"
    r"|to)[ ,]++)*+(?:tell|ask|inform|remind|warn|(?:message|press)(?: to)?|(?P<lets>let)"
    r"|(?:say|write|speak|talk|(?:pass|send) (?:(?:it|this|on|word|a message|a note) ){0,2}+)"
    r" ?to)[ :]++(?P<who>[\w&'-]{1,20}+(?:,?+ [\w&'-]{1,20}+){0,5}?)"
    r"(?P<know> know)?(?: that\b| ?+:"
    r"| (?P<asks>if|whether|to|for|about|what|why|how|who|when|where)\b"
    r"|(?<=know)(?= )|(?= (?:i|i'?m|i'?d|i'?ll|we|we'?re|my|our|no|yes|thanks?|please)\b))"
    r"[ ,:]*+(?P<said>\S.*+)",
    re.IGNORECASE,
)
"""Words for others, as people say it to a referee."""
_WORD = "REPORT"
_REPORT = re.compile(rf"{_WORD}(?![\w'-])[.:!,]*+(?P<said>.*+)", re.IGNORECASE)
_KEYS = 41
_KEY_LENGTH = 20
_PEN_LENGTH = 80
_UNNAMED = ("ANONYMOUS", "ANONYMOUSLY")


@dataclass(frozen=True, slots=True)
class Opening:
    """What the line says."""

    to: tuple[str, ...]
    anonymous: bool = False
    pen_name: str = ""


def opening(bare: str) -> Opening | None:
    """Return what ``PRESS TO ...`` says, or None. A name of several words comes word by word."""
    line, pen_name = _without_pen_name(bare)
    if not (found := _PRESS.fullmatch(line)) or (found[3] and not found[2]):
        return None
    keys = found[1].upper().replace(",", " ").replace("&", " ").split()
    anonymous = len(keys) > 1 and keys[-1] in _UNNAMED
    keys = keys[:-1] if anonymous else keys
    named = [key for at, key in enumerate(keys) if key != "AND" or at in (0, len(keys) - 1)]
    if not 0 < len(named) <= _KEYS or max(map(len, named)) > _KEY_LENGTH:
        return None
    return Opening(tuple(dict.fromkeys(named)), anonymous and not pen_name, pen_name)


def reported(words: str) -> str | None:
    text = words.lstrip()
    first, _, below = text.partition("\n")
    if not (found := _REPORT.fullmatch(first.strip())):
        return None
    said = found["said"].strip()
    if not said or text.startswith(_WORD):
        return f"{said}\n{below}".strip()
    return None  # "Report from the north"


def inline(line: str, bare: str) -> str:
    """Return the words after its colon."""
    if opening(bare) is None:
        return ""
    head, _, words = line.partition(":")
    return (words.partition(":")[2] if head.upper().endswith("TO") else words).strip()


def told(sentence: str) -> tuple[str, str] | None:
    """Return whom "tell b that ..." or "say to R: ..." names, and the words for them."""
    found = _TOLD.match(" ".join(sentence.split()))
    if not found or (found["lets"] and not found["know"]):
        return None
    said = f"{found['asks'] or ''} {found['said']}".strip(" \"'")
    return found["who"].strip(), said.removeprefix("to ")


def _without_pen_name(bare: str) -> tuple[str, str]:
    begins = _AS.search(bare, len("PRESS TO "))
    if begins is None or ":" in bare[len("PRESS TO:") : begins.start()]:
        return bare, ""
    name, colon, words = bare[begins.end() :].partition(":")
    said = [word for word in name.replace('"', " ").split() if word.upper() not in _UNNAMED]
    pen_name = " ".join(said)[:_PEN_LENGTH]
    return (bare[: begins.start()] + colon + words, pen_name) if pen_name else (bare, "")
