"""Resolve words to keys of the tables.

Reading spells exact names canonically; ``check`` also takes unique prefixes, or refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from pbem.games.parlement_1968.tables import Tables
from pbem.orders.language import resolve
from pbem.orders.order import Problem
from pbem.text import wrap

_KINDS = {
    "party": ("E_PLAYER", 'There is no player "{}" in this game.'),
    "region": ("E_REGION", 'There is no region "{}".'),
    "bloc": ("E_BLOC", 'There is no bloc "{}".'),
    "office": ("E_OFFICE", 'There is no office "{}".'),
    "item": ("E_ITEM", 'There is no budget item "{}".'),
    "district": ("E_DISTRICT", 'There is no district "{}".'),
}
_NOTE = 70
"""Columns."""


@dataclass(frozen=True)
class Names:
    """The names in one set of tables."""

    tables: Tables

    @cached_property
    def _known(self) -> Mapping[str, Mapping[str, str]]:
        t = self.tables
        return {
            "party": _with_names(t.parties),
            "region": {
                **{letter: key for key, letter in t.letters.items()},
                **_with_names(t.regions),
            },
            "bloc": _with_names(t.blocs),
            "office": _with_names({key: office.name for key, office in t.offices.items()}),
            "item": _with_names({key: item.name for key, item in t.items.items()}),
            "district": {district: district for district in t.districts},
        }

    @cached_property
    def all(self) -> frozenset[str]:
        """Every name in every spelling."""
        return frozenset(name for known in self._known.values() for name in known)

    @cached_property
    def _keys(self) -> Mapping[str, Mapping[str, str]]:
        return {kind: {key: key for key in known.values()} for kind, known in self._known.items()}

    @cached_property
    def _exact(self) -> Mapping[str, Mapping[str, str]]:
        return {
            kind: {
                spelling: key for name, key in known.items() for spelling in _spellings(kind, name)
            }
            for kind, known in self._known.items()
        }

    def spelt(self, kind: str, word: str) -> str:
        """Return the key of an exact name, else the word."""
        return self._exact[kind].get(word.casefold(), word)

    def find(self, kind: str, word: str) -> str | Problem:
        exact = self._exact[kind].get(word.casefold())
        if exact is not None:
            return exact
        for known in (self._keys[kind], self._known[kind]) if kind != "district" else ():
            found = resolve(word, known)
            if found is not None:
                return found
        code, message = _KINDS[kind]
        return Problem(code, message.format(word), notes=self._legal(kind))

    def _legal(self, kind: str) -> tuple[str, ...]:
        t = self.tables
        names = {
            "party": [f"{key} ({name})" for key, name in t.parties.items()],
            "region": [f"{key} ({name})" for key, name in t.regions.items()],
            "bloc": [f"{key} ({name})" for key, name in t.blocs.items()],
            "office": [office.name for office in t.offices.values()],
            "item": [f"{key} ({item.name})" for key, item in t.items.items()],
            "district": [
                f"{(own := t.of_region(region))[0]} to {own[-1]} ({name})"
                for region, name in t.regions.items()
            ],
        }[kind]
        return note(f"there are: {', '.join(names)}")

    def faction(self, word: str) -> str:
        """Spell a faction: "EAS" if own, "Soc-Eas" with its party."""
        party, dash, region = word.partition("-")
        if dash:
            return f"{self.spelt('party', party)}-{self.spelt('region', region)}"
        found = self._exact["region"].get(word.casefold())
        return found.upper() if found else word

    def own_region(self, word: str, seat: str) -> str | Problem:
        """Return an own faction's region: EAS, E, East or Soc-Eas."""
        party, dash, region = word.partition("-")
        if dash and self.spelt("party", party) != seat:
            return Problem("E_FACTION", f'"{word}" is not a faction of yours.', "1.6")
        return self.find("region", region if dash else word)

    def full_faction(self, word: str) -> str | Problem:
        party, dash, region = word.partition("-")
        if not dash:
            return Problem(
                "E_FACTION",
                f'"{word}" is not a faction: write party and region, as Soc-Cap.',
                "1.4",
            )
        found, place = self.find("party", party), self.find("region", region)
        if isinstance(found, Problem):
            return found
        return place if isinstance(place, Problem) else f"{found}-{place}"

    def candidate(self, word: str) -> str:
        """Spell a candidate: "Ctr", "IND-W"."""
        head, dash, bloc = word.partition("-")
        if dash and head.casefold() in ("ind", "independent"):
            return f"IND-{self.spelt('bloc', bloc).upper()}"
        return self.spelt("party", word)

    def find_candidate(self, word: str) -> str | Problem:
        head, dash, bloc = word.partition("-")
        if dash and head.casefold() in ("ind", "independent"):
            found = self.find("bloc", bloc)
            return found if isinstance(found, Problem) else f"Ind-{found}"
        return self.find("party", word)


def _spellings(kind: str, name: str) -> list[str]:
    """Return the spellings, folded, with a party's members and British forms."""
    folded = name.casefold()
    ways = [folded, f"{folded}s"] if kind == "party" else [folded]
    british = [way.replace("center", "centre").replace("defense", "defence") for way in ways]
    return list(dict.fromkeys((*ways, *british)))


def note(text: str) -> tuple[str, ...]:
    """Wrap a note to a receipt's width."""
    return tuple(wrap(text, 0, _NOTE).split("\n"))


def _with_names(names: Mapping[str, str]) -> dict[str, str]:
    return {**{name: key for key, name in names.items()}, **{key: key for key in names}}
