"""A seat's first mails: the game and how to play; tables and house rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from pbem.games.frame import house_rules
from pbem.games.frame.calendar import House
from pbem.games.frame.dice import commitment
from pbem.games.frame.options import timing
from pbem.games.frame.ruleset import tables_at
from pbem.house import houses, shelf, templates
from pbem.pages import guide
from pbem.periods import amendments, charter, dates
from pbem.post import masters, outbox
from pbem.post.compose import Draft
from pbem.post.seats import to_seat
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt


def send(work: Work, at: GameAt, holder: Holder) -> None:
    """Send both mails, in a thread."""
    whose = f"{at.id}:{holder.seat}:{holder.player_id}:{holder.token_no}"
    title = at.ruleset.about.title
    you_are = f"[{at.id}] {title}: you are {holder.seat}"
    text, dated = welcome(work, at, holder), dates.of(work, at) if holder.calendar else ""
    first = to_seat(
        work, at, holder, Draft(f"start:{whose}", "start", you_are, text, calendar=dated)
    )
    outbox.put(work, first)
    second = Draft(
        f"tables:{whose}", "tables", f"[{at.id}] The tables of {title}", tables(work, at)
    )
    second = replace(second, in_reply_to=first.message_id)
    outbox.put(work, to_seat(work, at, holder, second))


def welcome(work: Work, at: GameAt, holder: Holder) -> str:
    """Return the first mail."""
    env, about = templates.environment(), at.ruleset.about
    key = about.key
    others = [seat for seat in at.seats if seat != holder.seat]
    return env.get_template("_shared/start.txt.j2").render(
        at=at,
        about=about,
        game=at.game,
        house=at.house,
        holder=holder,
        you=templates.seat_words(at.ruleset, at.state, holder.seat),
        holders=[
            (templates.seat_words(at.ruleset, at.state, seat), at.player(seat)) for seat in at.seats
        ],
        short=shelf.rules(key).short,
        paragraph=templates.cited(at.ruleset, at.house),
        options=[] if about.charter else list(_options(at)),
        charter=charter.page(work.conn, at),
        guide=guide.guide(env, key, at.house).text,
        tools=templates.tools(at.ruleset, at.house, others, "tools"),
        address=work.mark.address,
        commitment=commitment(at.game.seed),
        in_hand=masters.of(work.conn, work.mark, at.id).words,
        tables=templates.tables(key),
    )


def _options(at: GameAt) -> Iterator[str]:
    """Yield changed options, without times."""
    of_time = {option.name for option in timing(1)}
    for option in at.ruleset.about.options:
        value = at.game.options.get(option.name, option.default)
        if value != option.default and option.name not in of_time:
            yield f"{option.about}: {value} (usually {option.default})"


class Terms(Protocol):
    """What house rules need of a game."""

    @property
    def zone(self) -> str:
        """Its deadlines'."""

    @property
    def late(self) -> str:
        """``deadline`` or ``until_adjudicated``."""


def house_text(key: str, house: House, game: Terms) -> str:
    """Return house rules."""
    about = shelf.open_ruleset(key).about
    return (
        templates.environment()
        .get_template("_shared/house.txt.j2")
        .render(
            about=about,
            late_list=house_rules.late_list(house, about.awaited),
            game=game,
            house=house,
            pace=houses.pace_notes(key, house),
        )
    )


def tables(work: Work, at: GameAt) -> str:
    """Return tables and house rules."""
    key, values = at.ruleset.about.key, tables_at(at.ruleset, at.state)
    changed = amendments.page(work.conn, at) if amendments.any_announced(work.conn, at) else ""
    return (
        templates.environment()
        .get_template("_shared/tables.txt.j2")
        .render(
            at=at,
            about=at.ruleset.about,
            late_list=house_rules.late_list(at.house, at.ruleset.about.awaited),
            game=at.game,
            house=at.house,
            pace=houses.pace_notes(key, at.house),
            tables=[templates.table(key, name, values) for name in templates.tables(key)],
            changed=changed,
        )
    )
