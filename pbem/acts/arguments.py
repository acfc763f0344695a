"""The arguments that several of the gamesmaster's acts take."""

from __future__ import annotations

from pbem.acts.act import Argument, Kind


def ways(*named: str) -> tuple[frozenset[str], ...]:
    """The arguments of which those of one way are given, each way as their names."""
    return tuple(frozenset(way.split()) for way in named)


GAME = Argument("game", Kind.GAME)
SEAT = Argument("seat", Kind.SEAT)
WHY = Argument("why", Kind.WHY, "--why")
NAME = Argument("name", Kind.NAME, "--name", required=False)
PERIOD = Argument(
    "period", Kind.PERIOD, "--period", "refuse if the game is in another period", required=False
)
NOW = Argument(
    "now",
    Kind.FLAG,
    "--now",
    "whoever has it now is gone: only ADDRESS is asked",
    required=False,
)
ANYWAY = Argument(
    "anyway",
    Kind.FLAG,
    "--anyway",
    "do it although it is hardly meant",
    required=False,
    placed=True,
)
"""Of acts that are refused where they can be done and are hardly meant (``Doubtful``). In a mail it
is the last word of the line."""
