"""A new game: choose, fill in, try, make. A trial is undone; the real game has another seed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from markupsafe import Markup

from pbem.acts.act import Act
from pbem.acts.acts import BY_NAME, NEW
from pbem.desk import acts
from pbem.desk.asked import Asked, Given, NotThere, Page
from pbem.desk.times import spoken
from pbem.errors import Doubtful, OperatorError, OptionError, ScenarioError
from pbem.games import GAMES
from pbem.games.frame.events import Seat, grouped
from pbem.games.frame.house_rules import silence_has_rules
from pbem.games.frame.options import Option, Options
from pbem.games.frame.ruleset import About
from pbem.house import config, houses, resources, shelf, templates
from pbem.pages import html
from pbem.periods import issue_mails, opening, paper
from pbem.periods import open_tables as tables
from pbem.post.compose import Frozen
from pbem.post.work import Work
from pbem.referee.acts.doing import Actor, do
from pbem.store.engine.database import taken_back
from pbem.store.games import bulletins, club, games
from pbem.store.mails import mails
from pbem.store.people.players import mail_address
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import OpenTable

NAMED, TABLE = "named", "table"
"""The gamesmaster names the players, or they sign on."""
TITLE = "New game"
HOUSE = ("press", "names", "grace", "deputies", "watch", "hour")
_MORE = (
    *("closes", "reliability", "bots", "approve", "seats", "late", "gamesmaster", "second"),
    *("house-deputies", "house-watch", "house-grace", "house-hour", "house"),
)
"""Fields that are folded while empty."""
Faults = Mapping[str, Sequence[str]]
"""By field; "" for those of no field."""


@dataclass(frozen=True, slots=True)
class TypedPlayer:
    """A player as typed: number from 1, seat ("" by lot), address and name."""

    number: int
    seat: str
    address: str
    name: str

    @property
    def word(self) -> str:
        seat = f"{self.seat}=" if self.seat else ""
        return f"{seat}{self.address},{self.name}"


@dataclass(frozen=True, slots=True)
class Form:
    """A filled-in form: rule-set, :data:`NAMED` or :data:`TABLE`, and fields."""

    key: str
    how: str
    given: Given

    def get(self, name: str) -> str:
        """Return a field, its lines ended by LF."""
        return self.given.get(name, "").replace("\r\n", "\n").strip()

    @property
    def act(self) -> Act:
        return BY_NAME["open"] if self.how == TABLE else NEW

    @property
    def about(self) -> About:
        return shelf.open_ruleset(self.key).about

    @property
    def sizes(self) -> Sequence[int]:
        return sorted({len(seats) for seats in self.about.seats})

    @property
    def seats(self) -> Sequence[Seat]:
        return max(self.about.seats, key=len)

    @property
    def rows(self) -> Sequence[TypedPlayer]:
        return [
            TypedPlayer(n, *(self.get(f"{what}-{n}") for what in ("seat", "address", "name")))
            for n in range(1, self.sizes[-1] + 1)
        ]

    @property
    def players(self) -> Sequence[TypedPlayer]:
        return [row for row in self.rows if row.seat or row.address or row.name]

    @property
    def options(self) -> Mapping[str, str]:
        found = {one.name: self.get(f"option-{one.name}") for one in self.about.options}
        return {name: value for name, value in found.items() if value}

    @property
    def house(self) -> Mapping[str, str]:
        """The given house rules by name, those without a field last."""
        found = {name: self.get(f"house-{name}") for name in HOUSE}
        lines = [line.partition("=") for line in self.lines("house")]
        written = {name.strip(): value.strip() for name, _, value in lines}
        return {name: value for name, value in found.items() if value} | written

    def lines(self, name: str) -> Sequence[str]:
        return [line.strip() for line in self.get(name).split("\n") if line.strip()]

    def of_pace(self, option: Option) -> bool:
        return option.name in houses.OF_TIME

    def read(self) -> tuple[dict[str, Any], Mapping[str, str]]:
        """Return what the act takes, and why a field cannot be read."""
        values, faults = acts.values_of(self.act, self.given)
        values |= {
            "ruleset": self.key,
            "table": self.get("id"),
            "option": [f"{name}={value}" for name, value in self.options.items()],
            "house": [f"{name}={value}" for name, value in self.house.items()],
        }
        if self.how == NAMED:
            values["players"] = [row.word for row in self.players]
        else:
            values["approve"] = "yes" if self.get("approve") else None
            values["seats"] = "choice" if self.get("seats") else None
        return values, {name: why for name, why in faults.items() if self.get(name)}


def _line(text: str, key: str) -> str:
    wanted, table = key.partition("[")[0], ""
    for number, line in enumerate(text.split("\n"), 1):
        said = line.strip().replace('"', "")
        if said.startswith("["):
            table = said.strip("[]").strip()
            here = table
        else:
            name = said.partition("=")[0].strip()
            here = f"{table}.{name}" if table else name
        if here == wanted:
            return f"line {number}, "
    return ""


# --- what is wrong --------------------------------------------------------------------------------


def of_error(form: Form, error: OperatorError) -> Faults:
    """Return a refusal as a fault, at its field if known."""
    if isinstance(error, ScenarioError):
        text = form.get("scenario")
        found = [f"{_line(text, key)}{key}: {why}" for key, why in error.faults]
        return {"scenario": found or [str(error)]}
    if isinstance(error, Doubtful) and form.how == NAMED:
        return {"anyway": error.doubts}
    if isinstance(error, OptionError):
        for option in form.about.options:
            if str(error).startswith(said := f"option {option.name}: "):
                return {f"option-{option.name}": [str(error).removeprefix(said)]}
    return {"": [str(error)]}


def _faults(work: Work, form: Form) -> Iterator[tuple[str, str]]:
    refused = list(_refused("id", opening.fit_to_be_an_id, form.get("id")))
    yield from refused
    if not refused and not form.get("instead"):
        yield from _refused("id", opening.no_open_table, work, form.get("id"))
        if games.exists(work.conn, form.get("id")):
            yield "id", f"there is a game {form.get('id')!r} already; choose another id"
    yield from _of_options(form)
    if form.how == NAMED:
        yield from _of_rows(form)
    elif not form.get("players") and len(form.sizes) > 1:
        yield "players", "how many play is missing"
    yield from form.read()[1].items()
    for name in ("gamesmaster", "second"):
        yield from _refused(name, mail_address, form.get(name)) if form.get(name) else ()
    yield from _refused("zone", config.fit_to_be_a_zone, form.get("zone") or "UTC")
    yield from _refused("scenario", paper.toml, form.get("scenario"), "no TOML")


def _refused(name: str, function: Any, *given: Any) -> Iterator[tuple[str, str]]:
    try:
        function(*given)
    except OperatorError as error:
        yield name, str(error)


def _of_options(form: Form) -> Iterator[tuple[str, str]]:
    right: dict[str, str] = {}
    for option in form.about.options:
        value = form.options.get(option.name)
        if value is None:
            continue
        try:
            option.read(value)
            right[option.name] = value
        except OptionError as error:
            yield f"option-{option.name}", str(error).removeprefix(f"option {option.name}: ")
    pace = form.get("pace")
    if pace in ("", *houses.paces()):
        yield from _of_house(form, houses.settled(form.key, right, pace), pace)
    else:
        yield "pace", f"there is no pace {pace!r}"


def _of_house(form: Form, options: Options, pace: str) -> Iterator[tuple[str, str]]:
    for line in form.lines("house"):
        if "=" not in line:
            yield "house", f"{line!r}: write NAME=VALUE"
            return

    def wrong(changes: Mapping[str, str]) -> str:
        try:
            houses.house_rules(form.key, options, houses.read_pairs(changes), pace)
        except OperatorError as error:
            return str(error).removeprefix(f"house rules of {form.key}: ")
        return ""

    alone = False
    for name, value in form.house.items():
        if why := wrong({name: value}):
            alone = True
            field = f"house-{name}" if form.get(f"house-{name}") else "house"
            yield field, why.removeprefix(f"{name}: ").replace(f"{name}={value} ", f"{value!r} ", 1)
    if not alone and (why := wrong(form.house)):
        yield "house", why


def _of_rows(form: Form) -> Iterator[tuple[str, str]]:
    wrong = False
    for row in form.players:
        for name, why in _refused(f"address-{row.number}", mail_address, row.address):
            wrong = True
            yield name, why if row.address else "an address is missing"
    if not wrong and not form.get("scenario"):  # whose tables may have other seats
        given = [(row.seat, row.address, row.name) for row in form.players]
        yield from _refused("players", opening.fitting, given, shelf.open_ruleset(form.key))
    for line in form.lines("standby"):
        yield from _refused("standby", mail_address, line.partition(",")[0])


# --- a trial --------------------------------------------------------------------------------------


SOMEBODY = "player-{}@example.invalid"
"""An invented player's."""


