"""The lists of docs/commands.md are what the program says."""

from tests.docs import reference


def test_the_lists_are_what_the_commands_make() -> None:
    assert reference.parts()[1] == reference.made(), "make it again: python -m tests.docs.reference"
