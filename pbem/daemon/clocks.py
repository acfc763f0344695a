"""A clock that is not to be trusted: all games are held, and every gamesmaster is told."""

from __future__ import annotations

from datetime import datetime

import structlog

from pbem.periods import holding
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Site
from pbem.store import games
from pbem.store.database import beside
from pbem.store.states import GameState

log = structlog.get_logger()


def hold_all(site: Site, why: str, now: datetime, key: str) -> None:
    """``key``: by which the alarm is known, once a day; "jump" for as often as the clock jumps."""
    log.error("held", why=why)
    with beside(site.engine) as conn:
        running = games.in_state(conn, GameState.RUNNING)
    for game_id in running:
        holding.hold(site, game_id, why, now)
    text = (
        f"All games are held: {why}.\nLook whether the time is right now, then `pbem resume --all`."
    )
    if running and key == "jump":  # the second jump of a day may hold what was resumed since
        key = f"jump:{now:%H%M%S}"
    with site.beside(now) as work:
        alarms.tell(work, key, "all games are held", text)
    if running:
        _tell_others(site, f"{key}:{now:%Y%m%d}", why, now)


def _tell_others(site: Site, key: str, why: str, now: datetime) -> None:
    """The gamesmasters who have not the machine: their games are held as well."""
    text = (
        f"All games are held: {why}. The gamesmaster of the installation has been told to look"
        " whether the time is right now. After that the word RESUME lets a game go on."
    )
    with site.beside(now) as work:
        for who in masters.everybody(work.conn, work.mark):
            acts = any(masters.his(work.conn, work.mark, who).values())
            if acts and who != work.mark.gamesmaster:
                whose = f"held:{key}:{code_hash(who)[:16]}"
                draft = Draft(whose, "alarm", "[pbem] all games are held", text)
                alarms.put(work, draft, who)
