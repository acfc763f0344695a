"""A game's options in words, and who signed by joining."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from pbem.games.frame.events import Seat
from pbem.games.frame.options import Option, timing
from pbem.house import templates
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.text import day_words

WORD = "CHARTER"
"""Behind RULES."""


def page(conn: Connection, at: GameAt) -> str:
    about = at.ruleset.about
    if not about.charter:
        return ""
    began = notes.moments(conn, at.id, "start")
    adopted = began[0][0] if began else None
    return (
        templates.environment()
        .get_template(f"{about.key}/charter.txt.j2")
        .render(
            game=at.id,
            state=next(
                (at.game.options.get(one.name, "") for one in about.options if one.text), ""
            ),
            adopted=_day(at, adopted),
            options=list(_options(at)),
            tables=at.ruleset.book.tables,
            signed=list(_signed(conn, at, adopted)),
        )
        .strip("\n")
    )


def asked(words: str) -> bool:
    return words.strip(" .?!").upper() == WORD


def _options(at: GameAt) -> Iterator[dict[str, Any]]:
    of_time = {option.name for option in timing(1)}
    for option in at.ruleset.about.options:
        if option.text or option.name in of_time:
            continue
        value = at.game.options.get(option.name, option.default)
        yield {
            "name": option.name,
            "about": option.about,
            "value": value,
            "words": _words(option, value),
            "usual": _words(option, option.default),
        }


def _words(option: Option, value: object) -> str:
    meanings = option.meanings
    return "; ".join(meanings.get(part) or part for part in str(value).split("+"))


def _signed(
    conn: Connection, at: GameAt, adopted: datetime | None
) -> Iterator[dict[str, str | Seat]]:
    came = {one.player_id: one.came for one in open_tables.applicants(conn, at.id)}
    taken = {data.get("seat"): when for when, data in notes.moments(conn, at.id, "replaced")}
    for seat, holder in at.holders.items():
        if holder.player_id is None:
            continue
        when = taken.get(seat) or came.get(holder.player_id) or adopted
        yield {"seat": seat, "name": at.player(seat), "day": _day(at, when)}


def _day(at: GameAt, moment: datetime | None) -> str:
    return day_words(moment.astimezone(at.zone).date()) if moment else ""
