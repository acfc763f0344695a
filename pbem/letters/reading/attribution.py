"""Marks of quotations, and attributions ("On Monday X wrote:").

Words of mail programs around what their user did not write: small letters, by bars, some
expressions. Listed only if a program is known to write it.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from pbem.letters.limits import OverLimit


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split("|"))


# fmt: off
WROTE = (
    "wrote|writes|said|wrote the following|quoting|zitat von|schrieb|schreibt|schrieben|geschrieben|écrit|ecrit|"
    "a écrit|écrivait|escribió|escribio|ha escrito|escreveu|escribiu|va escriure|ha escrit|missatge de|ha scritto|"
    "scritto|schreef|geschreven|skrev|skrifaði|kirjoitti|kirjutas|rašė|rakstīja|napisał|napisała|napisał\\(a\\)|"
    "pisze|napisana przez|napsal|napsal\\(a\\)|napísal|napísal\\(a\\)|napisal|napisala|napisao|je napisao|napisao je|"
    "написал|написала|написал\\(а\\)|пишет|писали|писал|написав|пише|написа|је написао|írta|a scris|έγραψε|yazdı|"
    "şunları yazdı|idatzi du|idatzi zuen|shkroi|menulis|viết|כתב|כתבה|كتب|تمت كتابة|نوشت|लिखा|เขียน|写道|寫道|"
    "のメール|書きました|píše|aliandika|লিখেছেন|எழுதியது|लिहिले|գրեց|yazıb|geskryf|напиша|ጻፈ|ysgrifennodd|жазды|"
    "бичсэн|لکھا|sinulat ni"
)
"""Somebody wrote; an expression."""
WROTE_UNSPACED = "写道|寫道|のメール|書きました|작성|쓴 글|เขียนว่า"
"""Verbs without a blank before them."""
BEGINS = (
    "on|am|le|el|il|em|op|den|dne|dňa|dnia|w dniu|la|il giorno|em qua|no dia|às|pe|în|på|um|a|tarihinde|dana|þann|в|"
    "во|на|στις|at|vào|pada|sabtu|在|於|于|ในวันที่|เมื่อ|בתאריך|في|در تاریخ|mon|tue|wed|thu|fri|sat|sun|ma|di|wo|do|"
    "vr|za|zo|lun|mar|mer|jeu|ven|sam|dim|lu|je|ve|sa"
)
"""Before a heading's date; an expression."""
FIRST_PERSON = (
    r"[\s*_~-]*+(?:as |like |wie |comme |como |come |zoals |som |jak |как )?"
    r"(?:i|we|ich|wir|je(?! napis)|j'|nous|yo|eu|io|ik|jeg|jag|ja|я|мы)\b"
)
"""Begins the writer's own sentence; an expression."""
ORIGINAL = _listed(
    "original message|original appointment|reply message|ursprüngliche nachricht|ursprüngliche mail|"
    "originalnachricht|original-nachricht|message d'origine|message d’origine|message original|mail original|"
    "mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|ursprungligt meddelande|"
    "originalmeddelande|opprinnelig melding|oprindelig meddelelse|alkuperäinen viesti|oryginalna wiadomość|"
    "wiadomość oryginalna|původní zpráva|původní e-mail|pôvodná správa|eredeti üzenet|mesaj original|"
    "исходное сообщение|оригінальне повідомлення|αρχικό μήνυμα|özgün ileti|orijinal mesaj|原始邮件|原始郵件|"
    "元のメッセージ|원본 메시지|원본 이메일"
)
FORWARDED = _listed(
    "forwarded message|begin forwarded message|start of forwarded message|message transferred|"
    "weitergeleitete nachricht|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|"
    "message transféré|début du message transféré|début du message réexpédié|mensaje reenviado|"
    "inicio del mensaje reenviado|mensagem encaminhada|início da mensagem reencaminhada|messaggio inoltrato|"
    "inizio messaggio inoltrato|doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|"
    "vidarebefordrat brev|videresendt melding|videresendt meddelelse|videresendt besked|välitetty viesti|"
    "przekazana wiadomość|treść przekazanej wiadomości|přeposlaná zpráva|továbbított üzenet|mesaj redirecționat|"
    "пересылаемое сообщение|перенаправленное сообщение|iletilen mesaj|转发的邮件|开始转发的邮件|轉寄郵件|"
    "転送されたメッセージ|전달된 메시지"
)
MESSAGE = (
    r"messages?\b|nachrichte?n?\b|mails?\b|bericht\b|meddelande|meddelelse|melding|besked|viesti|wiadomoś|zpráv|"
    r"správ|üzenet|\bmesaj|сообщени|повідомленн|μήνυμα|\biletis?i?\b|mensaje|mensagem|messaggi|missatge|poruka|sporočilo|"
    r"съобщение|порака|\bpesan\b|tin nhắn|\bthư\b|ข้อความ|הודעה|رسالة|پیام|邮件|郵件|メッセージ|메시지|이메일|pismo|písmo|"
    r"письмо|kiri\b|laišk|vēstule|ziņojum|skilaboð|\bbrief\b|\blettre\b|\bcorreo\b|संदेश|sõnum|skeyti|mezu|neges|postitus|порука|писмо|메일|mesaĝ|ujumbe|mensahe|boodskap|"
    r"хабарлама|мессеж|зурвас|паведамленн|հաղորդագր|შეტყობინება|বার্তা|செய்தி|پیغام|መልእክት|teachdaireachd|neachtaireacht"
)
"""A letter, in dividers; an expression."""
BY = "from|by|von|de|da|van|från|fra|od|от"
FROM = _listed(
    "from|von|de|da|van|från|fra|od|от|от кого|від|lähettäjä|mittente|remitente|expéditeur|feladó|küldte|de la|"
    "expeditor|από|kimden|gönderen|odesílatel|nadawca|afzender|absender|šalje|nuo|saatja|dari|người gửi|จาก|寄件者|"
    "寄件人|发件人|發件人|差出人|送信者|보낸 사람|보낸사람|발신|מאת|من|reply-to|sender|frá|از|од|oddi wrth|從|nork|từ|daripada|"
    "प्रेषक|nga"
)
"""The writer's label in a header."""
TO = _listed(
    "a|aan|an|do|kam|kepada|kime|komu|para|per|per a|prima|til|till|to|za|à|đến|до|кому|אל|إلى|ถึง|به|至|nori|ke|at|"
    "प्रति|për"
)
"""With From alone no header: players write both."""
DATE = _listed(
    "sent|date|gesendet|datum|envoyé|enviado|enviado el|enviados|enviada|enviada em|enviat|enviat el|data|fecha|inviato|"
    "verzonden|skickat|sendt|dato|lähetetty|päiväys|päivämäärä|saadetud|saatmisaeg|išsiųsta|wysłano|wysłane|odesláno|"
    "odoslané|poslano|poslato|отправлено|дата|надіслано|відправлено|изпратено|elküldve|küldve|küldés dátuma|dátum|trimis|"
    "στάλθηκε|απεσταλμένα|ημερομηνία|gönderildi|gönderme tarihi|tarih|נשלח|تم الإرسال|تاريخ الإرسال|dikirim|terkirim|"
    "đã gửi|ngày|ส่ง|发送时间|日期|日　期|寄件日期|傳送日期|"
    "发送日期|发件时间|送信日時|日付|日時|보낸 날짜|날짜|ارسال شده|испратено|anfonwyd|"
    "nosūtīts|bidaltze-data|dihantar|प्रेषित|dërguar"
)
"""Only programs write that over a letter."""
OTHER = TO | DATE | _listed(
    "cc|bcc|subject|message-id|organization|importance|betreff|kopie|objet|asunto|assunto|assumpte|oggetto|risposta|"
    "onderwerp|ämne|emne|efni|vastaanottaja|aihe|adressaat|teema|dw|temat|kopia|předmět|predmet|naslov|zadeva|тема|"
    "копия|относно|címzett|tárgy|către|subiect|προς|θέμα|alıcı|konu|נושא|الموضوع|subjek|perihal|người nhận|chủ đề|"
    "เรื่อง|收件人|主题|主　题|抄送|收件者|主旨|主題|宛先|件名|받는 사람|받는사람|받은 사람|제목|copie à|موضوع|предмет|pwnc|tema|tēma|gaia|विषय"
)
"""The other labels of a header."""
SENT = tuple(_listed(
    "sent with|sent via|sent using|securely sent with|gesendet von|gesendet mit|verschickt von|verschickt mit|"
    "diese nachricht wurde von|envoyé de|envoyé avec|envoyé à partir|enviado desde|enviado do|enviado de|"
    "enviado através|enviat des|inviato da|verzonden vanaf|verzonden vanuit|verzonden met|verstuurd vanaf|"
    "skickat från|skickades från|sendt fra|lähetetty|wysłane z|wysłano z|odesláno z|odoslané z|отправлено с|"
    "отправлено из|надіслано з|изпратено от|στάλθηκε από|εστάλη από|trimis de pe|poslano s|poslano iz|poslato sa|"
    "išsiųsta iš|saadetud|küldve a|dikirim dari|gửi từ|đã gửi từ|ส่งจาก|发自我的|發自我的|来自我的|從我的|从我的|נשלח|"
    "أُرسلت من|تم الإرسال من|ارسال شده از|get outlook|get bluemail|holen sie sich outlook|obtenez outlook|"
    "télécharger outlook|obtener outlook|obtén outlook|ottieni outlook|scarica outlook|hämta outlook|hent outlook|"
    "last ned outlook|skaffa outlook|pobierz program outlook|pobierz outlook|получить outlook|baixar o outlook|"
    "obter o outlook|获取 outlook|取得 outlook"
))
"""Begins a program's line below a letter."""
SENT_BEHIND = tuple(_listed(
    "gesendet|から送信|에서 보냄|gönderildi|küldve|傳送|发送|herunterladen|beziehen|downloaden|edinin|を入手"
))
"""Ends it, if the verb is last."""
GADGETS = (
    r"iphon|ipad|ipod|\bios\b|galaxy|samsung|android|huawei|xiaomi|pixel|blackberry|nokia|windows|outlook|yahoo|gmail"
    r"|\bgmx\b|\baol\b|proton ?mail|tutanota|bluemail|zoho|superhuman|airmail|k-9|\bmail (?:app|for|für|on)\b"
    r"|\be-?mail\b|smartphone|\bphone\b|\btelephone\b|\btelefon\b|\bhandy\b|mobiltelefon|\bmobile\b|\btablet\b"
    r"|\bdevice\b|-gerät|appareil|dispositivo|почт|手机"
)
"""Else its writer's line ("Sent with love"); an expression."""

