"""A deputy's time, of which both are told.

It ends by clock, by either's word, with the game or the seat.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from pbem.letters.authentication import token_hash
from pbem.periods import claims, own_page
from pbem.post import masters
from pbem.post.compose import Draft
from pbem.post.seats import as_deputy, deputy_token, named, put_to_deputy, put_to_seat, since, until
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.game_rows import DeputyRow
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants
from pbem.store.journal import notes
from pbem.store.people import deputies, players
from pbem.store.schema.states import DeputyState, GameState, NoteKind
from pbem.store.schema.tables import Deputy, Outgoing, Privy
from pbem.text import day_words

KIND = "deputy"
NONE = "none"
"""House rule: no deputies are allowed. Else all are told of one, not whom."""
_SECOND = timedelta(seconds=1)


def impossible(work: Work, game: GameAt, seat: str, address: str) -> str:
    hands = masters.of(work.conn, work.mark, game.id)
    player_id = players.at_address(work.conn, address)
    led = {players.at_address(work.conn, one) for one in (hands.gamesmaster, hands.second) if one}
    if address in (hands.gamesmaster, hands.second) or (player_id and player_id in led):
        return "you have this game in hand as its gamesmaster"
    if player_id is None:
        return ""
    if games.seats_of(work.conn, game.id, player_id):
        return "you play in this game yourself"
    if claimants.person(work.conn, game.id, player_id).stands_by:
        return "you stand by for this game, and may get a seat of your own"
    seen = {*players.privy_to(work.conn, game.id, player_id)}
    seen.update(deputies.of_player(work.conn, game.id, player_id))
    if seen - {seat}:
        return "you have seen, or will see, the private mails of another seat of this game"
    return ""


def agreed(work: Work, game: GameAt, deputy: DeputyRow) -> None:
    player_id = players.newcomer(work.conn, deputy.address, work.now)
    players.works(work.conn, deputy.address)  # its code came back
    hashed = token_hash(deputy_token(work.mark, deputy, deputy.token_no))
    plays = {"first": max(deputy.first, work.now), "token_hash": hashed}
    person = {"player_id": player_id, "deputy_code": ""}
    deputies.set_state(work.conn, deputy.id, DeputyState.CONFIRMED, **person, **plays)
    notes.note(work.conn, game.id, work.now, "deputy", seat=deputy.seat, deputy=player_id)
    deputy = deputies.deputy(work.conn, deputy.id)
    text = f"{deputy.seat} has a deputy {_days(game, deputy)}."
    notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    _to_player(work, game, deputy, "agreed")
    if deputy.first > work.now:  # else :func:`step` sends what the deputy needs in this pass
        _to_deputy(work, game, deputy, "agreed")


def begin(work: Work, game: GameAt, deputy: DeputyRow) -> None:
    deputies.set_state(work.conn, deputy.id, DeputyState.ACTING)
    if deputy.player_id is not None:
        Privy.try_add(work.conn, game_id=game.id, seat=deputy.seat, player_id=deputy.player_id)
    notes.note(
        work.conn, game.id, work.now, "deputy-begins", seat=deputy.seat, deputy=deputy.player_id
    )
    deputy = deputies.deputy(work.conn, deputy.id)
    _to_deputy(work, game, deputy, "begins")
    claims.brief(work, game, as_deputy(game.holders[deputy.seat], deputy))


def rotate(work: Work, deputy_id: int) -> None:
    who = deputies.deputy(work.conn, deputy_id)
    number = who.token_no + 1
    hashed = token_hash(deputy_token(work.mark, who, number))
    Deputy.change(work.conn, {"id": who.id}, token_no=number, token_hash=hashed)


def end(work: Work, game: GameAt, deputy: DeputyRow, why: str, *, by_time: bool = False) -> None:
    """End a deputy's time or request; tell those who knew. ``by_time``: on the last day."""
    last = min(filter(None, (deputy.last, work.now)))
    deputies.set_state(work.conn, deputy.id, DeputyState.ENDED, last=last, deputy_code="")
    notes.note(work.conn, game.id, work.now, "deputy-ends", seat=deputy.seat, why=why)
    if deputy.state == DeputyState.ASKED:
        return
    if not by_time:
        text = f"{deputy.seat} has no deputy any more."
        notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    if deputy.of_holder:
        _to_player(work, game, deputy, "ended", why)
    _to_deputy(work, game, deputy, "ended", why)


