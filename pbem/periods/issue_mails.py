"""Mail an issue: a bulletin to all and a notice to each seat; at the beginning, the welcome."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.periods import end_words, own_page, start_mails, threads
from pbem.periods.threads import Firsts
from pbem.post.compose import JOURNAL, SEED, Draft
from pbem.post.seats import put_to_seats
from pbem.post.work import Work
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt


@dataclass(frozen=True, slots=True)
class Printed:
    """A bulletin in print."""

    number: int
    edition: int
    texts: Mapping[str, str]
    """"": for all."""
    headline: str | None = None
    calendar: str = ""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    journal: str = ""
    """The journal's head, as the bulletin has it."""
    taught: Mapping[Seat, str] = field(default_factory=dict)


def welcome(work: Work, at: GameAt, holders: Sequence[Holder], printed: Printed) -> Firsts:
    """Mail the beginning: welcome, bulletin 0 and first notice in one."""
    opening, pictures, bound = printed.texts[""], printed.pictures, _bound(at, printed)
    put_to_seats(
        work,
        at,
        [
            (
                one,
                replace(
                    _taught(start_mails.draft(work, at, one, opening, pictures), printed, one),
                    facts=bound,
                ),
            )
            for one in holders
            if one.address
        ],
    )
    return threads.firsts(work, at)


def _taught(draft: Draft, printed: Printed, holder: Holder) -> Draft:
    more = printed.taught.get(holder.seat, "")
    return replace(draft, text=f"{draft.text}\n{more}") if more else draft


def issue(work: Work, at: GameAt, holders: Sequence[Holder], printed: Printed) -> Firsts:
    """Mail an issue to these holders. Return their threads. ``at``: the period after."""
    firsts = threads.firsts(work, at)
    after = end_words.what_next(work.conn) if at.result is not None else ""
    made = [(one, draft) for one in holders for draft in _both(at, one, printed, firsts, after)]
    put_to_seats(work, at, made)
    return firsts


def _both(
    at: GameAt, holder: Holder, printed: Printed, firsts: Firsts, after: str
) -> Iterator[Draft]:
    """Yield two mails: bulletins are forwarded. after: stands below the last bulletin."""
    if not holder.address:
        return
    number, edition = printed.number, printed.edition
    public = bulletin(key("bulletin", at, number, edition, holder), at, printed)
    public = firsts.bulletin(holder.seat, holder.address, public)
    if won := end_words.who_has_won(at, holder.seat):
        text = f"{won}\n\n{public.text.rstrip()}\n\n{after}\n"
        public = replace(public, text=text, again=end_words.again(at))
    yield public
    if text := printed.texts.get(holder.seat, ""):
        own_key = key("notice", at, number, edition, holder)
        own = Draft(own_key, "notice", _own_subject(at, holder, edition), text)
        yield firsts.notice(public, _taught(own, printed, holder))


def bulletin(of: str, at: GameAt, printed: Printed) -> Draft:
    return Draft(
        of,
        "bulletin",
        _subject(at, printed),
        printed.texts[""],
        pictures=printed.pictures,
        calendar=printed.calendar,
        facts=_bound(at, printed),
    )


def _bound(at: GameAt, printed: Printed) -> Mapping[str, str]:
    return {SEED: commitment(at.game.seed), JOURNAL: printed.journal.removeprefix("head ")}


def _subject(at: GameAt, printed: Printed) -> str:
    corrected = " (corrected)" if printed.edition > 1 else ""
    headline = f": {printed.headline}" if printed.headline else ""
    return f"[{at.id}] Bulletin {printed.number}{corrected}{headline}"


def _own_subject(at: GameAt, holder: Holder, edition: int) -> str:
    corrected = " (corrected)" if edition > 1 else ""
    over = at.result is not None
    owing = "Your last notice" if over else own_page.owing(at, holder, {})
    return f"[{at.id}] {owing}{corrected}"


def key(kind: str, at: GameAt, number: int, edition: int, holder: Holder) -> str:
    """Return a mail's key; a returning holder has another."""
    whose = f"{holder.seat}:{holder.player_id}:{holder.token_no}"
    return f"{kind}:{at.id}:{number}:{edition}:{whose}"
