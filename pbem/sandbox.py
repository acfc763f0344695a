"""Reading a suspicious letter in a child process, so that the worst it can do is to be set aside.

Most letters are read in place; those whose first look is unusual (:func:`pbem.limits.look`) cost a child of their own
with a second of CPU and a bound on memory. The child gets bytes and gives JSON; nothing of it is trusted beyond that.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from pbem import codec
from pbem.letter import Letter, read, refused
from pbem.limits import Limits

CPU_SECONDS = 1.0
MEMORY_BYTES = 768 * 1024 * 1024
_PATIENCE = 30.0


def read_guarded(raw: bytes, limits: Limits | None = None) -> Letter:
    """:func:`pbem.letter.read`, in a child process where the bytes look heavy. Never raises for what it reads."""
    return read(raw, limits, guard=read_in_child)


def read_in_child(raw: bytes, limits: Limits) -> Letter:
    """The letter, or a refused one where the child ran out of time or memory."""
    package = str(Path(__file__).resolve().parent.parent)
    paths = os.pathsep.join(part for part in (package, os.environ.get("PYTHONPATH", "")) if part)
    try:
        child = subprocess.run(
            [sys.executable, "-m", "pbem.sandbox", json.dumps(codec.dump(limits))],
            input=raw, capture_output=True, timeout=_PATIENCE, env={**os.environ, "PYTHONPATH": paths}, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return refused(raw, f"reading it took more than {_PATIENCE:g} seconds")
    if child.returncode in (-signal.SIGPROF, -signal.SIGXCPU):
        return refused(raw, f"reading it took more than {CPU_SECONDS:g} s of CPU")
    if child.returncode != 0:
        return refused(raw, "reading it took too much memory, or ended the reader")
    return codec.load(Letter, json.loads(child.stdout))


def main() -> None:
    """The child: limits first, then the letter from standard input, as JSON to standard output."""
    limits = codec.load(Limits, json.loads(sys.argv[1]))
    raw = sys.stdin.buffer.read()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    letter = read(raw, limits)
    signal.setitimer(signal.ITIMER_PROF, 0)
    sys.stdout.write(json.dumps(codec.dump(letter)))


if __name__ == "__main__":
    main()
