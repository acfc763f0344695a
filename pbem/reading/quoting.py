"""What of a text is its writer's own: quotations, forwarded letters and signatures cut off, line by line.

The rule leans to the safe side. A quoted line is dropped by itself, so that a player who writes below or between
the quotation keeps the orders; where a quotation is not marked line by line (Outlook, some telephones), nothing
below its heading can be told from it, and all of it is cut. What was cut is kept with the reason, for the receipt.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

DIVIDER = "reply above this line"
"""The words of the divider in our own mails; nothing below it is the writer's."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Text that does not count: why, and what it was (at most some thousand characters)."""

    reason: str
    text: str


_WROTE = (
    "wrote|writes|said|schrieb|schreibt|geschrieben|écrit|ecrit|a écrit|escribió|escribio|escreveu|ha scritto|scritto|"
    "schreef|geschreven|skrev|skrifaði|kirjoitti|napisał|napisał\\(a\\)|napisała|napsal|napsal\\(a\\)|napísal|"
    "napísal\\(a\\)|написал|написала|написал\\(а\\)|пишет|написав|écrivait|írta|a scris|έγραψε|yazdı|şunları yazdı|"
    "пише|pisze|написа|је написао|je napisao|napisao|va escriure|escribiu|idatzi du|viết|写道|寫道|のメール|書きました|"
    "작성|작성했습니다|เขียน|כתב|כתבה|كتب|menulis|rašė|rakstīja|kirjutas|ha escrito|wrote the following"
)
_BEGINS = (
    "on|am|le|el|il|em|op|den|dne|dnia|w dniu|la|il giorno|em qua|pe|på|um|a|tarihinde|в|во|at|vào|pada|sabtu|"
    "mon|tue|wed|thu|fri|sat|sun|ma|di|wo|do|vr|za|zo|lun|mar|mer|jeu|ven|sam|dim|lu|je|ve|sa"
)
_DATE = r"\d{1,4}\s?[-./年]\s?\d{1,2}|\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}\.?\s+[^\W\d]{3,}"
_ADDRESS = r"[<\[(]\s*(?:mailto:)?[^<>]{0,80}?[^\s<>@]{1,64}@[^\s<>]{1,120}\s*[>\])]"
_ENDS_COLON = re.compile(r"[:：]\s*$")
_WROTE_WORD = re.compile(rf"(?<![\w])(?:{_WROTE})(?![\w])", re.IGNORECASE)
_HAS_DATE = re.compile(_DATE)
_HAS_ADDRESS = re.compile(_ADDRESS)
_STARTS = re.compile(rf"\s*[-*_~\"'“]*(?:(?:{_BEGINS})\b[\s,.]|(?:{_DATE})|[^\W\d]+,?\s+\d{{1,2}}\s)", re.IGNORECASE)
_LIKE_ORDER = re.compile(r"\s*(?:VOTE|PAY|PASS|CANCEL|PRESS|GAME|PERIOD|END)\b")
_WIDEST = 5
_LONGEST = 400

