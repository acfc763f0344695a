"""Prometheus metrics and a health page on 127.0.0.1, for whoever watches the daemon."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import Engine, func, select

from pbem import store
from pbem.database import reading
from pbem.errors import PbemError
from pbem.records import Game, Letter, Outgoing

STALE = timedelta(minutes=10)


class _Collector:
    """Reads the tables when it is asked."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """One family each for letters, mails, games and the age of the last pass."""
        with reading(self.engine) as conn:
            for name, column, about in (
                ("pbem_letters", Letter.outcome, "letters by outcome"),
                ("pbem_mails", Outgoing.state, "outgoing mails by state"),
                ("pbem_games", Game.status, "games by status"),
            ):
                family = GaugeMetricFamily(name, about, labels=[column.key])
                for value, count in conn.execute(select(column, func.count()).group_by(column)):
                    family.add_metric([value], count)
                yield family
            last = store.memo(conn, "last_pass")
        age = datetime.now(UTC) - datetime.fromisoformat(last["at"]) if last else timedelta(0)
        yield GaugeMetricFamily("pbem_last_pass_age_seconds", "seconds since the last pass", value=age.total_seconds())


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: who watches asks often."""


class Watch:
    """The server, in a thread of its own; ``port`` is the one it got. ``trouble``: what keeps the daemon from making a pass
    ("" for nothing). Neither page takes a lock that a letter takes."""

    def __init__(self, engine: Engine, port: int, trouble: Callable[[], str] = str) -> None:
        registry = CollectorRegistry()
        registry.register(_Collector(engine))
        self.engine, self.trouble = engine, trouble
        self._metrics = make_wsgi_app(registry)
        self._server: WSGIServer = make_server("127.0.0.1", port, self._answer, handler_class=_Quiet)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/metrics":
            with suppress(PbemError):
                answer: Iterable[bytes] = self._metrics(environ, start)
                return answer
        trouble = self.trouble()
        well, text = (False, f"not well\n{trouble}\n") if trouble else health(self.engine, datetime.now(UTC))
        start("200 OK" if well else "503 Service Unavailable", [("Content-Type", "text/plain; charset=utf-8")])
        return [text.encode()]


def health(engine: Engine, now: datetime) -> tuple[bool, str]:
    """Whether the daemon is alive and its mail servers answer, and a line about each."""
    try:
        with reading(engine) as conn:
            last = store.memo(conn, "last_pass")
    except PbemError as error:
        return False, f"not well\n{error}\n"
    if not last:
        return False, "no pass yet\n"
    age = now - datetime.fromisoformat(last["at"])
    lines = [f"last pass {int(age.total_seconds())} seconds ago", *last["trouble"]]
    well = age < STALE and not last["trouble"]
    return well, "\n".join(["well" if well else "not well", *lines]) + "\n"
