"""What can be said of Show of Hands without playing it: seats, phases, options."""

from __future__ import annotations

from pbem.games.frame.options import Option
from pbem.games.frame.ruleset import About

ABOUT = About(
    key="show-of-hands",
    title="Show of Hands",
    seats=(("A", "B", "C"), ("A", "B", "C", "D", "E")),
    schema=1,
    phases=("show",),
    options=(Option("GOAL", 20, "beans that end the game", least=2),),
    status="complete",
)
