"""One act of a gamesmaster, whoever asks for it and how: the shell and the words by mail come
here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pbem.orders.acts import Act
from pbem.post.work import Work
from pbem.referee.act_effects import EFFECTS, Done


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does an act: the gamesmaster who writes from ``address``, or, where that is "", whoever
    has the shell of this machine."""

    address: str = ""


def do(work: Work, act: Act, values: Mapping[str, Any], actor: Actor) -> Done:
    """Carry it out; raises OperatorError where it cannot be, or is not this actor's to do."""
    return EFFECTS[act.name](work, **values)
