"""What the tests of tournaments share with those of the command."""

from tests.server.cli.conftest import run

__all__ = ["run"]
