"""What an idle referee costs: a tick with many stored games, a poll of a full folder, memory with
many stored letters.

    python bench/tick.py [--games 10000] [--letters 100000] [--rounds 5]

Everything is a ratio of the large to the small, measured in turns in one run. README.md beside this
file has the figures.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select, update

from bench.mail import DOMAIN, PASSWORD, Site, letters
from bench.peers import Sink
from pbem.daemon.loop import Daemon
from pbem.store.engine.database import exclusive_transaction
from pbem.store.schema.tables import Address, Cursor, Game, Letter, Outgoing, Period, Player, Seat
from tests.needs import ROOT
from tests.servers import Dovecot, dovecot

FEW, TICKS = 10, 40
MOST_LINKS = 10_000  # of one file; ext4 allows 65,000
LATER = timedelta(days=3)


# --- filling --------------------------------------------------------------------------------------


def copies(site: Site, games: int) -> None:
    """So many running games, copies of the one there is, each with players of its own; none due for
    three days."""
    daemon = Daemon(site.config())
    then = datetime.now(UTC) + LATER
    with exclusive_transaction(daemon.engine) as conn:
        for table in (Game, Player, Address, Seat, Period):
            rows = [dict(row._mapping) for row in conn.execute(select(table.__table__))]
            for row in rows:
                if row.get("next_look"):
                    row["next_look"] = row["due"] = then
            for start in range(1, games, 1000):
                conn.execute(
                    insert(table),
                    [
                        _copy(table, row, n)
                        for n in range(start, min(start + 1000, games))
                        for row in rows
                    ],
                )
    daemon.close()


def _copy(table: type, row: Mapping[str, Any], n: int) -> dict[str, Any]:
    """A row of the game there is, as it would be in the ``n``-th copy."""
    changed: dict[str, Any] = {"id": f"g{n}"} if table is Game else {"game_id": f"g{n}"}
    if table is Player:
        changed = {"id": row["id"] + n * 100}
    if table is Address:
        changed = {"address": f"{n}-{row['address']}", "player_id": row["player_id"] + n * 100}
    if table is Seat:
        changed |= {
            "player_id": row["player_id"] + n * 100,
            "token_hash": f"{n}-{row['token_hash']}"[:64],
        }
    return {**row, **changed}


def old_letters(site: Site, count: int) -> None:
    """So many decided and moved letters in the database, and as many receipts sent."""
    daemon = Daemon(site.config())
    now = datetime.now(UTC) - timedelta(days=2)
    with exclusive_transaction(daemon.engine) as conn:
        at = conn.execute(select(Cursor.uidvalidity)).scalar_one()
        for start in range(0, count, 5000):
            some = range(start, min(start + 5000, count))
            conn.execute(
                insert(Letter),
                [
                    {
                        "account": daemon.readers[0].account,
                        "folder": "INBOX",
                        "uidvalidity": at + 1,
                        "uid": n + 1,
                        "received": now,
                        "seen": now,
                        "raw": b"x" * 1500,
                        "raw_hash": f"{n:064x}",
                        "effect": f"{n:064x}",
                        "outcome": "orders",
                        "reason": "",
                        "message_id": f"<{n}@old>",
                        "sender": "a@legit.example",
                        "authentication": "none",
                        "game_id": "g",
                        "seat": "A",
                        "period": 1,
                        "attempts": 0,
                        "moved": True,
                        "decided": now,
                        "code_hash": "",
                        "proven": True,
                    }
                    for n in some
                ],
            )
            conn.execute(
                insert(Outgoing),
                [
                    {
                        "key": f"old:{n}",
                        "kind": "receipt",
                        "game_id": "g",
                        "seat": "A",
                        "recipient": "a@legit.example",
                        "envelope_from": "r@x",
                        "message_id": f"<o{n}@x>",
                        "raw": b"y" * 1500,
                        "state": "sent",
                        "next_try": now,
                        "attempts": 1,
                        "resent": False,
                        "reply": "",
                        "created": now,
                        "sent": now,
                    }
                    for n in some
                ],
            )
    daemon.close()


def full_folder(server: Dovecot, box: str, count: int) -> None:
    """So many letters in an inbox, copied into its maildir, with Dovecot's index made once."""
    owner = pwd.getpwnam("nobody") if ROOT else pwd.getpwuid(os.geteuid())
    new = server.folder / "mail" / box / "cur"
    for folder in (new, new.parent / "new", new.parent / "tmp"):
        folder.mkdir(parents=True, exist_ok=True)
    raw = letters(1, box)[0][1]
    shutil.chown(new.parent, owner.pw_uid, owner.pw_gid)
    first = new
    for n in range(count):
        file = new / f"{1_000_000_000 + n}.M{n}.bench:2,S"
        if n % MOST_LINKS:
            os.link(first, file)
        else:
            first = file
            first.write_bytes(raw)
            shutil.chown(first, owner.pw_uid, owner.pw_gid)
    for folder in (new, new.parent / "new", new.parent / "tmp"):
        shutil.chown(folder, owner.pw_uid, owner.pw_gid)
    command = ["doveadm", "-c", str(server.folder / "dovecot.conf"), "index", "-u", box, "INBOX"]
    subprocess.run(command, check=True, capture_output=True)


