"""The words of each act at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FieldWords:
    """One field of a form."""

    label: str
    hint: str = ""
    input: str = ""
    """"date", "seats" or "line", if not the argument's kind."""


@dataclass(frozen=True, slots=True)
class DeskWords:
    """An act. Braces take its values: {seat}, {game}, {who}."""

    label: str
    does: str
    """One sentence."""
    fields: Mapping[str, FieldWords] = field(default_factory=dict)
    either: str = ""
    """What to fill in, of an act that can be given in several ways."""


_WHY_ALL = FieldWords("Why", "Everybody is told.")
_DAY = "date"
FIELDS: Mapping[str, FieldWords] = {
    "game": FieldWords("The game"),
    "table": FieldWords("The open table"),
    "seat": FieldWords("The seat"),
    "letter": FieldWords("The letter", "Its number."),
    "mail": FieldWords("The mail", "Its number."),
    "applicant": FieldWords("The newcomer"),
    "address": FieldWords("Mail address"),
    "name": FieldWords("Name", "As all players will read it."),
    "why": FieldWords("Why"),
    "period": FieldWords("The period"),
    "anyway": FieldWords("I have read the warning, and mean it"),
    "now": FieldWords(
        "The one who has it now is gone", "Then only the new one is asked for a code."
    ),
}

