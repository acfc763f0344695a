"""What the desk's pages cost with very many games and letters.

    python -m bench.desk [--games 10000] [--letters 1000000] [--rounds 9] [--keep FOLDER]

The processor time of a request of the whole application, from the cookie to the last byte, for
whoever has the shell, for the owner by mail, and for a gamesmaster of some of the games. At most
0.3 s for the first page is what we want. README.md beside this file has the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine

from bench import filling
from bench.periods import settings
from pbem.desk import sessions
from pbem.desk.app import Desk, application
from pbem.house import config
from pbem.house.config import Config
from pbem.post.postmark import postmark
from pbem.post.work import Work
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.store.engine import database

WHO = {"the shell": "", "the owner": "gm@game.example", "a gamesmaster": filling.master(9)}
PAGES = (
    "/",
    "/?kind=quarantine",
    "/?kind=seat&page=3",
    "/games",
    "/games?page=200",
    "/letters",
    "/letters?state=any",
    "/letters?state=any&game=g9",
    "/tables/table9",
)


class Browser:
    """Somebody who has come in."""

    def __init__(self, desk: Desk, who: str) -> None:
        self.app = application(desk)
        with desk.work(writes=True) as work:
            session = sessions.enter(work, gamesmaster_words.code(work, who))
        assert session
        self.cookie = f"{desk.cookie}={session.secret}"

    def get(self, address: str) -> tuple[int, int]:
        """The status of a page, and its size."""
        answer: list[Mapping[str, Any]] = []
        asyncio.run(self._request(address, answer))
        return answer[0]["status"], sum(len(one.get("body", b"")) for one in answer[1:])

    async def _request(self, address: str, answer: list[Mapping[str, Any]]) -> None:
        url = urlsplit(address)
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": url.path,
            "raw_path": url.path.encode(),
            "query_string": url.query.encode(),
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1:8642"), (b"cookie", self.cookie.encode())],
            "server": ("127.0.0.1", 8642),
            "client": ("127.0.0.1", 50_000),
        }

        async def receive() -> Mapping[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            answer.append(message)

        await self.app(scope, receive, send)


def filled(settings: Config, games: int, letters: int) -> Engine:
    """The database with so much in it."""
    engine = database.connect(settings.referee.database)
    database.upgrade(engine)
    begin = time.monotonic()
    with database.exclusive_transaction(engine) as conn:
        work = Work(conn, postmark(conn, settings), settings, datetime.now(UTC))
        filling.fill(work, games, letters)
    print(f"filled in {time.monotonic() - begin:.0f} s", flush=True)
    return engine


def measured(desk: Desk, rounds: int) -> None:
    """Each page for each of them: the first time, and the median after that."""
    print(f"{'milliseconds of processor':<30}" + "".join(f"{who:>26}" for who in WHO))
    browsers = [Browser(desk, who) for who in WHO.values()]
    for page in PAGES:
        told = [_told(browser, page, rounds) for browser in browsers]
        print(f"{page:<30}" + "".join(f"{one:>26}" for one in told), flush=True)


def _told(browser: Browser, page: str, rounds: int) -> str:
    took: list[float] = []
    status, size = 0, 0
    for _ in range(rounds + 1):
        begin = time.process_time()
        status, size = browser.get(page)
        took.append(1000 * (time.process_time() - begin))
    if status != 200:
        return f"({status})"
    return f"{statistics.median(took[1:]):.0f} (first {took[0]:.0f}; {size / 1000:.0f} kB)"


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--letters", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--database", default="", help="an empty one; by default an SQLite file")
    parser.add_argument("--keep", type=Path, help="a folder for that file, used again if filled")
    asked = parser.parse_args(given)
    with tempfile.TemporaryDirectory() as made:
        folder = asked.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "pbem.db"
        url, there = asked.database or f"sqlite:///{file}", file.exists()
        ours = config.parse(settings(url))
        known = there and not asked.database
        engine = database.connect(url) if known else filled(ours, asked.games, asked.letters)
        measured(Desk(engine, ours), asked.rounds)
        engine.dispose()


if __name__ == "__main__":
    main()
