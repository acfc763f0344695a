"""Commands of pbem in one standing process, which a pass need not wait for: each line of standard
input is the words of one as JSON, and is answered with [exit code, what it printed]."""

from __future__ import annotations

import json
import sys

from click.testing import CliRunner

from pbem.cli import main

answers = sys.stdout
for line in sys.stdin:
    done = CliRunner().invoke(main, json.loads(line))
    said = done.output + (repr(done.exception) if done.exit_code else "")
    print(json.dumps([done.exit_code, said]), file=answers, flush=True)
