"""Settings: defaults, file, environment, and what is said of wrong ones."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from table.config import Config, ConfigError, load_config

HOME = {"XDG_DATA_HOME": "/srv/data"}


def test_without_anything_given_every_setting_has_a_default() -> None:
    config = load_config(environment=HOME)
    assert config.data_folder == Path("/srv/data/meldwatch")
    assert (config.source, config.rules, config.host) == ("auto", "pressman", "127.0.0.1")


def test_a_relative_xdg_folder_is_ignored_as_its_specification_says() -> None:
    config = load_config(environment={"XDG_DATA_HOME": "data"})
    assert config.data_folder == Path.home() / ".local" / "share" / "meldwatch"


def test_the_environment_goes_before_the_file_and_what_is_given_before_both(tmp_path: Path) -> None:
    file = tmp_path / "meldwatch.toml"
    file.write_text('port = 1000\nhost = "192.168.1.5"\nseed = 5\n')
    environment = HOME | {"MELDWATCH_PORT": "2000", "MELDWATCH_SEED": "6"}
    config = load_config(file, environment, seed=7, source=None)
    assert (config.host, config.port, config.seed, config.source) == (
        "192.168.1.5",
        2000,
        7,
        "auto",
    )


def test_house_rules_are_a_table_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "meldwatch.toml"
    file.write_text('source = 0\n[house_rules]\n"joker.free_removal" = "no"\n')
    config = load_config(file, HOME)
    assert config.house_rules == {"joker.free_removal": "no"}
    assert config.source == "0"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("prot = 1", "no setting 'prot'"),
        ('port = "many"', "port must be a whole number, not 'many'"),
        ("port = true", "port must be a whole number"),
        ("port = 70000", "port must be a number from 0 to 65535, not 70000"),
        ("mains_hz = 55", "mains_hz must be 50, 60 or 0, not 55"),
        ('https = "perhaps"', "https must be true or false, not 'perhaps'"),
        ("https = 1", "https must be true or false"),
        ("viewers = 0", "viewers must be a number from 1 to 200"),
        ('host = ""', "host must be a word"),
        ("host = 5", "host must be an address"),
        ("house_rules = 3", "house_rules must be a table"),
        ("port = ", "not TOML"),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_expected(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "meldwatch.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=complaint):
        load_config(file, HOME)


def test_a_wrong_value_in_the_environment_names_the_variable() -> None:
    with pytest.raises(ConfigError, match="MELDWATCH_PORT: port must be a whole number"):
        load_config(environment=HOME | {"MELDWATCH_PORT": "x"})


@pytest.mark.parametrize(("text", "on"), [("true", True), ("YES", True), ("0", False)])
def test_what_is_on_or_off_can_be_said_in_the_environment(text: str, on: bool) -> None:
    assert load_config(environment=HOME | {"MELDWATCH_HTTPS": text}).https is on


def test_a_settings_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml"):
        load_config(tmp_path / "nowhere.toml", HOME)


@pytest.mark.parametrize("name", [setting.name for setting in fields(Config)])
def test_every_setting_can_be_given_in_a_file(tmp_path: Path, name: str) -> None:
    """What is written there is its default, so that any value is of the right kind."""
    default = getattr(load_config(environment=HOME), name)
    text = '"joker.reuse" = "any"' if name == "house_rules" else ""
    value = str(default) if isinstance(default, Path) else default
    file = tmp_path / "meldwatch.toml"
    file.write_text(f"[{name}]\n{text}" if text else f"{name} = {json.dumps(value)}")
    expected = {"joker.reuse": "any"} if text else default
    assert getattr(load_config(file, {}), name) == expected
