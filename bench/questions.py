"""Measure which paragraphs questions in plain words bring.

    python -m bench.questions table.tsv        # a table of questions
    python -m bench.questions --list coalition # the names of the paragraphs

A row of the table is a rule-set, a question, and the paragraphs that answer it, with commas
between ("3.4, R5"); "-" if nothing may be found. A paragraph is named by its label without commas;
where several have one label, by "The orders/2", or by "The orders" for any of them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pbem.house import houses, shelf
from pbem.house.lookup import Found, Index
from pbem.pages.guide import Paragraph
from pbem.referee.words import questions


@dataclass(frozen=True)
class Terms:
    zone: str = "Europe/Paris"
    late: str = "deadline"


@dataclass(frozen=True)
class Row:
    """One question."""

    key: str
    question: str
    answers: frozenset[str]
    """Names of paragraphs; none if nothing may be found."""


@cache
def index(key: str) -> Index:
    return questions.indexed(key, houses.usual(key), Terms(), shelf.rulebook(key).tables)


@cache
def names(key: str) -> dict[Paragraph, str]:
    """Return {paragraph: its name}."""
    said = [(one, _plain(one.label)) for one in index(key).paragraphs]
    several = Counter(label for _, label in said)
    so_far = Counter[str]()
    made = {}
    for one, label in said:
        so_far[label] += 1
        made[one] = f"{label}/{so_far[label]}" if several[label] > 1 else label
    return made


def _plain(label: str) -> str:
    return " ".join(label.replace(",", "").split())


def read(file: Path) -> Iterator[Row]:
    """Yield a table's rows. Raises ValueError at a paragraph that does not exist."""
    for line in file.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            key, question, wanted = (cell.strip() for cell in line.split("\t"))
            answers = {_plain(one) for one in wanted.split(",")} - {"-"}
            known = {*names(key).values(), *(_plain(one.label) for one in index(key).paragraphs)}
            if gone := answers - known:
                raise ValueError(f"{key} has no paragraph {sorted(gone)}: {question}")
            yield Row(key, question, frozenset(answers))


def is_hit(row: Row, found: Sequence[Found]) -> bool:
    names_of = names(row.key)
    return any(
        not row.answers.isdisjoint((names_of[one.paragraph], _plain(one.paragraph.label)))
        for one in found
    )


def measure(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what each missed question brought, and the sums."""
    hits, wrong = 0, 0
    asked = [row for row in rows if row.answers]
    for row in rows:
        found = [one for one in [index(row.key).answer(row.question)] if one]
        hit, said = is_hit(row, found), [names(row.key)[one.paragraph] for one in found]
        hits += hit
        if row.answers and not hit:
            yield f"missed\t{row.key}\t{row.question}\t{', '.join(sorted(row.answers))}\t{said}"
        elif found and not row.answers:
            wrong += 1
            yield f"brought\t{row.key}\t{row.question}\t-\t{said}"
    yield f"{hits} of {len(asked)} bring their paragraph"
    yield f"{wrong} of {len(rows) - len(asked)} that must find nothing bring something"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--list", metavar="RULESET", help="name the paragraphs")
    chosen = parser.parse_args()
    if chosen.list:
        for one, name in names(chosen.list).items():
            print(f"{name}\t{one.text}")
    if chosen.table:
        print("\n".join(measure([*read(chosen.table)])))


if __name__ == "__main__":
    main()
