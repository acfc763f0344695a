"""The reference of docs/scenarios.md says what the games' readers want."""

from __future__ import annotations

from tests.docs import reference


def test_the_reference_is_what_the_fields_make() -> None:
    written = reference.written(reference.DOCUMENT.read_text(encoding="utf-8"))
    assert written == reference.made(), "write it anew: python -m tests.docs.reference"
