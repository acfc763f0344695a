"""A seat's welcome, with rules, tables and house rules attached.

A game's options in words, and who signed by joining.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import Connection

from pbem.games.frame import house_rules
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.games.frame.options import Option, timing
from pbem.house import houses, shelf, templates
from pbem.pages import guide, sheet
from pbem.pages.bulletin import FIRST
from pbem.pages.plain import plain
from pbem.periods import amendments, own_page
from pbem.post import masters, outbox
from pbem.post.compose import Draft
from pbem.post.seats import to_seat
from pbem.post.work import Work
from pbem.store.games import club
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.text import day_words

WORD = "CHARTER"
"""Behind RULES."""


def page(conn: Connection, game: GameAt) -> str:
    about = game.ruleset.about
    if not about.charter:
        return ""
    began = notes.moments(conn, game.id, "start")
    adopted = began[0][0] if began else None
    return (
        templates.environment()
        .get_template(f"{about.key}/charter.txt.j2")
        .render(
            game=game.id,
            state=next(
                (game.row.options.get(one.name, "") for one in about.options if one.text), ""
            ),
            adopted=_day(game, adopted),
            options=list(_options_in_words(game)),
            tables=game.ruleset.book.tables,
            signed=list(_signed(conn, game, adopted)),
        )
        .strip("\n")
    )


def asked(words: str) -> bool:
    return words.strip(" .?!").upper() == WORD


def _options_in_words(game: GameAt) -> Iterator[dict[str, Any]]:
    of_time = {option.name for option in timing(1)}
    for option in game.ruleset.about.options:
        if option.text or option.name in of_time:
            continue
        value = game.row.options.get(option.name, option.default)
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
    conn: Connection, game: GameAt, adopted: datetime | None
) -> Iterator[dict[str, str | Seat]]:
    came = {one.player_id: one.came for one in open_tables.applicants(conn, game.id)}
    taken = {data.get("seat"): when for when, data in notes.moments(conn, game.id, "replaced")}
    for seat, holder in game.holders.items():
        if holder.player_id is None:
            continue
        when = taken.get(seat) or came.get(holder.player_id) or adopted
        yield {"seat": seat, "name": game.player(seat), "day": _day(game, when)}


def _day(game: GameAt, moment: datetime | None) -> str:
    return day_words(moment.astimezone(game.zone).date()) if moment else ""


def send(work: Work, game: GameAt, holder: Holder) -> None:
    outbox.put(work, to_seat(work, game, holder, draft(work, game, holder, later=True)))


def draft(
    work: Work,
    game: GameAt,
    holder: Holder,
    opening: str | None = None,
    pictures: Mapping[str, bytes] | None = None,
    *,
    later: bool = False,
) -> Draft:
    """Return the welcome with its attachment. opening: bulletin 0."""
    dated = own_page.of(work, game) if holder.calendar else ""
    return Draft(
        f"start:{game.id}:{holder.seat}:{holder.player_id}:{holder.token_no}",
        "start",
        f"[{game.id}] {game.ruleset.about.title}: you are {holder.seat}",
        welcome(work, game, holder, opening, later=later),
        pictures=pictures or {},
        calendar=dated,
        attached={"tables.txt": plain(everything(work, game, holder, opening))},
    )


def welcome(
    work: Work, game: GameAt, holder: Holder, opening: str | None = None, *, later: bool = False
) -> str:
    env, about, key = templates.environment(), game.ruleset.about, game.ruleset.about.key
    place = game.seats.index(holder.seat)
    near = sorted(game.people(holder.seat), key=lambda seat: abs(game.seats.index(seat) - place))
    chosen = [f"{key}/welcome.txt.j2", "_shared/start.txt.j2"]
    form = templates.form(game.ruleset, game.state, holder.seat, FIRST)
    page = own_page.words(game, holder.seat, {}, form=False)
    short = {seat: name for seat, name in game.called if " " not in name}
    given = {
        **templates.context(game.ruleset, game.state, holder.seat),
        "at": game,
        "about": about,
        "game": game.row,
        "name": "" if holder.deputy else game.player(holder.seat),
        "you": templates.seat_words(game.ruleset, game.state, holder.seat),
        "holders": [
            (templates.seat_words(game.ruleset, game.state, seat), "") for seat in game.seats
        ],
        "others": [
            f"{game.player(seat) or 'nobody yet'} ({seat})"
            for seat in game.seats
            if seat != holder.seat
        ],
        "options": list(_options(game)),
        "page": {} if later else {**page, "form": form},
        "deadline": own_page.moment_text(game, game.period.due) if game.period.due else "",
        "own_time": own_page.own_time(game, holder, game.period.due),
        "likely": templates.likely(game.ruleset, game.state, holder.seat),
        "address": work.mark.address,
        "bots": [f"{game.player(seat)} ({seat})" for seat in game.bots],
        "lasts": houses.words(
            key, game.house, club.spans(work.conn, key, game.house), game.row.options
        ),
        "in_hand": masters.of(work.conn, work.mark, game.id).words,
        "press": ", ".join(short.get(seat, seat) for seat in near[:2])
        if game.house.press != "none" and not game.practice
        else "",
        "paragraph": templates.cited(game.ruleset, game.house),
        "pictures": [
            sheet.picture(one.name, one.alt)
            for one in sheet.blocks(opening or "")
            if isinstance(one, sheet.Picture)
        ],
    }
    text = env.select_template(chosen).render(given, short=shelf.rules(key).short)
    return text.strip("\n") + "\n"


def _options(game: GameAt) -> Iterator[str]:
    of_time = {option.name for option in timing(1)}
    for option in game.ruleset.about.options:
        value = game.row.options.get(option.name, option.default)
        if value != option.default and option.name not in of_time:
            yield f"{option.about}: {value} (usually {option.default})"


class Terms(Protocol):
    """What house rules need of a game."""

    @property
    def zone(self) -> str: ...

    @property
    def late(self) -> str:
        """``deadline`` or ``until_adjudicated``."""


def house_text(key: str, house: House, game: Terms) -> str:
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


def everything(work: Work, game: GameAt, holder: Holder, opening: str | None = None) -> str:
    """Return the attachment: rules in short, orders, tables, house rules, bulletin 0."""
    env, about, key = templates.environment(), game.ruleset.about, game.ruleset.about.key
    values = game.ruleset.tables_at(game.state)
    changed = amendments.page(work.conn, game) if amendments.any_announced(work.conn, game) else ""
    return env.get_template("_shared/all.txt.j2").render(
        at=game,
        about=about,
        game=game.row,
        house=game.house,
        late_list=house_rules.late_list(game.house, about.awaited),
        pace=houses.pace_notes(key, game.house),
        short=shelf.rules(key).short,
        charter=page(work.conn, game),
        guide=guide.guide(env, key, game.house).text,
        tools=templates.tools(game.ruleset, game.house, game.people(holder.seat), "tools"),
        address=work.mark.address,
        commitment=commitment(game.row.seed),
        tables=[templates.table(key, name, values) for name in templates.tables(key)],
        changed=changed,
        opening=opening,
    )
