"""The acts as forms, which try an act, rolled back, and do it when confirmed."""

import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from hashlib import sha256
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from pbem.acts.act import Act, Argument, Kind
from pbem.acts.acts import BY_NAME, FAMILIES, FRONT
from pbem.desk import sessions, times
from pbem.desk.asked import Answer, Asked, Given, Led, NotThere, Page
from pbem.desk.sessions import FORMS_OWN
from pbem.errors import Doubtful, OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.length import Days, Elapsed, Length
from pbem.house import shelf
from pbem.letters.states import LetterState
from pbem.orders.called import with_seat
from pbem.orders.spelling import is_count
from pbem.periods import publishing
from pbem.post import clock
from pbem.post.compose import Frozen
from pbem.post.work import Work
from pbem.referee.acts import clock_acts, word_acts
from pbem.referee.acts.doing import Actor, may
from pbem.referee.acts.doing import do as carry_out
from pbem.referee.acts.values import READ
from pbem.referee.deciding.handling import Foreseen, foreseen
from pbem.referee.game import arrivals
from pbem.referee.gamesmaster import explaining
from pbem.referee.gamesmaster.waits import ACCEPTABLE
from pbem.store.engine.database import taken_back
from pbem.store.games import games, overview
from pbem.store.games.games import GameAt
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.people import players
from pbem.store.people.players import mail_address
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Inquiry, Letter, Outgoing, Protest
from pbem.text import day_words

# --- an act tried, or done ------------------------------------------------------------------------


SHOWN = frozenset((
    "deadline", "pause", "hold", "resume", "press", "event", "silence", "answer", "handover",
    "protest", "standby", "warned",
))  # fmt: skip
"""Mails without secrets but a code, shown in a trial."""
_HOLDS = {
    "start": "the seat's welcome, with its secrets and its reply address",
    "notice": "what the seat alone is told",
    "bulletin": "the bulletin, which you may look over by Preview: the next one counts such a look",
    "offer": "the offer of the seat, with a code",
    "changes": "what changes for the seat alone",
    "ended": "that the game is ended, why, and its seed",
}
_ELSE = "what only its reader may know"
_CODE = re.compile(r"CONFIRM\s+([^\s]++)")
_DOTS = "(the code)"


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail of a trial."""

    to: Sequence[str]
    subject: str
    text: str
    """"" if secret."""
    holds: str
    """What is in it instead."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A letter that is accepted or stays held, and the orders in it."""

    letter: int
    orders: Sequence[str]
    stands: Foreseen | None
    """What would stand. None if it stays held, or cannot be decided."""


@dataclass(frozen=True, slots=True)
class Would:
    """What an act would say, and its mails."""

    said: str
    mails: Sequence[Mail]
    letters: Sequence[Opened] = ()
    """Those that it opens."""
    look: str = ""
    """What to say of the look that this was."""


def trial(asked: Asked, act: Act, values: Mapping[str, Any], *, opens: bool = True) -> Would:
    """Try the act. Raise OperatorError if it would be refused, or the clock is in doubt. Show
    nothing of a secret act. Accepted letters are decided too, if ``opens``: a look."""
    clock.must_be_sure(asked.work.conn)
    if act.tried:
        return Would(_carried_out(asked, act, {**values, act.tried: False}), ())
    if act.asks:
        may(asked.work, act, values, Actor(asked.who))
        return Would("", ())
    blind = bool(act.blind and values[act.blind])
    conn, which = asked.work.conn, _opened(asked, values) if act.name == "accept" and opens else ()
    top, stands = mails.last_id(conn), dict[int, Foreseen | None]()
    with taken_back(conn):
        said = _carried_out(asked, act, values)
        for letter in which:
            row = Letter.one(conn, id=letter)
            if row and row.outcome == LetterState.STORED:
                stands[letter] = foreseen(asked.work, letter)
        made = [] if blind else _mails(asked, top, whole=bool(stands))
    told = {one: explaining.explain(asked.work, None, one, viewer=asked.who) for one in which}
    letters = [Opened(one, found.orders, stands.get(one)) for one, found in told.items()]
    looks = [found.look for found in told.values() if found.look]
    look = f"{len(looks)} letters are opened, and that is in the journal"
    return Would("" if blind else said, made, letters, look if looks[1:] else "".join(looks))


