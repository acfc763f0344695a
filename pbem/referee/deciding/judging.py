"""Judge a stored letter: the verdict on it, and the games it may touch."""

from dataclasses import dataclass

from pbem.budget import Budget
from pbem.letters import case, verdict
from pbem.letters.addresses import GAMESMASTER
from pbem.letters.letter import Letter
from pbem.letters.states import LetterState
from pbem.letters.verdict import SEATLESS, Decision, Rule
from pbem.orders.mailwords import AGAIN
from pbem.post.work import Work
from pbem.referee.deciding import registry
from pbem.referee.deciding.trust import BELIEVED, FOR_ITS_SEAT
from pbem.store.letters import letters
from pbem.store.letters.undecided import LetterRow


@dataclass(frozen=True, slots=True)
class Opened:
    """A stored letter, read."""

    id: int
    raw: bytes
    letter: Letter
    budget: Budget
    took: float
    """Seconds."""


def probably_for(work: Work, opened: Opened) -> set[str]:
    """Return the game to lock first: the seat's, or all of the sender."""
    letter = opened.letter
    facts = registry.known_facts(work.conn, letter, work.config, work.mark, work.now)
    seat = case.Case(letter, opened.raw, facts, False, received=work.now).registration
    return {seat.game} if seat and seat.game else set(facts.games)


def games_touched(row: LetterRow, decision: Decision) -> set[str] | None:
    """Return the games this letter may touch. None if any: gamesmaster's words, codes, copies,
    bounces, void addresses, strangers (their mails are counted together)."""
    registration = decision.registration
    alone = (
        row.known,
        row.doubted is not None,
        decision.verdict == LetterState.BOUNCE,
        decision.peeled.asks("CONFIRM"),
        decision.peeled.asks(AGAIN),  # it may open a table
        decision.rule in (Rule.CONFIRMATION, *SEATLESS),
        decision.verdict == LetterState.UNKNOWN_SENDER,  # their mails are counted together
        decision.seat == GAMESMASTER,
        decision.stray is not None or decision.stray_link is not None,
        registration is not None and (registration.bounced or registration.seat == GAMESMASTER),
    )
    return None if any(alone) else {decision.game} - {""}


def judge(work: Work, row: LetterRow, opened: Opened) -> Decision:
    facts = registry.known_facts(work.conn, opened.letter, work.config, work.mark, row.received)
    if row.authentication in FOR_ITS_SEAT:
        said = (row.game_id, row.seat, row.period)
        facts = registry.directed(facts, opened.letter, *said)
    confirmed = row.authentication in BELIEVED
    return verdict.decide(
        opened.letter,
        opened.raw,
        facts,
        known=row.known and not confirmed,
        doubted=row.doubted is not None,
        believed=confirmed,
        received=row.received,
        understands=registry.understands(work.conn),
        seen=lambda found: letters.first_marked(work.conn, found, row.id) is not None,
    )
