"""An open table and who signed on."""

from __future__ import annotations

from functools import partial

from pbem.desk import times
from pbem.desk.asked import Asked, NotThere, Page
from pbem.periods import open_tables as tables
from pbem.referee.gamesmaster import table_text, waits
from pbem.referee.gamesmaster.waits import Thing
from pbem.store.joining import open_tables
from pbem.store.joining.open_tables import ApplicantRow
from pbem.store.people import player_records
from pbem.store.schema.tables import OpenTable


def page(asked: Asked) -> Page:
    row = OpenTable.one(asked.work.conn, id=asked.path["table"])
    if row is None or not (asked.sight.owner or row.gamesmaster == asked.who):
        raise NotThere("There is no such table.")
    there = open_tables.applicants(asked.work.conn, row.id) if row.is_open else []
    seated, queue = tables.seats_of(row, there)
    own = partial(times.moment, zone=row.plan["game"]["zone"], now=asked.work.now)

    def came(one: ApplicantRow) -> Thing:
        known = player_records.tally(asked.work.conn, one.player_id) if one.player_id else None
        word = tables.waits_for_word(row, one)
        facts = {
            "came": own(one.came),
            "until": own(one.until) if one.until else None,
            "seat": seated.index(one) + 1 if one in seated else 0,
            "queue": queue.index(one) + 1 if one in queue else 0,
            "waits": word,
            "record": known,
        }
        ways = waits.newcomer_ways(row.id, one.id)
        ways = ways if word else ways[1:] if row.is_open else ()
        return Thing("newcomer", str(one.id), one, ways=ways, facts=facts)

    facts = {
        "table": row,
        "told": tables.facts(asked.work, row),
        "there": [came(one) for one in there],
        "alike": table_text.alike(there),
        "starts": own(row.starts) if row.starts else None,
        "closes": own(row.closes) if row.closes else None,
        "opened": own(row.opened),
        "house": tables.house_of(row),
    }
    return Page("table.html.j2", f"The table {row.id}", facts)
