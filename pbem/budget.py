"""Bounds the processor time of pure work on somebody's words.

``with Budget(2.0, "the work on the letter"): ...`` raises OverBudget after two seconds.

A budget may be spent in several stretches; a nested one spends both. Database statements are
neither counted nor interrupted (:func:`statement_begins`), nor is work that is :data:`paused`.

The timer signals only the main thread, so other threads have no budgets. It runs on during
statements: its handler checks the clock and waits for the rest. It never raises inside this module.
If its exception is swallowed, it raises again later, and at the stretch's end.
"""

import signal
import threading
import time
from contextlib import ContextDecorator
from types import FrameType

from pbem.errors import OverBudget, PbemError, RefereeError

SECONDS = 2.0
"""Of a letter."""
_AGAIN = 0.05
LEAST = 0.001
"""Zero would switch the timer off."""


class Budget:
    """Processor time for ``what``; ``left`` seconds of it remain."""

    __slots__ = ("left", "seconds", "what")

    def __init__(self, seconds: float, what: str) -> None:
        self.seconds, self.left, self.what = seconds, seconds, what

    def __enter__(self) -> None:
        if not _in_main_thread():
            raise RefereeError(
                f"{self.what} has a budget of processor time, which only the main thread can keep"
            )
        if signal.getsignal(signal.SIGPROF) is not _signalled:
            signal.signal(signal.SIGPROF, _signalled)
        _stop()
        _stack.append(self)
        _go_on()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        _stop()
        _stack.pop()
        _go_on()
        bug = kind is not None and issubclass(kind, Exception) and not issubclass(kind, PbemError)
        if self.left <= 0 and (kind is None or bug):  # the exception was swallowed
            raise self.over()

    def over(self) -> OverBudget:
        return OverBudget(f"{self.what} took more than {self.seconds:g} s of processor time")


class _Paused(ContextDecorator):
    def __enter__(self) -> None:
        if _in_main_thread():
            _stop()
            _stack.append(None)

    def __exit__(self, kind: object, *_: object) -> None:
        if _in_main_thread():
            _stack.pop()
            _go_on()
            if kind is None and (spent := _spent()):
                raise spent.over()


paused = _Paused()


def statement_begins() -> float | None:
    """Stop counting. Pass the result to :func:`statement_ended`.

    The timer runs on, because a letter has dozens of statements.
    """
    if not _stack or _stack[-1] is None or not _in_main_thread():
        return None
    _stack.append(None)
    return time.process_time()


def statement_ended(began: float | None) -> None:
    """Count again."""
    global _began  # noqa: PLW0603  there is one timer in a process
    if began is not None:
        _stack.pop()
        _began += time.process_time() - began


def left() -> float:
    """Return the processor time that a child process may have."""
    _stop()
    try:
        return min((one.left for one in _spending()), default=SECONDS)
    finally:
        _go_on()


def charge(seconds: float) -> None:
    """Charge a child's processor time to the present budgets."""
    for one in _spending():
        one.left -= seconds
    if spent := _spent():
        raise spent.over()


_stack: list[Budget | None] = []  # None: paused
_began = 0.0  # processor time when the present stretch began


def _in_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _spending() -> list[Budget]:
    """Innermost first."""
    found: list[Budget] = []
    for one in reversed(_stack):
        if one is None:
            break
        found.append(one)
    return found


def _spent() -> Budget | None:
    """Return the outermost present budget with nothing left."""
    return next((one for one in reversed(_spending()) if one.left <= 0), None)


def _stop() -> None:
    if _stack and _stack[-1] is not None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _charge()


def _charge() -> None:
    global _began
    now = time.process_time()
    spent, _began = now - _began, now
    for one in _spending():
        one.left -= spent


def _go_on() -> None:
    global _began  # noqa: PLW0603  there is one timer in a process
    if _stack and _stack[-1] is not None:
        _began = time.process_time()
        _time()


def _time() -> None:
    rest = min(one.left for one in _spending())
    signal.setitimer(signal.ITIMER_PROF, max(rest, LEAST), _AGAIN)


def _signalled(_number: int, frame: FrameType | None) -> None:
    if frame is not None and frame.f_code.co_filename == __file__:
        return  # a stretch begins or ends, and will check
    if not _spending():
        return
    _charge()
    if spent := _spent():
        raise spent.over()
    _time()
