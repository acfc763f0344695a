"""Look up the sender's seats, and seats whose secret address was used."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.house.config import Config
from pbem.letters import addresses, verdict
from pbem.letters.addresses import DEPUTY, GAMESMASTER, STANDBY, Directed, KnownFacts, Registration
from pbem.letters.authentication import Level, plus_parts, token_hash
from pbem.letters.case import Understands
from pbem.letters.letter import Letter
from pbem.orders.mailwords import AGAIN, STATEMENT, peel
from pbem.post import masters, seats
from pbem.post.postmark import Postmark
from pbem.store.games import games, positions
from pbem.store.letters import registrations
from pbem.store.letters.registrations import RegistrationRow, StandingRow
from pbem.store.people import deputies, players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Gamesmaster

_CHOICE = ((GameState.RUNNING, GameState.HELD), (GameState.WAITING,), (GameState.OVER,))
"""Running games count; else waiting ones; else those over. Statements also reach ended games."""


def known_facts(
    conn: Connection, letter: Letter, config: Config, mark: Postmark, received: datetime
) -> KnownFacts:
    """Return what the verdict needs. received: UTC, by the mail server."""
    ours = frozenset({mark.address.lower()})
    parts = plus_parts(letter.recipients, ours)
    tokens = [token_hash(part) for part in parts]
    linked = [link for part in parts if (link := addresses.read(part))]
    pressed = [one for part in parts if (one := seats.pressed(conn, mark, part))]
    sender = letter.sender or ""
    roles = registrations.roles(conn, sender)
    standing = registrations.standing_by(conn, sender) if roles.standby else ()
    mine = [*registrations.of_address(conn, sender)]
    mine += registrations.of_deputy(conn, sender, received) if roles.deputy else ()
    chosen = _counting(mine, standing)
    ended = [row for row in mine if row.statements_until and row not in chosen and not row.deputy]
    if ended and peel(letter.text).asks(STATEMENT):
        chosen += ended
    over = [row for row in mine if row.status == GameState.OVER and not row.deputy]
    if over and peel(letter.text).asks(AGAIN):
        chosen += [row for row in over if row not in chosen]
    read = {(one.game, one.seat) for one in pressed}
    for row in mine:
        links = any(link.is_of(row.game_id, row.seat) for link in linked)
        if row not in chosen and (links or (row.game_id, row.seat) in read):
            chosen.append(row)
    for token in tokens:
        chosen += registrations.of_token(conn, token, besides=sender)
    found = [
        Registration(
            row.address,
            row.game_id,
            row.seat,
            Level(row.trust),
            row.token_hash,
            bounced=row.soft_bounces > 0,
            over=row.statements_until is not None,
            ended=row.status == GameState.OVER,
            deputy=row.deputy,
        )
        for row in chosen
    ]
    if roles.deputy:
        acting = {row.deputy for row in mine}
        found += [
            Registration(sender, one.game_id, DEPUTY, Level(one.trust), one.token_hash)
            for one in deputies.known_at(conn, sender, received)
            if one.id not in acting
        ]
    for waits in standing:  # they leave by answering our mail, without a code
        hashed = token_hash(mark.standby_token(waits.game_id, waits.player_id))
        found.append(Registration(waits.address, waits.game_id, STANDBY, Level.PROVEN, hashed))
    master = roles.gamesmaster or sender == mark.gamesmaster
    found += _gamesmasters(conn, mark, sender if master else "", tokens)
    return KnownFacts(
        dict.fromkeys(ours, ""),
        frozenset({config.referee.authserv_id.lower()} - {""}),
        tuple(found),
        frozenset(one.game for one in found) - {""},
        mark.key,
        config.referee.date_days,
        frozenset(link for link in linked if seats.is_true(conn, mark, link)),
        frozenset(pressed),
    )


def _counting(
    mine: Sequence[RegistrationRow], standing: Sequence[StandingRow]
) -> list[RegistrationRow]:
    statuses = {row.status for row in mine} | {row.status for row in standing}
    counted = next((states for states in _CHOICE if statuses.intersection(states)), _CHOICE[0])
    return [row for row in mine if row.status in counted]


def directed(facts: KnownFacts, letter: Letter, game: str, seat: Seat, period: int) -> KnownFacts:
    """Return facts for a letter that the gamesmaster directed."""
    sender, place = letter.sender or "", (game, seat)
    own = any((one.address, one.game, one.seat) == (sender, *place) for one in facts.registrations)
    there = () if own else (Registration(sender, game, seat),)
    return replace(
        facts,
        registrations=(*facts.registrations, *there),
        games=facts.games | {game},
        directed=Directed(game, seat, period, own),
    )


def understands(conn: Connection) -> Understands:
    """Return a check whether a text holds a game's order."""

    def asked(game_id: str, text: str) -> bool:
        game = games.game(conn, game_id)
        return bool(verdict.understood(positions.ruleset(conn, game).language, text))

    return asked


def _gamesmasters(
    conn: Connection, mark: Postmark, sender: str, tokens: Sequence[str]
) -> Iterator[Registration]:
    known = {sender} if sender else set[str]()
    known |= {row.address for token in tokens if (row := Gamesmaster.one(conn, token_hash=token))}
    for address in sorted(known):
        if masters.is_one(conn, mark, address):
            hashed = token_hash(masters.token(conn, mark, address))
            yield Registration(address, "", GAMESMASTER, Level.PROVEN, hashed)


def games_of(conn: Connection, sender: str) -> tuple[str, ...]:
    """Return unfinished games in which the address has a seat or is a deputy."""
    player = players.at_address(conn, sender) if sender else None
    if player is None:
        return ()
    return tuple(dict.fromkeys([*games.running_of(conn, player), *deputies.games_of(conn, player)]))
