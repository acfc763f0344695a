"""A letter explained for terminal, JSON and desk."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pbem.letters import copies, verdict
from pbem.letters.letter import Letter, Understood
from pbem.letters.verdict import Decision
from pbem.orders.order import Problem
from pbem.pages import terminal
from pbem.referee.deciding.trust import BELIEVED
from pbem.store.letters.letter_rows import FiledRow

_OWN, _CUT = 200, 20
"""Lines shown of the own text, and of each piece cut."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A letter, and what the referee makes of it."""

    letter: Letter
    decision: Decision
    row: FiledRow | None
    """None for a file."""
    orders: tuple[str, ...] = ()
    """Canonical, whatever the verdict."""
    problems: tuple[Problem, ...] = ()
    """Facts too; only if game and seat are known."""
    facts: tuple[str, ...] = ()
    understood: tuple[Understood, ...] = ()
    games: Collection[str] = ()
    look: str = ""

    @property
    def proven(self) -> str:
        """By whose word it is believed; "" if by its own proof."""
        return BELIEVED.get(self.row.authentication, "") if self.row is not None else ""

    @property
    def json(self) -> dict[str, Any]:
        """The document of the contract."""
        problems = [problem.json() for problem in self.problems]
        told = verdict.report(self.letter, self.decision, self.orders, problems)
        return told | _on_file(self.row) | {"look": self.look}

    @property
    def text(self) -> str:
        return _text(self)


def _text(told: Explanation) -> str:
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
    lines += ["orders read", *(f"    {order}" for order in told.orders)]
    for problem in told.problems:
        lines.append(f"problem     line {problem.line}: {problem.code} {problem.message}")
        lines += [f"            {note}" for note in problem.notes]
    if told.row is not None:
        lines.append(f"on file     {told.row.outcome}: {told.row.reason}")
    if told.look:
        lines.append(f"look        {told.look}")
    return "\n".join(map(terminal.one_line, lines))


def _on_file(row: FiledRow | None) -> dict[str, Any]:
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
