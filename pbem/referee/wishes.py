"""How a player wants his mails: deadlines by his own clock (ZONE), a receipt of every letter or
only of those that say more than that press went out (RECEIPTS)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zoneinfo import available_timezones

from pbem.games.frame.events import Seat
from pbem.orders.mailwords import Command
from pbem.post.work import Work
from pbem.store import players
from pbem.store.games import Table
from pbem.text import listed, safe

WORDS = ("ZONE", "RECEIPTS")
_MOST_NAMED = 5
_NONE, _ALL, _USUAL = "NONE", "ALL", ("USUAL", "")


def heard(work: Work, at: Table, seat: Seat, commands: Sequence[Command]) -> Iterator[str]:
    """What the receipt says of the last ZONE and the last RECEIPTS of a letter, which are done."""
    last = {command.name: command.argument for command in commands if command.name in WORDS}
    for name, argument in last.items():
        yield (_zone if name == "ZONE" else _receipts)(work, at, seat, argument.strip(" .!?"))


def _zone(work: Work, at: Table, seat: Seat, written: str) -> str:
    holder = at.holders[seat]
    if not written:
        own = holder.zone or "not set"
        return f"Your own zone is {own}. To set it, write\u00a0ZONE and its name: Europe/London."
    if holder.player_id is None:
        return "ZONE: nobody holds this seat."
    if written.upper() == _NONE:
        players.set_zone(work.conn, holder.player_id, "")
        return f"You are told deadlines in the zone of the game again, {at.game.zone}."
    found = _named(written)
    if len(found) != 1:
        near = found or _nearest(written)
        meant = f"may mean {listed(near[:_MOST_NAMED], 'or')}" if near else "is none that I know"
        return (
            f'ZONE was not taken: "{safe(written)}" {meant}. Write one by its full name, as'
            " America/New_York or Europe/London."
        )
    players.set_zone(work.conn, holder.player_id, found[0])
    return f"From now on you are told deadlines in the zone {found[0]} too."


def _named(written: str) -> list[str]:
    """The zones of that name, or whose place is called so."""
    word = "_".join(written.casefold().split())
    zones = _zones()
    if word in zones:
        return [zones[word]]
    return sorted(zone for name, zone in zones.items() if name.rpartition("/")[2] == word)


def _nearest(written: str) -> list[str]:
    """The zones whose names, or whose places, are spelt much like it."""
    names = {name: zone for name, zone in _zones().items() if "/" in zone}
    places = {name.rpartition("/")[2]: zone for name, zone in names.items()}
    word = "_".join(written.casefold().split())
    known = {**places, **names}
    near = difflib.get_close_matches(word, sorted(known), n=_MOST_NAMED, cutoff=0.8)
    return list(dict.fromkeys(known[one] for one in near))


@lru_cache
def _zones() -> dict[str, str]:
    """All zones, by their names in small letters."""
    return {zone.casefold(): zone for zone in available_timezones()}


def _receipts(work: Work, at: Table, seat: Seat, written: str) -> str:
    holder, word = at.holders[seat], written.upper()
    if word != _ALL and word not in _USUAL:
        return "RECEIPTS was not taken: behind it stands\u00a0ALL or\u00a0USUAL."
    if holder.player_id is None:
        return "RECEIPTS: nobody holds this seat."
    players.set_receipts(work.conn, holder.player_id, every=word == _ALL)
    if word == _ALL:
        return "From now on every letter of yours is receipted, press alone too."
    return (
        "From now on every letter of yours is receipted, but for one that has nothing but press"
        " which went out."
    )