def read_up_to_here(site: Site) -> None:
    """The daemon's cursor at the folder's end, as if all its letters were on file."""
    daemon = Daemon(site.config())
    mailbox = daemon.readers[0].mailbox
    mailbox.connect()
    found = mailbox.select("INBOX")
    with exclusive_transaction(daemon.engine) as conn:
        conn.execute(update(Cursor).values(uidvalidity=found.uidvalidity, uid=found.uidnext - 1))
    daemon.close()


# --- measuring ------------------------------------------------------------------------------------


def in_turns(ticks: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each, median of some ticks, again and again in turns."""
    took: dict[str, list[float]] = {name: [] for name in ticks}
    for _ in range(rounds):
        for name, tick in ticks.items():
            spent = []
            for _ in range(TICKS):
                begin = time.perf_counter()
                tick()
                spent.append(time.perf_counter() - begin)
            took[name].append(statistics.median(spent))
    return took


def _pass(daemon: Daemon) -> None:
    daemon.once(datetime.now(UTC))


def compared(what: str, small: Site, large: Site, rounds: int) -> None:
    """The ratio of a pass of one daemon to that of another; both have made one before."""
    daemons = [Daemon(site.config()) for site in (small, large)]
    ticks = {name: partial(_pass, d) for name, d in zip(("small", "large"), daemons, strict=True)}
    for tick in ticks.values():
        tick()
    took = in_turns(ticks, rounds)
    ratios = [large / small for small, large in zip(took["small"], took["large"], strict=True)]
    told(what, ratios, "about 1")
    print(f"{'':<62}(a pass: {1000 * statistics.median(took['small']):.1f} ms)", flush=True)
    for daemon in daemons:
        daemon.close()


def decided(what: str, small: Site, large: Site, rounds: int) -> None:
    """The ratio of the times in which the same letters are decided."""
    took: dict[str, list[float]] = {"small": [], "large": []}
    for name, site in (("small", small), ("large", large)):
        daemon = Daemon(site.config())
        given = letters(TICKS * (rounds + 1), site.box, 1)
        for n in range(rounds + 1):
            site.fill(given[TICKS * n : TICKS * (n + 1)])
            begin = time.perf_counter()
            done = daemon.once(datetime.now(UTC))
            took[name].append(time.perf_counter() - begin)
            assert done.decided == TICKS, done
        daemon.close()
    told(
        what,
        [many / few for few, many in zip(took["small"][1:], took["large"][1:], strict=True)],
        "about 1",
    )


def told(what: str, values: Sequence[float], target: str) -> None:
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{what:<62}{low:>7.2f}{middle:>8.2f}{high:>8.2f}   {target}", flush=True)


def memory(site: Site, seconds: float = 6.0) -> float:
    """Resident megabytes of a daemon of its own that has idled for some seconds."""
    code = (
        "import json, sys; from pbem.house.config import parse; "
        "from pbem.daemon.loop import Daemon; "
        "Daemon(parse(json.loads(sys.argv[1]))).run()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, site.config().model_dump_json()],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.terminate()
    process.wait(30)
    return (
        next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))
        / 1024
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--letters", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    names = (
        "few-games",
        "many-games",
        "short-folder",
        "full-folder",
        "few-letters",
        "many-letters",
    )
    sink = Sink()
    boxes = {f"{name}@{DOMAIN}": PASSWORD for name in names}
    with dovecot(boxes) as server, tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        sites = {
            name: Site(f"{name}@{DOMAIN}", Path(folder) / name, server, sink) for name in names
        }
        for site in sites.values():
            site.folder.mkdir()
            site.set_up(1)
        copies(sites["few-games"], FEW)
        copies(sites["many-games"], given.games)
        for name, count in (("short-folder", FEW), ("full-folder", given.letters)):
            full_folder(server, sites[name].box, count)
            read_up_to_here(sites[name])
        old_letters(sites["few-letters"], FEW)
        old_letters(sites["many-letters"], given.letters)
        print(f"{'':<62}{'min':>7}{'median':>8}{'max':>8}   target")
        n, m = f"{given.games:,}", f"{given.letters:,}"
        decided(
            f"letters decided with {n} games / with {FEW}",
            sites["few-games"],
            sites["many-games"],
            given.rounds,
        )
        compared(
            f"a tick with {n} games, none due / with {FEW}",
            sites["few-games"],
            sites["many-games"],
            given.rounds,
        )
        compared(
            f"a poll of a folder of {m} letters / of {FEW}",
            sites["short-folder"],
            sites["full-folder"],
            given.rounds,
        )
        compared(
            f"a tick with {m} letters on file / with {FEW}",
            sites["few-letters"],
            sites["many-letters"],
            given.rounds,
        )
        few, many = memory(sites["few-letters"]), memory(sites["many-letters"])
        print(
            f"idle daemon, resident: {few:.0f} MB with {FEW} letters on file, {many:.0f} MB with"
            f" {m}   target < 120"
        )
    sink.close()


if __name__ == "__main__":
    main()
