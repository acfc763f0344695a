"""What a database is asked, as SQLite tells it itself: statements on the driver's cursor make no
events of SQLAlchemy's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


@contextmanager
def told(engine: Engine) -> Iterator[list[str]]:
    """Collect the statements that are run meanwhile."""
    said: list[str] = []

    def out(raw: Any, *_: Any) -> None:
        raw.set_trace_callback(said.append)

    def back(raw: Any, _: Any) -> None:
        raw.set_trace_callback(None)

    event.listen(engine, "checkout", out)
    event.listen(engine, "checkin", back)
    try:
        yield said
    finally:
        event.remove(engine, "checkout", out)
        event.remove(engine, "checkin", back)
