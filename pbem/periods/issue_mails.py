"""Mail an issue: a bulletin to all and a notice to each seat; at the beginning, the welcome.

Bulletins are threaded together, notices under theirs, reminders below. Observers are mailed what is
public, from the newest bulletin on until they watch no longer. Attached to a welcome are rules,
tables, house rules, and the charter: a game's options in words, and who signed by joining.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from pbem.games.frame import agreement, house_rules
from pbem.games.frame.dice import commitment
from pbem.games.frame.events import Seat
from pbem.games.frame.house import House
from pbem.games.frame.options import chosen, unusual
from pbem.house import houses, shelf, templates
from pbem.orders.called import with_seat
from pbem.pages import guide, sheet
from pbem.pages.bulletin import FIRST
from pbem.pages.plain import plain
from pbem.periods import amendments, own_page
from pbem.post import masters, outbox, seats
from pbem.post.compose import JOURNAL, SEED, Draft, message_id
from pbem.post.seats import made_for_seat, put_to_observers, put_to_seats
from pbem.post.work import Work
from pbem.store.games import bulletins, club
from pbem.store.games.game_rows import Holder
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, open_tables
from pbem.store.journal import notes
from pbem.store.mails import mails
from pbem.store.people.players import PLAIN
from pbem.store.schema.tables import Observer
from pbem.text import day_words, listed


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


def send_newest(work: Work, game: GameAt, player_id: int) -> bool:
    """Mail the newest bulletin to a new observer. Return whether there is one."""
    number = bulletins.newest(work.conn, game.id)
    texts = bulletins.for_seat(work.conn, game.id, number, "").texts if number is not None else ()
    if texts:
        key = f"bulletin:{game.id}:{number}:again:{work.now:%Y%m%d%H%M%S%f}"
        subject = f"[{game.id}] Bulletin {number}: as it stands"
        draft = Draft(key, "bulletin", subject, texts[0])
        watching = claimants.observers(work.conn, game.id)
        newcomer = [observer for observer in watching if observer.player_id == player_id]
        put_to_observers(work, game, [(observer, draft) for observer in newcomer])
    return bool(texts)


def end_watching(work: Work, game_id: str, title: str, why: str) -> None:
    """Tell observers that a game "is over" or "will not be played", and forget them."""
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
    others = listed(with_seat(game.player(one, over=True), one) for one in winners if one != seat)
    if game.row.agreed and len(winners) > 1:
        return f"The game is over: all have agreed on {agreement.end_in_words(game.row.agreed)}."
    if seat and seat in winners:
        name = game.player(seat, over=True)
        you = f"You have won, {name}" if name else "You have won"
        return f"{you}, together with {others}." if others else f"{you}!"
    if not others:
        return "The game is over, and nobody has won."
    return f"The game is over: {others} {'has' if len(winners) == 1 else 'have'} won."


def again(game: GameAt) -> str | None:
    return None if game.practice else AGAIN.format(when="within two weeks")


def what_next(conn: Connection) -> str:
    lines = [
        f"* {table.id}: {shelf.open_ruleset(table.ruleset).about.title}."
        f" {houses.about(table.ruleset)}"
        for table in open_tables.listed(conn)[:MOST_TABLES]
    ]
    if not lines:
        return "What next? No table is open.\u00a0GAMES tells what runs,\u00a0PRACTICE begins one."
    asks = "What next? To join an open table, write that you would like to, with its name:"
    return "\n".join([asks, "", *lines])


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
    more: Mapping[Seat, str] = field(default_factory=dict)
    """Below the notices: lessons, and questions that wait."""


def to_everybody(work: Work, game: GameAt, printed: Printed) -> None:
    """Mail an issue to seats and observers; the last frees these. The first is the welcome: with
    bulletin 0 and the first notice, in one mail."""
    firsts: Mapping[tuple[Seat, str], str] = {}
    if printed.number == 0 and printed.edition == 1:
        start = [
            (holder, _with_more(_welcome(work, game, holder, printed), printed, holder))
            for holder in game.holders.values()
            if holder.address
        ]
        put_to_seats(work, game, start)
    else:
        firsts = issue(work, game, tuple(game.holders.values()), printed)
    public = bulletin(f"bulletin:{game.id}:{printed.number}:{printed.edition}", game, printed)
    if won := who_has_won(game):
        public = replace(public, text=f"{won}\n\n{public.text}")
    watching = claimants.observers(work.conn, game.id)
    drafts = [(one, replace(public, in_reply_to=firsts.get(("", one.address)))) for one in watching]
    put_to_observers(work, game, drafts)
    if game.result is not None:
        end_watching(work, game.id, game.ruleset.about.title, "is over")


def issue(
    work: Work, game: GameAt, holders: Sequence[Holder], printed: Printed
) -> Mapping[tuple[Seat, str], str]:
    """Mail an issue to these holders. Return the Message-IDs of first bulletins, under which others
    are. ``game``: in the period after."""
    firsts = mails.firsts(work.conn, game.id, "bulletin")
    after = what_next(work.conn) if game.result is not None else ""
    made = [
        (one, draft)
        for one in holders
        for draft in _both(work, game, one, printed, after, firsts.get((one.seat, one.address)))
    ]
    put_to_seats(work, game, made)
    return firsts


def _with_more(draft: Draft, printed: Printed, holder: Holder) -> Draft:
    more = printed.more.get(holder.seat)
    return replace(draft, text=f"{draft.text}\n{more}") if more else draft


def _both(
    work: Work, game: GameAt, holder: Holder, printed: Printed, after: str, first: str | None
) -> Iterator[Draft]:
    """Yield two mails: bulletins are forwarded. after: stands below the last bulletin. first: the
    first bulletin's Message-ID."""
    if not holder.address:
        return
    number, edition = printed.number, printed.edition
    public = bulletin(key("bulletin", game, number, edition, holder), game, printed)
    public = replace(public, in_reply_to=first)
    if won := who_has_won(game, holder.seat):
        text = f"{won}\n\n{public.text.rstrip()}\n\n{after}\n"
        public = replace(public, text=text, again=again(game))
    yield public
    if text := printed.texts.get(holder.seat, ""):
        own_key = key("notice", game, number, edition, holder)
        more = "" if game.result else templates.effects(game.ruleset, game.state, holder.seat)
        files = {"effects.txt": more} if more else {}
        owing = "Your last notice" if game.result else own_page.owing(game, holder, {})
        subject = f"[{game.id}] {owing}{_corrected(printed)}"
        own = _with_more(Draft(own_key, "notice", subject, text, attached=files), printed, holder)
        bulletin_id, above = message_id(work.mark, public.key), (first,) if first else ()
        yield replace(own, in_reply_to=bulletin_id, references=above)


