"""The queue within 80 columns. What is left out is counted."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from pbem import text as typeset
from pbem.games.frame.codec import Json
from pbem.referee.deciding import unproven
from pbem.referee.gamesmaster.queue import OR, PAGE
from pbem.store.schema.states import Freed
from pbem.text import UNBROKEN, safe, thousands

SHOWN = 50
"""Things of a kind."""
_NAMED = 3
"""People to whom a seat is offered."""


_TROUBLE = ("unproven", "blocked", "restored")


class Face(StrEnum):
    """Where the queue is read; the JSON key of what releases a thing there."""

    SHELL = "release"
    MAIL = "words"


def waits(told: Json) -> bool:
    """Return whether anything waits for him, or is wrong with the post."""
    return any(_waits(told, Face.MAIL)) or any(told[one] for one in _TROUBLE)


def text(told: Json, face: Face) -> str:
    waits, post = list(_waits(told, face)), list(_post(told, face))
    parts = [
        _part("WHAT WAITS FOR YOU", waits),
        _part("THE POST", post),
        _part(_heading(told), [*_games(told), *_more(told, face)]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n" if any(parts) else "Nothing waits.\n"


def _part(title: str, lines: Sequence[str]) -> str:
    return "\n".join((title, "", *lines)) if lines else ""


# --- what waits -----------------------------------------------------------------------------------


def _waits(told: Json, face: Face) -> Iterator[str]:
    yield from _some(told["letters"], told["number"]["letters"], "letters", _letter, face)
    for what, found in groupby(told["waits"], key=lambda one: one["what"]):
        some = list(found)
        yield from _some(some, len(some), _SEVERAL[what], _of_game, face)
    yield from _some(told["mails"], told["number"]["mails"], "mails", _mail, face)
    trouble = told["delivery_trouble"]
    yield from _some(trouble, len(trouble), "addresses", _address, face)
    alarms = told["alarms"]
    yield from _some(alarms, len(alarms), "alarms", _alarm, face)


_SEVERAL = {
    "review": "bulletins in review",
    "held": "held games",
    "protest": "protests",
    "question": "questions",
    "quits": "players who ask to be relieved",
    "free": "free seats",
    "silent": "silent seats",
    "amendment": "adopted amendments",
    "newcomer": "players who wait for your word",
    "editor": "letters to the paper",
}


def _some(
    found: Sequence[Json], number: int, what: str, said: Callable[[Json], str], face: Face
) -> Iterator[str]:
    for one in found[:SHOWN]:
        yield "\n".join(_filled(said(one), "", "  "))
        yield from _ways(one[face], "" if face is Face.SHELL else "write ")
    if number > SHOWN:
        where = "pbem queue --json shows more" if face is Face.SHELL else "more when these are done"
        yield f"(and {thousands(number - SHOWN)} more {what}: {where})"


def _ways(release: str, say: str) -> Iterator[str]:
    """Yield the ways out. A long command continues behind a backslash.

    In a mail no word begins a line: quoted, it would be a command.
    """
    whole = f"    {say}{release}"
    if len(whole) <= typeset.WIDTH:
        yield whole
        return
    for way in release.split(OR):
        line = f"    {say}{way}"
        fits = len(line) <= typeset.WIDTH or say
        yield line if fits else " \\\n".join(_filled(way, " " * 4, " " * 8))


def _filled(said: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        said,
        typeset.WIDTH - 2,  # for the backslash
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _letter(one: Json) -> str:
    who = safe(one["sender"]) or "?"
    seat = f", for {one['seat']} in {one['game']}" if one["seat"] and one["game"] else ""
    return (
        f"letter {one['id']}: {one['outcome']} from {who}{seat}, {_minute(one['received'])}:"
        f" {safe(one['reason'])}"
    )


def _of_game(one: Json) -> str:
    game = one["game"]
    match one["what"]:
        case "review":
            return f"{game}: bulletin {one['bulletin']} waits in review"
        case "held":
            since = f" since {_minute(one['since'])}" if one["since"] else ""
            return f"{game}: HELD{since}: {safe(one['why'])}"
        case "protest":
            says = f"{one['seat']} protests against bulletin {one['bulletin']}"
            return f"{game}: {says}: {safe(one['text'])}"
        case "question":
            return f"{game}: {one['seat']} asks: {safe(one['text'])}"
        case "amendment":
            return f"{game}: amendment {one['amendment']} is adopted and waits to be carried out"
        case "newcomer":
            return f"{game}: {safe(one['name'])} would like to play"
        case "editor":
            text = " ".join(safe(line) for line in one["text"].split("\n"))
            return f"letter {one['number']} to the paper, from {one['name']}: {text}"
        case "quits":
            asks = f"{one['seat']} asks to be relieved since {_minute(one['since'])}"
            return f"{game}: {asks}; {_offered(one['offered'])}"
        case "free":
            why = "no list came" if one["why"] == Freed.LIST else "no answer came"
            free = f"{one['seat']} is free since {_minute(one['since'])}: {why}"
            return f"{game}: {free}; {_offered(one['offered'])}"
        case _:
            missed = f"has missed {one['missed']} moves in a row" if one["missed"] else "was silent"
            asked = one["asked_until"]
            until = f"; asked to write by {_minute(asked)}" if asked else ""
            return f"{game}: {one['seat']} {missed}{until}"


def _offered(offers: Sequence[Json]) -> str:
    if not offers:
        return "nobody is left to be asked"
    several = len(offers) > _NAMED
    to = f"{len(offers)} people" if several else ", ".join(safe(one["to"]) for one in offers)
    alone = " alone" if all(one["alone"] for one in offers) else ""
    return f"offered to {to}{alone} until {_minute(max(one['until'] for one in offers))}"


def _mail(one: Json) -> str:
    return f"mail {one['id']} to {one['recipient']}: {one['state']}: {safe(one['reply'])}"


def _address(one: Json) -> str:
    counts = f"{one['soft']} soft, {one['hard']} hard; {safe(one['last'])}"
    return f"delivery trouble: {one['address']} ({safe(one['player'])}): {counts}"


def _alarm(one: Json) -> str:
    return f"alarm {one['mail']}, {_minute(one['since'])}: {safe(one['subject'])}"


# --- the post -------------------------------------------------------------------------------------


def _post(told: Json, face: Face) -> Iterator[str]:
    undecided = told["undecided"]
    if undecided["letters"]:
        count = (
            "1 letter is" if undecided["letters"] == 1 else f"{undecided['letters']} letters are"
        )
        yield typeset.wrap(f"{count} undecided, the oldest of {_minute(undecided['oldest'])}")
    for state, n in told["outbox"].items():
        yield typeset.wrap(f"outbox: {n['mails']} {state}, the oldest of {_minute(n['oldest'])}")
    if told["unproven"]:
        yield typeset.wrap(
            unproven.sentence(told["unproven"], _minute(told["unproven"]["reached"]))
        )
    if refused := told["blocked"]:
        since = _minute(refused["since"])
        yield typeset.wrap(
            f"the server refuses our mail since {since}: {refused['reply']}; all wait, and one asks"
            " again now and then. Ask your provider why"
        )
    if told["restored"]:
        shell = "`pbem restore --release-outbox`"
        then = shell if face is Face.SHELL else f"{shell} in the shell"
        since = _minute(told["restored"])
        yield typeset.wrap(f"no mail goes out since the restore of {since}: look, then {then}")


# --- the games ------------------------------------------------------------------------------------


def _heading(told: Json) -> str:
    number, shown = told["number"]["games"], len(told["games"])
    if shown == number:
        return "THE GAME" if number == 1 else "THE GAMES, the next deadline first"
    first, last = told["first"], told["first"] + shown - 1
    return f"GAMES {first} to {last} of {thousands(number)}, the next deadline first"


def _games(told: Json) -> Iterator[str]:
    for game in told["games"]:
        review = ", a bulletin in review" if game["review"] else ""
        yield typeset.wrap(
            f"{game['id']}: {game['ruleset']}, {game['status']}{review}, period"
            f" {game['period']} {game['phase']}".rstrip()
        )
        if game.get("deadline_text"):
            local, _, utc = game["deadline_text"].partition(" = ")
            yield typeset.wrap(f"due {local} = {utc.replace(' ', UNBROKEN)}", 4)
        if game["period"] and game["phase"] and "players" not in game:
            yield "    you play in it, and see what any player may know"
        if whole := [seat for seat in game["in"] if seat not in game["missing"]]:
            yield typeset.wrap(f"in: {', '.join(whole)}", 4)
        missing: dict[str, list[str]] = {}
        for seat, slots in game["missing"].items():
            missing.setdefault(", ".join(slots), []).append(seat)
        for slots, seats in missing.items():
            yield typeset.wrap(f"missing: {', '.join(seats)}: {slots}", 4)
        for seat, said in game.get("away", {}).items():
            yield typeset.wrap(f"{seat}: {'; '.join(said)}", 4)
        if record := _missed(game.get("record", {})):
            yield typeset.wrap(record, 4)


def _missed(record: Json) -> str:
    said = []
    for seat, of in record.items():
        if of["missed"] or of["given_up"]:
            gave = f", {of['given_up']} given up" if of["given_up"] else ""
            said.append(f"{seat} missed {of['missed']} of {of['due']}{gave}")
    return f"record in all games: {'; '.join(said)}" if said else ""


def _more(told: Json, face: Face) -> Iterator[str]:
    number, last = told["number"]["games"], told["first"] + len(told["games"]) - 1
    if len(told["games"]) == number:
        return
    yield ""
    page = last // PAGE + 1
    if face is Face.SHELL:
        after = f"pbem queue --page {page} shows the next; " if last < number else ""
        yield typeset.wrap(f"{after}pbem queue GAME shows one, pbem queue --all all.")
    else:
        after = f"The word QUEUE {page} brings the next, " if last < number else "The word "
        yield typeset.wrap(f"{after}QUEUE with a game's key that game alone.")


def _minute(moment: str) -> str:
    return f"{datetime.fromisoformat(moment):%Y-%m-%d %H:%M} UTC"
