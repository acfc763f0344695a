"""DEPUTY: a player names who plays for them while they are away. Both confirm; either ends it.

The player's code goes first, then the deputy's. Only the deputy learns whether they may: DEPUTY
must not reveal whose an address is. A deputy's letters do nothing of the player's person.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from pbem.acts.act import Needs
from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.house import templates
from pbem.letters.states import LetterState
from pbem.orders import dates
from pbem.orders.asking import WORDS
from pbem.periods import deputies as acting
from pbem.post import outbox
from pbem.post.compose import Draft
from pbem.post.postmark import code_hash
from pbem.post.seats import made_for_seat, named, put_to_deputy, since, until
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.deciding.senders import Reply
from pbem.store.games import games
from pbem.store.games.game_rows import DeputyRow
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import deputies, players
from pbem.store.schema.states import DeputyState, GameState
from pbem.store.schema.tables import Deputy

said = partial(templates.said, "deputy")
"""Return a text of ``_shared/deputy.txt.j2``."""
WORD, END = "DEPUTY", "END"
LIVES, LEAST = timedelta(days=7), timedelta(minutes=10)
"""How long both codes work; less in short periods."""
MOST_ASKED, WEEK = 5, timedelta(days=7)
"""People asked for a seat in a week: they may not know us."""
PERSONAL = frozenset(name for name, word in WORDS.items() if word.needs is not Needs.NOTHING) - {
    "PRESS",
    "READY",
    "WAIT",
    "CANCEL",
    WORD,
    "UNWATCH",
    "STOP",
}
"""Words that concern a player's person."""


def without_personal(judged: Judged) -> tuple[Judged, list[str]]:
    """Leave out what only the player may say, if a deputy wrote the letter or it counts on the
    gamesmaster's word. Return notes too."""
    if judged.personal:
        return judged, []
    peeled = judged.decision.peeled
    barred = [
        one
        for one in peeled.commands
        if (one.name in PERSONAL or (one.name, one.argument) == ("CANCEL", "QUIT"))
        or (one.name == WORD and one.argument not in (END, ""))
    ]
    if not barred:
        return judged, []
    kept = tuple(one for one in peeled.commands if one not in barred)
    decision = replace(judged.decision, peeled=replace(peeled, commands=kept))
    names = ["CANCEL\u00a0QUIT" if one.name == "CANCEL" else one.name for one in barred]
    whose = "you, their\u00a0deputy" if judged.deputy else "this letter, which is not from them"
    return replace(judged, decision=decision), [said("barred", names, whose)]


def carry_out(work: Work, judged: Judged, game: GameAt) -> list[str]:
    """Carry out a letter's last DEPUTY. Return the answer."""
    asked_for = [one.argument for one in judged.decision.peeled.commands if one.name == WORD]
    if not asked_for:
        return []
    deputy = deputies.of_seat(work.conn, game.id, judged.decision.seat)
    if deputy and not deputy.of_holder:
        deputy = None
    if asked_for[-1] == END:
        return [_ends(work, judged, game, deputy)]
    if not asked_for[-1]:
        return [_stands(game, deputy)]
    try:
        told = _names(work, judged, game, deputy, asked_for[-1])
        return [told] if told else []
    except (dates.Unclear, OperatorError) as error:
        how = "DEPUTY\u00a0ann@example.org\u00a0FROM\u00a01\u00a0July\u00a0TO\u00a020\u00a0July"
        return [f"DEPUTY was not taken: {error}. Write it as in {how}."]


def _stands(game: GameAt, deputy: DeputyRow | None) -> str:
    if deputy is None:
        return "There is no deputy for your seat."
    if deputy.state == DeputyState.ASKED:
        return f"{deputy.address} is asked to be the deputy for your seat, {until(game, deputy)}."
    begins = f"from {since(game, deputy)}, " if deputy.state == DeputyState.CONFIRMED else ""
    return f"{deputy.address} is the deputy for your seat, {begins}{until(game, deputy)}."


