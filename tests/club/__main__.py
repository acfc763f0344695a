"""Plays the evening and leaves its mails in a folder."""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.club.evening import evening
from tests.club.people import TABLES, club


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=int, default=360)
    parser.add_argument("--tables", type=int, default=len(TABLES))
    given = parser.parse_args()
    tables = TABLES[: given.tables]
    with (
        tempfile.TemporaryDirectory() as folder,
        evening(Path(folder), club(tables), tables) as played,
    ):
        try:
            while not played.over and played.minute < given.minutes:
                played.step()
                print(played.minute, {k: str(v) for k, v in played.states().items()}, flush=True)
        finally:
            played.leave(given.folder)
        sys.exit("the evening is not over" if not played.over else 0)


if __name__ == "__main__":
    main()
