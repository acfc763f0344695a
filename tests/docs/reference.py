"""The reference of docs/scenarios.md, made of each game's fields.

``python -m tests.docs.reference`` writes it into the document.
"""

from __future__ import annotations

import importlib
import textwrap

from pbem.games import GAMES
from pbem.games.frame import scenario
from pbem.house import shelf
from tests.docs.documents import ROOT

DOCUMENT = ROOT / "docs" / "scenarios.md"
BEGIN = "<!-- begin: made by `python -m tests.docs.reference` -->"
END = "<!-- end -->"


def made() -> str:
    """The reference of all games."""
    lines: list[str] = []
    for key, package in GAMES.items():
        fields = importlib.import_module(f"{package}.scenario")
        lines += ["", f"### {shelf.open_ruleset(key).about.title} (`{key}`)", ""]
        for entry in (
            *scenario.reference(fields.Scenario),
            *scenario.reference(fields.Tables, "tables"),
        ):
            lines += textwrap.wrap(
                f"- {entry}",
                118,
                subsequent_indent="  ",
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join([*lines, ""])


def written(text: str) -> str:
    """What stands between the two marks of a text."""
    return text.partition(f"{BEGIN}\n")[2].partition(f"\n{END}")[0]


def main() -> None:
    """Write the reference into the document."""
    text = DOCUMENT.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2]
    DOCUMENT.write_text(f"{head}{BEGIN}\n{made()}\n{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
