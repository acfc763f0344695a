"""Make, start and end a game (invariant 11)."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.errors import OperatorError
from pbem.games.frame import codec
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Seat
from pbem.games.frame.ruleset import Ruleset
from pbem.games.frame.scenario import tables_and_rest
from pbem.house import config, houses, shelf, templates
from pbem.house.houses import house_rules
from pbem.letters.states import LetterState
from pbem.periods import (
    adjudicating,
    claims,
    guards,
    handover,
    house_bots,
    issue_mails,
    own_page,
    persons,
    publishing,
)
from pbem.periods.paper import seating, sizes
from pbem.post import masters
from pbem.post.seats import set_token, to_all
from pbem.post.work import Work
from pbem.store.games import games, periods, positions
from pbem.store.joining import claimants, open_tables, practices
from pbem.store.journal import notes
from pbem.store.letters import letters
from pbem.store.people import players
from pbem.store.schema.states import GameState
from pbem.store.schema.tables import Game, Observer, Standby
from pbem.store.schema.tables import Seat as SeatRecord

_ID = re.compile(r"[a-z][a-z0-9-]{0,38}")


@dataclass(frozen=True, slots=True)
class Plan:
    """What ``pbem new`` was told."""

    id: str
    ruleset: str
    players: Sequence[tuple[str, str, str]]
    """(seat or "" by lot, address, name), as they join."""
    zone: str
    trust: str = "open"
    late: str = "until_adjudicated"
    publish: str = "auto"
    options: Mapping[str, Any] = field(default_factory=dict)
    scenario: Mapping[str, Any] = field(default_factory=dict)
    house: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    """None: drawn."""
    standby: Sequence[tuple[str, str]] = ()
    """(address, name)."""
    anyway: bool = False
    """Allow one person two places."""
    instead: bool = False
    gamesmaster: str | None = None
    """None: the installation's."""
    second: str | None = None
    pace: str | None = None
    """Of house rules; None: the usual."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A game that can be made."""

    game: Game
    seated: tuple[Seat, ...]
    brief: tuple[str, ...]


def new(work: Work, plan: Plan) -> tuple[str, ...]:
    """Record a game in silence. Return what to tell the gamesmaster."""
    fit_to_be_an_id(plan.id)
    no_practice(plan.id)
    no_open_table(work, plan.id)
    there = games.exists(work.conn, plan.id)
    if there and not plan.instead:
        raise OperatorError(
            f"there is a game {plan.id!r} already; choose another id (or, while it has not begun,"
            " --instead)"
        )
    if plan.instead and not there:
        raise OperatorError(f"there is no game {plan.id!r} to make another instead of")
    if there:
        _delete(work, plan.id)
    found = settled(work, plan)
    said = file(work, found, plan.players, plan.standby, named=True, anyway=plan.anyway)
    return (*found.brief, *said)


def settled(work: Work, plan: Plan) -> Settled:
    """Return how it is played, by number and seats of players. Raise OperatorError."""
    fit_to_be_an_id(plan.id)
    changes, scenario = tables_and_rest(plan.scenario)
    tables = shelf.with_changes(plan.ruleset, changes)
    ruleset = shelf.open_ruleset(plan.ruleset, tables)
    legal = fitting(plan.players, ruleset)
    seed = plan.seed or secrets.token_hex(32)
    given = {**scenario.pop("options", {}), **plan.options}
    options = houses.settled(plan.ruleset, given, plan.pace)
    lot = Dice(seed, plan.id) if ruleset.about.lot else None
    seated = seating(ruleset, _seats(plan.players, legal, lot), scenario)
    opening = ruleset.setup(seated, options, scenario, Dice(seed, plan.id)).state
    house = house_rules(plan.ruleset, options, plan.house, plan.pace)
    config.fit_to_be_a_zone(plan.zone)
    game = Game(
        id=plan.id,
        ruleset=plan.ruleset,
        status=GameState.WAITING,
        schema=ruleset.about.schema,
        tables=codec.plain(tables),
        tables_hash=positions.tables_hash(plan.ruleset, tables),
        options=options,
        scenario=codec.plain(scenario),
        house=codec.dump(house),
        seed=seed,
        zone=plan.zone,
        trust=plan.trust,
        late=plan.late,
        publish=plan.publish,
        created=work.now,
        gamesmaster=players.mail_address(plan.gamesmaster)
        if plan.gamesmaster
        else work.mark.gamesmaster,
        second=players.mail_address(plan.second) if plan.second else "",
    )
    if game.second and game.second == game.gamesmaster:
        raise OperatorError(
            f"{game.second} is the gamesmaster; the second does the acts that they may not do, and"
            " has to be somebody else"
        )
    return Settled(game, seated, ruleset.brief(opening))


