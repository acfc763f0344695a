"""Databases of an earlier version, upgraded by this one and asked what is in them.

``dumps/<name>.<engine>.sql.xz`` is the SQL of a database, as the engine's own program wrote it, with
the clock at which it was left in its first line. ``desk`` and ``busy`` are the worlds of
`tests/desk/world.py` and `tests/desk/waiting.py`; ``year`` is half a year of two games.
"""

import hashlib
import json
import lzma
import os
import re
import sqlite3
import subprocess
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import make_url, select

from pbem.cli.games import export
from pbem.periods import replay
from pbem.referee.gamesmaster import queue
from pbem.referee.gamesmaster.queue import Face
from pbem.store.engine import database
from pbem.store.schema.tables import Game
from tests.desk.visitor import Visitor
from tests.desk.world import world
from tests.installation import PASSWORD, Installation, desk
from tests.net.compare import WORDS, Json
from tests.postgresql import postgresql

DUMPS = Path(__file__).parent / "dumps"
GROUPS = tuple(sorted(file.name.removesuffix(".sql.xz") for file in DUMPS.glob("*.sql.xz")))
_RANDOM = re.compile(r"\b[A-Za-z0-9_-]{22,}\b|[0-9a-f]{12}")
_MOST = 250
"""Pages of a desk that are opened."""


def observe(group: str) -> Iterator[tuple[str, Json]]:
    """What the queue, the desk, a replay and an export say of a database."""
    with _upgraded(group) as at:
        with desk(at) as work:
            yield f"{group}/queue", _plain(queue.queue(work, None, None))
            shown = queue.text(queue.queue(work, None, 1), Face.SHELL)
            yield f"{group}/queue{WORDS}", _lines(shown)
            games = sorted(work.conn.execute(select(Game.id)).scalars())
        for game in games:
            with desk(at) as work:
                report = replay.replay(work.conn, game)
                folder = at.folder / "exported" / game
                export(work.conn, game, folder)
            yield f"{group}/replay {game}", _plain(asdict(report))
            yield f"{group}/export {game}", dict(_files(folder))
        yield from _pages(group, at)


@contextmanager
def _upgraded(group: str) -> Iterator[Installation]:
    """An installation with this database; no mail server is there."""
    first, _, sql = (
        lzma.decompress((DUMPS / f"{group}.sql.xz").read_bytes()).decode().partition("\n")
    )
    os.environ["PBEM_TEST_PASSWORD"] = PASSWORD
    with TemporaryDirectory(prefix="pbem-net-") as folder, _loaded(group, Path(folder), sql) as url:
        engine = database.connect(url)
        database.upgrade(engine)
        engine.dispose()
        at = world(Path(folder))
        at.url, at.file = url, None
        at.clock = datetime.fromisoformat(first.removeprefix("-- "))
        at.daemon = at.new_daemon()
        try:
            yield at
        finally:
            at.daemon.close()


@contextmanager
def _loaded(group: str, folder: Path, sql: str) -> Iterator[str]:
    if group.endswith("sqlite"):
        with closing(sqlite3.connect(folder / "pbem.db")) as conn:
            conn.executescript(sql)
        yield f"sqlite:///{folder / 'pbem.db'}"
        return
    with postgresql() as cluster:
        url = cluster.database()
        plain = make_url(url).set(drivername="postgresql").render_as_string(False)
        command = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, plain]
        subprocess.run(command, input=sql, text=True, check=True)
        yield url


def _pages(group: str, at: Installation) -> Iterator[tuple[str, Json]]:
    """Each page of the desk that a link leads to: what it is made of, and its words."""
    visitor = Visitor(at).come_in()
    todo, known = deque(["/"]), {"/"}
    while todo and len(known) <= _MOST:
        url = todo.popleft()
        visitor.get(url)
        page = LexborHTMLParser(visitor.text)
        links = [urljoin(url, node.attributes["href"] or "") for node in page.css("main a[href]")]
        forms = [
            [form.attributes.get("action"), [f.attributes.get("name") for f in form.css("[name]")]]
            for form in page.css("main form")
        ]
        name = f"{group}/page {url.strip('/').replace('/', '.') or 'home'}"
        yield name, _plain({"status": visitor.status, "links": links, "forms": forms})
        yield f"{name}{WORDS}", _lines(visitor.words.replace(". ", ".\n"))
        for link in links:
            path = link.partition("#")[0]
            if not urlsplit(link).netloc and path not in known:
                known.add(path)
                todo.append(path)


def _files(folder: Path) -> Iterator[tuple[str, Json]]:
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        raw = file.read_bytes()
        if file.suffix == ".json":
            content: Json = json.loads(raw)
        elif file.suffix in (".txt", ".md", ".ics", ".csv", ".toml"):
            content = _lines(raw.decode())
        else:
            content = hashlib.sha256(raw).hexdigest()
        yield str(file.relative_to(folder)), _plain(content)


def _plain(value: Json) -> Json:
    """Without what chance draws."""
    return json.loads(_RANDOM.sub("...", json.dumps(value, default=str)))


def _lines(text: str) -> list[str]:
    return _RANDOM.sub("...", text).splitlines()
