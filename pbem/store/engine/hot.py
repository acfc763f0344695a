"""Statements of every letter, compiled once and run on the driver's cursor.

Run by SQLAlchemy they make a letter cost 1.23 times as much. Transactions, values and errors stay
SQLAlchemy's.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from sqlalchemy import Connection, Insert, Select
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import UpdateBase

from pbem.budget import statement_begins, statement_ended
from pbem.errors import RefereeError

Row = tuple[Any, ...]
Given = Mapping[str, Any]
_Processor = Callable[[Any], Any]
_NONE: Given = {}


@dataclass(frozen=True, slots=True)
class _Words:
    """A statement compiled for a database."""

    text: str
    always: dict[str, Any] | list[Any]
    """Constants, by name or position (None: open)."""
    asked: tuple[tuple[Any, str, _Processor | None], ...]

    def values(self, given: Given) -> Any:
        ready: Any = self.always.copy()
        for at, key, process in self.asked:
            ready[at] = given[key] if process is None else process(given[key])
        return ready


class Hot:
    """A statement with values by name."""

    __slots__ = ("_results", "_statement", "_words")

    def __init__(self, statement: Select[*tuple[Any, ...]] | UpdateBase) -> None:
        # a new row's id is returned only if asked for
        self._statement = statement.inline() if isinstance(statement, Insert) else statement
        self._words: dict[tuple[str, ...], _Words] = {}
        self._results: dict[str, tuple[tuple[int, _Processor], ...]] = {}

    def all(self, conn: Connection, given: Given = _NONE) -> list[Row]:
        return self._run(conn, given)[0]

    def first(self, conn: Connection, given: Given = _NONE) -> Row | None:
        rows, _ = self._run(conn, given)
        return rows[0] if rows else None

    def count(self, conn: Connection, given: Given = _NONE) -> int:
        return self._run(conn, given)[1]

    def _run(self, conn: Connection, given: Given) -> tuple[list[Row], int]:
        began = statement_begins()
        try:
            dialect = conn.dialect
            key = (dialect.name, *given)
            words = self._words.get(key) or self._words.setdefault(key, self._made(dialect, given))
            if not conn.in_transaction():
                conn.begin()
            cursor, values = conn.connection.cursor(), words.values(given)
            try:
                cursor.execute(words.text, values)
                columns = cursor.description
                rows, count = cursor.fetchall() if columns else [], cursor.rowcount
            except BaseException as error:
                _refused(conn, words.text, values, error)
            finally:
                cursor.close()
            return self._typed(dialect, columns, rows) if rows else [], count
        finally:
            statement_ended(began)

    def _made(self, dialect: Dialect, given: Given) -> _Words:
        made = self._statement.compile(dialect=dialect, column_keys=list(given))
        assert isinstance(made, SQLCompiler)
        if made.post_compile_params or made.literal_execute_params or made.insert_prefetch:
            raise RefereeError(f"this cannot be compiled once: {made}")
        if unknown := given.keys() - {bound.key for bound in made.bind_names}:
            raise RefereeError(f"these are no columns or values, {sorted(unknown)}: {made}")
        always, asked = {}, []
        for bound, name in made.bind_names.items():
            process = bound.type.dialect_impl(dialect).bind_processor(dialect)
            if bound.key in given:
                asked.append((name, bound.key, process))
            elif bound.required:
                raise RefereeError(f"no value is given for {bound.key}: {made}")
            else:
                value = bound.effective_value
                always[name] = value if process is None else process(value)
        if not made.positional:
            return _Words(made.string, always, tuple(asked))
        places = made.positiontup or []
        return _Words(
            made.string,
            [always.get(name) for name in places],
            tuple(
                (at, key, process)
                for at, place in enumerate(places)
                for name, key, process in asked
                if name == place
            ),
        )

    def _typed(self, dialect: Dialect, told: Any, rows: Sequence[Any]) -> list[Row]:
        if (made := self._results.get(dialect.name)) is None:
            columns = zip(self._statement.exported_columns, told, strict=True)
            processors = (
                column.type.dialect_impl(dialect).result_processor(dialect, kind)
                for column, (_, kind, *_) in columns
            )
            made = tuple((at, process) for at, process in enumerate(processors) if process)
            self._results[dialect.name] = made
        if not made:
            return list(rows)
        typed = []
        for row in rows:
            ready = list(row)
            for at, process in made:
                ready[at] = process(ready[at])
            typed.append(tuple(ready))
        return typed


def run(conn: Connection, text: str) -> None:
    """Run a command without values or result."""
    began = statement_begins()
    try:
        cursor = conn.connection.cursor()
        try:
            cursor.execute(text)
        except BaseException as error:
            _refused(conn, text, (), error)
        finally:
            cursor.close()
    finally:
        statement_ended(began)


def _refused(conn: Connection, text: str, values: Any, error: BaseException) -> NoReturn:
    driver = conn.dialect.loaded_dbapi.Error
    if not isinstance(error, driver):
        if not isinstance(error, Exception):
            conn.invalidate(error)
        raise error
    lost = conn.dialect.is_disconnect(error, conn.connection, None)
    if lost:
        conn.invalidate(error)
    raise DBAPIError.instance(
        text,
        values,
        error,
        driver,
        hide_parameters=conn.engine.hide_parameters,
        connection_invalidated=lost,
        dialect=conn.dialect,
    ) from error
