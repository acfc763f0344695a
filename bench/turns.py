"""The processor time of a letter in two versions of the program, letter by letter in turns.

    python bench/turns.py ../before . [--letters 200] [--plain]

Each folder is a checkout with the same environment. A process of each decides the letters of
`mail.py` in a database of its own, one when it is told to, while the other waits; so whatever else
the machine does, it does to both. No mail server is there, and a carrier that takes every mail. At
the end the rows of both are compared: chance is the same for both, and so must everything be.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

NOW = datetime(2026, 11, 23, 4, 0, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
WARM = 20  # letters at the beginning that are not counted: templates and tables are loaded then


class Carrier:
    """Takes every mail."""

    def send(self, *_: object) -> Any:
        from pbem.post import smtp  # noqa: PLC0415  of the version that is measured

        names = vars(smtp)
        delivery = names.get("Delivery") or names["Outcome"]  # as it was until 2.0
        return smtp.Sent(delivery.SENT, "250 ok")


def installed(folder: Path, count: int, plain: bool) -> Any:
    """A daemon with games that have begun, and the letters that have come in a minute later."""
    # of the version that is measured
    from sqlalchemy import text  # noqa: PLC0415

    from bench import mail  # noqa: PLC0415
    from pbem.daemon.loop import Daemon  # noqa: PLC0415
    from pbem.letters.states import LetterState  # noqa: PLC0415
    from pbem.periods import opening  # noqa: PLC0415
    from pbem.post.outbox import Sending  # noqa: PLC0415
    from pbem.store.engine import database  # noqa: PLC0415
    from pbem.store.letters import letters  # noqa: PLC0415

    site: Any = mail.Site("ours0@game.example", folder, _NoServer, _NoServer)  # type: ignore[arg-type]
    config = site.config()
    engine = database.connect(config.referee.database)
    database.upgrade(engine)
    engine.dispose()
    daemon = Daemon(config)
    with daemon.installation.work(NOW) as work:
        for n in range(mail.GAMES):
            players = [(seat, mail.address(n, seat), f"Player {seat}{n}") for seat in mail.SEATS]
            zone = mail.quiet_zone(NOW)
            opening.new(work, opening.Plan(f"g{n}", mail.GAME, players, zone, seed="7"))
            opening.start(work, f"g{n}")
        if plain:
            work.conn.execute(text("UPDATE player SET face = 'plain'"))
    Sending(Carrier(), NOW).flush(daemon.engine)
    given = enumerate(mail.letters(count, site.box), 1)
    came = [letters.Arrival(n, LATER, raw, LetterState.STORED) for n, (_, raw) in given]
    with daemon.installation.work(LATER) as work:
        letters.add(work.conn, letters.FolderNumbering("a", "INBOX", 1), came, LATER, moved=False)
    return daemon


def rows_of(engine: Any) -> str:
    """A hash of all rows."""
    from sqlalchemy import MetaData, select  # noqa: PLC0415

    known, rows = MetaData(), hashlib.sha256()
    known.reflect(engine)
    with engine.connect() as conn:
        for table in known.sorted_tables:
            if table.name != "alembic_version":
                found = conn.execute(select(table).order_by(*table.primary_key.columns))
                rows.update(repr((table.name, [tuple(map(repr, row)) for row in found])).encode())
    return rows.hexdigest()


def decide(count: int, plain: bool, folder: Path) -> None:
    """One side: prints the seconds that each letter took, and in the end a hash of all rows."""
    import structlog  # noqa: PLC0415

    from pbem.post.outbox import Sending  # noqa: PLC0415
    from pbem.referee.deciding.deciding import Referee  # noqa: PLC0415

    told, began = os.fdopen(os.dup(1), "w", buffering=1), 0.0
    os.dup2(2, 1)
    quiet = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(wrapper_class=quiet)
    daemon = installed(folder, count, plain)

    def turn(point: str) -> None:
        nonlocal began
        if point == "letter.committed":
            print(json.dumps(time.process_time() - began), file=told)
            sys.stdin.readline()
            began = time.process_time()

    print("ready", file=told)
    sys.stdin.readline()
    began = time.process_time()
    Referee(daemon.installation, turn).decide_all(LATER, sending=Sending(Carrier(), LATER))
    print(rows_of(daemon.engine), file=told)
    daemon.close()


class _NoServer:
    imap_port = port = 1


def fixed_chance() -> None:
    """Secrets and nonces are the same in both processes."""
    drawn = random.Random(7)
    secrets.token_bytes = lambda nbytes=32: drawn.randbytes(nbytes or 32)
    secrets.token_hex = lambda nbytes=32: drawn.randbytes(nbytes or 32).hex()
    os.urandom = drawn.randbytes


def begin(tree: Path, given: argparse.Namespace, folder: Path) -> subprocess.Popen[str]:
    script = tree / "bench" / "turns.py"  # its own: names change
    words = [sys.executable, str(script), "--side", str(folder), "--letters", str(given.letters)]
    return subprocess.Popen(
        [*words, *(["--plain"] if given.plain else [])],
        cwd=tree,
        env=os.environ | {"PYTHONPATH": str(tree), "PYTHONSAFEPATH": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )


def go_on(side: subprocess.Popen[str]) -> str:
    assert side.stdin
    assert side.stdout
    print("go on", file=side.stdin)
    return side.stdout.readline().strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("before", type=Path, nargs="?")
    parser.add_argument("after", type=Path, nargs="?")
    parser.add_argument("--letters", type=int, default=200)
    parser.add_argument("--plain", action="store_true", help="mails without HTML")
    parser.add_argument("--side", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        fixed_chance()
        decide(given.letters, given.plain, given.side)
        return
    with tempfile.TemporaryDirectory(prefix="pbem-turns-") as name:
        sides = []
        for what in ("before", "after"):
            (folder := Path(name) / what).mkdir()
            sides.append(begin(getattr(given, what).resolve(), given, folder))
        for side in sides:
            assert side.stdout
            assert side.stdout.readline().strip() == "ready"
        took: tuple[list[float], list[float]] = ([], [])
        for n in range(given.letters):
            for one in (0, 1) if n % 2 else (1, 0):
                took[one].append(float(go_on(sides[one])))
        rows = [go_on(side) for side in sides]
        for side in sides:
            side.communicate()
    before, after = (statistics.median(one[WARM:]) * 1000 for one in took)
    print(f"before {before:.2f} ms a letter, after {after:.2f} ms (medians)")
    print(
        f"after / before: {after / before:.2f}; rows {'equal' if len({*rows}) == 1 else 'DIFFER'}"
    )


if __name__ == "__main__":
    main()