_EACH = 400

ADDRESS = re.compile(r"[<\[(][^<>@\[(]{1,300}+(?<!\s)@[^\s<>@]{1,255}\s*[>\])]")
"""In brackets, perhaps with words before it."""
ADDRESS_LAST = re.compile(r"(?<![^\s<(])[^\s<>@]{1,128}+@[^\s<>@]{1,255}+\Z")
_PLAIN_ADDRESS = re.compile(
    r"(?<![^\s<>()\[\]@,;:\"])[^\s<>()\[\]@,;:\"]{1,128}+@[^\s<>()\[\]@,;:\"]{1,255}+"
)
_ANGLE = re.compile(r"<[^<>@\s]{1,128}+@[^<>@\s]{1,255}+>")
_FEW = 4
_TIME = re.compile(r"(?<![\d.,/:-])\d{1,2}(?:[:h]\d{2}|\.\d{2}(?![\d.]))")
_YEAR = re.compile(r"(?<!\d)(?:19|20|25)\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2}(?!\d)|年")
_DAY = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th|er)?(?!\w)")
_ZONE = re.compile(
    r"(?::\d{2})?+\s*+(?:[AaPp]\.?[Mm]\.?\s*+)?\(?(?:(?:GMT|UTC)(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2}|[A-Z]{2,4}T)\)?,?\s++"
)
_DAY_FIRST = re.compile(
    rf"[\s*_~>-]*+(?:(?:{BEGINS})\s++)?+(?:[^\W\d]{{1,12}}+[.,]{{0,2}}\s++){{0,2}}+\d",
    re.IGNORECASE,
)
_WEEKDAY_FIRST = re.compile(r"[\s*_~-]*+(?:[^\W\d]{1,4}\s++)?[^\W\d]{2,12}[.,]{1,2}\s")
_WROTE = re.compile(
    rf"(?<![\w])(?:{WROTE})(?:\(\w{{1,2}}\)|/\w{{1,2}})?+(?![\w])|{WROTE_UNSPACED}",
    re.IGNORECASE,
)
_VERB_SECOND = re.compile(
    r"schrieb(?:en)?|skrev|schreef|skrifaði|zitat von|quoting|napisana przez", re.IGNORECASE
)
_FIRST_PERSON = re.compile(FIRST_PERSON, re.IGNORECASE)
_SAID = ("said", "quoting")
_FOLLOWING = re.compile(
    r"\b(?:the following|folgendes|ce qui suit|lo siguiente|quanto segue|het volgende)\b",
    re.IGNORECASE,
)
_DASHES = re.compile(r"[-_=~*‐–—]{3,}+")
_NOUN = re.compile(MESSAGE)
_OWN_WORDS = _listed(
    "to|for|my|our|your|me|follows|an|für|mein|meine|unser|pour|mon|ma|notre|à|para|mi"
)

