"""What a seat says of itself: ABSENT, ZONE, RECEIPTS, HTML, PLAIN, CALENDAR, NAME, MUTE, PROTEST,
INVITE, ASK."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from zoneinfo import ZoneInfo, available_timezones

from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.events import Seat, grouped
from pbem.house import templates
from pbem.orders import dates, inquiry
from pbem.orders.asking import ANYBODY, NAME
from pbem.orders.mailwords import Command, Peeled
from pbem.orders.naming import NotAName
from pbem.periods import away, inquiries, persons
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import receipts, relaying
from pbem.referee.words import club, questions
from pbem.store.games import press
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people.players import HTML, PLAIN
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Mute, Player
from pbem.text import day_words

_said = partial(templates.said, "own")
MOST_ABSENCES = 5
"""Of a seat, in one bulletin."""
_MOST_NAMED = 5
_OFFSET = re.compile(r"(?:gmt|utc)_?([+-])_?([0-9]{1,2})(?::?([0-5][0-9]))?", re.ASCII)
_CITIES = """
Pacific/Honolulu America/Anchorage America/Los_Angeles America/Phoenix America/Denver
America/Chicago America/Mexico_City America/New_York America/Panama America/Halifax
America/Caracas America/St_Johns America/Sao_Paulo America/Argentina/Buenos_Aires
Atlantic/South_Georgia Atlantic/Azores Europe/London Europe/Dublin Europe/Lisbon Africa/Accra
Europe/Paris Europe/Berlin Africa/Lagos Europe/Athens Europe/Helsinki Africa/Johannesburg
Asia/Jerusalem Europe/Istanbul Europe/Moscow Africa/Nairobi Asia/Tehran Asia/Dubai Asia/Kabul
Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Dhaka Asia/Yangon Asia/Bangkok Asia/Shanghai
Asia/Singapore Australia/Perth Asia/Tokyo Asia/Seoul Australia/Darwin Australia/Adelaide
Australia/Brisbane Australia/Sydney Pacific/Guadalcanal Pacific/Auckland Pacific/Apia
Pacific/Kiritimati
"""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A seat whose player says something of themselves."""

    work: Work
    judged: Judged
    game: GameAt
    seat: Seat
    holder: Holder
    player: int


def carry_out(work: Work, judged: Judged, game: GameAt) -> Iterator[str]:
    """Carry out a letter's words. Yield notes."""
    seat, commands = judged.decision.seat, judged.decision.peeled.commands
    asked_for = grouped((WORDS[one.name], one) for one in commands if one.name in WORDS)
    if _ask not in asked_for and questions.for_time(work, judged, game):
        asked_for[_ask] = [Command(inquiry.ASK, questions.for_time(work, judged, game), 0)]
    player = game.holders[seat].player_id
    if player is None:
        yield from ["Nobody holds this seat."] * any(asked_for.values())
        return
    says = OwnWords(work, judged, game, seat, game.holders[seat], player)
    for carrying in [one for one in dict.fromkeys(WORDS.values()) if one in asked_for]:
        yield from carrying(says, asked_for[carrying])


def _last(said: Sequence[Command]) -> str:
    """Return the argument of the last: that counts."""
    return said[-1].argument.strip(" .!?")


def _each(said: Sequence[Command]) -> Iterable[str]:
    return dict.fromkeys(one.argument for one in said)


# --- their mails ----------------------------------------------------------------------------------


