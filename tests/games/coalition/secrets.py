"""For the secrecy test: another state that differs only in what ``seat`` may not know; and what is conserved."""

from __future__ import annotations

from dataclasses import replace

from pbem.dice import Stream
from pbem.games.coalition.state import AYE, NAY, Draft, Party, State, juniors


def twin(state: State, seat: str, chance: Stream) -> State:
    """Others' specials, standing votes and drafts (not how many wait); where they are secret, sponsors and votes."""
    parties = {
        letter: party if letter == seat else _other(state, party, chance) for letter, party in state.parties.items()
    }
    twinned = replace(state, parties=parties)
    hidden = state.options["SPONSOR"] == "SECRET"
    others = [letter for letter in state.living if letter != seat]
    if hidden and state.floor and state.floor.sponsor != seat:
        twinned = replace(twinned, floor=replace(state.floor, sponsor=chance.choice(others)))
    return twinned


def _other(state: State, party: Party, chance: Stream) -> Party:
    specials = party.specials
    if state.outcome is None:
        chosen = chance.shuffled(juniors(state))[: chance.below(5)]
        specials = tuple(code for code in juniors(state) if code in chosen)
    draft = party.draft
    if draft:
        slate = {code: chance.choice(state.living) for code in draft.slate}
        draft = Draft(slate, 1 + chance.below(state.period))
    tabled = party.tabled + chance.below(3) if state.options["SPONSOR"] == "SECRET" else party.tabled
    return replace(
        party, specials=specials, draft=draft, tabled=tabled,
        standing=chance.choice((None, AYE, NAY)) if party.playing else party.standing,
    )  # fmt: skip


def invariants(state: State) -> None:
    """All seats are counted in every vote; numbers rise; nobody vacant has a draft; tabled counts the motions."""
    total = sum(party.seats for party in state.parties.values())
    assert total == 615
    for division in state.history:
        assert division.aye + division.nay + division.abstain == total
    numbers = [division.motion.number for division in state.history]
    numbers += [state.floor.number] if state.floor else []
    assert numbers == list(range(1, len(numbers) + 1))
    assert sum(party.tabled for party in state.parties.values()) == len(numbers)
    assert all(party.playing or party.draft is None for party in state.parties.values())
    assert all(len(party.specials) <= 4 for party in state.parties.values())
    assert len({party.name.casefold() for party in state.parties.values()}) == 15