def _ends(work: Work, judged: Judged, game: GameAt, deputy: DeputyRow | None) -> str:
    if deputy is None:
        return "DEPUTY\u00a0END: there is no deputy for your seat."
    why = "by the deputy's own wish" if judged.deputy else "by the player's wish"
    acting.end(work, game, deputy, why)
    if deputy.state == DeputyState.ASKED:
        return f"DEPUTY\u00a0END: nobody is asked any more; the code for {deputy.address} is void."
    return "DEPUTY\u00a0END: it is ended, and both of you are mailed so."


def _names(work: Work, judged: Judged, game: GameAt, deputy: DeputyRow | None, written: str) -> str:
    """Mail the code for a named deputy. Return the note. Raise Unclear or OperatorError."""
    address, _, days = written.partition(" ")
    address = players.mail_address(address)
    if game.house.deputies == acting.NONE:
        return "DEPUTY was not taken: by its house rules this game has no deputies."
    holder = game.holders[judged.decision.seat]
    if holder.player_id is None or players.at_address(work.conn, address) == holder.player_id:
        return f"DEPUTY was not taken: {address} is an address of your own."
    if deputy and deputy.state != DeputyState.ASKED:
        return f"DEPUTY was not taken: {_stands(game, deputy)} First write\u00a0DEPUTY\u00a0END."
    mailed = {"game_id": game.id, "seat": holder.seat, "holder_code": ""}
    asked = Deputy.how_many(work.conn, Deputy.asked > work.now - WEEK, **mailed)
    if asked >= MOST_ASKED:
        return f"DEPUTY was not taken: {asked} people have been asked within a week, the most."
    first, last = _time(game, judged.row.received, days)
    if last is not None and last <= work.now:
        return "DEPUTY was not taken: those days are over."
    if not judged.decision.reply_allowed:
        return ""
    if deputy:  # another was asked, or other days meant
        acting.end(work, game, deputy, "another is asked")
    code = work.mark.code(f"deputy/player/{judged.letter.raw_hash}")
    made = deputies.new(
        work.conn,
        game_id=game.id,
        seat=holder.seat,
        holder_id=holder.player_id,
        player_id=None,
        address=address,
        first=max(first, work.now),
        last=last,
        holder_code=code_hash(code),
        asked=work.now,
        until=work.now + game.house.share(LIVES, LEAST),
    )
    notes.note(work.conn, game.id, work.now, "deputy-asked", seat=holder.seat)
    deputy = deputies.deputy(work.conn, made)
    text = _page("deputy_code", work, judged, game, deputy, code)
    subject = f"[{game.id}] {WORD}: do you mean it?"
    draft = Draft(f"deputy:{game.id}:{deputy.id}:code", acting.KIND, subject, text)
    outbox.put(work, made_for_seat(work, game, holder, draft.answering(judged.letter)))
    return said("named", address, _span(game, deputy))


def _time(game: GameAt, received: datetime, days: str) -> tuple[datetime, datetime | None]:
    """Return first and last moment in the game's zone; without days (received, None)."""
    if not days:
        return received, None
    named = dates.days(days, received.astimezone(game.zone).date())
    first, last = calendar.span(*(day.isoformat() for day in named))
    return calendar.moment(first, "00:00", game.zone), calendar.moment(last, "24:00", game.zone)


def _page(name: str, work: Work, judged: Judged, game: GameAt, deputy: DeputyRow, code: str) -> str:
    return templates.shared(
        name,
        at=game,
        holder=game.holders[deputy.seat],
        player=named(game, deputy.seat),
        address=deputy.address,
        span=_span(game, deputy),
        code=code,
        received=game.minute(judged.row.received),
        before=f"before {game.minute(deputy.until)}",
    )


def _span(game: GameAt, who: DeputyRow) -> str:
    begins = "from now on" if who.first <= who.asked else f"from {since(game, who)}"
    return f"{begins}, {until(game, who)}"


