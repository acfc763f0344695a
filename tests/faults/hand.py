"""Whoever does an act of the gamesmaster's, in a process that can be killed: at the shell, at the
desk, or, where the act came by mail, the daemon."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from sqlalchemy import func, select

from pbem.cli import at_work, main
from pbem.desk.app import Desk
from pbem.letters.states import LetterState
from pbem.post import clock, server_clock
from pbem.store.engine.database import reading
from pbem.store.journal import notes
from pbem.store.schema.tables import Letter, Outgoing
from tests.desk.visitor import Visitor
from tests.faults.child import Child

DONE = (
    "pbem.referee.acts.doing.do",
    "pbem.desk.acts.carry_out",
    "pbem.referee.gamesmaster.gamesmaster_words.do",
)
"""By which names the one function is known that does an act."""

SEE = "See what it would do"


@dataclass
class Answer:
    """What whoever gives an act hears of it: ``said``, and whether it is ``right``; of a form at
    the desk that waits for its button, what its browser holds."""

    said: str = ""
    right: bool = True
    form: dict[str, Any] = field(default_factory=dict)
    waiting: int = 0
    failed: int = 0


class Hand(Child):
    """It, and the daemon: what is asked for comes with the time and what it is asked with."""

    answer = Answer()

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.at = given[1]
        for where in DONE:
            self._after(where, "act.done")
        self._within(at_work, "working")
        self._within(Desk, "work")

    def _after(self, where: str, point: str) -> None:
        """A function behind which there is a point."""
        import sys

        module, _, name = where.rpartition(".")
        real = getattr(sys.modules[module], name)

        def done(*given: Any, **more: Any) -> Any:
            found = real(*given, **more)
            self.crash(point)
            return found

        setattr(sys.modules[module], name, done)

    def _within(self, where: Any, name: str) -> None:
        """A transaction behind whose end there is a point."""
        real: Callable[..., Any] = getattr(where, name)

        @contextmanager
        def work(*given: Any, **more: Any) -> Iterator[Any]:
            with real(*given, **more) as found:
                yield found
            self.crash("act.committed")

        setattr(where, name, work)

    def do_shell(self, now: datetime, words: list[str], file: Path, stdin: str = "") -> None:
        """A command."""
        found = CliRunner().invoke(main, [*words, "--config", str(file)], input=stdin)
        if found.exception and not isinstance(found.exception, SystemExit):
            raise found.exception
        self.answer = Answer(found.output, found.exit_code == 0)

    def do_form(self, now: datetime, name: str, query: str, rest: dict[str, Any]) -> None:
        """A desk that shows what the act would do, where it can be done."""
        visitor = self._visitor(now).come_in().get(f"/do/{name}?{query}")
        if SEE in visitor.text and not visitor.find("#would"):
            visitor.press(SEE, **rest)
        if not visitor.find("#would"):
            self.answer = Answer(visitor.words, right=False)
            return
        words = next(one for one in ("Show it", "Do it") if one in visitor.text)
        form = {"cookies": visitor.cookies, "url": visitor.url, "text": visitor.body}
        self.answer = Answer(words, form=form)

    def do_press(self, now: datetime, form: dict[str, Any], button: str) -> None:
        """Its button is pressed."""
        visitor = self._visitor(now)
        visitor.cookies, visitor.url, visitor.body = form["cookies"], form["url"], form["text"]
        visitor.press(button)
        self.answer = Answer(visitor.words, visitor.status == 200 and "Done." in visitor.words)

    def _visitor(self, now: datetime) -> Visitor:
        self.at.daemon, self.at.clock = self.daemon, now
        return Visitor(self.at)

    def serve(self) -> None:
        """As a daemon, with more that can be asked for."""
        for module in (at_work, clock):
            module.datetime = _clock(lambda: self.now)  # type: ignore[attr-defined]
        server_clock.read = lambda *_: self.now
        super().serve()

    now: datetime

    def ask(self, what: str, about: Any) -> None:
        """One thing."""
        now, *more = about if isinstance(about, tuple) else (about,)
        self.now, self.answer = now, Answer()
        getattr(self, f"do_{what}")(now, *more)

    def game(self) -> Any:
        """What is answered."""
        with reading(self.daemon.engine) as conn:
            waits = Outgoing.state.in_(("ready", "leased", "unknown")) & ~Outgoing.resent
            count = select(func.count(Outgoing.id)).where(waits)
            if not notes.memo(conn, notes.RESTORED):  # then none goes out until it is released
                self.answer.waiting = conn.execute(count).scalar_one()
            self.answer.failed = Letter.how_many(conn, outcome=LetterState.FAILED)
        return self.answer


def _clock(now: Callable[[], datetime]) -> type[datetime]:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return now()

    return Clock
