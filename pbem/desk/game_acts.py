"""Trials of a game: bulletin and rewind."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.desk import about, acts, game, game_pages
from pbem.desk.asked import Asked, Given, Page
from pbem.errors import OperatorError
from pbem.games.frame.events import Seat
from pbem.house import templates
from pbem.periods import own_page
from pbem.periods.rewinding import Tried
from pbem.referee.acts.doing import Actor, do
from pbem.referee.acts.word_acts import Preview
from pbem.store.games import games
from pbem.store.games.games import GameAt

MOST = 12
"""Closed periods to choose from."""


def preview(asked: Asked) -> Page:
    """Return the coming bulletin if asked for. That is a look."""
    at = game.secret_table(asked.sight, asked.path["game"])
    ahead = None
    if _posted(asked, "look"):
        done = do(asked.work, acts.named("preview"), {"game": at.id}, Actor(asked.who))
        assert isinstance(done.seen, Preview)
        ahead = game_pages.ahead(asked.sight, at, done.seen)
    head = game.head(asked.sight, game.opened(asked.sight, at.id))
    facts = {"game": at.id, "ahead": ahead, "head": head}
    return Page("game_preview.html.j2", f"{at.id}: preview", facts)


def _posted(asked: Asked, step: str) -> bool:
    """Return whether the form was sent: a link must file nothing."""
    return asked.given.get("step") == step and asked.given.get("csrf") == asked.csrf


# --- a rewind -------------------------------------------------------------------------------------


def rewind(asked: Asked) -> Page:
    at = game.secret_table(asked.sight, asked.path["game"])
    kept = [(name, one) for name, one in asked.given.multi_items() if name not in ("game", "step")]
    given = Given([("game", at.id), *kept])
    facts: dict[str, Any] = {"again": None, "token": "", "fault": "", "faults": {}}
    if _posted(asked, "try"):
        try:
            facts |= _tried(replace(asked, given=given), at)
        except OperatorError as error:
            facts["fault"] = str(error)
    pairs = zip(given.getlist("order"), given.getlist("order-text"), strict=False)
    wrong = bool(facts["fault"] or facts["faults"])
    facts |= {
        "game": at.id,
        "closed": _closed(at, asked),
        "number": given.get("number", str(max(1, at.period.number - 1))),
        "seats": {seat: _called(at, seat) for seat in at.seats},
        "given": given,
        "orders": [*((seat, text) for seat, text in pairs if seat or text.strip()), ("", "")],
        "letters": [
            (
                name,
                " ".join(given.getlist(name)).split(),
                about.letters(asked, at, wait=name == "accept"),
            )
            for name in ("accept", "drop")
        ],
    }
    return Page("game_rewind.html.j2", f"{at.id}: rewind", facts, 400 if wrong else 200)


def _called(game: GameAt, seat: Seat) -> str:
    name = game.holders[seat].name if seat in game.holders else ""
    words = templates.seat_words(game.ruleset, game.state, seat)
    return f"{words} ({name})" if name else words


def _tried(asked: Asked, game: GameAt) -> Mapping[str, Any]:
    act = acts.named("rewind")
    values, faults = acts.values_of(act, asked.given)
    if faults:
        return {"faults": faults}
    done = do(asked.work, act, {**values, "do": False}, Actor(asked.who))
    assert isinstance(done.seen, Tried)
    token = acts.token(asked, act, values)
    return {"again": game_pages.again(game, done.seen), "token": token}


def _closed(game: GameAt, asked: Asked) -> list[tuple[int, str]]:
    last = game.period.number - 1
    numbers = range(last, max(0, last - MOST), -1)
    return [(n, own_page.name(games.game_at(asked.work.conn, game.id, n))) for n in numbers]
