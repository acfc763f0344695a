"""Where the kill matrix (tests/faults) interrupts the process. It fails if a point is never
reached."""

POINTS = {
    "inbox.cursor": "the folder's cursor is on file",
    "inbox.fetched": "a batch of letters is in memory",
    "inbox.stored": "their bytes and the cursor are committed",
    "letter.tried": "that a group of letters is tried is committed, none is read",
    "letter.decided": "a letter's orders, outcome and receipt are written, not committed",
    "letter.committed": "they are committed",
    "letter.set_aside": "a letter whose decision raised is marked as failed",
    "inbox.moved": "decided letters have been moved on the server",
    "inbox.move_noted": "that is on file",
    "inbox.retried": "a letter that could not be fetched was asked for again",
    "seat.done": "a seat has fallen free, or its offers have been seen to; not committed",
    "seat.committed": "that is committed",
    "deadline.looked": "a period was looked at and stays open",
    "deadline.claimed": "a period is CLOSING",
    "deadline.adjudicated": "its next position, bulletins and deadline are written, not committed",
    "deadline.committed": "they are committed",
    "deputy.done": "a deputy's time has begun or ended as it is written, not committed",
    "deputy.committed": "that is committed",
    "table.done": "an open table was looked at, or its game is begun; not committed",
    "table.committed": "that is committed",
    "outbox.leased": "a mail is this sender's",
    "outbox.sent": "the server has answered to it",
    "outbox.recorded": "the answer to the pass's last mail is on file",
    "pages.written": "the games' pages are written; that they are is not on file",
    "pages.noted": "that is committed",
    "pass.kept_up": "merged receipts, the digest and the like are committed",
    "pass.noted": "the pass itself is on file",
}


def no_crash(point: str) -> None:
    """Do nothing."""
