"""The steps of a year: Campaign Day and dealing (4.1 to 4.4), every party's votes (4.6, 4.7, 1.9 to
1.11), polling to the next year (4.5 to 4.9), the reveal (2.2), resignations (R14)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.games.frame.dice import Dice
from pbem.games.frame.events import Minutes, Orders
from pbem.games.party_in_power import orders as o
from pbem.games.party_in_power import state as s
from pbem.games.party_in_power.state import State
from pbem.orders.order import Standing


def campaign(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """Run steps 1 to 4, then NOMINATION."""
    before = state
    state = _overrides(state, orders, minutes)
    state = _talent(state, orders.get(s.PIP, {}).get("DRAW"), dice, minutes)
    state = _drafts(state, orders, dice, minutes)
    state = _hand_limit(state, orders, minutes)
    shuffled(before, state, minutes)
    return replace(state, phase=s.NOMINATION)


def shuffled(before: State, after: State, minutes: Minutes) -> None:
    for deck, times in after.shuffles.items():
        if times > before.shuffles[deck]:
            minutes.public("shuffled", "1.5", deck=deck)


def _overrides(state: State, orders: Orders, minutes: Minutes) -> State:
    """4.1. Go round from the PIP until nobody plays."""
    lists = {
        seat: given
        for seat in state.living
        if isinstance(given := orders.get(seat, {}).get("OVERRIDE"), o.Override)
    }
    ready = {
        seat: [id for id in given.cards if id in state.held(seat)] for seat, given in lists.items()
    }
    content = {seat: content_of(state, given) for seat, given in lists.items()}
    passed, table = 0, [seat for seat in state.clockwise(s.PIP) if seat not in state.out]
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
        text, issue = state.spelt(id), state.card(id).issue
        minutes.public("override", "4.1", party=seat, card=id, text=text, issue=issue)
    minutes.public("issue", "4.1", constituency=state.con, issue=state.issue, owner=state.top_owner)
    return state


def content_of(state: State, given: o.Override) -> tuple[str, ...]:
    """Return issues to leave alone: as ordered, else the suits (3.2)."""
    if given.content is not None:
        return given.content
    return tuple(state.card(id).issue for id in given.cards)


def _play(state: State, seat: str, ready: Sequence[str], content: Sequence[str]) -> str | None:
    """Return the weakest card that beats ``top``, the first of equals; None passes."""
    if state.top_owner == seat or state.issue in content:
        return None
    beating = ready
    if state.top is not None:
        popularity, suit = state.top
        top = popularity, -s.SUITS.index(suit)
        beating = [id for id in ready if state.card(id).rank > top]
    return min(beating, key=lambda id: state.card(id).rank, default=None)


def _spend(state: State, seat: str, id: str) -> State:
    told = state.card(id)
    state = s.taken(state, seat, [id])
    top = (told.popularity, s.SUIT_OF[told.issue])
    return replace(s.put_down(state, [id]), issue=told.issue, top=top, top_owner=seat)


def _talent(state: State, given: object, dice: Dice, minutes: Minutes) -> State:
    """4.2. Draw the compulsory card, then Talents and Actions within the limits: 10 non-Ministers,
    k Actions."""
    if state.lapsed and state.settings.vacant:
        return state
    wish = given if isinstance(given, o.Draw) else o.Draw((("TALENT", state.k),))
    before = state.pool
    compulsory, room = pool_room(state, before, state.place().seats)
    state = _to_pool(state, "talent", compulsory + within(wish, room, "TALENT"), dice)
    state = _to_pool(state, "action", within(wish, room, "ACTION"), dice)
    drawn = s.without(state.pool, before)
    talents = [id for id in drawn if state.card(id).deck == "talent"]
    minutes.public(
        "talent",
        "4.2",
        compulsory=min(compulsory, len(talents)),
        talents=len(talents),
        actions=len(drawn) - len(talents),
    )
    if isinstance(given, o.Draw) and not state.lapsed:
        came = {"TALENT": max(0, len(talents) - compulsory), "ACTION": len(drawn) - len(talents)}
        _short(state, given, room, came, minutes)
    if drawn:
        texts = [state.spelt(id) for id in drawn]
        if state.settings.open_pool:
            minutes.public("drawn", "4.2", party=s.PIP, cards=list(drawn), texts=texts)
        elif not state.lapsed:
            minutes.private("drawn", "4.2", [s.PIP], party=s.PIP, cards=list(drawn), texts=texts)
    return state


def pool_room(state: State, held: Sequence[str], seats: int) -> tuple[int, dict[str, int]]:
    """Return the compulsory Talents for so many seats, and the room for others by deck (4.2)."""
    decks, most = [state.card(id).deck for id in held], state.settings.most_talents
    talents = decks.count("talent")
    compulsory = max(0, min(seats, most) - talents)
    room = {"TALENT": most - talents - compulsory, "ACTION": state.k - decks.count("action")}
    return compulsory, room


def within(wish: o.Draw, room: Mapping[str, int], deck: str) -> int:
    return max(0, min(wish.of(deck), room[deck]))


def _short(
    state: State, wish: o.Draw, room: Mapping[str, int], came: Mapping[str, int], minutes: Minutes
) -> None:
    most = {"TALENT": state.settings.most_talents, "ACTION": state.k}
    for deck, drew in came.items():
        if drew < wish.of(deck):
            minutes.private(
                "drew_fewer",
                "4.2",
                [s.PIP],
                deck=deck.capitalize(),
                asked=wish.of(deck),
                drew=drew,
                most=most[deck],
                held=most[deck] - room[deck],
                ended=drew < within(wish, room, deck),
            )


def _to_pool(state: State, deck: str, number: int, dice: Dice) -> State:
    for _ in range(number):
        state, id = s.draw(state, deck, dice)
        if id is None:
            break
        state = replace(state, pool=(*state.pool, id))
    return state


def _drafts(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """4.3. Each pass goes clockwise from the Momentum holder."""
    wishes: dict[str, list[tuple[str, ...]]] = {}
    for seat in state.opposition:
        given = orders.get(seat, {}).get("DRAFT")
        wishes[seat] = list(given.wishes) if isinstance(given, o.Draft) else []
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
            picks.append([seat, id if open_card else o.TOP, state.spelt(id) if open_card else ""])
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
        card = next(
            (id for id in wish if id in state.row or (id == o.TOP and not at_its_end)), None
        )
        if card in state.row:
            return replace(state, row=s.without(state.row, [card])), card, True
        if o.TOP in wish:
            break
    state, id = s.draw(state, "grassroots", dice)
    if id is None and state.row:
        id = min(state.row, key=lambda id: (-state.card(id).popularity, id))
        return replace(state, row=s.without(state.row, [id])), id, True
    return state, id, False


def _hand_limit(state: State, orders: Orders, minutes: Minutes) -> State:
    """4.4. Reduce hands above seven by DISCARD, then by rule."""
    for seat in state.opposition:
        hand = state.hands[seat]
        over = len(hand) - state.settings.most_hand
        if over <= 0:
            continue
        given = orders.get(seat, {}).get("DISCARD")
        listed = [id for id in given.cards if id in hand] if isinstance(given, o.Discard) else []
        rest = [id for id in sorted(hand, reverse=True) if id not in listed]
        gone = (listed + sorted(rest, key=lambda id: _worth(state, id)))[:over]
        state = s.put_down(s.taken(state, seat, gone), gone)
        texts = [state.spelt(id) for id in gone]
        minutes.private("discarded", "4.4", [seat], cards=gone, texts=texts)
    return state


def _worth(state: State, id: str) -> tuple[bool, int, bool]:
    """Return the order of discard: Candidates before Reactions, less Popular first, Minority and
    Leaders of parties in play last (1.7)."""
    told = state.card(id)
    return not told.candidate, told.popularity, told.minority or told.party in state.order


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


def prevailing(state: State, played: Sequence[s.Item]) -> str:
    """Return the issue after Actions: the last NATIONAL BROADCAST (1.9, 1.11)."""
    broadcasts = [item.on for item in played if state.card(item.card).kind == "A3"]
    return broadcasts[-1] if broadcasts else state.issue


def count(state: State, team: Sequence[str], played: Sequence[s.Item]) -> dict[str, Sheet]:
    """Return sheets as counted: Opposition from Momentum, then the PIP unless vacant (R14)."""
    issue = prevailing(state, played)
    start = state.momentum or s.PIP
    contesting = [seat for seat in state.clockwise(start) if seat in state.submitted]
    sheets = {
        seat: opposition_sheet(state, seat, state.submitted[seat], issue, played)
        for seat in contesting
    }
    valid = {seat: state.submitted[seat] for seat, sheet in sheets.items() if not sheet.out}
    _, moved = _advantage(state, played, valid)
    if not (state.lapsed and state.settings.vacant):
        sheets[s.PIP] = pip_sheet(state, team, issue, played, valid)
    return {seat: replace(sheet, advantage=moved.get(seat, {})) for seat, sheet in sheets.items()}


def _advantage(
    state: State, played: Sequence[s.Item], valid: Mapping[str, Sequence[s.Item]]
) -> tuple[int, dict[str, dict[str, tuple[int, int]]]]:
    """Return the Advantage with INCUMBENCY, then BOUNDARY REVIEW, then COFFEESHOP GRUMBLES, and by
    seat what each of its cards did. One of each kind counts (4.7, 1.11)."""
    now, counted = state.place().advantage + state.settings.incumbency, set[str]()
    moved: dict[str, dict[str, tuple[int, int]]] = {}
    sources = [(s.PIP, "A2", item) for item in played]
    sources += [(seat, "R4", item) for seat, items in valid.items() for item in items]
    for seat, kind, item in sources:
        if state.card(item.card).kind == kind:
            then = now if kind in counted else _AFTER[kind](now)
            moved.setdefault(seat, {})[state.worded(item)] = (now, then)
            now = then
            counted.add(kind)
    return now, moved


def _kinds(state: State, items: Sequence[s.Item]) -> list[str]:
    return [state.card(item.card).kind for item in items]


def opposition_sheet(
    state: State, seat: str, items: Sequence[s.Item], issue: str, played: Sequence[s.Item]
) -> Sheet:
    """Return an Opposition Party's sheet; a disqualified Team voids its Reactions."""
    team, helpers = s.split_team(state, [item.card for item in items], state.place().seats)
    out = "resigned" if seat in state.out else s.disqualified(state, team)
    kinds = [] if out else _kinds(state, items)
    sheltered = "R2" in kinds
    aimed = [item for item in played if item.against == seat and not sheltered]
    against = _kinds(state, aimed)
    subject = [item.on for item in items if state.card(item.card).kind == "R5"]
    if subject and not out:
        issue = subject[-1]
    entries = tuple(entry(state, id, seat, None if "A6" in against else issue) for id in team)
    if "A4" in against and entries:
        best = max(range(len(team)), key=lambda at: (state.card(team[at]).popularity, -at))
        libelled = Entry(team[best], 0, 0, 0, "LIBEL SUIT: no votes")
        entries = (*entries[:best], libelled, *entries[best + 1 :])
    extras = [
        (state.worded(item), 4 if state.card(item.card).kind == "R1" else 0)
        for item in items
        if state.card(item.card).kind[0] == "R"
    ]
    if not sheltered and not helpers and "A5" in _kinds(state, played):
        extras.append(("DEPOSIT RAISED, no Helper", -2))
    if state.settings.helper_votes and helpers:
        extras.append(("Helpers", len(helpers)))
    if out:
        reactions = [item for item in items if not state.card(item.card).candidate]
        void = tuple(state.worded(item) for item in reactions)
        return Sheet(seat, entries, helpers, (), out, void)
    return Sheet(seat, entries, helpers, tuple(extras), "")


