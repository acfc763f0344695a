"""What a page of the desk is asked with, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from pbem.errors import OperatorError
from pbem.orders.spelling import is_count
from pbem.post.work import Work
from pbem.referee.gamesmaster.sight import Sight

Given = ImmutableMultiDict[str, str]


class NotThere(OperatorError):
    """There is no such page, or it is not his to see."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request in a session."""

    work: Work
    who: str
    """The address to which the link was mailed; "" for the owner of the shell."""
    sight: Sight
    """What this person may see."""
    path: Mapping[str, str]
    """What the URL names."""
    given: Given
    """The query, or the fields of a form."""
    sign: Callable[[str], str]
    """Makes the mark of a form of this session, given what the form is for."""
    root: str = ""
    """The path at which a proxy has the desk."""
    at: str = ""
    """The page's own path with its query, below ``root``."""

    def number(self, name: str, otherwise: int = 0) -> int:
        """Return a number of the query, ``otherwise`` where it says none. Raise NotThere if it is
        no number that anything of ours can have."""
        written = self.given.get(name, "") or str(otherwise)
        if not is_count(written):
            raise NotThere("There is no such page.")
        return int(written)

    def url(self, path: str) -> str:
        """Return the address of a page of the desk, by its path."""
        return f"{self.root}{path}"

    @property
    def csrf(self) -> str:
        """What every form of this session carries."""
        return self.sign("csrf")


@dataclass(frozen=True, slots=True)
class Page:
    """What a page is made of: its template in ``_shared/desk``, its title and the facts."""

    template: str
    title: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    status: int = 200


@dataclass(frozen=True, slots=True)
class Raw:
    """What is no page of ours: a picture, or what somebody else wrote, which runs nothing by its
    own ``policy``."""

    body: bytes
    media_type: str
    policy: str = "default-src 'none'; frame-ancestors 'self'; sandbox"


@dataclass(frozen=True, slots=True)
class Led:
    """An answer that leads to another page of the desk, which the browser opens by itself."""

    to: str
    """Below the proxy's path."""


Answer = Page | Raw | Led
