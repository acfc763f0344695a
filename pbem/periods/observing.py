"""What those are mailed who watch a game: its bulletins and what else all are told, from the moment
they come to its end. Nothing is made for them: they read what is public."""

from __future__ import annotations

from pbem.periods.threads import Firsts
from pbem.post import people
from pbem.post.compose import Draft
from pbem.post.seats import put_to_observers
from pbem.post.work import Work
from pbem.store.games import bulletins
from pbem.store.games.games import GameAt
from pbem.store.people import observers
from pbem.store.people.players import PLAIN

KIND = "observer"
"""The kind of the mails about watching in the outbox."""


def issue(work: Work, at: GameAt, draft: Draft, firsts: Firsts) -> None:
    """A bulletin to everybody who watches; with that of the game's end he does no longer."""
    who = observers.of_game(work.conn, at.id)
    put_to_observers(work, at, [(one, firsts.bulletin("", one.address, draft)) for one in who])
    if at.result is not None:
        free(work, at.id, at.ruleset.about.title, "is over")


def begins(work: Work, at: GameAt, player_id: int) -> bool:
    """The newest bulletin to somebody who watches from now on; False where there is none yet."""
    number = bulletins.newest(work.conn, at.id)
    texts = bulletins.for_seat(work.conn, at.id, number, "").texts if number is not None else ()
    for who in observers.of_game(work.conn, at.id):
        if who.player_id == player_id and texts:
            key = f"bulletin:{at.id}:{number}:again:{work.now:%Y%m%d%H%M%S}"
            subject = f"[{at.id}] Bulletin {number}: as it stands"
            put_to_observers(work, at, [(who, Draft(key, "bulletin", subject, texts[0]))])
    return bool(texts)


def free(work: Work, game_id: str, title: str, why: str) -> None:
    """Nobody watches a game any more, or an open table, which "is over" or "will not be played":
    whoever did is told."""
    for who in observers.of_game(work.conn, game_id):
        text = (
            f"{title} ({game_id}) {why}, and you watch it no longer. Thank you for your"
            " interest.\n\nThe word\u00a0GAMES tells you what else is played here."
        )
        key = f"{KIND}:{game_id}:{who.player_id}:{work.now:%Y%m%d%H%M%S}"
        draft = Draft(key, KIND, f"[{game_id}] You watch it no longer", text)
        people.put(work, who.address, draft, rich=who.face != PLAIN)
    observers.free(work.conn, game_id)
