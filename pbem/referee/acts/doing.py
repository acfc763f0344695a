"""Do an act of a gamesmaster, from the shell or by mail."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.acts.act import Act, Who
from pbem.errors import OperatorError
from pbem.periods import guards
from pbem.post.work import Work
from pbem.referee.acts.act_effects import EFFECTS
from pbem.referee.acts.effect import Done
from pbem.referee.deciding import registry
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.letters import waiting
from pbem.store.mails import mails
from pbem.store.people import players


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does an act."""

    address: str | None = None
    """None for the shell: the installation's gamesmaster."""


def do(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> Done:
    """Do it. Raise OperatorError if impossible or not his to do."""
    upon = may(work, act, values, actor)
    with notes.by(work.conn, actor.address or "the shell"):
        done = EFFECTS[act.name](work, **values)
    for game_id in upon:
        games.set_game(work.conn, game_id, attended=work.now)
    return done


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
        row = waiting.state_of(work.conn, values["letter"])
        if row is None or row.game_id:
            return ((row.game_id,) if row else ()), True
        return registry.games_of(work.conn, row.sender), False
    if values.get("mail") is not None:
        mail = mails.state_of(work.conn, values["mail"])
        return ((mail.game_id,) if mail and mail.game_id else ()), True
    for name in ("old", "address"):
        player = players.at_address(work.conn, str(values.get(name) or "").strip().lower())
        if player is not None and player != players.at_address(work.conn, work.mark.gamesmaster):
            return tuple(games.running_of(work.conn, player)), True
    return (), True
