"""Do an act of a gamesmaster, by shell, mail or desk."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sqlalchemy import Connection

from pbem.acts.act import Act, Who
from pbem.acts.acts import FAMILY
from pbem.errors import OperatorError
from pbem.orders.called import with_seat
from pbem.periods import guards
from pbem.post.work import Work
from pbem.referee.deciding import registry
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.tables import Letter, Outgoing


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does an act."""

    address: str | None = None
    """None for the shell: the installation's gamesmaster."""


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to an act."""

    said: str
    mailed: str | None = None
    """None for said behind the act's word."""
    brief: tuple[str, ...] = ()
    """What the gamesmaster of a new game should know."""
    seen: Any = None
    """The bulletin of a preview, or what a rewind would change."""
    undone: str | None = None
    """What failed; the shell then exits with an error."""


def do(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> Done:
    """Do it. Raise OperatorError if impossible or not his to do."""
    upon = may(work, act, values, actor)
    with notes.by(work.conn, actor.address or "the shell"):
        done: Done = function(act)(work, **values)
    for game_id in upon:
        games.set_game(work.conn, game_id, attended=work.now)
    return done


def function(act: Act) -> Callable[..., Done]:
    """Return what does the act: it is of the same name, in the module of the act's family."""
    name = act.name.replace("-", "_")
    of_family = vars(import_module(f"pbem.referee.acts.{FAMILY[act.name]}"))
    found: Callable[..., Done] = of_family.get(f"{name}_") or of_family[name]
    return found


def called(work: Work, game: str, seat: str) -> str:
    """Return a seat with its player's name, if that is public."""
    at = games.game_at(work.conn, game)
    return with_seat(at.player(seat) if seat in at.holders else None, seat)


def may(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> tuple[str, ...]:
    """Return the games it touches. Raise OperatorError if it is not his to do.

    What touches no game is the installation's gamesmaster's.
    """
    owner = actor.address in (None, work.mark.gamesmaster)
    if act.who is Who.TABLE:
        if not owner and not open_tables.in_hand(work.conn, actor.address or "", values["table"]):
            raise OperatorError(f"you are not the gamesmaster of a table {values['table']}")
        return ()
    upon, certain = _upon(work, values)
    if not upon and not owner:
        raise OperatorError("that is for the gamesmaster of the whole installation")
    if values.get("letter") is not None and values.get("game"):  # it will count there
        upon = tuple(dict.fromkeys((*upon, values["game"])))
    who = None if owner and not certain else actor.address
    for game_id in upon:
        if act.who is Who.NAMED:
            guards.may_name(work.conn, work.mark, game_id, who)
        else:
            guards.may_act(work.conn, work.mark, game_id, who, again=act.reopens)
    return upon


def _upon(work: Work, values: Mapping[str, Any]) -> tuple[tuple[str, ...], bool]:
    """Return the games it touches, and whether that is certain: a letter may be of any of its
    writer's games."""
    if values.get("game") and values.get("letter") is None:
        return (values["game"],), True
    if values.get("letter") is not None:
        row = Letter.one(work.conn, id=values["letter"])
        if row is None or row.game_id:
            return ((row.game_id,) if row else ()), True
        return registry.games_of(work.conn, row.sender), False
    if values.get("mail") is not None:
        mail = Outgoing.one(work.conn, id=values["mail"])
        return ((mail.game_id,) if mail and mail.game_id else ()), True
    for name in ("old", "address"):
        player = players.at_address(work.conn, str(values.get(name) or "").strip().lower())
        if player is not None and player != players.at_address(work.conn, work.mark.gamesmaster):
            return tuple(games.running_of(work.conn, player)), True
    return (), True


def game_of(conn: Connection, values: Mapping[str, Any]) -> str:
    """Return the game that an act touches: named, or that of its letter or mail; or "". Raise
    OperatorError without such a letter or mail."""
    if values.get("letter") is not None:
        return letter(conn, values["letter"]).game_id
    if values.get("mail") is not None:
        row = Outgoing.one(conn, id=values["mail"])
        if row is None:
            raise OperatorError(f"there is no mail {values['mail']}; see `pbem queue`")
        return row.game_id
    return values.get("game") or ""


def letter(conn: Connection, letter_id: int) -> Letter:
    """Return a letter. Raise OperatorError if there is none."""
    row = Letter.one(conn, id=letter_id)
    if row is None:
        raise OperatorError(f"there is no letter {letter_id}; see `pbem queue`")
    return row
