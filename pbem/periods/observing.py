"""Mail observers what is public."""

from __future__ import annotations

from pbem.periods.threads import Firsts
from pbem.post import people
from pbem.post.compose import Draft
from pbem.post.seats import put_to_observers
from pbem.post.work import Work
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.store.people import standbys
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Observer

KIND = "observer"


def issue(work: Work, at: GameAt, draft: Draft, firsts: Firsts) -> None:
    """Mail a bulletin to all; the last frees them."""
    who = standbys.watching(work.conn, at.id)
    put_to_observers(work, at, [(one, firsts.bulletin("", one.address, draft)) for one in who])
    if at.result is not None:
        free(work, at.id, at.ruleset.about.title, "is over")


def begins(work: Work, at: GameAt, player_id: int) -> bool:
    """Mail the newest to a new one. Return whether there is one."""
    number = bulletins.newest(work.conn, at.id)
    texts = bulletins.for_seat(work.conn, at.id, number, "").texts if number is not None else ()
    for who in standbys.watching(work.conn, at.id):
        if who.player_id == player_id and texts:
            key = f"bulletin:{at.id}:{number}:again:{work.now:%Y%m%d%H%M%S%f}"
            subject = f"[{at.id}] Bulletin {number}: as it stands"
            put_to_observers(work, at, [(who, Draft(key, "bulletin", subject, texts[0]))])
    return bool(texts)


def free(work: Work, game_id: str, title: str, why: str) -> None:
    """End watching, as it "is over" or "will not be played"."""
    for who in standbys.watching(work.conn, game_id):
        text = (
            f"{title} ({game_id}) {why}, and you watch it no longer. Thank you for your"
            " interest.\n\nThe word\u00a0GAMES tells you what else is played here."
        )
        key = f"{KIND}:{game_id}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"
        draft = Draft(key, KIND, f"[{game_id}] You watch it no longer", text)
        people.put(work, who.address, draft, rich=who.face != PLAIN)
    Observer.drop(work.conn, game_id=game_id)
