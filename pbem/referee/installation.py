"""Who may have written a letter: from the tables to the frozen ``Installation`` that the verdict is
given on.

Only what concerns this letter is looked up: the seats of its sender, and the seats whose secret
address it was sent to.
"""

from __future__ import annotations

from sqlalchemy import Connection

from pbem.letters import verdict
from pbem.letters.authentication import Level, plus_parts, token_hash
from pbem.letters.case import GAMESMASTER, STANDBY, Installation, Registration, Understands
from pbem.letters.letter import Letter
from pbem.post import alarms
from pbem.post.postmark import Postmark
from pbem.store import games, registrations, shelf, standbys
from pbem.store.config import Config
from pbem.store.letter_rows import RegistrationRow, StandingRow
from pbem.store.states import GameState

_CHOICE = ((GameState.RUNNING, GameState.HELD), (GameState.WAITING,), (GameState.OVER,))
"""Of a sender's games those count that run; if none does, those that wait; if none, those that are
over."""


def installation(conn: Connection, letter: Letter, config: Config, mark: Postmark) -> Installation:
    """What the referee knows that bears on this letter."""
    ours = frozenset({mark.address.lower()})
    tokens = [token_hash(part) for part in plus_parts(letter.recipients, ours)]
    sender = letter.sender or ""
    mine = registrations.of_address(conn, sender)
    standing = standbys.of_address(conn, sender)
    statuses = {row.status for row in mine} | {row.status for row in standing}
    counted = next((states for states in _CHOICE if statuses.intersection(states)), _CHOICE[0])
    chosen = [row for row in mine if row.status in counted]
    for token in tokens:
        chosen += registrations.of_token(conn, token, besides=sender)
    found = [_registration(row) for row in chosen]
    found += [_standing_by(row, mark) for row in standing]
    if tokens or letter.sender == config.referee.gamesmaster.lower():
        commanding = gamesmaster(conn, config, mark)
        if letter.sender == commanding.address or commanding.token_hash in tokens:
            found.append(commanding)
    ids = {config.referee.authserv_id.lower()} - {""}
    return Installation(
        dict.fromkeys(ours, ""),
        frozenset(ids),
        tuple(found),
        frozenset(one.game for one in found) - {""},
        mark.key,
        config.referee.date_days,
    )


def understands(conn: Connection) -> Understands:
    """Whether a text holds an order of a game, asked of the game's own tables."""

    def asked(game_id: str, text: str) -> bool:
        game = games.game(conn, game_id)
        return bool(
            verdict.understood(shelf.open_ruleset(game.ruleset, game.tables).language, text)
        )

    return asked


def _registration(row: RegistrationRow) -> Registration:
    level = Level.named(row.trust)
    return Registration(
        row.address,
        row.game_id,
        row.seat,
        level,
        row.token_hash,
        row.pgp_key,
        bounced=row.soft_bounces > 0,
    )


def _standing_by(row: StandingRow, mark: Postmark) -> Registration:
    """Whoever stands by: he leaves by an answer to a mail of ours, as whoever plays does by a
    code."""
    hashed = token_hash(mark.standby_token(row.game_id, row.player_id))
    return Registration(row.address, row.game_id, STANDBY, Level.TOKEN, hashed, row.pgp_key)


def gamesmaster(conn: Connection, config: Config, mark: Postmark) -> Registration:
    """The gamesmaster's own registration: his commands need the token level at least."""
    hashed = token_hash(alarms.token(conn, mark))
    return Registration(config.referee.gamesmaster.lower(), "", GAMESMASTER, Level.TOKEN, hashed)
