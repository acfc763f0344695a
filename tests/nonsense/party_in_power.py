"""A house bot: legal, varied orders from what a seat may see."""

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.party_in_power.bot import SHORT
from pbem.games.party_in_power.state import ISSUES

__all__ = ["SHORT", "letter"]

VALUES = {
    "CONSTITUENCIES": (3, 4, 5, 6, 7),
    "MINISTERS": ("AUTO", 3, 13),
    "INCUMBENCY": ("AUTO", -2, 0, 3),
    "DRAFT": ("AUTO", 1, 5),
}
"""With these, games end in every way."""


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat in public["out"]:
        return ""
    lines = ["RESIGN"] if chance.below(150) == 0 else []
    cards = {text.split()[0]: text for text in own["texts"]}
    if seat == "PIP":
        return "\n".join([*lines, *_governing(public, cards, chance)])
    return "\n".join([*lines, *_opposing(public, cards, seat, chance)])


def _popularity(text: str) -> int:
    """Read Popularity ("G19 Dipper, Employment 7, Minority"); -1 if none."""
    words = text.replace(",", "").split()
    issues = {issue.capitalize() for issue in ISSUES.values()}
    return next((int(words[at + 1]) for at, word in enumerate(words[:-1]) if word in issues), -1)


def _candidates(cards: dict[str, str]) -> list[str]:
    held = [id for id in cards if id[0] not in "AR"]
    return sorted(held, key=lambda id: (-_popularity(cards[id]), id))


def _some(items: list[str], chance: Stream, most: int) -> list[str]:
    return chance.shuffled(items)[: chance.below(most + 1)]


def _governing(public: Json, cards: dict[str, str], chance: Stream) -> list[str]:
    phase, lines, mine = public["phase"], [], _candidates(cards)
    if "POLLING" in phase or (public["fast"] and phase == "NOMINATION"):
        team = _team(mine, cards, public["place"]["seats"], chance)
        rivals = [who for who in public["hands"] if who not in public["out"]]
        rivals = [who for who in rivals if public["fast"] or who in public["contests"]]
        lines = [f"FIELD {' '.join(team)}"]
        actions = [_option(id, rivals, chance) for id in cards if id[0] == "A" and chance.below(2)]
        lines += [f"PLAY {', '.join(actions)}"] if actions and rivals else []
    if phase == "NOMINATION" and chance.below(2):
        lines.append(f"WALKOVER {' '.join(mine[::-1][: public['place']['seats']])}")
    if "CAMPAIGN" in phase:
        share = chance.below(public["k"] + 1)
        lines.append(f"DRAW TALENT {public['k'] - share} ACTION {share}")
        lines += [f"OVERRIDE {' '.join(_some(mine, chance, 3))}"]
    return lines


def _team(mine: list[str], cards: dict[str, str], seats: int, chance: Stream) -> list[str]:
    """Choose mostly popular cards, with a Minority card if any."""
    choice = mine if chance.below(3) else chance.shuffled(mine)
    team = choice[:seats]
    minority = [id for id in choice if "Minority" in cards[id]] or [
        id for id in choice if id[0] == "M"
    ]
    if (
        team
        and not any("Minority" in cards[id] for id in team)
        and minority
        and minority[0] not in team
    ):
        team[-1] = minority[0]
    return team


def _option(id: str, rivals: list[str], chance: Stream) -> str:
    if id[:2] in ("A3", "R5"):
        return f"{id} ON {chance.choice(tuple(ISSUES.values()))}"
    if id[:2] in ("A4", "A6") and rivals:
        return f"{id} AGAINST {chance.choice(rivals)}"
    return id


def _opposing(public: Json, cards: dict[str, str], seat: Seat, chance: Stream) -> list[str]:
    phase, mine = public["phase"], _candidates(cards)
    if phase == "NOMINATION":
        seats = public["place"]["seats"]
        team = _team(mine, cards, seats, chance)
        rest = [_option(id, [], chance) for id in cards if id not in team and chance.below(2)]
        if len(team) < seats and chance.below(3):
            return ["DECLINE"]
        if len(team) + len(rest) < seats:
            rest = [_option(id, [], chance) for id in cards if id not in team]
        return [f"CONTEST {' '.join([*team, *rest])}"] if chance.below(5) else ["DECLINE"]
    if "CAMPAIGN" not in phase:
        return []
    content = f" CONTENT {public['issue']}" if chance.below(4) == 0 else ""
    wishes = [*_some(public["row"], chance, 3), "TOP"]
    lines = [f"DRAFT {' '.join(chance.shuffled(wishes))}"]
    lines += [f"OVERRIDE {' '.join(_some(mine, chance, 2))}{content}"] if chance.below(2) else []
    lines += [f"DISCARD {' '.join(mine[::-1][:2])}"] if chance.below(2) and mine else []
    return lines
