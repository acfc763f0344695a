"""One person, one place in a game.

A person is a player with all his addresses, in any capitals. Behind a plus sign there may be two
people: the gamesmaster is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.errors import Doubtful
from pbem.games.frame.events import Seat
from pbem.orders.naming import NotAName
from pbem.periods import names
from pbem.post import masters
from pbem.post.work import Work
from pbem.store.games import games
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.people import deputies, players, standbys
from pbem.store.schema.states import NoteKind
from pbem.store.schema.tables import Applicant, Player
from pbem.text import listed, safe


def registered(work: Work, address: str, name: str) -> int:
    """Return or register the player. ``name``: "" for his mailbox's or ours; a known one is kept
    if allowed."""
    if not name and names.taken_for(address.partition("@")[0]):
        return players.newcomer(work.conn, address, work.now)
    player_id = players.player(work.conn, address, name, work.now)
    if name and not names.taken_for(name) and called(work, player_id):
        Player.change(work.conn, {"id": player_id}, name=name)
    return player_id


def called(work: Work, player_id: int) -> list[str]:
    name = players.name(work.conn, player_id)
    if players.is_newcomer(name) or not (why := names.taken_for(name)):
        return []
    return [f"no player can be called {safe(name)}: {why}; write another name, such as Sophie"]


def rename(work: Work, player_id: int, written: str) -> str:
    """Change a player's name, once a game; the next bulletin says so, unless names are hidden.
    Raise NotAName."""
    old, mine = players.name(work.conn, player_id), games.running_of(work.conn, player_id)
    if written == old:
        raise NotAName(f"you are called {safe(old)} already")
    playing = [at for game in mine if (at := games.begun(work.conn, game))]
    if name := next(
        (at.id for at in playing if notes.memo(work.conn, _renamed(at, player_id))), ""
    ):
        raise NotAName(f"you have changed your name in {name} already, and can do it once a game")
    others = [one for one in players.names(work.conn) if one != old]
    name = names.checked(written, others)
    Player.change(work.conn, {"id": player_id}, name=name)
    Applicant.change(work.conn, {"player_id": player_id}, name=name)
    for at in playing:
        notes.set_memo(work.conn, _renamed(at, player_id), {"was": old})
        if not at.hides_names:
            said = f"{safe(old)} is called {name} from now on."
            notes.rule(work.conn, at.id, NoteKind.HOUSE, said, work.now)
    return name


def _renamed(at: GameAt, player_id: int) -> str:
    return f"renamed:{at.id}:{player_id}"


def to_play(work: Work, game_id: str, player_id: int, seat: Seat) -> list[str]:
    held = games.seats_of(work.conn, game_id, player_id)
    if not held:
        return []
    name = players.name(work.conn, player_id)
    return [f"{name} plays {listed(held)} in {game_id}, and would play {seat} too"]


def to_take(work: Work, game_id: str, player_id: int, seat: Seat) -> list[str]:
    """Return why he may not take one over."""
    found = to_play(work, game_id, player_id, seat) + _knows(work, game_id, player_id, seat)
    return found + _masters(work, game_id, player_id)


def to_stand_by(work: Work, game_id: str, player_id: int) -> list[str]:
    name, found = players.name(work.conn, player_id), []
    if held := games.seats_of(work.conn, game_id, player_id):
        found.append(f"{name} plays {listed(held)} in {game_id}")
    if standbys.of_player(work.conn, game_id, player_id):
        found.append(f"{name} stands by for {game_id} already")
    return found + _knows(work, game_id, player_id) + _masters(work, game_id, player_id)


def _knows(work: Work, game_id: str, player_id: int, seat: Seat | None = None) -> list[str]:
    own = {*games.seats_of(work.conn, game_id, player_id), *([seat] if seat else [])}
    seen = set(players.privy_to(work.conn, game_id, player_id)) - own
    will = set(deputies.of_player(work.conn, game_id, player_id)) - own - seen
    name, found = players.name(work.conn, player_id), []
    if seen:
        found.append(f"{name} has seen the private mails of {listed(sorted(seen))} in {game_id}")
    if will:
        found.append(f"{name} is to be the deputy of {listed(sorted(will))} in {game_id}")
    return found


def _masters(work: Work, game_id: str, player_id: int) -> list[str]:
    hands = masters.of(work.conn, work.mark, game_id)
    found = {"gamesmaster": hands.gamesmaster, "second gamesmaster": hands.second}
    return [
        f"{players.name(work.conn, player_id)} is the {what} of {game_id}"
        for what, address in found.items()
        if address and players.at_address(work.conn, address) == player_id
    ]


def meant(doubts: Sequence[str], anyway: bool) -> dict[str, list[str]]:
    """Return doubts for the journal. Raise Doubtful unless ``anyway``."""
    if doubts and not anyway:
        raise Doubtful(doubts)
    return {"anyway": list(doubts)} if doubts else {}


def alike(work: Work, game_id: str, address: str | None = None) -> list[str]:
    """Return a sentence for each pair of one mailbox, at ``address`` if given."""
    there = [holder.address for holder in games.holders(work.conn, game_id).values()]
    there += [one.address for one in standbys.of_game(work.conn, game_id)]
    return of_one_mailbox(there, address)


def of_one_mailbox(addresses: Iterable[str], address: str | None = None) -> list[str]:
    """Return a sentence for each group of one mailbox."""
    boxes: dict[str, list[str]] = {}
    for one in dict.fromkeys(filter(None, addresses)):
        boxes.setdefault(_mailbox(one), []).append(one)
    shared = [found for found in boxes.values() if len(found) > 1]
    if address:
        shared = [found for found in shared if players.mail_address(address) in found]
    return [
        f"Note: {listed(found)} differ only behind the plus sign; with most providers that is one"
        " mailbox, and so perhaps one person."
        for found in shared
    ]


def _mailbox(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
