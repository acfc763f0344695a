"""Read suspicious letters (:func:`pbem.letters.limits.first_look`) in a bounded child process.

Its JSON is not trusted.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from pbem import budget
from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.games.frame import codec
from pbem.letters.letter import Letter, read, refused
from pbem.letters.limits import Limits

MEMORY_BYTES = 768 * 1024 * 1024
_PATIENCE = 30.0


def read_guarded(raw: bytes, limits: Limits, on: Budget) -> Letter:
    """Read a letter on a budget, in a child if it looks heavy. Raise only OverBudget."""
    with on:
        return read(raw, limits, guard=read_in_child)


def read_in_child(raw: bytes, limits: Limits) -> Letter:
    """Return the letter, refused if the child exceeds memory or time."""
    seconds = budget.left()
    package = str(Path(__file__).resolve().parents[3])
    paths = os.pathsep.join(part for part in (package, os.environ.get("PYTHONPATH", "")) if part)
    try:
        with budget.paused:
            child = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pbem.referee.deciding.sandbox",
                    json.dumps(codec.dump(limits)),
                    repr(seconds),
                ],
                input=raw,
                capture_output=True,
                timeout=_PATIENCE,
                env={**os.environ, "PYTHONPATH": paths},
                check=False,
            )
    except subprocess.TimeoutExpired:
        return refused(raw, f"reading it took more than {_PATIENCE:g} seconds")
    if child.returncode in (-signal.SIGPROF, -signal.SIGXCPU):
        budget.charge(seconds)
        raise OverBudget(f"reading it took more than {seconds:g} s of processor time")
    if child.returncode != 0:
        return refused(raw, "reading it took too much memory, or ended the reader")
    spent, letter = json.loads(child.stdout)
    budget.charge(spent)
    return codec.load(Letter, letter)


def main() -> None:
    """Read a letter from stdin under limits; write [seconds, letter]."""
    limits, seconds = codec.load(Limits, json.loads(sys.argv[1])), float(sys.argv[2])
    raw = sys.stdin.buffer.read()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, max(seconds, budget.LEAST))
    letter = codec.dump(read(raw, limits))
    signal.setitimer(signal.ITIMER_PROF, 0)
    sys.stdout.write(json.dumps([time.process_time() - began, letter]))


if __name__ == "__main__":
    main()
