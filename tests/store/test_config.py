"""A wrong configuration is told with the key and what was surely meant."""

import math
from typing import Any

import pytest

from pbem.errors import OperatorError
from pbem.house import config


def given() -> dict[str, Any]:
    server = {"host": "mail.game.example", "port": 993}
    people = {"address": "referee@game.example", "gamesmaster": "gm@game.example"}
    return {"referee": people, "imap": dict(server), "smtp": dict(server)}


def fault(section: str, **keys: Any) -> str:
    """What is said where a section has these keys as well."""
    changed = given()
    changed.setdefault(section, {}).update(keys)
    with pytest.raises(OperatorError) as error:
        config.parse(changed, "config.toml")
    return str(error.value)


UNKNOWN = {
    ("imap", "pasword_env"): "did you mean password_env?",
    ("imap", "Port"): "did you mean port?",
    ("daemon", "poll"): "did you mean poll_seconds?",
    ("referee", "poll_seconds"): "it belongs in [daemon]",
    ("smtp", "folders"): "it belongs in [imap]",
    ("daemon", "host"): "it belongs in [imap], [smtp] or [desk]",
    ("desk", "hots"): "did you mean host?",
    ("limits", "qwertz"): "there are letter_bytes, order_characters,",
    ("smtp", "password"): "no password stands in this file: password_env, password_file or",
}


@pytest.mark.parametrize(("section", "name"), UNKNOWN)
def test_an_unknown_key_is_told_with_what_was_meant(section: str, name: str) -> None:
    said = fault(section, **{name: "hunter22"})
    assert said.startswith(f"config.toml: [{section}] {name}: there is no such key")
    assert UNKNOWN[section, name] in said and "hunter22" not in said


def test_every_slip_of_the_fingers_in_a_key_is_understood() -> None:
    for section, model in config._SECTIONS.items():
        for key in model.model_fields:
            slip = f"{key[:-2]}{key[-1]}{key[-2]}" if len(set(key[-2:])) > 1 else f"{key}x"
            if slip not in model.model_fields:
                assert f"did you mean {key}" in fault(section, **{slip: 1}), (section, slip)


def test_a_section_that_there_is_not() -> None:
    for name, words in {
        "demon": "there is no such section; did you mean [daemon]?",
        "poll_seconds": "there is no such section; it belongs in [daemon]",
        "xyz": "there is no such section; there are referee, imap,",
    }.items():
        with pytest.raises(OperatorError) as error:
            config.parse({**given(), name: {"a": 1} if name == "demon" else 1})
        assert words in str(error.value)
    with pytest.raises(OperatorError, match=r"\[smtp\] is missing"):
        config.parse({name: keys for name, keys in given().items() if name != "smtp"})
    with pytest.raises(OperatorError, match=r"\[daemon\] is a section: write it on a line of its"):
        config.parse({**given(), "daemon": 3})


NUMBERS = [
    (section, name)
    for section, model in config._SECTIONS.items()
    for name, field in model.model_fields.items()
    if field.annotation in (int, float)
]


@pytest.mark.parametrize(("section", "name"), NUMBERS)
def test_a_number_out_of_bounds_is_refused(section: str, name: str) -> None:
    """Every number of the file has a least and a most."""
    for wrong in (-1, 10**18, math.inf, -math.inf, math.nan):
        assert fault(section, **{name: wrong}).startswith(
            f"config.toml: [{section}] {name} = {wrong}: Input should be "
        )
    assert "Input should be a valid" in fault(section, **{name: "many"})


def test_the_numbers_are_all_there_are() -> None:
    assert len(NUMBERS) >= 16
    assert set(NUMBERS) >= {
        *(("imap", "port"), ("smtp", "timeout"), ("daemon", "retention_days")),
        *(("limits", "letter_seconds"), ("daemon", "canary_minutes")),
    }


@pytest.mark.parametrize("name", ["port", "timeout"])
def test_no_port_and_no_patience_are_no_numbers_here(name: str) -> None:
    assert f"[imap] {name} = 0: Input should be greater than" in fault("imap", **{name: 0})


@pytest.mark.parametrize(
    ("section", "name", "value", "words"),
    [
        ("imap", "folders", [], "[imap] folders: List should have at least 1 item"),
        ("imap", "host", "", "[imap] host: String should have at least 1 character"),
        ("imap", "folders", "INBOX", "[imap] folders: Input should be a valid list"),
        ("imap", "security", "ssl", "[imap] security: Input should be 'tls', 'starttls' or 'none'"),
        ("referee", "address", "referee", "'referee' is no mail address"),
        ("referee", "zone", "Europe", "'Europe' is no time zone"),
        ("referee", "trust", ["open"], "[referee] trust: Input should be 'open' or 'proven'"),
        ("referee", "name", 3, "[referee] name = 3: Input should be a valid string"),
        ("daemon", "digest_hour", "25:00", "'25:00' is not an hour of the day"),
        ("daemon", "log_json", "perhaps", "[daemon] log_json: Input should be a valid boolean"),
    ],
)
def test_a_wrong_value_is_told_with_what_it_may_be(
    section: str, name: str, value: Any, words: str
) -> None:
    assert words in fault(section, **{name: value})


def test_all_faults_are_told_at_once() -> None:
    changed = given()
    changed["imap"] |= {"port": -1, "pasword_file": "x"}
    del changed["referee"]["gamesmaster"]
    with pytest.raises(OperatorError) as error:
        config.parse(changed)
    for words in ("[referee] gamesmaster is missing", "port = -1", "did you mean password_file?"):
        assert words in str(error.value)


# --- several mailboxes ----------------------------------------------------------------------------


def test_several_mailboxes_are_tables_of_one_name() -> None:
    one = config.parse(given())
    assert one.mailboxes == (one.imap,) and one.processed == {"Processed"}
    several = given()
    several["imap"] = [
        {"host": "mail.game.example", "user": "referee", "junk": ["Junk"]},
        {"host": "mail.club.example", "user": "referee", "processed": "Done", "junk": ["Spam"]},
    ]
    found = config.parse(several)
    assert [account.host for account in found.mailboxes] == [
        "mail.game.example",
        "mail.club.example",
    ]
    assert found.imap == found.mailboxes[0]
    assert found.junk == {"Junk", "Spam"} and found.processed == {"Processed", "Done"}
    assert found.model_copy().mailboxes == found.mailboxes


@pytest.mark.parametrize(
    ("accounts", "words"),
    [
        ([{"host": "a"}, {"host": "b", "port": 0}], "[[imap]] number 2: [imap] port = 0: Input"),
        ([{"host": "a"}, {"hots": "b"}], "number 2: [imap] host is missing"),
        ([{"host": "a"}, {"host": "a"}], "two [[imap]] have the same user at the same host"),
        ([{"host": "a"}, 3], "number 2: [imap] is a section"),
        ([], "[imap] is a section"),
    ],
)
def test_which_of_several_mailboxes_is_wrong(accounts: list[Any], words: str) -> None:
    with pytest.raises(OperatorError) as error:
        config.parse(given() | {"imap": accounts}, "config.toml")
    assert words in str(error.value)
