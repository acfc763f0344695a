"""What proof a letter lacks, for its writer."""

from __future__ import annotations

from collections.abc import Collection

from pbem.acts.needs import Needs
from pbem.orders.mailwords import NEEDS
from pbem.text import listed

DMARC_FAILED = (
    "Our mail server found that it fails your mail provider's check (DMARC). So the address that it"
    " was sent to proves nothing. Forwarding a letter can break that check."
)


def final_words(words: Collection[str]) -> str:
    """Say what proof these words need, whatever the game asks for."""
    if any(NEEDS.get(one) is Needs.CODE for one in words):
        return f"It says {listed(words)}, which cannot be taken back. That needs the code below."
    return (
        f"It says {listed(words)}. That needs the code below; or else a letter to your seat's own"
        " address, the Reply-To of every mail from the referee, or one that passes your mail"
        " provider's check (DMARC)."
    )
