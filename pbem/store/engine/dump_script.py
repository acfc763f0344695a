"""A dump of PostgreSQL, played into a transaction of ours.

`pg_restore` on a database commits by itself: between that and whatever is done next anybody may
come. Without a database it writes the dump as a script for `psql`: statements, and rows between
``COPY ... FROM stdin;`` and ``\\.``. We carry that out on our own connection. So the tables, all
their rows and what the caller does to them become true in one commit, or nothing does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OutsideError

_COPY = re.compile(rb"COPY [^\n]* FROM stdin;\n")
_END = b"\\.\n"
_FOR_PSQL = (b"\\restrict ", b"\\unrestrict ")
"""What the script says to `psql` alone, and to no server."""
_BLOCK = 1 << 18  # bytes of rows that are sent together


def play(conn: Connection, script: Iterable[bytes], name: str) -> None:
    """Carry out the lines of a script. Raise OutsideError, with the ``name`` of the backup, if the
    server refuses one; the caller's transaction must then be given up."""
    from psycopg import Error  # noqa: PLC0415  an extra

    cursor = conn.connection.cursor()
    try:
        _play(cursor, iter(script), name)
        # The script has set a search path of nothing, and more.
        cursor.execute("RESET ALL; SET LOCAL idle_in_transaction_session_timeout = 0")
    except Error as error:
        # not its context: that has rows in it, which are nobody's to read
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
    """Yield the rows up to their end, in blocks."""
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
