"""GAMES and RULES for anybody: what is open, what runs, how to join, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from pbem.games import GAMES
from pbem.house import door, houses, shelf, templates
from pbem.orders.spelling import nearest
from pbem.pages import guide
from pbem.pages.plain import plain
from pbem.periods import open_tables as tables
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.deciding.senders import Answer
from pbem.referee.words import rules_words
from pbem.store.games import club
from pbem.store.games.club import PlayedRow
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import TableRow
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.text import counted, moment_words, safe

MOST_LISTED = 30
"""Open tables listed, and games listed."""
MOST_RULES = 12_000
"""The most characters of rules in one mail."""


def games(work: Work, judged: Judged, argument: str) -> str:
    """Answer GAMES: tables that can be joined, games that run."""
    opened = [_table(work, one) for one in open_tables.listed(work.conn)[:MOST_LISTED]]
    played = club.played(work.conn)
    running = [_game(one) for one in played[:MOST_LISTED]]
    watched = [one["id"] for one in running if one["watch"]]
    page = templates.environment().get_template("_shared/games.txt.j2")
    text = page.render(
        open=opened,
        running=running,
        more=len(played) - len(running),
        watched=watched[0] if watched else "",
        rules=[f"{key}: {_title(key)}" for key in GAMES],
        example=next(iter(GAMES)),
    )
    return Answer(text, "What is played here")


def _title(key: str) -> str:
    return shelf.open_ruleset(key).about.title


def _table(work: Work, table: TableRow) -> dict[str, Any]:
    """Return the public facts of an open table."""
    facts = tables.facts(work, table)
    seated, queue = tables.seats_of(table, open_tables.applicants(work.conn, table.id))
    asks = [
        *([f"{counted(table.experience, 'game')} finished here"] if table.experience else []),
        *([f"{table.reliability} % of your moves made"] if table.reliability else []),
        *(["the gamesmaster's approval"] if table.approve else []),
    ]
    return {
        "id": table.id,
        "title": facts.title,
        "places": table.places,
        "joined": len(seated) + len(queue),
        "full": len(seated) >= table.places,
        "names": [] if facts.hidden else [safe(one.name) for one in seated],
        "words": facts.words,
        "lasts": facts.lasts,
        "pace": facts.pace,
        "starts": facts.starts,
        "closes": facts.closes,
        "asks": f"It asks for {' and '.join(asks)}" if asks else "",
    }


def _game(row: PlayedRow) -> dict[str, Any]:
    """Return the public facts of a game."""
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
        "pace": door.pace(row.ruleset, row.house),
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
    """Answer TABLES of one who waits for a game."""
    key = _own_game(work, judged)
    if not key:
        text = "The word\u00a0TABLES brings the tables of the game that you have signed on to."
        return Answer(f"{text} You have signed on to none.", "Which tables?")
    told = rules_words.tables(key, shelf.rulebook(key).tables, argument)
    return Answer(shortened(key, told), f"The tables of {_title(key)}")


def help_(work: Work, judged: Judged, argument: str) -> str:
    """Answer HELP of one who holds no seat."""
    key = _own_game(work, judged)
    if not key:
        return Answer(tables.said("help_"), "What you can write")
    told = guide.guide(templates.environment(), key, houses.usual(key)).text
    return Answer(shortened(key, told), f"How {_title(key)} is played by mail")


def _own_game(work: Work, judged: Judged) -> str:
    """Return the rule-set of the game that a letter's writer waits for, or "" if it is unclear."""
    sender = judged.letter.sender or ""
    mine = open_tables.known_of(work.conn, sender, players.at_address(work.conn, sender))
    rows = [open_tables.table(work.conn, one.game_id) for one in mine]
    keys = {row.ruleset for row in rows if row}
    return next(iter(keys)) if len(keys) == 1 else ""


def shortened(key: str, text: str) -> str:
    """Cut rules to one mail."""
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