def _tried(work: Work, who: str | None, form: Form, seat: Seat | None) -> Mapping[str, Any]:
    """Return what the form would make, seen from seat, or the first. Raise OperatorError."""
    values, _ = form.read()
    game_id = values["table"]
    brief = do(work, form.act, values, Actor(who)).brief
    if form.how == TABLE:
        table = OpenTable.one(work.conn, id=game_id)
        assert table is not None, "it has just been opened"
        numbers = range(1, table.places + 1)
        given = [("", SOMEBODY.format(number), f"Player {number}") for number in numbers]
        opening.file(work, opening.drawn(tables.game_of(table, work.now), given), given)
    top = mails.last_id(work.conn)
    opening.start(work, game_id)
    game = games.game_at(work.conn, game_id)
    seat = seat if seat and seat in game.seats else game.seats[0]
    first, holder = bulletins.valid(work.conn, game_id, 0) or "", game.holders[seat]
    sheet = issue_mails.welcome(work, game, holder, first)
    mails_ = [one for one in mails.after(work.conn, top) if (one.seat, one.kind) == (seat, "start")]
    tables_ = issue_mails.everything(work, game, holder, first)
    words = partial(templates.seat_words, game.ruleset, game.state)
    return {
        "brief": brief,
        "players": []
        if form.how == TABLE
        else [(words(s), who) for s, who in game.holders.items()],
        "house": set_(issue_mails.house_text(form.key, game.house, game.row), 3),
        "seats": game.seats,
        "seat": seat,
        "mails": [
            *((Frozen(one.raw).subject, set_(sheet, 4)) for one in mails_),
            ("tables.txt", set_(tables_, 4)),
        ],
    }


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
        known = [(shelf.open_ruleset(key).about, shelf.rules(key).short) for key in GAMES]
        return Page("new.html.j2", TITLE, {"rulesets": known})
    how = asked.given.get("how", NAMED)
    if key not in GAMES or how not in (NAMED, TABLE):
        raise NotThere(f"There is no rule-set {key}.")
    return _of(asked, Form(key, how, asked.given))


