"""What a scenario says, in the names and shapes of the views, read with care: every complaint names
its key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from pbem.errors import ScenarioError
from pbem.games.frame.codec import Json
from pbem.games.frame.dice import Dice
from pbem.games.party_in_power.cards import ISSUE_WORDS, PIP, SUITS, card, card_id, constituency
from pbem.games.party_in_power.orders import Item
from pbem.games.party_in_power.state import OVER, PHASES, POLLING, SHARED, Settings, State

_PUBLIC = frozenset(
    {
        "phase",
        "order",
        "out",
        "i",
        "constituency",
        "issue",
        "next",
        "last",
        "votes",
        "top",
        "top_owner",
        "row",
        "ministers",
        "pool",
        "momentum",
        "points",
        "won",
        "ncmp",
        "bonus",
        "vacancies",
        "submitted",
    }
)
_DERIVED = frozenset(
    {
        "parties",
        "k",
        "of",
        "place",
        "next_place",
        "row_texts",
        "hands",
        "ministers_texts",
        "pool_size",
        "actions_held",
        "contests",
        "seats_won",
        "deck_sizes",
        "discard_sizes",
        "drafts",
        "fast",
    }
)
"""Keys of the public view that follow from the others; a scenario may carry them, they set
nothing."""
_DECKS = ("talent", "action", "grassroots")


class Told:
    """One scenario. ``seats``: the codes by registration number."""

    def __init__(self, scenario: Json, cards: Mapping[str, str], seats: tuple[str, ...]) -> None:
        public = scenario.get("public", {})
        self.public: Mapping[str, Any] = {
            "constituency" if key == "con" else key: public[key] for key in public
        }
        self.private: Mapping[str, Any] = scenario.get("private", {})
        self.decks: Mapping[str, Any] = {
            "constituencies" if name == "constituency" else name: ids
            for name, ids in scenario.get("decks", {}).items()
        }
        self.scenario, self.cards, self.seats = scenario, cards, seats
        for key in scenario:
            if key not in ("public", "private", "phase", "decks"):
                raise ScenarioError(
                    f"{key}: unknown key; a scenario has public, private, phase, decks, tables"
                )
        known = {*_DECKS, "constituencies", *(f"{deck}_discard" for deck in _DECKS)}
        for name in self.decks:
            if name not in known:
                raise ScenarioError(
                    f"decks.{name}: there is no such deck; there are {', '.join(sorted(known))}"
                )
        for key in self.public:
            if key not in _PUBLIC | _DERIVED:
                raise ScenarioError(
                    f"public.{key}: unknown key; there are {', '.join(sorted(_PUBLIC))}"
                )
        for seat, own in self.private.items():
            self._seat(seat, f"private.{seat}")
            wrong = set(own) - (
                {"pool", "texts"} if seat == PIP else {"hand", "submitted", "texts"}
            )
            if wrong:
                raise ScenarioError(
                    f"private.{seat}.{min(wrong)}: unknown key; pool is the PIP's, hand and"
                    " submitted are the Opposition's"
                )

    def _seat(self, word: Any, key: str) -> str:
        if str(word).upper() not in self.seats:
            raise ScenarioError(
                f"{key}: {word!r} is not a party of this game ({', '.join(self.seats)})"
            )
        return str(word).upper()

    def _card(self, word: Any, key: str, letters: str) -> str:
        id = card_id(str(word))
        if id not in self.cards or id[0] not in letters:
            raise ScenarioError(f"{key}: there is no such card as {word!r} to be there")
        return id

    def _cards(self, words: Any, key: str, letters: str) -> tuple[str, ...]:
        if not isinstance(words, list | tuple):
            raise ScenarioError(f"{key}: a list of card ids is wanted, not {words!r}")
        ids = tuple(self._card(word, key, letters) for word in words)
        if len(set(ids)) < len(ids):
            raise ScenarioError(f"{key}: a card is listed twice")
        return ids

    def _null(self, value: Any) -> bool:
        return value is None or value in ("", "null", "none")

    def order(self) -> tuple[str, ...]:
        """The seats clockwise; by registration number where nothing is said."""
        given = [self._seat(word, "public.order") for word in self.public.get("order", self.seats)]
        if sorted(given) != sorted(self.seats):
            raise ScenarioError(f"public.order: name each of {', '.join(self.seats)} once")
        return tuple(given)

    def phase(self, settings: Settings) -> str:
        """The phase to start in."""
        phase = (
            str(self.scenario.get("phase", self.public.get("phase", "CAMPAIGN")))
            .upper()
            .replace(" ", "")
        )
        if phase not in PHASES or phase == OVER:
            raise ScenarioError(f"phase: {phase!r} is none of {', '.join(PHASES[:-1])}")
        if phase == SHARED and not settings.shared:
            raise ScenarioError(f"phase: {SHARED} needs SHARED=ON and FAST=OFF")
        if phase == POLLING and settings.fast:
            raise ScenarioError("phase: with FAST=ON there is no POLLING period")
        return phase

    def constituency(self, key: str) -> str | None:
        """A constituency named in the public part, or None."""
        value = self.public.get(key)
        return None if self._null(value) else self._card(value, f"public.{key}", "K")

    def constituencies_of(self, key: str) -> tuple[str, ...]:
        """A public list of constituencies."""
        return self._cards(self.public.get(key, []), f"public.{key}", "K")

    def won(self) -> dict[str, tuple[str, ...]]:
        """Constituencies won, by party."""
        given = self._by_party("won")
        return {
            seat: self._cards(given.get(seat, []), f"public.won.{seat}", "K") for seat in self.seats
        }

    def _by_party(self, key: str) -> dict[str, Any]:
        given = self.public.get(key, {})
        if not isinstance(given, Mapping):
            raise ScenarioError(f"public.{key}: a table by party is wanted")
        return {self._seat(seat, f"public.{key}"): value for seat, value in given.items()}

    def figures(self, key: str) -> dict[str, int]:
        """A public table of whole numbers by party; 0 where nothing is said."""
        given = self._by_party(key)
        return {
            seat: self._number(given.get(seat, 0), f"public.{key}.{seat}") for seat in self.seats
        }

    def _number(self, value: Any, key: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ScenarioError(f"{key}: a whole number is wanted, not {value!r}")
        return value

    def count(self, key: str, default: int) -> int:
        """A public number from 1 up."""
        number = self._number(self.public.get(key, default), f"public.{key}")
        if number < 1:
            raise ScenarioError(f"public.{key}: {number} is less than 1")
        return number

    def votes(self) -> dict[str, int | None]:
        """The votes of the last count; "null" for the disqualified."""
        given = self._by_party("votes")
        return {
            s: None if self._null(n) else self._number(n, f"public.votes.{s}")
            for s, n in given.items()
        }

    def party(self, key: str, default: str | None) -> str | None:
        """An Opposition Party (or, as owner of the top, any party) named in the public part."""
        value = self.public.get(key, default)
        if self._null(value):
            return None
        seat = self._seat(value, f"public.{key}")
        if key == "momentum" and (seat == PIP or seat in self.out()):
            raise ScenarioError(
                "public.momentum: only an Opposition Party in the game has the Momentum Card"
            )
        return seat

    def out(self) -> frozenset[str]:
        """The seats that have resigned."""
        return frozenset(self._seat(seat, "public.out") for seat in self.public.get("out", []))

    def top(self) -> tuple[int, str] | None:
        """[Popularity, suit] of the last override."""
        value = self.public.get("top")
        if self._null(value) or value == []:
            return None
        if not isinstance(value, list | tuple) or len(value) != 2 or value[1] not in tuple(SUITS):
            raise ScenarioError('public.top: [popularity, suit] is wanted, as [7, "S"]')
        return self._number(value[0], "public.top"), value[1]

    def issue(self, key: str, printed: str) -> str:
        """The issue now contested; the printed one where nothing is said."""
        value = self.public.get(key)
        if self._null(value):
            return constituency("", printed).issue
        if str(value).upper() not in ISSUE_WORDS:
            raise ScenarioError(f"public.{key}: {value!r} is not an issue")
        return ISSUE_WORDS[str(value).upper()]

    def hands(self) -> dict[str, tuple[str, ...]]:
        """The hands given; cards that are submitted as well are no longer in the hand."""
        hands = {}
        for seat in self.seats:
            own = self.private.get(seat, {})
            if seat == PIP or "hand" not in own:
                continue
            cards = self._cards(own["hand"], f"private.{seat}.hand", "GLR")
            gone = {item.card for item in self._submitted(seat)}
            hands[seat] = tuple(id for id in cards if id not in gone)
        return hands

    def submitted(self, phase: str) -> dict[str, tuple[Item, ...]]:
        """What the contesting parties have submitted, in the polling phases."""
        named = {seat: self._submitted(seat) for seat in self.seats}
        given = {
            seat: items
            for seat, items in named.items()
            if items or seat in self.public.get("contests", ())
        }
        if phase in (POLLING, SHARED):
            if not given:
                raise ScenarioError(
                    f"private: phase {phase} needs private.<party>.submitted of a contesting party"
                )
            return given
        if given:
            raise ScenarioError(
                f"private.{next(iter(given))}.submitted: nothing is submitted before {POLLING}"
            )
        return {}

    def _submitted(self, seat: str) -> tuple[Item, ...]:
        """Cards with their issues, as ["L02", "R5a ON TAXATION"]."""
        key, items = f"private.{seat}.submitted", list[Item]()
        told = self.private.get(seat, {}).get(
            "submitted", self._by_party("submitted").get(seat, [])
        )
        words = (
            (told if isinstance(told, str) else " ".join(map(str, told)))
            .upper()
            .replace(",", " ")
            .split()
        )
        while words:
            id, issue = self._card(words.pop(0), key, "" if seat == PIP else "GLR"), ""
            if words[:1] == ["ON"]:
                if words[1:2] == [] or words[1] not in ISSUE_WORDS:
                    raise ScenarioError(f"{key}: {id} ON needs an issue")
                issue, words = ISSUE_WORDS[words[1]], words[2:]
            items.append(Item(id, issue))
        return tuple(items)

    def row(self) -> tuple[str, ...] | None:
        """The public row, or None."""
        return (
            self._cards(self.public["row"], "public.row", "GLR") if "row" in self.public else None
        )

    def pool(self) -> tuple[str, ...] | None:
        """The PIP's pool, as {ministers, candidates, actions} or as one list; None where nothing is
        said."""
        given = self.private.get(PIP, {}).get("pool", self.public.get("pool"))
        if self._null(given):
            return None
        if isinstance(given, Mapping):
            given = [
                id for name in ("ministers", "candidates", "actions") for id in given.get(name, [])
            ]
        return self._cards(given, f"private.{PIP}.pool", "MTA")

    def ministers(self) -> tuple[str, ...] | None:
        """The Ministers in play, or None."""
        return (
            self._cards(self.public["ministers"], "public.ministers", "M")
            if "ministers" in self.public
            else None
        )

    def discards(self) -> dict[str, tuple[str, ...]]:
        """The discards of the three decks."""
        return {deck: self._of_deck(f"{deck}_discard", deck) for deck in _DECKS}

    def _of_deck(self, name: str, deck: str) -> tuple[str, ...]:
        letters = {"talent": "T", "action": "A", "grassroots": "GLR", "constituencies": "K"}[deck]
        return self._cards(self.decks.get(name, []), f"decks.{name}", letters)

    def claimed(self) -> frozenset[str]:
        """Every card the scenario has put somewhere outside the draw decks; none may be in two
        places."""
        places: list[tuple[str, ...]] = [
            *self.hands().values(),
            self.row() or (),
            self.pool() or (),
        ]
        places += [tuple(item.card for item in self._submitted(seat)) for seat in self.seats]
        places += [*self.discards().values(), *(self._of_deck(deck, deck) for deck in _DECKS)]
        seen: set[str] = set()
        for ids in places:
            twice = seen & set(ids)
            if twice:
                raise ScenarioError(f"private, public.row, decks: {min(twice)} is in two places")
            seen |= set(ids)
        return frozenset(seen - {id for deck in _DECKS for id in self._of_deck(deck, deck)})

    def has_deck(self, name: str) -> bool:
        """Whether the scenario lists this draw deck."""
        return name in self.decks

    def deck(self, name: str, dice: Dice, taken: Collection[str]) -> tuple[str, ...]:
        """A draw deck, top last: as listed, else the shuffled rest."""
        return (
            self._of_deck(name, name)
            if name in self.decks
            else tuple(self.spare(name, dice, taken))
        )

    def spare(self, name: str, dice: Dice, taken: Collection[str]) -> list[str]:
        """The shuffled cards of a deck that are neither taken nor in its listed draw deck."""
        mine = [id for id, text in self.cards.items() if _deck_of(id, text) == name]
        stream = "constituencies" if name == "constituencies" else f"{name}/1"
        left = {*taken, *self._of_deck(name, name)}
        return [id for id in dice.stream(stream).shuffled(mine) if id not in left]

    def with_points(self, state: State) -> State:
        """``points`` without ``bonus``: what seats and NCMPs do not explain is bonus."""
        if "points" not in self.public or "bonus" in self.public:
            return state
        given = self._by_party("points")
        rest = {
            s: self._number(given.get(s, state.points(s)), f"public.points.{s}") - state.points(s)
            for s in self.seats
        }
        return replace(state, bonus=rest)


def _deck_of(id: str, text: str) -> str:
    return "constituencies" if id[0] == "K" else card(id, text).deck