_FORWARDED = re.compile(
    r"[\s>]*[-_*=~]*\s*(?:begin\s+)?(?:original message|original appointment|forwarded message|forwarded by .{1,80}"
    r"|reply message|message transferred|weitergeleitete nachricht|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|ursprüngliche nachricht|originalnachricht|message d'origine|message original|message transféré"
    r"|début du message (?:transféré|réexpédié)|mensaje original|mensaje reenviado|inicio del mensaje reenviado"
    r"|mensagem original|mensagem encaminhada|messaggio originale|messaggio inoltrato|inizio messaggio inoltrato"
    r"|oorspronkelijk bericht|doorgestuurd bericht|begin doorgestuurd bericht|ursprungligt meddelande"
    r"|originalmeddelande|vidarebefordrat meddelande|opprinnelig melding|videresendt melding|oprindelig meddelelse"
    r"|videresendt besked|alkuperäinen viesti|välitetty viesti|oryginalna wiadomość|wiadomość oryginalna"
    r"|przekazana wiadomość|původní zpráva|přeposlaná zpráva|pôvodná správa|eredeti üzenet|továbbított üzenet"
    r"|mesaj original|mesaj redirecționat|исходное сообщение|пересылаемое сообщение|перенаправленное сообщение"
    r"|оригінальне повідомлення|αρχικό μήνυμα|özgün ileti|orijinal mesaj|iletilen mesaj|原始邮件|原始郵件|转发的邮件"
    r"|轉寄郵件|元のメッセージ|転送されたメッセージ|원본 메시지|전달된 메시지)\s*:?\s*[-_*=~]*\s*$",
    re.IGNORECASE,
)
_FROM = (
    "from|von|de|da|van|från|fra|od|от|від|lähettäjä|mittente|remitente|expéditeur|feladó|de la|από|kimden|gönderen|"
    "寄件者|发件人|發件人|差出人|送信者|보낸 사람|מאת|من|küldte|odesílatel|nadawca|afzender|absender|reply-to|sender"
)
_OTHER = (
    "sent|to|cc|bcc|date|subject|gesendet|an|datum|betreff|kopie|envoyé|à|objet|enviado|enviado el|para|asunto|"
    "assunto|data|fecha|inviato|a|oggetto|risposta|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|"
    "lähetetty|vastaanottaja|aihe|päiväys|wysłano|do|dw|temat|odesláno|komu|kopia|předmět|predmet|odoslané|отправлено|"
    "кому|тема|дата|копия|надіслано|elküldve|dátum|címzett|tárgy|trimis|către|subiect|στάλθηκε|προς|θέμα|ημερομηνία|"
    "gönderildi|kime|konu|tarih|发送时间|收件人|主题|日期|抄送|寄件日期|收件者|主旨|送信日時|宛先|件名|日時|"
    "보낸 날짜|받는 사람|제목|날짜|message-id|organization|importance"
)
_TO = frozenset({"to", "an", "à", "a", "para", "aan", "till", "til", "do", "komu", "кому"})
"""From and To alone do not make a header: players write them over their press."""
_HEADER_LINE = re.compile(rf"\s*[*_]*\s*({_FROM}|{_OTHER})\s*[*_]*\s*[:：]\s*[*_]*(?:\s|$|\S)", re.IGNORECASE)
_FROM_LABEL = re.compile(rf"(?:{_FROM})\Z", re.IGNORECASE)

_SIGNATURE = re.compile(r"(?:--|—|―|–|__)[ \t\xa0]*\Z")
_TELEPHONE = re.compile(
    r"\s*(?:(?:sent|send) (?:from|with|via|using) (?:my |a |the )?[\w .&-]{2,40}"
    r"|(?:gesendet|verschickt) (?:von|mit) [\w .-]{2,40}|von meinem [\w .-]{2,30} gesendet"
    r"|diese nachricht wurde von .{2,60}"
    r"|envoyé de(?:puis)? (?:mon )?[\w .-]{2,40}|enviado (?:desde|do|de) (?:mi |meu )?[\w .-]{2,40}"
    r"|inviato da(?:l mio)? [\w .-]{2,40}|verzonden (?:vanaf|met) (?:mijn )?[\w .-]{2,40}"
    r"|skickat från (?:min )?[\w .-]{2,40}"
    r"|get outlook for (?:ios|android).{0,60}|отправлено с [\w .-]{2,40}|wysłane z [\w .-]{2,40})\.?\s*\Z",
    re.IGNORECASE,
)
_BLANK_LINES = re.compile(r"\n{3,}")
_ARMOUR = re.compile(r"-----BEGIN PGP (?:SIGNATURE|PUBLIC KEY BLOCK|MESSAGE)-----\s*\Z")


def own(text: str, limit: int = 4_000) -> tuple[str, tuple[Cut, ...]]:
    """The writer's own lines (a blank line where lines were dropped in between), and what was cut."""
    walk = _Walk(text.split("\n"))
    walk.run()
    shown = _BLANK_LINES.sub("\n\n", "\n".join(walk.kept)).strip("\n")
    return shown, tuple(Cut(reason, "\n".join(lines).strip("\n")[:limit]) for reason, lines in walk.cut)


