"""The base of all tables."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, DateTime, Enum, LargeBinary, MetaData, TypeDecorator
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase

NAMING = {
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Utc(TypeDecorator[datetime]):
    """An aware UTC time, on every database."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive times."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive time {value} for the database")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return aware UTC."""
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
        for name in row._fields
    ]


class Record(DeclarativeBase):
    """The base class."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {datetime: Utc, dict[str, Any]: JSON, list[Any]: JSON, bytes: LargeBinary}  # noqa: RUF012
