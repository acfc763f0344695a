"""Commands of pbem for a process that starts many: its modules are loaded once.

Each line of standard input is [words, what is typed, whether in a process of its own] as JSON. It
is answered with [exit code, what was printed].
"""

import json
import os
import sys
import traceback
from collections.abc import Sequence

from click import Context
from click.testing import CliRunner

from pbem.cli import main

ANSWERS = sys.stdout


def run(words: Sequence[str], typed: str) -> None:
    """Run a command here, and answer."""
    done = CliRunner().invoke(main, words, input=typed)
    said, error = done.output, done.exception
    if error and not isinstance(error, SystemExit):
        said += "".join(traceback.format_exception(error))
    answer(done.exit_code, said)


def answer(code: int, said: str) -> None:
    print(json.dumps([code, said]), file=ANSWERS, flush=True)


def run_apart(words: Sequence[str], typed: str) -> None:
    """Run a command in a child, which ends with it."""
    child = os.fork()
    if not child:
        run(words, typed)
        os._exit(0)
    if status := os.waitpid(child, 0)[1]:
        answer(status, "the process has died")


if __name__ == "__main__":
    for name in main.list_commands(context := Context(main)):
        main.get_command(context, name)
    for line in sys.stdin:
        words, typed, apart = json.loads(line)
        (run_apart if apart else run)(words, typed)
