"""One person, one place in a game: a player with all their addresses. Behind a plus sign there may
be two people: the gamesmaster is told. No name is that of a seat, a party or an order.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pbem.budget import paused
from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import grouped
from pbem.games.frame.ruleset import Ruleset
from pbem.house import houses, shelf, templates
from pbem.orders import naming
from pbem.orders.naming import NotAName, skeleton
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.joining import claimants, open_tables
from pbem.store.journal import notes
from pbem.store.people import players
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Address, Applicant, Player
from pbem.text import listed, safe


def checked(written: str, taken: Iterable[str] = ()) -> str:
    """Return a name as printed. Raise NotAName if forbidden or like one ``taken``."""
    name = naming.checked(written, taken)
    if why := taken_for(name):
        raise NotAName(why)
    return name


def taken_for(name: str) -> str:
    """Return what it could be mistaken for, or ""."""
    if why := naming.taken_for_us(name):
        return why
    if name.casefold().split()[:1] == ["bot"]:
        return f"{name} looks like a house bot"
    if (found := _reserved().get(skeleton(name))) is not None:
        word, what = found
        same = name.casefold() == word.casefold()
        return f"{name} is {what}" if same else f"{name} looks like {word}, {what}"
    order = naming.latin(name)
    for ruleset in map(shelf.open_ruleset, GAMES):
        if ruleset.language.reads(order):
            return f"{name} is an order in {ruleset.about.title}"
    return ""


@cache
def _reserved() -> Mapping[str, tuple[str, str]]:
    """Return skeleton -> (word, what): seats first, parties, orders."""
    taken: dict[str, tuple[str, str]] = {}
    with paused:  # opening all games is no letter's work
        for words in (_seats, _parties, _orders):
            for ruleset in map(shelf.open_ruleset, GAMES):
                for word, what in words(ruleset):
                    taken.setdefault(skeleton(word), (word, f"{what} in {ruleset.about.title}"))
    return taken


def _seats(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    for seats in ruleset.about.seats:
        for seat in seats:
            yield seat, "a seat"


def _parties(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    about = ruleset.about
    seated = max(about.seats, key=len)
    options = houses.settled(about.key, {})
    state = ruleset.setup(seated, options, {}, Dice("names", about.key)).state
    for seat in seated:
        said = templates.seat_words(ruleset, state, seat)
        _, _, party = said.partition(", ")
        if not party:
            continue
        short = party.removeprefix("the ")
        for form in (said, short, short.removesuffix(" party").removesuffix(" Party")):
            yield form, "a party"
            yield f"the {form}", "a party"
            yield form.removesuffix("s"), "a party"


def _orders(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    for word in sorted(ruleset.language.words):
        yield word, "an order"


def registered(work: Work, address: str, name: str) -> int:
    """Return or register the player. ``name``: "" for their mailbox's or ours; a known one is kept
    if allowed."""
    if not name and taken_for(address.partition("@")[0]):
        return players.newcomer(work.conn, address, work.now)
    player_id = players.player(work.conn, address, name, work.now)
    if name and not taken_for(name) and called(work, player_id):
        Player.change(work.conn, {"id": player_id}, name=name)
    return player_id


def called(work: Work, player_id: int) -> list[str]:
    name = players.name(work.conn, player_id)
    if players.is_newcomer(name) or not (why := taken_for(name)):
        return []
    return [f"no player can be called {safe(name)}: {why}; write another name, such as Sophie"]


def rename(work: Work, player_id: int, written: str) -> str:
    """Change a player's name, once a game; the next bulletin says so, unless names are hidden.
    Raise NotAName."""
    old, mine = players.name(work.conn, player_id), games.running_of(work.conn, player_id)
    if written == old:
        raise NotAName(f"you are called {safe(old)} already")
    playing = [played for game in mine if (played := games.begun(work.conn, game))]
    if name := next(
        (game.id for game in playing if notes.memo(work.conn, _renamed(game, player_id))), ""
    ):
        raise NotAName(f"you have changed your name in {name} already, and can do it once a game")
    others = [one for one in Player.values(work.conn, Player.name) if one != old]
    name = checked(written, others)
    Player.change(work.conn, {"id": player_id}, name=name)
    Applicant.change(work.conn, {"player_id": player_id}, name=name)
    for played in playing:
        notes.set_memo(work.conn, _renamed(played, player_id), {"was": old})
        if not played.hides_names:
            said = f"{safe(old)} is called {name} from now on."
            notes.rule(work.conn, played.id, NoteKind.HOUSE, said, work.now)
    return name


def _renamed(game: GameAt, player_id: int) -> str:
    return f"renamed:{game.id}:{player_id}"


def alike(work: Work, game_id: str, address: str | None = None) -> list[str]:
    """Return a sentence for each pair of one mailbox, at ``address`` if given."""
    there = [holder.address for holder in games.holders(work.conn, game_id).values()]
    there += [one.address for one in claimants.standing_by(work.conn, game_id)]
    return of_one_mailbox(there, address)


def of_one_mailbox(addresses: Iterable[str], address: str | None = None) -> list[str]:
    """Return a sentence for each group of one mailbox."""
    there = dict.fromkeys(filter(None, addresses))
    boxes = grouped((open_tables.mailbox(one), one) for one in there)
    shared = [found for found in boxes.values() if len(found) > 1]
    if address:
        shared = [found for found in shared if players.mail_address(address) in found]
    return [
        f"Note: {listed(found)} differ only behind the plus sign; with most providers that is one"
        " mailbox, and so perhaps one person."
        for found in shared
    ]


def change_address(work: Work, old: str, new: str, *, also: bool = False) -> None:
    """Set where mail goes; keep the old one, forget the new one's bounces. also: mail still goes to
    the old one."""
    old, new = old.strip().lower(), players.mail_address(new)
    player_id = _registered(work, old)
    other = players.at_address(work.conn, new)
    if other not in (None, player_id):
        raise OperatorError(_belongs(work, new, other))
    if not also:
        players.set_address(work.conn, player_id, new)
    elif other is None:
        Address.add(work.conn, address=new, player_id=player_id, of_record=False)
    else:
        raise OperatorError(f"{new} is registered for this player already")
    _note(work, player_id, "address-changed")


def _belongs(work: Work, address: str, player_id: int) -> str:
    name = players.name(work.conn, player_id)
    held = [
        f"plays {listed(games.seats_of(work.conn, game_id, player_id))} in {game_id}"
        for game_id in sorted(games.games_of(work.conn, player_id))
    ]
    plays = f", who {listed(held)}" if held else ""
    return (
        f"{address} belongs to another player, {name}{plays}; a letter from there would be of both."
        f" Name another address, or, to give {name} the seat, `pbem replace`"
    )


def address_works(work: Work, address: str) -> None:
    address = address.strip().lower()
    player_id = _registered(work, address)
    players.works(work.conn, address)
    _note(work, player_id, "address-works")


def _note(work: Work, player_id: int, kind: str) -> None:
    for game_id in games.games_of(work.conn, player_id):
        notes.note(work.conn, game_id, work.now, kind, player=player_id)


def _registered(work: Work, address: str) -> int:
    player_id = players.at_address(work.conn, address)
    if player_id is None:
        raise OperatorError(f"nobody is registered under {address}")
    return player_id
