"""What follows from standing orders and from silence, and a form of what can be sent now, asked
ones first: all by what the seat knows (3.2 to 3.9)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from pbem.games.frame.events import Tell
from pbem.games.frame.ruleset import Offer
from pbem.games.party_in_power import orders, steps
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power.state import State
from pbem.orders.order import Standing
from pbem.text import listed

_GIVE = frozenset({"A1", "A7", "R1"})
"""Cards that give their player votes."""


def advice(state: State, seat: str, standing: Standing, given: Standing, tell: Tell) -> None:
    """Tell each consequence. ``given`` adds the orders of plans."""
    if "RESIGN" in standing:
        tell("told_resign", "R14", pip=seat == s.PIP)
        return
    if "FIELD" in standing or "PLAY" in standing:  # which share a vote sheet
        _fielded(state, standing, tell)
    for order in standing.values():
        match order:
            case orders.Contest():
                cards = [item.card for item in order.items]
                team, _ = s.split_team(state, cards, state.place().seats)
                sheet = steps.opposition_sheet(state, seat, order.items, state.issue, ())
                data = {**_team(state, team), **_sheet(state, sheet, order.items)}
                tell("told_contest", "3.6", **data, issue=state.issue)
            case orders.Decline():
                tell("told_decline", "3.6", **_team(state, ()))
            case orders.Walkover():
                tell("told_walkover", "3.7", **_team(state, order.cards))
            case orders.Override():
                _overridden(state, seat, standing, order, tell)
            case orders.Draw():
                _drawn(state, standing, order, tell)
            case orders.Draft():
                _drafted(state, seat, order, tell)
    if seat != s.PIP and state.hands[seat] and ({"DRAFT", "DISCARD"} & set(standing)):
        _full(state, seat, standing, tell)
    if "PASS" in standing:
        silence(state, seat, given, tell)


def _team(state: State, cards: Sequence[str]) -> dict[str, Any]:
    return {
        **_place(state),
        "team": [state.named(id) for id in cards],
        "minority": [state.named(id) for id in cards if state.minority(id)],
    }


def _sheet(state: State, sheet: steps.Sheet, items: Sequence[s.Item]) -> dict[str, Any]:
    kinds = {item: state.card(item.card) for item in items}
    silent = [item for item, card in kinds.items() if not card.candidate and card.kind not in _GIVE]
    silent = [] if sheet.out else silent
    return {
        **sheet.json(state),
        "extras": [[what, votes] for what, votes in sheet.extras if votes],
        "votes": sheet.total,
        "works": [[state.spelt(item.card), item.on, item.against] for item in silent],
    }


def _fielded(state: State, standing: Standing, tell: Tell) -> None:
    team, played = steps.fielding(state, standing)
    issue = steps.prevailing(state, played)
    sheet = steps.pip_sheet(state, team, issue, played, {})
    data = {**_team(state, team), **_sheet(state, sheet, played), "issue": issue}
    tell("told_field", "3.8", **data, automatic="FIELD" not in standing, played=len(played))


def _leaving(state: State, seat: str, standing: Standing) -> tuple[str, ...]:
    """Return the cards that the earlier polling of a shared period takes."""
    if seat != s.PIP or state.phase != s.SHARED:
        return ()
    team, played = steps.fielding(state, standing)
    return (*team, *(item.card for item in played))


def _overridden(
    state: State, seat: str, standing: Standing, order: orders.Override, tell: Tell
) -> None:
    """Report the list from the weakest up; only the PIP's first card is certain."""
    ready = s.without(order.cards, _leaving(state, seat, standing))
    listed = sorted(ready, key=lambda id: state.card(id).rank)
    left_alone = tuple(dict.fromkeys(steps.content_of(state, order)))
    fresh, printed = state.phase == s.SHARED, state.place(state.next).issue
    issue = printed if fresh else state.issue
    first = seat == s.PIP and listed and (fresh or state.top is None) and issue not in left_alone
    tell(
        "told_override",
        "3.2",
        cards=[state.spelt(id) for id in listed],
        fielded=[state.named(id) for id in order.cards if id not in ready],
        content=list(left_alone),
        issue=issue,
        sure=state.spelt(listed[0]) if first else "",
    )


