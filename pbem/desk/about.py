"""What an act is about: words to answer, and what to choose from."""

from collections.abc import Sequence

from pbem.acts.act import Act
from pbem.desk import times
from pbem.desk.asked import Asked
from pbem.games.frame import calendar
from pbem.letters.states import LetterState
from pbem.orders.called import with_seat
from pbem.orders.spelling import is_count
from pbem.referee.acts import clock_acts, word_acts
from pbem.referee.gamesmaster.waits import ACCEPTABLE
from pbem.store.games import games, overview
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Inquiry, Protest

MOST, NONE = 30, "NONE"
"""Letters to choose from."""


def quoted(asked: Asked, act: Act) -> tuple[str, str] | None:
    """Return whose question or protest it is, and the words, if its game may be looked into."""
    found: Inquiry | Protest | None = None
    if act.name == "answer" and is_count(letter := asked.given.get("letter", "")):
        found = Inquiry.one(asked.work.conn, letter=int(letter))
    elif act.name == "settle":
        named = asked.given.get("game", ""), asked.given.get("seat", "")
        everywhere = Protest.many(asked.work.conn, order=Protest.since)
        found = next((one for one in everywhere if (one.game_id, one.seat) == named), None)
    if found is None or not asked.sight.looks_into(found.game_id):
        return None
    holder = games.holders(asked.work.conn, found.game_id).get(found.seat)
    name = with_seat(holder.name if holder else None, found.seat)
    return f"{name} in {found.game_id}", found.text


def choices(asked: Asked, act: Act, name: str) -> Sequence[tuple[str, str]]:
    """Return what to choose from for an argument, as value and words; () if it is written."""
    if name == "applicant":
        return newcomers(asked)
    if act.name == "rule" and name == "text" and "none" in asked.given:
        return rulings(asked)
    return pauses(asked) if asked.given.get("first") == NONE and name == "last" else ()


def pauses(asked: Asked) -> Sequence[tuple[str, str]]:
    """Return pauses by their first day."""
    game = asked.given.get("game", "")
    at = games.begun(asked.work.conn, game) if game and asked.sight.looks_into(game) else None
    found = clock_acts.pauses(asked.work, at) if at else ()
    said = [(one[0], calendar.days_of(one), one[2:]) for one in found]
    return [
        (first, f"{days[:1].upper()}{days[1:]}{f' ({why[0]})' if why else ''}")
        for first, days, why in said
    ]


def rulings(asked: Asked) -> Sequence[tuple[str, str]]:
    """Return the rulings that can be withdrawn, by number."""
    game, conn = asked.given.get("game", ""), asked.work.conn
    if not (game and asked.sight.looks_into(game)):
        return ()
    which = word_acts.withdrawable(conn, game)
    printed = [one for one in notes.rulings(conn, game) if one.id in which]
    new = [one for one in notes.unprinted(conn, game) if one.kind == NoteKind.RULING]
    return [(str(one.id), one.text) for one in (*new, *reversed(printed))]


def newcomers(asked: Asked) -> Sequence[tuple[str, str]]:
    """Return who signed on to the table, by number."""
    table, who = asked.given.get("table", ""), asked.who or ""
    if not (asked.sight.owner or open_tables.in_hand(asked.work.conn, who, table)):
        return ()
    there = open_tables.applicants(asked.work.conn, table)
    return [(str(one.id), f"{one.name} ({one.mail})") for one in there]


def letters(asked: Asked, game: GameAt, *, wait: bool) -> list[tuple[int, str]]:
    """Return the newest letters of a game that ``wait`` for a word, or whose orders counted, by
    number and words."""
    states = ACCEPTABLE if wait else (LetterState.ORDERS,)
    conn, seen = asked.work.conn, asked.sight.seen
    ids = overview.letter_page(conn, seen, states, MOST, game_id=game.id)
    found = []
    for row in overview.letters(conn, ids):
        name = game.holders[row.seat].name if row.seat in game.holders else ""
        whose = with_seat(name, row.seat) or row.sender
        came = times.words(asked.work, row.received, game.row.zone)
        found.append((row.id, f"Letter {row.id} of {whose}, period {row.period}, {came}"))
    return found
