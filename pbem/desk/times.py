"""Words of the desk: moments by the clock of their game, and links of commands and letters."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from markupsafe import Markup, escape

from pbem.acts import acts
from pbem.games.frame.calendar import day_and_hour, left
from pbem.post.work import Work
from pbem.text import day_words, moment_words


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC, in ``words`` by the game's clock, and its distance: "2 days 3 hours"."""

    iso: str
    words: str
    far: str


def words(work: Work, when: datetime | None, zone: str, *, seconds: bool = False) -> str:
    """Return "Tuesday 30 March, 02:00", the year if it is another than now, and the zone if it is
    another than the installation's; "" for None."""
    local = when and moment_words(when.astimezone(ZoneInfo(zone)), seconds=seconds)
    return _short(work, local, zone) if local else ""


def _short(work: Work, local: str, zone: str) -> str:
    said = local.replace(f" {work.now.year},", ",")
    return said if zone == work.config.referee.zone else f"{said} {zone}"


def moment(work: Work, when: datetime, zone: str) -> Moment:
    return _moment(work, when, words(work, when, zone))


def deadline(work: Work, when: datetime, hour: str, zone: str) -> Moment:
    """``hour``: the house's, or ""."""
    day, at = day_and_hour(when, hour, ZoneInfo(zone))
    return _moment(work, when, _short(work, f"{day_words(day, weekday=True)}, {at}", zone))


def _moment(work: Work, when: datetime, said: str) -> Moment:
    rest = abs(when - work.now)
    return Moment(when.isoformat(), said, left(rest, exact=rest < timedelta(days=1)))


_FIGURES = frozenset("0123456789")


def spoken(url: Callable[[str], str], text: str) -> Markup:
    """Return a text as HTML, known shell commands as links. ``url`` makes an address of a path."""
    return Markup(acts.COMMAND.sub(partial(_linked, url), str(escape(text))))


def letters_linked(url: Callable[[str], str], said: str, letters: Iterable[int]) -> Markup:
    """Return a sentence as HTML, each of these letters as a link; behind it if it names it not."""
    found = str(escape(said))
    for number in letters:
        for word in (f"Letter {number}", f"letter {number}"):
            before, named, after = found.partition(word)
            if named and after[:1] not in _FIGURES:
                found = f"{before}{_link(url, number, word)}{after}"
                break
        else:
            found = f"{found} {_link(url, number, f'Letter {number}')}"
    return Markup(found)


def _link(url: Callable[[str], str], number: int, word: str) -> str:
    return str(Markup('<a href="{}">{}</a>').format(url(f"/letters/{number}"), word))


def _linked(url: Callable[[str], str], found: re.Match[str]) -> str:
    page = acts.page(found[1], Markup(found[2]).unescape().split())
    if page is None:
        return found[0]
    return str(Markup('<a href="{}">{}</a>').format(url(page.path), page.title))
