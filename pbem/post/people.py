"""Mails to people who play no seat of the game that they are about: whoever signs on to it, waits
for a seat, or watches."""

from __future__ import annotations

from dataclasses import replace

import structlog

from pbem.budget import Budget
from pbem.errors import OverBudget
from pbem.house import templates
from pbem.orders.muting import barred, muted
from pbem.pages import html
from pbem.pages.plain import plain
from pbem.post import outbox
from pbem.post.compose import DIVIDER, Draft, compose
from pbem.post.work import Work
from pbem.store.schema.states import MailState

log = structlog.get_logger()


def put(
    work: Work,
    address: str,
    draft: Draft,
    *,
    rich: bool = True,
    state: MailState = MailState.READY,
) -> bool:
    """A mail to an address, into the outbox, with the divider on top; quoted bare it asks for
    nothing. ``rich``: with an HTML face. False where it was there already."""
    text, page = f"{plain(draft.text).strip()}\n", ""
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            text = muted(text)
            page = _rich(draft) if rich else ""
    except OverBudget as over:
        log.error("barred", mail=draft.key, error=str(over))
        text = barred(text)
    whole = replace(draft, text=f"{DIVIDER}\n\n{text}", html=page)
    return outbox.put(work, compose(work.mark, whole, address, work.now), state)


def _rich(draft: Draft) -> str:
    """The HTML face of a mail; none where setting it fails: the plain one says it all."""
    try:
        return html.page(templates.environment(), draft.text, draft.subject, DIVIDER)
    except Exception:
        log.exception("no HTML", mail=draft.key)
        return ""
