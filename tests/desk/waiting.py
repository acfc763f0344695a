"""An installation in which everything waits that can wait for a gamesmaster."""

from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, update

from pbem.periods import open_tables as tables
from pbem.periods import opening
from pbem.post import alarms
from pbem.referee.gamesmaster.waits import ATTENTION
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState, Freed, OfferState
from pbem.store.schema.tables import (
    Address,
    EditorLetter,
    FreeSeat,
    Game,
    Inquiry,
    Letter,
    Offer,
    Outgoing,
    Period,
    Protest,
    Report,
    Seat,
)
from tests.desk.visitor import Visitor
from tests.installation import Installation, address, desk
from tests.mail.test_queue import copies

REASON = "ValueError: a long reason of many words, to its end"
TABLE = "autumn"
UID = 10**6
"""Behind all that the mail server gives."""


def busy(at: Installation) -> None:
    """The games g and g1 to g12; letters 91 to 97 of g in each state that waits; g3 is held, g4 in
    review; in g5 A quits, in g6 C is silent, in g7 B's seat is free; in g8 A protests, asks and reports B's press; mail to C comes back; there is
    an alarm, and a table with a newcomer."""
    at.write("A", "GAME nosuch\nSPECIAL AGR")
    at.send("B", "SPECIAL ENV")
    copies(at, 12)
    letters(at)
    with desk(at) as work:
        conn = work.conn
        games.hold(conn, "g3", "the gamesmaster is in hospital", at.clock - timedelta(days=2))
        first = (Period.game_id == "g4", Period.number == 1)
        conn.execute(update(Period).where(*first).values(status="review", due=None))
        conn.execute(
            update(Seat)
            .where(Seat.game_id == "g5", Seat.seat == "A")
            .values(quits=at.clock - timedelta(hours=5))
        )
        conn.execute(update(Seat).where(Seat.game_id == "g6", Seat.seat == "C").values(missed=3))
        Protest.put(conn, Protest("g8", "A", 0, "A seat is missing", at.clock))
        who = games.holders(conn, "g8")["A"].player_id or 0
        Inquiry.put(conn, Inquiry(1, "g8", "A", who, "May I lie?", at.clock))
        EditorLetter.put(
            conn, EditorLetter(1, "A player", "What a month!", False, "g8", "A", who, at.clock)
        )
        someone = players.player(conn, "stand@in.example", "Stand In", at.clock)
        Report.put(conn, Report("g8", "A", 1, "B", "You fool.", at.clock))
        free = FreeSeat("g7", "B", None, Freed.SILENT, at.clock, 1, told=False)
        FreeSeat.add(conn, **free._asdict())
        Offer.add(
            conn,
            game_id=free.game_id,
            seat=free.seat,
            player_id=someone,
            state=OfferState.OPEN,
            made=at.clock,
            until=at.clock + timedelta(days=1),
            address="stand@in.example",
            alone=True,
            code_hash="x",
        )
        to_c = Address.address == address("C")
        back = {"hard_bounces": 2, "last_bounce": "5.1.1 no such user"}
        conn.execute(update(Address).where(to_c).values(**back))
        mail = update(Outgoing).where(Outgoing.seat == "C", Outgoing.kind == "start")
        conn.execute(mail.values(state="refused", reply="550 5.1.1 unknown"))
        alarms.tell(work, "clock", "the clocks differ", "Ours is an hour behind the server's.")
        notes.set_memo(conn, "last_pass", {"at": at.clock.isoformat(), "trouble": ["smtp: down"]})
        table(work, at)


_STATES = ("held", "quarantine", "failed", "unfetchable", "unverified", "late", "unanswered")


def letters(at: Installation) -> None:
    """One letter of B in g in each state that waits."""
    with exclusive_transaction(at.daemon.engine) as conn:
        known = dict(conn.execute(select(Letter.__table__).where(Letter.id == 2)).one()._mapping)
        rows = []
        assert sorted(ATTENTION) == sorted(_STATES)
        for n, state in enumerate(_STATES, 91):
            own: dict[str, Any] = {"id": n, "uid": UID + n, "receipt": n, "effect": None}
            rows.append(known | own | {"outcome": state, "reason": REASON})
        conn.execute(insert(Letter), rows)


def table(work: Any, at: Installation) -> None:
    """An open table at which the gamesmaster approves of each; one is taken, one waits."""
    plan = opening.Plan(TABLE, "coalition", (), "Europe/Paris", seed="7")
    tables.open_(work, tables.Wanted(plan, 5, approve=True))
    for name, place in (("Ann", 1), ("Ben", None)):
        came = {"came": at.clock, "name": name, "address": f"{name.lower()}@{name.lower()}.example"}
        values = {"game_id": TABLE, "wishes": ["B"], "through": "", "until": None, "place": place}
        open_tables.ask(work.conn, ApplicantState.SIGNED, player_id=None, **came, **values)


def things(visitor: Visitor) -> dict[str, str]:
    """What waits on the open page: the id of each heading, and all that is said there."""
    found = {}
    for one in visitor.find(".thing"):
        heading = one.css_first("h2, h3")
        key = (heading.attributes.get("id") if heading else "") or ""
        found[key] = " ".join(one.text().split())
    return found


def the(visitor: Visitor, key: str) -> str:
    return things(visitor)[key]


def give(at: Installation, game: str, to: str) -> None:
    """Another gamesmaster has a game."""
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Game).where(Game.id == game).values(gamesmaster=to))
