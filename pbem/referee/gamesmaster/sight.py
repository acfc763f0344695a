"""What a gamesmaster may see: his games; of those he plays in, what players may know."""

from collections.abc import Mapping
from functools import cached_property

from pbem.post import masters
from pbem.post.work import Work
from pbem.referee.deciding import registry
from pbem.store.engine.among import Among
from pbem.store.people import gamesmasters, players

_FEW = 300
"""Games named one by one in a statement."""


class Sight:
    """What somebody may see."""

    def __init__(self, work: Work, who: str | None) -> None:
        self.work, self.conn, self.who = work, work.conn, who
        self.address = who or work.mark.gamesmaster
        self.owner = self.address == work.mark.gamesmaster
        self.playing = frozenset(registry.games_of(work.conn, self.address))

    @cached_property
    def his(self) -> Mapping[str, bool]:
        """His games, and whether he does their acts; {} for the shell."""
        return masters.his(self.conn, self.work.mark, self.who) if self.who else {}

    @cached_property
    def seen(self) -> Among:
        """What he may look into, for statements."""
        hidden = players.around(self.conn, self.playing) if self.owner and self.playing else ()
        if not self.who:
            return Among(None, self.playing, hidden=frozenset(hidden))
        his = ("", self.who) if self.owner else (self.who,)
        ours = self.work.mark.gamesmaster
        besides = gamesmasters.seconded(self.conn, self.who, ours)
        besides |= {game for game in gamesmasters.away_now(self.conn) if self.his.get(game)}
        besides -= self.playing
        few = gamesmasters.some_of(self.conn, his, _FEW + 1)
        return Among(
            his,
            self.playing,
            besides,
            self.owner,
            frozenset(hidden),
            few | besides if len(few) <= _FEW else None,
        )

    def lists(self, game_id: str) -> bool:
        """Return whether he is shown the game at all."""
        return not self.who or game_id in self.his

    def looks_into(self, game_id: str) -> bool:
        """Return whether he may know what its players do not."""
        return game_id not in self.playing and (not self.who or self.his.get(game_id, False))

    def sees(self, game_id: str, address: str) -> bool:
        """Return whether he may see a letter or mail. Those of no game are the owner's, unless
        their player plays with him."""
        if game_id:
            return self.looks_into(game_id)
        return self.owner and self.playing.isdisjoint(registry.games_of(self.conn, address))
