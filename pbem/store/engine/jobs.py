"""Hands out work to all daemons on one PostgreSQL by Procrastinate.

A job only says where to look, so losing or repeating it is harmless. Jobs run in the main thread,
for budgets of processor time.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
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
SILENCE = 30.0  # seconds of silence after which a worker counts as dead
_MADE = "SELECT obj_description(oid) FROM pg_namespace WHERE nspname = 'procrastinate'"
T = TypeVar("T")
Do = Callable[[str, Mapping[str, Any]], None]
Hint = Job


def hint(kind: str, name: str, lock: str | None, about: Mapping[str, Any]) -> Hint:
    """Return a job. Only one of a name waits; only one of a lock runs. about: JSON."""
    told = dict(about)
    return Hint(queue=QUEUE, task_name=kind, queueing_lock=name, lock=lock, task_kwargs=told)


def fault(engine: Engine) -> str | None:
    """Return why there can be no jobs, or None."""
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
    return None


def upgrade(engine: Engine) -> None:
    if not (wrong := fault(engine)):
        return
    if engine.dialect.name != "postgresql":
        raise OperatorError(wrong)
    with exclusive_transaction(engine) as conn:
        if conn.exec_driver_sql(_MADE).scalar() == procrastinate.__version__:
            return  # another program made it first
        for statement in (
            f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE",
            f"CREATE SCHEMA {SCHEMA}",
            f"SET LOCAL search_path = {SCHEMA}",
            SchemaManager.get_schema(),
            f"COMMENT ON SCHEMA {SCHEMA} IS '{procrastinate.__version__}'",
        ):
            # without parameters: several statements with plain "%"
            conn.exec_driver_sql(statement, execution_options={"no_parameters": True})


def _connector(engine: Engine) -> Any:
    _, given = engine.dialect.create_connect_args(engine.url)
    options = f"{given.pop('options', '')} -c search_path={SCHEMA} -c application_name=pbem-jobs"
    return procrastinate.PsycopgConnector(
        kwargs={**given, "options": options.strip()}, min_size=1, max_size=2, timeout=10.0
    )


class Jobs:
    """One daemon's access to jobs of its ``kinds``."""

    def __init__(
        self, engine: Engine, kinds: Iterable[str], do: Do, stopping: Callable[[], bool]
    ) -> None:
        # we report failures ourselves
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        self._engine, self._do, self._stopping = engine, do, stopping
        self._kinds = tuple(kinds)
        self._runner: asyncio.Runner | None = None
        self._app: procrastinate.App | None = None
        self._worker: Worker | None = None
        self._failed: BaseException | None = None
        self._done = 0

    def give(self, hints: Sequence[Hint]) -> None:
        """Hand out jobs that are not waiting."""
        if hints:
            self._run(self._give(hints))

    def waits(self) -> bool:
        return bool(self._run(self._list(Status.TODO)))

    def taken(self) -> int:
        return len(self._run(self._list(Status.DOING)))

    def take(self) -> int:
        """Do jobs until none are left or we stop. Return how many. Raise a job's error."""
        self._failed, self._done = None, 0
        self._run(self._take())
        if self._failed is not None:
            raise self._failed
        return self._done

    def close(self) -> None:
        runner, self._runner = self._runner, None
        app, self._app = self._app, None
        if runner:
            with suppress(Exception):
                if app:
                    runner.run(app.close_async())
            runner.close()

    def _run(self, what: Coroutine[Any, Any, T]) -> T:
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
        new = [one for one in hints if one.queueing_lock not in waiting]
        if not new:
            return
        try:
            await app.job_manager.batch_defer_jobs_async(new)
        except AlreadyEnqueued:  # another daemon is giving the same
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
            with suppress(ConnectorException):  # somebody else did it
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
