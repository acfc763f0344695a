"""A house bot that plays to win: it gathers popular cards, and spends them where they count."""

from collections.abc import Mapping, Sequence

from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Stream
from pbem.games.frame.events import Seat
from pbem.games.party_in_power.state import ISSUES

SHORT = {"CONSTITUENCIES": 4}
"""Options that keep a game to an evening."""

_WORDS = {issue.capitalize(): issue for issue in ISSUES.values()}
_GOOD = 5.0  # mean votes of a Candidate with which an Opposition Party goes into a contest


def letter(public: Json, own: Json, seat: Seat, chance: Stream) -> str:
    if seat in public["out"]:
        return ""
    cards = {text.split()[0]: text for text in own["texts"]}
    acts = _governing if seat == "PIP" else _opposing
    return "\n".join(acts(public, cards, seat)) or "PASS"


def _worth(text: str, issue: str | None) -> int:
    """Return a Candidate's votes by its text; -1 for other cards."""
    words = text.replace(",", "").split()
    for at, word in enumerate(words[:-1]):
        if word in _WORDS:
            return int(words[at + 1]) + (_WORDS[word] == issue)
    return -1


def _by_worth(cards: Mapping[str, str], issue: str | None) -> list[str]:
    found = [id for id in cards if id[0] not in "AR"]
    return sorted(found, key=lambda id: (-_worth(cards[id], issue), id))


def _team(cards: Mapping[str, str], place: Json, issue: str | None) -> list[str]:
    """Return the strongest Team, with a Minority Candidate where one is needed; [] if none."""
    best, seats = _by_worth(cards, issue), place["seats"]
    team = best[:seats]
    if seats > 1 and not any("Minority" in cards[id] for id in team):
        minority = [id for id in best if "Minority" in cards[id]]
        team = [*team[:-1], *minority[:1]]
    return team if len(team) == seats else []


def _action(public: Json, id: str, issue: str | None, rivals: Sequence[str]) -> str:
    if id[:2] in ("A3", "R5"):
        return f"{id} ON {issue or next(iter(ISSUES.values()))}"
    if id[:2] in ("A4", "A6") and rivals:
        leader = max(rivals, key=lambda who: (public["points"].get(who, 0), who))
        return f"{id} AGAINST {leader}"
    return id


def _governing(public: Json, cards: Mapping[str, str], seat: Seat) -> list[str]:
    """Field the strongest Team in a contest, else the weakest that may stand."""
    phase, lines = public["phase"], []
    place, issue = public["place"], public["issue"]
    weak = _by_worth(cards, None)[::-1][: place["seats"]] if place else []
    if "POLLING" in phase or (public["fast"] and phase == "NOMINATION"):
        rivals = [who for who in public["hands"] if who not in public["out"]]
        rivals = [who for who in rivals if public["fast"] or who in public["contests"]]
        team = _team(cards, place, issue) or _by_worth(cards, issue)[: place["seats"]]
        lines.append(f"FIELD {' '.join(team if rivals else weak)}")
        played = [_action(public, id, issue, rivals) for id in cards if id[0] == "A"]
        if played and rivals:
            lines.append(f"PLAY {', '.join(played)}")
    if phase == "NOMINATION" and weak:
        lines.append(f"WALKOVER {' '.join(weak)}")
    if "CAMPAIGN" in phase:
        actions = 1 if public["k"] > 1 else 0
        lines.append(f"DRAW TALENT {public['k'] - actions} ACTION {actions}")
    return lines


def _opposing(public: Json, cards: Mapping[str, str], seat: Seat) -> list[str]:
    """Contest with a strong Team, and gather popular cards till then."""
    phase, issue = public["phase"], public["issue"]
    if phase == "NOMINATION":
        team = _team(cards, public["place"], issue)
        last = public["i"] >= public["of"]
        votes = sum(_worth(cards[id], issue) for id in team)
        if not team or (votes < _GOOD * len(team) and not last):
            return ["DECLINE"]
        more = [_action(public, id, issue, []) for id in cards if id[0] == "R"]
        return [f"CONTEST {' '.join([*team, *more])}"]
    if "CAMPAIGN" not in phase:
        return []
    row = {text.split()[0]: text for text in public["row_texts"]}
    minority = any("Minority" in text for text in cards.values())
    wishes = sorted(
        row,
        key=lambda id: (
            -_worth(row[id], None) - (0 if minority else 4) * ("Minority" in row[id]),
            id,
        ),
    )
    good = [id for id in wishes if _worth(row[id], None) >= _LEAST][: public["drafts"]]
    lines = [f"DRAFT {' '.join([*good, 'TOP'])}"]
    weak = [id for id in _by_worth(cards, None)[::-1] if _worth(cards[id], None) < _LEAST]
    if weak and len(cards) >= _FULL:
        lines.append(f"DISCARD {' '.join(weak[:2])}")
    return lines


_LEAST, _FULL = 3, 5
"""Candidates below this are not drafted; with so many cards the weak ones go."""
