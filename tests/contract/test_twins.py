"""Nobody learns what only another may know: games that differ in another's secrets are told alike.

Each game's ``secrets.py`` gives ``twin(state, seat, chance)``, a position that differs only in what
the seat may not know (or ``NONE``, if its positions hide nothing), and ``ahead(state, seat)``, lines of orders for a later phase, which only go
on file.
"""

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from pbem.games.frame.adjudication import play_period, take
from pbem.games.frame.dice import Dice
from pbem.games.frame.events import PUBLIC, Event
from pbem.games.frame.ruleset import Ruleset
from pbem.house import shelf, templates
from pbem.pages import bulletin, picture
from tests.bots import Turn, bot_game, nonsense
from tests.installation import Installation, text_of
from tests.keys import GAME_TESTS, KEYS, module

GAMES_PLAYED = 6  # fewer have no orders ahead of their phase in every game


def test_nobody_learns_what_only_another_may_know(key: str) -> None:
    """A state that differs only in what a seat may not know gives it equal views and replies."""
    ruleset, secrets = shelf.open_ruleset(key), module(GAME_TESTS / key / "secrets.py")
    if hasattr(secrets, "NONE"):
        _hides_nothing(ruleset)
        return
    twin = secrets.twin
    chance, differed = Dice("twins", key).stream("twins"), 0
    for seed in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, seed):
            for seat, letter in turn.letters.items():
                other = twin(turn.before, seat, chance)
                differed += other != turn.before
                assert ruleset.view(other, None) == ruleset.view(turn.before, None)
                assert ruleset.scores(other) == ruleset.scores(turn.before)
                assert ruleset.view(other, seat) == ruleset.view(turn.before, seat)
                assert take(ruleset, other, seat, letter, {}) == take(
                    ruleset, turn.before, seat, letter, {}
                )
                assert ruleset.due(other, seat, {}) == ruleset.due(turn.before, seat, {})
                assert ruleset.default(other, seat) == ruleset.default(turn.before, seat)
                assert ruleset.asked(other) == ruleset.asked(turn.before), (
                    "what the phase asks is public"
                )
            others = [twin(turn.before, seat, chance) for seat in turn.letters]
            told = {_opening(ruleset, turn, state) for state in _each_once(turn.before, *others)}
            assert len(told) == 1, f"{key}: the public bulletin tells what only some may know"
    assert differed, f"{key}: the twins never differed, so this test proves nothing"


def _hides_nothing(ruleset: Ruleset[Any]) -> None:
    for turn in bot_game(ruleset, 0):
        for seat in turn.letters:
            assert not ruleset.view(turn.before, seat), "the public view must be all there is"


def _each_once(*states: Any) -> list[Any]:
    """Without those that are equal to one before."""
    return [one for n, one in enumerate(states) if one not in states[:n]]


@pytest.mark.parametrize(
    "game", [key for key in KEYS if hasattr(module(GAME_TESTS / key / "secrets.py"), "ahead")]
)
def test_orders_ahead_of_their_phase_are_seen_by_nobody_else(game: str) -> None:
    """With the same letters and one seat's orders for a later phase besides, all the others are
    told the same."""
    ruleset, secrets = shelf.open_ruleset(game), module(GAME_TESTS / game / "secrets.py")
    filed: dict[str, int] = {}
    for seed in range(GAMES_PLAYED):
        for turn in bot_game(ruleset, seed):
            told = Told(ruleset, turn, turn.outcome)
            for seat in sorted(turn.letters):
                if not (lines := secrets.ahead(turn.before, seat)):
                    continue
                text = lines[(turn.number + sorted(turn.letters).index(seat)) % len(lines)]
                more = take(ruleset, turn.before, seat, text, turn.standing[seat])
                assert not more.problems, (seat, text, more.problems)
                orders = {**turn.standing, seat: more.standing}
                other = play_period(ruleset, turn.before, orders, Dice(str(seed), "bots"))
                filed[text.split()[0]] = filed.get(text.split()[0], 0) + (
                    other.state != turn.outcome.state
                )
                _same_for_the_others(told, Told(ruleset, turn, other), seat, text)
    print(f"{game}: orders on file that nobody else saw: {filed}")
    assert filed and all(filed.values()), (
        f"{game}: {filed}: nothing was on file, so this test proves nothing"
    )


