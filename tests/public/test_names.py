"""Nothing that a release promised goes away: `docs/public.md` says what that is."""

import json
from functools import cache
from pathlib import Path

import pytest

from tests.docs.documents import ROOT
from tests.public import names

PROMISED: names.Names = json.loads(
    (Path(__file__).parent / "names.json").read_text(encoding="utf-8")
)


@cache
def now() -> names.Names:
    return names.names()


@pytest.mark.parametrize("kind", PROMISED)
def test_nothing_that_was_promised_is_gone(kind: str) -> None:
    gone = {
        owner: missing
        for owner, promised in PROMISED[kind].items()
        if (missing := sorted(set(promised) - set(now()[kind].get(owner, ()))))
        or owner not in now()[kind]
    }
    assert not gone, f"docs/public.md promises {kind} that are gone: {gone}"


def test_arguments_stand_where_they_stood() -> None:
    """A new one may follow; an option may come anywhere."""
    for command, promised in PROMISED["commands"].items():
        before, after = (
            [one for one in words if not one.startswith("-")]
            for words in (promised, now()["commands"].get(command, []))
        )
        assert after[: len(before)] == before, command


def test_everything_is_promised_from_the_next_release_on() -> None:
    """The page says which kinds there are."""
    assert PROMISED.keys() == now().keys()
    page = (ROOT / "docs" / "public.md").read_text(encoding="utf-8")
    for kind in PROMISED:
        assert f"| {kind} |" in page, kind
