"""A house bot: legal, varied orders that serve its red cards."""

from collections.abc import Sequence

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.bot import SHORT

__all__ = ["SHORT", "letter"]

VALUES = {
    "STATE": ("", "Keystone"),
    "ISSUES": (1, 2, 3),
    "MAX_EXTEND": (0, 1, 2),
    "THRESHOLD": (0, 1, 2, 3),
    "THRESHOLD_STEP": (0, 1, 2),
    "MAX_SESSIONS": (1, 2, 3),
    "SINGLE_GOAL": (1, 2, 3),
    "TEAMS": ("OFF", "ON", 1, 3),
    "PARTIES": ("OFF", "ON", 2, 3),
    "CROWN": ("OFF", "ON", 1, 3),
    "BALANCED_ROUNDS": (1, 3, 8),
}
"""With these, games end in every way."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat not in public["alive"]:
        return ""
    if not chance.below(300):
        return "RESIGN"
    lines = []
    if own["drawn"] and public["first_period"] and chance.below(2):
        lines.append(f"RETURN {chance.choice(own['hand'])}")
    if not chance.below(10):
        lines.append(f"NEXTBILL {' '.join(_bill(public, own, chance))}")
    if not chance.below(25):
        lines.append(f"STANDING VOTE {chance.choice(('AYE', 'NAY', 'PRESENT', 'NONE'))}")
    others = [other for other in public["alive"] if other != seat]
    if public["options"]["TRANSFERS"] == "ON" and own["tokens"] > 2 and not chance.below(15):
        lines.append(f"GIVE 1 TO {chance.choice(others)}")
    acts = {
        "BILL": _chair,
        "AMEND": _amend,
        "AMENDVOTE": _amend_vote,
        "VOTE": _vote,
        "CAMPAIGN": _campaign,
    }
    lines += acts[public["phase"]](public, own, seat, chance)
    if not chance.below(12):
        lines.append(_ahead(public, own, chance))
    return "\n".join(lines) or "PASS"


def _wish(own: Json, named: Sequence[str]) -> int:
    goals = [*own["hand"], *own["team_cards"]]
    return sum(goals.count(card) - goals.count(cards.opposite(card)) for card in named)


def _bill(public: Json, own: Json, chance: Stream) -> list[str]:
    pack = sorted(chance.shuffled(public["pool"]), key=lambda card: -_wish(own, [card]))
    picked: dict[str, str] = {}
    for card in pack:
        picked.setdefault(cards.issue(card), card)
    return list(picked.values())[: public["bill_cards"] + chance.below(2)]


def _chair(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    if seat not in public["turns"] or not chance.below(10):
        return []
    return [f"BILL {' '.join(_bill(public, own, chance))}"]


def _ahead(public: Json, own: Json, chance: Stream) -> str:
    liked = sorted(chance.shuffled(public["pool"]), key=lambda card: -_wish(own, [card]))
    aye, nay = liked[0], liked[-1]
    tests = (aye, f"{aye} AND NOT {nay} OR CRISIS", f"ADD {aye} OR REMOVE {nay}", "CARDS < 3")
    rest = chance.choice(("", f", NAY IF {nay}", ", ELSE NAY"))
    whole = f"VOTE AYE IF {chance.choice(tests)}{rest}"
    return whole if chance.below(6) else "VOTE IF NONE"


def _amend(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    for bill in (bill for bill in public["docket"] if bill["open"]):
        if chance.below(3):
            continue
        if chance.below(2) and bill["cards"]:
            lines.append(f"AMEND REMOVE {chance.choice(bill['cards'])} ON {bill['id']}")
        elif spare := [card for card in public["pool"] if card not in bill["cards"]]:
            best = max(chance.shuffled(spare), key=lambda card: _wish(own, [card]))
            lines.append(f"AMEND ADD {best} ON {bill['id']}")
        if bill["cards"] and not chance.below(4):
            lines.append(
                f"TOKEN {chance.choice(bill['cards'])} {chance.choice(('FOR', 'AGAINST'))}"
            )
    return [*lines, "PASS"]


def _amend_vote(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    for bill in public["docket"]:
        for amendment in bill["amendments"]:
            wish = _wish(own, [amendment["card"]]) * (1 if amendment["action"] == "ADD" else -1)
            choice = "AYE" if wish > 0 or (wish == 0 and chance.below(2)) else "NAY"
            lines.append(f"VOTE {choice} ON {amendment['id']}")
        if (
            bill["chair"] == seat
            and bill["amendments"]
            and public["options"]["BINDING"] == "OFF"
            and chance.below(3)
        ):
            named = [amendment["id"] for amendment in bill["amendments"] if chance.below(2)]
            lines.append(f"ACCEPT {' '.join(named) or 'NONE'}")
    return lines


def _vote(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    lines = []
    for bill in public["docket"]:
        wish = _wish(own, bill["cards"]) + (bill["yellow"] == "CRISIS!!!") * 3
        choice = "AYE" if wish > 0 or (wish == 0 and chance.below(2)) else "NAY"
        lines.append(f"VOTE {choice if chance.below(8) else 'PRESENT'} ON {bill['id']}")
    return lines


def _campaign(public: Json, own: Json, seat: Seat, chance: Stream) -> list[str]:
    purse, lines = own["tokens"], []
    others = [other for other in public["alive"] if other != seat]
    if purse >= 4 and chance.below(2):
        lines.append(
            "SPEND 4 ON ME" if chance.below(2) else f"SPEND 4 AGAINST {chance.choice(others)}"
        )
        purse -= 4
    if purse >= 2 and chance.below(2):
        lines.append(f"VOID {chance.choice(others)} {chance.choice(public['issues'])}")
    return lines
