"""GAMES and RULES for anybody: what is open, what runs, how to join, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pbem.games import GAMES
from pbem.games.frame.dice import commitment
from pbem.house import houses, shelf, templates
from pbem.orders.spelling import nearest
from pbem.pages import guide, sheet
from pbem.pages.links import Links
from pbem.pages.plain import plain
from pbem.periods import open_tables as tables
from pbem.periods import waiting_room
from pbem.post.postmark import code_hash
from pbem.post.work import Work
from pbem.referee.deciding import senders
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import rules_words
from pbem.store.games import bulletins, club
from pbem.store.games.club import PlayedRow
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import OpenTable
from pbem.text import counted, moment_words, safe

MOST_LISTED = 30
MOST_TABLES = 6
"""Open tables in one mail."""
READ = "read-a-bulletin:"
"""Memo of an unregistered address that was mailed a bulletin."""
MOST_RULES = 12_000
"""Characters of rules in one mail."""


def games(work: Work, judged: Judged, argument: str) -> str:
    """Answer GAMES: tables to join, games that run. argument: one of them, or ""."""
    if argument:
        return _one(work, judged, argument.lower())
    opened, played = open_tables.listed(work.conn), club.played(work.conn)
    running = [_game(one) for one in played[:MOST_LISTED]]
    links = Links(work.mark.address, "Watching")
    watched = [f"I would like to watch {one['id']}" for one in running if one["watch"]]
    page = templates.environment().get_template("_shared/games.txt.j2")
    text = page.render(
        open=list(waiting_room.offered(work, opened[:MOST_TABLES])),
        others=[one.id for one in opened[MOST_TABLES:][:MOST_LISTED]],
        running=running,
        more=len(played) - len(running),
        watched=[sheet.answer_line(one, links.line(one)) for one in watched[:MOST_TABLES]],
        rules=list(GAMES),
    )
    return Answer(text, "What is played here")


def _one(work: Work, judged: Judged, game_id: str) -> str:
    if table := open_tables.joinable(work.conn, game_id):
        offered = [*waiting_room.offered(work, [table])]
        if differs := waiting_room.differences(table):
            lines = "\n".join(f"* {one}" for one in differs)
            offered.append(f"What is otherwise there than usual:\n\n{lines}")
        subject = f"[{game_id}] Would you like to play?"
        return Answer("\n\n".join(offered), subject, seed=commitment(table.seed))
    row = next((one for one in club.played(work.conn) if one.id == game_id), None)
    if row is None:
        text = (
            f"No game of the name {safe(game_id)} is open or runs. The word\u00a0GAMES lists them."
        )
        return Answer(text, "There is no such game")
    told = _game(row)
    first = f"{row.id}: {told['title']}, {counted(row.players, 'player')}. {told['stands']}"
    if not row.house.watch:
        text = f"{first} Its bulletins go to its players alone."
        return Answer(text, f"[{game_id}] It takes no observers")
    return _newest(work, judged, row, first)


def _newest(work: Work, judged: Judged, row: PlayedRow, first: str) -> Answer:
    """Return a game's newest bulletin; to an unregistered address one a day."""
    number = bulletins.newest(work.conn, row.id)
    said = f"I would like to watch {row.id}"
    line = sheet.answer_line(said, Links(work.mark.address, "Watching").line(said))
    if number is None:
        return Answer(f"{first}\n\n{line}", f"[{row.id}] It is about to begin")
    if not _may_read(work, judged.letter.sender or ""):
        text = (
            "You have been mailed a bulletin within a day, and get the next one tomorrow. Or watch"
            f" the game: then all its bulletins come to you.\n\n{line}"
        )
        return Answer(text, f"[{row.id}] Tomorrow again")
    (text, *_) = bulletins.for_seat(work.conn, row.id, number, "").texts
    last = f"To be mailed all its bulletins without playing in it, answer:\n\n{line}"
    return Answer(f"{first}\n\n{last}\n\n{text}", f"[{row.id}] Bulletin {number}")


