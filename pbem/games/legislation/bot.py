"""A house bot that plays to win: it makes its red cards law, votes for what serves it, and keeps
its tokens for its re-election."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.legislation import cards

SHORT = {"MAX_SESSIONS": 2, "BALANCED_ROUNDS": 8}
"""Options that keep a game to an evening."""

_POINT = 4  # tokens for a point


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat not in public["alive"]:
        return ""
    lines = []
    if own["drawn"] and public["first_period"] and own["returns"]:
        worst = min(own["returns"], key=lambda card: (_promise(public, card), card))
        lines.append(f"RETURN {worst}")
    acts = {
        "BILL": _chair,
        "AMEND": _amend,
        "AMENDVOTE": _amend_vote,
        "VOTE": _vote,
        "CAMPAIGN": _campaign,
    }
    return "\n".join([*lines, *acts[public["phase"]](public, own, seat, chance)]) or "PASS"


def _goals(own: Json) -> list[str]:
    return [card for card in (*own["hand"], *own["team_cards"]) if card != cards.CROWN]


def _promise(public: Json, card: str) -> int:
    """Return how near a red card is to being satisfied: 2 if it is, 0 if its opposite is law."""
    if card in public["law"]:
        return 2
    return 0 if cards.opposite(card) in public["law"] else 1


def _worth(public: Json, own: Json, named: Sequence[str]) -> float:
    """Return what a bill with these cards is worth: satisfied cards, and steps towards them."""
    goals, before = _goals(own), set(public["law"])
    after = cards.law_after(before, [card for card in named if card not in before])
    gained = sum((goal in after) - (goal in before) for goal in goals)
    freed = sum(
        (cards.opposite(goal) in before) - (cards.opposite(goal) in after) for goal in goals
    )
    return gained + freed / 2


def _wanted(public: Json, own: Json) -> list[str]:
    """Return the cards of the pool that serve, best first."""
    goals = [card for card in dict.fromkeys(_goals(own)) if card in public["pool"]]
    return sorted(goals, key=lambda card: -_worth(public, own, [card]))


def _chair(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Lay as many cards of its own as a bill needs; fill it with what hurts nobody's law."""
    if seat not in public["turns"]:
        return []
    bill = _wanted(public, own)[: public["bill_cards"]]
    taken = {cards.issue(card) for card in (*bill, *_goals(own))}
    for strict in (True, False):
        for card in chance.shuffled(public["pool"]):
            free = cards.issue(card) not in (taken if strict else map(cards.issue, bill))
            harmless = cards.opposite(card) not in _goals(own)
            if len(bill) < public["bill_cards"] and free and (harmless or not strict):
                bill.append(card)
                taken.add(cards.issue(card))
    return [f"BILL {' '.join(bill)}"] if len(bill) == public["bill_cards"] else []


def _amend(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Add a card of its own to each bill, or take out what hurts."""
    lines = []
    for bill in (bill for bill in public["docket"] if bill["open"]):
        issues = {cards.issue(card) for card in bill["cards"]}
        hurts = [card for card in bill["cards"] if _worth(public, own, [card]) < 0]
        adds = [card for card in _wanted(public, own) if cards.issue(card) not in issues]
        if hurts:
            lines.append(f"AMEND REMOVE {hurts[0]} ON {bill['id']}")
        elif adds:
            lines.append(f"AMEND ADD {adds[0]} ON {bill['id']}")
    return [*lines, "PASS"]


def _amend_vote(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    def worth(amendment: Json) -> float:
        sign = 1 if amendment["action"] == "ADD" else -1
        return sign * _worth(public, own, [amendment["card"]])

    lines = []
    for bill in public["docket"]:
        for amendment in bill["amendments"]:
            aye = worth(amendment) > 0 or seat in amendment["movers"]
            lines.append(f"VOTE {'AYE' if aye else 'NAY'} ON {amendment['id']}")
        if bill["chair"] == seat and bill["amendments"] and public["options"]["BINDING"] == "OFF":
            good = [one["id"] for one in bill["amendments"] if worth(one) >= 0]
            lines.append(f"ACCEPT {' '.join(good) or 'NONE'}")
    return lines


def _vote(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Vote for what serves, and for its own bill; else against it."""
    lines = []
    for bill in public["docket"]:
        worth = _worth(public, own, bill["cards"])
        mine, crisis = bill["chair"] == seat, bill["yellow"] == "CRISIS!!!"
        aye = crisis or mine or worth > 0
        lines.append(f"VOTE {'AYE' if aye else 'NAY'} ON {bill['id']}")
    return lines


def _campaign(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    """Buy the points that are missing and one for safety, in the last session all it can."""
    purse, score = own["tokens"], Fraction(own["score"])
    points = max(0, ceil(public["threshold"] - score))
    last = public["session"] >= public["sessions"]
    if points * _POINT > purse:
        points = 0  # lost in any case
    elif last:
        points = purse // _POINT
    elif (points + 1) * _POINT <= purse and score < public["threshold"] + 1:
        points += 1
    return [f"SPEND {points * _POINT} ON ME"] if points else []