class _Walk:
    """One pass over the lines; ``at`` is the next."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.kept: list[str] = []
        self.cut: list[tuple[str, list[str]]] = []
        self.at = 0

    def run(self) -> None:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if not line or line.isspace():
                self.kept.append("")
                self.at += 1
            elif is_quoted(line):
                self._drop("quoted", 1)
            elif reason := self._end(line):
                self._drop(reason, len(self.lines) - self.at)
            elif width := self._attribution():
                after = self._next_text(self.at + width)
                if after is None or is_quoted(self.lines[after]):
                    self._drop("quoted", width)
                else:
                    self._drop("quoted below a heading, not line by line", len(self.lines) - self.at)
            elif _TELEPHONE.match(line):
                self._drop("signature", 1)
            else:
                self.kept.append(line.rstrip())
                self.at += 1

    def _drop(self, reason: str, count: int) -> None:
        if not self.cut or self.cut[-1][0] != reason:
            self.cut.append((reason, []))
        while reason == "forwarded" and self.kept and not self.kept[-1].strip(" -_*="):
            self.kept.pop()
        self.cut[-1][1].extend(self.lines[self.at : self.at + count])
        if self.kept and self.kept[-1]:
            self.kept.append("")
        self.at += count

    def _end(self, line: str) -> str:
        """Why nothing from this line on is the writer's own, or ""."""
        if DIVIDER in " ".join(line.casefold().split()):
            return "below the referee's divider"
        if _SIGNATURE.match(line):
            return "signature"
        if _ARMOUR.match(line):
            return "OpenPGP data"
        if len(line) < 200 and _FORWARDED.match(line):
            return "forwarded"
        return "forwarded" if self._header_block() else ""

    def _header_block(self) -> bool:
        """Whether a forwarded header begins here: a From line and another header line within the next four."""
        labels: list[str] = []
        at: int | None = self.at
        for _ in range(4):
            if at is None:
                break
            found = _HEADER_LINE.match(self.lines[at][:200])
            if not found:
                if not labels or not _folded(self.lines[at]):
                    break
            else:
                labels.append(found.group(1).casefold())
            at = self._next_text(at + 1)
        known = set(labels)
        enough = len(known) > 2 or (len(known) == 2 and not known & _TO)
        return enough and any(_FROM_LABEL.match(label) for label in known)

    def _next_text(self, at: int) -> int | None:
        while at < len(self.lines):
            if self.lines[at].strip():
                return at
            at += 1
        return None

    def _attribution(self) -> int:
        """How many lines from here on are the heading of a quotation ("On Monday X wrote:"); 0 for none."""
        first = self.lines[self.at]
        if _LIKE_ORDER.match(first) or not _could_begin(first):
            return 0
        joined, seen, at = "", 0, self.at
        while at < min(len(self.lines), self.at + 3 * _WIDEST) and seen < _WIDEST and len(joined) < _LONGEST:
            line = self.lines[at].strip()
            if line:
                if seen and _LIKE_ORDER.match(line):
                    return 0
                joined, seen = f"{joined} {line}".strip(), seen + 1
                if _ENDS_COLON.search(line) and len(joined) < _LONGEST and _is_attribution(joined):
                    return at - self.at + 1
            elif seen and not joined.rstrip().endswith(("<", ">", "@", ",")) and not self._angle_follows(at):
                return 0
            at += 1
        return 0

    def _angle_follows(self, at: int) -> bool:
        after = self._next_text(at)
        return after is not None and self.lines[after].lstrip().startswith(("<", "mailto:"))


def is_quoted(line: str) -> bool:
    """Whether a line is marked as quoted: `>` (also `| `, `»`) at its beginning."""
    bare = line.lstrip(" \t\xa0")
    return bare.startswith((">", "»", "›", "＞", "| ")) or bare in ("|",)


def _could_begin(line: str) -> bool:
    return bool(_STARTS.match(line[:200]) or "<" in line or _HAS_ADDRESS.search(line[:400]) or _ENDS_COLON.search(line))


def _is_attribution(joined: str) -> bool:
    wrote = _WROTE_WORD.search(joined)
    dated, addressed = _HAS_DATE.search(joined), _HAS_ADDRESS.search(joined)
    if wrote:
        return bool(addressed or (dated and (_STARTS.match(joined) or len(joined) - wrote.end() < 40)))
    return bool(addressed and dated and _STARTS.match(joined) and joined.rstrip(" :：").endswith((">", ")", "]")))


def _folded(line: str) -> bool:
    return line.startswith((" ", "\t"))
