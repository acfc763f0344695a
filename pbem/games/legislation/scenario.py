"""What a scenario says, read with care: every wrong key or card is an error that names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from pbem.errors import ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.events import Seat
from pbem.games.legislation import cards
from pbem.games.legislation.orders import CHOICES, NONE
from pbem.games.legislation.state import Amendment, Bill, State

T = TypeVar("T")
_SIGNS = str.maketrans({"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-"})
PUBLIC = frozenset(
    {
        "phase",
        "session",
        "round",
        "order",
        "alive",
        "chair",
        "turns",
        "queue",
        "chair_order",
        "first",
        "first_period",
        "issues",
        "pool",
        "law",
        "bill",
        "docket",
        "tokens",
        "decided",
        "failed",
        "mixup",
        "terms",
        "skip",
        "again",
        "missed",
        "crises",
        "teams",
        "streak",
        "balancing",
        "filed",
        "eye",
        "crown",
    }
)
DERIVED = frozenset(
    {
        "options",
        "sessions",
        "threshold",
        "scores",
        "red_left",
        "yellow_left",
        "returning",
        "hand_sizes",
        "balance",
        "deciding",
    }
)
PRIVATE = frozenset(
    {
        "hand",
        "eye",
        "drawn",
        "nextbill",
        "on_file",
        "standing",
        "crown",
        "team_cards",
        "last_score",
        "terms",
    }
)
OWN_DERIVED = frozenset({"score", "satisfied", "tokens", "team", "returns"})


class Told:
    """A scenario's words in the game's own values; whatever it leaves out reads as None or
    empty."""

    def __init__(
        self,
        scenario: Json,
        seats: tuple[Seat, ...],
        issues: tuple[str, ...],
        yellow: tuple[str, ...],
    ) -> None:
        self.public: dict[str, Any] = dict(scenario.get("public", {}))
        self.private: dict[Seat, dict[str, Any]] = dict(scenario.get("private", {}))
        self.decks: dict[str, Any] = dict(scenario.get("decks", {}))
        if "phase" in scenario:
            self.public["phase"] = scenario["phase"]
        self.all_seats, self.all_issues, self.yellow = seats, issues, yellow
        unknown = set(scenario) - {"public", "private", "decks", "phase"}
        self._refuse("scenario", unknown)
        self._refuse("scenario public", set(self.public) - PUBLIC - DERIVED)
        self._refuse(
            "scenario decks",
            {name.removesuffix("_deck") for name in self.decks} - {"red", "yellow", "blue"},
        )
        for seat, own in self.private.items():
            self.seat("scenario private", seat)
            self._refuse(f"scenario private.{seat}", set(own) - PRIVATE - OWN_DERIVED)

    def _refuse(self, where: str, unknown: Iterable[str]) -> None:
        for name in sorted(unknown):
            raise ScenarioError(f"{where}: there is no key {name!r}")

    def has(self, name: str) -> bool:
        """Whether the public part says anything of ``name``."""
        return self.public.get(name) is not None

    def seat(self, where: str, name: object) -> Seat:
        """A seat of the game."""
        if str(name).upper() not in self.all_seats:
            raise ScenarioError(
                f"{where}: there is no seat {name!r}; the seats are {', '.join(self.all_seats)}"
            )
        return str(name).upper()

    def seats(self, name: str) -> tuple[Seat, ...]:
        """A public list of seats."""
        return tuple(self.seat(f"scenario public.{name}", one) for one in self._list(name))

    def _list(self, name: str) -> list[Any]:
        value = self.public.get(name) or []
        if isinstance(value, Mapping):  # {P1 = true}
            value = [key for key, told in value.items() if told]
        if not isinstance(value, list):
            raise ScenarioError(f"scenario public.{name}: a list is wanted, not {value!r}")
        return value

    def _table(self, name: str) -> dict[str, Any]:
        value = self.public.get(name) or {}
        if not isinstance(value, dict):
            raise ScenarioError(f"scenario public.{name}: a table is wanted, not {value!r}")
        return value

    def order(self) -> tuple[Seat, ...]:
        """The table order; () where it is left to the lot."""
        order = self.seats("order")
        if order and sorted(order) != sorted(self.all_seats):
            raise ScenarioError(
                f"scenario public.order: each of {', '.join(self.all_seats)} once, not"
                f" {list(order)}"
            )
        return order

    def alive(self, order: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """The living, in table order."""
        living = self.seats("alive") or order
        return tuple(seat for seat in order if seat in living)

    @staticmethod
    def _number(where: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise ScenarioError(f"scenario {where}: a whole number is wanted, not {value!r}")
        return value

    def count(self, name: str, default: int) -> int:
        """A public whole number."""
        value = self.public.get(name)
        if value is None:
            return default
        if not isinstance(value, int) or value < 0:
            raise ScenarioError(f"scenario public.{name}: a whole number is wanted, not {value!r}")
        return value

    def counts(self, name: str) -> dict[Seat, int]:
        """A public table of whole numbers by seat; null entries are left out."""
        told = self._table(name).items()
        given = [
            (self.seat(f"scenario public.{name}", seat), value)
            for seat, value in told
            if value is not None
        ]
        return {seat: self._number(f"public.{name}", value) for seat, value in given}

    def figures(self, name: str) -> dict[Seat, int]:
        """A figure of each seat, from the public map or the seat's own view."""
        return self.counts(name) | self.privately(name, int)

    def privately(self, name: str, read: Callable[[Any], T]) -> dict[Seat, T]:
        """A private figure of each seat that has one."""
        try:
            return {
                seat: read(own[name])
                for seat, own in self.private.items()
                if own.get(name) is not None
            }
        except (TypeError, ValueError) as error:
            raise ScenarioError(f"scenario private {name}: {error}") from error

    def card(self, where: str, text: object) -> str:
        """A card in canonical form."""
        word = (
            str(text)
            .translate(_SIGNS)
            .upper()
            .replace("PLUS", "+")
            .replace("MINUS", "-")
            .replace(" ", "")
        )
        if word != cards.CROWN and (
            word[-1:] not in ("+", "-") or word[:-1] not in self.all_issues
        ):
            raise ScenarioError(f"{where}: {text!r} is not a card of this game")
        return word

    def cards(self, name: str) -> tuple[str, ...]:
        """A public list of cards."""
        return self._cards(f"scenario public.{name}", self._list(name))

    def _cards(self, where: str, listed: Any) -> tuple[str, ...]:
        if not isinstance(listed, list | tuple):
            raise ScenarioError(f"{where}: a list of cards is wanted, not {listed!r}")
        return tuple(self.card(where, card) for card in listed)

    def bills(self, name: str) -> dict[Seat, tuple[str, ...]]:
        """A private list of cards of each seat that has one."""
        listed = {seat: own[name] for seat, own in self.private.items() if own.get(name)}
        return {
            seat: self._cards(f"scenario private.{seat}.{name}", value)
            for seat, value in listed.items()
        }

    def drawn(self) -> dict[Seat, str]:
        """The card each re-elected player has just drawn."""
        where = "scenario private drawn"
        return self.privately(
            "drawn", lambda card: self.card(where, card[0] if isinstance(card, list) else card)
        )

    def standing(self) -> dict[Seat, str]:
        """The standing votes on file."""
        told = self.privately("standing", lambda word: str(word).upper())
        for word in told.values():
            if word not in (*CHOICES, NONE):
                raise ScenarioError(
                    f"scenario private standing: {word!r} is none of {', '.join((*CHOICES, NONE))}"
                )
        return {seat: word for seat, word in told.items() if word != NONE}

    def hands(self, size: int) -> dict[Seat, tuple[str, ...]]:
        """The red hands that are given; a card just drawn joins a hand that lacks it."""
        hands, drawn = (
            dict.fromkeys(self.privately("hand", list), ()) | self.bills("hand"),
            self.drawn(),
        )
        for seat, card in drawn.items():
            hand = hands.get(seat, ())
            if card not in hand or len(hand) <= size:
                hands[seat] = (*hand, card)
        return hands

    def team_cards(self, state: State) -> dict[str, tuple[str, ...]]:
        """The red cards of teams, as any member's own view gives them."""
        told = self.bills("team_cards")
        return {
            name: told[seat]
            for name, members in state.teams.items()
            for seat in members
            if seat in told
        }

    def teams(self) -> dict[str, tuple[Seat, ...]]:
        """The members of each team."""
        told = self._table("teams").items()
        return {
            name: tuple(self.seat("scenario public.teams", seat) for seat in seats)
            for name, seats in told
        }

    def deck(self, name: str) -> tuple[str, ...] | None:
        """A deck, top last."""
        listed = self.decks.get(name, self.decks.get(f"{name}_deck"))
        if listed is None:
            return None
        if name != "yellow":
            return self._cards(f"scenario decks.{name}", listed)
        return tuple(self.yellow_card("scenario decks.yellow", card) for card in listed)

    def yellow_card(self, where: str, text: object) -> str:
        """A yellow card by its name, in any case and without its marks."""

        def bare(name: str) -> str:
            return "".join(char for char in name.upper() if char.isalpha())

        for name in self.yellow:
            if bare(name) == bare(str(text)):
                return name
        raise ScenarioError(f"{where}: {text!r} is none of: {', '.join(self.yellow)}")

    def issues(self) -> tuple[str, ...] | None:
        """The issues in play, from the list or from the pool."""
        if self.has("issues"):
            named = tuple(str(name).upper() for name in self._list("issues"))
            for name in named:
                if name not in self.all_issues:
                    raise ScenarioError(
                        f"scenario public.issues: {name!r} is not an issue of this game"
                    )
            return named
        if self.has("pool"):
            return tuple(dict.fromkeys(map(cards.issue, (*self.cards("pool"), *self.cards("law")))))
        return None

    def named_issues(self) -> tuple[str, ...]:
        """Every issue a card of the scenario names."""
        piles = [self.cards("law"), self.deck("red") or (), tuple(self.drawn().values())]
        for name in ("hand", "team_cards", "nextbill", "on_file"):
            piles += self.bills(name).values()
        piles += [(*bill["core"], *bill["added"], *bill["filed"]) for bill in self._bill_tables()]
        named = dict.fromkeys(
            cards.issue(card) for pile in piles for card in pile if card != cards.CROWN
        )
        return tuple(named)

    def docket(self, chairs: tuple[Seat, ...], serial: bool) -> tuple[Bill, ...]:
        """The bills before the house; numbers and chairs that are left out follow the chair order;
        extended ones are open to amendment only where bills come one by one (``serial``)."""
        found: list[Bill] = []
        for index, told in enumerate(self._bill_tables()):
            chair = self.seat(
                "scenario public.docket", told.get("chair") or chairs[index % len(chairs)]
            )
            bill_id = str(told.get("id") or f"B{index + 1}").upper()
            extensions = self._number("public.docket.extensions", told.get("extensions", 0))
            found.append(
                Bill(
                    bill_id,
                    chair,
                    told["core"],
                    told["filed"],
                    told["added"],
                    told["removed"],
                    told["dropped"],
                    told["yellow"],
                    extensions,
                    self._amendments(
                        bill_id, told.get("amendments") or [], sum(len(b.amendments) for b in found)
                    ),
                    self._amendments(bill_id, told.get("carried") or [], 0),
                    bool(told.get("fresh", serial or not extensions)),
                )
            )
        return tuple(found)

    def _bill_tables(self) -> list[dict[str, Any]]:
        listed = self._list("docket") or ([self.public["bill"]] if self.has("bill") else [])
        tables = []
        for told in listed:
            if not isinstance(told, Mapping) or "core" not in told:
                raise ScenarioError(
                    f"scenario public.docket: a bill is a table with a core, not {told!r}"
                )
            where = "scenario public.docket"
            piles = {
                n: self._cards(where, told.get(n) or ())
                for n in ("core", "added", "removed", "dropped")
            }
            filed = self._cards(where, told.get("filed") or piles["core"])
            yellow = self.yellow_card(where, told["yellow"]) if told.get("yellow") else None
            tables.append({**told, **piles, "filed": filed, "yellow": yellow})
        return tables

    def _amendments(self, bill: str, listed: list[Any], before: int) -> tuple[Amendment, ...]:
        """The motions on a bill; numbers that are left out go on from the ``before`` of earlier
        bills."""
        where = "scenario public.docket amendments"
        try:
            return tuple(
                Amendment(
                    str(told.get("id") or f"A{number}").upper(),
                    bill,
                    str(told["action"]).upper(),
                    self.card(where, told["card"]),
                    tuple(self.seat(where, seat) for seat in _movers(told)),
                )
                for number, told in enumerate(listed, before + 1)
            )
        except (KeyError, TypeError) as error:
            raise ScenarioError(f"{where}: action and card are wanted ({error})") from error


def _movers(told: Mapping[str, Any]) -> list[Any]:
    return list(told.get("movers") or ([told["mover"]] if told.get("mover") else []))
