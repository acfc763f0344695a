"""Mail an issue: a bulletin to all and a notice to each seat; at the beginning, the welcome.

Bulletins are threaded together, notices under theirs, reminders below. Observers are mailed what is
public.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from pbem.games.frame import agreement
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.house import houses, shelf, templates
from pbem.orders.called import with_seat
from pbem.periods import own_page, start_mails
from pbem.post import seats
from pbem.post.compose import JOURNAL, SEED, Draft, message_id
from pbem.post.postmark import Postmark
from pbem.post.seats import put_to_observers, put_to_seats
from pbem.post.work import Work
from pbem.store.games import bulletins
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, open_tables
from pbem.store.mails import mails
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Observer
from pbem.text import listed


@dataclass(frozen=True, slots=True)
class Firsts:
    """Message-IDs of first bulletins."""

    mark: Postmark
    found: Mapping[tuple[Seat, str], str]

    def bulletin(self, seat: Seat, address: str, draft: Draft) -> Draft:
        """Thread a bulletin; ``seat``: "" for an observer."""
        first = self.found.get((seat, address))
        return replace(draft, in_reply_to=first) if first else draft

    def notice(self, bulletin: Draft, draft: Draft) -> Draft:
        above = (bulletin.in_reply_to,) if bulletin.in_reply_to else ()
        return replace(draft, in_reply_to=message_id(self.mark, bulletin.key), references=above)


def first_mails(work: Work, game: GameAt) -> Firsts:
    return Firsts(work.mark, mails.firsts(work.conn, game.id, "bulletin"))


def under_last(work: Work, game: GameAt, holder: Holder, draft: Draft, *kinds: str) -> Draft:
    """Thread under the newest of the first kind its reader had."""
    first = mails.first_of(work.conn, game.id, holder.seat, "bulletin", holder.address)
    for kind in kinds:
        newest = mails.first_of(work.conn, game.id, holder.seat, kind, holder.address, last=True)
        if newest:
            above = (first,) if first and first != newest else ()
            return replace(draft, in_reply_to=newest, references=above)
    return draft


KIND = "observer"


def to_observers(work: Work, game: GameAt, draft: Draft, firsts: Firsts) -> None:
    """Mail a bulletin to all; the last frees them."""
    who = claimants.observers(work.conn, game.id)
    put_to_observers(work, game, [(one, firsts.bulletin("", one.address, draft)) for one in who])
    if game.result is not None:
        free(work, game.id, game.ruleset.about.title, "is over")


def begins(work: Work, game: GameAt, player_id: int) -> bool:
    """Mail the newest to a new one. Return whether there is one."""
    number = bulletins.newest(work.conn, game.id)
    texts = bulletins.for_seat(work.conn, game.id, number, "").texts if number is not None else ()
    for who in claimants.observers(work.conn, game.id):
        if who.player_id == player_id and texts:
            key = f"bulletin:{game.id}:{number}:again:{work.now:%Y%m%d%H%M%S%f}"
            subject = f"[{game.id}] Bulletin {number}: as it stands"
            put_to_observers(work, game, [(who, Draft(key, "bulletin", subject, texts[0]))])
    return bool(texts)


def free(work: Work, game_id: str, title: str, why: str) -> None:
    """End watching, as it "is over" or "will not be played"."""
    for observer in claimants.observers(work.conn, game_id):
        text = (
            f"{title} ({game_id}) {why}, and you watch it no longer. Thank you for your"
            " interest.\n\nThe word\u00a0GAMES tells you what else is played here."
        )
        key = f"{KIND}:{game_id}:{observer.player_id}:{work.now:%Y%m%d%H%M%S%f}"
        draft = Draft(key, KIND, f"[{game_id}] You watch it no longer", text)
        seats.put(work, observer.address, draft, rich=observer.face != PLAIN)
    Observer.drop(work.conn, game_id=game_id)


MOST_TABLES = 3
AGAIN = (
    "Again, with the same players? Answer with the one word\u00a0AGAIN {when}. A table opens as"
    " soon as two of you have said so, with a new draw of the seats."
)


def who_has_won(game: GameAt, seat: Seat | None = None) -> str:
    """Return who has won, for a seat (None: everybody), or "" while the game runs."""
    if game.result is None:
        return ""
    winners = game.result["winners"]
    others = listed(_named(game, one) for one in winners if one != seat)
    if game.row.agreed and len(winners) > 1:
        return f"The game is over: all have agreed on {agreement.end_in_words(game.row.agreed)}."
    if seat and seat in winners:
        name = game.player(seat, over=True)
        you = f"You have won, {name}" if name else "You have won"
        return f"{you}, together with {others}." if others else f"{you}!"
    if not others:
        return "The game is over, and nobody has won."
    return f"The game is over: {others} {'has' if len(winners) == 1 else 'have'} won."


def _named(game: GameAt, seat: Seat) -> str:
    return with_seat(game.player(seat, over=True), seat)


def again(game: GameAt) -> str | None:
    return None if game.practice else AGAIN.format(when="within two weeks")


def what_next(conn: Connection) -> str:
    found = open_tables.listed(conn)[:MOST_TABLES]
    if not found:
        return "What next? No table is open just now; the word\u00a0GAMES tells what runs."
    lines = "\n".join(
        f"* {one.id}: {shelf.open_ruleset(one.ruleset).about.title}. {houses.about(one.ruleset)}"
        for one in found
    )
    return (
        f"What next? To join an open table, write that you would like to, with its name:\n\n{lines}"
    )


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


def welcome(work: Work, game: GameAt, holders: Sequence[Holder], printed: Printed) -> Firsts:
    """Mail the beginning: welcome, bulletin 0 and first notice in one."""
    opening, pictures, bound = printed.texts[""], printed.pictures, _bound(game, printed)
    put_to_seats(
        work,
        game,
        [
            (
                one,
                replace(
                    _taught(start_mails.draft(work, game, one, opening, pictures), printed, one),
                    facts=bound,
                ),
            )
            for one in holders
            if one.address
        ],
    )
    return first_mails(work, game)


def _taught(draft: Draft, printed: Printed, holder: Holder) -> Draft:
    more = printed.taught.get(holder.seat, "")
    return replace(draft, text=f"{draft.text}\n{more}") if more else draft


def issue(work: Work, game: GameAt, holders: Sequence[Holder], printed: Printed) -> Firsts:
    """Mail an issue to these holders. Return their threads. ``at``: the period after."""
    firsts = first_mails(work, game)
    after = what_next(work.conn) if game.result is not None else ""
    made = [(one, draft) for one in holders for draft in _both(game, one, printed, firsts, after)]
    put_to_seats(work, game, made)
    return firsts


def _both(
    game: GameAt, holder: Holder, printed: Printed, firsts: Firsts, after: str
) -> Iterator[Draft]:
    """Yield two mails: bulletins are forwarded. after: stands below the last bulletin."""
    if not holder.address:
        return
    number, edition = printed.number, printed.edition
    public = bulletin(key("bulletin", game, number, edition, holder), game, printed)
    public = firsts.bulletin(holder.seat, holder.address, public)
    if won := who_has_won(game, holder.seat):
        text = f"{won}\n\n{public.text.rstrip()}\n\n{after}\n"
        public = replace(public, text=text, again=again(game))
    yield public
    if text := printed.texts.get(holder.seat, ""):
        own_key = key("notice", game, number, edition, holder)
        more = "" if game.result else templates.effects(game.ruleset, game.state, holder.seat)
        files = {"effects.txt": more} if more else {}
        own = Draft(own_key, "notice", _own_subject(game, holder, edition), text, attached=files)
        yield firsts.notice(public, _taught(own, printed, holder))


def bulletin(of: str, game: GameAt, printed: Printed) -> Draft:
    return Draft(
        of,
        "bulletin",
        _subject(game, printed),
        printed.texts[""],
        pictures=printed.pictures,
        calendar=printed.calendar,
        facts=_bound(game, printed),
    )


def _bound(game: GameAt, printed: Printed) -> Mapping[str, str]:
    return {SEED: commitment(game.row.seed), JOURNAL: printed.journal.removeprefix("head ")}


def _subject(game: GameAt, printed: Printed) -> str:
    corrected = " (corrected)" if printed.edition > 1 else ""
    headline = f": {printed.headline}" if printed.headline else ""
    return f"[{game.id}] Bulletin {printed.number}{corrected}{headline}"


def _own_subject(game: GameAt, holder: Holder, edition: int) -> str:
    corrected = " (corrected)" if edition > 1 else ""
    over = game.result is not None
    owing = "Your last notice" if over else own_page.owing(game, holder, {})
    return f"[{game.id}] {owing}{corrected}"


def key(kind: str, game: GameAt, number: int, edition: int, holder: Holder) -> str:
    """Return a mail's key; a returning holder has another."""
    whose = f"{holder.seat}:{holder.player_id}:{holder.token_no}"
    return f"{kind}:{game.id}:{number}:{edition}:{whose}"
