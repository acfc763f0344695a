"""What a seat says of itself: ABSENT, ZONE, RECEIPTS, HTML, PLAIN, CALENDAR, NAME, MUTE, PROTEST,
INVITE, ASK."""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.games.frame import calendar
from pbem.games.frame.events import Seat
from pbem.orders import dates, inquiry
from pbem.orders.asking import ANYBODY, NAME
from pbem.orders.mailwords import Command, Peeled
from pbem.orders.naming import NotAName
from pbem.periods import away, inquiries, persons
from pbem.post import alarms
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.referee.game import relaying
from pbem.referee.words import club, questions
from pbem.store.games import press
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people.players import HTML, PLAIN
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Mute, Player
from pbem.text import counted, day_words, listed, safe

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
    seat, asked_for = judged.decision.seat, defaultdict[_Carrying, list[Command]](list)
    for one in judged.decision.peeled.commands:
        if one.name in WORDS:
            asked_for[WORDS[one.name]].append(one)
    if not asked_for[_ask] and questions.for_time(work, judged, game):
        asked_for[_ask] = [Command(inquiry.ASK, questions.for_time(work, judged, game), 0)]
    player = game.holders[seat].player_id
    if player is None:
        yield from ["Nobody holds this seat."] * any(asked_for.values())
        return
    says = OwnWords(work, judged, game, seat, game.holders[seat], player)
    for carrying in dict.fromkeys(WORDS.values()):
        if asked_for[carrying]:
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
        near = found or _nearest(written)
        meant = f"may mean {listed(near[:_MOST_NAMED], 'or')}" if near else "is none that I know"
        yield (
            f'ZONE was not taken: "{safe(written)}" {meant}. Write one by its full name, as'
            " America/New_York or Europe/London."
        )


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
    own, offset = _zones().get(word), _OFFSET.fullmatch(word)
    if offset:
        sign, hours, minutes = offset.groups()
        away = timedelta(hours=int(hours), minutes=int(minutes or 0))
        far = str(away).removesuffix(":00").removesuffix(":00")
        side = "west" if sign == "-" else "east"
        means = f" ({far} hour{'s' * (far != '1')} {side} of Greenwich)" if away else ""
        away = -away if sign == "-" else away
        fit = [
            one
            for one in _CITIES.split()
            if away in {when.utcoffset() for when in _seasons(one, now)}
        ]
    elif own is None or len({when.utcoffset() for when in _seasons(own, now)}) == 1:
        means = ""
        fit = [
            one
            for one in _CITIES.split()
            if written.upper() in map(datetime.tzname, _seasons(one, now))
        ]
    else:
        return ""
    if not fit:
        return ""
    return (
        f"ZONE was not taken: {safe(written)}{means} is an abbreviation, and does not say when the"
        f" clocks change. Zones that may fit: {listed(fit, 'or')}. Write one by its full name, as"
        f"\u00a0ZONE {fit[0]}."
    )


def _seasons(zone: str, now: datetime) -> list[datetime]:
    """Return a moment of winter and one of summer."""
    return [datetime(now.year, month, 1, tzinfo=UTC).astimezone(ZoneInfo(zone)) for month in (1, 7)]


def _nearest(written: str) -> list[str]:
    names = {name: zone for name, zone in _zones().items() if "/" in zone}
    places = {name.rpartition("/")[2]: zone for name, zone in names.items()}
    word = "_".join(written.casefold().split())
    known = {**places, **names}
    near = difflib.get_close_matches(word, sorted(known), n=_MOST_NAMED, cutoff=0.8)
    return list(dict.fromkeys(known[one] for one in near))


@lru_cache
@paused
def _zones() -> dict[str, str]:
    return {zone.casefold(): zone for zone in available_timezones()}


