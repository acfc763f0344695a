"""``pbem letter``: what the referee makes of one letter, step by step. It sends nothing, and stores
that the gamesmaster looked, where what he sees is secret still."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from pbem.errors import OperatorError, OverBudget
from pbem.games.frame import pressed
from pbem.games.frame.adjudication import take
from pbem.games.frame.events import Seat
from pbem.letters import copies, verdict
from pbem.letters.case import Installation
from pbem.letters.letter import Letter, refused
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.spelling import is_number
from pbem.pages import terminal
from pbem.periods import guards, looking
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee import deciding, sandbox
from pbem.referee import installation as registry
from pbem.referee.player_words import MOST_PRESSES
from pbem.referee.queue import ATTENTION
from pbem.referee.trust import BELIEVED
from pbem.store import games, letters, mails, order_sets, periods, registrations, shelf, undecided
from pbem.store.budget import Budget
from pbem.store.games import Table
from pbem.store.letter_rows import FiledRow
from pbem.store.looks import LookKind


@dataclass(frozen=True, slots=True)
class Explanation:
    """The contract's document, and the same for people."""

    json: dict[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class _Judged:
    """A letter's explanation, the verdict on it, and the games that its writer may have meant."""

    told: Explanation
    decision: Decision
    games: Collection[str]


def explain(work: Work, file: Path | None, letter_id: int | None, receipt: str = "") -> Explanation:
    """The explanation of a file, or of a stored letter known by its id or by its ``receipt``
    ("GAME/SEAT/7"); raises OperatorError where it cannot be read. A look at what is secret goes on
    file, and the explanation says so."""
    raw, row = _raw(work.conn, file, _answered(work, receipt) if receipt else letter_id)
    if row is not None:
        _may_look(work, {(row.game_id, row.seat)})
    judged = _explained(work, raw, row)
    look = _look(work, row, judged)
    text = judged.told.text + (f"\nlook        {look}" if look else "")
    return Explanation(judged.told.json | {"look": look}, text)


def _look(work: Work, row: FiledRow | None, judged: _Judged) -> str:
    """The look goes on file in each game of which the letter may show what is secret; what the
    gamesmaster is told of it, "" for no look. His own letters show nothing of others."""
    decision = judged.decision
    if (row.sender if row else decision.sender) == work.mark.gamesmaster.lower():
        return ""
    said = decision.peeled.press
    private = row is not None and (bool(decision.press) or any(one.to != ("ALL",) for one in said))
    told = []
    for game_id in sorted(_games(work, row, judged)):
        at = games.begun(work.conn, game_id)
        if at is None or not (private or _secret(work, at, row, decision)):
            continue
        told.append(looking.looked(work, at, LookKind.PRESS if private else LookKind.LETTER))
    return "; ".join(filter(None, told))


def _games(work: Work, row: FiledRow | None, judged: _Judged) -> Collection[str]:
    """The games of a letter: that which it is for, else all that it may be for; of a delivery
    report those of the mail that came back, or of the addresses that it names."""
    decision = judged.decision
    if game := (row.game_id if row else "") or decision.game:
        return (game,)
    if (bounce := decision.bounce) is None:
        return judged.games if row else ()
    ours = mails.game_of(work.conn, f"<{bounce.ident}@{work.mark.domain}>")
    if ours:
        return (ours,)
    named = (registrations.of_address(work.conn, one.recipient) for one in bounce.failures)
    return {found.game_id for rows in named for found in rows}


def _secret(work: Work, at: Table, row: FiledRow | None, decision: Decision) -> bool:
    """Whether a letter may show what is secret still: it is of the open period, or may yet count
    for it. A file shows nothing of its own, but it is tried upon what its seat has and has sent."""
    if row is None:
        return decision.seat in at.seats
    if row.outcome in (LetterState.STORED, LetterState.BOUNCE, *ATTENTION):
        return True
    period = row.period or periods.opened_by(work.conn, at.id, row.received)
    return period >= looking.period_of(at)


def _answered(work: Work, receipt: str) -> int:
    """The letter that a seat's receipt answers. Whether there is such a receipt, nobody is told who
    plays with the seat: it says how often its player has written."""
    game, _, rest = receipt.partition("/")
    seat, _, number = rest.partition("/")
    if not (is_number(number) and len(number) < 10):
        raise OperatorError(f"--receipt {receipt}: write GAME/SEAT/NUMBER, as the receipt has them")
    _may_look(work, {(game, seat)} if games.exists(work.conn, game) else set())
    found = letters.by_receipt(work.conn, game, seat, int(number))
    if found is None:
        raise OperatorError(f"there is no receipt {number} for {seat} in a game {game!r}")
    return found


def _raw(
    conn: Connection, file: Path | None, letter_id: int | None
) -> tuple[bytes, FiledRow | None]:
    """The letter's bytes, and what is on file of it (None: it is a file)."""
    if file is not None:
        try:
            raw = file.read_bytes()
        except OSError as error:
            raise OperatorError(f"{file}: {error.strerror}") from error
        return raw, None
    row = letters.filed(conn, letter_id) if letter_id is not None else None
    if row is None or row.raw is None:
        raise OperatorError(f"letter {letter_id} is not stored (any more)")
    return row.raw, row


def _perhaps_for(installation: Installation, decision: Decision) -> set[tuple[str, Seat]]:
    """The game and seat that a letter is for, or all that it may be for."""
    if decision.game:
        return {(decision.game, decision.seat)}
    return {(one.game, one.seat) for one in installation.registrations}


def _may_look(work: Work, seats: Set[tuple[str, Seat]]) -> None:
    """Whoever has the shell looks at no letter to a game that he plays in, but at his own; raises
    OperatorError where it may be one."""
    for game, seat in seats:
        if game and (not seat or masters.plays(work.conn, game, work.mark.gamesmaster) != seat):
            guards.may_act(work.conn, work.mark, game)


def _explained(work: Work, raw: bytes, row: FiledRow | None) -> _Judged:
    try:
        with Budget(work.limits.letter_seconds, "the work on this letter"):
            return _judged(work, raw, row)
    except OverBudget as over:
        letter = refused(raw, str(over))
        installation = registry.installation(work.conn, letter, work.config, work.mark, work.now)
        decision = verdict.decide(letter, raw[:0], installation)
        _may_look(work, _perhaps_for(installation, decision))
        told = verdict.report(letter, decision, [], []) | _on_file(row)
        text = _words(letter, decision, "", told, [])
        return _Judged(Explanation(told, text), decision, installation.games)


def _judged(work: Work, raw: bytes, row: FiledRow | None) -> _Judged:
    conn = work.conn
    letter = sandbox.read_guarded(raw, work.limits.of_reading())
    received = row.received if row is not None else work.now
    installation = registry.installation(conn, letter, work.config, work.mark, received)
    known = row is None and _stored(conn, letter)
    proven = BELIEVED.get(row.authentication, "") if row is not None else ""
    decision = verdict.decide(
        letter,
        raw,
        installation,
        known=known,
        verify=deciding.verdict_verify(),
        believed=bool(proven),
        received=row.received if row is not None else None,
        understands=registry.understands(conn),
    )
    _may_look(work, _perhaps_for(installation, decision))
    orders, problems, facts = _orders(conn, decision, letter)
    told = verdict.report(letter, decision, orders, problems) | _on_file(row)
    text = _words(letter, decision, proven, told, facts)
    return _Judged(Explanation(told, text), decision, installation.games)


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


def _stored(conn: Connection, letter: Letter) -> bool:
    if letters.has_bytes(conn, letter.raw_hash):
        return True
    return undecided.first_copy(conn, copies.likeness(letter)) is not None


def _orders(
    conn: Connection, decision: Decision, letter: Letter
) -> tuple[list[str], list[dict[str, Any]], list[str]]:
    """The orders understood, whatever the verdict; the problems where game and seat are known."""
    if not decision.game:
        return [], [], ["no game could be told, so no order language applies"]
    game = games.game(conn, decision.game)
    peeled = decision.peeled
    if not game.period:
        ruleset = shelf.open_ruleset(game.ruleset, game.tables)
        return verdict.understood(ruleset.language, peeled.text), [], ["the game has not begun"]
    at = games.table(conn, decision.game)
    understood = verdict.understood(at.ruleset.language, peeled.text)
    if decision.seat not in at.seats:
        return understood, [], ["no seat could be told"]
    if decision.press:
        lines = pressed.not_words(at.ruleset.language, pressed.answer(letter.body)[0])
        return understood, [], [f"an answer to press: {_fate(lines)}"]
    taken = take(
        at.ruleset,
        at.state,
        decision.seat,
        peeled.text,
        order_sets.standing(conn, at, decision.seat),
    )
    facts = [f"game {at.id}, seat {decision.seat}, period {at.period.number} ({at.period.phase})"]
    if (over := len(peeled.press) - MOST_PRESSES) > 0:
        facts.append(f"{over} more presses are not relayed: a letter has {MOST_PRESSES} at most")
    for press in peeled.press[:MOST_PRESSES]:
        lines = pressed.not_words(at.ruleset.language, press)
        facts.append(f"press to {', '.join(press.to)}: {_fate(lines)}")
    return understood, [problem.json() for problem in taken.problems], facts


def _fate(lines: Sequence[str]) -> str:
    """What becomes of press in which these lines look like orders."""
    if not lines:
        return "relayed"
    return f"held, since without END PRESS these lines may be orders: {'; '.join(lines)}"


def _words(
    letter: Letter, decision: Decision, proven: str, told: dict[str, Any], facts: list[str]
) -> str:
    lines = [
        f"bytes       SHA-256 {letter.raw_hash}",
        f"Message-ID  {letter.message_id or '(none: known by its bytes)'}",
        f"effect      {copies.effect(letter)[:16]} (what makes a second copy a duplicate)",
        f"From        {letter.sender or '(not believed) ' + letter.sender_problem}",
        f"proof       {decision.authentication}{proven and '; '}{proven}",
        f"verdict     {decision.verdict}, by the rule {decision.rule!r}: {decision.reason}",
        f"answer      {'allowed' if decision.reply_allowed else 'none: ' + decision.no_reply}",
        *(f"about       {fact}" for fact in facts),
    ]
    if decision.question:
        lines.append(f"question    {decision.question}")
    lines += [f"note        {note}" for note in letter.notes]
    lines += [f"command     {c.name} {c.argument}" for c in decision.peeled.commands]
    lines += ["own text", *(f"    | {line}" for line in letter.text.split("\n")[:200])]
    for cut in letter.cut:
        lines += [f"cut ({cut.reason})", *(f"    | {line}" for line in cut.text.split("\n")[:20])]
    lines += ["orders understood", *(f"    {order}" for order in told["orders"])]
    for problem in told["problems"]:
        lines.append(f"problem     line {problem['line']}: {problem['code']} {problem['message']}")
        lines += [f"            {note}" for note in problem["notes"]]
    if "stored" in told:
        lines.append(f"on file     {told['stored']['outcome']}: {told['stored']['reason']}")
    return "\n".join(map(terminal.one_line, lines))
