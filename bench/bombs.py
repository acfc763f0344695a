"""What share of its budget of processor time each hostile letter takes, and each heavy one that is
only long.

    python bench/bombs.py [--least 0.05] [NAME ...]

The letters are those of tests/letter/test_limits.py. Each is read, its verdict given and its text
taken apart, in this process. At most a fifth of the budget is what we want on a quiet machine;
nothing here fails. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import time

from pbem import budget
from pbem.house import shelf
from pbem.letters.letter import read
from pbem.orders.mailwords import peel
from pbem.orders.order import CANCEL
from tests.letter.letters import decided
from tests.letter.test_limits import BOMBS, HEAVY

BUDGET = budget.SECONDS


def share(raw: bytes) -> tuple[float, str]:
    """The part of the budget that one letter takes, the least of three times, and what was made of
    it."""
    language = shelf.open_ruleset("parlement-1968").language
    found, best = read(b""), 1e9
    for _ in range(3):
        began = time.process_time()
        found = read(raw)
        decided(found, raw)
        for line in language.split(peel(found.text).text, (CANCEL,)):
            language.read(line)
        best = min(best, time.process_time() - began)
    return best / BUDGET, found.refused or f"read: {len(found.text)} characters"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("names", nargs="*")
    asked.add_argument("--least", type=float, default=0.05, help="leave out what takes less")
    given = asked.parse_args()
    rows = [
        (*share(raw), name)
        for name, raw in {**BOMBS, **HEAVY}.items()
        if not given.names or name in given.names
    ]
    print(f"share of {BUDGET:g} s   letter")
    for part, made, name in sorted(rows, reverse=True):
        if part >= given.least or given.names:
            print(f"{part:14.0%}   {name}: {made[:80]}")
    print(f"{sum(part <= 0.2 for part, _, _ in rows)} of {len(rows)} take at most a fifth")


if __name__ == "__main__":
    main()
