"""A player's question waits for the gamesmaster's answer.

A protest against an adjudication. It stands until the next deadline.
"""

from collections import defaultdict
from datetime import timedelta

from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.pages import sheet
from pbem.periods import away
from pbem.periods.guards import guarded, known
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.seats import put_to_seat
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Inquiry, Protest
from pbem.text import day_words, safe

KIND = "answer"
MOST = 5
"""Questions of a seat that may wait."""
PATIENCE = timedelta(days=3)
"""A question waits so long before its asker is told."""


def whom(work: Work, game: GameAt) -> str:
    """Return who answers questions, as "Karl" or "the gamesmaster"; "" if nobody may."""
    to = masters.of(work.conn, work.mark, game.id).acting
    if game.practice or not to or game.row.status == GameState.OVER:
        return ""
    return safe(players.name_at(work.conn, to)) or "the gamesmaster"


def ask(work: Work, game: GameAt, seat: Seat, letter: int, text: str) -> str:
    """Send a seat's question to the gamesmaster. Return the answer to the seat."""
    answerer, player = whom(work, game), game.holders[seat].player_id
    if not answerer or player is None:
        return "Your question went to nobody: no gamesmaster may answer it."
    if len([one for one in _of_seat(work, game, seat) if one.letter != letter]) >= MOST:
        return f"Your question was not sent: {MOST} of yours wait for an answer already."
    Inquiry.put(work.conn, Inquiry(letter, game.id, seat, player, safe(text), work.now))
    notes.note(work.conn, game.id, work.now, "question", seat=seat, letter=letter)
    commands, said = (f"answer {letter} TEXT",), safe(text)
    alarms.say(work, f"question:{letter}", "question", game.id, commands, seat=seat, said=said)
    has = f'{answerer[:1].upper()}{answerer[1:]} has your question: "{safe(text)}"'
    return f"{has}{away.waits(work, game.id)}"


def _of_seat(work: Work, game: GameAt, seat: Seat, *, press: bool = False) -> list[Inquiry]:
    order = Inquiry.since
    return Inquiry.many(work.conn, order=order, game_id=game.id, seat=seat, press=press)


def press_waits(work: Work, game: GameAt, seat: Seat, letter: int, text: str) -> None:
    """Keep a seat's answer to the gamesmaster's press until they answer it: the newest ``MOST``."""
    player = game.holders[seat].player_id or 0
    one = Inquiry(letter, game.id, seat, player, text, work.now, late=True, press=True)
    Inquiry.put(work.conn, one)
    for old in _of_seat(work, game, seat, press=True)[:-MOST]:
        Inquiry.drop(work.conn, letter=old.letter)


def answer(work: Work, letter: int, text: str, *, to_all: bool) -> Inquiry:
    """Answer the question of a letter; to_all: its asker reads it with the others. Return it.
    Raise OperatorError."""
    inquiry = Inquiry.one(work.conn, letter=letter)
    if inquiry is None:
        raise OperatorError(f"letter {letter} has no question that waits; see `pbem queue`")
    game = games.game_at(work.conn, inquiry.game_id)
    Inquiry.drop(work.conn, letter=letter)
    of = {"seat": inquiry.seat, "letter": letter, "to_all": to_all}
    notes.note(work.conn, game.id, work.now, "question-answered", **of)
    holder = game.holders[inquiry.seat]
    if not to_all and holder.player_id == inquiry.player_id:
        asked, answered = sheet.fenced(inquiry.text), sheet.fenced(text.strip())
        did, what = ("wrote", "press") if inquiry.press else ("asked", "question")
        said = f"You {did}:\n\n{asked}\n\nThe gamesmaster answers:\n\n{answered}\n"
        subject = f"[{game.id}] The answer to your {what}"
        key = f"{KIND}:{game.id}:{letter}"
        put_to_seat(work, game, holder, Draft(key, KIND, subject, said))
    return inquiry


