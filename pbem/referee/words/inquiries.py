"""ASK GAMESMASTER: one paragraph of a player's goes to the gamesmaster, and nothing else of the
letter."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.house import lookup
from pbem.orders import inquiry
from pbem.orders.mailwords import Command
from pbem.pages import sheet
from pbem.periods import inquiries
from pbem.post.work import Work
from pbem.referee.deciding.judged import Judged
from pbem.store.games.games import GameAt
from pbem.text import safe


def carry_out(work: Work, judged: Judged, at: GameAt, commands: Sequence[Command]) -> list[str]:
    """Send a letter's questions to the gamesmaster. Return the answers."""
    asked = [one.argument for one in commands if one.name == inquiry.ASK]
    if not asked and (request := for_time(work, judged, at)):
        asked = [request]
    if not asked:
        return []
    if not any(asked):
        return ["ASK was not taken: write ASK\u00a0GAMESMASTER and your question."]
    question = " ".join(filter(None, asked))
    if why := inquiry.too_long(question):
        return [f"Your question was not sent: {why}."]
    return [inquiries.ask(work, at, judged.decision.seat, judged.row.id, question)]


def for_time(work: Work, judged: Judged, at: GameAt) -> str:
    """Return the sentence of a player that asks for more time, or "": the gamesmaster gets it."""
    talk, text = lookup.how_asked(at.ruleset.about.key), judged.decision.peeled.text
    request = "" if judged.deputy else talk.for_time(text)
    return request if request and inquiries.whom(work, at) else ""


def offer(work: Work, judged: Judged, at: GameAt, questions: Sequence[str]) -> str:
    """Return the lines that ask the gamesmaster these questions; "" if nobody may answer."""
    who = inquiries.whom(work, at)
    if judged.deputy or not who:
        return ""
    lines = [sheet.answer_line(inquiry.line(safe(one)), name=f"Ask {who}") for one in questions]
    return "\n\n".join([f"Not what you need? Ask {who}:", *lines])
