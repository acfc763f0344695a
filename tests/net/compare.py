"""Compare what the program does with what was recorded of it.

A record is a name (``legislation/07``) and a JSON document. A kind of records is a module of this
package with ``GROUPS`` and ``observe(group)``, which yields a group's records. The recordings are
``recorded/<kind>/<group>.json.xz``. Records whose name ends with ``words`` are shown, not compared.

``allowed/part-N.toml`` lists what a part of the work changes on purpose::

    [[allowed]]
    where = "games/legislation/*/events/*/data/tokens"   # kind/record/path; * matches any text
    old = 2                     # optional: only this value ...
    new = 3                     # ... or only to this one
    without = "-?[0-9]+ days"   # optional: only if the texts are the same without its matches
    reason = "why"
"""

import importlib
import json
import lzma
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from fnmatch import translate
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol, cast

Json = Any
KINDS = tuple(
    kind
    for kind in ("games", "letters", "databases")
    if (Path(__file__).parent / f"{kind}.py").exists()
)
WORDS = " words"
"""Ends the name of a record that is shown, never compared."""
RECORDED = Path(__file__).parent / "recorded"
ALLOWED = Path(__file__).parent / "allowed"


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()
"""Stands for a value that one side lacks."""


class Kind(Protocol):
    """A module that observes the program."""

    GROUPS: tuple[str, ...]

    @staticmethod
    def observe(group: str, *parts: tuple[int, ...]) -> Iterator[tuple[str, Json]]: ...


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not as recorded; ``path`` begins with kind and record."""

    path: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{self.path}\n  - {_short(self.old)}\n  + {_short(self.new)}"


@dataclass(frozen=True, eq=False)
class Allowance:
    """A change made on purpose."""

    part: str
    where: str
    reason: str
    old: Any = MISSING
    new: Any = MISSING
    without: str | None = None

    @cached_property
    def _where(self) -> re.Pattern[str]:
        return re.compile(translate(self.where))

    def allows(self, one: Difference) -> bool:
        return (
            self._where.match(one.path) is not None
            and self.old in (MISSING, one.old)
            and self.new in (MISSING, one.new)
            and (self.without is None or self._plain(one.old) == self._plain(one.new))
        )

    def _plain(self, value: Any) -> str:
        return re.sub(self.without or "", "", "" if value is MISSING else str(value))


@dataclass(frozen=True, slots=True)
class Found:
    """What a comparison found: faults, allowances used, words that changed."""

    faults: tuple[Difference, ...]
    used: frozenset[Allowance]
    words: tuple[Difference, ...]


def kind_of(kind: str) -> Kind:
    return cast(Kind, importlib.import_module(f"tests.net.{kind}"))


def groups(kinds: tuple[str, ...] = KINDS) -> list[tuple[str, str]]:
    return [(kind, group) for kind in kinds for group in kind_of(kind).GROUPS]


def record(kind: str, group: str) -> int:
    """Write a group's recording. Return its size in bytes."""
    file = _file(kind, group)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(packed(dict(kind_of(kind).observe(group))))
    return file.stat().st_size


@lru_cache
def compare(kind: str, group: str, *parts: tuple[int, ...]) -> Found:
    """Observe a group, or parts of its games, and compare it with its recording."""
    recorded = unpacked(_file(kind, group))
    seen = json.loads(json.dumps(dict(kind_of(kind).observe(group, *parts))))
    if parts:
        recorded = {name: recorded[name] for name in seen}
    faults: list[Difference] = []
    words: list[Difference] = []
    used: set[Allowance] = set()
    for one in differences(recorded, seen, kind):
        allowing = next((each for each in allowances() if each.allows(one)), None)
        if _is_words(one.path, kind, {*recorded, *seen}):
            words.append(one)
        elif allowing:
            used.add(allowing)
        else:
            faults.append(one)
    return Found(tuple(faults), frozenset(used), tuple(words))


def stale(kind: str) -> list[Allowance]:
    """Return the allowances for a kind that match no difference of any of its groups."""
    used = {one for group in kind_of(kind).GROUPS for one in compare(kind, group).used}
    return [one for one in allowances() if one.where.split("/")[0] == kind and one not in used]


@lru_cache
def allowances() -> tuple[Allowance, ...]:
    """Read ``allowed/``. Raise AssertionError if an entry names no kind or gives no reason."""
    given = [
        Allowance(file.stem, **entry)
        for file in sorted(ALLOWED.glob("part-*.toml"))
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["allowed"]
    ]
    for one in given:
        assert one.where.split("/")[0] in KINDS, f"{one.part}: {one.where} begins with no kind"
        assert one.reason, f"{one.part}: {one.where} has no reason"
    return tuple(given)


def differences(recorded: Json, seen: Json, path: str) -> Iterator[Difference]:
    """Yield the fields that differ. Values put into a list, or gone from it, are found as such."""
    if _spelt(recorded) == _spelt(seen):  # True is not 1
        return
    if isinstance(recorded, dict) and isinstance(seen, dict):
        for key in [*recorded, *(key for key in seen if key not in recorded)]:
            old, new = recorded.get(key, MISSING), seen.get(key, MISSING)
            yield from differences(old, new, f"{path}/{key}")
    elif isinstance(recorded, list) and isinstance(seen, list):
        yield from _of_lists(recorded, seen, path)
    else:
        yield Difference(path, recorded, seen)


def _of_lists(old: list[Json], new: list[Json], path: str) -> Iterator[Difference]:
    if len(old) == len(new):
        pairs: list[tuple[int, Any, Any]] = [
            (n, one, other) for n, (one, other) in enumerate(zip(old, new, strict=True))
        ]
    else:
        spelt = [[_spelt(one) for one in each] for each in (old, new)]
        pairs = []
        for _, a, b, c, d in SequenceMatcher(None, *spelt, autojunk=False).get_opcodes():
            for n in range(max(b - a, d - c)):
                one = old[a + n] if a + n < b else MISSING
                other = new[c + n] if c + n < d else MISSING
                pairs.append((a + n, one, other))
    for n, one, other in pairs:
        yield from differences(one, other, f"{path}/{n}")


def _spelt(value: Any) -> str:
    return repr(value) if value is MISSING else json.dumps(value, sort_keys=True)


def packed(document: Json) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpacked(file: Path) -> dict[str, Json]:
    assert file.exists(), f"{file} is missing: python -m tests.net record"
    found: Mapping[str, Json] = json.loads(lzma.decompress(file.read_bytes()))
    return dict(found)


def _file(kind: str, group: str) -> Path:
    return RECORDED / kind / f"{group}.json.xz"


def _is_words(path: str, kind: str, names: set[str]) -> bool:
    rest = path.removeprefix(f"{kind}/")
    return any(
        name.endswith(WORDS) and (rest == name or rest.startswith(f"{name}/")) for name in names
    )


def _short(value: Any) -> str:
    text = repr(value) if value is MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else f"{text[:400]} ... ({len(text)} characters)"
