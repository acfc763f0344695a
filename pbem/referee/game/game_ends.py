"""Take ballots for the end of a game, and statements after it."""

from pbem.games.frame import agreement, press_rules
from pbem.games.frame.events import Seat
from pbem.orders.asking import READING
from pbem.orders.called import seats
from pbem.orders.mailwords import AGAIN, AGREE, STATEMENT, Peeled, Press
from pbem.pages import sheet
from pbem.periods import ending, issue_mails, rematches
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipts, relaying
from pbem.store.games.games import GameAt
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Ballot, Statement

MOST_WORDS = 400
MOST_LINES, MOST_SIGNS = 200, 6000
"""A statement of few words may be long."""


def said(peeled: Peeled, word: str) -> str | None:
    given = [command.argument for command in peeled.commands if command.name == word]
    return given[-1] if given else None


def balloted(work: Work, judged: Judged, game: GameAt, *, trial: bool) -> list[str]:
    """Store an AGREE unless it is a trial. Return notes. A complete agreement ends the game:
    :func:`pbem.periods.ending.conclude`."""
    written, seat = said(judged.decision.peeled, AGREE), judged.decision.seat
    if written is None:
        return []
    inside = ending.playing(game)
    ballot = agreement.read(seats(written, game.named), game.seats, inside)
    if ballot.refusal:
        return [ballot.refusal]
    if seat not in inside:
        return ["AGREE: you are out of the game, so it needs no ballot of yours."]
    if trial:
        return [f"AGREE: it can be taken ({_called(ballot.shared)})."]
    before = Ballot.one(work.conn, game_id=game.id, seat=seat)
    if before and before.letter_id > judged.row.id:  # this one was held meanwhile
        return ["AGREE: what you sent after this letter about the end of the game counts."]
    said_so = {"shared": list(ballot.shared), "letter_id": judged.row.id, "at": work.now}
    Ballot.put(work.conn, game_id=game.id, seat=seat, **said_so)
    if not ballot.shared:
        had = before is not None and bool(before.shared)
        return ["Your ballot is taken back." if had else "There was no ballot of yours."]
    return [
        f"Your ballot is on file: {_called(ballot.shared)}. It stands, from period to period, until"
        " you write\u00a0AGREE\u00a0NONE or another. If all who are still in the game say the same,"
        " the game ends so at once; until then nobody is told of it, nor the gamesmaster."
    ]


def _called(shared: tuple[Seat, ...]) -> str:
    return agreement.end_in_words(shared) if shared else "no ballot"


def takes_statements(game: GameAt, judged: Judged) -> bool:
    """Return whether it has a statement in time: the game is over, none are sent."""
    until = game.row.statements_until
    if said(judged.decision.peeled, STATEMENT) is None or until is None:
        return False
    return game.row.status == GameState.OVER and judged.row.received <= until


def over_words(work: Work, game: GameAt, judged: Judged) -> list[str]:
    peeled, until = judged.decision.peeled, game.row.statements_until
    won = issue_mails.who_has_won(game, judged.decision.seat) or "The game is over."
    only_asks = {one.name for one in peeled.commands} <= READING | {STATEMENT}
    asks = peeled.empty and not peeled.press and only_asks
    first = won if asks else f"{won} So nothing of your letter is played or passed on any more."
    late = " It was too late for STATEMENT." if peeled.asks(STATEMENT) else ""
    notes = [f"{first}{late}"]
    if judged.deputy:  # only the player may do the rest
        return notes
    if until and until > work.now:
        notes.append(
            "A few words on the game go out to all players: write STATEMENT on a line of its own"
            f" and your words below it, by {game.minute(until)}."
        )
    return [*notes, *rematches.offer(work, game), issue_mails.what_next(work.conn)]


def again(work: Work, game: GameAt, judged: Judged) -> list[str]:
    """Take an AGAIN after the end, unless it is a trial. Return notes."""
    peeled = judged.decision.peeled
    if not peeled.asks(AGAIN):
        return []
    if peeled.asks("CHECK"):
        return ["AGAIN: it can be taken."]
    return rematches.say(work, game, judged.decision.seat, judged.row.received)


def too_early(peeled: Peeled) -> list[str]:
    early = ["AGAIN is for after the end of the game."] if peeled.asks(AGAIN) else []
    if said(peeled, STATEMENT) is None:
        return early
    return [
        *early,
        "STATEMENT is for the end of the game, whose last bulletin asks for it. Nothing below that"
        " word was read: if you meant orders there, send them again.",
    ]


def stated(work: Work, judged: Judged, game: GameAt, *, trial: bool) -> tuple[str, str]:
    """Store a statement unless it is a trial. Return the note, and the statement or ""."""
    text = said(judged.decision.peeled, STATEMENT) or ""
    seat = judged.decision.seat
    words = len(text.split())
    stood = Statement.one(work.conn, game_id=game.id, seat=seat)
    holder = game.holders[seat].player_id
    if stood and stood.player_id != holder:
        stood = None
    if why := _unfit(text, words) or _in_doubt(game, judged.decision.peeled, text):
        kept = " Your former statement stands." if stood else ""
        return f"{why} Nothing of it was taken.{kept}", ""
    words_of = relaying.harmless(text)
    printed = sheet.fenced(words_of)
    until = game.minute(game.row.statements_until) if game.row.statements_until else ""
    if trial:
        return f"Your statement has {words} words; it can be taken.", printed
    if stood and stood.letter_id > judged.row.id:  # this one was held meanwhile
        return "The statement that you sent after this letter stands.", ""
    if holder is None:
        return "You hold no seat of the game any more: your statement was not taken.", ""
    by = {"player_id": holder, "letter_id": judged.row.id, "at": work.now}
    Statement.put(work.conn, game_id=game.id, seat=seat, text=words_of, **by)
    instead = ", in place of your former one" if stood else ""
    return (
        f"Your statement of {words} word{'s' * (words != 1)} is taken{instead}. It goes out with"
        f" those of the others after {until}; until then nobody sees it, and another one replaces"
        " it.",
        printed,
    )


def _in_doubt(game: GameAt, peeled: Peeled, text: str) -> str:
    closed = all(one.closed for one in peeled.commands)
    lines = press_rules.not_words(game.ruleset.language, Press((), False, text, 1, closed))
    return receipts.held_press(STATEMENT, lines) if lines else ""


def _unfit(text: str, words: int) -> str:
    if not words:
        return "STATEMENT has no words below it."
    if words > MOST_WORDS:
        return f"Your statement has {words} words; {MOST_WORDS} are taken at most."
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        return f"Your statement has {lines} lines; {MOST_LINES} are taken at most."
    if len(text) > MOST_SIGNS:
        return f"Your statement has {len(text)} signs; {MOST_SIGNS} are taken at most."
    return ""
