"""Every party's votes (4.6, 4.7, 1.9 to 1.11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.games.party_in_power.cards import PIP, Item
from pbem.games.party_in_power.state import State
from pbem.games.party_in_power.steps.teams import disqualified, split_team


@dataclass(frozen=True, slots=True)
class Entry:
    """A card's line, in votes."""

    card: str
    popularity: int
    issue: int
    leader: int
    note: str = ""

    @property
    def votes(self) -> int:
        return self.popularity + self.issue + self.leader


@dataclass(frozen=True, slots=True)
class Sheet:
    """A party's vote sheet."""

    party: str
    entries: tuple[Entry, ...]
    helpers: tuple[str, ...]
    extras: tuple[tuple[str, int], ...]
    """(what, votes) besides the Team."""
    out: str
    """Disqualified, or ""."""
    void: tuple[str, ...] = ()
    """Reactions void by that (4.6)."""
    advantage: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """{what: (from, to)} of cards."""

    @property
    def total(self) -> int:
        """Votes of Team and extras, even if disqualified."""
        return sum(entry.votes for entry in self.entries) + sum(votes for _, votes in self.extras)

    def json(self, state: State) -> dict[str, Any]:
        """Return event data; lines are [card, popularity, issue, leader, votes, note]."""
        return {
            "party": self.party,
            "lines": [
                [state.spelt(e.card), e.popularity, e.issue, e.leader, e.votes, e.note]
                for e in self.entries
            ],
            "extras": [[what, votes] for what, votes in self.extras],
            "helpers": [state.spelt(id) for id in self.helpers],
            "total": None if self.out else self.total,
            "out": self.out,
            "void": list(self.void),
            "advantage": {what: list(moved) for what, moved in self.advantage.items()},
        }


def prevailing(state: State, played: Sequence[Item]) -> str:
    """Return the issue after Actions: the last NATIONAL BROADCAST (1.9, 1.11)."""
    broadcasts = [item.on for item in played if state.card(item.card).kind == "A3"]
    return broadcasts[-1] if broadcasts else state.issue


def count(state: State, team: Sequence[str], played: Sequence[Item]) -> dict[str, Sheet]:
    """Return sheets as counted: Opposition from Momentum, then the PIP unless vacant (R14)."""
    issue = prevailing(state, played)
    start = state.momentum or PIP
    contesting = [seat for seat in state.clockwise(start) if seat in state.submitted]
    sheets = {
        seat: opposition_sheet(state, seat, state.submitted[seat], issue, played)
        for seat in contesting
    }
    if not (state.lapsed and state.settings.vacant):
        valid = {seat: state.submitted[seat] for seat, sheet in sheets.items() if not sheet.out}
        sheets[PIP] = pip_sheet(state, team, issue, played, valid)
    return _with_advantage(state, sheets, played)


def _with_advantage(
    state: State, sheets: Mapping[str, Sheet], played: Sequence[Item]
) -> dict[str, Sheet]:
    """4.7, 1.11. One of each kind counts."""
    now, counted, found = _printed_advantage(state), set[str](), dict(sheets)
    sources = [(PIP, "A2", item) for item in played if PIP in found]
    for seat, sheet in sheets.items():
        if seat != PIP and not sheet.out:
            sources += [(seat, "R4", item) for item in state.submitted[seat]]
    for seat, kind, item in sources:
        if state.card(item.card).kind == kind:
            then = now if kind in counted else _AFTER[kind](now)
            sheet = found[seat]
            moved = {**sheet.advantage, _item_text(state, item): (now, then)}
            found[seat], now = replace(sheet, advantage=moved), then
            counted.add(kind)
    return found


def _kinds(state: State, items: Sequence[Item]) -> list[str]:
    return [state.card(item.card).kind for item in items]