def _opened(asked: Asked, values: Mapping[str, Any]) -> Sequence[int]:
    """Return the letters that accepting opens: one, or all that a restore holds of a game."""
    if values["letter"] is not None:
        return (values["letter"],)
    game = values["game"]
    if not (game and asked.sight.looks_into(game)):
        return ()
    row = games.game_at(asked.work.conn, game).row
    return [one.id for one in arrivals.held(asked.work.conn, row)]


def _carried_out(asked: Asked, act: Act, values: Mapping[str, Any]) -> str:
    return carry_out(asked.work, act, values, Actor(asked.who)).said


def state_of(work: Work, values: Mapping[str, Any]) -> str:
    """Return a digest of the game's clock, period and players, or ""."""
    game = values.get("game")
    if not game or not games.exists(work.conn, game):
        return ""
    row = games.game(work.conn, game)
    facts: list[Any] = [row.status, row.held_because, row.period, row.edition]
    at = games.begun(work.conn, game)
    if at is not None:
        facts += [at.period.status, at.period.due, at.period.moves]
        facts += [(seat, who.player_id, who.address) for seat, who in at.holders.items()]
    return sha256(repr(facts).encode()).hexdigest()


def _mails(asked: Asked, top: int, *, whole: bool) -> list[Mail]:
    """Return the mails made after ``top``. ``whole``: those that answer a letter, too."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for row in mails.after(asked.work.conn, top):
        mail = Frozen(row.raw)
        text = _masked(mail.said) if row.kind in SHOWN or (whole and row.kind not in _HOLDS) else ""
        holds = "" if text else _HOLDS.get(row.kind, _ELSE)
        found.setdefault((mail.subject, text, holds), []).append(_reader(asked, row))
    return [Mail(to, *what) for what, to in found.items()]


def _masked(text: str) -> str:
    for code in {found[1] for found in _CODE.finditer(text)}:
        text = text.replace(code, _DOTS)
    return text


def _reader(asked: Asked, row: Outgoing) -> str:
    if not row.seat:
        name = players.name_at(asked.work.conn, row.recipient)
        return with_seat(name, row.recipient)
    known = row.game_id and asked.sight.looks_into(row.game_id)
    holder = games.holders(asked.work.conn, row.game_id).get(row.seat) if known else None
    return with_seat(holder.name if holder else None, row.seat)


MOST_LETTERS, NONE = 30, "NONE"
"""Letters to choose from."""


# --- what an act is about -------------------------------------------------------------------------


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


def chosen_from(asked: Asked, act: Act, name: str) -> Sequence[tuple[str, str]]:
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
    ids = overview.letter_page(conn, seen, states, MOST_LETTERS, game_id=game.id)
    found = []
    for row in overview.letters(conn, ids):
        name = game.holders[row.seat].name if row.seat in game.holders else ""
        whose = with_seat(name, row.seat) or row.sender
        came = times.words(asked.work, row.received, game.row.zone)
        found.append((row.id, f"Letter {row.id} of {whose}, period {row.period}, {came}"))
    return found


_INPUT: Mapping[Kind, str] = {
    Kind.NUMBER: "number",
    Kind.ADDRESS: "email",
    Kind.DAY: "date",
    Kind.TIME: "datetime-local",
    Kind.FLAG: "checkbox",
    Kind.TEXT: "textarea",
    Kind.FILE: "textarea",
    Kind.ORDERS: "orders",
}


@dataclass(frozen=True, slots=True)
class Field:
    """One argument of an act in its form."""

    name: str
    label: str
    hint: str
    input: str
    value: str
    required: bool
    choices: Sequence[tuple[str, str]] = ()
    """Value and words."""
    fault: str = ""


# --- the pages ------------------------------------------------------------------------------------


def named(name: str) -> Act:
    if name not in BY_NAME:
        raise NotThere(f"There is no act {name}.")
    return BY_NAME[name]


def every(asked: Asked) -> Page:
    more = {
        title: [one for one in acts if one.journal and one.name not in FRONT]
        for title, acts in FAMILIES.values()
    }
    return Page("acts.html.j2", "Acts", {"front": [BY_NAME[name] for name in FRONT], "more": more})


def title(asked: Asked, act: Act) -> str:
    given = asked.given
    upon = [given[kind] for kind in ("game", "table") if given.get(kind)]
    name = act.called(_known(asked))
    for kind in ("letter", "mail"):
        if given.get(kind):
            name = name.replace(f"the {kind}", f"{kind} {given[kind]}")
    return f"{name}: {', '.join(upon)}" if upon else name


def _known(asked: Asked) -> dict[str, str]:
    names = ("seat", "bulletin", "none")
    known = {name: one for name in names if (one := asked.given.get(name))}
    if who := asked.given.get("applicant"):
        known["who"] = dict(newcomers(asked)).get(who, who)
    return known


def page(asked: Asked) -> Answer:
    answer = _page(asked)
    address = _address(asked)
    if isinstance(answer.facts.get("would"), Would) and address and not answer.facts["changed"]:
        return Led(address)
    return answer


_LONGEST = 1_500  # characters of a trial's address


def _address(asked: Asked) -> str:
    if asked.given.get("step") != "try" or named(asked.path["act"]).tried:
        return ""
    fields = [(name, one) for name, one in asked.given.multi_items() if name not in FORMS_OWN]
    query = urlencode([(name, one) for name, one in fields if one])
    return f"/do/{asked.path['act']}?{query}" if query and len(query) < _LONGEST else ""


def _page(asked: Asked) -> Page:
    act = named(asked.path["act"])
    try:
        values, faults = _meant(asked, act)
    except OperatorError as error:
        tried = "step" in asked.given or "day" in asked.given
        return _form(asked, act, {}, str(error) if tried else None)
    step = asked.given.get("step", "")
    if faults or (act.tried and not step):  # that trial goes on file: nobody makes it by a link
        return _form(asked, act, faults if step else {})
    try:
        if step == "do" and (said := _done(asked, act, values)) is not None:
            facts = {"said": said, "told": act.tells, "back": _back(asked)}
            return Page("done.html.j2", title(asked, act), facts)
        would = trial(asked, act, values, opens=not _address(asked))
    except OperatorError as error:
        return _form(asked, act, {}, error)
    return _form(asked, act, {}, would=would, values=values)


def values_of(act: Act, given: Given) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a form's values and faults. Raise OperatorError if they do not fit together."""
    values: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for argument in act.arguments:
        try:
            values[argument.name] = _value(argument, given)
        except OperatorError as error:
            values[argument.name], faults[argument.name] = None, str(error)
        if argument.needed and values[argument.name] in (None, "") and not argument.many:
            faults.setdefault(argument.name, "is missing")
    if not faults and act.misused(values):
        raise OperatorError(act.usage)
    return values, faults


