"""The documents, and what is in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: the word behind its opening fence, and its lines."""

    kind: str
    text: str


def blocks(path: Path) -> Iterator[Block]:
    text = path.read_text(encoding="utf-8")
    for found in re.finditer(r"(?ms)^( *)```(\w*)\n(.*?)^\1```$", text):
        yield Block(found[2], found[3])


def logical_lines(text: str) -> list[str]:
    """Lines, those that end in a backslash joined with the next."""
    return [line for line in re.sub(r"\\\n\s*", " ", text).splitlines() if line.strip()]