def drawn(game: Game, given: Sequence[tuple[str, str, str]]) -> Settled:
    """Return a settled game with players, seats drawn by its seed."""
    ruleset = shelf.open_ruleset(game.ruleset, game.tables)
    seated = _seats(given, fitting(given, ruleset), Dice(game.seed, game.id))
    return Settled(game, seated, ())


def file(
    work: Work,
    made: Settled,
    given: Sequence[tuple[str, str, str]],
    standby: Sequence[tuple[str, str]] = (),
    *,
    named: bool = False,
    anyway: bool = False,
) -> tuple[str, ...]:
    """Store a settled game. Return what to tell the gamesmaster. ``given``: a house bot has no
    address. ``named``: they chose the players, so check their names."""
    game, doubts = made.game, []
    Game.add(work.conn, game)
    bots = iter(house_bots.NAMES)
    for place, (seat, (_, address, name)) in enumerate(zip(made.seated, given, strict=True)):
        if not address:
            SeatRecord.add(work.conn, game_id=game.id, seat=seat, place=place, bot=next(bots) or "")
            continue
        player_id = persons.registered(work, address, name)
        doubts += persons.called(work, player_id) if named else []
        doubts += filter(None, [claims.twice(work, game.id, player_id, seat)])
        SeatRecord.add(work.conn, game_id=game.id, seat=seat, place=place, player_id=player_id)
        Observer.drop(work.conn, game_id=game.id, player_id=player_id)
    for address, name in standby:
        player_id = persons.registered(work, address, name)
        doubts += persons.called(work, player_id)
        doubts += claims.doubts(work, game.id, player_id)
        Standby.add(work.conn, game_id=game.id, player_id=player_id)
    in_hand = _in_hand(work, game)
    known = {"ruleset": game.ruleset, "options": game.options, "seats": list(made.seated)}
    notes.note(work.conn, game.id, work.now, "new", **known, **claims.meant(doubts, anyway))
    return (*persons.alike(work, game.id), *in_hand)


def fit_to_be_an_id(game_id: str) -> None:
    if not _ID.fullmatch(game_id):
        raise OperatorError(
            f"game id {game_id!r}: small letters, digits and hyphens, beginning with a letter, at"
            " most 39"
        )


def no_practice(game_id: str) -> None:
    """Raise OperatorError for an id kept for practice games."""
    if game_id.startswith(practices.PREFIX):
        raise OperatorError(f"game id {game_id!r}: only practice games are called so")


def _in_hand(work: Work, game: Game) -> tuple[str, ...]:
    """Return what to say of gamesmasters. Raise OperatorError if they cannot act."""
    hands = masters.of(work.conn, work.mark, game.id)
    for one in (hands.gamesmaster, hands.second):
        if one:
            masters.enter(work.conn, work.mark, one)
    seat = masters.plays(work.conn, game.id, hands.second) if hands.second else None
    if seat:
        raise OperatorError(
            f"{hands.second} plays {seat}; the second gamesmaster of a game plays no seat of it"
        )
    if not hands.seat:
        return (
            (f"{hands.second} has nothing to do while {hands.gamesmaster} plays no seat",)
            if hands.second
            else ()
        )
    if hands.acting:
        return (
            f"{hands.gamesmaster} plays {hands.seat}: until the game is over its acts, letters and"
            f" mails are for {hands.second}, who does everything by mail",
        )
    if game.publish == "review":
        raise OperatorError(
            f"{hands.gamesmaster} plays {hands.seat}, so that nobody could release a bulletin; name"
            " somebody with --second, or choose --publish auto"
        )
    return (
        f"{hands.gamesmaster} plays {hands.seat}, and there is no second gamesmaster: the game runs"
        " without acts (nobody can extend, hold, replace, rule or accept a late letter);",
        f"to ask somebody to be it: `pbem master {game.id} ADDRESS --second`",
    )


def no_open_table(work: Work, game_id: str) -> None:
    """Raise OperatorError if an open table has this id."""
    if open_tables.joinable(work.conn, game_id):
        raise OperatorError(
            f"{game_id!r} is an open table, to which players sign on; choose another id, or"
            f" `pbem close-table {game_id}`"
        )


