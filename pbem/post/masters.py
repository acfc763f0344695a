"""Who does the acts of a game."""

from dataclasses import dataclass

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.letters.authentication import token_hash
from pbem.post.postmark import Postmark
from pbem.store.games import games
from pbem.store.games.game_rows import HandsRow
from pbem.store.joining import open_tables
from pbem.store.people import gamesmasters
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Away, Gamesmaster


@dataclass(frozen=True, slots=True)
class Masters:
    """The gamesmasters of a game, by address."""

    game: str
    gamesmaster: str
    second: str | None
    acting: str | None
    seat: Seat | None
    """The gamesmaster's, until the end."""
    free_second: str | None = None
    """If they play no seat."""
    away: bool = False
    """Whether the second acts for that."""

    @property
    def stands_in(self) -> str | None:
        """Who acts while the gamesmaster is away, or None."""
        return self.free_second if not self.seat else None

    @property
    def contact(self) -> str:
        """Where players write."""
        return self.acting or self.gamesmaster

    @property
    def words(self) -> str:
        """For players."""
        if self.acting == self.gamesmaster:
            return f"The gamesmaster of the game is {self.gamesmaster}."
        if self.away:
            return (
                f"The gamesmaster of the game is {self.gamesmaster}. While they are away,"
                f" {self.acting} does all that is a gamesmaster's to do."
            )
        plays = f"The gamesmaster of the game, {self.gamesmaster}, plays {self.seat} in it"
        if self.acting:
            return (
                f"{plays}: until it is over, {self.acting} does all that is a gamesmaster's to do."
            )
        return (
            f"{plays}, and there is no second one: nobody moves a deadline by hand, rules, or takes"
            " a letter that came late; the game runs by its rules and its calendar alone."
        )


def of(conn: Connection, mark: Postmark, game_id: str, *, again: bool = False) -> Masters:
    """Return a game's gamesmasters. again: as if it ran again. Raise OperatorError."""
    row = _hands(conn, game_id, again=again)
    if row is None:
        row = HandsRow(game_id, games.game(conn, game_id).status, "", "")  # raises
    first = row.gamesmaster or mark.gamesmaster
    seat = _seat(conn, row, first)
    second_may = row.second not in ("", first) and not _seat(conn, row, row.second)
    free = row.second if second_may else None
    days = Away.one(conn, game_id=row.id) if free and not seat else None
    gone = days is not None and days.begun
    acting = free if seat or gone else first
    return Masters(row.id, first, row.second or None, acting, seat, free, gone)


def plays(conn: Connection, game_id: str, address: str, *, again: bool = False) -> Seat | None:
    """Return the seat of an address in an unfinished game, or None. again: as if it ran again."""
    row = _hands(conn, game_id, again=again)
    return _seat(conn, row, address) if row else None


def _hands(conn: Connection, game_id: str, *, again: bool) -> HandsRow | None:
    row = gamesmasters.hands(conn, game_id)
    return row._replace(status=GameState.RUNNING) if row and again else row


def _seat(conn: Connection, row: HandsRow, address: str) -> Seat | None:
    if row.status == GameState.OVER or not address:
        return None
    return games.seat_of_address(conn, row.id, address)


def games_of(conn: Connection, mark: Postmark, address: str) -> dict[str, bool]:
    """Return the games of an address, and whether it may do the acts of each."""
    rows = gamesmasters.hands_of(conn, address, unnamed=address == mark.gamesmaster)
    played: dict[str, frozenset[str]] = {}

    def plays_in(row: HandsRow, who: str) -> bool:
        if row.status == GameState.OVER or not who:
            return False
        if who not in played:
            played[who] = games.played_from(conn, who)
        return row.id in played[who]

    roles = {}
    stood_in = gamesmasters.away_now(conn) if any(row.second for row in rows) else frozenset()
    for row in rows:
        first, own = row.gamesmaster or mark.gamesmaster, plays_in(row, address)
        if first == address:
            roles[row.id] = not own
        elif (row.id in stood_in or plays_in(row, first)) and not own:
            roles[row.id] = True
    return roles


def everybody(conn: Connection, mark: Postmark) -> list[str]:
    """Return the gamesmasters of unfinished games, the installation's first."""
    named = gamesmasters.everybody(conn) - {"", mark.gamesmaster}
    return [mark.gamesmaster, *sorted(named)]


def is_one(conn: Connection, mark: Postmark, address: str) -> bool:
    """Return whether they may write as a gamesmaster."""
    if address == mark.gamesmaster:
        return True
    row = Gamesmaster.one(conn, address=address)
    return row is not None and (
        row.asked > 0
        or bool(gamesmasters.hands_of(conn, address, unnamed=False))
        or open_tables.in_hand(conn, address)
    )


def token(conn: Connection, mark: Postmark, address: str) -> str:
    row = Gamesmaster.one(conn, address=address)
    return _token(mark, address, row.token_no if row else 1)


def enter(conn: Connection, mark: Postmark, address: str) -> None:
    hashed = token_hash(_token(mark, address, 1))
    Gamesmaster.try_add(conn, address=address, token_no=1, token_hash=hashed, asked=0)


def rotate(conn: Connection, mark: Postmark, address: str) -> None:
    enter(conn, mark, address)
    row = Gamesmaster.one(conn, address=address)
    assert row is not None
    number = row.token_no + 1
    hashed = token_hash(_token(mark, address, number))
    Gamesmaster.change(conn, {"address": address}, token_no=number, token_hash=hashed)


def _token(mark: Postmark, address: str, number: int) -> str:
    return mark.token("", f"GM/{address}", number)
