"""Redeem codes: what each does when it comes back (:mod:`pbem.post.codes`)."""

from typing import assert_never

from pbem.letters.states import LetterState
from pbem.periods import claims
from pbem.post import codes
from pbem.post.codes import Kind, Pending
from pbem.post.work import Work
from pbem.referee.deciding import trust
from pbem.referee.deciding.judged import Judged, Outcome
from pbem.referee.deciding.senders import Answer
from pbem.referee.game.game_letters import GameLetter
from pbem.referee.gamesmaster import gamesmaster_words
from pbem.referee.words import club, deputies, leaving, signing_on
from pbem.referee.words.club import Asker
from pbem.store.joining import open_tables
from pbem.store.joining.claimants import OfferRow


def at_the_door(
    work: Work, judged: Judged, code: str = "", *, late: bool = False
) -> Pending | None:
    """Return the writer's code that a yes would do too. late: also if it is too old."""
    found = codes.find(work, code or trust.code_of(judged))
    if found is None or found.kind not in codes.DOOR:
        return None
    why = codes.refusal(work, found, judged.letter.sender or "")
    return None if why and not (late and why is codes.LATE) else found


def answer(work: Work, judged: Judged, found: Pending, *, called: str = "") -> Answer:
    """Redeem a code of the door."""
    done = redeem(work, judged, found, called=called)
    assert isinstance(done, Answer)
    return done


def redeem(  # noqa: PLR0912  a case for each kind
    work: Work, judged: Judged, pending: Pending, *, called: str = ""
) -> Outcome | Answer:
    """Do what a code stands for, once. Return the answer that is not mailed yet, or what becomes
    of the letter. called: the name wished for."""
    asker, payload = Asker.of(work, judged, pending.by), pending.told
    if pending.kind in codes.DOOR | {Kind.ACT}:
        codes.void(work, pending.hashed)
    match pending.kind:
        case Kind.SIGNON:
            return signing_on.confirmed(asker, {**payload, "called": called})
        case Kind.NAMED:
            return signing_on.renamed(asker, payload["name"])
        case Kind.WATCH:
            return club.watch(asker, payload["watched"])
        case Kind.UNWATCH:
            return club.unwatch(asker, *payload["ended"][:1])
        case Kind.PRACTICE:
            return club.practise(asker, payload["practised"])
        case Kind.SUBSCRIBE:
            return club.subscribe(asker, payload["word"], "ON" if payload["on"] else "OFF")
        case Kind.NO_MORE_MAIL:
            open_tables.refuse_invitations(work.conn, asker.sender, work.now)
            return Answer("You get no more invitations from here.", "You get no more invitations")
        case Kind.LEAVING:
            left = leaving.confirmed(work, payload)
            return left if isinstance(left, Answer) else GameLetter.leaves(work, judged, left)
        case Kind.HANDOVER:
            return gamesmaster_words.agrees(work, judged, pending)
        case Kind.ACT:
            return gamesmaster_words.confirmed(work, judged, payload)
        case Kind.OFFER:
            return _answers_offer(work, judged, payload["row"])
        case Kind.DEPUTY:
            return deputies.confirmed(work, judged, payload["row"], hers=payload["hers"])
        case Kind.LETTER:
            return trust.confirm(work, judged, payload["row"])
    assert_never(pending.kind)


def _answers_offer(work: Work, judged: Judged, offer: OfferRow) -> Outcome | Answer:
    if why := claims.answered(work, offer, judged.letter):
        return Answer(why, f"[{offer.game_id}] {offer.seat} is not yours")
    reason = f"takes {offer.seat} in {offer.game_id} by its code"
    return Outcome(LetterState.COMMAND, reason)