def entry(state: State, id: str, seat: str, issue: str | None) -> Entry:
    told = state.card(id)
    return Entry(id, told.popularity, int(told.issue == issue), int(told.party == seat))


def pip_sheet(
    state: State,
    team: Sequence[str],
    issue: str,
    played: Sequence[s.Item],
    valid: Mapping[str, Sequence[s.Item]],
) -> Sheet:
    entries = tuple(entry(state, id, s.PIP, issue) for id in team)
    ministers = sum(state.card(id).minister for id in team)
    worth = {"A1": 3, "A7": min(4, 2 * ministers)}
    extras = [("Incumbent Advantage", _advantage(state, played, valid)[0])]
    extras += [(state.worded(item), worth.get(state.card(item.card).kind, 0)) for item in played]
    for seat, items in valid.items():
        hecklers = [item for item in items if state.card(item.card).kind == "R3"]
        extras += [(f"{state.worded(item)} ({seat})", -3) for item in hecklers]
    if state.place().grc and not any(map(state.minority, team)):
        extras.append(("no Minority card in the Team", -5))
    return Sheet(s.PIP, entries, (), tuple(extras), "")


_AFTER: Mapping[str, Callable[[int], int]] = {
    "A2": lambda advantage: 2 * advantage if advantage > 0 else 2,
    "R4": lambda advantage: min(advantage, 0),
}
"""The Advantage after a card (1.9, 1.10)."""


