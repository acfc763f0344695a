"""A new game: choose, fill in, try, make."""

from __future__ import annotations

import json

from markupsafe import Markup

from pbem.desk import new_form, new_trial
from pbem.desk.asked import Asked, NotThere, Page
from pbem.desk.new_form import NAMED, TABLE, Faults, Form
from pbem.desk.new_trial import Seen
from pbem.desk.spoken import spoken
from pbem.errors import OperatorError
from pbem.games import GAMES
from pbem.games.frame.house import House
from pbem.house import houses, resources, shelf
from pbem.periods import start_mails
from pbem.store.games import club, games
from pbem.store.schema.states import GameState

TITLE = "New game"


def page(asked: Asked) -> Page:
    """Return the rule-sets, the form of one, or its trial."""
    if not asked.sight.owner:
        return Page("new_none.html.j2", TITLE, {"gamesmaster": asked.work.mark.gamesmaster})
    key = asked.given.get("ruleset", "")
    if not key:
        return _rulesets()
    how = asked.given.get("how", NAMED)
    if key not in GAMES or how not in (NAMED, TABLE):
        raise NotThere(f"There is no rule-set {key}.")
    return _of(asked, Form(key, how, asked.given))


def _rulesets() -> Page:
    known = [(shelf.open_ruleset(key).about, shelf.rules(key).short) for key in GAMES]
    return Page("new.html.j2", TITLE, {"rulesets": known})


def _of(asked: Asked, form: Form) -> Page:
    step = asked.given.get("step", "") if asked.given.get("csrf") == asked.csrf else ""
    if not step:  # a link is only looked at
        return _form(asked, form, {})
    found = new_form.faults(asked.work, form)
    if found:
        return _form(asked, form, found)
    try:
        if step == "do" and asked.given.get("token") == _token(asked, form):
            return _made(asked, form)
        seen = new_trial.tried(asked.work, asked.who, form, asked.given.get("look"))
    except OperatorError as error:
        return _form(asked, form, new_form.of_error(form, error))
    return _form(asked, form, {}, seen, changed=step == "do")


def _made(asked: Asked, form: Form) -> Page:
    done = new_trial.made(asked.work, asked.who, form)
    facts = {"form": form, "brief": done.brief, "id": form.values["table"]}
    return Page("new_made.html.j2", "It is made", facts)


def _token(asked: Asked, form: Form) -> str:
    return asked.sign(f"new/{form.how}/{json.dumps(form.values, sort_keys=True)}")


def _form(
    asked: Asked, form: Form, faults: Faults, seen: Seen | None = None, *, changed: bool = False
) -> Page:
    facts = {
        "form": form,
        "faults": {name: [spoken(asked.url, why) for why in said] for name, said in faults.items()},
        "seen": seen,
        "changed": changed,
        "sample": resources.text("rules", "scenarios", form.key, "template.toml"),
        "waits": _waits(asked, form.get("id")),
        "token": _token(asked, form) if seen else "",
        "ours": asked.work.config.referee,
        "told": {name: _house_text(asked, form, name) for name in ("", *houses.paces())},
        "lasts": {name: _lasts(asked, form, name) for name in ("", *houses.paces())},
    }
    return Page("new_form.html.j2", f"{TITLE}: {form.about.title}", facts, 400 if faults else 200)


def _waits(asked: Asked, game_id: str) -> bool:
    conn = asked.work.conn
    return games.exists(conn, game_id) and games.game(conn, game_id).status == GameState.WAITING


def _at_pace(form: Form, pace: str) -> House:
    return houses.house_rules(form.key, houses.settled(form.key, {}, pace), {}, pace)


def _lasts(asked: Asked, form: Form, pace: str) -> str:
    house = _at_pace(form, pace)
    return houses.words(form.key, house, club.spans(asked.work.conn, form.key, house))


def _house_text(asked: Asked, form: Form, pace: str) -> Markup:
    said = start_mails.house_text(form.key, _at_pace(form, pace), asked.work.config.referee)
    return new_trial.set_(said, 3)
