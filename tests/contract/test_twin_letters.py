"""One letter more of another seat changes nothing that a player is sent: two installations, the
same game by real mail.

In one of them a seat writes more: first orders that it sends once more, then orders for a later
phase too. What the others receive (receipts with STATUS, bulletins, notices) is equal, but for the
figures of the journal, which has an entry for each letter, and for receipts' numbers.
"""

import re
from pathlib import Path

from pbem.games.frame.dice import Dice
from tests.bots import nonsense
from tests.installation import Installation, text_of
from tests.keys import GAME_TESTS, module

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