def _of(asked: Asked, form: Form) -> Page:
    step = asked.given.get("step", "") if asked.given.get("csrf") == asked.csrf else ""
    if not step:  # a link is only looked at
        return _form(asked, form, {})
    if found := grouped(_faults(asked.work, form)):
        return _form(asked, form, found)
    try:
        if step == "do" and asked.given.get("token") == _token(asked, form):
            with asked.work.conn.begin_nested():
                done = do(asked.work, form.act, form.read()[0], Actor(asked.who))
            facts = {"form": form, "brief": done.brief, "id": form.get("id")}
            return Page("new_made.html.j2", "It is made", facts)
        with taken_back(asked.work.conn):
            seen = _tried(asked.work, asked.who, form, asked.given.get("look"))
    except OperatorError as error:
        return _form(asked, form, of_error(form, error))
    return _form(asked, form, {}, seen, changed=step == "do")


def _token(asked: Asked, form: Form) -> str:
    return asked.sign(f"new/{form.how}/{acts.plain(form.read()[0])}")


def _form(
    asked: Asked,
    form: Form,
    faults: Faults,
    seen: Mapping[str, Any] | None = None,
    *,
    changed: bool = False,
) -> Page:
    conn, game_id, key = asked.work.conn, form.get("id"), form.key
    paces = {
        pace: houses.house_rules(key, houses.settled(key, {}, pace), {}, pace)
        for pace in ("", *houses.paces())
    }
    usual = houses.usual(key)
    referee = asked.work.config.referee
    facts = {
        "form": form,
        "faults": {name: [spoken(asked.url, why) for why in said] for name, said in faults.items()},
        "seen": seen,
        "changed": changed,
        "sample": resources.text("rules", "scenarios", key, "template.toml"),
        "waits": games.exists(conn, game_id)
        and games.game(conn, game_id).status == GameState.WAITING,
        "token": _token(asked, form) if seen else "",
        "ours": referee,
        "usual": usual,
        "grace": not silence_has_rules(usual),
        "paces": [houses.preset(key, name) for name in houses.paces()],
        "chosen": [name for name in _MORE if form.get(name)],
        "wrong_more": any(name in faults for name in _MORE),
        "wrong_options": any(name.startswith("option-") for name in faults),
        "told": {
            pace: set_(issue_mails.house_text(key, house, referee), 3)
            for pace, house in paces.items()
        },
        "lasts": {
            pace: houses.words(key, house, club.spans(conn, key, house), form.options)
            for pace, house in paces.items()
        },
    }
    return Page("new_form.html.j2", f"{TITLE}: {form.about.title}", facts, 400 if faults else 200)
