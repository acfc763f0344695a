"""Amendments: carried out by an act, told and replayed."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from pbem.errors import OperatorError
from pbem.games.frame import codec
from pbem.games.frame.house import House
from pbem.games.frame.length import Days
from pbem.games.frame.ruleset import HOUSE, Amended
from pbem.house import templates
from pbem.orders.spelling import is_count
from pbem.pages import sheet
from pbem.periods.guards import guarded
from pbem.post import alarms, seats
from pbem.post.compose import Draft
from pbem.post.seats import to_all
from pbem.post.work import Work
from pbem.store.games import games, positions
from pbem.store.games.games import GameAt
from pbem.store.journal import notes
from pbem.store.schema.states import NoteKind, PeriodState
from pbem.text import safe

LENGTHS = "lengths"
_MOST_DAYS = 365
_HOW = "write OPTION NAME=VALUE, or BY HAND"


def carry_out(work: Work, game_id: str, period: int | None, number: int, how: str) -> GameAt:
    """Carry out an amendment and tell all. Raise OperatorError. It sets an option or figure from
    the open period on, or is done by hand."""
    game = guarded(work.conn, game_id, period, PeriodState.OPEN)
    amendment, ruleset = adopted(game, number), game.ruleset
    setting = _setting(how)
    if setting in amendment.done:
        raise OperatorError(f"amendment {number} of {game_id} has been carried out so: {setting}")
    before = _changeable(game)
    house = _house_setting(game.house, setting)
    setting = setting.casefold() if house else setting
    filed = f"{HOUSE}{setting}" if house else setting
    state = ruleset.amended(game.state, number, filed)
    state_hash = positions.dumped(ruleset, state)["state_hash"]
    positions.amend(work.conn, game.period, (number, filed), state_hash)
    if house:
        games.set_game(work.conn, game_id, house=codec.dump(house))
    after = {**ruleset.changeable(state), **_house_figures(house or game.house)}
    ruling, opened = _said(number, setting, before, after), game.period.number
    notes.rule(work.conn, game_id, NoteKind.RULING, ruling, work.now)
    notes.note(
        work.conn, game_id, work.now, "amended", amendment=number, how=setting, period=opened
    )
    text = f"{ruling}\n\nThe amendment says:\n\n{sheet.fenced(amendment.text)}\n"
    key = f"amended:{game_id}:{game.term}:{number}:{setting}"
    to_all(work, game, Draft(key, "event", f"[{game_id}] Amendment {number} is carried out", text))
    seats.mark_public_change(work, game_id)
    return games.game_at(work.conn, game_id)


def adopted(game: GameAt, number: int) -> Amended:
    """Return an amendment. Raise OperatorError without it."""
    found = {one.number: one for one in listed(game)}
    if number not in found:
        known = ", ".join(map(str, found)) or "none"
        raise OperatorError(f"{game.id} has no adopted amendment {number}; adopted: {known}")
    return found[number]


def listed(game: GameAt) -> list[Amended]:
    return list(game.ruleset.adopted(game.state))


def _setting(how: str) -> str:
    words = how.strip().split("\n")[0].split()
    if [word.upper() for word in words] == ["BY", "HAND"]:
        return "by hand"
    if words[:1] and words[0].upper() == "OPTION" and "=" in how:
        return "".join(words[1:])
    raise OperatorError(f"{how or 'nothing'!r} does not say how: {_HOW}")


def _said(number: int, setting: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    changed = [name for name, value in after.items() if value != before.get(name)]
    if setting == "by hand":
        return (
            f"Amendment {number} is applied by the gamesmaster, by rulings, orders and corrections."
        )
    name = changed[0] if changed else setting.partition("=")[0].casefold()
    was = f"; it was {before[name]}" if changed else ", as before"
    since = f"{'the next' if name == LENGTHS else 'this'} period on"
    return f"Amendment {number} is carried out: {name} is {after[name]} from {since}{was}."


def as_announced(conn: Connection, game: GameAt) -> GameAt:
    """Return the game as the last bulletin told it."""
    if game.period.status == PeriodState.REVIEW and game.period.number:
        return games.game_at(conn, game.id, game.period.number - 1)
    return game


def any_announced(conn: Connection, game: GameAt) -> bool:
    return bool(listed(as_announced(conn, game)) or notes.rulings(conn, game.id))


def page(conn: Connection, game: GameAt) -> str:
    lines = []
    for one in listed(as_announced(conn, game)):
        how = ", ".join(one.done) or "waits for the gamesmaster"
        lines.append(f"Amendment {one.number}, adopted in {one.adopted}; carried out: {how}.")
        lines.append(sheet.fenced(one.text))
    ruled = notes.rulings(conn, game.id)
    lines += [
        f"Bulletin {one.number}, ruling of the gamesmaster: {safe(one.text)}" for one in ruled
    ]
    return "\n".join(lines) or "No amendment has been adopted, and no ruling is printed yet."


def waiting(game: GameAt) -> list[int]:
    """Return adopted amendments not yet carried out."""
    return [one.number for one in listed(game) if not one.done and game.result is None]


def ask(work: Work, game: GameAt) -> None:
    """Ask the gamesmaster, with each bulletin, to carry them out."""
    if game.practice:
        return
    can = "\n".join(f"    {name}: {now}" for name, now in _changeable(game).items())
    for amendment in map(partial(adopted, game), waiting(game)):
        fenced = sheet.fenced(amendment.text)
        text = templates.shared("amendment", one=amendment, at=game, fenced=fenced, can=can)
        key = f"amended:{game.id}:{game.term}:{amendment.number}"
        subject = f"amendment {amendment.number} of {game.id} is adopted"
        alarms.tell(work, key, subject, text, game.id)


def _changeable(game: GameAt) -> Mapping[str, str]:
    return {**game.ruleset.changeable(game.state), **_house_figures(game.house)}


def _house_figures(house: House) -> dict[str, str]:
    """Return what may change: a usual period's days, the game's own figures."""
    if house.elapsed:
        return {}
    usual = house.lengths["*"]
    figures = {LENGTHS: usual.n, **house.rules}
    return {name: str(now) for name, now in figures.items() if isinstance(now, int)}


def _house_setting(house: House, setting: str) -> House | None:
    """Return the house rules with one changed, None if not theirs. Raise OperatorError."""
    name, _, value = setting.partition("=")
    name = name.casefold()
    if name not in _house_figures(house):
        return None
    if not is_count(value) or not 0 < int(value) <= _MOST_DAYS:
        raise OperatorError(f"{name}={value} is no whole number from 1 to {_MOST_DAYS}")
    if name == LENGTHS:
        return replace(house, lengths={**house.lengths, "*": Days(int(value))})
    return replace(house, rules={**house.rules, name: int(value)})
