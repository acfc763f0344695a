"""Explain a letter step by step. Looks at secrets are recorded."""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from pbem.budget import Budget
from pbem.errors import OperatorError, OverBudget
from pbem.games.frame import press_rules
from pbem.games.frame.adjudication import Answer, take
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters import copies, verdict
from pbem.letters.letter import Letter, Understood, refused
from pbem.letters.states import LetterState
from pbem.letters.verdict import Decision
from pbem.orders.characters import first_word
from pbem.orders.language import Language
from pbem.orders.order import CANCEL, Problem
from pbem.orders.spelling import is_count
from pbem.orders.splitter import LogicalLine
from pbem.pages import terminal
from pbem.periods import guards
from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.deciding import handling, sandbox
from pbem.referee.deciding.trust import BELIEVED
from pbem.referee.game.relaying import MOST_PRESSES
from pbem.referee.gamesmaster.waits import ATTENTION
from pbem.store.games import games, order_sets, periods, positions
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.journal.notes import LookKind
from pbem.store.letters import letters, registrations, undecided
from pbem.store.schema.tables import Letter as LetterRecord
from pbem.store.schema.tables import Outgoing


@dataclass(frozen=True, slots=True)
class Explanation:
    """A letter, and what the referee makes of it."""

    letter: Letter
    decision: Decision
    row: LetterRecord | None
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
        if row := self.row:
            named = ("id", "outcome", "reason", "seat", "period", "receipt")
            told["stored"] = {name: getattr(row, name) for name in named}
            told["stored"] |= {"received": row.received.isoformat(), "game": row.game_id}
        return told | {"look": self.look}

    @property
    def text(self) -> str:
        effect, line = copies.effect(self.letter)[:16], terminal.one_line
        return templates.shared("explained", told=self, effect=effect, line=line)[:-1]


def explain(
    work: Work,
    file: Path | None,
    letter_id: int | None,
    receipt: str | None = None,
    viewer: str | None = None,
) -> Explanation:
    """Explain a file, or a letter by id or receipt ("GAME/SEAT/7"). viewer: a gamesmaster's
    address; None for the shell. Raise OperatorError if they may not see it."""
    if receipt:
        game, _, rest = receipt.partition("/")
        seat, _, number = rest.partition("/")
        if not is_count(number):
            raise OperatorError(
                f"--receipt {receipt}: write GAME/SEAT/NUMBER, as the receipt has them"
            )
        _may_look(work, {(game, seat)} if games.exists(work.conn, game) else set(), viewer)
        found = letters.by_receipt(work.conn, game, seat, int(number))
        if found is None:
            raise OperatorError(f"there is no receipt {number} for {seat} in a game {game!r}")
        letter_id = found
    raw, row = _raw(work.conn, file, letter_id)
    if row is not None:
        _may_look(work, {(row.game_id, row.seat)}, viewer)
    told = _explained(work, raw, row, viewer)
    return replace(told, look=_look(work, told, viewer))


def _look(work: Work, explanation: Explanation, viewer: str | None) -> str:
    """Record the look in the letter's game, if its secrets may show. Return the note on it, or "".
    Their own letters reveal nothing."""
    decision, row = explanation.decision, explanation.row
    if (row.sender if row else explanation.letter.sender) == (
        viewer or work.mark.gamesmaster
    ).lower():
        return ""
    said = decision.peeled.press
    private = row is not None and (
        decision.case.press is not None or any(one.to != ("ALL",) for one in said)
    )
    looks = []
    for game_id in sorted(_games(work, explanation)):
        at = games.begun(work.conn, game_id)
        if at is None or not (private or _secret(work, at, row, decision)):
            continue
        kind = LookKind.PRESS if private else LookKind.LETTER
        with notes.by(work.conn, viewer or "the shell"):
            looks.append(guards.looked(work, at, kind, letter=row.id if row else None))
    return "; ".join(filter(None, looks))


def _games(work: Work, told: Explanation) -> Collection[str]:
    decision, row = told.decision, told.row
    if game := (row.game_id if row else "") or decision.game:
        return (game,)
    if (bounce := decision.bounce) is None:
        return ()
    ours = Outgoing.scalar(
        work.conn, Outgoing.game_id, message_id=f"<{bounce.ident}@{work.mark.domain}>"
    )
    if ours:
        return (ours,)
    named = (registrations.of_address(work.conn, one.recipient) for one in bounce.failures)
    return {found.game_id for rows in named for found in rows}


def _secret(work: Work, game: GameAt, row: LetterRecord | None, decision: Decision) -> bool:
    """Return whether it may reveal a secret: it may yet count. A file is tried on its seat's
    orders."""
    if row is None:
        return decision.seat in game.seats
    if row.outcome in (LetterState.STORED, LetterState.BOUNCE, *ATTENTION):
        return True
    period = row.period or periods.opened_by(work.conn, game.id, row.received)
    return period >= guards.period_of(game)


