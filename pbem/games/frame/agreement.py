"""Ending a game by agreement.

A secret ballot names the seats that share the end, and stands until withdrawn. When all playing
name the same, the game ends.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.events import Seat
from pbem.text import listed


@dataclass(frozen=True, slots=True)
class Ballot:
    """An AGREE order."""

    shared: tuple[Seat, ...] = ()
    """In table order; () withdraws."""
    refusal: str | None = None


def read(written: str, seats: Sequence[Seat], playing: Collection[Seat]) -> Ballot:
    """Read NONE, WIN and a seat, or DRAW and several, in any case; ``playing``: seats still in."""
    kind, *keys = written.upper().replace(",", " ").rstrip(":").split() or [""]
    if kind == "NONE" and not keys:
        return Ballot()
    named = [key for at, key in enumerate(keys) if key != "AND" or at in (0, len(keys) - 1)]
    if kind not in ("DRAW", "WIN") or not named:
        return _refused(written, "it does not say how the game is to end", seats)
    known = {seat.upper(): seat for seat in seats}
    if unknown := [key for key in named if key not in known]:
        return _refused(written, f"there is no seat {listed(unknown, 'or')}", seats)
    shared = tuple(seat for seat in seats if seat.upper() in named)
    if out := [seat for seat in shared if seat not in playing]:
        what = f"{listed(out)} {'is' if len(out) == 1 else 'are'} out of the game"
        return _refused(written, what, seats)
    if kind == "WIN" and len(shared) > 1:
        return _refused(written, "only one seat wins; several share a draw", seats)
    if kind == "DRAW" and len(shared) == 1:
        return _refused(written, "several seats share a draw; one wins", seats)
    return Ballot(shared)


def _refused(written: str, why: str, seats: Sequence[Seat]) -> Ballot:
    one, two = seats[:2]
    forms = (
        f"AGREE\u00a0DRAW\u00a0{one},\u00a0{two} and so on, for a win of one seat"
        f" write\u00a0AGREE\u00a0WIN\u00a0{one}, to take either back write\u00a0AGREE\u00a0NONE"
    )
    return Ballot(
        refusal=f'"AGREE {written[:60]}" was not taken: {why}. For a draw write\u00a0{forms}. The'
        f" seats are {', '.join(seats)}."
    )


def reached(
    ballots: Mapping[Seat, Sequence[Seat]], seated: Collection[Seat], playing: Collection[Seat]
) -> tuple[Seat, ...]:
    """Return the seats that share the end if all ballots agree, else ()."""
    sets = {frozenset(ballots.get(seat, ())) for seat in seated}
    shared = next(iter(sets)) if len(sets) == 1 else frozenset()
    if not shared <= set(playing):
        return ()
    return tuple(seat for seat in playing if seat in shared)


def end_in_words(shared: Sequence[Seat]) -> str:
    """Return "a win of S", "a draw of S and R"."""
    return f"a {'win' if len(shared) == 1 else 'draw'} of {listed(shared)}"
