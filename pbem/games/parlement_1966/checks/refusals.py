"""Shared refusals, warnings and names."""

from __future__ import annotations

from pbem.games.parlement_1966.names import OFFICE_NAMES, PARTIES, PARTY_NAMES
from pbem.games.parlement_1966.orders import OFFICES
from pbem.games.parlement_1966.state import DISTRICTS
from pbem.games.parlement_1966.tables import Tables
from pbem.orders.language import resolve
from pbem.orders.order import Checked, Order, Problem


class RefusalError(Exception):
    """Ends a check; its argument is the refusal."""


def refuse_if(wrong: bool, code: str, message: str, rule: str | None = None, *notes: str) -> None:
    if wrong:
        raise RefusalError(Checked.refused(code, message, rule, *notes))


def answered(order: Order, *warnings: tuple[bool, str, str]) -> Checked:
    """Take the order, with the first warning (condition, message, paragraph) that applies."""
    for applies, message, rule in warnings:
        if applies:
            return Checked((order,), (Problem("W_NOTE", message, rule, warning=True),))
    return Checked((order,))


def known_parties(words: tuple[str, ...]) -> None:
    for word in words:
        if word not in PARTIES:
            found = resolve(word, PARTY_NAMES)
            if isinstance(found, Problem):
                raise RefusalError(Checked((), (found,)))
            refuse_if(True, "E_PLAYER", f'There is no player "{word}" in this game.')


def known_offices(words: tuple[str, ...]) -> None:
    for word in words:
        if word not in OFFICES:
            found = resolve(word, OFFICE_NAMES)
            if isinstance(found, Problem):
                raise RefusalError(Checked((), (found,)))
            listed = "PREMIER, FOREIGN, DEFENSE and FINANCE"
            refuse_if(
                True, "E_OFFICE", f'There is no office "{word}": the offices are {listed}.', "5"
            )


def known_bill(number: int, tables: Tables) -> None:
    refuse_if(
        number not in tables.bills,
        "E_BILL",
        f"There is no bill #{number}: the bills are #1 to #7.",
        "13",
    )


def known_districts(districts: tuple[int, ...]) -> None:
    for district in districts:
        message = f"There is no district {district}: they are numbered 1 to {DISTRICTS}."
        refuse_if(not 1 <= district <= DISTRICTS, "E_DISTRICT", message, "21")


def known_vote(vote: str, rule: str) -> None:
    message = f'"{vote}" is not a vote: YES, NO or ABSTAIN.'
    refuse_if(vote not in ("yes", "no", "abstain"), "E_VOTE", message, rule)
