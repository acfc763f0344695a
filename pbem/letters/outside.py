"""Tell from the header if a letter may prove whose it is."""

from __future__ import annotations

from datetime import datetime

from pbem.letters.authentication import Level, by_server, has_token, plus_parts, sent_to_us
from pbem.letters.case import KnownFacts
from pbem.letters.letter import Letter


def proven(letter: Letter, where: KnownFacts, received: datetime) -> bool:
    """Return False only if the verdict cannot find it proven."""
    server = by_server(letter, where.authserv_ids)
    ours = sent_to_us(letter, server, where.addresses, received, where.date_days)
    parts = plus_parts(letter.recipients, where.addresses)
    return any(
        ours.level is Level.PROVEN or one.level is Level.OPEN or has_token(parts, one.token_hash)
        for one in where.registrations
        if one.address == letter.sender
    )
