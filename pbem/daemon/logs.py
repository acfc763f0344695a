"""Structured logs, to stderr: a line for each letter, each pass that did something, each trouble.
Secret reply addresses, those of links, bounce marks, codes, seeds and keys never reach them, nor
does anything that commands a terminal: each entry is one line, but for the traceback of a fault."""

from __future__ import annotations

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
    """A structlog processor: 128-bit tokens, the secrets of links, seeds and keys, and the codes
    after CONFIRM become ***, and so does in a traceback whoever wrote the letter."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _SECRETS.sub("***", value)
    if isinstance(trace := event.get("exception"), str):
        event["exception"] = _ADDRESS.sub("***", trace)
    return event


def harmless(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """A structlog processor: what a letter or a server said cannot command a terminal, nor pose as
    a line of the log."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = (terminal.shown if name == "exception" else terminal.one_line)(value)
    return event


class _Libraries(logging.Handler):
    """What a library logs by itself becomes a line like another."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            more = {"exc_info": record.exc_info} if record.exc_info else {}
            structlog.get_logger().log(
                record.levelno, record.getMessage(), logger=record.name, **more
            )
        except Exception:  # as every handler does: the program goes on
            self.handleError(record)


def _take_libraries() -> None:
    """The standard library's log goes through ours."""
    root = logging.getLogger()
    if not any(isinstance(one, _Libraries) for one in root.handlers):
        root.addHandler(_Libraries())


def configure(as_json: bool) -> None:
    """Log to stderr, as JSON lines or for people, and what libraries log too. A traceback is plain
    text: one with locals would show seeds and keys."""
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
        logger_factory=lambda *_: structlog.PrintLogger(
            sys.stderr
        ),  # as it is then: tests and services replace it
    )
    _take_libraries()
    # each try of a pool beside the one line of ours that says what is the matter
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    logging.getLogger("apscheduler").setLevel(
        logging.ERROR
    )  # a pass that outlasts a tick is no news
