"""A letter of a stand-by player: QUIT takes him off the list."""

from __future__ import annotations

from pbem.errors import RefereeError
from pbem.letters.states import LetterState
from pbem.periods import standing_by, standins
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipts
from pbem.referee.words.leaving import QUIT
from pbem.store.games import games
from pbem.store.mails import mails
from pbem.store.people import players, standbys


def carry_out(work: Work, judged: Judged) -> tuple[LetterState, str]:
    decision = judged.decision
    player_id = players.at_address(work.conn, judged.letter.sender or "")
    who = standbys.of_player(work.conn, decision.game, player_id) if player_id else None
    if who is None:
        raise RefereeError(f"letter {judged.row.id}: its sender stands by for {decision.game} not")
    at = games.begun(work.conn, decision.game)
    if at is None:
        text = f"You stand by for game {decision.game}, which has not begun yet. When it does you"
        senders.tell(work, judged, "question", f"{text} will be mailed what that means.")
        return LetterState.COMMAND, decision.reason
    quits = decision.peeled.asks(QUIT) and decision.proven
    if quits:
        standins.quits(work, at, who)
    kinds, since = (standing_by.KIND,), work.now - receipts.HOUR
    few = mails.made_to(work.conn, who.address, kinds, since) < work.limits.stranger_mails_an_hour
    if decision.reply_allowed and (quits or few):
        standing_by.answer(work, at, who, judged.row.id, judged.letter, gone=quits)
    return LetterState.COMMAND, f"{decision.reason}: {QUIT}" if quits else decision.reason