_PIECES = re.compile(r"[\s/(),:;.<>\[\]\"=-]+")
_UNSPACED = tuple(WROTE_UNSPACED.split("|"))
_VERBS = frozenset(
    max(_PIECES.split(verb.replace("\\", "")), key=len)
    for verb in f"{WROTE}|{WROTE_UNSPACED}".split("|")
)


def may_say_wrote(line: str) -> bool:
    small = line.lower()
    return not _VERBS.isdisjoint(_PIECES.split(small)) or any(verb in small for verb in _UNSPACED)


def short(text: str) -> str:
    return text if len(text) <= 2 * _EACH else f"{text[:_EACH]} {text[-_EACH:]}"


def is_programs(heading: str) -> bool:
    bare = _FOLLOWING.sub("", heading).rstrip(" \t\xa0:：-*_")
    if is_moment_and_address(heading):
        return True
    addresses = (*ADDRESS.finditer(bare), *ADDRESS_LAST.finditer(bare))
    behind = max((found.end() for found in addresses), default=0)
    if behind:
        wrote = [found.end() for found in _WROTE.finditer(bare, behind)]
        rest = bare[wrote[-1] if wrote else behind :]
        return not _wordy(rest) or bool(_TIME.search(rest) or _YEAR.search(rest))
    verbs = list(_WROTE.finditer(bare))
    if not verbs or verbs[-1].group().lower() in _SAID or _FIRST_PERSON.match(bare):
        return False
    before, rest = bare[: verbs[-1].start()], bare[verbs[-1].end() :]
    if _TIME.search(rest):
        return _is_moment(rest)
    if not _wordy(rest) or rest.lstrip().startswith("("):
        return _is_moment(before)
    return _is_moment(before) and bool(_VERB_SECOND.fullmatch(verbs[-1].group()))


