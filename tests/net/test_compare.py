"""The comparer itself: it finds what differs, and nothing is allowed that is not listed."""

import pytest

from tests.net.compare import MISSING, Allowance, Difference, differences

OLD = {"a": [1, {"b": "x"}, 3], "c": True}


@pytest.mark.parametrize(
    "seen, found",
    [
        ({"a": [1, {"b": "x"}, 3], "c": True}, []),
        ({"a": [1, {"b": "y"}, 3], "c": True}, [("n/a/1/b", "x", "y")]),
        ({"a": [0, 1, {"b": "x"}, 3], "c": True}, [("n/a/0", MISSING, 0)]),
        ({"a": [1, 3], "c": True}, [("n/a/1", {"b": "x"}, MISSING)]),
        ({"a": [1, {"b": "x"}, 3], "c": 1}, [("n/c", True, 1)]),
        ({"a": [1, {"b": "x"}, 3], "d": 0}, [("n/c", True, MISSING), ("n/d", MISSING, 0)]),
    ],
)
def test_each_field_that_differs_is_found(seen: object, found: list[object]) -> None:
    got = [(one.path, one.old, one.new) for one in differences(OLD, seen, "n")]
    assert got == found


@pytest.mark.parametrize(
    "entry, allows",
    [
        ({"where": "games/x/*/days"}, True),
        ({"where": "games/y/*/days"}, False),
        ({"where": "games/x/*/days", "old": "in 3 days"}, True),
        ({"where": "games/x/*/days", "old": "in 2 days"}, False),
        ({"where": "games/x/*/days", "new": "in 2 days"}, False),
        ({"where": "games/x/*/days", "without": "[0-9]+"}, True),
        ({"where": "games/x/*/days", "without": "days"}, False),
    ],
)
def test_an_allowance_allows_what_it_says(entry: dict[str, str], allows: bool) -> None:
    one = Difference("games/x/07/events/3/days", "in 3 days", "in 4 days")
    assert Allowance("part-2", reason="tested", **entry).allows(one) is allows