def opposition_sheet(
    state: State, seat: str, items: Sequence[Item], issue: str, played: Sequence[Item]
) -> Sheet:
    """Return an Opposition Party's sheet; a disqualified Team voids its Reactions."""
    team, helpers = split_team(state, [item.card for item in items], state.place().seats)
    out = "resigned" if seat in state.out else disqualified(state, team)
    kinds = [] if out else _kinds(state, items)
    sheltered = "R2" in kinds
    against = (
        {state.card(item.card).kind for item in played if item.against == seat}
        if not sheltered
        else set()
    )
    subject = [item.on for item in items if state.card(item.card).kind == "R5"]
    if subject and not out:
        issue = subject[-1]
    entries = tuple(entry(state, id, seat, None if "A6" in against else issue) for id in team)
    if "A4" in against and entries:
        best = max(range(len(team)), key=lambda at: (state.card(team[at]).popularity, -at))
        libelled = Entry(team[best], 0, 0, 0, "LIBEL SUIT: no votes")
        entries = (*entries[:best], libelled, *entries[best + 1 :])
    extras = [
        (_item_text(state, item), _reaction(state, item))
        for item in items
        if state.card(item.card).kind[0] == "R"
    ]
    if not sheltered and not helpers and "A5" in _kinds(state, played):
        extras.append(("DEPOSIT RAISED, no Helper", -2))
    if state.settings.helper_votes and helpers:
        extras.append(("Helpers", len(helpers)))
    if out:
        reactions = [item for item in items if not state.card(item.card).candidate]
        void = tuple(_item_text(state, item) for item in reactions)
        return Sheet(seat, entries, helpers, (), out, void)
    return Sheet(seat, entries, helpers, tuple(extras), "")


def entry(state: State, id: str, seat: str, issue: str | None) -> Entry:
    told = state.card(id)
    return Entry(id, told.popularity, int(told.issue == issue), int(told.party == seat))


def _item_text(state: State, item: Item) -> str:
    on = f" on {item.on.capitalize()}" if item.on else ""
    return f"{item.card} {state.card(item.card).name}{on}" + (
        f" against {item.against}" if item.against else ""
    )


def _reaction(state: State, item: Item) -> int:
    return 4 if state.card(item.card).kind == "R1" else 0


def pip_sheet(
    state: State,
    team: Sequence[str],
    issue: str,
    played: Sequence[Item],
    valid: Mapping[str, Sequence[Item]],
) -> Sheet:
    entries = tuple(entry(state, id, PIP, issue) for id in team)
    ministers = sum(state.card(id).minister for id in team)
    worth = {"A1": 3, "A7": min(4, 2 * ministers)}
    extras = [("Incumbent Advantage", _advantage(state, played, valid))]
    extras += [
        (_item_text(state, item), worth.get(state.card(item.card).kind, 0)) for item in played
    ]
    for seat, items in valid.items():
        hecklers = [item for item in items if state.card(item.card).kind == "R3"]
        extras += [(f"{_item_text(state, item)} ({seat})", -3) for item in hecklers]
    if state.place().grc and not any(map(state.minority, team)):
        extras.append(("no Minority card in the Team", -5))
    return Sheet(PIP, entries, (), tuple(extras), "")


_AFTER: Mapping[str, Callable[[int], int]] = {
    "A2": lambda advantage: 2 * advantage if advantage > 0 else 2,
    "R4": lambda advantage: min(advantage, 0),
}
"""The Advantage after a card (1.9, 1.10)."""


def _printed_advantage(state: State) -> int:
    return state.place().advantage + state.settings.incumbency


def _advantage(state: State, played: Sequence[Item], valid: Mapping[str, Sequence[Item]]) -> int:
    """4.7. Add INCUMBENCY, then BOUNDARY REVIEW, then COFFEESHOP GRUMBLES."""
    advantage = _printed_advantage(state)
    if "A2" in _kinds(state, played):
        advantage = _AFTER["A2"](advantage)
    if any("R4" in _kinds(state, items) for items in valid.values()):
        advantage = _AFTER["R4"](advantage)
    return advantage
