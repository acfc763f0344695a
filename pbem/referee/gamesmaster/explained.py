"""A letter explained: one value, of which the terminal, the contract's document and the desk's page
are made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pbem.letters import copies, verdict
from pbem.letters.letter import Letter
from pbem.letters.marked import Understood
from pbem.letters.verdict import Decision
from pbem.orders.order import Problem
from pbem.pages import terminal
from pbem.referee.deciding.trust import BELIEVED
from pbem.store.letters.letter_rows import FiledRow

_OWN, _CUT = 200, 20
"""So many lines of the letter's own text, and of each piece that was cut, are shown."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A letter, and what the referee makes of it.

    ``row``: what is on file of it, None where it is a file. ``orders`` in canonical form, whatever
    the verdict; ``problems`` and ``facts`` where game and seat are known; ``understood``: the same
    line by line. ``games``: those that it may be for, as far as it does not say. ``look``: what the
    gamesmaster is told of his look, "" where it shows nothing that is secret still.
    """

    letter: Letter
    decision: Decision
    row: FiledRow | None
    orders: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    facts: tuple[str, ...] = ()
    understood: tuple[Understood, ...] = ()
    games: Collection[str] = ()
    look: str = ""

    @property
    def proven(self) -> str:
        """By whose word it is believed, which it is not by itself; "" for nobody's."""
        return BELIEVED.get(self.row.authentication, "") if self.row is not None else ""

    @property
    def json(self) -> dict[str, Any]:
        """The contract's document."""
        problems = [problem.json() for problem in self.problems]
        told = verdict.report(self.letter, self.decision, self.orders, problems)
        return told | _on_file(self.row) | {"look": self.look}

    @property
    def text(self) -> str:
        """The same for people, in a terminal."""
        return _text(self)


def _text(told: Explanation) -> str:
    """The explanation, a line for each step."""
    letter, decision, proven = told.letter, told.decision, told.proven
    lines = [
        f"bytes       SHA-256 {letter.raw_hash}",
        f"Message-ID  {letter.message_id or '(none: known by its bytes)'}",
        f"effect      {copies.effect(letter)[:16]} (what makes a second copy a duplicate)",
        f"From        {letter.sender or '(not believed) ' + letter.sender_problem}",
        f"proof       {decision.authentication}{proven and '; '}{proven}",
        f"verdict     {decision.verdict}, by the rule {decision.rule!r}: {decision.reason}",
        f"answer      {'allowed' if decision.reply_allowed else 'none: ' + decision.no_reply}",
        *(f"about       {fact}" for fact in told.facts),
    ]
    if decision.question:
        lines.append(f"question    {decision.question}")
    lines += [f"note        {note}" for note in letter.notes]
    lines += [f"command     {c.name} {c.argument}" for c in decision.peeled.commands]
    lines += ["own text", *(f"    | {line}" for line in letter.text.split("\n")[:_OWN])]
    for cut in letter.cut:
        lines += [f"cut ({cut.reason})", *(f"    | {line}" for line in cut.text.split("\n")[:_CUT])]
    lines += ["orders understood", *(f"    {order}" for order in told.orders)]
    for problem in told.problems:
        lines.append(f"problem     line {problem.line}: {problem.code} {problem.message}")
        lines += [f"            {note}" for note in problem.notes]
    if told.row is not None:
        lines.append(f"on file     {told.row.outcome}: {told.row.reason}")
    if told.look:
        lines.append(f"look        {told.look}")
    return "\n".join(map(terminal.one_line, lines))


def _on_file(row: FiledRow | None) -> dict[str, Any]:
    """What is on file of a stored letter."""
    if row is None:
        return {}
    return {
        "stored": {
            "id": row.id,
            "outcome": row.outcome,
            "reason": row.reason,
            "received": row.received.isoformat(),
            "game": row.game_id,
            "seat": row.seat,
            "period": row.period,
            "receipt": row.receipt,
        }
    }