def is_moment_and_address(heading: str) -> bool:
    """Return whether a heading has year, time and address, in any language."""
    found = _ANGLE.search(heading)
    if not found or not heading.rstrip().endswith((":", "：", "፦", "։", "․")):
        return False
    before, behind = heading[: found.start()], heading[found.end() :]
    words = behind.strip(" :：").split()
    return 0 < len(words) <= _FEW and bool(_TIME.search(before) and _YEAR.search(before))


def _wordy(text: str) -> bool:
    return sum(map(str.isalpha, text)) > 5


def _is_moment(text: str) -> bool:
    """Return whether it is day and time, or year and weekday or name."""
    if _TIME.search(text):
        return bool(_DAY.search(_TIME.sub("", text)) or _YEAR.search(text))
    year = _YEAR.search(text)
    if not year:
        return False
    name = text[year.end() :].lstrip(" ,.)г]р").strip()
    return bool(_WEEKDAY_FIRST.match(text) or (name and not name[0].islower()))


def is_stamped(line: str) -> bool:
    """Return whether a line is time, zone and name: "2026-11-02 10:00 GMT+01:00 Eve"."""
    time = _TIME.search(line, 0, 80)
    zone = _ZONE.match(line, time.end()) if time else None
    if not (time and zone and _DAY_FIRST.match(line) and _YEAR.search(line[: time.start()])):
        return False
    name = line[zone.end() :].strip()
    bare = name.rstrip(" :：")
    if not bare or bare[-1] in ".!?;," or not any(map(str.isalpha, bare)):
        return False
    return not bare[0].islower() or name != bare or bare.count(" ") < 2


