"""Settings come from flags, environment and file, in that order, and what cannot be is named as it was given."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from machiavel.server.service.config import BadConfig, Config, load_config


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "server.toml"
    path.write_text('listen = "127.0.0.1:1"\nqueue = 5\nseconds = 2\nreflection = false\n', encoding="utf-8")
    return path


def test_flags_come_before_the_environment_and_that_before_the_file(file: Path) -> None:
    environment = {"MACHIAVEL_LISTEN": "127.0.0.1:2", "MACHIAVEL_QUEUE": "6", "MACHIAVEL_CONFIG": str(file)}
    config = load_config({"listen": "127.0.0.1:3", "queue": None}, environment)
    assert (config.listen, config.queue, config.seconds, config.reflection) == ("127.0.0.1:3", 6, 2.0, False)
    assert config.searches == Config().searches
    assert load_config({"config": str(file)}, {}).listen == "127.0.0.1:1"


def test_every_setting_has_words(file: Path) -> None:
    assert all(one.metadata["help"] for one in fields(Config))


@pytest.mark.parametrize(
    ("flags", "environment", "message"),
    [
        ({"queue": "many"}, {}, "--queue: is 'many'; expected a whole number"),
        ({"queue": "-1"}, {}, "--queue: is -1; expected 0 to"),
        ({"keep_over": "-1"}, {}, "--keep-over: is -1; expected 0 to 36500"),
        ({}, {"MACHIAVEL_KEEP_IDLE": "a month"}, "MACHIAVEL_KEEP_IDLE: is 'a month'; expected a number"),
        ({"seconds_most": "nan"}, {}, "--seconds-most: is nan; expected 0.01 to"),
        ({}, {"MACHIAVEL_PLAINTEXT": "perhaps"}, "MACHIAVEL_PLAINTEXT: is 'perhaps'; expected true or false"),
        ({"log_level": "loud"}, {}, "--log-level: is 'loud'; expected one of debug"),
        ({"listen": "7788"}, {}, "listen: '7788' is no address; expected HOST:PORT"),
        ({"metrics": "9090"}, {}, "metrics: '9090' is no address; expected HOST:PORT"),
        ({"listen": "0.0.0.0:7788"}, {}, "can be reached from other machines"),
        ({"listen": "example.org:7788"}, {}, "can be reached from other machines"),
        ({"tls_key": "key.pem"}, {}, "expected both or neither"),
        ({"tls_clients": "ca.pem"}, {}, "without tls_certificate"),
        ({"config": "no such file.toml"}, {}, "no such file.toml: cannot be read"),
    ],
)
def test_what_cannot_be_is_named(flags: dict[str, Any], environment: dict[str, str], message: str) -> None:
    with pytest.raises(BadConfig, match="^.*" + message.replace("(", r"\(")):
        load_config(flags, environment)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("quue = 3", "quue: is unknown"),
        ("queue = true", "queue: is True"),
        ("listen = 3", "listen: is 3"),
        ("[", "cannot be read"),
    ],
)
def test_a_file_is_checked_line_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "server.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadConfig, match=message):
        load_config({"config": str(path)}, {})


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "localhost:0", "[::1]:0", "127.8.9.1:5"])
def test_this_machine_alone_needs_no_encryption(listen: str) -> None:
    assert load_config({"listen": listen}, {}).listen == listen


def test_plaintext_beyond_this_machine_is_for_who_asks_for_it() -> None:
    assert load_config({"listen": "0.0.0.0:1", "plaintext": True}, {}).plaintext