def confirmed(
    work: Work, judged: Judged, deputy: DeputyRow, *, hers: bool
) -> LetterOutcome | Reply:
    """Redeem the code of a deputy, or of their player."""
    game = games.game_at(work.conn, deputy.game_id)
    if game.row.status == GameState.OVER:
        return Reply("The game is over. Nothing was done.", f"[{game.id}] {_NO_EFFECT}")
    if not deputy.of_holder:
        text = f"{deputy.seat} has another player now. Nothing was done."
        return Reply(text, f"[{game.id}] {_NO_EFFECT}")
    if not hers:
        return _asks(work, judged, game, deputy)
    if why := acting.impossible(work, game, deputy.seat, deputy.address):
        text = f"You cannot be a deputy in game {game.id}, since {why}. Nothing was done."
        return Reply(text, f"[{game.id}] You cannot be a deputy")
    acting.agreed(work, game, deputy)
    return LetterOutcome(LetterState.COMMAND, f"is the deputy of {deputy.seat} in {game.id}")


def _asks(work: Work, judged: Judged, game: GameAt, deputy: DeputyRow) -> LetterOutcome | Reply:
    if senders.why_not_invited(work, deputy.address):
        text = said("not_asked", deputy.address)
        return Reply(text, f"[{game.id}] Your deputy is not asked yet")
    code = work.mark.code(f"deputy/deputy/{deputy.holder_code}")
    Deputy.change(work.conn, {"id": deputy.id}, holder_code="")
    if why := acting.impossible(work, game, deputy.seat, deputy.address):
        text = said("cannot_be", deputy.seat, game.id, game.ruleset.about.title, why) + "\n"
    else:
        Deputy.change(work.conn, {"id": deputy.id}, deputy_code=code_hash(code))
        text = _page("deputy_asked", work, judged, game, deputy, code)
    subject = f"[{game.id}] Will you play for somebody who is away?"
    asked = Draft(f"deputy:{game.id}:{deputy.id}:asked", senders.INVITED, subject, text)
    put_to_deputy(work, game, deputy, asked)
    until = game.minute(deputy.until)
    text = said("is_asked", deputy.address, game.id, _span(game, deputy), until) + "\n"
    key, subject = f"deputy:{game.id}:{deputy.id}:asking", f"[{game.id}] Your deputy is asked"
    draft = Draft(key, acting.KIND, subject, text).answering(judged.letter)
    outbox.put(work, made_for_seat(work, game, game.holders[deputy.seat], draft))
    reason = f"confirms a deputy for {deputy.seat} in {game.id}, who is asked now"
    return LetterOutcome(LetterState.COMMAND, reason)


def not_now(work: Work, judged: Judged) -> tuple[LetterState, str]:
    """Answer a deputy who is invited, not started, or finished."""
    decision = judged.decision
    game = games.game_at(work.conn, decision.game)
    rows = [
        one
        for one in deputies.known_at(work.conn, judged.letter.sender or "", judged.row.received)
        if one.game_id == game.id
    ]
    deputy = rows[-1] if rows else None
    ends = any((one.name, one.argument) == (WORD, END) for one in decision.peeled.commands)
    there = deputy and deputy.state in (DeputyState.CONFIRMED, DeputyState.ACTING)
    if deputy and there and ends and decision.proven:
        acting.end(work, game, deputy, "by the deputy's own wish")
        return LetterState.COMMAND, f"is the deputy of {deputy.seat} in {game.id} no more"
    state, begins = (deputy.state, since(game, deputy)) if deputy else ("", "")
    text = said("not_now", state, game.id, begins)
    text += " Nothing of your letter was taken." if deputy else ""
    answer = Reply(text, f"[{game.id}] Your letter was not taken")
    senders.tell(work, judged, senders.QUESTION, answer)
    return LetterState.COMMAND, decision.reason


_NO_EFFECT = "Your code has no effect"
