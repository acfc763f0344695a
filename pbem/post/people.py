"""Mails to people without a seat."""

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
    """Put a muted mail. Return False if it is there. rich: add HTML."""
    text, page = f"{plain(draft.text).strip()}\n", None
    try:
        with Budget(work.mark.seconds, f"muting the mail {draft.key}"):
            text = muted(text)
            page = _rich(draft) if rich else None
    except OverBudget as over:
        log.error("barred", mail=draft.key, error=str(over))
        text = barred(text)
    whole = replace(draft, text=f"{DIVIDER}\n\n{text}", html=page)
    return outbox.put(work, compose(work.mark, whole, address, work.now), state)


def _rich(draft: Draft) -> str | None:
    try:
        return html.page(
            templates.environment(), draft.text, draft.subject, DIVIDER, draft.pictures
        )
    except Exception:
        log.exception("no HTML", mail=draft.key)
        return None