def is_divider(words: str) -> bool:
    """Return whether words in dashes name a letter: "-----Antwort Nachricht-----"."""
    opening, closing = _DASHES.match(words), _DASHES.match(words[::-1])
    if not (opening and closing) or opening.end() + closing.end() >= len(words):
        return False
    inner = words[opening.end() : -closing.end()].split()
    # "---- Eve wrote ----", as some telephones have it
    if inner and _WROTE.fullmatch(inner[-1].rstrip(":")):
        return len(inner) > 1 and not _FIRST_PERSON.match(" ".join(inner))
    return len(inner) < 5 and _OWN_WORDS.isdisjoint(inner) and bool(_NOUN.search(" ".join(inner)))


Entry = tuple[str, str]
"""Label in small letters, and the rest."""


def in_one_line(line: str) -> list[Entry]:
    first, *pieces = short(line).replace("：", ":").split(":")
    entries: list[Entry] = []
    label, said = known_label(first), ""
    for number, piece in enumerate(pieces if label else (), 1):
        words = piece.split()
        sizes = (n for n in (3, 2, 1) if number < len(pieces) and known_label(" ".join(words[-n:])))
        size = min(next(sizes, 0), len(words))
        said += " ".join(words[: len(words) - size])
        if size or number == len(pieces):
            entries.append((label, said))
            label, said = known_label(" ".join(words[-size:])), ""
        else:
            said += ":"  # of a time
    return entries


def known_label(text: str) -> str:
    label = text.strip(" \t\xa0*_-|").lower()
    return label if label in FROM or label in OTHER else ""


def is_header(entries: Sequence[Entry], mine: Collection[str], said: bool) -> bool:
    """Return whether entries are another letter's header: From and more than To, with a moment or
    another's address. mine: the writer's addresses. said: the writer wrote something above."""
    known = {label for label, _ in entries}
    if known.isdisjoint(FROM) or len(known) < 2 or (len(known) == 2 and known & TO):
        return False
    values = [short(value) for _, value in entries]
    if any(_TIME.search(value) for value in values):
        return True
    pieces = (short(value) for label, value in entries if label in FROM)
    if writers := {one.lower() for piece in pieces for one in _PLAIN_ADDRESS.findall(piece)}:
        return not writers <= set(mine)
    return not known.isdisjoint(DATE) or (said and any("@" in value for value in values))



def by_first_letter(words: str) -> str:
    """Return an equal, faster expression."""
    groups: dict[str, list[str]] = {}
    for word in words.split("|"):
        groups.setdefault(word[0], []).append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in groups.items())


