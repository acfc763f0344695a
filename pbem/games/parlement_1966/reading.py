"""What rules make besides orders of their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from pbem.games.frame.ruleset import Rulebook
from pbem.games.parlement_1966 import names
from pbem.games.parlement_1966.names import OFFICES
from pbem.games.parlement_1966.orders import ORDERS, Amend, Prefer, Resign, Support
from pbem.orders.declared import Reader
from pbem.orders.ifs import Ifs
from pbem.orders.language import Language

_BILL_NAME = re.compile(r"^BILL_NAME\b.*$", re.MULTILINE)


def _offices(*words: str) -> tuple[tuple[str, str], ...]:
    """Read (office, party), known offices first and in order."""
    rank = {office: at for at, office in enumerate(OFFICES)}
    pairs = zip(words[::2], words[1::2], strict=True)
    return tuple(sorted(pairs, key=lambda pair: rank.get(pair[0], len(OFFICES))))


def _support(form: str, premier: str, offices: Any, bill: Any, instead: Any) -> Support:
    listed = offices or ()
    if premier and listed and "premier" not in dict(listed):
        listed = (("premier", premier), *listed)
    return Support(form, premier or dict(listed).get("premier", ""), listed, bill, instead)


def _parties(*named: str) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(named))
    return () if found == ("NONE",) else found


def _words(bills: dict[str, int]) -> dict[str, Callable[..., Any]]:
    return {
        "party": names.party,
        "office": names.office,
        "ballot": names.vote,
        "named": lambda name: bills[" ".join(name.casefold().split())],
        "offices": _offices,
        "parties": _parties,
        "government": partial(_support, "government", ""),
        "join": lambda premier, bill, instead: Support("join", premier, (), bill, instead),
        "endorse": partial(_support, "endorse"),
        "endorse_list": partial(_support, "endorse", ""),
        "withdraw": lambda instead: Support("withdraw", "", instead=instead),
        "resign": lambda what: Resign("NEW" if what == "NEW" else what or ""),
        "prefer": Prefer,
        "amend": lambda text: Amend(" ".join(text[1:-1].split())),
    }


def _named(grammar: str, bills: Iterable[str]) -> str:
    ranked = sorted(bills, key=lambda name: (-len(name), name)) or ["no bill has a name"]
    found = "|".join(" +".join(map(re.escape, name.split())) for name in ranked)
    terminal = f"BILL_NAME.3: /({found.replace('/', '[/]')})(?![\\w-])/i"
    return _BILL_NAME.sub(lambda _: terminal, grammar)


_LASTING = "a standing vote can be left on file, as in: STANDING VOTE 4 YES"
_LABELS = {
    "THOUSANDS": "a number",
    "_TOTAL": "",
    "BILL_NAME": "the name of a bill",
    **dict.fromkeys(("VOTE.WORD", "STANDING.WORD"), "YES, NO, ABSTAIN"),
    **dict.fromkeys(("ACCEPT.WORD", "RESIGN.WORD"), "an office"),
    **{f"{word}.WORD": "a party" for word in ("JOIN", "PAY", "CHEQUE", "BLOC", "PREFER")},
}


def language(book: Rulebook) -> Language:
    """Return the order language; the tables name the bills."""
    bills = names.bill_names(
        {int(n): row["name"] for n, row in book.tables["bills"].items() if row.get("name")}
    )
    return Language(
        _named(book.grammar, bills),
        book.terminals,
        partial(Reader, ORDERS, **_words(bills)),
        _LABELS,
        names=(*names.PARTY_NAMES, *names.OFFICE_NAMES, *bills, "NEW"),
        numbers=("INT", "THOUSANDS"),
        ifs=Ifs((), "16", f"by house rule 5 nothing is conditional; {_LASTING}"),
    )
