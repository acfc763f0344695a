"""What the tests of gamesmasters share: their games, and letters of theirs."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from sqlalchemy import insert, select, update

from pbem.acts.act import Act, Kind
from pbem.periods import opening
from pbem.post import masters
from pbem.store.engine.database import exclusive_transaction
from pbem.store.games import games
from pbem.store.schema.tables import Letter, Outgoing, Period
from tests.installation import SEATS, Installation, address, desk, text_of, vouched
from tests.shell import Shell

ANNA, BRUNO, CARLA = (f"{name}@else.example" for name in ("anna", "bruno", "carla"))


OTHERS = (ANNA, BRUNO, CARLA)


HEAD = "GAME {game}\nPERIOD 1\n"


def make(at: Installation, game: str, **plan: Any) -> None:
    """A game more, which begins at once."""
    seated = plan.pop("seated", {})
    players = [(seat, seated.get(seat, address(seat)), f"Player {seat}") for seat in SEATS]

    def begin() -> None:
        with desk(at) as work:
            opening.new(work, opening.Plan(game, "coalition", players, "Europe/Paris", **plan))
            opening.start(work, game)
        at.once()

    at.step(("make", game, repr(players), repr(plan)), begin)


def reply_to(at: Installation, who: str) -> str:
    """The secret address of a gamesmaster, which is none of a seat's."""
    with desk(at) as work:
        masters.enter(work.conn, work.mark, who)
        return str(work.mark.plus(masters.token(work.conn, work.mark, who)))


def command(at: Installation, who: str, text: str, to: str = "", game: str = "h") -> str:
    """A letter of somebody's to the secret address of his newest mail; what he is answered."""
    before = len(at.mails(who))
    to = to or reply_to(at, who)
    at.send(
        who,
        text
        if text.startswith(("CONFIRM", "QUEUE", "DESK", "HELP"))
        else HEAD.format(game=game) + text,
        To=to,
        Authentication_Results=vouched(who),
    )
    return "\n".join(text_of(mail) for mail in at.mails(who)[before:])


def done(at: Installation, who: str, text: str, to: str = "", game: str = "h") -> str:
    """Send a command, then its code. Return the answer to that."""
    return command(at, who, f"CONFIRM {code_in(command(at, who, text, to, game))}", to)


def code_in(text: str) -> str:
    found = re.search(r"CONFIRM (\S+)", text)
    assert found, text
    return found[1]


def code_to(at: Installation, who: str) -> str:
    """The newest code in a mailbox."""
    return next(
        code_in(text_of(mail)) for mail in reversed(at.mails(who)) if "CONFIRM" in text_of(mail)
    )


def period(at: Installation, game: str = "h") -> games.GameAt:
    with exclusive_transaction(at.daemon.engine) as conn:
        return games.game_at(conn, game)


def started(at: Installation, seat: str, game: str) -> Any:
    return next(one for one in at.mails(seat) if str(one["Subject"]).startswith(f"[{game}] Coal"))


def ways(act: Act) -> Iterator[frozenset[str]]:
    """The arguments that are given, in each way of using the act."""
    named_ = frozenset().union(*act.ways)
    for way in act.ways or (frozenset(),):
        yield frozenset(
            one.name for one in act.arguments if one.name not in named_ or one.name in way
        )


def written(at: Installation, act: Act, given: frozenset[str], game: str) -> dict[str, Any]:
    """Values that are upon a game in some way."""
    said: dict[Kind, Any] = {
        Kind.GAME: game,
        Kind.SEAT: "B",
        Kind.ADDRESS: address("B"),
        Kind.FLAG: True,
        Kind.NUMBER: 1,
    }
    values = {
        one.name: said.get(one.kind, "x") if one.name in given else None for one in act.arguments
    }
    if values.get("letter"):
        values["letter"] = a_letter(at, game)
    if "mail" in values:
        with exclusive_transaction(at.daemon.engine) as conn:
            found = select(Outgoing.id).where(Outgoing.game_id == game, Outgoing.seat == "B")
            values["mail"] = conn.execute(found).scalars().first()
    return values


def a_letter(at: Installation, game: str, sender: str = "", days: int = 0) -> int:
    """A letter of B's that waits."""
    with exclusive_transaction(at.daemon.engine) as conn:
        then = at.clock - timedelta(days=days)
        number = len(conn.execute(select(Letter.id)).all())
        row = conn.execute(
            insert(Letter).values(
                account="a",
                folder="INBOX",
                uidvalidity=1,
                uid=900 + number,
                received=then,
                seen=then,
                raw=at.letter("B", f"GAME {game}\nSPECIAL ENV"),
                raw_hash=f"x{number}",
                outcome="held",
                decided=then,
                sender=sender or address("B"),
                game_id="" if sender else game,
                seat="" if sender else "B",
            )
        )
        return int(row.inserted_primary_key[0])


INSTALLATION = {
    ("restore", "release_outbox"),
    ("rotate", "gamesmaster"),
    ("resume", "everything"),
    ("print-letter", "number"),
}
"""The ways of acts that are upon no game: for the installation's gamesmaster, though he plays."""


FOR_WHO_PLAYS = {"start", "master", "away"}
"""Acts by which he looks at nothing."""


def new(shell: Shell, game: str, first: str, *more: str) -> str:
    seats = [f"A={first},Player A", *(f"{s}={address(s)},Player {s}" for s in SEATS[1:])]
    said = shell("new", "coalition", game, *(w for s in seats for w in ("--player", s)), *more)
    shell("start", game)
    shell("once")
    return said


def hold_deadlines(at: Installation) -> None:
    """No period closes meanwhile."""
    with exclusive_transaction(at.daemon.engine) as conn:
        conn.execute(update(Period).values(due=None, next_look=None))
