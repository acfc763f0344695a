"""Limit the size of answers. The limits are keys of ``[limits]``; what exceeds one is counted or
said.

| key | what it limits |
|---|---|
| ``problems_shown`` | refused lines in a receipt |
| ``quoted_characters`` | a line quoted in a refusal or challenge |
| ``answers_bytes`` | answers to a letter's questions |
| ``receipt_bytes`` | the rest of a receipt |
| ``merged_bytes`` | a mail of several receipts or challenges |
| ``address_bytes_an_hour`` | answers to one address in an hour |

Codes, notices and bulletins are never cut, nor is what a gamesmaster is answered.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbem.games.frame.adjudication import Answer
from pbem.house.config import Limits
from pbem.orders.order import Problem
from pbem.text import counted, thousands

COUNTED = ("receipt", "receipts", "review", "anybody", "question")
"""Kinds of mail that count for ``address_bytes_an_hour``."""
TOO_MUCH = (
    "This letter comes to more than one receipt holds ({most} bytes), so its lines are not shown"
    " one by one: {taken}{refused}. Send fewer lines at a time."
)
ASK_FOR_LESS = (
    "Your questions come to more than one mail holds ({most} bytes), so some are not answered. Ask"
    " for less at a time."
)
HOUR_IS_FULL = (
    "Your letter was read, and what it says counts as always. Your receipts of this hour have come"
    " to {most} bytes, the most, so this one says no more. In an hour, the word STATUS shows what"
    " stands."
)
_NOTES, _SENTENCES, _EXCERPT = 6, 3, 12


def size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def quoted(text: str, limits: Limits) -> str:
    """Cut a refusal and each quotation in it."""
    most = limits.quoted_characters
    pieces = [_cut(one, most) if at % 2 else one for at, one in enumerate(text.split('"'))]
    return _cut('"'.join(pieces), _SENTENCES * most + 200)


def excerpt(text: str, limits: Limits) -> list[str]:
    return [_cut(line, limits.quoted_characters) for line in text.split("\n")[:_EXCERPT]]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(0, most - 3)]}..."


def shown(answers: Sequence[Answer], limits: Limits) -> tuple[list[Answer], int]:
    """Return the answers to show, and how many refused lines are left out."""
    kept: list[Answer] = []
    told = more = 0
    for answer in answers:
        if answer.quiet or not answer.problems:
            kept.append(answer)
        elif told < limits.problems_shown:
            told += 1
            kept.append(replace(answer, problems=tuple(_short(answer.problems, limits))))
        else:
            more += 1
            if answer.orders or answer.cancelled:
                kept.append(replace(answer, problems=()))
    return kept, more


def _short(problems: Sequence[Problem], limits: Limits) -> list[Problem]:
    return [
        replace(
            one,
            message=quoted(one.message, limits),
            notes=tuple(_cut(note, _SENTENCES * limits.quoted_characters) for note in one.notes)[
                :_NOTES
            ],
        )
        for one in problems[: limits.problems_shown]
    ]


def too_much(answers: Sequence[Answer], limits: Limits) -> str:
    taken = sum(len(one.orders) + len(one.cancelled) for one in answers)
    refused = sum(any(not problem.warning for problem in one.problems) for one in answers)
    return TOO_MUCH.format(
        most=thousands(limits.receipt_bytes),
        taken=f"{counted(taken, 'order')} of it {'was' if taken == 1 else 'were'} taken",
        refused=f", {counted(refused, 'line')} {'was' if refused == 1 else 'were'} not"
        if refused
        else "",
    )


def within(texts: Sequence[str], most: int) -> int:
    """Return how many texts, from the first on, fit in most bytes."""
    left = most
    for number, text in enumerate(texts):
        left -= size(text)
        if left < 0:
            return number
    return len(texts)


def merged(parts: Sequence[str], limits: Limits) -> list[str]:
    """Return the texts that fit in one mail, and a line that counts the others."""
    fit = within(parts, limits.merged_bytes)
    left = len(parts) - fit
    if not left:
        return list(parts)
    return [*parts[:fit], f"{counted(left, 'more text')} would be too much for one mail."]
