"""Words of mail programs around what their user did not write: small letters, by bars, some
expressions. Listed only if a program is known to write it."""

from __future__ import annotations


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
OTHER = _listed(
    "sent|to|cc|bcc|date|subject|message-id|organization|importance|gesendet|an|datum|betreff|kopie|envoyé|à|objet|"
    "enviado|enviado el|enviados|enviada|enviada em|enviat|enviat el|para|per a|asunto|assunto|assumpte|data|fecha|"
    "inviato|a|oggetto|risposta|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|dato|efni|lähetetty|"
    "vastaanottaja|aihe|päiväys|päivämäärä|saadetud|saatmisaeg|adressaat|teema|išsiųsta|kam|wysłano|wysłane|do|dw|"
    "temat|odesláno|komu|kopia|předmět|predmet|odoslané|poslano|poslato|prima|naslov|za|zadeva|отправлено|кому|тема|"
    "дата|копия|надіслано|відправлено|изпратено|до|относно|elküldve|küldve|küldés dátuma|dátum|címzett|tárgy|trimis|"
    "către|subiect|στάλθηκε|απεσταλμένα|προς|θέμα|ημερομηνία|gönderildi|gönderme tarihi|kime|alıcı|konu|tarih|נשלח|"
    "אל|נושא|تم الإرسال|تاريخ الإرسال|إلى|الموضوع|dikirim|terkirim|kepada|subjek|perihal|đã gửi|ngày|đến|người nhận|"
    "chủ đề|ส่ง|ถึง|เรื่อง|发送日期|发件时间|发送时间|收件人|主题|"
    "主　题|日期|日　期|抄送|寄件日期|收件者|主旨|主題|傳送日期|送信日時|"
    "日付|宛先|件名|日時|보낸 날짜|받는 사람|받는사람|받은 사람|제목|날짜|copie à|per|موضوع|ارسال شده|предмет|"
    "испратено|anfonwyd|pwnc|به|至|tema|nosūtīts|tēma|bidaltze-data|nori|gaia|ke|dihantar|at|"
    "प्रेषित|प्रति|विषय|dërguar|për"
)
"""The other labels of a header."""
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
# fmt: on
