"""The base of all tables."""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Connection, Enum, Executable, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite has the same syntax
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, declared_attr
from sqlalchemy.sql.elements import SQLCoreOperations

from pbem.errors import RefereeError
from pbem.store.engine.hot import Hot
from pbem.store.schema.states import FOLLOWING, before

R = TypeVar("R")
_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")

NAMING = {
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Utc(sa.TypeDecorator[datetime]):
    """An aware UTC time, on every database."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive time {value} for the database")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def known(kind: type[StrEnum], name: str, length: int) -> Enum:
    """Return a column type for ``kind``, with a CHECK."""
    return Enum(
        kind,
        name=name,
        length=length,
        native_enum=False,
        create_constraint=True,
        values_callable=lambda states: [state.value for state in states],
    )


def columns(row: Any, *tables: type[Record], **made: Any) -> list[Any]:
    """Return what a row's fields are read from: ``made``, or the column of that name in the first
    of the tables with it. Raise StopIteration if none has it."""
    return [
        made[name]
        if name in made
        else next(getattr(one, name) for one in tables if name in one.__table__.c)
        for name in getattr(row, "_kind", row)._fields
    ]


class Record(DeclarativeBase):
    """A table, declared once: the class has its columns, an instance is a row, as cheap as a named
    tuple. An abstract class below a table's has a join's columns besides."""

    metadata = sa.MetaData(naming_convention=NAMING)
    type_annotation_map = {  # noqa: RUF012
        datetime: Utc,
        dict[str, Any]: sa.JSON,
        list[Any]: sa.JSON,
        bytes: sa.LargeBinary,
    }
    _kind: ClassVar[Any]
    """The class of its rows."""
    _without: ClassVar[tuple[str, ...]] = ()
    """Columns of its table that an abstract class leaves out."""
    _default: ClassVar[dict[str, Any]]

    @declared_attr.directive
    def __tablename__(cls) -> str:
        """Name a table as its class, in small words."""
        return _CAPITAL.sub("_", cls.__name__).lower()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_fields" in cls.__dict__:
            return
        more = cls.__annotations__ if "__abstract__" in cls.__dict__ else ()
        above = getattr(cls.__base__, "_kind", None)
        known = above._fields if above else cls.__table__.c.keys()
        own = [name for name in known if name not in cls._without]
        fields: Any = namedtuple(cls.__name__, [*own, *more])  # type: ignore[misc]
        body = {"__abstract__": True, "__slots__": (), "_fields": fields._fields}
        table: Any = cls.__table__
        cls._default = {
            c.name: c.default.arg if c.default is not None else None
            for c in table.c
            if c.default is not None or c.nullable or c is table.autoincrement_column
        }
        kind: Any = type(cls)
        cls._kind = kind(cls.__name__, (fields, cls), body | {"__init__": lambda *_, **__: None})

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Make a row. Columns with a default, or that may be empty, may be left out."""
        left = (name for name in cls._kind._fields[len(given) :] if name in cls._default)
        row: Self = cls._kind(*given, **({name: cls._default[name] for name in left} | named))
        return row

    if TYPE_CHECKING:

        def __init__(self, *given: Any, **named: Any) -> None: ...
        def _replace(self, **values: Any) -> Self: ...
        def _asdict(self) -> dict[str, Any]: ...

    @classmethod
    def one(cls, conn: Connection, **of: Any) -> Self | None:
        """Return the row whose columns are so."""
        return one(conn, cls, _prepared(cls, select, *_full(of)), **of)

    @classmethod
    def many(
        cls,
        conn: Connection,
        *where: ColumnElement[bool],
        order: Any = None,
        most: int | None = None,
        light: bool = False,
        **of: Any,
    ) -> list[Self]:
        """Return the rows whose columns are so, by key or in an order. light: of bytes read only
        whether there are any."""
        if not where and order is None and most is None and not light and None not in of.values():
            return many(conn, cls, _prepared(cls, select, *of), **of)
        found = select(*(map(_light, cls.__table__.c) if light else cls.__table__.c))
        order = tuple(cls.__table__.primary_key) if order is None else order
        return many(conn, cls, _so(cls, found, where, of, order).limit(most))

    @classmethod
    def values(
        cls,
        conn: Connection,
        what: SQLCoreOperations[R],
        /,
        *where: ColumnElement[bool],
        order: Any = None,
        most: int | None = None,
        **of: Any,
    ) -> list[R]:
        """Return a column, or what is made of some, of the rows that are so."""
        return list(conn.execute(_so(cls, select(what), where, of, order).limit(most)).scalars())

    @classmethod
    def scalar(
        cls, conn: Connection, what: SQLCoreOperations[R], /, *where: Any, **of: Any
    ) -> R | None:
        """Return the first of such :meth:`values`, or None."""
        found = cls.values(conn, what, *where, most=1, **of)
        return found[0] if found else None

    @classmethod
    def by(cls, conn: Connection, what: SQLCoreOperations[R], *where: Any) -> dict[R, int]:
        """Count the rows that are so by a column."""
        found = _so(cls, select(what, func.count()).group_by(what), where, {}, None)
        return {value: number for value, number in conn.execute(found)}  # noqa: C416  rows are no pairs to mypy

    @classmethod
    def how_many(cls, conn: Connection, *where: ColumnElement[bool], **of: Any) -> int:
        """Return how many rows are so."""
        return cls.values(conn, func.count(), *where, **of)[0]

    @classmethod
    def has(cls, conn: Connection, *where: ColumnElement[bool], **of: Any) -> bool:
        """Return whether any row is so."""
        return bool(cls.values(conn, sa.literal(1), *where, most=1, **of))

    @classmethod
    def add(cls, conn: Connection, *rows: Self, **values: Any) -> None:
        """Insert rows, or one of ``values``. Columns with a default may be left out."""
        for row in rows if rows or not values else [cls(**values)]:
            _prepared(cls, insert).count(conn, _filled(row))

    @classmethod
    def new(cls, conn: Connection, row: Self | None = None, **values: Any) -> int:
        """Insert a row, or one of ``values``. Return its number."""
        filled = _filled(row or cls(**values))
        made = insert(cls).values(filled).returning(cls.__table__.c.id)
        return int(conn.execute(made).scalar_one())

    @classmethod
    def try_add(cls, conn: Connection, **values: Any) -> bool:
        """Insert a row. Return False if its key is there."""
        return _prepared(cls, upsert).count(conn, _filled(cls(**values))) == 1

    @classmethod
    def put(cls, conn: Connection, row: Self | None = None, /, **values: Any) -> None:
        """Insert a row, or one of ``values``, or change the one with its key."""
        filled = (row or cls(**values))._asdict()
        _prepared(cls, upsert, *filled).count(conn, filled)

    @classmethod
    def change(cls, conn: Connection, of: Mapping[str, Any], **values: Any) -> int:
        """Set columns of the rows that are so, except states. Return how many."""
        if any(isinstance(cls.__table__.c[name].type, Enum) for name in values):
            raise RefereeError(f"the state of a {cls.__tablename__} is set by set_state")
        where = {f"of_{name}": value for name, value in of.items()}
        return _prepared(cls, update, *_full(of)).count(conn, where | values)

    @classmethod
    def try_state(cls, conn: Connection, *to: Any, **values: Any) -> bool:
        """Set the state of the row with a key, and columns. Return False if it may not follow.
        to: the key, and the state."""
        *key, after = to
        named = zip((f"of_{one.name}" for one in cls.__table__.primary_key), key, strict=True)
        return _becoming(cls, after).count(conn, dict(named) | values) == 1

    @classmethod
    def set_state(cls, conn: Connection, *to: Any, **values: Any) -> None:
        """Do the same. Raise RefereeError if it may not follow."""
        if not cls.try_state(conn, *to, **values):
            *key, after = to
            names = (one.name for one in cls.__table__.primary_key)
            found = cls.scalar(conn, _state(cls, after), **dict(zip(names, key, strict=True)))
            what = f"{cls.__tablename__} {', '.join(map(str, key))}"
            raise RefereeError(f"{what} is {found or 'not there'}, and cannot become {after}")

    @classmethod
    def drop(cls, conn: Connection, *where: ColumnElement[bool], **of: Any) -> int:
        """Delete the rows that are so. Return how many."""
        if where:
            return conn.execute(sa.delete(cls).where(*where).filter_by(**of)).rowcount
        return _prepared(cls, sa.delete, *_full(of)).count(conn, of)


def _light(column: Any) -> Any:
    """Leave bytes where they are. The database knows their length without reading them."""
    some = (func.length(column) > 0, sa.literal(b"+"))
    is_bytes = isinstance(column.type, sa.LargeBinary)
    return sa.case(some, else_=column).label(column.name) if is_bytes else column


def _so(
    kind: Any, query: sa.Select[*tuple[Any, ...]], where: Any, of: Mapping[str, Any], order: Any
) -> Any:
    """Narrow what is found in a table."""
    table = kind.__table__
    alike = (table.c[name] == value for name, value in of.items())
    query = query.select_from(table).where(*where, *alike)
    several = order if isinstance(order, tuple) else (order,)
    return query if order is None else query.order_by(*several)


def _filled(row: Record) -> dict[str, Any]:
    """Leave out what the database numbers."""
    table: Any = row.__table__
    own = table.autoincrement_column
    return {n: v for n, v in row._asdict().items() if v is not None or own is None or n != own.name}


def _full(of: Mapping[str, Any]) -> Iterable[str]:
    """Return columns to find by. Raise RefereeError if one is sought empty: nothing equals NULL."""
    if None in of.values():
        raise RefereeError(f"a statement that is compiled once finds nothing empty: {of}")
    return of


@cache
def _prepared(kind: type[Record], verb: Any, *names: str) -> Hot:
    """Return a statement that is compiled once for each set of columns."""
    table: Any = kind.__table__
    if verb is upsert and not names:
        return Hot(upsert(table).on_conflict_do_nothing())
    if verb is upsert:
        new, keys = upsert(table), table.primary_key.columns
        others = {name: new.excluded[name] for name in names if name not in keys}
        return Hot(new.on_conflict_do_update(index_elements=keys, set_=others))
    made: Any = select(table).order_by(*table.primary_key) if verb is select else verb(table)
    begins = "of_" if verb is update else ""
    where = [table.c[name] == sa.bindparam(f"{begins}{name}") for name in names]
    return Hot(made.where(*where) if where else made)


def _state(kind: Any, state: StrEnum) -> Any:
    """Return the column of such states."""
    return next(c for c in kind.__table__.c if getattr(c.type, "enum_class", None) is type(state))


@cache
def _becoming(kind: type[Record], after: StrEnum) -> Hot:
    table, column = kind.__table__, _state(kind, after)
    keys = [one == sa.bindparam(f"of_{one.name}") for one in table.primary_key]
    may = sa.or_(sa.false(), *(column == state for state in before(FOLLOWING[type(after)], after)))
    return Hot(update(kind).where(*keys, may).values({column.name: after}))


def many(conn: Connection, kind: type[R], found: Executable | Hot, /, **given: Any) -> list[R]:
    """Return what a statement finds as rows of a kind."""
    return list(map(_made(kind), _found(conn, found, given)))


def one(conn: Connection, kind: type[R], found: Executable | Hot, /, **given: Any) -> R | None:
    """Return the first of what a statement finds."""
    return next(map(_made(kind), _found(conn, found, given)), None)


def _found(conn: Connection, found: Executable | Hot, given: Mapping[str, Any]) -> Iterable[Any]:
    return found.all(conn, given) if isinstance(found, Hot) else conn.execute(found, given).all()


def _made(kind: Any) -> Any:
    return getattr(kind, "_kind", kind)._make
