"""What the command line costs before and besides its work: processor time of whole commands.

    python bench/quick.py [--rounds 5]

Each is a ratio to an interpreter that does nothing, measured in turns in one run; the seconds are
of this machine. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "tests" / "games" / "parlement-1966" / "sample"
PBEM = [sys.executable, "-m", "pbem"]
COMMANDS = {
    "nothing": [sys.executable, "-c", "pass"],
    "--help": [*PBEM, "--help"],
    "games": [*PBEM, "games"],
    "check": [*PBEM, "check", "parlement-1966", str(SAMPLE / "01" / "S.txt"), "--seat", "S"],
    "play": [*PBEM, "play", "parlement-1966", str(SAMPLE)],
    "queue --help": [*PBEM, "queue", "--help"],
}


def seconds(command: list[str]) -> float:
    """The processor time of a command, its own and the system's."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for command in COMMANDS.values():  # so that all are compiled and in the cache
        seconds(command)
    spent: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        for name, command in COMMANDS.items():
            spent[name].append(seconds(command))
    median = {name: statistics.median(taken) for name, taken in spent.items()}
    for name, taken in median.items():
        print(f"{name:14}{taken:8.3f} s{taken / median['nothing']:8.1f} x nothing")


if __name__ == "__main__":
    main()