_DATE = r"\d{1,4}\s?[-./年]\s?\d{1,2}|\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}\.?\s+[^\W\d]{3,}"
HAS_DATE = re.compile(_DATE)
_CLEAR_DATE = re.compile(r"\d{4}|\d{1,2}[:.h]\d{2}|\d{1,2}[-./年]\s?\d{1,2}")
"""A year, time or date in figures; not "7 for"."""
_DATE_LAST = re.compile(r"\[[\d :./-]{8,30}\]\Z")
_WROTE_WORD = re.compile(
    rf"(?=\w)(?:(?<!\w)(?:{by_first_letter(WROTE)})(?!\w)|{by_first_letter(WROTE_UNSPACED)})",
    re.IGNORECASE,
)
_WROTE_DASHES = re.compile(rf"(?<!\w)(?:{WROTE}):? ?-{{3,20}}\Z", re.IGNORECASE)
_STARTS = re.compile(
    rf"\s*+[-*_~\"'“]*+\s*+(?:(?:{BEGINS})\b[\s,.]|(?:{_DATE})|[^\W\d]+,?\s+(?:[^\W\d]+\s+)?\d{{1,2}}[\s,.])",
    re.IGNORECASE,
)
_BY_DAY = re.compile(rf"\s*+[-*_~]*+\s*+(?:{BEGINS})\b[\s,.].*(?:{_DATE})", re.IGNORECASE)
WIDEST = 5
"""Lines of a heading, unless all but its last are full."""
MOST = 60
"""Lines of such a heading."""
_EXAMINED = 200_000  # characters examined as headings
_WRAPPED = 50
_HEADING_ENDS = (":", "：", "፦", "։", "․", "---")
_INITIALS = re.compile(r"[A-Z][A-Za-z]{0,2}>")


def is_quoted(line: str) -> bool:
    """Return whether a quotation mark begins it: `>`, `| `, `: `, `»` or `AB>`."""
    bare = line.lstrip()
    # quotation marks about words, in German and in French, are no mark of a line
    if bare.startswith(("»", "›")):
        return not ("«" in bare or "‹" in bare)
    if bare.startswith((">", "＞", "| ", ": ")) or bare == "|":
        return True
    return ">" in bare and bool(_INITIALS.match(bare))


def _ends_heading(line: str) -> bool:
    bare = line.rstrip()
    if not bare.endswith(_HEADING_ENDS):
        return False
    return bare[-1] != "-" or bool(_WROTE_DASHES.search(bare[-60:]))


def addressed(text: str) -> bool:
    return "@" in text and bool(ADDRESS.search(text))


@lru_cache(maxsize=64)
def _hints(line: str) -> tuple[bool, bool, bool]:
    return may_say_wrote(line), "@" in line, bool(HAS_DATE.search(line))


def _may_be(verb: bool, sign: bool, date: bool) -> bool:
    return (sign or date) and (verb or (sign and date))


def _joined(span: Sequence[str]) -> str:
    ends = span if len(span) <= 2 * WIDEST else [*span[:WIDEST], *span[-WIDEST:]]
    return short(" ".join(map(short, ends)))


def is_full(line: str, following: str) -> bool:
    """Return whether the next word had no room."""
    word = following.split(maxsplit=1)[:1]
    return bool(word) and len(line) + 1 + len(word[0]) > _WRAPPED


def _goes_on(before: str, line: str) -> bool:
    return bool(
        line.startswith(("<", "(", "[", "mailto:"))
        or before.endswith(("<", "@", ","))
        or len(before) + len(line.split(" ", 1)[0]) >= _WRAPPED
        or (before[-1].isdigit() and _BY_DAY.match(before))
        or _says_wrote(line)
    )


def _says_wrote(line: str) -> bool:
    return bool(_WROTE_WORD.match(line.lstrip("> ")))


def _is_attribution(joined: str) -> bool:
    dated, starts = HAS_DATE.search(joined), _STARTS.match(joined)
    if wrote := _WROTE_WORD.search(joined):
        return bool(addressed(joined) or (dated and (starts or len(joined) - wrote.end() < 40)))
    bare = joined.rstrip(" :：")
    if is_moment_and_address(joined):
        return True
    if starts and dated:
        in_brackets = addressed(joined) and bare.endswith((">", ")", "]"))
        return in_brackets or bool(ADDRESS_LAST.search(bare))
    return bool(addressed(joined) and _DATE_LAST.search(bare))