WORDS: Mapping[str, DeskWords] = {
    "extend": DeskWords(
        "Move the deadline",
        "The open period closes on another day.",
        {
            "days": FieldWords(
                "Or by how much", "3 for days, or 30 minutes; -1 is a day earlier.", "line"
            ),
            "why": _WHY_ALL,
        },
    ),
    "close": DeskWords(
        "Close the period now",
        "The period closes before its deadline, once every letter sent by now is read.",
        {
            "unread": FieldWords(
                "The mailbox cannot be read: close without it",
                "Letters that wait there do not count then.",
            )
        },
    ),
    "preview": DeskWords(
        "Look at the bulletin to come",
        "Shows the bulletin as it would be if the period closed now. That you have looked is in the"
        " journal.",
    ),
    "replace": DeskWords(
        "Give {seat} to another player",
        "Another player takes the seat. He is briefed by mail, and the old reply address is void.",
        {
            "address": FieldWords("Mail address of the new player"),
            "name": FieldWords("Name of the new player", "As all players will read it."),
            "why": FieldWords("Why", "The next bulletin says so."),
        },
    ),
    "rule": DeskWords(
        "Write a ruling",
        "The next bulletin prints your ruling.",
        {"text": FieldWords("Your ruling", "Printed as you write it, as the gamesmaster's.")},
    ),
    "unrule": DeskWords(
        "Withdraw a ruling",
        "A ruling holds no more. If a bulletin has printed it, the next one says so.",
        {
            "number": FieldWords("The ruling", "Its number."),
            "why": FieldWords("Why", "The next bulletin prints it, if it printed the ruling."),
        },
    ),
    "amended": DeskWords(
        "Carry out an amendment",
        "An amendment of the rules that the players have adopted holds from the open period on.",
        {
            "number": FieldWords("The amendment", "Its number."),
            "how": FieldWords(
                "How", "OPTION NAME=VALUE, or BY HAND if you apply it by rulings and corrections."
            ),
        },
    ),
    "hold": DeskWords(
        "Stop its clock",
        "No deadline falls until you let the game go on. Orders are still taken.",
        {"why": _WHY_ALL},
    ),
    "resume": DeskWords(
        "Let it go on",
        "The clock runs again. The deadline moves by the days for which the game was held.",
        {
            "game": FieldWords("The game"),
            "everything": FieldWords("Every held game, not only one"),
        },
        either="choose a game, or tick every held game",
    ),
    "pause": DeskWords(
        "Keep days free of deadlines",
        "No deadline falls on these days. One that did moves behind them.",
        {
            "first": FieldWords("The first day", "", _DAY),
            "last": FieldWords("The last day", "", _DAY),
            "why": _WHY_ALL,
        },
    ),
    "unpause": DeskWords(
        "Lift a pause",
        "Deadlines may fall on those days again. One that was moved comes back.",
        {"first": FieldWords("The pause", "", _DAY), "why": _WHY_ALL},
    ),
    "hour": DeskWords(
        "Change the hour of deadlines",
        "From the next period on, deadlines fall at another hour. The open period keeps its own.",
        {"hour": FieldWords("The hour", "20:00, by the game's clock; 24:00 ends the day.", "line")},
    ),
    "release": DeskWords(
        "Release {bulletin}",
        "The bulletin that you have looked over goes out to all, and the next period begins.",
        {
            "bulletin": FieldWords(
                "Its number", "Refused if another bulletin waits; empty: whichever waits."
            )
        },
    ),
    "order": DeskWords(
        "Enter orders for {seat}",
        "You enter orders for a seat, as if its player had sent them.",
        {"file": FieldWords("Its orders", "As a letter has them, each on a line.")},
    ),
    "standby": DeskWords(
        "One more stand-by player",
        "Somebody stands by for the game, and is asked when a seat falls free.",
    ),
    "unstandby": DeskWords(
        "Take a stand-by player off the list",
        "Somebody stands by for the game no longer, and is asked for no seat.",
        {
            "address": FieldWords("Mail address of the stand-by player"),
            "why": FieldWords("Why", "Only this player reads it; empty: no reason."),
        },
    ),
    "master": DeskWords(
        "Another gamesmaster",
        "Somebody else takes the game in hand, once both of you have sent back a code.",
        {"address": FieldWords("Mail address of the new gamesmaster")},
    ),
    "second": DeskWords(
        "Another second gamesmaster",
        "Somebody does the acts of the game while you play in it, once all have sent back a code.",
        {"address": FieldWords("Mail address of the second gamesmaster")},
    ),
    "away": DeskWords(
        "Say that you are away",
        "The second gamesmaster does the acts meanwhile. Without one, all are told what waits.",
        {"days": FieldWords("From when to when", "1 July to 20 July; END: you are back.", "line")},
    ),
    "address": DeskWords(
        "Change the mail address",
        "A player's mail goes to another address, or to the same one again.",
        {
            "old": FieldWords("The address that is known"),
            "new": FieldWords("The new address"),
            "also": FieldWords(
                "Mail still goes to the old one",
                "Letters from the new address count as the player's too.",
            ),
            "works": FieldWords(
                "There is no new address: mail to the known one arrives again",
                "What came back is forgotten.",
            ),
        },
        either="give the known address, and a new one; or tick that mail to it arrives again",
    ),
    "rotate": DeskWords(
        "A new secret address",
        "The secret address of a seat is void. The next mail brings its player a new one.",
        {"gamesmaster": FieldWords("Mine, as a gamesmaster", "No seat's.")},
        either="choose a game and a seat, or tick that it is yours as a gamesmaster",
    ),
    "rewind": DeskWords(
        "Adjudicate a period again",
        "A closed period is decided again, with its orders put right. Later bulletins are void.",
        {
            "number": FieldWords("The period", "Its number."),
            "order": FieldWords("Orders for a seat", "On top of what stood."),
            "accept": FieldWords("Letters that count after all", "A number on each line."),
            "drop": FieldWords("Letters that do not count", "A number on each line."),
            "why": _WHY_ALL,
            "do": FieldWords("Do it"),
        },
    ),
    "accept": DeskWords(
        "Accept the letter",
        "The letter counts on your word that its sender is who he says.",
        {
            "game": FieldWords(
                "The game", "The letter's. Without a letter: all held after a restore count."
            ),
            "before": FieldWords(
                "The period was open until",
                "Only after a restore, with a game: what came by then counts.",
            ),
            "seat": FieldWords("The seat", "If the letter does not say so itself."),
        },
        either="give a letter, or a game whose held letters are to count",
    ),
    "dismiss": DeskWords(
        "Dismiss the letter",
        "The letter is closed and has no effect.",
    ),
    "retry": DeskWords(
        "Try the letter again",
        "The next pass decides the letter again, or fetches it again.",
    ),
    "resend": DeskWords(
        "Send the mail again",
        "A mail that was refused, or has perhaps gone out, is sent once more.",
        {"all_refused": FieldWords("Or all that were refused since", "Then leave the mail empty.")},
        either="give a mail, or since when all that were refused are to go out",
    ),
    "press": DeskWords(
        "Write to the players",
        "Your words go to the players by mail, marked as the gamesmaster's.",
        {
            "to": FieldWords("To whom", "The next bulletin also prints what goes to all.", "seats"),
            "file": FieldWords("Your words to the players"),
        },
    ),
    "answer": DeskWords(
        "Answer a question",
        "Your answer goes to the player who asked, or with the question to all.",
        {
            "letter": FieldWords("The letter with the question", "Its number."),
            "text": FieldWords("Your answer"),
            "to_all": FieldWords(
                "All players read question and answer", "Not who asked. The next bulletin has both."
            ),
        },
    ),
    "settle": DeskWords(
        "Settle the protest of {seat}",
        "The protest stands no more. Its player reads your answer, and nobody else.",
        {"why": FieldWords("Your answer", "Only this player reads it; empty: none.")},
    ),
    "print-letter": DeskWords(
        "Print the letter",
        "The next issue of the club's paper prints it. Its writer is told.",
        {"number": FieldWords("The letter to the paper", "Its number.")},
    ),
    "reject-letter": DeskWords(
        "Do not print the letter",
        "The club's paper does not print it. Its writer is told.",
        {
            "number": FieldWords("The letter to the paper", "Its number."),
            "why": FieldWords("Why", "Only its writer reads it; empty: no reason."),
        },
    ),
    "warn": DeskWords(
        "Warn {seat} about its press",
        "Its player is asked to mind his press. Nobody else is told.",
        {"why": FieldWords("Your words", "Only this player reads them.")},
    ),
    "suspend": DeskWords(
        "Suspend the press of {seat}",
        "No press of the seat goes out for some days. Only its player is told.",
        {
            "days": FieldWords("For how many days", "0: its press goes out again."),
            "why": FieldWords("Why", "Only this player reads it."),
        },
    ),
    "open": DeskWords(
        "Open a table",
        "Players sign on by mail, and the game begins by itself when all are there.",
        {
            "ruleset": FieldWords("The rules", "Their key."),
            "table": FieldWords("What the table is called", "A short word, later the game's."),
            "players": FieldWords("How many play"),
            "start": FieldWords("Not before", "A day; empty: as soon as it is full.", _DAY),
            "closes": FieldWords("Open until", "Empty: until the start, or 8 weeks.", _DAY),
            "approve": FieldWords("You say of each who comes whether he plays", "yes or no"),
            "pace": FieldWords("Its pace", "leisurely, weekly, daily or evening"),
            "names": FieldWords("Names", "shown, or hidden until the game is over"),
            "reliability": FieldWords("Moves made", "Only who makes so many of 100 moves due."),
            "bots": FieldWords("House bots", "So many empty seats at most, one in four."),
            "seats": FieldWords("Seats", "lot, or choice: players may wish for seats"),
            "press": FieldWords("Words between players", "all, open or none"),
            "option": FieldWords("Options of the rules", "NAME=VALUE, each on a line"),
            "house": FieldWords("House rules", "NAME=VALUE, each on a line"),
            "scenario": FieldWords("A scenario", "The text of its file."),
            "zone": FieldWords("Time zone", "Empty: that of this installation."),
            "trust": FieldWords("Proof of letters", "open or proven"),
            "late": FieldWords("Late letters", "until_adjudicated or deadline"),
            "publish": FieldWords("Bulletins", "auto, or review: you release each"),
            "gamesmaster": FieldWords("Its gamesmaster", "Empty: you."),
            "second": FieldWords("Its second gamesmaster", "Acts while the first plays in it."),
            "seed": FieldWords("The seed of its lots", "For a rehearsal; empty: drawn."),
        },
    ),
    "close-table": DeskWords(
        "Close the table",
        "The table is closed, and takes nobody any more.",
    ),
    "approve": DeskWords(
        "Take {who}",
        "The newcomer has a place at your table.",
    ),
    "refuse": DeskWords(
        "Do not take {who}",
        "The newcomer has no place at your table.",
        {"why": FieldWords("Why", "Only the newcomer reads it.")},
    ),
    "start": DeskWords(
        "Begin the game",
        "Every player is mailed the seat, the rules and the first bulletin.",
    ),
    "end": DeskWords(
        "End the game",
        "The game ends before its end, and its seed is shown.",
        {"why": FieldWords("Why", "Empty: it will not be finished.")},
    ),
    "restore": DeskWords(
        "After a backup came back",
        "Holds all games and mails, and reads every folder again. In a second step the mails go"
        " out.",
        {"release_outbox": FieldWords("The second step: let the mails go out")},
    ),
}


def field_words(act: str, argument: str) -> FieldWords:
    return WORDS[act].fields.get(argument) or FIELDS[argument]
