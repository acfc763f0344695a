"""A table to the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pbem.pages import terminal


def columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table to the terminal, as wide as that is."""
    table = Table(box=None)
    for head in heads:
        table.add_column(Text(terminal.one_line(head)))
    for row in rows:
        table.add_row(*(Text(terminal.one_line(cell)) for cell in row))
    Console().print(table)