def _raw(
    conn: Connection, file: Path | None, letter_id: int | None
) -> tuple[bytes, LetterRecord | None]:
    """Return bytes and row; None for a file."""
    if file is not None:
        try:
            raw = file.read_bytes()
        except OSError as error:
            raise OperatorError(f"{file}: {error.strerror}") from error
        return raw, None
    row = LetterRecord.one(conn, id=letter_id) if letter_id is not None else None
    if row is None or row.raw is None:
        raise OperatorError(f"letter {letter_id} is not stored (any more)")
    return row.raw, row


def _perhaps_for(decision: Decision) -> set[tuple[str, Seat]]:
    if decision.game:
        return {(decision.game, decision.seat)}
    return {(one.game, one.seat) for one in decision.case.facts.registrations}


def _may_look(work: Work, seats: Set[tuple[str, Seat]], who: str | None) -> None:
    """Raise OperatorError if it may be another player's in a game they play in."""
    for game, seat in seats:
        plays = masters.plays(work.conn, game, who or work.mark.gamesmaster)
        if game and (not seat or plays != seat):
            guards.may_act(work.conn, work.mark, game, who)


def _explained(work: Work, raw: bytes, row: LetterRecord | None, viewer: str | None) -> Explanation:
    budget = Budget(work.limits.letter_seconds, "the work on this letter")
    try:
        letter = sandbox.read_guarded(raw, work.limits.of_reading(), budget)
        with budget:
            like = undecided.first_copy(work.conn, copies.likeness(letter)) if row is None else None
            same = row is None and LetterRecord.has(work.conn, raw_hash=letter.raw_hash)
            known = same or like is not None
            decision = verdict.decide(handling.case_of(work, letter, raw, row, known))
            _may_look(work, _perhaps_for(decision), viewer)
            told = Explanation(letter, decision, row, games=decision.case.facts.games)
            return replace(told, **_orders(work.conn, decision, letter))
    except OverBudget as over:
        letter = refused(raw, str(over))
        decision = verdict.decide(handling.case_of(work, letter, raw[:0], None, False))
        _may_look(work, _perhaps_for(decision), viewer)
        return Explanation(letter, decision, row, games=decision.case.facts.games)


def _orders(conn: Connection, decision: Decision, letter: Letter) -> dict[str, Any]:
    if not decision.game:
        return {"facts": ("no game could be told, so no order language applies",)}
    game = games.game(conn, decision.game)
    text = decision.peeled.text
    if not game.period:
        language = positions.ruleset(conn, game).language
        return _read(language, text) | {"facts": ("the game has not begun",)}
    game_now = games.game_at(conn, decision.game)
    read = _read(game_now.ruleset.language, text)
    if decision.seat not in game_now.seats:
        return read | {"facts": ("no seat could be told",)}
    if decision.case.press:
        lines = press_rules.not_words(game_now.ruleset.language, press_rules.answer(letter.body)[0])
        return read | {"facts": (f"an answer to press: {_fate(lines)}",)}
    standing = order_sets.standing(conn, game_now, decision.seat)
    taken = take(game_now.ruleset, game_now.state, decision.seat, text, standing, game_now.named)
    return {
        "orders": read["orders"],
        "problems": taken.problems,
        "facts": tuple(_facts(game_now, decision)),
        "understood": tuple(map(_of_answer, taken.answers)),
    }


def _read(language: Language, text: str) -> dict[str, Any]:
    found = [_of_line(language, line) for line in language.split(text, (CANCEL,))]
    return {
        "orders": tuple(order for one in found for order in one.orders),
        "understood": tuple(found),
    }


def _of_line(language: Language, line: LogicalLine) -> Understood:
    if first_word(line.text) == CANCEL:
        return Understood(line.number, line.text)
    read = language.read(line)
    quiet = read.problem is not None and not language.meant(line.text)
    orders = tuple(map(str, read.orders))
    return Understood(line.number, line.text, orders, _said((read.problem,)), quiet)


def _of_answer(answer: Answer) -> Understood:
    line, orders = answer.line, tuple(map(str, answer.orders))
    gone = tuple(f"takes back {order}" for order in answer.cancelled)
    said = (*(gone if not orders else ()), *_said(answer.problems))
    taken = orders or tuple("CANCEL" for _ in answer.cancelled[:1])
    return Understood(line.number, line.text, taken, said, answer.quiet)


def _said(problems: Sequence[Problem | None]) -> tuple[str, ...]:
    return tuple(one.message for one in problems if one is not None)


def _facts(game: GameAt, decision: Decision) -> Iterator[str]:
    peeled = decision.peeled
    yield f"game {game.id}, seat {decision.seat}, period {game.period.number} ({game.period.phase})"
    if (over := len(peeled.press) - MOST_PRESSES) > 0:
        yield f"{over} more presses are not relayed: a letter has {MOST_PRESSES} at most"
    for press in peeled.press[:MOST_PRESSES]:
        lines = press_rules.not_words(game.ruleset.language, press)
        yield f"press to {', '.join(press.to)}: {_fate(lines)}"


def _fate(lines: Sequence[str]) -> str:
    if not lines:
        return "relayed"
    return f"held, since without END PRESS these lines may be orders: {'; '.join(lines)}"
