"""Bots' games try every option at every table: seats and options are drawn apart, and this counts
what comes of it."""

from collections import Counter
from itertools import combinations

from pbem.house import shelf
from tests.bots import bot_of, drawn, values

PLANS = 2_000


def test_bots_know_every_value_of_every_option(key: str) -> None:
    """Every choice and every word; numbers as the bot says. Only options that keep bots' games
    short may leave words out."""
    ruleset = shelf.open_ruleset(key)
    known, short = values(ruleset), getattr(bot_of(ruleset), "SHORT", {})
    assert set(getattr(bot_of(ruleset), "VALUES", {})) <= set(known)
    for option in ruleset.about.options:
        if option.name not in known:
            continue
        wanted = {*option.choices, *(() if option.name in short else option.words)}
        assert wanted <= set(known[option.name]), option.name
        assert option.choices or len(known[option.name]) > 1, (
            f"{option.name} is never tried but at its default"
        )


def test_every_option_is_tried_at_every_table_and_with_every_other(key: str) -> None:
    ruleset = shelf.open_ruleset(key)
    known, short = values(ruleset), getattr(bot_of(ruleset), "SHORT", {})
    plans = [drawn(ruleset, number) for number in range(PLANS)]
    legal = {
        o.name: sorted(
            {str(o.read(value)) for value in (*known[o.name], short.get(o.name, o.default))}
        )
        for o in ruleset.about.options
        if o.name in known
    }
    chosen = [{name: str(options[name]) for name in legal} for _, options in plans]
    at_tables = Counter(
        (len(seats), *pair)
        for (seats, _), one in zip(plans, chosen, strict=True)
        for pair in one.items()
    )
    wanted = [
        (len(t), name, v) for t in ruleset.about.seats for name, them in legal.items() for v in them
    ]
    missing = [one for one in wanted if not at_tables[one]]
    assert not missing, f"never drawn in {PLANS} games: {missing}"
    pairs = {pair for one in chosen for pair in combinations(one.items(), 2)}
    every = {
        ((a, x), (b, y))
        for (a, xs), (b, ys) in combinations(legal.items(), 2)
        for x in xs
        for y in ys
    }
    assert not every - pairs, f"never drawn together in {PLANS} games: {sorted(every - pairs)[:9]}"
    least = min((at_tables[one] for one in wanted), default=0)
    print(
        f"\n{key}: {sum(map(len, legal.values()))} values of {len(legal)} options, {len(wanted)} at"
        f" a table, each drawn {least} times or more; {len(every)} pairs of values"
    )
