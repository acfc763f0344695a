"""For the secrecy test: another state that differs only in what ``seat`` may not know; and what is
conserved."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.games.coalition.state import ABSTAIN, AYE, NAY, Draft, Motion, Party, State, juniors
from pbem.games.frame.conditions import Choice, Condition, Term, WhatIf
from pbem.games.frame.dice import Stream


def twin(state: State, seat: str, chance: Stream) -> State:
    """Others' specials, standing votes and drafts (not how many wait); where they are secret,
    sponsors and votes."""
    parties = {
        letter: party if letter == seat else _other(state, party, chance)
        for letter, party in state.parties.items()
    }
    hidden, ballots = state.options["SPONSOR"] == "SECRET", state.options["BALLOTS"] == "SECRET"

    def moved(motion: Motion) -> Motion:
        others = [letter for letter in state.letters if letter != seat]
        return (
            replace(motion, sponsor=chance.choice(others))
            if hidden and motion.sponsor != seat
            else motion
        )

    def cast(votes: Mapping[str, str]) -> Mapping[str, str]:
        return {
            p: v if p == seat or not ballots else chance.choice((AYE, NAY, ABSTAIN))
            for p, v in votes.items()
        }

    history = tuple(replace(d, motion=moved(d.motion), votes=cast(d.votes)) for d in state.history)
    ifs = {
        letter: WhatIf((Choice(chance.choice((AYE, NAY)), Condition(((Term("PM"),),))),), "VOTE")
        for letter in state.living
        if letter != seat and chance.below(2)
    }
    if seat in state.ifs:
        ifs[seat] = state.ifs[seat]
    floor = moved(state.floor) if state.floor else None
    return replace(state, parties=parties, history=history, floor=floor, ifs=ifs)


def _other(state: State, party: Party, chance: Stream) -> Party:
    specials = party.specials
    if state.outcome is None:
        chosen = chance.shuffled(juniors(state))[: chance.below(5)]
        specials = tuple(code for code in juniors(state) if code in chosen)
    draft = party.draft
    if draft:
        slate = {code: chance.choice(state.living) for code in draft.slate}
        draft = Draft(slate, 1 + chance.below(state.period))
    tabled = (
        party.tabled + chance.below(3) if state.options["SPONSOR"] == "SECRET" else party.tabled
    )
    return replace(
        party,
        specials=specials,
        draft=draft,
        tabled=tabled,
        standing=chance.choice((None, AYE, NAY)) if party.playing else party.standing,
    )


def invariants(state: State) -> None:
    """All seats are counted in every vote; numbers rise; nobody vacant has a draft; tabled counts
    the motions."""
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


def ahead(state: State, seat: str) -> list[str]:
    """A standing vote, and one with IF, before there is a motion."""
    kept = state.parties[seat].playing and not state.floor and state.options["STANDING"] == "ON"
    return ["STANDING NAY", "VOTE AYE IF POINTS >= 20, ELSE ABSTAIN"] if kept else []
