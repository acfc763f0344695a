"""WATCH and UNWATCH: get a game's public mails without a seat.

Unregistered addresses and unproven letters need a code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.frame.dice import commitment
from pbem.house import shelf
from pbem.letters.authentication import Level
from pbem.pages import sheet
from pbem.pages.links import Links
from pbem.periods import observing
from pbem.post import codes
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.deciding.trust import CONFIRMED
from pbem.store.games import games
from pbem.store.games.club import Watchable, watchable
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.letters import registrations
from pbem.store.people import players, standbys
from pbem.store.schema.tables import Observer, OpenTable
from pbem.text import listed

KIND, END = "watch", "unwatch"
_NOTHING = "You do not watch it"


def watch(work: Work, judged: Judged, argument: str) -> str:
    game, sender = watchable(work.conn, argument.lower()), judged.letter.sender or ""
    player_id = players.at_address(work.conn, sender)
    if why := _why_not(work, game, player_id):
        return why
    assert game
    if player_id is not None and sure(work, judged):
        return _watches(work, game, player_id)
    code = codes.new(work, KIND, sender, watched=game.id)
    letter = Links(codes.reply_to(work, code), f"Re: [{game.id}]").line("yes")
    text = (
        f"You would like to watch {game.id}, {_title(game)}: to be mailed its bulletins, without"
        " playing in it.\n\nTo begin, answer this mail within a week with one"
        f" word:\n\n{sheet.answer_line('yes', letter)}\n\nYou did not ask for this? Then do"
        " nothing, and you get no mail of it. If an answer to this mail does not work for you,"
        f" this line does the same:\n\n{sheet.answer_line(f'CONFIRM {code}')}"
    )
    table = OpenTable.one(work.conn, id=game.id)
    seed = commitment(table.seed) if table else None
    return Answer(text, f"[{game.id}] Would you like to watch?", code, seed)


def watched(work: Work, player_id: int | None) -> list[str]:
    if player_id is None:
        return []
    return [one.game_id for one in standbys.watched_by(work.conn, player_id)]


def confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    game = watchable(work.conn, told["watched"])
    player_id = players.at_address(work.conn, told["by"])
    if why := _why_not(work, game, player_id):
        return why
    assert game
    if player_id is None:
        player_id = players.newcomer(work.conn, told["by"], work.now)
    return _watches(work, game, player_id)


def unwatch(work: Work, judged: Judged, argument: str) -> str:
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    if player_id is None:
        return Answer("You watch no game, so there is nothing to end.", _NOTHING)
    mine = [one.game_id for one in standbys.watched_by(work.conn, player_id)]
    ended = [one for one in mine if argument.lower() in ("", one)]
    if ended and not sure(work, judged):
        return _asks_end(work, judged, ended)
    return _ends(work, player_id, mine, ended, named=bool(argument))


def end_confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    player_id = players.at_address(work.conn, told["by"])
    if player_id is None:
        return Answer("You watch no game, so there is nothing to end.", _NOTHING)
    mine = [one.game_id for one in standbys.watched_by(work.conn, player_id)]
    ended = [one for one in mine if one in told["ended"]]
    return _ends(work, player_id, mine, ended, named=True)


def _asks_end(work: Work, judged: Judged, ended: Sequence[str]) -> str:
    code = codes.new(work, END, judged.letter.sender or "", ended=list(ended))
    text = (
        f"You would like to watch {listed(ended)} no longer. Your letter came without proof that it"
        " is yours, so nothing has happened yet.\n\nIf that was you, answer this mail within a"
        f" week with the one line\n\n{sheet.answer_line(f'CONFIRM {code}')}\n\nIf not, do nothing."
    )
    return Answer(text, f"[{ended[0]}] Would you like to watch it no longer?")


def _ends(
    work: Work, player_id: int, mine: Sequence[str], ended: Sequence[str], *, named: bool
) -> str:
    for game_id in ended:
        Observer.drop(work.conn, game_id=game_id, player_id=player_id)
        _note(work, game_id, "unwatch", player_id)
    if ended:
        again = f"If you did not mean that, write\u00a0WATCH\u00a0{ended[0]}."
        them = "it" if len(ended) == 1 else "them"
        text = f"You watch {listed(ended)} no longer, and get no more mails of {them}. {again}"
        return Answer(text, f"[{ended[0]}] You watch it no longer")
    watched = f" You watch {listed(mine)}." if mine else ""
    called = " of that name" if named else ""
    text = f"You watch no game{called}, so there is nothing to end.{watched}"
    return Answer(text, _NOTHING)


def sure(work: Work, judged: Judged) -> bool:
    """Return whether a registered player's letter proves itself: DMARC, and what his games ask."""
    decision = judged.decision
    seated = bool(registrations.of_address(work.conn, judged.letter.sender or ""))
    proven = decision.authentication is Level.PROVEN and (decision.proven or not seated)
    return proven or judged.row.authentication == CONFIRMED


def _watches(work: Work, game: Watchable, player_id: int) -> str:
    Observer.try_add(work.conn, game_id=game.id, player_id=player_id, since=work.now)
    _note(work, game.id, "watch", player_id)
    at = games.begun(work.conn, game.id) if _is_game(work, game.id) else None
    newest = at is not None and observing.begins(work, at, player_id)
    text = (
        f"You watch {game.id}, {_title(game)}, from now on: you will be mailed its bulletins and"
        " whatever else all its players are told, and nothing that only some of them may know. "
        + ("The newest bulletin comes in a mail of its own." if newest else "")
        + ("The first comes when the game begins." if at is None else "")
        + f"\n\nTo watch it no longer, write to the referee the line\u00a0UNWATCH\u00a0{game.id}."
    )
    return Answer(text, f"[{game.id}] You watch it now")


def _why_not(work: Work, game: Watchable | None, player_id: int | None) -> str:
    if game is None:
        text = "No game of that name can be watched. The word\u00a0GAMES lists those that can."
        return Answer(text, "There is no such game")
    if not game.watch:
        return Answer(f"{game.id} takes no observers.", f"[{game.id}] It takes no observers")
    if player_id is not None and games.plays(work.conn, game.id, player_id):
        text = f"You play in {game.id}, and are mailed all its bulletins in any case."
        return Answer(text, f"[{game.id}] You play in it")
    if player_id is not None and Observer.one(work.conn, game_id=game.id, player_id=player_id):
        return Answer(f"You watch {game.id} already.", f"[{game.id}] You watch it already")
    most = work.limits.observers_a_game
    if standbys.watchers(work.conn, game.id) >= most:
        text = f"{game.id} has all the observers that it can have ({most})."
        return Answer(text, f"[{game.id}] It takes no more observers")
    return ""


def _note(work: Work, game_id: str, kind: str, player_id: int) -> None:
    if _is_game(work, game_id):
        notes.note(work.conn, game_id, work.now, kind, player=player_id)


def _is_game(work: Work, game_id: str) -> bool:
    return open_tables.joinable(work.conn, game_id) is None


def _title(game: Watchable) -> str:
    return shelf.open_ruleset(game.ruleset).about.title