def _zone(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    work, written = says.work, _last(said)
    if not written:
        own = says.holder.zone or "not set"
        yield f"Your own zone is {own}. To set it, write\u00a0ZONE and its name: Europe/London."
    elif written.upper() == "NONE":
        Player.change(work.conn, {"id": says.player}, zone="")
        yield f"You are told deadlines in the zone of the game again, {says.game.row.zone}."
    elif fixed := _fixed(written, work.now):
        yield fixed
    elif len(found := _named(written)) == 1:
        Player.change(work.conn, {"id": says.player}, zone=found[0])
        yield f"From now on you are told deadlines in the zone {found[0]} too."
    else:
        yield _said("zone_unknown", written, found or _nearest(written))


def _named(written: str) -> list[str]:
    """Return the zones of that name, or of a place so called."""
    word = "_".join(written.casefold().split())
    zones = _zones()
    if word in zones:
        return [zones[word]]
    return sorted(zone for name, zone in zones.items() if name.rpartition("/")[2] == word)


def _fixed(written: str, now: datetime) -> str:
    """Return an answer to a fixed zone's abbreviation, or ""."""
    word = "_".join(written.casefold().split())
    own, offset, means = _zones().get(word), _OFFSET.fullmatch(word), ""
    tells: Callable[[datetime], object] = datetime.tzname
    wanted: object = written.upper()
    if offset:
        sign, hours, minutes = offset.groups()
        off = timedelta(hours=int(hours), minutes=int(minutes or 0))
        far = str(off).removesuffix(":00").removesuffix(":00")
        side = "west" if sign == "-" else "east"
        means = f" ({far} hour{'s' * (far != '1')} {side} of Greenwich)" if off else ""
        tells, wanted = datetime.utcoffset, -off if sign == "-" else off
    elif own and len(set(map(datetime.utcoffset, _seasons(own, now)))) > 1:
        return ""
    fit = [one for one in _CITIES.split() if wanted in map(tells, _seasons(one, now))]
    return _said("zone_fixed", written, means, fit) if fit else ""


def _seasons(zone: str, now: datetime) -> list[datetime]:
    """Return a moment of winter and one of summer."""
    return [datetime(now.year, month, 1, tzinfo=UTC).astimezone(ZoneInfo(zone)) for month in (1, 7)]


def _nearest(written: str) -> list[str]:
    names = {name: zone for name, zone in _zones().items() if "/" in zone}
    known = {name.rpartition("/")[2]: zone for name, zone in names.items()} | names
    word = "_".join(written.casefold().split())
    near = difflib.get_close_matches(word, sorted(known), n=_MOST_NAMED, cutoff=0.8)
    return list(dict.fromkeys(known[one] for one in near))


@lru_cache
@paused
def _zones() -> dict[str, str]:
    return {zone.casefold(): zone for zone in available_timezones()}


def _receipts(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    every = _last(said).upper() == "ALL"
    Player.change(says.work.conn, {"id": says.player}, all_receipts=every)
    yield _said("receipts", every)


def _face(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    plain = said[-1].name == "PLAIN"
    Player.change(says.work.conn, {"id": says.player}, face=PLAIN if plain else HTML)
    yield _said("face", plain)


def _calendar(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    written = _last(said)
    if written in ("ON", "OFF"):
        Player.change(says.work.conn, {"id": says.player}, calendar=written == "ON")
    yield _said("calendar", says.game.id, written, says.holder.calendar)


def _name(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    try:
        name = persons.rename(says.work, says.player, _last(said).removeprefix("IS "))
    except NotAName as error:
        yield f"NAME was not taken: {error}."
        return
    yield _said("called", name, says.game.hides_names)


# --- their press, their time, their questions -----------------------------------------------------


def _mute(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    """Stop the press that a seat signs; nobody else is told. Other press still comes, else it would
    show who writes it."""
    for written in _each(said):
        yield _of_mute(says.work, says.game, says.seat, written.upper().split())


def _of_mute(work: Work, game: GameAt, seat: Seat, words: Sequence[str]) -> str:
    if not words:
        pairs = press.stopped(work.conn, game.id, game.holders)
        return _said("muted", [one for one in game.seats if (seat, one) in pairs])
    off = words[-1] == "OFF"
    named = relaying.addressed(game, tuple(words[: len(words) - off]))
    keys = {one.upper(): one for one in game.seats}
    if len(named) != 1 or named[0] not in keys:
        return _said("mute_unknown", words, game.seats)
    other = keys[named[0]]
    if other == seat:
        return "MUTE was not taken: that is your own seat."
    if off:
        Mute.drop(work.conn, game_id=game.id, reader=seat, seat=other)
        return f"You get the press of {other} again."
    both = (game.holders[one].player_id or 0 for one in (seat, other))
    Mute.put(work.conn, Mute(game.id, seat, other, *both))
    return _said("mutes", other)


def _protest(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    written = said[-1].argument
    if written.strip(" .!").upper() == "OFF":
        yield inquiries.taken_back(says.work, says.game, says.seat)
    elif why := inquiry.too_long(written):
        yield f"PROTEST was not taken: {why}."
    elif written:
        yield inquiries.protest(says.work, says.game, says.seat, written)
    else:
        yield "PROTEST was not taken: say behind it, on the same line, what is wrong."


def _ask(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    """Send the questions to the gamesmaster, and nothing else of the letter."""
    question = " ".join(one.argument for one in said if one.argument)
    if not question:
        yield "ASK was not taken: write ASK\u00a0GAMESMASTER and your question."
    elif why := inquiry.too_long(question):
        yield f"Your question was not sent: {why}."
    else:
        yield inquiries.ask(says.work, says.game, says.seat, says.judged.row.id, question)


def _away(says: OwnWords, days: str) -> str:
    """Announce days, without a year the next such, to gamesmaster and bulletin."""
    work, game, seat, row = says.work, says.game, says.seat, says.judged.row
    try:
        named = dates.days(days, row.received.astimezone(game.zone).date())
        first, last = calendar.span(*(day.isoformat() for day in named))
    except dates.Unclear as error:
        return f"ABSENT {days}: not taken: {error}, as in ABSENT 10 March TO 20 March."
    except OperatorError as error:
        return f"ABSENT: {error}"
    begins = f"{seat} is away from "
    absence = f"{begins}{day_words(first)} to {day_words(last)}"
    texts = [note.text for note in notes.unprinted(work.conn, game.id)]
    announced = [text for text in texts if text.startswith(begins)]
    if f"{absence}." in announced:
        return f"ABSENT: the next bulletin says already that {absence}."
    if len(announced) >= MOST_ABSENCES:
        return _said("absent_full", MOST_ABSENCES, absence)
    notes.rule(work.conn, game.id, NoteKind.HOUSE, f"{absence}.", work.now)
    begin, end = first.isoformat(), last.isoformat()
    notes.note(work.conn, game.id, work.now, "absent", seat=seat, first=begin, last=end)
    if game.house.elapsed:
        does, command = "To stop the clock for it", f"hold {game.id}"
    else:
        does, command = "To move the deadline for it", f"pause {game.id} {first} {last}"
    text = f"{absence}.\n{does}, with your reason: `pbem {command}`"
    key, subject = f"absent:{row.id}", f"{game.id}: {seat} announces an absence"
    alarms.tell(work, key, subject, text, game.id, f"{absence}.", (command,))
    return _said("absent", absence, away.waits(work, game.id))


_Carrying = Callable[[OwnWords, Sequence[Command]], Iterator[str]]
WORDS: Mapping[str, _Carrying] = {
    "ABSENT": lambda says, said: (
        _away(says, days) for days in [*_each(said)][: MOST_ABSENCES + 1]
    ),
    "ZONE": _zone,
    "RECEIPTS": _receipts,
    "PLAIN": _face,
    "HTML": _face,
    "CALENDAR": _calendar,
    NAME: _name,
    "MUTE": _mute,
    "PROTEST": _protest,
    "INVITE": lambda says, said: (
        club.invited(club.Asker.of(says.work, says.judged), one.argument) for one in said
    ),
    inquiry.ASK: _ask,
}


def unread(peeled: Peeled) -> list[str]:
    """Return notes on lines below END and on words without a game."""
    below = peeled.next or peeled.unread
    told = [receipts.remark("unread_below", peeled.next, peeled.unread)] if below else []
    others = dict.fromkeys(one.name for one in peeled.commands if one.name in ANYBODY - {"INVITE"})
    return [*told, *([receipts.remark("unread_words", [*others])] if others else [])]
