"""Commands of pbem for a process that starts many: its modules are loaded once.

Each line of standard input has words as JSON. It is answered with [exit code, what was printed].
"""

import json
import sys
import traceback
from collections.abc import Sequence

from click import Context
from click.testing import CliRunner

from pbem.cli import main

ANSWERS = sys.stdout


def run(words: Sequence[str]) -> None:
    """Run a command, and answer."""
    done = CliRunner().invoke(main, words)
    said, error = done.output, done.exception
    if error and not isinstance(error, SystemExit):
        said += "".join(traceback.format_exception(error))
    print(json.dumps([done.exit_code, said]), file=ANSWERS, flush=True)


if __name__ == "__main__":
    for name in main.list_commands(context := Context(main)):
        main.get_command(context, name)
    for line in sys.stdin:
        run(json.loads(line))
