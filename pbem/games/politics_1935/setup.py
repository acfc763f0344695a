"""The opening (1.5, 1.6, 2.1 to 2.3), or a scenario's position."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Seat, seats_from
from pbem.games.frame.options import Options
from pbem.games.frame.scenario import of_each, wrong
from pbem.games.frame.treasury import Accounts, Payment, opened, pay
from pbem.games.politics_1935.scenario import Public, Scenario, reading
from pbem.games.politics_1935.state import FUND, Atlas, Choices, Gone, Pin, State
from pbem.games.politics_1935.steps.rounds import give_dice, open_round
from pbem.games.politics_1935.views import OPTIONS


def start(
    atlas: Atlas,
    seats: Sequence[Seat],
    options: Options,
    scenario: Json,
    dice: Dice,
    minutes: Minutes,
) -> State:
    choices = Choices.of(options)
    told = reading(scenario, seats, atlas)
    public, mode = told.public, "TURN" if choices.turns else "ROUND"
    if public.phase not in (None, mode):
        wrong("phase", f"{public.phase}; this game's phase is {mode} (option MODE)")
    order, played, out = _order(public, seats), _played(told, atlas), _out(public, seats)
    pins = _pins(public, atlas)
    placed = _agree(told, played, pins, {one.seat for one in out}, choices)
    throws: list[dict[str, list[int]]] = []
    if order is None:
        order, throws = seated(seats, dice)
    alive = [seat for seat in order if seat not in {gone.seat for gone in out}]
    if not alive:
        wrong("public.alive", "nobody is left in the game")
    cards = dealt(atlas, seats, alive, told, placed, dice)
    lists = of_each(told.private, lambda own: own.standing)
    state = State(
        phase=mode,
        atlas=atlas,
        seats=tuple(seats),
        order=order,
        choices=choices,
        round=public.round,
        turn=None,
        last_seat=public.last_seat or alive[-1],
        throws={**(public.throws or {}), **of_each(told.private, lambda own: own.throw)},
        pins=pins,
        accounts=_accounts(atlas, seats, told, choices.fund),
        pack=cards.pack,
        hands=cards.hands,
        played={seat: played.get(seat, ()) for seat in seats},
        shown=of_each(told.private, lambda own: own.shown),
        lots=public.lots,
        spoke=frozenset({*public.spoke, *of_each(told.private, lambda own: own.spoke or None)}),
        lists={seat: lists.get(seat, ()) for seat in seats},
        out=out,
        counts=public.counts,
        counts_round=public.counts_round,
        shuffles=public.shuffles,
        last_count=public.last_count,
        winners=None,
        dealt=cards.hands,
        plans=of_each(told.private, lambda own: own.plans or None),
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
        return give_dice(state, public.turn or alive[0], dice, minutes)
    return open_round(state, dice, minutes)


def _order(public: Public, seats: Sequence[Seat]) -> tuple[Seat, ...] | None:
    if public.order is not None and sorted(public.order) != sorted(seats):
        wrong("public.order", f"name each of {list(seats)} once")
    return public.order


def _played(told: Scenario, atlas: Atlas) -> dict[Seat, tuple[str, ...]]:
    """Return each seat's spoken cards; the inflation speaker has that card too."""
    played = {**(told.public.played or {}), **of_each(told.private, lambda own: own.played)}
    speaker = told.public.inflation
    if speaker and atlas.inflation not in played.get(speaker, ()):
        played[speaker] = (*played.get(speaker, ()), atlas.inflation)
    return played


def _out(public: Public, seats: Sequence[Seat]) -> tuple[Gone, ...]:
    """Return those out: by ``out``'s eliminations, else all not ``alive``, else those of
    ``votes_out``."""
    votes, alive = public.votes_out or {}, public.alive
    waves = list(public.out)
    if alive is not None:
        waves += [tuple(s for s in seats if s not in alive and not any(s in w for w in waves))]
    elif not waves:
        waves = [tuple(votes)]
    named = [seat for wave in waves for seat in wave]
    if len(set(named)) < len(named):
        wrong("public.out", f"{named}; each seat once")
    filled = (wave for wave in waves if wave)
    return tuple(
        Gone(seat, votes.get(seat, 0), number)
        for number, wave in enumerate(filled, 1)
        for seat in wave
    )