class Told:
    """What all are told of a period that came out so; each mail is set once."""

    def __init__(self, ruleset: Ruleset[Any], turn: Turn, outcome: Any) -> None:
        self.ruleset, self.turn, self.outcome = ruleset, turn, outcome
        self._notices: dict[str, str] = {}

    @cached_property
    def _issue(self) -> bulletin.Issue:
        seats, turn = sorted(self.turn.letters), self.turn
        found = self.outcome
        return templates.issue(
            self.ruleset, found.state, seats, turn.number, turn.before.phase, found.events
        )

    @cached_property
    def bulletin(self) -> str:
        return _printed(self._issue)

    def notice(self, seat: str) -> str:
        if seat not in self._notices:
            self._notices[seat] = bulletin.notice(templates.environment(), self._issue, seat)
        return self._notices[seat]


def _same_for_the_others(first: Told, second: Told, author: str, text: str) -> None:
    ruleset, turn, mine, other = first.ruleset, first.turn, first.outcome, second.outcome
    where = f"period {turn.number}, {author} sent besides: {text!r}"
    assert _heard(mine.events, None) == _heard(other.events, None), where
    assert first.bulletin == second.bulletin, where
    assert ruleset.view(mine.state, None) == ruleset.view(other.state, None), where
    assert ruleset.asked(mine.state) == ruleset.asked(other.state), where
    for seat in turn.letters:
        if seat == author:
            continue
        assert _heard(mine.events, seat) == _heard(other.events, seat), (seat, where)
        assert first.notice(seat) == second.notice(seat), (seat, where)
        assert ruleset.view(mine.state, seat) == ruleset.view(other.state, seat), (seat, where)
        assert ruleset.due(mine.state, seat, {}) == ruleset.due(other.state, seat, {}), (
            seat,
            where,
        )


def _heard(events: tuple[Event, ...], seat: str | None) -> list[Event]:
    return [
        e
        for e in events
        if (e.audience == PUBLIC if seat is None else e.audience != PUBLIC and seat in e.audience)
    ]


def _opening(ruleset: Ruleset[Any], turn: Turn, state: Any) -> str:
    """The public bulletin that would announce a position, with what is asked next, and no
    events."""
    issue = templates.issue(
        ruleset, state, sorted(turn.letters), turn.number, turn.before.phase, ()
    )
    return _printed(issue)


def _printed(issue: bulletin.Issue) -> str:
    """A public bulletin with its pictures."""
    env = templates.environment()
    return "\n".join([bulletin.bulletin(env, issue), *picture.svgs(env, issue).values()])


# --- one letter more of another seat changes nothing that a player is sent ------------------------


PERIODS = 3
_OURS = re.compile(r"(?m)^Journal: .*$|^Receipt \d+")


def test_one_letter_more_of_another_seat_changes_no_other_mail(key: str, tmp_path: Path) -> None:
    both = []
    for more in (False, True):
        (folder := tmp_path / str(more)).mkdir()
        both.append(_played(key, folder, more))
    assert both[0].keys() == both[1].keys()
    for who, mails in both[0].items():
        assert mails == both[1][who], who
        assert any("STATUS (game" in mail for mail in mails), who


def _played(key: str, folder: Path, more: bool) -> dict[str, list[str]]:
    """Some periods of bots by mail; the first seat writes more. Gives the texts that each of the
    others received."""
    bot = nonsense(key)
    secrets = module(GAME_TESTS / key / "secrets.py")
    scenario = getattr(secrets, "BY_MAIL", {})
    with Installation(folder, key, options=getattr(bot, "SHORT", {}), scenario=scenario) as at:
        at.start()
        author, *others = at.seats
        for number in range(1, PERIODS + 1):
            if at.table().period.due is None:
                break  # the bots' game was shorter
            chance, public = Dice(str(number), "letters").stream("bots"), at.view()
            letters = {seat: bot.letter(public, at.view(seat), seat, chance) for seat in at.seats}
            at.write(author, letters[author])
            if more:
                at.write(author, letters[author] + "\nSTATUS\n\nNONSENSE 4\n")
            if more and number == PERIODS and hasattr(secrets, "ahead"):
                at.write(author, "\n".join(secrets.ahead(at.table().state, author)) or "PASS")
            for seat in others:
                at.write(seat, letters[seat] + "\n\nSTATUS")
            at.once()
            at.to_deadline()
        return {seat: [_OURS.sub("", text_of(mail)) for mail in at.mails(seat)] for seat in others}
