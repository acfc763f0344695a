"""What waits: the first page."""

from __future__ import annotations

from pbem.desk.asked import Asked, Page
from pbem.referee import queue


def page(asked: Asked) -> Page:
    """Everything that waits for him."""
    told = queue.queue(asked.work, None, 1, asked.who)
    return Page("home.html.j2", "What waits", {"told": told})
