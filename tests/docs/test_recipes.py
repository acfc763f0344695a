"""The recipes: what they set is known to the configuration, and their servers are those of
`pbem init`."""

import tomllib

import pytest

from pbem.cli import providers
from pbem.house import config
from tests.docs.documents import ROOT, blocks

RECIPES = ROOT / "docs" / "recipes.md"
TEXT = RECIPES.read_text(encoding="utf-8")
SETTINGS = [tomllib.loads(block.text) for block in blocks(RECIPES) if block.kind == "toml"]


def test_the_settings_are_known_and_lower_than_the_usual_ones() -> None:
    referee = {"address": "referee@club.example", "gamesmaster": "gm@club.example"}
    servers = {
        "imap": {"host": "imap.club.example", "user": "x", "password_env": "X"},
        "smtp": {"host": "smtp.club.example", "user": "x", "password_env": "X"},
    }
    assert len(SETTINGS) == 2
    for said in SETTINGS:
        made = config.Config.model_validate({"referee": referee, **servers, **said})
        for name, value in said.get("limits", {}).items():
            assert value < getattr(config.Limits(), name) and getattr(made.limits, name) == value


@pytest.mark.parametrize("one", providers.PROVIDERS[:-1], ids=lambda one: one.key)
def test_each_provider_has_its_recipe(one: providers.Provider) -> None:
    assert f"pbem init --provider {one.key}`" in TEXT
    if one.key == "outlook":
        assert all(there.host in TEXT for there in (*one.imap, *one.smtp))
    assert not one.authserv or f"`{one.authserv}`" in TEXT
