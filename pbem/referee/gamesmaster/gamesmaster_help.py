"""The gamesmaster's HELP by mail."""

from __future__ import annotations

from pbem.acts.act import Act
from pbem.acts.acts import BY_MAIL, FAMILIES
from pbem.text import listed

_COLUMN = 34
_BELOW = (
    "shows first what it would change. Below it, without an empty line between, stands what is to"
    " be put right in that period: a line\u00a0ACCEPT 17 for a letter that was held or late and"
    " counts after all, a line\u00a0DROP 12 for a letter that counts no longer, a line\u00a0ORDER"
    " and a seat, and below that orders for it."
)


_SETTINGS = (
    "has settings behind it, or on lines below it without an empty one between, each by its name:"
)


def _settings(act: Act) -> str:
    below = enumerate(act.below.items(), 1)
    lines = [f"  {f'[{n}]':<6}{name:<12} {one.help}" for n, (name, one) in below]
    return "\n".join((f"The command {act.word} {_SETTINGS}", "", *lines))


def _entry(number: int, act: Act) -> str:
    """Return a word's syntax and meaning. No word begins a line: quoted, it would be a command."""
    mark = f"[{number}]{'' if act.code else '*'}"
    head = f"  {mark:<6}{act.shown}"
    between = " " if len(head) < _COLUMN else f"\n{'':{_COLUMN}}"
    return f"{head:<{_COLUMN - 1}}{between}{act.title}"


def _help() -> str:
    numbers = {word: number for number, word in enumerate(BY_MAIL, 1)}
    timeless = sorted(act.word for act in BY_MAIL.values() if act.timeless)
    parts = [
        "Your commands, each on a line of its own below the lines GAME\u00a0key and PERIOD\u00a0n."
        " Those on letters, mails, addresses and open tables need neither, nor"
        f" does\u00a0RESUME\u00a0ALL; no PERIOD is needed by\u00a0{listed(timeless)}.",
        *(
            "\n".join((title.upper(), *(_entry(numbers[one.word], one) for one in by_mail)))
            for title, acts in FAMILIES.values()
            if (by_mail := [one for one in acts if one.by_mail])
        ),
        "Those with a star are done at once, all others once you send back the code that they are"
        " answered with.",
        *(
            _settings(act) if act.settings else f"The command {act.word} {_BELOW}"
            for act in BY_MAIL.values()
            if act.goes_on
        ),
    ]
    return "\n\n".join(parts)


HELP = _help()
