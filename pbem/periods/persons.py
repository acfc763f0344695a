"""One person in a game: what is hardly meant where he is to play or to stand by.

A person is a player of the store, whichever of his registered addresses is written. Addresses that
differ only in capitals are one there; those that differ behind a plus sign are two, since some
providers give them to two people, and whoever asks for it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.errors import Doubtful
from pbem.games.frame.events import Seat
from pbem.periods import names
from pbem.post import masters
from pbem.post.work import Work
from pbem.store.games import games, seats
from pbem.store.people import deputies, players, privy, standbys
from pbem.text import listed, safe


def registered(work: Work, address: str, name: str) -> int:
    """Return the id of the player at an address, who is registered now if he was not. Without a
    ``name`` he has that of his mailbox, or one of ours if that could be taken for something else.
    Who is registered keeps his name, unless it could."""
    if not name and names.taken_for(address.partition("@")[0]):
        return players.newcomer(work.conn, address, work.now)
    player_id = players.player(work.conn, address, name, work.now)
    if name and not names.taken_for(name) and called(work, player_id):
        players.set_name(work.conn, player_id, name)
    return player_id


def called(work: Work, player_id: int) -> list[str]:
    """Return what speaks against it that the gamesmaster seats him: his name could be taken for
    something else. A newcomer's name is one of ours."""
    name = players.name(work.conn, player_id)
    if players.is_newcomer(name) or not (why := names.taken_for(name)):
        return []
    return [f"no player can be called {safe(name)}: {why}; write another name, such as Sophie"]


def to_play(work: Work, game_id: str, player_id: int, seat: Seat) -> list[str]:
    """What speaks against it that he takes a seat: he has one."""
    held = seats.of_player(work.conn, game_id, player_id)
    if not held:
        return []
    name = players.name(work.conn, player_id)
    return [f"{name} plays {listed(held)} in {game_id}, and would play {seat} too"]


def to_take(work: Work, game_id: str, player_id: int, seat: Seat) -> list[str]:
    """What speaks against it that he takes over a seat of another's: he has one, knows another's
    secrets, or is the gamesmaster."""
    found = to_play(work, game_id, player_id, seat) + _knows(work, game_id, player_id, seat)
    return found + _masters(work, game_id, player_id)


def to_stand_by(work: Work, game_id: str, player_id: int) -> list[str]:
    """What speaks against it that he stands by: he plays, stands by, knows a seat's secrets, or is
    the gamesmaster."""
    name, found = players.name(work.conn, player_id), []
    if held := seats.of_player(work.conn, game_id, player_id):
        found.append(f"{name} plays {listed(held)} in {game_id}")
    if standbys.of_player(work.conn, game_id, player_id):
        found.append(f"{name} stands by for {game_id} already")
    return found + _knows(work, game_id, player_id) + _masters(work, game_id, player_id)


def _knows(work: Work, game_id: str, player_id: int, seat: Seat = "") -> list[str]:
    """That he has seen the private mails of another seat than this one, as its former player or its
    deputy, or is to be that."""
    own = {seat, *seats.of_player(work.conn, game_id, player_id)}
    seen = set(privy.seats_of(work.conn, game_id, player_id)) - own
    will = set(deputies.of_player(work.conn, game_id, player_id)) - own - seen
    name, found = players.name(work.conn, player_id), []
    if seen:
        found.append(f"{name} has seen the private mails of {listed(sorted(seen))} in {game_id}")
    if will:
        found.append(f"{name} is to be the deputy of {listed(sorted(will))} in {game_id}")
    return found


def _masters(work: Work, game_id: str, player_id: int) -> list[str]:
    """That he is the gamesmaster or the second one, where he is."""
    hands = masters.of(work.conn, work.mark, game_id)
    found = {"gamesmaster": hands.gamesmaster, "second gamesmaster": hands.second}
    return [
        f"{players.name(work.conn, player_id)} is the {what} of {game_id}"
        for what, address in found.items()
        if address and players.at_address(work.conn, address) == player_id
    ]


def meant(doubts: Sequence[str], anyway: bool) -> dict[str, list[str]]:
    """What the journal says of doubts in spite of which something is done; raises Doubtful where
    nobody has said that it is."""
    if doubts and not anyway:
        raise Doubtful(doubts)
    return {"anyway": list(doubts)} if doubts else {}


def alike(work: Work, game_id: str, address: str = "") -> list[str]:
    """A sentence for each two persons of a game (one of them at ``address``, where that is given)
    whose addresses are probably of one mailbox."""
    there = [holder.address for holder in games.holders(work.conn, game_id).values()]
    there += [one.address for one in standbys.of_game(work.conn, game_id)]
    return of_one_mailbox(there, address)


def of_one_mailbox(addresses: Iterable[str], address: str = "") -> list[str]:
    """The same of any addresses."""
    boxes: dict[str, list[str]] = {}
    for one in dict.fromkeys(filter(None, addresses)):
        boxes.setdefault(_mailbox(one), []).append(one)
    shared = [found for found in boxes.values() if len(found) > 1]
    if address:
        shared = [found for found in shared if players.mail_address(address) in found]
    return [
        f"note: {listed(found)} differ only behind the plus sign; with most providers that is one"
        " mailbox, and so perhaps one person"
        for found in shared
    ]


def _mailbox(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"