def _meant(asked: Asked, act: Act) -> tuple[dict[str, Any], dict[str, str]]:
    values, faults = values_of(act, asked.given)
    for argument in act.arguments:
        if argument.kind is Kind.PERIOD and values[argument.name] is None:
            period = _period(asked, asked.given.get("game", ""))
            values[argument.name] = int(period) if period else None
    if act.name == "extend" and asked.given.get("day"):
        at = _listed(asked, asked.given.get("game", ""))
        if at is None:
            raise OperatorError("there is no deadline to move")
        values["days"] = chosen(at, asked.given)
        faults.pop("days", None)
    if because := asked.given.get("because"):  # a ruling is withdrawn
        values["text"] = f"{values['text']} {because}"
    return values, faults


def chosen(game: GameAt, given: Mapping[str, str]) -> Length:
    """Return the distance to the chosen ``day`` and ``time``. Raise OperatorError."""
    deadline = publishing.deadline_of(game)
    if deadline is None:
        raise OperatorError(f"period {game.period.number} of {game.id} has no deadline to move")
    written = given.get("day", "")
    try:
        day = date.fromisoformat(written)
    except ValueError as error:
        raise OperatorError(f"{written!r} is no day; choose one from the calendar") from error
    if game.house.elapsed:
        hour = given.get("time", "")
        try:
            moment = datetime.combine(day, time.fromisoformat(hour), game.zone)
        except ValueError as error:
            raise OperatorError(f"{hour!r} is no time of day; write it as 18:30") from error
        by: Length = Elapsed(round((moment - deadline.due).total_seconds() / 60))
    else:
        by = Days((day - calendar.day_of(deadline.due, game.house.hour, game.zone)).days)
    if not by:
        raise OperatorError(f"the deadline of {game.id} is on {day_words(day)} already")
    return by