def _delete(work: Work, game_id: str) -> None:
    """Delete it before its start, with codes and players of its own. Raise OperatorError."""
    row = games.game(work.conn, game_id)
    if row.status == GameState.OVER:
        raise OperatorError(f"game {row.id} is over: it stays on file")
    if row.status != GameState.WAITING:
        raise OperatorError(
            f"game {row.id} has begun, and is neither deleted nor made again; `pbem end {row.id}`"
            " ends it"
        )
    handover.void(work.conn, game_id, *handover.Role)
    notes.forget_codes(work.conn, game_id)
    games.forget(work.conn, game_id)


def forget(work: Work, game_id: str) -> int:
    """Delete a game before its start; dismiss waiting letters. Return how many."""
    _delete(work, game_id)
    held = letters.held(work.conn, game_id)
    for letter in held:
        letters.set_state(work.conn, letter.id, LetterState.DISMISSED, decided=work.now)
    return len(held)


def fitting(given: Sequence[tuple[str, str, str]], ruleset: Ruleset[Any]) -> tuple[Seat, ...]:
    """Return the first table that fits. Raise OperatorError."""
    named = [seat for seat, _, _ in given if seat]
    count = len(given)
    tables = [table for table in ruleset.about.seats if len(table) == count]
    fitting = next((table for table in tables if set(named) <= set(table)), None)
    if fitting is None:
        places = f", on {', '.join(named)}" if named else ""
        raise OperatorError(
            f"{ruleset.about.key} is played by {sizes(ruleset)} players on seats such as "
            f"{', '.join(ruleset.about.seats[0])}; given: {count}{places}"
        )
    if twice := sorted({seat for seat in named if named.count(seat) > 1}):
        raise OperatorError(f"{', '.join(twice)} is given to two players; each seat has one")
    return fitting


def _seats(
    given: Sequence[tuple[str, str, str]], legal: tuple[str, ...], lot: Dice | None
) -> tuple[str, ...]:
    named = {seat for seat, _, _ in given if seat}
    free = [seat for seat in legal if seat not in named]
    rest = iter(lot.stream("seats").shuffled(free) if lot else free)
    return tuple(seat or next(rest) for seat, _, _ in given)


def start(work: Work, game_id: str) -> None:
    row = games.game(work.conn, game_id)
    if row.status != GameState.WAITING:
        raise OperatorError(
            f"game {game_id} is {row.status}; only a game that waits can be started"
        )
    ruleset = positions.ruleset(work.conn, row)
    for holder in games.holders(work.conn, game_id).values():
        set_token(work, game_id, holder.seat, holder.token_no)
    seated = tuple(games.holders(work.conn, game_id))
    outcome = ruleset.setup(seated, row.options, row.scenario, Dice(row.seed, game_id))
    notes.note(work.conn, game_id, work.now, "start", seats=list(seated))
    adjudicating.open_first(work, game_id, outcome, ruleset)
    at = games.game_at(work.conn, game_id)
    for who in claimants.standing_by(work.conn, game_id):
        claims.mail_standby(work, at, who, "enlisted")


def end(work: Work, game_id: str, why: str) -> None:
    row = games.game(work.conn, game_id)
    if row.status == GameState.OVER:
        raise OperatorError(f"game {game_id} is over already")
    if row.status == GameState.WAITING:
        raise OperatorError(
            f"game {game_id} has not begun, so there is nothing to end; `pbem forget {game_id}`"
            " deletes it"
        )
    notes.note(work.conn, game_id, work.now, "ended", why=why, seed=row.seed)
    until = publishing.statements_until(work.now, row.zone)
    games.set_game(work.conn, game_id, statements_until=until)
    game = games.game_at(work.conn, game_id)
    periods.end(work.conn, game_id, row.period)
    number = guards.period_of(game)
    seen = guards.line(work.conn, game_id, number, last=True)
    notes.mark_reported(work.conn, game_id, number)
    called = (
        f"{templates.seat_words(game.ruleset, game.state, seat)}:"
        f" {game.player(seat, over=True) or 'nobody'}"
        for seat in game.seats
    )
    draft = own_page.draft(
        game,
        f"ended:{game_id}",
        "ended",
        "ended",
        why=why,
        seen=seen,
        players=list(called) if game.hides_names else (),
        statements=publishing.statements_asked(game),
        what_next=issue_mails.what_next(work.conn),
    )
    dated = own_page.cancelled(work, game, [game])
    draft = replace(draft, calendar=dated, again=issue_mails.again(game))
    to_all(work, game, draft)
    claims.over(work, game)
    issue_mails.end_watching(work, game_id, game.ruleset.about.title, "is over")
    games.set_state(work.conn, game_id, GameState.OVER)
