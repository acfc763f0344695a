"""Did a program send a letter? Then no automatic answer (RFC 3834)."""

import re
from collections.abc import Iterator

from pbem.letters.letter import MARKS, MARKS_BEGIN, Letter

_LAST = r"-(?:bounces?|request|owner)(?:\+|\Z)"
_ROBOTS = re.compile(
    r"(?:mail(?:er)?[-_]?daemon|post_?master|daemon|no[-_.]?reply|bounces?|listserv|majordomo|mailman|sympa|autoresponder"
    r"|auto-?reply|vacation|nobody|abuse-?report|feedback-?loop|root|cron|www-data|notifications?"
    r"|microsoftexchange[0-9a-f]{32})(?:\+|\Z)"
    rf"|do[-_.]?not[-_.]?reply|noreply-|bounces?[+-]|owner-|(?:(?!{_LAST}).)*+{_LAST}"
)
_BEGINS_AWAY = """
auto reply|autoreply|auto response|automatic reply|automatic response|automated reply|automated response|out of office
out of the office|vacation reply|vacation message|vacation response|away from my mail|away from mail|on vacation:|i am away
abwesenheitsnotiz|abwesenheitsnachricht|abwesenheitsassistent|abwesenheit:|automatische antwort|außer haus|ausser haus
automatische reaktion|automatisch antwoord|afwezigheid|niet aanwezig|réponse automatique|absence du bureau|absent du bureau
absence:|message d'absence|je suis absent|respuesta automática|respuesta automatica|fuera de la oficina|fuera de oficina
ausente de la oficina|resposta automática|resposta automatica|fora do escritório|ausência temporária|ausência:
risposta automatica|fuori sede|fuori ufficio|assente dall'ufficio|resposta automàtica|fora de l'oficina
automatiskt svar|frånvaro|frånvarande|ej på kontoret|automatisk svar|autosvar|fravær|ikke til stede|ikke på kontoret
ute av kontoret|fraværende|automaattinen vastaus|automaattivastaus|poissa|poissaolo|sjálfvirkt svar|automaatvastus
automātiska atbilde|automatinis atsakymas|odpowiedź automatyczna|automatyczna odpowiedź|nieobecność|poza biurem
automatická odpověď|automatická odpoveď|mimo kancelář|mimo kancelárie|nepřítomnost|neprítomnosť|automatikus válasz
házon kívül|távollét|răspuns automat|în afara biroului|absență|otomatik yanıt|otomatik cevap|ofis dışında|büro dışında
αυτόματη απάντηση|εκτός γραφείου|автоответ|автоматический ответ|отсутствую|нет на месте|вне офиса|автоматична відповідь
поза офісом|автоматичен отговор|извън офиса|automatski odgovor|izvan ureda|аутоматски одговор|samodejni odgovor|odsotnost
自动回复|自动答复|自動回覆|自動回復|外出|不在办公室|自動返信|自動応答|不在通知|不在のため|자동 회신|자동 응답|부재중
trả lời tự động|balasan otomatis|balasan automatik|ตอบกลับอัตโนมัติ|מענה אוטומטי|תשובה אוטומטית|מחוץ למשרד|رد تلقائي|خارج المكتب
پاسخ خودکار|स्वचालित उत्तर|your email requires verification|please confirm your message
"""
_BEGINS_READ = """
read:|not read:|read receipt|return receipt|disposition notification|gelesen:|nicht gelesen:|ungelesen gelöscht:
lesebestätigung|empfangsbestätigung|lu :|lu:|non lu :|non lu:|accusé de réception|accusé de lecture|confirmation de lecture
leído:|no leído:|confirmación de lectura|acuse de recibo|lido:|lida:|não lida:|confirmação de leitura|recibo de leitura
letto:|non letto:|conferma di lettura|ricevuta di ritorno|ricevuta di lettura|gelezen:|niet gelezen:|leesbevestiging
läst:|oläst:|läskvitto|lest:|ulest:|lesebekreftelse|læst:|ulæst:|kvittering for læsning|luettu:|lukukuittaus|przeczytane:
przeczytano:|potwierdzenie przeczytania|přečteno:|prečítané:|potvrzení o přečtení|olvasva:|elolvasva:|citit:|okundu:
okundu bilgisi|αναγνώστηκε:|прочитано:|не прочитано:|уведомление о прочтении|прочетено:|pročitano:|已读:|已讀:|已读：|已讀：
開封済み:|開封済み：|開封確認|読了:|읽음:|נקרא:|تمت القراءة
"""
_BEGINS = tuple(
    " ".join(one.split())
    for one in f"{_BEGINS_AWAY}{_BEGINS_READ}".replace("\n", "|").split("|")
    if one
)
_NO_SENDER = re.compile(
    r"<\s*>|<?mail(?:er)?[-_]?daemon(?:@[^<>\s]*)?>?"
    r"|<?(?:owner-[^<>\s@]*+|(?:(?!-(?:bounces[+@]|(?:request|owner)@))[^<>\s@])*+"
    r"-(?:bounces(?:\+[^<>\s@]*+)?+|request|owner))@[^<>\s]*+>?",
    re.IGNORECASE,
)

