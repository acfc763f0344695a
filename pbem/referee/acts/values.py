"""Read the arguments of acts. What only a game can tell, its act refuses."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.acts.act import Kind
from pbem.errors import OperatorError
from pbem.games.frame.length import moved_by

MOMENT = "%Y-%m-%d %H:%M"
MOST = 2**31 - 1
"""The highest number of a letter, mail, bulletin or period."""


def _number(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise OperatorError(f"{text!r} is no whole number.") from None
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
"""Readers raise OperatorError. Other kinds are the text itself."""
