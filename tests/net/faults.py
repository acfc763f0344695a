"""Put faults into the program and see that a test finds each.

``python -m tests.net.faults [NAME ...]`` puts the faults of ``faults.toml`` into copies of the tree,
one at a time, and runs the test of each. It ends with 1 if a fault survives or does not apply. A
change that moves or rewrites the code of a fault carries the fault along::

    [[fault]]
    name = "a tie forms a government"   # what players would see
    file = "pbem/games/coalition/steps.py"
    old = "aye > nay"                   # is in the file once
    new = "aye >= nay"
    test = "tests/contract/test_contract.py::test_case[coalition:C4-tie]"   # is red with it
"""

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import TypeVar

ROOT = Path(__file__).parents[2]
WORKERS = 2
SECONDS = 600
"""A test that takes longer hangs."""
GREEN, RED = 0, 1
_LEFT_OUT = (".*", "__pycache__", "*.egg-info", "nightly", "screenshots", "pbem-demo", "var")
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and the test that finds it."""

    name: str
    file: str
    old: str
    new: str
    test: str

    def within(self, source: str) -> str:
        """Return the source with the fault. Raise ValueError unless ``old`` is there once."""
        if (times := source.count(self.old)) != 1:
            raise ValueError(f"{self.name}: {self.file} has {self.old!r} {times} times")
        return source.replace(self.old, self.new)


def faults() -> tuple[Fault, ...]:
    text = Path(__file__).with_name("faults.toml").read_text(encoding="utf-8")
    return tuple(Fault(**row) for row in tomllib.loads(text)["fault"])


@dataclass(frozen=True)
class Copy:
    """A copy of the tree, to be spoilt."""

    folder: Path
    numbers: Iterator[int]

    @contextmanager
    def changed(self, file: str, source: str) -> Iterator[None]:
        """Have another source in a file for a while. Each has a time of its own, so that Python
        never takes the bytecode of another for it."""
        path = self.folder / file
        kept, times = path.read_text(encoding="utf-8"), path.stat()
        try:
            path.write_text(source, encoding="utf-8")
            os.utime(path, (number := next(self.numbers), number))
            yield
        finally:
            path.write_text(kept, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def test(self, *tests: str) -> tuple[int, str]:
        """Run tests until one is red. Return pytest's exit code and what it said."""
        env = {name: value for name, value in os.environ.items() if name != "PBEM_WHOLE"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
        try:
            done = subprocess.run(
                [*command, "-m", "slow or not slow", *tests],
                cwd=self.folder,
                env={**env, "PYTHONPATH": str(self.folder)},
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return -1, f"more than {SECONDS} seconds"
        return done.returncode, done.stdout + done.stderr


def in_copies(do: Callable[[Copy, T], R], todo: Iterable[T]) -> Iterator[R]:
    """Do each in one of a few copies of the tree, side by side. Yield the results in order."""
    with TemporaryDirectory(prefix="pbem-faults-") as folder, ThreadPoolExecutor(WORKERS) as pool:
        free: SimpleQueue[Copy] = SimpleQueue()
        for n in range(WORKERS):
            to = Path(folder) / str(n)
            shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*_LEFT_OUT))
            free.put(Copy(to, count(1)))

        def one(what: T) -> R:
            copy = free.get()
            try:
                return do(copy, what)
            finally:
                free.put(copy)

        yield from pool.map(one, todo)


def tried(copy: Copy, fault: Fault) -> tuple[bool, str]:
    """Return whether the test of a fault finds it, and a line that says so."""
    began = time.monotonic()
    try:
        source = fault.within((copy.folder / fault.file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        return False, f"does not apply: {problem}"
    with copy.changed(fault.file, source):
        code, said = copy.test(fault.test)
    if code == RED:
        return True, f"red, {time.monotonic() - began:.0f} s: {fault.name}"
    last = "" if code == GREEN else f"\n{said[-1500:]}"
    return False, f"{'SURVIVED' if code == GREEN else 'no test'}: {fault.name} ({fault.test}){last}"


def main(*named: str) -> int:
    given = [one for one in faults() if not named or one.name in named]
    if unknown := set(named) - {one.name for one in given}:
        sys.exit(f"no such fault: {', '.join(sorted(unknown))}")
    tests = sorted({one.test for one in given})
    halves = [half for half in (tests[::2], tests[1::2]) if half]
    for code, said in in_copies(lambda copy, half: copy.test(*half), halves):
        if code != GREEN:
            print(f"red without any fault\n{said[-3000:]}")
            return 1
    bad = 0
    for found, line in in_copies(tried, given):
        bad += not found
        print(line, flush=True)
    print(f"{len(given)} faults, {bad} not found")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
