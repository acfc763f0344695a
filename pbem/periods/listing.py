"""How open tables are told of in lists, each in few words."""

from collections.abc import Iterator, Sequence

from pbem.games.frame.options import timing
from pbem.house import shelf
from pbem.pages import sheet
from pbem.pages.html import Links
from pbem.periods import open_tables as tables
from pbem.periods.open_tables import Facts
from pbem.post.work import Work
from pbem.store.schema.tables import OpenTable
from pbem.text import counted, listed

MOST_WORDS = 60
"""Of a table in a list."""
_FOR_DIFFERENCES = 5
"""For what differs."""


def entry(known: Facts, table: OpenTable) -> str:
    """Return a table in :data:`MOST_WORDS`; names and differences may be left out."""
    head = f"{known.id}: {known.title}. {known.words}".strip()
    lasts = f", a game {known.lasts}" if known.lasts else ""
    asks, starts = "".join(_asks(table)), _starts(known, table)
    room = MOST_WORDS - len(f"{head} {known.pace}{lasts}. {asks}{starts}".split())
    there = _there(known, max(room - _FOR_DIFFERENCES * bool(differences(table)), 0))
    differs = _differing(table, room - len(there.split()))
    return f"{head} {known.pace}{lasts}. {there} {asks}{starts}{differs}"


def link(work: Work, table: OpenTable) -> str:
    said = f"I would like to join {table.id}"
    return sheet.answer_line(said, Links(work.mark.address, "A seat, please").line(said))


def offered(work: Work, listed_: Sequence[OpenTable]) -> Iterator[str]:
    for table in listed_:
        yield entry(tables.facts(work, table), table)
        yield link(work, table)


def _there(known: Facts, room: int) -> str:
    if not known.joined:
        return f"None of {known.places} players is there yet."
    many = f"{known.joined} of {known.places} {'is' if known.joined == 1 else 'are'} there"
    for names in range(len(known.names), 0, -1):
        more = len(known.names) - names
        said = listed([*known.names[:names], *([f"{more} more"] if more else [])])
        if len(f"{many} {said}".split()) <= room:
            return f"{many}: {said}."
    return f"{many}."


def _starts(known: Facts, table: OpenTable) -> str:
    starts = f" on {known.starts.partition(',')[0]}" if known.starts else ""
    if known.joined >= known.places:
        first = f"It is full and starts{starts or ' soon'}; you would be on the waiting list"
    else:
        first = f"It starts{starts}, if full" if starts else "It starts when full"
    closes = known.closes.partition(",")[0].partition(" ")[2]
    open_until = f"; open until {closes}" if closes and not known.starts else ""
    return f"{first}{open_until}."


def _asks(table: OpenTable) -> Iterator[str]:
    if table.reliability:
        yield f"For players who make {table.reliability} % of their moves. "
    if table.bots == 1:
        yield "A house bot may play one empty seat. "
    elif table.bots:
        yield f"House bots may play {table.bots} empty seats. "
    if table.approve:
        yield "Its gamesmaster takes the players. "


def differences(table: OpenTable) -> list[str]:
    """Return how a table differs from the usual, without times."""
    about = shelf.open_ruleset(table.ruleset, table.plan["game"]["tables"]).about
    of_time = {one.name for one in timing(1)}
    given = table.plan["game"]["options"]
    changed = ((one, given.get(one.name, one.default)) for one in about.options)
    return [
        f"{one.about}: {value}"
        for one, value in changed
        if value != one.default and one.name not in of_time
    ]


def _differing(table: OpenTable, room: int) -> str:
    found = differences(table)
    for many in range(len(found), -1, -1):
        more = len(found) - many
        left = f"{counted(more, 'other rule')} than usual" if more else ""
        said = "; ".join(filter(None, [*found[:many], left]))
        if said and (len(said.split()) + 1 <= room or not many):
            return f" Otherwise: {said}."
    return ""


def pass_on(work: Work, known: Facts) -> str:
    return sheet.fenced(tables.said("friend", known, work.mark.address))
