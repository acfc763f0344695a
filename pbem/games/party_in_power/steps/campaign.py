"""Campaign Day and dealing: steps 1 to 4 (4.1 to 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes
from pbem.games.party_in_power.cards import PIP, SUIT_OF, by_id_down
from pbem.games.party_in_power.orders import TOP, Discard, Draft, Draw, Override
from pbem.games.party_in_power.state import NOMINATION, State, draw, put_down, without
from pbem.orders.order import Standing


def campaign(state: State, orders: Mapping[str, Standing], dice: Dice, minutes: Minutes) -> State:
    """Run steps 1 to 4, then NOMINATION."""
    before = state
    state = _overrides(state, orders, minutes)
    state = _talent(state, orders.get(PIP, {}).get("DRAW"), dice, minutes)
    state = _drafts(state, orders, dice, minutes)
    state = _hand_limit(state, orders, minutes)
    shuffled(before, state, minutes)
    return replace(state, phase=NOMINATION)


def shuffled(before: State, after: State, minutes: Minutes) -> None:
    for deck, times in after.shuffles.items():
        if times > before.shuffles[deck]:
            minutes.public("shuffled", "1.5", deck=deck)


def _overrides(state: State, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """4.1. Go round from the PIP until nobody plays."""
    lists = {
        seat: given
        for seat in state.living
        if isinstance(given := orders.get(seat, {}).get("OVERRIDE"), Override)
    }
    ready = {
        seat: [id for id in given.cards if id in state.held(seat)] for seat, given in lists.items()
    }
    content = {seat: content_of(state, given) for seat, given in lists.items()}
    passed, table = 0, [seat for seat in state.clockwise(PIP) if seat not in state.out]
    turn = 0
    while passed < len(table):
        seat = table[turn % len(table)]
        turn += 1
        id = _play(state, seat, ready.get(seat, ()), content.get(seat, ()))
        if id is None:
            passed += 1
            continue
        passed = 0
        ready[seat].remove(id)
        state = _spend(state, seat, id)
        told = state.card(id)
        minutes.public(
            "override", "4.1", party=seat, card=id, text=state.spelt(id), issue=told.issue
        )
    minutes.public("issue", "4.1", constituency=state.con, issue=state.issue, owner=state.top_owner)
    return state


def content_of(state: State, given: Override) -> tuple[str, ...]:
    """Return issues to leave alone: as ordered, else the suits (3.2)."""
    return (
        tuple(state.card(id).issue for id in given.cards)
        if given.content is None
        else given.content
    )


def _play(state: State, seat: str, ready: Sequence[str], content: Sequence[str]) -> str | None:
    """Return the weakest card that beats ``top``, the first of equals; None passes."""
    if state.top_owner == seat or state.issue in content:
        return None
    beating = [id for id in ready if state.top is None or state.card(id).rank > _rank(state.top)]
    return min(beating, key=lambda id: state.card(id).rank, default=None)


def _rank(top: tuple[int, str]) -> tuple[int, int]:
    popularity, suit = top
    return popularity, -"SHDC".index(suit)


def _spend(state: State, seat: str, id: str) -> State:
    told = state.card(id)
    if seat == PIP:
        state = replace(state, pool=without(state.pool, [id]))
    else:
        state = replace(state, hands={**state.hands, seat: without(state.hands[seat], [id])})
    top = (told.popularity, SUIT_OF[told.issue])
    return replace(put_down(state, [id]), issue=told.issue, top=top, top_owner=seat)


def _talent(state: State, given: object, dice: Dice, minutes: Minutes) -> State:
    """4.2. Draw the compulsory card, then Talents and Actions within the limits: 10 non-Ministers,
    k Actions."""
    if state.lapsed and state.settings.vacant:
        return state
    wish = given if isinstance(given, Draw) else Draw((("TALENT", state.k),))
    limit, before = state.settings.most_talents, state.pool
    compulsory = max(0, min(state.place().seats, limit) - len(state.talents()))
    room = {"TALENT": limit - len(state.talents()) - compulsory, "ACTION": state.k}
    room["ACTION"] -= len(state.actions())
    state = _to_pool(state, "talent", compulsory + _within(wish, room, "TALENT"), dice)
    state = _to_pool(state, "action", _within(wish, room, "ACTION"), dice)
    drawn = without(state.pool, before)
    talents = [id for id in drawn if state.card(id).deck == "talent"]
    minutes.public(
        "talent",
        "4.2",
        compulsory=min(compulsory, len(talents)),
        talents=len(talents),
        actions=len(drawn) - len(talents),
    )
    if isinstance(given, Draw) and not state.lapsed:
        came = {
            "TALENT": max(0, len(talents) - compulsory),
            "ACTION": len(drawn) - len(talents),
        }
        _short(state, given, room, came, minutes)
    if drawn:
        texts = [state.spelt(id) for id in drawn]
        if state.settings.open_pool:
            minutes.public("drawn", "4.2", party=PIP, cards=list(drawn), texts=texts)
        elif not state.lapsed:
            minutes.private("drawn", "4.2", [PIP], party=PIP, cards=list(drawn), texts=texts)
    return state


def _within(wish: Draw, room: Mapping[str, int], deck: str) -> int:
    return max(0, min(wish.of(deck), room[deck]))


def _short(
    state: State, wish: Draw, room: Mapping[str, int], came: Mapping[str, int], minutes: Minutes
) -> None:
    most = {"TALENT": state.settings.most_talents, "ACTION": state.k}
    for deck, drew in came.items():
        if drew < wish.of(deck):
            minutes.private(
                "drew_fewer",
                "4.2",
                [PIP],
                deck=deck.capitalize(),
                asked=wish.of(deck),
                drew=drew,
                most=most[deck],
                held=most[deck] - room[deck],
                ended=drew < _within(wish, room, deck),
            )


def _to_pool(state: State, deck: str, number: int, dice: Dice) -> State:
    for _ in range(number):
        state, id = draw(state, deck, dice)
        if id is None:
            break
        state = replace(state, pool=(*state.pool, id))
    return state


def _drafts(state: State, orders: Mapping[str, Standing], dice: Dice, minutes: Minutes) -> State:
    """4.3. Each pass goes clockwise from the Momentum holder."""
    wishes: dict[str, list[tuple[str, ...]]] = {}
    for seat in state.opposition:
        given = orders.get(seat, {}).get("DRAFT")
        wishes[seat] = list(given.wishes) if isinstance(given, Draft) else []
    blind: dict[str, list[str]] = {seat: [] for seat in state.opposition}
    for number in range(1, state.settings.drafts + 1):
        picks: list[list[str | None]] = []
        for seat in state.from_momentum():
            state, id, open_card = _pick(state, wishes[seat], dice)
            if id is None:
                picks.append([seat, None, ""])
                continue
            state = replace(state, hands={**state.hands, seat: (*state.hands[seat], id)})
            if not open_card:
                blind[seat].append(id)
            picks.append([seat, id if open_card else TOP, state.spelt(id) if open_card else ""])
        minutes.public("draft", "4.3", number=number, picks=picks)
    for seat, cards in blind.items():
        if cards:
            texts = [state.spelt(id) for id in cards]
            minutes.private("drawn", "4.3", [seat], party=seat, cards=cards, texts=texts)
    return state


def _pick(
    state: State, wishes: list[tuple[str, ...]], dice: Dice
) -> tuple[State, str | None, bool]:
    """Pick once; return the card and whether the row had it. Use up wishes met or gone."""
    at_its_end = not (state.decks["grassroots"] or state.discards["grassroots"])
    while wishes:
        wish = wishes.pop(0)
        card = next((id for id in wish if id in state.row or (id == TOP and not at_its_end)), None)
        if card in state.row:
            return replace(state, row=without(state.row, [card])), card, True
        if TOP in wish:
            break
    state, id = draw(state, "grassroots", dice)
    if id is None and state.row:
        id = min(state.row, key=lambda id: (-state.card(id).popularity, id))
        return replace(state, row=without(state.row, [id])), id, True
    return state, id, False


def _hand_limit(state: State, orders: Mapping[str, Standing], minutes: Minutes) -> State:
    """4.4. Reduce hands above seven by DISCARD, then by rule."""
    for seat in state.opposition:
        hand = state.hands[seat]
        over = len(hand) - state.settings.most_hand
        if over <= 0:
            continue
        given = orders.get(seat, {}).get("DISCARD")
        listed = [id for id in given.cards if id in hand] if isinstance(given, Discard) else []
        rest = [id for id in by_id_down(hand) if id not in listed]
        gone = (listed + sorted(rest, key=lambda id: _worth(state, id)))[:over]
        state = put_down(replace(state, hands={**state.hands, seat: without(hand, gone)}), gone)
        minutes.private(
            "discarded", "4.4", [seat], cards=gone, texts=[state.spelt(id) for id in gone]
        )
    return state


def _worth(state: State, id: str) -> tuple[bool, int, bool]:
    """Return the order of discard: Candidates before Reactions, less Popular first, Minority and
    Leaders of parties in play last (1.7)."""
    told = state.card(id)
    return not told.candidate, told.popularity, told.minority or told.party in state.order
