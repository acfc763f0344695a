"""Was a letter sent by a program? Then nothing is sent back by ours (RFC 3834)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbem.letter import MARKS, Letter

_LAST = r"-(?:bounces?|request|owner)(?:\+|\Z)"
_ROBOTS = re.compile(
    r"(?:mail(?:er)?[-_]?daemon|post_?master|daemon|no[-_.]?reply|bounces?|listserv|majordomo|mailman|sympa|autoresponder"
    r"|auto-?reply|vacation|nobody|abuse-?report|feedback-?loop|root|cron|www-data|notifications?"
    r"|microsoftexchange[0-9a-f]{32})(?:\+|\Z)"
    rf"|do[-_.]?not[-_.]?reply|noreply-|bounces?[+-]|owner-|(?:(?!{_LAST}).)*+{_LAST}"
)
"""How the part before the @ begins where a program writes; it has no line ends."""
_AWAY = re.compile(
    r"\s*(?:auto(?:matic|mated)?[ -]?(?:reply|response)|autoreply|out of (?:the )?office"
    r"|vacation(?: reply| message)|away from (?:my )?mail|abwesenheits(?:notiz|nachricht)"
    r"|automatische (?:antwort|reaktion)|automatisch antwoord|afwezigheid|réponse automatique|absence du bureau"
    r"|respuesta automática|fuera de (?:la )?oficina|resposta automática|risposta automatica|fuori sede"
    r"|automatiskt svar|automatisk svar|autosvar|automaattinen vastaus|automaattivastaus|odpowiedź automatyczna"
    r"|automatická odpov[eě]ď|automatikus válasz|răspuns automat|otomatik yanıt|αυτόματη απάντηση|автоответ"
    r"|автоматический ответ|автоматична відповідь|自动回复|自动答复|自動回覆|自動返信|自動応答|자동 회신)",
    re.IGNORECASE,
)
_PERHAPS_AWAY = re.compile(r"\s*auto:|.{1,80} is out of the office\b", re.IGNORECASE)
"""Such a letter is not answered; what a player has written in it counts all the same."""
_NO_SENDER = re.compile(
    r"<\s*>|<?mail(?:er)?[-_]?daemon(?:@[^<>\s]*)?>?"
    r"|<?(?:owner-[^<>\s@]*+|(?:(?!-(?:bounces[+@]|(?:request|owner)@))[^<>\s@])*+"
    r"-(?:bounces(?:\+[^<>\s@]*+)?+|request|owner))@[^<>\s]*+>?",
    re.IGNORECASE,
)
"""An envelope sender that wants no answer; also as a server writes it down that has a name for none."""


_SUPPRESSED = re.compile(r"\b(?:all|autoreply)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\([^()]{0,1000}+\)")
_BETWEEN = re.compile(r"[\s;]")


def why(letter: Letter) -> str:
    """Why nothing may be sent back by itself, or "" where an answer is in order."""
    return next(_signs(letter), "")


def _signs(letter: Letter) -> Iterator[str]:
    """The signs of a program, the plainest first."""
    for said in letter.fields.get("auto-submitted", ()):
        word = _first(said)
        if word != "no":
            yield f"Auto-Submitted: {word[:40] or 'empty'} (RFC 3834)"
    if "x-referee-loop" in letter.fields:
        yield "it carries the mark of a referee's own mail"
    if any(_NO_SENDER.fullmatch(_uncommented(path)) for path in letter.fields.get("return-path", ())):
        yield "its envelope has no sender (a delivery report)"
    for said in letter.fields.get("precedence", ()):
        if (word := _first(said)) in ("bulk", "list", "junk", "auto_reply", "auto-reply"):
            yield f"Precedence: {word}"
    for said in letter.fields.get("x-auto-response-suppress", ()):
        if _SUPPRESSED.search(said):
            yield "it asks for no automatic answer"
    yield from (f"it has a {name} field (a list or a program)" for name in MARKS if name in letter.fields)
    if letter.sender and _ROBOTS.match(letter.sender.partition("@")[0]):
        yield f"{letter.sender} is a program's address"
    if letter.kind in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        yield "it is a report"
    if _AWAY.match(letter.subject) or _PERHAPS_AWAY.match(letter.subject):
        yield "its subject is that of an automatic answer"


def _first(value: str) -> str:
    """The first word of a header's value in small letters, comments left out; "" for none."""
    return _BETWEEN.split(_uncommented(value).lower(), maxsplit=1)[0].strip('"')


def _uncommented(value: str) -> str:
    return _COMMENT.sub(" ", value).strip()


def is_answer(letter: Letter) -> bool:
    """Whether it is a robot's answer to a mail (an absence note): it says nothing that could count."""
    said = letter.first("auto-submitted").strip().lower()
    return said.startswith(("auto-replied", "auto-notified")) or any(
        name in letter.fields
        for name in ("x-autoreply", "x-autorespond", "x-mail-autoreply", "x-auto-response", "x-apple-action")
    ) or bool(_AWAY.match(letter.subject))  # fmt: skip
