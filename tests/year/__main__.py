"""Plays the year and leaves what is to be read of it in a folder."""

from __future__ import annotations

import argparse
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.year.acts import ACTS
from tests.year.script import OTHERS, SEATS, Year, address
from tests.year.world import world


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--by", choices=("mail", "shell"), default="mail")
    parser.add_argument("--turns", type=int, default=26)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    players = [*map(address, SEATS), *OTHERS]
    starts = datetime(2027, 1, 4, 9, 0, tzinfo=UTC)
    with (
        tempfile.TemporaryDirectory() as folder,
        world(Path(folder), players, starts) as made,
    ):
        year = Year(made, given.by)
        try:
            year.begin()
            while year.turn < given.turns and year.play_turn(ACTS):
                at = year.table()
                now = made.calendar.now()
                print(
                    f"{now:%Y-%m-%d}, turn {year.turn}: period {at.period.number}"
                    f" ({at.period.phase}) {at.game.status} {at.game.held_because}",
                    flush=True,
                )
        finally:
            year.leave(given.folder)


if __name__ == "__main__":
    main()
