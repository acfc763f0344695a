"""Days as people write them, "10 March to 20 March", "10.3.-20.3.2027"; never ambiguous (3/4)."""

import re
from dataclasses import dataclass, replace
from datetime import date

from pbem.orders.sentences import word_list

MONTHS = word_list(
    "january february march april may june july august september october november december"
)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in MONTHS)
_DAY = re.compile(
    r"(?P<iso>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"
    r"|(?P<dots>[0-9]{1,2}\.[ ]?[0-9]{1,2}\.?(?:[ ]?[0-9]{4}|(?<=\.)[0-9]{2})?)"
    r"|(?P<strokes>[0-9]{1,2}/[0-9]{1,2}(?:/(?:[0-9]{4}|[0-9]{2}))?)"
    rf"|(?P<month>{_MONTH}|sept)\b\.?"
    r"|(?P<year>[0-9]{4})(?![0-9])"
    r"|(?P<day>[0-9]{1,2})(?:st|nd|rd|th|\.)?(?![0-9A-Za-z])"
    r"|(?P<to>to|until|till|through|thru|and|-)(?![A-Za-z])"
    r"|(?P<from>(?:from|since)(?![A-Za-z]))"
    r"|(?P<noise>(?:on|the|of|in|between)(?![A-Za-z])|[ ,:])",
    re.IGNORECASE,
)
_NUMBER = re.compile("[0-9]+")
_LONGEST = 80
_CENTURY = 2000


@dataclass(frozen=True, slots=True)
class _Day:
    """Missing parts are 0."""

    day: int = 0
    month: int = 0
    year: int = 0
    other: bool = False


class Unclear(ValueError):
    """No days, or ambiguous ones, in words for the player."""


def looks_like_days(text: str) -> bool:
    return (
        0 < len(text) <= _LONGEST
        and any("0" <= char <= "9" for char in text)
        and _tokens(text) is not None
    )


def days(text: str, today: date) -> tuple[date, date]:
    """Return first and last day. ``today``: when it was written. Raise Unclear."""
    tokens = _tokens(text[:_LONGEST]) or []
    if tokens and tokens[0][0] == "to":
        tokens = [("iso", today.isoformat()), *tokens]
    begins = any(kind == "from" for kind, _ in tokens)
    sides: list[list[tuple[str, str]]] = [[]]
    for kind, said in tokens:
        if kind == "to":
            sides.append([])
        elif kind != "from":
            sides[-1].append((kind, said))
    sides = [side for side in sides if side]
    if len(sides) == 1 and not begins:
        sides *= 2
    if len(sides) != 2:
        raise Unclear("write a first and a last day")
    first, last = _sides_alike(*(_day(side) for side in sides))
    if not (first.day and first.month and last.day and last.month):
        raise Unclear("write each day with its month")
    opens = _dated(first, today, last)
    return opens, _dated(last, opens, last)


def _tokens(text: str) -> list[tuple[str, str]] | None:
    found, at = [], 0
    while at < len(text):
        match = _DAY.match(text, at)
        if not match or match.end() == at:
            return None
        kind = match.lastgroup or ""
        if kind != "noise":
            found.append((kind, match[0]))
        at = match.end()
    return found


def _day(side: list[tuple[str, str]]) -> _Day:
    made = _Day()
    for kind, said in side:
        numbers = [int(number) for number in _NUMBER.findall(said)]
        if kind == "iso":
            made = _Day(numbers[2], numbers[1], numbers[0])
        elif kind in ("dots", "strokes"):
            year = numbers[2] if len(numbers) > 2 else 0
            year += _CENTURY if 0 < year < 100 else 0
            made = _Day(numbers[0], numbers[1], year, kind == "strokes")
        elif kind == "month":
            made = replace(made, month=1 + [one[:3] for one in MONTHS].index(said[:3].lower()))
        elif kind == "year":
            made = replace(made, year=numbers[0])
        elif made.day:
            raise Unclear("write a first and a last day")
        else:
            made = replace(made, day=numbers[0])
    return made


def _sides_alike(first: _Day, last: _Day) -> tuple[_Day, _Day]:
    """Complete each day from the other. Raise Unclear."""
    if first.other or last.other:
        readings = [
            pair
            for pair in ((first, last), (_turned(first), _turned(last)))
            if all(0 < one.month <= 12 and 0 < one.day <= 31 for one in pair)
        ]
        if len(readings) == 2 and (first, last) != (_turned(first), _turned(last)):
            shown = " or ".join(
                f"{one.day} {MONTHS[one.month - 1].capitalize()}" for one, _ in readings
            )
            raise Unclear(f'"{first.day}/{first.month}" may mean {shown}; write the month in words')
        if readings:
            first, last = readings[0]
    if not first.month and first.day:
        first = replace(first, month=last.month)
    if not last.month and last.day:
        last = replace(last, month=first.month)
    return first, last


def _turned(one: _Day) -> _Day:
    return replace(one, day=one.month, month=one.day) if one.other else one


def _dated(one: _Day, since: date, last: _Day) -> date:
    """Add the year nearest before a dated last day, else after ``since``."""
    if one.year:
        return _made(one, one.year)
    if last.year:
        year = last.year if (one.month, one.day) <= (last.month, last.day) else last.year - 1
        return _made(one, year)
    for year in range(since.year, since.year + 9):
        try:
            found = date(year, one.month, one.day)
        except ValueError:
            continue
        if found >= since:
            return found
    raise Unclear(f"there is no day {one.day} in month {one.month}")


def _made(one: _Day, year: int) -> date:
    try:
        return date(year, one.month, one.day)
    except ValueError as error:
        raise Unclear(f"there is no day {one.day} in month {one.month} of {year}") from error
