"""Prometheus metrics and a health page on 127.0.0.1."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from socketserver import ThreadingMixIn
from typing import Any, TypeVar
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.core import GaugeMetricFamily
from sqlalchemy import Engine

from pbem.errors import PbemError
from pbem.store.engine.database import reading
from pbem.store.schema.tables import Game, Letter, Outgoing
from pbem.text import counted

S = TypeVar("S", bound=StrEnum)
STALE = timedelta(minutes=10)


class Pulse:
    """When the last pass ended, by the ``steady`` clock, and its trouble."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self.steady = steady
        self.trouble: Sequence[str] = ()
        self._at: float | None = None

    def beat(self, trouble: Sequence[str]) -> None:
        self.trouble, self._at = tuple(trouble), self.steady()

    def age(self) -> float | None:
        """Return the seconds since the last pass; None before the first."""
        return None if self._at is None else self.steady() - self._at


class _Collector:
    def __init__(self, engine: Engine, pulse: Pulse) -> None:
        self.engine, self.pulse = engine, pulse

    def collect(self) -> Iterable[GaugeMetricFamily]:
        with reading(self.engine) as conn:
            yield _family(
                "pbem_letters", "letters by outcome", "outcome", Letter.by(conn, Letter.outcome)
            )
            yield _family(
                "pbem_mails", "outgoing mails by state", "state", Outgoing.by(conn, Outgoing.state)
            )
            yield _family("pbem_games", "games by status", "status", Game.by(conn, Game.status))
        age = self.pulse.age() or 0.0
        yield GaugeMetricFamily(
            "pbem_last_pass_age_seconds", "seconds since the last pass", value=age
        )


def _family(name: str, about: str, label: str, counts: Mapping[S, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, about, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each client, so that slow ones delay nobody."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class _Quiet(WSGIRequestHandler):
    timeout = 30.0  # seconds a client may be silent

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Watch:
    """The server in its own thread. It waits for no transaction."""

    def __init__(self, engine: Engine, port: int, pulse: Pulse) -> None:
        registry = CollectorRegistry()
        registry.register(_Collector(engine, pulse))
        self.pulse = pulse
        # one reader of the tables at a time leaves connections for the pass
        self._counting = threading.Lock()
        self._metrics = make_wsgi_app(registry)
        self._server: WSGIServer = make_server(
            "127.0.0.1", port, self._answer, server_class=_Server, handler_class=_Quiet
        )
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ.get("PATH_INFO") == "/metrics":
            try:
                with self._counting:
                    answer: Iterable[bytes] = self._metrics(environ, start)
                return answer
            except PbemError as error:
                well, text = False, f"not well\n{error}\n"
        else:
            well, text = health(self.pulse)
        start(
            "200 OK" if well else "503 Service Unavailable",
            [("Content-Type", "text/plain; charset=utf-8")],
        )
        return [text.encode()]


def health(pulse: Pulse) -> tuple[bool, str]:
    """Return whether the daemon works, with a line for each trouble."""
    age = pulse.age()
    if age is None:
        return False, "no pass yet\n"
    well = age < STALE.total_seconds() and not pulse.trouble
    lines = [
        "well" if well else "not well",
        f"last pass {counted(int(age), 'second')} ago",
        *pulse.trouble,
    ]
    return well, "\n".join(lines) + "\n"