class Attributions:
    """Attributions in a text, by first line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.examined = 0

    def width(self, start: int) -> int:
        """Return the lines of the heading that begins here, or 0."""
        first = short(self.lines[start])
        if not (_STARTS.match(first) or "<" in first or addressed(first) or _ends_heading(first)):
            alone = start == 0 or not is_full(self.lines[start - 1], self.lines[start])
            return self._wide_attribution(start) if alone else 0
        span: list[str] = []
        verb = sign = date = False
        for at in range(start, min(len(self.lines), start + 3 * WIDEST)):
            line = self.lines[at].strip()
            if line:
                if len(span) == WIDEST:
                    return self._wide_attribution(start)
                if span and is_quoted(line) and not _says_wrote(line):
                    return 0
                span.append(line)
                verb, sign, date = map(
                    any, zip((verb, sign, date), _hints(short(line)), strict=True)
                )
                if not at - start and is_stamped(short(line)):
                    return 1
                if _may_be(verb, sign, date) and _ends_heading(line) and self._reads_as_one(span):
                    return at - start + 1 if self._is_one(span) else 0
            elif not span[-1].endswith(("<", ">", "@", ",")):
                after = self.next_text(at)
                if after is None or not self.lines[after].lstrip().startswith(("<", "mailto:")):
                    return 0
        return 0

    def is_sure(self, start: int, width: int) -> bool:
        """Return whether a program surely wrote it, not the writer."""
        if width == 1 and is_stamped(short(self.lines[start])):
            return True
        # a line that ends with a colon may not be the last
        for end in (start + width, start + width + 1):
            span = [line.strip() for line in self.lines[start:end] if line.strip()]
            if _ends_heading(span[-1]) and is_programs(_joined(span)):
                return True
        return False

    def introduces(self, at: int) -> bool:
        """Return whether a line heads the marked quotation below."""
        if not _ends_heading(self.lines[at]):
            return False
        line = short(self.lines[at])
        after = self.next_text(at + 1)
        if after is None or not is_quoted(self.lines[after]):
            return False
        wrote = may_say_wrote(line) and _WROTE_WORD.search(line)
        return bool(wrote or addressed(line) or (HAS_DATE.search(line) and _STARTS.match(line)))

    def are_marked(self, at: int) -> bool:
        """Return whether a marked quotation or nothing follows."""
        after = self.next_text(at)
        return after is None or is_quoted(self.lines[after])

    def next_text(self, at: int) -> int | None:
        return next((n for n in range(at, len(self.lines)) if self.lines[n].strip()), None)

    def _wide_attribution(self, start: int) -> int:
        last = min(self._runs[start], start + MOST)
        for end in self._ends[bisect_left(self._ends, start + WIDEST) :][:3]:
            span = self.lines[start : end + 1] if end <= last else []
            if span and self._reads_as_one(span):
                shorter = (span[at:] for at in range(len(span) - WIDEST, len(span)))
                later = any(_BY_DAY.match(one[0]) and self._reads_as_one(one) for one in shorter)
                return 0 if later else len(span)
        return 0

    @cached_property
    def _ends(self) -> list[int]:
        return [at for at, line in enumerate(self.lines) if _ends_heading(line)]

    @cached_property
    def _runs(self) -> list[int]:
        found = list(range(len(self.lines)))
        for at in reversed(range(len(self.lines) - 1)):
            if is_full(self.lines[at], self.lines[at + 1]):
                found[at] = found[at + 1]
        return found

    def _reads_as_one(self, span: Sequence[str]) -> bool:
        joined = _joined([line.strip() for line in span])
        if not _may_be(*_hints(joined)):
            return False
        self.examined += len(joined)
        if self.examined > _EXAMINED:
            raise OverLimit("too many lines that may stand above quotations")
        return _is_attribution(joined)

    def _is_one(self, span: Sequence[str]) -> bool:
        dated = bool(_BY_DAY.match(short(span[0])) or _CLEAR_DATE.search(short(span[0])))
        broken = True
        for at in range(1, len(span)):
            on = _goes_on(span[at - 1], span[at])
            apart = not dated or not on or _BY_DAY.match(short(span[at]))
            if self._reads_as_one(span[at:]) and apart:
                return False
            broken = broken and on
        return broken or addressed(_joined(span))