def resignations(
    state: State, orders: Orders, minutes: Minutes
) -> tuple[State, dict[str, Standing]]:
    """Apply resignations first; void the leavers' other orders (R14)."""
    gone = [seat for seat in state.living if "RESIGN" in orders.get(seat, {})]
    for seat in gone:
        state = _leave(state, seat, minutes)
    if len(state.living) < 2:
        minutes.public("last", "R14", left=list(state.living))
        state = replace(state, phase=s.OVER)
    return state, {seat: given for seat, given in orders.items() if seat not in state.out}


def _leave(state: State, seat: str, minutes: Minutes) -> State:
    """Discard its cards and pass Momentum on clockwise."""
    state = replace(state, out=state.out | {seat})
    vacant, to = seat == s.PIP and state.settings.vacant, None
    if vacant or seat != s.PIP:
        submitted = [item.card for item in state.submitted.get(seat, ())]
        gone = [*state.held(seat), *submitted]
        state = s.put_down(s.taken(state, seat, gone), gone)
    if seat in state.submitted:
        state = replace(state, submitted={**state.submitted, seat: ()})
    if state.momentum == seat:
        to = next(iter(state.from_momentum()), None)
        state = replace(state, momentum=to)
    minutes.public("resigned", "R14", party=seat, vacant=vacant, momentum=to)
    return state


