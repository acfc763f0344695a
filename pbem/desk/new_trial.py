"""Trials of a new game, rolled back. The real game has another seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pbem.acts.act import Act
from pbem.acts.acts import BY_NAME
from pbem.acts.table_acts import NEW
from pbem.desk.new_form import TABLE, Form
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.pages import html
from pbem.periods import open_tables as tables
from pbem.periods import opening, start_mails
from pbem.post.frozen import Frozen
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, do
from pbem.referee.acts.effect import Done
from pbem.store.engine.database import taken_back
from pbem.store.games import bulletins, games
from pbem.store.mails import mails
from pbem.store.schema.tables import OpenTable

SOMEBODY = "player-{}@example.invalid"
"""An invented player's."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of a trial. Its text is HTML."""

    subject: str
    words: Markup


@dataclass(frozen=True, slots=True)
class Player:
    """A player with the seat's key and words."""

    seat: Seat
    words: str
    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of a trial."""

    brief: Sequence[str]
    players: Sequence[Player]
    """Empty for a table."""
    house: Markup
    seats: Sequence[Seat]
    seat: Seat
    mails: Sequence[Mail]
    """The first to ``seat``."""


def act_of(form: Form) -> Act:
    return BY_NAME["open"] if form.how == TABLE else NEW


def made(work: Work, who: str | None, form: Form) -> Done:
    """Make the game. Raise OperatorError, with nothing done."""
    with work.conn.begin_nested():
        return do(work, act_of(form), form.values, Actor(who))


def tried(work: Work, who: str | None, form: Form, seat: Seat | None) -> Seen:
    """Return what the form would make, seen from seat, or the first. Raise OperatorError."""
    with taken_back(work.conn):
        return _tried(work, who, form, seat)


def _tried(work: Work, who: str | None, form: Form, seat: Seat | None) -> Seen:
    game_id = form.values["table"]
    brief = do(work, act_of(form), form.values, Actor(who)).brief
    if form.how == TABLE:
        _sit_down(work, game_id)
    top = mails.last_id(work.conn)
    opening.start(work, game_id)
    at = games.game_at(work.conn, game_id)
    seat = seat if seat and seat in at.seats else at.seats[0]
    words = {one: templates.seat_words(at.ruleset, at.state, one) for one in at.seats}
    players = [Player(one, words[one], who.name, who.address) for one, who in at.holders.items()]
    row = games.game(work.conn, game_id)
    house = set_(start_mails.house_text(form.key, at.house, row), 3)
    known = () if form.how == TABLE else players
    first, holder = bulletins.text(work.conn, game_id, 0), at.holders[seat]
    sheet = start_mails.welcome(work, at, holder, first)
    shown = list(_mails(work, top, seat, {"start": sheet}))
    shown.append(Mail("tables.txt", set_(start_mails.everything(work, at, holder, first), 4)))
    return Seen(brief, known, house, at.seats, seat, shown)


def _sit_down(work: Work, game_id: str) -> None:
    table = OpenTable.one(work.conn, id=game_id)
    assert table is not None, "it has just been opened"
    numbers = range(1, table.places + 1)
    given = [("", SOMEBODY.format(number), f"Player {number}") for number in numbers]
    opening.file(work, opening.drawn(tables.game_of(table, work.now), given), given)


def _mails(work: Work, top: int, seat: Seat, sheets: Mapping[str, str]) -> Iterator[Mail]:
    for row in mails.after(work.conn, top):
        if row.seat == seat and row.kind in sheets:
            yield Mail(Frozen(row.raw).subject, set_(sheets[row.kind], 4))


def set_(sheet: str, top: int) -> Markup:
    """Return a sheet as HTML with flowing lines. ``top``: the level of its headings."""
    env, template = templates.environment(), "_shared/desk/new_sheet.html.j2"
    return Markup(html.site_page(env, template, sheet, html.cited, {}, top=top))
