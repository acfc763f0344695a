"""Structured logs to stderr, without secrets or control sequences, a line each but tracebacks."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from pbem.pages import terminal

_SECRETS = re.compile(
    r"(?<![a-z0-9])(?:[a-z2-7]{26}|[0-9a-f]{32,})(?![a-z0-9])"
    r"|(?<=[0-9]\.)[a-z2-7]{16}(?![a-z0-9])|(?<=confirm )[a-z0-9-]{4,80}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w.-]++")


def mask(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Mask reply addresses, links, codes, seeds and keys, and writers' addresses in tracebacks."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _SECRETS.sub("***", value)
    if isinstance(trace := event.get("exception"), str):
        event["exception"] = _ADDRESS.sub("***", trace)
    return event


def harmless(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Escape control characters and line breaks."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = (terminal.shown if name == "exception" else terminal.one_line)(value)
    return event


class _Libraries(logging.Handler):
    """Log what libraries log, in our format."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            more = {"exc_info": record.exc_info} if record.exc_info else {}
            structlog.get_logger().log(
                record.levelno, record.getMessage(), logger=record.name, **more
            )
        except Exception:  # a log handler never raises
            self.handleError(record)


def configure(as_json: bool) -> None:
    """Log as JSON lines or for people, without the locals of tracebacks."""
    plain = structlog.dev.ConsoleRenderer(
        colors=False, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
    )
    renderer = structlog.processors.JSONRenderer() if as_json else plain
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            mask,
            harmless,
            renderer,
        ],
        # looked up late: tests and services replace it
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    root = logging.getLogger()
    if not any(isinstance(one, _Libraries) for one in root.handlers):
        root.addHandler(_Libraries())
    # our own line says what is wrong; the pool would log each try
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
