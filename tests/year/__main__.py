"""Plays the year and leaves what is to be read of it in a folder."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.year.acts import CHAPTERS, MACHINE
from tests.year.script import NOT_EARLY, Act, Year, mailboxes
from tests.year.world import world

CONTINUOUS = ("parlement-1968",)
STARTS = datetime(2027, 1, 4, 9, 0, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--by", choices=("mail", "shell"), default="mail")
    parser.add_argument("--game", default="parlement-1968")
    parser.add_argument("--turns", type=int, default=26)
    parser.add_argument("--every", type=int, default=2, help="turns from chapter to chapter")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        world(Path(folder), mailboxes(given.game), STARTS) as made,
    ):
        year = Year(made, given.by, given.game)
        try:
            play(year, given.turns, given.every)
        finally:
            year.leave(given.folder)
        print("\n".join(year.wrong) or "all came as it was to come")
        sys.exit(bool(year.wrong))


def play(year: Year, turns: int, every: int) -> None:
    """The whole year: a chapter of the gamesmaster's acts every so many turns with a deadline,
    ``turns`` at the least."""
    year.begin("--option=caretaker_after_days=21" if year.key in CONTINUOUS else NOT_EARLY)
    chapters: list[Sequence[Act]] = list(CHAPTERS)
    while chapters or year.turn < turns:
        dated = year.table().period.due is not None or len(chapters) == len(CHAPTERS)
        year.play_turn(chapters.pop(0) if chapters and dated and year.turn % every == 0 else ())
        at = year.table()
        print(
            f"{year.world.calendar.now():%Y-%m-%d}, turn {year.turn}: period {at.period.number}"
            f" ({at.period.phase}) {at.row.status} {at.row.held_because}",
            flush=True,
        )
    for act in MACHINE:
        year.do(act)
    year.end()


if __name__ == "__main__":
    main()