def bulletin(of: str, game: GameAt, printed: Printed) -> Draft:
    headline = f": {printed.headline}" if printed.headline else ""
    return Draft(
        of,
        "bulletin",
        f"[{game.id}] Bulletin {printed.number}{_corrected(printed)}{headline}",
        printed.texts[""],
        pictures=printed.pictures,
        calendar=printed.calendar,
        facts=_bound(game, printed),
    )


def _bound(game: GameAt, printed: Printed) -> Mapping[str, str]:
    return {SEED: commitment(game.row.seed), JOURNAL: printed.journal.removeprefix("head ")}


def _corrected(printed: Printed) -> str:
    return " (corrected)" if printed.edition > 1 else ""


def key(kind: str, game: GameAt, number: int, edition: int, holder: Holder) -> str:
    """Return a mail's key; a returning holder has another."""
    whose = f"{holder.seat}:{holder.player_id}:{holder.token_no}"
    return f"{kind}:{game.id}:{number}:{edition}:{whose}"


def charter(conn: Connection, game: GameAt) -> str:
    """Return a game's options in words, and who signed; "" if its rules know no charter."""
    about = game.ruleset.about
    if not about.charter:
        return ""
    began = notes.moments(conn, game.id, "start")
    adopted = began[0][0] if began else None
    page = templates.environment().get_template(f"{about.key}/charter.txt.j2")
    text = page.render(
        game=game.id,
        state=next((game.row.options.get(one.name, "") for one in about.options if one.text), ""),
        adopted=_day(game, adopted),
        options=[
            {
                "name": option.name,
                "about": option.about,
                "value": value,
                "words": option.in_words(value),
                "usual": option.in_words(option.default),
            }
            for option, value in chosen(about.options, game.row.options)
        ],
        tables=game.ruleset.book.tables,
        signed=list(_signed(conn, game, adopted)),
    )
    return text.strip("\n")


def _signed(
    conn: Connection, game: GameAt, adopted: datetime | None
) -> Iterator[dict[str, str | Seat]]:
    came = {one.player_id: one.came for one in open_tables.applicants(conn, game.id)}
    taken = {data.get("seat"): when for when, data in notes.moments(conn, game.id, "replaced")}
    for seat, holder in game.holders.items():
        if holder.player_id is None:
            continue
        when = taken.get(seat) or came.get(holder.player_id) or adopted
        yield {"seat": seat, "name": game.player(seat), "day": _day(game, when)}


def _day(game: GameAt, moment: datetime | None) -> str:
    return day_words(moment.astimezone(game.zone).date()) if moment else ""


