"""A function of ours that burns processor time, or does something worse."""

import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

import pytest


def burn(*_: object, **__: object) -> NoReturn:
    while True:
        pass


def burn_for_seconds(*_: object, **__: object) -> NoReturn:
    """What is on nobody's budget ends some time, as an error."""
    until = time.process_time() + 20.0
    while time.process_time() < until:
        pass
    raise AssertionError("it is on nobody's budget")


def burn_stubbornly(*_: object, **__: object) -> None:
    """What a library does that keeps every error to itself."""
    for _ in range(2):
        try:
            burn()
        except BaseException:
            continue


def burns(
    monkeypatch: pytest.MonkeyPatch, where: str, at: Callable[..., bool], how: Any = burn
) -> None:
    """A function burns where its arguments are such; else it does what it does."""
    module, _, name = where.rpartition(".")
    real = getattr(sys.modules[module], name)

    def one(*given: Any, **more: Any) -> Any:
        return how(*given, **more) if at(*given, **more) else real(*given, **more)

    monkeypatch.setattr(where, one)


def once() -> Callable[..., bool]:
    """At the first call."""
    calls = iter((True,))
    return lambda *_, **__: next(calls, False)
