"""Redeem codes: what each does when it comes back (:mod:`pbem.post.codes`)."""

from typing import assert_never

from pbem.letters.states import LetterState
from pbem.periods import claims
from pbem.post import codes
from pbem.post.codes import CodeKind, Pending
from pbem.post.work import Work
from pbem.referee.deciding import trust
from pbem.referee.deciding.judged import Judged, LetterOutcome
from pbem.referee.deciding.senders import Reply
from pbem.referee.game.game_letters import GameLetter
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.referee.words import club, deputies, leaving, signing_on
from pbem.referee.words.club import Asker
from pbem.store.joining import open_tables


def at_the_door(
    work: Work, judged: Judged, code: str = "", *, late: bool = False
) -> Pending | None:
    """Return the writer's code that a yes would do too. late: also if it is too old."""
    found = codes.find(work, code or trust.code_of(judged))
    if found is None or found.kind not in codes.DOOR:
        return None
    why = codes.refusal(work, found, judged.letter.sender or "")
    return None if why and not (late and why is codes.LATE) else found


def answer(work: Work, judged: Judged, found: Pending, *, called: str = "") -> Reply:
    """Redeem a code of the door."""
    done = redeem(work, judged, found, called=called)
    assert isinstance(done, Reply)
    return done


def redeem(  # noqa: PLR0912  a case for each kind
    work: Work, judged: Judged, pending: Pending, *, called: str = ""
) -> LetterOutcome | Reply:
    """Do what a code stands for, once. Return the answer that is not mailed yet, or what becomes
    of the letter. called: the name wished for."""
    asker, payload = Asker.of(work, judged, pending.by), pending.told
    if pending.kind in codes.DOOR | {CodeKind.ACT}:
        codes.void(work, pending.hashed)
    match pending.kind:
        case CodeKind.SIGNON:
            return signing_on.confirmed(asker, {**payload, "called": called})
        case CodeKind.NAMED:
            return signing_on.renamed(asker, payload["name"])
        case CodeKind.WATCH:
            return club.watch(asker, payload["watched"])
        case CodeKind.UNWATCH:
            return club.unwatch(asker, *payload["ended"][:1])
        case CodeKind.PRACTICE:
            return club.practise(asker, payload["practised"])
        case CodeKind.SUBSCRIBE:
            return club.subscribe(asker, payload["word"], "ON" if payload["on"] else "OFF")
        case CodeKind.NO_MORE_MAIL:
            open_tables.refuse_invitations(work.conn, asker.sender, work.now)
            return Reply("You get no more invitations from here.", "You get no more invitations")
        case CodeKind.LEAVING:
            left = leaving.confirmed(work, payload)
            return left if isinstance(left, Reply) else GameLetter.leaves(work, judged, left)
        case CodeKind.HANDOVER | CodeKind.ACT:
            return gamesmaster_words.confirmed(work, judged, pending)
        case CodeKind.OFFER:
            offer = payload["row"]
            if why := claims.answered(work, offer, judged.letter):
                return Reply(why, f"[{offer.game_id}] {offer.seat} is not yours")
            reason = f"takes {offer.seat} in {offer.game_id} by its code"
            return LetterOutcome(LetterState.COMMAND, reason)
        case CodeKind.DEPUTY:
            return deputies.confirmed(work, judged, payload["row"], hers=payload["hers"])
        case CodeKind.LETTER:
            return trust.confirm(work, judged, payload["row"])
    assert_never(pending.kind)