def _value(argument: Argument, given: Given) -> Any:
    if argument.kind is Kind.FLAG:
        return bool(given.get(argument.name))
    if argument.kind is Kind.ORDERS:
        seats = given.getlist(argument.name)
        texts = given.getlist(f"{argument.name}-text")
        pairs = zip(seats, texts, strict=False)
        return [(seat, text) for seat, text in pairs if seat and text.strip()]
    if argument.many:
        written = "\n".join(given.getlist(argument.name))
        numbers = argument.kind is Kind.NUMBER
        lines = written.replace(",", " ").split() if numbers else written.split("\n")
        return [_read(argument, line.strip()) for line in lines if line.strip()]
    chosen = given.getlist(argument.name) if argument.kind is Kind.READERS else ()
    text = ",".join(filter(None, chosen)) or given.get(argument.name, "")
    text = text.replace("\r\n", "\n").strip()
    return _read(argument, text) if text else None


def _read(argument: Argument, text: str) -> Any:
    if argument.kind is Kind.ADDRESS:
        return mail_address(text)
    if argument.kind is Kind.TIME:
        text = text.replace("T", " ")
    return READ.get(argument.kind, str)(text)


# --- what was tried is what is done ---------------------------------------------------------------


def _done(asked: Asked, act: Act, values: Mapping[str, Any]) -> str | None:
    """Do the act once a form, and return its words; None if the game changed since the trial. Raise
    OperatorError, with nothing changed."""
    shown = asked.given.get("token", "")
    form = f"{shown}/{plain(values)}"
    if shown and (before := sessions.done(asked.work.conn, form)) is not None:
        return before
    if (act.code or act.of_game) and shown != token(asked, act, values, shown.partition(".")[0]):
        return None
    clock.must_be_sure(asked.work.conn)
    with asked.work.conn.begin_nested():
        said = _carried_out(asked, act, {**values, act.tried: True} if act.tried else values)
    if shown and not act.asks:
        sessions.set_done(asked.work, form, said)
    return said


def token(asked: Asked, act: Act, values: Mapping[str, Any], form: str | None = None) -> str:
    form = form or secrets.token_hex(8)
    said = f"do/{act.name}/{form}/{plain(values)}/{state_of(asked.work, values)}"
    return f"{form}.{asked.sign(said)}"


def plain(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, default=str)


# --- the form -------------------------------------------------------------------------------------


def _form(
    asked: Asked,
    act: Act,
    faults: Mapping[str, str],
    error: str | OperatorError | None = None,
    would: Would | None = None,
    values: Mapping[str, Any] = MappingProxyType({}),
) -> Page:
    changed = would is not None and asked.given.get("step") == "do" and "token" in asked.given
    status = 409 if error or changed else 400 if faults else 200
    facts = {
        "chosen": act,
        "does": act.none.hint if act.none and "none" in asked.given else act.does,
        "told": act.tells,
        "quoted": quoted(asked, act),
        "fields": list(_fields(asked, act, faults, doubted=isinstance(error, Doubtful))),
        "error": str(error) if error else None,
        "would": would,
        "stands_for": {
            one.letter: _called(asked, one.stands) for one in (would.letters if would else ())
        },
        "changed": changed,
        "token": token(asked, act, values) if would else "",
        "back": _back(asked),
    }
    return Page("act.html.j2", title(asked, act), facts, status)


def _needless(asked: Asked, act: Act, name: str, doubted: bool) -> bool:
    """Return whether a field has no place in the form as it stands."""
    if name == "anyway":
        return not doubted
    if act.none and name in ("none", "why", "name"):
        return (name == "name") == ("none" in asked.given)
    of_letter = "letter" in asked.given
    return of_letter and (name == "before" or (name == "game" and bool(_game(asked))))


def _game(asked: Asked) -> str:
    """Return the game of the form: the one that is named, or its letter's."""
    named_, letter = asked.given.get("game", ""), asked.given.get("letter", "")
    if named_ or not is_count(letter):
        return named_
    row = Letter.one(asked.work.conn, id=int(letter))
    return row.game_id if row and asked.sight.sees(row.game_id, row.sender or "") else ""


def _fields(asked: Asked, act: Act, faults: Mapping[str, str], *, doubted: bool) -> Iterator[Field]:
    clock = list(_calendar_fields(asked)) if act.name == "extend" else []
    yield from clock
    for argument in act.arguments:
        if argument.name == act.tried:  # the button that does it
            continue
        if not asked.given.get(argument.name) and _needless(asked, act, argument.name, doubted):
            continue
        one = _field(asked, act, argument, faults.get(argument.name, ""))
        if argument.kind is Kind.TEXT and "none" in asked.given:
            hint = "" if one.choices else "There is none to withdraw."
            yield replace(one, label="The ruling", hint=hint, input="select")
            yield Field("because", "Why", "", "text", asked.given.get("because", ""), False)
        else:
            yield replace(one, required=False) if clock and one.name == "days" else one


