"""The kinds of mail: what the header of each says, and its lane in the outbox.

Lower lanes go first; in each the games take turns. One reader's mails keep their order in a lane.
"""

ANSWERS, REMINDERS, NOTICES, BULLETINS = LANES = range(4)
"""What somebody waits for; before a near time; for one player; for all."""
LATER = 10
"""Added for another try."""
_KINDS = (
    ("welcome", NOTICES, "start"),
    ("notice", ANSWERS, "alarm canary protest warned"),
    ("notice", NOTICES, "ballot notice offer replaced"),
    ("notice", BULLETINS, "digest silence"),
    ("bulletin", BULLETINS, "bulletin changes copy deadline event hold pause report"),
    ("bulletin", BULLETINS, "restored resume void zine"),
    ("receipt", ANSWERS, "again receipt receipts review"),
    ("reminder", REMINDERS, "asked reminder"),
    ("door", ANSWERS, "anybody newcomer standby stranger table unread"),
    ("door", NOTICES, "invitation invited observer rematch"),
    ("answer", ANSWERS, "answer challenge challenges confirmed deputy desk"),
    ("answer", ANSWERS, "gamesmaster handover leaving proof question"),
    ("answer", NOTICES, "kept"),
    ("press", BULLETINS, "press"),
    ("end", BULLETINS, "ended statements"),
)
LANE_OF = {kind: lane for _, lane, kinds in _KINDS for kind in kinds.split()}
SHOWN_AS = {kind: shown for shown, _, kinds in _KINDS for kind in kinds.split()}
"""As the header of a mail says."""
