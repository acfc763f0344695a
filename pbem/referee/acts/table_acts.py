"""Acts on new games and open tables."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.house import houses, shelf
from pbem.pages.plain import plain
from pbem.periods import issue_mails, opening, publishing
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import FULL, Wanted
from pbem.periods.opening import Plan
from pbem.periods.paper import sizes, toml
from pbem.post.work import Work
from pbem.referee.acts.doing import Done
from pbem.store.games import games
from pbem.store.joining import open_tables
from pbem.store.journal import notes
from pbem.store.schema.states import ApplicantState
from pbem.text import counted, listed


def new(  # noqa: PLR0913  one for each setting
    work: Work,
    ruleset: str,
    table: str,
    players: Sequence[str],
    standby: Sequence[str],
    anyway: bool,
    instead: bool,
    **settings: Any,
) -> Done:
    plan = _plan(work, ruleset, table, settings)
    named = [_player(one) for one in players]
    waiting = [_person(one) for one in standby]
    plan = replace(plan, players=named, standby=waiting, anyway=anyway, instead=instead)
    brief = opening.new(work, plan)
    row = games.game(work.conn, plan.id)
    rules = issue_mails.house_text(plan.ruleset, games.house_of(row.house), row)
    seated = games.holders(work.conn, plan.id).values()
    lines = (
        *(f"{one.seat}: {one.name} <{one.address}>" for one in seated),
        *brief,
        "\nThese house rules will be mailed to the players, with the tables of the game:\n",
        f"{plain(rules)}\n",
        f"The game {plan.id} is made; `pbem start {plan.id}` mails the players and opens period 1.",
    )
    return Done("\n".join(lines), brief=brief)


def open_(work: Work, ruleset: str, table: str, **given: Any) -> Done:
    plan = _plan(work, ruleset, table.lower(), given)
    plan = replace(plan, seed=given["seed"] or None)
    wanted = Wanted(
        plan,
        given["players"] if given["players"] is not None else _only_size(plan.ruleset),
        (given["start"] or FULL).lower(),
        given["closes"] or None,
        _one_of("approve", given["approve"] or "no", "yes", "no") == "yes",
        _one_of("seats", given["seats"] or "lot", "lot", "choice") == "choice",
        given["reliability"] or 0,
        given["bots"] or 0,
    )
    brief = tables.open_(work, wanted)
    how = f"To sign on: a mail to {work.mark.address} with the line SIGNON {plan.id} AS Name."
    return Done("\n".join((*brief, how)), brief=(*brief, how))


def close_table(work: Work, table: str, why: str | None) -> Done:
    found = tables.joinable(work, table.lower())
    told = tables.close(work, found, why or "the gamesmaster has closed it")
    return Done(f"The table {table} is closed; {counted(told, 'player is', 'players are')} told.")


def admit(
    work: Work, table: str, applicant: int, none: bool = False, why: str | None = None
) -> Done:
    open_table = tables.joinable(work, table.lower())
    person = open_tables.applicant(work.conn, applicant)
    if person is None or person.game_id != open_table.id or person.state == ApplicantState.GONE:
        raise OperatorError(f"nobody who signs on to {open_table.id} has the number {applicant}")
    if none:
        tables.leaves(work, open_table, person, "table-refused")
        if person.state != ApplicantState.ASKED:
            text = tables.said("refused", tables.facts(work, open_table), person.name, why or "")
            subject = "The gamesmaster has not taken you"
            tables.tell(work, open_table, person, "refused", subject, text)
        whom = f"{person.name} <{person.mail}>"
        return Done(f"You have not taken {whom} at {open_table.id}, who is told so.")
    if person.state == ApplicantState.ASKED:
        raise OperatorError(f"{applicant} has not answered the code that was mailed")
    if person.place is not None:
        raise OperatorError(f"{applicant} ({person.name}) is taken already")
    tables.give_place(work, open_table, person)
    notes.note(work.conn, open_table.id, work.now, "table-approved", applicant=person.id)
    place = tables.place_of(work, open_table, person.id)
    known = tables.facts(work, open_table)
    text = tables.said("place", known, person.name, place, tables.pass_on(work, known))
    tables.tell(work, open_table, person, "approved", tables.placed(open_table, place), text)
    return Done(f"You have taken {person.name} <{person.mail}> at {table}, who is told so.")


def start(work: Work, game: str) -> Done:
    opening.start(work, game)
    deadline = publishing.deadline_text(games.game_at(work.conn, game))
    return Done(f"The game {game} has begun; first deadline: {deadline or 'none'}.")


def end(work: Work, game: str, why: str | None) -> Done:
    opening.end(work, game, why or "it will not be finished")
    return Done(f"The game {game} is ended, and all are told.")


def _plan(work: Work, ruleset: str, table: str, settings: Mapping[str, Any]) -> Plan:
    """Return a game's plan without players."""
    ours, key = work.config.referee, ruleset.lower()
    if key not in GAMES:
        raise OperatorError(f"there is no rule-set {ruleset!r}; there are {', '.join(GAMES)}")
    return Plan(
        table,
        key,
        (),
        settings["zone"] or ours.zone,
        _one_of("trust", settings["trust"] or ours.trust, "open", "proven"),
        _one_of("late", settings["late"] or ours.late, "until_adjudicated", "deadline"),
        _one_of("publish", settings["publish"] or ours.publish, "auto", "review"),
        houses.pairs(settings["option"]),
        toml(scenario, "scenario") if (scenario := settings["scenario"]) else {},
        houses.changes(settings),
        gamesmaster=settings["gamesmaster"] or None,
        second=settings["second"] or None,
        pace=(settings["pace"] or "").lower() or None,
    )


def _player(word: str) -> tuple[str, str, str]:
    """Read [SEAT=]ADDRESS[,NAME]."""
    seat, equals, person = word.partition("=")
    return (seat.strip(), *_person(person)) if equals else ("", *_person(word))


def _person(word: str) -> tuple[str, str]:
    """Read ADDRESS[,NAME]."""
    address, _, name = word.partition(",")
    if "@" not in address:
        raise OperatorError(f"{word!r}: write ADDRESS or ADDRESS,NAME")
    return address.strip(), name.strip()


def _only_size(key: str) -> int:
    """Return how many play, if there is no choice."""
    ruleset = shelf.open_ruleset(key)
    counts = {len(seats) for seats in ruleset.about.seats}
    if len(counts) > 1:
        raise OperatorError(f"{key} is played by {sizes(ruleset)} players: say --players N")
    return counts.pop()


def _one_of(what: str, said: str, *known: str) -> str:
    if said.lower() not in known:
        raise OperatorError(f"{what}: for {said!r} write {listed(known, 'or')}")
    return said.lower()
