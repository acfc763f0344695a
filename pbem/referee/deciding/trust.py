"""Whose a letter is: ask the address of record, redeem codes, replace leaked addresses."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from pbem.house import houses, templates
from pbem.letters import automatic
from pbem.letters.addresses import GAMESMASTER, NO_SEATS, Link, Registration
from pbem.letters.authentication import Level
from pbem.letters.states import LetterState
from pbem.orders.door import answer
from pbem.periods import deputies, publishing
from pbem.post import alarms, codes, masters, outbox
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import made_for_seat, set_token
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.game import receipts
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.mails import mails
from pbem.store.schema.states import GameState, MailState
from pbem.store.schema.tables import Letter

CONFIRMED, OWNED, ACCEPTED, DIRECTED = "confirmed", "owned", "accepted", "directed"
"""How a held letter came to be believed: by its writer's mail, by the holder whose secret address
was used, or by the gamesmaster (then it is never too late)."""
PROBABLY = "probably "
"""Begins the reason while the holder is asked whether it is theirs."""
FOR_ITS_SEAT = (OWNED, DIRECTED)
"""Counts for the stored seat, from any address."""
ON_THEIR_WORD = (ACCEPTED, DIRECTED)
BELIEVED = {
    CONFIRMED: "confirmed by its player",
    OWNED: "confirmed by the player of its seat",
    ACCEPTED: "accepted by the gamesmaster",
    DIRECTED: "accepted by the gamesmaster, for the seat and the period that they said",
}


def probably(work: Work, judged: Judged) -> GameAt | None:
    """Return the game of the seat whose secret address an unknown person used, or None: no such
    seat, DMARC fails, automatic, not running."""
    stray = judged.decision.stray
    if stray is None or stray.seat in NO_SEATS or stray.deputy:
        return None
    listed = automatic.by_list(judged.letter)
    allowed = judged.decision.reply_allowed or listed
    if not allowed or senders.failed(work, judged):
        return None
    game = games.begun(work.conn, stray.game)
    runs = game is not None and game.row.status in (GameState.RUNNING, GameState.HELD)
    return game if runs and game and stray.seat in game.holders else None


def ask_holder(work: Work, judged: Judged, game: GameAt) -> str:
    """Ask the holder whether the letter is theirs. Return why it waits. Void the secret address, so
    nobody is asked twice."""
    stray = judged.decision.stray
    assert stray is not None
    decision = replace(
        judged.decision, game=game.id, seat=stray.seat, registration=stray, no_reply=""
    )
    challenge(work, replace(judged, decision=decision), game, ())
    whose = game.player(stray.seat) or stray.seat
    return (
        f"{PROBABLY}{whose}'s: sent to the secret address of {stray.seat} from"
        f" {judged.letter.sender}"
    )


def challenge(work: Work, judged: Judged, game: GameAt, leaves: Sequence[str]) -> None:
    """Ask the address of record whether a held letter is its holder's or deputy's. The code works
    until the period closes. Beyond the hourly limit questions are merged. leaves: words by which
    they would leave."""
    row, letter, decision = judged.row, judged.letter, judged.decision
    holder, limit = judged.writer(work, game), work.limits.stranger_mails_an_hour
    # ids may change after a restore
    code = work.mark.code(f"confirm/{letter.raw_hash}")
    Letter.change(work.conn, {"id": row.id}, code_hash=code_hash(code))
    if not (holder.address and decision.reply_allowed):
        return
    since = work.now - game.house.an_hour
    kind = receipts.CHALLENGE
    if holder.deputy:
        recent = mails.made(work.conn, since, kind, recipient=holder.address)
    else:
        recent = mails.made(work.conn, since, kind, alone=True, game_id=game.id, seat=holder.seat)
    asked = decision.registration is not None and decision.registration.level is Level.PROVEN
    text = templates.shared(
        "challenge",
        at=game,
        holder=holder,
        letter=letter,
        excerpt=receipts.excerpt(letter.text, work.limits),
        code=code,
        wanted=asked,
        lacks=decision.case.lacks,
        last=recent + 1 == limit and not holder.deputy,
        received=game.minute(row.received),
        before=publishing.before_closing(game),
        leaves=leaves,
        sender=letter.sender,
        strange=not senders.registered(work, letter.sender or ""),
    )
    subject = f"[{game.id}] Is this letter yours?"
    draft = Draft(f"challenge:{row.id}", receipts.CHALLENGE, subject, text).answering(letter)
    if recent < limit:
        outbox.put(work, made_for_seat(work, game, holder, draft))
    elif not holder.deputy:
        outbox.put(work, made_for_seat(work, game, holder, draft), MailState.MERGED)


def confirm(work: Work, judged: Judged, row: Letter) -> LetterOutcome:
    """Redeem the code of a held letter."""
    if row.outcome not in (LetterState.UNVERIFIED, LetterState.HELD) or row.raw is None:
        done = done_already(row)
        told = f"The letter with that code {done}. Your CONFIRM did nothing more."
        senders.tell(work, judged, senders.QUESTION, told if done else codes.UNKNOWN)
        return LetterOutcome(LetterState.COMMAND, "a code that fits no held letter")
    release(work.conn, row.id, CONFIRMED if senders.registered(work, row.sender) else OWNED)
    return LetterOutcome(LetterState.COMMAND, f"confirms letter {row.id}")


def text(judged: Judged) -> str:
    """Return its own words, without files."""
    return judged.letter.body or judged.letter.text


def code_of(judged: Judged) -> str:
    """Return the code that stands where a yes may."""
    names = (judged.letter.sender_name, (judged.letter.sender or "").partition("@")[0])
    return answer.code_of(text(judged), houses.phrases(), names)


def release(conn: Connection, letter_id: int, by: str = CONFIRMED, **values: Any) -> None:
    """Put a held letter back to be decided as its holder's."""
    values = {**values, "authentication": by, "effect": None, "proven": True}
    letters.set_state(conn, letter_id, LetterState.STORED, **values)


