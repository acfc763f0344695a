"""STATUS without a game: what its writer owes in each of his."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from pbem.games.frame import readiness
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.pages.bulletin import NOTHING
from pbem.periods import formation, own_page, publishing
from pbem.post import people
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.store.games import games, order_sets
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.letters import registrations
from pbem.store.letters.letter_rows import RegistrationRow
from pbem.store.people import players, standbys
from pbem.store.people.players import PLAIN
from pbem.store.schema.states import ApplicantState, GameState, PeriodState

MOST_SEATS = 20
"""Other games are only named."""
_LATER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands."""

    at: GameAt
    seat: Seat
    you: str
    called: str
    deadline: str
    left: str
    own_time: str
    owes: tuple[str, ...]
    """In the game's words."""
    nothing: str
    """What the game says to a seat that owes nothing."""
    unsettled: bool
    """Whether that sentence names something to do, as to form a Government."""
    said: str
    """READY or WAIT."""
    review: int
    """The closed period whose bulletin is in review; 0 for none."""

    @property
    def due(self) -> tuple[bool, datetime]:
        """The sort key: what is owed first, then by deadline."""
        return not self.owes, self.at.period.due or _LATER


def asks_for_all(conn: Connection, judged: Judged) -> bool:
    """Return whether it is only STATUS, of no game, from a player of several."""
    decision, peeled = judged.decision, judged.decision.peeled
    alone = {one.name for one in peeled.commands} == {"STATUS"} and peeled.empty
    if not alone or peeled.press or decision.named or decision.rule != "only-reading":
        return False
    if decision.registration is None:
        return True  # else he is asked which game
    rows = registrations.of_address(conn, judged.letter.sender or "")
    return sum(row.status != GameState.OVER for row in rows) > 1


def answer_all(work: Work, judged: Judged) -> Outcome:
    reason = judged.decision.reason
    if why := senders.why_not(work, judged):
        return Outcome(LetterState.COMMAND, f"{reason}; nothing was sent back: {why}")
    sender = judged.letter.sender or ""
    rows = registrations.of_address(work.conn, sender)
    open_ = [row for row in rows if row.status in (GameState.RUNNING, GameState.HELD)]
    seats = [_standing(work, row) for row in open_[:MOST_SEATS]]
    ended = [row for row in rows if row.statements_until and row.statements_until > work.now]
    text = (
        templates.environment()
        .get_template("_shared/all_games.txt.j2")
        .render(
            seats=sorted(seats, key=lambda one: one.due),
            more=sorted({row.game_id for row in open_[MOST_SEATS:]}),
            waiting=[row for row in rows if row.status == GameState.WAITING],
            ended=[_ended(work, row) for row in ended],
            **_besides(work.conn, sender, {row.game_id for row in rows}),
        )
    )
    plain = any(one.at.holders[one.seat].face == PLAIN for one in seats)
    to = players.address_of_record(work.conn, sender)
    key = f"{senders.ANSWER}:{judged.row.id}"
    draft = Draft(key, senders.ANSWER, "Your games", text).answering(judged.letter)
    people.put(work, to, draft, rich=not plain, state=senders.state_of(work, to, senders.ANSWER))
    return Outcome(LetterState.COMMAND, f"{reason}; of all his games")


def _standing(work: Work, row: RegistrationRow) -> Standing:
    """Return how a seat stands; in review, as of the period before."""
    at, seat = games.game_at(work.conn, row.game_id), row.seat
    review = at.period.number - 1 if at.period.status == PeriodState.REVIEW else 0
    if review:
        at = games.game_at(work.conn, row.game_id, review)
    known = formation.seen(work, at, seat)
    orders = order_sets.last_set(work.conn, at.id, at.period.number, seat)
    stands = order_sets.orders_of(at, orders)
    owes = () if review else templates.owed_words(known.ruleset, known.state, seat, stands)
    nothing = templates.nothing_words(known.ruleset, known.state, seat)
    return Standing(
        at,
        seat,
        templates.seat_words(at.ruleset, at.state, seat),
        own_page.name(at),
        "" if review else publishing.deadline_text(at),
        own_page.time_left(at, work.now),
        own_page.own_time(at, at.holders[seat], at.period.due),
        tuple(owes),
        nothing,
        nothing != NOTHING and not review,
        readiness.of(orders),
        review,
    )


def _ended(work: Work, row: RegistrationRow) -> tuple[str, str, str]:
    """Return an ended game's id, title, and until when statements are taken."""
    at = games.game_at(work.conn, row.game_id)
    assert row.statements_until is not None
    return at.id, at.ruleset.about.title, publishing.minute_text(at, row.statements_until)


def _besides(conn: Connection, sender: str, plays: set[str]) -> dict[str, list[str]]:
    player = players.at_address(conn, sender)
    signed = [
        one for one in open_tables.of_person(conn, sender, player) if one.game_id not in plays
    ]
    watched = standbys.watched_by(conn, player) if player is not None else ()
    called = [one.game_id for one in signed if one.state == ApplicantState.CALLED]
    return {
        "stands_by": _ids(one.game_id for one in standbys.of_address(conn, sender)),
        "called": _ids(called),
        "signed": _ids(one.game_id for one in signed if one.game_id not in called),
        "watches": _ids(one.game_id for one in watched),
    }


def _ids(found: Iterator[str] | list[str]) -> list[str]:
    return sorted(set(found))
