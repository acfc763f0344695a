"""A beginner's lessons in a practice game."""

from collections.abc import Mapping

from pbem.games.frame.events import Seat
from pbem.house import shelf
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import formation, house_bots
from pbem.post import seats
from pbem.post.work import Work
from pbem.store.games.games import GameAt


def taught(work: Work, game: GameAt) -> Mapping[Seat, str]:
    """Return additions to the player's notices."""
    if game.result is not None:
        return {}
    return {
        seat: _lesson(work, game, seat)
        for seat, holder in game.holders.items()
        if holder.player_id is not None
    }


def _lesson(work: Work, game: GameAt, seat: Seat) -> str:
    parts, ready = list[str](), "READY"
    teaches = game.period.number <= shelf.PERIODS
    if teaches and (orders := house_bots.letter(formation.seen(work, game, seat), seat)):
        lines = orders.split("\n")
        ready = "; ".join([*lines, "READY"])
        parts += [sheet.heading("A lesson"), shelf.of(game.ruleset.about.key, game.period.phase)]
        parts.append("A beginner could send this:")
        parts.append("\n".join(sheet.entry(number, one, "") for number, one in enumerate(lines, 1)))
    parts.append(sheet.heading("Go on"))
    parts.append(
        "The period closes, and the next bulletin comes, when you say READY."
        + (" This letter has the orders above, and READY:" if ready != "READY" else "")
    )
    address = seats.link_address(work, game, game.holders[seat])
    links = Links(address or work.mark.address, f"[{game.id}] {seat}, period {game.period.number}")
    parts.append(sheet.answer_line("READY", links.line(ready)))
    return "\n\n".join(filter(None, parts)) + "\n"