def still_wait(work: Work, game: GameAt, *seats: Seat) -> dict[Seat, str]:
    """Return what the next mail to these seats says of questions that nobody has answered for
    three days. Each is told once."""
    told = defaultdict[Seat, list[str]](list)
    inquiries = Inquiry.many(work.conn, game_id=game.id, late=False)
    for inquiry in sorted(inquiries, key=lambda one: one.since):
        waits = work.now - inquiry.since >= PATIENCE and inquiry.seat in seats
        if waits and game.holders[inquiry.seat].player_id == inquiry.player_id:
            Inquiry.change(work.conn, {"letter": inquiry.letter}, late=True)
            day = day_words(inquiry.since.astimezone(game.zone).date(), weekday=True)
            said = f'Nobody has answered your question of {day} yet: "{inquiry.text}"'
            told[inquiry.seat].append(said)
    return {seat: "\n\n".join(said) for seat, said in told.items()}


PROTEST = "protest"


def protest(work: Work, game: GameAt, seat: Seat, text: str) -> str:
    """Protest against the newest bulletin. Return the answer."""
    bulletin = game.period.number - 1
    Protest.put(work.conn, Protest(game.id, seat, bulletin, safe(text), work.now))
    notes.note(work.conn, game.id, work.now, "protest", seat=seat, period=bulletin)
    settles, again = f"settle {game.id} {seat}", f"rewind {game.id} {bulletin}"
    extends = f"extend {game.id} DAYS"
    commands = (settles, again, extends) if bulletin else (settles, extends)
    known = {"seat": seat, "bulletin": bulletin, "said": safe(text)}
    key = f"protest:{game.id}:{seat}:{bulletin}:{work.now:%H%M}"
    alarms.say(work, key, "protest", game.id, commands, **known)
    return (
        f"Your protest against bulletin {bulletin} stands until the next deadline. The gamesmaster"
        f' has it, and answers you: "{safe(text)}"{away.waits(work, game.id)} PROTEST\u00a0OFF'
        " takes it back."
    )


def taken_back(work: Work, game: GameAt, seat: Seat) -> str:
    """Take a seat's protest back. Return the answer."""
    if not Protest.drop(work.conn, game_id=game.id, seat=seat):
        return "No protest of yours stands."
    notes.note(work.conn, game.id, work.now, "protest-back", seat=seat)
    return "You have taken your protest back."


def settle(work: Work, game_id: str, seat: Seat, why: str) -> None:
    """Settle a protest with an answer to its seat. Raise OperatorError."""
    game = guarded(work.conn, game_id, None)
    known(game, seat)
    protest = Protest.one(work.conn, game_id=game_id, seat=seat)
    if protest is None:
        raise OperatorError(f"no protest of {seat} stands in {game_id}")
    Protest.drop(work.conn, game_id=game_id, seat=seat)
    notes.note(work.conn, game_id, work.now, "protest-settled", seat=seat, period=protest.bulletin)
    said = f"The gamesmaster has settled your protest against bulletin {protest.bulletin}."
    text = "\n\n".join(filter(None, (said, why.strip())))
    _tell(work, game, protest, "Your protest is settled", text)


def lapse(work: Work) -> None:
    """End protests whose deadline has passed, and tell their seats."""
    for protest in Protest.many(work.conn, order=Protest.since):
        game = games.game_at(work.conn, protest.game_id)
        if game.row.status != GameState.OVER and game.period.number <= protest.bulletin + 1:
            continue
        Protest.drop(work.conn, game_id=game.id, seat=protest.seat)
        notes.note(work.conn, game.id, work.now, "protest-lapsed", seat=protest.seat)
        said = (
            f"The deadline has passed, and so your protest against bulletin {protest.bulletin} has"
            " lapsed without an answer. You can still write to the gamesmaster."
        )
        _tell(work, game, protest, "Your protest has lapsed", said)


def _tell(work: Work, game: GameAt, one: Protest, subject: str, text: str) -> None:
    text += f"\n\nYou had written:\n\n| {one.text}\n"
    key = f"{PROTEST}:{game.id}:{one.seat}:{one.since:%Y%m%d%H%M%S%f}"
    put_to_seat(
        work, game, game.holders[one.seat], Draft(key, PROTEST, f"[{game.id}] {subject}", text)
    )
