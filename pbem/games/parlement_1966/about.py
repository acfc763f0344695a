"""What is known without a game: seats, phases, options; and adopted amendments (35, R24)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.errors import OptionError
from pbem.games.frame.options import Option, one_of, switch
from pbem.games.frame.ruleset import HOUSE, About, Amended, Awaited
from pbem.games.parlement_1966.names import PARTIES
from pbem.games.parlement_1966.state import PHASES, Settings, State, Tables

ABOUT = About(
    key="parlement-1966",
    title="Parlement (1966)",
    seats=(tuple(PARTIES),),
    schema=3,
    phases=PHASES,
    options=(
        Option(
            "emergency_after_extensions",
            "none",
            "extensions of the first period before the emergency of paragraph "
            "10 begins without a Government",
            words=("none",),
            says=("never, however long it is extended",),
        ),
        switch("record_per_session", "legislative records begin again with each session", "off"),
        switch(
            "private_treasury_notices",
            "each party is told its account at the end of every period",
            "off",
        ),
        one_of(
            "rulings",
            "which rulings the game plays by (R22, R23)",
            third="those of this edition",
            second="those without CHEQUE and CASH",
            first="those of games that were made before November 2026",
        ),
        switch("house_rules", "missed moves are counted and asked about", "on"),
        Option(
            "max_sessions",
            "off",
            "sessions after which most seats win",
            least=1,
            words=("off",),
            says=("the game goes on until its rules end it",),
        ),
    ),
    status="complete",
    awaited=Awaited("CANDIDATES", "list of candidates", "lists of candidates", "candidate list"),
    plays_on="CONTINUE",
    told_since=("lapsed", "backed", "unsigned", "blocs_none", "cheque_written", "cheque_received"),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that an amendment may change."""

    table: str
    key: str
    """Also in :class:`Tables`."""


FIGURES: Mapping[str, Figure] = {
    "candidate_fee": Figure("crowns", "fee"),
    "salary": Figure("crowns", "salary"),
    "contribution": Figure("crowns", "contribution"),
    "bloc_loss": Figure("votes", "loss"),
}
_HIGHEST = 1_000_000
_SETTINGS = {
    "record_per_session": "record_per_session",
    "private_treasury_notices": "notices",
    "house_rules": "house_rules",
    "max_sessions": "max_sessions",
}
"""Changeable options, and their :class:`Settings` fields."""
BY_HAND = "by hand"


def changeable(state: State, tables: Tables) -> dict[str, str]:
    now = tables_of(state, tables)
    figures = {name: str(getattr(now, one.key)) for name, one in FIGURES.items()}
    settings = {name: _said(state.settings, field) for name, field in _SETTINGS.items()}
    return {**figures, **settings}


def _said(settings: Settings, field: str) -> str:
    value = getattr(settings, field)
    return {True: "on", False: "off", None: "off"}.get(value, str(value))


def adopted(state: State) -> Sequence[Amended]:
    return [
        Amended(one.number, one.text, f"session {one.session}", one.done)
        for one in state.amendments
        if one.stage == "adopted"
    ]


def amended(state: State, number: int, setting: str) -> State:
    """Carry out an amendment: "name=value", "by hand", or "house name=value", which is only noted.
    Raise OptionError if impossible."""
    done = setting.removeprefix(HOUSE)
    if setting not in (BY_HAND, HOUSE + done):
        name, _, value = (part.strip() for part in setting.partition("="))
        name = name.casefold()
        state, value = _set(state, name, value)
        done = f"{name}={value}"
    amendments = tuple(
        replace(one, done=(*one.done, done)) if one.number == number else one
        for one in state.amendments
    )
    return replace(state, amendments=amendments)


def _set(state: State, name: str, value: str) -> tuple[State, str]:
    if name in FIGURES:
        crowns = Option(name, 0, name, most=_HIGHEST).read(value.replace(",", ""))
        return replace(state, changed={**state.changed, name: int(crowns)}), str(crowns)
    option = next((one for one in ABOUT.options if one.name == name and name in _SETTINGS), None)
    if option is None:
        listed = ", ".join((*FIGURES, *_SETTINGS))
        raise OptionError(
            f"{name or 'nothing'!r} cannot be changed in a running game; what can: {listed}. All"
            " else is done by hand"
        )
    read = option.read(value)
    off = None if name == "max_sessions" else False
    taken: dict[str, Any] = {_SETTINGS[name]: {"on": True, "off": off}.get(str(read), read)}
    return replace(state, settings=replace(state.settings, **taken)), str(read)


def tables_of(state: State, tables: Tables) -> Tables:
    if not state.changed:
        return tables
    changed: dict[str, Any] = {FIGURES[name].key: now for name, now in state.changed.items()}
    return replace(tables, **changed)


def raw_tables(state: State, tables: Mapping[str, Any]) -> Mapping[str, Any]:
    found = dict(tables)
    for name, now in state.changed.items():
        one = FIGURES[name]
        found[one.table] = {**found[one.table], one.key: now}
    return found
