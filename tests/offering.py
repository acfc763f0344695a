"""Seats that fall free, and people who are asked to take them."""

from sqlalchemy import select

from pbem.periods.claims import enlist
from pbem.store.games.game_rows import Holder
from pbem.store.joining import claimants, open_tables
from pbem.store.people import players
from pbem.store.schema.states import ApplicantState, OfferState, TableState
from pbem.store.schema.tables import Observer, Offer, OpenTable
from tests.installation import Installation, desk, text_of, told
from tests.subjects import subjects

PAUL, GRETA = "paul@else.example", "greta@else.example"
WANDA, WILL, SECOND = "wanda@else.example", "will@else.example", "wanda@second.example"
FORGER = "forger@else.example"
PEOPLE = (PAUL, GRETA, WANDA, WILL, SECOND, FORGER)
SEATS = ("A", "B", "C", "D", "E")
BRIEFING = ("you are", "What you can send", "is yours")
"""What whoever has a seat is mailed, and nobody else."""


def stand_by(at: Installation, *who: str) -> None:
    with desk(at) as work:
        for one in who:
            enlist(work, "g", one, one.partition("@")[0].capitalize())
    at.once()


def watch(at: Installation, *who: str) -> None:
    with desk(at) as work:
        for one in who:
            name = one.partition("@")[0].capitalize()
            Observer.try_add(
                work.conn,
                game_id="g",
                player_id=players.player(work.conn, one, name, at.clock),
                since=at.clock,
            )


def wait(at: Installation, who: str) -> None:
    """He signed on to the game as it was to be joined, and got no seat."""
    with desk(at) as work:
        player_id = players.player(work.conn, who, "Will", at.clock)
        table = OpenTable(
            id="g",
            ruleset="coalition",
            state=TableState.JOINING,
            places=5,
            plan={},
            seed="7",
            gamesmaster="",
            approve=False,
            reliability=0,
            opened=at.clock,
            starts=None,
            closes=None,
            next_look=None,
        )
        open_tables.new(work.conn, table)
        OpenTable.try_state(work.conn, "g", TableState.BEGUN)
        open_tables.ask(
            work.conn,
            ApplicantState.SIGNED,
            game_id="g",
            address=who,
            name="Will",
            player_id=player_id,
            place=6,
            wishes=[],
            through="",
            came=at.clock,
            until=None,
            code_hash="",
        )


def quits(at: Installation, seat: str = "A") -> None:
    at.send(seat, "QUIT")
    at.send(seat, f"CONFIRM {at.codes(seat)[-1]}")


def takes(at: Installation, who: str, code: str = "", **headers: str) -> str:
    """He answers with his code; what he is told then."""
    at.send(who, f"CONFIRM {code or at.codes(who)[-1]}", **headers)
    return told(at, who) if at.mails(who) else ""


def holder(at: Installation, seat: str = "A") -> Holder:
    return at.table().holders[seat]


def briefed(at: Installation, who: str) -> bool:
    return any(word in one for one in subjects(at, who) for word in BRIEFING)


def passes(at: Installation, seat: str = "A") -> None:
    """The time of all open offers of a seat passes."""
    with desk(at) as work:
        at.clock = max(
            one.until for one in claimants.open_offers(work.conn, "g") if one.seat == seat
        )
    at.once()


def heard(at: Installation, who: str, subject: str) -> str:
    """The text of the newest mail of that subject, on one line."""
    found = [mail for mail in at.mails(who) if str(mail["Subject"]).endswith(subject)]
    return " ".join(text_of(found[-1]).split())


def states(at: Installation) -> list[OfferState]:
    with desk(at) as work:
        return list(work.conn.execute(select(Offer.state)).scalars())
