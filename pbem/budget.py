"""Bound the processor time of pure work on what somebody wrote.

    with Budget(2.0, "the work on the letter"):    # raises OverBudget after two seconds
        ...

A budget may be spent in several stretches: use ``with`` again. Database statements (see
``database``) are neither counted nor interrupted within one (:func:`statement_begins`,
:func:`statement_ended`); nor is work that is :data:`paused`. A nested budget spends both. The timer
counts processor time, and CPython gives its signal to the main thread only: elsewhere a budget
refuses to begin. The timer runs on during a statement, so it may be early but never late: its
handler checks the clock and waits for the rest.

The handler never raises inside this module, so no stretch is left half begun or half ended. If its
exception is swallowed, it raises again some processor time later, and at the end of the stretch.
"""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType

from pbem.errors import OverBudget, PbemError, RefereeError

SECONDS = 2.0
"""The budget of a letter, where no configuration says otherwise."""
_AGAIN = 0.05
LEAST = 0.001
"""The shortest timer there is: a timer of nothing would never end."""


class Budget:
    """Processor time for ``what``; ``left`` of it, in seconds."""

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
        if self.left <= 0 and (
            kind is None or bug
        ):  # somebody swallowed it, and went on with what he did not have
            raise self.over()

    def over(self) -> OverBudget:
        """Return the error for a budget that is spent."""
        return OverBudget(f"{self.what} took more than {self.seconds:g} s of processor time")


class _Paused:
    """A stretch that is on nobody's budget."""

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
    """Stop counting until :func:`statement_ended` gets the value returned here. The timer runs on,
    because a letter has dozens of statements."""
    if not _stack or _stack[-1] is None or not _in_main_thread():
        return None
    _stack.append(None)
    return time.process_time()


def statement_ended(began: float | None) -> None:
    """The budgets go on with what they had."""
    global _began  # noqa: PLW0603  there is one timer in a process
    if began is not None:
        _stack.pop()
        _began += time.process_time() - began


def left() -> float:
    """Return how much processor time a child process may be given: what is left to the budgets that
    are being spent."""
    _stop()
    try:
        return min((one.left for one in _spending()), default=SECONDS)
    finally:
        _go_on()


def charge(seconds: float) -> None:
    """What a child process has spent is on the budgets that wait for it."""
    for one in _spending():
        one.left -= seconds
    if spent := _spent():
        raise spent.over()


_stack: list[Budget | None] = []  # None: paused
_began = 0.0  # the processor time at which the stretch that is timed now began


def _in_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def _spending() -> list[Budget]:
    """The budgets that the present work is on, the innermost first."""
    found: list[Budget] = []
    for one in reversed(_stack):
        if one is None:
            break
        found.append(one)
    return found


def _spent() -> Budget | None:
    """Return the outermost of them with nothing left."""
    return next((one for one in reversed(_spending()) if one.left <= 0), None)


def _stop() -> None:
    """The present work is charged for, and no longer timed."""
    if _stack and _stack[-1] is not None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _charge()


def _charge() -> None:
    """The present work is charged for."""
    global _began
    now = time.process_time()
    spent, _began = now - _began, now
    for one in _spending():
        one.left -= spent


def _go_on() -> None:
    """What the stack has on top is timed from now on."""
    global _began  # noqa: PLW0603  there is one timer in a process
    if _stack and _stack[-1] is not None:
        _began = time.process_time()
        _time()


def _time() -> None:
    """The timer is set to what is left."""
    rest = min(one.left for one in _spending())
    signal.setitimer(signal.ITIMER_PROF, max(rest, LEAST), _AGAIN)


def _signalled(_number: int, frame: FrameType | None) -> None:
    if frame is not None and frame.f_code.co_filename == __file__:
        return  # a stretch is beginning or ending: it sees for itself what is left
    if not _spending():
        return
    _charge()
    if spent := _spent():
        raise spent.over()
    _time()
