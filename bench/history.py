"""Run the benches, keep their ratios in history.tsv, and name what got worse.

    python -m bench.history [--only quick queue]

Each run adds a line for each ratio to `bench/history.tsv`: date, commit, bench, ratio, which way is
better, value. A ratio has regressed if each of its last three runs is a tenth worse than the median
of the runs before them. One bad run is the machine's; three in a row are ours. What has regressed
is printed, and the exit code is 1 then, or if a bench failed.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
HISTORY = Path(__file__).with_name("history.tsv")
HEAD = "date\tcommit\tbench\tratio\tbetter\tvalue\n"
LATEST, WORSE = 3, 1.10
"""So many runs in a row, each worse by this factor, are a regress."""
MIDDLE = (
    r"(?m)^(?!.*, seconds )(?P<name>\S.*?) +[\d.]+ +(?P<value>[\d.]+) +[\d.]+ +"
    r"(?P<target>[<>a-z].+)$"
)
"""A line of least, middle and largest ratio, and what is wanted of it; seconds are no ratio."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A bench: the words of its command, and the expression that finds its ratios in what it
    prints, with the groups `name`, `value` and, if some ratios are better the larger they are,
    `target`, which then says "at least" or ">="."""

    words: tuple[str, ...]
    ratios: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the history. better: `less` or `more`."""

    date: str
    commit: str
    bench: str
    ratio: str
    better: str
    value: float

    @property
    def known(self) -> tuple[str, str]:
        """Which ratio it is."""
        return self.bench, self.ratio


BENCHES: Mapping[str, Bench] = {
    "bots": Bench(
        ("-m", "bench.bots"),
        r"(?m)^(?P<name>\S+) +slowest period: .*ms: (?P<value>[\d.]+), [\d.]+ of them$",
    ),
    "election-1966": Bench(
        ("-m", "bench.election_1966"),
        r"(?m)^(?P<name>ratio \((?P<target>.*?) wanted\)): +(?P<value>[\d.]+)$",
    ),
    "faces": Bench(
        ("-m", "bench.faces"), r"(?m)^(?P<name>\S.*?) +[\d.]+ ms +(?P<value>[\d.]+) x plain$"
    ),
    "mail": Bench(("-m", "bench.mail", "--rounds", "5"), MIDDLE),
    "queue": Bench(
        ("-m", "bench.queued"), r"(?m)^(?P<name>pbem .*?): .*; ratio (?P<value>[\d.]+)$"
    ),
    "quick": Bench(
        ("bench/quick.py",),
        r"(?m)^(?P<name>(?!nothing)\S.*?) +[\d.]+ s +(?P<value>[\d.]+) x nothing$",
    ),
    "storm": Bench(
        ("-m", "bench.storm"),
        r"(?m)^(?P<name>a game of \d+) costs (?P<value>[\d.]+) times one of \d+$",
    ),
    "tick": Bench(("bench/tick.py",), MIDDLE),
}


def ratios(bench: Bench, printed: str) -> Iterator[tuple[str, str, float]]:
    """Yield name, better way and value of each ratio in what a bench has printed."""
    for found in re.finditer(bench.ratios, printed):
        target = found.groupdict().get("target") or ""
        better = "more" if "at least" in target or target.startswith(">") else "less"
        yield found["name"], better, float(found["value"])


def read(file: Path) -> list[Entry]:
    """Return the lines of a history, oldest first; none if there is no such file."""
    if not file.exists():
        return []
    lines = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    return [Entry(*line[:5], float(line[5])) for line in lines]


def append(file: Path, entries: Iterable[Entry]) -> None:
    """Add lines to a history, which is made if it is not there."""
    if not file.exists():
        file.write_text(HEAD, encoding="utf-8")
    with file.open("a", encoding="utf-8") as out:
        out.writelines("\t".join(map(str, astuple(one))) + "\n" for one in entries)


def regressed(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a line for each ratio that has regressed."""
    for known in dict.fromkeys(one.known for one in entries):
        runs = [one for one in entries if one.known == known]
        before, latest = runs[:-LATEST], runs[-LATEST:]
        if not before:
            continue
        usual = statistics.median(one.value for one in before)
        if all(worse(one, usual) for one in latest):
            values = ", ".join(f"{one.value:g} ({one.commit})" for one in latest)
            yield f"{': '.join(known)} was {usual:g}, and now {values}"


def worse(entry: Entry, usual: float) -> bool:
    """Whether a run is worse than usual by more than the machine's whim."""
    if entry.better == "more":
        return entry.value * WORSE < usual
    return entry.value > usual * WORSE


def run(name: str) -> str | None:
    """Return what a bench printed, or None if it failed or had no ratio, and say so."""
    command = [sys.executable, *BENCHES[name].words]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout, flush=True)
    # A bench ends with 1 if a ratio is not what is wanted; its ratios are printed then too.
    if any(ratios(BENCHES[name], done.stdout)):
        return done.stdout
    print(f"{name}: no ratios; its exit code was {done.returncode}", flush=True)
    return None


def commit() -> str:
    """Return the short name of the commit that is checked out."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", nargs="+", choices=BENCHES, default=list(BENCHES))
    given, day, at = parser.parse_args(), f"{datetime.now(UTC):%Y-%m-%d}", commit()
    failed = []
    for name in given.only:
        print(f"== {name}", flush=True)
        if (printed := run(name)) is None:
            failed.append(name)
            continue
        append(HISTORY, (Entry(day, at, name, *one) for one in ratios(BENCHES[name], printed)))
    found = list(regressed(read(HISTORY)))
    print(*(f"REGRESSED {line}" for line in found), sep="\n")
    sys.exit(bool(found or failed))


if __name__ == "__main__":
    main()
