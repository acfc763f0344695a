"""CONFIRM with an offer's code: the first to answer takes the free seat, from the address
mailed."""

from __future__ import annotations

from pbem.letters.states import LetterState
from pbem.periods import offer_mails, own_page, persons, record, seat_acts
from pbem.post import alarms
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.trust import code_of
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.joining import offers
from pbem.store.joining.offers import OfferRow
from pbem.store.people import players
from pbem.store.schema.states import GameState, OfferState
from pbem.store.schema.tables import FreeSeat


def confirmed(work: Work, judged: Judged) -> tuple[LetterState, str] | None:
    """Redeem an offer's code. None if it is not one, or another sent it."""
    code, sender = code_of(judged), judged.letter.sender or ""
    offer = offers.of_code(work.conn, code_hash(code)) if code else None
    if offer is None or not judged.decision.reply_allowed:
        return None
    if sender != offer.address and players.at_address(work.conn, sender) != offer.player_id:
        return None
    at = games.game_at(work.conn, offer.game_id)
    row = FreeSeat.one(work.conn, game_id=at.id, seat=offer.seat)
    if row is None or (why := _why_not(work, at, row, offer, sender)):
        why = _free_no_more(at, offer) if row is None else why
        kind = senders.CONFIRMED if sender == offer.address else senders.ANSWER
        senders.tell(
            work, judged, kind, senders.Answer(why, f"[{at.id}] {offer.seat} is not yours")
        )
        return LetterState.COMMAND, f"the code of an offer, without effect: {why}"
    _take(work, at, row, offer)
    offer_mails.yours(work, games.game_at(work.conn, at.id), offer.seat, row.why, judged.letter)
    return LetterState.COMMAND, f"takes {offer.seat} in {at.id} by its code"


def _take(work: Work, at: GameAt, row: FreeSeat, offer: OfferRow) -> None:
    seat, why = offer.seat, offer_mails.WHY[row.why]
    record.count_given_up(work, at, seat)
    seat_acts.take_over(work, at, seat, offer.player_id, why)
    alike = "\n\n".join(persons.alike(work, at.id, offer.address))
    text = f"{offer.name} has taken {seat} in game {at.id}, which was offered to him ({why})."
    alarms.tell(
        work,
        f"taken:{at.id}:{seat}:{at.holders[seat].token_no}",
        f"{offer.name} has taken {seat} in {at.id}",
        "\n\n".join(filter(None, (text, alike))),
        at.id,
    )


def _free_no_more(at: GameAt, offer: OfferRow) -> str:
    seat, game = offer.seat, f"game {at.id} ({at.ruleset.about.title})"
    if at.game.status == GameState.OVER:
        return f"{seat} was offered to you in {game}. The game is over now."
    holder = at.holders[seat]
    if holder.player_id == offer.player_id:
        return f"{seat} in {game} is yours already; nothing was done twice."
    return (
        f"{seat} in {game} is not free any more: it has a player. Thank you for your answer; when"
        " another seat is free, you are asked again."
    )


def _why_not(work: Work, at: GameAt, row: FreeSeat, offer: OfferRow, sender: str) -> str:
    seat = offer.seat
    if offer.made < row.since:
        return _free_no_more(at, offer)
    if sender != offer.address:
        return (
            f"The code for {seat} in game {at.id} was mailed to another of your addresses, and"
            " counts from there only."
        )
    if doubts := persons.to_take(work, at.id, offer.player_id, seat):
        return f"You cannot take {seat} in game {at.id}: {'; '.join(doubts)}."
    if offer.state is OfferState.OPEN:
        return ""
    for one in offers.made(work.conn, row):
        if one.alone and one.state is OfferState.OPEN:
            until = own_page.moment_text(at, one.until)
            return (
                f"Your time for {seat} in game {at.id} is over, and it is offered to another player"
                f" alone until {until}. If he does not take it, your code works again after that."
            )
    return ""
