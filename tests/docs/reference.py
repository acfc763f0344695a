"""The lists in docs/commands.md, made of the commands and of the table of acts.

``python -m tests.docs.reference`` writes them into the document.
"""

import re
import textwrap
from collections.abc import Iterator

import click

from pbem.acts.acts import ACTS, BY_MAIL
from pbem.cli import main
from tests.docs.documents import ROOT

DOCUMENT = ROOT / "docs" / "commands.md"
BEGIN = "<!-- begin: made by `python -m tests.docs.reference` -->"
END = "<!-- end -->"


def every(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield each command, by its words behind `pbem`."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from every(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def made() -> str:
    """Return the commands that are no acts, then the acts."""
    acts = {act.name: act for act in (*ACTS, *BY_MAIL.values())}
    lines = [""]
    for name, command in every(main):
        if name not in acts:
            usage = " ".join(command.collect_usage_pieces(click.Context(command))[1:])
            help = re.split("[.:;]", " ".join((command.help or "").split()))[0]
            lines += textwrap.wrap(
                f"- `{f'pbem {name} {usage}'.strip()}`: {help}", 118, subsequent_indent="  "
            )
    lines += ["", "| act | by mail | what it does |", "|---|---|---|"]
    for name, act in sorted(acts.items()):
        mail = f"`{act.shown}`{'' if act.code else ' (no code)'}" if act.by_mail else ""
        lines.append(f"| `{name}` | {mail} | {act.help.partition('.')[0]} |")
    return "\n".join([*lines, "", ""])


def parts() -> tuple[str, str, str]:
    """Return the document up to the lists, the lists, and what follows them."""
    head, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(f"{BEGIN}\n")
    lists, _, tail = rest.partition(END)
    return head, lists, tail


def write() -> None:
    head, _, tail = parts()
    DOCUMENT.write_text(f"{head}{BEGIN}\n{made()}{END}{tail}", encoding="utf-8")


if __name__ == "__main__":
    write()
