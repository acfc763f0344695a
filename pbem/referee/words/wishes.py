"""How a player wants his mails, and his name: ZONE, RECEIPTS, HTML, PLAIN, CALENDAR, MUTE, NAME."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from pbem.games.frame.events import Seat
from pbem.orders.asking import NAME
from pbem.orders.mailwords import Command
from pbem.orders.naming import NotAName
from pbem.periods import persons
from pbem.post.work import Work
from pbem.referee.words import mutes, protests
from pbem.store.games.games import GameAt
from pbem.store.people.players import HTML, PLAIN
from pbem.store.schema.tables import Player
from pbem.text import listed, safe

_MOST_NAMED = 5
_NONE, _ALL, _USUAL = "NONE", "ALL", ("USUAL", "")
_YES, _NO = "ON", "OFF"
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


def carry_out(work: Work, at: GameAt, seat: Seat, commands: Sequence[Command]) -> Iterator[str]:
    """Carry out a letter's wishes; the last on each matter counts. Yield notes."""
    last = {_ASKED[command.name]: command for command in commands if command.name in WORDS}
    for grant, command in last.items():
        written = command.argument.strip(" .!?")
        yield grant(work, at, seat, command.name if grant is _face else written)
    yield from mutes.carry_out(work, at, seat, commands)
    yield from protests.carry_out(work, at, seat, commands)


def _zone(work: Work, at: GameAt, seat: Seat, written: str) -> str:
    holder = at.holders[seat]
    if not written:
        own = holder.zone or "not set"
        return f"Your own zone is {own}. To set it, write\u00a0ZONE and its name: Europe/London."
    if holder.player_id is None:
        return "ZONE: nobody holds this seat."
    if written.upper() == _NONE:
        Player.change(work.conn, {"id": holder.player_id}, zone="")
        return f"You are told deadlines in the zone of the game again, {at.game.zone}."
    if fixed := _fixed(written, work.now):
        return fixed
    found = _named(written)
    if len(found) != 1:
        near = found or _nearest(written)
        meant = f"may mean {listed(near[:_MOST_NAMED], 'or')}" if near else "is none that I know"
        return (
            f'ZONE was not taken: "{safe(written)}" {meant}. Write one by its full name, as'
            " America/New_York or Europe/London."
        )
    Player.change(work.conn, {"id": holder.player_id}, zone=found[0])
    return f"From now on you are told deadlines in the zone {found[0]} too."


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
def _zones() -> dict[str, str]:
    return {zone.casefold(): zone for zone in available_timezones()}


def _receipts(work: Work, at: GameAt, seat: Seat, written: str) -> str:
    holder, word = at.holders[seat], written.upper()
    if word != _ALL and word not in _USUAL:
        return "RECEIPTS was not taken: behind it stands\u00a0ALL or\u00a0USUAL."
    if holder.player_id is None:
        return "RECEIPTS: nobody holds this seat."
    Player.change(work.conn, {"id": holder.player_id}, all_receipts=word == _ALL)
    if word == _ALL:
        return "From now on receipts of press list your orders too."
    return "From now on receipts of press show the press alone."


def _face(work: Work, at: GameAt, seat: Seat, word: str) -> str:
    holder = at.holders[seat]
    if holder.player_id is None:
        return f"{word}: nobody holds this seat."
    plain = word == "PLAIN"
    Player.change(work.conn, {"id": holder.player_id}, face=PLAIN if plain else HTML)
    if plain:
        return "From now on your mails are plain text alone. The word\u00a0HTML brings HTML back."
    return "From now on your mails come as HTML too. The word\u00a0PLAIN ends that."


def _calendar(work: Work, at: GameAt, seat: Seat, written: str) -> str:
    holder = at.holders[seat]
    if holder.player_id is None:
        return "CALENDAR: nobody holds this seat."
    if written not in (_YES, _NO):
        now = "bring" if holder.calendar else "do not bring"
        return (
            f"Your mails {now} the deadlines for your calendar. To change that,"
            f" write\u00a0CALENDAR {_NO if holder.calendar else _YES}."
        )
    Player.change(work.conn, {"id": holder.player_id}, calendar=written == _YES)
    if written == _YES:
        return (
            "From now on bulletins, and mails about a deadline that moves, bring a file for your"
            f" calendar ({at.id}.ics). The deadline of the open period, if it has one, comes with"
            " this receipt."
        )
    return (
        "From now on no mail of yours brings anything for your calendar. What is in it stays until"
        " you take it out."
    )


def _name(work: Work, at: GameAt, seat: Seat, written: str) -> str:
    holder, name = at.holders[seat], written.removeprefix("IS ")
    if holder.player_id is None:
        return "NAME: nobody holds this seat."
    try:
        name = persons.rename(work, holder.player_id, name)
    except NotAName as error:
        return f"NAME was not taken: {error}."
    told = "names are hidden here, so nobody is told" if at.hides_names else "all are told"
    return f"From now on you are called {name}; {told}. You can do this once in a game."


_ASKED: Mapping[str, Callable[[Work, GameAt, Seat, str], str]] = {
    "ZONE": _zone,
    "RECEIPTS": _receipts,
    "PLAIN": _face,
    "HTML": _face,
    "CALENDAR": _calendar,
    NAME: _name,
}
WORDS = tuple(_ASKED)
