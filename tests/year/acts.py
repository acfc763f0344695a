"""The gamesmaster's acts of the year, each by mail and by shell."""

from __future__ import annotations

from tests.year.script import Act

_ON = "GAME g\nPERIOD {period}\n"

ACTS = (
    Act(1, "QUEUE", "queue"),
    Act(1, "HELP", "queue g"),
    Act(8, _ON + "EXTEND 3 the post is on strike", 'extend g 3 --why "the post is on strike"'),
    Act(
        9,
        _ON + "RULE A letter counts when it has come.",
        'rule g "A letter counts when it has come."',
    ),
    Act(10, _ON + "HOLD illness", "hold g --why illness"),
    Act(10, _ON + "RESUME", "resume g"),
    Act(11, _ON + "PREVIEW", "preview g"),
    Act(12, _ON + "CLOSE", "close g"),
)