def _drawn(state: State, standing: Standing, order: orders.Draw, tell: Tell) -> None:
    held, place = s.without(state.pool, _leaving(state, s.PIP, standing)), state.place(state.next)
    compulsory, room = steps.pool_room(state, held, place.seats)
    talents, actions = (steps.within(order, room, deck) for deck in ("TALENT", "ACTION"))
    spent = standing.get("OVERRIDE")
    left = s.without(held, spent.cards if isinstance(spent, orders.Override) else ())
    needed, more = steps.pool_room(state, left, place.seats)
    most = state.settings.most_talents
    tell(
        "told_draw",
        "4.2",
        compulsory=compulsory,
        talents=talents,
        actions=actions,
        excess=order.of("TALENT") + order.of("ACTION") - talents - actions,
        held=most - compulsory - room["TALENT"],
        place=f"{place.id} {place.name}",
        seats=place.seats,
        most=most,
        k=state.k,
        depends=needed + steps.within(order, more, "TALENT") > compulsory + talents,
    )


def _drafted(state: State, seat: str, order: orders.Draft, tell: Tell) -> None:
    alone = state.opposition == (seat,)
    turns = () if state.phase == s.SHARED and not alone else state.from_momentum()
    turn = turns.index(seat) + 1 if turns else 0
    named = [[state.spelt(id) if id in state.cards else id for id in one] for one in order.wishes]
    wishes = [", else ".join(wish) for wish in named]
    sure = turn == 1 and order.wishes != () and order.wishes[0][0] in state.row
    tell(
        "told_draft",
        "4.3",
        wishes=wishes,
        passes=state.settings.drafts,
        turn=turn,
        of=len(turns),
        sure=named[0][0] if sure and state.settings.drafts else "",
    )


def _full(state: State, seat: str, standing: Standing, tell: Tell) -> None:
    given, most = standing.get("DISCARD"), state.settings.most_hand
    listed = [state.named(id) for id in given.cards] if isinstance(given, orders.Discard) else []
    coming = len(state.hands[seat]) + state.settings.drafts
    if listed or coming > most:
        over = max(0, coming - most)
        tell("told_hand", "4.4", coming=coming, most=most, over=over, listed=listed)


def silence(state: State, seat: str, given: Collection[str], tell: Tell) -> None:
    consequences = _of_the_pip(state) if seat == s.PIP else _of_the_opposition(state)
    for slot, rule, data in consequences:
        if slot not in given:
            tell(f"silent_{slot.lower()}", rule, **data, slot=slot)


def _of_the_pip(state: State) -> Iterator[tuple[str, str, dict[str, Any]]]:
    place = f"{state.con} {state.place().name}"
    if orders.possible(state, "FIELD"):
        team = [state.named(id) for id in s.automatic_team(state, state.issue)]
        fast = state.settings.fast
        yield "FIELD", "3.9", {"place": place, "team": team, "fast": fast}
    if orders.possible(state, "WALKOVER"):
        team = [state.named(id) for id in s.walkover_team(state)]
        yield "WALKOVER", "3.9", {"place": place, "team": team}
    if orders.possible(state, "DRAW"):
        yield "DRAW", "3.3", {"k": state.k, "most": state.settings.most_talents}
        yield "OVERRIDE", "3.2", {}


def _of_the_opposition(state: State) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if orders.possible(state, "CONTEST"):
        yield "CONTEST", "3.6", {"place": f"{state.con} {state.place().name}"}
    if orders.possible(state, "DRAFT"):
        yield "DRAFT", "3.4", {"passes": state.settings.drafts}
        yield "OVERRIDE", "3.2", {}


def offers(state: State, seat: str) -> Iterator[Offer]:
    return _form_of_the_pip(state) if seat == s.PIP else _form_of_the_opposition(state, seat)