def _receipts(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    every = _last(said).upper() == "ALL"
    Player.change(says.work.conn, {"id": says.player}, all_receipts=every)
    show = "list your orders too" if every else "show the press alone"
    yield f"From now on receipts of press {show}."


def _face(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    plain = said[-1].name == "PLAIN"
    Player.change(says.work.conn, {"id": says.player}, face=PLAIN if plain else HTML)
    if plain:
        yield "From now on your mails are plain text alone. The word\u00a0HTML brings HTML back."
    else:
        yield "From now on your mails come as HTML too. The word\u00a0PLAIN ends that."


def _calendar(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    written, has = _last(said), says.holder.calendar
    if written in ("ON", "OFF"):
        Player.change(says.work.conn, {"id": says.player}, calendar=written == "ON")
    if written == "ON":
        yield (
            "From now on bulletins, and mails about a deadline that moves, bring a file for your"
            f" calendar ({says.game.id}.ics). The deadline of the open period, if it has one, comes"
            " with this receipt."
        )
    elif written == "OFF":
        yield (
            "From now on no mail of yours brings anything for your calendar. What is in it stays"
            " until you take it out."
        )
    else:
        yield (
            f"Your mails {'bring' if has else 'do not bring'} the deadlines for your calendar. To"
            f" change that, write\u00a0CALENDAR {'OFF' if has else 'ON'}."
        )


def _name(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    try:
        name = persons.rename(says.work, says.player, _last(said).removeprefix("IS "))
    except NotAName as error:
        yield f"NAME was not taken: {error}."
        return
    hides = says.game.hides_names
    told = "names are hidden here, so nobody is told" if hides else "all are told"
    yield f"From now on you are called {name}; {told}. You can do this once in a game."


# --- their press, their time, their questions -----------------------------------------------------


def _mute(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    """Stop the press that a seat signs; nobody else is told. Other press still comes, else it would
    show who writes it."""
    for written in _each(said):
        yield _of_mute(says.work, says.game, says.seat, written.upper().split())


def _of_mute(work: Work, game: GameAt, seat: Seat, words: Sequence[str]) -> str:
    if not words:
        pairs = press.stopped(work.conn, game.id, game.holders)
        if mine := [one for one in game.seats if (seat, one) in pairs]:
            return f"You get no press that {listed(mine)} signs."
        return "You get the press of all. MUTE and a seat behind it ends that for one of them."
    off = words[-1] == "OFF"
    named = relaying.addressed(game, tuple(words[: len(words) - off]))
    keys = {one.upper(): one for one in game.seats}
    if len(named) != 1 or named[0] not in keys:
        return (
            f'MUTE was not taken: "{safe(" ".join(words))}" is no seat here. Write one of them'
            f" behind it: {listed(game.seats, 'or')}."
        )
    other = keys[named[0]]
    if other == seat:
        return "MUTE was not taken: that is your own seat."
    if off:
        Mute.drop(work.conn, game_id=game.id, reader=seat, seat=other)
        return f"You get the press of {other} again."
    both = (game.holders[one].player_id or 0 for one in (seat, other))
    Mute.put(work.conn, Mute(game.id, seat, other, *both))
    return (
        f"You get no more press that {other} signs. Nobody else is told. What {other} writes to ALL"
        f" still stands in the bulletins, and press without a name still comes. MUTE\u00a0{other}"
        " OFF ends this."
    )


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


def _invite(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    for one in said:
        yield club.invited(club.Asker.of(says.work, says.judged), one.argument)


def _absent(says: OwnWords, said: Sequence[Command]) -> Iterator[str]:
    for days in list(_each(said))[: MOST_ABSENCES + 1]:
        yield _away(says, days)


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
        return (
            f"ABSENT: one bulletin announces {MOST_ABSENCES} absences of a seat at most; this was"
            f" not taken: {absence}."
        )
    notes.rule(work.conn, game.id, NoteKind.HOUSE, f"{absence}.", work.now)
    notes.note(
        work.conn,
        game.id,
        work.now,
        "absent",
        seat=seat,
        first=first.isoformat(),
        last=last.isoformat(),
    )
    if game.house.elapsed:
        does, command = "To stop the clock for it", f"hold {game.id}"
    else:
        does, command = "To move the deadline for it", f"pause {game.id} {first} {last}"
    text = f"{absence}.\n{does}, with your reason: `pbem {command}`"
    subject = f"{game.id}: {seat} announces an absence"
    key = f"absent:{row.id}"
    alarms.tell(work, key, subject, text, game.id, f"{absence}.", (command,))
    return (
        f"Your absence will be in the next bulletin: {absence}. The gamesmaster has been told; the"
        f" deadline has not moved.{away.waits(work, game.id)}"
    )


_Carrying = Callable[[OwnWords, Sequence[Command]], Iterator[str]]
WORDS: Mapping[str, _Carrying] = {
    "ABSENT": _absent,
    "ZONE": _zone,
    "RECEIPTS": _receipts,
    "PLAIN": _face,
    "HTML": _face,
    "CALENDAR": _calendar,
    NAME: _name,
    "MUTE": _mute,
    "PROTEST": _protest,
    "INVITE": _invite,
    inquiry.ASK: _ask,
}


def unread(peeled: Peeled) -> list[str]:
    """Return notes on lines below END and on words without a game."""
    lines = counted(peeled.unread, "line")
    told = [f"Nothing after END was read: {lines}."] if peeled.unread else []
    if peeled.next:
        told = [f"Nothing for next period was taken: {lines}. Send it when that has begun."]
    others = dict.fromkeys(one.name for one in peeled.commands if one.name in ANYBODY - {"INVITE"})
    if others:
        names = listed(list(others))
        told.append(
            f"{names} {'was' if len(others) == 1 else 'were'} not read: what is about no seat goes"
            " into a letter of its own."
        )
    return told
