"""What the arguments of an act mean: from text to a value, or a refusal that all faces share.

What only the game can tell, such as its seats, is refused by the act itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.acts.act import Kind
from pbem.errors import OperatorError
from pbem.games.frame.length import moved_by

MOMENT = "%Y-%m-%d %H:%M"
MOST = 2**31 - 1
"""The highest number that a letter, a mail, a bulletin or a period can have."""


def _number(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise OperatorError(f"{text!r} is not a valid integer.") from None
    if abs(number) > MOST:
        raise OperatorError(f"{text!r} is more than {MOST}.")
    return number


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, MOMENT)
    except ValueError:
        raise OperatorError(f"{text!r} does not match the format {MOMENT!r}.") from None


READ: Mapping[Kind, Callable[[str], Any]] = {
    Kind.NUMBER: _number,
    Kind.PERIOD: _number,
    Kind.LENGTH: moved_by,
    Kind.TIME: _moment,
}
"""How a value of each kind is read; the others are the text itself. They raise OperatorError."""
