"""INVITE: tell somebody of the games, in the referee's words.

Each address is written to once, ever. The answer never reveals whether it is registered or refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from pbem.errors import OperatorError
from pbem.house import shelf, templates
from pbem.orders.club_words import INVITE
from pbem.orders.mailwords import Command
from pbem.post import people
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.words import watching
from pbem.store.games.club import Watchable, watchable
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.letters import registrations
from pbem.store.people import player_records, players
from pbem.text import safe

A_WEEK = 5
"""For each player."""
_WEEK = timedelta(days=7)


def invite(work: Work, judged: Judged, argument: str) -> str:
    return senders.Answer(_invited(work, judged, argument), "Your invitation")


def carry_out(work: Work, judged: Judged, commands: Sequence[Command]) -> Iterator[str]:
    """Carry out the invitations of a seat's letter. Yield notes."""
    for one in commands:
        if one.name == INVITE:
            yield _invited(work, judged, one.argument)


def _invited(work: Work, judged: Judged, argument: str) -> str:
    written, _, named = argument.partition(" TO ")
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    if player_id is None or not _plays(work, judged, player_id):
        return "INVITE is for players: those who have a seat in a game here, or have finished one."
    if not watching.sure(work, judged):
        return (
            "INVITE needs a letter that proves itself: send it in answer to a mail to your seat."
            " Nobody was invited."
        )
    game = watchable(work.conn, named.lower()) if named else None
    if named and game is None:
        return f"There is no game {named}; the word\u00a0GAMES lists them. Nobody was invited."
    try:
        address = players.mail_address(written)
    except OperatorError as error:
        return f"INVITE: {error}"
    asked = _asked(work, player_id)
    if asked >= A_WEEK:
        return (
            f"You have had {A_WEEK} addresses invited within a week, and no more are. Nobody was"
            " invited now."
        )
    if senders.why_not_invited(work, None):
        return (
            "The referee has written to many new addresses within this hour, and nobody was"
            " invited. Try again in an hour."
        )
    _count(work, player_id)
    game_id = game.id if game else ""
    if not _known(work, address) and open_tables.invite(
        work.conn, address, player_id, game_id, work.now
    ):
        _mail(work, address, player_id, game)
    left = A_WEEK - asked - 1
    return (
        f"{address} is invited in your name, unless that address has been invited before, is known"
        " here already, or wants no such mail: an address is written to once, ever. You can invite"
        f" {left or 'nobody'} more in the week that began with your first."
    )


def _plays(work: Work, judged: Judged, player_id: int) -> bool:
    seated = registrations.of_address(work.conn, judged.letter.sender or "")
    return bool(seated) or player_records.tally(work.conn, player_id).finished > 0


def _known(work: Work, address: str) -> bool:
    ours = open_tables.mailbox(address) == open_tables.mailbox(work.mark.address)
    return ours or senders.registered(work, address)


def _asked(work: Work, player_id: int) -> int:
    """Count his invitations of this week, whatever became of them."""
    return len(_moments(work, player_id))


def _moments(work: Work, player_id: int) -> list[str]:
    told = notes.memo(work.conn, _key(player_id)).get("asked", ())
    return [one for one in told if datetime.fromisoformat(one) > work.now - _WEEK]


def _count(work: Work, player_id: int) -> None:
    asked = [*_moments(work, player_id), work.now.isoformat()]
    notes.set_memo(work.conn, _key(player_id), {"asked": asked})


def _key(player_id: int) -> str:
    return f"invites:{player_id}"


def _mail(work: Work, address: str, player_id: int, game: Watchable | None) -> None:
    title = shelf.open_ruleset(game.ruleset).about.title if game else ""
    text = (
        templates.environment()
        .get_template("_shared/invitation.txt.j2")
        .render(
            by=safe(players.name(work.conn, player_id)),
            game=game.id if game else "",
            title=title,
            joinable=bool(game and open_tables.joinable(work.conn, game.id)),
            gamesmaster=work.mark.gamesmaster,
        )
    )
    draft = Draft(
        f"invited:{code_hash(open_tables.mailbox(address))[:32]}",
        senders.INVITED,
        "An invitation to a game played by mail",
        text,
    )
    people.put(work, address, draft, rich=False)
