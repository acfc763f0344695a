"""What proof a letter lacks, for its writer."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from pbem.letters.openpgp import Good
from pbem.letters.registered import Registration
from pbem.orders.mailwords import AGAIN, Peeled
from pbem.text import counted, listed, moment_words

DMARC_FAILED = (
    "Our mail server found that it fails your mail provider's check (DMARC). So the address that it"
    " was sent to proves nothing. Forwarding a letter can break that check."
)


def missing_line(said: Peeled, who: Registration, *, acts: bool) -> str:
    """Name the GAME or PERIOD line a signed text lacks, or "". acts: more than questions."""
    if {one.lower() for one in said.games} != {who.game.lower()}:
        return (
            "A signed text has to say which game it is for, so that nobody can use it for another."
            f" The line\u00a0GAME\u00a0{who.game} is missing in what you signed."
        )
    if acts and who.open and said.period is None:
        return (
            "A signed text with orders has to say which period it is for, so that nobody can send"
            f" it again later. The line\u00a0PERIOD\u00a0{who.open.number} is missing in what you"
            " signed."
        )
    return ""


def wrong_time(signature: Good, who: Registration, received: datetime | None, days: int) -> str:
    """Say why the signature's time is wrong, or "". received: None if unknown."""
    made = f"Its signature says that it was made on {moment_words(signature.made)} UTC"
    if received is not None and abs(signature.made - received) > timedelta(days=days):
        return (
            f"{made}, more than {counted(days, 'day')} from its receipt. Sign it again, and see"
            " that your computer's clock is right."
        )
    if who.open and signature.made < who.open.began.replace(microsecond=0):
        return f"{made}, before period {who.open.number} began. Sign your orders again."
    return ""


def final_words(words: Collection[str]) -> str:
    """Say what proof irrevocable words need, and AGAIN."""
    if set(words) == {AGAIN}:
        return (
            f"It says {AGAIN}, which signs you on to a table. That needs the code below; or else a"
            " letter to your seat's own address, the Reply-To of every mail from the referee, or"
            " one that passes your mail provider's check (DMARC)."
        )
    return (
        f"It says {listed(words)}, which cannot be taken back. That needs the code below; or else a"
        " letter to your seat's own address, the Reply-To of every mail from the referee, that also"
        " passes your mail provider's check (DMARC)."
    )
