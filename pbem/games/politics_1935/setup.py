"""The start (paragraphs 1.5, 1.6, 2.1 to 2.3), or any position a scenario describes in the names of
the views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.errors import ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Seat, seats_from
from pbem.games.frame.options import Options
from pbem.games.politics_1935 import scenario as told
from pbem.games.politics_1935.about import OPTIONS
from pbem.games.politics_1935.state import FUND, Choices, State
from pbem.games.politics_1935.steps.rounds import give_dice, open_round
from pbem.games.politics_1935.tables import Atlas


def start(
    atlas: Atlas,
    seats: Sequence[Seat],
    options: Options,
    scenario: Json,
    dice: Dice,
    minutes: Minutes,
) -> State:
    """The position in which the first orders are written."""
    choices = Choices.of(options)
    words = told.read(scenario, atlas, seats, choices)
    order = words.order
    throws: list[dict[str, list[int]]] = []
    if order is None:
        order, throws = seated(seats, dice)
    alive = [seat for seat in order if seat not in {gone.seat for gone in words.out}]
    if not alive:
        raise ScenarioError("public.alive: nobody is left in the game")
    cards = dealt(atlas, seats, alive, words, dice)
    state = State(
        phase="TURN" if choices.turns else "ROUND",
        atlas=atlas,
        seats=tuple(seats),
        order=order,
        choices=choices,
        round=words.round,
        turn=None,
        last_seat=words.last_seat or alive[-1],
        throws=words.throws,
        pins=words.pins,
        accounts=words.accounts,
        pack=cards.pack,
        hands=cards.hands,
        played={seat: words.played.get(seat, ()) for seat in seats},
        shown=words.shown,
        lots=words.lots,
        spoke=words.spoke,
        lists={seat: words.lists.get(seat, ()) for seat in seats},
        out=words.out,
        counts=words.counts,
        counts_round=words.counts_round,
        shuffles=words.shuffles,
        last_count=words.last_count,
        winners=None,
    )
    minutes.public(
        "opening",
        "2.1",
        order=list(order),
        first=throws,
        fund=state.accounts.balance(FUND),
        scenario=bool(scenario),
        options={option.name: options[option.name] for option in OPTIONS},
    )
    for seat in alive:
        minutes.private("dealt", "2.2", [seat], cards=sorted(state.hands[seat]))
    if choices.turns:
        return give_dice(state, words.turn or alive[0], dice, minutes)
    return open_round(state, dice, minutes)


def seated(
    seats: Sequence[Seat], dice: Dice
) -> tuple[tuple[Seat, ...], list[dict[str, list[int]]]]:
    """The highest of three dice starts, ties throw again, the others follow in joining order; and
    all these throws (2.1)."""
    throws: list[dict[str, list[int]]] = []
    tied = list(seats)
    while len(tied) > 1:
        stream = dice.stream(f"first/{len(throws) + 1}")
        throws.append({seat: [stream.d6(), stream.d6(), stream.d6()] for seat in tied})
        best = max(sum(throw) for throw in throws[-1].values())
        tied = [seat for seat in tied if sum(throws[-1][seat]) == best]
    return seats_from(seats, tied[0]), throws


@dataclass(frozen=True, slots=True)
class Deal:
    """The pack, top last, and the hands."""

    pack: tuple[str, ...]
    hands: Mapping[str, tuple[str, ...]]


def dealt(
    atlas: Atlas, seats: Sequence[Seat], alive: Sequence[Seat], words: told.Words, dice: Dice
) -> Deal:
    """The shuffled pack without the cards a scenario has placed; three cards, one at a time in
    joining order, to each who was told no hand (2.2). A pack that a scenario names is left as it
    stands, unless nothing else can be dealt."""
    named = words.pack or ()
    rest = [
        card for card in dice.stream("pack").shuffled(list(atlas.cards)) if card not in words.placed
    ]
    pool, hands = [*named, *rest], {seat: words.hands.get(seat, ()) for seat in seats}
    receiving = [seat for seat in seats if seat in alive and seat not in words.hands]
    for _ in range(atlas.dealt):
        for seat in receiving:
            if not pool:
                raise ScenarioError("decks.pack: too few cards are left to deal the hands")
            hands[seat] = (*hands[seat], pool.pop())
    return Deal(
        tuple(pool) if words.pack is None else tuple(card for card in pool if card in named), hands
    )