def done_already(row: Letter) -> str:
    """Return what was done with it, as the rest of a sentence, or ""."""
    by = BELIEVED.get(row.authentication, "")
    match row.outcome:
        case LetterState.DISMISSED:
            return "was dismissed by the gamesmaster"
        case LetterState.STORED if by:
            return f"was {by}; the referee's next pass takes it"
        case LetterState.STORED if row.decided:
            return "was put back by the gamesmaster (RETRY); the referee's next pass tries it"
        case LetterState.ORDERS | LetterState.COMMAND if by:
            return f"was {by}, and has been taken"
        case LetterState.UNFETCHABLE if not row.attempts:
            return "is fetched again by the referee's next pass as it is"
    return ""


def lapse(work: Work, link: Link) -> None:
    """Void the seat's links of this period: one came from another sender."""
    game = games.begun(work.conn, link.game)
    if game is None or (game.period.number, game.row.edition) != (link.period, link.edition):
        return
    holder = next(one for one in game.holders.values() if link.is_of(game.id, one.seat))
    games.set_seat(work.conn, game.id, holder.seat, link_no=holder.link_no + 1)
    why = "seen with another sender"
    notes.note(work.conn, game.id, work.now, "links-lapsed", seat=holder.seat, why=why)


def change_token(work: Work, stray: Registration) -> None:
    """Replace a secret address that another sender used."""
    if stray.seat == GAMESMASTER:
        masters.rotate(work.conn, work.mark, stray.address)
        text = senders.said("strange_address")
        key, subject = f"stray:{stray.token_hash}", "[pbem] your secret address was changed"
        alarms.put(work, Draft(key, "alarm", subject, text), stray.address)
        return
    if stray.deputy:
        deputies.rotate(work, stray.deputy)
        notes.note(work.conn, stray.game, work.now, "token-rotated", seat=stray.seat, deputy=True)
        return
    holder = games.holders(work.conn, stray.game).get(stray.seat)
    if holder and holder.token_hash == stray.token_hash:
        set_token(work, stray.game, stray.seat, holder.token_no + 1)
        why = "seen with another sender"
        notes.note(work.conn, stray.game, work.now, "token-rotated", seat=stray.seat, why=why)