_COMMENT = re.compile(r"\([^()]{0,1000}+\)")
_BETWEEN = re.compile(r"[\s;]")


def why(letter: Letter) -> str:
    """Return why no automatic answer may be sent, or ""."""
    return next(_signs(letter), "")


def _signs(letter: Letter) -> Iterator[str]:
    for said in letter.fields.get("auto-submitted", ()):
        word = _first(said)
        if word != "no":
            yield f"Auto-Submitted: {word[:40] or 'empty'} (RFC 3834)"
    if "x-referee-loop" in letter.fields:
        yield "it carries the mark of a referee's own mail"
    paths = map(_uncommented, letter.fields.get("return-path", ()))
    if any(map(_NO_SENDER.fullmatch, paths)):
        yield "its envelope has no sender (a delivery report)"
    for said in letter.fields.get("precedence", ()):
        if (word := _first(said)) in ("bulk", "list", "junk", "auto_reply", "auto-reply"):
            yield f"Precedence: {word}"
    yield from (
        f"it has a {name} field (a list or a program)" for name in MARKS if name in letter.fields
    )
    yield from (
        f"it has the mark of {mark} (a ticket system or an automatic answer)"
        for mark in _answering(letter)
    )
    if letter.sender and _ROBOTS.match(letter.sender.partition("@")[0]):
        yield f"{letter.sender} is a program's address"
    if letter.kind in _REPORTS:
        yield "it is a report"
    if by_subject(letter):
        yield _SUBJECT


_SUBJECT = "its subject is that of an automatic answer"


def by_list(letter: Letter) -> bool:
    """Return whether a list is the only sign."""
    signs = list(_signs(letter))
    ours = {f"it has a {name} field (a list or a program)" for name in _OF_LISTS}
    return bool(signs) and ours.union(("Precedence: list", "Precedence: bulk")).issuperset(signs)


def _first(value: str) -> str:
    return _BETWEEN.split(_uncommented(value).lower(), maxsplit=1)[0].strip('"')


def _uncommented(value: str) -> str:
    return _COMMENT.sub(" ", value).strip()


def is_answer(letter: Letter) -> bool:
    """Return whether fields mark an absence note, ticket or read receipt."""
    said = letter.first("auto-submitted").strip().lower()
    answers = said.startswith(("auto-replied", "auto-notified"))
    return answers or letter.kind in _REPORTS or any(_answering(letter))


def by_subject(letter: Letter) -> bool:
    """Return whether its subject does. People write such too."""
    plain = letter.subject.lower().replace("-", " ").replace("’", "'")
    plain = " ".join(plain.split()).lstrip("[(*<【")
    away = " is out of the office" in plain[:100] and not plain.startswith("re:")
    return away or plain.startswith((*_BEGINS, "auto:"))


def perhaps_a_person(letter: Letter) -> bool:
    """Return whether its subject is the only sign, and it answers no mail."""
    return why(letter) == _SUBJECT and not letter.in_reply_to


def _answering(letter: Letter) -> Iterator[str]:
    marks = (*MARKS_BEGIN, "x-apple-action")
    yield from (name for name in letter.fields if name.startswith(marks))
    for name in ("managed-by", "x-managed-by", "x-powered-by", "x-delivery-agent", "x-mailer"):
        said = (one.strip().lower() for one in letter.fields.get(name, ()))
        yield from (name for one in said if one.startswith(_SYSTEMS))


_LISTS = ("list-", "mailing-list", "x-mailing-list", "x-beenthere")
_OF_LISTS = tuple(name for name in MARKS if name.startswith(_LISTS))
_REPORTS = ("multipart/report", "message/delivery-status", "message/disposition-notification")
_SYSTEMS = (
    "rt ", "request tracker", "otrs", "znuny", "zammad", "zendesk", "freshdesk", "servicenow",
    "jira", "atlassian", "help scout", "helpscout", "osticket", "kayako", "tmda", "boxtrapper",
    "vacation", "autorespond",
)  # fmt: skip