def _may_read(work: Work, sender: str) -> bool:
    if senders.registered(work, sender):
        return True
    key = f"{READ}{code_hash(open_tables.mailbox(sender))[:32]}"
    notes.forget_old(work.conn, work.now, READ)
    if notes.memo(work.conn, key):
        return False
    notes.set_memo(work.conn, key, {"until": (work.now + senders.DAY).isoformat()})
    return True


def _title(key: str) -> str:
    return shelf.open_ruleset(key).about.title


def _game(row: PlayedRow) -> dict[str, Any]:
    if row.number is None or row.status == GameState.WAITING:
        stands = "It is about to begin."
    elif row.status == GameState.HELD:
        stands = f"Period {row.number}; its clock stands still at present."
    elif row.due is None:
        stands = f"Period {row.number}, without a deadline."
    else:
        stands = f"Period {row.number}, until {_moment(row.due, row.zone)}."
    return {
        "id": row.id,
        "title": _title(row.ruleset),
        "players": row.players,
        "stands": stands,
        "watch": row.house.watch,
    }


def _moment(when: datetime, zone: str) -> str:
    return f"{moment_words(when.astimezone(ZoneInfo(zone)))} {zone}"


def rules(work: Work, judged: Judged, argument: str) -> str:
    """Answer RULES key: its contents, or the paragraphs named."""
    word, _, asked = argument.strip(" .?!").partition(" ")
    key = word.lower()
    if key not in GAMES and (own := _own_game(work, judged)):
        key, asked = own, argument.strip(" .?!")
    if key not in GAMES:
        meant = nearest(key.upper(), [one.upper() for one in GAMES]).lower() if key else ""
        there = "\n".join(f"* {one}: {_title(one)}" for one in GAMES)
        doubt = "There are no rules of that name. " if key and not meant else ""
        doubt = f"Did you mean RULES\u00a0{meant}? " if meant else doubt
        return Answer(
            f"{doubt}For the rules of a game write\u00a0RULES and its name:\n\n{there}",
            "Which rules?",
        )
    return Answer(shortened(key, rules_words.rules(key, asked)), f"The rules of {_title(key)}")


def tables_of(work: Work, judged: Judged, argument: str) -> str:
    key = _own_game(work, judged)
    if not key:
        text = "The word\u00a0TABLES brings the tables of the game that you have signed on to."
        return Answer(f"{text} You have signed on to none.", "Which tables?")
    told = rules_words.tables(key, shelf.rulebook(key).tables, argument)
    return Answer(shortened(key, told), f"The tables of {_title(key)}")


def help_(work: Work, judged: Judged, argument: str) -> str:
    key = _own_game(work, judged)
    if not key:
        return Answer(tables.said("help_"), "What you can write")
    told = guide.guide(templates.environment(), key, houses.usual(key)).text
    return Answer(shortened(key, told), f"How {_title(key)} is played by mail")


def _own_game(work: Work, judged: Judged) -> str:
    """Return the rule-set of the one game he waits for, or ""."""
    sender = judged.letter.sender or ""
    mine = open_tables.known_of(work.conn, sender, players.at_address(work.conn, sender))
    rows = [OpenTable.one(work.conn, id=one.game_id) for one in mine]
    keys = {row.ruleset for row in rows if row}
    return next(iter(keys)) if len(keys) == 1 else ""


def shortened(key: str, text: str) -> str:
    pieces = text.split("\n\n")
    kept: Sequence[str] = pieces
    while len(plain("\n\n".join(kept))) > MOST_RULES and len(kept) > 1:
        kept = kept[: len(kept) * 3 // 4]
    if len(kept) < len(pieces):
        more = (
            f"Here it breaks off: ask for fewer paragraphs at once, as in RULES\u00a0{key}\u00a04"
        )
        return "\n\n".join([*kept, more])
    return text
