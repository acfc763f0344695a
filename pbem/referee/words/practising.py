"""PRACTICE: a game at once against house bots, for one person.

Unregistered addresses and unproven letters need a code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games import GAMES
from pbem.house import houses, shelf
from pbem.orders.spelling import nearest
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import persons, practice
from pbem.post import codes
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import watching
from pbem.store.joining import practices
from pbem.store.people import players

KIND = "practice"
END = "END"
_OFF = "There are no practice games here. What is open, the word\u00a0GAMES tells you."


def practise(work: Work, judged: Judged, argument: str) -> str:
    if not work.limits.practice_games:
        return Answer(_OFF, "No practice games here")
    sender = judged.letter.sender or ""
    player_id = players.at_address(work.conn, sender)
    if argument.upper() == END:
        return _stop(work, judged, player_id)
    key = argument.lower()
    if key not in GAMES:
        return _which(work, key)
    if player_id is not None and (why := practice.why_not(work, player_id)):
        return _refused(why)
    if player_id is not None and watching.sure(work, judged):
        return _begins(work, player_id, key)
    code = codes.new(work, KIND, sender, practised=key)
    letter = Links(codes.reply_to(work, code), f"Re: Practice: {_title(key)}").line("yes")
    text = (
        f"You would like to practise {_title(key)} against house bots: a game for you alone, in"
        f" which each period closes when you say so. {houses.about(key)}\n\nTo begin, answer this"
        f" mail within a week with one word:\n\n{sheet.answer_line('yes', letter)}\n\nYou did not"
        " ask for this? Then do nothing. If an answer to this mail does not work for you, this line"
        f" does the same:\n\n{sheet.answer_line(f'CONFIRM {code}')}"
    )
    return Answer(text, f"Practice: would you like to play {_title(key)}?", code)


def confirmed(work: Work, judged: Judged, told: Mapping[str, Any]) -> str:
    if not work.limits.practice_games:
        return Answer(_OFF, "No practice games here")
    player_id = persons.registered(work, told["by"], "")
    if why := practice.why_not(work, player_id):
        return _refused(why)
    return _begins(work, player_id, told["practised"])


def _begins(work: Work, player_id: int, key: str) -> Answer:
    game_id = practices.new(work.conn, player_id, key, work.now)
    text = (
        f"Your practice game of {_title(key)} begins: its first mails come in a moment. House bots"
        " play the other seats. A period closes as soon as you answer its notice with READY, and"
        " the next bulletin comes by return. The game counts for nothing, and nobody else sees"
        " it.\n\nTo end it, write the line\u00a0PRACTICE\u00a0END."
    )
    return Answer(text, f"[{game_id}] Your practice game begins")


def _stop(work: Work, judged: Judged, player_id: int | None) -> Answer:
    if player_id is None or not watching.sure(work, judged):
        return Answer(
            "Nothing was ended: your letter came without proof that it is yours. A practice game"
            " ends by itself after two weeks without a letter.",
            "Your practice game",
        )
    return Answer(practice.stop(work, player_id), "Your practice game")


def _which(work: Work, key: str) -> Answer:
    meant = nearest(key.upper(), [one.upper() for one in GAMES]).lower() if key else ""
    first = f'There is no game "{key}".' if key else "A game for you alone, against house bots."
    lines = [f"{first} Which one?"]
    for one in [meant] if meant else GAMES:
        line = f"PRACTICE {one}"
        letter = Links(work.mark.address, "Practice, please").line(line)
        lines += [f"{_title(one)}. {houses.about(one)}", sheet.answer_line(line, letter)]
    return Answer("\n\n".join(lines), "Which game would you like to practise?")


def _refused(why: str) -> Answer:
    return Answer(why, "No practice game was begun")


def _title(key: str) -> str:
    return shelf.open_ruleset(key).about.title