def nomination(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """Settle who contests; if nobody, a walkover. Poll at once if none is awaited (step 5, FAST=ON,
    R14)."""
    for seat in state.from_momentum():
        given = orders.get(seat, {}).get("CONTEST")
        if isinstance(given, o.Contest):
            state = s.taken(state, seat, [item.card for item in given.items])
            state = replace(state, submitted={**state.submitted, seat: given.items})
    counts = {seat: len(items) for seat, items in state.submitted.items()}
    minutes.public("contests", "4.5", constituency=state.con, cards=counts)
    if not counts:
        return _walkover(state, orders.get(s.PIP, {}).get("WALKOVER"), dice, minutes)
    if state.settings.fast:
        return polling(state, orders, dice, minutes)
    if state.settings.shared and state.next is None and state.decks["constituencies"]:
        state = _reveal(state, dice, minutes)
    if state.lapsed:
        return polling(state, orders, dice, minutes)
    return replace(state, phase=s.SHARED if state.next else s.POLLING)


def _walkover(state: State, given: object, dice: Dice, minutes: Minutes) -> State:
    """4.5. Momentum stays, no NCMP."""
    if state.lapsed and state.settings.vacant:
        minutes.public("vacancy", "R14", constituency=state.con)
        return _advance(replace(state, vacancies=(*state.vacancies, state.con)), dice, minutes)
    team = s.walkover_team(state)
    if isinstance(given, o.Walkover) and set(given.cards) <= set(state.pool):
        team = given.cards
    minutes.public(
        "walkover",
        "4.5",
        constituency=state.con,
        team=[state.spelt(id) for id in team],
        seats=state.place().seats,
        momentum=state.momentum,
    )
    state = replace(s.taken(state, s.PIP, team), removed=(*state.removed, *team))
    return _advance(_award(state, s.PIP), dice, minutes)


def polling(state: State, orders: Orders, dice: Dice, minutes: Minutes) -> State:
    """Run steps 6 to 9, then the next constituency or the end."""
    given = orders.get(s.PIP, {})
    team, items = fielding(state, given)
    played = [item for item in items if not item.against or item.against in state.submitted]
    texts = {item: {"card": item.card, "text": state.spelt(item.card)} for item in items}
    for item in (one for one in items if one not in played):
        minutes.public("kept", "4.5", **texts[item], against=item.against)
    for item in played:
        minutes.public("action", "4.6", **texts[item], on=item.on, against=item.against)
    issue = prevailing(state, played)
    sheets = count(state, team, played)
    bonus = bonuses(state, sheets, played)
    for seat, sheet in sheets.items():
        cards = list(team) if seat == s.PIP else [str(item) for item in state.submitted[seat]]
        told = {**sheet.json(state), "cards": cards, "bonus": bonus.get(seat, 0)}
        by_rule = seat == s.PIP and "FIELD" not in given
        minutes.public("sheet", "4.7", automatic=by_rule, **told)
    votes = {seat: None if sheet.out else sheet.total for seat, sheet in sheets.items()}
    state = replace(state, issue=issue, last=state.con, votes=votes)
    winner, best = decide(state, sheets)
    state = _verdict(state, sheets, winner, best, played, minutes)
    state = _clean_up(state, winner, team, played)
    return _advance(state, dice, minutes)


def fielding(state: State, given: Standing) -> tuple[tuple[str, ...], tuple[s.Item, ...]]:
    """Return the PIP's Team and Actions."""
    fielded, play = given.get("FIELD"), given.get("PLAY")
    items = play.items if isinstance(play, o.Play) else ()
    if isinstance(fielded, o.Field):
        return fielded.cards, items
    return s.automatic_team(state, prevailing(state, items)), items


def decide(state: State, sheets: Mapping[str, Sheet]) -> tuple[str | None, str | None]:
    """Return the winner and the best valid Opposition Party, each or None (step 8)."""
    valid = {seat: sheet for seat, sheet in sheets.items() if not sheet.out}

    def ladder(seat: str) -> tuple[int, bool, int]:
        return len(valid[seat].helpers), seat == state.momentum, -state.numbers[seat]

    rivals = [seat for seat in valid if seat != s.PIP]
    best = max(rivals, key=lambda seat: (valid[seat].total, ladder(seat)), default=None)
    if s.PIP not in valid or best is None:
        return (s.PIP if s.PIP in valid else best), best
    ahead = valid[s.PIP].total - valid[best].total
    if ahead == 0 and state.settings.tie != "PIP":
        holds = state.settings.tie == "LADDER" and ladder(s.PIP) > ladder(best)
        return (s.PIP if holds else best), best
    return (s.PIP if ahead >= 0 else best), best


def bonuses(state: State, sheets: Mapping[str, Sheet], played: Sequence[s.Item]) -> dict[str, int]:
    """Return VP of STRONG MANDATE and GOING VIRAL by party (1.9, 1.10)."""
    winner, best = decide(state, sheets)
    if winner is None:
        return {}
    bonus: dict[str, int] = {}
    strong = any(state.card(item.card).kind == "A8" for item in played)
    if strong and winner == s.PIP and best and sheets[s.PIP].total - sheets[best].total >= 10:
        bonus[s.PIP] = 2
    if best and any(state.card(item.card).kind == "R6" for item in state.submitted[best]):
        bonus[best] = 2
    return bonus


def _verdict(
    state: State,
    sheets: Mapping[str, Sheet],
    winner: str | None,
    best: str | None,
    played: Sequence[s.Item],
    minutes: Minutes,
) -> State:
    """4.8. Award card, Momentum, NCMPs, bonus."""
    seats, bonus = state.place().seats, dict(state.bonus)
    if winner is None:
        minutes.public("vacancy", "R14", constituency=state.con)
        return replace(state, vacancies=(*state.vacancies, state.con))
    ncmps = state.settings.ncmps.get(str(seats), 0) if winner == s.PIP and best else 0
    worth = state.settings.pip_points if winner == s.PIP else state.settings.opposition_points
    totals = {seat: sheet.total for seat, sheet in sheets.items() if not sheet.out}
    tied = [seat for seat, total in totals.items() if total == totals[winner]]
    level = [seat for seat, total in totals.items() if best and total == totals[best]]
    minutes.public(
        "result",
        "4.8",
        constituency=state.con,
        winner=winner,
        votes=dict(state.votes),
        seats=seats,
        points=worth * seats,
        best=best,
        ncmps=ncmps,
        momentum=best or state.momentum,
        held=state.momentum,
        tied=tied if len(tied) > 1 else [],
        level=[seat for seat in level if seat != s.PIP] if winner == s.PIP else [],
    )
    for seat, points in bonuses(state, sheets, played).items():
        bonus[seat] += points
        rule, card = ("1.9", "STRONG MANDATE") if seat == s.PIP else ("1.10", "GOING VIRAL")
        minutes.public("bonus", rule, party=seat, card=card, points=points)
    ncmp = {**state.ncmp, best: state.ncmp[best] + ncmps} if best else state.ncmp
    return _award(replace(state, bonus=bonus, ncmp=ncmp, momentum=best or state.momentum), winner)


def _award(state: State, winner: str) -> State:
    return replace(state, won={**state.won, winner: (*state.won[winner], state.con)})


def _clean_up(
    state: State, winner: str | None, team: Sequence[str], played: Sequence[s.Item]
) -> State:
    """4.9. The winner's Team leaves the game; discard the rest."""
    submitted = [item.card for seat in state.order for item in state.submitted.get(seat, ())]
    actions = [item.card for item in played]
    elected: Sequence[str] = team if winner == s.PIP else ()
    if winner is not None and winner != s.PIP:
        cards = [item.card for item in state.submitted[winner]]
        elected, _ = s.split_team(state, cards, state.place().seats)
    state = s.put_down(state, s.without([*submitted, *team, *actions], elected))
    return replace(
        state,
        removed=(*state.removed, *elected),
        pool=s.without(state.pool, [*team, *actions]),
        submitted={},
    )


def _advance(state: State, dice: Dice, minutes: Minutes) -> State:
    if state.next is None and state.decks["constituencies"]:
        state = _reveal(state, dice, minutes)
    if state.next is None:
        points = {seat: state.points(seat) for seat in state.order}
        minutes.public("end", "4.10", points=points)
        return replace(state, phase=s.OVER)
    return replace(
        state,
        phase=s.CAMPAIGN,
        i=state.i + 1,
        con=state.next,
        issue=state.place(state.next).issue,
        next=None,
        top=None,
        top_owner=None,
    )


def _reveal(state: State, dice: Dice, minutes: Minutes) -> State:
    deck = state.decks["constituencies"]
    state = replace(state, next=deck[-1], decks={**state.decks, "constituencies": deck[:-1]})
    before = state
    state = s.fill_row(state, dice)
    revealed(state, deck[-1], s.without(state.row, before.row), minutes)
    shuffled(before, state, minutes)
    return state


def revealed(state: State, id: str, row: Sequence[str], minutes: Minutes) -> None:
    texts = list(map(state.spelt, row))
    minutes.public("reveal", "2.2", constituency=id, text=state.spelt(id), row=texts)
