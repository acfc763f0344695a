"""What stand-bys are told."""

from __future__ import annotations

from pbem.letters.letter import Letter
from pbem.periods import offers
from pbem.post import masters
from pbem.post.compose import Draft
from pbem.post.seats import put_to_standby
from pbem.post.work import Work
from pbem.store.games.game_rows import StandbyRow
from pbem.store.games.games import GameAt
from pbem.store.people import standbys
from pbem.store.schema.tables import Standby
from pbem.text import safe

KIND = "standby"
OFF = "To stand by no longer, answer this mail with the one word\u00a0QUIT."


def enlisted(work: Work, at: GameAt, who: StandbyRow) -> None:
    text = (
        f"You stand by for game {at.id}, {at.ruleset.about.title}: when a seat of it needs a new"
        " player, it is offered to the one who has stood by the longest.\n\nUntil then you have"
        " nothing to do, and get none of the game's mails. When your turn comes you are mailed"
        " which seat it is, how the game stands, and by when to answer with a code if you will"
        " play it. Then the rules, the newest bulletin and the seat's own notice come. If you do"
        " not answer by that date, others are asked, and you stand by no longer.\n\n"
        f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, at)}"
    )
    _put(work, at, who, f"You stand by for game {at.id}", text)


def withdrawn(work: Work, at: GameAt, who: StandbyRow, why: str) -> None:
    because = f" He writes: {safe(why.strip())}" if why.strip() else ""
    text = (
        f"The gamesmaster has taken you off the list of those who stand by for game {at.id},"
        f" {at.ruleset.about.title}. You are offered no seat of it any more.{because}\n\nQuestions"
        f" go to him: {_gamesmaster(work, at)}"
    )
    _put(work, at, who, f"You stand by for game {at.id} no longer", text)


def answer(
    work: Work, at: GameAt, who: StandbyRow, letter_id: int, letter: Letter, *, gone: bool
) -> None:
    """Answer: he is off (``gone``), or nothing was taken."""
    offered = " ".join(offers.open_to(work, who.address))
    text = (
        f"You stand by for game {at.id} no longer, and the gamesmaster has been told. Thank you for"
        " having stood by."
        if gone
        else (
            f"You stand by for game {at.id} and play no seat of it yet, so nothing of your letter"
            f" was taken. {offered or 'You will be mailed when a seat is offered to you.'}\n\n"
            f"{OFF} Questions go to the gamesmaster: {_gamesmaster(work, at)}"
        )
    )
    subject = f"Re: {letter.subject.strip() or f'[{at.id}] standing by'}"
    draft = Draft(f"standby-answer:{letter_id}", KIND, subject, text).answering(letter)
    put_to_standby(work, at, who, draft)


def free(work: Work, at: GameAt) -> None:
    text = (
        f"Game {at.id}, {at.ruleset.about.title}, is over, and no seat of it will need a new player"
        " any more. You stand by for it no longer.\n\nThank you for having stood by."
    )
    for who in standbys.of_game(work.conn, at.id):
        _put(work, at, who, f"Game {at.id} is over: you stand by no longer", text)
        Standby.drop(work.conn, game_id=at.id, player_id=who.player_id, invited_for="")


def _put(work: Work, at: GameAt, who: StandbyRow, subject: str, text: str) -> None:
    key = f"standby:{at.id}:{who.id}:{who.player_id}:{work.now:%Y%m%d%H%M%S%f}"  # ids come again
    put_to_standby(work, at, who, Draft(key, KIND, f"[{at.id}] {subject}", text))


def _gamesmaster(work: Work, at: GameAt) -> str:
    return masters.of(work.conn, work.mark, at.id).contact
