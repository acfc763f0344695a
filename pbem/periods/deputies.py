"""A deputy's time, of which both are told.

It ends by clock, by either's word, with the game or the seat.
"""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.house import templates
from pbem.letters.authentication import token_hash
from pbem.periods import claims
from pbem.post import masters
from pbem.post.compose import Draft
from pbem.post.seats import as_deputy, deputy_token, named, put_to_deputy, put_to_seat, since, until
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.game_rows import DeputyRow, Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import deputies, players, standbys
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
    his = {players.at_address(work.conn, one) for one in (hands.gamesmaster, hands.second) if one}
    if address in (hands.gamesmaster, hands.second) or (player_id and player_id in his):
        return "you have this game in hand as its gamesmaster"
    if player_id is None:
        return ""
    if games.seats_of(work.conn, game.id, player_id):
        return "you play in this game yourself"
    if standbys.of_player(work.conn, game.id, player_id):
        return "you stand by for this game, and may get a seat of your own"
    seen = {*players.privy_to(work.conn, game.id, player_id)}
    seen.update(deputies.of_player(work.conn, game.id, player_id))
    if seen - {seat}:
        return "you have seen, or will see, the private mails of another seat of this game"
    return ""


def agreed(work: Work, game: GameAt, who: DeputyRow) -> None:
    player_id = players.newcomer(work.conn, who.address, work.now)
    players.works(work.conn, who.address)  # its code came back
    deputies.set_state(
        work.conn,
        who.id,
        DeputyState.CONFIRMED,
        player_id=player_id,
        deputy_code="",
        first=max(who.first, work.now),
        token_hash=token_hash(deputy_token(work.mark, who, who.token_no)),
    )
    notes.note(work.conn, game.id, work.now, "deputy", seat=who.seat, deputy=player_id)
    who = deputies.deputy(work.conn, who.id)
    text = f"{who.seat} has a deputy {_days(game, who)}."
    notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    text = (
        f"{who.address} has agreed, and is your deputy in game {game.id} {_time(game, who)}. In"
        " that time letters from there count as yours: of both the latest counts. Receipts go"
        " to both of you, and each says who wrote. You may write at any time too.\n\nTo end it,"
        " write\u00a0DEPUTY\u00a0END. You are mailed when it ends."
    )
    _to_player(work, game, who, "agreed", "You have a deputy", text)
    if who.first <= work.now:
        return  # :func:`step` sends what she needs in this pass
    text = (
        f"You have agreed, and are the deputy of {_of(game, who)}, {_time(game, who)}. When that"
        " time begins you are mailed all that you need; until then there is nothing to do.\n\nTo"
        " end it, write\u00a0DEPUTY\u00a0END."
    )
    _to_deputy(work, game, who, "agreed", "You will be a deputy", text)


def begin(work: Work, game: GameAt, who: DeputyRow) -> None:
    deputies.set_state(work.conn, who.id, DeputyState.ACTING)
    if who.player_id is not None:
        Privy.try_add(work.conn, game_id=game.id, seat=who.seat, player_id=who.player_id)
    notes.note(work.conn, game.id, work.now, "deputy-begins", seat=who.seat, deputy=who.player_id)
    who = deputies.deputy(work.conn, who.id)
    text = templates.shared("deputy_begins", at=game, whose=_of(game, who), until=until(game, who))
    _to_deputy(work, game, who, "begins", "You are a deputy now", text)
    claims.brief(work, game, as_deputy(game.holders[who.seat], who))


def rotate(work: Work, deputy_id: int) -> None:
    who = deputies.deputy(work.conn, deputy_id)
    number = who.token_no + 1
    hashed = token_hash(deputy_token(work.mark, who, number))
    Deputy.change(work.conn, {"id": who.id}, token_no=number, token_hash=hashed)


def end(work: Work, game: GameAt, who: DeputyRow, why: str, *, by_time: bool = False) -> None:
    """End her time or request; tell those who knew. ``by_time``: on the last day."""
    last = min(filter(None, (who.last, work.now)))
    deputies.set_state(
        work.conn, who.id, DeputyState.ENDED, last=last, holder_code="", deputy_code=""
    )
    notes.note(work.conn, game.id, work.now, "deputy-ends", seat=who.seat, why=why)
    if who.state == DeputyState.ASKED:
        return
    if not by_time:
        text = f"{who.seat} has no deputy any more."
        notes.rule(work.conn, game.id, NoteKind.HOUSE, text, work.now)
    if who.of_holder:
        text = (
            f"{who.address} is no longer your deputy in game {game.id}: {why}. Letters from there"
            " count no more, and none of your mails go there."
        )
        _to_player(work, game, who, "ended", "You have no deputy any more", text)
    text = (
        f"You are no longer the deputy of {_of(game, who)}: {why}. Your letters count for the seat"
        " no more, and you get none of its mails.\n\nThank you for having helped out."
    )
    _to_deputy(work, game, who, "ended", "You are a deputy no longer", text)


