"""What is known without a game: seats, phases, options (§1, §6)."""

from __future__ import annotations

from pbem.games.frame.options import Option, timing
from pbem.games.frame.ruleset import About
from pbem.games.legislation.state import GIFTS, LATER, PHASES


def _switch(name: str, about: str, default: str = "OFF") -> Option:
    return Option(name, default, about, choices=("ON", "OFF"))


def _one_of(name: str, about: str, /, **choices: str) -> Option:
    return Option(
        name, next(iter(choices)), about, choices=tuple(choices), says=tuple(choices.values())
    )


def _count(name: str, about: str, *says: str) -> Option:
    return Option(name, "OFF", about, words=("OFF", "ON"), least=1, says=says)


OPTIONS = (
    Option("STATE", "", "name of the state, for the charter", text=40),
    _one_of(
        "DOCKET",
        "all bills of a session together, or one at a time",
        SESSION="all together",
        SERIAL="each chair has a round of his own",
    ),
    Option("ISSUES", 2, "issues per player (4 in all at least)", least=1),
    _one_of(
        "AMENDMENTS",
        "when bills may be amended",
        FROM_SESSION_2="from the second session on",
        ALWAYS="in every session",
        NEVER="never",
    ),
    _switch("BINDING", "carried amendments bind the chair", "ON"),
    _one_of(
        "QUORUM",
        "votes a bill needs to be decided",
        HALF="half of the players, or it lapses",
        NONE="as many as there are",
    ),
    _one_of(
        "EXTEND",
        "Present votes that extend discussion",
        HALF="half of the players or more",
        MAJORITY="more than half of them",
    ),
    _one_of(
        "PRECEDENCE",
        "which comes first if both are reached",
        PASS="the bill passes",
        EXTEND="the bill is extended",
    ),
    Option("MAX_EXTEND", 1, "how often a bill may be extended"),
    _one_of(
        "VETO_PAY",
        "who is paid where only the two thirds are missing",
        BOTH="both sides",
        AYES="the Ayes only",
    ),
    _one_of("CRISIS_AMEND", "additions to a Crisis bill", ADD="cards can be added", OFF="none"),
    _one_of(
        "CORP_BONUS",
        "tokens of Corporate Approval",
        **{"4": "4 tokens", "2": "2 tokens", "24": "24 tokens"},
    ),
    _one_of(
        "VOTES",
        "votes and purses",
        PUBLIC="all are told",
        SECRET="only totals are told, and of purses nothing",
    ),
    Option(
        "TRANSFERS",
        "ON",
        "when tokens may be given away",
        choices=("ON", "OFF", *GIFTS),
        many=True,
        says=(
            "in every period",
            "never",
            "while bills are laid",
            "while amendments are moved and voted on",
            "while bills are voted on",
            "in the campaign",
        ),
    ),
    _one_of(
        "TOKENS",
        "when a token on a card is told to all",
        AT_ONCE="at once, and it lies until the vote",
        DEADLINE="when the period closes",
    ),
    _switch("RETURN_DRAWN", "the card just drawn may be returned", "ON"),
    Option(
        "LOSE",
        "NEWHAND",
        "what losing the election costs",
        choices=("NEWHAND", "SKIP", "FINE"),
        many=True,
        says=(
            "a new hand",
            "the next turn as chair",
            "all tokens",
        ),
    ),
    _one_of(
        "VOID_SCOPE",
        "what can be voided once in a campaign",
        ISSUE="each issue of a player",
        PLAYER="each player",
    ),
    _one_of(
        "VOID_EFFECT",
        "a void bites a card held, or only a satisfied one",
        HELD="a card that is held",
        SATISFIED="a satisfied card only",
    ),
    _one_of("SCORES", "scores", PRIVATE="each is told his own", PUBLIC="all are told"),
    Option("THRESHOLD", 2, "score that wins re-election"),
    Option("MAX_SESSIONS", 5, "sessions after which the game ends", least=1),
    _one_of(
        "CHAIR",
        "first chair of later sessions",
        FIXED="the first seat, always",
        ROTATE="one place further each session",
    ),
    _switch("BILL_MODIFIERS", "variation: a yellow card with each bill"),
    _switch("CONFLICTING", "variation: both signs of an issue may be held"),
    _switch("PUBLIC_EYE", "variation: half points for votes, drafts and amendments"),
    _count(
        "TEAMS",
        "variation: teams, ON for half as many as players, or their number",
        "no teams",
        "half as many teams as players",
    ),
    _one_of(
        "TEAM_WIN",
        "teams win together or each for himself",
        JOINT="together",
        INDIVIDUAL="each for himself",
    ),
    _count(
        "PARTIES",
        "variation: teams that losers change, ON or their number",
        "no parties",
        "half as many parties as players",
    ),
    _switch("STALLED", "variation: all lose if more than half of the bills fail"),
    _one_of(
        "STALLED_END", "what is lost by a stalled session", ELECTION="the election", GAME="the game"
    ),
    _count(
        "CROWN",
        "variation: blank red cards, ON for one to two players, or their number",
        "none",
        "one for every two players",
    ),
    _switch("SINGLE_PARTY", "variation: all win or lose together"),
    Option("SINGLE_GOAL", 3, "satisfied cards everybody needs with SINGLE_PARTY", least=1),
    _switch("ASSIMILATION", "variation: losers leave, their cards go to the others"),
    Option("THRESHOLD_STEP", 0, "added to THRESHOLD each session"),
    _one_of(
        "BALANCED",
        "variation: chairs go on until the law balances",
        OFF="no",
        ZERO="until its sum is 0",
        NO_DEFICIT="until its sum is not above 0",
        LITERAL="until its sum is above 0",
    ),
    Option(
        "BALANCED_ROUNDS",
        int(LATER["BALANCED_ROUNDS"]),
        "rounds after which a session ends unbalanced",
        least=1,
    ),
    _switch("SPLIT_DEAL", "two + and two - red cards each at the deal"),
    _switch("PLUS_ONLY", "only + red cards"),
    *timing(3),
)

ABOUT = About(
    key="legislation",
    title="Legislation: The Game",
    seats=tuple(tuple(f"P{i}" for i in range(1, size + 1)) for size in range(3, 11)),
    schema=3,
    phases=PHASES,
    options=OPTIONS,
    status="complete",
    told_since=(
        "left_alone",
        "last_team",
        "passed_on",
        "passed_to",
        "never_balanced",
        "token_laid",
    ),
    lot=False,
    charter=True,
    seat_tables=("alive", "tokens"),
)
