"""Plays a PostgreSQL dump in our own transaction, because `pg_restore` commits by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OutsideError

_COPY = re.compile(rb"COPY [^\n]* FROM stdin;\n")
_END = b"\\.\n"
_FOR_PSQL = (b"\\restrict ", b"\\unrestrict ")
"""Commands for `psql` only."""
_BLOCK = 1 << 18  # bytes of rows sent together


def play(conn: Connection, script: Iterable[bytes], name: str) -> None:
    """Run a script. Raise OutsideError, naming the backup, if refused; then roll back."""
    from psycopg import Error  # noqa: PLC0415  an extra

    cursor = conn.connection.cursor()
    try:
        _play(cursor, iter(script), name)
        # The script emptied the search path, and more.
        cursor.execute("RESET ALL; SET LOCAL idle_in_transaction_session_timeout = 0")
    except Error as error:
        # without its context, which shows rows
        said = error.diag.message_primary or " ".join(str(error).split())
        raise OutsideError(f"{name}: {said}; nothing was changed") from error


def _play(cursor: Any, lines: Iterator[bytes], name: str) -> None:
    statements: list[bytes] = []
    for line in lines:
        if _COPY.fullmatch(line):
            cursor.execute(b"".join(statements))
            statements = []
            with cursor.copy(line) as copy:
                for block in _rows(lines, name):
                    copy.write(block)
        elif not line.startswith(_FOR_PSQL):
            statements.append(line)
    cursor.execute(b"".join(statements))


def _rows(lines: Iterator[bytes], name: str) -> Iterator[bytes]:
    block = bytearray()
    for line in lines:
        if line == _END:
            yield bytes(block)
            return
        block += line
        if len(block) > _BLOCK:
            yield bytes(block)
            block.clear()
    raise OutsideError(f"{name}: it ends among its rows; nothing was changed")
