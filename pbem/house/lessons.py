"""What a beginner does now, and why: ``rules/<key>.lessons.md``, a heading for each phase."""

from __future__ import annotations

from functools import lru_cache

from pbem.house import resources

PERIODS = 3
"""So many periods of a practice game have a lesson."""


def of(key: str, phase: str) -> str:
    return _lessons(key).get(phase, "")


@lru_cache
def _lessons(key: str) -> dict[str, str]:
    if not resources.path("rules", f"{key}.lessons.md").exists():
        return {}
    _, *parts = resources.text("rules", f"{key}.lessons.md").split("\n## ")
    headed = (part.partition("\n") for part in parts)
    return {phase.strip(): " ".join(said.split()) for phase, _, said in headed}
