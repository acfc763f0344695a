"""Two installations with one key, so that equal tokens are equal in both."""

from pathlib import Path

from pbem.store.engine import database
from pbem.store.engine.database import exclusive_transaction
from pbem.store.journal import notes

RANDOM = (
    (rb"=\r\n", b""),  # where quoted-printable breaks a line
    (rb"(?m)^Message-ID: <[0-9a-f]{24}@", b"Message-ID: <id@"),  # a keyed hash
    (rb"=[0-9a-f]{24}", b"=boundary"),
    (rb"Journal: (?:head )?[0-9a-f]{32}", b"Journal: head"),  # over random nonces
    (rb"CONFIRM [a-z2-7]{16}", b"CONFIRM code"),  # a keyed hash
    (rb"(?m)^Return-Path: .*\r\n|^Received: .*\r\n(?:[ \t].*\r\n)*", b""),  # the post office's own
)
"""What is random in every mail, and says nothing."""


def database_of_a_twin(folder: Path) -> str:
    """The URL of a new SQLite database in the folder (made here), with the key all twins have."""
    folder.mkdir()
    url = f"sqlite:///{folder / 'pbem.db'}"
    engine = database.connect(url)
    database.upgrade(engine)
    with exclusive_transaction(engine) as conn:
        notes.set_memo(conn, "key", {"hex": "5a" * 32})
    engine.dispose()
    return url
