"""A new game: choose, fill in, try, make. A trial is undone; the real game has another seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pbem.acts.act import Act
from pbem.acts.acts import BY_NAME, NEW
from pbem.desk import new_form
from pbem.desk.asked import Asked, NotThere, Page
from pbem.desk.new_form import NAMED, TABLE, Faults, Form
from pbem.desk.spoken import spoken
from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.games.frame.house_rules import silence_has_rules
from pbem.house import houses, resources, shelf, templates
from pbem.pages import html
from pbem.periods import open_tables as tables
from pbem.periods import opening, start_mails
from pbem.post.frozen import Frozen
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, Done, do
from pbem.store.engine.database import taken_back
from pbem.store.games import bulletins, club, games
from pbem.store.mails import mails
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import OpenTable

TITLE = "New game"
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


# --- the pages ------------------------------------------------------------------------------------


def page(asked: Asked) -> Page:
    """Return the rule-sets, the form of one, or its trial."""
    if not asked.sight.owner:
        return Page("new_none.html.j2", TITLE, {"gamesmaster": asked.work.mark.gamesmaster})
    key = asked.given.get("ruleset", "")
    if not key:
        return _rulesets()
    how = asked.given.get("how", NAMED)
    if key not in GAMES or how not in (NAMED, TABLE):
        raise NotThere(f"There is no rule-set {key}.")
    return _of(asked, Form(key, how, asked.given))


def _rulesets() -> Page:
    known = [(shelf.open_ruleset(key).about, shelf.rules(key).short) for key in GAMES]
    return Page("new.html.j2", TITLE, {"rulesets": known})


def _of(asked: Asked, form: Form) -> Page:
    step = asked.given.get("step", "") if asked.given.get("csrf") == asked.csrf else ""
    if not step:  # a link is only looked at
        return _form(asked, form, {})
    found = new_form.faults(asked.work, form)
    if found:
        return _form(asked, form, found)
    try:
        if step == "do" and asked.given.get("token") == _token(asked, form):
            return _made(asked, form)
        seen = tried(asked.work, asked.who, form, asked.given.get("look"))
    except OperatorError as error:
        return _form(asked, form, new_form.of_error(form, error))
    return _form(asked, form, {}, seen, changed=step == "do")


def _made(asked: Asked, form: Form) -> Page:
    done = made(asked.work, asked.who, form)
    facts = {"form": form, "brief": done.brief, "id": form.values["table"]}
    return Page("new_made.html.j2", "It is made", facts)


def _token(asked: Asked, form: Form) -> str:
    return asked.sign(f"new/{form.how}/{json.dumps(form.values, sort_keys=True)}")


def _form(
    asked: Asked, form: Form, faults: Faults, seen: Seen | None = None, *, changed: bool = False
) -> Page:
    usual = houses.usual(form.key)
    facts = {
        "form": form,
        "faults": {name: [spoken(asked.url, why) for why in said] for name, said in faults.items()},
        "seen": seen,
        "changed": changed,
        "sample": resources.text("rules", "scenarios", form.key, "template.toml"),
        "waits": _waits(asked, form.get("id")),
        "token": _token(asked, form) if seen else "",
        "ours": asked.work.config.referee,
        "usual": usual,
        "grace": not silence_has_rules(usual),
        "paces": [houses.preset(form.key, name) for name in houses.paces()],
        "chosen": [name for name in new_form.MORE if form.get(name)],
        "wrong_more": any(name in faults for name in new_form.MORE),
        "wrong_options": any(name.startswith("option-") for name in faults),
        "told": {name: _house_text(asked, form, name) for name in ("", *houses.paces())},
        "lasts": {name: _lasts(asked, form, name) for name in ("", *houses.paces())},
    }
    return Page("new_form.html.j2", f"{TITLE}: {form.about.title}", facts, 400 if faults else 200)


def _waits(asked: Asked, game_id: str) -> bool:
    conn = asked.work.conn
    return games.exists(conn, game_id) and games.game(conn, game_id).status == GameState.WAITING


def _at_pace(form: Form, pace: str) -> House:
    return houses.house_rules(form.key, houses.settled(form.key, {}, pace), {}, pace)


def _lasts(asked: Asked, form: Form, pace: str) -> str:
    house = _at_pace(form, pace)
    return houses.words(form.key, house, club.spans(asked.work.conn, form.key, house))


def _house_text(asked: Asked, form: Form, pace: str) -> Markup:
    said = start_mails.house_text(form.key, _at_pace(form, pace), asked.work.config.referee)
    return set_(said, 3)