def due(conn: Connection, now: datetime) -> list[tuple[str, int]]:
    return [(one.game_id, one.id) for one in deputies.live(conn) if _next(one, now)]


def _next(who: DeputyRow, now: datetime) -> Callable[[Work, GameAt, DeputyRow], None] | None:
    """Return what is to be done about a deputy now, or None."""
    asked, ends = who.state == DeputyState.ASKED, partial(end, by_time=True)
    cases = (
        (who.status == GameState.OVER, partial(ends, why="the game is over")),
        (not who.of_holder, partial(end, why=f"{who.seat} has another player")),
        (asked and who.until < now, _unanswered),
        (not asked and who.last and who.last < now, partial(ends, why="the time is over")),
        (who.state == DeputyState.CONFIRMED and who.first <= now, _begin_or_not),
        (who.state == DeputyState.ACTING and who.came_back and not who.troubled, _trouble),
    )
    return next((do for is_so, do in cases if is_so), None)


def step(work: Work, game_id: str, deputy_id: int) -> None:
    deputy = deputies.deputy(work.conn, deputy_id)
    do = _next(deputy, work.now)
    if do and deputy.state != DeputyState.ENDED:  # else another daemon did it
        do(work, games.game_at(work.conn, game_id), deputy)


def _unanswered(work: Work, game: GameAt, deputy: DeputyRow) -> None:
    end(work, game, deputy, "no answer")
    if not deputy.holder_code:  # else the player did not confirm: nobody else was asked
        _to_player(work, game, deputy, "unanswered")


def _begin_or_not(work: Work, game: GameAt, deputy: DeputyRow) -> None:
    """Begin unless the deputy has a seat by now."""
    if impossible(work, game, deputy.seat, deputy.reaches):
        why = "anyone who plays, stands by or has a game in hand is no deputy in it"
        end(work, game, deputy, why)
        return
    begin(work, game, deputy)
    # else it began when the deputy agreed; the player knows
    if Outgoing.has(work.conn, key=f"deputy:{game.id}:{deputy.id}:agreed:her"):
        _to_player(work, game, deputy, "begins")


def _trouble(work: Work, game: GameAt, deputy: DeputyRow) -> None:
    Deputy.change(work.conn, {"id": deputy.id}, troubled=True)
    _to_player(work, game, deputy, "troubled")


def _days(game: GameAt, who: DeputyRow) -> str:
    first = day_words(who.first.astimezone(game.zone))
    if who.last is None:
        return f"from {first} on"
    return f"from {first} to {day_words((who.last - _SECOND).astimezone(game.zone))}"


def _to_player(work: Work, game: GameAt, who: DeputyRow, what: str, why: str = "") -> None:
    put_to_seat(work, game, game.holders[who.seat], _draft(game, who, what, why))


def _to_deputy(work: Work, game: GameAt, who: DeputyRow, what: str, why: str = "") -> None:
    draft = _draft(game, who, f"{what}:deputy", why)
    key = f"deputy:{game.id}:{who.id}:{what}:her"
    put_to_deputy(work, game, who, replace(draft, key=key))


def _draft(game: GameAt, who: DeputyRow, what: str, why: str) -> Draft:
    name = named(game, who.seat) if who.of_holder else f"a player of {who.seat}"
    whose = f"{name} in game {game.id}, {game.ruleset.about.title}"
    known = {"whose": whose, "since": since(game, who), "until": until(game, who)}
    key = f"deputy:{game.id}:{who.id}:{what}"
    return own_page.draft(game, key, KIND, "deputies", what=what, who=who, why=why, **known)
