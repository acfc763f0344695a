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
from pbem.pages.macros import in_force
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
            options=list(_options_in_words(at)),
            tables=at.ruleset.book.tables,
            signed=list(_signed(conn, at, adopted)),
        )
        .strip("\n")
    )


def asked(words: str) -> bool:
    return words.strip(" .?!").upper() == WORD


def _options_in_words(at: GameAt) -> Iterator[dict[str, Any]]:
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


def send(work: Work, at: GameAt, holder: Holder) -> None:
    outbox.put(work, to_seat(work, at, holder, draft(work, at, holder, later=True)))


def draft(
    work: Work,
    at: GameAt,
    holder: Holder,
    opening: str | None = None,
    pictures: Mapping[str, bytes] | None = None,
    *,
    later: bool = False,
) -> Draft:
    """Return the welcome with its attachment. opening: bulletin 0."""
    dated = own_page.of(work, at) if holder.calendar else ""
    return Draft(
        f"start:{at.id}:{holder.seat}:{holder.player_id}:{holder.token_no}",
        "start",
        f"[{at.id}] {at.ruleset.about.title}: you are {holder.seat}",
        welcome(work, at, holder, opening, later=later),
        pictures=pictures or {},
        calendar=dated,
        attached={"tables.txt": plain(everything(work, at, holder, opening))},
    )


def welcome(
    work: Work, at: GameAt, holder: Holder, opening: str | None = None, *, later: bool = False
) -> str:
    env, about, key = templates.environment(), at.ruleset.about, at.ruleset.about.key
    place = at.seats.index(holder.seat)
    near = sorted(at.people(holder.seat), key=lambda seat: abs(at.seats.index(seat) - place))
    chosen = [f"{key}/welcome.txt.j2", "_shared/start.txt.j2"]
    known = {**templates.context(at.ruleset, at.state, holder.seat)}
    form = templates.form(at.ruleset, at.state, holder.seat, FIRST)
    page = own_page.words(at, holder.seat, {}, form=False)
    short = {seat: name for seat, name in at.called if " " not in name}
    given = {
        **known,
        "at": at,
        "about": about,
        "game": at.game,
        "name": "" if holder.deputy else at.player(holder.seat),
        "you": templates.seat_words(at.ruleset, at.state, holder.seat),
        "holders": [(templates.seat_words(at.ruleset, at.state, seat), "") for seat in at.seats],
        "others": [
            f"{at.player(seat) or 'nobody yet'} ({seat})"
            for seat in at.seats
            if seat != holder.seat
        ],
        "options": list(_options(at)),
        "page": {} if later else {**page, "form": form},
        "deadline": own_page.moment_text(at, at.period.due) if at.period.due else "",
        "own_time": own_page.own_time(at, holder, at.period.due),
        "likely": templates.likely(at.ruleset, at.state, holder.seat),
        "address": work.mark.address,
        "bots": [f"{at.player(seat)} ({seat})" for seat in at.bots],
        "lasts": houses.words(key, at.house, club.spans(work.conn, key, at.house), at.game.options),
        "in_hand": masters.of(work.conn, work.mark, at.id).words,
        "press": ", ".join(short.get(seat, seat) for seat in near[:2])
        if at.house.press != "none" and not at.practice
        else "",
        "paragraph": templates.cited(at.ruleset, at.house),
        "pictures": [
            sheet.picture(one.name, one.alt)
            for one in sheet.blocks(opening or "")
            if isinstance(one, sheet.Picture)
        ],
    }
    with in_force(known):
        text = env.select_template(chosen).render(given, short=shelf.rules(key).short)
    return text.strip("\n") + "\n"


def _options(at: GameAt) -> Iterator[str]:
    of_time = {option.name for option in timing(1)}
    for option in at.ruleset.about.options:
        value = at.game.options.get(option.name, option.default)
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


def everything(work: Work, at: GameAt, holder: Holder, opening: str | None = None) -> str:
    """Return the attachment: rules in short, orders, tables, house rules, bulletin 0."""
    env, about, key = templates.environment(), at.ruleset.about, at.ruleset.about.key
    values = at.ruleset.tables_at(at.state)
    changed = amendments.page(work.conn, at) if amendments.any_announced(work.conn, at) else ""
    return env.get_template("_shared/all.txt.j2").render(
        at=at,
        about=about,
        game=at.game,
        house=at.house,
        late_list=house_rules.late_list(at.house, about.awaited),
        pace=houses.pace_notes(key, at.house),
        short=shelf.rules(key).short,
        charter=page(work.conn, at),
        guide=guide.guide(env, key, at.house).text,
        tools=templates.tools(at.ruleset, at.house, at.people(holder.seat), "tools"),
        address=work.mark.address,
        commitment=commitment(at.game.seed),
        tables=[templates.table(key, name, values) for name in templates.tables(key)],
        changed=changed,
        opening=opening,
    )
