"""Tell from the header if a letter may prove whose it is."""

from __future__ import annotations

from datetime import datetime

from pbem.letters.authentication import (
    Level,
    by_server,
    has_token,
    plus_parts,
    sent_to_us,
)
from pbem.letters.case import KnownFacts
from pbem.letters.letter import Letter


def proven(letter: Letter, where: KnownFacts, received: datetime) -> bool:
    """Return False only if the verdict cannot find it proven."""
    mine = [one for one in where.registrations if one.address == letter.sender]
    server = by_server(letter, where.authserv_ids)
    ours = sent_to_us(letter, server, where.addresses, received, where.date_days)
    by_address = bool(where.links or where.presses) and server.level >= Level.DMARC
    parts = plus_parts(letter.recipients, where.addresses)
    for one in mine:
        token = by_address or has_token(parts, one.token_hash)
        level = max(ours.level, Level.TOKEN if token else Level.NONE)
        if level >= one.level:
            return True
    return False