def _form_of_the_pip(state: State) -> Iterator[Offer]:
    if orders.possible(state, "FIELD"):
        team = s.automatic_team(state, state.issue)
        able = [id for id in state.candidates() if state.minority(id)]
        yield _offer("field", [_joined(team)], able=able, **_place(state))
        if usable := _usable(state):
            told = [usage for usage, _ in usable]
            first = [sent for _, sent in usable]
            yield _offer("play", [[", ".join(first), *first]], uses=told)
    if orders.possible(state, "WALKOVER") and state.candidates():
        yield _offer("walkover", [_joined(s.walkover_team(state))], **_place(state))
    if orders.possible(state, "DRAW"):
        yield _draw(state)
        yield from _overrides(state, s.PIP)
        yield _offer("keep", [[f"DRAW TALENT {state.k}", orders.NONE]])


def _form_of_the_opposition(state: State, seat: str) -> Iterator[Offer]:
    if orders.possible(state, "CONTEST"):
        asks = any(_asks(state, id) for id in state.hands[seat])
        made = _offer("contest", [_contests(state, seat)], asks=asks, **_place(state))
        yield replace(made, few=True)
    if orders.possible(state, "DRAFT"):
        wishes = [" ".join([*state.row[:1], orders.TOP]), *state.row, orders.TOP]
        yield _offer("draft", [wishes], passes=state.settings.drafts)
        yield from _overrides(state, seat)
        hand, most = state.hands[seat], state.settings.most_hand
        if hand and len(hand) + state.settings.drafts > most:
            spare = len(hand) + state.settings.drafts - most
            yield _offer("discard", [list(hand)], spare=spare, most=most)
    yield _offer("keep", [["DECLINE", f"DRAFT {orders.TOP}", orders.NONE]])


def _offer(kind: str, fills: list[list[str]], **data: Any) -> Offer:
    return Offer(kind, tuple(tuple(dict.fromkeys(words)) for words in fills), data)


def _place(state: State) -> dict[str, Any]:
    place = state.place()
    return {"place": f"{place.id} {place.name}", "seats": place.seats, "grc": place.grc}


def _joined(team: tuple[str, ...]) -> list[str]:
    return [" ".join(team) or orders.NONE]


def _usable(state: State) -> list[tuple[str, str]]:
    usages, against = list[tuple[str, str]](), orders.targets(state)
    for id in state.actions():
        kind = state.card(id).kind
        if kind == "A3":
            usages.append((f"{id} ON an issue", f"{id} ON {state.issue}"))
        elif kind not in ("A4", "A6"):
            usages.append((id, id))
        elif against:
            usages.append((f"{id} AGAINST {listed(against, 'or')}", f"{id} AGAINST {against[0]}"))
    return usages


def _draw(state: State) -> Offer:
    """At most k from both decks."""
    talents = state.k - state.k // 2
    fills = [
        [str(n) for n in (talents, *range(talents))],
        [str(n) for n in (state.k - talents, *range(state.k - talents))],
    ]
    return _offer(
        "draw",
        fills,
        k=state.k,
        talents=len(state.talents()),
        actions=len(state.actions()),
        most=state.settings.most_talents,
        seats=state.place(state.next).seats,
        place=f"{state.next or state.con} {state.place(state.next).name}",
    )


def _overrides(state: State, seat: str) -> Iterator[Offer]:
    cards = [id for id in state.held(seat) if state.card(id).candidate]
    if cards:
        pairs = [f"{one} {other}" for one, other in pairwise(cards)]
        issue = state.place(state.next).issue
        yield _offer("override", [[*cards, *pairs[:1]]], issue=issue)
        yield _offer("override_but", [cards, [*s.ISSUES.values(), orders.NONE]])


def _contests(state: State, seat: str) -> list[str]:
    hand, seats = state.hands[seat], state.place().seats
    team = s.strongest_team(state, hand, seats)
    rest = [id for id in hand if id not in team]
    asked = (f"{id} ON {state.issue}" if _asks(state, id) else id for id in rest)
    every = " ".join([*team, *asked])
    if len(team) < seats:
        return [orders.NONE, every] if hand else [orders.NONE]
    return [" ".join(team), every, orders.NONE]


def _asks(state: State, id: str) -> bool:
    return state.card(id).kind == "R5"
