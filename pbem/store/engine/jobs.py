"""Hand out work to all daemons on one PostgreSQL, by Procrastinate. Its jobs have their own schema
beside our tables.

A job only says where to look; our rows decide whether there is work. A job that is lost or done
twice does no harm. A finished job is deleted, whatever its result. Jobs run one after another in
the main thread, where letters and periods have their budgets of processor time. Only this module
imports Procrastinate, and it is imported only if the configuration asks for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import procrastinate
import psycopg_pool
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job, Status
from procrastinate.schema import SchemaManager
from procrastinate.worker import Worker
from sqlalchemy import Engine

from pbem.errors import DatabaseError, OperatorError
from pbem.store.engine.database import exclusive_transaction, shared_transaction

SCHEMA, QUEUE = "procrastinate", "pbem"
SILENCE = 30.0  # seconds without a word after which the holder of a job counts as gone
_MADE = "SELECT obj_description(oid) FROM pg_namespace WHERE nspname = 'procrastinate'"
T = TypeVar("T")
Do = Callable[[str, Mapping[str, Any]], None]
"""What does a job: its kind, and what it is about."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Something to be done."""

    kind: str
    name: str
    """Only one job of this name waits at a time."""
    lock: str | None
    """Of jobs with the same lock (a game), one runs at a time."""
    about: Mapping[str, Any]
    """Plain JSON."""


def fault(engine: Engine) -> str:
    """Return why jobs cannot be handed out there; "" if nothing is wrong."""
    if engine.dialect.name != "postgresql":
        return "[daemon] share_work is for PostgreSQL: with SQLite one daemon does all the work"
    with shared_transaction(engine) as conn:
        made = conn.exec_driver_sql(_MADE).scalar()
    if made != procrastinate.__version__:
        made = made or "not there"
        return (
            f"the tables of Procrastinate {procrastinate.__version__} are wanted and are {made}:"
            " run `pbem db upgrade`"
        )
    return ""


def upgrade(engine: Engine) -> None:
    """Make Procrastinate's schema for this version, in one transaction. Replace a schema of another
    version; its jobs are handed out again."""
    if not (wrong := fault(engine)):
        return
    if engine.dialect.name != "postgresql":
        raise OperatorError(wrong)
    with exclusive_transaction(engine) as conn:
        if conn.exec_driver_sql(_MADE).scalar() == procrastinate.__version__:
            return  # another program has made it in the meantime
        for statement in (
            f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE",
            f"CREATE SCHEMA {SCHEMA}",
            f"SET LOCAL search_path = {SCHEMA}",
            SchemaManager.get_schema(),
            f"COMMENT ON SCHEMA {SCHEMA} IS '{procrastinate.__version__}'",
        ):
            # without parameters: several statements in one, and its "%" are plain
            conn.exec_driver_sql(statement, execution_options={"no_parameters": True})


def _connector(engine: Engine) -> Any:
    """Connections in its schema, to where the engine's lead."""
    _, given = engine.dialect.create_connect_args(engine.url)
    options = f"{given.pop('options', '')} -c search_path={SCHEMA} -c application_name=pbem-jobs"
    return procrastinate.PsycopgConnector(
        kwargs={**given, "options": options.strip()}, min_size=1, max_size=2, timeout=10.0
    )


class Jobs:
    """One daemon's hand in it; ``kinds``: those of the jobs it knows. It connects when it is first
    used."""

    def __init__(
        self, engine: Engine, kinds: Iterable[str], do: Do, stopping: Callable[[], bool]
    ) -> None:
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)  # what fails is told by us
        self._engine, self._do, self._stopping = engine, do, stopping
        self._kinds = tuple(kinds)
        self._runner: asyncio.Runner | None = None
        self._app: procrastinate.App | None = None
        self._worker: Worker | None = None
        self._failed: BaseException | None = None
        self._done = 0

    def give(self, hints: Sequence[Hint]) -> None:
        """Hand out what does not wait already."""
        if hints:
            self._run(self._give(hints))

    def waits(self) -> bool:
        """Return whether there is a job that nobody has taken."""
        return bool(self._run(self._list(Status.TODO)))

    def taken(self) -> int:
        """Return how many jobs somebody is doing."""
        return len(self._run(self._list(Status.DOING)))

    def take(self) -> int:
        """Do available jobs until there are none, or we are to stop. Return their number. An error
        in a job ends it and is raised here."""
        self._failed, self._done = None, 0
        self._run(self._take())
        if self._failed is not None:
            raise self._failed
        return self._done

    def close(self) -> None:
        """Leave the database."""
        runner, self._runner = self._runner, None
        app, self._app = self._app, None
        if runner:
            with suppress(Exception):
                if app:
                    runner.run(app.close_async())
            runner.close()

    def _run(self, what: Coroutine[Any, Any, T]) -> T:
        """In an event loop of ours, that stands still between two calls."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        try:
            return self._runner.run(what)
        except (ConnectorException, psycopg_pool.PoolTimeout) as error:
            self.close()
            said = " ".join(str(error.__cause__ or error).split())
            raise DatabaseError(f"database: handing out work: {said}".rstrip(": ")) from error

    async def _opened(self) -> procrastinate.App:
        if self._app is None:
            app = procrastinate.App(connector=_connector(self._engine))
            for kind in self._kinds:
                app.task(name=kind, queue=QUEUE)(self._doing(kind))
            await app.open_async()
            self._app = app
        return self._app

    def _doing(self, kind: str) -> Callable[..., Coroutine[Any, Any, None]]:
        async def doing(**about: Any) -> None:
            assert self._worker is not None
            if self._failed is None and not self._stopping():
                try:
                    self._do(kind, about)
                    self._done += 1
                except BaseException as error:
                    self._failed = error
            if self._failed is not None or self._stopping():
                self._worker.stop()  # type: ignore[no-untyped-call]

        return doing

    async def _give(self, hints: Sequence[Hint]) -> None:
        app = await self._opened()
        waiting = {job.queueing_lock for job in await self._list(Status.TODO)}
        new = [
            Job(
                queue=QUEUE,
                task_name=one.kind,
                lock=one.lock,
                queueing_lock=one.name,
                task_kwargs=dict(one.about),
            )
            for one in hints
            if one.name not in waiting
        ]
        if not new:
            return
        try:
            await app.job_manager.batch_defer_jobs_async(new)
        except AlreadyEnqueued:  # another daemon gives the same at this moment
            for job in new:
                with suppress(AlreadyEnqueued):
                    await app.job_manager.defer_job_async(job)

    async def _list(self, status: Status) -> Sequence[Job]:
        app = await self._opened()
        return list(await app.job_manager.list_jobs_async(queue=QUEUE, status=status.value))

    async def _take(self) -> None:
        app = await self._opened()
        manager = app.job_manager
        for job in await manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=SILENCE):
            with suppress(ConnectorException):  # somebody else has seen to it
                await manager.finish_job(job, Status.ABORTED, delete_job=True)
        self._worker = Worker(
            app,
            queues=[QUEUE],
            wait=False,
            listen_notify=False,
            delete_jobs="always",
            install_signal_handlers=False,
            stalled_worker_timeout=SILENCE,
        )
        await self._worker.run()  # type: ignore[no-untyped-call]
