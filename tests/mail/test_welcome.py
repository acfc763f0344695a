"""The welcome: one mail that has all that a newcomer needs for his first order."""

from datetime import timedelta
from pathlib import Path
from statistics import median

from pbem.games.frame.adjudication import take
from pbem.house import templates
from pbem.pages.plain import plain
from pbem.periods import own_page
from tests.installation import Installation, text_of
from tests.omission import flat, leaves, read, stands
from tests.parsed import attached

MOST = {"parlement-1968": 500}
"""Words of a welcome; it has an election and a cabinet to explain."""


LATER = {"standing_asked", "money.entries", "trails", "cards.*.reach.state"}
"""What the first notice has in full, and HISTORY 0 brings: no hand, no purse, no throw."""


def ready(text: str) -> list[str]:
    """The orders that the welcome prints ready to be sent."""
    _, _, rest = text.partition("You could send:")
    lines = [line.strip() for line in rest.partition("\n\n")[0].split("\n")]
    return [line.partition("] ")[2].partition("  # ")[0] for line in lines if line.startswith("[")]


def test_the_welcome_is_one_mail_with_all_that_is_asked(key: str, tmp_path: Path) -> None:
    with Installation(tmp_path, key) as at:
        at.start()
        table, facts, words = at.table(), read()[key], []
        for seat in at.seats:
            mails = at.mails(seat)
            assert len(mails) == 1, [str(one["Subject"]) for one in mails]
            text, said = text_of(mails[0]), flat(text_of(mails[0]))
            words.append(len(text.split()))
            page = own_page.words(table, seat, {}, form=False)
            for fact in (*page["owes"], *page["silence"]):
                assert flat(fact) in said
            if table.period.due:
                assert flat(own_page.moment_text(table, table.period.due)) in said
                early = table.period.due - timedelta(hours=1, minutes=26)
                clock = f"{early.astimezone(table.zone):%H:%M}"
                assert f" {clock} " in own_page.moment_text(table, early)  # not the house's hour
            public = set(leaves(at.view()))
            for name, value in leaves(at.view(seat)):
                if name in {*facts.own} - LATER and (name, value) not in public:
                    assert stands(value, said), f"{seat}: {name} {value!r}"
            orders = ready(text)
            assert 1 <= len(orders) <= 2, seat
            for order in orders:
                tried = take(table.ruleset, table.state, seat, order, {})
                assert tried.standing and not tried.problems, f"{seat}: {order}"
            everything = attached(mails[0])
            house = everything.partition("THE HOUSE RULES OF THIS GAME")[2]
            assert "Deadlines" in house and "tables.txt" in text
            values = table.ruleset.tables_at(table.state)
            for name in templates.tables(key):
                assert flat(plain(templates.table(key, name, values))) in flat(everything)
            at.write(seat, text)
        assert median(words) <= MOST.get(key, 450), words
        at.once()
        assert [at.standing(seat) for seat in at.seats] == [[] for _ in at.seats]