def _pins(public: Public, atlas: Atlas) -> dict[str, tuple[Pin, ...]]:
    pins = {code: row for code, row in (public.pins or {}).items() if row}
    for code, row in pins.items():
        key, most = f"public.pins.{code}", atlas.states[code].capital
        for pin in row:
            if pin.level > most:
                wrong(key, f"level {pin.level} is beyond the capital ({most})")
            if [other.seat for other in row].count(pin.seat) > 1:
                wrong(key, f"{pin.seat} has two pins")
    return pins


def _agree(
    told: Scenario,
    played: Mapping[Seat, Sequence[str]],
    pins: Mapping[str, Sequence[Pin]],
    gone: set[Seat],
    choices: Choices,
) -> frozenset[str]:
    """Return the cards placed. Raise ScenarioError on conflict."""
    public, shown = told.public, of_each(told.private, lambda own: own.shown)
    if shown and choices.fund:
        wrong(f"private.{next(iter(shown))}.shown", "cards are shown with FUND=OFF only")
    if public.turn in gone:
        wrong("public.turn", f"{public.turn} is out")
    if public.turn is not None and not choices.turns:
        wrong("public.turn", "nobody alone has the dice with MODE=ROUND")
    for state, row in pins.items():
        if gone & {pin.seat for pin in row}:
            wrong(f"public.pins.{state}", "a seat that is out has no pins")
    hands = of_each(told.private, lambda own: own.hand)
    held = [card for row in (*hands.values(), *played.values()) for card in row]
    lots = [lot.card for lot in public.lots]
    cards = [*(told.decks.pack or ()), *held, *shown.values(), *lots]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        wrong("decks, hand, played, shown, lots", f"{', '.join(twice)} lies in two places")
    return frozenset(cards)


def _accounts(atlas: Atlas, seats: Sequence[Seat], told: Scenario, used: bool) -> Accounts:
    """2.3, 6.1. All 0 with FUND=OFF."""
    if not used:
        return opened({**dict.fromkeys(seats, 0), FUND: 0})
    entries = [Payment(0, seat, FUND, atlas.entry, "entry") for seat in seats]
    paid = pay(opened(dict.fromkeys(seats, atlas.campaign_fund)), entries)
    fund = told.public.fund
    cash = {**(told.public.cash or {}), **of_each(told.private, lambda own: own.cash)}
    if fund is None and not cash:
        return paid
    balances = {seat: cash.get(seat, paid.balance(seat)) for seat in seats}
    return opened({**balances, FUND: paid.balance(FUND) if fund is None else fund})


def seated(
    seats: Sequence[Seat], dice: Dice
) -> tuple[tuple[Seat, ...], list[dict[str, list[int]]]]:
    """Return table order and throws (2.1): the highest starts, ties throw again, joining order
    follows."""
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
    atlas: Atlas,
    seats: Sequence[Seat],
    alive: Sequence[Seat],
    told: Scenario,
    placed: frozenset[str],
    dice: Dice,
) -> Deal:
    """Deal three cards one by one to seats without a given hand (2.2). A given pack stays unless
    nothing else is left."""
    named, given = told.decks.pack or (), of_each(told.private, lambda own: own.hand)
    rest = [card for card in dice.stream("pack").shuffled(list(atlas.cards)) if card not in placed]
    pool, hands = [*named, *rest], {seat: given.get(seat, ()) for seat in seats}
    receiving = [seat for seat in seats if seat in alive and seat not in given]
    for _ in range(atlas.dealt):
        for seat in receiving:
            if not pool:
                wrong("decks.pack", "too few cards are left to deal the hands")
            hands[seat] = (*hands[seat], pool.pop())
    return Deal(
        tuple(pool) if told.decks.pack is None else tuple(card for card in pool if card in named),
        hands,
    )
