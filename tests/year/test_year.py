"""A short year by mail, and one by shell: every act is done, and both leave the same journal."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.acts.act import Kind
from pbem.acts.acts import ACTS, BY_MAIL
from tests.year.__main__ import STARTS, play
from tests.year.script import NOT_EARLY, Year, mailboxes
from tests.year.world import REFEREE, world

GAME, TURNS = "politics-1935", 7
DONE = {"orders", "command", "dismissed", "late"}
"""What becomes of a letter of the year, by its end."""
TRIED = "rewind-tried"
"""A look, which his mails of the year do not prove him enough for: it is not had by mail."""
REFUSED = {"letter-retried", "letters-accepted", TRIED}
"""What is only tried in it, since no letter fails, and what no letter waits for after the
restore; and a look by mail."""


def played(by: str, left: Path) -> Year:
    with (
        TemporaryDirectory() as folder,
        world(Path(folder), mailboxes(GAME), STARTS) as made,
    ):
        year = Year(made, by, GAME)
        play(year, TURNS, every=1)
        year.leave(left)
        return year


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Year, Year]]:
    """The year by mail and the year by shell, at the same time."""
    with ThreadPoolExecutor() as pool:
        ways = [pool.submit(played, by, tmp_path_factory.mktemp(by)) for by in ("mail", "shell")]
        yield ways[0].result(), ways[1].result()


NEEDED = pytest.mark.needs("dovecot", "postfix", "libfaketime", "mutt", "s-nail", "swaks")


@NEEDED
def test_the_year_begins() -> None:
    with TemporaryDirectory() as folder, world(Path(folder), mailboxes(GAME), STARTS) as made:
        year = Year(made, "shell", GAME)
        year.begin(NOT_EARLY)
        year.play_turn(())
        assert not year.wrong, "\n\n".join(year.wrong)
        assert year.table().period.number == 2


@NEEDED
def test_a_year_by_mail_and_one_by_shell(years: tuple[Year, Year]) -> None:
    # the year is one game, made by hand, whose rules nobody amends
    acts = [act for act in ACTS if not act.has(Kind.TABLE) and act.name != "amended"]
    kinds = {kind for act in acts for kind in act.journal}
    for year in years:
        assert not year.wrong, "\n\n".join(year.wrong)
        assert {kind for _, kind in year.entries} >= kinds - REFUSED
        assert {outcome for sender, outcome in year.letters if sender != REFEREE} <= DONE
        assert "Traceback" not in "\n".join((*year.said, *year.world.told))
    by_mail, by_shell = years
    words = {act.word for act in acts if act.by_mail}
    heard = "\n".join(said for said in by_mail.said if said.startswith(">>>"))
    assert {word for word in BY_MAIL if f"\n{word}" in heard.replace(">>> ", "\n")} >= words
    tried = Counter((game, "look") for game, kind in by_shell.entries if kind == TRIED)
    assert tried
    assert _acts(by_mail, kinds - {TRIED}) == _acts(by_shell, kinds - {TRIED}) - tried


def _acts(year: Year, kinds: set[str]) -> Counter[tuple[str, str]]:
    """How often each act was done; but each bulletin in review is released, and how many there are
    is the game's chance."""
    return Counter(entry for entry in year.entries if entry[1] in kinds - {"release"})
