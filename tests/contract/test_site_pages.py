"""Each bulletin of whole games is a page that loads fast: under 50 kB without its pictures."""

from itertools import chain
from types import SimpleNamespace

from pbem.house import shelf, templates
from pbem.pages import bulletin, html
from pbem.website import folder
from tests.bots import bot_game

MOST_BYTES = 50_000


def test_no_bulletin_is_a_large_page(key: str) -> None:
    ruleset, env = shelf.open_ruleset(key), templates.environment()
    cite, sizes = folder.citing(shelf.rules(key), f"../../rules/{key}.html"), []
    for turn in chain(bot_game(ruleset, 0), bot_game(ruleset, 1)):
        seats, after = sorted(turn.letters), turn.outcome
        issue = templates.issue(
            ruleset, after.state, seats, turn.number, turn.before.phase, after.events
        )
        around = {"game": SimpleNamespace(id="g"), "before": None, "after": None}
        page = html.site_page(
            env,
            "_shared/website/bulletin.html.j2",
            bulletin.public_sheet(env, issue),
            cite,
            {},
            **around,
            issue=SimpleNamespace(title="Bulletin", published=SimpleNamespace(strftime=str)),
        )
        sizes.append(len(page.encode()))
    print(f"{key}: {len(sizes)} pages, the largest {max(sizes):,} bytes")
    assert max(sizes) < MOST_BYTES