def due(conn: Connection, now: datetime) -> list[tuple[str, int]]:
    return [(one.game_id, one.id) for one in deputies.live(conn) if _is_due(one, now)]


def _is_due(who: DeputyRow, now: datetime) -> bool:
    asked = who.state == DeputyState.ASKED
    return (
        who.status == GameState.OVER
        or not who.of_holder
        or (asked and who.until < now)
        or (not asked and _over(who, now))
        or (who.state == DeputyState.CONFIRMED and who.first <= now)
        or (who.state == DeputyState.ACTING and bool(who.came_back) and not who.troubled)
    )


def _over(who: DeputyRow, now: datetime) -> bool:
    return who.last is not None and who.last < now


def step(work: Work, game_id: str, deputy_id: int) -> None:
    who = deputies.deputy(work.conn, deputy_id)
    if who.state == DeputyState.ENDED or not _is_due(who, work.now):
        return  # another daemon did it
    at = games.game_at(work.conn, game_id)
    if who.status == GameState.OVER:
        end(work, at, who, "the game is over", by_time=True)
    elif not who.of_holder:
        end(work, at, who, f"{who.seat} has another player")
    elif who.state == DeputyState.ASKED:
        _unanswered(work, at, who)
    elif _over(who, work.now):
        end(work, at, who, "the time is over", by_time=True)
    elif who.state == DeputyState.CONFIRMED:
        _begin_or_not(work, at, who)
    else:
        _trouble(work, at, who)


def _unanswered(work: Work, game: GameAt, who: DeputyRow) -> None:
    end(work, game, who, "no answer")
    if who.holder_code:
        return  # the player did not confirm: nobody else was asked
    text = (
        f"{who.address} has not agreed to be your deputy in game {game.id} within the time for it,"
        " and is not. To ask again, or somebody else, write\u00a0DEPUTY and an address."
    )
    _to_player(work, game, who, "unanswered", "You have no deputy", text)


def _begin_or_not(work: Work, game: GameAt, who: DeputyRow) -> None:
    """Begin unless she has a seat by now."""
    before = who.seat
    if impossible(work, game, before, who.reaches):
        end(work, game, who, "anyone who plays, stands by or has a game in hand is no deputy in it")
        return
    begin(work, game, who)
    if not Outgoing.has(work.conn, key=f"deputy:{game.id}:{who.id}:agreed:her"):
        return  # it began when she agreed; he knows
    text = (
        f"From now on {who.address} is your deputy in game {game.id},"
        f" {until(game, who)}. To end it, write\u00a0DEPUTY\u00a0END."
    )
    _to_player(work, game, who, "begins", "Your deputy's time begins", text)


def _trouble(work: Work, game: GameAt, who: DeputyRow) -> None:
    Deputy.change(work.conn, {"id": who.id}, troubled=True)
    text = (
        f"A mail to your deputy in game {game.id}, {who.address}, came back, so perhaps none"
        " reaches them. They stay your deputy. To end it, write\u00a0DEPUTY\u00a0END; then you may"
        " name another."
    )
    _to_player(work, game, who, "troubled", "Mail to your deputy came back", text)


def _of(game: GameAt, who: DeputyRow) -> str:
    name = named(game, who.seat) if who.of_holder else f"a player of {who.seat}"
    return f"{name} in game {game.id}, {game.ruleset.about.title}"


def _time(game: GameAt, who: DeputyRow) -> str:
    return f"from {since(game, who)}, {until(game, who)}"


def _days(game: GameAt, who: DeputyRow) -> str:
    first = day_words(who.first.astimezone(game.zone))
    if who.last is None:
        return f"from {first} on"
    return f"from {first} to {day_words((who.last - _SECOND).astimezone(game.zone))}"


def _to_player(
    work: Work, game: GameAt, who: DeputyRow, what: str, subject: str, text: str
) -> None:
    holder: Holder = game.holders[who.seat]
    key = f"deputy:{game.id}:{who.id}:{what}"
    put_to_seat(work, game, holder, Draft(key, KIND, f"[{game.id}] {subject}", f"{text}\n"))


def _to_deputy(
    work: Work, game: GameAt, who: DeputyRow, what: str, subject: str, text: str
) -> None:
    key = f"deputy:{game.id}:{who.id}:{what}:her"
    put_to_deputy(work, game, who, Draft(key, KIND, f"[{game.id}] {subject}", f"{text}\n"))
