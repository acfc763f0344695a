"""Arguments that several acts share."""

from __future__ import annotations

from pbem.acts.act import Argument, Kind


def ways(*named: str) -> tuple[frozenset[str], ...]:
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
    "anyone who has it now is gone: only ADDRESS is asked",
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
"""For acts refused as ``Doubtful``."""
