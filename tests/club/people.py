"""Who is in the club, what each is like, and what is played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NAMES = (
    *("Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Henry", "Ingrid", "Jakob"),
    *("Karla", "Leopold", "Marta", "Nikolai", "Olga", "Paul", "Quentin", "Rosa", "Stefan", "Tilda"),
    *("Ulrich", "Vera", "Walter", "Xenia", "Yvonne", "Zacharias", "Agathe", "Bruno", "Cecily"),
    "Dora",
)


@dataclass(slots=True)
class Person:
    """One of the club. ``letters``: what he writes of himself, to the referee's plain address, by
    the minute of the evening; ``away``: the minutes from and to which he reads and writes nothing;
    ``said``: what he has written so far; ``heeds``: whether he answers when a code is asked back."""

    name: str
    letters: dict[int, str] = field(default_factory=dict)
    away: tuple[int, int] = (0, 0)
    said: list[str] = field(default_factory=list)
    heeds: bool = True

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@club.example"

    def is_away(self, minute: int) -> bool:
        first, last = self.away
        return first <= minute < last


@dataclass(frozen=True, slots=True)
class Table:
    """An open table of the evening: its game, how many play it, with what options, and who signs on
    to it, in the order of coming."""

    key: str
    game: str
    places: int
    options: Mapping[str, str]
    guests: tuple[str, ...]


TABLES = (
    Table("coalition", "cabinet", 5, {"MAX_PERIODS": "5"}, NAMES[0:6]),
    Table("coalition", "lobby", 5, {"MAX_PERIODS": "4"}, NAMES[3:9]),
    Table("legislation", "charter", 4, {"MAX_SESSIONS": "1"}, NAMES[8:12]),
    Table("legislation", "statute", 3, {"MAX_SESSIONS": "1"}, NAMES[10:14]),
    Table("politics-1935", "stump", 4, {"MAX_ROUNDS": "6"}, NAMES[13:17]),
    Table("politics-1935", "whistle", 3, {"MAX_ROUNDS": "6"}, NAMES[16:20]),
    Table("party-in-power", "manifesto", 4, {"CONSTITUENCIES": "3"}, NAMES[19:23]),
    Table("parlement-1966", "autumn", 5, {"max_sessions": "1"}, NAMES[22:28]),
    Table("parlement-1966", "spring", 5, {"max_sessions": "1"}, (*NAMES[25:30], NAMES[0])),
    Table(
        "parlement-1968",
        "republic",
        7,
        {"max_sessions": "1", "caretaker_after_days": "7"},
        (*NAMES[26:30], *NAMES[5:9], NAMES[14]),
    ),
)


WILL: Mapping[str, Mapping[int, str]] = {
    "Clara": {6: "SIGNOFF cabinet"},
    "Tilda": {3: "GAMES", 24: "RULES coalition", 27: "WATCH autumn", 30: "WATCH cabinet"},
    "Rosa": {30: "WATCH republic", 45: "UNWATCH republic"},
    "Zacharias": {30: "GAME autumn\nQUIT"},
    "Agathe": {36: "STATUS"},
    "Ulrich": {33: "INVITE friend@else.example TO autumn"},
    "Vera": {3: "GAME manifesto\nDEPUTY paul@club.example"},
}
"""What some write of themselves besides, by the minute of the evening: they leave before and after
the start, watch, ask, invite, and name somebody who is to play for them."""
AWAY = {"Xenia": (33, 75), "Leopold": (12, 24), "Vera": (42, 54)}
"""Who reads and writes nothing, from which minute to which."""


def club(tables: Sequence[Table] = TABLES) -> list[Person]:
    """The thirty, with what each does of himself in the evening."""
    people = {
        name: Person(name, dict(WILL.get(name, {})), AWAY.get(name, (0, 0))) for name in NAMES
    }
    for table in tables:
        for place, name in enumerate(table.guests):
            letters = people[name].letters
            minute = next(m for m in range(3 + 3 * place, 600, 3) if m not in letters)
            letters[minute] = f"SIGNON {table.game} AS {name}"
    return list(people.values())
