"""The link to the desk: its code works once, for ten minutes. Its hash is stored."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection

from pbem.house import templates
from pbem.post import alarms, masters
from pbem.post.compose import Draft
from pbem.post.work import Work
from pbem.store.journal import notes
from pbem.store.mails import mails

MAIL = "desk"
CODE_LIVES = timedelta(minutes=10)
_CODE = "desk-code:"
_ASKED = "desk-asked:"
_HOUR = timedelta(hours=1)
_MOST, _MOST_MAILED, _MOST_PROVEN = 3, 12, 12
"""Links an hour: for each asker at the door, mailed to one gamesmaster, by his own proven
letters."""
TOO_MANY = "You have been mailed {} links to your desk within an hour. Ask again later."
SHELL = "the shell"
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that mean all -> one that a browser can open."""


def code(work: Work, who: str) -> str:
    """Make a gamesmaster's code; who: "" for the shell."""
    notes.forget_old(work.conn, work.now, _CODE)
    secret, until = secrets.token_urlsafe(24), work.now + CODE_LIVES
    notes.set_memo(work.conn, _key(secret), {"who": who, "until": until.isoformat()})
    return secret


def whose(conn: Connection, secret: str, now: datetime) -> str | None:
    """Return who has this code; None if wrong, old or used."""
    told = notes.memo(conn, _key(secret)) if secret else {}
    return str(told["who"]) if told and datetime.fromisoformat(told["until"]) > now else None


def use(work: Work, secret: str) -> str | None:
    """Use up a code. Return whose it was, or None."""
    found = whose(work.conn, secret, work.now)
    return found if found is not None and notes.take_memo(work.conn, _key(secret)) else None


def link(work: Work, secret: str) -> str:
    ours = work.config.desk
    host = _EVERYWHERE.get(ours.host, ours.host)
    name = f"[{host}]" if ":" in host else host
    base = ours.address.rstrip("/") or f"http://{name}:{ours.port}"
    return f"{base}/enter?code={secret}"


def words(work: Work, who: str) -> str:
    if not _may_ask(work, f"letters of {who}", _MOST_PROVEN):
        return TOO_MANY.format(_MOST_PROVEN)
    return _mail_text(work, who)


def _mail_text(work: Work, who: str) -> str:
    page = templates.environment().get_template("_shared/way_in.txt.j2")
    listens = "" if work.config.desk.address else work.config.desk.host
    return page.render(link=link(work, code(work, who)), listens=listens)


def ask(work: Work, address: str, asker: str) -> bool:
    """Mail a link to a gamesmaster. Return whether it was; the asker must not learn it.

    asker: where he asks from; each has a limit.
    """
    if not masters.is_one(work.conn, work.mark, address):
        return False
    if mails.made_to(work.conn, address, (MAIL,), work.now - _HOUR) >= _MOST_MAILED:
        return False
    if not _may_ask(work, asker, _MOST):
        return False
    key = f"{MAIL}:{address}:{work.now.isoformat()}"
    draft = Draft(key, MAIL, "[pbem] The way to your desk", _mail_text(work, address))
    alarms.put(work, draft, address)
    return True


def _may_ask(work: Work, asker: str, most: int) -> bool:
    notes.forget_old(work.conn, work.now, _ASKED)
    key = _ASKED + hashlib.sha256(asker.encode()).hexdigest()
    since = (work.now - _HOUR).isoformat()
    had = [one for one in notes.memo(work.conn, key).get("at", ()) if one > since]
    if len(had) >= most:
        return False
    until = (work.now + _HOUR).isoformat()
    notes.set_memo(work.conn, key, {"at": [*had, work.now.isoformat()], "until": until})
    return True


def _key(secret: str) -> str:
    return _CODE + hashlib.sha256(secret.encode()).hexdigest()
