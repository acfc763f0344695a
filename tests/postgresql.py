"""A PostgreSQL cluster for the tests: one a worker, a database of its own for each test."""

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, inspect

from pbem.store.engine import database
from tests.needs import ROOT, postgresql_programs
from tests.servers import PATIENCE, end, free_ports, server_folder

MIGRATED = "migrated"
"""The database of a cluster that others are copies of."""


@dataclass(slots=True)
class Postgresql:
    """A running cluster; `database` makes a new, empty database and tells its URL for
    SQLAlchemy."""

    folder: Path
    port: int
    made: int = 0

    def database(self) -> str:
        self.made += 1
        name = f"pbem_{self.made}"
        server = create_engine(self._url("postgres"), isolation_level="AUTOCOMMIT")
        with server.connect() as conn:
            conn.exec_driver_sql(f'CREATE DATABASE "{name}"')
        server.dispose()
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql+psycopg://pbem@127.0.0.1:{self.port}/{name}"


def _postgresql() -> Path:
    programs = postgresql_programs()
    assert programs, "PostgreSQL is not installed"
    return programs


@contextmanager
def postgresql() -> Iterator[Postgresql]:
    """A PostgreSQL cluster of our own; as root it runs as user `postgres` (or `nobody`), for initdb
    refuses root."""
    with server_folder("postgresql") as folder:
        data = folder / "data"
        data.mkdir()
        drop: list[str] = []
        if ROOT:
            names = {entry.pw_name for entry in pwd.getpwall()}
            user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
            for path in (folder, data):
                os.chown(path, user.pw_uid, user.pw_gid)
            drop = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        programs = _postgresql()
        initdb = [
            *drop,
            str(programs / "initdb"),
            "-D",
            str(data),
            "-U",
            "pbem",
            "--auth=trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        subprocess.run([*initdb, "--locale=C"], check=True, capture_output=True, cwd=folder)
        (port,) = free_ports(1)
        log = folder / "log"
        options = {
            "port": port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": folder,
            "fsync": "off",
            "full_page_writes": "off",
            "autovacuum": "off",
        }
        settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*drop, str(programs / "postgres"), "-D", str(data), *settings],
                stdout=out,
                stderr=out,
                cwd=folder,
            )
        try:
            until = time.monotonic() + PATIENCE
            ready = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
            while subprocess.run(ready, check=False).returncode:
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}")
                time.sleep(0.05)
            yield Postgresql(folder, port)
        finally:
            end(process, signal.SIGQUIT)  # at once: what it holds is wanted no more


def migrate(url: str) -> None:
    """Give a database its tables. An empty one of PostgreSQL becomes a copy of one that was migrated
    before: the migrations take longer than most tests."""
    engine = database.connect(url)
    if engine.dialect.name == "postgresql" and not inspect(engine).get_table_names():
        engine.dispose()  # a database in use is not renamed
        _copy(engine.url)
    else:
        database.upgrade(engine)
    engine.dispose()


def _copy(url: URL) -> None:
    server = create_engine(url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with server.connect() as conn:
        conn.exec_driver_sql("SELECT pg_advisory_lock(1)")
        known = f"SELECT 1 FROM pg_database WHERE datname = '{MIGRATED}'"
        if not conn.exec_driver_sql(known).first():
            conn.exec_driver_sql("CREATE DATABASE half_migrated")
            engine = create_engine(url.set(database="half_migrated"))
            database.upgrade(engine)
            engine.dispose()
            conn.exec_driver_sql(f"ALTER DATABASE half_migrated RENAME TO {MIGRATED}")
        # To drop the empty one would wait for a checkpoint.
        conn.exec_driver_sql(f'ALTER DATABASE "{url.database}" RENAME TO "empty {url.database}"')
        conn.exec_driver_sql(f'CREATE DATABASE "{url.database}" TEMPLATE {MIGRATED}')
    server.dispose()


@pytest.fixture(scope="session")
def postgresql_cluster() -> Iterator[Postgresql]:
    """The session's cluster (one a worker under pytest-xdist)."""
    with postgresql() as running:
        yield running


@pytest.fixture
def postgresql_url(postgresql_cluster: Postgresql) -> str:
    """A new, empty database for this test."""
    return postgresql_cluster.database()