def welcome_later(work: Work, game: GameAt, holder: Holder) -> None:
    """Mail a welcome to somebody who takes a seat of a game that runs."""
    outbox.put(work, made_for_seat(work, game, holder, _welcome(work, game, holder, None)))


def _welcome(work: Work, game: GameAt, holder: Holder, printed: Printed | None) -> Draft:
    """Return the welcome with its attachment. printed: bulletin 0; None if the game runs."""
    opening = printed.texts[""] if printed else None
    return Draft(
        f"start:{game.id}:{holder.seat}:{holder.player_id}:{holder.token_no}",
        "start",
        f"[{game.id}] {game.ruleset.about.title}: you are {holder.seat}",
        welcome(work, game, holder, opening),
        pictures=printed.pictures if printed else {},
        calendar=own_page.of(work, game) if holder.calendar else "",
        attached={"tables.txt": plain(everything(work, game, holder, opening))},
        facts=_bound(game, printed) if printed else {},
    )


def welcome(work: Work, game: GameAt, holder: Holder, opening: str | None) -> str:
    """Return the welcome's text. opening: bulletin 0; None if the game runs."""
    env, about, key = templates.environment(), game.ruleset.about, game.ruleset.about.key
    place = game.seats.index(holder.seat)
    near = sorted(game.people(holder.seat), key=lambda seat: abs(game.seats.index(seat) - place))
    chosen = [f"{key}/welcome.txt.j2", "_shared/start.txt.j2"]
    form = templates.form(game.ruleset, game.state, holder.seat, FIRST)
    page = own_page.words(game, holder.seat, {}, form=False)
    short = {seat: name for seat, name in game.called if " " not in name}
    given = {
        **templates.context(game.ruleset, game.state, holder.seat),
        "at": game,
        "about": about,
        "game": game.row,
        "name": "" if holder.deputy else game.player(holder.seat),
        "you": templates.seat_words(game.ruleset, game.state, holder.seat),
        "holders": [
            (templates.seat_words(game.ruleset, game.state, seat), "") for seat in game.seats
        ],
        "others": [
            f"{game.player(seat) or 'nobody yet'} ({seat})"
            for seat in game.seats
            if seat != holder.seat
        ],
        "options": unusual(about.options, game.row.options),
        "page": {} if opening is None else {**page, "form": form},
        "deadline": own_page.moment_text(game, game.period.due) if game.period.due else "",
        "own_time": own_page.own_time(game, holder, game.period.due),
        "likely": templates.likely(game.ruleset, game.state, holder.seat),
        "address": work.mark.address,
        "bots": [f"{game.player(seat)} ({seat})" for seat in game.bots],
        "lasts": houses.words(
            key, game.house, club.spans(work.conn, key, game.house), game.row.options
        ),
        "in_hand": masters.of(work.conn, work.mark, game.id).words,
        "press": ", ".join(short.get(seat, seat) for seat in near[:2])
        if game.house.press != "none" and not game.practice
        else "",
        "paragraph": templates.cited(game.ruleset, game.house),
        "pictures": [
            sheet.picture(one.name, one.alt)
            for one in sheet.blocks(opening or "")
            if isinstance(one, sheet.Picture)
        ],
    }
    text = env.select_template(chosen).render(given, short=shelf.rules(key).short)
    return text.strip("\n") + "\n"


class Terms(Protocol):
    """What house rules need of a game."""

    @property
    def zone(self) -> str: ...

    @property
    def late(self) -> str:
        """``deadline`` or ``until_adjudicated``."""


def house_text(key: str, house: House, game: Terms) -> str:
    about = shelf.open_ruleset(key).about
    return templates.shared(
        "house",
        about=about,
        late_list=house_rules.late_list(house, about.awaited),
        game=game,
        house=house,
        pace=houses.pace_notes(key, house),
    )


def everything(work: Work, game: GameAt, holder: Holder, opening: str | None) -> str:
    """Return the attachment: rules in short, orders, tables, house rules, bulletin 0."""
    env, about, key = templates.environment(), game.ruleset.about, game.ruleset.about.key
    values = game.ruleset.tables_at(game.state)
    changed = amendments.page(work.conn, game) if amendments.any_announced(work.conn, game) else ""
    return templates.shared(
        "all",
        at=game,
        about=about,
        game=game.row,
        house=game.house,
        late_list=house_rules.late_list(game.house, about.awaited),
        pace=houses.pace_notes(key, game.house),
        short=shelf.rules(key).short,
        charter=charter(work.conn, game),
        guide=guide.guide(env, key, game.house).text,
        tools=templates.tools(game.ruleset, game.house, game.people(holder.seat), first=True),
        address=work.mark.address,
        commitment=commitment(game.row.seed),
        tables=[templates.table(key, name, values) for name in templates.tables(key)],
        changed=changed,
        opening=opening,
    )