def _field(asked: Asked, act: Act, argument: Argument, fault: str) -> Field:
    name, kind, game = argument.name, argument.kind, _game(asked)
    value = asked.given.get(name, "")
    choices: Sequence[tuple[str, str]] = ()
    shape = _INPUT.get(kind, "text")
    if argument.many and kind is not Kind.ORDERS:
        shape, value = "textarea", "\n".join(asked.given.getlist(name))
    if kind is Kind.PERIOD:
        shape, value = "hidden", value or _period(asked, asked.given.get("game", ""))
    elif value == NONE or (
        value and not fault and (kind in (Kind.GAME, Kind.TABLE) or name in _KNOWN)
    ):
        shape = "hidden"
    elif kind is Kind.GAME:
        there = (row.id for row in games.not_over(asked.work.conn))
        shape, choices = "select", [(one, one) for one in there if asked.sight.lists(one)]
    elif kind is Kind.SEAT and game:
        shape, choices = "select", _seats(asked, game)
    elif choices := chosen_from(asked, act, name):
        shape = "select"
    elif kind is Kind.READERS and (choices := _readers(asked, game)):
        shape, value = "seats", ",".join(asked.given.getlist(name))
    hint = argument.hint.partition(". ")[2] if shape == "seats" else argument.hint
    return Field(name, argument.label, hint, shape, value, argument.needed, choices, fault)


_KNOWN = ("letter", "mail", "applicant", "none", "second")


def _called(asked: Asked, stands: Foreseen | None) -> str:
    """Return the seat with its player's name, if the gamesmaster may know it."""
    if stands is None or not stands.seat:
        return ""
    return dict(_seats(asked, stands.game)).get(stands.seat, stands.seat)


def _calendar_fields(asked: Asked) -> Iterator[Field]:
    """Yield the fields of a new day, if there is a deadline to move."""
    game = _listed(asked, asked.given.get("game", ""))
    deadline = publishing.deadline_of(game) if game else None
    if not game or not deadline:
        return
    hour = game.house.hour
    now = times.deadline(asked.work, deadline.due, hour, game.row.zone).words
    hint = f"Now {now}{'; the hour stays' if hour else ''}."
    yield Field("day", "The new day", hint, "date", asked.given.get("day", ""), required=False)
    if not hour:
        value = asked.given.get("time", "") or calendar.day_and_hour(deadline.due, "", game.zone)[1]
        yield Field("time", "The time", "", "time", value, required=False)


def _readers(asked: Asked, game: str) -> Sequence[tuple[str, str]]:
    at = games.begun(asked.work.conn, game) if game else None
    bots = at.bots if at else ()
    seats = [one for one in _seats(asked, game) if one[0] not in bots] if game else []
    if not seats:
        return ()
    veiled = shelf.open_ruleset(games.game(asked.work.conn, game).ruleset).about.veiled
    unsigned = [("ALL ANONYMOUS", "All, without saying that it is yours")] if veiled else []
    return [("ALL", "All players"), *unsigned, *seats]


def _seats(asked: Asked, game: str) -> Sequence[tuple[str, str]]:
    at = _listed(asked, game)
    if at is None:
        return ()
    names = at.holders if asked.sight.looks_into(game) else {}
    return [(seat, f"{seat} ({names[seat].name})" if seat in names else seat) for seat in at.seats]


def _listed(asked: Asked, game: str) -> GameAt | None:
    """Return a game that has begun, if the gamesmaster may know of it."""
    return games.begun(asked.work.conn, game) if game and asked.sight.lists(game) else None


def _period(asked: Asked, game: str) -> str:
    at = _listed(asked, game)
    return str(at.period.number) if at else ""


def _back(asked: Asked) -> str:
    if asked.path["act"] == "restore":
        return asked.url("/restore")
    letter = asked.given.get("letter", "")
    if is_count(letter):
        return asked.url(f"/letters/{letter}")
    if asked.given.get("game"):
        return asked.url(f"/games/{asked.given['game']}")
    return asked.url("/")
